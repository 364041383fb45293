// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <unordered_map>
#include <vector>

#include "graph/node.hpp"
#include "transform/tape.hpp"
#include "trigon/tensor.hpp"

namespace trigon::detail::transform {

/// Forward mode: walks a graph from inputs to readers, and finds tangents. A loop's tangents are
/// further carries of a new loop, which computes the loop's values, too. Readers of these are
/// copied.
class Forward {
 public:
  /// In the copy, `node` is `value`. The tangent may be empty: zeros.
  void set(const graph::NodePtr& node, const Tensor& value, const Tensor& tangent);
  /// Takes a node whose inputs were set or taken, or are constants. Raises Error when its tangent
  /// is asked for and has no rule.
  void take(const graph::NodePtr& node, std::span<const graph::NodePtr> inputs,
            bool asks_for_tangent = true);
  /// Copies of nodes no longer check their indices.
  void drop_index_checks() { checks_indices_ = false; }

  /// In the copy, a loop has these results.
  void set_results(const graph::NodePtr& node, Leaves results);

  Tensor value_of(const graph::NodePtr& node) const;
  /// An empty handle for zeros.
  Tensor tangent_of(const graph::NodePtr& node) const;

 private:
  void take_output(const graph::NodePtr& node, const graph::NodePtr& of);

  bool checks_indices_ = true;
  std::unordered_map<const graph::Node*, graph::NodePtr> values_;  ///< those that are new
  /// Of a node of several results, those of each. Values only of loops.
  std::unordered_map<const graph::Node*, Leaves> tangents_, loop_values_;
};

/// The values and tangents of a loop's results, from those of its inputs.
struct LoopTangents {
  Leaves values;
  Leaves tangents;
};
LoopTangents tangents_of_loop(const graph::Node& loop, std::span<const graph::NodePtr> inputs,
                              std::span<const Tensor> tangents);

/// Whether tangents can pass from an input to the node.
bool passes_tangents(const graph::Node& node);

/// Whether `has(k, input)` holds for one of the inputs from which tangents can pass: not for the
/// values that a call's function computed, as the call has a rule.
template <class Has>
bool any_passes_to(const graph::Node& node, std::span<const graph::NodePtr> inputs,
                   const Has& has) {
  const bool is_call = node.kind == graph::Kind::call;
  for (std::size_t k = is_call ? static_cast<std::size_t>(node.as<graph::CallAttrs>().values) : 0;
       k < inputs.size(); ++k) {
    if (has(k, inputs[k])) return true;
  }
  return false;
}

}  // namespace trigon::detail::transform

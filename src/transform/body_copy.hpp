// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "graph/loop.hpp"
#include "transform/forward.hpp"
#include "trigon/tensor.hpp"

namespace trigon::detail::transform {

/// Whether something passes from some of a loop's inputs to its results: a tangent forwards, a
/// gradient back.
class LoopReach {
 public:
  /// `inputs`: for each carry, slice and captured tensor, whether it has something to pass on.
  LoopReach(const graph::LoopBody& body, std::vector<bool> inputs);

  /// Also for a carry that only an iteration gives something.
  bool input(std::int64_t k) const;
  bool output(std::int64_t k) const;

 private:
  std::vector<bool> inputs_, outputs_;
};

/// All nodes below the results, inputs first.
std::vector<graph::NodePtr> nodes_below(std::vector<graph::NodePtr> results);

/// A copy of a loop's body with other values for its parameters.
class BodyCopy {
 public:
  explicit BodyCopy(const graph::LoopBody& body);

  void drop_index_checks() { forward_.drop_index_checks(); }

  /// `node`: a parameter, or a node that is not to be copied.
  void set(const graph::NodePtr& node, const Tensor& value, const Tensor& tangent = {});
  /// The value of a node whose parameters are set.
  Tensor value(const graph::NodePtr& node);
  /// The tangent of a node whose value was asked for.
  Tensor tangent(const graph::NodePtr& node) const { return forward_.tangent_of(node); }

  void set_step(const Tensor& step) { set(body_.parameters[0], step); }
  /// The parameter for an input of the loop.
  const graph::NodePtr& parameter(std::int64_t input) const;
  /// The node of a result of the body.
  const graph::NodePtr& result(std::int64_t k) const;

 private:
  const graph::LoopBody& body_;
  Forward forward_;
  std::unordered_set<const graph::Node*> taken_;
  /// Nodes that a tangent can pass to a result: not those below a call's values alone, which its
  /// rule replaces.
  std::unordered_set<const graph::Node*> on_the_way_;
};

}  // namespace trigon::detail::transform

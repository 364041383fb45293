// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "graph/node.hpp"
#include "transform/tape.hpp"
#include "trigon/tensor.hpp"

namespace trigon::detail::transform {

/// A graph for a batch of values: a copy in which values have a further axis, the first. Nodes that
/// no batched value reaches stay as they are.
class Batch {
 public:
  explicit Batch(std::int64_t count) : count_(count) {}

  /// In the copy, `node` is `value`, which has the further axis or not.
  void set(const graph::NodePtr& node, const Tensor& value, bool is_batched);
  /// Takes a node whose inputs were set or taken. Raises Error when a value would have too many
  /// axes, and for a kernel that is not elementwise.
  void take(const graph::NodePtr& node, std::span<const graph::NodePtr> inputs);
  /// Takes all nodes below that are newer than `first`.
  void take_below(const graph::NodePtr& node, std::uint64_t first);

  bool is_batched(const graph::NodePtr& node) const;
  Tensor value_of(const graph::NodePtr& node) const;
  /// With the further axis, over which the value is broadcast if it has none.
  Tensor batched(const graph::NodePtr& node) const;

 private:
  struct Value {
    graph::NodePtr node;
    bool is_batched;
  };
  friend class BatchRules;

  Value at(const graph::NodePtr& node) const;
  Tensor lifted(const Value& value) const;
  void take_loop(const graph::NodePtr& node, std::span<const Value> in);
  void take_call(const graph::NodePtr& node, std::span<const Value> in);
  void take_output(const graph::NodePtr& node, const graph::NodePtr& of);

  std::int64_t count_;
  std::unordered_map<const graph::Node*, Value> values_;
  std::unordered_map<const graph::Node*, std::vector<Value>> results_;  ///< of loops and calls
};

/// f for a batch: f is called once, with tensors without the further axis. `is_batched`: of each
/// input. The results have it; empty handles stay empty.
Leaves vectorized(const std::function<Leaves(Leaves)>& f, const Leaves& inputs,
                  const std::vector<bool>& is_batched, std::int64_t count);

/// The results of a loop for a batch, and whether each has the further axis.
struct BatchedResults {
  Leaves values;
  std::vector<bool> are_batched;
};
BatchedResults batched_loop(const graph::Node& loop, std::span<const graph::NodePtr> inputs,
                            const std::vector<bool>& are_batched, std::int64_t count);

}  // namespace trigon::detail::transform

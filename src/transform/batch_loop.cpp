// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <utility>

#include "core/internals.hpp"
#include "core/item.hpp"
#include "graph/build.hpp"
#include "graph/loop.hpp"
#include "transform/batch.hpp"
#include "transform/body_copy.hpp"
#include "transform/trace_loop.hpp"
#include "trigon/index.hpp"
#include "trigon/shape.hpp"

// A loop for a batch is one loop, whose carries have a further axis where anything gives them one.

namespace trigon::detail::transform {
namespace {

using graph::Node;
using graph::NodePtr;

class MappedLoop {
 public:
  MappedLoop(const Node& loop, std::span<const NodePtr> inputs, std::vector<bool> are_batched,
             std::int64_t count)
      : loop_(loop),
        body_(*loop.body),
        inputs_(inputs),
        is_batched_(std::move(are_batched)),
        count_(count) {
    find_batched();
  }

  BatchedResults build() {
    Loop loop = loop_like(loop_, inputs_);
    loop.body = [this](const Tensor& step, const Leaves& state, const Leaves& slices) {
      return iteration(step, state, slices);
    };
    loop.selects_elements = !condition_gets_elements();
    if (body_.has_condition) {
      loop.condition = [this](const Leaves& state) { return condition(state); };
    }
    for (std::int64_t k = 0; k < body_.carries; ++k) {
      const NodePtr& x = item(inputs_, k);
      loop.init.push_back(is_batched(k) && !given(k) ? Batch(count_).batched(x)
                                                     : Internals::tensor(x));
    }
    for (std::int64_t k = body_.carries; k < body_.carries + body_.slices; ++k) {
      const Tensor x = Internals::tensor(item(inputs_, k));
      loop.xs.push_back(is_batched(k) ? moveaxis(x, 0, 1) : x);
    }
    BatchedResults results{build_loop(loop), {}};
    for (std::int64_t k = 0; k < std::ssize(results.values); ++k) {
      const bool is_carry = k < body_.carries;
      results.are_batched.push_back(is_carry ? is_batched(k)
                                             : reached_.contains(item(body_.results, k).get()));
      Tensor& value = item(results.values, k);
      if (!is_carry && results.are_batched.back()) value = moveaxis(value, 1, 0);
    }
    return results;
  }

 private:
  bool is_batched(std::int64_t k) const { return is_batched_[static_cast<std::size_t>(k)]; }
  bool given(std::int64_t k) const { return given_[static_cast<std::size_t>(k)]; }
  /// Carries get the further axis from an iteration, and from a condition that has it.
  void find_batched() {
    given_ = is_batched_;
    const std::vector<NodePtr> nodes = nodes_below(body_.results);
    for (bool is_new = true; is_new;) {
      is_new = false;
      reached_.clear();
      for (std::int64_t k = 0; k < std::ssize(body_.parameters) - 1; ++k) {
        if (is_batched(k)) reached_.insert(item(body_.parameters, k + 1).get());
      }
      for (const NodePtr& node : nodes) {
        const std::vector<NodePtr> inputs = graph::inputs_of(*node);
        if (std::any_of(inputs.begin(), inputs.end(),
                        [&](const NodePtr& input) { return reached_.contains(input.get()); })) {
          reached_.insert(node.get());
        }
      }
      const bool by_condition = has_batched_condition();
      for (std::int64_t k = 0; k < body_.carries; ++k) {
        if (is_batched(k) || !(by_condition || reached_.contains(item(body_.results, k).get()))) {
          continue;
        }
        is_batched_[static_cast<std::size_t>(k)] = true;
        is_new = true;
      }
    }
  }

  bool has_batched_condition() const {
    return body_.has_condition && reached_.contains(body_.results.back().get());
  }
  /// Whether a condition for all becomes one for each element of the batch.
  bool condition_gets_elements() const {
    return has_batched_condition() && body_.results.back()->shape.rank() == 0;
  }

  void set_outside(Batch& batch) const {
    for (std::int64_t k = body_.carries + body_.slices; k < std::ssize(body_.parameters) - 1; ++k) {
      batch.set(item(body_.parameters, k + 1), Internals::tensor(item(inputs_, k)), is_batched(k));
    }
  }
  void set_carries(Batch& batch, const Leaves& state) const {
    for (std::int64_t k = 0; k < body_.carries; ++k) {
      batch.set(item(body_.parameters, k + 1), item(state, k), is_batched(k));
    }
  }

  Tensor condition(const Leaves& state) const {
    Batch batch(count_);
    set_outside(batch);
    set_carries(batch, state);
    batch.take_below(body_.results.back(), 0);
    return batch.value_of(body_.results.back());
  }

  Iteration iteration(const Tensor& step, const Leaves& state, const Leaves& slices) const {
    Batch batch(count_);
    set_outside(batch);
    batch.set(body_.parameters[0], step, false);
    set_carries(batch, state);
    for (std::int64_t k = 0; k < body_.slices; ++k) {
      const std::int64_t input = body_.carries + k;
      batch.set(item(body_.parameters, input + 1), item(slices, k), is_batched(input));
    }
    Iteration made;
    for (std::int64_t k = 0; k < body_.carries + body_.outputs; ++k) {
      const NodePtr& result = item(body_.results, k);
      batch.take_below(result, 0);
      const bool is_carry = k < body_.carries;
      const bool is_lifted = is_carry ? is_batched(k) : reached_.contains(result.get());
      (is_carry ? made.state : made.outputs)
          .push_back(is_lifted ? batch.batched(result) : batch.value_of(result));
    }
    return made;
  }

  const Node& loop_;
  const graph::LoopBody& body_;
  std::span<const NodePtr> inputs_;
  std::vector<bool> is_batched_, given_;  ///< inputs with the further axis; from outside
  std::int64_t count_;
  std::unordered_set<const Node*> reached_;  ///< nodes of the body that have it
};

}  // namespace

BatchedResults batched_loop(const Node& loop, std::span<const NodePtr> inputs,
                            const std::vector<bool>& are_batched, std::int64_t count) {
  return MappedLoop(loop, inputs, are_batched, count).build();
}

}  // namespace trigon::detail::transform

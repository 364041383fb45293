// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/internals.hpp"
#include "core/item.hpp"
#include "graph/loop.hpp"
#include "transform/body_copy.hpp"
#include "transform/forward.hpp"
#include "transform/trace_loop.hpp"
#include "trigon/create.hpp"

namespace trigon::detail::transform {
namespace {

using graph::Node;
using graph::NodePtr;

std::vector<bool> are_given(const graph::LoopBody& body, std::span<const Tensor> tangents) {
  std::vector<bool> given;
  for (std::size_t k = 0; k + 1 < body.parameters.size(); ++k) {
    given.push_back(tangents[k].has_value());
  }
  return given;
}

/// A loop whose body also carries tangents.
class DualLoop {
 public:
  DualLoop(const Node& loop, std::span<const NodePtr> inputs, std::span<const Tensor> tangents)
      : loop_(loop),
        body_(*loop.body),
        inputs_(inputs),
        tangents_(tangents),
        reach_(body_, are_given(body_, tangents)),
        copy_(body_) {}

  LoopTangents build() {
    Loop loop = loop_like(loop_, inputs_);
    loop.body = [this](const Tensor& step, const Leaves& state, const Leaves& slices) {
      return iteration(step, state, slices);
    };
    loop.selects_elements = true;
    if (body_.has_condition) {
      loop.condition = [this](const Leaves& state) {
        set_inputs(0, body_.carries, state);
        return copy_.value(body_.results.back());
      };
    }
    loop.init = with_tangents(0, body_.carries);
    loop.xs = with_tangents(body_.carries, body_.slices);
    for (std::int64_t k = body_.carries + body_.slices; k < std::ssize(body_.parameters) - 1; ++k) {
      copy_.set(copy_.parameter(k), Internals::tensor(item(inputs_, k)), item(tangents_, k));
    }
    return sorted(build_loop(loop));
  }

 private:
  /// Inputs of the loop, followed by the tangents that they have.
  Leaves with_tangents(std::int64_t first, std::int64_t count) const {
    Leaves leaves;
    for (std::int64_t k = first; k < first + count; ++k) {
      leaves.push_back(Internals::tensor(item(inputs_, k)));
    }
    for (std::int64_t k = first; k < first + count; ++k) {
      if (!reach_.input(k)) continue;
      const Tensor& t = item(tangents_, k);
      leaves.push_back(t.has_value() ? t.astype(float32) : zeros(item(inputs_, k)->shape));
    }
    return leaves;
  }

  /// Sets `count` inputs from `first` on; in `given` the tangents follow the values.
  void set_inputs(std::int64_t first, std::int64_t count, const Leaves& given) {
    std::int64_t tangent = count;
    for (std::int64_t k = 0; k < count; ++k) {
      copy_.set(copy_.parameter(first + k), item(given, k),
                reach_.input(first + k) ? item(given, tangent++) : Tensor());
    }
  }

  Iteration iteration(const Tensor& step, const Leaves& state, const Leaves& slices) {
    copy_.set_step(step);
    set_inputs(0, body_.carries, state);
    set_inputs(body_.carries, body_.slices, slices);
    Iteration made;
    add_results(made.state, 0, body_.carries, [&](std::int64_t k) { return reach_.input(k); });
    add_results(made.outputs, body_.carries, body_.outputs,
                [&](std::int64_t k) { return reach_.output(k); });
    return made;
  }

  template <class Has>
  void add_results(Leaves& leaves, std::int64_t first, std::int64_t count, const Has& has) {
    for (std::int64_t k = 0; k < count; ++k) leaves.push_back(copy_.value(copy_.result(first + k)));
    for (std::int64_t k = 0; k < count; ++k) {
      if (!has(k)) continue;
      const NodePtr& result = copy_.result(first + k);
      const Tensor t = copy_.tangent(result);
      leaves.push_back(t.has_value() ? t : zeros(result->shape));
    }
  }

  /// Values and tangents of the old loop's results, from all results of the new one.
  LoopTangents sorted(const Leaves& all) const {
    LoopTangents results;
    std::int64_t next = 0;
    const auto sort = [&](std::int64_t count, const auto& has) {
      for (std::int64_t k = 0; k < count; ++k) results.values.push_back(item(all, next++));
      for (std::int64_t k = 0; k < count; ++k) {
        results.tangents.push_back(has(k) ? item(all, next++) : Tensor());
      }
    };
    sort(body_.carries, [&](std::int64_t k) { return reach_.input(k); });
    sort(body_.outputs, [&](std::int64_t k) { return reach_.output(k); });
    return results;
  }

  const Node& loop_;
  const graph::LoopBody& body_;
  std::span<const NodePtr> inputs_;
  std::span<const Tensor> tangents_;
  const LoopReach reach_;
  BodyCopy copy_;
};

}  // namespace

LoopTangents tangents_of_loop(const Node& loop, std::span<const NodePtr> inputs,
                              std::span<const Tensor> tangents) {
  return DualLoop(loop, inputs, tangents).build();
}

}  // namespace trigon::detail::transform

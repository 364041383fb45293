// SPDX-License-Identifier: MIT
#include "transform/trace_loop.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/called.hpp"
#include "core/internals.hpp"
#include "core/item.hpp"
#include "core/list.hpp"
#include "graph/build.hpp"
#include "graph/loop.hpp"
#include "graph/loop_body.hpp"
#include "graph/named.hpp"
#include "graph/trace.hpp"
#include "trigon/create.hpp"
#include "trigon/index.hpp"
#include "trigon/shape.hpp"

namespace trigon::detail::transform {
namespace {

Shape without_first_axis(const Tensor& x) {
  Shape shape = x.shape();
  shape.erase(0);
  return shape;
}

/// A new parameter of the body.
Tensor new_parameter(graph::TracedBody& body, const Tensor& like, const Shape& shape) {
  auto node = std::make_shared<graph::Node>(graph::Kind::parameter, like.dtype(), shape);
  node->attrs = graph::ParameterAttrs{.number = std::ssize(body.parameters), .loop = body.kind};
  node->device = Internals::node(like)->device;
  body.parameters.push_back(node);
  return Internals::tensor(node);
}

/// Per element: the new carry where the condition holds, otherwise the old one.
Tensor select_elements(const Tensor& condition, const Tensor& next, const Tensor& last) {
  if (condition.ndim() == 0 || Internals::node(next) == Internals::node(last)) return next;
  Shape shape = condition.shape();
  while (shape.rank() < next.ndim()) shape.push_back(1);
  return where(reshape(condition, shape), next, last).astype(last.dtype());
}

bool has_elements(graph::LoopKind kind, const Tensor& x) {
  const core::Called called(function_of(kind));
  return x.shape().numel() > 0;  // raises Error from 2^63 on
}

/// Sets `outputs` to those of an iteration. Outputs and carries without elements are not results of
/// the body, since no iteration can change them.
graph::TracedBody trace_body(const Loop& loop, Leaves& outputs) {
  const graph::Inlining scope;
  const graph::InBody body(loop.kind);
  graph::TracedBody traced{.kind = loop.kind};
  Leaves state, slices;
  const Tensor step = new_parameter(traced, graph::constant(0, int32), {});
  for (const Tensor& x : loop.init) state.push_back(new_parameter(traced, x, x.shape()));
  for (const Tensor& x : loop.xs) {
    if (has_elements(loop.kind, x)) {
      slices.push_back(new_parameter(traced, x, without_first_axis(x)));
      ++traced.slices;
    } else {
      slices.push_back(zeros(without_first_axis(x), x.dtype()));
    }
  }
  traced.carries = static_cast<std::int32_t>(state.size());
  Tensor condition;
  if (loop.condition) condition = loop.condition(state);
  Iteration iteration = loop.body(step, state, std::move(slices));
  for (std::size_t k = 0; k < state.size(); ++k) {
    const bool is_fixed = Internals::node(iteration.state[k]) == Internals::node(state[k]) ||
                          !has_elements(loop.kind, state[k]);
    if (is_fixed)
      traced.fixed.emplace(Internals::node(state[k]).get(), Internals::node(loop.init[k]));
    const bool selects = condition.has_value() && !loop.selects_elements;
    traced.results.push_back(
        selects ? Internals::node(select_elements(condition, iteration.state[k], state[k]))
                : Internals::node(iteration.state[k]));
  }
  for (const Tensor& y : iteration.outputs) {
    if (!has_elements(loop.kind, y)) continue;
    traced.results.push_back(Internals::node(y));
    ++traced.outputs;
  }
  outputs = std::move(iteration.outputs);
  traced.has_condition = condition.has_value();
  if (traced.has_condition) traced.results.push_back(Internals::node(condition));
  return traced;
}

std::vector<graph::NodePtr> inputs_of(const Loop& loop, const graph::TracedBody& traced,
                                      const graph::ClosedBody& closed) {
  std::vector<graph::NodePtr> inputs;
  for (std::size_t k = 0; k < loop.init.size(); ++k) {
    if (!traced.fixed.contains(traced.parameters[k + 1].get())) {
      inputs.push_back(Internals::node(loop.init[k]));
    }
  }
  for (const Tensor& x : loop.xs) {
    if (x.size() > 0) inputs.push_back(Internals::node(x));
  }
  core::append(inputs, closed.captured);
  core::append(inputs, closed.scalars);
  return inputs;
}

/// The user's name for an input of the loop.
std::string input_name(const graph::LoopBody& body, std::size_t k, const graph::Node& input) {
  std::string role = "a captured tensor";
  if (std::cmp_less(k, body.carries + body.slices)) role = "a leaf of xs";
  if (std::cmp_less(k, body.carries)) role = "a carry";
  return fmt::format("{} {} {}", role, to_string(input.shape), name(input.dtype));
}

void check_devices(const graph::LoopBody& body, const std::vector<graph::NodePtr>& inputs) {
  std::size_t first = inputs.size();
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    if (inputs[k]->device == nullptr) continue;
    if (first == inputs.size()) first = k;
    if (inputs[k]->device == inputs[first]->device) continue;
    core::fail(
        "the loop reads tensors of different devices: {} and {} are not in the same "
        "place; move one with .to(device)",
        input_name(body, first, *inputs[first]), input_name(body, k, *inputs[k]));
  }
}

Shape stacked(const Tensor& y, std::int64_t iterations) {
  Shape shape = y.shape();
  shape.insert(0, iterations);
  return shape;
}

}  // namespace

Loop loop_like(const graph::Node& node, std::span<const graph::NodePtr> inputs) {
  const auto& attrs = node.as<graph::LoopAttrs>();
  const auto count = [&](std::int64_t number, core::ScalarNumber scalar) {
    return Count{number, scalar.is_given() ? item(inputs, scalar.number) : nullptr};
  };
  return {.kind = node.body->kind,
          .init = {},
          .xs = {},
          .body = {},
          .condition = {},
          .first = count(attrs.first, attrs.first_scalar),
          .iterations = count(attrs.iterations, attrs.iterations_scalar),
          .checkpoint = attrs.checkpoint};
}

Leaves build_loop(const Loop& loop) {
  Leaves outputs;
  const graph::TracedBody traced = trace_body(loop, outputs);
  if (loop.iterations.scalar == nullptr && loop.iterations.number == 0) {
    Leaves last = loop.init;
    for (const Tensor& y : outputs) last.push_back(zeros(stacked(y, 0), y.dtype()));
    return last;
  }
  const graph::ClosedBody closed = close_body(traced);
  std::vector<graph::NodePtr> inputs = inputs_of(loop, traced, closed);
  {
    const core::Called called(function_of(loop.kind));
    check_devices(*closed.body, inputs);
  }
  const auto scalar_input = [&](const graph::NodePtr& scalar) -> core::ScalarNumber {
    if (scalar == nullptr) return {};
    return {static_cast<std::int32_t>(core::place_in(inputs, scalar))};
  };
  const core::ScalarNumber first = scalar_input(loop.first.scalar);
  const core::ScalarNumber iterations = scalar_input(loop.iterations.scalar);
  const auto node = std::make_shared<graph::Node>(graph::Kind::loop, DType::float32, Shape{});
  node->attrs = graph::LoopAttrs{.first = loop.first.number,
                                 .iterations = loop.iterations.number,
                                 .first_scalar = first,
                                 .iterations_scalar = iterations,
                                 .checkpoint = loop.checkpoint};
  node->body = closed.body;
  for (const graph::NodePtr& input : inputs) add_input(*node, input);
  std::int32_t number = 0;
  const auto result = [&](const Shape& shape, DType dtype) {
    return Internals::tensor(graph::output(node, {number++}, dtype, shape));
  };
  Leaves last;
  for (std::size_t k = 0; k < loop.init.size(); ++k) {
    const Tensor& x = loop.init[k];
    const bool is_fixed = traced.fixed.contains(traced.parameters[k + 1].get());
    last.push_back(is_fixed ? x : result(x.shape(), x.dtype()));
  }
  for (const Tensor& y : outputs) {
    const Shape shape = stacked(y, loop.iterations.number);
    last.push_back(y.size() == 0 ? zeros(shape, y.dtype()) : result(shape, y.dtype()));
  }
  return last;
}

}  // namespace trigon::detail::transform

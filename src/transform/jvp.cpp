// SPDX-License-Identifier: MIT
#include "trigon/jvp.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/called.hpp"
#include "core/internals.hpp"
#include "core/item.hpp"
#include "core/list.hpp"
#include "entries/entries.hpp"
#include "graph/build.hpp"
#include "graph/named.hpp"
#include "transform/forward.hpp"
#include "transform/grad_rules.hpp"
#include "transform/tape.hpp"
#include "trigon/create.hpp"
#include "trigon/index.hpp"
#include "trigon/join.hpp"
#include "trigon/shape.hpp"

// An op declares one rule, its vjp; tangents follow from it. The Jacobian of an elementwise op is
// diagonal, so its vjp with the tangent in g's place is the tangent. So do PyTorch's derivatives
// that are marked auto_element_wise and auto_linear.

namespace trigon::detail::transform {
namespace {

using graph::Kind;
using graph::Node;
using graph::NodePtr;
using Inputs = std::span<const NodePtr>;
using Tangents = std::span<const Tensor>;

// A copy of the node with other inputs.
NodePtr copy_of(const Node& node, Inputs inputs) {
  auto made = graph::without_inputs(node);
  for (const NodePtr& input : inputs) graph::add_input(*made, input);
  return made;
}

// A linear node of tangents.
Tensor linear(const Node& node, Inputs inputs) {
  auto made = graph::without_inputs(node);
  made->dtype = DType::float32;
  made->value = 0;  // of a pad
  for (const NodePtr& input : inputs) graph::add_input(*made, input);
  return Internals::tensor(std::move(made));
}

// The same with the tangent in place of the first input.
Tensor linear(const Node& node, Inputs inputs, const Tensor& tangent) {
  std::vector<NodePtr> changed(inputs.begin(), inputs.end());
  changed[0] = Internals::node(tangent);
  return linear(node, changed);
}

Tensor or_zeros(const Tensor& tangent, const Shape& shape) {
  return tangent.has_value() ? tangent : zeros(shape);
}

Tensor plus(const Tensor& a, const Tensor& b) {
  if (!a.has_value() || !b.has_value()) return a.has_value() ? a : b;
  return a + b;
}

bool has_rule(const Op& op) {
  switch (op.family) {
    case Family::unary: return op.unary().vjp.get() != nullptr;
    case Family::binary: return op.binary().vjp.get() != nullptr;
    case Family::ternary: return op.ternary().vjp.get() != nullptr;
    case Family::reduce: return op.reduce().vjp.get() != nullptr;
    case Family::kernel: return false;
  }
  return false;
}

// ---- Rules of kinds -----------------------------------------------------------------------------

Tensor map_tangent(const NodePtr& y, Inputs in, Tangents t) {
  if (!has_rule(*y->op)) refuse_op("jvp", *y->op);
  if (entries::chooses(*y->op)) {
    const Tensor chosen =
        where(Internals::tensor(in[0]), or_zeros(t[1], y->shape), or_zeros(t[2], y->shape));
    Internals::node(chosen)->attrs = y->attrs;
    return chosen;
  }
  Tensor tangent;
  for (std::size_t k = 0; k < in.size(); ++k) {
    if (!t[k].has_value()) continue;
    const Tensor term = gradients(y, in, std::span(&t[k], 1))[k];
    if (term.has_value()) tangent = plus(tangent, fitted(term, y->shape));
  }
  return tangent;
}

// A result depends on the elements that are reduced to it alone, so the vjp at g = 1 holds the
// derivative of each result towards each element.
Leaves reduce_tangents(const NodePtr& y, Inputs in, const Tensor& t) {
  if (!has_rule(*y->op)) refuse_op("jvp", *y->op);
  const std::vector<bool>& reduced = y->as<core::ReduceAttrs>().reduced;
  std::vector<int> axes;
  for (std::size_t k = 0; k < reduced.size(); ++k) {
    if (reduced[k]) axes.push_back(static_cast<int>(k));
  }
  Leaves tangents;
  const auto count = static_cast<std::size_t>(y->op->reduce().outputs.get());
  for (std::size_t k = 0; k < count; ++k) {
    Leaves g(count);
    g[k] = ones(y->shape);
    const Tensor slope = gradients(y, in, g)[0];
    tangents.push_back(slope.has_value()
                           ? graph::reduce(entries::named<"sum">(), fitted(slope, t.shape()) * t,
                                           Axes(axes), true, in.size() > 1 ? in[1] : nullptr)[0]
                           : Tensor());
  }
  return tangents;
}

Tensor contract_tangent(const NodePtr& y, Inputs in, Tangents t) {
  const auto& attrs = y->as<core::ContractAttrs>();
  const auto length = [&](core::ScalarNumber input) {
    return input.is_given() ? item(in, input.number) : nullptr;
  };
  const auto product = [&](const Tensor& a, const Tensor& b) {
    return graph::contract(a, b, length(attrs.inner), length(attrs.columns));
  };
  Tensor tangent;
  if (t[0].has_value()) tangent = product(t[0], Internals::tensor(in[1]));
  if (t[1].has_value()) tangent = plus(tangent, product(Internals::tensor(in[0]), t[1]));
  return tangent;
}

// Also for scatter_add: linear in x and in `v`, the input that is written or added.
Tensor write_tangent(const NodePtr& y, Inputs in, Tangents t, std::size_t v) {
  if (y->kind == Kind::scatter_add && !t[v].has_value()) return t[0];
  std::vector<NodePtr> inputs(in.begin(), in.end());
  inputs[0] = Internals::node(or_zeros(t[0], in[0]->shape));
  inputs[v] = Internals::node(or_zeros(t[v], in[v]->shape));
  return linear(*y, inputs);
}

// The derivative of a call from the rule that it has.
Leaves call_tangents(const NodePtr& y, Inputs in, Tangents t) {
  const auto count = static_cast<std::size_t>(y->as<graph::CallAttrs>().values);
  Leaves values, arguments, tangents;
  for (std::size_t k = 0; k < count; ++k) {
    values.push_back(Internals::tensor(
        graph::output(y, {static_cast<std::int32_t>(k)}, in[k]->dtype, in[k]->shape)));
  }
  for (std::size_t k = count; k < in.size(); ++k) {
    arguments.push_back(Internals::tensor(in[k]));
    tangents.push_back(t[k]);
  }
  if (y->rules->jvp != nullptr) return y->rules->jvp(tangents, arguments, values);
  if (y->rules->vjp == nullptr) return Leaves(count);
  const auto rule = [&](const Leaves& g) { return y->rules->vjp(g, arguments, values); };
  return transposed_rule(Wanted::tangents, y->rules->name, values, rule, tangents);
}

Leaves tangents_of(const NodePtr& y, Inputs in, Tangents t) {
  const auto first = [&](const Tensor& tangent) { return Leaves{tangent}; };
  switch (y->kind) {
    case Kind::map: return first(map_tangent(y, in, t));
    case Kind::cast:
    case Kind::argument: return first(t[0]);
    case Kind::reshape:
    case Kind::permute:
    case Kind::slice:
    case Kind::broadcast:
    case Kind::pad:
    case Kind::take:
    case Kind::take_along:
    case Kind::affine: return first(linear(*y, in, t[0]));
    case Kind::reduce: return reduce_tangents(y, in, t[0]);
    case Kind::contract: return first(contract_tangent(y, in, t));
    case Kind::write: return first(write_tangent(y, in, t, 1));
    case Kind::scatter_add: return first(write_tangent(y, in, t, 2));
    case Kind::kernel: refuse_op("jvp", *y->op);
    case Kind::call: return call_tangents(y, in, t);
    case Kind::loop:    // has values of its own
    case Kind::output:  // passes on what its input has
    case Kind::leaf:
    case Kind::constant:
    case Kind::scalar:
    case Kind::iota:
    case Kind::parameter: break;
  }
  return {};
}

}  // namespace

bool passes_tangents(const Node& node) {
  return info(node.kind).has_gradient && !is_stopped(node) &&
         (is_float(node.dtype) || graph::has_outputs(node));
}

// ---- The walk -----------------------------------------------------------------------------------

void Forward::set(const NodePtr& node, const Tensor& value, const Tensor& tangent) {
  values_[node.get()] = Internals::node(value);
  if (tangent.has_value()) tangents_[node.get()] = {tangent};
}

void Forward::set_results(const NodePtr& node, Leaves results) {
  loop_values_[node.get()] = std::move(results);
}

Tensor Forward::value_of(const NodePtr& node) const {
  const auto found = values_.find(node.get());
  return Internals::tensor(found == values_.end() ? node : found->second);
}

Tensor Forward::tangent_of(const NodePtr& node) const {
  const auto found = tangents_.find(node.get());
  return found == tangents_.end() || found->second.empty() ? Tensor() : found->second[0];
}

void Forward::take_output(const NodePtr& node, const NodePtr& of) {
  const auto number = static_cast<std::size_t>(node->as<graph::OutputAttrs>().number);
  if (const auto found = loop_values_.find(of.get()); found != loop_values_.end()) {
    values_[node.get()] = Internals::node(found->second[number]);
  } else if (const auto copy = values_.find(of.get()); copy != values_.end()) {
    values_[node.get()] = copy_of(*node, {{copy->second}});
  }
  const auto found = tangents_.find(of.get());
  if (found == tangents_.end() || !passes_tangents(*node) || number >= found->second.size()) return;
  const Tensor& tangent = found->second[number];
  if (tangent.has_value()) tangents_[node.get()] = {fitted(tangent, node->shape)};
}

void Forward::take(const NodePtr& node, Inputs inputs, bool asks_for_tangent) {
  if (node->kind == Kind::output) return take_output(node, inputs[0]);
  std::vector<NodePtr> in;
  Leaves t;
  for (const NodePtr& input : inputs) {
    in.push_back(Internals::node(value_of(input)));
    t.push_back(tangent_of(input));
  }
  const bool is_new = !std::equal(in.begin(), in.end(), inputs.begin());
  const bool has_tangents =
      asks_for_tangent && passes_tangents(*node) &&
      any_passes_to(*node, in, [&](std::size_t k, const NodePtr&) { return t[k].has_value(); });
  if (node->kind == Kind::loop && has_tangents) {
    LoopTangents results = tangents_of_loop(*node, in, t);
    loop_values_[node.get()] = std::move(results.values);
    tangents_[node.get()] = std::move(results.tangents);
    return;
  }
  NodePtr y = node;
  if (is_new) {
    y = copy_of(*node, in);
    if (!checks_indices_) y->indexed = nullptr;
    values_[node.get()] = y;
  }
  if (has_tangents) tangents_[node.get()] = tangents_of(y, in, t);
}

}  // namespace trigon::detail::transform

namespace trigon::detail::differentiated {
namespace {

using graph::NodePtr;

/// The values and tangents of what was traced. A Named must live.
std::pair<Leaves, Leaves> push_forward(const transform::Tape& tape, const Leaves& results,
                                       const Leaves& dx) {
  transform::Forward forward;
  for (std::size_t k = 0; k < dx.size(); ++k) {
    const NodePtr& argument = tape.arguments[k];
    forward.set(argument, Internals::tensor(argument), transform::fitted(dx[k], argument->shape));
  }
  for (const transform::Entry& entry : tape.entries) {
    forward.take(Internals::node(entry.y), entry.inputs);
  }
  std::pair<Leaves, Leaves> found;
  for (const Tensor& result : results) {
    const Tensor tangent = forward.tangent_of(Internals::node(result));
    found.first.push_back(forward.value_of(Internals::node(result)));
    found.second.push_back(tangent.has_value() ? tangent : zeros(result.shape()));
  }
  return found;
}

}  // namespace

std::pair<Leaves, Leaves> jvp_of(const LeafFunction& f, const Leaves& x, const Leaves& dx) {
  transform::Traced traced = transform::call_with_arguments(f, {x});
  transform::check_like("dx", dx, "x", x);
  const transform::Tape tape = transform::tape_of(traced.results, std::move(traced.arguments));
  return push_forward(tape, traced.results, dx);
}

LeafJvp linearize_of(const LeafFunction& f, const Leaves& x) {
  transform::Traced traced = transform::call_with_arguments(f, {x});
  auto tape = std::make_shared<const transform::Tape>(
      transform::tape_of(traced.results, std::move(traced.arguments)));
  return {traced.results, [tape, x, results = traced.results](const Leaves& dx) {
            const graph::Named named("linearize");
            transform::check_like("dx", dx, "x", x);
            return push_forward(*tape, results, dx).second;
          }};
}

Leaves with_forward_rule(const Leaves& values, const Leaves& arguments, LeafRule rule) {
  const core::Called called("custom_jvp");
  auto rules = std::make_shared<graph::CallRules>(graph::CallRules{.name = "custom_jvp"});
  rules->jvp = [rule = std::move(rule)](std::span<const Tensor> t, std::span<const Tensor> x,
                                        std::span<const Tensor> y) {
    Leaves tangents(t.begin(), t.end());
    for (std::size_t k = 0; k < tangents.size(); ++k) {
      if (!tangents[k].has_value()) tangents[k] = zeros(x[k].shape());
    }
    const graph::UserCode scope;
    Leaves found = rule(std::move(tangents), {x.begin(), x.end()}, {y.begin(), y.end()});
    for (std::size_t k = 0; k < found.size(); ++k) {
      if (!found[k].has_value() || found[k].shape() == y[k].shape()) continue;
      core::fail_in("custom_jvp",
                    "wrong shape of tangent {}: {}; must be that of its leaf of the result, {}", k,
                    to_string(found[k].shape()), to_string(y[k].shape()));
    }
    return found;
  };
  return graph::call(std::move(rules), values, arguments);
}

}  // namespace trigon::detail::differentiated

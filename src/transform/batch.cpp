// SPDX-License-Identifier: MIT
#include "transform/batch.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "core/called.hpp"
#include "core/internals.hpp"
#include "core/item.hpp"
#include "core/list.hpp"
#include "core/walk.hpp"
#include "graph/build.hpp"
#include "graph/loop.hpp"
#include "graph/named.hpp"
#include "graph/trace.hpp"
#include "trigon/create.hpp"
#include "trigon/index.hpp"
#include "trigon/join.hpp"
#include "trigon/logic.hpp"
#include "trigon/math.hpp"
#include "trigon/reduce.hpp"
#include "trigon/shape.hpp"

// One rule a kind, none for an op.

namespace trigon::detail::transform {

using graph::Kind;
using graph::Node;
using graph::NodePtr;

namespace {

Shape with_axis(std::int64_t count, const Shape& shape, const Node& node) {
  if (shape.rank() == Shape::max_rank) {
    core::fail_in("vmap", "too many axes: a value of {} would be {}, and one more; at most {}",
                  graph::name_of(node), to_string(shape), static_cast<int>(Shape::max_rank));
  }
  Shape more = shape;
  more.insert(0, count);
  return more;
}

std::vector<int> all_axes(int rank) {
  std::vector<int> axes;
  for (int k = 0; k < rank; ++k) axes.push_back(k);
  return axes;
}

}  // namespace

/// The rule of each kind: `y` is a node, `in` has its inputs' values in the batch.
class BatchRules {
 public:
  using Value = Batch::Value;

  BatchRules(const Batch& batch, const Node& y, std::span<const Value> in)
      : batch_(batch), y_(y), in_(in), shape_(with_axis(batch.count_, y.shape, y)) {}

  NodePtr run() const {
    switch (y_.kind) {
      case Kind::map: return map();
      case Kind::cast:
      case Kind::reshape:
      case Kind::argument: return made(y_.attrs, {lifted(0)});
      case Kind::permute: return permute();
      case Kind::slice: return made(with_whole_axis(), rest(lifted(0)));
      case Kind::broadcast: return broadcast();
      case Kind::pad: return pad();
      case Kind::take: return take();
      case Kind::take_along:
        return made(core::TakeAttrs{y_.as<core::TakeAttrs>().axis + 1}, {lifted(0), lifted(1)});
      case Kind::affine: return affine();
      case Kind::reduce: return reduce();
      case Kind::contract: return contract();
      case Kind::write: return made(with_whole_axis(), rest(lifted(0), lifted(1)));
      case Kind::scatter_add: return scatter_add();
      case Kind::kernel:
        core::fail_in(
            "vmap",
            "{} reads raw inputs or its position, so nothing says how it runs for a batch; "
            "write it with ops, or map over it with scan",
            y_.op->name);
      case Kind::loop:  // of several results, as a call
      case Kind::call:
      case Kind::output:
      case Kind::leaf:
      case Kind::constant:
      case Kind::scalar:
      case Kind::iota:
      case Kind::parameter: break;
    }
    return nullptr;
  }

 private:
  NodePtr lifted(std::size_t k) const { return Internals::node(batch_.lifted(in_[k])); }
  Tensor tensor(std::size_t k) const { return Internals::tensor(in_[k].node); }
  static NodePtr node(const Tensor& x) { return Internals::node(x); }

  /// A node like y with the further axis.
  NodePtr made(graph::Attrs attrs, const std::vector<NodePtr>& inputs) const {
    return made(std::move(attrs), inputs, shape_);
  }
  NodePtr made(graph::Attrs attrs, const std::vector<NodePtr>& inputs, const Shape& shape) const {
    auto node = graph::without_inputs(y_);
    node->shape = shape;
    node->attrs = std::move(attrs);
    node->indexed = nullptr;  // its axes are the user's
    for (const NodePtr& input : inputs) graph::add_input(*node, input);
    return node;
  }
  /// The first inputs, then y's others, which are Scalars.
  std::vector<NodePtr> rest(NodePtr a, NodePtr b = nullptr) const {
    std::vector<NodePtr> inputs{std::move(a)};
    if (b != nullptr) inputs.push_back(std::move(b));
    for (std::size_t k = inputs.size(); k < in_.size(); ++k) inputs.push_back(in_[k].node);
    return inputs;
  }

  NodePtr map() const {
    std::vector<NodePtr> inputs;
    for (std::size_t k = 0; k < in_.size(); ++k) inputs.push_back(lifted(k));
    graph::Attrs attrs = y_.attrs;
    // Elements of a batch may take different sides.
    if (core::is_branch(attrs) && in_[0].is_batched) attrs = core::ApplyAttrs{};
    return made(std::move(attrs), inputs);
  }

  NodePtr permute() const {
    core::PermuteAttrs attrs{{0}};
    for (const int axis : y_.as<core::PermuteAttrs>().axes) attrs.axes.push_back(axis + 1);
    return made(attrs, {lifted(0)});
  }

  graph::Attrs with_whole_axis() const {
    core::RegionAttrs attrs = y_.as<core::RegionAttrs>();
    attrs.axes.insert(attrs.axes.begin(), core::RegionAttrs::Axis{.start = 0, .step = 1});
    return attrs;
  }

  NodePtr broadcast() const {
    Shape aligned = in_[0].node->shape;
    while (aligned.rank() < shape_.rank()) aligned.insert(1, 1);
    return node(graph::expand(reshape(tensor(0), aligned), shape_));
  }

  NodePtr pad() const {
    core::PadAttrs attrs = y_.as<core::PadAttrs>();
    attrs.before.insert(attrs.before.begin(), 0);
    return made(attrs, {lifted(0)});
  }

  NodePtr affine() const {
    core::AffineAttrs attrs;
    attrs.axes.emplace_back();
    attrs.axes[0].factors[0] = 1;
    for (const core::AffineAttrs::Axis& axis : y_.as<core::AffineAttrs>().axes) {
      core::AffineAttrs::Axis moved{.start = axis.start, .factors = {}};
      std::copy(axis.factors.begin(), axis.factors.end() - 1, moved.factors.begin() + 1);
      attrs.axes.push_back(moved);
    }
    return made(attrs, {lifted(0)});
  }

  NodePtr reduce() const {
    core::ReduceAttrs attrs = y_.as<core::ReduceAttrs>();
    attrs.reduced.insert(attrs.reduced.begin(), false);
    return made(attrs, rest(lifted(0)));
  }

  /// A matrix that multiplies all others from the right takes the rows of all at once.
  NodePtr contract() const {
    const auto& attrs = y_.as<core::ContractAttrs>();
    if (!in_[1].is_batched && y_.shape.rank() == 2) {
      const Shape& a = in_[0].node->shape;
      const Tensor rows = reshape(tensor(0), {a[0] * a[1], a[2]});
      const NodePtr all = made(attrs, rest(node(rows), in_[1].node), {a[0] * a[1], y_.shape[1]});
      return node(reshape(Internals::tensor(all), shape_));
    }
    return made(attrs, rest(lifted(0), lifted(1)));
  }

  // ---- Gathers: with a batch of indices, rows of all elements of the batch lie in one axis

  /// x with `axis`, counted without the further one, merged with the further axis.
  static Tensor merged(const Tensor& x, int axis) {
    const Tensor moved = moveaxis(x, axis + 1, 1);
    Shape shape = moved.shape();
    shape[1] *= shape[0];
    shape.erase(0);
    return reshape(moved, shape);
  }

  /// Indices along n elements as rows of what is merged: those outside are clamped, or none.
  Tensor rows(const Tensor& indices, std::int64_t n, bool clamps) const {
    const Tensor row = indices.dtype() == DType::uint32 ? minimum(indices, n).astype(int32)
                                                        : indices.astype(int32);
    const Tensor from_end = row + n;
    const Tensor wrapped = where(row < 0, from_end, row);
    const Tensor begin = graph::positions(batch_.count_, 0, indices.ndim()) * n;
    if (clamps) return begin + clip(wrapped, 0, n - 1);
    const Tensor is_inside = logical_and(wrapped >= 0, wrapped < n);
    return where(is_inside, begin + wrapped, batch_.count_ * n);
  }

  NodePtr take() const {
    const int axis = y_.as<core::TakeAttrs>().axis;
    if (!in_[1].is_batched) {
      return made(core::TakeAttrs{axis + 1}, {lifted(0), in_[1].node});
    }
    const Tensor indices = tensor(1);
    if (!in_[0].is_batched) {
      Shape shape = y_.shape;
      shape.insert(axis, batch_.count_);
      const NodePtr taken = made(core::TakeAttrs{axis}, {in_[0].node, in_[1].node}, shape);
      return node(moveaxis(Internals::tensor(taken), axis, 0));
    }
    const std::int64_t n = in_[0].node->shape[axis + 1];
    const Tensor taken = trigon::take(merged(tensor(0), axis), rows(indices, n, true), 0);
    // (B, indices..., others before the axis, others behind it)
    std::vector<int> order = all_axes(taken.ndim());
    const auto first = order.begin() + 1, before = first + indices.ndim() - 1;
    std::rotate(first, before, before + axis);
    return node(transpose(taken, order));
  }

  NodePtr scatter_add() const {
    core::ScatterAttrs attrs = y_.as<core::ScatterAttrs>();
    const int axis = attrs.axis;
    if (attrs.along || !in_[1].is_batched) {
      ++attrs.axis;
      return made(attrs, {lifted(0), attrs.along ? lifted(1) : in_[1].node, lifted(2)});
    }
    const Tensor x = Internals::tensor(lifted(0)), v = Internals::tensor(lifted(2));
    const Tensor indices = tensor(1);
    std::vector<int> order = all_axes(v.ndim());
    std::rotate(order.begin() + 1, order.begin() + 1 + axis, order.begin() + axis + indices.ndim());
    const std::int64_t n = y_.shape[axis];
    const Tensor all =
        graph::scatter_add(merged(x, axis), rows(indices, n, attrs.clamps), transpose(v, order),
                           {.axis = 0, .along = false, .clamps = attrs.clamps});
    Shape shape = all.shape();
    shape[0] = n;
    shape.insert(0, batch_.count_);
    return node(moveaxis(reshape(all, shape), 1, axis + 1));
  }

  const Batch& batch_;
  const Node& y_;
  std::span<const Value> in_;
  const Shape shape_;
};

void Batch::set(const NodePtr& node, const Tensor& value, bool is_batched) {
  values_[node.get()] = {Internals::node(value), is_batched};
}

Batch::Value Batch::at(const NodePtr& node) const {
  const auto found = values_.find(node.get());
  return found == values_.end() ? Value{node, false} : found->second;
}

bool Batch::is_batched(const NodePtr& node) const { return at(node).is_batched; }
Tensor Batch::value_of(const NodePtr& node) const { return Internals::tensor(at(node).node); }
Tensor Batch::batched(const NodePtr& node) const { return lifted(at(node)); }

Tensor Batch::lifted(const Value& value) const {
  const Tensor x = Internals::tensor(value.node);
  return value.is_batched ? x : graph::expand(x, with_axis(count_, x.shape(), *value.node));
}

void Batch::take_output(const NodePtr& node, const NodePtr& of) {
  const auto number = static_cast<std::size_t>(node->as<graph::OutputAttrs>().number);
  if (const auto found = results_.find(of.get()); found != results_.end()) {
    values_[node.get()] = found->second[number];
    return;
  }
  const auto found = values_.find(of.get());
  if (found == values_.end()) return;
  const Value of_all = found->second;
  const Shape shape = of_all.is_batched ? with_axis(count_, node->shape, *node) : node->shape;
  const NodePtr result =
      graph::output(of_all.node, node->as<graph::OutputAttrs>(), node->dtype, shape);
  values_[node.get()] = {result, of_all.is_batched};
}

void Batch::take(const NodePtr& node, std::span<const NodePtr> inputs) {
  if (node->kind == Kind::output) return take_output(node, inputs[0]);
  std::vector<Value> in;
  bool is_batched = false, is_new = false;
  for (const NodePtr& input : inputs) {
    in.push_back(at(input));
    is_batched = is_batched || in.back().is_batched;
    is_new = is_new || in.back().node != input;
  }
  if (is_batched && node->kind == Kind::loop) return take_loop(node, in);
  if (is_batched && node->kind == Kind::call) return take_call(node, in);
  if (is_batched) {
    values_[node.get()] = {BatchRules(*this, *node, in).run(), true};
  } else if (is_new) {
    auto made = graph::without_inputs(*node);
    for (const Value& input : in) graph::add_input(*made, input.node);
    values_[node.get()] = {std::move(made), false};
  }
}

void Batch::take_below(const NodePtr& root, std::uint64_t first) {
  using Inputs = std::vector<NodePtr>;
  std::unordered_map<const Node*, bool> seen;
  const auto enter = [&](const NodePtr& node) -> std::optional<Inputs> {
    if (values_.contains(node.get()) || results_.contains(node.get()) || node->id <= first ||
        !seen.emplace(node.get(), true).second) {
      return std::nullopt;
    }
    return graph::inputs_of(*node);
  };
  const auto leave = [&](const NodePtr& node, const Inputs& inputs) { take(node, inputs); };
  core::walk_up(root, enter, leave);
}

void Batch::take_loop(const NodePtr& node, std::span<const Value> in) {
  std::vector<NodePtr> inputs;
  std::vector<bool> are_batched;
  for (const Value& one : in) {
    inputs.push_back(one.node);
    are_batched.push_back(one.is_batched);
  }
  const BatchedResults made = batched_loop(*node, inputs, are_batched, count_);
  std::vector<Value>& results = results_[node.get()];
  for (std::size_t k = 0; k < made.values.size(); ++k) {
    results.push_back({Internals::node(made.values[k]), made.are_batched[k]});
  }
}

// The rules of a call are mapped, too, when they are asked.
void Batch::take_call(const NodePtr& node, std::span<const Value> in) {
  const auto count = static_cast<std::size_t>(node->as<graph::CallAttrs>().values);
  Leaves values, arguments;
  std::vector<bool> are_batched;
  for (std::size_t k = 0; k < in.size(); ++k) {
    if (k < count) {
      values.push_back(lifted(in[k]));
    } else {
      arguments.push_back(Internals::tensor(in[k].node));
      are_batched.push_back(in[k].is_batched);
    }
  }
  const auto mapped = [size = count_, are_batched](
                          const auto& rule, std::size_t first, std::span<const Tensor> given,
                          std::span<const Tensor> x, std::span<const Tensor> y) {
    std::vector<bool> flags;
    Leaves all;
    const auto add = [&](const Tensor& one, bool is_batched) {
      all.push_back(one);
      flags.push_back(is_batched);
    };
    for (std::size_t k = 0; k < given.size(); ++k) {
      add(given[k], first > 0 || are_batched[k]);
    }
    for (std::size_t k = 0; k < x.size(); ++k) add(x[k], are_batched[k]);
    for (const Tensor& one : y) add(one, true);
    return vectorized(
        [&](const Leaves& one) {
          const std::span<const Tensor> parts(one);
          return rule(parts.first(given.size()), parts.subspan(given.size(), x.size()),
                      parts.subspan(given.size() + x.size()));
        },
        all, flags, size);
  };
  auto rules = std::make_shared<graph::CallRules>(graph::CallRules{.name = node->rules->name});
  rules->takes_empty = node->rules->takes_empty;
  if (node->rules->vjp != nullptr) {
    rules->vjp = [mapped, are_batched, old = node->rules](std::span<const Tensor> g,
                                                          std::span<const Tensor> x,
                                                          std::span<const Tensor> y) {
      Leaves found = mapped(old->vjp, 1, g, x, y);
      for (std::size_t k = 0; k < found.size(); ++k) {
        if (found[k].has_value() && !are_batched[k]) found[k] = sum(found[k], 0);
      }
      return found;
    };
  }
  if (node->rules->jvp != nullptr) {
    rules->jvp = [mapped, old = node->rules](std::span<const Tensor> t, std::span<const Tensor> x,
                                             std::span<const Tensor> y) {
      return mapped(old->jvp, 0, t, x, y);
    };
  }
  std::vector<Value>& results = results_[node.get()];
  for (const Tensor& result : graph::call(std::move(rules), values, arguments)) {
    results.push_back({Internals::node(result), true});
  }
}

Leaves vectorized(const std::function<Leaves(Leaves)>& f, const Leaves& inputs,
                  const std::vector<bool>& is_batched, std::int64_t count) {
  Batch batch(count);
  std::uint64_t first = Node(Kind::constant, DType::float32, {}).id;
  Leaves parameters;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    if (!inputs[k].has_value() || !is_batched[k]) {
      parameters.push_back(inputs[k]);
      continue;
    }
    Shape shape = inputs[k].shape();
    shape.erase(0);
    auto node = std::make_shared<Node>(Kind::parameter, inputs[k].dtype(), shape);
    node->attrs = graph::ParameterAttrs{.number = static_cast<std::int64_t>(k) + 1,
                                        .loop = graph::LoopKind::vmap};
    node->device = Internals::node(inputs[k])->device;
    batch.set(node, inputs[k], true);
    parameters.push_back(Internals::tensor(std::move(node)));
  }
  const Leaves results = [&] {
    const graph::UserCode own_names;
    const graph::Inlining scope;  // the copy needs the nodes inside compiled functions
    return f(std::move(parameters));
  }();
  Leaves all;
  for (const Tensor& result : results) {
    if (!result.has_value()) {
      all.emplace_back();
      continue;
    }
    batch.take_below(Internals::node(result), first);
    all.push_back(batch.batched(Internals::node(result)));
  }
  return all;
}

}  // namespace trigon::detail::transform

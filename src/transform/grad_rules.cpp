// SPDX-License-Identifier: MIT
#include "transform/grad_rules.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/called.hpp"
#include "core/internals.hpp"
#include "core/item.hpp"
#include "core/list.hpp"
#include "graph/build.hpp"
#include "graph/loop.hpp"
#include "graph/named.hpp"
#include "transform/tape.hpp"
#include "trigon/create.hpp"
#include "trigon/index.hpp"
#include "trigon/join.hpp"
#include "trigon/linalg.hpp"
#include "trigon/logic.hpp"
#include "trigon/math.hpp"
#include "trigon/reduce.hpp"
#include "trigon/shape.hpp"

// The gradient of each kind of node towards its inputs. y is the node, and `in` its inputs. g has
// y's shape: the gradient of the loss towards y.

namespace trigon::detail::transform {
namespace {

using Inputs = std::span<const graph::NodePtr>;

// (1, ..., n, ..., 1): whether the position along `axis` lies below `length`.
Tensor below(const graph::NodePtr& length, std::int64_t n, int axis, int rank) {
  return graph::positions(n, axis, rank) < Internals::tensor(length);
}

/// `remedy`: a replacement that ends with a comma, or "".
[[noreturn]] void throw_no_gradient(const char* function, std::string_view op,
                                    std::string_view remedy = "", std::string_view hint = "") {
  core::fail_in(
      function,
      "no gradient: {} is not differentiable; {}pass what it is made of through stop_gradient{}",
      op, remedy, hint);
}

// The gradients from the op's `vjp`, which a user may have written.
template <class Rule, class... Arguments>
auto ruled(Rule rule, const Arguments&... arguments) {
  const graph::UserCode scope;
  return rule(arguments...);
}

// ---- Elementwise and reductions -----------------------------------------------------------------

std::vector<Tensor> map(const graph::NodePtr& y, Inputs in, const Tensor& g) {
  const auto x = [&](std::size_t k) { return Internals::tensor(in[k]); };
  switch (y->op->family) {
    case Family::unary: {
      const auto vjp = y->op->unary().vjp.get();
      if (vjp == nullptr) break;
      return {ruled(vjp, g, x(0), Internals::tensor(y))};
    }
    case Family::binary: {
      const auto vjp = y->op->binary().vjp.get();
      if (vjp == nullptr) break;
      const auto gradients = ruled(vjp, g, x(0), x(1), Internals::tensor(y));
      return {gradients.begin(), gradients.end()};
    }
    case Family::ternary: {
      const auto vjp = y->op->ternary().vjp.get();
      if (vjp == nullptr) break;
      const auto gradients = ruled(vjp, g, x(0), x(1), x(2), Internals::tensor(y));
      return {gradients.begin(), gradients.end()};
    }
    default: break;
  }
  refuse_op("vjp", *y->op);
}

std::vector<Tensor> reduce(const graph::NodePtr& y, Inputs in, std::span<const Tensor> gs) {
  const ReduceSpec& spec = y->op->reduce();
  if (spec.vjp.get() == nullptr) refuse_op("vjp", *y->op);
  const Tensor x = Internals::tensor(in[0]);
  const std::vector<Tensor> results = graph::results_of_reduction(y);
  std::vector<Tensor> g(gs.begin(), gs.end());
  g.resize(results.size());
  const Tensor dx = ruled(spec.vjp.get(), g, x, results);
  if (in.size() == 1 || !dx.has_value()) return {dx};
  if (!spec.vjp_with_length) throw_no_gradient("vjp", fmt::format("{} with a length", y->op->name));
  const std::vector<bool>& reduced = y->as<core::ReduceAttrs>().reduced;
  const auto k =
      static_cast<int>(std::find(reduced.begin(), reduced.end(), true) - reduced.begin());
  return {where(below(in[1], x.shape()[k], k, x.ndim()), dx, 0.0), Tensor()};
}

// ---- Views --------------------------------------------------------------------------------------

std::vector<Tensor> permute(const graph::NodePtr& y, const Tensor& g) {
  const std::vector<int>& axes = y->as<core::PermuteAttrs>().axes;
  std::vector<int> inverse(axes.size());
  for (std::size_t k = 0; k < inverse.size(); ++k) item(inverse, axes[k]) = static_cast<int>(k);
  return {transpose(g, inverse)};
}

// If g is a stack of matrix products that is summed over the stack: the sum as a single product,
// with the stack's axes merged into the inner axis. Otherwise empty. So the gradient of weights
// that a batch shares needs no copy for each element of the batch.
Tensor sum_of_products(const Tensor& g, const Shape& shape) {
  const graph::Node& node = *Internals::node(g);
  const bool whole =
      node.kind == graph::Kind::contract && node.as<core::ContractAttrs>() == core::ContractAttrs{};
  const bool is_matrix = shape.rank() >= 2 && g.ndim() > 2 && shape[-1] == g.shape()[-1] &&
                         shape[-2] == g.shape()[-2] && shape.numel() == shape[-1] * shape[-2];
  const std::vector<graph::NodePtr> in = inputs_of(node);
  if (!whole || !is_matrix || in.empty()) return {};
  const Tensor a = swapaxes(Internals::tensor(in[0]), -1, -2);  // (B..., Q, P)
  const Tensor b = Internals::tensor(in[1]);                    // (B..., Q, R)
  const Tensor left = reshape(a, {a.size() / a.shape()[-1], a.shape()[-1]});
  const Tensor right = reshape(b, {b.size() / b.shape()[-1], b.shape()[-1]});
  return reshape(graph::contract(left.T(), right, nullptr, nullptr), shape);
}

std::vector<Tensor> broadcast(Inputs in, const Tensor& g) {
  const Shape& shape = in[0]->shape;
  const Tensor product = sum_of_products(g, shape);
  if (product.has_value()) return {product};
  const int missing = g.ndim() - shape.rank();
  std::vector<int> axes;
  for (int k = 0; k < g.ndim(); ++k) {
    const bool added = k < missing;
    if (added || (shape[k - missing] == 1 && g.shape()[k] != 1)) axes.push_back(k);
  }
  return {reshape(sum(g, Axes(axes)), shape)};
}

std::vector<Tensor> pad(const graph::NodePtr& y, Inputs in, const Tensor& g) {
  graph::Region region;
  for (int k = 0; k < in[0]->shape.rank(); ++k) {
    region.push_axis(item(y->as<core::PadAttrs>().before, k), 1, in[0]->shape[k]);
  }
  return {slice(g, region)};
}

std::vector<Tensor> slice_gradient(const graph::NodePtr& y, Inputs in, const Tensor& g) {
  const Shape& shape = in[0]->shape;
  const graph::Region region = region_of(*y, in, 1, y->shape);
  bool is_box = region.scalars.empty();
  std::vector<std::int64_t> before;
  for (const core::RegionAttrs::Axis& axis : region.box.axes) {
    is_box = is_box && axis.step == 1;
    before.push_back(axis.start);
  }
  std::vector<Tensor> gradients(in.size());
  gradients[0] = is_box ? graph::pad_to(g, before, shape, 0) : write(zeros(shape), g, region);
  return gradients;
}

std::vector<Tensor> write_gradient(const graph::NodePtr& y, Inputs in, const Tensor& g) {
  const Shape& written = in[1]->shape;
  const graph::Region region = region_of(*y, in, 2, written);
  std::vector<Tensor> gradients(in.size());
  gradients[0] = write(g, zeros(written), region);
  gradients[1] = slice(g, region);
  return gradients;
}

// ---- Products and gathers -----------------------------------------------------------------------

Tensor transposed(const graph::NodePtr& x) { return swapaxes(Internals::tensor(x), -1, -2); }

std::vector<Tensor> contract_gradient(const graph::NodePtr& y, Inputs in, const Tensor& g) {
  const auto length = [&](core::ScalarNumber input) {
    return input.is_given() ? item(in, input.number) : nullptr;
  };
  const auto& attrs = y->as<core::ContractAttrs>();
  const graph::NodePtr inner = length(attrs.inner);
  const graph::NodePtr columns = length(attrs.columns);
  std::vector<Tensor> gradients(in.size());
  gradients[0] = graph::contract(g, transposed(in[1]), columns, inner);    // (B..., M, K)
  gradients[1] = graph::contract(transposed(in[0]), g, nullptr, columns);  // (B..., K, N)
  if (inner != nullptr) {
    const int rank = gradients[1].ndim();
    const Tensor rows = below(inner, gradients[1].shape()[-2], rank - 2, rank);
    gradients[1] = where(rows, gradients[1], 0.0);
  }
  return gradients;
}

// Indices of n rows as int32; uint32 indices past the end become n.
Tensor as_int32(const Tensor& indices, std::int64_t n) {
  if (indices.dtype() == DType::uint32) return minimum(indices, n).astype(int32);
  return indices.astype(int32);
}

/// Passes y's index check on to `gradient`, whose input `input` is made from the same indices.
void pass_use(const graph::NodePtr& y, const graph::NodePtr& indices, const Tensor& gradient,
              std::size_t input) {
  const graph::NodePtr& node = Internals::node(gradient);
  if (y->indexed == nullptr || input >= node->inputs.size()) return;
  graph::IndexUse use = *y->indexed;
  use.input = input;
  const graph::Node* wrapper = node->inputs[input].get();
  while (wrapper != indices.get()) {
    if (wrapper->inputs.empty()) return;
    wrapper = wrapper->inputs[0].get();
    ++use.wrappers;
  }
  node->indexed = std::make_shared<const graph::IndexUse>(use);
}

// Adds the gradient of each taken row to its source; rows taken several times add up. With one
// index along the axis, a comparison per row does this, which fuses with the code around it.
std::vector<Tensor> take_gradient(const graph::NodePtr& y, Inputs in, const Tensor& g) {
  const Shape& shape = in[0]->shape;
  const int axis = y->as<core::TakeAttrs>().axis;
  const bool along = y->kind == graph::Kind::take_along;
  const Tensor indices = Internals::tensor(in[1]);
  const std::int64_t count = along ? indices.shape()[axis] : indices.size();
  if (count > 1) {
    const core::ScatterAttrs rows{.axis = axis, .along = along, .clamps = true};
    const Tensor dx = graph::scatter_add(zeros(shape), indices, g, rows);
    pass_use(y, in[1], dx, 1);
    return {dx, Tensor()};
  }
  const std::int64_t n = shape[axis];
  Shape one = shape;
  one[axis] = 1;
  Shape ones_only;
  for (int k = 0; k < shape.rank(); ++k) ones_only.push_back(1);
  const Tensor row = reshape(as_int32(indices, n), along ? one : ones_only);
  const Tensor wrapped = row + n;
  const Tensor from_start = where(row < 0, wrapped, row);
  pass_use(y, in[1], from_start, 2);
  const Tensor chosen = clip(from_start, 0, n - 1);
  const Tensor dx = reshape(g, one);
  return {where(graph::positions(n, axis, shape.rank()) == chosen, dx, 0.0), Tensor()};
}

std::vector<Tensor> scatter_gradient(const graph::NodePtr& y, Inputs in, const Tensor& g) {
  const auto& [axis, along, clamps] = y->as<core::ScatterAttrs>();
  const Tensor indices = Internals::tensor(in[1]);
  Tensor dv = along ? take_along_axis(g, indices, axis) : take(g, indices, axis);
  pass_use(y, in[1], dv, 1);
  if (!clamps) {
    // Dropped rows do not affect y.
    const std::int64_t n = y->shape[axis];
    const Tensor row = as_int32(indices, n);
    Shape shape = indices.shape();
    if (!along) {
      for (int k = 0; k < axis; ++k) shape.insert(0, 1);
      for (int k = axis + 1; k < y->shape.rank(); ++k) shape.push_back(1);
    }
    const Tensor is_above = row >= -n;
    dv = where(reshape(logical_and(is_above, row < n), shape), dv, 0.0);
  }
  return {g, Tensor(), dv};
}

// The gradients of a function that only has a rule for its tangents.
std::vector<Tensor> from_tangents(const std::shared_ptr<const graph::CallRules>& rules,
                                  std::span<const Tensor> g, std::span<const Tensor> arguments,
                                  std::span<const Tensor> values) {
  const auto rule = [&](const Leaves& t) { return rules->jvp(t, arguments, values); };
  Leaves gradients = transposed_rule(Wanted::gradients, rules->name,
                                     {arguments.begin(), arguments.end()}, rule, g);
  for (std::size_t k = 0; k < gradients.size(); ++k) {
    if (!is_float(arguments[k].dtype())) gradients[k] = Tensor();
  }
  return gradients;
}

// The rule of a call. It gets results that have gradients, so that it can be differentiated again.
std::vector<Tensor> call(const graph::NodePtr& y, Inputs in, std::span<const Tensor> g) {
  const std::int64_t count = y->as<graph::CallAttrs>().values;
  std::vector<Tensor> gs, values, arguments;
  for (std::int32_t k = 0; k < count; ++k) {
    const graph::Node& value = *item(in, k);
    const bool is_given = std::cmp_less(k, g.size()) && item(g, k).has_value();
    gs.push_back(is_given ? item(g, k) : y->rules->takes_empty ? Tensor() : zeros(value.shape));
    values.push_back(Internals::tensor(graph::output(y, {k}, value.dtype, value.shape)));
  }
  for (std::int64_t k = count; k < std::ssize(in); ++k)
    arguments.push_back(Internals::tensor(item(in, k)));
  const std::vector<Tensor> found = y->rules->vjp != nullptr
                                        ? y->rules->vjp(gs, arguments, values)
                                        : from_tangents(y->rules, gs, arguments, values);
  if (std::ssize(found) != std::ssize(arguments)) {
    throw std::logic_error("trigon::transform: a rule gives a gradient for each argument");
  }
  auto gradients = vector_of<Tensor>(count);
  core::append(gradients, found);
  return gradients;
}

}  // namespace

void refuse_op(const char* function, const Op& op) {
  const bool is_of_user = op.family == Family::kernel   ? op.kernel().is_of_user()
                          : op.family == Family::reduce ? op.reduce().per_element
                                                        : false;
  throw_no_gradient(function, op.name, is_of_user ? "set the kernel's gradient, or " : "");
}

void refuse_loop(const graph::LoopBody& body) {
  const char* const function = function_of(body.kind);
  core::fail_in(
      "vjp",
      "no gradient: nothing bounds the iterations of {} before it runs; {}\n  hint: or wrap the "
      "function that calls the loop in custom_vjp(f, rule)",
      function,
      body.kind == graph::LoopKind::while_loop ? "pass max_iterations, or write fori_loop or scan"
                                               : "its bounds must be plain numbers");
}

std::vector<Tensor> gradients(const graph::NodePtr& y, Inputs in, std::span<const Tensor> gs) {
  const Tensor& g = gs[0];
  switch (y->kind) {
    case graph::Kind::map: return map(y, in, g);
    case graph::Kind::cast: return {is_float(in[0]->dtype) ? g : Tensor()};
    case graph::Kind::reshape: return {reshape(g, in[0]->shape)};
    case graph::Kind::permute: return permute(y, g);
    case graph::Kind::slice: return slice_gradient(y, in, g);
    case graph::Kind::broadcast: return broadcast(in, g);
    case graph::Kind::pad: return pad(y, in, g);
    case graph::Kind::take:
    case graph::Kind::take_along: return take_gradient(y, in, g);
    case graph::Kind::affine: return {affine_gradient(y->as<core::AffineAttrs>(), in[0]->shape, g)};
    case graph::Kind::reduce: return reduce(y, in, gs);
    case graph::Kind::contract: return contract_gradient(y, in, g);
    case graph::Kind::write: return write_gradient(y, in, g);
    case graph::Kind::scatter_add: return scatter_gradient(y, in, g);
    case graph::Kind::kernel: refuse_op("vjp", *y->op);
    case graph::Kind::loop:  // see gradients_of_loop
    case graph::Kind::argument: return {g};
    case graph::Kind::call: return call(y, in, gs);
    case graph::Kind::leaf:
    case graph::Kind::constant:
    case graph::Kind::scalar:
    case graph::Kind::iota:
    case graph::Kind::parameter:
    case graph::Kind::output: break;
  }
  return std::vector<Tensor>(in.size());
}

}  // namespace trigon::detail::transform

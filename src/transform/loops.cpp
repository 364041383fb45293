// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/called.hpp"
#include "core/internals.hpp"
#include "graph/build.hpp"
#include "graph/loop.hpp"
#include "graph/named.hpp"
#include "graph/trace.hpp"
#include "transform/trace_loop.hpp"
#include "trigon/create.hpp"
#include "trigon/index.hpp"
#include "trigon/logic.hpp"
#include "trigon/loop.hpp"
#include "trigon/shape.hpp"

namespace trigon {
namespace {

using detail::Leaves;
using detail::tree::Parts;
using graph::Kind;
using graph::Node;
using graph::NodePtr;
using transform::Count;
using transform::Iteration;
using transform::Loop;

constexpr std::int64_t int32_low = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t int32_high = std::numeric_limits<std::int32_t>::max();

std::string type_of(const Tensor& x) {
  return fmt::format("{} {}", to_string(x.shape()), name(x.dtype()));
}

/// "carry 1", or "carry 1 (state[1])" if it is one of several in a tree.
std::string carry_name(const Parts& init, std::size_t k) {
  const std::string& place = init.places[k];
  return place.empty() ? fmt::format("carry {}", k) : fmt::format("carry {} (state{})", k, place);
}

// ---- Values that go in

/// x as a tensor of its dtype: in a state a host number no longer yields to other dtypes.
Tensor strong(const Tensor& x) {
  return detail::Internals::node(x)->weak ? x.astype(x.dtype()) : x;
}

Leaves strong(const Parts& tree) {
  Leaves all;
  all.reserve(tree.tensors.size());
  for (const Tensor* leaf : tree.tensors) all.push_back(strong(*leaf));
  return all;
}

/// A number of the host where a carry is expected takes its dtype, unless it is of a higher kind.
Tensor as_carry(const Tensor& x, DType dtype) {
  if (!detail::Internals::node(x)->weak || info(x.dtype()).kind > info(dtype).kind)
    return strong(x);
  return strong(graph::cast(x, dtype));
}

// ---- What a body may return; a Called of the loop's function must live

void check_structure(const Parts& init, const Parts& next) {
  if (init.tensors.size() != next.tensors.size() || init.structure != next.structure) {
    core::fail(
        "the body changes the structure of the state: init has {} tensors, the body "
        "returns {}; containers and empty handles must stay as they are",
        init.tensors.size(), next.tensors.size());
  }
}

bool is_same(const Scalar* a, const Scalar* b) {
  const Node& x = *detail::Internals::node(a->tensor());
  const Node& y = *detail::Internals::node(b->tensor());
  if (&x == &y) return true;
  const bool fixed = !graph::depends_on_arguments(x) && !graph::depends_on_arguments(y);
  return fixed && x.dtype == y.dtype && x.value == y.value;
}

bool same_numbers(const Parts& a, const Parts& b) {
  return a.numbers == b.numbers && std::equal(a.scalars.begin(), a.scalars.end(), b.scalars.begin(),
                                              b.scalars.end(), is_same);
}

/// The state after an iteration, as carries of the first values' dtypes.
Leaves checked_state(const Parts& init, const Leaves& first, const Parts& next) {
  check_structure(init, next);
  if (!same_numbers(init, next)) {
    core::fail(
        "the body changes a number of the state: numbers, Scalars and the keys of maps "
        "must stay as they are\n  hint: make it a tensor of shape ()");
  }
  Leaves state;
  for (std::size_t k = 0; k < first.size(); ++k) {
    const Tensor& before = first[k];
    const Tensor after = as_carry(*next.tensors[k], before.dtype());
    if (!(after.shape() == before.shape())) {
      core::fail(
          "the body changes the shape of a carry: {} is {} in init, {} after an iteration; "
          "must be equal\n  hint: broadcast_to the first value",
          carry_name(init, k), to_string(before.shape()), to_string(after.shape()));
    }
    if (after.dtype() != before.dtype()) {
      core::fail(
          "the body changes the dtype of a carry: {} is {} in init, {} after an iteration; "
          "must be equal\n  hint: cast one of them with astype",
          carry_name(init, k), name(before.dtype()), name(after.dtype()));
    }
    state.push_back(after);
  }
  return state;
}

// ---- Iterations

/// Whether only the device knows the bound.
bool is_tensor(const LoopBound& bound) {
  if (!bound.value().has_value()) return false;
  return !info(detail::Internals::node(bound.value())->kind).is_one_number;
}

void check_bound(std::string_view what, const LoopBound& bound) {
  const core::Called called("fori_loop");
  if (!bound.value().has_value()) {
    if (bound.number() >= int32_low && bound.number() <= int32_high) return;
    core::fail("{} is out of range: {}; must be in [{}, {}]", what, bound.number(), int32_low,
               int32_high);
  }
  if (bound.value().ndim() == 0 && is_integer(bound.value().dtype())) return;
  core::fail("{} is not an integer: it is {}; must be of an integer type and of shape ()", what,
             type_of(bound.value()));
}

/// The Scalar of a bound that the host knows.
Scalar scalar_of(const LoopBound& bound) {
  if (!bound.value().has_value()) return bound.number();
  const NodePtr& node = detail::Internals::node(bound.value());
  if (node->kind == Kind::scalar) return detail::Internals::scalar(node);
  return static_cast<std::int64_t>(node->value);
}

bool is_run_time(const LoopBound& bound) {
  return bound.value().has_value() && detail::Internals::node(bound.value())->kind == Kind::scalar;
}

Tensor tensor_of(const LoopBound& bound) {
  if (bound.value().has_value()) return bound.value().astype(int32);
  return graph::constant(static_cast<double>(bound.number()), int32);
}

std::string negative_count(std::int64_t iterations) {
  return fmt::format("negative number of iterations: upper - lower is {}; must be at least 0",
                     iterations);
}

Count iterations_of(const LoopBound& lower, const LoopBound& upper) {
  if (!is_run_time(lower) && !is_run_time(upper)) {
    const auto iterations = static_cast<std::int64_t>(scalar_of(upper).value()) -
                            static_cast<std::int64_t>(scalar_of(lower).value());
    if (iterations <= int32_high) return {std::max<std::int64_t>(iterations, 0)};
    core::fail_in("fori_loop", "too many iterations: upper - lower is {}; must be at most {}",
                  iterations, int32_high);
  }
  const bool from_zero = !is_run_time(lower) && scalar_of(lower).value() == 0;
  const Scalar end = scalar_of(upper);
  const Scalar iterations = from_zero ? end : end - scalar_of(lower);
  const NodePtr& node = detail::Internals::node(iterations.tensor());
  const core::Called called("fori_loop");
  graph::check_range(*node, 0, int32_high, negative_count);
  return {0, node};
}

Count first_of(const LoopBound& lower) {
  if (is_run_time(lower)) return {0, detail::Internals::node(lower.value())};
  return {static_cast<std::int64_t>(scalar_of(lower).value())};
}

// ---- Loops

/// A loop with a bound that only the device knows: a while loop whose first carry is the step.
Leaves build_to_tensor(const Loop& loop, const LoopBound& lower, const LoopBound& upper) {
  const Tensor end = tensor_of(upper);
  Loop counted = loop;
  counted.init.insert(counted.init.begin(), tensor_of(lower));
  counted.condition = [&](const Leaves& state) { return state[0] < end; };
  counted.body = [&](const Tensor&, Leaves state, const Leaves& slices) {
    const Tensor step = state[0];
    state.erase(state.begin());
    Iteration iteration = loop.body(step, std::move(state), slices);
    iteration.state.insert(iteration.state.begin(), step + 1);
    return iteration;
  };
  counted.first = {0};
  counted.iterations = {graph::LoopAttrs::unbounded};
  Leaves last = transform::build_loop(counted);
  last.erase(last.begin());
  return last;
}

/// No Called stands around the body: what it calls has its own name.
Loop loop_of(graph::LoopKind kind, const Parts& init, const detail::LoopFunction& body,
             const LoopOptions& options) {
  if (options.checkpoint < 0) {
    core::fail_in(function_of(kind),
                  "negative number of iterations: checkpoint is {}; must be at least 0",
                  options.checkpoint);
  }
  Loop loop{.kind = kind,
            .init = strong(init),
            .xs = {},
            .body = {},
            .condition = {},
            .first = {},
            .iterations = {},
            .checkpoint = options.checkpoint};
  loop.body = [kind, &init, first = loop.init, &body](const Tensor& step, Leaves state,
                                                      Leaves slices) {
    const detail::LoopIteration iteration = body(step, std::move(state), std::move(slices));
    const core::Called called(function_of(kind));
    return Iteration{checked_state(init, first, iteration.state), strong(iteration.outputs)};
  };
  return loop;
}

// ---- Conditions

/// Whether the condition's axes are x's leading axes, or 1.
bool fits_elements(const Shape& condition, const Shape& x) {
  if (condition.rank() > x.rank()) return false;
  for (int k = 0; k < condition.rank(); ++k) {
    if (condition[k] != x[k] && condition[k] != 1) return false;
  }
  return true;
}

Tensor checked_condition(const Parts& init, const Tensor& condition) {
  const graph::Named named("while_loop");
  graph::check_operand("the condition", condition);
  if (condition.dtype() != DType::boolean) {
    core::fail(
        "the condition is not bool: it is {}; must be the result of a comparison, or "
        "cast with astype\n  hint: while_loop(condition, body, init)",
        type_of(condition));
  }
  for (std::size_t k = 0; k < init.tensors.size(); ++k) {
    if (fits_elements(condition.shape(), init.tensors[k]->shape())) continue;
    core::fail(
        "the condition does not fit a carry: it is {}, {} is {}; must be () or have the "
        "carry's leading axes, or 1 for an axis",
        to_string(condition.shape()), carry_name(init, k), to_string(init.tensors[k]->shape()));
  }
  return strong(condition);
}

/// The number of iterations.
std::int64_t length_of(const Parts& xs) {
  const core::Called called("scan");
  if (xs.tensors.empty()) {
    core::fail(
        "xs has no tensors: nothing says how many iterations there are; xs must have at least "
        "one\n  hint: pass iota(n)");
  }
  for (std::size_t k = 0; k < xs.tensors.size(); ++k) {
    const Shape& shape = xs.tensors[k]->shape();
    if (shape.rank() == 0) {
      core::fail(
          "xs has a scalar: leaf {} is (); must have an axis, that of the iterations\n  hint: "
          "scan(f, init, xs)",
          k);
    }
    if (shape[0] == xs.tensors[0]->shape()[0]) continue;
    core::fail(
        "first axes differ: leaf 0 of xs is {}, leaf {} is {}; must be equal, as each "
        "iteration takes one slice of all",
        to_string(xs.tensors[0]->shape()), k, to_string(shape));
  }
  return xs.tensors[0]->shape()[0];
}

}  // namespace

LoopBound::LoopBound(const Tensor& value) : value_(value) {
  const core::Called called("fori_loop");
  graph::check_operand("a bound", value);
}

namespace detail {

Leaves run_fori_loop(const LoopBound& lower, const LoopBound& upper, const tree::Parts& init,
                     const LoopFunction& body, const LoopOptions& options) {
  check_bound("lower", lower);
  check_bound("upper", upper);
  Loop loop = loop_of(graph::LoopKind::fori_loop, init, body, options);
  if (is_tensor(lower) || is_tensor(upper)) return build_to_tensor(loop, lower, upper);
  loop.first = first_of(lower);
  loop.iterations = iterations_of(lower, upper);
  return transform::build_loop(loop);
}

Leaves run_scan(const tree::Parts& init, const tree::Parts& xs, const LoopFunction& body,
                const LoopOptions& options) {
  Loop loop = loop_of(graph::LoopKind::scan, init, body, options);
  loop.iterations = {length_of(xs)};
  loop.xs = strong(xs);
  return transform::build_loop(loop);
}

Leaves run_while_loop(const tree::Parts& init, const LoopCondition& condition,
                      const LoopFunction& body, std::int64_t max_iterations,
                      const LoopOptions& options) {
  if (max_iterations < 0) {
    core::fail_in("while_loop",
                  "negative number of iterations: max_iterations is {}; must be at least 0",
                  max_iterations);
  }
  Loop loop = loop_of(graph::LoopKind::while_loop, init, body, options);
  loop.condition = [&](Leaves state) {
    return checked_condition(init, condition(std::move(state)));
  };
  loop.iterations = {max_iterations};
  return transform::build_loop(loop);
}

Leaves run_cond(const Tensor& predicate, const tree::Parts& yes, const tree::Parts& no) {
  const graph::Named named("cond", {{"predicate", predicate}});
  if (predicate.dtype() != DType::boolean) {
    core::fail(
        "the predicate is not bool: it is {}; must be the result of a comparison, or "
        "cast with astype",
        type_of(predicate));
  }
  if (yes.structure != no.structure || !same_numbers(yes, no)) {
    core::fail(
        "the results differ in structure: yes returns {} tensors, no returns {}; "
        "containers, empty handles and numbers must be the same",
        yes.tensors.size(), no.tensors.size());
  }
  Leaves chosen;
  for (std::size_t k = 0; k < yes.tensors.size(); ++k) {
    const Tensor& a = *yes.tensors[k];
    const Tensor& b = *no.tensors[k];
    const bool numbers = Internals::node(a)->weak || Internals::node(b)->weak;
    if (!(a.shape() == b.shape()) || (a.dtype() != b.dtype() && !numbers)) {
      core::fail(
          "the results differ: tensor {} is {} from yes, {} from no; must have the same "
          "shape and dtype",
          k, type_of(a), type_of(b));
    }
    if (!fits_elements(predicate.shape(), a.shape())) {
      core::fail(
          "the predicate does not fit a result: it is {}, tensor {} is {}; must be () or "
          "have the result's leading axes, or 1 for an axis",
          to_string(predicate.shape()), k, to_string(a.shape()));
    }
    const std::string from_yes = fmt::format("tensor {} from yes", k);
    const std::string from_no = fmt::format("tensor {} from no", k);
    const graph::Named placed(
        "cond", {{"predicate", predicate}, {from_yes.c_str(), a}, {from_no.c_str(), b}});
    Shape shape = predicate.shape();
    while (shape.rank() < a.ndim()) shape.push_back(1);
    chosen.push_back(where(reshape(predicate, shape), a, b));
    if (predicate.size() == 1)
      Internals::node(chosen.back())->attrs = core::ApplyAttrs{.is_branch = true};
  }
  return chosen;
}

}  // namespace detail
}  // namespace trigon

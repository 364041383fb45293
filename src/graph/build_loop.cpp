// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "graph/build.hpp"
#include "graph/loop.hpp"
#include "graph/loop_body.hpp"
#include "graph/trace.hpp"
#include "trigon/error.hpp"
#include "trigon/loop.hpp"
#include "trigon/ops/binary.hpp"
#include "trigon/ops/logic.hpp"
#include "trigon/ops/view.hpp"

namespace trigon {
namespace {

using detail::Leaves;
using detail::LoopParts;
using graph::Kind;
using graph::Node;
using graph::NodePtr;

constexpr std::int64_t int32_low = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t int32_high = std::numeric_limits<std::int32_t>::max();

std::string type_of(const Tensor& x) {
  return fmt::format("{} {}", to_string(x.shape()), name(x.dtype()));
}

/// "carry 1", or "carry 1 (state[1])" where it is one of several in a tree.
std::string carry_name(const LoopParts& init, std::size_t k) {
  const std::string& place = init.places[k];
  return place.empty() ? fmt::format("carry {}", k) : fmt::format("carry {} (state{})", k, place);
}

// ---- Values that go in

/// x with a dtype that counts: a number of the host in a state is a tensor.
Tensor strong(const Tensor& x) { return x.node()->weak ? x.astype(x.dtype()) : x; }

Leaves strong(const Leaves& leaves) {
  Leaves all;
  all.reserve(leaves.size());
  for (const Tensor& leaf : leaves) all.push_back(strong(leaf));
  return all;
}

/// A number of the host where a carry is expected takes its dtype, unless it is of a higher kind.
Tensor as_carry(const char* function, const Tensor& x, DType dtype) {
  if (!x.node()->weak || info(x.dtype()).kind > info(dtype).kind) return strong(x);
  return strong(graph::cast(function, x, dtype));
}

// ---- What a body may return

void check_structure(const char* function, const LoopParts& init, const LoopParts& next) {
  if (init.leaves.size() != next.leaves.size() || init.structure != next.structure) {
    throw Error(
        fmt::format("trigon::{}: the body changes the structure of the state: init has {} tensors, "
                    "the body returns {}; containers and empty handles must stay as they are",
                    function, init.leaves.size(), next.leaves.size()));
  }
}

bool is_same(const Scalar& a, const Scalar& b) {
  const Node& x = *a.tensor().node();
  const Node& y = *b.tensor().node();
  if (&x == &y) return true;
  const bool fixed = !graph::depends_on_arguments(x) && !graph::depends_on_arguments(y);
  return fixed && x.dtype == y.dtype && x.value == y.value;
}

bool same_numbers(const LoopParts& a, const LoopParts& b) {
  return a.numbers == b.numbers && std::equal(a.scalars.begin(), a.scalars.end(), b.scalars.begin(),
                                              b.scalars.end(), is_same);
}

/// The state after a trip, as carries of the first values' dtypes.
Leaves checked_state(const char* function, const LoopParts& init, const Leaves& first,
                     const LoopParts& next) {
  check_structure(function, init, next);
  if (!same_numbers(init, next)) {
    throw Error(
        fmt::format("trigon::{}: the body changes a number of the state: numbers, Scalars and the "
                    "keys of maps must stay as they are\n  hint: make it a tensor of shape ()",
                    function));
  }
  Leaves state;
  for (std::size_t k = 0; k < first.size(); ++k) {
    const Tensor& before = first[k];
    const Tensor after = as_carry(function, next.leaves[k], before.dtype());
    if (!(after.shape() == before.shape())) {
      throw Error(fmt::format(
          "trigon::{}: the body changes the shape of a carry: {} is {} in init, {} "
          "after a trip; must be equal\n  hint: broadcast_to the first value",
          function, carry_name(init, k), to_string(before.shape()), to_string(after.shape())));
    }
    if (after.dtype() != before.dtype()) {
      throw Error(
          fmt::format("trigon::{}: the body changes the dtype of a carry: {} is {} in init, {} "
                      "after a trip; must be equal\n  hint: cast one of them with astype",
                      function, carry_name(init, k), name(before.dtype()), name(after.dtype())));
    }
    state.push_back(after);
  }
  return state;
}

// ---- Trips

/// A number, or the node of a Scalar.
struct Count {
  std::int64_t number = 0;
  NodePtr scalar{};
};

/// Whether only the device knows it.
bool is_tensor(const LoopBound& bound) {
  if (!bound.value().has_value()) return false;
  const Kind kind = bound.value().node()->kind;
  return kind != Kind::constant && kind != Kind::scalar;
}

void check_bound(std::string_view what, const LoopBound& bound) {
  if (!bound.value().has_value()) {
    if (bound.number() >= int32_low && bound.number() <= int32_high) return;
    throw Error(fmt::format("trigon::fori_loop: {} is out of range: {}; must be in [{}, {}]", what,
                            bound.number(), int32_low, int32_high));
  }
  if (bound.value().ndim() == 0 && is_integer(bound.value().dtype())) return;
  throw Error(
      fmt::format("trigon::fori_loop: {} is not an integer: it is {}; must be of an integer type "
                  "and of shape ()",
                  what, type_of(bound.value())));
}

/// Of a bound that the host knows.
Scalar scalar_of(const LoopBound& bound) {
  if (!bound.value().has_value()) return bound.number();
  const NodePtr& node = bound.value().node();
  if (node->kind == Kind::scalar) return Scalar(node);
  return static_cast<std::int64_t>(node->value);
}

bool is_run_time(const LoopBound& bound) {
  return bound.value().has_value() && bound.value().node()->kind == Kind::scalar;
}

Tensor tensor_of(const LoopBound& bound) {
  if (bound.value().has_value()) return bound.value().astype(int32);
  return graph::constant(static_cast<double>(bound.number()), int32);
}

std::string negative_count(std::int64_t trips) {
  return fmt::format(
      "trigon::fori_loop: negative trip count: upper - lower is {}; must be at least "
      "0",
      trips);
}

Count trips_of(const LoopBound& lower, const LoopBound& upper) {
  if (!is_run_time(lower) && !is_run_time(upper)) {
    const auto trips = static_cast<std::int64_t>(scalar_of(upper).value()) -
                       static_cast<std::int64_t>(scalar_of(lower).value());
    if (trips < 0) throw Error(negative_count(trips));
    if (trips <= int32_high) return {trips};
    throw Error(
        fmt::format("trigon::fori_loop: too many trips: upper - lower is {}; must be at "
                    "most {}",
                    trips, int32_high));
  }
  const bool from_zero = !is_run_time(lower) && scalar_of(lower).value() == 0;
  const Scalar trips = from_zero ? scalar_of(upper) : scalar_of(upper) - scalar_of(lower);
  const NodePtr& node = trips.tensor().node();
  graph::check_range(*node, 0, int32_high, negative_count);
  return {0, node};
}

Count first_of(const LoopBound& lower) {
  if (is_run_time(lower)) return {0, lower.value().node()};
  return {static_cast<std::int64_t>(scalar_of(lower).value())};
}

// ---- The nodes of a loop

/// What a body gives, checked.
struct Trip {
  Leaves state;
  Leaves outputs;
};

struct Loop {
  const char* function;
  Leaves init;
  Leaves xs;
  std::function<Trip(const Tensor& step, Leaves state, Leaves slices)> body;
  detail::LoopCondition condition;  ///< may be empty
  Count first, trips;
};

Shape without_first_axis(const Tensor& x) {
  Shape shape = x.shape();
  shape.erase(0);
  return shape;
}

Tensor new_parameter(std::vector<NodePtr>& all, const Tensor& like, const Shape& shape) {
  auto node = std::make_shared<Node>(Kind::parameter, like.dtype(), shape);
  node->attrs = {static_cast<std::int64_t>(all.size())};
  node->device = like.node()->device;
  all.push_back(node);
  return Tensor(node);
}

/// Of lanes, the carry's where the condition holds, else the last one's.
Tensor select_lanes(const Tensor& condition, const Tensor& next, const Tensor& last) {
  if (condition.ndim() == 0 || next.node() == last.node()) return next;
  Shape shape = condition.shape();
  while (shape.rank() < next.ndim()) shape.push_back(1);
  return where(reshape(condition, shape), next, last);
}

/// Whether it names one lane or all along each of the leading axes.
bool fits_lanes(const Shape& condition, const Shape& x) {
  if (condition.rank() > x.rank()) return false;
  for (int k = 0; k < condition.rank(); ++k) {
    if (condition[k] != x[k] && condition[k] != 1) return false;
  }
  return true;
}

/// `outputs` are those of a trip. Those without elements are no results of the body, nor are
/// carries without elements, which no trip can change.
graph::TracedBody trace_body(const Loop& loop, Leaves& outputs) {
  const graph::Inlining scope;
  graph::TracedBody traced;
  Leaves state, slices;
  const Tensor step = new_parameter(traced.parameters, graph::constant(0, int32), {});
  for (const Tensor& x : loop.init) state.push_back(new_parameter(traced.parameters, x, x.shape()));
  for (const Tensor& x : loop.xs) {
    if (x.size() > 0) {
      slices.push_back(new_parameter(traced.parameters, x, without_first_axis(x)));
      ++traced.slices;
    } else {
      slices.push_back(zeros(without_first_axis(x), x.dtype()));
    }
  }
  traced.carries = static_cast<std::int32_t>(state.size());
  Tensor condition;
  if (loop.condition) condition = loop.condition(state);
  Trip trip = loop.body(step, state, std::move(slices));
  for (std::size_t k = 0; k < state.size(); ++k) {
    const bool is_fixed = trip.state[k].node() == state[k].node() || state[k].size() == 0;
    if (is_fixed) traced.fixed.emplace(state[k].node().get(), loop.init[k].node());
    traced.results.push_back(condition.has_value()
                                 ? select_lanes(condition, trip.state[k], state[k]).node()
                                 : trip.state[k].node());
  }
  for (const Tensor& y : trip.outputs) {
    if (y.size() == 0) continue;
    traced.results.push_back(y.node());
    ++traced.outputs;
  }
  outputs = std::move(trip.outputs);
  traced.has_condition = condition.has_value();
  if (traced.has_condition) traced.results.push_back(condition.node());
  return traced;
}

std::vector<NodePtr> inputs_of(const Loop& loop, const graph::TracedBody& traced,
                               const graph::ClosedBody& closed) {
  std::vector<NodePtr> inputs;
  for (std::size_t k = 0; k < loop.init.size(); ++k) {
    if (!traced.fixed.contains(traced.parameters[k + 1].get())) {
      inputs.push_back(loop.init[k].node());
    }
  }
  for (const Tensor& x : loop.xs) {
    if (x.size() > 0) inputs.push_back(x.node());
  }
  for (const auto* more : {&closed.captured, &closed.scalars}) {
    inputs.insert(inputs.end(), more->begin(), more->end());
  }
  return inputs;
}

/// What an input of the loop is to the user.
std::string input_name(const graph::LoopBody& body, std::size_t k, const Node& input) {
  const auto carries = static_cast<std::size_t>(body.carries);
  const auto slices = static_cast<std::size_t>(body.slices);
  std::string role = "a captured tensor";
  if (k < carries + slices) role = "a leaf of xs";
  if (k < carries) role = "a carry";
  return fmt::format("{} {} {}", role, to_string(input.shape), name(input.dtype));
}

void check_devices(const char* function, const graph::LoopBody& body,
                   const std::vector<NodePtr>& inputs) {
  std::size_t first = inputs.size();
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    if (inputs[k]->device == nullptr) continue;
    if (first == inputs.size()) first = k;
    if (inputs[k]->device == inputs[first]->device) continue;
    throw Error(fmt::format(
        "trigon::{}: the loop reads tensors of different devices: {} and {} are not in the same "
        "place; move one with .to(device)",
        function, input_name(body, first, *inputs[first]), input_name(body, k, *inputs[k])));
  }
}

Shape stacked(const Tensor& y, std::int64_t trips) {
  Shape shape = y.shape();
  shape.insert(0, trips);
  return shape;
}

/// The last values of the carries, then the stacked outputs.
Leaves build(const Loop& loop) {
  Leaves outputs;
  const graph::TracedBody traced = trace_body(loop, outputs);
  if (loop.trips.scalar == nullptr && loop.trips.number == 0) {
    Leaves last = loop.init;
    for (const Tensor& y : outputs) last.push_back(zeros(stacked(y, 0), y.dtype()));
    return last;
  }
  const graph::ClosedBody closed = graph::close_body(traced);
  std::vector<NodePtr> inputs = inputs_of(loop, traced, closed);
  check_devices(loop.function, *closed.body, inputs);
  const auto scalar_input = [&](const NodePtr& scalar) -> std::int64_t {
    if (scalar == nullptr) return -1;
    const auto found = std::find(inputs.begin(), inputs.end(), scalar);
    const auto number = found - inputs.begin();
    if (found == inputs.end()) inputs.push_back(scalar);
    return number;
  };
  const std::int64_t first = scalar_input(loop.first.scalar);
  const std::int64_t trips = scalar_input(loop.trips.scalar);
  std::int64_t number = 0;
  const auto result = [&](const Shape& shape, DType dtype) {
    const auto node = std::make_shared<Node>(Kind::loop, dtype, shape);
    node->attrs = {number++, loop.first.number, loop.trips.number, first, trips};
    node->body = closed.body;
    for (const NodePtr& input : inputs) graph::add_input(*node, input);
    return Tensor(node);
  };
  Leaves last;
  for (std::size_t k = 0; k < loop.init.size(); ++k) {
    const Tensor& x = loop.init[k];
    const bool is_fixed = traced.fixed.contains(traced.parameters[k + 1].get());
    last.push_back(is_fixed ? x : result(x.shape(), x.dtype()));
  }
  for (const Tensor& y : outputs) {
    const Shape shape = stacked(y, loop.trips.number);
    last.push_back(y.size() == 0 ? zeros(shape, y.dtype()) : result(shape, y.dtype()));
  }
  return last;
}

/// A loop to a bound that only the device knows: the step is a carry before the others.
Leaves build_to_tensor(const Loop& loop, const LoopBound& lower, const LoopBound& upper) {
  const Tensor end = tensor_of(upper);
  Loop counted = loop;
  counted.init.insert(counted.init.begin(), tensor_of(lower));
  counted.condition = [&](const Leaves& state) { return state[0] < end; };
  counted.body = [&](const Tensor&, Leaves state, const Leaves& slices) {
    const Tensor step = state[0];
    state.erase(state.begin());
    Trip trip = loop.body(step, std::move(state), slices);
    trip.state.insert(trip.state.begin(), step + 1);
    return trip;
  };
  counted.first = {0};
  counted.trips = {graph::LoopAttrs::unbounded};
  Leaves last = build(counted);
  last.erase(last.begin());
  return last;
}

Loop loop_of(const char* function, const LoopParts& init, const detail::LoopFunction& body) {
  Loop loop{.function = function,
            .init = strong(init.leaves),
            .xs = {},
            .body = {},
            .condition = {},
            .first = {},
            .trips = {}};
  loop.body = [function, &init, first = loop.init, &body](const Tensor& step, Leaves state,
                                                          Leaves slices) {
    const detail::LoopTrip trip = body(step, std::move(state), std::move(slices));
    return Trip{checked_state(function, init, first, trip.state), strong(trip.outputs.leaves)};
  };
  return loop;
}

// ---- Conditions

Tensor checked_condition(const LoopParts& init, const Tensor& condition) {
  if (condition.dtype() != DType::boolean) {
    throw Error(
        fmt::format("trigon::while_loop: the condition is not bool: it is {}; must be the result "
                    "of a comparison, or cast with astype",
                    type_of(condition)));
  }
  for (std::size_t k = 0; k < init.leaves.size(); ++k) {
    if (fits_lanes(condition.shape(), init.leaves[k].shape())) continue;
    throw Error(fmt::format(
        "trigon::while_loop: the condition does not fit a carry: it is {}, {} is {}; "
        "must be () or have the carry's leading axes, or 1 for an axis",
        to_string(condition.shape()), carry_name(init, k), to_string(init.leaves[k].shape())));
  }
  return strong(condition);
}

/// One more than the last trip.
std::int64_t length_of(const LoopParts& xs) {
  if (xs.leaves.empty()) {
    throw Error(
        "trigon::scan: xs has no tensors: nothing says how many trips there are; xs must have at "
        "least one\n  hint: pass iota(n)");
  }
  for (std::size_t k = 0; k < xs.leaves.size(); ++k) {
    const Shape& shape = xs.leaves[k].shape();
    if (shape.rank() == 0) {
      throw Error(fmt::format(
          "trigon::scan: xs has a scalar: leaf {} is (); must have an axis, that of the trips", k));
    }
    if (shape[0] == xs.leaves[0].shape()[0]) continue;
    throw Error(
        fmt::format("trigon::scan: first axes differ: leaf 0 of xs is {}, leaf {} is {}; must be "
                    "equal, as each trip takes one slice of all",
                    to_string(xs.leaves[0].shape()), k, to_string(shape)));
  }
  return xs.leaves[0].shape()[0];
}

}  // namespace

namespace graph {

void throw_no_value(const Node& parameter) {
  const bool is_step = parameter.attrs[0] == 0;
  throw Error(
      fmt::format("trigon::{}: inside the body of a loop a tensor has no value: asked for is one "
                  "that depends on {} ({} {})\n  hint: return it from the body, and read the "
                  "result of the loop",
                  info(parameter.kind).function, is_step ? "the step" : "a carry or slice",
                  to_string(parameter.shape), name(parameter.dtype)));
}

}  // namespace graph

namespace detail {

void LoopParts::enter_part(const std::string& name) {
  lengths.push_back(place.size());
  place += '[' + name + ']';
}

void LoopParts::leave() {
  place.resize(lengths.back());
  lengths.pop_back();
}

void LoopParts::number(const std::string& text) {
  numbers.push_back(text.size());
  for (const char letter : text) numbers.push_back(static_cast<unsigned char>(letter));
}

void LoopParts::number(const Shape& shape) {
  numbers.push_back(static_cast<std::uint64_t>(shape.rank()));
  for (const std::int64_t dim : shape) numbers.push_back(static_cast<std::uint64_t>(dim));
}

Leaves run_fori_loop(const LoopBound& lower, const LoopBound& upper, const LoopParts& init,
                     const LoopFunction& body) {
  check_bound("lower", lower);
  check_bound("upper", upper);
  Loop loop = loop_of("fori_loop", init, body);
  if (is_tensor(lower) || is_tensor(upper)) return build_to_tensor(loop, lower, upper);
  loop.first = first_of(lower);
  loop.trips = trips_of(lower, upper);
  return build(loop);
}

Leaves run_scan(const LoopParts& init, const LoopParts& xs, const LoopFunction& body) {
  Loop loop = loop_of("scan", init, body);
  loop.trips = {length_of(xs)};
  loop.xs = strong(xs.leaves);
  return build(loop);
}

Leaves run_while_loop(const LoopParts& init, const LoopCondition& condition,
                      const LoopFunction& body, std::int64_t max_trips) {
  if (max_trips < 0) {
    throw Error(fmt::format(
        "trigon::while_loop: negative trip count: max_trips is {}; must be at least 0", max_trips));
  }
  Loop loop = loop_of("while_loop", init, body);
  loop.condition = [&](Leaves state) {
    return checked_condition(init, condition(std::move(state)));
  };
  loop.trips = {max_trips};
  return build(loop);
}

Leaves run_cond(const Tensor& predicate, const LoopParts& yes, const LoopParts& no) {
  if (predicate.dtype() != DType::boolean) {
    throw Error(
        fmt::format("trigon::cond: the predicate is not bool: it is {}; must be the result "
                    "of a comparison, or cast with astype",
                    type_of(predicate)));
  }
  if (yes.structure != no.structure || !same_numbers(yes, no)) {
    throw Error(
        fmt::format("trigon::cond: the results differ in structure: yes returns {} tensors, no "
                    "returns {}; containers, empty handles and numbers must be the same",
                    yes.leaves.size(), no.leaves.size()));
  }
  Leaves chosen;
  for (std::size_t k = 0; k < yes.leaves.size(); ++k) {
    const Tensor& a = yes.leaves[k];
    const Tensor& b = no.leaves[k];
    const bool numbers = a.node()->weak || b.node()->weak;
    if (!(a.shape() == b.shape()) || (a.dtype() != b.dtype() && !numbers)) {
      throw Error(
          fmt::format("trigon::cond: the results differ: tensor {} is {} from yes, {} from no; "
                      "must have the same shape and dtype",
                      k, type_of(a), type_of(b)));
    }
    if (!fits_lanes(predicate.shape(), a.shape())) {
      throw Error(
          fmt::format("trigon::cond: the predicate does not fit a result: it is {}, tensor {} is "
                      "{}; must be () or have the result's leading axes, or 1 for an axis",
                      to_string(predicate.shape()), k, to_string(a.shape())));
    }
    Shape shape = predicate.shape();
    while (shape.rank() < a.ndim()) shape.push_back(1);
    chosen.push_back(where(reshape(predicate, shape), a, b));
  }
  return chosen;
}

}  // namespace detail
}  // namespace trigon

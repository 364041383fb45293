// SPDX-License-Identifier: MIT
#include "plan/loop_trips.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/math.hpp"
#include "lower/domain.hpp"
#include "lower/loop.hpp"

namespace trigon::plan {
namespace {

// Of a kernel with several steps: on llvmpipe longer ones take more than a second to compile.
constexpr std::size_t most_instructions = 400;
// Shifts hardly grow with their steps: planning them for ever more would only take time.
constexpr std::int64_t most_steps = 8;

/// Instructions of the longest kernel in a loop's steps.
std::size_t longest_kernel(const Draft& draft) {
  std::size_t most = 0;
  for (const Step& step : draft.steps) {
    for (const Step& draw : step.body) {
      if (draw.kernel != nullptr) most = std::max(most, draw.kernel->code.size());
    }
  }
  return most;
}

}  // namespace

IntExpr trips_left(const LoopNumbers& loop, std::int64_t done, std::int64_t most) {
  const std::int64_t known = std::min(loop.trips, std::int64_t{1} << 40) - done;
  if (loop.trips_scalar < 0) return {.base = std::clamp<std::int64_t>(known, 0, most)};
  return {.base = known,
          .scalar = static_cast<std::int32_t>(loop.trips_scalar),
          .low = -known,
          .high = most - known};
}

LoopTrips::LoopTrips(const Scene& scene, const Group& group, Numbering& numbering, Draft& draft)
    : scene_(scene),
      group_(group),
      loop_(scene.at(group.outputs[0])),
      numbers_(loop_numbers(loop_)),
      numbering_(numbering),
      draft_(draft) {}

bool LoopTrips::run() {
  const Draft before = draft_;
  const std::int32_t scalars = numbering_.scalars;
  if (!in_steps_of(1)) return false;
  for (std::int64_t steps = 2; may_take(steps); steps *= 2) {
    Draft fewer = draft_;
    const std::int32_t counters = numbering_.scalars;
    draft_ = before;
    numbering_.scalars = scalars;
    if (in_steps_of(steps) && pays(fewer)) continue;
    draft_ = std::move(fewer);
    numbering_.scalars = counters;
    break;
  }
  return true;
}

/// Whether that many steps at once, twice those of the draft, are worth a try: each element has to
/// depend on a window of the carries.
bool LoopTrips::may_take(std::int64_t steps) const {
  const bool known = numbers_.trips_scalar < 0 && numbers_.has_condition == 0;
  if (!known || steps > std::min(numbers_.trips, most_steps)) return false;
  if (numbers_.slices + numbers_.outputs > 0) return false;
  // With twice the steps a kernel gets about four times as long.
  if (4 * longest_kernel(draft_) > most_instructions || !reads_windows(loop_)) return false;
  for (std::int64_t j = 0; j < numbers_.carries; ++j) {
    // In GLSL ES 1.00 only a texture rounds to halves and wraps bytes.
    const DType dtype = scene_.at(input(j)).dtype;
    const bool is_narrow = dtype == DType::float16 || dtype == DType::uint8;
    if (is_narrow && scene_.target.dialect == Dialect::es100) return false;
  }
  return true;
}

/// Whether the draft costs less than the one of fewer steps at once.
bool LoopTrips::pays(const Draft& fewer) const {
  // Long kernels take longer than their instructions say: on llvmpipe up to three times.
  constexpr double slower = 3;
  // Less than that is no gain for a kernel that takes longer to compile.
  constexpr double less = 0.9;
  Costs costs = scene_.costs;
  costs.instruction *= slower;
  return longest_kernel(draft_) <= most_instructions &&
         nanoseconds_of(draft_.steps, costs) < less * nanoseconds_of(fewer.steps, costs);
}

bool LoopTrips::in_steps_of(std::int64_t steps) {
  const std::int32_t counter = new_scalar();
  const std::vector<Stretch> all = stretches(steps);
  Home home;
  for (std::int64_t j = 0; j < numbers_.carries; ++j) home.layouts.push_back(carry_layout(j));
  // A trip may leave a carry in another layout than it was in: then that one, if it can be had.
  const std::int32_t scalars = numbering_.scalars;
  const Draft plain = draft_;
  do {
    numbering_.scalars = scalars;
    draft_ = plain;
    stored_.clear();
    home = {.layouts = std::move(home.layouts), .may_change = !home.changed};
    if (!add_stretches(all, counter, home)) return false;
  } while (home.changed);
  if (steps > 1) {
    const std::size_t draws = draft_.steps.back().body.size();
    if (draws == 0) return false;  // two flips, say: nothing is left to repeat
    draft_.notes.push_back(fmt::format(
        "{} steps per {}: each fragment computes the earlier steps of its neighbours anew, which "
        "costs less than further draws",
        steps, draws == 1 ? "draw" : fmt::format("{} draws", draws)));
  }
  return true;
}

/// Of several steps at once, those that do not come out even are done first, also at once.
std::vector<LoopTrips::Stretch> LoopTrips::stretches(std::int64_t steps) const {
  if (steps == 1) return {{.trips = trips_left(numbers_, 0, std::int64_t{1} << 40)}};
  const std::int64_t first = numbers_.trips % steps;
  std::vector<Stretch> all;
  if (first > 0) all.push_back({.trips = {.base = first}, .steps = first});
  all.push_back({.trips = {.base = numbers_.trips - first}, .first = first, .steps = steps});
  return all;
}

Layout LoopTrips::carry_layout(std::int64_t j) const {
  const Graph::Entry& carry = scene_.at(input(j));
  return with_shape(flat_layout(scene_.target, carry.dtype, without_ones(carry.shape)),
                    carry.shape);
}

bool LoopTrips::add_stretches(const std::vector<Stretch>& all, std::int32_t counter, Home& home) {
  for (std::int64_t j = 0; j < numbers_.carries; ++j) {
    if (!add_first(j, item(home.layouts, j), home.carries)) return false;
  }
  for (std::int64_t o = 0; o < numbers_.outputs; ++o) {
    if (!add_rows(o, home.outputs)) return false;
  }
  for (const Stretch& stretch : all) {
    Step repeat = repeat_of({}, stretch.trips);
    repeat.label = "loop, one trip after the other";
    repeat.counter = counter;
    repeat.chunk = stretch.steps;
    const Graph graph = one_trip(
        scene_.graph, loop_, {.counter = counter, .first = stretch.first, .count = stretch.steps});
    if (!add_body(graph, stretch.steps > 1, home, repeat)) return false;
    if (home.changed) return true;
    if (numbers_.has_condition != 0) repeat = in_chunks(std::move(repeat));
    if (!add_repeat(std::move(repeat), home.carries)) return false;
  }
  for (std::int32_t output : group_.outputs) {
    const std::int64_t result = loop_numbers(scene_.at(output)).result;
    draft_.places.emplace_back(output, result < numbers_.carries
                                           ? item(home.carries, result)
                                           : item(home.outputs, result - numbers_.carries));
  }
  return true;
}

/// Sets the steps of a graph of trips, and the slots that trade textures after them.
bool LoopTrips::add_body(const Graph& graph, bool repeats, Home& home, Step& repeat) {
  std::vector<bool> wanted(graph.entries.size(), false);
  for (std::int32_t result : graph.results) {
    if (graph[result].shape.numel() > 0) item(wanted, result) = true;
  }
  Numbering inside{scene_.target, scene_.costs, draft_.slots, numbering_.scalars};
  StepMaker maker(graph, schedule(graph, wanted, scene_.target, scene_.costs, repeats), inside);
  if (!place_leaves(maker, graph, home.carries, home.outputs)) return false;
  for (std::int32_t result : graph.results) {
    if (graph[result].kind == Kind::leaf) maker.keep(result);
  }
  inside.slots = draft_.slots;
  repeat.body = maker.run();
  draft_.slots = inside.slots;
  numbering_.scalars = inside.scalars;
  draft_.notes.insert(draft_.notes.end(), inside.notes.begin(), inside.notes.end());

  std::set<std::int32_t> taken;
  for (const Place& place : leaves_) taken.insert(place.slot);
  for (std::int64_t j = 0; j < numbers_.carries + numbers_.outputs; ++j) {
    const std::int32_t result = item(graph.results, j);
    if (graph[result].shape.numel() == 0) continue;
    const bool is_carry = j < numbers_.carries;
    const Place& last = is_carry ? item(home.carries, j) : item(home.outputs, j - numbers_.carries);
    const Place& next = maker.place_of(result);
    if (next.slot == last.slot) continue;
    const bool fresh = next.slot >= 0 && taken.insert(next.slot).second;
    if (fresh && next.layout == last.layout) {
      repeat.trades.emplace_back(last.slot, next.slot);
      continue;
    }
    if (is_carry && fresh && home.may_change && can_copy_as(scene_.target, next.layout)) {
      item(home.layouts, j) = next.layout;
      home.changed = true;
      continue;
    }
    Draft copy{.slots = draft_.slots};
    Copies copies;
    if (!copy_as(maker.scene(), result, last.layout, copy, copies)) return false;
    repeat.trades.emplace_back(last.slot, copies[0].second.slot);
    draft_.slots = copy.slots;
    for (Step& step : copy.steps) repeat.body.push_back(std::move(step));
  }
  for (Step& step : repeat.body) step.node = -1;
  return true;
}

/// In a while loop a number of trips before it is asked whether any lane goes on. Trips past the
/// end keep the carries.
Step LoopTrips::in_chunks(Step trips) {
  constexpr std::int64_t chunk = 16;
  const IntExpr all = trips.repeats;
  const std::int32_t count = new_scalar();
  trips.repeats = {.scalar = count, .low = 0, .high = chunk};
  std::vector<Step> body;
  body.push_back(std::move(trips));
  Step whole = repeat_of(std::move(body), all);
  whole.chunk = chunk;
  whole.count = count;
  return whole;
}

/// The first values of a carry in a slot of its own, which trips may write to.
bool LoopTrips::add_first(std::int64_t j, const Layout& layout, std::vector<Place>& places) {
  if (layout.shape.numel() == 0) {
    places.emplace_back();
    return true;
  }
  Copies copies;
  if (!copy_as(scene_, input(j), layout, draft_, copies)) return false;
  places.push_back(copies[0].second);
  return true;
}

/// Room for the output of each trip, a row of whole texels.
bool LoopTrips::add_rows(std::int64_t o, std::vector<Place>& places) {
  const Graph::Entry& row = (*loop_.body)[item(loop_.body->results, numbers_.carries + o)];
  Shape shape = row.shape;
  shape.insert(0, numbers_.trips);
  if (shape.numel() == 0) {
    places.emplace_back();
    return true;
  }
  const Graph zeros = zeros_graph(row.dtype, shape);
  const std::vector<Place> nowhere(zeros.entries.size());
  const Scene scene{zeros, scene_.target, scene_.costs, nowhere};
  Copies copies;
  const Layout layout = row_layout(scene_.target, row.dtype, shape);
  if (!copy_as(scene, zeros.results[0], layout, draft_, copies)) return false;
  draft_.steps.back().node = -1;
  draft_.steps.back().label = fmt::format("room for the outputs of {} trips", numbers_.trips);
  places.push_back(copies[0].second);
  return true;
}

/// Tells where the leaves of a trip's graph lie. What is not stored gets a slot.
bool LoopTrips::place_leaves(StepMaker& maker, const Graph& graph,
                             const std::vector<Place>& carries, const std::vector<Place>& outputs) {
  const std::int64_t inputs = numbers_.carries + numbers_.slices + numbers_.captured;
  leaves_.clear();
  for (std::int32_t k = 0; k < graph.size(); ++k) {
    if (graph[k].kind != Kind::leaf || graph[k].shape.numel() == 0) continue;
    const std::int64_t number = graph[k].leaf;
    Place place;
    if (number < numbers_.carries) {
      place = item(carries, number);
    } else if (number >= inputs) {
      place = item(outputs, number - inputs);
    } else {
      place = scene_.place(input(number));
      if (place.slot < 0 && !store(input(number), place)) return false;
      maker.share(k);
    }
    leaves_.push_back(place);
    maker.place(k, place);
  }
  return true;
}

bool LoopTrips::store(std::int32_t entry, Place& place) {
  for (const auto& [stored, known] : stored_) {
    if (stored == entry) {
      place = known;
      return true;
    }
  }
  Copies copies;
  if (!copy_flat(scene_, entry, {}, draft_, copies)) return false;
  place = copies[0].second;
  stored_.emplace_back(entry, place);
  return true;
}

bool LoopTrips::add_repeat(Step repeat, const std::vector<Place>& carries) {
  if (numbers_.has_condition != 0) {
    std::vector<Step> before, after;
    std::int32_t flag = -1, again = -1;
    if (!add_flag(carries, before, flag) || !add_flag(carries, after, again)) return false;
    for (Step& step : before) draft_.steps.push_back(std::move(step));
    // The flag of a trip is found after its carries have taken their places.
    Step trip = repeat_of(std::move(repeat.body), {.base = 1});
    trip.trades = std::move(repeat.trades);
    repeat.body.clear();
    repeat.body.push_back(std::move(trip));
    for (Step& step : after) repeat.body.push_back(std::move(step));
    repeat.trades = {{flag, again}};
    repeat.until = flag;
  }
  draft_.steps.push_back(std::move(repeat));
  return true;
}

/// The steps that find whether any lane goes on, from carries that lie there.
bool LoopTrips::add_flag(const std::vector<Place>& carries, std::vector<Step>& steps,
                         std::int32_t& slot) {
  const Graph graph = any_goes_on(scene_.graph, loop_);
  std::vector<bool> wanted(graph.entries.size(), false);
  item(wanted, graph.results[0]) = true;
  Numbering numbering{scene_.target, scene_.costs, draft_.slots, numbering_.scalars};
  StepMaker maker(graph, wanted, numbering);
  if (!place_leaves(maker, graph, carries, {})) return false;
  numbering.slots = draft_.slots;
  for (Step& step : maker.run()) {
    step.node = -1;
    steps.push_back(std::move(step));
  }
  draft_.slots = numbering.slots;
  numbering_.scalars = numbering.scalars;
  slot = maker.place_of(graph.results[0]).slot;
  return true;
}

}  // namespace trigon::plan

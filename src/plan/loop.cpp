// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <trigon/error.hpp>

#include "core/item.hpp"
#include "core/math.hpp"
#include "lower/copy.hpp"
#include "lower/domain.hpp"
#include "lower/loop.hpp"
#include "plan/steps.hpp"

namespace trigon::plan {
namespace {

/// Of `loop`, without the first `done`; at most `most`.
IntExpr trips_left(const LoopNumbers& loop, std::int64_t done, std::int64_t most) {
  const std::int64_t known = std::min(loop.trips, std::int64_t{1} << 40) - done;
  if (loop.trips_scalar < 0) return {.base = std::clamp<std::int64_t>(known, 0, most)};
  return {.base = known,
          .scalar = static_cast<std::int32_t>(loop.trips_scalar),
          .low = -known,
          .high = most - known};
}

std::string name_of(const Graph::Entry& entry) {
  return std::string(entry.op != nullptr ? std::string_view(entry.op->name) : name(entry.kind));
}

/// Lowers one loop.
class LoopMaker {
 public:
  LoopMaker(const Scene& scene, const Group& group, Numbering& numbering, Draft& draft)
      : scene_(scene),
        group_(group),
        loop_(scene.at(group.outputs[0])),
        numbers_(loop_numbers(loop_)),
        lanes_(loop_lanes(loop_)),
        numbering_(numbering),
        draft_(draft) {
    // Outputs before carries: the framebuffer of a draw is found by its first target, of which the
    // layer differs from trip to trip.
    for (std::int32_t output : group.outputs) asked_.push_back(result(output));
    std::sort(asked_.begin(), asked_.end(), std::greater<>());
  }

  bool run() {
    if (numbers_.trips_scalar < 0 && numbers_.has_condition == 0 &&
        numbers_.trips > most_trips(scene_.target)) {
      throw DeviceError(fmt::format(
          "trigon::eval: too many trips of a loop: {}; at most {}; put a loop around it",
          numbers_.trips, most_trips(scene_.target)));
    }
    if (numbers_.is_rolled != 0) {
      draft_.notes.push_back(fmt::format("{} equal stages, rolled into a loop", numbers_.trips));
      if (numbers_.slices > 0) {
        draft_.notes.push_back(
            fmt::format("{} of their numbers differ from stage to stage: a table of uniforms",
                        numbers_.slices));
      }
    }
    if (lanes_.coupled_by >= 0) {
      draft_.notes.push_back("one trip after the other: " + coupling());
    } else if (lanes_.axes < 0) {
      draft_.notes.emplace_back(
          "one trip after the other: a lane has too many values, or another condition than one");
    } else if (lane_by_lane()) {
      return true;
    }
    return trip_by_trip();
  }

 private:
  /// Why lanes depend on each other.
  std::string coupling() const {
    const Graph::Entry& by = (*loop_.body)[lanes_.coupled_by];
    if (by.kind != Kind::loop) return name_of(by) + " reads a carry at other indices than its own";
    return "its body has a loop of other lanes, with outputs, or of an unknown number of trips";
  }

  std::int32_t new_scalar() { return numbering_.scalars++; }
  std::int32_t input(std::int64_t which) const { return item(loop_.inputs, which); }

  // ---- Lanes that do not depend on each other ----

  /// The draws with the loop in them; false where there are none, with the reason as a note.
  bool lane_by_lane() {
    const Draft before = draft_;
    const std::int32_t scalars = numbering_.scalars;
    const auto note = [&](std::string text) { draft_.notes.push_back(std::move(text)); };
    const auto start_again = [&] {
      draft_ = before;
      numbering_.scalars = scalars;
      note(fmt::format("the loop stands in the kernel: the lanes of {} do not depend on each other",
                       to_string(lanes_.lanes)));
    };
    start_again();
    const bool stacks = !asked_.empty() && asked_[0] >= numbers_.carries;
    const char* why = "a kernel of it passes the limits";
    for (std::int64_t limit = scene_.target.trip_limit, most = 0; !stacks; limit = most) {
      if (in_long_draws(limit, most)) return true;
      start_again();
      if (most == limit) break;
    }
    if (stacks) {
      std::int64_t most = scene_.target.draw_buffers, steps = 0;
      while ((steps = in_short_draws(most)) < 0) {
        start_again();
        most = -steps - 1;
      }
      Draft several = draft_;
      const std::int32_t counters = numbering_.scalars;
      // One by one they are at least a draw each.
      const double others = steps > 0 ? nanoseconds_of(several.steps, scene_.costs)
                                      : static_cast<double>(numbers_.trips) * scene_.costs.draw;
      start_again();
      if (each_from_the_first(others)) return true;
      draft_ = std::move(several);
      numbering_.scalars = counters;
      if (steps > 0) return true;
      if (most == scene_.target.draw_buffers) {
        why = "a draw has too few targets or layers for more than one row of its outputs";
      }
    }
    draft_ = before;
    numbering_.scalars = scalars;
    note(fmt::format("one trip after the other: {}", why));
    return false;
  }

  std::int64_t result(std::int32_t output) const { return loop_numbers(scene_.at(output)).result; }
  void place_results(const std::vector<Place>& places) {
    for (std::int32_t output : group_.outputs) {
      draft_.places.emplace_back(output, item(places, result(output)));
    }
  }

  /// Carries alone: one draw, and where there may be more than `limit` trips, others that go on
  /// from its textures. False where a draw is too large; `most` is then set to the trips that one
  /// may have.
  bool in_long_draws(std::int64_t limit, std::int64_t& most) {
    const bool known = numbers_.trips_scalar < 0 && numbers_.trips <= limit;
    LoopRun run{.lanes = lanes_,
                .trips = trips_left(numbers_, 0, limit),
                .most = known ? numbers_.trips : limit,
                .needed = needed_results(loop_, asked_)};
    const std::vector<std::int64_t> results = known ? asked_ : with_carries(loop_, asked_);
    std::vector<Place> places;
    const bool fits = lower_loop_run(scene_, loop_, run, results, draft_, places, &most);
    if (most < run.most) return false;
    most = limit;
    if (!fits) return false;
    if (!known) {
      const std::int64_t far = std::min(most_trips(scene_.target), numbers_.trips);
      const std::int32_t count = new_scalar();
      run.trips = {.scalar = count, .low = 0, .high = limit};
      run.begin = {.base = limit, .scalar = new_scalar(), .low = 0, .high = far};
      Step repeat = repeat_of({}, trips_left(numbers_, limit, most_trips(scene_.target)));
      repeat.count = count;
      repeat.chunk = limit;
      if (!further_draws(run, results, places, std::move(repeat), &most)) return false;
      if (most < limit) return false;
    }
    place_results(places);
    return true;
  }

  /// With outputs: draws of a few steps, up to `most`, whose outputs leave by targets of their own.
  /// The first one does fewer where the others would not come out even. Returns how many, 0 where
  /// there is no such number, and it negated where a kernel passes the limits.
  std::int64_t in_short_draws(std::int64_t most) {
    LoopRun run{.lanes = lanes_, .needed = needed_results(loop_, asked_)};
    choose_steps(scene_, loop_, asked_, most, run);
    const std::int64_t steps = run.steps;
    if (steps == 0) return 0;
    const std::int64_t draws = ceil_div(numbers_.trips, steps);
    const std::int64_t first = numbers_.trips - (draws - 1) * steps;
    run.trips.base = run.most = first;
    const std::vector<std::int64_t> results = draws > 1 ? with_carries(loop_, asked_) : asked_;
    std::vector<Place> places;
    if (!lower_loop_run(scene_, loop_, run, results, draft_, places)) return -steps;
    if (draws > 1) {
      run.trips.base = run.most = steps;
      run.begin = {
          .base = first, .scalar = new_scalar(), .scale = steps, .low = 0, .high = draws - 2};
      Step repeat = repeat_of({}, {.base = draws - 1});
      if (!further_draws(run, results, places, std::move(repeat))) return -steps;
    }
    draft_.notes.push_back(fmt::format("{} per draw: each of their outputs has a target",
                                       steps == 1 ? "a step" : fmt::format("{} steps", steps)));
    place_results(places);
    return steps;
  }

  /// With outputs: one draw, in which the lanes of each step begin with the first one. False also
  /// where that may cost more than `others`, in nanoseconds.
  bool each_from_the_first(double others) {
    // Trips take longer than their number of instructions says: on llvmpipe up to eight times.
    constexpr double slower = 8;
    if (scene_.target.dialect == Dialect::es100 || numbers_.trips_scalar >= 0 ||
        numbers_.has_condition != 0 || numbers_.trips > scene_.target.trip_limit) {
      return false;
    }
    // Most loops are too long for it, which is known before anything is lowered.
    const auto trips = static_cast<double>(numbers_.trips);
    const double texels = trips * static_cast<double>(lanes_.lanes.numel()) / 4;
    if (scene_.costs.draw + slower * texels * trips * scene_.costs.instruction >= others) {
      return false;
    }
    LoopRun run{.lanes = lanes_,
                .trips = {.base = numbers_.trips},
                .most = numbers_.trips,
                .needed = needed_results(loop_, asked_),
                .steps = 1,
                .each_step = true};
    std::vector<Place> places;
    const auto carries = std::find_if(asked_.begin(), asked_.end(),
                                      [&](std::int64_t j) { return j < numbers_.carries; });
    if (!lower_loop_run(scene_, loop_, run, {asked_.begin(), carries}, draft_, places))
      return false;
    run.each_step = false;
    if (!lower_loop_run(scene_, loop_, run, {carries, asked_.end()}, draft_, places)) return false;
    const double draws = static_cast<double>(draft_.steps.size()) * scene_.costs.draw;
    if (draws + slower * (nanoseconds_of(draft_.steps, scene_.costs) - draws) >= others)
      return false;
    draft_.notes.push_back(
        fmt::format("each of the {} steps begins with the first one: that costs less than further "
                    "draws",
                    numbers_.trips));
    place_results(places);
    return true;
  }

  /// Repeats draws that go on from where the first ones left the results.
  bool further_draws(LoopRun run, const std::vector<std::int64_t>& results,
                     const std::vector<Place>& places, Step repeat, std::int64_t* most = nullptr) {
    run.before = places;
    Draft draws{.slots = draft_.slots};
    std::vector<Place> after;
    if (!lower_loop_run(scene_, loop_, run, results, draws, after, most)) return false;
    draft_.slots = draws.slots;
    repeat.body = std::move(draws.steps);
    repeat.counter = run.begin.scalar;
    for (std::int64_t j : results) {
      if (j < numbers_.carries) {
        repeat.trades.emplace_back(item(places, j).slot, item(after, j).slot);
      }
    }
    return add_repeat(std::move(repeat), places);
  }

  /// Adds the loop, which in a while loop ends where no lane goes on.
  bool add_repeat(Step repeat, const std::vector<Place>& places) {
    if (numbers_.has_condition != 0) {
      std::vector<Step> before, after;
      std::int32_t flag = -1, again = -1;
      if (!add_flag(places, before, flag) || !add_flag(places, after, again)) return false;
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
  bool add_flag(const std::vector<Place>& carries, std::vector<Step>& steps, std::int32_t& slot) {
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

  // ---- One trip a time ----

  /// The loop's values in textures: carries, which trade places with what a trip computes, and
  /// stacked outputs, of which it writes one row.
  bool trip_by_trip() {
    const std::int32_t counter = new_scalar();
    const Graph graph = one_trip(scene_.graph, loop_, counter);
    std::vector<Layout> layouts;
    for (std::int64_t j = 0; j < numbers_.carries; ++j) layouts.push_back(carry_layout(j));
    // A trip may leave a carry in another layout than it was in: then that one, if it can be had.
    Numbering before = numbering_;
    Draft plain = draft_;
    for (int attempt = 0;; ++attempt) {
      numbering_.slots = plain.slots;
      numbering_.scalars = before.scalars;
      draft_ = plain;
      stored_.clear();
      bool changed = false;
      if (!add_trips(graph, counter, layouts, changed, attempt == 0)) return false;
      if (!changed) return true;
    }
  }

  Layout carry_layout(std::int64_t j) const {
    const Graph::Entry& carry = scene_.at(input(j));
    return with_shape(flat_layout(scene_.target, carry.dtype, without_ones(carry.shape)),
                      carry.shape);
  }

  bool add_trips(const Graph& graph, std::int32_t counter, std::vector<Layout>& layouts,
                 bool& changed, bool may_change) {
    std::vector<Place> carries, outputs;
    for (std::int64_t j = 0; j < numbers_.carries; ++j) {
      if (!add_first(j, item(layouts, j), carries)) return false;
    }
    for (std::int64_t o = 0; o < numbers_.outputs; ++o) {
      if (!add_rows(o, outputs)) return false;
    }

    std::vector<bool> wanted(graph.entries.size(), false);
    for (std::int32_t result : graph.results) {
      if (graph[result].shape.numel() > 0) item(wanted, result) = true;
    }
    Numbering inside{scene_.target, scene_.costs, draft_.slots, numbering_.scalars};
    StepMaker maker(graph, wanted, inside);
    if (!place_leaves(maker, graph, carries, outputs)) return false;
    for (std::int32_t result : graph.results) {
      if (graph[result].kind == Kind::leaf) maker.keep(result);
    }
    inside.slots = draft_.slots;
    std::vector<Step> steps = maker.run();
    draft_.slots = inside.slots;
    numbering_.scalars = inside.scalars;
    draft_.notes.insert(draft_.notes.end(), inside.notes.begin(), inside.notes.end());

    std::vector<std::pair<std::int32_t, std::int32_t>> trades;
    std::set<std::int32_t> taken;
    for (const Place& place : leaves_) taken.insert(place.slot);
    for (std::int64_t j = 0; j < numbers_.carries + numbers_.outputs; ++j) {
      const std::int32_t result = item(graph.results, j);
      if (graph[result].shape.numel() == 0) continue;
      const bool is_carry = j < numbers_.carries;
      const Place& last = is_carry ? item(carries, j) : item(outputs, j - numbers_.carries);
      const Place& next = maker.place_of(result);
      if (next.slot == last.slot) continue;
      const bool fresh = next.slot >= 0 && taken.insert(next.slot).second;
      if (fresh && next.layout == last.layout) {
        trades.emplace_back(last.slot, next.slot);
        continue;
      }
      if (is_carry && fresh && may_change && can_copy_as(scene_.target, next.layout)) {
        item(layouts, j) = next.layout;
        changed = true;
        continue;
      }
      Draft copy{.slots = draft_.slots};
      Copies copies;
      if (!copy_as(maker.scene(), result, last.layout, copy, copies)) return false;
      trades.emplace_back(last.slot, copies[0].second.slot);
      draft_.slots = copy.slots;
      for (Step& step : copy.steps) steps.push_back(std::move(step));
    }
    if (changed) return true;

    Step repeat = repeat_of(std::move(steps), trips_left(numbers_, 0, std::int64_t{1} << 40));
    repeat.counter = counter;
    repeat.trades = std::move(trades);
    repeat.label = "loop, one trip after the other";
    if (numbers_.has_condition != 0) repeat = in_chunks(std::move(repeat));
    if (!add_repeat(std::move(repeat), carries)) return false;
    for (std::int32_t output : group_.outputs) {
      const std::int64_t result = loop_numbers(scene_.at(output)).result;
      draft_.places.emplace_back(output, result < numbers_.carries
                                             ? item(carries, result)
                                             : item(outputs, result - numbers_.carries));
    }
    return true;
  }

  /// In a while loop a number of trips before it is asked whether any lane goes on. Trips past the
  /// end keep the carries.
  Step in_chunks(Step trips) {
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
  bool add_first(std::int64_t j, const Layout& layout, std::vector<Place>& places) {
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
  bool add_rows(std::int64_t o, std::vector<Place>& places) {
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
  bool place_leaves(StepMaker& maker, const Graph& graph, const std::vector<Place>& carries,
                    const std::vector<Place>& outputs) {
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

  bool store(std::int32_t entry, Place& place) {
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

  const Scene& scene_;
  const Group& group_;
  const Graph::Entry& loop_;
  const LoopNumbers numbers_;
  const LoopLanes lanes_;
  Numbering& numbering_;
  Draft& draft_;
  std::vector<std::int64_t> asked_;  ///< numbers of the results
  std::vector<Place> leaves_;        ///< of the graph placed last
  Copies stored_;                    ///< inputs that were stored for the loop
};

}  // namespace

bool lower_loop(const Scene& scene, const Group& group, Numbering& numbering, Draft& draft) {
  return LoopMaker(scene, group, numbering, draft).run();
}

}  // namespace trigon::plan

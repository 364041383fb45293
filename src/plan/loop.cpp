// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <trigon/error.hpp>

#include "core/item.hpp"
#include "core/math.hpp"
#include "lower/domain.hpp"
#include "lower/loop.hpp"
#include "plan/loop_trips.hpp"
#include "plan/steps.hpp"

namespace trigon::plan {
namespace {

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
        draft_(draft),
        trips_(scene, group, numbering, draft) {
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
    return trips_.run();
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
    std::int64_t fit = 0;  // steps that one draw has the time for
    if (!lower_loop_run(scene_, loop_, run, results, draft_, places, &fit)) return -steps;
    if (fit < run.most) return -steps;
    if (draws > 1) {
      run.trips.base = run.most = steps;
      run.begin = {
          .base = first, .scalar = new_scalar(), .scale = steps, .low = 0, .high = draws - 2};
      Step repeat = repeat_of({}, {.base = draws - 1});
      if (!further_draws(run, results, places, std::move(repeat), &fit)) return -steps;
      if (fit < run.most) return -steps;
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
    for (const Step& step : draft_.steps) {
      if (nanoseconds_of(step, scene_.costs) > scene_.costs.longest_draw) return false;
    }
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
                     const std::vector<Place>& places, Step repeat, std::int64_t* most) {
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
    return trips_.add_repeat(std::move(repeat), places);
  }

  const Scene& scene_;
  const Group& group_;
  const Graph::Entry& loop_;
  const LoopNumbers numbers_;
  const LoopLanes lanes_;
  Numbering& numbering_;
  Draft& draft_;
  LoopTrips trips_;
  std::vector<std::int64_t> asked_;  ///< numbers of the results
};

}  // namespace

bool lower_loop(const Scene& scene, const Group& group, Numbering& numbering, Draft& draft) {
  return LoopMaker(scene, group, numbering, draft).run();
}

}  // namespace trigon::plan

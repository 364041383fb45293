// SPDX-License-Identifier: MIT
#include "pipeline/loop_batch.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "core/item.hpp"
#include "core/math.hpp"
#include "lower/domain.hpp"

namespace trigon::detail::pipeline {

BatchedLoop::BatchedLoop(const lower::Scene& scene, const schedule::Group& group,
                         const rewrite::LoopBatch& batch, const lower::Draft& before, bool rolls)
    : scene_(scene),
      group_(group),
      loop_(loop_of(scene.graph, group.outputs[0])),
      numbers_(loop_attrs(loop_)),
      batch_(batch),
      before_(before),
      rolls_(rolls) {
  // Outputs before carries: a draw's framebuffer is found by its first target, and the layer of
  // that differs from iteration to iteration.
  for (std::int32_t output : group.outputs) asked_.push_back(result(output));
  std::sort(asked_.begin(), asked_.end(), std::greater<>());
}

void BatchedLoop::place_results(const std::vector<lower::Place>& places,
                                lower::Draft& draft) const {
  for (std::int32_t output : group_.outputs) {
    draft.places.emplace_back(output, item(places, result(output)));
  }
}

BatchedLoop::Draws BatchedLoop::in_long_draws() const {
  Draws draws = in_long_draws(scene_.target.trip_limit);
  while (draws.fewer > 0) draws = in_long_draws(draws.fewer);
  return draws;
}

/// Draws of at most `most` iterations.
BatchedLoop::Draws BatchedLoop::in_long_draws(std::int64_t most) const {
  const bool known = !numbers_.iterations_scalar.is_given() && numbers_.iterations <= most;
  lower::LoopRun run{.batch = batch_,
                     .trips = iterations_left(numbers_, 0, most),
                     .most = known ? numbers_.iterations : most,
                     .needed = lower::needed_results(loop_, asked_),
                     .rolls = rolls_};
  const std::vector<std::int64_t> results = known ? asked_ : lower::with_carries(loop_, asked_);
  LoopDraft made(scene_, loop_, before_);
  const lower::LoopDraws first = lower_loop_run(scene_, loop_, run, results, made.draft());
  if (first.trips < run.most) return {.fewer = first.trips};
  if (!first.fit) return {};
  if (!known) {
    const std::int64_t far = std::min(core::most_trips(scene_.target), numbers_.iterations);
    const std::int32_t count = made.new_scalar();
    run.trips = {.scalar = count, .low = 0, .high = most};
    run.begin = {.base = most, .scalar = made.new_scalar(), .low = 0, .high = far};
    plan::Step repeat =
        plan::repeat_of({}, iterations_left(numbers_, most, core::most_trips(scene_.target)));
    repeat.count = count;
    repeat.chunk = most;
    const lower::LoopDraws further =
        add_further(run, results, first.places, std::move(repeat), made);
    if (further.trips < most) return {.fewer = further.trips};
    if (!further.fit) return {};
  }
  place_results(first.places, made.draft());
  return {.draft = std::move(made.draft())};
}

BatchedLoop::Draws BatchedLoop::in_short_draws() const {
  Draws draws = in_short_draws(scene_.target.draw_buffers);
  while (!draws.draft && draws.fewer > 0) draws = in_short_draws(draws.fewer);
  // A kernel has separate text for each iteration, so fewer may cost less in total.
  const auto total = [&](const Draws& one) {
    return lower::total_nanoseconds_of(one.draft->steps, scene_.costs);
  };
  while (draws.draft && draws.fewer > 0 &&
         lower::compile_nanoseconds_of(draws.draft->steps, scene_.costs) >
             lower::quick_to_compile) {
    Draws others = in_short_draws(draws.fewer);
    if (!others.draft || total(others) >= total(draws)) break;
    draws = std::move(others);
  }
  return draws;
}

/// Draws of at most `most` iterations. The first draw takes the remainder, so that all others are
/// equal.
BatchedLoop::Draws BatchedLoop::in_short_draws(std::int64_t most) const {
  lower::LoopRun run{
      .batch = batch_, .needed = lower::needed_results(loop_, asked_), .rolls = rolls_};
  choose_steps(scene_, loop_, asked_, most, run);
  const std::int64_t steps = run.steps;
  if (steps == 0 && most < scene_.target.draw_buffers) return {};
  if (steps == 0) {
    return {.why_not = "a draw has too few targets or layers for more than one row of its outputs"};
  }
  const std::int64_t draws = core::ceil_div(numbers_.iterations, steps);
  const std::int64_t first_steps = numbers_.iterations - (draws - 1) * steps;
  run.trips.base = run.most = first_steps;
  const std::vector<std::int64_t> results = draws > 1 ? lower::with_carries(loop_, asked_) : asked_;
  LoopDraft made(scene_, loop_, before_);
  const lower::LoopDraws first = lower_loop_run(scene_, loop_, run, results, made.draft());
  if (!first.fit || first.trips < run.most) return {.fewer = steps - 1};
  if (draws > 1) {
    run.trips.base = run.most = steps;
    run.begin = {.base = first_steps,
                 .scalar = made.new_scalar(),
                 .scale = steps,
                 .low = 0,
                 .high = draws - 2};
    plan::Step repeat = plan::repeat_of({}, {.base = draws - 1});
    const lower::LoopDraws further =
        add_further(run, results, first.places, std::move(repeat), made);
    if (!further.fit || further.trips < run.most) return {.fewer = steps - 1};
  }
  lower::Draft& draft = made.draft();
  draft.notes.push_back(fmt::format("{} per draw: each of their outputs has a target",
                                    steps == 1 ? "a step" : fmt::format("{} steps", steps)));
  place_results(first.places, draft);
  return {.draft = std::move(draft), .fewer = steps / 2};
}

/// Repeats draws that continue from the results of the first ones.
lower::LoopDraws BatchedLoop::add_further(lower::LoopRun run,
                                          const std::vector<std::int64_t>& results,
                                          const std::vector<lower::Place>& places,
                                          plan::Step repeat, LoopDraft& made) const {
  run.before = places;
  lower::Draft draft = made.draft().next();
  lower::LoopDraws draws = lower_loop_run(scene_, loop_, run, results, draft);
  if (!draws.fit) return draws;
  made.draft().slots = draft.slots;
  repeat.body = std::move(draft.steps);
  repeat.counter = run.begin.scalar;
  for (std::int64_t j : results) {
    if (j < numbers_.carries) {
      repeat.trades.emplace_back(item(places, j).slot, item(draws.places, j).slot);
    }
  }
  draws.fit = made.add_repeat(std::move(repeat), places);
  return draws;
}

std::optional<lower::Draft> BatchedLoop::each_from_the_first() const {
  if (scene_.target.dialect == core::Dialect::es100 || numbers_.iterations_scalar.is_given() ||
      numbers_.has_condition || numbers_.iterations > scene_.target.trip_limit) {
    return std::nullopt;
  }
  lower::LoopRun run{.batch = batch_,
                     .trips = {.base = numbers_.iterations},
                     .most = numbers_.iterations,
                     .needed = lower::needed_results(loop_, asked_),
                     .steps = 1,
                     .each_step = true,
                     .rolls = rolls_};
  const auto carries = std::find_if(asked_.begin(), asked_.end(),
                                    [&](std::int64_t j) { return j < numbers_.carries; });
  lower::Draft draft = before_.next();
  lower::LoopDraws draws = lower_loop_run(scene_, loop_, run, {asked_.begin(), carries}, draft);
  if (!draws.fit) return std::nullopt;
  run.each_step = false;
  const lower::LoopDraws last = lower_loop_run(scene_, loop_, run, {carries, asked_.end()}, draft);
  if (!last.fit) return std::nullopt;
  for (auto j = carries; j != asked_.end(); ++j) item(draws.places, *j) = item(last.places, *j);
  for (const plan::Step& step : draft.steps) {
    if (lower::nanoseconds_of(step, scene_.costs) > scene_.costs.longest_draw) return std::nullopt;
  }
  draft.notes.push_back(
      fmt::format("each of the {} steps begins with the first one: that costs less than further "
                  "draws",
                  numbers_.iterations));
  place_results(draws.places, draft);
  return draft;
}

}  // namespace trigon::detail::pipeline

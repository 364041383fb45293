// SPDX-License-Identifier: MIT
#include "pipeline/loop_iterations.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "lower/copy.hpp"
#include "lower/domain.hpp"
#include "lower/loop.hpp"
#include "pipeline/loop_repeat.hpp"
#include "rewrite/loop.hpp"

namespace trigon::detail::pipeline {
namespace {

/// The iterations of one Repeat.
struct Stretch {
  kernel::IntExpr iterations{};
  std::int64_t first = 0;    ///< iterations before it
  std::int64_t at_once = 1;  ///< iterations that are computed together
};

/// A remainder of iterations comes first, also computed together.
std::vector<Stretch> stretches(const ir::LoopAttrs& loop, std::int64_t at_once) {
  if (at_once == 1) return {{.iterations = iterations_left(loop, 0, std::int64_t{1} << 40)}};
  const std::int64_t first = loop.iterations % at_once;
  std::vector<Stretch> all;
  if (first > 0) all.push_back({.iterations = {.base = first}, .at_once = first});
  all.push_back(
      {.iterations = {.base = loop.iterations - first}, .first = first, .at_once = at_once});
  return all;
}

/// The steps, if carries lie in such layouts between iterations.
struct Repeated {
  std::optional<lower::Draft> draft{};
  /// The layouts in which an iteration leaves the carries, if they may have these and some differ.
  /// There is then no draft.
  std::optional<std::vector<core::Layout>> left_in{};
};

/// Makes them, once.
class IterationMaker {
 public:
  IterationMaker(const lower::Scene& scene, const schedule::Group& group,
                 const lower::Draft& before, const std::vector<core::Layout>& layouts,
                 bool may_change)
      : scene_(scene),
        group_(group),
        loop_(loop_of(scene.graph, group.outputs[0])),
        numbers_(loop_attrs(loop_)),
        layouts_(layouts),
        may_change_(may_change),
        made_(scene, loop_, before),
        draft_(made_.draft()) {}

  Repeated run(std::int64_t at_once) && {
    const std::int32_t counter = made_.new_scalar();
    if (!add_carries() || !add_outputs()) return {};
    for (const Stretch& stretch : stretches(numbers_, at_once)) {
      if (!add_stretch(stretch, counter)) return {};
      if (left_in_) return {.left_in = std::move(left_in_)};
    }
    for (std::int32_t output : group_.outputs) {
      const std::int64_t result = scene_.at(output).as<ir::OutputAttrs>().number;
      draft_.places.emplace_back(output, result < numbers_.carries
                                             ? item(carries_, result)
                                             : item(outputs_, result - numbers_.carries));
    }
    return {.draft = std::move(draft_)};
  }

 private:
  /// Stores the first values of each carry in a separate slot, which iterations may write to.
  bool add_carries() {
    for (std::int64_t j = 0; j < numbers_.carries; ++j) {
      const core::Layout& layout = item(layouts_, j);
      lower::Copies copies;
      if (layout.shape.numel() == 0) {
        carries_.emplace_back();
      } else if (copy_as(scene_, item(loop_.inputs, j), layout, draft_, copies)) {
        carries_.push_back(copies[0].second);
      } else {
        return false;
      }
    }
    return true;
  }

  /// Room for the outputs of all iterations, each a row of whole texels.
  bool add_outputs() {
    for (std::int64_t o = 0; o < numbers_.outputs; ++o) {
      const ir::Graph::Entry& row = (*loop_.body)[item(loop_.body->results, numbers_.carries + o)];
      Shape shape = row.shape;
      shape.insert(0, numbers_.iterations);
      if (shape.numel() == 0) {
        outputs_.emplace_back();
        continue;
      }
      const ir::Graph zeros = rewrite::zeros_graph(row.dtype, shape);
      const std::vector<lower::Place> nowhere(zeros.entries.size());
      const lower::Scene scene{zeros, scene_.target, scene_.costs, nowhere};
      lower::Copies copies;
      const core::Layout layout = lower::row_layout(scene_.target, row.dtype, shape);
      if (!copy_as(scene, zeros.results[0], layout, draft_, copies)) return false;
      draft_.steps.back().node = -1;
      draft_.steps.back().label =
          fmt::format("room for the outputs of {} iterations", numbers_.iterations);
      outputs_.push_back(copies[0].second);
    }
    return true;
  }

  bool add_stretch(const Stretch& stretch, std::int32_t counter) {
    plan::Step repeat = plan::repeat_of({}, stretch.iterations);
    repeat.label = "loop, one iteration after the other";
    repeat.counter = counter;
    repeat.chunk = stretch.at_once;
    const ir::Graph graph = rewrite::one_iteration(
        scene_.graph, loop_,
        {.counter = counter, .first = stretch.first, .count = stretch.at_once});
    if (!add_body(graph, stretch.at_once > 1, repeat)) return false;
    if (left_in_) return true;
    if (numbers_.has_condition) repeat = in_chunks(std::move(repeat));
    return made_.add_repeat(std::move(repeat), carries_);
  }

  /// Sets the steps of a graph of iterations, and the slots that swap textures after them.
  bool add_body(const ir::Graph& graph, bool several, plan::Step& repeat) {
    std::vector<bool> wanted(graph.entries.size(), false);
    for (std::int32_t result : graph.results) {
      if (graph[result].shape.numel() > 0) item(wanted, result) = true;
    }
    core::Costs costs = scene_.costs;
    costs.runs = std::max(costs.runs, core::runs_of_loop_body);
    Numbering inside{scene_.target, costs, draft_.slots, draft_.scalars};
    const auto recompute = several ? schedule::Recompute::always : schedule::Recompute::if_cheaper;
    StepMaker maker(graph, schedule::schedule(graph, wanted, scene_.target, costs, recompute),
                    inside);
    std::optional<std::set<std::int32_t>> taken =
        made_.place_leaves(maker, graph, carries_, outputs_);
    if (!taken) return false;
    for (std::int32_t result : graph.results) {
      if (graph[result].kind == ir::Kind::leaf) maker.keep(result);
    }
    inside.slots = draft_.slots;
    repeat.body = maker.run();
    draft_.slots = inside.slots;
    draft_.scalars = inside.scalars;
    std::move(inside.notes.begin(), inside.notes.end(), std::back_inserter(draft_.notes));
    if (!add_trades(graph, maker, std::move(*taken), repeat)) return false;
    for (plan::Step& step : repeat.body) step.node = -1;
    return true;
  }

  /// `taken`: slots that an iteration reads.
  bool add_trades(const ir::Graph& graph, const StepMaker& maker, std::set<std::int32_t> taken,
                  plan::Step& repeat) {
    for (std::int64_t j = 0; j < numbers_.carries + numbers_.outputs; ++j) {
      const std::int32_t result = item(graph.results, j);
      if (graph[result].shape.numel() == 0) continue;
      const bool is_carry = j < numbers_.carries;
      const lower::Place& last =
          is_carry ? item(carries_, j) : item(outputs_, j - numbers_.carries);
      const lower::Place& next = maker.place_of(result);
      if (next.slot == last.slot) continue;
      const bool fresh = next.slot >= 0 && taken.insert(next.slot).second;
      if (fresh && next.layout == last.layout) {
        repeat.trades.emplace_back(last.slot, next.slot);
        continue;
      }
      if (is_carry && fresh && may_change_ && lower::can_copy_as(scene_.target, next.layout)) {
        if (!left_in_) left_in_ = layouts_;
        item(*left_in_, j) = next.layout;
        continue;
      }
      lower::Draft copy = draft_.next();
      lower::Copies copies;
      if (!copy_as(maker.scene(), result, last.layout, copy, copies)) return false;
      repeat.trades.emplace_back(last.slot, copies[0].second.slot);
      draft_.slots = copy.slots;
      std::move(copy.steps.begin(), copy.steps.end(), std::back_inserter(repeat.body));
    }
    return true;
  }

  /// While loops run some iterations between checks of the condition; iterations after the end
  /// leave the carries unchanged.
  plan::Step in_chunks(plan::Step repeat) {
    constexpr std::int64_t chunk = 16;
    const kernel::IntExpr all = repeat.repeats;
    const std::int32_t count = made_.new_scalar();
    repeat.repeats = {.scalar = count, .low = 0, .high = chunk};
    std::vector<plan::Step> body;
    body.push_back(std::move(repeat));
    plan::Step whole = plan::repeat_of(std::move(body), all);
    whole.chunk = chunk;
    whole.count = count;
    return whole;
  }

  const lower::Scene& scene_;
  const schedule::Group& group_;
  const ir::Graph::Entry& loop_;
  const ir::LoopAttrs numbers_;
  const std::vector<core::Layout>& layouts_;  ///< of the carries
  const bool may_change_;                     ///< whether carries may get other layouts
  LoopDraft made_;
  lower::Draft& draft_;
  std::vector<lower::Place> carries_, outputs_;
  std::optional<std::vector<core::Layout>> left_in_;
};

}  // namespace

std::optional<lower::Draft> one_after_the_other(const lower::Scene& scene,
                                                const schedule::Group& group,
                                                const lower::Draft& before, std::int64_t at_once) {
  const ir::Graph::Entry& loop = loop_of(scene.graph, group.outputs[0]);
  std::vector<core::Layout> layouts;
  for (std::int64_t j = 0; j < loop_attrs(loop).carries; ++j) {
    const ir::Graph::Entry& carry = scene.at(item(loop.inputs, j));
    const core::Layout flat =
        core::flat_layout(scene.target, carry.dtype, core::without_ones(carry.shape));
    layouts.push_back(core::with_shape(flat, carry.shape));
  }
  Repeated made = IterationMaker(scene, group, before, layouts, true).run(at_once);
  if (made.left_in) {
    made = IterationMaker(scene, group, before, *made.left_in, false).run(at_once);
  }
  if (at_once > 1 && made.draft) {
    const std::size_t draws = made.draft->steps.back().body.size();
    if (draws == 0) return std::nullopt;  // nothing is left to repeat, for example after two flips
    made.draft->notes.push_back(fmt::format(
        "{} steps per {}: each fragment computes the earlier steps of its neighbours again, which "
        "costs less than further draws",
        at_once, draws == 1 ? "draw" : fmt::format("{} draws", draws)));
  }
  return std::move(made.draft);
}

}  // namespace trigon::detail::pipeline

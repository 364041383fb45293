// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/called.hpp"
#include "core/item.hpp"
#include "lower/domain.hpp"
#include "lower/loop.hpp"
#include "pipeline/loop_batch.hpp"
#include "pipeline/loop_iterations.hpp"
#include "pipeline/steps.hpp"

namespace trigon::detail::pipeline {
namespace {

// Limit for a kernel with several steps: on llvmpipe longer ones compile for more than a second.
constexpr std::size_t most_instructions = 400;
// Shifts hardly grow with their steps, so this limit saves planning time.
constexpr std::int64_t most_steps = 8;

std::string name_of(const ir::Graph::Entry& entry) {
  return std::string(entry.op != nullptr ? entry.op->name : name(entry.kind));
}

/// Instructions of the longest kernel in a loop's steps.
std::size_t longest_kernel(const lower::Draft& draft) {
  std::size_t most = 0;
  for (const plan::Step& step : draft.steps) {
    for (const plan::Step& draw : step.body) {
      if (draw.kernel != nullptr) most = std::max(most, draw.kernel->code.size());
    }
  }
  return most;
}

/// Chooses between the ways to run one loop. Each way is a separate draft that begins with the same
/// numbers; the cheapest is taken.
class LoopChoice {
 public:
  LoopChoice(const lower::Scene& scene, const schedule::Group& group, const lower::Draft& before)
      : scene_(scene),
        group_(group),
        loop_(loop_of(scene.graph, group.outputs[0])),
        numbers_(loop_attrs(loop_)),
        batch_(rewrite::loop_batch(loop_)),
        before_(before) {}

  /// None if all ways exceed the limits of the device.
  std::optional<lower::Draft> run() const {
    if (!numbers_.iterations_scalar.is_given() && !numbers_.has_condition &&
        numbers_.iterations > core::most_trips(scene_.target)) {
      core::fail_on_device("eval",
                           "too many iterations of a loop: {}; at most {}; put a loop around it",
                           numbers_.iterations, core::most_trips(scene_.target));
    }
    std::string why_one_by_one = coupling();
    std::optional<lower::Draft> batch;
    if (why_one_by_one.empty()) {
      BatchedLoop::Draws draws = batched(false);
      batch = std::move(draws.draft);
      why_one_by_one = draws.why_not;
    }
    if (batch && has_reductions() && compile_nanoseconds(*batch) > lower::quick_to_compile) {
      std::optional<lower::Draft> rolled = batched(true).draft;
      if (rolled && total(*rolled) < total(*batch)) batch = std::move(rolled);
    }
    if (batch) {
      const bool can_be_cut = schedule::can_store_all(*loop_.body, scene_.target);
      if (!can_be_cut || compiles_quickly(*batch)) {
        return explained(std::move(*batch), why_batched());
      }
      why_one_by_one = "all values of an element in one kernel would take longer to compile";
    }
    std::optional<lower::Draft> one_by_one = one_after_the_other();
    if (one_by_one && (!batch || total(*one_by_one) < total(*batch))) {
      return explained(std::move(*one_by_one), "one iteration after the other: " + why_one_by_one);
    }
    if (batch) return explained(std::move(*batch), why_batched());
    return std::nullopt;
  }

 private:
  bool has_reductions() const {
    const auto& body = loop_.body->entries;
    return std::any_of(body.begin(), body.end(), [](const ir::Graph::Entry& entry) {
      return entry.kind == ir::Kind::reduce;
    });
  }

  /// Element by element: without outputs in long draws, otherwise in the cheaper one of two ways.
  BatchedLoop::Draws batched(bool rolls) const {
    const BatchedLoop ways(scene_, group_, batch_, before_, rolls);
    if (!ways.has_outputs()) return ways.in_long_draws();
    BatchedLoop::Draws several = ways.in_short_draws();
    // One by one, each iteration is at least a draw.
    const double others = several.draft
                              ? lower::nanoseconds_of(several.draft->steps, scene_.costs)
                              : static_cast<double>(numbers_.iterations) * scene_.costs.draw;
    // Most loops are too long for one draw, which is known before anything is lowered.
    const auto iterations = static_cast<double>(numbers_.iterations);
    const double texels =
        iterations * static_cast<double>(batch_.shape.numel()) / static_cast<double>(core::lanes);
    const double least = texels * iterations * scene_.costs.instruction;
    if (with_long_iterations(1, least) >= others) return several;
    std::optional<lower::Draft> one = ways.each_from_the_first();
    if (one) {
      const std::size_t draws = one->steps.size();
      const double in_iterations =
          lower::nanoseconds_of(one->steps, scene_.costs) - draw_nanoseconds(draws);
      if (with_long_iterations(draws, in_iterations) < others) return {.draft = std::move(one)};
    }
    return several;
  }

  double draw_nanoseconds(std::size_t draws) const {
    return static_cast<double>(draws) * scene_.costs.draw;
  }
  double with_long_iterations(std::size_t draws, double in_iterations) const {
    // Iterations take longer than their number of instructions suggests: on llvmpipe up to eight
    // times.
    constexpr double slower = 8;
    return draw_nanoseconds(draws) + slower * in_iterations;
  }

  /// One after the other, 1, 2, 4 or 8 iterations at once. The first number of steps that does not
  /// pay ends the search.
  std::optional<lower::Draft> one_after_the_other() const {
    std::optional<lower::Draft> best = pipeline::one_after_the_other(scene_, group_, before_, 1);
    for (std::int64_t steps = 2; best && may_take(steps, *best); steps *= 2) {
      std::optional<lower::Draft> more =
          pipeline::one_after_the_other(scene_, group_, before_, steps);
      if (!more || !pays(*more, *best)) break;
      best = std::move(more);
    }
    return best;
  }

  /// Whether that many steps at once, twice those of `fewer`, are worth a try: each element must
  /// depend on a window of the carries.
  bool may_take(std::int64_t steps, const lower::Draft& fewer) const {
    const bool known = !numbers_.iterations_scalar.is_given() && !numbers_.has_condition;
    if (!known || steps > std::min(numbers_.iterations, most_steps)) return false;
    if (numbers_.slices + numbers_.outputs > 0) return false;
    // Doubling the steps makes a kernel about four times as long.
    if (4 * longest_kernel(fewer) > most_instructions || !rewrite::reads_windows(loop_))
      return false;
    for (std::int64_t j = 0; j < numbers_.carries; ++j) {
      // In GLSL ES 1.00 only a texture rounds to halves and wraps bytes.
      const DType dtype = scene_.at(item(loop_.inputs, j)).dtype;
      const bool is_narrow = dtype == DType::float16 || dtype == DType::uint8;
      if (is_narrow && scene_.target.dialect == core::Dialect::es100) return false;
    }
    return true;
  }

  /// Whether more steps at once cost less than fewer.
  bool pays(const lower::Draft& more, const lower::Draft& fewer) const {
    // Long kernels take longer than their instructions suggest: on llvmpipe up to three times.
    constexpr double slower = 3;
    // A smaller gain is not worth a kernel that takes longer to compile.
    constexpr double less = 0.9;
    core::Costs costs = scene_.costs;
    costs.instruction *= slower;
    return longest_kernel(more) <= most_instructions &&
           lower::nanoseconds_of(more.steps, costs) <
               less * lower::nanoseconds_of(fewer.steps, costs);
  }

  /// Whether element by element can be taken without a comparison. A kernel has separate text for
  /// each value of an element. With several values, compiling may take longer than draws of single
  /// iterations in all runs.
  bool compiles_quickly(const lower::Draft& batch) const {
    const bool has_several_values =
        std::any_of(loop_.body->results.begin(), loop_.body->results.begin() + numbers_.carries,
                    [&](std::int32_t carry) {
                      return values_per_element(batch_, (*loop_.body)[carry].shape).numel() > 1;
                    });
    return !has_several_values || compile_nanoseconds(batch) <= lower::quick_to_compile;
  }
  double compile_nanoseconds(const lower::Draft& draft) const {
    return lower::compile_nanoseconds_of(draft.steps, scene_.costs);
  }
  double total(const lower::Draft& draft) const {
    return lower::total_nanoseconds_of(draft.steps, scene_.costs);
  }

  /// The reason why no kernel can hold the loop, element by element; empty if one may.
  std::string coupling() const {
    if (batch_.coupled_by >= 0) {
      const ir::Graph::Entry& by = (*loop_.body)[batch_.coupled_by];
      if (by.kind != ir::Kind::output) {
        return name_of(by) + " reads a carry at other indices than its own";
      }
      return "its body has a loop of other elements, with outputs, or of an unknown number of "
             "iterations";
    }
    return batch_.axes >= 0 ? "" : "an element has too many values, or another condition than one";
  }
  std::string why_batched() const {
    return fmt::format(
        "the loop stands in the kernel: the elements of {} do not depend on each other",
        to_string(batch_.shape));
  }

  /// The draft with further notes first: the kind of loop, and why it runs in this way.
  lower::Draft explained(lower::Draft draft, std::string why) const {
    std::vector<std::string> notes;
    if (numbers_.is_rolled != 0) {
      notes.push_back(fmt::format("{} equal iterations, rolled into a loop", numbers_.iterations));
      if (numbers_.slices > 0) {
        notes.push_back(fmt::format(
            "{} of their numbers differ between iterations: a table of uniforms", numbers_.slices));
      }
    }
    notes.push_back(std::move(why));
    std::move(draft.notes.begin(), draft.notes.end(), std::back_inserter(notes));
    draft.notes = std::move(notes);
    return draft;
  }

  const lower::Scene& scene_;
  const schedule::Group& group_;
  const ir::Graph::Entry& loop_;
  const ir::LoopAttrs numbers_;
  const rewrite::LoopBatch batch_;
  const lower::Draft& before_;
};

}  // namespace

bool lower_loop(const lower::Scene& scene, const schedule::Group& group, lower::Draft& draft) {
  std::optional<lower::Draft> best = LoopChoice(scene, group, draft).run();
  if (best) draft = std::move(*best);
  return best.has_value();
}

}  // namespace trigon::detail::pipeline

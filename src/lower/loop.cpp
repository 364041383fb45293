// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "core/called.hpp"
#include "core/item.hpp"
#include "core/math.hpp"
#include "core/walk.hpp"
#include "lower/domain.hpp"
#include "lower/loop.hpp"
#include "lower/loop_kernel.hpp"

namespace trigon::detail::lower {
namespace {

/// One draw for some results of the loop.
struct Drawn {
  plan::Step step;
  std::vector<plan::StepOutput> outputs;
  bool fits = false;
};

/// Elements in C order without gaps. One long row is folded, like a padded one.
core::Layout flat_batch(const core::Target& target, DType dtype, const Shape& batch) {
  if (batch.rank() > 1 && batch.back() % core::lanes == 0)
    return core::flat_layout(target, dtype, batch);
  core::Layout layout = core::padded_layout(target, dtype, {batch.numel()});
  layout.shape = batch;
  std::int64_t stride = 1;
  for (int k = batch.rank(); k-- > 0; stride *= batch[k]) item(layout.strides, k) = stride;
  return layout;
}

/// The layout of a loop's elements in a texture; several `values` per element lie in layers.
core::Layout layout_of_batch(const core::Target& target, DType dtype, const Shape& batch,
                             const Shape& values, Rows rows) {
  core::Layout one;
  if (rows == Rows::texels) {
    Shape texels = batch;
    texels.insert(0, 1);
    one = core::with_shape(core::texel_layout(target, dtype, texels), batch);
  } else {
    one = rows == Rows::flat ? flat_batch(target, dtype, batch)
                             : core::padded_layout(target, dtype, batch);
  }
  const std::int64_t several = values.numel();
  if (several == 1) return one;
  if (one.layers > 1) {
    core::fail_on_device("eval", "too many elements of a loop for the device: shape {}",
                         to_string(batch));
  }
  core::Layout layout = one;
  layout.layers = several;
  layout.slab = one.height;
  std::int64_t stride = one.height * one.pitch();
  for (int axis = values.rank(); axis-- > 0; stride *= values[axis]) {
    item(layout.strides, batch.rank() + axis) = stride;
  }
  for (std::int64_t dim : values) layout.shape.push_back(dim);
  return layout;
}

const ir::Graph::Entry& result_of(const ir::Graph::Entry& loop, std::int64_t j) {
  return (*loop.body)[item(loop.body->results, j)];
}
bool is_output(const ir::Graph::Entry& loop, std::int64_t j) {
  return j >= loop_attrs(loop).carries;
}
std::int64_t values_of(const ir::Graph::Entry& loop, const LoopRun& run, std::int64_t j) {
  return values_per_element(run.batch, result_of(loop, j).shape).numel();
}

/// The elements of a draw, after an axis of steps if each step has its own elements.
Shape batch_of(const ir::Graph::Entry& loop, const LoopRun& run) {
  Shape batch = run.batch.shape;
  if (run.each_step) batch.insert(0, loop_attrs(loop).iterations);
  return batch;
}

/// Such a layout for each trip, one after the other. All draws write `steps` of them, but the first
/// one may make fewer trips; then its first layers hold nothing. In rows, all draws write the same
/// layers, and the rows of each draw follow those of the draw before.
core::Layout layout_of_trips(const core::Layout& one, std::int64_t trips, const LoopRun& run) {
  core::Layout layout = one;
  const std::int64_t stride = one.pitch() * one.height * one.layers;
  const std::int64_t all = core::round_up(trips, run.steps);
  layout.shape.insert(0, trips);
  std::copy_backward(one.strides.begin(), one.strides.end() - 1, layout.strides.end());
  layout.strides[0] = stride;
  layout.offset = (all - trips) * stride;
  layout.layers = (run.in_rows ? run.steps : all) * one.layers;
  layout.height = one.height * (run.in_rows ? all / run.steps : 1);
  layout.slab = one.height;
  return layout;
}

/// The target of a result's values, over the same elements as all others.
plan::StepOutput target_of(const Scene& scene, const ir::Graph::Entry& loop, const LoopRun& run,
                           std::int64_t j, Rows rows) {
  const ir::Graph::Entry& entry = result_of(loop, j);
  const Shape rest = core::without_ones(values_per_element(run.batch, entry.shape));
  const Shape batch = core::without_ones(batch_of(loop, run));
  const core::Layout one = layout_of_batch(scene.target, entry.dtype, batch, rest, rows);
  Shape shape = entry.shape;
  if (is_output(loop, j)) shape.insert(0, loop_attrs(loop).iterations);
  if (!is_output(loop, j) || run.each_step) {
    return {.layout = core::with_shape(one, shape), .attachments = rest.numel()};
  }
  const std::int64_t layers = run.steps * rest.numel();
  if (!run.before.empty()) {
    const Place& made = item(run.before, j);
    kernel::IntExpr first = run.begin;
    first.base = first.scale = layers;
    if (run.in_rows) first = {};
    return {.slot = made.slot,
            .layout = made.layout,
            .attachments = layers,
            .in_place = true,
            .first_layer = first};
  }
  const core::Layout all = layout_of_trips(one, shape[0], run);
  return {.layout = core::with_shape(all, shape), .attachments = layers};
}

/// Draws results into one texture or layer per value, over the same elements.
Drawn draw_batch(const Scene& scene, const ir::Graph::Entry& loop, const LoopRun& run,
                 const std::vector<std::int64_t>& results, Rows rows) {
  const Shape all = batch_of(loop, run);
  const Shape batch = core::without_ones(all);
  const core::Layout domain = layout_of_batch(scene.target, DType::float32, batch, {}, rows);
  Drawn drawn;
  for (std::int64_t j : results) {
    // One layer has to hold all elements of a step.
    if (is_output(loop, j) && domain.layers > 1) return drawn;
    drawn.outputs.push_back(target_of(scene, loop, run, j, rows));
    if (drawn.outputs.back().layout.height > scene.target.max_side) return drawn;
  }
  drawn.step = start_step(domain, 1);
  kernel::KernelBuilder b(scene.target);
  Fragment here = fragment(b, domain, drawn.step.draws);
  if (run.in_rows && drawn.outputs[0].in_place) {
    drawn.step.y = run.begin;
    drawn.step.y.base = drawn.step.y.scale = domain.height;
    if (domain.height > 1) {
      const std::int32_t uniform = b.int_uniform(drawn.step.y);
      here.y = b.variable(b.base_index(kernel::FragRow{.begin = uniform}, 0, domain.height));
    }
  }
  const core::Indices at = core::spread_index(all, index_of(b, here, domain, batch, rows));
  const auto element = at.end() - run.batch.shape.rank();
  Values outside(b, scene);
  LoopKernel kernel(outside, loop, run, core::Indices(element, at.end()));
  if (run.each_step) kernel.end_after(at[0]);
  kernel.build(results);
  for (std::int64_t j : results) {
    const Shape rest = values_per_element(run.batch, result_of(loop, j).shape);
    std::vector<std::int32_t> values;
    for (std::int64_t step = 0; is_output(loop, j) && step < run.steps; ++step) {
      for (std::int64_t k = 0; k < rest.numel(); ++k) values.push_back(kernel.output(j, step, k));
    }
    for (std::int64_t k = 0; !is_output(loop, j) && k < rest.numel(); ++k) {
      values.push_back(
          kernel.result(j, b.unravel(core::Affine{{}, k}, {rest.begin(), rest.end()})));
    }
    store(b, values, result_of(loop, j).dtype);
  }
  drawn.fits = finish(b, drawn.step) && kernel.is_local();
  return drawn;
}

/// Registers of four elements that a fragment keeps while the loop runs: its carries, and values
/// loaded before the loop. The first draw of a loop has as many as those that continue it.
std::int64_t registers_of(const kernel::Kernel& kernel) {
  std::set<std::int32_t> loaded;
  for (const kernel::Instr& instr : kernel.code) {
    each<kernel::Operand>(instr, [&](kernel::Operand operand) {
      const bool is_kept = instr.block > 0 && kernel[operand].block == 0;
      if (is_kept && kernel[operand].is<kernel::Load>()) loaded.insert(operand);
    });
  }
  std::int64_t sum = std::ssize(loaded);
  for (const kernel::Block& block : kernel.blocks) sum += std::ssize(block.carried);
  return sum;
}

/// One draw, with four elements per fragment, or with one if a GPU would otherwise run out of
/// registers.
Drawn draw_batch(const Scene& scene, const ir::Graph::Entry& loop, const LoopRun& run,
                 const std::vector<std::int64_t>& results) {
  const bool flat = std::all_of(results.begin(), results.end(),
                                [&](std::int64_t j) { return values_of(loop, run, j) == 1; });
  Drawn four = draw_batch(scene, loop, run, results, flat ? Rows::flat : Rows::padded);
  if (run.each_step) return four;
  constexpr std::int64_t most = 40;
  const std::int64_t batch = run.batch.shape.numel();
  const bool spills = scene.costs.wait > 0 && four.fits && registers_of(*four.step.kernel) > most;
  if (!spills || batch > scene.target.max_side * scene.target.max_side / 4) return four;
  Drawn one = draw_batch(scene, loop, run, results, Rows::texels);
  return one.fits ? one : four;
}

/// One carry, its elements in C order: each lane of a texel runs the loop for its own element.
Drawn draw_by_elements(const Scene& scene, const ir::Graph::Entry& loop, const LoopRun& run,
                       std::int64_t carry) {
  const ir::Graph::Entry& entry = result_of(loop, carry);
  const Shape shape = core::without_ones(entry.shape);
  const core::Layout layout = core::flat_layout(scene.target, entry.dtype, shape);
  Drawn drawn{.step = start_step(layout, 1),
              .outputs = {{.layout = core::with_shape(layout, entry.shape)}}};
  kernel::KernelBuilder b(scene.target);
  const core::Indices at = core::spread_index(
      entry.shape, index_of(b, fragment(b, layout, drawn.step.draws), layout, shape, Rows::flat));
  const auto split = at.end() - values_per_element(run.batch, entry.shape).rank();
  core::Indices element(at.begin(), split);
  while (std::ssize(element) < run.batch.axes) element.emplace_back();
  Values outside(b, scene);
  LoopKernel kernel(outside, loop, run, std::move(element));
  kernel.build({});
  store(b, {kernel.result(carry, core::Indices(split, at.end()))}, entry.dtype);
  drawn.fits = finish(b, drawn.step) && kernel.is_local();
  return drawn;
}

/// The targets that a draw of all elements needs for a result; 0 if such a draw cannot hold it.
std::int64_t targets_of(const Scene& scene, const ir::Graph::Entry& loop, const LoopRun& run,
                        std::int64_t j) {
  const std::int64_t several = values_of(loop, run, j);
  const std::int64_t targets = is_output(loop, j) ? several * run.steps : several;
  const bool layers = scene.target.dialect != core::Dialect::es100;
  const bool fits = targets <= scene.target.draw_buffers && (targets == 1 || layers);
  return fits && has_batch(run.batch, result_of(loop, j).shape) ? targets : 0;
}

/// Results by draw. A carry that has to be drawn by its elements is alone.
std::vector<std::vector<std::int64_t>> draws_for(const Scene& scene, const ir::Graph::Entry& loop,
                                                 const LoopRun& run,
                                                 const std::vector<std::int64_t>& results) {
  std::vector<std::vector<std::int64_t>> draws;
  std::int64_t used = scene.target.draw_buffers;
  for (std::int64_t j : results) {
    const std::int64_t targets = targets_of(scene, loop, run, j);
    if (targets == 0) continue;
    const bool is_separate =
        run.in_rows && !draws.empty() && is_output(loop, draws.back()[0]) != is_output(loop, j);
    if (used + targets > scene.target.draw_buffers || is_separate) {
      draws.emplace_back();
      used = 0;
    }
    used += targets;
    draws.back().push_back(j);
  }
  for (std::int64_t j : results) {
    if (targets_of(scene, loop, run, j) == 0) draws.push_back({j});
  }
  return draws;
}

/// The number of trips that such a draw may have; `trips`: those that it has now.
std::int64_t trips_that_fit(const Scene& scene, const plan::Step& draw, std::int64_t trips) {
  const double all = static_cast<double>(trips);
  const double with_inner = static_cast<double>(scene.target.trip_limit) * all /
                            static_cast<double>(std::max<std::int64_t>(draw.trips, 1));
  const core::Costs& costs = scene.costs;
  const double fixed = costs.draw + static_cast<double>(draw.fragments) * costs.fill;
  const double in_time =
      all * (costs.longest_draw - fixed) / (nanoseconds_of(draw, costs) - fixed + 1);
  return static_cast<std::int64_t>(std::clamp(std::min(with_inner, in_time), 1.0, all));
}

}  // namespace

std::vector<bool> needed_results(const ir::Graph::Entry& loop,
                                 const std::vector<std::int64_t>& asked) {
  const ir::Graph& body = *loop.body;
  const ir::LoopAttrs numbers = loop_attrs(loop);
  std::vector<bool> needed(body.results.size(), false);
  core::Walk<std::int32_t> walk({});
  const auto need = [&](std::int64_t j) {
    if (item(needed, j)) return;
    item(needed, j) = true;
    walk.add(item(body.results, j));
  };
  for (std::int64_t j : asked) need(j);
  // A loop with a condition needs all its results.
  for (std::int64_t j = 0; numbers.has_condition && j < std::ssize(needed); ++j) need(j);
  for (const std::int32_t k : walk) {
    const ir::Graph::Entry& entry = body[k];
    walk.add(entry.inputs);
    if (entry.kind != ir::Kind::parameter) continue;
    const std::int64_t input = entry.as<ir::ParameterAttrs>().input;
    if (numbers.is_carry(input)) need(input);
  }
  return needed;
}

std::vector<std::int64_t> with_carries(const ir::Graph::Entry& loop,
                                       std::vector<std::int64_t> asked) {
  const std::vector<bool> needed = needed_results(loop, asked);
  std::erase_if(asked, [&](std::int64_t j) { return !is_output(loop, j); });
  for (std::int64_t j = 0; j < loop_attrs(loop).carries; ++j) {
    if (item(needed, j) && result_of(loop, j).shape.numel() > 0) asked.push_back(j);
  }
  return asked;
}

void choose_steps(const Scene& scene, const ir::Graph::Entry& loop,
                  const std::vector<std::int64_t>& asked, std::int64_t most, LoopRun& run) {
  const ir::LoopAttrs numbers = loop_attrs(loop);
  const core::Target& target = scene.target;
  std::int64_t best = 0;
  const auto fits = [&](std::int64_t j) {
    const std::int64_t steps =
        run.in_rows ? run.steps : core::round_up(numbers.iterations, run.steps);
    return !is_output(loop, j) || (result_of(loop, j).shape.numel() > 0 &&
                                   steps * values_of(loop, run, j) <= target.max_layers &&
                                   targets_of(scene, loop, run, j) > 0);
  };
  const bool counted = !numbers.iterations_scalar.is_given() && !numbers.has_condition;
  const std::vector<std::int64_t> all = with_carries(loop, asked);
  std::pair<std::int64_t, std::int64_t> fewest;
  for (const bool in_rows : {false, true}) {
    if (best > 0 || !counted || target.dialect == core::Dialect::es100) break;
    run.in_rows = in_rows;
    run.steps = std::min({most, numbers.iterations, target.trip_limit});
    for (; run.steps > 0; --run.steps) {
      if (!std::all_of(asked.begin(), asked.end(), fits)) continue;
      const bool once = run.steps == numbers.iterations;
      const std::int64_t each = std::ssize(draws_for(scene, loop, run, once ? asked : all));
      const std::int64_t draws = core::ceil_div(numbers.iterations, run.steps) * each;
      if (draws > numbers.iterations || (best > 0 && std::pair(each, draws) >= fewest)) continue;
      best = run.steps;
      fewest = {each, draws};
    }
  }
  run.steps = best;
}

LoopDraws lower_loop_run(const Scene& scene, const ir::Graph::Entry& loop, const LoopRun& run,
                         const std::vector<std::int64_t>& results, Draft& draft) {
  LoopDraws draws{.trips = run.most, .places = std::vector<Place>(loop.body->results.size())};
  for (const std::vector<std::int64_t>& together : draws_for(scene, loop, run, results)) {
    const bool by_batch = targets_of(scene, loop, run, together[0]) > 0;
    if (!by_batch && is_output(loop, together[0])) return draws;
    Drawn drawn = by_batch ? draw_batch(scene, loop, run, together)
                           : draw_by_elements(scene, loop, run, together[0]);
    draws.trips = std::min(draws.trips, trips_that_fit(scene, drawn.step, run.most));
    if (!drawn.fits) return draws;
    drawn.step.label = label("loop", result_of(loop, together[0]));
    add_step(draft, std::move(drawn.step), {}, drawn.outputs);
    for (std::size_t k = 0; k < together.size(); ++k) {
      const plan::StepOutput& output = draft.steps.back().outputs[k];
      item(draws.places, together[k]) = {output.slot, output.layout};
    }
  }
  draws.fit = true;
  return draws;
}

core::Layout row_layout(const core::Target& target, DType dtype, const Shape& shape) {
  const Shape core = core::without_ones(shape);
  Shape row = shape;
  row.erase(0);
  if (core::without_ones(row).rank() == 0 && shape[0] <= target.max_side && shape[0] > 1) {
    core::Layout layout{.dtype = dtype, .shape = core, .height = shape[0], .slab = shape[0]};
    layout.strides[0] = layout.elements_per_texel;
    return core::with_shape(layout, shape);
  }
  core::Layout layout = core::padded_layout(target, dtype, core);
  const std::int64_t run =
      core.rank() == 0 ? 1 : core::ceil_div(core.back(), layout.elements_per_texel);
  const std::int64_t rows = core.rank() == 0 ? 1 : core.numel() / core.back();
  if (run <= target.max_side && rows <= target.max_side) {
    layout.width = run;
    layout.height = layout.slab = rows;
    layout.layers = 1;
  }
  return core::with_shape(layout, shape);
}

}  // namespace trigon::detail::lower

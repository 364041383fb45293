// SPDX-License-Identifier: MIT
#include "lower/domain.hpp"

#include <algorithm>
#include <set>
#include <unordered_set>

#include <fmt/format.h>

#include "core/item.hpp"
#include "core/math.hpp"
#include "core/walk.hpp"

namespace trigon::detail::lower {

Fragment fragment(kernel::KernelBuilder& b, const core::Layout& layout, std::int64_t draws) {
  const std::int64_t texel = layout.elements_per_texel;
  std::int64_t columns = layout.pitch();
  // If a texture row is one row of the tensor, texels past its end hold no columns.
  const int rank = layout.shape.rank();
  const bool row_by_row = rank == 1 || (rank > 1 && item(layout.strides, rank - 2) == columns);
  if (row_by_row && item(layout.strides, rank - 1) == 1 && layout.shape.back() <= columns &&
      columns - layout.shape.back() < 2 * texel) {
    columns = layout.shape.back();
  }
  Fragment at;
  at.x = b.variable(b.base_index(kernel::FragColumn{}, 0, core::ceil_div(columns, texel)));
  at.x4 = b.variable(b.base_index(kernel::FragColumn4{}, 0, columns));
  if (layout.height == 1 && draws == 1) return at;
  const std::int64_t rows = layout.height * draws;
  if (draws == 1) {
    at.y = b.variable(b.base_index(kernel::FragRow{}, 0, rows));
  } else {
    const std::int32_t above = b.int_uniform({.scalar = kernel::IntExpr::first_row});
    at.y = b.variable(b.base_index(kernel::FragRow{.rows_before = above}, 0, rows));
  }
  return at;
}

kernel::KernelBuilder::Split row_of(kernel::KernelBuilder& b, const core::Affine& e,
                                    const core::Layout& layout, const Shape& shape) {
  return b.split(e, core::round_up(shape.back(), layout.elements_per_texel));
}

core::Indices index_of(kernel::KernelBuilder& b, const Fragment& at, const core::Layout& layout,
                       const Shape& shape, Rows rows) {
  if (rows == Rows::texels) {
    return b.unravel(at.x + at.y * layout.width, {shape.begin(), shape.end()});
  }
  const core::Affine e = at.x4 + at.y * layout.pitch();
  if (rows == Rows::flat || shape.rank() < 2) return b.unravel(e, {shape.begin(), shape.end()});
  const auto found = row_of(b, e, layout, shape);
  Shape outer = shape;
  outer.erase(-1);
  core::Indices index = b.unravel(found.quotient, {outer.begin(), outer.end()});
  index.push_back(found.remainder);
  return index;
}

core::Affine member_of(kernel::KernelBuilder& b, std::int64_t columns, std::int64_t rows) {
  core::Affine member;
  if (rows > 1) member = b.variable(b.base_index(kernel::MemberRow{}, 0, rows)) * columns;
  if (columns > 1) member = member + b.variable(b.base_index(kernel::MemberColumn{}, 0, columns));
  return member;
}

plan::Step start_step(const core::Layout& layout, std::int64_t attachments) {
  plan::Step step;
  step.w = layout.width;
  step.h = layout.height;
  step.draws = layout.layers / attachments;
  return step;
}

void store(kernel::KernelBuilder& b, const std::vector<std::int32_t>& values, DType dtype) {
  const core::Type type = core::texel_type(b.target(), dtype);
  for (std::int32_t value : values) {
    const bool to_bytes = type != core::register_type(b.target(), dtype);
    b.output(to_bytes ? b.convert(value, type) : value, type);
  }
}

bool finish(kernel::KernelBuilder& b, plan::Step& step) {
  const bool fits = b.finish(step);
  step.fragments = step.w * step.h * step.draws * step.overlays;
  return fits;
}

double nanoseconds_of(const plan::Step& step, const core::Costs& costs) {
  const double fragment = static_cast<double>(step.fetches) * costs.fetch +
                          static_cast<double>(step.instructions) * costs.instruction +
                          static_cast<double>(step.attachments()) *
                              (step.overlays > 1 || step.points ? costs.blend : costs.fill);
  const double draw = costs.draw + static_cast<double>(step.trips) * costs.trip;
  // A side of a cond is assumed to be taken every other time.
  const double taken = step.guards.empty() ? 1 : 0.5;
  return static_cast<double>(step.draws) * draw +
         taken * static_cast<double>(step.fragments) * fragment;
}

double nanoseconds_of(const std::vector<plan::Step>& steps, const core::Costs& costs) {
  double sum = 0;
  for (const plan::Step& step : steps) {
    const std::int64_t most = step.until >= 0 ? core::iterations_of_while_loop : step.repeats.base;
    const auto trips =
        static_cast<double>(core::ceil_div(std::min(step.repeats.base, most), step.chunk));
    sum +=
        step.is_repeat() ? trips * nanoseconds_of(step.body, costs) : nanoseconds_of(step, costs);
  }
  return sum;
}

double compile_nanoseconds_of(const std::vector<plan::Step>& steps, const core::Costs& costs) {
  std::unordered_set<kernel::ProgramKey, kernel::ProgramHash, kernel::ProgramEqual> known;
  std::set<std::pair<kernel::PointsProgram, std::size_t>> points;
  double sum = 0;
  core::Walk<const plan::Step*> walk({});
  const auto add = [&](const std::vector<plan::Step>& all) {
    for (const plan::Step& step : all) walk.add(&step);
  };
  add(steps);
  for (const plan::Step* step : walk) {
    add(step->body);
    const std::size_t guards = step->guards.size();
    if (step->points && points.emplace(step->points->program, guards).second) {
      sum += costs.compile_program;
    }
    if (step->kernel == nullptr || !known.insert({step->kernel, guards}).second) continue;
    sum += core::compile_nanoseconds(step->compiled, costs);
  }
  return sum;
}

double total_nanoseconds_of(const std::vector<plan::Step>& steps, const core::Costs& costs) {
  return costs.runs * nanoseconds_of(steps, costs) + compile_nanoseconds_of(steps, costs);
}

std::string label(std::string_view kind, const ir::Graph::Entry& entry) {
  return fmt::format("{} {} {}", kind, to_string(entry.shape), name(entry.dtype));
}

void add_step(Draft& draft, plan::Step step, const std::vector<std::int32_t>& entries,
              const std::vector<plan::StepOutput>& outputs) {
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    plan::StepOutput output = outputs[k];
    if (output.slot < 0) output.slot = draft.slots++;
    if (k < entries.size())
      draft.places.emplace_back(entries[k], Place{output.slot, output.layout});
    step.outputs.push_back(output);
  }
  if (!entries.empty()) step.node = entries[0];
  draft.steps.push_back(std::move(step));
}

std::optional<core::Layout> layout_through(const ir::Graph::Entry& view, const core::Layout& base) {
  core::Layout layout = base;
  layout.shape = view.shape;
  layout.strides = {};
  if (view.kind == ir::Kind::reshape) {
    if (!core::is_flat(base)) return std::nullopt;
    std::int64_t stride = 1;
    for (int k = view.shape.rank(); k-- > 0; stride *= view.shape[k]) {
      item(layout.strides, k) = stride;
    }
    return layout;
  }
  for (std::size_t k = 0; k < view.view.size(); ++k) {
    const ir::ViewAxis& axis = view.view[k];
    if (!axis.terms.empty()) return std::nullopt;
    layout.offset += axis.start * base.strides[k];
    for (std::size_t o = 0; o < axis.factors.size(); ++o) {
      layout.strides[o] += axis.factors[o] * base.strides[k];
    }
  }
  return layout;
}

namespace {

/// The last axis that is longer than 1, or -1.
int last_long(const Shape& shape, int end) {
  while (end > 0 && shape[end - 1] == 1) --end;
  return end - 1;
}

/// The axis of `from` whose neighbours are those along `axis` after a reshape to `to`, or -1.
int source_axis(const Shape& from, const Shape& to, int axis) {
  int i = last_long(from, from.rank());
  int j = last_long(to, to.rank());
  // Groups of axes whose sizes have equal products, from the last.
  while (i >= 0 && j >= 0) {
    const int first_i = i, first_j = j;
    std::int64_t a = from[i], b = to[j];
    while (a != b) {
      if (a < b) {
        i = last_long(from, i);
        if (i < 0) return -1;
        a *= from[i];
      } else {
        j = last_long(to, j);
        if (j < 0) return -1;
        b *= to[j];
      }
    }
    const bool single = i == first_i && j == first_j;
    const bool whole = from[first_i] % core::lanes == 0 && to[first_j] % core::lanes == 0;
    if (axis == first_j) return single || whole ? first_i : -1;
    if (axis >= j) return -1;
    i = last_long(from, i);
    j = last_long(to, j);
  }
  return -1;
}

/// The same for a view.
int source_axis(const ir::Graph::Entry& view, const Shape& from, int axis) {
  int source = -1;
  for (int k = 0; k < from.rank(); ++k) {
    const ir::ViewAxis& at = item(view.view, k);
    const std::int64_t factor = item(at.factors, axis);
    if (factor == 0) continue;
    if (factor != 1 || source >= 0) return -1;
    source = k;
  }
  if (source < 0) return -1;
  const ir::ViewAxis& at = item(view.view, source);
  if (at.start % core::lanes != 0) return -1;
  for (int o = 0; o < view.shape.rank(); ++o) {
    if (o != axis && item(at.factors, o) % core::lanes != 0) return -1;
  }
  const bool whole =
      std::all_of(at.terms.begin(), at.terms.end(),
                  [](const ir::ViewAxis::Term& term) { return term.factor % core::lanes == 0; });
  return whole ? source : -1;
}

}  // namespace

bool lanes_along(const Scene& scene, const Copies& copies, std::int32_t entry, int axis) {
  if (scene.at(entry).shape[axis] == 1) return true;
  std::int32_t at = entry;
  for (;;) {
    const ir::Graph::Entry& here = scene.at(at);
    const Place& place = place_of(scene, copies, at);
    if (place.slot >= 0) {
      const core::Layout& layout = place.layout;
      if (layout.offset % core::lanes != 0) return false;
      for (int k = 0; k < here.shape.rank(); ++k) {
        if (here.shape[k] == 1) continue;
        const std::int64_t stride = item(layout.strides, k);
        if (k == axis ? stride != 1 : stride % core::lanes != 0) return false;
      }
      return true;
    }
    if (!is_view(here.kind)) return false;
    const Shape& from = scene.at(here.inputs[0]).shape;
    axis = here.kind == ir::Kind::view ? source_axis(here, from, axis)
                                       : source_axis(from, here.shape, axis);
    if (axis < 0) return false;
    at = here.inputs[0];
  }
}

}  // namespace trigon::detail::lower

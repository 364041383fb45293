// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "core/called.hpp"
#include "core/item.hpp"
#include "core/math.hpp"
#include "lower/copy.hpp"
#include "lower/domain.hpp"

namespace trigon::detail::lower {
namespace {

/// One axis of the updates, with its strides in the offsets of the three tensors.
struct Axis {
  std::int64_t size, values, indices, target;
};

/// The parameters of a scatter.
struct Scattered : core::ScatterAttrs {
  std::int64_t rows;  ///< of x

  explicit Scattered(const ir::Graph::Entry& entry)
      : core::ScatterAttrs(entry.as<core::ScatterAttrs>()), rows(entry.shape[axis]) {}
};

/// The axes of the updates that are not of size 1, outermost first.
std::vector<Axis> axes_of(const Scattered& scatter, const core::Layout& values,
                          const core::Layout& indices, const core::Layout& target) {
  const int named = scatter.along ? 1 : indices.shape.rank();
  const auto stride = [](const core::Layout& layout, int axis) {
    return axis < 0 ? 0 : item(layout.strides, axis);
  };
  std::vector<Axis> axes;
  for (int k = 0; k < values.shape.rank(); ++k) {
    if (values.shape[k] == 1) continue;
    const bool is_row = k >= scatter.axis && k < scatter.axis + named;
    const int in_indices = scatter.along ? k : is_row ? k - scatter.axis : -1;
    const int in_target = is_row ? -1 : k < scatter.axis ? k : k - named + 1;
    axes.push_back({values.shape[k], stride(values, k), stride(indices, in_indices),
                    stride(target, in_target)});
  }
  return axes;
}

/// Offsets and numbers of points are ints in the shader.
void check_extent(const core::Layout& layout) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  const std::int64_t end = layout.pitch() * layout.height * layout.layers;
  if (end <= most) return;
  core::fail_on_device("scatter_add",
                       "too many elements for the shader's integers: {} takes {} "
                       "places; at most {}; compute parts of the tensor on their own",
                       to_string(layout.shape), end, most);
}

/// Whether the innermost axis can be walked texel by texel.
bool by_texels(const std::vector<Axis>& axes, const core::Layout& values,
               const core::Layout& target, std::int64_t row_stride) {
  const auto is_whole = [](std::int64_t offset) { return offset % core::lanes == 0; };
  if (axes.empty() || !is_whole(row_stride)) return false;
  if (!is_whole(values.offset) || !is_whole(target.offset)) return false;
  const Axis& inner = axes.back();
  if (inner.values != 1 || inner.target != 1 || inner.indices != 0) return false;
  return std::all_of(axes.begin(), axes.end() - 1, [&](const Axis& axis) {
    return is_whole(axis.values) && is_whole(axis.target);
  });
}

std::vector<kernel::IntExpr> uniforms(const std::vector<Axis>& axes, const Scattered& scatter,
                                      const core::Layout& values, const core::Layout& indices,
                                      const core::Layout& target) {
  using U = kernel::PointsUniforms;
  auto ints = vector_of<kernel::IntExpr>(U::vectors * 4);
  const auto set = [&](std::size_t vector, std::array<std::int64_t, 4> numbers) {
    for (std::size_t k = 0; k < 4; ++k) ints[vector * 4 + k] = {.base = numbers[k]};
  };
  for (std::size_t k = 0; k < axes.size(); ++k) {
    set(U::axes + k, {axes[k].size, axes[k].values, axes[k].indices, axes[k].target});
  }
  const auto count = static_cast<std::int64_t>(axes.size());
  const std::int64_t row_stride = item(target.strides, scatter.axis);
  set(U::values, {values.width, values.slab, values.layers, count});
  set(U::indices, {indices.width, indices.slab, indices.layers, scatter.clamps ? 1 : 0});
  set(U::target, {target.width, target.slab, target.layers, 0});
  ints[U::target * 4 + 3] = {.scalar = kernel::IntExpr::first_row};
  set(U::rows, {scatter.rows, row_stride, target.height, 0});
  set(U::starts, {values.offset, indices.offset, target.offset, 0});
  return ints;
}

/// The place from which points read an operand: its own, that of the entry that it views, or a
/// copy. They read plain texels. False if the copy exceeds the target.
bool place_operand(const Scene& scene, std::int32_t entry, Draft& draft, Place& place) {
  std::vector<std::int32_t> views;
  std::int32_t base = entry;
  while (scene.place(base).slot < 0 && is_view(scene.at(base).kind)) {
    views.push_back(base);
    base = scene.at(base).inputs[0];
  }
  place = scene.place(base);
  bool seen = place.slot >= 0 && place.layout.is_plain();
  for (std::size_t k = views.size(); seen && k-- > 0;) {
    const std::optional<core::Layout> layout = layout_through(scene.at(views[k]), place.layout);
    seen = layout.has_value();
    if (seen) place.layout = *layout;
  }
  if (seen) return true;
  Copies copies;
  if (!copy_padded(scene, entry, "points read it by its strides", draft, copies)) return false;
  place = copies[0].second;
  place.layout = core::with_shape(place.layout, scene.at(entry).shape);
  return true;
}

}  // namespace

bool lower_scatter(const Scene& scene, const schedule::Group& group, Draft& draft) {
  const std::int32_t entry = group.outputs[0];
  const ir::Graph::Entry& scattered = scene.at(entry);
  const Scattered scatter(scattered);
  Place values, indices;
  if (!place_operand(scene, scattered.inputs[2], draft, values)) return false;
  if (!place_operand(scene, scattered.inputs[1], draft, indices)) return false;
  Place target = scene.place(scattered.inputs[0]);
  // A draw must not read the texture that it writes.
  const bool reads_target = target.slot == values.slot || target.slot == indices.slot;
  if (!scene.may_overwrite || reads_target || !target.layout.is_plain()) {
    if (target.slot >= 0) {
      draft.notes.push_back(fmt::format("copies {} for a scatter: it is still referred to",
                                        to_string(scattered.shape)));
    }
    Copies copies;
    if (!copy_flat(scene, scattered.inputs[0], group.reads, draft, copies)) return false;
    target = copies[0].second;
  }
  for (const Place* place : {&values, &indices, &target}) check_extent(place->layout);
  std::vector<Axis> axes = axes_of(scatter, values.layout, indices.layout, target.layout);
  const std::int64_t row_stride = item(target.layout.strides, scatter.axis);
  const bool whole = by_texels(axes, values.layout, target.layout, row_stride);
  if (whole) {
    axes.back() = {core::ceil_div(axes.back().size, core::lanes), core::lanes, 0, core::lanes};
  }

  plan::Step step = start_step(target.layout, 1);
  const DType index = scene.at(scattered.inputs[1]).dtype;
  step.points = kernel::Points{.program = {.whole_texels = whole,
                                           .index = core::texel_type(scene.target, index),
                                           .layered_values = values.layout.layers > 1,
                                           .layered_indices = indices.layout.layers > 1}};
  for (const Axis& axis : axes) step.points->count *= axis.size;
  if (step.points->count > std::numeric_limits<std::int32_t>::max()) {
    core::fail_on_device("scatter_add",
                         "too many updates: {} points; one draw has at most 2^31 - 1",
                         step.points->count);
  }
  step.inputs = {values.slot, indices.slot};
  step.ints = uniforms(axes, scatter, values.layout, indices.layout, target.layout);
  step.fetches = 2;
  step.fragments = step.points->count * step.draws;
  step.label = label("scatter_add", scattered);
  add_step(draft, std::move(step), {entry},
           {{.slot = target.slot, .layout = target.layout, .in_place = true}});
  return true;
}

}  // namespace trigon::detail::lower

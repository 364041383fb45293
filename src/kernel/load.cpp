// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "core/item.hpp"
#include "kernel/builder.hpp"

namespace trigon::detail::kernel {

KernelBuilder::Address KernelBuilder::address(const core::Layout& layout,
                                              const core::Affine& offset) {
  const core::Affine e = normalize(offset);
  Address result;
  const std::int64_t pitch = layout.width * 4;
  if (layout.height == 1 && layout.layers == 1) {
    result.x = e;
    return result;
  }
  // No division is needed if the ranges prove which part of e is the column.
  const Split parts = split(e, pitch);
  result.x = parts.remainder;
  result.y = parts.quotient;
  if (layout.layers == 1) return result;
  const Split by_slab = split(result.y, layout.slab);
  const std::int64_t group = layout.height / layout.slab;
  if (group <= 1) {
    result.layer = by_slab.quotient;
    result.y = by_slab.remainder;
  } else {
    const Split by_layer = split(by_slab.quotient, layout.layers);
    result.layer = by_layer.remainder;
    result.y = by_layer.quotient * layout.slab + by_slab.remainder;
  }
  return result;
}

std::int32_t KernelBuilder::texel_coordinate(const core::Affine& index, std::int32_t input,
                                             bool row, bool each_lane) {
  const std::int32_t source = materialise(index);
  Instr instr{.code = Code::texel_coordinate, .type = core::Type::i, .lane = lane(index)};
  // The coordinate of a texel is that of its first lane, unless each lane reads its own texel.
  if (each_lane && instr.lane != Lane::uniform) instr.lane = Lane::vector;
  instr.mode = row ? 1 : 0;
  instr.args = {source};
  if (kernel_.sampled) {
    // 1 / side is a uniform, so that the centre of a texel is found by a multiplication.
    auto& slot = item(size_slots_, input);
    if (slot < 0) {
      const core::Layout& layout = item(input_layouts_, input);
      slot = static_cast<std::int32_t>(floats_.size());
      for (std::int64_t side : {layout.width, layout.height}) {
        floats_.push_back({.value = 1.0 / static_cast<double>(core::texture_side(target_, side))});
      }
    }
    instr.input = static_cast<std::int16_t>(input);
    instr.ints = {slot + (row ? 1 : 0)};
  }
  return add(std::move(instr));
}

Fetch KernelBuilder::fetch_of(const core::Affine& offset) const {
  const core::Affine e = normalize(offset);
  if (lane(e) == Lane::uniform) return Fetch::splat;
  return aligned(e) ? Fetch::row : Fetch::lanes;
}

std::int32_t KernelBuilder::load_texel(std::int32_t input, const core::Layout& layout,
                                       const Address& at, const Instr& how) {
  Instr instr = how;
  const auto fetch = static_cast<Fetch>(how.mode);
  const bool each_lane = fetch == Fetch::lanes;
  const bool free_component = fetch != Fetch::row && how.component < 0;
  instr.type = core::texel_type(target_, layout.dtype);
  instr.input = static_cast<std::int16_t>(input);
  instr.args = {texel_coordinate(at.x, input, false, each_lane),
                texel_coordinate(at.y, input, true, each_lane),
                layout.layers > 1 ? materialise(at.layer) : -1,
                free_component ? materialise(at.x) : -1};
  return add(std::move(instr));
}

std::int32_t KernelBuilder::load_shifted(std::int32_t input, const core::Layout& layout,
                                         const core::Affine& e) {
  const std::int64_t shift = ((e.constant % 4) + 4) % 4;
  if (shift == 0 || layout.layers > 1 || !aligned(e + -shift)) return -1;
  const std::int64_t pitch = layout.width * 4;
  if (layout.height > 1) {
    // Both texels must lie in one texture row; the ranges have to prove it.
    core::Affine rest, rows;
    for (const auto& term : e.terms) {
      (term.factor % pitch == 0 ? rows : rest).terms.push_back(term);
    }
    rest.constant = ((e.constant % pitch) + pitch) % pitch;
    for (const std::int64_t below : {std::int64_t{0}, pitch}) {
      core::Affine columns = rest + -below;
      const Bounds range = assumed_bounds(columns);
      if (range.low < 0 || range.high >= pitch) continue;
      rows.constant = (e.constant - columns.constant) / pitch * pitch;
      for (auto& term : rows.terms) term.factor /= pitch;
      rows.constant /= pitch;
      const Instr row{.code = Code::load, .lane = Lane::vector};
      const std::int32_t low = load_texel(input, layout, {columns + -shift, rows, {}}, row);
      const std::int32_t high = load_texel(input, layout, {columns + (4 - shift), rows, {}}, row);
      return add(Code::shift, type(low), {low, high}, static_cast<std::int8_t>(shift));
    }
    return -1;
  }
  const Instr row{.code = Code::load, .lane = Lane::vector};
  const std::int32_t low = load_texel(input, layout, {e + -shift, {}, {}}, row);
  const std::int32_t high = load_texel(input, layout, {e + (4 - shift), {}, {}}, row);
  return add(Code::shift, type(low), {low, high}, static_cast<std::int8_t>(shift));
}

core::Affine KernelBuilder::spread(const core::Affine& e) {
  if (is_wide(e)) {
    // Exactly one term has consecutive lanes.
    const auto term = std::find_if(
        e.terms.begin(), e.terms.end(),
        [&](const core::Affine::Term& each) { return kernel_[each.id].lane == Lane::consecutive; });
    const core::Affine first = variable(term->id);
    return e + first * -1 + spread(first);
  }
  Instr lanes{.code = Code::affine, .type = core::Type::i, .lane = Lane::vector};
  lanes.args = {materialise(e)};
  lanes.ints = {-1, -1};
  const Bounds range = bounds(e);
  lanes.block = kernel_[lanes.args[0]].block;
  Info info{.low = range.low, .high = range.high + 3};
  info.of.constant = std::numeric_limits<std::int64_t>::min();  // equals no sum
  return variable(push(lanes, info));
}

std::int32_t KernelBuilder::load(std::int32_t input, const core::Layout& layout,
                                 const core::Affine& offset) {
  core::Affine e = normalize(offset + layout.offset);
  const Fetch fetch = fetch_of(e);
  if (lane(e) == Lane::consecutive && fetch == Fetch::lanes) {
    const std::int32_t shifted = load_shifted(input, layout, e);
    if (shifted >= 0) return shifted;
    // The lanes may lie in several texels, so each has its own fetch.
    e = spread(e);
  }
  std::int8_t component = -1;
  const bool fixed =
      std::all_of(e.terms.begin(), e.terms.end(),
                  [](const core::Affine::Term& term) { return term.factor % 4 == 0; });
  if (fetch != Fetch::row && fixed) {
    component = static_cast<std::int8_t>(((e.constant % 4) + 4) % 4);
    e.constant -= component;
  }
  const Address at = address(layout, e);
  Instr instr{.code = Code::load};
  instr.lane = fetch == Fetch::splat && component < 0 ? Lane::uniform : Lane::vector;
  // One texel serves all splats of its components.
  const bool whole = fetch == Fetch::splat && component >= 0;
  instr.mode = static_cast<std::int8_t>(whole ? Fetch::row : fetch);
  if (fetch == Fetch::lanes) instr.component = component;
  const std::int32_t texel = load_texel(input, layout, at, instr);
  if (!whole) return texel;
  Instr chosen{.code = Code::swizzle, .type = type(texel), .mode = component};
  chosen.block = kernel_[texel].block;
  chosen.args = {texel};
  return push(chosen, {});
}

namespace {

/// {size, stride} of the axes, without those of size 1. Axes that follow each other in C order
/// without gaps are merged.
std::vector<std::array<std::int64_t, 2>> merged_axes(const core::Layout& layout) {
  std::vector<std::array<std::int64_t, 2>> axes;
  for (int k = 0; k < layout.shape.rank(); ++k) {
    const std::int64_t size = layout.shape[k];
    const std::int64_t stride = item(layout.strides, k);
    if (size == 1) continue;
    if (!axes.empty() && axes.back()[1] == stride * size) {
      axes.back() = {axes.back()[0] * size, stride};
    } else {
      axes.push_back({size, stride});
    }
  }
  if (axes.empty()) axes.push_back({1, 0});
  return axes;
}

}  // namespace

std::int32_t KernelBuilder::raw(std::int32_t input, const core::Layout& layout, bool by_number) {
  // Equal accesses are one instruction; otherwise their numbers would become separate uniforms.
  for (const RawAccess& known : raws_) {
    const bool same = known.input == input && known.by_number == by_number;
    if (same && known.layout == layout) return known.id;
  }
  check_integer(layout.width * 4 * layout.height * layout.layers);
  Instr instr{.code = Code::raw, .type = core::texel_type(target_, layout.dtype)};
  instr.mode = by_number ? 0 : 1;
  instr.input = static_cast<std::int16_t>(input);
  const auto number = [&](std::int64_t value) { instr.ints.push_back(int_slot({.base = value})); };
  std::vector<std::array<std::int64_t, 2>> axes;
  if (by_number) {
    number(layout.shape.numel());
    axes = merged_axes(layout);
  } else {
    for (int k = 0; k < layout.shape.rank(); ++k) {
      axes.push_back({layout.shape[k], item(layout.strides, k)});
    }
  }
  for (const auto& axis : axes) number(axis[0]);
  for (const auto& axis : axes) number(axis[1]);
  number(layout.offset);
  number(layout.width * 4);
  if (layout.layers > 1) {
    number(layout.slab);
    number(layout.layers);
  }
  if (kernel_.sampled) {
    for (const std::int64_t side : {layout.width, layout.height}) {
      const double inverse = 1.0 / static_cast<double>(core::texture_side(target_, side));
      instr.args.push_back(float_uniform({.value = inverse}));
    }
  }
  raws_.push_back({input, by_number, layout, add(std::move(instr))});
  return raws_.back().id;
}

}  // namespace trigon::detail::kernel

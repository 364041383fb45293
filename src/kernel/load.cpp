// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <utility>

#include "core/item.hpp"
#include "core/math.hpp"
#include "kernel/builder.hpp"

namespace trigon::detail::kernel {

KernelBuilder::Address KernelBuilder::address(const core::Layout& layout,
                                              const core::Affine& offset) {
  const core::Affine e = normalize(offset);
  Address result;
  const std::int64_t pitch = layout.pitch();
  if (layout.height == 1 && layout.layers == 1) {
    result.x = e;
    return result;
  }
  // No division is needed if the ranges prove which terms of e make the column.
  const Split found = split(e, pitch);
  result.x = found.remainder;
  result.y = found.quotient;
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
  const core::Layout& layout = item(input_layouts_, input);
  TexelCoordinate coordinate{.index = source, .is_row = row};
  if (!row) coordinate.elements_per_texel = static_cast<std::int32_t>(layout.elements_per_texel);
  // The coordinate of a texel is that of its first lane, unless each lane reads its own texel.
  Lane lane = this->lane(index);
  if (each_lane && lane != Lane::uniform) lane = Lane::vector;
  if (kernel_.sampled) {
    // 1 / side is a uniform, so that the centre of a texel is found by a multiplication.
    auto& uniform = item(size_uniforms_, input);
    if (uniform < 0) {
      uniform = static_cast<std::int32_t>(floats_.size());
      for (std::int64_t side : {layout.width, layout.height}) {
        floats_.push_back({.value = 1.0 / static_cast<double>(core::texture_side(target_, side))});
      }
    }
    coordinate.input = input;
    coordinate.inverse = uniform + (row ? 1 : 0);
  }
  return add(coordinate, core::Type::i, lane);
}

Fetch KernelBuilder::fetch_of(const core::Affine& offset) const {
  const core::Affine e = normalize(offset);
  if (lane(e) == Lane::uniform) return Fetch::splat;
  return aligned(e) ? Fetch::row : Fetch::lanes;
}

std::int32_t KernelBuilder::load_texel(std::int32_t input, const core::Layout& layout,
                                       const Address& at, Fetch fetch, std::int8_t component) {
  const bool each_lane = fetch == Fetch::lanes;
  const bool free_component = fetch != Fetch::row && component < 0;
  const Lane lane = fetch == Fetch::splat ? Lane::uniform : Lane::vector;
  const EncodingNumber encoding = encoding_of(layout);
  const bool decodes = encoding >= 0;
  return add(Load{.input = input,
                  .fetch = fetch,
                  .component = component,
                  .x = texel_coordinate(at.x, input, false, each_lane),
                  .y = texel_coordinate(at.y, input, true, each_lane),
                  .layer = layout.layers > 1 ? materialise(at.layer) : -1,
                  .offset = free_component || decodes ? materialise(at.x) : -1,
                  .encoding = encoding},
             decodes ? core::register_type(target_, layout.dtype)
                     : core::texel_type(target_, layout.dtype),
             lane);
}

std::int32_t KernelBuilder::load_shifted(std::int32_t input, const core::Layout& layout,
                                         const core::Affine& e) {
  const std::int64_t shift = core::floor_mod(e.constant, core::lanes);
  if (shift == 0 || layout.layers > 1 || !aligned(e + -shift)) return -1;
  const std::int64_t pitch = layout.pitch();
  const auto two_texels = [&](const Address& left, const Address& right) {
    const std::int32_t low = load_texel(input, layout, left, Fetch::row);
    const std::int32_t high = load_texel(input, layout, right, Fetch::row);
    return add(Shift{low, high, static_cast<std::int32_t>(shift)}, type(low));
  };
  if (layout.height > 1) {
    // Both texels must lie in one texture row; the ranges have to prove it.
    core::Affine rest, rows;
    for (const auto& term : e.terms) {
      (term.factor % pitch == 0 ? rows : rest).terms.push_back(term);
    }
    rest.constant = core::floor_mod(e.constant, pitch);
    for (const std::int64_t below : {std::int64_t{0}, pitch}) {
      core::Affine columns = rest + -below;
      const Bounds range = assumed_bounds(columns);
      if (range.low < 0 || range.high >= pitch) continue;
      rows.constant = (e.constant - columns.constant) / pitch * pitch;
      for (auto& term : rows.terms) term.factor /= pitch;
      rows.constant /= pitch;
      return two_texels({columns + -shift, rows, {}}, {columns + (core::lanes - shift), rows, {}});
    }
    return -1;
  }
  return two_texels({e + -shift, {}, {}}, {e + (core::lanes - shift), {}, {}});
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
                  [](const core::Affine::Term& term) { return term.factor % core::lanes == 0; });
  if (fetch != Fetch::row && fixed) {
    component = static_cast<std::int8_t>(core::floor_mod(e.constant, core::lanes));
    e.constant -= component;
  }
  const Address at = address(layout, e);
  // One texel serves all splats of its components.
  const bool whole = fetch == Fetch::splat && component >= 0;
  if (!whole) return load_texel(input, layout, at, fetch, component);
  const std::int32_t texel = load_texel(input, layout, at, Fetch::row);
  const Reorder chosen{texel, static_cast<Swizzle>(component)};
  return push({chosen, type(texel), Lane::uniform, kernel_[texel].block}, {});
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
  check_integer(layout.pitch() * layout.height * layout.layers);
  Raw access{.input = input,
             .encoding = encoding_of(layout),
             .elements_per_texel = static_cast<std::int32_t>(layout.elements_per_texel)};
  const auto number = [&](std::int64_t value) { return int_uniform({.base = value}); };
  std::vector<std::array<std::int64_t, 2>> axes;
  if (by_number) {
    access.count = number(layout.shape.numel());
    axes = merged_axes(layout);
  } else {
    for (int k = 0; k < layout.shape.rank(); ++k) {
      axes.push_back({layout.shape[k], item(layout.strides, k)});
    }
  }
  for (const auto& [size, stride] : axes) access.sizes.push_back(number(size));
  for (const auto& [size, stride] : axes) access.strides.push_back(number(stride));
  access.place.offset = number(layout.offset);
  access.place.pitch = number(layout.pitch());
  if (layout.layers > 1) {
    access.place.slab = number(layout.slab);
    access.place.layers = number(layout.layers);
  }
  if (kernel_.sampled) {
    const auto inverse = [&](std::int64_t side) {
      return float_uniform({.value = 1.0 / static_cast<double>(core::texture_side(target_, side))});
    };
    access.place.inverse_width = inverse(layout.width);
    access.place.inverse_height = inverse(layout.height);
  }
  const std::int32_t id = add(std::move(access), core::texel_type(target_, layout.dtype));
  raws_.push_back({input, by_number, layout, id});
  return raws_.back().id;
}

}  // namespace trigon::detail::kernel

// SPDX-License-Identifier: MIT
#include "support/host_texture.hpp"

#include <cmath>
#include <cstdlib>

#include "graph/build.hpp"

namespace trigon::support {
namespace {

/// Calls f(C-order number, group, lane) for each element; groups of four elements count texel by
/// texel, row by row in each layer.
template <class F>
void each_element(const core::Layout& layout, F f) {
  std::array<std::int64_t, Shape::max_rank> index{};
  const std::int64_t count = layout.shape.numel();
  for (std::int64_t number = 0; number < count; ++number) {
    std::int64_t e = layout.offset;
    for (int k = 0; k < layout.shape.rank(); ++k) {
      e += index[static_cast<std::size_t>(k)] * layout.strides[static_cast<std::size_t>(k)];
    }
    const std::int64_t groups = layout.elements_per_texel / 4;
    const std::int64_t row = e / layout.pitch();
    const std::int64_t slab = row / layout.slab;
    const std::int64_t y = slab / layout.layers * layout.slab + row % layout.slab;
    const std::int64_t layer = slab % layout.layers;
    const std::int64_t group =
        (layer * layout.height + y) * layout.width * groups + e % layout.pitch() / 4;
    f(static_cast<std::size_t>(number), static_cast<std::size_t>(group),
      static_cast<std::size_t>(e % 4));
    for (int k = layout.shape.rank(); k-- > 0;) {
      if (++index[static_cast<std::size_t>(k)] < layout.shape[k]) break;
      index[static_cast<std::size_t>(k)] = 0;
    }
  }
}

}  // namespace

void HostTexture::store(std::int64_t x, std::int64_t y, std::int64_t layer, const Lanes& value) {
  Lanes& texel = at(x, y, layer);
  texel = value;
  for (Number& lane : texel) {
    if (lane.elements != nullptr) continue;
    if (dtype_ == DType::float16) lane.value = graph::round_to_half(lane.value);
    const bool is_byte = dtype_ == DType::uint8 || dtype_ == DType::boolean;
    if (is_byte && !(lane.value >= 0 && lane.value <= 255)) lane.is_poison = true;
  }
}

void HostTexture::poison_tails(const core::Layout& layout) {
  std::vector<Lanes> kept(texels_.size());
  each_element(layout, [&](std::size_t, std::size_t group, std::size_t lane) {
    kept.at(group)[lane] = texels_[group][lane];
  });
  texels_ = std::move(kept);
}

std::vector<Number> HostTexture::read(const core::Layout& layout) const {
  std::vector<Number> values(static_cast<std::size_t>(layout.shape.numel()));
  each_element(layout, [&](std::size_t number, std::size_t group, std::size_t lane) {
    const Number& found = texels_.at(group)[lane];
    if (found.elements == nullptr) values[number] = found;
  });
  return values;
}

void HostTexture::write(const core::Layout& layout, const std::vector<double>& values) {
  each_element(layout, [&](std::size_t k, std::size_t group, std::size_t lane) {
    texels_.at(group)[lane] = number(values[k]);
  });
}

}  // namespace trigon::support

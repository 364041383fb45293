// SPDX-License-Identifier: MIT
#include "support/host_points.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <stdexcept>

namespace trigon::support {
namespace {

using U = kernel::PointsUniforms;

constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();

/// A vector of integer uniforms.
struct Vector {
  std::int64_t x, y, z, w;
};

Vector vector(std::span<const std::int64_t> ints, int number) {
  const auto v = ints.subspan(static_cast<std::size_t>(number) * 4, 4);
  return {v[0], v[1], v[2], v[3]};
}

struct Texel {
  std::int64_t x, y, layer;
};

/// The texel that holds an offset; g: width, slab and layers.
Texel texel_of(std::int64_t offset, const Vector& g) {
  if (offset < 0 || offset > most) throw std::logic_error("a point's offset is no int");
  const std::int64_t texel = offset / 4;
  const std::int64_t row = texel / g.x;
  const std::int64_t slab = row / g.y;
  const std::int64_t group = slab / g.z;
  return {texel % g.x, group * g.y + row % g.y, slab % g.z};
}

const Lanes& fetched(const HostTexture& texture, const Texel& at) {
  const auto real = [](std::int64_t n) { return static_cast<double>(n); };
  if (!texture.contains(real(at.x), real(at.y), real(at.layer))) {
    throw std::logic_error("a point reads past its texture");
  }
  return texture.at(at.x, at.y, at.layer);
}

const Number& lane(const Lanes& texel, std::int64_t offset) {
  return texel[static_cast<std::size_t>(offset % 4)];
}

Number sum(const Number& a, const Number& b) {
  if (a.is_poison || b.is_poison || a.elements != nullptr || b.elements != nullptr) return {};
  return number(a.value + b.value);
}

/// The offsets of one point in the values, the indices and the target's first row.
Vector offsets_of(std::span<const std::int64_t> ints, std::int64_t point) {
  Vector e = vector(ints, U::starts);
  std::int64_t left = point;
  for (auto k = static_cast<int>(vector(ints, U::values).w); k-- > 0;) {
    const Vector axis = vector(ints, U::axes + k);
    const std::int64_t step = left % axis.x;
    e.x += step * axis.y;
    e.y += step * axis.z;
    e.z += step * axis.w;
    left /= axis.x;
  }
  return e;
}

/// The row of the target that an index names, or -1.
std::int64_t row_of(const Number& index, std::span<const std::int64_t> ints) {
  if (index.is_poison || index.elements != nullptr) {
    throw std::logic_error("a point's index is no number");
  }
  const std::int64_t rows = vector(ints, U::rows).x;
  auto row = static_cast<std::int64_t>(std::min(index.value, static_cast<double>(most)));
  if (row < 0) row += rows;
  if (vector(ints, U::indices).w == 1) row = std::clamp<std::int64_t>(row, 0, rows - 1);
  return row < rows ? std::max<std::int64_t>(row, -1) : -1;
}

}  // namespace

void add_points(const plan::Step& step, std::span<const std::int64_t> ints,
                const HostTexture& values, const HostTexture& indices, HostTexture& target,
                std::int64_t layer) {
  const Vector in_values = vector(ints, U::values);
  const Vector in_target = vector(ints, U::target);
  const Vector rows = vector(ints, U::rows);
  // The vertex stage divides by these to undo the viewport's scale.
  if (step.w != in_target.x || step.h != rows.z || !target.covers(0, 0, step.w, step.h)) {
    throw std::logic_error("the points' viewport is not their target");
  }
  for (std::int64_t point = 0; point < step.points->count; ++point) {
    Vector e = offsets_of(ints, point);
    const Texel at = texel_of(e.y, vector(ints, U::indices));
    const std::int64_t row = row_of(lane(fetched(indices, at), e.y), ints);
    const Lanes& update = fetched(values, texel_of(e.x, in_values));
    if (row < 0) continue;
    e.z += row * rows.y;
    const Texel to = texel_of(e.z, in_target);
    if (to.layer * rows.z != in_target.w) continue;
    fetched(target, {to.x, to.y, layer});
    Lanes& sums = target.at(to.x, to.y, layer);
    for (std::int64_t k = 0; k < 4; ++k) {
      const bool is_named = step.points->program.whole_texels || k == e.z % 4;
      Number& each = sums[static_cast<std::size_t>(k)];
      const Number& added = lane(update, step.points->program.whole_texels ? k : e.x);
      each = sum(each, is_named ? added : number(0));
    }
  }
}

}  // namespace trigon::support

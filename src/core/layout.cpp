// SPDX-License-Identifier: MIT
#include "core/layout.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <new>

#include <fmt/format.h>

#include "core/called.hpp"
#include "core/item.hpp"
#include "core/math.hpp"

namespace trigon::detail::core {
namespace {

/// Strides of a C-ordered shape whose innermost step is `step`, with rows at distance `pitch`.
void set_strides(Layout& layout, std::int64_t step, std::int64_t pitch) {
  const int rank = layout.shape.rank();
  std::int64_t stride = pitch;
  for (int k = rank - 1; k >= 0; --k) {
    if (k == rank - 1) {
      item(layout.strides, k) = step;
    } else {
      item(layout.strides, k) = stride;
      stride *= layout.shape[k];
    }
  }
}

std::int64_t most_layers(const Target& target) {
  return target.dialect == Dialect::es100 ? 1 : target.max_layers;
}

/// Chooses width, height and layers for `rows` runs of `run` texels each.
void set_geometry(const Target& target, Layout& layout, std::int64_t rows, std::int64_t run) {
  constexpr std::int64_t narrow = 16;
  const std::int64_t side = target.max_side;
  const std::int64_t folded = std::min<std::int64_t>(side, 1024);
  const std::int64_t texels = std::max<std::int64_t>(rows * run, 1);
  std::int64_t width = run;
  if (rows == 1) {
    width = texels <= std::min<std::int64_t>(side, 4096) ? texels : folded;
  } else if (run > side) {
    width = side;
  } else if (rows > side || (run < narrow && rows > 64)) {
    width = std::max<std::int64_t>(1, folded / run) * run;
  }
  if (rows == 1 && ceil_div(texels, width) > side) width = std::min(side, ceil_div(texels, side));
  const std::int64_t layers = most_layers(target);
  // If these are too many rows, each row gets as many whole runs as fit, then also less than a run.
  if (ceil_div(texels, width) > side * layers && run <= side) width = side / run * run;
  if (ceil_div(texels, width) > side * layers) width = side;
  layout.width = std::max<std::int64_t>(width, 1);
  const std::int64_t height = ceil_div(texels, layout.width);
  layout.layers = ceil_div(height, side);
  layout.height = layout.layers == 1 ? height : side;
  layout.slab = layout.height;
  if (layout.layers > layers) {
    fail_on_device("eval",
                   "tensor too large for the device: shape {}, {}, {} texture rows of "
                   "{} texels; at most {} rows",
                   to_string(layout.shape), bytes_text(layout.dtype, layout.shape), height,
                   layout.width, side * layers);
  }
}

/// The geometry of one long row that a loop computes. It is folded into four texture rows, since
/// drivers shade blocks of four rows.
void set_folded_geometry(const Target& target, Layout& layout, std::int64_t texels) {
  constexpr std::int64_t rows = 4;
  std::int64_t width = ceil_div(texels, rows);
  if (target.share_quads) width += width % 2;
  if (texels < rows * rows || width > std::min<std::int64_t>(target.max_side, 4096)) {
    return set_geometry(target, layout, 1, texels);
  }
  layout.width = width;
  layout.height = layout.slab = ceil_div(texels, width);
  layout.layers = 1;
}

/// Texels in a row of `columns` elements; whole pairs where fragments work in pairs.
std::int64_t block_width(const Target& target, std::int64_t columns) {
  const std::int64_t width = ceil_div(columns, lanes);
  return target.share_quads && width > 1 ? width + width % 2 : width;
}

std::int64_t last_axis(const Shape& shape) { return shape.rank() == 0 ? 1 : shape.back(); }

}  // namespace

std::int64_t Layout::bytes() const {
  const EncodingInfo* const row = find_encoding(Dialect::es300, dtype, encoding);
  assert(row != nullptr);
  return width * height * layers * bytes_per_texel(row->format);
}

std::size_t host_bytes(DType dtype, const Shape& shape) {
  constexpr std::int64_t most = std::numeric_limits<std::ptrdiff_t>::max();
  const auto each = static_cast<std::int64_t>(size_of(dtype));
  if (shape.numel() > most / each) throw std::bad_alloc();
  return static_cast<std::size_t>(shape.numel() * each);
}

std::string bytes_text(DType dtype, const Shape& shape) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const auto each = static_cast<std::int64_t>(size_of(dtype));
  if (shape.numel() > most / each) return "2^63 bytes or more";
  return fmt::format("{} bytes", shape.numel() * each);
}

Layout flat_layout(const Target& target, DType dtype, const Shape& shape) {
  Layout layout{.dtype = dtype, .shape = shape};
  const std::int64_t columns = last_axis(shape);
  set_strides(layout, 1, columns);
  const std::int64_t texel = layout.elements_per_texel;
  if (columns % texel == 0 && columns > 0) {
    set_geometry(target, layout, shape.numel() / columns, columns / texel);
  } else {
    set_geometry(target, layout, 1, ceil_div(shape.numel(), texel));
  }
  return layout;
}

Layout padded_layout(const Target& target, DType dtype, const Shape& shape) {
  Layout layout{.dtype = dtype, .shape = shape};
  const std::int64_t columns = last_axis(shape);
  const std::int64_t texel = layout.elements_per_texel;
  const std::int64_t run = std::max<std::int64_t>(ceil_div(columns, texel), 1);
  set_strides(layout, 1, run * texel);
  const std::int64_t rows = columns == 0 ? 0 : shape.numel() / columns;
  if (rows == 1) {
    set_folded_geometry(target, layout, run);
  } else {
    set_geometry(target, layout, rows, run);
  }
  return layout;
}

bool fits(const Target& target, const Shape& shape) {
  const std::int64_t columns = last_axis(shape);
  if (columns == 0) return true;
  const std::int64_t texels = shape.numel() / columns * ceil_div(columns, lanes);
  return ceil_div(texels, target.max_side) <= target.max_side * most_layers(target);
}

Layout texel_layout(const Target& target, DType dtype, const Shape& shape) {
  Layout layout{.dtype = dtype, .shape = shape};
  const std::int64_t texels = shape.numel() / shape[0];
  std::int64_t stride = layout.elements_per_texel;
  for (int k = shape.rank() - 1; k > 0; --k) {
    item(layout.strides, k) = stride;
    stride *= shape[k];
  }
  layout.strides[0] = 1;
  set_folded_geometry(target, layout, texels);
  return layout;
}

Layout stacked_layout(const Target& target, DType dtype, const Shape& shape) {
  Shape rest = shape;
  rest.erase(0);
  const Layout one = padded_layout(target, dtype, rest);
  Layout layout = one;
  layout.shape = shape;
  for (int k = shape.rank() - 1; k > 0; --k) {
    item(layout.strides, k) = item(one.strides, k - 1);
  }
  layout.strides[0] = one.height * one.pitch();
  layout.layers = shape[0];
  layout.slab = one.height;
  if (one.layers > 1) {
    fail_on_device("eval", "tensor too large for the device: shape {}, {} texture rows; at most {}",
                   to_string(shape), one.layers * one.height, target.max_side);
  }
  return layout;
}

bool block_fits(const Target& target, const Shape& shape, std::int64_t rows) {
  const std::int64_t m = shape[-2];
  const std::int64_t batch =
      m == 0 ? 0 : shape.numel() / std::max<std::int64_t>(m * shape.back(), 1);
  return rows <= target.draw_buffers && rows <= target.max_layers &&
         block_width(target, shape.back()) <= target.max_side &&
         batch * ceil_div(m, rows) <= target.max_side;
}

Layout block_layout(const Target& target, DType dtype, const Shape& shape, std::int64_t rows) {
  if (rows == 1) return padded_layout(target, dtype, shape);
  Layout layout{.dtype = dtype, .shape = shape};
  const std::int64_t m = shape[-2];
  layout.width = block_width(target, shape.back());
  layout.slab = ceil_div(m, rows);
  layout.layers = rows;
  const int rank = shape.rank();
  std::int64_t stride = layout.pitch();
  item(layout.strides, rank - 1) = 1;
  item(layout.strides, rank - 2) = stride;
  stride *= layout.slab * rows;
  std::int64_t batch = 1;
  for (int k = rank - 3; k >= 0; --k) {
    item(layout.strides, k) = stride;
    stride *= shape[k];
    batch *= shape[k];
  }
  layout.height = batch * layout.slab;
  return layout;
}

Layout interleaved_layout(const Target& target, DType dtype, const Shape& shape,
                          std::int64_t rows) {
  Layout layout = block_layout(target, dtype, shape, rows);
  layout.slab = 1;
  return layout;
}

bool is_dense(const Layout& layout) {
  std::int64_t stride = 1;
  for (int k = layout.shape.rank() - 1; k >= 0; --k) {
    if (layout.shape[k] != 1 && item(layout.strides, k) != stride) return false;
    stride *= layout.shape[k];
  }
  return true;
}

bool is_flat(const Layout& layout) {
  return layout.layers <= 1 && layout.offset == 0 && is_dense(layout);
}

Shape without_ones(const Shape& shape) {
  Shape result;
  for (std::int64_t dim : shape) {
    if (dim != 1) result.push_back(dim);
  }
  return result;
}

Layout with_shape(const Layout& layout, const Shape& shape) {
  Layout result = layout;
  result.shape = shape;
  result.strides = {};
  int next = 0;
  for (int k = 0; k < shape.rank(); ++k) {
    if (shape[k] == 1) continue;
    while (layout.shape[next] == 1) ++next;
    item(result.strides, k) = item(layout.strides, next++);
  }
  return result;
}

bool same_but_ones(const Shape& a, const Shape& b) {
  const auto skip = [](const Shape& shape, int k) {
    while (k < shape.rank() && shape[k] == 1) ++k;
    return k;
  };
  int i = skip(a, 0);
  int j = skip(b, 0);
  while (i < a.rank() && j < b.rank()) {
    if (a[i] != b[j]) return false;
    i = skip(a, i + 1);
    j = skip(b, j + 1);
  }
  return i == a.rank() && j == b.rank();
}

std::int64_t texture_side(const Target& target, std::int64_t side) {
  // Sizes are m * 2^k with m = 9 ... 15; below nine texels a closer fit saves nothing.
  if (side <= 9)
    return std::min<std::int64_t>(target.avoid_power_of_two ? 9 : side, target.max_side);
  std::int64_t unit = 1;
  while (unit * 15 < side) unit *= 2;
  std::int64_t steps = ceil_div(side, unit);
  if (steps == 8) steps = 9;
  const std::int64_t chosen =
      std::max<std::int64_t>(steps, target.avoid_power_of_two ? 9 : 8) * unit;
  return chosen <= target.max_side ? chosen : target.max_side;
}

Type register_type(const Target& target, DType dtype) {
  return find_encoding(target.dialect, dtype, Encoding::plain)->register_type;
}

Type texel_type(const Target& target, DType dtype) {
  return texel_type(find_encoding(target.dialect, dtype, Encoding::plain)->format);
}

const EncodingInfo* encoding_of(const Target& target, const Layout& layout) {
  return find_encoding(target.dialect, layout.dtype, layout.encoding);
}

}  // namespace trigon::detail::core

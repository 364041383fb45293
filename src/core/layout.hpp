// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include <trigon/detail/shape_class.hpp>
#include <trigon/dtype.hpp>

#include "core/rooms.hpp"
#include "core/storage.hpp"
#include "core/target.hpp"

namespace trigon::detail::core {

/// Where the elements of a tensor lie. Element (i0, i1, ...) has the offset e = offset + the sum of
/// i_k * strides[k]. A texel holds `elements_per_texel` offsets, a texture row `width` texels. Row
/// r lies in layer (r / slab) % layers at y = r / (slab * layers) * slab + r % slab. With one
/// layer, y = r.
struct Layout {
  DType dtype = DType::float32;
  Shape shape;
  std::array<std::int64_t, Shape::max_rank> strides{};
  std::int64_t offset = 0;
  std::int64_t width = 1;
  std::int64_t height = 1;  ///< of each layer
  std::int64_t layers = 1;
  std::int64_t slab = 1;
  Encoding encoding = Encoding::plain;
  std::int64_t elements_per_texel = lanes;  ///< as the encoding's row says

  bool is_plain() const { return encoding == Encoding::plain; }
  /// Offsets of a texture row.
  std::int64_t pitch() const { return width * elements_per_texel; }
  /// Bytes of the texels.
  std::int64_t bytes() const;
  friend bool operator==(const Layout&, const Layout&) = default;
};

/// Bytes of a tensor's elements on the host. Raises bad_alloc if they reach 2^63.
std::size_t host_bytes(DType dtype, const Shape& shape);
/// "16 bytes", for errors; "2^63 bytes or more" if host_bytes() raises.
std::string bytes_text(DType dtype, const Shape& shape);

/// The layouts below are plain.

/// Rows of the last axis follow each other without gaps (flat), or each starts a texel (padded).
/// Raises DeviceError past the target's limits.
Layout flat_layout(const Target& target, DType dtype, const Shape& shape);
Layout padded_layout(const Target& target, DType dtype, const Shape& shape);

/// Whether flat_layout and padded_layout fit the target.
bool fits(const Target& target, const Shape& shape);

/// The first axis in the lanes of texels, one texel per index along the other axes: the form that a
/// reduction over the lanes writes.
Layout texel_layout(const Target& target, DType dtype, const Shape& shape);

/// The first axis in the layers, the rest padded.
Layout stacked_layout(const Target& target, DType dtype, const Shape& shape);

/// (B..., M, N) in blocks of `rows` rows at distance M / rows, each row of a block in its own
/// layer.
Layout block_layout(const Target& target, DType dtype, const Shape& shape, std::int64_t rows);
/// Whether block_layout fits the target.
bool block_fits(const Target& target, const Shape& shape, std::int64_t rows);

/// (B..., M, N) in blocks of `rows` consecutive rows, each row of a block in its own layer.
Layout interleaved_layout(const Target& target, DType dtype, const Shape& shape, std::int64_t rows);

/// Whether the strides are those of C order without gaps.
bool is_dense(const Layout& layout);
/// Whether the elements follow each other in C order without gaps, in one layer.
bool is_flat(const Layout& layout);

Shape without_ones(const Shape& shape);
/// The layout of the same elements seen as `shape`, which differs only by axes of size 1.
Layout with_shape(const Layout& layout, const Shape& shape);
/// Whether two shapes are equal except for axes of size 1.
bool same_but_ones(const Shape& a, const Shape& b);

/// The side of the texture that the pool hands out for `side` texels. Never a power of two if the
/// target avoids those: llvmpipe recompiles a program for each combination of them.
std::int64_t texture_side(const Target& target, std::int64_t side);

/// The register type of a dtype.
Type register_type(const Target& target, DType dtype);
/// The type as which a plain texel of this dtype is fetched: booleans are stored as unsigned bytes.
Type texel_type(const Target& target, DType dtype);
/// The row of a layout's dtype and encoding; null if the target lacks it.
const EncodingInfo* encoding_of(const Target& target, const Layout& layout);

}  // namespace trigon::detail::core

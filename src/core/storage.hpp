// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <trigon/dtype.hpp>

#include "core/item.hpp"
#include "core/target.hpp"

// How textures store elements: one table for all dtypes and encodings.

namespace trigon::detail::core {

/// Elements of a register, the unit in which kernels compute. A draw writes one register per texel,
/// so the texels of its targets hold as many.
inline constexpr std::int64_t lanes = 4;

/// Register types. Booleans are f, 0 or 1; in es100 everything is f.
enum class Type : std::uint8_t { f, i, u };

/// Formats of textures, four components each. gl/format.hpp has GL's names of them.
enum class Format : std::uint8_t { rgba32f, rgba16f, rgba32i, rgba32ui, rgba8ui };
/// One more than the last format.
inline constexpr std::size_t format_count = rows_through(Format::rgba8ui);

/// In the texture and in an upload.
std::int64_t bytes_per_texel(Format format);
/// The type as which its texels are fetched.
Type texel_type(Format format);

/// How a texel holds elements.
enum class Encoding : std::uint8_t {
  plain,        ///< one per component. The only encoding that draws write
  packed_int8,  ///< whole numbers in [-128, 127], one per byte, from the lowest byte of x on
};

/// A row of the table: how elements of a dtype are stored in an encoding, and how they are fetched.
struct EncodingInfo {
  DType dtype;
  Encoding encoding;
  Format format;
  std::int64_t elements_per_texel;
  Type register_type;
  /// A function of glsl/, NAME(texel, group): elements 4 * group to 4 * group + 3 of a texel, as
  /// the register type. "": the texel is the register, up to a conversion of its type.
  std::string_view decode{};
  /// The same on the host: element k of a texel. Null if `decode` is "".
  double (*element)(const std::byte* texel, std::int64_t k) = nullptr;
};

/// The table. Its rows for Encoding::plain come first, in the order of the dtypes.
std::span<const EncodingInfo> encodings();
/// The row of a dtype and an encoding; null if there is none. In es100, which has no other
/// encoding, plain elements of all dtypes are stored as float32.
const EncodingInfo* find_encoding(Dialect dialect, DType dtype, Encoding encoding);
/// Number of the row in the table.
std::int32_t number_of(const EncodingInfo& row);

}  // namespace trigon::detail::core

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/item.hpp"

namespace trigon::detail::gl {

/// The storage formats, four lanes each. Indices into Caps::read.
enum class Format : std::uint8_t { rgba32f, rgba16f, rgba32i, rgba32ui, rgba8ui };
/// One more than the last format.
inline constexpr std::size_t format_count = core::rows_through(Format::rgba8ui);

/// The kind of sampler that reads a format: sampler2D, isampler2D or usampler2D.
enum class SamplerKind : std::uint8_t { floating, integer, unsigned_integer };

/// GL's names of a storage format. `format` and `type` are for uploads; those for reads are probed
/// (Caps::read). Plain unsigned instead of GLenum keeps GL's headers out of the callers.
struct FormatInfo {
  Format id;
  std::string_view name;     ///< "RGBA32F"
  unsigned internal_format;  ///< GL_RGBA32F
  unsigned format;           ///< GL_RGBA
  unsigned type;             ///< GL_FLOAT
  int bytes_per_texel;       ///< in the texture and in an upload
  SamplerKind sampler;
};

const FormatInfo& info(Format format);

/// Gives the bound 2D texture storage of undefined content. `es2`: the context offers only ES 2.0
/// (Context::es2), which has only rgba32f. GL: glTexStorage2D, or glTexImage2D on ES 2.0.
void store_2d(bool es2, Format format, int width, int height);

}  // namespace trigon::detail::gl

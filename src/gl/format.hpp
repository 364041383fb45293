// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "core/storage.hpp"

namespace trigon::detail::gl {

using core::Format;
using core::format_count;

/// GL's names of a storage format. `format` and `type` are for uploads; those for reads are probed
/// (Caps::read). Plain unsigned instead of GLenum keeps GL's headers out of the callers.
struct FormatInfo {
  Format id;
  std::string_view name;     ///< "RGBA32F"
  unsigned internal_format;  ///< GL_RGBA32F
  unsigned format;           ///< GL_RGBA
  unsigned type;             ///< GL_FLOAT
};

const FormatInfo& info(Format format);

/// Gives the bound 2D texture storage of undefined content. `es2`: the context offers only ES 2.0
/// (Context::es2), which has only rgba32f. GL: glTexStorage2D, or glTexImage2D on ES 2.0.
void store_2d(bool es2, Format format, int width, int height);

}  // namespace trigon::detail::gl

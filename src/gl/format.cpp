// SPDX-License-Identifier: MIT
#include "gl/format.hpp"

#include <GLES3/gl3.h>

#include "core/item.hpp"

namespace trigon::detail::gl {
namespace {

constexpr FormatInfo table[format_count] = {
    {Format::rgba32f, "RGBA32F", GL_RGBA32F, GL_RGBA, GL_FLOAT},
    {Format::rgba16f, "RGBA16F", GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT},
    {Format::rgba32i, "RGBA32I", GL_RGBA32I, GL_RGBA_INTEGER, GL_INT},
    {Format::rgba32ui, "RGBA32UI", GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT},
    {Format::rgba8ui, "RGBA8UI", GL_RGBA8UI, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE},
};

static_assert(core::in_order(table, &FormatInfo::id),
              "the table has one row a format, in their order");

}  // namespace

const FormatInfo& info(Format format) { return item(table, format); }

void store_2d(bool es2, Format format, int width, int height) {
  const FormatInfo& one = info(format);
  if (es2) {
    // In WebGL 1 the type determines the size, and formats have none.
    glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(one.format), width, height, 0, one.format,
                 one.type, nullptr);
  } else {
    glTexStorage2D(GL_TEXTURE_2D, 1, one.internal_format, width, height);
  }
}

}  // namespace trigon::detail::gl

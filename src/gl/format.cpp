// SPDX-License-Identifier: MIT
#include "gl/format.hpp"

#include <GLES3/gl3.h>

namespace trigon::gl {
namespace {

using enum SamplerKind;

constexpr FormatInfo table[format_count] = {
    {Format::rgba32f, "RGBA32F", GL_RGBA32F, GL_RGBA, GL_FLOAT, 16, floating},
    {Format::rgba16f, "RGBA16F", GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT, 8, floating},
    {Format::rgba32i, "RGBA32I", GL_RGBA32I, GL_RGBA_INTEGER, GL_INT, 16, integer},
    {Format::rgba32ui, "RGBA32UI", GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT, 16,
     unsigned_integer},
    {Format::rgba8ui, "RGBA8UI", GL_RGBA8UI, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, 4,
     unsigned_integer},
};

constexpr bool in_order() {
  for (std::size_t k = 0; k < format_count; ++k)
    if (static_cast<std::size_t>(table[k].id) != k) return false;
  return true;
}
static_assert(in_order(), "the table has one row a format, in their order");

}  // namespace

const FormatInfo& info(Format format) { return table[static_cast<std::size_t>(format)]; }

}  // namespace trigon::gl

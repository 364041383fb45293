// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "core/item.hpp"
#include "gl/format.hpp"
#include "gl/quirks.hpp"
#include "trigon/config.hpp"

namespace trigon::detail::gl {

class Context;

/// The arguments of glReadPixels that read a format exactly. `bytes_per_texel` is the size of a
/// texel on the host, which may be larger than in the texture. 0 means that the format is not
/// supported.
struct ReadFormat {
  unsigned format = 0;
  unsigned type = 0;
  int bytes_per_texel = 0;
};

/// The abilities and limits of a device, found by drawing, clearing and reading back, since
/// extension strings are not trusted. TRIGON_LIMITS lowers them, TRIGON_QUIRKS changes the quirks.
struct Caps {
  std::string vendor;
  std::string renderer;
  std::string version;

  int max_texture_size = 0;          ///< side of a 2D render target, texels
  int max_array_layers = 1;          ///< texture layers; 1: no array textures
  int max_draw_buffers = 1;          ///< at most 8, the most that our draws use
  int max_color_attachments = 1;     ///< equal to max_draw_buffers or more
  int max_texture_units = 0;         ///< samplers of a fragment shader
  int max_vertex_texture_units = 0;  ///< of a vertex shader, beyond those of the fragment shader
  int max_uniform_vectors = 0;       ///< vec4s of a fragment shader

  bool float32_render = false;
  bool float16_render = false;
  bool float_blend = false;        ///< GL_FUNC_ADD on RGBA32F targets
  bool integer_formats = false;    ///< all of rgba32i, rgba32ui, rgba8ui
  bool exact_derivatives = false;  ///< dFdx and dFdy are differences within each row and column

  std::array<ReadFormat, format_count> read{};  ///< by Format

  /// Iterations of all loops of one draw together.
  std::int64_t trip_limit = 65'000;
  /// The largest index that a shader may compute as one number.
  std::int64_t index_limit = std::numeric_limits<std::int32_t>::max();
  Quirks quirks;

  const ReadFormat& read_format(Format f) const { return item(read, f); }
  /// Whether it can be drawn to, sampled and read back.
  bool supports(Format f) const { return read_format(f).bytes_per_texel != 0; }
};

/// The trip limit with the quirk trip_limit switched off: the largest int.
inline constexpr std::int64_t no_trip_limit = std::numeric_limits<std::int32_t>::max();

/// Tries out the device; the context must be current. Under webgl1 it offers only rgba32f, one draw
/// buffer and no arrays. Leaves GL's bindings at 0 and changes the viewport.
///
/// Raises DeviceError without a float render target, and for a bad TRIGON_LIMITS or TRIGON_QUIRKS.
Caps probe(const Context& context, Profile profile);

/// Applies the text of TRIGON_LIMITS: "side=63,layers=256,draw_buffers=4,trips=64,samplers=8,
/// vertex_samplers=0,uniform_vectors=224,index=4096". Lowers limits, never raises them. Raises
/// DeviceError for an unknown key, a bad number, or a key given twice.
Caps lower_limits(Caps caps, std::string_view text);

}  // namespace trigon::detail::gl

// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "core/chunk.hpp"

namespace trigon::detail::gl {

/// The files of glsl/probe/: shaders that test a driver's abilities. The caller puts a first line
/// with the version before them.
std::span<const core::Chunk> probe_shaders();

}  // namespace trigon::detail::gl

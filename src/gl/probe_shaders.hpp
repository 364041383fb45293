// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "core/chunk.hpp"

namespace trigon::detail::gl {

/// The files of glsl/probe/: shaders that find out what a driver can do. They need a first line
/// that names the version.
std::span<const core::Chunk> probe_shaders();

}  // namespace trigon::detail::gl

// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "core/chunk.hpp"

namespace trigon::detail::glsl_text {

/// The files of glsl/ itself, without its subfolders, in the order of their names.
std::span<const core::Chunk> chunks();

}  // namespace trigon::detail::glsl_text

// SPDX-License-Identifier: MIT
#pragma once

#include "emit/emit.hpp"
#include "kernel/points.hpp"

namespace trigon::detail::emit {

/// The GLSL ES 3.00 of a draw of points. Its names: u_i are the uniforms listed in PointsUniforms,
/// u_t0 the values, u_t1 the indices.
Source emit_points(const kernel::PointsProgram& program, std::size_t guards = 0);

}  // namespace trigon::detail::emit

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include "kernel/kernel.hpp"

namespace trigon::detail::emit {

/// The GLSL of a kernel. Its names: u_i and u_f are the integer and real uniforms, four to a
/// vector; u_t0 ... the inputs; v0 ... the kernel's instructions by number; c0 ... the loop's
/// carried values.
struct Source {
  std::string vertex;
  std::string fragment;
};

/// `guards`: texels that decide in the vertex stage whether the draw is taken, as u_g0 ....
Source emit(const kernel::Kernel& kernel, std::size_t guards = 0);

}  // namespace trigon::detail::emit

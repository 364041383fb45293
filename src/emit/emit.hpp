// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include "kernel/kernel.hpp"

namespace trigon::detail::emit {

/// The GLSL of a kernel. Names in it: u_i and u_f, the integer and real uniforms, four to a vector;
/// u_t0 ..., the inputs; v0 ..., the kernel's instructions by number; c0 ..., the loop's carried
/// values.
struct Source {
  std::string vertex;
  std::string fragment;
};

/// `guards`: texels that the vertex stage looks at before the draw is taken, in u_g0 ....
Source emit(const kernel::Kernel& kernel, std::size_t guards = 0);

}  // namespace trigon::detail::emit

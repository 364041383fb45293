// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "kernel/kernel.hpp"

namespace trigon::emit {

/// The GLSL of a kernel. Names in it: u_i and u_f, the integer and real uniforms, four to a vector;
/// u_t0 ..., the inputs; v0 ..., the kernel's instructions by number; c0 ..., the loop's carried
/// values.
struct Source {
  std::string vertex;
  std::string fragment;
};

Source emit(const plan::Kernel& kernel);

}  // namespace trigon::emit

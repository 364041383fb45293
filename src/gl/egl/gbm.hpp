// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/rooms.hpp"

namespace trigon::detail::gl {

/// A DRM render node. `device` is a gbm_device*, or null with the reason.
struct GbmNode {
  std::string path;
  void* device = nullptr;
  std::string reason;
};

/// The render nodes of this machine, or none and the reason.
///
/// libgbm is loaded at run time, so a machine without it needs no package. Nodes are opened once
/// per process and stay open, since the EGL display made from one is never terminated.
std::pair<std::vector<GbmNode>, std::string> gbm_nodes();

}  // namespace trigon::detail::gl

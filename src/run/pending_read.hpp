// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "core/layout.hpp"
#include "core/rooms.hpp"
#include "gl/caps.hpp"
#include "gl/handles.hpp"

namespace trigon::detail::run {

/// Texels on their way to the host. It may die on any thread by DeviceState::discard.
struct PendingRead {
  core::Layout layout;
  gl::ReadFormat format;
  gl::Buffer buffer{};              ///< their copy; none where they were read at once
  gl::Sync fence{};                 ///< after the copy; none once it is passed
  std::vector<std::byte> texels{};  ///< where they were read at once
  PendingRead* newer = nullptr;     ///< among discarded ones
};

}  // namespace trigon::detail::run

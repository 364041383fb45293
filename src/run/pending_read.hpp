// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "core/layout.hpp"
#include "core/rooms.hpp"
#include "gl/caps.hpp"
#include "gl/handles.hpp"

namespace trigon::detail::run {

/// Texels on their way to the host. May be destroyed on any thread by DeviceState::discard.
struct PendingRead {
  core::Layout layout;
  gl::ReadFormat format;
  gl::Buffer buffer{};              ///< the copied texels; none if they were read at once
  gl::Sync fence{};                 ///< after the copy; none once passed
  std::vector<std::byte> texels{};  ///< the texels if they were read at once
  PendingRead* newer = nullptr;     ///< link among discarded reads
};

}  // namespace trigon::detail::run

// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <span>

#include "core/rooms.hpp"

namespace trigon::detail::io {

static_assert(std::endian::native == std::endian::little, "files are read as they lie");

/// The number that the first bytes are. One load: Chromium 156 compiles a loop that shifts 64-bit
/// bytes into place wrongly.
template <std::unsigned_integral T>
T read_little_endian(std::span<const std::byte> bytes) {
  T value;
  std::memcpy(&value, bytes.first(sizeof value).data(), sizeof value);
  return value;
}

/// The bytes of a number, as a file has them.
template <std::unsigned_integral T>
std::array<std::byte, sizeof(T)> little_endian(T value) {
  return std::bit_cast<std::array<std::byte, sizeof(T)>>(value);
}

}  // namespace trigon::detail::io

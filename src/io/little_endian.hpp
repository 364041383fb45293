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

/// The number in the first bytes. Uses one load: Chromium 156 miscompiles a loop that shifts bytes
/// into a 64-bit number.
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

// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "core/rooms.hpp"

namespace trigon::detail::core {

/// Extends the hash `seed` by `value`. The order counts: mix(mix(s, a), b) is not mix(mix(s, b),
/// a). For a given seed no two values give the same hash.
///
/// Source: the finalizer of MurmurHash3 with Stafford's constants (variant 13), as in SplitMix64.
constexpr std::uint64_t mix(std::uint64_t seed, std::uint64_t value) {
  std::uint64_t h = std::rotl(seed, 23) + 0x9e3779b97f4a7c15U;
  h ^= value;
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9U;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebU;
  return h ^ (h >> 31);
}

/// The same for any other number or enumerator, by its value.
template <class T>
  requires(std::integral<T> || std::is_enum_v<T>)
constexpr std::uint64_t mix(std::uint64_t seed, T value) {
  return mix(seed, static_cast<std::uint64_t>(value));
}

/// By the bits of the value, so 0.0 and -0.0 differ and a NaN equals itself.
constexpr std::uint64_t mix(std::uint64_t seed, double value) {
  return mix(seed, std::bit_cast<std::uint64_t>(value));
}

/// By length and bytes, the same on every machine.
constexpr std::uint64_t mix(std::uint64_t seed, std::string_view text) {
  seed = mix(seed, static_cast<std::uint64_t>(text.size()));
  std::uint64_t word = 0;
  int bytes = 0;
  for (const char c : text) {
    word = word << 8 | static_cast<unsigned char>(c);
    if (++bytes % 8 == 0) seed = mix(seed, word);
  }
  return bytes % 8 == 0 ? seed : mix(seed, word);
}

}  // namespace trigon::detail::core

// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace trigon::support {

using Block = std::array<std::uint32_t, 2>;

/// Threefry-2x32 of 20 rounds, as the paper has it.
inline Block threefry(const Block& key, const Block& counter) {
  constexpr std::array<unsigned, 8> rotations{13, 15, 26, 6, 17, 29, 16, 24};
  const std::array<std::uint32_t, 3> keys{key[0], key[1], 0x1BD11BDAU ^ key[0] ^ key[1]};
  Block x{counter[0] + key[0], counter[1] + key[1]};
  for (std::size_t round = 0; round < 20; ++round) {
    const unsigned r = rotations[round % 8];
    x[0] += x[1];
    x[1] = (x[1] << r) | (x[1] >> (32U - r));
    x[1] ^= x[0];
    if (round % 4 != 3) continue;
    const std::size_t group = round / 4 + 1;
    x[0] += keys[group % 3];
    x[1] += keys[(group + 1) % 3] + static_cast<std::uint32_t>(group);
  }
  return x;
}

/// The block of the element number n.
inline Block block(std::uint64_t seed, std::uint32_t n) {
  return threefry({static_cast<std::uint32_t>(seed >> 32U), static_cast<std::uint32_t>(seed)},
                  {0, n});
}

/// As random::bits.
inline std::uint32_t random_word(std::uint64_t seed, std::uint32_t n) {
  const Block x = block(seed, n);
  return x[0] ^ x[1];
}

/// As random::uniform.
inline double random_fraction(std::uint64_t seed, std::uint32_t n) {
  return (random_word(seed, n) >> 8U) / 16777216.0;
}

/// As random::integers.
inline std::int64_t random_integer(std::uint64_t seed, std::uint32_t n, std::int64_t low,
                                   std::int64_t high) {
  const Block x = block(seed, n);
  const auto range = static_cast<std::uint64_t>(high - low);
  const std::uint64_t lower = (x[1] * range) >> 32U;
  return low + static_cast<std::int64_t>((x[0] * range + lower) >> 32U);
}

/// Published known answers: kat_vectors of Random123, and keys that JAX splits from key(0).
struct KnownAnswer {
  std::uint64_t key, counter, result;
};
inline constexpr std::array<KnownAnswer, 4> known_answers{{
    {0, 0, 0x6b20015999ba4efe},
    {0xffffffffffffffff, 0xffffffffffffffff, 0x1cb996fcbb002be7},
    {0x13198a2e03707344, 0x243f6a8885a308d3, 0xc4923a9c483df7a0},
    {0, 1, 0x375f238fcddb151d},  // 928981903, 3453687069
}};

}  // namespace trigon::support

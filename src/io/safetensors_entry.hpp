// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// What a safetensors file holds.

namespace trigon::detail::io {

/// Element types of a safetensors file that can be read and written here.
enum class FileDType : std::uint8_t { f64, f32, f16, bf16, i64, i32, u32, u8, boolean };

/// The name in the file: "F64", "F32", "F16", "BF16", "I64", "I32", "U32", "U8", "BOOL".
std::string_view name(FileDType dtype);
/// Bytes of one element.
std::size_t size_of(FileDType dtype);

/// One tensor of a file: little-endian, in C order. `bytes` may lie at any address; there are none
/// where the header alone was read.
struct Entry {
  std::string name;
  FileDType dtype = FileDType::f32;
  std::vector<std::int64_t> shape;
  std::span<const std::byte> bytes{};
  std::uint64_t begin = 0, end = 0;  ///< of a file that was read: where its bytes lie in it
};

/// Bytes of the number in front of a header, which is the header's size, and the most that the
/// reference implementation takes for a header.
constexpr std::size_t length_size = 8;
constexpr std::uint64_t max_header = 100'000'000;

}  // namespace trigon::detail::io

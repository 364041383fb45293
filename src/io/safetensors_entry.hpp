// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The content of a safetensors file.

namespace trigon::detail::io {

/// Element types of a safetensors file that can be read and written here.
enum class FileDType : std::uint8_t { f64, f32, f16, bf16, i64, i32, u32, u8, boolean };

/// The name in the file: "F64", "F32", "F16", "BF16", "I64", "I32", "U32", "U8", "BOOL".
std::string_view name(FileDType dtype);
/// Bytes of one element.
std::size_t size_of(FileDType dtype);

/// One tensor of a file: little-endian, in C order. `bytes` may have any address; it is empty if
/// only the header was read.
struct Entry {
  std::string name;
  FileDType dtype = FileDType::f32;
  std::vector<std::int64_t> shape;
  std::span<const std::byte> bytes{};
  std::uint64_t begin = 0, end = 0;  ///< range of its bytes in the file that was read
};

/// Bytes of the number before the header, which is the header's size, and the reference
/// implementation's limit on that size.
constexpr std::size_t length_size = 8;
constexpr std::uint64_t max_header = 100'000'000;

}  // namespace trigon::detail::io

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace trigon {

/// Element types. float16 is a storage type: it is computed with in float32.
enum class DType : std::uint8_t { float32, float16, int32, uint32, uint8, boolean };

inline constexpr DType float32 = DType::float32;
inline constexpr DType float16 = DType::float16;
inline constexpr DType int32 = DType::int32;
inline constexpr DType uint32 = DType::uint32;
inline constexpr DType uint8 = DType::uint8;
inline constexpr DType boolean = DType::boolean;

/// NumPy's name: "float32", "float16", "int32", "uint32", "uint8", "bool".
std::string_view name(DType dtype);

/// Bytes of one element on the host: 4, 2, 4, 4, 1, 1.
std::size_t size_of(DType dtype);

constexpr bool is_float(DType d) { return d == DType::float32 || d == DType::float16; }
constexpr bool is_integer(DType d) {
  return d == DType::int32 || d == DType::uint32 || d == DType::uint8;
}

/// The dtype in which `a op b` is computed: bool < uint8 < uint32 < int32 < float32. float16 counts
/// as float32. There is no int64: int32 with uint32 gives int32.
DType promote(DType a, DType b);

/// The DType that holds a host type T (bool, uint8_t, int32_t, uint32_t, float).
template <class T>
inline constexpr DType dtype_of = T::unsupported_host_type;
template <>
inline constexpr DType dtype_of<float> = DType::float32;
template <>
inline constexpr DType dtype_of<std::int32_t> = DType::int32;
template <>
inline constexpr DType dtype_of<std::uint32_t> = DType::uint32;
template <>
inline constexpr DType dtype_of<std::uint8_t> = DType::uint8;
template <>
inline constexpr DType dtype_of<bool> = DType::boolean;

}  // namespace trigon

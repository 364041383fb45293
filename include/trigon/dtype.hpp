// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <trigon/config.hpp>

namespace trigon {

/// Kinds of numbers. A host number takes the dtype of a tensor of the same or a higher kind.
enum class NumberKind : std::uint8_t { boolean, integer, floating };

/// Element types. float16 is for storage only: computing with it gives float32.
enum class DType : std::uint8_t { float32, float16, int32, uint32, uint8, boolean };

inline constexpr DType float32 = DType::float32;
inline constexpr DType float16 = DType::float16;
inline constexpr DType int32 = DType::int32;
inline constexpr DType uint32 = DType::uint32;
inline constexpr DType uint8 = DType::uint8;
inline constexpr DType boolean = DType::boolean;

/// One more than the last dtype.
inline constexpr std::size_t dtype_count = static_cast<std::size_t>(DType::boolean) + 1;

/// The properties of a dtype.
struct DTypeInfo {
  DType dtype;
  std::string_view name;  ///< NumPy's name
  std::size_t size;       ///< bytes of one element
  NumberKind kind;
  int promotion_rank;      ///< `a op b` is computed in the dtype of higher rank
  DType computed;          ///< used for computing, and for values on the host
  DType summed;            ///< used by reductions to combine elements
  double lowest;           ///< least finite value
  double highest;          ///< greatest finite value
  int digits = 0;          ///< floats: bits of the significand after the leading 1
  int least_exponent = 0;  ///< floats: the least positive normal number is 2 to this power
};

inline constexpr std::array<DTypeInfo, dtype_count> dtype_table = {{
    {.dtype = DType::float32,
     .name = "float32",
     .size = 4,
     .kind = NumberKind::floating,
     .promotion_rank = 4,
     .computed = DType::float32,
     .summed = DType::float32,
     .lowest = -3.4028234663852886e38,
     .highest = 3.4028234663852886e38,
     .digits = 23,
     .least_exponent = -126},
    {.dtype = DType::float16,
     .name = "float16",
     .size = 2,
     .kind = NumberKind::floating,
     .promotion_rank = 4,
     .computed = DType::float32,
     .summed = DType::float32,
     .lowest = -65504,
     .highest = 65504,
     .digits = 10,
     .least_exponent = -14},
    {.dtype = DType::int32,
     .name = "int32",
     .size = 4,
     .kind = NumberKind::integer,
     .promotion_rank = 3,
     .computed = DType::int32,
     .summed = DType::int32,
     .lowest = -2147483648.0,
     .highest = 2147483647.0},
    {.dtype = DType::uint32,
     .name = "uint32",
     .size = 4,
     .kind = NumberKind::integer,
     .promotion_rank = 2,
     .computed = DType::uint32,
     .summed = DType::uint32,
     .lowest = 0,
     .highest = 4294967295.0},
    {.dtype = DType::uint8,
     .name = "uint8",
     .size = 1,
     .kind = NumberKind::integer,
     .promotion_rank = 1,
     .computed = DType::uint8,
     .summed = DType::uint32,
     .lowest = 0,
     .highest = 255},
    {.dtype = DType::boolean,
     .name = "bool",
     .size = 1,
     .kind = NumberKind::boolean,
     .promotion_rank = 0,
     .computed = DType::boolean,
     .summed = DType::int32,
     .lowest = 0,
     .highest = 1},
}};
/// The row of dtype_table.
[[nodiscard]] constexpr const DTypeInfo& info(DType dtype) {
  return dtype_table[static_cast<std::size_t>(dtype)];
}

static_assert(
    [] {
      for (std::size_t k = 0; k < dtype_count; ++k) {
        if (static_cast<std::size_t>(dtype_table[k].dtype) != k) return false;
      }
      return true;
    }(),
    "dtype_table has one row a dtype, in their order");

/// NumPy's name: "float32", "float16", "int32", "uint32", "uint8", "bool".
[[nodiscard]] constexpr std::string_view name(DType dtype) { return info(dtype).name; }

/// Bytes of one element on the host: 4, 2, 4, 4, 1, 1.
[[nodiscard]] constexpr std::size_t size_of(DType dtype) { return info(dtype).size; }
/// Whether it is float32 or float16; whether it is int32, uint32 or uint8.
[[nodiscard]] constexpr bool is_float(DType d) { return info(d).kind == NumberKind::floating; }
[[nodiscard]] constexpr bool is_integer(DType d) { return info(d).kind == NumberKind::integer; }

/// The dtype in which `a op b` is computed: bool < uint8 < uint32 < int32 < float32. float16 counts
/// as float32. There is no int64: int32 with uint32 gives int32.
[[nodiscard]] constexpr DType promote(DType a, DType b) {
  return info(info(a).promotion_rank >= info(b).promotion_rank ? a : b).computed;
}

/// The DType of a host type T: bool, std::uint8_t, std::int32_t, std::uint32_t or float. Other
/// types do not compile.
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

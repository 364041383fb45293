// SPDX-License-Identifier: MIT
#include <bit>
#include <cstring>
#include <limits>

#include "core/called.hpp"
#include "core/half.hpp"
#include "io/rounding.hpp"
#include "io/safetensors.hpp"
#include "io/text.hpp"

namespace trigon::detail::io {
namespace {

static_assert(std::endian::native == std::endian::little, "the file format is little-endian");

// Elements may lie at any address, so they are copied out byte by byte.
template <class T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

float from_bits(std::uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

template <class Out, class In, class Convert>
std::vector<Out> convert(const Entry& entry, Convert one) {
  std::vector<Out> out(entry.bytes.size() / sizeof(In));
  const std::byte* from = entry.bytes.data();
  for (std::size_t i = 0; i < out.size(); ++i, from += sizeof(In)) out[i] = one(load<In>(from), i);
  return out;
}

template <class In>
std::vector<float> cast_to_float(const Entry& entry) {
  return convert<float, In>(entry, [](In x, std::size_t) { return static_cast<float>(x); });
}

template <class In>
std::vector<std::int32_t> narrow_to_int32(const Entry& entry) {
  constexpr auto lowest = std::numeric_limits<std::int32_t>::min();
  constexpr auto highest = std::numeric_limits<std::int32_t>::max();
  return convert<std::int32_t, In>(entry, [&](In x, std::size_t i) {
    const auto wide = static_cast<std::int64_t>(x);
    if (wide < lowest || wide > highest) {
      core::fail("tensor {}: value does not fit int32: element {} is {}; must be in [{}, {}]",
                 core::quote(entry.name), i, wide, lowest, highest);
    }
    return static_cast<std::int32_t>(wide);
  });
}

template <class T>
std::optional<std::span<const T>> view(const Entry& entry, FileDType dtype) {
  const auto address = reinterpret_cast<std::uintptr_t>(entry.bytes.data());
  if (entry.dtype != dtype || address % alignof(T) != 0) return std::nullopt;
  return std::span(reinterpret_cast<const T*>(entry.bytes.data()), entry.bytes.size() / sizeof(T));
}

}  // namespace

std::string_view name(FileDType dtype) {
  switch (dtype) {
    case FileDType::f64: return "F64";
    case FileDType::f32: return "F32";
    case FileDType::f16: return "F16";
    case FileDType::bf16: return "BF16";
    case FileDType::i64: return "I64";
    case FileDType::i32: return "I32";
    case FileDType::u32: return "U32";
    case FileDType::u8: return "U8";
    case FileDType::boolean: return "BOOL";
  }
  return "invalid";
}

std::size_t size_of(FileDType dtype) {
  switch (dtype) {
    case FileDType::f64:
    case FileDType::i64: return 8;
    case FileDType::f32:
    case FileDType::i32:
    case FileDType::u32: return 4;
    case FileDType::f16:
    case FileDType::bf16: return 2;
    case FileDType::u8:
    case FileDType::boolean: return 1;
  }
  return 0;
}

std::vector<float> to_float32(const Entry& entry) {
  const RoundToNearest nearest;
  switch (entry.dtype) {
    case FileDType::f64: return cast_to_float<double>(entry);
    case FileDType::f32: return cast_to_float<float>(entry);
    case FileDType::f16:
      return convert<float, std::uint16_t>(
          entry, [](std::uint16_t bits, std::size_t) { return core::half_to_float(bits); });
    case FileDType::bf16:
      return convert<float, std::uint16_t>(entry, [](std::uint16_t bits, std::size_t) {
        return from_bits(std::uint32_t{bits} << 16);
      });
    case FileDType::i64: return cast_to_float<std::int64_t>(entry);
    case FileDType::i32: return cast_to_float<std::int32_t>(entry);
    case FileDType::u32: return cast_to_float<std::uint32_t>(entry);
    case FileDType::u8: return cast_to_float<std::uint8_t>(entry);
    case FileDType::boolean:
      return convert<float, std::uint8_t>(
          entry, [](std::uint8_t x, std::size_t) { return x != 0 ? 1.0f : 0.0f; });
  }
  return {};
}

std::vector<std::int32_t> to_int32(const Entry& entry) {
  const core::Called called("SafeTensors");
  switch (entry.dtype) {
    case FileDType::i64: return narrow_to_int32<std::int64_t>(entry);
    case FileDType::i32: return narrow_to_int32<std::int32_t>(entry);
    case FileDType::u32: return narrow_to_int32<std::uint32_t>(entry);
    case FileDType::u8: return narrow_to_int32<std::uint8_t>(entry);
    case FileDType::boolean:
      return convert<std::int32_t, std::uint8_t>(
          entry, [](std::uint8_t x, std::size_t) { return x != 0 ? 1 : 0; });
    default: break;
  }
  core::fail("tensor {}: not an integer tensor: dtype is {}; must be I64, I32, U32, U8 or BOOL",
             core::quote(entry.name), name(entry.dtype));
}

template <>
std::optional<std::span<const float>> view_as<float>(const Entry& entry) {
  return view<float>(entry, FileDType::f32);
}
template <>
std::optional<std::span<const std::int32_t>> view_as<std::int32_t>(const Entry& entry) {
  return view<std::int32_t>(entry, FileDType::i32);
}
template <>
std::optional<std::span<const std::uint32_t>> view_as<std::uint32_t>(const Entry& entry) {
  return view<std::uint32_t>(entry, FileDType::u32);
}
template <>
std::optional<std::span<const std::uint8_t>> view_as<std::uint8_t>(const Entry& entry) {
  return view<std::uint8_t>(entry, FileDType::u8);
}

}  // namespace trigon::detail::io

// SPDX-License-Identifier: MIT
#include "core/storage.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace trigon::detail::core {
namespace {

struct FormatRow {
  Format format;
  std::int64_t bytes;
  Type type;
};
constexpr std::array formats{
    FormatRow{Format::rgba32f, 16, Type::f}, FormatRow{Format::rgba16f, 8, Type::f},
    FormatRow{Format::rgba32i, 16, Type::i}, FormatRow{Format::rgba32ui, 16, Type::u},
    FormatRow{Format::rgba8ui, 4, Type::u},
};
static_assert(formats.size() == format_count && in_order(formats, &FormatRow::format),
              "the table has one row a format, in their order");

double int8_element(const std::byte* texel, std::int64_t k) {
  std::uint32_t word;
  std::memcpy(&word, texel + k / 4 * 4, sizeof word);
  return static_cast<std::int8_t>((word >> (k % 4 * 8)) & 255);
}

using enum Encoding;
using enum Format;

constexpr std::array table{
    EncodingInfo{DType::float32, plain, rgba32f, lanes, Type::f},
    EncodingInfo{DType::float16, plain, rgba16f, lanes, Type::f},
    EncodingInfo{DType::int32, plain, rgba32i, lanes, Type::i},
    EncodingInfo{DType::uint32, plain, rgba32ui, lanes, Type::u},
    EncodingInfo{DType::uint8, plain, rgba8ui, lanes, Type::u},
    EncodingInfo{DType::boolean, plain, rgba8ui, lanes, Type::f},
    EncodingInfo{DType::float32, packed_int8, rgba32ui, 16, Type::f, "int8_lanes_", int8_element},
};

/// Plain rows can be found by their dtype, and groups of lanes by shifts.
constexpr bool is_sound() {
  for (std::size_t k = 0; k < table.size(); ++k) {
    const EncodingInfo& row = table[k];
    const auto count = static_cast<std::uint64_t>(row.elements_per_texel);
    if ((row.encoding == plain) != (k < dtype_count)) return false;
    if (k < dtype_count && static_cast<std::size_t>(row.dtype) != k) return false;
    if (row.encoding == plain && row.elements_per_texel != lanes) return false;
    if (!std::has_single_bit(count) || row.elements_per_texel % lanes != 0) return false;
    if (row.decode.empty() != (row.element == nullptr)) return false;
    if (row.decode.empty() != (row.encoding == plain)) return false;
  }
  return true;
}
static_assert(is_sound());

}  // namespace

std::int64_t bytes_per_texel(Format format) { return item(formats, format).bytes; }

Type texel_type(Format format) { return item(formats, format).type; }

std::span<const EncodingInfo> encodings() { return table; }

const EncodingInfo* find_encoding(Dialect dialect, DType dtype, Encoding encoding) {
  if (encoding == plain) return &item(table, dialect == Dialect::es100 ? DType::float32 : dtype);
  if (dialect == Dialect::es100) return nullptr;
  const auto* const row = std::find_if(table.begin(), table.end(), [&](const EncodingInfo& one) {
    return one.dtype == dtype && one.encoding == encoding;
  });
  return row == table.end() ? nullptr : row;
}

std::int32_t number_of(const EncodingInfo& row) {
  return static_cast<std::int32_t>(&row - table.data());
}

}  // namespace trigon::detail::core

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace trigon::io {

/// `text` in double quotes on one line: control bytes, quotes and backslashes escaped, at most
/// `limit` bytes of it, so that names in a hostile file cannot break or flood a message.
inline std::string quote(std::string_view text, std::size_t limit = 80) {
  std::size_t end = text.size();
  if (end > limit) {
    end = limit;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  }
  std::string out = "\"";
  for (const char c : text.substr(0, end)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  return out + (end < text.size() ? "...\"" : "\"");
}

/// A path in double quotes, escaped but not shortened: the user needs to see all of it.
inline std::string quote_path(const std::filesystem::path& path) {
  return quote(path.string(), std::string::npos);
}

/// "(2, 3)", "(4,)", "()": sizes of any number of axes.
inline std::string shape_text(std::span<const std::int64_t> shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

/// Bytes of a dense array, or nothing when they reach 2^63. Sizes must not be negative.
inline std::optional<std::uint64_t> byte_count(std::span<const std::int64_t> shape,
                                               std::size_t element_size) {
  for (const std::int64_t dim : shape) {
    if (dim == 0) return 0;
  }
  constexpr auto limit = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  std::uint64_t bytes = element_size;
  for (const std::int64_t dim : shape) {
    const auto size = static_cast<std::uint64_t>(dim);
    if (bytes > limit / size) return std::nullopt;
    bytes *= size;
  }
  return bytes;
}

}  // namespace trigon::io

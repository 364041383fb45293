// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include <fmt/format.h>

#include "core/quote.hpp"

namespace trigon::detail::io {

/// A path in double quotes, escaped but not shortened: the user needs to see all of it.
inline std::string quote_path(const std::filesystem::path& path) {
  return core::quote(path.string(), std::string::npos);
}

inline std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
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

}  // namespace trigon::detail::io

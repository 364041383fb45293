// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "core/rooms.hpp"

namespace trigon::detail::io {

/// FileKind::what of a safetensors file.
inline constexpr std::string_view safetensors_file = "a safetensors file";
/// FileKind::what of a PNG file, recognised by a part of its signature.
inline constexpr std::string_view png_file = "a PNG picture";

/// A kind of file that is often mistaken for another.
struct FileKind {
  std::string_view what;    ///< "a NumPy array"
  std::string_view advice;  ///< "load_npy reads it"
};

/// Number of bytes at the start of a file that identify its kind.
inline constexpr std::size_t kind_size = 24;

/// The kind of a file by its first bytes; nothing if the kind is unknown.
std::optional<FileKind> kind_of(std::span<const std::byte> start);

}  // namespace trigon::detail::io

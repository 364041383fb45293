// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "core/rooms.hpp"

namespace trigon::detail::io {

/// FileKind::what of a file of safetensors.
inline constexpr std::string_view safetensors_file = "a safetensors file";
/// That of a PNG file, by less than its whole signature.
inline constexpr std::string_view png_file = "a PNG picture";

/// A kind of file that is often taken for another one.
struct FileKind {
  std::string_view what;    ///< "a NumPy array"
  std::string_view advice;  ///< "load_npy reads it"
};

/// Bytes of the start of a file by which its kind is known.
inline constexpr std::size_t kind_size = 24;

/// The kind of a file by its first bytes; nothing where no kind is known that starts so.
std::optional<FileKind> kind_of(std::span<const std::byte> start);

}  // namespace trigon::detail::io

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/rooms.hpp"

namespace trigon::detail::image {

/// Pixels in rows from the top, with interleaved channels.
struct PngImage {
  std::int64_t width = 0;
  std::int64_t height = 0;
  int channels = 0;  ///< 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA
  int bits = 8;      ///< per channel: 8, or 16 in the host's byte order
  std::vector<std::byte> data{};
};

/// Raises Error `trigon::load_png: "<path>": ...` for a file that cannot be read or is not a whole
/// PNG file.
PngImage load_png(const std::filesystem::path& path);

/// Replaces the file by an image with 8 bits per channel. Raises Error `trigon::save_png: "<path>":
/// ...` when it cannot be written.
void save_png(const std::filesystem::path& path, const PngImage& image);

}  // namespace trigon::detail::image

// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include <trigon/io.hpp>

#include "core/called.hpp"
#include "disk.hpp"
#include "image/png.hpp"
#include "io/new_file.hpp"
#include "io/npy.hpp"
#include "io/safetensors.hpp"
#include "support/io_files.hpp"

// The ways to write a file, each with two versions of its content.

namespace trigon::fault {

using io::TemporaryDirectory;

/// Bytes that are not all equal; another sequence for each version.
inline std::vector<std::byte> some_bytes(std::size_t count, int version) {
  std::vector<std::byte> bytes(count);
  for (std::size_t k = 0; k < count; ++k) {
    bytes[k] = static_cast<std::byte>(1 + (k * 37 + static_cast<std::size_t>(version) * 11) % 101);
  }
  return bytes;
}

struct Saver {
  const char* name;
  const char* function;  ///< in its errors
  void (*save)(const std::filesystem::path& path, int version);
};

inline void save_array(const std::filesystem::path& path, int version) {
  const std::array<std::int64_t, 2> shape = {3, 4};
  io::save_npy(path, DType::float32, shape, some_bytes(48, version));
}

inline void save_tensors(const std::filesystem::path& path, int version) {
  const auto x = some_bytes(48, version), y = some_bytes(5, version + 1);
  const std::array<io::Entry, 2> entries = {
      io::Entry{.name = "x", .dtype = io::FileDType::f32, .shape = {12}, .bytes = x},
      io::Entry{.name = "y", .dtype = io::FileDType::u8, .shape = {5}, .bytes = y}};
  io::save_safetensors(path, entries);
}

inline void save_image(const std::filesystem::path& path, int version) {
  image::save_png(
      path, {.width = 4, .height = 4, .channels = 3, .bits = 8, .data = some_bytes(48, version)});
}

/// As GPT-2 writes --attention and tables.
inline void save_pieces(const std::filesystem::path& path, int version) {
  const core::Called called("save_pieces");
  io::NewFile file(path);
  for (int piece = 0; piece < 3; ++piece) {
    file.write(some_bytes(10, version + 7 * piece));
  }
  file.finish();
}

inline constexpr std::array savers = {
    Saver{"Npy", "save_npy", save_array},
    Saver{"Safetensors", "save_safetensors", save_tensors},
    Saver{"Png", "save_png", save_image},
    Saver{"Pieces", "save_pieces", save_pieces},
};

inline void PrintTo(const Saver& saver, std::ostream* out) { *out << saver.name; }

/// The content of a file.
inline Content content_of(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) return {};
  return io::read_file(path);
}

}  // namespace trigon::fault

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "io/json_text.hpp"
#include "io/new_file.hpp"

// Parts of the library's own files that samples use. They are internals: a program that is built
// with the installed library has no headers of them.

namespace samples {

/// Describes the first token of a JSON text that is too long to be parsed, or returns "". Copies
/// nothing.
using trigon::detail::io::find_long_token;

/// A file that is written piece by piece and replaced atomically: until finish() returns, and after
/// a crash, readers see the old file. Links are followed and kept. Raises trigon::Error
/// `trigon: "<path>": cannot write: ...`.
class NewFile {
 public:
  explicit NewFile(const std::filesystem::path& path) : file_(path) {}
  void write(std::string_view bytes) {
    file_.write(std::as_bytes(std::span(bytes.data(), bytes.size())));
  }
  /// Call once, after the last piece.
  void finish() { file_.finish(); }

 private:
  trigon::detail::io::NewFile file_;
};

}  // namespace samples

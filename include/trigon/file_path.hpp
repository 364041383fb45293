// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <utility>

#include <trigon/config.hpp>

namespace trigon {

/// The name of a file: text, or a std::filesystem::path. That class is not used itself, since its
/// header would be a sixth of what `#include <trigon/trigon.hpp>` takes to compile.
///
///   save_npy("x.npy", x);
///   save_npy(std::filesystem::path("out") / "x.npy", x);
class FilePath {
 public:
  FilePath(const char* text) : text_(text) {}
  FilePath(std::string_view text) : text_(text) {}
  FilePath(std::string text) : text_(std::move(text)) {}
  /// Any class that has its text as std::filesystem::path does.
  template <class Path>
    requires requires(const Path& path) {
      { path.native() } -> std::same_as<const std::string&>;
    }
  FilePath(const Path& path) : text_(path.native()) {}
  /// Any class that has such a path, as std::filesystem::directory_entry does.
  template <class Entry>
    requires requires(const Entry& entry) {
      { entry.path().native() } -> std::same_as<const std::string&>;
    }
  FilePath(const Entry& entry) : text_(entry.path().native()) {}

  /// The text, in the encoding of the file system.
  [[nodiscard]] const std::string& native() const { return text_; }

 private:
  std::string text_;
};

}  // namespace trigon

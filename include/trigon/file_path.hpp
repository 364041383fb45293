// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <utility>

#include <trigon/config.hpp>

namespace trigon {

/// The name of a file: text, or a std::filesystem::path. Its header is not included, since it would
/// take a sixth of the compile time of `#include <trigon/trigon.hpp>`.
///
///   save_npy("x.npy", x);
///   save_npy(std::filesystem::path("out") / "x.npy", x);
class FilePath {
 public:
  FilePath(const char* text) : text_(text) {}
  FilePath(std::string_view text) : text_(text) {}
  FilePath(std::string text) : text_(std::move(text)) {}
  /// Any class with `native()`, such as std::filesystem::path.
  template <class Path>
    requires requires(const Path& path) {
      { path.native() } -> std::same_as<const std::string&>;
    }
  FilePath(const Path& path) : text_(path.native()) {}
  /// Any class with such a `path()`, such as std::filesystem::directory_entry.
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

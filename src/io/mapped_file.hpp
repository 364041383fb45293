// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "io/descriptor.hpp"

namespace trigon::detail::io {

/// A regular file, open and mapped read-only for as long as the object lives. If it is replaced
/// meanwhile, as by saving, the mapping keeps the old content. If another process shortens it, or
/// the disk fails, reading through the mapping would end this process with SIGBUS. So the library
/// reads with copy(), which raises Error.
class MappedFile {
 public:
  /// Raises Error when it cannot be opened or is not a regular file.
  static std::shared_ptr<const MappedFile> open(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  /// The mapping; empty for an empty file.
  std::span<const std::byte> bytes() const { return bytes_; }
  /// Whether `range` lies in bytes().
  bool holds(std::span<const std::byte> range) const;
  /// Reads a range of bytes(). Raises Error when that fails, and when the file has been shortened.
  std::vector<std::byte> copy(std::span<const std::byte> range) const;

 private:
  explicit MappedFile(const std::filesystem::path& path);

  std::filesystem::path path_;
  Descriptor file_;
  std::span<const std::byte> bytes_;
};

}  // namespace trigon::detail::io

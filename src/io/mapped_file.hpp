// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

namespace trigon::io {

/// A regular file, mapped read-only for as long as the object lives. If another process shortens
/// the file meanwhile, the next read ends this process with SIGBUS; replace_file() never shortens
/// one.
class MappedFile {
 public:
  /// Raises Error `trigon::<function>: "<path>": ...` when it cannot be opened or is not a
  /// regular file.
  static std::shared_ptr<const MappedFile> open(const char* function,
                                                const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  /// Empty for an empty file.
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  explicit MappedFile(std::span<const std::byte> bytes) : bytes_(bytes) {}

  std::span<const std::byte> bytes_;
};

/// Writes `parts`, one after the other, as the new content of the file that `path` names in the
/// end, links followed. They go to a temporary file beside it, which takes the old file's
/// permissions, and its owner where the process may set it, and is then renamed: a reader sees the
/// whole old file or the whole new one, and other hard links keep the old one. What is no regular
/// file, such as a pipe or /dev/null, is written to. Raises Error
/// `trigon::<function>: "<path>": cannot write: ...`; the old file is kept then.
void replace_file(const char* function, const std::filesystem::path& path,
                  std::span<const std::span<const std::byte>> parts);

}  // namespace trigon::io

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace gpt2 {

/// The bytes of a regular file. Raises trigon::Error `<function>: <file>: ...` for anything else,
/// for one of more than `most_bytes`, and when a read fails.
std::string read_file(const char* function, const std::filesystem::path& file,
                      std::size_t most_bytes);

/// Standard input to its end. Raises trigon::Error when it cannot be read.
std::string read_standard_input();

/// A file that is written piece by piece and gets its name when it is whole: until then it lies
/// beside it under another one. What is no regular file, such as /dev/null, is written to.
class NewFile {
 public:
  /// Raises trigon::Error `gpt2: <path>: cannot be written: ...`, as write() and finish() do.
  explicit NewFile(std::filesystem::path path);
  /// Removes the file, unless it is finished.
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void write(std::string_view bytes);
  void finish();

 private:
  void check(bool done) const;

  std::filesystem::path path_;
  std::string unfinished_{};  // its name; empty for a device
  int fd_ = -1;
};

}  // namespace gpt2

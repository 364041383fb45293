// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include <trigon/error.hpp>

// Code that the targets of libFuzzer share. A target calls the library with arbitrary bytes, which
// the library may refuse with an Error. Other faults end the program: another exception, an invalid
// read, undefined behaviour, a leak, an endless run.

namespace trigon::fuzz {

using Bytes = std::span<const std::uint8_t>;

inline std::string_view text_of(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Stops with the bytes as a finding.
inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

/// Runs `work`, which may raise Error with a text that is on one or two lines.
template <class F>
void allow_errors(F work) {
  try {
    work();
  } catch (const Error& error) {
    const std::string_view text = error.what();
    require(!text.empty(), "an error has a text");
    require(std::count(text.begin(), text.end(), '\n') <= 1, "an error has at most one hint");
    require(text.find('\0') == std::string_view::npos, "an error holds no zero byte");
  }
}

/// The bytes one after the other, as arguments of calls; zeros past their end.
class Reader {
 public:
  explicit Reader(Bytes bytes) : bytes_(bytes) {}

  bool empty() const { return bytes_.empty(); }
  std::uint8_t byte() {
    if (bytes_.empty()) return 0;
    const std::uint8_t first = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return first;
  }
  /// One of 0, 1, ..., n - 1.
  int below(int n) { return byte() % n; }
  /// Mostly small, sometimes at the edges of the range of int64.
  std::int64_t number() {
    const std::uint8_t kind = byte();
    if (kind < 200) return static_cast<std::int64_t>(kind % 16) - 4;
    if (kind < 240) return (std::int64_t{1} << (kind - 200)) + (byte() % 3) - 1;
    std::uint64_t bits = 0;
    for (int k = 0; k < 8; ++k) bits = bits << 8 | byte();
    return std::bit_cast<std::int64_t>(bits);
  }
  /// Up to the next line feed.
  std::string_view line() {
    const std::string_view text = text_of(bytes_);
    const std::size_t end = std::min(text.find('\n'), text.size());
    bytes_ = bytes_.subspan(std::min(end + 1, bytes_.size()));
    return text.substr(0, end);
  }
  std::string_view rest() { return text_of(std::exchange(bytes_, {})); }

 private:
  Bytes bytes_;
};

/// A folder of this process, removed at its end.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "trigon-fuzz-XXXXXX").string();
    require(::mkdtemp(name.data()) != nullptr, "a folder can be made");
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void write(const char* name, std::string_view text) const {
    const int fd = ::open((path_ / name).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    require(fd >= 0, "a file can be made");
    const auto size = static_cast<ssize_t>(text.size());
    require(::write(fd, text.data(), text.size()) == size, "a file takes its text");
    ::close(fd);
  }

 private:
  std::filesystem::path path_;
};

/// A target's work with its bytes; each target's source defines it.
void run(Bytes bytes);

}  // namespace trigon::fuzz

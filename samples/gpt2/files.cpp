// SPDX-License-Identifier: MIT
#include "files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include <trigon/error.hpp>

namespace gpt2 {
namespace {

// Appends what is left of a file, up to one byte past the limit: its length is read, not believed.
// 0, or the errno of the read that failed.
int append_rest(int fd, std::size_t most_bytes, std::string& text) {
  std::array<char, 65536> part{};
  while (text.size() <= most_bytes) {
    const ssize_t count = ::read(fd, part.data(), part.size());
    if (count == 0) return 0;
    if (count < 0 && errno != EINTR) return errno;
    if (count > 0) text.append(part.data(), static_cast<std::size_t>(count));
  }
  return 0;
}

}  // namespace

std::string read_file(const char* function, const std::filesystem::path& file,
                      std::size_t most_bytes) {
  const auto fail = [&](const std::string& what) {
    throw trigon::Error(fmt::format("{}: {}: {}", function, file.string(), what));
  };
  // O_NONBLOCK: opening a named pipe would wait for its writer.
  const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat info {};
  const bool regular = fd >= 0 && ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
  std::string text;
  const int error = regular ? append_rest(fd, most_bytes, text) : 0;
  if (fd >= 0) ::close(fd);
  if (!regular || error != 0) fail("cannot be read; it must be a readable file");
  if (text.size() > most_bytes) {
    fail(fmt::format("too long: it must have at most {} bytes", most_bytes));
  }
  return text;
}

std::string read_standard_input() {
  std::string text;
  if (const int error = append_rest(STDIN_FILENO, text.max_size() - 1, text); error != 0) {
    throw trigon::Error(
        fmt::format("gpt2: standard input: cannot be read: {}", std::strerror(error)));
  }
  return text;
}

NewFile::NewFile(std::filesystem::path path) : path_(std::move(path)) {
  struct stat old {};
  const bool exists = ::stat(path_.c_str(), &old) == 0;
  const bool replaces = exists && S_ISREG(old.st_mode);
  if (replaces || !exists) {
    // Links are followed: they go on pointing to the file.
    if (replaces) path_ = std::filesystem::canonical(path_);
    // Of its own: what lies there under such a name already, a link maybe, is not touched.
    constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    for (int k = 0; fd_ < 0 && k < 100; ++k) {
      unfinished_ = fmt::format("{}.{}.{}.tmp", path_.string(), ::getpid(), k);
      fd_ = ::open(unfinished_.c_str(), flags, replaces ? 0600 : 0666);
      if (fd_ < 0 && errno != EEXIST) break;
    }
    // Where that fails, it stays the owner's alone.
    if (replaces && fd_ >= 0) static_cast<void>(::fchmod(fd_, old.st_mode & 07777) == 0);
  } else {
    fd_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  }
  check(fd_ >= 0);
}

NewFile::~NewFile() {
  if (fd_ < 0) return;
  ::close(fd_);
  if (!unfinished_.empty()) ::unlink(unfinished_.c_str());
}

void NewFile::check(bool done) const {
  if (done) return;
  throw trigon::Error(
      fmt::format("gpt2: {}: cannot be written: {}", path_.string(), std::strerror(errno)));
}

void NewFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
    check(written >= 0 || errno == EINTR);
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void NewFile::finish() {
  if (!unfinished_.empty()) {
    check(::fsync(fd_) == 0);  // else a power cut may leave the name with no content
    check(::rename(unfinished_.c_str(), path_.c_str()) == 0);
    unfinished_.clear();
  }
  const int fd = std::exchange(fd_, -1);
  check(::close(fd) == 0);
}

}  // namespace gpt2

// SPDX-License-Identifier: MIT
#pragma once

#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "core/called.hpp"
#include "io/text.hpp"

namespace trigon::detail::io {

/// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }

  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  /// False, with errno set, if written bytes may be lost.
  bool close() {
    const int fd = std::exchange(fd_, -1);
    // Linux has closed it even if a signal interrupts; a second try could close another thread's
    // file.
    return fd < 0 || ::close(fd) == 0 || errno == EINTR;
  }

 private:
  int fd_;
};

/// Calls `f`, which returns -1 and sets errno when it fails, until no signal interrupts it.
template <class F>
auto uninterrupted(const F& f) {
  auto result = f();
  while (result < 0 && errno == EINTR) result = f();
  return result;
}

/// Takes the result of open(). If standard streams are closed, a file may get the number of one and
/// would receive its output, so it is moved to another number. The result is not open, with errno
/// set, if `fd` is not, or cannot be moved.
inline Descriptor opened(int fd) {
  constexpr int first_free = STDERR_FILENO + 1;
  Descriptor file(fd);
  if (fd >= first_free || fd < 0) return file;
  return Descriptor(::fcntl(fd, F_DUPFD_CLOEXEC, first_free));
}

/// Whether a failed write may be repeated: after a signal, and if a non-blocking pipe is full; then
/// this waits for its reader.
inline bool waits_to_retry(int fd) {
  if (errno == EINTR) return true;
  if (errno != EAGAIN) return false;
  ::pollfd waiting{.fd = fd, .events = POLLOUT, .revents = 0};
  return ::poll(&waiting, 1, -1) >= 0 || errno == EINTR;
}

/// Raises Error `trigon::<called function>: "<path>": <what>: <why>; <rule>`.
[[noreturn]] inline void fail_with_file(const std::filesystem::path& path, const char* what,
                                        const std::string& why, const char* rule) {
  core::fail("{}: {}: {}; {}", quote_path(path), what, why, rule);
}

inline std::string errno_text(int code) { return std::generic_category().message(code); }

}  // namespace trigon::detail::io

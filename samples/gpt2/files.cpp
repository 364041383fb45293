// SPDX-License-Identifier: MIT
#include "files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <trigon/error.hpp>

namespace gpt2 {
namespace {

// Appends the rest of a file, up to one byte past the limit, without relying on the file's stated
// size. Returns 0, or the errno of the read that failed.
int append_rest(int fd, std::size_t most_bytes, std::string& text) {
  struct stat info {};
  if (::fstat(fd, &info) == 0 && info.st_size > 0) {  // 0 for a pipe
    text.reserve(std::min(static_cast<std::size_t>(info.st_size), most_bytes) + 1);
  }
  std::array<char, 65536> chunk{};
  while (text.size() <= most_bytes) {
    const ssize_t count = ::read(fd, chunk.data(), chunk.size());
    if (count == 0) return 0;
    if (count < 0 && !waits_to_retry(fd, POLLIN)) return errno;
    if (count > 0) text.append(chunk.data(), static_cast<std::size_t>(count));
  }
  return 0;
}

}  // namespace

bool waits_to_retry(int fd, short events) {
  if (errno == EINTR) return true;
  if (errno != EAGAIN) return false;
  ::pollfd waiting{.fd = fd, .events = events, .revents = 0};
  return ::poll(&waiting, 1, -1) >= 0 || errno == EINTR;
}

std::string read_file(const char* function, const std::filesystem::path& file,
                      std::size_t most_bytes) {
  const auto fail = [&](const std::string& what) {
    throw trigon::Error(fmt::format("{}: {}: {}", function, file.string(), what));
  };
  // O_NONBLOCK: opening a named pipe would wait for its writer.
  int fd = -1;
  do {
    fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  } while (fd < 0 && errno == EINTR);
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

void take_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    // Opens /dev/null as the lowest free number, in the wrong direction.
    static_cast<void>(::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));
  }
}

}  // namespace gpt2

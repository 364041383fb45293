// SPDX-License-Identifier: MIT
#include "io/mapped_file.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <string>
#include <system_error>

#include "io/text.hpp"
#include "trigon/error.hpp"

namespace trigon::io {
namespace {

std::string errno_text(int code) { return std::generic_category().message(code); }

// A descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return fd_; }
  int close() {
    const int fd = fd_;
    fd_ = -1;
    return fd < 0 ? 0 : ::close(fd);
  }

 private:
  int fd_;
};

// Removes the temporary file, unless it was renamed.
class TemporaryName {
 public:
  explicit TemporaryName(std::string path) : path_(std::move(path)) {}
  ~TemporaryName() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  TemporaryName(const TemporaryName&) = delete;
  TemporaryName& operator=(const TemporaryName&) = delete;

  void release() { path_.clear(); }

 private:
  std::string path_;
};

[[noreturn]] void fail(const char* function, const std::filesystem::path& path, const char* what,
                       const std::string& why, const char* rule) {
  throw Error(
      fmt::format("trigon::{}: {}: {}: {}; {}", function, quote_path(path), what, why, rule));
}

// 0, or the errno of the write that failed.
int write_all(int fd, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    bytes = bytes.subspan(written);
  }
  return 0;
}

// Creates a file under an unused name; -1 with errno set on failure.
int create_beside(const std::filesystem::path& path, mode_t mode, std::string& name) {
  static std::atomic<unsigned> counter{0};
  int fd = -1;
  do {  // a process that died may have left the name
    name = fmt::format("{}.{}-{}.tmp", path.string(), ::getpid(), ++counter);
    fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  } while (fd < 0 && errno == EEXIST);
  return fd;
}

// Turns SIGXFSZ (a limit of file sizes) and SIGPIPE of this thread's writes into their errors,
// EFBIG and EPIPE, for as long as the object lives.
class SignalsAsErrors {
 public:
  SignalsAsErrors() {
    ::sigemptyset(&ours_);
    ::sigaddset(&ours_, SIGXFSZ);
    ::sigaddset(&ours_, SIGPIPE);
    ::sigset_t pending;
    ::sigpending(&pending);
    for (const int signal : {SIGXFSZ, SIGPIPE}) {
      if (::sigismember(&pending, signal) == 1) ::sigdelset(&ours_, signal);
    }
    ::pthread_sigmask(SIG_BLOCK, &ours_, &before_);
  }
  ~SignalsAsErrors() {
    const ::timespec now{};
    while (::sigtimedwait(&ours_, nullptr, &now) > 0) {
    }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  SignalsAsErrors(const SignalsAsErrors&) = delete;
  SignalsAsErrors& operator=(const SignalsAsErrors&) = delete;

 private:
  ::sigset_t ours_{}, before_{};
};

// The file that a path names in the end, which need not exist: symbolic links are followed.
std::filesystem::path resolved(std::filesystem::path path) {
  constexpr int most_links = 40;  // as Linux
  std::error_code none;
  for (int links = 0; links < most_links; ++links) {
    const auto target = std::filesystem::read_symlink(path, none);
    if (none) return path;
    path = path.parent_path() / target;
  }
  return path;
}

}  // namespace

std::shared_ptr<const MappedFile> MappedFile::open(const char* function,
                                                   const std::filesystem::path& path) {
  constexpr const char* rule = "must be a readable file";
  // O_NONBLOCK: opening a named pipe would wait for its writer.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) fail(function, path, "cannot open", errno_text(errno), rule);
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) fail(function, path, "cannot open", errno_text(errno), rule);
  if (S_ISDIR(info.st_mode)) fail(function, path, "cannot open", errno_text(EISDIR), rule);
  if (!S_ISREG(info.st_mode)) fail(function, path, "cannot open", "not a regular file", rule);

  const std::size_t size = info.st_size;
  std::span<const std::byte> bytes;
  if (size != 0) {  // mmap refuses length 0
    void* const data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
    if (data == MAP_FAILED) fail(function, path, "cannot map", errno_text(errno), rule);
    bytes = {static_cast<const std::byte*>(data), size};
  }
  return std::shared_ptr<const MappedFile>(new MappedFile(bytes));
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

void replace_file(const char* function, const std::filesystem::path& path,
                  std::span<const std::span<const std::byte>> parts) {
  const auto check = [&](bool is_done) {
    if (!is_done) {
      fail(function, path, "cannot write", errno_text(errno),
           "must be a writable path in a writable directory");
    }
  };
  const auto write = [&](int fd) {
    for (const auto part : parts) {
      errno = write_all(fd, part);
      check(errno == 0);
    }
  };
  const SignalsAsErrors signals;
  struct stat old {};
  const bool exists = ::stat(path.c_str(), &old) == 0;
  check(exists || errno == ENOENT);
  if (exists && !S_ISREG(old.st_mode)) {  // a device or a pipe has no old content to keep
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    check(file.get() >= 0);
    write(file.get());
    check(file.close() == 0);
    return;
  }
  const std::filesystem::path target = resolved(path);
  std::string name;
  Descriptor file(create_beside(target, exists ? 0600 : 0666, name));
  check(file.get() >= 0);
  TemporaryName temporary(name);
  write(file.get());
  if (exists) {
    // Only root may give a file away. The mode comes second, since a new owner clears parts of it.
    static_cast<void>(::fchown(file.get(), old.st_uid, old.st_gid) == 0);
    check(::fchmod(file.get(), old.st_mode & 07777) == 0);
  }
  // Before the rename: else a power cut may leave the new name with no content.
  check(::fsync(file.get()) == 0);
  check(file.close() == 0);
  check(::rename(name.c_str(), target.c_str()) == 0);
  temporary.release();
}

}  // namespace trigon::io

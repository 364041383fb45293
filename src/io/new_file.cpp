// SPDX-License-Identifier: MIT
#include "io/new_file.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <utility>

namespace trigon::detail::io {
namespace {

namespace fs = std::filesystem;

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

// The canonical name of a folder that lists a process's open files, such as /proc/self/fd; empty
// for other folders.
fs::path folder_of_open_files(const fs::path& folder) {
  std::error_code none;
  fs::path found = fs::canonical(folder.empty() ? "." : folder, none);
  const bool is_one = !none && found.filename() == "fd" && found.native().starts_with("/proc/");
  return is_one ? found : fs::path();
}

// The file that a path names after following symbolic links; it need not exist. Links to open files
// are not followed, since the file may have been renamed or removed.
fs::path resolved(fs::path path) {
  constexpr int most_links = 40;  // as Linux
  std::error_code none;
  for (int links = 0; links < most_links; ++links) {
    if (!folder_of_open_files(path.parent_path()).empty()) return path;
    const auto target = fs::read_symlink(path, none);
    if (none) return path;
    path = path.parent_path() / target;
  }
  return path;
}

// The descriptor of this process that a resolved path names, or -1.
int own_descriptor(const fs::path& path) {
  const fs::path folder = folder_of_open_files(path.parent_path());
  if (folder.empty()) return -1;
  const bool is_own = folder == folder_of_open_files("/proc/self/fd") ||
                      folder == folder_of_open_files("/proc/thread-self/fd");
  const std::string name = path.filename().string();
  int number = -1;
  std::from_chars(name.data(), name.data() + name.size(), number);
  return is_own && std::to_string(number) == name ? number : -1;
}

// A copy of a descriptor, which shares its position in the file; -1, with errno set, if it is not
// writable.
int copy_to_write(int fd) {
  const int flags = ::fcntl(fd, F_GETFL);
  if (flags < 0) return -1;
  if ((flags & O_ACCMODE) != O_RDONLY) return ::fcntl(fd, F_DUPFD_CLOEXEC, 0);
  errno = EBADF;
  return -1;
}

// Some file systems have nothing to flush, and report that as an error.
bool sync(int fd) {
  return uninterrupted([&] { return ::fsync(fd); }) == 0 || errno == EINVAL || errno == ENOTSUP;
}

}  // namespace

NewFile::NewFile(std::filesystem::path path) : path_(std::move(path)) {
  errno = path_.empty() ? ENOENT : EINVAL;
  check(!path_.empty() && path_.native().find('\0') == std::string::npos);
  target_ = resolved(path_);
  // Opening it by name would write from its beginning; after replacing it, the descriptor would
  // still refer to the old file.
  if (const int own = own_descriptor(target_); own >= 0) {
    write_as_it_is(copy_to_write(own));
    return;
  }
  struct stat old {};
  const bool exists = ::stat(path_.c_str(), &old) == 0;
  check(exists || errno == ENOENT);
  if (exists && !S_ISREG(old.st_mode)) {  // a device or a pipe has no old content to keep
    write_as_it_is(
        uninterrupted([&] { return ::open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY); }));
    return;
  }
  // A file that another process has open may have no name.
  const bool has_a_name = folder_of_open_files(target_.parent_path()).empty();
  errno = ENOTSUP;
  check(has_a_name);
  if (exists) owner_ = {old.st_uid, old.st_gid, old.st_mode & 07777};
  create_beside();
}

void NewFile::write_as_it_is(int fd) {
  target_.clear();
  file_ = opened(fd);
  check(file_.is_open());
}

NewFile::~NewFile() { drop(); }

void NewFile::drop() {
  file_.close();
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  temporary_.clear();
}

// After an error, a later finish() must not give an incomplete file the name.
void NewFile::check(bool is_done) {
  if (is_done) return;
  const int error = errno;
  drop();
  fail_with_file(path_, "cannot write", errno_text(error),
                 "must be a writable path in a writable directory");
}

void NewFile::check_open() const {
  if (file_.is_open()) return;
  fail_with_file(path_, "cannot write", "it has failed before, or is finished",
                 "must be a new one");
}

// O_EXCL: an existing file or link of that name is not touched.
void NewFile::create_beside() {
  constexpr int most_tries = 1000;      // a process that died may have left the name
  constexpr std::size_t longest = 200;  // file systems allow names of 255 bytes
  static std::atomic<unsigned> counter{0};
  const std::string name = target_.filename().string();
  const std::string stem =
      (target_.parent_path() / (name.size() <= longest ? name : "trigon")).string();
  const mode_t mode = owner_ ? 0600 : 0666;
  int fd = -1;
  for (int tries = 0; tries < most_tries && fd < 0; ++tries) {
    std::string next = fmt::format("{}.{}-{}.tmp", stem, ::getpid(), ++counter);
    fd = uninterrupted(
        [&] { return ::open(next.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode); });
    if (fd >= 0) temporary_ = std::move(next);
    if (fd < 0 && errno != EEXIST) break;
  }
  file_ = opened(fd);
  check(file_.is_open());
}

void NewFile::write(std::span<const std::byte> bytes) {
  check_open();
  const SignalsAsErrors signals;
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_.get(), bytes.data(), bytes.size());
    if (written < 0 && waits_to_retry(file_.get())) continue;
    if (written == 0) errno = ENOSPC;  // otherwise this would loop for ever
    check(written > 0);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

// Only root may change the owner. Set the mode after the owner: chown clears setuid and setgid. Set
// those bits only if owner and group were kept.
void NewFile::give_to(const Owner& owner) {
  const auto give = [&](uid_t user) { return ::fchown(file_.get(), user, owner.group) == 0; };
  mode_t kept = 07777;
  if (!give(owner.user)) kept = give(static_cast<uid_t>(-1)) ? 0777 : 0707;
  check(::fchmod(file_.get(), owner.mode & kept) == 0);
}

// Without it, a power cut may bring the old file back. A folder without read permission can't be
// opened.
void NewFile::sync_folder() const {
  const auto parent = target_.parent_path();
  const Descriptor folder(uninterrupted([&] {
    return ::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  }));
  if (!folder.is_open() || sync(folder.get())) return;
  fail_with_file(path_, "cannot write its directory", errno_text(errno),
                 "the file is the new one, but a power cut may bring back the old one");
}

void NewFile::finish() {
  check_open();
  const SignalsAsErrors signals;
  if (owner_) give_to(*owner_);
  // Flush before the rename: otherwise a power cut may leave an empty file with this name.
  check(sync(file_.get()));
  if (target_.empty()) return check(file_.close());
  check(file_.close());
  check(::rename(temporary_.c_str(), target_.c_str()) == 0);
  temporary_.clear();
  sync_folder();
}

void replace_file(const std::filesystem::path& path,
                  std::span<const std::span<const std::byte>> ranges) {
  NewFile file(path);
  for (const auto range : ranges) file.write(range);
  file.finish();
}

}  // namespace trigon::detail::io

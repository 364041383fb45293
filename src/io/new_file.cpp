// SPDX-License-Identifier: MIT
#include "io/new_file.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>

#include <atomic>
#include <charconv>
#include <cstdio>
#include <utility>

namespace trigon::io {
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

// Whether a folder lists the open files of this process, as /proc/self/fd does.
bool lists_open_files(const fs::path& folder) {
  std::error_code none;
  const fs::path found = fs::canonical(folder, none);
  if (none) return false;
  const auto is_it = [&](const char* own) { return found == fs::canonical(own, none) && !none; };
  return is_it("/proc/self/fd") || is_it("/proc/thread-self/fd");
}

// What a path names in the end, which need not exist: symbolic links are followed, but those of
// open files, whose texts are no paths where a file has no name any more.
fs::path resolved(fs::path path) {
  constexpr int most_links = 40;  // as Linux
  std::error_code none;
  for (int links = 0; links < most_links && !lists_open_files(path.parent_path()); ++links) {
    const auto target = fs::read_symlink(path, none);
    if (none) return path;
    path = path.parent_path() / target;
  }
  return path;
}

// Of an open file of this process that a resolved path names; -1 of others.
int number_of_open_file(const fs::path& path) {
  if (!lists_open_files(path.parent_path())) return -1;
  const std::string name = path.filename().string();
  int number = -1;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc{} && end == name.data() + name.size() ? number : -1;
}

// The same path, whatever becomes of the working directory; unless that cannot be told.
fs::path fixed(const fs::path& path) {
  std::error_code none;
  const fs::path whole = fs::absolute(path, none);
  if (none) return path;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
  return fs::equivalent(whole.parent_path(), folder, none) ? whole : path;
}

// Some file systems have nothing to bring to the disk, and say so.
bool sync(int fd) {
  return uninterrupted([&] { return ::fsync(fd); }) == 0 || errno == EINVAL || errno == ENOTSUP;
}

}  // namespace

NewFile::NewFile(const char* function, std::filesystem::path path)
    : function_(function), path_(std::move(path)) {
  errno = path_.empty() ? ENOENT : EINVAL;
  check(!path_.empty() && path_.native().find('\0') == std::string::npos);
  target_ = resolved(path_);
  // By its name it would be written to from the beginning, or, renamed, not be it any more.
  if (const int number = number_of_open_file(target_); number >= 0) {
    write_as_it_is(::fcntl(number, F_DUPFD_CLOEXEC, 0));
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
  // Another process's open file may have no name.
  check(!exists || ::access(target_.c_str(), F_OK) == 0);
  if (exists) owner_ = {old.st_uid, old.st_gid, old.st_mode & 07777};
  target_ = fixed(target_);
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

// What is torn must not get the name by a later finish().
void NewFile::check(bool is_done) {
  if (is_done) return;
  const int error = errno;
  drop();
  fail_with_file(function_, path_, "cannot write", errno_text(error),
                 "must be a writable path in a writable directory");
}

void NewFile::check_open() const {
  if (file_.is_open()) return;
  fail_with_file(function_, path_, "cannot write", "it has failed before, or is finished",
                 "must be a new one");
}

// O_EXCL: what lies there under such a name already, a link maybe, is not touched.
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
    if (written < 0 && may_go_on(file_.get(), POLLOUT)) continue;
    if (written == 0) errno = ENOSPC;  // else it would be tried for ever
    check(written > 0);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

// Only root may give a file away. The mode comes second, since a new owner clears parts of it, and
// its bits that lend the owner's rights are for the old owner alone, as the group's are for the old
// group.
void NewFile::give_to(const Owner& owner) {
  const auto give = [&](uid_t user) { return ::fchown(file_.get(), user, owner.group) == 0; };
  mode_t kept = 07777;
  if (!give(owner.user)) kept = give(static_cast<uid_t>(-1)) ? 0777 : 0707;
  check(::fchmod(file_.get(), owner.mode & kept) == 0);
}

// Else a power cut may bring the old file back. A folder that may not be read can't be opened.
void NewFile::sync_folder() const {
  const auto parent = target_.parent_path();
  const Descriptor folder(uninterrupted([&] {
    return ::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  }));
  if (!folder.is_open() || sync(folder.get())) return;
  fail_with_file(function_, path_, "cannot write its directory", errno_text(errno),
                 "the file is the new one, but a power cut may bring back the old one");
}

void NewFile::finish() {
  check_open();
  const SignalsAsErrors signals;
  if (target_.empty()) return check(file_.close());
  if (owner_) give_to(*owner_);
  // Before the rename: else a power cut may leave the name with no content.
  check(sync(file_.get()));
  check(file_.close());
  check(::rename(temporary_.c_str(), target_.c_str()) == 0);
  temporary_.clear();
  sync_folder();
}

void replace_file(const char* function, const std::filesystem::path& path,
                  std::span<const std::span<const std::byte>> parts) {
  NewFile file(function, path);
  for (const auto part : parts) file.write(part);
  file.finish();
}

}  // namespace trigon::io

// SPDX-License-Identifier: MIT
#include "io/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <functional>

namespace trigon::detail::io {

MappedFile::MappedFile(const std::filesystem::path& path) : path_(path) {
  const auto fail = [&](const char* what, const std::string& why) {
    fail_with_file(path, what, why, "must be a readable file");
  };
  if (path.native().find('\0') != std::string::npos) fail("cannot open", errno_text(EINVAL));
  // O_NONBLOCK: opening a named pipe would wait for its writer.
  file_ = opened(
      uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); }));
  struct stat info {};
  if (!file_.is_open() || ::fstat(file_.get(), &info) != 0) fail("cannot open", errno_text(errno));
  if (S_ISDIR(info.st_mode)) fail("cannot open", errno_text(EISDIR));
  if (!S_ISREG(info.st_mode)) fail("cannot open", "not a regular file");

  const auto size = static_cast<std::size_t>(info.st_size);
  if (size == 0) return;  // mmap rejects size 0
  void* const data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file_.get(), 0);
  if (data == MAP_FAILED) fail("cannot map", errno_text(errno));
  bytes_ = {static_cast<const std::byte*>(data), size};
}

std::shared_ptr<const MappedFile> MappedFile::open(const std::filesystem::path& path) {
  return std::shared_ptr<const MappedFile>(new MappedFile(path));
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

bool MappedFile::holds(std::span<const std::byte> range) const {
  const std::less_equal<> before;  // also defined for pointers into other memory
  return before(bytes_.data(), range.data()) &&
         before(range.data() + range.size(), bytes_.data() + bytes_.size());
}

std::vector<std::byte> MappedFile::copy(std::span<const std::byte> range) const {
  constexpr const char* rule = "must be a readable file that does not change while it is read";
  std::vector<std::byte> out(range.size());
  const auto begin = static_cast<std::size_t>(range.data() - bytes_.data());
  for (std::size_t done = 0; done < out.size();) {
    const ssize_t count = uninterrupted([&] {
      return ::pread(file_.get(), out.data() + done, out.size() - done,
                     static_cast<off_t>(begin + done));
    });
    if (count < 0) fail_with_file(path_, "cannot read", errno_text(errno), rule);
    if (count == 0) {
      struct stat info {};
      static_cast<void>(::fstat(file_.get(), &info));
      const std::string why = fmt::format("it has {} bytes, and had {} when it was opened",
                                          info.st_size, bytes_.size());
      fail_with_file(path_, "cannot read", why, rule);
    }
    done += static_cast<std::size_t>(count);
  }
  return out;
}

}  // namespace trigon::detail::io

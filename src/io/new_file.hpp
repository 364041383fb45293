// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include <sys/types.h>

#include "io/descriptor.hpp"

namespace trigon::detail::io {

/// The new content of the file that a path names in the end, links followed, written piece by
/// piece. The pieces go to a temporary file beside it, which finish() gives the old file's
/// permissions, and its owner where the process may set it, brings to the disk and renames: a
/// reader, and what is left after a crash or a power cut, sees the whole old file or the whole new
/// one. Other hard links keep the old one. What is no regular file, such as a pipe or /dev/null, is
/// written to, and so is an open file of this process, such as /dev/stdout, at its place. Errors
/// read `trigon::<called function>: "<path>": cannot write: ...`; the old file is kept then, but
/// where finish() cannot bring the folder to the disk, and what was written to an open file stays.
/// After one, write() and finish() raise Error. The working directory of a relative path must not
/// change before finish().
class NewFile {
 public:
  /// Raises Error where no temporary file can be made: a file that may be written in a folder that
  /// may not is refused, since it could be torn.
  explicit NewFile(std::filesystem::path path);
  /// Removes the temporary file, unless it has its name. A process that is killed leaves it.
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void write(std::span<const std::byte> bytes);
  /// Call once, after the last piece.
  void finish();

 private:
  struct Owner {
    uid_t user;
    gid_t group;
    mode_t mode;
  };
  /// Raises Error with errno's text, and drops the file.
  void check(bool is_done);
  void check_open() const;
  void drop();
  void write_as_it_is(int fd);
  void create_beside();
  void give_to(const Owner& owner);
  void sync_folder() const;

  std::filesystem::path path_;    // as the user gave it
  std::filesystem::path target_;  // the file to replace; empty if it is written directly
  std::optional<Owner> owner_;    // of the old file
  std::string temporary_;         // name of the temporary file; empty if there is none
  Descriptor file_;
};

/// Writes `parts`, one after the other, as a NewFile.
void replace_file(const std::filesystem::path& path,
                  std::span<const std::span<const std::byte>> parts);

}  // namespace trigon::detail::io

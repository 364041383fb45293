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

/// The new content of a file, written piece by piece. Symbolic links of the path are followed. The
/// pieces go to a temporary file beside the old one. finish() gives it the old file's permissions,
/// and the owner if the process may set it, then flushes it to disk and renames it. So readers see
/// the whole old file or the whole new one, also after a crash or a power cut. Other hard links
/// keep the old file. Pipes and devices are written directly; so is an open file of this process,
/// such as /dev/stdout, at its current position. Errors read `trigon::<called function>: "<path>":
/// cannot write: ...`. The old file is then kept, unless finish() only fails to flush the folder to
/// disk. Bytes already written to an open file stay. After an error, write() and finish() raise
/// Error. If the path is relative, the working directory must not change before finish().
class NewFile {
 public:
  /// Raises Error if no temporary file can be made. So a writable file in a folder without write
  /// permission is refused, since a crash could leave it half written.
  explicit NewFile(std::filesystem::path path);
  /// Removes the temporary file, unless it was renamed. A process that is killed leaves it.
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

/// Writes `ranges`, one after the other, as a NewFile.
void replace_file(const std::filesystem::path& path,
                  std::span<const std::span<const std::byte>> ranges);

}  // namespace trigon::detail::io

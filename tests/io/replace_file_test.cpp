// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <span>
#include <string>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <trigon/io.hpp>

#include "core/called.hpp"
#include "io/mapped_file.hpp"
#include "io/new_file.hpp"
#include "support/io_files.hpp"

// Replaced files have the old or the new content, under the name that the path finally names.

namespace trigon::detail::io {
namespace {

namespace fs = std::filesystem;

class ReplaceFile : public testing::Test {
 protected:
  void replace(const std::string& name, const std::string& text) {
    const auto bytes = std::as_bytes(std::span(text));
    const core::Called called("save");
    replace_file(directory_ / name, std::span(&bytes, 1));
  }
  std::string error(const std::string& name, const std::string& text) {
    return error_of(directory_, [&] { replace(name, text); });
  }
  /// The exit status of a process of another user that calls f: 0, unless it fails a test.
  template <class F>
  static int as_another_user(const F& f) {
    const pid_t child = ::fork();
    if (child == 0) {
      if (::setgid(another_user) != 0 || ::setuid(another_user) != 0) ::_exit(2);
      f();
      ::_exit(HasFailure() ? 1 : 0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
  }
  static constexpr uid_t another_user = 12345;
  static mode_t mode(const fs::path& path) {
    struct stat info {};
    EXPECT_EQ(::stat(path.c_str(), &info), 0);
    return info.st_mode;
  }

  TemporaryDirectory directory_;
};

TEST_F(ReplaceFile, KeepsTheModeOfAFile) {
  write_file(directory_ / "x", "old");
  for (const mode_t permissions : {0640U, 0600U, 0755U}) {
    ASSERT_EQ(::chmod((directory_ / "x").c_str(), permissions), 0);
    replace("x", "new");
    EXPECT_EQ(read_file(directory_ / "x"), "new");
    EXPECT_EQ(mode(directory_ / "x") & 07777, permissions);
  }
}

TEST_F(ReplaceFile, GivesANewFileTheUsualMode) {
  write_file(directory_ / "usual", "");
  replace("x", "new");
  EXPECT_EQ(mode(directory_ / "x"), mode(directory_ / "usual"));
}

TEST_F(ReplaceFile, KeepsTheOwner) {
  const fs::path path = directory_ / "x";
  write_file(path, "old");
  // Only root may change a file's owner; other users become the owner of the new file.
  const bool is_root = ::geteuid() == 0;
  const uid_t user = is_root ? 12345 : ::geteuid();
  const gid_t group = is_root ? 54321 : ::getegid();
  ASSERT_EQ(::chown(path.c_str(), user, group), 0);
  replace("x", "new");
  struct stat info {};
  ASSERT_EQ(::stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_uid, user);
  EXPECT_EQ(info.st_gid, group);
}

// It could be torn, were it written in place.
TEST_F(ReplaceFile, RefusesAFolderThatMayNotBeWritten) {
  const fs::path path = directory_ / "x";
  write_file(path, "old");
  ASSERT_EQ(::chmod(path.c_str(), 0666), 0);
  ASSERT_EQ(::chmod(directory_.path().c_str(), 0555), 0);
  const auto save = [&] {
    EXPECT_EQ(error("x", "new"),
              "trigon::save: \"x\": cannot write: Permission denied; must be a writable path in a "
              "writable directory");
  };
  if (::geteuid() == 0) {
    EXPECT_EQ(as_another_user(save), 0);
  } else {
    save();
  }
  ASSERT_EQ(::chmod(directory_.path().c_str(), 0755), 0);
  EXPECT_EQ(read_file(path), "old");
}

TEST_F(ReplaceFile, WritesWhereTheFolderMayNotBeRead) {
  ASSERT_EQ(::chmod(directory_.path().c_str(), 0333), 0);
  if (::geteuid() == 0) {
    ASSERT_EQ(::chown(directory_.path().c_str(), another_user, another_user), 0);
    EXPECT_EQ(as_another_user([&] { replace("x", "new"); }), 0);
  } else {
    replace("x", "new");
  }
  ASSERT_EQ(::chmod(directory_.path().c_str(), 0755), 0);
  EXPECT_EQ(read_file(directory_ / "x"), "new");
}

TEST_F(ReplaceFile, LeavesOtherHardLinksTheOldFile) {
  write_file(directory_ / "x", "old");
  fs::create_hard_link(directory_ / "x", directory_ / "other");
  replace("x", "new");
  EXPECT_EQ(read_file(directory_ / "x"), "new");
  EXPECT_EQ(read_file(directory_ / "other"), "old");
}

TEST_F(ReplaceFile, KeepsTheOldFileOfANewOneThatIsNotFinished) {
  write_file(directory_ / "x", "old");
  {
    NewFile file(directory_ / "x");
    file.write(std::as_bytes(std::span("new")));
    EXPECT_EQ(directory_.count(), 2U);
  }
  EXPECT_EQ(read_file(directory_ / "x"), "old");
  EXPECT_EQ(directory_.count(), 1U);
}

TEST_F(ReplaceFile, FollowsLinks) {
  fs::create_directory(directory_ / "sub");
  write_file(directory_ / "sub/x", "old");
  fs::create_symlink("sub/x", directory_ / "near");
  fs::create_symlink(directory_ / "near", directory_ / "far");
  replace("far", "new");
  EXPECT_EQ(read_file(directory_ / "sub/x"), "new");
  EXPECT_TRUE(fs::is_symlink(directory_ / "near"));
  EXPECT_TRUE(fs::is_symlink(directory_ / "far"));
}

TEST_F(ReplaceFile, CreatesTheTargetOfALink) {
  fs::create_symlink("absent", directory_ / "link");
  replace("link", "new");
  EXPECT_TRUE(fs::is_symlink(directory_ / "link"));
  EXPECT_EQ(read_file(directory_ / "absent"), "new");
}

TEST_F(ReplaceFile, EndsWithLinksInACircle) {
  fs::create_symlink("b", directory_ / "a");
  fs::create_symlink("a", directory_ / "b");
  EXPECT_NE(error("a", "new"), "no error");
  EXPECT_TRUE(fs::is_symlink(directory_ / "a"));
  EXPECT_EQ(directory_.count(), 2U);
}

TEST_F(ReplaceFile, WritesToDevices) {
  fs::create_symlink("/dev/null", directory_ / "null");
  replace("null", "text");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_TRUE(fs::is_symlink(directory_ / "null"));
}

TEST_F(ReplaceFile, WritesToPipes) {
  const fs::path pipe = directory_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::string read;
  std::thread reader([&] { read = read_file(pipe); });
  replace("pipe", "text");
  reader.join();
  EXPECT_EQ(read, "text");
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST_F(ReplaceFile, SaysWhereAPipeHasNoReader) {
  const fs::path pipe = directory_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread reader([&] { ::close(::open(pipe.c_str(), O_RDONLY)); });
  const std::string text(1 << 20, 'x');  // more than a pipe holds
  EXPECT_EQ(error("pipe", text),
            "trigon::save: \"pipe\": cannot write: Broken pipe; must be a writable path in a "
            "writable directory");
  reader.join();
}

std::string name_of(int fd, const std::string& folder = "/dev/fd/") {
  return folder + std::to_string(fd);
}

TEST_F(ReplaceFile, WritesToAnOpenFileAtItsPlace) {
  const fs::path path = directory_ / "x";
  write_file(path, "old, and more of it");
  const Descriptor file(::open(path.c_str(), O_WRONLY));
  ASSERT_EQ(::write(file.get(), "OLD", 3), 3);
  fs::create_symlink(name_of(file.get()), directory_ / "link");
  replace(name_of(file.get(), "/proc/self/fd/"), " one");
  replace(name_of(file.get()), " two");
  ASSERT_EQ(::write(file.get(), ".", 1), 1);
  replace("link", " three");
  const fs::path before = fs::current_path();
  fs::current_path("/dev/fd");
  replace_file(std::to_string(file.get()), {});
  fs::current_path(before);
  EXPECT_EQ(read_file(path), "OLD one two. threet");
  EXPECT_EQ(directory_.count(), 2U);
}

TEST_F(ReplaceFile, WritesToAnOpenFileWithoutAName) {
  const fs::path path = directory_ / "x";
  const Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT, 0600));
  fs::remove(path);
  replace(name_of(file.get()), "text");
  std::string text(5, ' ');
  EXPECT_EQ(::pread(file.get(), text.data(), text.size(), 0), 4);
  EXPECT_EQ(text, "text ");
  EXPECT_EQ(directory_.count(), 0U);
}

// The text of its link may be the name of another file.
TEST_F(ReplaceFile, RefusesAFileThatAnotherProcessHasOpen) {
  const fs::path path = directory_ / "x", other = directory_ / "x (deleted)";
  const Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT, 0600));
  fs::remove(path);
  write_file(other, "other");
  const std::string link = fmt::format("/proc/{}/fd/{}", ::getpid(), file.get());
  const pid_t child = ::fork();
  if (child == 0) {
    EXPECT_EQ(error(link, "text"),
              "trigon::save: \"" + link +
                  "\": cannot write: Operation not supported; must be a writable path in a "
                  "writable directory");
    ::_exit(HasFailure() ? 1 : 0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(read_file(other), "other");
  EXPECT_EQ(directory_.count(), 1U);
}

TEST_F(ReplaceFile, WritesToSockets) {
  int ends[2] = {-1, -1};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  const Descriptor ours(ends[0]), theirs(ends[1]);
  replace(name_of(ours.get()), "text");
  std::string text(4, ' ');
  EXPECT_EQ(::read(theirs.get(), text.data(), text.size()), 4);
  EXPECT_EQ(text, "text");
}

TEST_F(ReplaceFile, WaitsForAPipeThatDoesNotBlock) {
  int ends[2] = {-1, -1};
  ASSERT_EQ(::pipe2(ends, O_NONBLOCK), 0);
  std::string read;
  std::thread reader([&, pipe = Descriptor(ends[0])] {
    std::string chunk(1000, ' ');
    for (ssize_t count = -1; count != 0;) {
      count = ::read(pipe.get(), chunk.data(), chunk.size());
      if (count > 0) read.append(chunk, 0, static_cast<std::size_t>(count));
    }
  });
  const std::string text(1 << 20, 'x');  // more than a pipe holds
  replace(name_of(ends[1]), text);
  ::close(ends[1]);
  reader.join();
  EXPECT_EQ(read, text);
}

TEST_F(ReplaceFile, RefusesWhatIsNotOpenForWriting) {
  const std::string rule = "; must be a writable path in a writable directory";
  const Descriptor read_only(::open("/dev/null", O_RDONLY));
  const std::string name = name_of(read_only.get());
  EXPECT_EQ(error(name, ""),
            "trigon::save: \"" + name + "\": cannot write: Bad file descriptor" + rule);
  EXPECT_EQ(error("/dev/fd/1000000", "text"),
            "trigon::save: \"/dev/fd/1000000\": cannot write: Bad file descriptor" + rule);
  EXPECT_NE(error("/dev/fd/1x", "text"), "no error");
  EXPECT_NE(error("/dev/fd/01", "text"), "no error");
}

// Output of other code must not get into a file.
TEST_F(ReplaceFile, NeverHasTheNumberOfAStandardStream) {
  const pid_t child = ::fork();
  if (child == 0) {
    for (const int stream : {0, 1, 2}) ::close(stream);
    NewFile file(directory_ / "x");
    file.write(std::as_bytes(std::span("text", 4)));
    const bool is_free = ::write(0, "0", 1) < 0 && ::write(1, "1", 1) < 0 && ::write(2, "2", 1) < 0;
    file.finish();
    ::_exit(is_free ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(read_file(directory_ / "x"), "text");
}

TEST_F(ReplaceFile, RefusesAPathThatNamesNothing) {
  const std::string rule = "; must be a writable path in a writable directory";
  const auto save = [](const std::string& path) {
    const core::Called called("save");
    replace_file(path, {});
  };
  EXPECT_EQ(error_of(directory_, [&] { save(""); }),
            "trigon::save: \"\": cannot write: No such file or directory" + rule);
  const std::string cut = (directory_ / "x").string() + std::string("\0y", 2);
  EXPECT_EQ(error_of(directory_, [&] { save(cut); }),
            "trigon::save: \"x\\x00y\": cannot write: Invalid argument" + rule);
  const auto load = [](const std::string& path) {
    const core::Called called("load");
    MappedFile::open(path);
  };
  EXPECT_EQ(error_of(directory_, [&] { load(cut); }),
            "trigon::load: \"x\\x00y\": cannot open: Invalid argument; must be a readable file");
  EXPECT_EQ(directory_.count(), 0U);
}

TEST_F(ReplaceFile, KeepsTheOldFileAtALimitOfSizes) {
  write_file(directory_ / "x", "old");
  struct rlimit before {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  struct rlimit small = before;
  small.rlim_cur = 100;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string found = error("x", std::string(1000, 'x'));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(found,
            "trigon::save: \"x\": cannot write: File too large; must be a writable path in a "
            "writable directory");
  EXPECT_EQ(read_file(directory_ / "x"), "old");
  EXPECT_EQ(directory_.count(), 1U);
}

}  // namespace
}  // namespace trigon::detail::io

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
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <trigon/io.hpp>

#include "io/new_file.hpp"
#include "io_files.hpp"

// How files are written: the old content or the new one, under the name that is meant.

namespace trigon::io {
namespace {

namespace fs = std::filesystem;

class ReplaceFile : public testing::Test {
 protected:
  void replace(const std::string& name, const std::string& text) {
    const auto bytes = std::as_bytes(std::span(text));
    replace_file("save", directory_ / name, std::span(&bytes, 1));
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
  // Only root may give a file away; others keep what is theirs.
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

TEST_F(ReplaceFile, OfAFileThatWasMovedAwayIsRefused) {
  trigon::NewFile file(FilePath(directory_ / "x"));
  trigon::NewFile other = std::move(file);
  const std::string refusal =
      "trigon::NewFile: no file: it was moved away; assign another one first";
  EXPECT_EQ(error_of(directory_, [&] { file.write("text"); }), refusal);
  EXPECT_EQ(error_of(directory_, [&] { file.finish(); }), refusal);
  other.write("text");
  other.finish();
  EXPECT_EQ(read_file(directory_ / "x"), "text");
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
    NewFile file("save", directory_ / "x");
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
}  // namespace trigon::io

// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

#include "savers.hpp"
#include "system_calls.hpp"

// A save is killed at any call, its calls fail, or the power is cut: the file is the whole old one
// or the whole new one.

namespace trigon::fault {
namespace {

namespace fs = std::filesystem;

class Saves : public testing::TestWithParam<Saver> {
 protected:
  Saves() {
    GetParam().save(directory_ / "old", 0);
    GetParam().save(directory_ / "new", 1);
    old_ = content_of(directory_ / "old");
    new_ = content_of(directory_ / "new");
    fs::remove(directory_ / "old");
    fs::remove(directory_ / "new");
    EXPECT_NE(old_, new_);
  }

  /// Puts the old file there, or none.
  void reset(bool is_there = true) {
    for (const auto& entry : fs::directory_iterator(directory_.path())) fs::remove(entry);
    if (is_there) io::write_file(path_, *old_);
  }
  void save() const { GetParam().save(path_, 1); }
  /// A save's calls.
  std::vector<Call> calls(bool is_there = true) {
    reset(is_there);
    arm_calls({});
    save();
    return disarm_calls();
  }
  /// Saves in a child that the plan kills.
  void save_and_die(const CallPlan& plan) {
    const pid_t child = ::fork();
    if (child == 0) {
      arm_calls(plan);
      save();
      ::_exit(0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
  }
  /// The error of a save with planned faults, without the directory; or "no error".
  std::string error_with(const CallPlan& plan) {
    return io::error_of(directory_, [&] {
      arm_calls(plan);
      try {
        save();
      } catch (...) {
        disarm_calls();
        throw;
      }
      disarm_calls();
    });
  }
  std::string refusal(const char* why) const {
    return std::string("trigon::") + GetParam().function + ": \"file\": cannot write: " + why +
           "; must be a writable path in a writable directory";
  }

  TemporaryDirectory directory_;
  fs::path path_ = directory_ / "file";
  Content old_, new_;
};

/// The lengths of short writes of n bytes.
std::vector<std::size_t> cuts(std::size_t n) { return {0, 1, n / 2, n - 1}; }

TEST_P(Saves, MakesTheseCalls) {
  std::string names;
  int writes = 0;
  for (const Call& call : calls()) {
    if (call.name == "write" && writes++ > 0) continue;
    names += call.name + " ";
  }
  EXPECT_EQ(names, "open write fchown fchmod fsync close rename open fsync close ");
}

TEST_P(Saves, SurviveAKillAtEachCall) {
  for (const bool is_there : {true, false}) {
    const auto all = calls(is_there);
    const Content before = is_there ? old_ : Content();
    bool was_renamed = false;
    for (int place = 0; place < static_cast<int>(all.size()); ++place) {
      for (const Deed deed : {Deed::kill_before, Deed::kill_after}) {
        reset(is_there);
        save_and_die({.place = place, .deed = deed});
        const std::string& name = all[static_cast<std::size_t>(place)].name;
        was_renamed = was_renamed || (name == "rename" && deed == Deed::kill_after);
        EXPECT_EQ(content_of(path_), was_renamed ? new_ : before) << place << " " << name;
        save();  // files left by killed processes do not matter
        EXPECT_EQ(content_of(path_), new_);
      }
    }
    EXPECT_TRUE(was_renamed);
  }
}

TEST_P(Saves, SurviveAKillWithinEachWrite) {
  const auto all = calls();
  for (int place = 0; place < static_cast<int>(all.size()); ++place) {
    const Call& call = all[static_cast<std::size_t>(place)];
    if (call.name != "write") continue;
    for (const std::size_t bytes : cuts(call.size)) {
      reset();
      save_and_die({.place = place, .deed = Deed::kill_after, .bytes = bytes});
      EXPECT_EQ(content_of(path_), old_) << place << ", " << bytes << " bytes";
    }
  }
}

TEST_P(Saves, GoOnAfterShortWrites) {
  const auto all = calls();
  int writes = 0;
  for (int place = 0; place < static_cast<int>(all.size()); ++place) {
    const Call& call = all[static_cast<std::size_t>(place)];
    if (call.name != "write") continue;
    ++writes;
    for (const std::size_t bytes : cuts(call.size)) {
      reset();
      const std::string error = error_with({.place = place, .deed = Deed::cut, .bytes = bytes});
      // A disk that accepts no byte is full.
      EXPECT_EQ(error, bytes == 0 ? refusal("No space left on device") : "no error");
      EXPECT_EQ(content_of(path_), bytes == 0 ? old_ : new_) << place << ", " << bytes << " bytes";
      EXPECT_EQ(directory_.count(), 1U);
    }
  }
  EXPECT_GE(writes, 1);
}

/// Whether the file is saved although this call fails.
bool may_pass(const Call& call, bool is_folder, int error) {
  if (call.name == "fchown") return true;              // needs a privilege that most lack
  if (is_folder && call.name != "fsync") return true;  // writable, but not readable
  return error == EINTR && (call.name == "open" || call.name == "write" || call.name == "fsync" ||
                            call.name == "close");
}

TEST_P(Saves, KeepTheOldFileWhereACallFails) {
  const auto all = calls();
  bool is_folder = false;
  for (int place = 0; place < static_cast<int>(all.size()); ++place) {
    const Call& call = all[static_cast<std::size_t>(place)];
    is_folder = is_folder || (call.name == "open" && place > 0);
    for (const int error : {EINTR, EIO, ENOSPC, EDQUOT, EACCES, EROFS, EMFILE, EPIPE, EFBIG}) {
      SCOPED_TRACE(call.name + ", " + std::to_string(place) + ": " + std::strerror(error));
      reset();
      const std::string found = error_with({.place = place, .deed = Deed::fail, .error = error});
      if (may_pass(call, is_folder, error)) {
        EXPECT_EQ(found, "no error");
        EXPECT_EQ(content_of(path_), new_);
      } else if (is_folder) {
        EXPECT_EQ(found, std::string("trigon::") + GetParam().function +
                             ": \"file\": cannot write its directory: " + std::strerror(error) +
                             "; the file is the new one, but a power cut may bring back the old "
                             "one");
        EXPECT_EQ(content_of(path_), new_);
      } else {
        EXPECT_EQ(found, refusal(std::strerror(error)));
        EXPECT_EQ(content_of(path_), old_);
      }
      EXPECT_EQ(directory_.count(), 1U);
    }
  }
}

TEST_P(Saves, SurviveAPowerCutAfterEachCall) {
  for (const bool is_there : {true, false}) {
    const auto all = calls(is_there);
    const Content before = is_there ? old_ : Content();
    const std::set<Content> whole = {before, new_};
    for (std::size_t count = 0; count <= all.size(); ++count) {
      for (const Content& found : after_power_cut({all.data(), count}, path_, before)) {
        EXPECT_TRUE(whole.contains(found)) << "after " << count << " calls";
      }
    }
    // A save that has returned is on the disk.
    EXPECT_EQ(after_power_cut(all, path_, before), std::set<Content>{new_});
  }
}

/// The calls without the n-th of that name.
std::vector<Call> without(std::vector<Call> calls, const std::string& name, int n) {
  const auto is_it = [&](const Call& call) { return call.name == name && n-- == 0; };
  calls.erase(std::remove_if(calls.begin(), calls.end(), is_it), calls.end());
  return calls;
}

TEST_P(Saves, WouldBeTornWithoutSyncing) {
  const auto all = calls();
  const auto torn = after_power_cut(without(all, "fsync", 0), path_, old_);
  EXPECT_TRUE(torn.contains(std::string(new_->size(), '\0')));
  EXPECT_EQ(after_power_cut(without(all, "fsync", 1), path_, old_),
            (std::set<Content>{old_, new_}));
}

INSTANTIATE_TEST_SUITE_P(Ways, Saves, testing::ValuesIn(savers),
                         [](const auto& one) { return std::string(one.param.name); });

// ---- A file after its error

TEST(SavedFile, IsNotFinishedAfterAnError) {
  const TemporaryDirectory directory;
  const fs::path path = directory / "file";
  io::write_file(path, "old");
  for (const char* const name : {"write", "fsync"}) {
    io::NewFile file(path);
    const auto write = [&](std::string_view text) { file.write(std::as_bytes(std::span(text))); };
    write("first");
    // The calls of finish() begin with fchown and fchmod.
    const int place = name == std::string("write") ? 0 : 3;
    arm_calls({.place = place, .deed = Deed::fail, .error = EIO});
    const auto go_on = [&] {
      write("second");
      file.finish();
    };
    EXPECT_EQ(io::error_of(directory, go_on),
              "trigon: \"file\": cannot write: Input/output error; must be a writable "
              "path in a writable directory");
    EXPECT_EQ(disarm_calls().at(static_cast<std::size_t>(place)).name, name);
    EXPECT_EQ(directory.count(), 1U);
    const std::string ended =
        "trigon: \"file\": cannot write: it has failed before, or is finished; must be a "
        "new one";
    EXPECT_EQ(io::error_of(directory, [&] { write("third"); }), ended);
    EXPECT_EQ(io::error_of(directory, [&] { file.finish(); }), ended);
    EXPECT_EQ(io::read_file(path), "old");
  }
}

// ---- Names

/// The number in the name of the temporary file of a save.
std::string next_temporary(const fs::path& path) {
  arm_calls({});
  save_array(path, 0);
  const std::string name = disarm_calls().front().path;
  const std::size_t dash = name.rfind('-');
  return name.substr(0, dash + 1) + std::to_string(std::stoi(name.substr(dash + 1)) + 1) + ".tmp";
}

TEST(SavedFile, TakesNoTemporaryThatIsThere) {
  const TemporaryDirectory directory;
  io::write_file(directory / "victim", "kept");
  const std::string planted = next_temporary(directory / "file");
  fs::create_symlink(directory / "victim", planted);
  save_array(directory / "file", 1);
  EXPECT_EQ(io::read_file(directory / "victim"), "kept");
  EXPECT_TRUE(fs::is_symlink(planted));
  EXPECT_FALSE(fs::is_symlink(directory / "file"));
  EXPECT_EQ(io::load_npy(directory / "file").data, some_bytes(48, 1));
}

// The setuid bit is only kept for the old owner, the setgid bit for the old group.
TEST(SavedFile, GivesNoRightsOfAnotherAway) {
  const TemporaryDirectory directory;
  const fs::path path = directory / "file";
  save_array(path, 0);
  arm_calls({});
  save_array(path, 0);
  const std::vector<Call> calls = disarm_calls();
  const auto first = std::find_if(calls.begin(), calls.end(),
                                  [](const Call& call) { return call.name == "fchown"; });
  ASSERT_NE(first, calls.end());
  const int place = static_cast<int>(first - calls.begin());
  // The first gives the file to its owner and group, the second, if it failed, to the group.
  for (const auto& [failures, mode] : {std::pair(0, 06775U), {1, 0775U}, {2, 0705U}}) {
    ASSERT_EQ(::chmod(path.c_str(), 06775), 0);
    arm_calls({.place = place, .deed = Deed::fail, .error = EPERM, .count = failures});
    save_array(path, 1);
    disarm_calls();
    struct stat info {};
    ASSERT_EQ(::stat(path.c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 07777, mode);
    EXPECT_EQ(io::load_npy(path).data, some_bytes(48, 1));
  }
}

TEST(SavedFile, MayHaveTheLongestName) {
  const TemporaryDirectory directory;
  const std::string name(255, 'n');
  save_array(directory / name, 1);
  EXPECT_EQ(io::load_npy(directory / name).data, some_bytes(48, 1));
  EXPECT_EQ(directory.count(), 1U);
}

TEST(SavedFile, IsWholeUnderTwoSavers) {
  const TemporaryDirectory directory;
  const fs::path path = directory / "file";
  save_array(path, 0);
  const Content first = content_of(path);
  save_array(path, 1);
  const std::set<Content> whole = {first, content_of(path)};
  const auto saver = [&](int version) {
    for (int k = 0; k < 50; ++k) save_array(path, version);
  };
  const pid_t child = ::fork();
  if (child == 0) {
    saver(0);
    ::_exit(0);
  }
  std::thread a(saver, 0), b(saver, 1);
  for (int k = 0; k < 200; ++k) EXPECT_TRUE(whole.contains(content_of(path)));
  a.join();
  b.join();
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(whole.contains(content_of(path)));
  EXPECT_EQ(directory.count(), 1U);
}

}  // namespace
}  // namespace trigon::fault

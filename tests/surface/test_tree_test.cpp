// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "support/rooms.hpp"
#include "support/source_tree.hpp"

// The folders of tests are those of src.

namespace trigon {
namespace {

using support::File;
using support::folder_of;

/// The folder of a room's tests.
std::string tests_of(const std::string& room) {
  return room == "run" ? "runs" : room;  // tests/run is the script that runs them all
}

/// The folders of tests that are of no room, and what they hold.
const std::map<std::string, std::string>& other_folders() {
  static const std::map<std::string, std::string> all = {
      {"calls", "a program with a GL that counts calls"},
      {"coverage", "a script: which lines the tests reach"},
      {"documents", "the code of the pages and the manual"},
      {"end_to_end", "values through all stages"},
      {"errors", "code that must not compile"},
      {"fault", "programs in which allocations and calls of GL fail"},
      {"fuzz", "programs for a fuzzer"},
      {"modules", "a shared object that a test loads"},
      {"package", "users of the installed library"},
      {"reference", "the interpreter of graphs"},
      {"replay", "plans and shaders, compared with those of before"},
      {"support", "helpers of the others"},
      {"surface", "the interface and the sources, as readers see them"},
      {"thread", "a program for ThreadSanitizer"},
      {"web", "the tests in a browser"},
  };
  return all;
}

TEST(TestTree, HasAFolderForEachRoom) {
  std::set<std::string> tested, found;
  for (const File& one : support::tree()) {
    if (!one.starts_with("tests/")) continue;
    const std::string folder = folder_of(one.path.substr(std::string("tests/").size()));
    if (one.path.ends_with("_test.cpp")) tested.insert(folder);
    if (!folder.empty()) found.insert(folder);
  }
  for (const auto& [room, below] : support::rooms()) {
    EXPECT_TRUE(tested.contains(tests_of(room))) << room << " has no tests";
    found.erase(tests_of(room));
  }
  for (const auto& [folder, contents] : other_folders()) {
    EXPECT_EQ(found.erase(folder), 1U) << "tests/" << folder << " is missing or of a room";
  }
  for (const std::string& folder : found) ADD_FAILURE() << "tests/" << folder << " is of no room";
}

}  // namespace
}  // namespace trigon

// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/rooms.hpp"
#include "support/source_reader.hpp"
#include "support/source_tree.hpp"

// Where the functions of a room are defined.

namespace trigon {
namespace {

using support::File;
using support::folder_of;
using support::Function;
using support::Reader;

/// Functions that a header of a room declares and rooms that it does not see define, a line each.
std::string defined_above(const std::vector<const File*>& files) {
  std::map<std::string, std::set<std::string>> declared, defined;  // the rooms, by name
  for (const File* file : files) {
    for (const Function& one : Reader(file->text).functions) {
      if (one.is_member || one.name.empty()) continue;
      if (one.is_defined) defined[one.name].insert(folder_of(file->path));
      if (file->is_header()) declared[one.name].insert(folder_of(file->path));
    }
  }
  std::string found;
  for (const auto& [name, rooms] : declared) {
    for (const std::string& room : rooms) {
      const std::set<std::string> seen = support::seen_from(room);
      for (const std::string& other : defined[name]) {
        if (!seen.contains(other)) found += room + " declares " + name + " of " + other + "\n";
      }
    }
  }
  return found;
}

TEST(Rooms, DefineWhatTheyDeclareThemselvesOrBelow) {
  EXPECT_EQ(defined_above(support::files_of_rooms()), "");
}

TEST(Rooms, AreFoundToDeclareWhatIsDefinedAbove) {
  const File header = {"src/graph/a.hpp", "namespace trigon::detail {\nint f(int x);\n}\n"};
  const File other = {"src/graph/b.hpp", "namespace trigon::detail::ir {\nint f(int x);\n}\n"};
  const File source = {"src/pipeline/a.cpp",
                       "namespace trigon {\nnamespace {\nint g() { return 1; }\n}\n"
                       "namespace detail {\nint f(int x) { return x; }\n}\n}\n"};
  EXPECT_EQ(defined_above({&header, &other, &source}),
            "graph declares trigon::detail::f of pipeline\n");
}

TEST(Rooms, DeclareManyFunctions) {
  std::size_t count = 0;
  for (const File* file : support::files_of_rooms()) {
    if (!file->is_header()) continue;
    for (const Function& one : Reader(file->text).functions) {
      if (!one.is_member && !one.name.empty() && !one.is_defined) ++count;
    }
  }
  EXPECT_GT(count, 300U);
}

}  // namespace
}  // namespace trigon

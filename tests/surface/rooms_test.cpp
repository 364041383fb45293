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

// Where the names of a room are declared and defined.

namespace trigon {
namespace {

using support::File;
using support::folder_of;
using support::Function;
using support::Reader;

bool is_unnamed(const std::string& name) { return name.find("(unnamed)") != std::string::npos; }

/// Functions that a header of a room declares and rooms that it does not see define, a line each.
std::string defined_above(const std::vector<const File*>& files) {
  std::map<std::string, std::set<std::string>> declared, defined;  // the rooms, by name
  for (const File* file : files) {
    for (const Function& one : Reader(file->text).functions) {
      if (one.is_member || is_unnamed(one.name)) continue;
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
      if (!one.is_member && !is_unnamed(one.name) && !one.is_defined) ++count;
    }
  }
  EXPECT_GT(count, 300U);
}

/// The functions and classes of a source, members left out.
std::set<std::string> names_in(const File& file) {
  const Reader reader(file.text);
  std::set<std::string> names;
  for (const Function& one : reader.functions) {
    if (!one.is_member) names.insert(one.name);
  }
  for (const support::Class& one : reader.classes) names.insert(one.name);
  return names;
}

/// "apply" of "trigon::detail::apply", and "Pending" of "trigon::detail::Pending::start"; "" for
/// names that are not in detail.
std::string first_in_detail(const std::string& name) {
  const std::string detail = "trigon::detail::";
  if (!name.starts_with(detail)) return "";
  return name.substr(detail.size(), name.find(':', detail.size()) - detail.size());
}

/// Names of a source in `detail` that are neither in a room's namespace nor permitted.
std::string names_outside_rooms(const File& file, const std::set<std::string>& permitted) {
  std::string found;
  for (const std::string& name : names_in(file)) {
    const std::string first = first_in_detail(name);
    if (first.empty() || permitted.contains(first) || support::rooms().contains(first)) continue;
    found += file.path + " has " + name + "\n";
  }
  return found;
}

/// Names that public headers declare in `detail`.
std::set<std::string> public_in_detail() {
  std::set<std::string> found;
  for (const File& file : support::tree()) {
    if (!file.starts_with("include/")) continue;
    for (const std::string& name : names_in(file)) found.insert(first_in_detail(name));
    for (const std::string& name : Reader(file.text).forward_declared) {
      found.insert(first_in_detail(name));
    }
  }
  found.erase("");
  return found;
}

TEST(Rooms, HaveAllNamesOfDetailThatPublicHeadersDoNotDeclare) {
  const std::set<std::string> permitted = public_in_detail();
  for (const char* one : {"Internals", "PendingValues", "TraceCache", "apply", "tree"}) {
    EXPECT_TRUE(permitted.contains(one)) << one;
  }
  EXPECT_FALSE(permitted.contains("(unnamed)"));
  for (const File* file : support::files_of_rooms()) {
    EXPECT_EQ(names_outside_rooms(*file, permitted), "");
  }
}

TEST(Rooms, AreFoundToLackNames) {
  const File source = {"src/ops/a.cpp",
                       "namespace trigon {\nint h();\nnamespace detail {\nnamespace {\nint f() "
                       "{ return 1; }\n}\nint apply() { return 1; }\nstruct B {\n};\n"
                       "namespace ops {\nstruct C {\n};\n}\n}\n}\n"};
  EXPECT_EQ(names_outside_rooms(source, {"apply"}),
            "src/ops/a.cpp has trigon::detail::(unnamed)::f\n"
            "src/ops/a.cpp has trigon::detail::B\n");
}

}  // namespace
}  // namespace trigon

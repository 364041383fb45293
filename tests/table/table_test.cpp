// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "support/declared.hpp"
#include "support/graph_values.hpp"
#include "support/public_calls.hpp"
#include "table/table.hpp"

// The table of functions against the headers, and each row on its own.

namespace trigon {
namespace {

using detail::table::Example;
using detail::table::Row;

std::string error_of_call(const Row& row, const char* arguments) {
  return error_of([&] {
    const Example example = read_example(row, arguments);
    return call(row, example, leaves(example));
  });
}

std::set<std::string> names_of_rows() {
  std::set<std::string> names;
  for (const Row* row : detail::table::rows()) names.insert(row->name);
  return names;
}

// Members of Tensor and of what it gives stand in the headers as free text or not at all.
const std::set<std::string> members{"reshape", "read_async", "at", "values", "to_vector", "item"};

TEST(Table, HasEveryPublicFunction) {
  const std::set<std::string> there = names_of_rows();
  std::set<std::string> declared_names;
  for (const Declared& one : declared()) {
    declared_names.insert(one.name);
    EXPECT_TRUE(there.contains(one.name) || members.contains(one.name))
        << one.name << "(" << one.parameters << ") has no row in src/table";
  }
  EXPECT_GT(declared_names.size(), 230u);
  for (const Row* row : detail::table::rows()) {
    const bool is_op = row->op != nullptr;  // tests declare some, too
    if (is_op) continue;
    EXPECT_NE(declared_names.contains(row->name), row->facts.of_pages) << row->name;
  }
}

TEST(Table, HasOneRowForEachName) {
  std::set<std::string> names;
  for (const Row* row : detail::table::rows()) {
    // Tests declare ops of the same name. web_table_tests, which declares none, checks ops, too.
    if (row->op == nullptr) {
      EXPECT_TRUE(names.insert(row->name).second) << row->name;
    }
  }
}

TEST(Table, HasExamplesOfEachCallAndAReasonWithoutOne) {
  for (const Row* row : detail::table::rows()) {
    EXPECT_NE(row->facts.examples.empty(), row->function != nullptr) << row->name;
    EXPECT_TRUE(row->function != nullptr || *row->facts.left_out != '\0') << row->name;
  }
}

TEST(Table, ExamplesAreRight) {
  for (const Row* row : detail::table::rows()) {
    if (row->facts.reads) continue;
    for (const char* one : row->facts.examples) {
      EXPECT_EQ(error_of_call(*row, one), "no error") << row->name << "(" << one << ")";
    }
  }
}

TEST(Table, RefusesWrongArgumentsByTheRowsText) {
  for (const Row* row : detail::table::rows()) {
    for (const auto& [arguments, wrong] : row->facts.refused) {
      const std::string text = "trigon::" + row->name + ": " + wrong;
      EXPECT_EQ(error_of_call(*row, arguments).substr(0, text.size()), text)
          << row->name << "(" << arguments << ") " << error_of_call(*row, arguments);
    }
  }
}

TEST(Table, CountsTheTensorsOfACall) {
  for (const Row* row : detail::table::rows()) {
    if (row->facts.reads || !row->count.is_number()) continue;
    for (const char* one : row->facts.examples) {
      const Example example = read_example(*row, one);
      EXPECT_EQ(call(*row, example, leaves(example)).size(), row->count.get<std::size_t>())
          << row->name;
    }
  }
}

TEST(Table, ReadsItsExamples) {
  const auto refuses = [](const char* text) {
    return error_of([&] { return read_example(*detail::table::rows()[0], text).arguments; });
  };
  const std::string name = detail::table::rows()[0]->name;
  EXPECT_EQ(refuses("f(2,3), 1"), "trigon::" + name + ": not its arguments: f(2,3), 1");
  EXPECT_EQ(refuses(""), "trigon::" + name + ": no x in ");
}

}  // namespace
}  // namespace trigon

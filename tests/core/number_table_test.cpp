// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/number_table.hpp"

namespace trigon {
namespace {

TEST(NumberTable, TellsThingsOfEqualHashesFromEachOther) {
  std::vector<std::string> things;
  core::NumberTable table;
  const auto find = [&](const std::string& one) {
    return table.find(one.size(),
                      [&](std::int32_t k) { return things[static_cast<std::size_t>(k)] == one; });
  };
  for (int k = 0; k < 1000; ++k) {
    const std::string one = std::to_string(k);
    ASSERT_EQ(find(one), -1);
    table.insert(one.size(), k);
    things.push_back(one);
  }
  EXPECT_EQ(table.size(), 1000u);
  for (int k = 0; k < 1000; ++k) ASSERT_EQ(find(std::to_string(k)), k);
  EXPECT_EQ(find("1000"), -1);
}

TEST(NumberTable, TellsNumbersOfOneHashApart) {
  core::NumberTable table;
  table.insert(7, 3);
  table.insert(7, 4);
  EXPECT_EQ(table.find(7, [](std::int32_t k) { return k == 3; }), 3);
  EXPECT_EQ(table.find(7, [](std::int32_t k) { return k > 3; }), 4);
  EXPECT_EQ(table.find(8, [](std::int32_t) { return true; }), -1);
}

}  // namespace
}  // namespace trigon

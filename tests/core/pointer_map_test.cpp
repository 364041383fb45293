// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/pointer_map.hpp"

namespace trigon {
namespace {

TEST(PointerMap, FindsWhatItWasGiven) {
  std::vector<std::uint64_t> things(100'000);
  core::PointerMap map;
  for (std::size_t k = 0; k < things.size(); k += 2) {
    EXPECT_TRUE(map.insert(&things[k], static_cast<std::int32_t>(k)));
  }
  EXPECT_EQ(map.size(), things.size() / 2);
  for (std::size_t k = 0; k < things.size(); ++k) {
    ASSERT_EQ(map.find(&things[k]), k % 2 == 0 ? static_cast<std::int32_t>(k) : -1);
    ASSERT_EQ(map.contains(&things[k]), k % 2 == 0);
  }
}

TEST(PointerMap, KeepsTheFirstNumber) {
  int thing = 0;
  core::PointerMap map;
  EXPECT_TRUE(map.insert(&thing, 3));
  EXPECT_FALSE(map.insert(&thing, 4));
  EXPECT_EQ(map.find(&thing), 3);
  EXPECT_EQ(map.size(), 1u);
}

}  // namespace
}  // namespace trigon

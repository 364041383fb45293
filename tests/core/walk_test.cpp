// SPDX-License-Identifier: MIT
#include "core/walk.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "core/item.hpp"

namespace trigon::detail::core {
namespace {

using Ids = std::vector<std::int32_t>;

// 3 reads 1 and 2, which both read 0; 4 reads 3 twice.
const std::vector<Ids>& inputs() {
  static const std::vector<Ids> all = {{}, {0}, {0}, {1, 2}, {3, 3}};
  return all;
}

Ids visited(Walk<std::int32_t> walk, std::int32_t stop_at = -1) {
  Ids order;
  for (const std::int32_t k : walk) {
    order.push_back(k);
    if (k != stop_at) walk.add(item(inputs(), k));
  }
  return order;
}

TEST(Walk, VisitsEachItemOnce) {
  EXPECT_EQ(visited(Walk<std::int32_t>({4})), (Ids{4, 3, 2, 0, 1}));
  EXPECT_EQ(visited(Walk<std::int32_t>({1, 1, 2})), (Ids{2, 0, 1}));
  EXPECT_EQ(visited(Walk<std::int32_t>({})), Ids());
}

TEST(Walk, GoesNoFurtherThanAskedFor) {
  EXPECT_EQ(visited(Walk<std::int32_t>({4}), 3), (Ids{4, 3}));
}

TEST(Walk, LeavesOutWhatWasSeen) {
  EXPECT_EQ(visited(Walk<std::int32_t>({3}, {2})), (Ids{3, 1, 0}));
}

TEST(Walk, UpVisitsInputsFirst) {
  Ids order;
  std::vector<bool> left(inputs().size(), false);
  const auto enter = [&](std::int32_t k) -> std::optional<Ids> {
    if (item(left, k)) return std::nullopt;
    return item(inputs(), k);
  };
  const auto leave = [&](std::int32_t k, const Ids& below) {
    EXPECT_EQ(below, item(inputs(), k));
    item(left, k) = true;
    order.push_back(k);
  };
  walk_up(3, enter, leave);
  EXPECT_EQ(order, (Ids{0, 1, 2, 3}));
  walk_up(4, enter, leave);
  EXPECT_EQ(order, (Ids{0, 1, 2, 3, 4}));
}

}  // namespace
}  // namespace trigon::detail::core

// SPDX-License-Identifier: MIT
#include "support/random_graph.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include <trigon/trigon.hpp>

#include "support/random_plans.hpp"

// Random graphs without a device.

namespace trigon {
namespace {

using support::RandomGraph;

TEST(RandomGraph, IsTheSameForTheSameSeed) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const RandomGraph a = random_host_graph(seed, 30, Profile::webgl2);
    const RandomGraph b = random_host_graph(seed, 30, Profile::webgl2);
    ASSERT_EQ(a.text(), b.text()) << seed;
  }
}

TEST(RandomGraph, BeginsAsAShorterOneDoes) {
  const RandomGraph shorter = random_host_graph(7, 10, Profile::webgl2);
  const RandomGraph longer = random_host_graph(7, 40, Profile::webgl2);
  EXPECT_EQ(longer.text().substr(0, shorter.text().size()), shorter.text());
}

}  // namespace
}  // namespace trigon

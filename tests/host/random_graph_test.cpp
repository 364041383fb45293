// SPDX-License-Identifier: MIT
#include "support/random_graph.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include <trigon/trigon.hpp>

#include "plans.hpp"
#include "support/compare.hpp"

// Random graphs without a device.

namespace trigon {
namespace {

using support::Failures;
using support::RandomGraph;

support::RandomHooks on_host() {
  support::RandomHooks hooks;
  hooks.leaf = [](const std::vector<double>&, DType dtype, const Shape& shape) {
    return host_leaf(shape, dtype);
  };
  return hooks;
}

std::vector<Tensor> roots_of(const RandomGraph& graph) {
  std::vector<Tensor> roots;
  for (const support::RandomValue* root : graph.roots()) roots.push_back(root->tensor);
  return roots;
}

TEST(RandomGraph, IsTheSameForTheSameSeed) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const RandomGraph a(seed, 30, Profile::webgl2, on_host());
    const RandomGraph b(seed, 30, Profile::webgl2, on_host());
    ASSERT_EQ(a.text(), b.text()) << seed;
  }
}

TEST(RandomGraph, BeginsAsAShorterOneDoes) {
  const RandomGraph shorter(7, 10, Profile::webgl2, on_host());
  const RandomGraph longer(7, 40, Profile::webgl2, on_host());
  EXPECT_EQ(longer.text().substr(0, shorter.text().size()), shorter.text());
}

TEST(RandomGraph, PlansForEveryTarget) {
  Failures failures("plans of random graphs");
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    for (const NamedTarget& named : targets()) {
      const bool is_webgl1 = named.target.dialect == plan::Dialect::es100;
      const Profile profile = is_webgl1 ? Profile::webgl1 : Profile::webgl2;
      const RandomGraph graph(seed, 10 + static_cast<int>(seed % 31), profile, on_host());
      try {
        EXPECT_GE(draws(plan_of(roots_of(graph), named.target)), 0);
      } catch (const std::exception& error) {
        failures.add(
            fmt::format("seed {}, {}: {}; {}", seed, named.name, error.what(), graph.text()));
      }
    }
  }
}

}  // namespace
}  // namespace trigon

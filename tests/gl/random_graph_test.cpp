// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include <trigon/trigon.hpp>

#include "support/compare.hpp"
#include "support/random_graph.hpp"

// Expressions that nobody thought of: planned as one against evaluated op by op against the
// reference.

namespace trigon {
namespace {

using support::Failures;
using support::RandomGraph;

int seeds() {
  const char* text = std::getenv("TRIGON_SEEDS");
  return text == nullptr ? 300 : std::max(std::atoi(text), 1);
}

// Largest difference past `error`, or "".
std::string past(const std::vector<double>& got, const std::vector<double>& want, double error) {
  for (std::size_t i = 0; i < want.size(); ++i) {
    if (std::abs(got[i] - want[i]) <= error) continue;
    return fmt::format("element {}: {:.9g} in place of {:.9g}, allowed {:.3g}", i, got[i], want[i],
                       error);
  }
  return got.size() == want.size() ? "" : "another number of elements";
}

// The last values of a graph are roots of one evaluation; what they share is computed once.
void check_seed(std::uint32_t seed, Failures& failures) {
  const int nodes = 10 + static_cast<int>(seed % 31);
  const RandomGraph fused(
      seed, nodes, [](const Tensor&) {}, true);
  const RandomGraph stepwise(
      seed, nodes, [](const Tensor& x) { x.eval(); }, false);
  const std::size_t count = fused.values().size();
  ASSERT_EQ(count, stepwise.values().size());
  std::vector<Tensor> roots;
  for (std::size_t i = count - std::min<std::size_t>(count, 4); i < count; ++i) {
    roots.push_back(fused.values()[i].tensor);
  }
  eval(roots);
  for (std::size_t i = count - roots.size(); i < count; ++i) {
    const RandomGraph::Value& value = fused.values()[i];
    const std::vector<double> together = support::read_doubles(value.tensor);
    const std::vector<double> alone = support::read_doubles(stepwise.values()[i].tensor);
    for (const auto& [name, got] : {std::pair("fused", together), std::pair("unfused", alone)}) {
      const std::string wrong = past(got, value.want, value.error);
      if (wrong.empty()) continue;
      failures.add(fmt::format("seed {} value {} {}: {}; {}", seed, i, name, wrong, fused.text()));
    }
  }
}

// The seeds in five parts, so that they run beside each other.
class RandomGraphs : public ::testing::TestWithParam<int> {};

TEST_P(RandomGraphs, AgreeWithTheReference) {
  Failures failures("random graphs");
  for (int seed = GetParam(); seed < seeds(); seed += 5) {
    try {
      check_seed(static_cast<std::uint32_t>(seed), failures);
    } catch (const std::exception& error) {
      failures.add(fmt::format("seed {}: {}", seed, error.what()));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomGraphs, ::testing::Range(0, 5));

}  // namespace
}  // namespace trigon

// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <trigon/trigon.hpp>

#include "core/internals.hpp"
#include "reference/interpret.hpp"
#include "support/host_device.hpp"
#include "support/plans.hpp"
#include "support/tiny_target.hpp"
#include "support/values.hpp"

// Conds in random graphs; every draw that only one side needs is skipped.

namespace trigon {
namespace {

using Doubles = std::vector<double>;
using Tensors = std::vector<Tensor>;

/// Tensors of (4, 4) computed from each other, in nested conds and in loops.
class RandomConds {
 public:
  RandomConds(std::uint32_t seed, Tensors values, Tensors predicates)
      : random_(seed), values_(std::move(values)), predicates_(std::move(predicates)) {}

  Tensors run() {
    for (int k = 3 + random_.below(5); k > 0; --k) values_.push_back(step(values_, 0));
    Tensors results;
    for (int k = 1 + random_.below(3); k > 0; --k) results.push_back(any(values_));
    results.push_back(values_.back());
    return results;
  }

 private:
  const Tensor& any(const Tensors& from) {
    return from[static_cast<std::size_t>(random_.below(static_cast<int>(from.size())))];
  }

  Tensor predicate(const Tensors& seen) {
    if (random_.chance(0.6)) return any(predicates_);
    return sum(any(seen)) > 0.25 * random_.below(5) + 0.1;
  }

  /// One more value, from those visible there.
  Tensor step(const Tensors& seen, int depth) {
    const int what = random_.below(depth < 3 ? 11 : 7);
    const Tensor a = any(seen), b = any(seen);
    switch (what) {
      case 0: return sin(a) * 0.5 + b;
      case 1: return tanh(a - b);
      case 2: return tanh(matmul(a, b));
      case 3: return a - mean(b, 0);
      case 4: return transpose(a) * 0.5;
      case 5: return tanh(scatter_add(a, iota(4) % 3, b, 0));
      case 6: {
        Tensor c = cos(a);
        return c.at(Slice{1, 3}).set(b[Slice{0, 2}]);
      }
      case 7: return loop(seen, depth);
      default: return choice(seen, depth);
    }
  }

  Tensor side(Tensors seen, int depth) {
    const std::size_t before = seen.size();
    for (int k = random_.below(4); k > 0; --k) seen.push_back(step(seen, depth + 1));
    return seen.size() == before ? any(seen) : seen.back();
  }

  Tensor choice(const Tensors& seen, int depth) {
    const Tensor p = predicate(seen);
    return cond(
        p, [&] { return side(seen, depth); }, [&] { return side(seen, depth); });
  }

  Tensor loop(const Tensors& seen, int depth) {
    const auto body = [&](const Tensor& i, const Tensor& s) {
      Tensors inner = seen;
      inner.push_back(s);
      const Tensor p = random_.chance(0.5) ? i % 2 == 0 : predicate(inner);
      return tanh(cond(
          p, [&] { return side(inner, depth + 1); }, [&] { return side(inner, depth + 1); }));
    };
    return fori_loop(0, 3, body, any(seen));
  }

  support::Random random_;
  Tensors values_, predicates_;
};

class RandomSides : public testing::TestWithParam<int> {};

TEST_P(RandomSides, HaveTheValuesOfTheReference) {
  core::Costs costs = core::llvmpipe_costs;
  costs.draw = 0;
  core::Target few = core::llvmpipe();
  few.vertex_samplers = 1;
  const core::Target all[]{core::llvmpipe(), core::llvmpipe_webgl1(), support::tiny_target(), few};
  for (int seed = 16 * GetParam(); seed < 16 * (GetParam() + 1); ++seed) {
    support::HostDevice host(all[seed % 4], costs);
    graph::KnownValues known;
    support::Random random(static_cast<std::uint32_t>(seed) + 1000);
    const auto stored = [&](DType dtype, const Shape& shape) {
      Doubles values(static_cast<std::size_t>(shape.numel()));
      for (double& value : values) {
        value = dtype == boolean ? random.below(2) : 0.25 * (random.below(9) - 4);
      }
      const Tensor x = host.upload(values, dtype, shape);
      known.emplace(detail::Internals::node(x)->id, values);
      return x;
    };
    const Tensor flags = stored(boolean, {6});
    const Tensors values{stored(float32, {4, 4}), stored(float32, {4, 4}), stored(float32, {4, 4})};
    RandomConds conds(static_cast<std::uint32_t>(seed), values,
                      {stored(boolean, {}), stored(boolean, {}), flags[2], flags[5]});
    const Tensors results = conds.run();
    std::vector<Doubles> want;
    for (const Tensor& y : results)
      want.push_back(graph::interpret(detail::Internals::node(y), known));
    host.evaluate(results);
    for (std::size_t k = 0; k < results.size(); ++k) {
      const auto got = host.read(results[k]);
      for (std::size_t i = 0; i < got.size(); ++i) {
        ASSERT_FALSE(got[i].is_poison) << "seed " << seed << ", result " << k << ", element " << i;
        ASSERT_NEAR(got[i].value, want[k][i], 1e-5 * (1 + std::abs(want[k][i])))
            << "seed " << seed << ", result " << k << ", element " << i;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, RandomSides, testing::Range(0, 25));

}  // namespace
}  // namespace trigon

// SPDX-License-Identifier: MIT
#include "support/random_loop.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "core/internals.hpp"
#include "reference/interpret.hpp"
#include "support/random_runs.hpp"
#include "support/rolls.hpp"

// Random plain C++ loops: their values are those of the graph that is not rolled.

namespace trigon {
namespace {

using support::RandomLoop;

std::uint32_t seeds() { return support::random_seeds(400); }

Values values_on(const RandomLoop& loop, const Target& target) {
  support::HostDevice device(target, core::gpu_costs);
  const Tensors roots =
      loop.run([&](const std::vector<double>& values, DType dtype, const Shape& shape) {
        return device.upload(values, dtype, shape);
      });
  device.evaluate(roots);
  Values values;
  for (const Tensor& root : roots) values.push_back(device.read(root));
  return values;
}

Tensors planned(const RandomLoop& loop) {
  return loop.run([](const std::vector<double>&, DType dtype, const Shape& shape) {
    return host_leaf(shape, dtype);
  });
}

Target unrolling(Target target) {
  target.instructions = std::numeric_limits<std::int64_t>::max();
  target.uniform_vectors = 4096;
  return target;
}

/// Draws of a few iterations.
Target drawing_iterations(Target target) {
  target.instructions = 90;
  return target;
}

TEST(RandomLoop, IsTheSameForTheSameSeed) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    EXPECT_EQ(RandomLoop(seed).text(), RandomLoop(seed).text());
    EXPECT_NE(RandomLoop(seed).text(), RandomLoop(seed + 1).text());
  }
}

TEST(RandomLoop, MostAreRolled) {
  const Target target = drawing_iterations(core::h200());
  int rolled = 0;
  for (std::uint32_t seed = 0; seed < seeds(); ++seed) {
    rolled += loops_in(planned(RandomLoop(seed)), target).empty() ? 0 : 1;
  }
  EXPECT_GE(rolled, static_cast<int>(seeds()) * 7 / 10);
}

TEST(RandomLoop, RolledValuesAreThoseOfOneDraw) {
  const std::vector<Target> targets = rolling_targets();
  for (std::uint32_t seed = 0; seed < seeds(); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const RandomLoop loop(seed);
    // In GLSL ES 1.00 only stored values are rounded to float16, and draws store different values.
    const Target& of = targets[loop.has_halves() ? 0 : seed % targets.size()];
    const Target target = drawing_iterations(of);
    expect_equal(values_on(loop, target), values_on(loop, unrolling(target)));
    if (HasFailure()) FAIL() << loop.text();
  }
}

TEST(RandomLoop, ValuesAreThoseOfTheReference) {
  int compared = 0;
  for (std::uint32_t seed = 0; seed < seeds(); ++seed) {
    const RandomLoop loop(seed);
    if (!loop.is_smooth()) continue;
    SCOPED_TRACE(testing::Message() << "seed " << seed << "\n" << loop.text());
    graph::KnownValues known;
    const Tensors roots =
        loop.run([&](const std::vector<double>& values, DType dtype, const Shape& shape) {
          const Tensor leaf = host_leaf(shape, dtype);
          known[detail::Internals::node(leaf)->id] = values;
          return leaf;
        });
    const Values got = values_on(loop, drawing_iterations(core::h200()));
    for (std::size_t k = 0; k < roots.size(); ++k) {
      const std::vector<double>& want = graph::interpret(detail::Internals::node(roots[k]), known);
      for (std::size_t i = 0; i < want.size(); ++i) {
        // A value that is rounded to float16 may be rounded to the next one.
        const double tolerance = is_float(roots[k].dtype()) ? 4e-3 : 0;
        ASSERT_NEAR(got[k][i].value, want[i], tolerance * (1 + std::abs(want[i])));
      }
    }
    ++compared;
  }
  EXPECT_GE(compared, static_cast<int>(seeds()) / 2);
}

// In GLSL ES 1.00 a remainder takes a loop of 11 iterations.
TEST(RandomLoop, OperationsBeforeALoopAreStoredWhereTripsAreFew) {
  const Program program = [](const Leaf& leaf) {
    const Tensor x = leaf({13}, int32);
    const auto body = [](Tensor, Tensor s) { return s + 1; };
    return Tensors{fori_loop(0, 20, body, x * 3 % 7 * 5 % 11)};
  };
  Target target = core::llvmpipe_webgl1();
  const Values want = values_on(program, target);
  target.trip_limit = 16;
  expect_equal(values_on(program, target), want);
}

}  // namespace
}  // namespace trigon

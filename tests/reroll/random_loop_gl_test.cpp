// SPDX-License-Identifier: MIT
#include "support/random_loop.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <trigon/trigon.hpp>

// Random plain C++ loops on a device: their values are those of single iterations.

namespace trigon {
namespace {

using support::RandomLoop;
using Tensors = std::vector<Tensor>;

/// The results, with the draws that they took.
std::pair<Tensors, std::int64_t> run(const RandomLoop& loop, const Device& device, bool each) {
  const auto leaf = [&](const std::vector<double>& values, DType dtype, const Shape& shape) {
    const std::vector<float> floats(values.begin(), values.end());
    Tensor x = tensor<float>(floats, shape, device).astype(dtype);
    x.eval();
    return x;
  };
  const auto evaluate = [](Tensors& state) { eval(state); };
  const std::int64_t before = counters(device).draws;
  Tensors results = each ? loop.run(leaf, evaluate) : loop.run(leaf);
  eval(results);
  return {std::move(results), counters(device).draws - before};
}

/// Compares loops of that profile whose values are smooth; returns how many were rolled.
int compare(Profile profile) {
  const Device device{{.profile = profile}};
  int shorter = 0;
  for (std::uint32_t seed = 0, compared = 0; compared < 6; ++seed) {
    const RandomLoop loop(seed);
    if (!loop.is_smooth() || (profile == Profile::webgl1 && loop.has_halves())) continue;
    SCOPED_TRACE(testing::Message() << "seed " << seed << "\n" << loop.text());
    const auto [got, draws] = run(loop, device, false);
    const auto [want, most] = run(loop, device, true);
    EXPECT_LE(draws, most);
    for (std::size_t k = 0; k < want.size(); ++k) {
      const auto a = got[k].astype(float32).to_vector<float>();
      const auto b = want[k].astype(float32).to_vector<float>();
      const float tolerance = is_float(want[k].dtype()) ? 4e-3F : 0;
      for (std::size_t i = 0; i < b.size(); ++i) {
        EXPECT_NEAR(a[i], b[i], tolerance * (1 + std::abs(b[i]))) << k << ", " << i;
      }
    }
    shorter += 4 * draws < most ? 1 : 0;
    ++compared;
  }
  return shorter;
}

TEST(RandomLoopOnDevice, WebGl2) { EXPECT_GE(compare(Profile::webgl2), 3); }
TEST(RandomLoopOnDevice, WebGl1) { EXPECT_GE(compare(Profile::webgl1), 3); }

}  // namespace
}  // namespace trigon

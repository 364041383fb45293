// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include <trigon/trigon.hpp>

#include "support/on_profile.hpp"
#include "support/values.hpp"

// Plain C++ loops that become loops of a kernel on a device: the values are those of single steps.

namespace trigon {
namespace {

using Floats = std::vector<float>;
using Tensors = std::vector<Tensor>;

Floats values(const Tensor& x) { return x.astype(float32).to_vector<float>(); }

/// Runs `steps` of next(state, step), evaluated in the end or after each step.
template <class Next>
Tensors run(Tensors state, int steps, Next next, bool each) {
  for (int step = 0; step < steps; ++step) {
    state = next(state, step);
    if (each) eval(state);
  }
  eval(state);
  return state;
}

/// Expects the values of single steps, with one draw for all steps if there are enough targets.
/// `tolerance`: a compiler may contract other operations of a loop than of a step.
template <class Next>
void expect_one_loop(const std::vector<Shape>& shapes, int steps, Next next, float tolerance) {
  for (const Profile profile : {Profile::webgl2, Profile::webgl1}) {
    const Device device{{.profile = profile}};
    Tensors state;
    for (const Shape& shape : shapes) {
      state.push_back(support::noise_on(device, shape, static_cast<double>(state.size())));
    }
    const std::int64_t before = counters(device).draws;
    const Tensors got = run(state, steps, next, false);
    const std::int64_t most = profile == Profile::webgl2 ? 1 : std::ssize(state);
    EXPECT_LE(counters(device).draws - before, most);
    const Tensors want = run(state, steps, next, true);
    for (std::size_t k = 0; k < want.size(); ++k) {
      const Floats a = values(got[k]), b = values(want[k]);
      for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_NEAR(a[i], b[i], tolerance * (1 + std::abs(b[i]))) << k << ", " << i;
      }
    }
  }
}

TEST(RollOnDevice, CoupledStates) {
  const auto next = [](const Tensors& s, int) {
    const Tensor o = s[0] - 0.01 * sin(s[1]);
    return Tensors{o, s[1] + 0.01 * o};
  };
  expect_one_loop({{37, 5}, {37, 5}}, 256, next, 1e-5F);
}

TEST(RollOnDevice, CapturedTensorsAndASecondCarry) {
  const auto next = [](const Tensors& s, int) {
    return Tensors{s[1], 0.5 * s[0] - 0.25 * s[1] + s[2], s[2]};
  };
  expect_one_loop({{64}, {64}, {64}}, 200, next, 1e-5F);
}

TEST(RollOnDevice, StepsInTheArithmetic) {
  const auto next = [](const Tensors& s, int step) {
    return Tensors{where(s[0] > 0.5, s[0] - 0.75, s[0] * 0.5) + 0.25 * (step % 1000)};
  };
  expect_one_loop({{33, 3}}, 200, next, 1e-5F);
}

TEST(RollOnDevice, Mandelbrot) {
  const support::OnWebGL2 only("draws of several targets");
  const Tensor cr = arange(96).astype(float32) * (3.0 / 96) - 2.0;
  const Tensor ci = expand_dims(arange(64).astype(float32) * (2.5 / 64) - 1.25, 1);
  Tensor zr = zeros({64, 96}), zi = zeros({64, 96}), count = zeros({64, 96});
  for (int step = 0; step < 500; ++step) {
    const Tensor inside = zr * zr + zi * zi < 4.0;
    const Tensor next_r = zr * zr - zi * zi + cr;
    const Tensor next_i = 2.0 * zr * zi + ci;
    zr = where(inside, next_r, zr);
    zi = where(inside, next_i, zi);
    count = where(inside, count + 1.0, count);
  }
  const Counters before = counters();
  eval({zr, zi, count});
  const Counters after = counters();
  EXPECT_EQ(after.draws - before.draws, 1);
  EXPECT_LE(after.programs_compiled - before.programs_compiled, 1);
  const Floats counts = values(count);
  int wrong = 0;
  for (int y = 0; y < 64; ++y) {
    for (int x = 0; x < 96; ++x) {
      const float a = static_cast<float>(x) * (3.0F / 96) - 2,
                  b = static_cast<float>(y) * (2.5F / 64) - 1.25F;
      float r = 0, i = 0;
      int steps = 0;
      for (; steps < 500 && r * r + i * i < 4; ++steps) {
        const float next = r * r - i * i + a;
        i = 2 * r * i + b;
        r = next;
      }
      wrong +=
          std::abs(counts[static_cast<std::size_t>(y * 96 + x)] - static_cast<float>(steps)) > 0;
    }
  }
  // Points on the border of the set depend on the last bit.
  EXPECT_LE(wrong, 64 * 96 / 100);
}

}  // namespace
}  // namespace trigon

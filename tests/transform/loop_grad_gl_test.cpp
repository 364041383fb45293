// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <trigon/trigon.hpp>

#include "support/counted.hpp"
#include "support/loop_cases.hpp"
#include "support/on_profile.hpp"
#include "support/values.hpp"

// Derivatives of loops on a device, against those of their unrolled form.

namespace trigon {
namespace {

using Floats = std::vector<float>;
using Tensors = std::vector<Tensor>;
using Two = std::pair<Tensor, Tensor>;
using support::counted;
using support::counting;

Tensor noise(const Shape& shape, double seed) {
  return reshape(sin(iota(shape.numel()).astype(float32) * 1.7 + seed), shape);
}

/// The sum of a case's floats, each with a weight, where all that it captures is moved by s.
Tensor total(const support::LoopCase& one, bool is_unrolled, const Tensor& s) {
  const support::LoopForm form{
      is_unrolled, [&](const Tensor& x) {
        return is_float(x.dtype()) ? (x + s * noise(x.shape(), 0.3)).astype(x.dtype()) : x;
      }};
  Tensor sum_of_all(0.0);
  for (const Tensor& y : one.run(form)) {
    if (is_float(y.dtype())) sum_of_all = sum_of_all + sum(y * noise(y.shape(), 0.6));
  }
  return sum_of_all;
}

class LoopDerivative : public testing::TestWithParam<support::LoopCase> {};

TEST_P(LoopDerivative, IsThatOfTheUnrolledForm) {
  const auto at = [&](bool is_unrolled) {
    return [&, is_unrolled](const Tensor& s) { return total(GetParam(), is_unrolled, s); };
  };
  const Tensor s = tensor<float>({0.0F}, {});
  const float wanted = grad(at(true), s).item();
  const float tolerance = 1e-3F * std::max(1.0F, std::abs(wanted));
  EXPECT_NEAR(jvp(at(false), s, Tensor(1.0)).tangent.item(), wanted, tolerance);
  try {
    EXPECT_NEAR(grad(at(false), s).item(), wanted, tolerance);
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("nothing bounds the iterations"), std::string::npos)
        << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(All, LoopDerivative, testing::ValuesIn(support::loop_cases()),
                         [](const auto& one) { return std::string(one.param.name); });

// The rules of functions hold inside loops, in both modes and for batches.
TEST(LoopDerivativeRules, AreThoseOfCalls) {
  const ElementwiseKernel kernel(
      "float x", "float y", "y = x * x", "squared",
      {.gradient = [](std::span<const Tensor> g, std::span<const Tensor> x,
                      std::span<const Tensor>) -> Tensors { return {g[0] * x[0] * 2.0}; }});
  const auto f = [&](const Tensor& x) {
    return sum(fori_loop(
        0, 2, [&](const Tensor&, const Tensor& s) { return kernel(s) + stop_gradient(kernel(s)); },
        x));
  };
  // s -> 2 s^2, with the slope 2 s of the half that is not stopped, twice
  const Tensor x({1.0, 3.0});
  const Floats wanted{2 * 1 * 2 * 2, 2 * 3 * 2 * 18};
  EXPECT_EQ(grad(f, x).to_vector<float>(), wanted);
  EXPECT_EQ(jvp(f, x, Tensor({1.0, 0.0})).tangent.item(), wanted[0]);
  const auto each = [&](const Tensor& v) { return grad(f, reshape(v, {1})); };
  EXPECT_EQ(vmap(each)(x).to_vector<float>(), wanted);
}

// ---- Costs

/// o -= g sin t; t += 0.01 o
Tensor pendulum(std::int64_t steps, const Tensor& t, const Tensor& o, const Tensor& g) {
  const Two end = fori_loop(
      0, steps,
      [&](const Tensor&, Two s) {
        s.second = s.second - g * sin(s.first);
        s.first = s.first + 0.01 * s.second;
        return s;
      },
      Two{t, o});
  return sum(square(end.first));
}

/// Draws of value and gradients, and the programs of a first evaluation.
Counters work_of(std::int64_t steps) {
  const Tensor t = counting({100, 7}, 0.01), o = counting({100, 7}, 0.02);
  const Tensor g = tensor<float>({0.01F}, {});
  eval({t, o, g});
  return counted([&] {
    const auto [value, gradients] = value_and_grad(
        [&](const Tensor& a, const Tensor& b, const Tensor& c) { return pendulum(steps, a, b, c); },
        t, o, g);
    const auto& [dt, d_o, dg] = gradients;
    eval({value, dt, d_o, dg});
  });
}

// Elements stay independent backwards: the gradient of g, which all share, is added up per element,
// and summed after the loop. Unrolled, 64 steps are 74 draws of 29 programs.
TEST(LoopCost, OfAGradientIsOneDrawBackwards) {
  const support::OnWebGL2 only("draws of several targets");
  EXPECT_LE(work_of(64).draws, 14);
  EXPECT_LE(work_of(256).draws, 46);
  EXPECT_EQ(work_of(512).programs_compiled, 0);
}

}  // namespace
}  // namespace trigon

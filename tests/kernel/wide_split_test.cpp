// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <trigon/error.hpp>

#include "core/math.hpp"
#include "core/targets.hpp"
#include "kernel/builder.hpp"
#include "support/errors.hpp"
#include "support/fragment.hpp"
#include "support/values.hpp"

// Divisions and comparisons of indices up to the size of the largest texture, against whole
// numbers. The interpreter poisons an index that a float of 24 bits does not hold.

namespace trigon {
namespace {

using core::Affine;
using core::Target;
using core::Type;
using kernel::KernelBuilder;
using support::Lanes;
using support::Random;

constexpr std::int64_t exact = std::int64_t{1} << 24;

Target two_outputs() {
  Target target = core::llvmpipe_webgl1();
  target.draw_buffers = 2;
  return target;
}

/// a * (4 x + lane) + b * y + c over fragments (x, y).
struct Sum {
  std::int64_t width, height, a, b, c;

  std::int64_t at(std::int64_t x, std::int64_t y, std::int64_t lane) const {
    return a * (4 * x + lane) + b * y + c;
  }
  std::int64_t most() const {
    return std::max<std::int64_t>(a, 0) * (4 * width - 1) +
           std::max<std::int64_t>(b, 0) * (height - 1) + c;
  }
  Affine of(KernelBuilder& kernel) const {
    return kernel.variable(kernel.base_index(detail::kernel::FragColumn4{}, 0, 4 * width)) * a +
           kernel.variable(kernel.base_index(detail::kernel::FragRow{}, 0, height)) * b + c;
  }
};

/// The elements of a texture of up to 2^30 elements: in order, backwards, or every few of them.
Sum random_sum(Random& random) {
  Sum sum{};
  sum.width = random.chance(0.5) ? 1'024 : 1 + random.below(16'384);
  const std::int64_t pitch = 4 * sum.width;
  sum.height = std::min<std::int64_t>(exact * (1 + random.below(63)) / pitch + 1, 16'384);
  const std::int64_t shift = random.below(1'000'000);
  sum.a = 1;
  sum.b = pitch;
  if (random.chance(0.3)) {
    sum.a = -1;
    sum.b = -pitch;
    sum.c = pitch * sum.height - 1;
  }
  if (random.chance(0.5)) sum.c += shift;
  if (random.chance(0.2)) {
    const std::int64_t step = 2 + random.below(9);
    sum.height = core::ceil_div(sum.height, step);
    sum.a *= step;
    sum.b *= step;
    sum.c = sum.a > 0 ? sum.c : step * pitch * sum.height;
  }
  return sum;
}

std::int64_t random_divisor(Random& random, const Sum& sum) {
  const double range = random.chance(0.5) ? 1e5 : static_cast<double>(sum.most());
  return 2 + static_cast<std::int64_t>(std::exp(random.unit() * std::log(range)));
}

/// Whether each lane of each output has the value of `want`, at some fragments.
template <class F>
void expect_outputs(KernelBuilder& kernel, const Target& target, const Sum& sum, Random& random,
                    F want) {
  plan::Step step;
  ASSERT_TRUE(kernel.finish(step));
  support::KernelInterpreter interpreter(target);
  support::DrawContext context{interpreter, step, {}, {}, {}};
  for (const kernel::IntExpr& expr : step.ints) {
    context.ints.push_back(static_cast<double>(expr.base));
  }
  support::Quad quad(context);
  for (int k = 0; k < 8; ++k) {
    const std::int64_t x = k == 0 ? sum.width - 1 : random.below(static_cast<int>(sum.width));
    const std::int64_t y = k == 0 ? sum.height - 1 : random.below(static_cast<int>(sum.height));
    quad.move_to(x - x % 2, y - y % 2);
    for (std::size_t output = 0; output < step.kernel->outputs.size(); ++output) {
      const Lanes got = quad.at(x, y).value(step.kernel->outputs[output].value);
      for (std::size_t lane = 0; lane < 4; ++lane) {
        ASSERT_FALSE(got[lane].is_poison);
        ASSERT_EQ(got[lane].value, want(output, sum.at(x, y, static_cast<std::int64_t>(lane))));
      }
    }
  }
}

void add_number(KernelBuilder& kernel, const Affine& index) {
  kernel.output(kernel.add(detail::kernel::IndexValue{kernel.number_of(index)}, Type::f), Type::f);
}

TEST(WideIndices, AreDividedExactly) {
  const Target target = two_outputs();
  Random random(3);
  for (int k = 0; k < 2'000; ++k) {
    const Sum sum = random_sum(random);
    const std::int64_t divisor = random_divisor(random, sum);
    SCOPED_TRACE(testing::Message() << sum.width << " x " << sum.height << ": " << sum.a << " x + "
                                    << sum.b << " y + " << sum.c << " by " << divisor);
    KernelBuilder kernel(target);
    const KernelBuilder::Split found = kernel.split(sum.of(kernel), divisor);
    add_number(kernel, found.quotient);
    add_number(kernel, found.remainder);
    expect_outputs(kernel, target, sum, random, [&](std::size_t output, std::int64_t index) {
      return static_cast<float>(output == 0 ? index / divisor : index % divisor);
    });
  }
}

TEST(WideIndices, AreRefusedWhereTwoDigitsDoNotDivideThem) {
  // Quotients of factor * k by the divisor, for 0 <= k < count.
  const auto refusal = [](std::int64_t count, std::int64_t factor, std::int64_t divisor) {
    return support::error_of<DeviceError>([&] {
      KernelBuilder kernel(two_outputs());
      return kernel.split(
          kernel.variable(kernel.base_index(detail::kernel::FragRow{}, 0, count)) * factor,
          divisor);
    });
  };
  const auto text = [](std::int64_t reached) {
    return "trigon::eval: too many elements for the shader's integers: an index reaches " +
           std::to_string(reached) + "; at most 16777216; compute parts of the tensor on their own";
  };
  constexpr std::int64_t large = (std::int64_t{1} << 47) - 1;  // 16,383 of it are past 2^60
  EXPECT_EQ(refusal(16'384, large, 3), text(16'383 * large));
  EXPECT_EQ(refusal(16'000'000, 500, 1'001), text(15'999'999 * 500LL)) << "less than a digit";
  EXPECT_EQ(refusal(16'384, 2'097'151, 16'777'259), text(16'383 * 2'097'151LL)) << "a wide guess";
}

TEST(WideIndices, AreComparedExactly) {
  const Target target = two_outputs();
  Random random(5);
  for (int k = 0; k < 500; ++k) {
    Sum sum = random_sum(random);
    // At the checked fragments, the limit lies within the texel.
    const std::int64_t x = sum.width - 1, y = sum.height - 1;
    const std::int64_t limit = sum.at(x, y, 2);
    if (random.chance(0.5)) sum.c -= limit;
    const std::int64_t below = sum.at(x, y, 2);
    SCOPED_TRACE(testing::Message() << sum.width << " x " << sum.height << ": " << sum.a << " x + "
                                    << sum.b << " y + " << sum.c);
    KernelBuilder kernel(target);
    kernel.output(kernel.below(sum.of(kernel), {.base = below}), Type::f);
    kernel.output(kernel.is_element(sum.of(kernel), below), Type::f);
    expect_outputs(kernel, target, sum, random, [&](std::size_t output, std::int64_t index) {
      return index < below && (output == 0 || index >= 0) ? 1 : 0;
    });
  }
}

}  // namespace
}  // namespace trigon

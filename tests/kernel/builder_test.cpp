// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <vector>

#include "core/targets.hpp"
#include "kernel/builder.hpp"

// Index arithmetic: formulas simplified by ranges must equal the naive formula.

namespace trigon {
namespace {

using core::Affine;
using core::Layout;
using kernel::Fetch;
using kernel::Instr;
using kernel::Kernel;
using kernel::KernelBuilder;
using kernel::Lane;
using Step = kernel::Bound;

using Numbers = std::array<std::int64_t, 4>;

/// The index instructions of a finished step at one fragment, as a shader computes them.
class Evaluator {
 public:
  Evaluator(const Step& step, std::int64_t x, std::int64_t y) {
    for (const Instr& instr : step.kernel->code) values_.push_back(evaluate(step, instr, x, y));
  }
  const Numbers& operator[](std::int32_t id) const { return values_[static_cast<std::size_t>(id)]; }

 private:
  static Numbers splat(std::int64_t value) { return {value, value, value, value}; }

  std::int64_t number(const Step& step, std::int32_t uniform, std::int64_t missing) const {
    return uniform < 0 ? missing : step.ints[static_cast<std::size_t>(uniform)].base;
  }

  Numbers evaluate(const Step& step, const Instr& instr, std::int64_t x, std::int64_t y) const {
    const auto at = [&](std::int32_t id) -> const Numbers& { return (*this)[id]; };
    const auto each = [](auto f) { return Numbers{f(0U), f(1U), f(2U), f(3U)}; };
    return std::visit(
        kernel::OneOf{
            [&](const kernel::FragColumn&) { return splat(x); },
            [&](const kernel::FragColumn4&) {
              return Numbers{4 * x, 4 * x + 1, 4 * x + 2, 4 * x + 3};
            },
            [&](const kernel::FragRow&) { return splat(y); },
            [&](const kernel::IntScalar& of) { return splat(number(step, of.value, 0)); },
            [&](const kernel::Sum& of) {
              return each([&](std::size_t lane) {
                std::int64_t sum = number(step, of.constant, 0);
                for (const auto& term : of.terms) {
                  sum += at(term.value)[lane] * number(step, term.factor, 1);
                }
                return sum;
              });
            },
            [&](const kernel::Quotient& of) {
              return each([&](std::size_t lane) {
                const Numbers& dividend = at(of.dividend);
                if (dividend[lane] < 0) throw std::logic_error("a negative number is divided");
                // If the lanes share a quotient, the first one represents all.
                const std::size_t from = instr.lane == Lane::uniform ? 0 : lane;
                return dividend[from] / number(step, of.divisor, 1);
              });
            },
            [&](const kernel::Remainder& of) {
              return each([&](std::size_t lane) {
                const std::int64_t divisor = number(step, of.divisor, 1);
                return at(of.dividend)[lane] - at(of.quotient)[lane] * divisor;
              });
            },
            [&](const kernel::IndexValue& of) { return at(of.index); },
            [](const auto&) -> Numbers { throw std::logic_error("no index instruction"); }},
        instr.operation);
  }

  std::vector<Numbers> values_;
};

/// A grid of width x height texels, its linear element number, and outputs of indices.
struct Fixture {
  explicit Fixture(std::int64_t width, std::int64_t height) : width(width), height(height) {
    x4 = b.variable(b.base_index(kernel::FragColumn4{}, 0, width * 4));
    y = b.variable(b.base_index(kernel::FragRow{}, 0, height));
    e = x4 + y * (width * 4);
  }
  void output(const Affine& index) {
    b.output(b.add(kernel::IndexValue{b.materialise(index)}, core::Type::i), core::Type::i);
  }
  Step finish() {
    Step step;
    EXPECT_TRUE(b.finish(step));
    return step;
  }

  std::int64_t width, height;
  KernelBuilder b{core::h200()};
  Affine x4, y, e;
};

std::vector<std::int64_t> unravelled(std::int64_t linear, const std::vector<std::int64_t>& dims) {
  std::vector<std::int64_t> index(dims.size());
  for (std::size_t k = dims.size(); k-- > 0;) {
    index[k] = linear % dims[k];
    linear /= dims[k];
  }
  return index;
}

// ---- Affine

TEST(Affine, AddsTermsInTheOrderOfTheirNumbers) {
  const Affine a{{{0, 2}, {3, 1}}, 5};
  const Affine b{{{1, 4}, {3, 2}}, -1};
  EXPECT_EQ(a + b, (Affine{{{0, 2}, {1, 4}, {3, 3}}, 4}));
  EXPECT_EQ(a + b, b + a);
}

TEST(Affine, DropsTermsThatCancel) {
  const Affine a{{{0, 2}, {3, 1}}, 5};
  EXPECT_EQ(a + a * -1, Affine{});
  EXPECT_EQ(a * 0, Affine{});
}

// ---- Simplification

TEST(KernelBuilder, DividesNothingThatTheRangesDecide) {
  Fixture f(16, 64);
  const auto found = f.b.split(f.e, 64);  // 64 elements a texture row
  EXPECT_EQ(found.quotient, f.y);
  EXPECT_EQ(found.remainder, f.x4);
}

TEST(KernelBuilder, DividesOnceForEqualDivisions) {
  Fixture f(16, 64);
  const auto one = f.b.split(f.e, 24);
  const auto two = f.b.split(f.e, 24);
  EXPECT_EQ(one.quotient, two.quotient);
  EXPECT_EQ(one.remainder, two.remainder);
}

TEST(KernelBuilder, PutsQuotientAndRemainderTogetherAgain) {
  Fixture f(16, 64);
  const auto found = f.b.split(f.e, 24);
  const std::int32_t whole = f.b.materialise(f.e);
  EXPECT_EQ(f.b.materialise(found.quotient * 24 + found.remainder), whole);
}

TEST(KernelBuilder, SplitsNegativeConstantsRight) {
  Fixture f(4, 4);
  const auto found = f.b.split(f.x4 + f.y * 16 + -16 + 16, 16);
  EXPECT_EQ(found.quotient, f.y);
}

TEST(KernelBuilder, UnravelsLikeDivision) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    const auto below = [&](int n) { return static_cast<std::int64_t>(random() % n) + 1; };
    std::vector<std::int64_t> dims;
    for (std::int64_t k = below(4); k > 0; --k) dims.push_back(below(9));
    const std::int64_t width = below(6);
    std::int64_t numel = 1;
    for (std::int64_t dim : dims) numel *= dim;
    const std::int64_t height = (numel + width * 4 - 1) / (width * 4);
    Fixture f(width, height);
    for (const Affine& index : f.b.unravel(f.e, dims)) f.output(index);
    const Step step = f.finish();
    for (std::int64_t y = 0; y < height; ++y) {
      for (std::int64_t x = 0; x < width; ++x) {
        const Evaluator values(step, x, y);
        for (std::int64_t lane = 0; lane < 4; ++lane) {
          const std::int64_t e = (y * width + x) * 4 + lane;
          if (e >= numel) continue;
          const auto want = unravelled(e, dims);
          for (std::size_t k = 0; k < dims.size(); ++k) {
            const auto& got = values[step.kernel->outputs[k].value];
            ASSERT_EQ(got[static_cast<std::size_t>(lane)], want[k]) << "axis " << k << " of " << e;
          }
        }
      }
    }
  }
}

// A reshape of a permuted reshape: nothing affine is left, and nothing may go wrong.
TEST(KernelBuilder, UnravelsChainsOfViewsLikeDivision) {
  std::mt19937 random(2);
  const std::vector<std::vector<std::int64_t>> factors = {
      {24}, {4, 6}, {6, 4}, {2, 12}, {12, 2}, {3, 8}, {8, 3}, {2, 3, 4}, {4, 3, 2}, {1, 24, 1}};
  for (int round = 0; round < 300; ++round) {
    const auto& first = factors[random() % factors.size()];
    const auto& second = factors[random() % factors.size()];
    Fixture f(static_cast<std::int64_t>(random() % 6) + 1, 6);
    std::vector<Affine> index = f.b.unravel(f.e, first);
    std::vector<std::int64_t> turned(first.rbegin(), first.rend());
    const std::vector<Affine> reversed(index.rbegin(), index.rend());
    Affine linear;
    for (std::size_t k = 0; k < turned.size(); ++k) linear = linear * turned[k] + reversed[k];
    for (const Affine& one : f.b.unravel(linear, second)) f.output(one);
    const Step step = f.finish();
    for (std::int64_t e = 0; e < 24; ++e) {
      const Evaluator values(step, e / 4 % f.width, e / 4 / f.width);
      const auto at = unravelled(e, first);
      std::int64_t number = 0;
      for (std::size_t k = 0; k < at.size(); ++k)
        number = number * turned[k] + at[at.size() - 1 - k];
      const auto want = unravelled(number, second);
      for (std::size_t k = 0; k < want.size(); ++k) {
        const auto& got = values[step.kernel->outputs[k].value];
        ASSERT_EQ(got[static_cast<std::size_t>(e % 4)], want[k]) << "round " << round;
      }
    }
  }
}

// ---- Bounds and lanes

TEST(KernelBuilder, KnowsBoundsOfSums) {
  Fixture f(16, 64);
  const auto range = f.b.bounds(f.x4 * -2 + f.y + 7);
  EXPECT_EQ(range.low, -2 * 63 + 7);
  EXPECT_EQ(range.high, 63 + 7);
}

TEST(KernelBuilder, ChecksOnlyTheSidesThatAreInDoubt) {
  Fixture f(16, 64);
  EXPECT_EQ(f.b.inside(f.y, 64), -1);
  EXPECT_NE(f.b.inside(f.y, 63), -1);
  EXPECT_NE(f.b.inside(f.y + -1, 64), -1);
  EXPECT_EQ(f.b.inside(f.y + 1, 65), -1);
}

TEST(KernelBuilder, ClassifiesFetches) {
  Fixture f(16, 64);
  EXPECT_EQ(f.b.fetch_of(f.e), Fetch::row);
  EXPECT_EQ(f.b.fetch_of(f.x4), Fetch::row);
  EXPECT_EQ(f.b.fetch_of(f.e + 8), Fetch::row);
  EXPECT_EQ(f.b.fetch_of(f.e + 1), Fetch::lanes);
  EXPECT_EQ(f.b.fetch_of(f.y), Fetch::splat);
  EXPECT_EQ(f.b.fetch_of(f.y * 5 + 3), Fetch::splat);
  EXPECT_EQ(f.b.fetch_of(f.x4 * 2), Fetch::lanes);
  EXPECT_EQ(f.b.fetch_of(f.x4 * -1 + 63), Fetch::lanes);
  EXPECT_EQ(f.b.fetch_of(f.x4 + f.y * 6), Fetch::lanes);
}

TEST(KernelBuilder, KeepsTexelsThroughDivisionsByMultiplesOfFour) {
  Fixture f(16, 64);
  const auto found = f.b.split(f.e, 24);
  EXPECT_EQ(f.b.lane(found.quotient), Lane::uniform);
  EXPECT_TRUE(f.b.aligned(found.remainder));
  EXPECT_EQ(f.b.fetch_of(found.quotient * 48 + found.remainder), Fetch::row);
  const auto odd = f.b.split(f.e, 25);
  EXPECT_EQ(f.b.lane(odd.quotient), Lane::vector);
  EXPECT_EQ(f.b.fetch_of(odd.quotient * 48 + odd.remainder), Fetch::lanes);
}

// ---- Instructions

TEST(KernelBuilder, KeepsOneOfEqualInstructions) {
  Fixture f(16, 64);
  const Layout layout = core::flat_layout(core::h200(), float32, {64, 64});
  const std::int32_t input = f.b.input(0, layout);
  EXPECT_EQ(f.b.input(0, layout), input);
  EXPECT_EQ(f.b.load(input, layout, f.e), f.b.load(input, layout, f.e));
  const std::int32_t a = f.b.load(input, layout, f.e);
  EXPECT_EQ(f.b.both(a, a), f.b.both(a, a));
}

TEST(KernelBuilder, FetchesATexelOnceForItsComponents) {
  Fixture f(16, 64);
  const Layout layout = core::flat_layout(core::h200(), float32, {64, 64});
  const std::int32_t input = f.b.input(0, layout);
  for (std::int64_t k = 0; k < 4; ++k) {
    f.b.output(f.b.load(input, layout, f.y * 64 + k), core::Type::f);
  }
  EXPECT_EQ(f.finish().fetches, 1);
}

TEST(KernelBuilder, DropsWhatNoOutputNeeds) {
  Fixture f(16, 64);
  const Layout layout = core::flat_layout(core::h200(), float32, {64, 64});
  f.b.load(f.b.input(0, layout), layout, f.e);
  f.b.constant(3);
  f.b.output(f.b.constant(5), core::Type::f);
  const Step step = f.finish();
  EXPECT_EQ(step.kernel->code.size(), 1u);
  EXPECT_TRUE(step.inputs.empty());
  ASSERT_EQ(step.floats.size(), 1u);
  EXPECT_EQ(step.floats[0].value, 5);
  EXPECT_TRUE(step.ints.empty());
}

TEST(KernelBuilder, GivesUpPastTheSamplers) {
  const Layout layout = core::flat_layout(core::webgl1_minimum(), float32, {64});
  const auto finish = [&layout](int inputs) {
    KernelBuilder b(core::webgl1_minimum());
    std::int32_t sum = b.constant(0);
    for (std::int32_t slot = 0; slot < inputs; ++slot) {
      const Affine x = b.variable(b.base_index(kernel::FragColumn4{}, 0, 64));
      sum = b.both(sum, b.load(b.input(slot, layout), layout, x));
    }
    b.output(sum, core::Type::f);
    Step step;
    return b.finish(step);
  };
  EXPECT_TRUE(finish(8));
  EXPECT_FALSE(finish(9));
}

TEST(KernelBuilder, GivesUpPastTheUniformVectors) {
  KernelBuilder b(core::webgl1_minimum());
  std::int32_t sum = b.constant(0);
  for (int k = 1; k < 64; ++k) sum = b.both(sum, b.constant(k));
  b.output(sum, core::Type::f);
  Step step;
  EXPECT_FALSE(b.finish(step));
}

TEST(KernelBuilder, HoistsWhatTheLoopDoesNotChange) {
  Fixture f(16, 64);
  const Layout layout = core::flat_layout(core::h200(), float32, {64, 64});
  const std::int32_t input = f.b.input(0, layout);
  const std::int32_t loop = f.b.open_block(0);
  const Affine t = f.b.counter(loop, 64);
  f.b.set_trips(loop, f.b.scalar({.base = 64, .scale = 0}), 64);
  const std::int32_t sum = f.b.carry(loop, f.b.constant(0));
  const std::int32_t fixed = f.b.load(input, layout, f.e);
  const std::int32_t moving = f.b.load(input, layout, f.x4 + t * 64);
  f.b.set_carried(loop, 0, f.b.both(sum, f.b.both(fixed, moving)));
  f.b.output(f.b.result(loop, 0), core::Type::f);
  const Step step = f.finish();
  EXPECT_EQ(step.trips, 64);
  EXPECT_EQ(step.fetches, 1 + 64);
}

}  // namespace
}  // namespace trigon

// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <trigon/extend.hpp>
#include <trigon/trigon.hpp>

#include "core/internals.hpp"
#include "graph/node.hpp"
#include "reference/interpret.hpp"
#include "support/compare.hpp"
#include "support/counted.hpp"
#include "support/errors.hpp"
#include "support/statistics.hpp"
#include "support/values.hpp"
#include "support/views.hpp"

// The sweep over every declared reduction.

namespace trigon {
namespace {

using support::Failures;
using support::Random;

std::vector<const Op*> reductions() {
  std::vector<const Op*> ops;
  for (const Op* op : registry()) {
    if (op->family == Family::reduce) ops.push_back(op);
  }
  return ops;
}

class ReduceSweep : public ::testing::TestWithParam<const Op*> {
 protected:
  const Op& op() const { return *GetParam(); }
  const ReduceSpec& spec() const { return op().reduce(); }
  Tensor input(const Shape& shape) { return support::random_tensor(random_, shape, spec().domain); }

  void add(std::string what, const Tensor& root) {
    cases_.push_back({std::move(what), root, graph::interpret(detail::Internals::node(root))});
  }
  void add(const std::string& what, const std::vector<Tensor>& results) {
    for (std::size_t k = 0; k < results.size(); ++k) {
      add(fmt::format("{}, result {}", what, k), results[k]);
    }
  }

  void TearDown() override {
    std::vector<Tensor> roots;
    for (const Case& c : cases_) roots.push_back(c.root);
    eval(roots);
    Failures failures{std::string(op().name)};
    for (const Case& c : cases_) {
      const std::string wrong = support::difference(support::read_doubles(c.root), c.want,
                                                    spec().tolerance, c.root.dtype());
      if (!wrong.empty()) failures.add(c.what + ": " + wrong);
    }
  }

  Random random_{7};

 private:
  struct Case {
    std::string what;
    Tensor root;
    std::vector<double> want;
  };
  std::vector<Case> cases_;
};

struct Geometry {
  Shape shape;
  Axes axes;
};

const std::vector<Geometry>& geometries() {
  static const std::vector<Geometry> all = {
      {{7}, {}},    {{3, 5}, 0},       {{3, 5}, 1},
      {{3, 5}, {}}, {{33, 17}, 0},     {{33, 17}, -1},
      {{4, 64}, 1}, {{2, 3, 4, 5}, 2}, {{2, 1, 3, 2, 1, 6}, 3},
      {{1}, 0},     {{1, 6}, 0},       {{2, 0, 3}, 2},
      {{1025}, {}}};
  return all;
}

TEST_P(ReduceSweep, ValuesOfEveryShape) {
  for (const Geometry& g : geometries()) {
    for (const bool keepdims : {false, true}) {
      const Tensor x = input(g.shape);
      add(to_string(g.shape), detail::reduce(op(), x, g.axes, keepdims));
    }
  }
}

TEST_P(ReduceSweep, SeveralAxes) {
  if (spec().gives_index) return;
  const Tensor x = input({2, 3, 4, 5});
  for (const Axes& axes : {Axes{0, 1}, Axes{1, 3}, Axes{0, 2, 3}, Axes{-1, 0}}) {
    add(fmt::format("axes {}", fmt::join(axes.list(), ", ")), detail::reduce(op(), x, axes, false));
  }
}

TEST_P(ReduceSweep, ThroughViews) {
  for (const support::View& view : support::views()) {
    const Tensor x = view.apply(input(view.base));
    for (const int axis : {0, 1}) {
      add(fmt::format("{} axis {}", view.name, axis), detail::reduce(op(), x, axis, false));
    }
  }
}

TEST_P(ReduceSweep, WithALength) {
  const Tensor x = input({3, 11});
  for (const int length : {1, 3, 4, 6, 8, 11, 40}) {
    const Scalar n(length);
    add(fmt::format("length {}", length), detail::reduce(op(), x, 1, false, &n));
  }
  const Scalar rows(2);
  add("two rows", detail::reduce(op(), x, 0, false, &rows));
}

TEST_P(ReduceSweep, FusedWithProducersAndConsumers) {
  const Tensor x = input({6, 10});
  const Tensor half = (x * 2.0) * 0.5;
  add("of a product", detail::reduce(op(), half, 1, false));
  add("of a broadcast", detail::reduce(op(), half + input({10}) * 0.0, 0, true));
  std::vector<Tensor> again = detail::reduce(op(), half.T(), 0, true);
  for (Tensor& y : again) y = y + 0;
  add("read again", again);
}

TEST_P(ReduceSweep, OfIntegersAndBools) {
  if (spec().result.get() != Result::same) return;
  for (const DType dtype : {DType::int32, DType::uint32, DType::uint8}) {
    const Tensor x = support::random_ints(random_, {4, 9}, 0, 9).astype(dtype);
    add(std::string(name(dtype)), detail::reduce(op(), x, 1, false));
  }
  add("negative", detail::reduce(op(), support::random_ints(random_, {4, 9}, -9, 9), 0, false));
  add("bool", detail::reduce(op(), support::random_bools(random_, {4, 9}), 1, false));
}

TEST_P(ReduceSweep, SpecialValues) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  const std::vector<std::vector<float>> rows = {{1, nan, 3, 2, 5},
                                                {inf, 1, 2, -3, 4},
                                                {-inf, 1, 2, 3, 4},
                                                {nan, nan, nan, nan, nan},
                                                {0, -1, 0, -1, 0}};
  for (const auto& row : rows) {
    add(fmt::format("[{}]", fmt::join(row, ", ")),
        detail::reduce(op(), tensor<float>(row, {5}), {}, false));
  }
}

// All with the same sign, so that no digits cancel and the declared units in the last place are
// those of the sum.
TEST_P(ReduceSweep, OfManyElements) {
  const Range range{0, spec().domain.get().high};
  const Tensor x = support::random_tensor(random_, {3, 20'011}, range);
  add("rows", detail::reduce(op(), x, 1, false));
  add("all", detail::reduce(op(), x, {}, false));
}

// ---- Gradients

using Doubles = std::vector<double>;

// Sum of weights * the only result for each row of x (rows, n), as the reference computes it.
double weighted(const ReduceSpec& spec, const Doubles& x, const Doubles& weights,
                std::size_t rows) {
  const std::size_t n = x.size() / rows;
  double total = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    std::array<double, 4> y{};
    spec.ref.get()(std::span(x).subspan(row * n, n), y.data());
    total += weights[row] * y[0];
  }
  return total;
}

TEST_P(ReduceSweep, GradientsAreThoseOfTheReference) {
  // With a shift, only results that do not depend on it have a gradient: ReduceGradient below.
  if (spec().vjp.get() == nullptr || spec().first_is_shift) return;
  const std::vector<float> values = support::random_floats(random_, 3 * 7, spec().domain);
  const Tensor x = tensor<float>(values, {3, 7});
  const Vjp vjp = trigon::vjp([&](Tensor v) { return detail::reduce(op(), v, 1, false)[0]; }, x);
  const std::vector<float> dy = support::random_floats(random_, 3, {0.5, 1.5});
  const Tensor g = vjp.pullback(tensor<float>(dy, vjp.value.shape()));
  const Doubles weights(dy.begin(), dy.end());
  Doubles want(values.size());
  for (std::size_t i = 0; i < want.size(); ++i) {
    Doubles at(values.begin(), values.end());
    const double h = 1e-5;
    at[i] += h;
    const double above = weighted(spec(), at, weights, 3);
    at[i] -= 2 * h;
    want[i] = (above - weighted(spec(), at, weights, 3)) / (2 * h);
  }
  EXPECT_EQ(support::difference(support::read_doubles(g), want, 2e-4, 1e-5), "");
}

TEST_P(ReduceSweep, GradientWithALengthIsThatOfTheFirstElements) {
  if (spec().vjp.get() == nullptr) return;
  const Tensor x = input({7, 3});
  const Scalar length(4);
  const auto reduced = [&](const Tensor& in, const Scalar* n) {
    return trigon::vjp([&](Tensor v) { return stack(detail::reduce(op(), v, 0, false, n)); }, in);
  };
  const auto gradient = [](const Vjp<Tensor, Tensor>& vjp) {
    Random random(9);
    const Shape& shape = vjp.value.shape();
    const std::vector<float> dy = support::random_floats(random, shape.numel(), {0.5, 1.5});
    return support::read_doubles(vjp.pullback(tensor<float>(dy, shape)));
  };
  if (!spec().vjp_with_length) {
    EXPECT_EQ(support::error_of([&] { gradient(reduced(x, &length)); }),
              fmt::format("trigon::vjp: no gradient: {} with a length is not differentiable; pass "
                          "what it is made of through stop_gradient",
                          op().name));
    return;
  }
  Doubles want = gradient(reduced(x[Slice{0, 4}].eval(), nullptr));
  want.resize(static_cast<std::size_t>(x.size()), 0.0);
  EXPECT_EQ(support::difference(gradient(reduced(x, &length)), want, spec().tolerance), "");
}

INSTANTIATE_TEST_SUITE_P(Ops, ReduceSweep, ::testing::ValuesIn(reductions()),
                         [](const auto& test) { return std::string(test.param->name); });

TEST(TupleReduction, KeepsWhatFollowsIt) {
  const Tensor x = tensor<float>({1, 2, 3, 4, 5, 6, 7, 8}, {2, 4});
  const std::vector<float> rows = (stack(moments(x, 1)) * 2.0).to_vector<float>();
  EXPECT_EQ(rows, (std::vector<float>{2, 10, 3, 3, 10, 10}));
  const auto columns = stack(moments(x, 0)).astype(int32).to_vector<std::int32_t>();
  EXPECT_EQ(columns, (std::vector<std::int32_t>{1, 2, 3, 4, 2, 2, 2, 2, 8, 8, 8, 8}));
}

TEST(TupleReduction, KeepsTheOthersOfAnEvaluatedResult) {
  for (const Shape& shape : {Shape{8, 16}, Shape{3, 5}, Shape{2, 1, 2, 1, 2, 1, 1, 5}}) {
    Random random(5);
    const Tensor x = support::random_tensor(random, shape) + 1.0;
    const std::vector<Tensor> y = moments(x, -1, true), again = moments(x, -1, true);
    std::vector<std::vector<double>> want;
    for (const Tensor& one : y) want.push_back(graph::interpret(detail::Internals::node(one)));
    y[1].eval();
    // The reduction has its texture, so x is not needed.
    EXPECT_TRUE(detail::Internals::node(y[2])->inputs[0]->inputs.empty());
    EXPECT_EQ(
        support::difference(graph::interpret(detail::Internals::node(y[2])), want[2], 1e-4, 1e-5),
        "");
    EXPECT_LE(support::counted([&] { y[2].eval(); }).draws, 1);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(support::difference(support::read_doubles(y[k]), want[k], 1e-4, 1e-5), "");
      EXPECT_EQ(support::difference(support::read_doubles(again[k]), want[k], 1e-4, 1e-5), "");
    }
  }
}

TEST(TupleReduction, MovesToAnotherDevice) {
  const std::vector<Tensor> y = moments(arange(6).reshape(2, 3), 1);  // made of numbers alone
  y[1].eval();
  const Device second;
  const Tensor there = tensor<float>({1, 2}, {2}).to(second) + y[2];
  EXPECT_EQ(there.to_vector<float>(), (std::vector<float>{3, 4}));
}

TEST(ReduceGradient, VarianceIsTwiceTheDistanceFromTheMean) {
  Random random(5);
  const Tensor x = support::random_tensor(random, {4, 9}) + 100.0;
  const Tensor g = grad([](const Tensor& v) { return sum(var(v, 1)); }, x);
  const Tensor want = (x - mean(x, 1, true)) * (2.0 / 9.0);
  EXPECT_EQ(support::difference(support::read_doubles(g), support::read_doubles(want), 1e-4, 1e-5),
            "");
}

TEST(ReduceGradient, LogSumExpIsSoftmax) {
  Random random(3);
  const Tensor x = support::random_tensor(random, {4, 9});
  const Tensor g = grad([](const Tensor& v) { return sum(logsumexp(v, 1)); }, x);
  EXPECT_EQ(support::difference(support::read_doubles(g), support::read_doubles(nn::softmax(x, 1)),
                                1e-5, 1e-7),
            "");
}

TEST(ReduceGradient, ProdWithZeros) {
  const auto run = [](std::initializer_list<float> values) {
    return grad([](const Tensor& v) { return prod(v); }, tensor<float>(values)).to_vector<float>();
  };
  EXPECT_EQ(run({2, 0, 3}), (std::vector<float>{0, 6, 0}));
  EXPECT_EQ(run({2, 0, 0}), (std::vector<float>{0, 0, 0}));
}

TEST(ReduceErrors, NameTheFunctionAndTheValues) {
  const Tensor x = zeros({2, 3});
  EXPECT_EQ(support::error_of([&] { return sum(x, 2); }),
            "trigon::sum: axis out of range: axis is 2, rank is 2; must be in [-2, 2)");
  EXPECT_NE(support::error_of([&] { return sum(x, {0, -2}); }), "no error");
  EXPECT_NE(support::error_of([&] { return max(zeros({2, 0}), 1); }), "no error");
}

}  // namespace
}  // namespace trigon

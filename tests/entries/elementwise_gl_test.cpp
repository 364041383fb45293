// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <trigon/extend.hpp>
#include <trigon/trigon.hpp>

#include "core/internals.hpp"
#include "reference/interpret.hpp"
#include "support/compare.hpp"
#include "support/errors.hpp"
#include "support/on_profile.hpp"
#include "support/values.hpp"
#include "support/views.hpp"

// A sweep over all declared element-wise ops: declarations hold in every shape, through every view,
// fused and alone. Reductions are in reduce_gl_test.cpp.

namespace trigon {
namespace {

using support::Failures;
using support::Random;

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

std::vector<const Op*> elementwise_ops() {
  std::vector<const Op*> ops;
  for (const Op* op : registry()) {
    if (op->family != Family::reduce) ops.push_back(op);
  }
  return ops;
}

std::size_t arity(const Op& op) {
  return op.family == Family::unary ? 1 : op.family == Family::binary ? 2 : 3;
}

Range domain(const Op& op, std::size_t k) {
  if (op.family == Family::unary) return op.unary().domain;
  if (op.family == Family::ternary) return op.ternary().domain;
  return k == 0 ? op.binary().domain_a : op.binary().domain_b;
}

Result result_of(const Op& op) {
  if (op.family == Family::unary) return op.unary().result;
  return op.family == Family::binary ? op.binary().result.get() : Result::same;
}

bool takes_condition(const Op& op, std::size_t k) {
  return op.family == Family::ternary && op.ternary().condition_first && k == 0;
}

bool takes_integers_only(const Op& op) {
  return op.family == Family::binary && op.binary().integers_only;
}

bool takes_uint32_only(const Op& op) {
  return op.family == Family::binary && op.binary().uint32_only;
}

bool takes_integers(const Op& op) { return result_of(op) != Result::floating; }

bool is_first_of_its_family(const Op& op) {
  const std::vector<const Op*> all = registry();
  return *std::find_if(all.begin(), all.end(),
                       [&](const Op* other) { return other->family == op.family; }) == &op;
}

double reference(const Op& op, std::span<const double> x) {
  if (op.family == Family::unary) return op.unary().ref.get()(x[0]);
  if (op.family == Family::binary) return op.binary().ref.get()(x[0], x[1]);
  return op.ternary().ref.get()(x[0], x[1], x[2]);
}

Tensor call(const Op& op, std::span<const Tensor> x) {
  if (op.family == Family::unary) return detail::apply(op, x[0]);
  if (op.family == Family::binary) return detail::apply(op, x[0], x[1]);
  return detail::apply(op, x[0], x[1], x[2]);
}

// Whole numbers of the domain that the dtype holds.
Tensor integer_operand(Random& random, const Op& op, std::size_t k, const Shape& shape,
                       DType dtype) {
  const Range range = domain(op, k);
  double low = std::ceil(range.low);
  if (dtype == DType::uint32 || dtype == DType::uint8) low = std::max(low, 0.0);
  const double high = std::min(std::floor(range.high), dtype == DType::uint8 ? 255.0 : 1e6);
  return support::random_ints(random, shape, static_cast<int>(low), static_cast<int>(high))
      .astype(dtype);
}

Tensor operand(Random& random, const Op& op, std::size_t k, const Shape& shape) {
  if (takes_condition(op, k)) return support::random_bools(random, shape);
  if (takes_integers_only(op)) return integer_operand(random, op, k, shape, DType::uint32);
  return tensor<float>(support::random_mixed(random, shape.numel(), domain(op, k)), shape);
}

std::vector<Tensor> operands(Random& random, const Op& op, const Shape& shape) {
  std::vector<Tensor> x;
  for (std::size_t k = 0; k < arity(op); ++k) x.push_back(operand(random, op, k, shape));
  return x;
}

// Computes all roots in one evaluation and compares each with the interpreter.
class Comparison {
 public:
  Comparison(const Op& op, const char* what)
      : op_(op), failures_(fmt::format("{} {}", op.name, what)) {}

  void add(std::string what, const Tensor& root) {
    cases_.push_back({std::move(what), root, graph::interpret(detail::Internals::node(root))});
  }

  ~Comparison() {
    std::vector<Tensor> roots;
    for (const Case& c : cases_) roots.push_back(c.root);
    try {
      eval(roots);
      for (const Case& c : cases_) {
        const std::string wrong = support::difference(support::read_doubles(c.root), c.want,
                                                      support::tolerance_of(op_), c.root.dtype());
        if (!wrong.empty()) failures_.add(c.what + ": " + wrong);
      }
    } catch (const std::exception& error) {
      failures_.add(error.what());
    }
  }

 private:
  struct Case {
    std::string what;
    Tensor root;
    std::vector<double> want;
  };
  const Op& op_;
  Failures failures_;
  std::vector<Case> cases_;
};

class Sweep : public ::testing::TestWithParam<const Op*> {
 protected:
  const Op& op() const { return *GetParam(); }
  // The same seed for an op, independent of other ops.
  std::uint32_t seed() const {
    std::uint32_t hash = 2166136261U;
    for (const char c : op().name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    return hash;
  }
  Random random_{seed()};

 private:
  void SetUp() override {
    if (takes_integers_only(op())) only_.emplace("bit operators");
  }
  std::optional<support::OnWebGL2> only_;
};

TEST_P(Sweep, ValuesOfEveryShape) {
  Comparison comparison(op(), "of shape");
  const Shape shapes[] = {{}, {0}, {7}, {3, 5}, {2, 1, 3, 2, 1, 5}, {4, 8}, {2, 0, 3}, {33, 17}};
  for (const Shape& shape : shapes) {
    const Tensor y = call(op(), operands(random_, op(), shape));
    EXPECT_EQ(y.shape(), shape);
    comparison.add(to_string(shape), y);
  }
}

TEST_P(Sweep, Broadcasts) {
  if (arity(op()) == 1) return;
  Comparison comparison(op(), "broadcast");
  const std::array<Shape, 3> shapes[] = {{Shape{3, 5}, {5}, {3, 1}},
                                         {Shape{3, 1}, {1, 5}, {}},
                                         {Shape{}, {3, 5}, {1}},
                                         {Shape{2, 1, 3}, {4, 1}, {3}}};
  for (const auto& shape : shapes) {
    std::vector<Tensor> x;
    for (std::size_t k = 0; k < arity(op()); ++k) {
      x.push_back(operand(random_, op(), k, shape[k]));
    }
    comparison.add(to_string(shape[0]) + " with " + to_string(shape[1]), call(op(), x));
  }
}

TEST_P(Sweep, OneTensorAsEveryOperand) {
  if (arity(op()) != 2) return;
  Comparison comparison(op(), "of a tensor with itself");
  const Tensor x = operand(random_, op(), 1, {3, 5});
  comparison.add("x, x", call(op(), std::array{x, x}));
  const Tensor square = operand(random_, op(), 1, {5, 5});
  comparison.add("x, x.T", call(op(), std::array{square, square.T()}));
}

// The texel that a view reads does not depend on the op. So one op of each family tries all views,
// the others four.
TEST_P(Sweep, ThroughViews) {
  Comparison comparison(op(), "of a view");
  const std::size_t count = support::views().size();
  for (std::size_t v = 0; v < (is_first_of_its_family(op()) ? count : 4); ++v) {
    std::vector<Tensor> x;
    std::string what;
    for (std::size_t k = 0; k < arity(op()); ++k) {
      const support::View& view = support::views()[(seed() + v + 3 * k) % count];
      x.push_back(view.apply(operand(random_, op(), k, view.base)));
      what += std::string(view.name) + " ";
    }
    comparison.add(what, call(op(), x));
  }
}

TEST_P(Sweep, OfIntegers) {
  if (!takes_integers(op())) return;
  for (const DType dtype : {DType::int32, DType::uint32, DType::uint8}) {
    std::optional<support::OnWebGL2> only;
    if (dtype == DType::uint32) only.emplace("uint32 past 2^24");
    Comparison comparison(op(), "of integers");
    std::vector<Tensor> x;
    for (std::size_t k = 0; k < arity(op()); ++k) {
      x.push_back(takes_condition(op(), k) ? support::random_bools(random_, {3, 5})
                                           : integer_operand(random_, op(), k, {3, 5}, dtype));
    }
    if (takes_uint32_only(op()) && dtype != DType::uint32) {
      EXPECT_EQ(support::error_of([&] { return call(op(), x); }),
                fmt::format("trigon::{0}: operands must be uint32: a is {1}, b is {1}; cast with "
                            "astype",
                            op().name, name(dtype)));
      continue;
    }
    const Tensor y = call(op(), x);
    if (result_of(op()) == Result::same) {
      EXPECT_EQ(y.dtype(), dtype);
    }
    comparison.add(std::string(name(dtype)), y);
  }
}

TEST_P(Sweep, OfBools) {
  if (!takes_integers(op()) || takes_uint32_only(op())) return;
  // Integers have no quotient by 0.
  if (domain(op(), arity(op()) - 1).low > 0) return;
  Comparison comparison(op(), "of bools");
  std::vector<Tensor> x;
  for (std::size_t k = 0; k < arity(op()); ++k) {
    x.push_back(support::random_bools(random_, {3, 5}));
  }
  comparison.add("bool", call(op(), x));
}

TEST_P(Sweep, SpecialValues) {
  if (takes_integers_only(op())) return;
  const std::vector<double> specials = {nan_value, inf, -inf, 0.0, -0.0, 1, -1, 0.5, -2.5, 100};
  Failures failures(std::string(op().name) + " of special values");
  const std::vector<float> values(specials.begin(), specials.end());
  const Tensor all = tensor<float>(values, {10});
  std::vector<Tensor> x = {all, all, all};
  if (arity(op()) > 1) x = {all.reshape(10, 1), all.reshape(1, 10), tensor<float>({2}, {})};
  const std::vector<double> got =
      support::read_doubles(call(op(), std::span(x).first(arity(op()))));
  for (std::size_t i = 0; i < got.size(); ++i) {
    std::array<double, 3> at = {specials[i % 10], 0, 2};
    if (arity(op()) > 1) at = {specials[i / 10], specials[i % 10], 2};
    const double want = reference(op(), at);
    if (support::within(got[i], want, support::tolerance_of(op()))) continue;
    failures.add(fmt::format("{}({}): {:.9g} in place of {:.9g}", op().name,
                             fmt::join(std::span(at).first(arity(op())), ", "), got[i], want));
  }
}

// Operands computed in the same draw, and a consumer, change no digit.
TEST_P(Sweep, FusedIsUnfused) {
  const auto run = [&](bool fused) {
    Random random(seed() + 1);
    std::vector<Tensor> x;
    for (std::size_t k = 0; k < arity(op()); ++k) {
      Tensor a = flip(operand(random, op(), k, {5, 3}).T());
      if (a.dtype() == DType::float32) a = (a * 2.0) * 0.5;
      x.push_back(a);
      if (!fused) x.back().eval();
    }
    Tensor y = call(op(), x);
    if (!fused) y.eval();
    y = y.dtype() == DType::float32 ? y * 0.25 : where(y == y, y, y);
    return support::read_doubles(y);
  };
  const bool is_exact = takes_integers_only(op()) || result_of(op()) == Result::boolean;
  const std::string wrong = support::difference(run(true), run(false), support::tolerance_of(op()),
                                                is_exact ? DType::int32 : DType::float32);
  EXPECT_EQ(wrong, "");
}

// ---- Gradients

bool has_gradient(const Op& op) {
  return op.visit([](const auto& spec) { return spec.vjp.get() != nullptr; });
}

// The gradient of the double reference towards operand k, by central differences.
double slope(const Op& op, std::vector<double> at, std::size_t k) {
  const double h = 1e-6 * std::max(std::abs(at[k]), 1e-3);
  const double x = at[k];
  at[k] = x + h;
  const double above = reference(op, at);
  at[k] = x - h;
  return (above - reference(op, at)) / (2 * h);
}

TEST_P(Sweep, GradientsAreThoseOfTheReference) {
  if (!has_gradient(op())) return;
  const Shape shape{3, 5};
  std::vector<Tensor> x;
  std::vector<std::vector<float>> values;
  for (std::size_t k = 0; k < arity(op()); ++k) {
    const Range range = takes_condition(op(), k) ? Range{0, 1} : domain(op(), k);
    values.push_back(support::random_floats(random_, 15, range));
    if (takes_condition(op(), k)) {
      for (float& v : values.back()) v = v > 0.5F ? 1.0F : 0.0F;
    }
    x.push_back(tensor<float>(values.back(), shape));
  }
  const std::vector<float> dy = support::random_floats(random_, 15, {0.5, 1.5});
  const std::size_t first = takes_condition(op(), 0) ? 1 : 0;
  const Vjp vjp = trigon::vjp(
      [&](const std::vector<Tensor>& in) {
        std::vector<Tensor> all(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(first));
        all.insert(all.end(), in.begin(), in.end());
        return call(op(), all);
      },
      std::vector<Tensor>(x.begin() + static_cast<std::ptrdiff_t>(first), x.end()));
  const std::vector<Tensor> gradients = vjp.pullback(tensor<float>(dy, shape));
  ASSERT_EQ(gradients.size(), arity(op()) - first);
  Failures failures(std::string(op().name) + " gradient");
  for (std::size_t k = first; k < arity(op()); ++k) {
    const std::vector<double> got = support::read_doubles(gradients[k - first]);
    std::vector<double> want(15);
    for (std::size_t i = 0; i < 15; ++i) {
      std::vector<double> at;
      for (const auto& v : values) at.push_back(v[i]);
      want[i] = dy[i] * slope(op(), at, k);
    }
    const std::string wrong = support::difference(got, want, 2e-4, 2e-6);
    if (!wrong.empty()) failures.add(fmt::format("towards operand {}: {}", k, wrong));
  }
}

INSTANTIATE_TEST_SUITE_P(Ops, Sweep, ::testing::ValuesIn(elementwise_ops()),
                         [](const auto& test) { return std::string(test.param->name); });

TEST(Registry, IsSortedByNameAndHasNoNameTwice) {
  const std::vector<const Op*> all = registry();
  EXPECT_GE(all.size(), 70U);
  for (std::size_t i = 1; i < all.size(); ++i) EXPECT_LT(all[i - 1]->name, all[i]->name);
  for (const Op* op : all) EXPECT_EQ(find_op(op->name), op);
  EXPECT_EQ(find_op("no such op"), nullptr);
}

}  // namespace
}  // namespace trigon

// SPDX-License-Identifier: MIT
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <trigon/create.hpp>
#include <trigon/grad.hpp>
#include <trigon/linalg.hpp>
#include <trigon/math.hpp>
#include <trigon/nn.hpp>
#include <trigon/reduce.hpp>

#include "support/graph_values.hpp"

// Signatures: any number of arguments, trees, auto lambdas and has_aux. grad_test.cpp has the
// values of gradients.

namespace trigon {
namespace {

using Doubles = std::vector<double>;

struct Layer {
  Tensor weight, bias;
  int epoch = 0;
};

Tensor numbers(std::initializer_list<double> list) {
  Tensor x = zeros({static_cast<std::int64_t>(list.size())});
  std::int64_t k = 0;
  for (const double number : list) {
    x = x + (iota(x.size()) == k).astype(float32) * number;
    ++k;
  }
  return x;
}

TEST(ValueAndGrad, OfOneTensor) {
  const auto f = [](const Tensor& x) { return sum(x * x); };
  const auto [value, dx] = value_and_grad(f)(numbers({1, 2}));
  EXPECT_EQ(values(value), Doubles{5});
  EXPECT_EQ(values(dx), (Doubles{2, 4}));
  EXPECT_EQ(values(grad(f)(numbers({1, 2}))), (Doubles{2, 4}));
  EXPECT_EQ(values(grad(f, numbers({1, 2}))), (Doubles{2, 4}));
  const auto [at_once, slope] = value_and_grad(f, numbers({1, 2}));
  EXPECT_EQ(values(at_once), Doubles{5});
  EXPECT_EQ(values(slope), (Doubles{2, 4}));
}

TEST(ValueAndGrad, OfSeveralArgumentsIsATuple) {
  const auto f = [](const Tensor& x, const Tensor& y, Tensor z) { return sum(x * x * y) + z; };
  const Tensor x = numbers({1, 2}), y = numbers({3, 5});
  const auto [value, gradients] = value_and_grad(f)(x, y, ones({1}));
  static_assert(std::is_same_v<decltype(gradients), const std::tuple<Tensor, Tensor, Tensor>>);
  EXPECT_EQ(values(value), Doubles{24});
  const auto& [dx, dy, dz] = gradients;
  EXPECT_EQ(values(dx), (Doubles{6, 20}));
  EXPECT_EQ(values(dy), (Doubles{1, 4}));
  EXPECT_EQ(values(dz), Doubles{1});
  EXPECT_EQ(dz.shape(), Shape{1});
  const auto [again, dy_again] = grad([&](auto a, auto b) { return f(a, b, ones({})); }, x, y);
  EXPECT_EQ(values(again), values(dx));
  EXPECT_EQ(values(dy_again), values(dy));
}

TEST(ValueAndGrad, OfAutoLambdas) {
  const auto f = [](auto... x) { return (sum(x * x) + ...); };
  const auto [dx, dy] = grad(f)(numbers({1, 2}), numbers({3}));
  EXPECT_EQ(values(dx), (Doubles{2, 4}));
  EXPECT_EQ(values(dy), Doubles{6});
  const auto g = [](const auto& p) { return sum(p.weight) * sum(p.bias); };
  EXPECT_EQ(values(grad(g, Layer{numbers({1, 2}), numbers({4})}).bias), Doubles{3});
}

TEST(ValueAndGrad, OfAStructKeepsItsNumbers) {
  const Layer layer{numbers({1, 2}), {}, 7};
  const Layer gradient = grad([](const Layer& p) {
    EXPECT_EQ(p.epoch, 7);
    return sum(p.weight * p.weight);
  })(layer);
  EXPECT_EQ(values(gradient.weight), (Doubles{2, 4}));
  EXPECT_FALSE(gradient.bias.has_value());
  EXPECT_EQ(gradient.epoch, 7);
}

TEST(ValueAndGrad, OfNestedTrees) {
  using Params = std::map<std::string, std::vector<std::pair<Layer, std::optional<Tensor>>>>;
  const Layer layer{numbers({1, 2}), numbers({3, 4})};
  const Params params = {{"a", {{layer, {}}, {layer, numbers({5, 6})}}}, {"b", {}}};
  const auto f = [](const Params& p, std::tuple<Tensor, Scalar> scale) {
    const auto& [first, second] = std::tie(p.at("a")[0], p.at("a")[1]);
    return sum(first.first.weight * second.first.bias * *second.second) * std::get<0>(scale) *
           std::get<1>(scale).tensor();
  };
  const auto [value, gradients] = value_and_grad(f)(params, std::tuple(Tensor(1.0), Scalar(2.0)));
  const auto& [dp, dscale] = gradients;
  EXPECT_EQ(values(value), Doubles{2 * (15 + 48)});
  EXPECT_EQ(values(dp.at("a")[0].first.weight), (Doubles{30, 48}));
  EXPECT_EQ(values(dp.at("a")[0].first.bias), (Doubles{0, 0}));
  EXPECT_EQ(values(dp.at("a")[1].first.bias), (Doubles{10, 24}));
  EXPECT_EQ(values(*dp.at("a")[1].second), (Doubles{6, 16}));
  EXPECT_FALSE(dp.at("a")[0].second.has_value());
  EXPECT_TRUE(dp.at("b").empty());
  EXPECT_EQ(values(std::get<0>(dscale)), Doubles{126});
  EXPECT_EQ(std::get<1>(dscale).value(), 2.0);
}

TEST(ValueAndGrad, HandsOtherValuesOverBesideTheLoss) {
  const auto f = [](const Tensor& x, const Tensor& y) {
    const Tensor scores = x * y;
    return std::pair(sum(scores), std::pair(scores, std::string("scores")));
  };
  const Tensor x = numbers({1, 2}), y = numbers({3, 4});
  const auto [loss, aux, gradients] = value_and_grad(f, has_aux)(x, y);
  EXPECT_EQ(values(loss), Doubles{11});
  EXPECT_EQ(values(aux.first), (Doubles{3, 8}));
  EXPECT_EQ(aux.second, "scores");
  EXPECT_EQ(values(std::get<0>(gradients)), values(y));
  EXPECT_EQ(values(std::get<1>(gradients)), values(x));
  const auto [only, same] = grad(f, has_aux)(x, y);
  EXPECT_EQ(values(std::get<1>(only)), values(x));
  EXPECT_EQ(values(same.first), (Doubles{3, 8}));
}

TEST(ValueAndGrad, GradientsHaveGradients) {
  const Tensor x = ones({}) * 0.5;
  EXPECT_NEAR(values(grad(grad([](Tensor v) { return sin(v); }))(x))[0], -std::sin(0.5), 1e-6);
  // The Hessian of x' y x' by the gradient of one of its rows.
  const auto f = [](const auto& a, const auto& b) { return sum(a * a * a * b); };
  const auto row = [&](const auto& a, const auto& b) { return std::get<0>(grad(f, a, b))[1]; };
  const auto [da, db] = grad(row, numbers({1, 2}), numbers({3, 5}));
  EXPECT_EQ(values(da), (Doubles{0, 60}));
  EXPECT_EQ(values(db), (Doubles{0, 12}));
  const auto slope = [&](Tensor v) { return value_and_grad(f)(v, v).value; };
  EXPECT_EQ(values(grad(slope, numbers({2}))), Doubles{32});
  // An outer gradient passes through values beside the loss.
  const auto inner = [](Tensor v) { return std::pair(sum(v), v * v * v); };
  const auto outer = [&](Tensor v) { return sum(grad(inner, has_aux)(v).aux); };
  EXPECT_EQ(values(grad(outer, numbers({2}))), Doubles{12});
}

TEST(ValueAndGrad, CallsTheFunctionOnce) {
  int calls = 0;
  auto f = [&calls, own = 0](const Tensor& x) mutable {
    ++own;
    calls = own;
    return sum(x);
  };
  static_cast<void>(grad(f, numbers({1})));
  EXPECT_EQ(calls, 1);
  auto held = value_and_grad(f);  // copies f
  static_cast<void>(held(numbers({1})));
  static_cast<void>(held(numbers({1})));
  EXPECT_EQ(calls, 3);
  static_cast<void>(grad(f, numbers({1})));
  EXPECT_EQ(calls, 2);
}

TEST(ValueAndGrad, TakesSelectionsAsTensors) {
  Tensor x = numbers({1, 2, 3});
  const auto f = [](Tensor a) { return sum(a * a); };
  const auto [value, dx] = value_and_grad(f)(x(Slice{1, 3}));
  static_assert(std::is_same_v<decltype(dx), const Tensor>);
  EXPECT_EQ(values(dx), (Doubles{4, 6}));
  EXPECT_EQ(values(grad([](Tensor a) { return a(1); }, x)), (Doubles{0, 1, 0}));
}

TEST(ValueAndGrad, LeavesTheArgumentAlone) {
  Tensor x = numbers({1, 2});
  const auto f = [](Tensor a) {
    a(0) = 5.0;
    return sum(a * a);
  };
  EXPECT_EQ(values(grad(f, x)), (Doubles{0, 4}));
  EXPECT_EQ(values(x), (Doubles{1, 2}));
}

TEST(Vjp, OfTrees) {
  const Layer layer{numbers({1, 2}), numbers({3, 4}), 7};
  const auto at =
      vjp([](const Layer& p, auto x) { return p.weight * x + p.bias; }, layer, numbers({5, 6}));
  EXPECT_EQ(values(at.value), (Doubles{8, 16}));
  const auto [dp, dx] = at.pullback(numbers({1, 10}));
  EXPECT_EQ(values(dp.weight), (Doubles{5, 60}));
  EXPECT_EQ(values(dp.bias), (Doubles{1, 10}));
  EXPECT_EQ(dp.epoch, 7);
  EXPECT_EQ(values(dx), (Doubles{1, 20}));
}

// ---- Errors

const auto total = [](const auto&... x) { return (sum(x) + ...); };

TEST(ValueAndGrad, RejectsLeavesThatAreNotFloat32) {
  EXPECT_EQ(error_of([] { return grad(total, ones({2}), arange(2)); }),
            "trigon::grad: argument 1 is not float32: its leaf 0 is int32; cast it with astype, or "
            "capture it");
  const Layer layer{ones({2}), arange(2) > 0};
  const auto f = [](const Layer& p) { return sum(p.weight); };
  EXPECT_EQ(error_of([&] { return value_and_grad(f)(layer); }),
            "trigon::value_and_grad: argument 0 is not float32: its leaf 1 is bool; cast it with "
            "astype, or capture it");
  EXPECT_EQ(error_of([&] { return vjp(f, layer); }).substr(0, 42),
            "trigon::vjp: argument 0 is not float32: it");
}

TEST(ValueAndGrad, RejectsResultsOfSeveralNumbers) {
  const auto twice = [](const Tensor& x) { return x * 2.0; };
  EXPECT_EQ(error_of([&] { return grad(twice, ones({2})); }),
            "trigon::grad: the result of f is not a single number: it is (2,); its size must be 1");
  EXPECT_EQ(error_of([&] {
              return value_and_grad(twice)(ones({2, 1}));
            }),
            "trigon::value_and_grad: the result of f is not a single number: it is (2, 1); its "
            "size must be 1");
}

TEST(ValueAndGrad, RejectsResultsThatAreNoFloats) {
  EXPECT_EQ(error_of([] { return value_and_grad([](Tensor x) { return argmax(x); })(ones({2})); }),
            "trigon::value_and_grad: the result of f is not a float: it is int32; must be float32 "
            "or float16");
}

}  // namespace
}  // namespace trigon

// SPDX-License-Identifier: MIT
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <trigon/custom_vjp.hpp>
#include <trigon/grad.hpp>
#include <trigon/loop.hpp>
#include <trigon/math.hpp>
#include <trigon/reduce.hpp>
#include <trigon/shape.hpp>

#include "core/internals.hpp"
#include "graph/node.hpp"
#include "pipeline/describe.hpp"
#include "support/graph_values.hpp"
#include "support/plans.hpp"

namespace trigon {
namespace {

using Two = std::pair<Tensor, Tensor>;
using Numbers = std::vector<double>;

const auto tripled = [](const Tensor& dy, const Tensor&) { return dy * 3.0; };

TEST(CustomVjp, HasTheValueOfTheFunctionAndTheGradientOfTheRule) {
  const auto f = custom_vjp([](const Tensor& x) { return x * x; }, tripled);
  const Tensor x({1.0, 2.0, -4.0});
  EXPECT_EQ(values(f(x)), (Numbers{1, 4, 16}));
  EXPECT_EQ(values(grad([&](const Tensor& v) { return sum(f(v) * 2.0); }, x)), (Numbers{6, 6, 6}));
}

TEST(CustomVjp, IsACallThatExplainNames) {
  const auto f = custom_vjp([](const Tensor& x) { return x * x; }, tripled);
  const std::vector<Tensor> roots{f(host_leaf({2}))};
  EXPECT_EQ(pipeline::describe_graph(graph_of(roots, core::llvmpipe())),
            "graph: 4 nodes\n"
            "  %0 = stored  (2,) float32\n"
            "  %1 = multiply %0 %0  (2,) float32\n"
            "  %2 = custom_vjp %1 %0\n"
            "  %3 = output %2 result 0  (2,) float32  <- root\n");
}

TEST(CustomVjp, TheRuleMayTakeTheResult) {
  const auto f =
      custom_vjp([](const Tensor& x) { return exp(x); },
                 [](const Tensor& dy, const Tensor&, const Tensor& y) { return dy * y + 1.0; });
  const Tensor x({0.0, 0.0});
  EXPECT_EQ(values(grad([&](const Tensor& v) { return sum(f(v)); }, x)), (Numbers{2, 2}));
}

TEST(CustomVjp, ARuleGetsAllGradientsAtOnce) {
  int calls = 0;
  const auto f = custom_vjp([](const Tensor& x) { return Two(sin(x), cos(x)); },
                            [&](const Two& dy, const Tensor&) {
                              ++calls;
                              return dy.first * 10.0 + dy.second;
                            });
  const auto loss = [&](const Tensor& x) {
    const Two y = f(x);
    return sum(y.first * 2.0 + y.second * 3.0);
  };
  EXPECT_EQ(values(grad(loss, Tensor({1.0, 2.0}))), (Numbers{23, 23}));
  EXPECT_EQ(calls, 1);
  // A result that the value does not depend on has the gradient 0.
  const auto one = [&](const Tensor& x) { return sum(f(x).second); };
  EXPECT_EQ(values(grad(one, Tensor({1.0, 2.0}))), (Numbers{1, 1}));
}

TEST(CustomVjp, TakesSeveralTreesAndEmptyGradients) {
  struct Layer {
    Tensor weight, bias;
  };
  const auto f =
      custom_vjp([](const Layer& layer, const Tensor& x) { return layer.weight * x + layer.bias; },
                 [](const Tensor& dy, const Layer& layer, const Tensor& x) {
                   return std::tuple(Layer{dy * x * 5.0, Tensor()}, dy * layer.weight);
                 });
  const Layer layer{Tensor({2.0, 3.0}), Tensor({0.5, 0.5})};
  const auto [of_layer, dx] = grad([&](const Layer& l, const Tensor& x) { return sum(f(l, x)); },
                                   layer, Tensor({7.0, 11.0}));
  EXPECT_EQ(values(of_layer.weight), (Numbers{35, 55}));
  EXPECT_EQ(values(of_layer.bias), (Numbers{0, 0}));
  EXPECT_EQ(values(dx), (Numbers{2, 3}));
}

TEST(CustomVjp, TheRuleCanBeDifferentiated) {
  const auto cube = custom_vjp([](const Tensor& x) { return x * x * x; },
                               [](const Tensor& dy, const Tensor& x) { return dy * x * x * 3.0; });
  const auto slope = [&](const Tensor& x) {
    return sum(grad([&](const Tensor& v) { return sum(cube(v)); }, x));
  };
  EXPECT_EQ(values(grad(slope, Tensor({2.0, 5.0}))), (Numbers{12, 30}));
}

TEST(CustomVjp, TheRuleMayReadTheResultAndBeDifferentiated) {
  const auto f =
      custom_vjp([](const Tensor& x) { return exp(x); },
                 [](const Tensor& dy, const Tensor&, const Tensor& y) { return dy * y * 2.0; });
  const auto slope = [&](const Tensor& x) {
    return sum(grad([&](const Tensor& v) { return sum(f(v)); }, x));
  };
  EXPECT_EQ(values(grad(slope, Tensor({0.0}))), (Numbers{4}));
}

TEST(CustomVjp, GivesALoopAGradient) {
  const auto power = custom_vjp(
      [](const Tensor& x) {
        return fori_loop(
            0, 3, [](const Tensor&, const Tensor& s) { return s * 2.0; }, x);
      },
      [](const Tensor& dy, const Tensor&) { return dy * 8.0; });
  const Tensor x({1.0, 2.0});
  EXPECT_EQ(values(power(x)), (Numbers{8, 16}));
  EXPECT_EQ(values(grad([&](const Tensor& v) { return sum(power(v)); }, x)), (Numbers{8, 8}));
}

TEST(CustomVjp, RefusesAGradientOfAWrongShape) {
  const auto f = custom_vjp([](const Tensor& x) { return x * 2.0; },
                            [](const Tensor& dy, const Tensor&) { return sum(dy); });
  const Tensor x({1.0, 2.0});
  EXPECT_EQ(error_of([&] { return grad([&](const Tensor& v) { return sum(f(v)); }, x); }),
            "trigon::custom_vjp: wrong shape of gradient 0: (); must be that of its leaf of the "
            "arguments, (2,)");
}

TEST(CustomVjp, RefusesGradientsOfAnotherStructure) {
  using List = std::vector<Tensor>;
  const auto f = custom_vjp([](const List& x) { return x[0] * x[1]; },
                            [](const Tensor& dy, const List&) { return List{dy}; });
  const List x{Tensor({1.0, 2.0}), Tensor({3.0, 4.0})};
  EXPECT_EQ(
      error_of([&] { return grad([&](const List& v) { return sum(f(v)); }, x); }),
      "trigon::custom_vjp: structures differ: a vector has 2 elements in the first tree, 1 in "
      "another; must be equal");
}

TEST(CustomVjp, OfIntegersHasNone) {
  const auto f =
      custom_vjp([](const Tensor& x, const Tensor& rows) { return x * rows.astype(float32); },
                 [](const Tensor& dy, const Tensor&, const Tensor& rows) {
                   return std::tuple(dy * 2.0, rows);
                 });
  const Tensor rows = iota(2);
  EXPECT_EQ(values(grad([&](const Tensor& v) { return sum(f(v, rows)); }, Tensor({3.0, 4.0}))),
            (Numbers{2, 2}));
}

TEST(CustomVjp, IsACallWithOneNodeForEachResult) {
  const auto f = custom_vjp([](const Tensor& x) { return Two(x + 1.0, x * 2.0); },
                            [](const Two& dy, const Tensor&) { return dy.first; });
  const Two y = f(Tensor({1.0, 2.0}));
  ASSERT_EQ(detail::Internals::node(y.first)->kind, graph::Kind::output);
  EXPECT_EQ(detail::Internals::node(y.first)->inputs[0],
            detail::Internals::node(y.second)->inputs[0]);
  EXPECT_EQ(detail::Internals::node(y.first)->inputs[0]->kind, graph::Kind::call);
  EXPECT_EQ(detail::Internals::node(y.first)->inputs[0]->rules->name, "custom_vjp");
}

}  // namespace
}  // namespace trigon

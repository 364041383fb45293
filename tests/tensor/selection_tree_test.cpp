// SPDX-License-Identifier: MIT
#include <array>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/internals.hpp"
#include "support/graph_values.hpp"
#include "trigon/trigon.hpp"

// A Selection, such as x(0) of a variable, counts as a Tensor in every tree that is passed or
// returned.

namespace trigon {
namespace {

using Values = std::vector<double>;

template <class Expected, class T>
void expect_type(const T&) {
  static_assert(std::is_same_v<T, Expected>);
}

Tensor grid() { return arange(6).reshape(2, 3) * 1.0; }

TEST(SelectionTree, LeavesAreTheSelectedTensors) {
  Tensor x = grid();
  const std::vector v{x(0), x(1)};
  const std::vector<Tensor> leaves = tree_leaves(v);
  ASSERT_EQ(leaves.size(), 2u);
  EXPECT_EQ(detail::Internals::node(leaves[0]), detail::Internals::node(v[0]));
  EXPECT_EQ(detail::Internals::node(leaves[1]), detail::Internals::node(v[1]));
}

TEST(SelectionTree, OneThatIsMovedInGivesItsHandlesAway) {
  Tensor x = grid();
  std::vector v{x(0), x(1)};
  const std::vector<Tensor> leaves = tree_leaves(std::move(v));
  EXPECT_FALSE(v[0].has_value());
  EXPECT_EQ(values(leaves[1]), (Values{3, 4, 5}));
}

TEST(SelectionTree, ContainersOfSelectionsBecomeContainersOfTensors) {
  Tensor x = grid();
  const auto twice = [](const Tensor& leaf) { return leaf * 2; };
  const auto list = tree_map(twice, std::vector{x(0), x(1)});
  expect_type<std::vector<Tensor>>(list);
  EXPECT_EQ(values(list[1]), (Values{6, 8, 10}));
  const auto named = tree_map(twice, std::map<std::string, Selection>{{"a", x(0)}, {"b", x(1)}});
  expect_type<std::map<std::string, Tensor>>(named);
  EXPECT_EQ(values(named.at("b")), (Values{6, 8, 10}));
  const auto mixed = tree_map(twice, std::tuple(std::optional(x(1)), std::array{x(0), x(1)},
                                                std::pair(x, x(0)), std::optional<Selection>(), 3));
  expect_type<std::tuple<std::optional<Tensor>, std::array<Tensor, 2>, std::pair<Tensor, Tensor>,
                         std::optional<Tensor>, int>>(mixed);
  EXPECT_EQ(values(std::get<0>(mixed).value()), (Values{6, 8, 10}));
  EXPECT_EQ(values(std::get<1>(mixed)[1]), (Values{6, 8, 10}));
  EXPECT_EQ(values(std::get<2>(mixed).second), (Values{0, 2, 4}));
  EXPECT_FALSE(std::get<3>(mixed).has_value());
  EXPECT_EQ(std::get<4>(mixed), 3);
}

TEST(SelectionTree, MapsSelectionsBesideTensors) {
  Tensor x = grid();
  const auto sums = tree_map([](const Tensor& a, const Tensor& b) { return a + b; },
                             std::vector{x(0), x(1)}, std::vector<Tensor>{x, x});
  EXPECT_EQ(values(sums[1]), (Values{3, 5, 7, 6, 8, 10}));
}

TEST(SelectionTree, UnflattensToTensors) {
  Tensor x = grid();
  const auto same = tree_unflatten(std::pair(x(0), 2), {x});
  expect_type<std::pair<Tensor, int>>(same);
  EXPECT_EQ(detail::Internals::node(same.first), detail::Internals::node(x));
}

TEST(SelectionTree, IsTheStateOfAForiLoop) {
  Tensor x = grid();
  const auto last = fori_loop(
      0, 3,
      [](Tensor, std::vector<Tensor> v) {
        return std::vector{v[1] + 1, v[0]};
      },
      std::vector{x(0), x(1)});
  expect_type<std::vector<Tensor>>(last);
  EXPECT_EQ(values(last[0]), (Values{5, 6, 7}));
  EXPECT_EQ(values(last[1]), (Values{1, 2, 3}));
}

TEST(SelectionTree, IsReturnedByTheBodyOfALoop) {
  const auto first = [](Tensor v) { return v.reshape(1, 3)(0); };
  static_assert(std::is_same_v<decltype(first(Tensor())), Tensor>);
  const Tensor last = fori_loop(
      0, 2,
      [](Tensor, Tensor v) {
        Tensor grown = (v + 1).reshape(1, 3);
        return grown(0);  // a Selection
      },
      arange(3));
  EXPECT_EQ(values(last), (Values{2, 3, 4}));
}

TEST(SelectionTree, GoesThroughAScan) {
  Tensor x = grid();
  const auto [last, rows] =
      scan([](Tensor s, Tensor v) { return std::pair(s + v, v(0)); }, x(0), x);
  static_assert(std::is_same_v<decltype(last), const Tensor>);
  static_assert(std::is_same_v<decltype(rows), const Tensor>);
  EXPECT_EQ(values(last), (Values{3, 6, 9}));
  EXPECT_EQ(values(rows), (Values{0, 3}));
}

TEST(SelectionTree, IsTheInputOfAScan) {
  Tensor x = grid();
  const auto [last, sums] =
      scan([](Tensor s, const std::vector<Tensor>& v) { return std::pair(s + v[0] * v[1], s); },
           Tensor(0.0), std::vector{x(0), x(1)});
  EXPECT_EQ(values(last), Values{14});
  EXPECT_EQ(values(sums), (Values{0, 0, 4}));
}

TEST(SelectionTree, GoesThroughAWhileLoop) {
  Tensor x = grid();
  const auto last = while_loop([](const std::pair<Tensor, Tensor>& s) { return s.second < 3; },
                               [](const std::pair<Tensor, Tensor>& s) {
                                 Tensor next = stack(s.first + 1, s.first);
                                 return std::pair(next(0), s.second + 1);
                               },
                               std::pair(x(1), zeros({}, int32)));
  expect_type<std::pair<Tensor, Tensor>>(last);
  EXPECT_EQ(values(last.first), (Values{6, 7, 8}));
}

TEST(SelectionTree, GoesThroughACond) {
  Tensor x = grid();
  for (const bool predicate : {true, false}) {
    const auto chosen = cond(
        predicate, [](Tensor v) { return std::pair(v(0), v); },
        [](Tensor v) { return std::pair(v(1) * 2, v); }, x(1));
    expect_type<std::pair<Tensor, Tensor>>(chosen);
    EXPECT_EQ(values(chosen.first), Values{predicate ? 3.0 : 8.0});
    EXPECT_EQ(values(chosen.second), (Values{3, 4, 5}));
  }
}

TEST(SelectionTree, GeneralLambdasGetTensors) {
  Tensor x = grid();
  const auto check = [](auto v) {
    static_assert(std::is_same_v<decltype(v), Tensor>);
    return v;
  };
  EXPECT_EQ(values(cond(true, check, check, x(0))), (Values{0, 1, 2}));
  EXPECT_EQ(values(grad([&](auto v) { return sum(check(v)); }, x(0))), Values(3, 1.0));
  const auto body = [&](const Tensor&, auto v) { return check(v); };
  EXPECT_EQ(values(fori_loop(0, 1, body, x(1))), (Values{3, 4, 5}));
}

TEST(SelectionTree, IsDifferentiated) {
  Tensor x = grid();
  const auto [gradients, own] = grad(
      [](const std::vector<Tensor>& v) {
        Tensor product = v[0] * v[1];
        return std::pair(sum(product), product(2));
      },
      has_aux)(std::vector{x(0), x(1)});
  static_assert(std::is_same_v<decltype(gradients), const std::vector<Tensor>>);
  static_assert(std::is_same_v<decltype(own), const Tensor>);
  EXPECT_EQ(values(gradients[0]), (Values{3, 4, 5}));
  EXPECT_EQ(values(own), Values{10});
  const auto [y, pullback] = vjp(
      [](const std::pair<Tensor, Tensor>& v) { return v.first * v.second; }, std::pair(x(0), x(1)));
  EXPECT_EQ(values(pullback(ones({3})).second), (Values{0, 1, 2}));
}

}  // namespace
}  // namespace trigon

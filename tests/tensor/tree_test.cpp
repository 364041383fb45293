// SPDX-License-Identifier: MIT
#include "trigon/tree.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/internals.hpp"
#include "graph/node.hpp"
#include "support/errors.hpp"
#include "trigon/create.hpp"

namespace trigon {
namespace {

using detail::members::count;
using detail::members::problem;
using detail::members::Problem;
using support::error_of;

Tensor numbered(std::int64_t size) { return zeros({size}); }

std::vector<std::int64_t> sizes(const std::vector<Tensor>& leaves) {
  std::vector<std::int64_t> result;
  for (const Tensor& leaf : leaves) result.push_back(leaf.size());
  return result;
}

using Sizes = std::vector<std::int64_t>;
// As many elements as x and one more.
Tensor longer(const Tensor& x) { return numbered(x.size() + 1); }

enum class Mode { train, run };

struct Linear {
  Tensor weight, bias;
};
struct Options {
  int steps = 3;
  bool is_causal = true;
  std::optional<double> scale{};
  Mode mode = Mode::run;
  std::string name = "adam";
  Shape shape{2, 3};
};
struct Model {
  std::vector<Linear> layers;
  std::array<Tensor, 2> norms;
  std::map<std::string, Tensor> named;
  std::tuple<Tensor> one;
  std::pair<Tensor, float> pair;
  std::optional<Linear> head;
  std::optional<Tensor> extra;
  Options options;
  Scalar rate;
  std::vector<bool> flags;
};

Model model() {
  return {.layers = {{numbered(1), numbered(2)}, {numbered(3), {}}},
          .norms = {numbered(4), numbered(5)},
          .named = {{"b", numbered(7)}, {"a", numbered(6)}},
          .one = {numbered(8)},
          .pair = {numbered(9), 0.5F},
          .head = Linear{numbered(10), numbered(11)},
          .extra = {},
          .options = {.steps = 5, .is_causal = false, .scale = 2.0},
          .rate = 0.25,
          .flags = {true, false}};
}

// ---- Members

struct M1 {
  Tensor a;
};
struct M2 {
  Tensor a;
  bool b;
};
struct M3 {
  int a;
  Tensor b;
  std::array<Tensor, 2> c;
};
struct M4 {
  Tensor a;
  M2 b;
  Tensor c;
  std::vector<M1> d;
};
struct M5 {
  Scalar a;
  Tensor b;
  Scalar c;
  std::optional<M1> d;
  std::optional<int> e;
};
struct M6 {
  std::tuple<int> a;
  std::tuple<M1> b;
  Tensor c, d, e, f;
};
struct M7 {
  Tensor a, b, c, d, e, f, g;
};
struct M8 {
  bool a, b, c, d, e, f, g, h;
};
struct M9 {
  Tensor a, b, c, d, e, f, g, h, i;
};
struct M10 {
  Tensor a, b, c, d, e, f, g, h, i, j;
};
struct M11 {
  Tensor a, b, c, d, e, f, g, h, i, j, k;
};
struct M12 {
  Tensor a, b, c, d, e, f, g, h, i, j, k, l;
};
struct M13 {
  Tensor a, b, c, d, e, f, g, h, i, j, k, l, m;
};
struct M14 {
  Tensor a, b, c, d, e, f, g, h, i, j, k, l, m, n;
};
struct M15 {
  Tensor a, b, c, d, e, f, g, h, i, j, k, l, m, n, o;
};
struct M16 {
  Tensor a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p;
};

template <class T>
constexpr bool counts(std::size_t n) {
  return count<T> == n && problem<T>() == Problem::none;
}
static_assert(counts<M1>(1) && counts<M2>(2) && counts<M3>(3) && counts<M4>(4));
static_assert(counts<M5>(5) && counts<M6>(6) && counts<M7>(7) && counts<M8>(8));
static_assert(counts<M9>(9) && counts<M10>(10) && counts<M11>(11) && counts<M12>(12));
static_assert(counts<M13>(13) && counts<M14>(14) && counts<M15>(15) && counts<M16>(16));
static_assert(counts<Model>(10) && counts<Options>(6));

struct Array {
  Tensor a[3];
};
struct ArrayBetween {
  int a;
  float b[2];
  Tensor c;
};
struct ArrayBeforeScalar {
  Tensor a;
  Tensor b[2];
  Scalar c;
};
struct LongArray {
  Tensor a;
  int b[40];
};
struct Empty {};
struct EmptyBase : Empty {
  Tensor a;
};
struct Base : M1 {
  Tensor b;
  Scalar c;
};
struct TooMany {
  Tensor a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q;
};
class Closed {
  Tensor a;
};

static_assert(problem<Array>() == Problem::array);
static_assert(problem<ArrayBetween>() == Problem::array);
static_assert(problem<ArrayBeforeScalar>() == Problem::array);
static_assert(problem<LongArray>() == Problem::array);
static_assert(problem<Empty>() == Problem::empty);
static_assert(problem<EmptyBase>() == Problem::base_class);
static_assert(problem<Base>() == Problem::base_class);
static_assert(problem<TooMany>() == Problem::too_many);
static_assert(problem<Closed>() == Problem::no_aggregate);
static_assert(problem<Tensor*>() == Problem::no_aggregate);

TEST(Tree, StructsOfOneToSixteenMembers) {
  EXPECT_EQ(tree_leaves(M1{numbered(1)}).size(), 1U);
  EXPECT_EQ(sizes(tree_leaves(M2{numbered(2), true})), (Sizes{2}));
  EXPECT_EQ(sizes(tree_leaves(M3{1, numbered(3), {numbered(4), numbered(5)}})), (Sizes{3, 4, 5}));
  EXPECT_EQ(sizes(tree_leaves(M4{numbered(1), {numbered(2), true}, {}, {M1{numbered(3)}}})),
            (Sizes{1, 2, 3}));
  EXPECT_EQ(sizes(tree_leaves(M5{1, numbered(6), 2.5, M1{numbered(7)}, 3})), (Sizes{6, 7}));
  EXPECT_EQ(tree_leaves(M8{}).size(), 0U);
  M16 many;
  many.c = many.p = numbered(1);
  EXPECT_EQ(tree_leaves(many).size(), 2U);
  many = tree_map(
      longer,
      M16{numbered(0), {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, numbered(15)});
  EXPECT_EQ(many.a.size(), 1);
  EXPECT_EQ(many.p.size(), 16);
}

// ---- Leaves

TEST(Tree, LeavesAreInOrderOfMembersElementsAndKeys) {
  EXPECT_EQ(sizes(tree_leaves(model())), (Sizes{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
}

TEST(Tree, ATensorIsATreeAndAnEmptyHandleIsNoLeaf) {
  EXPECT_EQ(sizes(tree_leaves(numbered(4))), (Sizes{4}));
  EXPECT_TRUE(tree_leaves(Tensor()).empty());
  EXPECT_FALSE(tree_map(longer, Tensor()).has_value());
  EXPECT_EQ(tree_map(longer, numbered(4)).size(), 5);
}

TEST(Tree, LeavesOfAMovedTreeHaveNoOtherHandle) {
  std::vector<Tensor> tree{numbered(1), numbered(2)};
  const std::vector<Tensor> copies = tree_leaves(tree);
  EXPECT_EQ(detail::Internals::node(copies[0])->handles.load(), 2);
  std::vector<Tensor> other{numbered(1)};
  const std::vector<Tensor> moved = tree_leaves(std::move(other));
  EXPECT_EQ(detail::Internals::node(moved[0])->handles.load(), 1);
}

TEST(Tree, LeavesOfAConstTreeAreCopies) {
  const Linear tree{numbered(1), numbered(2)};
  EXPECT_EQ(sizes(tree_leaves(tree)), (Sizes{1, 2}));
  EXPECT_EQ(sizes(tree_leaves(std::move(tree))), (Sizes{1, 2}));
  EXPECT_TRUE(tree.weight.has_value());
}

// ---- Unflatten

TEST(Tree, UnflattenGivesBackWhatLeavesTook) {
  const Model like = model();
  const Model same = tree_unflatten(like, tree_leaves(like));
  EXPECT_EQ(sizes(tree_leaves(same)), sizes(tree_leaves(like)));
  EXPECT_EQ(detail::Internals::node(same.layers[0].weight),
            detail::Internals::node(like.layers[0].weight));
  EXPECT_EQ(detail::Internals::node(same.named.at("b")),
            detail::Internals::node(like.named.at("b")));
  EXPECT_FALSE(same.layers[1].bias.has_value());
}

TEST(Tree, UnflattenOfAnotherNumberOfLeavesThrows) {
  const Linear like{numbered(1), numbered(2)};
  EXPECT_EQ(error_of([&] { return tree_unflatten(like, {numbered(1)}); }),
            "trigon::tree_unflatten: number of leaves differs: like has 2, leaves has 1; must be "
            "equal");
  EXPECT_EQ(error_of([&] {
              return tree_unflatten(like, {numbered(1), numbered(1), numbered(1)});
            }),
            "trigon::tree_unflatten: number of leaves differs: like has 2, leaves has 3; must be "
            "equal");
}

// ---- Map

TEST(Tree, MapKeepsNumbers) {
  const Model next = tree_map(longer, model());
  EXPECT_EQ(sizes(tree_leaves(next)), (Sizes{2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
  EXPECT_EQ(next.pair.second, 0.5F);
  EXPECT_EQ(next.options.steps, 5);
  EXPECT_FALSE(next.options.is_causal);
  EXPECT_EQ(next.options.scale, 2.0);
  EXPECT_EQ(next.options.mode, Mode::run);
  EXPECT_EQ(next.options.name, "adam");
  EXPECT_EQ(next.options.shape, (Shape{2, 3}));
  EXPECT_EQ(next.rate.value(), 0.25);
  EXPECT_EQ(next.flags, (std::vector<bool>{true, false}));
  EXPECT_FALSE(next.extra.has_value());
}

TEST(Tree, MapLeavesTheFirstTreeAlone) {
  const Linear tree{numbered(1), numbered(2)};
  static_cast<void>(tree_map(longer, tree));
  EXPECT_EQ(sizes(tree_leaves(tree)), (Sizes{1, 2}));
}

TEST(Tree, MapTakesTheLeavesOfOtherTreesInTheirPlace) {
  const auto sum = [](const Tensor& a, const Tensor& b, const Tensor& c) {
    return numbered(a.size() + 10 * b.size() + 100 * c.size());
  };
  const Linear a{numbered(1), numbered(2)}, b{numbered(3), numbered(4)},
      c{numbered(5), numbered(6)};
  EXPECT_EQ(sizes(tree_leaves(tree_map(sum, a, b, c))), (Sizes{531, 642}));
  const Model m = model();
  EXPECT_EQ(sizes(tree_leaves(tree_map(sum, m, m, m))),
            (Sizes{111, 222, 333, 444, 555, 666, 777, 888, 999, 1110, 1221}));
}

TEST(Tree, MapHandsOverTheOnlyHandleOfAMovedTree) {
  int handles = 0;
  const auto f = [&](Tensor x) {
    handles = detail::Internals::node(x)->handles.load();
    return x;
  };
  Linear tree{numbered(1), {}};
  static_cast<void>(tree_map(f, tree));
  EXPECT_EQ(handles, 2);
  static_cast<void>(tree_map(f, std::move(tree)));
  EXPECT_EQ(handles, 1);
}

TEST(Tree, MapOfDifferentStructuresThrows) {
  const auto first = [](const Tensor& a, const Tensor&) { return a; };
  const std::vector<Tensor> one{numbered(1)}, two{numbered(1), numbered(2)};
  EXPECT_EQ(error_of([&] { return tree_map(first, one, two); }),
            "trigon::tree_map: structures differ: a vector has 1 elements in the first tree, 2 in "
            "another; must be equal");
  const std::map<int, Tensor> a{{1, numbered(1)}}, b{{2, numbered(1)}}, none;
  EXPECT_EQ(error_of([&] { return tree_map(first, a, b); }),
            "trigon::tree_map: structures differ: a map has a key that is not in another tree; the "
            "keys must be equal");
  EXPECT_EQ(error_of([&] { return tree_map(first, none, b); }),
            "trigon::tree_map: structures differ: a map has 0 elements in the first tree, 1 in "
            "another; must be equal");
  const std::optional<Tensor> some = numbered(1), nothing;
  EXPECT_EQ(error_of([&] { return tree_map(first, some, nothing); }),
            "trigon::tree_map: structures differ: an optional's value is there in some of the "
            "trees only; must be in all or in none");
  EXPECT_EQ(error_of([&] { return tree_map(first, Tensor(), numbered(1)); }),
            "trigon::tree_map: structures differ: a tensor is there in some of the trees only; "
            "must be in all or in none");
}

}  // namespace
}  // namespace trigon

// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include <trigon/trigon.hpp>

#include "support/graph_values.hpp"
#include "support/plans.hpp"

// Repeating, shifting, joining and cutting: NumPy's answers, by the reference on the CPU.

namespace trigon {
namespace {

using Doubles = std::vector<double>;

Tensor grid(std::int64_t rows, std::int64_t columns) {
  return arange(rows * columns).reshape(rows, columns);
}
void expect(const Tensor& x, const Shape& shape, const Doubles& want) {
  EXPECT_EQ(x.shape(), shape);
  EXPECT_EQ(values(x), want);
}

TEST(Arrange, FillsLikeAnother) {
  const Tensor x = grid(1, 3);
  expect(full_like(x, 7), {1, 3}, {7, 7, 7});
  EXPECT_EQ(full_like(x, 7).dtype(), int32);
  EXPECT_EQ(full_like(x, 0.5, float32).dtype(), float32);
  expect(empty({2}), {2}, {0, 0});
  EXPECT_EQ(empty_like(x).dtype(), int32);
  EXPECT_EQ(error_of([&] { return full_like(x, 3e9); }),
            "trigon::full_like: number out of range: 3000000000 as int32; must be in [-2147483648, "
            "2147483647]");
}

TEST(Arrange, SpacesByPowers) {
  const Doubles got = values(logspace(0, 3, 4));
  const Doubles want = {1, 10, 100, 1000};
  for (std::size_t k = 0; k < want.size(); ++k) EXPECT_NEAR(got[k], want[k], 1e-3 * want[k]);
  expect(logspace(0, 4, 4, {.endpoint = false, .base = 2.0}), {4}, {1, 2, 4, 8});
}

TEST(Arrange, NamesTheIndexAlongEachAxis) {
  expect(indices({2, 3}), {2, 2, 3}, {0, 0, 0, 1, 1, 1, 0, 1, 2, 0, 1, 2});
  expect(indices({}), {0}, {});
  EXPECT_EQ(indices({2}).dtype(), int32);
}

TEST(Arrange, Rolls) {
  expect(roll(arange(5), 2), {5}, {3, 4, 0, 1, 2});
  expect(roll(arange(5), -1), {5}, {1, 2, 3, 4, 0});
  expect(roll(arange(5), 12, 0), {5}, {3, 4, 0, 1, 2});
  expect(roll(arange(5), 5), {5}, {0, 1, 2, 3, 4});
  expect(roll(grid(2, 3), 1), {2, 3}, {5, 0, 1, 2, 3, 4});
  expect(roll(grid(2, 3), 1, 1), {2, 3}, {2, 0, 1, 5, 3, 4});
  expect(roll(grid(2, 3), 1, -2), {2, 3}, {3, 4, 5, 0, 1, 2});
  expect(roll(grid(2, 3), {1, 1}, {0, 1}), {2, 3}, {5, 3, 4, 2, 0, 1});
  expect(roll(grid(2, 3), {1, 1}, {1, 1}), {2, 3}, {1, 2, 0, 4, 5, 3});
  expect(roll(zeros({0, 3}), 2, 0), {0, 3}, {});
  const Tensor deep = arange(6).reshape(1, 1, 2, 1, 3, 1, 1, 1);
  expect(roll(deep, 1, 4), deep.shape(), {2, 0, 1, 5, 3, 4});
  expect(roll(deep, 1, 2), deep.shape(), {3, 4, 5, 0, 1, 2});
}

TEST(Arrange, Tiles) {
  expect(tile(arange(2), 3), {6}, {0, 1, 0, 1, 0, 1});
  expect(tile(arange(2), {2, 2}), {2, 4}, {0, 1, 0, 1, 0, 1, 0, 1});
  expect(tile(grid(2, 2), {2, 1}), {4, 2}, {0, 1, 2, 3, 0, 1, 2, 3});
  expect(tile(grid(2, 2), 2), {2, 4}, {0, 1, 0, 1, 2, 3, 2, 3});
  expect(tile(arange(2), 0), {0}, {});
  expect(tile(Tensor(4), {2}), {2}, {4, 4});
  const Tensor deep = arange(4).reshape(1, 1, 2, 1, 2, 1, 1, 1);
  expect(tile(deep, {2, 1, 1, 1}), {1, 1, 2, 1, 4, 1, 1, 1}, {0, 1, 0, 1, 2, 3, 2, 3});
}

TEST(Arrange, Repeats) {
  expect(repeat(arange(3), 2), {6}, {0, 0, 1, 1, 2, 2});
  expect(repeat(grid(2, 2), 2), {8}, {0, 0, 1, 1, 2, 2, 3, 3});
  expect(repeat(grid(2, 2), 2, 0), {4, 2}, {0, 1, 0, 1, 2, 3, 2, 3});
  expect(repeat(grid(2, 2), 2, -1), {2, 4}, {0, 0, 1, 1, 2, 2, 3, 3});
  expect(repeat(arange(3), 0), {0}, {});
}

TEST(Arrange, TurnsByQuarters) {
  const Tensor x = grid(2, 3);  // 0 1 2, 3 4 5
  expect(rot90(x), {3, 2}, {2, 5, 1, 4, 0, 3});
  expect(rot90(x, 2), {2, 3}, {5, 4, 3, 2, 1, 0});
  expect(rot90(x, 3), {3, 2}, {3, 0, 4, 1, 5, 2});
  expect(rot90(x, -1), {3, 2}, {3, 0, 4, 1, 5, 2});
  expect(rot90(x, 1, {1, 0}), {3, 2}, {3, 0, 4, 1, 5, 2});
  expect(rot90(x, 4), {2, 3}, {0, 1, 2, 3, 4, 5});
}

TEST(Arrange, MovesSeveralAxes) {
  const Tensor x = zeros({2, 3, 4, 5});
  EXPECT_EQ(moveaxis(x, {0, 1}, {-1, -2}).shape(), (Shape{4, 5, 3, 2}));
  EXPECT_EQ(moveaxis(x, {2}, {0}).shape(), (Shape{4, 2, 3, 5}));
  EXPECT_EQ(moveaxis(x, {3, 1}, {0, 3}).shape(), (Shape{5, 2, 4, 3}));
}

TEST(Arrange, PadsByMode) {
  const auto padded = [](std::int64_t n, std::int64_t before, std::int64_t after,
                         const char* mode) {
    return values(pad(arange(n), std::vector<PadWidth>{{before, after}}, mode));
  };
  EXPECT_EQ(padded(3, 2, 1, "constant"), (Doubles{0, 0, 0, 1, 2, 0}));
  EXPECT_EQ(padded(3, 2, 2, "edge"), (Doubles{0, 0, 0, 1, 2, 2, 2}));
  EXPECT_EQ(padded(3, 2, 2, "reflect"), (Doubles{2, 1, 0, 1, 2, 1, 0}));
  EXPECT_EQ(padded(3, 5, 5, "reflect"), (Doubles{1, 0, 1, 2, 1, 0, 1, 2, 1, 0, 1, 2, 1}));
  EXPECT_EQ(padded(3, 4, 4, "symmetric"), (Doubles{2, 2, 1, 0, 0, 1, 2, 2, 1, 0, 0}));
  EXPECT_EQ(padded(3, 4, 4, "wrap"), (Doubles{2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0}));
  EXPECT_EQ(padded(1, 2, 2, "reflect"), (Doubles{0, 0, 0, 0, 0}));
  EXPECT_EQ(padded(0, 1, 0, "constant"), (Doubles{0}));
  expect(pad(grid(2, 2), {{1, 0}, {0, 1}}, "reflect"), {3, 3}, {2, 3, 2, 0, 1, 0, 2, 3, 2});
}

TEST(Arrange, MakesGrids) {
  const std::vector<Tensor> xy = meshgrid({arange(3), arange(2)});
  expect(xy[0], {2, 3}, {0, 1, 2, 0, 1, 2});
  expect(xy[1], {2, 3}, {0, 0, 0, 1, 1, 1});
  const std::vector<Tensor> ij = meshgrid({arange(3), arange(2)}, "ij");
  expect(ij[0], {3, 2}, {0, 0, 1, 1, 2, 2});
  EXPECT_EQ(meshgrid({arange(3), arange(2), arange(4)})[2].shape(), (Shape{2, 3, 4}));
  expect(meshgrid({arange(3)})[0], {3}, {0, 1, 2});
  EXPECT_EQ(broadcast_arrays({arange(3), zeros({2, 1})})[1].shape(), (Shape{2, 3}));
}

TEST(Arrange, JoinsAndCuts) {
  expect(vstack({arange(2), grid(2, 2)}), {3, 2}, {0, 1, 0, 1, 2, 3});
  expect(hstack({arange(2), Tensor(7)}), {3}, {0, 1, 7});
  expect(hstack({grid(2, 1), grid(2, 2)}), {2, 3}, {0, 0, 1, 1, 2, 3});
  const std::vector<Tensor> pieces = array_split(arange(8), 3);
  ASSERT_EQ(pieces.size(), 3U);
  expect(pieces[0], {3}, {0, 1, 2});
  expect(pieces[2], {2}, {6, 7});
  const std::vector<Tensor> cut = array_split(grid(2, 3), {1, 5}, 1);
  ASSERT_EQ(cut.size(), 3U);
  expect(cut[1], {2, 2}, {1, 2, 4, 5});
  EXPECT_EQ(cut[2].shape(), (Shape{2, 0}));
}

TEST(Arrange, SumsDiagonalsAndMultipliesBlocks) {
  expect(trace(grid(3, 3)), {}, {12});
  expect(trace(grid(3, 3), 1), {}, {6});
  expect(trace(arange(8).reshape(2, 2, 2), 0, {1, 2}), {2}, {3, 11});
  expect(kron(arange(2) + 1, arange(2)), {4}, {0, 1, 0, 2});
  expect(kron(grid(1, 2), grid(2, 1) + 1), {2, 2}, {0, 1, 0, 2});
  expect(kron(arange(2), grid(2, 1)), {2, 2}, {0, 0, 0, 1});
}

// ---- Structure

TEST(Arrange, CostsNoDrawOfItsOwn) {
  const Tensor x = host_leaf({6, 10});
  const std::vector<PadWidth> widths{{2, 3}, {1, 4}};
  std::vector<Tensor> all = {
      roll(x, 3, 1), roll(x, {1, -2}, {0, 1}), tile(x, {2, 3}),     repeat(x, 3, 0),
      rot90(x),      kron(x, ones({2, 3})),    vstack({x, x * 2.0})};
  for (const char* mode : {"constant", "edge", "reflect", "symmetric", "wrap"}) {
    all.push_back(pad(x, widths, mode));
  }
  all.push_back(meshgrid({host_leaf({6}), host_leaf({10})})[0]);
  for (std::size_t k = 0; k < all.size(); ++k) {
    EXPECT_EQ(plan_of(sqrt(all[k]) + 1.0).steps.size(), 1U) << k;
  }
}

// ---- Errors

TEST(Arrange, NamesWhatIsWrong) {
  const Tensor x = grid(2, 3);
  EXPECT_EQ(error_of([&] { return roll(x, 1, 2); }),
            "trigon::roll: axis out of range: axis is 2, rank is 2; must be in [-2, 2)");
  EXPECT_EQ(error_of([&] {
              return roll(x, {1, 2}, {0});
            }),
            "trigon::roll: numbers differ: 2 shifts, 1 axes; each shift needs an axis");
  EXPECT_EQ(error_of([&] {
              return tile(x, {2, -1});
            }),
            "trigon::tile: negative count: -1; must be 0 or more");
  EXPECT_EQ(error_of([&] {
              return tile(x, {1, 1, 1, 1, 1, 1, 1, 1, 1});
            }),
            "trigon::tile: too many axes: 9 counts; at most 8");
  EXPECT_EQ(error_of([&] { return repeat(x, -2); }),
            "trigon::repeat: negative count: -2; must be 0 or more");
  EXPECT_EQ(error_of([&] {
              return rot90(x, 1, {0, -2});
            }),
            "trigon::rot90: axes are the same: 0 and -2; must differ");
  EXPECT_EQ(error_of([&] {
              return moveaxis(x, {0, 0}, {0, 1});
            }),
            "trigon::moveaxis: an axis occurs twice: 0 to 1; each may move once");
  EXPECT_EQ(error_of([&] {
              return moveaxis(x, {0}, {0, 1});
            }),
            "trigon::moveaxis: numbers differ: 1 sources, 2 destinations; each source needs one");
  EXPECT_EQ(error_of([&] { return meshgrid({x}); }),
            "trigon::meshgrid: x 0 is not a vector: it is (2, 3); must have one axis");
  EXPECT_EQ(error_of([&] { return meshgrid({}, "ji"); }),
            "trigon::meshgrid: unknown indexing: \"ji\"; must be xy or ij");
  const std::vector<PadWidth> widths{{0, 0}, {1, 1}};
  EXPECT_EQ(error_of([&] { return pad(x, widths, "mirror"); }),
            "trigon::pad: unknown mode: \"mirror\"; must be constant, edge, reflect, symmetric or "
            "wrap");
  EXPECT_EQ(error_of([&] {
              return pad(zeros({2, 0}), widths, "edge");
            }),
            "trigon::pad: nothing to pad with: axis 1 of x, (2, 0), has no elements; the mode must "
            "be constant");
  EXPECT_EQ(error_of([&] { return pad(x.astype(uint8), widths, 300); }),
            "trigon::pad: number out of range: 300 as uint8; must be in [0, 255]");
  EXPECT_EQ(error_of([&] { return array_split(x, 0); }),
            "trigon::array_split: too few sections: 0; must be 1 or more");
  EXPECT_EQ(error_of([&] {
              return kron(zeros({1, 1, 1, 1, 1}), x);
            }),
            "trigon::kron: too many axes: (1, 1, 1, 1, 1) and (2, 3); at most 4");
}

}  // namespace
}  // namespace trigon

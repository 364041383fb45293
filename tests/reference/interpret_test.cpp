// SPDX-License-Identifier: MIT
#include "reference/interpret.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include <trigon/extend.hpp>
#include <trigon/trigon.hpp>

#include "core/internals.hpp"
#include "graph/node.hpp"
#include "support/statistics.hpp"

// The reference against results computed by hand. Graphs of iota and constants need no device.

namespace trigon {
namespace {

using Doubles = std::vector<double>;

Doubles values(const Tensor& x) { return graph::interpret(detail::Internals::node(x)); }

// 0, 1, 2, ... of this shape.
Tensor counting(const Shape& shape) { return iota(shape.numel()).reshape(shape); }

TEST(Interpret, Elementwise) {
  EXPECT_EQ(values(counting({3}) * 2 + 1), (Doubles{1, 3, 5}));
  EXPECT_EQ(values(sqrt(counting({3}) * counting({3}))), (Doubles{0, 1, 2}));
  EXPECT_EQ(values(where(iota(4) < 2, iota(4), -1)), (Doubles{0, 1, -1, -1}));
}

TEST(Interpret, IntegersWrap) {
  EXPECT_EQ(values(iota(2) + 2'147'483'647), (Doubles{2147483647.0, -2147483648.0}));
  // 65,537 squared is 2^32 + 131,073; 2,147,483,647 squared is 1 modulo 2^32.
  EXPECT_EQ(values(square(iota(1) + 65'537)), (Doubles{131'073}));
  EXPECT_EQ(values(square(iota(1) + 2'147'483'647)), (Doubles{1}));
  // 16,777,217 cubed is 3 * 2^24 + 1 modulo 2^32; the exact product has 73 bits.
  EXPECT_EQ(values(prod(broadcast_to(iota(1) + 16'777'217, {3}))), (Doubles{50'331'649}));
  EXPECT_EQ(values((iota(2) + 255).astype(uint8)), (Doubles{255, 0}));
  EXPECT_EQ(values((iota(2) - 1).astype(uint32)), (Doubles{4294967295.0, 0}));
}

TEST(Interpret, Casts) {
  const Tensor x = (iota(4) - 2).astype(float32) * 0.75;  // -1.5 -0.75 0 0.75
  EXPECT_EQ(values(x.astype(int32)), (Doubles{-1, 0, 0, 0}));
  EXPECT_EQ(values(x.astype(boolean)), (Doubles{1, 1, 0, 1}));
  EXPECT_EQ(values((iota(1) + 16'777'217).astype(float32)), (Doubles{16'777'216}));
  const Tensor third = (iota(1) + 1).astype(float32) / 3.0;
  EXPECT_EQ(values(third.astype(float16)), (Doubles{0.333251953125}));
  EXPECT_TRUE(std::isinf(values((iota(1) + 70'000).astype(float32).astype(float16))[0]));
}

TEST(Interpret, Views) {
  const Tensor x = counting({2, 3});
  EXPECT_EQ(values(x.T()), (Doubles{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(values(flip(x, 1)), (Doubles{2, 1, 0, 5, 4, 3}));
  EXPECT_EQ(values(x.at(ellipsis, Slice{{}, {}, 2}).get()), (Doubles{0, 2, 3, 5}));
  EXPECT_EQ(values(broadcast_to(iota(2).reshape(2, 1), {2, 3})), (Doubles{0, 0, 0, 1, 1, 1}));
  const std::array<PadWidth, 2> widths{PadWidth{1, 0}, PadWidth{0, 1}};
  EXPECT_EQ(values(pad(x, widths, 9)), (Doubles{9, 9, 9, 9, 0, 1, 2, 9, 3, 4, 5, 9}));
  EXPECT_EQ(values(concatenate({iota(2), iota(3)})), (Doubles{0, 1, 0, 1, 2}));
}

TEST(Interpret, RunTimeSlicesAreClamped) {
  const Tensor x = counting({5});
  EXPECT_EQ(values(x.at(Window{Scalar(1), 2}).get()), (Doubles{1, 2}));
  EXPECT_EQ(values(x.at(Window{Scalar(9), 2}).get()), (Doubles{3, 4}));
  EXPECT_EQ(values(x.at(Window{Scalar(-9), 2}).get()), (Doubles{0, 1}));
  EXPECT_EQ(values(x.at(Scalar(7)).get()), (Doubles{4}));
  EXPECT_EQ(values(x.at(Window{Scalar(-3), 2}).get()), (Doubles{2, 3}));
  EXPECT_EQ(values(x.at(Window{Scalar(-1), 2}).get()), (Doubles{3, 4}));
  EXPECT_EQ(values(x.at(Scalar(-2)).get()), (Doubles{3}));
}

TEST(Interpret, Writes) {
  const Tensor x = counting({2, 3});
  EXPECT_EQ(values(x.at(1).set(iota(3) * 10)), (Doubles{0, 1, 2, 0, 10, 20}));
  EXPECT_EQ(values(x.at(ellipsis, Slice{{}, {}, -2}).set(iota(2) + 7)),
            (Doubles{8, 1, 7, 8, 4, 7}));
  EXPECT_EQ(values(x.at(Window{Scalar(5), 1}).set(-1)), (Doubles{0, 1, 2, -1, -1, -1}));
}

TEST(Interpret, TakesClampedAndNegativeIndices) {
  const Tensor x = counting({3, 2});
  EXPECT_EQ(values(take(x, iota(3) - 1)), (Doubles{4, 5, 0, 1, 2, 3}));
  EXPECT_EQ(values(take(x, iota(1) + 50)), (Doubles{4, 5}));
  EXPECT_EQ(values(take(x, iota(1) - 50)), (Doubles{0, 1}));
  EXPECT_EQ(values(take(x, iota(2) * -1, 1)), (Doubles{0, 1, 2, 3, 4, 5}));
}

TEST(Interpret, Reductions) {
  const Tensor x = counting({2, 3, 2});
  EXPECT_EQ(values(sum(x, 1)), (Doubles{6, 9, 24, 27}));
  EXPECT_EQ(values(sum(x, {0, 2})), (Doubles{14, 22, 30}));
  EXPECT_EQ(values(argmax(x, 2)), (Doubles{1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(values(max(x)), (Doubles{11}));
  const std::vector<Tensor> of_three = moments(iota(3));
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(values(of_three[static_cast<std::size_t>(k)]), Doubles{static_cast<double>(k)});
  }
  const Scalar two(2);
  EXPECT_EQ(values(detail::reduce(*find_op("sum"), counting({2, 4}), 1, false, &two)[0]),
            (Doubles{1, 9}));
}

TEST(Interpret, Contractions) {
  const Tensor a = counting({2, 3}).astype(float32);
  const Tensor b = counting({3, 2}).astype(float32);
  EXPECT_EQ(values(matmul(a, b)), (Doubles{10, 13, 28, 40}));
  EXPECT_EQ(values(matmul(a, b, {.inner = Scalar(2)})), (Doubles{2, 3, 8, 15}));
  EXPECT_EQ(values(matmul(a, b, {.columns = Scalar(1)})), (Doubles{10, 0, 28, 0}));
  const Tensor batch = counting({2, 2, 3}).astype(float32);
  EXPECT_EQ(values(matmul(batch, b)), (Doubles{10, 13, 28, 40, 46, 67, 64, 94}));
}

TEST(Interpret, DeepGraphsAndDiamonds) {
  Tensor x = iota(2);
  for (int i = 0; i < 20'000; ++i) x = x + 1;
  EXPECT_EQ(values(x), (Doubles{20'000, 20'001}));
  Tensor y = iota(2).astype(float32);
  for (int i = 0; i < 200; ++i) y = (y + y) * 0.5;
  EXPECT_EQ(values(y), (Doubles{0, 1}));
}

TEST(Interpret, KnownValuesStandForTheirNodes) {
  const Tensor leaf = detail::Internals::tensor(
      std::make_shared<graph::Node>(graph::Kind::leaf, float32, Shape{3}));
  const Tensor doubled = leaf * 2.0;
  graph::KnownValues known{{detail::Internals::node(leaf)->id, {1, 2, 4}}};
  EXPECT_EQ(graph::interpret(detail::Internals::node(doubled + 1.0), known), (Doubles{3, 5, 9}));
  EXPECT_EQ(known.at(detail::Internals::node(doubled)->id), (Doubles{2, 4, 8}));
  known.at(detail::Internals::node(doubled)->id) = {0, 0, 7};
  EXPECT_EQ(graph::interpret(detail::Internals::node(doubled - 1.0), known), (Doubles{-1, -1, 6}));
}

}  // namespace
}  // namespace trigon

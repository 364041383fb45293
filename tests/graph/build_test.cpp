// SPDX-License-Identifier: MIT
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <trigon/create.hpp>
#include <trigon/index.hpp>
#include <trigon/join.hpp>
#include <trigon/math.hpp>
#include <trigon/shape.hpp>

#include "core/internals.hpp"
#include "graph/node.hpp"
#include "support/graph_values.hpp"

namespace trigon {
namespace {

using graph::Kind;
using Values = std::vector<double>;

Kind kind(const Tensor& x) { return detail::Internals::node(x)->kind; }

// ---- Elementwise: dtypes and shapes

TEST(Map, PromotesOperands) {
  EXPECT_EQ((leaf({2}, uint8) + leaf({2}, uint32)).dtype(), uint32);
  EXPECT_EQ((leaf({2}, int32) + leaf({2}, uint32)).dtype(), int32);
  EXPECT_EQ((leaf({2}, boolean) + leaf({2}, float32)).dtype(), float32);
}

TEST(Map, ComputesFloat16InFloat32) {
  const Tensor y = leaf({2}, float16) + leaf({2}, float16);
  EXPECT_EQ(y.dtype(), float32);
  EXPECT_EQ(detail::Internals::node(y)->inputs[0]->kind, Kind::cast);
}

TEST(Map, CountsBoolsAsInt32) {
  EXPECT_EQ((leaf({2}, boolean) + leaf({2}, boolean)).dtype(), int32);
}

TEST(Map, DividesIntegersAsFloats) { EXPECT_EQ((leaf({2}, int32) / 2).dtype(), float32); }

TEST(Map, ComparesToBool) { EXPECT_EQ((leaf({2}) < leaf({2})).dtype(), boolean); }

TEST(Map, BroadcastsOperands) {
  const Tensor y = leaf({2, 1}) + leaf({3});
  EXPECT_EQ(y.shape(), (Shape{2, 3}));
  EXPECT_EQ(detail::Internals::node(y)->inputs[0]->kind, Kind::broadcast);
  EXPECT_EQ(detail::Internals::node(y)->inputs[1]->kind, Kind::broadcast);
}

TEST(Map, RejectsShapesThatDoNotBroadcast) {
  EXPECT_EQ(
      error_of([] {
        return leaf({2, 3}) + leaf({4});
      }),
      "trigon::add: shapes do not broadcast: a is (2, 3), b is (4,); axes must be equal or 1, "
      "counted from the last");
}

TEST(HostNumber, YieldsToTheDtypeOfTensors) {
  EXPECT_EQ((leaf({2}, uint8) * 2).dtype(), uint8);
  EXPECT_EQ((leaf({2}, float32) * 2).dtype(), float32);
  EXPECT_EQ((leaf({2}, int32) * true).dtype(), int32);
}

TEST(HostNumber, OfAHigherKindWins) {
  EXPECT_EQ((leaf({2}, int32) * 2.0).dtype(), float32);
  EXPECT_EQ((leaf({2}, boolean) * 2).dtype(), int32);
}

TEST(HostNumber, StaysOneWithOthers) {
  EXPECT_EQ((leaf({2}, uint8) + Tensor(1) * 2).dtype(), uint8);
  EXPECT_EQ((Tensor(1) + 2.5).dtype(), float32);
}

TEST(HostNumber, BecomesAConstantOfTheTensorsDtype) {
  const Tensor y = leaf({}, float32) * 2;
  EXPECT_EQ(detail::Internals::node(y)->inputs[1]->kind, Kind::constant);
  EXPECT_EQ(detail::Internals::node(y)->inputs[1]->dtype, float32);
}

TEST(HostNumber, MustFitTheDtype) {
  EXPECT_EQ(error_of([] { return leaf({2}, uint8) + 300; }),
            "trigon::add: number out of range: 300 as uint8; must be in [0, 255]");
  EXPECT_EQ(error_of([] { return leaf({2}, uint8) + (Tensor(100) + Tensor(200)); }),
            "trigon::add: number out of range: 300 as uint8; must be in [0, 255]");
  EXPECT_EQ(error_of([] { return leaf({2}, uint8) * -Tensor(3); }),
            "trigon::multiply: number out of range: -3 as uint8; must be in [0, 255]");
}

TEST(HostNumber, OutOfRangeIsComparedByValue) {
  const Tensor x = (iota(2) + 200).astype(uint8);
  EXPECT_EQ(values(x > 300), (std::vector<double>{0, 0}));
  EXPECT_EQ(values(x > Tensor(100) + Tensor(200)), (std::vector<double>{0, 0}));
  EXPECT_EQ(values(x < 300), (std::vector<double>{1, 1}));
  EXPECT_EQ(values(-1 < x), (std::vector<double>{1, 1}));
  EXPECT_EQ(values(x == 456), (std::vector<double>{0, 0}));
  EXPECT_EQ(values(x != 456), (std::vector<double>{1, 1}));
  EXPECT_EQ(values(iota(2) < 3'000'000'000), (std::vector<double>{1, 1}));
  EXPECT_EQ(values(Tensor(5) >= Tensor(3'000'000'000)), std::vector<double>{0});
  EXPECT_EQ((broadcast_to(x, {3, 2}) > 300).shape(), (Shape{3, 2}));
  EXPECT_EQ((x > 300).dtype(), boolean);
}

TEST(Scalar, IsInt32OrFloat32) {
  EXPECT_EQ(Scalar(3).tensor().dtype(), int32);
  EXPECT_EQ(Scalar(3.0).tensor().dtype(), float32);
  EXPECT_EQ((leaf({2}) * Scalar(3)).dtype(), float32);
}

TEST(Scalar, MustFitInt32) {
  EXPECT_EQ(
      error_of([] { return Scalar(3000000000U); }),
      "trigon::Scalar: integer out of range: 3000000000; must be in [-2147483648, 2147483647]");
}

TEST(Where, CastsItsConditionToBool) {
  const Tensor y = where(leaf({2}), leaf({2}, int32), 1);
  EXPECT_EQ(y.dtype(), int32);
  EXPECT_EQ(detail::Internals::node(y)->inputs[0]->dtype, boolean);
}

TEST(Where, KeepsBools) {
  EXPECT_EQ(where(leaf({2}, boolean), leaf({2}, boolean), false).dtype(), boolean);
}

TEST(Map, RejectsOperandsOfTwoDevices) {
  const auto on_device = [](int& device) {
    const auto owner = std::shared_ptr<int>(&device, [](int*) {});
    Tensor x = leaf({2});
    detail::Internals::node(x)->device = {owner, reinterpret_cast<run::DeviceState*>(&device)};
    return x;
  };
  int first = 0;
  int second = 0;
  const Tensor a = on_device(first);
  const Tensor b = on_device(second);
  EXPECT_EQ(detail::Internals::node(a + 1)->device, detail::Internals::node(a)->device);
  EXPECT_EQ(error_of([&] { return a + b; }),
            "trigon::add: operands live on different devices: b is not where a is; move one with "
            ".to(device)");
}

TEST(Tensor, RejectsTheUseOfAnEmptyHandle) {
  EXPECT_EQ(error_of([] { return Tensor() + 1; }),
            "trigon::add: empty handle: a refers to no value; assign a tensor first");
}

TEST(Tensor, CountsItsHandles) {
  Tensor x = leaf({2});
  Tensor y = x;
  EXPECT_EQ(detail::Internals::node(x)->handles, 2);
  y = std::move(x);
  EXPECT_EQ(detail::Internals::node(y)->handles, 1);
  const Tensor& same = y;
  y = same;
  EXPECT_EQ(detail::Internals::node(y)->handles, 1);
}

TEST(Tensor, ReadsOneItemOnly) {
  EXPECT_EQ(error_of([] { return leaf({2}).item(); }),
            "trigon::Tensor::item: item of 2 elements: shape is (2,); size must be 1");
}

TEST(Tensor, ReadsItsOwnDtypeOnly) {
  EXPECT_EQ(error_of([] { return leaf({2}, int32).to_vector<float>(); }),
            "trigon::Tensor::to_vector: read as another dtype: tensor is int32, read as float32; "
            "must be int32\n  hint: write to_vector<int>(), or cast with astype");
  EXPECT_EQ(error_of([] { return leaf({}, int32).item(); }),
            "trigon::Tensor::item: read as another dtype: tensor is int32, read as float32; must "
            "be int32\n  hint: write item<int>(), or cast with astype");
  EXPECT_EQ(error_of([] { return leaf({}, uint8).item(); }),
            "trigon::Tensor::item: read as another dtype: tensor is uint8, read as float32; must "
            "be uint8\n  hint: write item<std::uint8_t>(), or cast with astype");
}

TEST(Astype, ReturnsTheSameNodeForTheSameDtype) {
  const Tensor x = leaf({2});
  EXPECT_EQ(detail::Internals::node(x.astype(float32)), detail::Internals::node(x));
  EXPECT_EQ(kind(x.astype(int32)), Kind::cast);
}

TEST(Astype, GivesAHostNumberADtypeOfItsOwn) {
  EXPECT_EQ((leaf({2}, uint8) + Tensor(1).astype(int32)).dtype(), int32);
  EXPECT_EQ((leaf({2}, uint8) + (Tensor(1) + 1).astype(int32)).dtype(), int32);
}

// ---- Graphs

TEST(Graph, OfAHundredThousandNodesDies) {
  Tensor x = leaf({2});
  for (int k = 0; k < 100000; ++k) x = x + x;
  std::thread([y = std::move(x)]() mutable { y = Tensor(); }).join();
}

TEST(Graph, DropsInputs) {
  Tensor y = exp(leaf({2}));
  EXPECT_EQ(graph::inputs_of(*detail::Internals::node(y)).size(), 1U);
  graph::take_inputs(*detail::Internals::node(y));
  EXPECT_TRUE(graph::inputs_of(*detail::Internals::node(y)).empty());
}

// ---- Views

TEST(Views, ThatChangeNothingAreTheirInput) {
  const Tensor x = leaf({2, 3});
  EXPECT_EQ(detail::Internals::node(reshape(x, {2, -1})), detail::Internals::node(x));
  EXPECT_EQ(detail::Internals::node(transpose(x, {0, 1})), detail::Internals::node(x));
  EXPECT_EQ(detail::Internals::node(x.T().T()), detail::Internals::node(x));
  EXPECT_EQ(detail::Internals::node(broadcast_to(x, {2, 3})), detail::Internals::node(x));
  EXPECT_EQ(detail::Internals::node(x.at(ellipsis, Slice{}).get()), detail::Internals::node(x));
  EXPECT_EQ(detail::Internals::node(pad(x, std::vector<PadWidth>{{0, 0}, {0, 0}})),
            detail::Internals::node(x));
}

TEST(Reshape, FindsTheSizeLeft) {
  EXPECT_EQ(reshape(leaf({2, 6}), {-1, 4}).shape(), (Shape{3, 4}));
  EXPECT_EQ(leaf({2, 6}).reshape(-1).shape(), Shape{12});
}

TEST(Reshape, RejectsOtherSizes) {
  EXPECT_EQ(
      error_of([] {
        return reshape(leaf({2, 3}), {4, 2});
      }),
      "trigon::reshape: sizes do not fit: x is (2, 3), shape is (4, 2); both must hold the same "
      "number of elements");
  EXPECT_EQ(
      error_of([] {
        return reshape(leaf({2, 3}), {4, -1});
      }),
      "trigon::reshape: sizes do not fit: x is (2, 3), shape is (4, -1); the size left for -1 "
      "must be whole");
}

TEST(Reshape, RejectsTwoOpenSizes) {
  EXPECT_EQ(error_of([] {
              return leaf({2, 3}).reshape(-1, 3, -1);
            }),
            "trigon::reshape: several sizes are left open: x is (2, 3), shape is (-1, 3, -1); one "
            "size may be -1");
}

TEST(Transpose, MovesAxes) {
  const Tensor x = arange(24).reshape(2, 3, 4);
  EXPECT_EQ(transpose(x, {1, 2, 0}).shape(), (Shape{3, 4, 2}));
  EXPECT_EQ(moveaxis(x, 0, -1).shape(), (Shape{3, 4, 2}));
  EXPECT_EQ(values(moveaxis(x, 0, -1)), values(transpose(x, {1, 2, 0})));
  EXPECT_EQ(values(transpose(transpose(x, {1, 2, 0}), {1, 2, 0})), values(transpose(x, {2, 0, 1})));
}

TEST(Transpose, RejectsAxesThatAreNoPermutation) {
  EXPECT_EQ(error_of([] {
              return transpose(leaf({2, 3}), {0, 0});
            }),
            "trigon::transpose: axis given twice: axes are (0, 0); each may occur once");
  EXPECT_EQ(error_of([] {
              return transpose(leaf({2, 3}), {0});
            }),
            "trigon::transpose: number of axes differs: x is (2, 3), axes are (0); every axis must "
            "occur once");
}

TEST(Squeeze, DropsAxesOfSizeOne) {
  EXPECT_EQ(squeeze(leaf({1, 2, 1})).shape(), Shape{2});
  EXPECT_EQ(squeeze(leaf({1, 2, 1}), -1).shape(), (Shape{1, 2}));
  EXPECT_EQ(
      error_of([] {
        return squeeze(leaf({1, 2}), 1);
      }),
      "trigon::squeeze: axis is not of size 1: axis is 1, x is (1, 2); only axes of size 1 can "
      "go");
}

TEST(BroadcastTo, RejectsOtherSizes) {
  EXPECT_EQ(error_of([] { return broadcast_to(leaf({2}), {3}); }),
            "trigon::broadcast_to: shapes do not fit: x is (2,), shape is (3,); axes of x must be "
            "equal or 1, counted from the last");
}

TEST(Flip, TurnsAxesRound) {
  EXPECT_EQ(values(flip(arange(6).reshape(2, 3), 1)), (Values{2, 1, 0, 5, 4, 3}));
  EXPECT_EQ(values(flip(arange(4))), (Values{3, 2, 1, 0}));
}

TEST(Pad, OfNothingIsAConstant) {
  const Tensor y = pad(zeros({0}), std::vector<PadWidth>{{1, 1}}, 7);
  EXPECT_EQ(values(y), (Values{7, 7}));
}

TEST(Pad, RejectsNegativeWidths) {
  EXPECT_EQ(error_of([] {
              return pad(leaf({2}), std::vector<PadWidth>{{-1, 0}});
            }),
            "trigon::pad: negative width: axis 0 has (-1, 0); must be 0 or more");
}

TEST(Pad, RejectsSizesPastWhatCanBeCounted) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  for (const PadWidth width : {PadWidth{most - 1, 0}, {0, most - 1}, {most / 2, most / 2 + 1}}) {
    EXPECT_EQ(
        error_of([&] { return pad(leaf({2}), {width}); }),
        fmt::format("trigon::pad: size too large: axis 0 of (2,) gets ({}, {}) more; must stay "
                    "below 2^63",
                    width.before, width.after));
  }
}

TEST(Concatenate, RejectsSizesPastWhatCanBeCounted) {
  const Tensor half = leaf({std::int64_t{1} << 62, 0});
  EXPECT_EQ(
      error_of([&] {
        return concatenate({half, half}, 0);
      }),
      "trigon::concatenate: size too large: axis 0 of the first 2 parts; must stay below 2^63");
}

TEST(Slice, OfAPadIsASliceOfWhatWasPadded) {
  const Tensor x = leaf({3});
  const Tensor padded = pad(x, std::vector<PadWidth>{{2, 2}});
  EXPECT_EQ(detail::Internals::node(padded.at(Slice{2, 5}).get()), detail::Internals::node(x));
  EXPECT_EQ(detail::Internals::node(padded.at(Slice{0, 2}).get())->inputs[0]->kind, Kind::constant);
}

// ---- Indexing

TEST(Index, ClampsSlicesAsNumPy) {
  const Tensor x = arange(5);
  EXPECT_EQ(values(x.at(Slice{1, 100}).get()), (Values{1, 2, 3, 4}));
  EXPECT_EQ(values(x.at(Slice{.start = -2}).get()), (Values{3, 4}));
  EXPECT_EQ(values(x.at(Slice{-100, 2}).get()), (Values{0, 1}));
  EXPECT_EQ(values(x.at(Slice{.step = -2}).get()), (Values{4, 2, 0}));
  EXPECT_EQ(values(x.at(Slice{3, 0, -1}).get()), (Values{3, 2, 1}));
  EXPECT_EQ(values(x.at(Slice{10, -10, -3}).get()), (Values{4, 1}));
  EXPECT_EQ(x.at(Slice{3, 1}).get().shape(), Shape{0});
  EXPECT_EQ(values(x.at(Slice{.step = std::numeric_limits<std::int64_t>::min()}).get()), Values{4});
}

TEST(Index, DropsIntegerAxesAndAddsNewOnes) {
  const Tensor x = arange(24).reshape(2, 3, 4);
  EXPECT_EQ(x[1].shape(), (Shape{3, 4}));
  EXPECT_EQ(x.at(ellipsis, -1).get().shape(), (Shape{2, 3}));
  EXPECT_EQ(x.at(newaxis, 0, ellipsis, newaxis).get().shape(), (Shape{1, 3, 4, 1}));
  EXPECT_EQ(values(x.at(1, Slice{0, 2}, 3).get()), (Values{15, 19}));
}

TEST(Index, TakesRunTimeStarts) {
  const Tensor x = arange(6).reshape(3, 2);
  const Tensor y = x.at(Window{Scalar(1), 2}, Scalar(1)).get();
  EXPECT_EQ(y.shape(), Shape{2});
  EXPECT_EQ(values(y), (Values{3, 5}));
}

TEST(Index, RejectsIntegersOutOfRange) {
  EXPECT_EQ(error_of([] { return leaf({3})[5]; }),
            "trigon::index: index out of range: index is 5, axis 0 has size 3; must be in [-3, 3)");
}

TEST(Index, RejectsTooManyEntries) {
  EXPECT_EQ(error_of([] { return leaf({3}).at(0, 0).get(); }),
            "trigon::index: too many entries: 2 for x of (3,); at most one an axis");
  EXPECT_EQ(error_of([] { return leaf({3}).at(ellipsis, ellipsis).get(); }),
            "trigon::index: more than one ellipsis: 2 given; at most one may occur");
}

TEST(Index, RejectsStepsOfZero) {
  EXPECT_EQ(error_of([] { return leaf({3})[Slice{.step = 0}]; }),
            "trigon::index: slice step is zero: axis is 0; must not be 0");
}

TEST(Index, RejectsWindowsThatDoNotFit) {
  EXPECT_EQ(error_of([] {
              return leaf({3})[Window{0, 4}];
            }),
            "trigon::index: window does not fit: size is 4, axis 0 has size 3; must be in [0, 3]");
  EXPECT_EQ(error_of([] {
              return leaf({3})[Window{0.5, 2}];
            }),
            "trigon::index: start is not an integer: 0.5; must be of an integer type");
}

// ---- Writing

TEST(Set, ReplacesThePart) {
  const Tensor x = zeros({2, 3}, int32);
  EXPECT_EQ(values(x.at(1).set(arange(3))), (Values{0, 0, 0, 0, 1, 2}));
  EXPECT_EQ(values(x.at(ellipsis, 1).set(7)), (Values{0, 7, 0, 0, 7, 0}));
  EXPECT_EQ(values(x.at(0, Slice{.step = -2}).set(arange(2))), (Values{1, 0, 0, 0, 0, 0}));
  EXPECT_EQ(values(x.at(Scalar(1), Window{Scalar(1), 2}).set(5)), (Values{0, 0, 0, 0, 5, 5}));
}

TEST(Set, KeepsTheDtype) { EXPECT_EQ(leaf({3}, int32).at(0).set(leaf({})).dtype(), int32); }

TEST(Set, OfAnEmptyPartIsTheTensorItself) {
  const Tensor x = leaf({3});
  EXPECT_EQ(detail::Internals::node(x.at(Slice{2, 1}).set(1)), detail::Internals::node(x));
}

TEST(Set, OfEverythingIsTheValue) {
  const Tensor v = leaf({3});
  EXPECT_EQ(detail::Internals::node(leaf({3}).at(ellipsis).set(v)), detail::Internals::node(v));
}

TEST(Set, RejectsValuesThatDoNotBroadcast) {
  EXPECT_EQ(error_of([] {
              return leaf({2, 3}).at(0).set(leaf({2}));
            }),
            "trigon::set: v does not broadcast to the part: v is (2,), the part is (3,); axes of v "
            "must be equal or 1, counted from the last");
}

// ---- Making

TEST(Arange, CountsAsNumPy) {
  EXPECT_EQ(values(arange(2, 9, 3)), (Values{2, 5, 8}));
  EXPECT_EQ(values(arange(3, 0, -2)), (Values{3, 1}));
  EXPECT_EQ(arange(3, 0).shape(), Shape{0});
  EXPECT_EQ(arange(0.0, 1.0, 0.25).dtype(), float32);
  EXPECT_EQ(values(arange(0.0, 1.0, 0.25)), (Values{0, 0.25, 0.5, 0.75}));
  EXPECT_EQ(error_of([] { return arange(0, 1, 0); }),
            "trigon::arange: step is zero: step is 0; must not be 0");
}

TEST(Linspace, EndsExactly) {
  EXPECT_EQ(values(linspace(0, 1, 5)), (Values{0, 0.25, 0.5, 0.75, 1}));
  EXPECT_EQ(values(linspace(1, 3, 4, false)), (Values{1, 1.5, 2, 2.5}));
  EXPECT_EQ(values(linspace(2, 3, 1)), Values{2});
}

TEST(Triangles, KeepASide) {
  const Tensor x = ones({2, 3}, int32);
  EXPECT_EQ(values(tril(x)), (Values{1, 0, 0, 1, 1, 0}));
  EXPECT_EQ(values(triu(x, 1)), (Values{0, 1, 1, 0, 0, 1}));
  EXPECT_EQ(tril(leaf({2, 2}, boolean)).dtype(), boolean);
  EXPECT_EQ(values(eye(2, 3, {.k = 1})), (Values{0, 1, 0, 0, 0, 1}));
}

TEST(Concatenate, JoinsAlongAnAxis) {
  const Tensor a = arange(4).reshape(2, 2);
  const Tensor b = arange(2).reshape(2, 1) + 10;
  EXPECT_EQ(values(concatenate({a, b, zeros({2, 0}, int32), b}, 1)),
            (Values{0, 1, 10, 10, 2, 3, 11, 11}));
  EXPECT_EQ(values(stack({arange(2), arange(2)}, 1)), (Values{0, 0, 1, 1}));
}

TEST(Concatenate, KeepsAnEqualDtype) {
  EXPECT_EQ(concatenate({leaf({2}, float16), leaf({2}, float16)}).dtype(), float16);
  EXPECT_EQ(concatenate({leaf({2}, boolean), leaf({2}, boolean)}).dtype(), boolean);
}

TEST(Concatenate, OfOneTensorIsTheTensor) {
  const Tensor x = leaf({2});
  EXPECT_EQ(detail::Internals::node(concatenate({x, zeros({0})})), detail::Internals::node(x));
}

TEST(Concatenate, RejectsOtherShapes) {
  EXPECT_EQ(error_of([] {
              return concatenate({leaf({2, 3}), leaf({2, 4})});
            }),
            "trigon::concatenate: shapes differ: part 0 is (2, 3), part 1 is (2, 4); all must be "
            "equal but along axis 0");
}

TEST(Split, CutsEqualSections) {
  const std::vector<Tensor> pieces = split(arange(6), 3);
  EXPECT_EQ(values(pieces[2]), (Values{4, 5}));
  EXPECT_EQ(error_of([] { return split(leaf({5}), 2); }),
            "trigon::split: no equal parts: 2 sections, axis 0 has size 5; the size must be a "
            "multiple of the sections");
}

}  // namespace
}  // namespace trigon

// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <trigon/create.hpp>
#include <trigon/extend.hpp>
#include <trigon/index.hpp>
#include <trigon/join.hpp>
#include <trigon/linalg.hpp>
#include <trigon/reduce.hpp>
#include <trigon/shape.hpp>

#include "support/graph_values.hpp"
#include "support/statistics.hpp"

namespace trigon {
namespace {

using Values = std::vector<double>;

// ---- Reductions

TEST(Reduce, DropsOrKeepsAxes) {
  EXPECT_EQ(sum(leaf({2, 3, 4}), {0, -1}).shape(), Shape{3});
  EXPECT_EQ(sum(leaf({2, 3, 4}), {0, -1}, true).shape(), (Shape{1, 3, 1}));
  EXPECT_EQ(sum(leaf({2, 3})).shape(), Shape{});
}

TEST(Reduce, ChoosesTheDtype) {
  EXPECT_EQ(sum(leaf({2}, boolean)).dtype(), int32);
  EXPECT_EQ(sum(leaf({2}, uint8)).dtype(), uint32);
  EXPECT_EQ(sum(leaf({2}, float16)).dtype(), float32);
  EXPECT_EQ(moments(leaf({2}, int32))[2].dtype(), float32);
  EXPECT_EQ(argmax(leaf({2})).dtype(), int32);
}

// NumPy's sum does, its mean does not; here all reductions do.
TEST(Reduce, TakesTheFirstAndTheLastAxisOfAScalar) {
  using Reduction = Tensor (*)(const Tensor&, const Axes&, bool);
  const std::vector<Reduction> those_of_numpy{sum, prod, max,    min,    ptp,       count_nonzero,
                                              any, all,  nansum, nanmax, logsumexp, norm};
  for (const Reduction reduction : those_of_numpy) {
    for (const int axis : {0, -1}) EXPECT_EQ(reduction(leaf({}), axis, true).shape(), Shape{});
    EXPECT_THROW(static_cast<void>(reduction(leaf({}), 1, false)), Error);
    EXPECT_THROW(static_cast<void>(reduction(leaf({}), -2, false)), Error);
  }
  for (const int axis : {0, -1}) {
    EXPECT_EQ(argmax(leaf({}), axis).shape(), Shape{});
    EXPECT_THROW(static_cast<void>(mean(leaf({}), axis)), Error);
    EXPECT_THROW(static_cast<void>(var(leaf({}), axis)), Error);
    EXPECT_THROW(static_cast<void>(stddev(leaf({}), axis)), Error);
    EXPECT_THROW(static_cast<void>(average(leaf({}), axis)), Error);
  }
}

TEST(Reduce, OfExtremaKeepsTheDtype) {
  for (const DType dtype : {uint8, boolean, int32, uint32, float32}) {
    EXPECT_EQ(max(leaf({2}, dtype)).dtype(), dtype);
    EXPECT_EQ(min(leaf({2}, dtype)).dtype(), dtype);
    EXPECT_EQ(ptp(leaf({2}, dtype)).dtype(), dtype);
  }
  EXPECT_EQ(max(leaf({2}, float16)).dtype(), float32);
}

TEST(Reduce, OfIntegersToMeansDoesNotWrap) {
  const Tensor large = iota(2) * 0 + 2'000'000'000;
  EXPECT_EQ(values(mean(large)), Values{2e9});
  EXPECT_EQ(values(nanmean(large)), Values{2e9});
  EXPECT_EQ(values(norm((iota(1) + 16).astype(uint8))), Values{16});
  EXPECT_EQ(mean(leaf({2}, boolean)).dtype(), float32);
}

TEST(Reduce, TakesEightAxes) {
  const Shape shape{2, 1, 2, 3, 1, 2, 1, 2};
  const Tensor x = reshape(iota(48), shape);
  const Tensor same = reshape(x, {2, 2, 3, 2, 2});
  EXPECT_EQ(sum(x, {0, 3}).shape(), (Shape{1, 2, 1, 2, 1, 2}));
  EXPECT_EQ(sum(x, {0, 3}, true).shape(), (Shape{1, 1, 2, 1, 1, 2, 1, 2}));
  EXPECT_EQ(values(sum(x, {0, 3})), values(sum(same, {0, 2})));
  EXPECT_EQ(values(max(x, {2, 7}, true)), values(max(same, {1, 4})));
  EXPECT_EQ(values(argmax(-x, 3)), values(argmax(-same, 2)));
  EXPECT_EQ(values(argmin(x)), Values{0});
  EXPECT_EQ(values(var(x, 7)), values(var(same, 4)));
  EXPECT_EQ(values(logsumexp(x, -1, true)), values(logsumexp(same, -1)));
  EXPECT_EQ(sum(zeros({2, 1, 2, 3, 0, 2, 1, 2}), 4).shape(), (Shape{2, 1, 2, 3, 2, 1, 2}));
  const std::vector<Tensor> all = moments(x, {0, 3, 7}, true), of_same = moments(same, {0, 2, 4});
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(all[k].shape(), (Shape{1, 1, 2, 1, 1, 2, 1, 1}));
    EXPECT_EQ(values(all[k]), values(of_same[k]));
  }
}

TEST(Reduce, HasANodeForEachOfSeveralResults) {
  const std::vector<Tensor> y = moments(leaf({2, 3, 4}), 1, true);
  ASSERT_EQ(y.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) {
    const graph::Node& node = *detail::Internals::node(y[k]);
    EXPECT_EQ(node.kind, graph::Kind::output);
    EXPECT_EQ(node.as<graph::OutputAttrs>().number, static_cast<int>(k));
    EXPECT_EQ(node.shape, (Shape{2, 1, 4}));
    EXPECT_EQ(node.inputs[0], detail::Internals::node(y[0])->inputs[0]);
  }
  EXPECT_EQ(detail::Internals::node(y[0])->inputs[0]->kind, graph::Kind::reduce);
  const Tensor one = sum(leaf({2, 3, 4}), 1, true);
  EXPECT_EQ(detail::Internals::node(one)->kind, graph::Kind::reduce);
  EXPECT_EQ(detail::Internals::node(one)->shape, (Shape{2, 1, 4}));
}

TEST(Reduce, KeepsAResultWhenTheOthersAreDropped) {
  const Tensor x = arange(6).reshape(2, 3);
  const Tensor squares = moments(x, 1)[2];
  EXPECT_EQ(values(squares), (Values{2, 2}));
}

TEST(Reduce, RejectsAnAxisGivenTwice) {
  EXPECT_EQ(error_of([] {
              return sum(leaf({2, 3}), {0, -2});
            }),
            "trigon::sum: axis given twice: axes are (0, -2); each may occur once");
}

TEST(Reduce, OfNothingIsTheIdentity) {
  const Tensor none = zeros({0, 2});
  EXPECT_EQ(values(sum(zeros({2, 0}), 1)), (Values{0, 0}));
  EXPECT_EQ(values(sum(none, 0)), (Values{0, 0}));
  EXPECT_EQ(values(prod(none, 0)), (Values{1, 1}));
  EXPECT_EQ(values(nansum(none)), Values{0});
  EXPECT_EQ(values(norm(none)), Values{0});
  EXPECT_EQ(values(count_nonzero(none, 0)), (Values{0, 0}));
  EXPECT_EQ(values(any(none)), Values{0});
  EXPECT_EQ(values(all(none, 0)), (Values{1, 1}));
  EXPECT_EQ(values(logsumexp(none)), Values{-std::numeric_limits<double>::infinity()});
  for (const Tensor& y : moments(zeros({0}))) EXPECT_EQ(values(y), Values{0});
}

TEST(Reduce, MeansOfNothingAreNan) {
  const Tensor none = zeros({0, 2});
  for (const Tensor& y : {mean(none), mean(none, 0), nanmean(none, 0), var(none, 0), stddev(none),
                          average(none, 0), mean(zeros({0}, int32))}) {
    for (const double value : values(y)) EXPECT_TRUE(std::isnan(value));
  }
  EXPECT_EQ(mean(none, 0).shape(), Shape{2});
}

TEST(Reduce, OfNothingNeedsAnIdentity) {
  const Tensor none = zeros({0, 2});
  const auto text = [](const std::string& name) {
    return "trigon::" + name +
           ": zero-size array to reduction operation which has no identity: x is (0, 2); must have "
           "elements along the reduced axes";
  };
  EXPECT_EQ(error_of([&] { return max(none); }), text("max"));
  EXPECT_EQ(error_of([&] { return max(none, 0); }), text("max"));
  EXPECT_EQ(error_of([&] { return min(none, 0); }), text("min"));
  EXPECT_EQ(error_of([&] { return argmax(none, 0); }), text("argmax"));
  EXPECT_EQ(error_of([&] { return argmin(none); }), text("argmin"));
  EXPECT_EQ(error_of([&] { return ptp(none, 0); }), text("ptp"));
  EXPECT_EQ(error_of([&] { return nanmax(none); }), text("nanmax"));
}

// No error if the result has no elements.
TEST(Reduce, OfNothingToNothingNeedsNoIdentity) {
  const Tensor none = zeros({0, 2});
  for (const Tensor& y : {max(none, 1), min(none, 1), argmax(none, 1), argmin(none, 1),
                          ptp(none, 1), nanmax(none, 1), mean(none, 1), all(none, 1)}) {
    EXPECT_EQ(y.shape(), Shape{0});
  }
}

TEST(Reduce, TakesALengthAlongOneAxis) {
  const Scalar length(2);
  EXPECT_EQ(values(detail::reduce(*find_op("sum"), arange(4), 0, false, &length)[0]), Values{1});
  EXPECT_EQ(error_of([&] {
              return detail::reduce(*find_op("sum"), leaf({2, 3}), {}, false, &length);
            }),
            "trigon::sum: length needs one axis: 2 axes are reduced; must be 1");
}

// ---- Ops of one's own

TEST(Reduce, OfAnOpOfOnesOwnHasItsOutputs) {
  EXPECT_EQ(values(reduce(*find_op("sum"), arange(4))[0]), Values{6});
  const std::vector<Tensor> results = reduce(*find_op("moments"), leaf({2, 3}), -1, true);
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(results[2].shape(), (Shape{2, 1}));
}

TEST(Reduce, OfAnOpOfOnesOwnNamesTheOp) {
  EXPECT_EQ(error_of([] { return reduce(*find_op("sum"), leaf({2}), 1); }),
            "trigon::sum: axis out of range: axis is 1, rank is 1; must be in [-1, 1)");
  EXPECT_EQ(error_of([] { return reduce(*find_op("exp"), leaf({2})); }),
            "trigon::reduce: op is not a reduction: exp; must be declared as a ReduceSpec");
}

// ---- Products

TEST(Matmul, FollowsNumPysShapes) {
  EXPECT_EQ(matmul(leaf({2, 3}), leaf({3, 4})).shape(), (Shape{2, 4}));
  EXPECT_EQ(matmul(leaf({3}), leaf({3, 4})).shape(), Shape{4});
  EXPECT_EQ(matmul(leaf({2, 3}), leaf({3})).shape(), Shape{2});
  EXPECT_EQ(matmul(leaf({3}), leaf({3})).shape(), Shape{});
  EXPECT_EQ(matmul(leaf({5, 1, 2, 3}), leaf({7, 3, 4})).shape(), (Shape{5, 7, 2, 4}));
}

TEST(Matmul, RejectsInnerSizesThatDiffer) {
  EXPECT_EQ(error_of([] {
              return matmul(leaf({2, 3}), leaf({4, 5}));
            }),
            "trigon::matmul: inner sizes differ: a is (2, 3), b is (4, 5); a.shape[-1] must equal "
            "b.shape[-2]");
}

TEST(Matmul, RejectsIntegers) {
  EXPECT_EQ(
      error_of([] {
        return matmul(leaf({2, 2}), leaf({2, 2}, int32));
      }),
      "trigon::matmul: operands must be float32 or float16: a is float32, b is int32; cast with "
      "astype");
}

TEST(Matmul, RejectsScalars) {
  EXPECT_EQ(error_of([] { return matmul(leaf({2}), 2.0); }),
            "trigon::matmul: an operand is a scalar: a is (2,), b is (); both must have an axis\n"
            "  hint: multiply takes scalars");
}

TEST(Matmul, WithoutInnerElementsIsZero) {
  EXPECT_EQ(values(matmul(zeros({2, 0}), zeros({0, 1}))), (Values{0, 0}));
}

TEST(Matmul, StopsAtItsLengths) {
  const Tensor a = ones({2, 4});
  const Tensor y = matmul(a, ones({4, 3}), {.inner = Scalar(3), .columns = Scalar(1)});
  EXPECT_EQ(values(y), (Values{3, 0, 0, 3, 0, 0}));
}

// ---- Gathers

TEST(Take, PutsTheShapeOfTheIndicesInTheAxis) {
  EXPECT_EQ(take(leaf({2, 5, 3}), leaf({4, 6}, int32), 1).shape(), (Shape{2, 4, 6, 3}));
  EXPECT_EQ(take(leaf({5, 3}), 1).shape(), Shape{3});
  EXPECT_EQ(values(take(arange(4) * 10, arange(3) - 1)), (Values{30, 0, 10}));
}

TEST(Take, RejectsIndicesThatAreNoIntegers) {
  EXPECT_EQ(error_of([] { return take(leaf({2}), leaf({2})); }),
            "trigon::take: indices are not integers: dtype is float32; must be int32, uint32 or "
            "uint8");
}

TEST(Take, RejectsAnEmptyAxis) {
  EXPECT_EQ(error_of([] {
              return take(zeros({2, 0}), 0, 1);
            }),
            "trigon::take: axis is empty: x is (2, 0), axis is 1; must have elements");
}

TEST(TakeAlongAxis, PicksFromItsOwnLine) {
  const Tensor x = arange(6).reshape(2, 3);
  const Tensor i = concatenate({full({1, 1}, 2, int32), full({1, 1}, -2, int32)});
  EXPECT_EQ(values(take_along_axis(x, i, 1)), (Values{2, 4}));
  EXPECT_EQ(values(take_along_axis(x, full({1, 3}, 9, int32), 0)), (Values{3, 4, 5}));
}

}  // namespace
}  // namespace trigon

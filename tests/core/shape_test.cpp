// SPDX-License-Identifier: MIT
#include "trigon/detail/shape_class.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/called.hpp"
#include "graph/check.hpp"
#include "support/errors.hpp"
#include "trigon/dtype.hpp"
#include "trigon/error.hpp"

namespace trigon {
namespace {

using support::error_of;

TEST(Shape, PrintsAsNumpyDoes) {
  EXPECT_EQ(to_string(Shape{}), "()");
  EXPECT_EQ(to_string(Shape{4}), "(4,)");
  EXPECT_EQ(to_string(Shape{2, 3}), "(2, 3)");
}

TEST(Shape, IsMadeOfAVectorOfAnyInteger) {
  EXPECT_EQ(Shape(std::vector<int>{2, 3}), (Shape{2, 3}));
  EXPECT_EQ(Shape(std::vector<std::uint64_t>{4}), Shape{4});
}

TEST(Shape, RefusesAnAxisOutOfRange) {
  const Shape shape{2, 3};
  EXPECT_EQ(shape[-2], 2);
  EXPECT_EQ(error_of([&] { return shape[2]; }),
            "trigon::Shape::operator[]: axis out of range: axis is 2, shape is (2, 3) of rank 2; "
            "must be in "
            "[-2, 2)");
  EXPECT_EQ(error_of([&] { return shape[-3]; }),
            "trigon::Shape::operator[]: axis out of range: axis is -3, shape is (2, 3) of rank 2; "
            "must be in "
            "[-2, 2)");
  EXPECT_EQ(error_of([] { return Shape{}[0]; }),
            "trigon::Shape::operator[]: axis out of range: axis is 0, shape is () of rank 0; it "
            "has no axes");
}

TEST(Shape, IsBoundToItsSizes) {
  const auto [rows, columns] = Shape{2, 3}.sizes<2>();
  EXPECT_EQ(rows, 2);
  EXPECT_EQ(columns, 3);
  EXPECT_EQ(
      error_of([] {
        return Shape{2, 3}.sizes<3>();
      }),
      "trigon::Shape::sizes: number of axes differs: 3 sizes are asked for, shape is (2, 3); rank "
      "must be 3");
}

TEST(Shape, CountsElements) {
  EXPECT_EQ(Shape{}.numel(), 1);
  EXPECT_EQ((Shape{2, 3, 4}).numel(), 24);
  EXPECT_EQ((Shape{2, 0, 4}).numel(), 0);
}

TEST(Shape, CountsNoElementsBesideHugeSizes) {
  const std::int64_t huge = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ((Shape{huge, huge, 0}).numel(), 0);
  EXPECT_EQ((Shape{huge, 1}).numel(), huge);
}

TEST(Shape, RefusesTooManyElements) {
  EXPECT_EQ(error_of([] {
              return (Shape{4294967296, 2147483648}).numel();
            }),
            "trigon::Shape::numel: too many elements: shape is (4294967296, 2147483648); "
            "their number must be below 2^63");
}

TEST(Shape, RefusesNineAxes) {
  const std::string text = "trigon::Shape: too many axes: rank is 9; must be at most 8";
  EXPECT_EQ(error_of([] { return Shape{1, 1, 1, 1, 1, 1, 1, 1, 1}; }), text);
  Shape full{1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_EQ(error_of([&] { full.push_back(9); }), text);
  EXPECT_EQ(error_of([&] { full.insert(0, 9); }), text);
  EXPECT_EQ(full, (Shape{1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST(Shape, RefusesNegativeSizes) {
  EXPECT_EQ(error_of([] {
              return Shape{2, -3};
            }),
            "trigon::Shape: negative size: shape is (2, -3); every size must be 0 or more");
  Shape shape{2};
  EXPECT_EQ(error_of([&] { shape.push_back(-1); }),
            "trigon::Shape: negative size: shape is (2, -1); every size must be 0 or more");
  EXPECT_EQ(shape, (Shape{2}));
}

TEST(Shape, IndexesFromBothEnds) {
  Shape shape{2, 3, 4};
  EXPECT_EQ(shape[0], 2);
  EXPECT_EQ(shape[-1], 4);
  EXPECT_EQ(shape.back(), 4);
  shape[-2] = 7;
  EXPECT_EQ(shape, (Shape{2, 7, 4}));
}

TEST(Shape, InsertsAtAnyAxis) {
  Shape shape{2, 3};
  shape.insert(0, 5);
  EXPECT_EQ(shape, (Shape{5, 2, 3}));
  shape.insert(3, 6);
  EXPECT_EQ(shape, (Shape{5, 2, 3, 6}));
  shape.insert(-1, 7);
  EXPECT_EQ(shape, (Shape{5, 2, 3, 6, 7}));
  shape.insert(2, 8);
  EXPECT_EQ(shape, (Shape{5, 2, 8, 3, 6, 7}));
}

TEST(Shape, InsertRefusesAnAxisOutOfRange) {
  EXPECT_EQ(error_of([] {
              Shape{2, 3}.insert(3, 1);
            }),
            "trigon::Shape::insert: axis out of range: axis is 3, rank is 3; must be in [-3, 3)");
}

TEST(Shape, ErasesAnyAxis) {
  Shape shape{5, 2, 3, 6};
  shape.erase(-1);
  EXPECT_EQ(shape, (Shape{5, 2, 3}));
  shape.erase(0);
  EXPECT_EQ(shape, (Shape{2, 3}));
  EXPECT_EQ(error_of([] { Shape{}.erase(0); }),
            "trigon::Shape::erase: axis out of range: axis is 0, rank is 0; must be in [0, 0)");
}

TEST(Shape, ComparesOnlyItsAxes) {
  Shape shape{2, 3, 9};
  shape.erase(2);
  EXPECT_EQ(shape, (Shape{2, 3}));
  EXPECT_NE(shape, (Shape{2, 3, 1}));
  EXPECT_NE((Shape{0}), Shape{});
}

TEST(Broadcast, KeepsSizeOneAxes) { EXPECT_EQ(broadcast(Shape{2, 1}, Shape{1, 1}), (Shape{2, 1})); }

TEST(Broadcast, StretchesSizeOneAxes) {
  EXPECT_EQ(broadcast(Shape{2, 1, 4}, Shape{3, 1}), (Shape{2, 3, 4}));
  EXPECT_EQ(broadcast(Shape{3, 1}, Shape{2, 1, 4}), (Shape{2, 3, 4}));
}

TEST(Broadcast, TakesScalars) {
  EXPECT_EQ(broadcast(Shape{}, Shape{}), Shape{});
  EXPECT_EQ(broadcast(Shape{}, Shape{2, 3}), (Shape{2, 3}));
  EXPECT_EQ(broadcast(Shape{2, 3}, Shape{}), (Shape{2, 3}));
}

TEST(Broadcast, StretchesOneToZero) {
  EXPECT_EQ(broadcast(Shape{0}, Shape{1}), (Shape{0}));
  EXPECT_EQ(broadcast(Shape{2, 1}, Shape{2, 0}), (Shape{2, 0}));
}

TEST(Broadcast, RefusesUnequalAxes) {
  EXPECT_EQ(error_of([] {
              const core::Called called("add");
              return graph::require_broadcast(Shape{2, 3}, Shape{4, 5});
            }),
            "trigon::add: shapes do not broadcast: a is (2, 3), b is (4, 5); "
            "axes must be equal or 1, counted from the last");
  EXPECT_EQ(error_of([] {
              const core::Called called("mul");
              return graph::require_broadcast(Shape{0}, Shape{3});
            }),
            "trigon::mul: shapes do not broadcast: a is (0,), b is (3,); "
            "axes must be equal or 1, counted from the last");
}

TEST(NormalizeAxis, CountsFromTheFront) {
  EXPECT_EQ(normalize_axis(0, 2), 0);
  EXPECT_EQ(normalize_axis(1, 2), 1);
  EXPECT_EQ(normalize_axis(-1, 2), 1);
  EXPECT_EQ(normalize_axis(-2, 2), 0);
}

int axis_of_sum(std::int64_t axis) {
  const core::Called called("sum");
  return normalize_axis(axis, 2);
}

TEST(NormalizeAxis, RefusesWhatIsOutOfRange) {
  EXPECT_EQ(error_of([] { return normalize_axis(2, 2); }),
            "trigon::normalize_axis: axis out of range: axis is 2, rank is 2; must be in [-2, 2)");
  EXPECT_EQ(error_of([] { return axis_of_sum(3); }),
            "trigon::sum: axis out of range: axis is 3, rank is 2; must be in [-2, 2)");
  EXPECT_EQ(error_of([] { return axis_of_sum(-3); }),
            "trigon::sum: axis out of range: axis is -3, rank is 2; must be in [-2, 2)");
  EXPECT_EQ(error_of([] { return axis_of_sum(4294967296); }),
            "trigon::sum: axis out of range: axis is 4294967296, rank is 2; must be in [-2, 2)");
}

const std::vector<DType> all_dtypes = {DType::float32, DType::float16, DType::int32,
                                       DType::uint32,  DType::uint8,   DType::boolean};

TEST(DType, HasNumpysNames) {
  std::vector<std::string> names;
  for (const DType dtype : all_dtypes) names.emplace_back(name(dtype));
  EXPECT_EQ(names,
            (std::vector<std::string>{"float32", "float16", "int32", "uint32", "uint8", "bool"}));
}

TEST(DType, HasItsHostSize) {
  std::vector<std::size_t> sizes;
  for (const DType dtype : all_dtypes) sizes.push_back(size_of(dtype));
  EXPECT_EQ(sizes, (std::vector<std::size_t>{4, 2, 4, 4, 1, 1}));
}

TEST(DType, PromotesToTheWider) {
  const std::vector<DType> order = {DType::boolean, DType::uint8, DType::uint32, DType::int32,
                                    DType::float32};
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = 0; j < order.size(); ++j) {
      EXPECT_EQ(promote(order[i], order[j]), order[std::max(i, j)]) << i << ", " << j;
    }
  }
}

TEST(DType, ComputesFloat16InFloat32) {
  for (const DType other : all_dtypes) {
    EXPECT_EQ(promote(DType::float16, other), DType::float32);
    EXPECT_EQ(promote(other, DType::float16), DType::float32);
  }
}

}  // namespace
}  // namespace trigon

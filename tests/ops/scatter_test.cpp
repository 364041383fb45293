// SPDX-License-Identifier: MIT
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include <trigon/trigon.hpp>

#include "core/called.hpp"
#include "core/internals.hpp"
#include "graph/node.hpp"
#include "support/graph_values.hpp"

// Scatters as graphs: shapes, errors, values by the interpreter, gradients.

namespace trigon {
namespace {

using Doubles = std::vector<double>;

Tensor counting(const Shape& shape) { return iota(shape.numel()).reshape(shape); }

// 2, -1, 0: rows of an axis of four with one from the end.
Tensor rows() { return where(iota(3) == 0, 2, where(iota(3) == 1, -1, 0)); }

TEST(ScatterAdd, AddsRowsWhereTheyWereTaken) {
  const Tensor y = scatter_add(counting({4, 2}), rows(), counting({3, 2}) * 10, 0);
  EXPECT_EQ(values(y), (Doubles{40, 51, 2, 3, 4, 15, 26, 37}));
}

TEST(ScatterAdd, AddsAlongInnerAxes) {
  const Tensor y = scatter_add(zeros({2, 4}, int32), rows(), counting({2, 3}) + 1, 1);
  EXPECT_EQ(values(y), (Doubles{3, 0, 1, 2, 6, 0, 4, 5}));
}

TEST(ScatterAdd, AddsDuplicatesUp) {
  EXPECT_EQ(values(scatter_add(zeros({3}), iota(6) % 2, 1.0, 0)), (Doubles{3, 3, 0}));
  const Tensor y = scatter_add(ones({2, 2}), iota(4) * 0, counting({4, 2}).astype(float32), 0);
  EXPECT_EQ(values(y), (Doubles{13, 17, 1, 1}));
}

TEST(ScatterAdd, DropsWhatIsOutOfRange) {
  // -4 ... 4 into three rows: -4, 3 and 4 are outside.
  const Tensor y = scatter_add(zeros({3}, int32), iota(9) - 4, iota(9) + 1, 0);
  EXPECT_EQ(values(y), (Doubles{2 + 5, 3 + 6, 4 + 7}));
}

TEST(ScatterAdd, TakesIndicesOfAnyShape) {
  const Tensor i = counting({2, 2}) % 3;
  const Tensor y = scatter_add(zeros({2, 3}, int32), i, counting({2, 2, 2}), 1);
  EXPECT_EQ(values(y), (Doubles{0 + 3, 1, 2, 4 + 7, 5, 6}));
  EXPECT_EQ(values(scatter_add(zeros({2}, int32), iota(2)[1], 7, 0)), (Doubles{0, 7}));
}

TEST(ScatterAdd, GivesEachElementItsOwnIndex) {
  // Indices of v's shape: rows (0, 1), (1, 0), (0, 0) of the two columns.
  const Tensor i = (counting({3, 2}) == 1).astype(int32) + (counting({3, 2}) == 2).astype(int32);
  const Tensor y = scatter_add(zeros({2, 2}, int32), i, counting({3, 2}) + 1, 0);
  EXPECT_EQ(values(y), (Doubles{1 + 5, 4 + 6, 3, 2}));
}

TEST(ScatterAdd, KeepsTheDtypeOfX) {
  EXPECT_EQ(scatter_add(zeros({3}, uint8), iota(2), 1.0, 0).dtype(), uint8);
  EXPECT_EQ(values(scatter_add(full({1}, 250, uint8), iota(9) * 0, 1, 0)), (Doubles{3}));
  const Tensor half = scatter_add(zeros({1}, float16), iota(3000) * 0, 1.0, 0);
  EXPECT_EQ(half.dtype(), float16);
  EXPECT_EQ(values(half), (Doubles{3000}));
}

TEST(ScatterAdd, RefusesFractionsForIntegers) {
  const auto error = [](DType dtype, const Tensor& v) {
    return error_of([&] { return scatter_add(zeros({3}, dtype), iota(2), v, 0); });
  };
  EXPECT_EQ(error(int32, leaf({2})),
            "trigon::scatter_add: v is not an integer: x is int32, v is float32; cast x or v with "
            "astype");
  EXPECT_EQ(error(uint8, leaf({}, float16)),
            "trigon::scatter_add: v is not an integer: x is uint8, v is float16; cast x or v with "
            "astype");
  EXPECT_EQ(error(uint32, 1.5),
            "trigon::scatter_add: v is not an integer: x is uint32, v is 1.5; cast x or v with "
            "astype");
  EXPECT_EQ(error(int32, 2.0), "no error");
  EXPECT_EQ(error(float16, leaf({2})), "no error");
  EXPECT_EQ(error(int32, leaf({2}, boolean)), "no error");
}

TEST(ScatterAdd, OfNothingIsX) {
  const Tensor x = counting({3});
  EXPECT_EQ(detail::Internals::node(scatter_add(x, zeros({0}, int32), zeros({0}, int32), 0)),
            detail::Internals::node(x));
  const Tensor empty = leaf({0, 2});
  EXPECT_EQ(detail::Internals::node(scatter_add(empty, zeros({3}, int32), zeros({3, 2}), 0)),
            detail::Internals::node(empty));
}

TEST(ScatterAdd, RejectsWhatDoesNotFit) {
  EXPECT_EQ(error_of([] {
              return scatter_add(leaf({4, 2}), leaf({3}, int32), leaf({3, 3}), 0);
            }),
            "trigon::scatter_add: shapes do not fit: x is (4, 2), indices are (3,), v is (3, 3), "
            "axis is 0; v must be (3, 2), or a scalar, or have the shape of indices whose other "
            "axes are x's");
  EXPECT_EQ(error_of([] { return scatter_add(leaf({4}), leaf({3}), leaf({3}), 0); }),
            "trigon::scatter_add: indices are not integers: dtype is float32; must be int32, "
            "uint32 or uint8");
  EXPECT_EQ(
      error_of([] { return scatter_add(leaf({4}, boolean), leaf({3}, int32), leaf({3}), 0); }),
      "trigon::scatter_add: x is bool: bools do not add up; cast x with astype");
  EXPECT_EQ(error_of([] { return scatter_add(leaf({4}), leaf({3}, int32), leaf({3}), 1); }),
            error_of([] {
              const core::Called called("scatter_add");
              return normalize_axis(1, 1);
            }));
}

TEST(AtAdd, AddsToAPart) {
  const Tensor x = counting({3, 3});
  EXPECT_EQ(values(x.at(1).add(10)), (Doubles{0, 1, 2, 13, 14, 15, 6, 7, 8}));
  EXPECT_EQ(values(x.at(ellipsis, Slice{{}, {}, -2}).add(iota(2) + 1)),
            (Doubles{2, 1, 3, 5, 4, 6, 8, 7, 9}));
  EXPECT_EQ(values(x.at(Scalar(2), Window{Scalar(9), 2}).add(-1)),
            (Doubles{0, 1, 2, 3, 4, 5, 6, 6, 7}));
}

TEST(AtAdd, CastsTheValueToTheTargetsType) {
  EXPECT_EQ(values(counting({2}).at(0).add(1.0)), (Doubles{1, 1}));
  const Tensor y = ones({2}, float16).at(1).add(0.5);
  EXPECT_EQ(y.dtype(), float16);
  EXPECT_EQ(values(y), (Doubles{1, 1.5}));
}

TEST(AtAdd, RefusesFractionsForIntegers) {
  EXPECT_EQ(error_of([] { return counting({2}).at(0).add(1.75); }),
            "trigon::add: v is not an integer: x is int32, v is 1.75; cast x or v with astype");
  EXPECT_EQ(error_of([] { return counting({2}).at(0).add(leaf({})); }),
            "trigon::add: v is not an integer: x is int32, v is float32; cast x or v with astype");
}

TEST(AtAdd, RejectsAValueThatDoesNotBroadcast) {
  EXPECT_EQ(error_of([] {
              return leaf({3, 3}).at(0).add(leaf({2}));
            }),
            "trigon::add: v does not broadcast to the part: v is (2,), the part is (3,); axes of v "
            "must be equal or 1, counted from the last");
}

// ---- Gradients

using Function = std::function<Tensor(const Tensor&)>;

// The gradient of sum(f(x) * weights) against central differences.
void expect_gradient(const Function& f, const Tensor& x) {
  const Function g = [&](const Tensor& v) {
    const Tensor y = f(v);
    return sum(y * noise(y.shape(), 0.4));
  };
  const Doubles dx = values(grad(g, x));
  constexpr double step = 1.0 / 1024;
  for (std::int64_t i = 0; i < x.size(); ++i) {
    const Tensor e = reshape((iota(x.size()) == i).astype(float32) * step, x.shape());
    const double slope = (values(g(x + e))[0] - values(g(x - e))[0]) / (2 * step);
    EXPECT_NEAR(dx[static_cast<std::size_t>(i)], slope, 1e-4) << "element " << i;
  }
}

// The gradient of sum(f(x)^2 * weights).
Function slope_of(const Function& f) {
  return [f](const Tensor& x) {
    return grad(
        [&](const Tensor& v) {
          const Tensor y = f(v);
          return sum(y * y * noise(y.shape(), 0.7));
        },
        x);
  };
}

TEST(ScatterGrad, OfTakesIsAScatter) {
  const Tensor x = noise({4, 3}, 1);
  const Tensor i = counting({2, 3}) - 4;  // -4 ... 1, clamped and from the end
  const auto f = [&](const Tensor& v) { return take(v, i * 2, 0); };
  expect_gradient(f, x);
  expect_gradient(slope_of(f), x);
  const Tensor dx = vjp(f, x).pullback(ones({2, 3, 3}));
  EXPECT_EQ(detail::Internals::node(dx)->kind, graph::Kind::scatter_add);
}

TEST(ScatterGrad, OfTakesAlongAnAxisIsAScatter) {
  const Tensor i = counting({3, 5}) % 7 - 4;
  const auto f = [&](const Tensor& v) { return take_along_axis(v, i, 1); };
  expect_gradient(f, noise({3, 4}, 1));
  expect_gradient(slope_of(f), noise({3, 4}, 1));
}

TEST(ScatterGrad, OfOneEntryAlongTheAxisIsAChoice) {
  const auto kind_of = [](const Function& f, const Tensor& x) {
    const Vjp at = vjp(f, x);
    return detail::Internals::node(at.pullback(ones(at.value.shape())))->kind;
  };
  const Tensor x = noise({3, 4}, 1);
  for (const int index : {0, 3, -1, -4, 9, -9}) {
    const auto one = [&](const Tensor& v) { return take(v, iota(1) + index, 1); };
    const auto scalar = [&](const Tensor& v) { return take(v, iota(1)[0] + index, 0); };
    const auto along = [&](const Tensor& v) {
      return take_along_axis(v, iota(3).reshape(3, 1) + index, 1);
    };
    for (const Function& f : {Function(one), Function(scalar), Function(along)}) {
      expect_gradient(f, x);
      expect_gradient(slope_of(f), x);
      EXPECT_EQ(kind_of(f, x), graph::Kind::map);
    }
  }
}

TEST(ScatterGrad, OfScatters) {
  const Tensor i = iota(5) * 2 - 5;  // -5, -3, -1, 1, 3 in [-4, 4): one is dropped
  const Tensor v = noise({5, 2}, 2);
  const auto to_x = [&](const Tensor& x) { return scatter_add(x, i, v, 0); };
  const auto to_v = [&](const Tensor& x) { return scatter_add(noise({4, 2}, 1), i, x, 0); };
  const auto inner = [&](const Tensor& x) { return scatter_add(noise({2, 4}, 1), i, x.T(), 1); };
  expect_gradient(to_x, noise({4, 2}, 1));
  for (const Function& f : {Function(to_v), Function(inner)}) {
    expect_gradient(f, v);
    expect_gradient(slope_of(f), v);
  }
  const Tensor each = counting({3, 2}) - 3;
  const auto along = [&](const Tensor& x) { return scatter_add(noise({2, 2}, 1), each, x, 0); };
  expect_gradient(along, noise({3, 2}, 3));
  expect_gradient(slope_of(along), noise({3, 2}, 3));
  expect_gradient([&](const Tensor& x) { return scatter_add(zeros({4}), i, sum(x), 0); }, v);
}

TEST(ScatterGrad, OfAdditionsToAPart) {
  const auto to_x = [](const Tensor& x) { return x.at(Slice{.step = -2}).add(x[0]); };
  expect_gradient(to_x, noise({3, 2}, 1));
  const auto to_v = [](const Tensor& v) { return noise({4, 2}, 1).at(Scalar(2)).add(v * v); };
  expect_gradient(to_v, noise({2}, 1));
}

}  // namespace
}  // namespace trigon

// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include <trigon/trigon.hpp>

#include "emit/emit.hpp"
#include "support/graph_values.hpp"
#include "support/plans.hpp"

// Products over axes: NumPy's answers, by the reference on the CPU.

namespace trigon {
namespace {

using Doubles = std::vector<double>;

// A row each.
Tensor rows(const std::vector<Doubles>& numbers) {
  std::vector<Tensor> all;
  for (const Doubles& row : numbers) {
    std::vector<Tensor> one;
    for (const double number : row) one.push_back(full({}, number));
    all.push_back(stack(one));
  }
  return stack(all);
}
Tensor grid(std::int64_t rows, std::int64_t columns) {
  return arange(rows * columns).reshape(rows, columns).astype(float32);
}
void expect(const Tensor& x, const Shape& shape, const Doubles& want) {
  EXPECT_EQ(x.shape(), shape);
  EXPECT_EQ(values(x), want);
}

TEST(Einsum, OfOneOperand) {
  const Tensor x = grid(2, 3);
  expect(einsum("ij->ji", {x}), {3, 2}, {0, 3, 1, 4, 2, 5});
  expect(einsum("ji", {x}), {3, 2}, {0, 3, 1, 4, 2, 5});
  expect(einsum("ij->", {x}), {}, {15});
  expect(einsum(" i j -> i ", {x}), {2}, {3, 12});
  expect(einsum("ii", {grid(3, 3)}), {}, {12});
  expect(einsum("ii->i", {grid(3, 3)}), {3}, {0, 4, 8});
  expect(einsum("...j->j...", {x}), {3, 2}, {0, 3, 1, 4, 2, 5});
  expect(einsum("iii->i", {arange(8).reshape(2, 2, 2)}), {2}, {0, 7});
  expect(einsum("", {Tensor(4)}), {}, {4});
}

TEST(Einsum, OfTwoOperands) {
  const Tensor a = grid(2, 3), b = grid(3, 2);
  expect(einsum("ij,jk->ik", {a, b}), {2, 2}, {10, 13, 28, 40});
  expect(einsum("ij,jk", {a, b}), {2, 2}, {10, 13, 28, 40});
  expect(einsum("ij,jk->ki", {a, b}), {2, 2}, {10, 28, 13, 40});
  expect(einsum("ij,ij->i", {a, a}), {2}, {5, 50});
  expect(einsum("ij,ij->", {a, a}), {}, {55});
  expect(einsum("ij,kl->", {a, b}), {}, {225});
  expect(einsum("i,j->ij", {arange(2), arange(3)}), {2, 3}, {0, 0, 0, 0, 1, 2});
  expect(einsum("ij,j->i", {a, arange(3)}), {2}, {5, 14});
  expect(einsum("i,->i", {arange(3), Tensor(2)}), {3}, {0, 2, 4});
  expect(einsum("...ij,...jk->...ik", {stack({a, a}), b}), {2, 2, 2},
         {10, 13, 28, 40, 10, 13, 28, 40});
  expect(einsum("ij,kj->ik", {a, ones({2, 1})}), {2, 2}, {3, 3, 12, 12});
  EXPECT_EQ(einsum("i,i->", {arange(3), arange(3)}).dtype(), int32);
}

TEST(Einsum, MultipliesIntegersAsWideAsItSumsThem) {
  const Tensor x = full({5}, 200, uint8);
  for (const Tensor& y : {inner(x, x), vecdot(x, x), tensordot(x, x, 1), einsum("i,i->", {x, x}),
                          einsum("i,i", {x, x}), einsum("i,i,->", {x, x, ones({}, boolean)})}) {
    EXPECT_EQ(y.dtype(), uint32);
    expect(y, {}, {200'000});
  }
  const Tensor row = x.reshape(1, 5);
  for (const Tensor& y : {inner(row, row), tensordot(row, row.T(), 1),
                          einsum("ij,kj->ik", {row, row}), einsum("ij,jk->ik", {row, row.T()})}) {
    EXPECT_EQ(y.dtype(), uint32);
    expect(y, {1, 1}, {200'000});
  }
  expect(einsum("i,j->", {x, x}), {}, {1'000'000});
  // Whether or not an axis is summed over.
  for (const Tensor& y : {inner(x, x[0]), dot(x, x[0]), einsum("i,->i", {x, x[0]}),
                          einsum("i,i->i", {x, x}), tensordot(x, x[0], 0)}) {
    EXPECT_EQ(y.dtype(), uint32);
    expect(y, {5}, Doubles(5, 40'000));
  }
  EXPECT_EQ(einsum("i->i", {x}).dtype(), uint32);
  const Tensor truth = ones({5}, boolean);
  for (const Tensor& y : {inner(truth, truth), vecdot(truth, truth), tensordot(truth, truth, 1),
                          einsum("i,i->", {truth, truth})}) {
    EXPECT_EQ(y.dtype(), int32);
    expect(y, {}, {5});
  }
  EXPECT_EQ(einsum("i->i", {truth}).dtype(), int32);
  EXPECT_EQ(inner(x, truth).dtype(), uint32);
  EXPECT_EQ(inner(x, ones({5}, int32)).dtype(), int32);
  const Tensor mixed = einsum("i,i,i->", {x, x, ones({5})});
  EXPECT_EQ(mixed.dtype(), float32);
  expect(mixed, {}, {200'000});
}

TEST(Einsum, OfMoreOperands) {
  const Tensor a = grid(2, 3), b = grid(3, 2), c = grid(2, 2);
  expect(einsum("ij,jk,kl->il", {a, b, c}), {2, 2}, {26, 49, 80, 148});
  expect(einsum("ij,jk,ki->", {a, b, c}), {}, {174});
  expect(einsum("i,i,i->i", {arange(3), arange(3), arange(3)}), {3}, {0, 1, 8});
}

TEST(Einsum, IsAMatmulWhereItCanBe) {
  const Tensor a = host_leaf({64, 32}), b = host_leaf({32, 48});
  const auto steps = [](const Tensor& x) { return plan_of(x).steps.size(); };
  EXPECT_EQ(steps(einsum("ij,jk->ik", {a, b})), 1U);
  const auto text = [](const Tensor& x) {
    return emit::emit(*plan_of(x).steps.at(0).kernel).fragment;
  };
  EXPECT_EQ(text(einsum("ij,jk->ik", {a, b})), text(matmul(a, b)));
  const Tensor q = host_leaf({2, 4, 16, 8}), k = host_leaf({2, 4, 16, 8});
  EXPECT_EQ(steps(einsum("bhqd,bhkd->bhqk", {q, k})), steps(matmul(q, swapaxes(k, -1, -2))));
  EXPECT_EQ(steps(einsum("ij,ij->i", {a, a})), steps(sum(a * a, 1))) << "no product is stored";
}

TEST(Products, SumOverPairsOfAxes) {
  const Tensor a = grid(2, 3), b = grid(3, 2);
  expect(tensordot(a, b, 1), {2, 2}, {10, 13, 28, 40});
  expect(tensordot(a, a), {}, {55});
  expect(tensordot(a, b, 0), {2, 3, 3, 2}, values(outer(a, b)));
  expect(tensordot(a, b, {{0}, {1}}), {3, 3}, {3, 9, 15, 4, 14, 24, 5, 19, 33});
  expect(tensordot(a, b, {{1, 0}, {0, -1}}), {}, {values(sum(a * b.T()))});
  expect(inner(a, a), {2, 2}, {5, 14, 14, 50});
  expect(inner(arange(3), arange(3)), {}, {5});
  expect(inner(a, Tensor(2.0)), {2, 3}, {0, 2, 4, 6, 8, 10});
  expect(vecdot(a, a), {2}, {5, 50});
  expect(vecdot(a, a, 0), {3}, {9, 17, 29});
  expect(vecdot(a, arange(3)), {2}, {5, 14});
}

TEST(Products, OfVectorsOfThree) {
  const Tensor x = rows({{1, 0, 0}, {1, 2, 3}}), y = rows({{0, 1, 0}, {4, 5, 6}});
  expect(cross(x, y), {2, 3}, {0, 0, 1, -3, 6, -3});
  expect(cross(x.T(), y.T(), 0), {3, 2}, {0, -3, 0, 6, 1, -3});
  EXPECT_EQ(plan_of(cross(host_leaf({5, 3}), host_leaf({3}))).steps.size(), 1U);
}

TEST(Products, OfManyMatrices) {
  const Tensor x = rows({{1, 1}, {0, 1}});
  expect(linalg::matrix_power(x, 0), {2, 2}, {1, 0, 0, 1});
  expect(linalg::matrix_power(x, 1), {2, 2}, {1, 1, 0, 1});
  expect(linalg::matrix_power(x, 13), {2, 2}, {1, 13, 0, 1});
  EXPECT_EQ(plan_of(linalg::matrix_power(host_leaf({8, 8}), 8)).steps.size(), 3U);
  const Tensor a = grid(2, 3), b = grid(3, 2), v = arange(2).astype(float32);
  expect(linalg::multi_dot({a, b, v}), {2}, {13, 40});
  expect(linalg::multi_dot({v, a, b, v}), {}, {40});
  const auto made = [](std::int64_t rows, std::int64_t columns) {
    return host_leaf({rows, columns});
  };
  const Tensor left = linalg::multi_dot({made(10, 1000), made(1000, 10), made(10, 1000)});
  const Tensor right = matmul(matmul(made(10, 1000), made(1000, 10)), made(10, 1000));
  EXPECT_EQ(multiply_adds(plan_of(left)), multiply_adds(plan_of(right)));
}

TEST(Products, NameWhatIsWrong) {
  const Tensor a = grid(2, 3), b = grid(3, 2);
  EXPECT_EQ(error_of([&] { return einsum("ij,jk", {a}); }),
            "trigon::einsum: number of operands differs: the subscripts name 2, 1 are given: "
            "\"ij,jk\"; each needs its letters");
  EXPECT_EQ(error_of([&] { return einsum("ijk", {a}); }),
            "trigon::einsum: number of axes differs: operand 0 is (2, 3), its letters are \"ijk\": "
            "\"ijk\"; each axis needs one");
  EXPECT_EQ(error_of([&] { return einsum("...ijk", {a}); }),
            "trigon::einsum: number of axes differs: operand 0 is (2, 3), its letters are "
            "\"...ijk\": \"...ijk\"; each axis needs one");
  EXPECT_EQ(error_of([&] { return einsum("i1", {a}); }),
            "trigon::einsum: unexpected '1': \"i1\"; axes are letters, and \"...\" may stand once");
  EXPECT_EQ(error_of([&] { return einsum("ij->i->j", {a}); }),
            "trigon::einsum: unexpected '-': \"ij->i->j\"; axes are letters, and \"...\" may stand "
            "once");
  EXPECT_EQ(
      error_of([&] { return einsum("ij->ii", {a}); }),
      "trigon::einsum: 'i' stands twice in the result: \"ij->ii\"; each letter may stand once");
  EXPECT_EQ(error_of([&] { return einsum("ij->ik", {a}); }),
            "trigon::einsum: 'k' is in the result alone: \"ij->ik\"; it must be in an operand");
  EXPECT_EQ(error_of([&] {
              return einsum("ij,jk", {a, a});
            }),
            "trigon::einsum: sizes differ: 'j' is 3 and, in operand 1, 2; \"ij,jk\" makes them one "
            "index");
  EXPECT_EQ(error_of([&] {
              return einsum("abcde,fghij", {zeros({1, 1, 1, 1, 1}), zeros({1, 1, 1, 1, 1})});
            }),
            "trigon::einsum: too many axes: a product has 10; at most 8");
  EXPECT_EQ(error_of([&] { return tensordot(a, b, 3); }),
            "trigon::tensordot: too few axes: a is (2, 3), b is (3, 2); both must have 3");
  EXPECT_EQ(
      error_of([&] {
        return tensordot(a, a, {{0}, {1}});
      }),
      "trigon::tensordot: sizes differ: axis 0 of a, (2, 3), is 2, axis 1 of b, (2, 3), is 3; "
      "must be equal");
  EXPECT_EQ(error_of([&] {
              return tensordot(a, b, {{0, 0}, {1, 0}});
            }),
            "trigon::tensordot: an axis occurs twice: 0 of a, 0 of b; each may occur once");
  EXPECT_EQ(error_of([&] { return inner(a, b); }),
            "trigon::inner: last sizes differ: a is (2, 3), b is (3, 2); must be equal");
  EXPECT_EQ(error_of([&] { return vecdot(a, b); }),
            "trigon::vecdot: sizes differ along axis -1: a is (2, 3), b is (3, 2); must be equal");
  EXPECT_EQ(error_of([&] { return cross(a, b); }),
            "trigon::cross: not of three elements along axis -1: a is (2, 3), b is (3, 2); must be "
            "vectors of three");
  EXPECT_EQ(
      error_of([&] { return linalg::matrix_power(a, 2); }),
      "trigon::linalg::matrix_power: not square: x is (2, 3); the last two axes must be equal");
  EXPECT_EQ(error_of([&] {
              return linalg::matrix_power(ones({2, 2}, int32), 2);
            }),
            "trigon::linalg::matrix_power: x is not a float: it is int32; cast with astype");
  EXPECT_EQ(error_of([&] { return tensordot(a, b, -1); }),
            "trigon::tensordot: negative number of axes: -1; must be 0 or more");
  EXPECT_EQ(error_of([&] { return linalg::multi_dot({a}); }),
            "trigon::linalg::multi_dot: too few matrices: 1; needs two or more");
}

}  // namespace
}  // namespace trigon

// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <trigon/trigon.hpp>

#include "graph_values.hpp"

// Wrong arguments throw at the call, and the text says what is wrong.

namespace trigon {
namespace {

struct BadCall {
  std::function<void()> call;
  std::string text;
};

void expect_texts(const std::vector<BadCall>& calls) {
  for (const BadCall& one : calls) EXPECT_EQ(error_of(one.call), "trigon::" + one.text);
}

TEST(BadInput, TypesOfNoValue) {
  const std::string text = " refers to no value; assign a tensor first";
  expect_texts({
      {[] { can_cast(Tensor(), int32); }, "can_cast: empty handle: from" + text},
      {[] { result_type(Tensor(), 1); }, "result_type: empty handle: an operand" + text},
  });
}

TEST(BadInput, EmptyHandles) {
  const std::string rule = " no value; assign a tensor first";
  expect_texts({
      {[] { Tensor().dtype(); }, "Tensor::dtype: empty handle: it refers to" + rule},
      {[] { LoopBound{Tensor()}; }, "fori_loop: empty handle: a bound refers to" + rule},
  });
}

TEST(BadInput, NumbersOfOperands) {
  const std::vector<Tensor> none, many(9, full({2}, 1));
  const std::vector<float> two = {1, 2};
  const Tensor a = full({2, 3}, 1), v = full({3}, 1);
  expect_texts({
      {[&] { concatenate(none); }, "concatenate: no parts: 0 given; needs at least one"},
      {[&] { stack(none); }, "stack: no parts: 0 given; needs at least one"},
      {[&] { meshgrid(many); }, "meshgrid: too many vectors: 9; at most 8"},
      {[&] { tensor<float>(two, {3}); },
       "tensor: number of values differs: 2 values, shape is (3,); must be 3"},
      {[&] {
         tensordot(a, a, {{0, 1}, {0}});
       },
       "tensordot: numbers of axes differ: 2 of a, 1 of b; each needs one of the other"},
      {[&] {
         pad(a, {{1, 1}});
       },
       "pad: number of widths differs: 1 widths, x is (2, 3); every axis needs one"},
      {[&] {
         linalg::multi_dot({a, v, v});
       },
       "linalg::multi_dot: x 1 is not a matrix: it is (3,); only the first and the last may be "
       "vectors"},
      {[&] {
         dot(a, full({2, 3, 2}, 1));
       },
       "dot: too many axes: a is (2, 3), b is (2, 3, 2); b must be a vector or a matrix\n"
       "  hint: matmul takes stacks of matrices"},
      {[&] { nn::embedding(full({2}, 1, int32), v); },
       "nn::embedding: weight is not a matrix: weight is (3,); must be (V, C)"},
      {[&] { tril(v); }, "tril: too few axes: x is (3,); must have two or more"},
      {[&] { transpose(a, {0}); },
       "transpose: number of axes differs: x is (2, 3), axes are (0); every axis must occur "
       "once"},
      {[&] { nn::linear(v, a.T()); },
       "nn::linear: inner sizes differ: x is (3,), weight is (3, 2); must be (..., K) and (N, K)"},
      {[&] { nn::layer_norm(full({}, 1), v, v); },
       "nn::layer_norm: x is a scalar: x is (); must have an axis"},
      {[&] { nn::cross_entropy(full({}, 1), full({}, 1, int32)); },
       "nn::cross_entropy: logits are a scalar: (); must have an axis of classes"},
  });
}

TEST(BadInput, SizesPastTheLargest) {
  const std::int64_t large = std::int64_t{1} << 40;
  const Tensor x = zeros({0, large});
  const std::string sizes = ": size too large: axis 1 of (0, 1099511627776), 1099511627776 times";
  expect_texts({
      {[&] { repeat(x, large, 1); }, "repeat" + sizes + "; must stay below 2^63"},
      {[&] { tile(x, {large}); }, "tile" + sizes + "; must stay below 2^63"},
      {[&] { kron(x, x); },
       "kron: size too large: axis 1 of (0, 1099511627776) and (0, 1099511627776); must stay "
       "below 2^63"},
      {[&] { diag(full({large}, 1), std::numeric_limits<std::int64_t>::max()); },
       "diag: offset too large: k is 9223372036854775807, x is (1099511627776,); sizes must stay "
       "below 2^63"},
  });
  EXPECT_EQ(diagonal(full({3, 4}, 1), std::numeric_limits<std::int64_t>::min()).shape(), Shape{0});
  const Tensor y = zeros({large, large, 0, 1, 1, 1, 1, 1});
  EXPECT_NE(error_of([&] { sum(y, {2, 3}); }).find("too many elements"), std::string::npos);
  EXPECT_NE(error_of([&] { argmax(y); }), "");
  EXPECT_EQ(repeat(y, 2, 7).shape(), (Shape{large, large, 0, 1, 1, 1, 1, 2}));
}

TEST(BadInput, Counts) {
  const std::string range = "; must be in [0, 2147483647]";
  expect_texts({
      {[] { iota(-1); }, "iota: number of elements out of range: -1" + range},
      {[] { arange(3'000'000'000); },
       "arange: number of elements out of range: 3000000000" + range},
      {[] { arange(0.0, 1.0, std::nan("")); },
       "arange: number of elements out of range: nan" + range},
      {[] { arange(0.0, 1.0, 0.0); }, "arange: step is zero: step is 0; must not be 0"},
      {[] { arange(0, 4, 3'000'000'000); },
       "arange: number out of range: 3000000000 as int32; must be in [-2147483648, 2147483647]"},
      {[] { linspace(0, 1, -1); }, "linspace: number of elements out of range: -1" + range},
      {[] { logspace(0, 1, -1); }, "logspace: number of elements out of range: -1" + range},
      {[] { eye(-1); }, "eye: negative size: shape is (-1, -1); every size must be 0 or more"},
      {[] { eye(2, -3); }, "eye: negative size: shape is (2, -3); every size must be 0 or more"},
      {[] {
         indices({1, 1, 1, 1, 1, 1, 1, 1});
       },
       "indices: too many axes: rank is 9; must be at most 8"},
      {[] {
         nn::one_hot(leaf({1, 1, 1, 1, 1, 1, 1, 1}, int32), 2);
       },
       "nn::one_hot: too many axes: rank is 9; must be at most 8"},
      {[] {
         zeros({2, -1});
       },
       "Shape: negative size: shape is (2, -1); every size must be 0 or more"},
      {[] { indices({-1}); }, "Shape: negative size: shape is (-1,); every size must be 0 or more"},
      {[] {
         reshape(leaf({6}), {-2, 3});
       },
       "reshape: negative size: shape is (-2, 3); every size must be 0 or more"},
      {[] { array_split(leaf({4}), std::numeric_limits<std::int64_t>::max()); },
       "array_split: too many sections: 9223372036854775807; must be at most 1048576"},
      {[] { split(leaf({0}), 2147483647); },
       "split: too many sections: 2147483647; must be at most 1048576"},
      {[] { random::split(1, 2147483647); },
       "random::split: too many keys: 2147483647; must be at most 1048576"},
      {[] { array_split(leaf({4}), -2); }, "array_split: too few sections: -2; must be 1 or more"},
      {[] { split(leaf({4}), 0); },
       "split: no equal parts: 0 sections, axis 0 has size 4; the size must be a multiple of the "
       "sections"},
      {[] { split(leaf({4}), -2); },
       "split: no equal parts: -2 sections, axis 0 has size 4; the size must be a multiple of the "
       "sections"},
      {[] {
         tile(leaf({2}), {2, -1});
       },
       "tile: negative count: -1; must be 0 or more"},
      {[] {
         repeat(leaf({2, 2}), -1, 1);
       },
       "repeat: negative count: -1; must be 0 or more"},
      {[] {
         linalg::matrix_power(leaf({2, 2}), -1);
       },
       "linalg::matrix_power: negative power: -1; must be 0 or more"},
  });
}

// Which a cast would make -1: of an unsigned n that is 0, they are n - 1.
TEST(BadInput, UnsignedNumbersThatInt64CannotHold) {
  const std::string refused =
      ": integer out of range: value is 18446744073709551615; int64 holds integers in "
      "[-9223372036854775808, 9223372036854775807]";
  const std::size_t n = 0;
  Tensor x = leaf({4});
  const auto body = [](const Tensor&, Tensor y) { return y; };
  expect_texts({
      {[&] { x[n - 1]; }, "index" + refused},
      {[&] { x(n - 1) = 5; }, "index" + refused},
      {[&] { x.at(n - 1); }, "index" + refused},
      {[&] {
         x[Slice{0, n - 1}];
       },
       "index" + refused},
      {[&] {
         x[Slice{n - 1, {}}];
       },
       "index" + refused},
      {[&] { arange(n - 1); }, "arange" + refused},
      {[&] { arange(0, 5, n - 1); }, "arange" + refused},
      {[&] { x.reshape(n - 1); }, "reshape" + refused},
      {[&] { reshape(x, std::vector<std::size_t>{n - 1}); }, "reshape" + refused},
      {[&] { zeros(std::vector<std::size_t>{n - 1}); }, "Shape" + refused},
      {[&] { fori_loop(n - 1, 1, body, x); }, "fori_loop" + refused},
      {[&] { fori_loop(0, n - 1, body, x); }, "fori_loop" + refused},
      {[&] { sum(x, std::int64_t{1} << 32); },
       "Axes: integer out of range: value is 4294967296; int32 holds integers in [-2147483648, "
       "2147483647]"},
      {[&] { x[std::uint64_t{1} << 62]; },
       "index: index out of range: index is 4611686018427387904, axis 0 has size 4; must be in "
       "[-4, 4)"},
  });
}

TEST(GoodInput, IntegersOfAllTypes) {
  const Tensor x = leaf({4, 6});
  const std::size_t one = 1;
  const std::optional<std::int64_t> none;
  const std::optional<std::size_t> some = 1;
  enum { two = 2 };
  EXPECT_EQ(x[one].shape(), Shape{6});
  EXPECT_EQ(x[static_cast<unsigned char>(1)].shape(), Shape{6});
  EXPECT_EQ((x[Slice{one, 3U}].shape()), (Shape{2, 6}));
  EXPECT_EQ((x[Slice{two, {}}].shape()), (Shape{2, 6}));
  EXPECT_EQ((x[Slice{none, std::nullopt, -1}].shape()), (Shape{4, 6}));
  EXPECT_EQ((x[Slice{some, none}].shape()), (Shape{3, 6}));
  EXPECT_EQ(x[Slice{.stop = one}].shape(), (Shape{1, 6}));
  EXPECT_EQ(x.reshape(one, -1).shape(), (Shape{1, 24}));
  EXPECT_EQ(x.reshape(two, 12).shape(), (Shape{2, 12}));
  EXPECT_EQ(arange(one, 5ULL).shape(), Shape{4});
  EXPECT_EQ(sum(x, one).shape(), Shape{4});
}

TEST(BadInput, AxesGivenTwice) {
  const Tensor x = leaf({2, 1, 3});
  const auto twice = [](const std::string& name, const std::string& axes) {
    return name + ": axis given twice: axes are (" + axes + "); each may occur once";
  };
  expect_texts({
      {[&] {
         mean(x, {1, 1});
       },
       twice("mean", "1, 1")},
      {[&] {
         var(x, {0, -3});
       },
       twice("var", "0, -3")},
      {[&] {
         any(x, {2, 2});
       },
       twice("any", "2, 2")},
      {[&] {
         logsumexp(x, {2, -1});
       },
       twice("logsumexp", "2, -1")},
      {[&] {
         squeeze(x, {1, -2});
       },
       twice("squeeze", "1, -2")},
      {[&] {
         flip(x, {0, 0});
       },
       twice("flip", "0, 0")},
      {[&] {
         transpose(x, {0, 1, 1});
       },
       twice("transpose", "0, 1, 1")},
      {[&] {
         rot90(x, 1, {0, -3});
       },
       "rot90: axes are the same: 0 and -3; must differ"},
      {[&] { trace(x, 0, 1, -2); }, "trace: axis given twice: axes are (1, -2); must differ"},
  });
}

TEST(BadInput, Axes) {
  const Tensor x = leaf({2, 3});
  const std::string rule = ", rank is 2; must be in [-2, 2)";
  expect_texts({
      {[&] { mean(x, 2); }, "mean: axis out of range: axis is 2" + rule},
      {[&] { mean(x, -3); }, "mean: axis out of range: axis is -3" + rule},
      {[&] {
         sum(x, {0, 7});
       },
       "sum: axis out of range: axis is 7" + rule},
      {[&] { nn::softmax(x, 2); }, "nn::softmax: axis out of range: axis is 2" + rule},
      {[&] { expand_dims(x, -4); },
       "expand_dims: axis out of range: axis is -4, rank is 3; must be in [-3, 3)"},
      {[&] {
         vstack({x, leaf({4})});
       },
       "vstack: shapes differ: part 0 is (2, 3), part 1 is (1, 4); all must be equal but along "
       "axis 0"},
      {[&] { mean(leaf({}), 0); },
       "mean: axis out of range: axis is 0, rank is 0; must be in [0, 0)"},
  });
}

TEST(BadInput, Shapes) {
  const Tensor x = leaf({2, 3}), y = leaf({4});
  const std::string rule = "; axes must be equal or 1, counted from the last";
  expect_texts({
      {[&] { x + y; }, "add: shapes do not broadcast: a is (2, 3), b is (4,)" + rule},
      {[&] {
         where(leaf({2, 3}, boolean), 0.0, y);
       },
       "where: shapes do not broadcast: a is (2, 3), b is (), c is (4,)" + rule},
      {[&] { isclose(x, y); }, "isclose: shapes do not broadcast: a is (2, 3), b is (4,)" + rule},
      {[&] { heaviside(x, y); },
       "heaviside: shapes do not broadcast: x is (2, 3), at_zero is (4,)" + rule},
      {[&] { xlogy(x, y); }, "xlogy: shapes do not broadcast: x is (2, 3), y is (4,)" + rule},
      {[&] { divmod(x, y); }, "divmod: shapes do not broadcast: a is (2, 3), b is (4,)" + rule},
      {[&] { nn::mse_loss(x, y); },
       "nn::mse_loss: shapes do not broadcast: x is (2, 3), target is (4,)" + rule},
      {[&] {
         broadcast_arrays({leaf({3}), x, y});
       },
       "broadcast_arrays: shapes do not broadcast: x 2 is (4,), those before it give (2, 3)" +
           rule},
      {[&] {
         vecdot(leaf({3, 2}), leaf({3, 4}), 0);
       },
       "vecdot: shapes do not broadcast: a is (3, 2), b is (3, 4); axes but that of the vectors "
       "must be equal or 1, counted from the last"},
      {[&] {
         matmul(leaf({2, 3, 4}), leaf({3, 4, 5}));
       },
       "matmul: shapes do not broadcast: a is (2, 3, 4), b is (3, 4, 5); axes but the last two "
       "must be equal or 1, counted from the last"},
      {[&] {
         linalg::multi_dot({x, leaf({3, 4}), x});
       },
       "linalg::multi_dot: inner sizes differ: x 1 is (3, 4), x 2 is (2, 3); the columns of one "
       "must be as many as the rows of the next"},
      {[&] {
         nn::scaled_dot_product_attention(leaf({2, 5, 4}), leaf({3, 5, 4}), leaf({5, 4}));
       },
       "nn::scaled_dot_product_attention: shapes do not fit: q is (2, 5, 4), k is (3, 5, 4), v is "
       "(5, 4); must be (..., T, D), (..., S, D), (..., S, Dv), and the leading axes must "
       "broadcast"},
      {[&] {
         nn::linear(x, leaf({4, 3}), leaf({3}));
       },
       "nn::linear: bias does not fit: bias is (3,), weight is (4, 3); must be (4,)"},
      {[&] {
         nn::embedding(leaf({2}, int32), leaf({0, 3}));
       },
       "nn::embedding: no rows: weight is (0, 3); V must be 1 or more"},
      {[&] { leaf({2}).shape()[1]; },
       "Shape::operator[]: axis out of range: axis is 1, shape is (2,) of rank 1; must be in [-1, "
       "1)"},
  });
}

TEST(BadInput, Dtypes) {
  const Tensor i = leaf({2, 3}, int32), x = leaf({2, 3});
  expect_texts({
      {[&] { nn::linear(x, i); },
       "nn::linear: weight is not a float: it is int32; cast with astype"},
      {[&] { nn::scaled_dot_product_attention(x, x, i); },
       "nn::scaled_dot_product_attention: v is not a float: it is int32; cast with astype"},
      {[&] { nn::embedding(x, x); },
       "nn::embedding: ids are not integers: they are float32; cast with astype"},
      {[&] { dot(leaf({2}), leaf({2}, int32)); },
       "dot: operands must be float32 or float16: a is float32, b is int32; cast with astype"},
  });
}

TEST(BadInput, Indices) {
  const Tensor x = leaf({3, 4});
  expect_texts({
      {[&] { x[-4]; },
       "index: index out of range: index is -4, axis 0 has size 3; must be in [-3, 3)"},
      {[&] { x.at(0, 4).set(1); },
       "set: index out of range: index is 4, axis 1 has size 4; must be in [-4, 4)"},
      {[&] { x.at(3).add(1); },
       "add: index out of range: index is 3, axis 0 has size 3; must be in [-3, 3)"},
      {[&] {
         x.at(Window{Scalar(0), -1}).get();
       },
       "index: window does not fit: size is -1, axis 0 has size 3; must be in [0, 3]"},
      {[&] {
         x.at(Slice{0, 2, 0}).set(1);
       },
       "set: slice step is zero: axis is 0; must not be 0"},
      {[&] { leaf({2}).item(); },
       "Tensor::item: item of 2 elements: shape is (2,); size must be 1"},
  });
}

TEST(BadInput, Einsum) {
  const Tensor a = leaf({2, 3}), v = leaf({3});
  const std::string letters = "; axes are letters, and \"...\" may stand once";
  const auto bad = [](const std::string& text, std::vector<Tensor> xs, const std::string& what) {
    return BadCall{[text, xs = std::move(xs)] { einsum(text, xs); }, "einsum: " + what};
  };
  expect_texts({
      bad("", {}, "no operands: 0 given; needs at least one"),
      bad("", {a},
          "number of axes differs: operand 0 is (2, 3), its letters are \"\": \"\"; each axis "
          "needs one"),
      bad("i", {a},
          "number of axes differs: operand 0 is (2, 3), its letters are \"i\": \"i\"; each axis "
          "needs one"),
      bad("ij", {a, a},
          "number of operands differs: the subscripts name 1, 2 are given: \"ij\"; each needs its "
          "letters"),
      bad("ij,", {a},
          "number of operands differs: the subscripts name 2, 1 are given: \"ij,\"; each needs its "
          "letters"),
      bad("ij,", {a, v},
          "number of axes differs: operand 1 is (3,), its letters are \"\": \"ij,\"; each axis "
          "needs one"),
      bad("i.j", {a}, "unexpected '.': \"i.j\"" + letters),
      bad("i..j", {a}, "unexpected '.': \"i..j\"" + letters),
      bad("......", {a}, "unexpected '.': \"......\"" + letters),
      bad("...i...", {a}, "unexpected '.': \"...i...\"" + letters),
      bad("i-j", {a}, "unexpected '-': \"i-j\"" + letters),
      bad("ij-", {a}, "unexpected '-': \"ij-\"" + letters),
      bad("ij>i", {a}, "unexpected '>': \"ij>i\"" + letters),
      bad("ij->i>", {a}, "unexpected '>': \"ij->i>\"" + letters),
      bad("ij->i,j", {a}, "unexpected ',': \"ij->i,j\"" + letters),
      bad("ij->i..", {a}, "unexpected '.': \"ij->i..\"" + letters),
      bad("i*", {a}, "unexpected '*': \"i*\"" + letters),
      bad("ij->ji i", {a},
          "'i' stands twice in the result: \"ij->ji i\"; each letter may stand once"),
      bad("ij->k", {a}, "'k' is in the result alone: \"ij->k\"; it must be in an operand"),
      bad("ii", {a}, "sizes differ: 'i' is 2 and, in operand 0, 3; \"ii\" makes them one index"),
      bad("...,...", {a, leaf({4})},
          "sizes differ: an axis of \"...\" is 3 and, in operand 1, 4; \"...,...\" makes them one "
          "index"),
  });
}

}  // namespace
}  // namespace trigon

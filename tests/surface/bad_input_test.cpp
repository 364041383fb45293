// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <array>
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

#include "core/internals.hpp"
#include "graph/trace.hpp"
#include "support/graph_values.hpp"

// Wrong arguments throw at the call, and the text names the fault.

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
      {[] { return can_cast(Tensor(), int32); }, "can_cast: empty handle: from" + text},
      {[] { return result_type(Tensor(), 1); }, "result_type: empty handle: an operand" + text},
  });
}

TEST(BadInput, EmptyHandles) {
  const std::string rule = " no value; assign a tensor first";
  expect_texts({
      {[] { return Tensor().dtype(); }, "Tensor::dtype: empty handle: it refers to" + rule},
      {[] { return LoopBound{Tensor()}; }, "fori_loop: empty handle: a bound refers to" + rule},
  });
}

TEST(BadInput, NumbersOfOperands) {
  const std::vector<Tensor> none, many(9, full({2}, 1));
  const std::vector<float> two = {1, 2};
  const Tensor a = full({2, 3}, 1), v = full({3}, 1);
  expect_texts({
      {[&] { return concatenate(none); }, "concatenate: no parts: 0 given; needs at least one"},
      {[&] { return stack(none); }, "stack: no parts: 0 given; needs at least one"},
      {[&] { return meshgrid(many); }, "meshgrid: too many vectors: 9; at most 8"},
      {[&] { return tensor<float>(two, {3}); },
       "tensor: number of values differs: 2 values, shape is (3,); must be 3"},
      {[&] {
         return tensordot(a, a, {{0, 1}, {0}});
       },
       "tensordot: numbers of axes differ: 2 of a, 1 of b; each needs one of the other"},
      {[&] {
         return pad(a, {{1, 1}, {1, 1}, {1, 1}});
       },
       "pad: number of widths differs: 3 widths, x is (2, 3); every axis needs one, or one is for "
       "all"},
      {[&] {
         return linalg::multi_dot({a, v, v});
       },
       "linalg::multi_dot: x 1 is not a matrix: it is (3,); only the first and the last may be "
       "vectors"},
      {[&] {
         return dot(a, full({2, 3, 2}, 1));
       },
       "dot: too many axes: a is (2, 3), b is (2, 3, 2); b must be a vector or a matrix\n"
       "  hint: matmul takes stacks of matrices"},
      {[&] { return nn::embedding(full({2}, 1, int32), v); },
       "nn::embedding: weight is not a matrix: weight is (3,); must be (V, C)"},
      {[&] { return tril(v); }, "tril: too few axes: x is (3,); must have two or more"},
      {[&] { return transpose(a, {0}); },
       "transpose: number of axes differs: x is (2, 3), axes are (0); every axis must occur "
       "once"},
      {[&] { return nn::linear(v, a.T()); },
       "nn::linear: inner sizes differ: x is (3,), weight is (3, 2); must be (..., K) and (N, K)"},
      {[&] { return nn::layer_norm(full({}, 1), v, v); },
       "nn::layer_norm: x is a scalar: x is (); must have an axis"},
      {[&] { return nn::cross_entropy(full({}, 1), full({}, 1, int32)); },
       "nn::cross_entropy: logits are a scalar: (); must have an axis of classes"},
  });
}

TEST(BadInput, SizesPastTheLargest) {
  const std::int64_t large = std::int64_t{1} << 40;
  const Tensor x = zeros({0, large});
  const std::string sizes = ": size too large: axis 1 of (0, 1099511627776), 1099511627776 times";
  expect_texts({
      {[&] { return repeat(x, large, 1); }, "repeat" + sizes + "; must stay below 2^63"},
      {[&] { return tile(x, {large}); }, "tile" + sizes + "; must stay below 2^63"},
      {[&] { return kron(x, x); },
       "kron: size too large: axis 1 of (0, 1099511627776) and (0, 1099511627776); must stay "
       "below 2^63"},
      {[&] { return diag(full({large}, 1), std::numeric_limits<std::int64_t>::max()); },
       "diag: offset too large: k is 9223372036854775807, x is (1099511627776,); sizes must stay "
       "below 2^63"},
  });
  EXPECT_EQ(diagonal(full({3, 4}, 1), std::numeric_limits<std::int64_t>::min()).shape(), Shape{0});
  const Tensor y = zeros({large, large, 0, 1, 1, 1, 1, 1});
  EXPECT_NE(error_of([&] { return sum(y, {2, 3}); }).find("too many elements"), std::string::npos);
  EXPECT_NE(error_of([&] { return argmax(y); }), "");
  EXPECT_EQ(repeat(y, 2, 7).shape(), (Shape{large, large, 0, 1, 1, 1, 1, 2}));
}

TEST(BadInput, Counts) {
  const std::string range = "; must be in [0, 2147483647]";
  expect_texts({
      {[] { return iota(-1); }, "iota: number of elements out of range: -1" + range},
      {[] { return full({2}, 300, uint8); },
       "full: number out of range: 300 as uint8; must be in [0, 255]"},
      {[] { return arange(3'000'000'000); },
       "arange: number of elements out of range: 3000000000" + range},
      {[] { return arange(0.0, 1.0, std::nan("")); },
       "arange: number of elements out of range: nan" + range},
      {[] { return arange(0.0, 1.0, 0.0); }, "arange: step is zero: step is 0; must not be 0"},
      {[] { return arange(0, 4, 3'000'000'000); },
       "arange: number out of range: 3000000000 as int32; must be in [-2147483648, 2147483647]"},
      {[] { return linspace(0, 1, -1); }, "linspace: number of elements out of range: -1" + range},
      {[] { return logspace(0, 1, -1); }, "logspace: number of elements out of range: -1" + range},
      {[] { return eye(-1); },
       "eye: negative size: shape is (-1, -1); every size must be 0 or more"},
      {[] { return eye(2, -3); },
       "eye: negative size: shape is (2, -3); every size must be 0 or more"},
      {[] {
         return indices({1, 1, 1, 1, 1, 1, 1, 1});
       },
       "indices: too many axes: rank is 9; must be at most 8"},
      {[] {
         return nn::one_hot(leaf({1, 1, 1, 1, 1, 1, 1, 1}, int32), 2);
       },
       "nn::one_hot: too many axes: rank is 9; must be at most 8"},
      {[] {
         return zeros({2, -1});
       },
       "Shape: negative size: shape is (2, -1); every size must be 0 or more"},
      {[] { return indices({-1}); },
       "Shape: negative size: shape is (-1,); every size must be 0 or more"},
      {[] {
         return reshape(leaf({6}), {-2, 3});
       },
       "reshape: negative size: shape is (-2, 3); every size must be 0 or more"},
      {[] { return array_split(leaf({4}), std::numeric_limits<std::int64_t>::max()); },
       "array_split: too many sections: 9223372036854775807; must be at most 1048576"},
      {[] { return split(leaf({0}), 2147483647); },
       "split: too many sections: 2147483647; must be at most 1048576"},
      {[] { return random::split(1, 2147483647); },
       "random::split: too many keys: 2147483647; must be at most 1048576"},
      {[] { return array_split(leaf({4}), -2); },
       "array_split: too few sections: -2; must be 1 or more"},
      {[] { return split(leaf({4}), 0); },
       "split: no equal parts: 0 sections, axis 0 has size 4; the size must be a multiple of the "
       "sections"},
      {[] { return split(leaf({4}), -2); },
       "split: no equal parts: -2 sections, axis 0 has size 4; the size must be a multiple of the "
       "sections"},
      {[] {
         return tile(leaf({2}), {2, -1});
       },
       "tile: negative count: -1; must be 0 or more"},
      {[] {
         return repeat(leaf({2, 2}), -1, 1);
       },
       "repeat: negative count: -1; must be 0 or more"},
      {[] {
         return linalg::matrix_power(leaf({2, 2}), -1);
       },
       "linalg::matrix_power: negative power: -1; must be 0 or more"},
  });
}

// NumPy raises for these as well. The values of a tensor exponent are only known to a reader.
TEST(BadInput, NegativePowersOfIntegers) {
  const Tensor x = leaf({2}, int32);
  const auto text = [](const std::string& function, const std::string& values) {
    return function + ": integers to negative integer powers are not allowed: " + values +
           "; cast a to float32 with astype";
  };
  const std::string ones = text("power", "a is int32, b is -1");
  expect_texts({
      {[&] { return power(x, -1); }, ones},
      {[&] { return pow(x, -1); }, ones},
      {[&] { return pow(x, Scalar(-1)); }, ones},
      {[&] { return pow(x, full({2}, -1, int32)); }, ones},
      {[&] { return pow(Tensor(2), -3); }, text("power", "a is int32, b is -3")},
      {[&] { return pow(leaf({2}, uint8), -2); }, text("power", "a is uint8, b is -2")},
      {[&] { return pow(leaf({2}, boolean), -2); }, text("power", "a is bool, b is -2")},
  });
  EXPECT_EQ(error_of([&] { return power(leaf({2}, uint32), ~std::uint64_t{0}); }),
            "trigon::power: number out of range: 1.8446744073709552e+19 as uint32; must be in [0, "
            "4294967295]");
  for (const Tensor& y : {pow(x, 2), pow(x, 0), pow(x, leaf({2}, int32)), pow(x, -1.0),
                          pow(leaf({2}), -1), pow(leaf({2}), Scalar(-1))}) {
    EXPECT_EQ(y.shape(), (Shape{2}));
  }
}

TEST(BadInput, NegativePowersOfIntegersInACompiledFunction) {
  graph::Trace trace;
  const Scalar exponent = detail::Internals::scalar(trace.add_argument(0, 2, int32));
  const Tensor y = pow(leaf({2}, int32), exponent);
  trace.stop();
  const std::array<double, 1> fine{3}, wrong{-2};
  EXPECT_EQ(error_of([&] { return trace.program().run(fine); }), "no error");
  EXPECT_EQ(error_of([&] { return trace.program().run(wrong); }),
            "trigon::power: integers to negative integer powers are not allowed: a is int32, b is "
            "-2; cast a to float32 with astype");
}

// A cast would make these -1; they are n - 1 for an unsigned n = 0.
TEST(BadInput, UnsignedNumbersThatInt64CannotHold) {
  const std::string refused =
      ": integer out of range: value is 18446744073709551615; int64 holds integers in "
      "[-9223372036854775808, 9223372036854775807]";
  const std::size_t n = 0;
  Tensor x = leaf({4});
  const auto body = [](const Tensor&, Tensor y) { return y; };
  expect_texts({
      {[&] { return x[n - 1]; }, "index" + refused},
      {[&] { x(n - 1) = 5; }, "index" + refused},
      {[&] { return x.at(n - 1); }, "index" + refused},
      {[&] {
         return x[Slice{0, n - 1}];
       },
       "index" + refused},
      {[&] {
         return x[Slice{n - 1, {}}];
       },
       "index" + refused},
      {[&] { return arange(n - 1); }, "arange" + refused},
      {[&] { return arange(0, 5, n - 1); }, "arange" + refused},
      {[&] { return x.reshape(n - 1); }, "reshape" + refused},
      {[&] { return reshape(x, std::vector<std::size_t>{n - 1}); }, "reshape" + refused},
      {[&] { return zeros(std::vector<std::size_t>{n - 1}); }, "Shape" + refused},
      {[&] { return fori_loop(n - 1, 1, body, x); }, "fori_loop" + refused},
      {[&] { return fori_loop(0, n - 1, body, x); }, "fori_loop" + refused},
      {[&] { return sum(x, std::int64_t{1} << 32); },
       "Axes: integer out of range: value is 4294967296; int32 holds integers in [-2147483648, "
       "2147483647]"},
      {[&] { return x[std::uint64_t{1} << 62]; },
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
         return mean(x, {1, 1});
       },
       twice("mean", "1, 1")},
      {[&] {
         return var(x, {0, -3});
       },
       twice("var", "0, -3")},
      {[&] {
         return any(x, {2, 2});
       },
       twice("any", "2, 2")},
      {[&] {
         return logsumexp(x, {2, -1});
       },
       twice("logsumexp", "2, -1")},
      {[&] {
         return squeeze(x, {1, -2});
       },
       twice("squeeze", "1, -2")},
      {[&] {
         return flip(x, {0, 0});
       },
       twice("flip", "0, 0")},
      {[&] {
         return transpose(x, {0, 1, 1});
       },
       twice("transpose", "0, 1, 1")},
      {[&] {
         return rot90(x, 1, {0, -3});
       },
       "rot90: axes are the same: 0 and -3; must differ"},
      {[&] {
         return trace(x, 0, {1, -2});
       },
       "trace: axis given twice: axes are (1, -2); must differ"},
  });
}

TEST(BadInput, Axes) {
  const Tensor x = leaf({2, 3});
  const std::string rule = ", rank is 2; must be in [-2, 2)";
  expect_texts({
      {[&] { return mean(x, 2); }, "mean: axis out of range: axis is 2" + rule},
      {[&] { return mean(x, -3); }, "mean: axis out of range: axis is -3" + rule},
      {[&] {
         return sum(x, {0, 7});
       },
       "sum: axis out of range: axis is 7" + rule},
      {[&] { return nn::softmax(x, 2); }, "nn::softmax: axis out of range: axis is 2" + rule},
      {[&] { return expand_dims(x, -4); },
       "expand_dims: axis out of range: axis is -4, rank is 3; must be in [-3, 3)"},
      {[&] {
         return vstack({x, leaf({4})});
       },
       "vstack: shapes differ: part 0 is (2, 3), part 1 is (1, 4); all must be equal but along "
       "axis 0"},
      {[&] { return mean(leaf({}), 0); },
       "mean: axis out of range: axis is 0, rank is 0; must be in [0, 0)"},
  });
}

TEST(BadInput, Shapes) {
  const Tensor x = leaf({2, 3}), y = leaf({4});
  const std::string rule = "; axes must be equal or 1, counted from the last";
  expect_texts({
      {[&] { return x + y; }, "add: shapes do not broadcast: a is (2, 3), b is (4,)" + rule},
      {[&] {
         return where(leaf({2, 3}, boolean), 0.0, y);
       },
       "where: shapes do not broadcast: a is (2, 3), b is (), c is (4,)" + rule},
      {[&] { return isclose(x, y); },
       "isclose: shapes do not broadcast: a is (2, 3), b is (4,)" + rule},
      {[&] { return heaviside(x, y); },
       "heaviside: shapes do not broadcast: x is (2, 3), at_zero is (4,)" + rule},
      {[&] { return xlogy(x, y); },
       "xlogy: shapes do not broadcast: x is (2, 3), y is (4,)" + rule},
      {[&] { return divmod(x, y); },
       "divmod: shapes do not broadcast: a is (2, 3), b is (4,)" + rule},
      {[&] { return nn::mse_loss(x, y); },
       "nn::mse_loss: shapes do not broadcast: x is (2, 3), target is (4,)" + rule},
      {[&] {
         return broadcast_arrays({leaf({3}), x, y});
       },
       "broadcast_arrays: shapes do not broadcast: x 2 is (4,), those before it give (2, 3)" +
           rule},
      {[&] {
         return vecdot(leaf({3, 2}), leaf({3, 4}), 0);
       },
       "vecdot: shapes do not broadcast: a is (3, 2), b is (3, 4); axes but that of the vectors "
       "must be equal or 1, counted from the last"},
      {[&] {
         return matmul(leaf({2, 3, 4}), leaf({3, 4, 5}));
       },
       "matmul: shapes do not broadcast: a is (2, 3, 4), b is (3, 4, 5); axes but the last two "
       "must be equal or 1, counted from the last"},
      {[&] {
         return linalg::multi_dot({x, leaf({3, 4}), x});
       },
       "linalg::multi_dot: inner sizes differ: x 1 is (3, 4), x 2 is (2, 3); the columns of one "
       "must be as many as the rows of the next"},
      {[&] {
         return nn::scaled_dot_product_attention(leaf({2, 5, 4}), leaf({3, 5, 4}), leaf({5, 4}));
       },
       "nn::scaled_dot_product_attention: shapes do not fit: q is (2, 5, 4), k is (3, 5, 4), v is "
       "(5, 4); must be (..., T, D), (..., S, D), (..., S, Dv), and the leading axes must "
       "broadcast"},
      {[&] {
         return nn::linear(x, leaf({4, 3}), leaf({3}));
       },
       "nn::linear: bias does not fit: bias is (3,), weight is (4, 3); must be (4,)"},
      {[&] {
         return nn::embedding(leaf({2}, int32), leaf({0, 3}));
       },
       "nn::embedding: no rows: weight is (0, 3); V must be 1 or more"},
      {[&] { return leaf({2}).shape()[1]; },
       "Shape::operator[]: axis out of range: axis is 1, shape is (2,) of rank 1; must be in [-1, "
       "1)"},
  });
}

TEST(BadInput, Dtypes) {
  const Tensor i = leaf({2, 3}, int32), x = leaf({2, 3});
  expect_texts({
      {[&] { return nn::linear(x, i); },
       "nn::linear: weight is not a float: it is int32; cast with astype"},
      {[&] { return nn::scaled_dot_product_attention(x, x, i); },
       "nn::scaled_dot_product_attention: v is not a float: it is int32; cast with astype"},
      {[&] { return nn::embedding(x, x); },
       "nn::embedding: ids are not integers: they are float32; cast with astype"},
      {[&] { return dot(leaf({2}), leaf({2}, int32)); },
       "dot: operands must be float32 or float16: a is float32, b is int32; cast with astype"},
  });
}

TEST(BadInput, Indices) {
  const Tensor x = leaf({3, 4});
  expect_texts({
      {[&] { return x[-4]; },
       "index: index out of range: index is -4, axis 0 has size 3; must be in [-3, 3)"},
      {[&] { return x.at(0, 4).set(1); },
       "set: index out of range: index is 4, axis 1 has size 4; must be in [-4, 4)"},
      {[&] { return x.at(3).add(1); },
       "add: index out of range: index is 3, axis 0 has size 3; must be in [-3, 3)"},
      {[&] {
         return x.at(Window{Scalar(0), -1}).get();
       },
       "index: window does not fit: size is -1, axis 0 has size 3; must be in [0, 3]"},
      {[&] {
         return x.at(Slice{0, 2, 0}).set(1);
       },
       "set: slice step is zero: axis is 0; must not be 0"},
      {[&] { return leaf({2}).item(); },
       "Tensor::item: item of 2 elements: shape is (2,); size must be 1"},
  });
}

TEST(BadInput, Einsum) {
  const Tensor a = leaf({2, 3}), v = leaf({3});
  const std::string letters = "; axes are letters, and \"...\" may stand once";
  const auto bad = [](const std::string& text, std::vector<Tensor> xs, const std::string& what) {
    return BadCall{[text, xs = std::move(xs)] { return einsum(text, xs); }, "einsum: " + what};
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

// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <optional>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <trigon/fmt.hpp>
#include <trigon/trigon.hpp>

#include "core/internals.hpp"
#include "support/errors.hpp"
#include "support/on_profile.hpp"

// Making, printing, selecting from and reading tensors.

namespace trigon {
namespace {

using support::error_of;

using Floats = std::vector<float>;
using Integers = std::vector<std::int32_t>;
using Doubles = std::vector<double>;
using Bools = std::vector<bool>;

Tensor counting(const Shape& shape, float first = 0) {
  Floats values(static_cast<std::size_t>(shape.numel()));
  std::iota(values.begin(), values.end(), first);
  return tensor(values, shape);
}

Floats floats(const Tensor& x) { return x.to_vector<float>(); }

std::int64_t draws_of(const Tensor& x) {
  const Counters before = counters();
  x.eval();
  return (counters() - before).draws;
}

// ---- Evaluating several

struct Pieces {
  Tensor a, b;
  int step = 3;
};

bool is_free(const Tensor& x) { return draws_of(x) == 0; }

TEST(Eval, TakesTensorsOneByOne) {
  const Tensor x = counting({4});
  const Tensor y = x + 1.0, z = x * 2.0;
  eval(y, z);
  EXPECT_TRUE(is_free(y) && is_free(z));
  EXPECT_EQ(error_of([] { eval(Tensor()); }), error_of([] { eval({Tensor()}); }));
}

TEST(Eval, ComputesTheLeavesOfTreesInOnePlan) {
  Tensor x = counting({2, 4});
  const Tensor shared = exp(x);
  const Pieces pieces{shared + 1.0, shared * 2.0};
  const std::pair pair(shared - 1.0, Pieces{Tensor(), shared - 2.0});
  const Counters before = counters();
  eval(pieces, pair);
  // A draw of webgl1 has one output.
  const bool one_output = Device::default_device().profile() == Profile::webgl1;
  EXPECT_EQ((counters() - before).draws, one_output ? 4 : 1);
  EXPECT_TRUE(is_free(pieces.a) && is_free(pieces.b));
  EXPECT_TRUE(is_free(pair.first) && is_free(pair.second.b));

  x += 1;
  const std::vector rows{x(0), x(1)};
  eval(rows);
  EXPECT_TRUE(is_free(rows[0]) && is_free(rows[1]));
}

// ---- Braces

TEST(Braces, OfWholeNumbersAreInt32) {
  const Tensor m = {{1, 2}, {3, 4}};
  EXPECT_EQ(m.shape(), (Shape{2, 2}));
  EXPECT_EQ(m.to_vector<std::int32_t>(), (Integers{1, 2, 3, 4}));
}

TEST(Braces, WithAFloatAreFloat32) {
  const Tensor m = {{1, 2}, {3, 4.5}};
  EXPECT_EQ(floats(m), (Floats{1, 2, 3, 4.5F}));
}

TEST(Braces, OfBoolsAreBool) {
  const Tensor mask = {true, false};
  EXPECT_EQ(mask.to_vector<bool>(), (Bools{true, false}));
}

TEST(Braces, HaveAShapeAndParenthesesDoNot) {
  EXPECT_EQ(Tensor{3}.shape(), Shape{1});
  EXPECT_EQ(Tensor(3).shape(), Shape{});
  const Tensor number = 3;
  EXPECT_EQ(number.shape(), Shape{});
  EXPECT_EQ((Tensor{{{1, 2, 3}}}).shape(), (Shape{1, 1, 3}));
  EXPECT_FALSE(Tensor{}.has_value());
  Tensor x = 1;
  x = {1.5, 2};
  EXPECT_EQ(floats(x), (Floats{1.5F, 2}));
}

TEST(Braces, AroundTensorsAreListsOfTensors) {
  const Tensor a = {1, 2};
  const Tensor b = {3, 4};
  EXPECT_EQ(concatenate({a, b}).shape(), Shape{4});
  EXPECT_EQ(stack({a, b}).shape(), (Shape{2, 2}));
  EXPECT_EQ((std::vector<Tensor>{a, b}).size(), 2U);
  const Tensor copy{a};
  EXPECT_EQ(detail::Internals::node(copy), detail::Internals::node(a));
  eval({a + 1, b + 1});
  const auto [x, y] = fori_loop(
      0, 3, [](Tensor, std::pair<Tensor, Tensor> s) { return std::pair(s.second, s.first); },
      std::pair<Tensor, Tensor>{a, b});
  EXPECT_EQ(x.to_vector<std::int32_t>(), (Integers{3, 4}));
}

TEST(Braces, ThatAreRaggedThrow) {
  EXPECT_EQ(error_of([] {
              return Tensor{{1, 2}, {3}};
            }),
            "trigon::Tensor: ragged list: at level 1 stand a list of 2 and a list of 1; all items "
            "of a level must be of one size");
  EXPECT_EQ(error_of([] {
              return Tensor{{1}, 2};
            }),
            "trigon::Tensor: ragged list: at level 1 stand a list of 1 and a number; all items of "
            "a level must be of one size");
}

TEST(Braces, HoldNoIntegerPastInt32) {
  EXPECT_EQ(error_of([] {
              return Tensor{1, 3000000000};
            }),
            "trigon::Tensor: integer out of range: value is 3000000000; int32 holds integers in "
            "[-2147483648, 2147483647]");
}

// ---- Values

TEST(Values, OfDoublesAreRoundedAndWidened) {
  const Tensor x = tensor<double>({0.1, 1.0 / 3});
  EXPECT_EQ(x.dtype(), float32);
  EXPECT_EQ(x.to_vector<double>(), (Doubles{0.1F, static_cast<float>(1.0 / 3)}));
  EXPECT_EQ(x[0].item<double>(), static_cast<double>(0.1F));
}

TEST(Values, OfVectorsHaveTheirShape) {
  EXPECT_EQ(floats(tensor(Floats{1, 2, 3})), (Floats{1, 2, 3}));
  EXPECT_EQ(tensor(std::vector<std::int64_t>{1, -2}).to_vector<std::int32_t>(), (Integers{1, -2}));
  EXPECT_EQ(tensor(std::vector<std::size_t>{7}).dtype(), int32);
  EXPECT_EQ(tensor(Bools{true, false}).to_vector<bool>(), (Bools{true, false}));
  EXPECT_EQ(tensor(Doubles{}).shape(), Shape{0});
}

TEST(Values, ThatDoNotFitThrow) {
  const support::OnWebGL2 only("integers past 2^24");
  EXPECT_EQ(error_of([] {
              return tensor<std::int64_t>({1, -2147483649});
            }),
            "trigon::tensor: integer out of range: value is -2147483649; int32 holds integers in "
            "[-2147483648, 2147483647]");
  const Tensor large = tensor<std::uint32_t>({4294967295U});
  EXPECT_EQ(large.item<std::int64_t>(), 4294967295);
  EXPECT_EQ(large.item<double>(), 4294967295.0);
  EXPECT_EQ(
      error_of([&] { return large.item<int>(); }),
      "trigon::Tensor::item: integer out of range: value is 4294967295; int32 holds integers in "
      "[-2147483648, 2147483647]");
  EXPECT_EQ(error_of([] { return Tensor{-1}.item<std::uint64_t>(); }),
            "trigon::Tensor::item: integer out of range: value is -1; uint64 holds integers in [0, "
            "9223372036854775807]");
  EXPECT_EQ(
      error_of([] { return Tensor{1.5}.item<std::int64_t>(); }),
      "trigon::Tensor::item: read as another dtype: tensor is float32, read as int64; must be "
      "float32\n  hint: write item<float>(), or cast with astype");
}

TEST(Values, GoToADevice) {
  const Device device;
  const Tensor x = tensor<float>({1, 2, 3, 4}, {2, 2}, device);
  EXPECT_EQ(detail::Internals::state(x.device()), detail::Internals::state(device));
  EXPECT_EQ(floats(x), (Floats{1, 2, 3, 4}));
  EXPECT_EQ(tensor(std::vector<bool>{true, false}, {2}, device).to_vector<bool>(),
            (Bools{true, false}));
  EXPECT_EQ(tensor(std::vector<int>{7}, {1}, device).item<int>(), 7);
}

TEST(Values, OfAScalarThatIsDividedChangeWithoutAPlan) {
  const Tensor x = counting({3});
  Scalar rate = 3;
  EXPECT_EQ(floats(x * (rate / 2)), floats(x * 1.5));
  rate += 2;
  EXPECT_EQ(floats(x * (rate / 2)), floats(x * 2.5));
}

TEST(Values, ThatAreNotZeroAreCounted) {
  const std::vector<Tensor> places = Tensor{{0, 5}, {7, 0}}.nonzero();
  ASSERT_EQ(places.size(), 2u);
  EXPECT_EQ(places[1].to_vector<int>(), (std::vector<int>{1, 0}));
}

// ---- Shapes

TEST(Shapes, AreMadeOfVectors) {
  EXPECT_EQ(zeros(std::vector<int>{2, 3}).shape(), (Shape{2, 3}));
  EXPECT_EQ(ones(std::vector<std::size_t>{4}).shape(), Shape{4});
  const Tensor x = counting({6});
  EXPECT_EQ(x.reshape(std::vector<int>{2, -1}).shape(), (Shape{2, 3}));
  EXPECT_EQ(reshape(x, std::vector<std::int64_t>{3, 2}).shape(), (Shape{3, 2}));
  EXPECT_EQ(reshape(x, Shape{3, 2}).shape(), (Shape{3, 2}));
}

TEST(Shapes, AreBoundToNames) {
  const auto [rows, columns] = counting({2, 3}).shape().sizes<2>();
  EXPECT_EQ(rows, 2);
  EXPECT_EQ(columns, 3);
}

TEST(Views, TakeBraces) {
  const Tensor x = counting({1, 2, 1, 2});
  EXPECT_EQ(squeeze(x, {0, 2}).shape(), (Shape{2, 2}));
  EXPECT_EQ(floats(flip(squeeze(x), {0, 1})), (Floats{3, 2, 1, 0}));
  const Tensor m = counting({1, 2}, 1);
  EXPECT_EQ(floats(pad(m, {{1, 0}, {0, 1}})), (Floats{0, 0, 0, 1, 2, 0}));
}

// ---- Operators

TEST(Operators, OfLogic) {
  const Tensor a = {0, 1, 2};
  const Tensor b = {0, 0, 3};
  EXPECT_EQ((a && b).to_vector<bool>(), (Bools{false, false, true}));
  EXPECT_EQ((a || b).to_vector<bool>(), (Bools{false, true, true}));
  EXPECT_EQ((!a).to_vector<bool>(), (Bools{true, false, false}));
  EXPECT_EQ((a && true).to_vector<bool>(), (Bools{false, true, true}));
  EXPECT_EQ((0 || a).to_vector<bool>(), (Bools{false, true, true}));
}

TEST(Operators, OfBits) {
  const support::OnWebGL2 only("bit operators");
  const Tensor a = {12, -1};
  EXPECT_EQ((a & 10).to_vector<std::int32_t>(), (Integers{8, 10}));
  EXPECT_EQ((a | 3).to_vector<std::int32_t>(), (Integers{15, -1}));
  EXPECT_EQ((a ^ 5).to_vector<std::int32_t>(), (Integers{9, -6}));
  EXPECT_EQ((~a).to_vector<std::int32_t>(), (Integers{-13, 0}));
  EXPECT_EQ((a << 1).to_vector<std::int32_t>(), (Integers{24, -2}));
  EXPECT_EQ((a >> 2).to_vector<std::int32_t>(), (Integers{3, -1}));
  EXPECT_EQ(((a & 4) == 4).to_vector<bool>(), (Bools{true, true}));
  EXPECT_EQ((~tensor<std::uint8_t>({0, 255})).to_vector<std::uint8_t>(),
            (std::vector<std::uint8_t>{255, 0}));
  EXPECT_EQ((~tensor<std::uint32_t>({1})).item<std::uint32_t>(), 4294967294U);
  EXPECT_EQ((~Tensor{true, false}).to_vector<bool>(), (Bools{false, true}));
  EXPECT_EQ(error_of([] { return ~Tensor{1.5}; }),
            "trigon::bitwise_not: operand must be an integer: x is float32; cast with astype");
}

TEST(Operators, UpdateVariables) {
  const support::OnWebGL2 only("bit operators");
  Tensor x = {7, 8};
  const Tensor before = x;
  x %= 4;
  x <<= 2;
  x |= 1;
  x &= 12;
  x ^= 3;
  x >>= 1;
  EXPECT_EQ(x.to_vector<std::int32_t>(), (Integers{7, 1}));
  EXPECT_EQ(before.to_vector<std::int32_t>(), (Integers{7, 8}));
}

TEST(Operators, RaiseToAPower) { EXPECT_EQ(floats(pow(Tensor{1.5, -2.0}, 2)), (Floats{2.25F, 4})); }

// ---- Selections

TEST(Selections, Read) {
  Tensor x = counting({2, 3});
  EXPECT_EQ(floats(x(1, Slice{1, 3})), (Floats{4, 5}));
  EXPECT_EQ(floats(x(0) + x(1)), (Floats{3, 5, 7}));
  EXPECT_EQ(floats(std::as_const(x)(ellipsis, 0)), (Floats{0, 3}));
  EXPECT_EQ(x(1, 2).item(), 5);
  const Tensor row = x(0);
  EXPECT_EQ(floats(row), (Floats{0, 1, 2}));
}

TEST(Selections, WriteAVariableAndNoOtherHandle) {
  Tensor x = counting({2, 3});
  const Tensor other = x;
  x(0, Slice{1, 3}) = Tensor{10, 20};
  x(1) = 7.5;
  EXPECT_EQ(floats(x), (Floats{0, 10, 20, 7.5F, 7.5F, 7.5F}));
  EXPECT_EQ(floats(other), (Floats{0, 1, 2, 3, 4, 5}));
  x(0) = {1, 2, 3};
  EXPECT_EQ(floats(x[0]), (Floats{1, 2, 3}));
}

TEST(Selections, Update) {
  Tensor x = counting({2, 3});
  x(0) += 1;
  x(1) -= Tensor{1, 2, 3};
  x(ellipsis, 2) *= 10;
  x(0, 0) /= 2;
  EXPECT_EQ(floats(x), (Floats{0.5F, 2, 30, 2, 2, 20}));
}

TEST(Selections, UpdateBits) {
  const support::OnWebGL2 only("bit operators");
  Tensor bits = {1, 6};
  bits(1) &= 3;
  bits(0) <<= 4;
  EXPECT_EQ(bits.to_vector<std::int32_t>(), (Integers{16, 2}));
}

TEST(Selections, CopyValues) {
  Tensor x = counting({2, 2});
  Tensor y = counting({2, 2}, 10);
  x(0) = y(1);
  y(1) = 0;
  EXPECT_EQ(floats(x), (Floats{12, 13, 2, 3}));
  x(Slice{}) = x(Slice{{}, {}, -1});  // the right side is read before anything is written
  EXPECT_EQ(floats(x), (Floats{2, 3, 12, 13}));
}

TEST(Selections, ThatAreKeptKeepTheirValue) {
  Tensor x = counting({2, 2});
  auto row = x(0);
  x(0) = 9;
  EXPECT_EQ(floats(row), (Floats{0, 1}));
}

TEST(Selections, AreCopiedAsValues) {
  Tensor x = counting({2, 2});
  const auto [first, second] = std::pair(x(0), x(1));
  x(0) = 9;
  EXPECT_EQ(floats(first + second), (Floats{2, 4}));
}

TEST(Selections, WriteNothingOnceTheTensorHasEnded) {
  Tensor x = counting({2, 2});
  auto row = x(0);
  std::move(row) = 9;
  EXPECT_EQ(floats(x), (Floats{9, 9, 2, 3}));
  const std::string ended =
      "trigon::Selection: nothing to write: the tensor has ended, or this is a copy of its part; "
      "write x(0) = v in one expression";
  std::optional<Tensor> y = counting({2, 2});
  auto second = (*y)(1);
  auto copy = second;
  y.reset();
  EXPECT_EQ(floats(second), (Floats{2, 3}));
  EXPECT_EQ(error_of([&] { std::move(second) = 9; }), ended);
  EXPECT_EQ(error_of([&] { std::move(copy) += 9; }), ended);
}

TEST(Selections, AreTensorsOfACompiledFunction) {
  Tensor x = counting({2, 3});
  const auto f = compile([](Tensor a, const std::vector<Tensor>& rows, std::pair<Tensor, int> b) {
    return std::pair(a + rows[0] * rows[1] + b.first, a(0));
  });
  const auto [sum, first] = f(x(0), std::vector{x(0), x(1)}, std::pair(x(1), 1));
  static_assert(std::is_same_v<decltype(first), const Tensor>);
  EXPECT_EQ(floats(sum), floats(x[0] + x[0] * x[1] + x[1]));
  EXPECT_EQ(first.item(), x[0].to_vector<float>()[0]);
  const Tensor a = x[0], b = x[1];
  EXPECT_EQ(floats(f(a, std::vector<Tensor>{a, b}, std::pair(b, 1)).first), floats(sum));
  // Inside of another trace f is a plain function.
  const auto outer = compile([&](Tensor y) {
    return f(y(0), std::vector{y(0), y(1)}, std::pair(y(1), 1));
  });
  EXPECT_EQ(floats(outer(x).first), floats(sum));
}

TEST(Selections, AreCopiedInOneDraw) {
  Tensor x = counting({4, 8}) + 0.5;
  Tensor y = counting({4, 8}) + 1.5;
  eval({x, y});
  x(0) = y(1);
  EXPECT_EQ(draws_of(x), 1);
}

TEST(Selections, ThatDoNotFitThrow) {
  Tensor x = counting({2, 3});
  EXPECT_EQ(error_of([&] {
              x(0) = Tensor{1, 2};
            }),
            "trigon::set: v does not broadcast to the part: v is (2,), the part is (3,); axes of v "
            "must be equal or 1, counted from the last");
  EXPECT_EQ(floats(x), (Floats{0, 1, 2, 3, 4, 5}));
}

// ---- Numbers

TEST(Numbers, PastInt32AreRefusedOnTheirOwn) {
  const auto refused = [](const char* function) {
    return std::string("trigon::") + function +
           ": integer out of range: value is 3000000000; on its own a number is int32, which holds "
           "integers in [-2147483648, 2147483647]\n  hint: cast with astype";
  };
  const Tensor wide(3000000000);
  EXPECT_EQ(error_of([&] { return wide.item<double>(); }), refused("Tensor"));
  EXPECT_EQ(error_of([&] { return to_string(wide); }), refused("Tensor"));
  EXPECT_EQ(error_of([&] { return wide + 0; }),
            "trigon::add: number out of range: 3000000000 as int32; must be in [-2147483648, "
            "2147483647]");
  EXPECT_EQ(error_of([&] {
              return stack({wide, wide});
            }).find("value is 3000000000") != std::string::npos,
            true);
  EXPECT_EQ(
      error_of([&] { return wide.reshape(1, 1); }).find("value is 3000000000") != std::string::npos,
      true);
  EXPECT_EQ(error_of([&] { return broadcast_to(wide, {2}); }).find("value is 3000000000") !=
                std::string::npos,
            true);
}

TEST(Numbers, PastInt32CountBesideOtherDTypes) {
  const support::OnWebGL2 only("uint32");
  const Tensor wide(3000000000);
  EXPECT_EQ((Tensor{1, 2} < wide).to_vector<bool>(), (Bools{true, true}));
  EXPECT_EQ(wide.astype(uint32).item<std::int64_t>(), 3000000000);
  EXPECT_EQ((zeros({1}, uint32) + wide).item<std::int64_t>(), 3000000000);
  EXPECT_EQ((Tensor{0.0} + wide).item(), 3e9F);
}

TEST(Numbers, AreReadAsDoubles) {
  EXPECT_EQ(error_of([] { return Tensor{true}.to_vector<double>(); }),
            "trigon::Tensor::to_vector: read as another dtype: tensor is bool, read as float64; "
            "must be bool\n"
            "  hint: write to_vector<bool>(), or cast with astype");
}

// ---- Printing

TEST(PrintTensor, WritesToStreamsAndFmt) {
  const Tensor x = {{1.0, 2.0}, {3.0, 4.0}};
  std::ostringstream stream;
  stream << x << ' ' << x.shape() << ' ' << x.dtype();
  EXPECT_EQ(stream.str(), "[[1. 2.]\n [3. 4.]] (2, 2) float32");
  EXPECT_EQ(to_string(x + 0.5), "[[1.5 2.5]\n [3.5 4.5]]");
  EXPECT_EQ(fmt::format("{}", x(0)), "[1. 2.]");
  // It has rows, but fmt and GoogleTest do not treat it as a range.
  EXPECT_EQ(testing::PrintToString(x), to_string(x));
  EXPECT_EQ(to_string(Tensor{true, false}), "[ True False]");
  EXPECT_EQ(to_string(Tensor(3)), "3");
  EXPECT_EQ(to_string(zeros({2, 0})), "[]");
  EXPECT_EQ(to_string(tensor<float>({0.1F}).astype(float16)), "[0.1]");
  EXPECT_EQ(to_string(x, {.precision = 1, .floatmode = FloatMode::fixed}),
            "[[1.0 2.0]\n [3.0 4.0]]");
}

TEST(PrintTensor, ReadsTheEdgesOfALargeTensorOnly) {
  const Tensor x = arange(2000000).reshape(1000, 2000).eval();
  const Counters before = counters();
  EXPECT_EQ(to_string(x),
            "[[      0       1       2 ...    1997    1998    1999]\n"
            " [   2000    2001    2002 ...    3997    3998    3999]\n"
            " [   4000    4001    4002 ...    5997    5998    5999]\n"
            " ...\n"
            " [1994000 1994001 1994002 ... 1995997 1995998 1995999]\n"
            " [1996000 1996001 1996002 ... 1997997 1997998 1997999]\n"
            " [1998000 1998001 1998002 ... 1999997 1999998 1999999]]");
  const Counters done = counters() - before;
  EXPECT_EQ(done.draws, 1);
  EXPECT_LE(done.bytes_read, 1024);  // 36 elements of the 2,000,000
}

}  // namespace
}  // namespace trigon

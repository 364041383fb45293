// SPDX-License-Identifier: MIT
#include "support/kernels.hpp"

#include <cmath>
#include <limits>

#include "support/on_profile.hpp"

// Kernels of users: values in both profiles, beside the same in tensor code.

namespace trigon {
namespace {

using support::error_of;
using support::Floats;
using support::Ints;
using support::profile_name;
using support::reversed;
using support::squared_difference;

class KernelTest : public support::KernelTest {};
INSTANTIATE_TEST_SUITE_P(Profiles, KernelTest, ::testing::Values(Profile::webgl2, Profile::webgl1),
                         profile_name);

// ---- Elementwise

TEST_P(KernelTest, Elementwise) {
  for (const Shape& shape : {Shape{}, Shape{1}, Shape{5}, Shape{3, 7}, Shape{2, 1, 4, 3}}) {
    const Tensor x = random(shape), y = random(shape);
    expect_equal(squared_difference()(x, y), (x - y) * (x - y));
  }
}

TEST_P(KernelTest, InputsBroadcast) {
  const Tensor x = random({5, 1, 6}), y = random({3, 1}), z = random({6});
  expect_equal(squared_difference()(x, y), (x - y) * (x - y));
  expect_equal(squared_difference()(x.T(), y), (x.T() - y) * (x.T() - y));
  expect_equal(squared_difference()(z, 0.5), (z - 0.5) * (z - 0.5));
  expect_equal(squared_difference().call({z, y}, Shape{2, 3, 6})[0],
               broadcast_to((z - y) * (z - y), {2, 3, 6}));
}

TEST_P(KernelTest, NoElements) {
  const Tensor x = floats({}, {0, 3});
  EXPECT_EQ(squared_difference()(x, 1.0).shape(), (Shape{0, 3}));
  EXPECT_TRUE(squared_difference()(x, 1.0).to_vector<float>().empty());
  EXPECT_TRUE(reversed().call({x}, Shape{0})[0].to_vector<float>().empty());
}

TEST_P(KernelTest, FusesWithTheCodeAroundIt) {
  const Tensor x = random({6, 9}), y = random({9});
  const Tensor z = exp(squared_difference()(x * 0.5, y)) + 1.0;
  EXPECT_EQ(cost(z).draws, 1);
  const Counters before = counters(device());
  z.eval();
  EXPECT_EQ((counters(device()) - before).draws, 1);
  expect_equal(z, exp((x * 0.5 - y) * (x * 0.5 - y)) + 1.0);
}

// Fragments have lanes without elements: after the last one, and outside the target. Loops of GLSL
// ES 1.00 have constant bounds, so they end in any case.
TEST_P(KernelTest, LoopsRunForElementsOnly) {
  const bool bounded = GetParam() == Profile::webgl1;
  const ElementwiseKernel collatz(
      "int n", "int s",
      bounded ? "int k = n; s = 0; for (int t = 0; t < 300; ++t) { if (k == 1) break; "
                "k = k / 2 * 2 == k ? k / 2 : 3 * k + 1; ++s; }"
              : "int k = n; s = 0; while (k != 1) { k = k % 2 == 0 ? k / 2 : 3 * k + 1; ++s; }",
      "collatz");
  for (std::int64_t n : {1, 3, 4, 5, 67}) {
    const Tensor x = iota(n) + 1;
    Ints want;
    for (int k = 1; k <= n; ++k) {
      int steps = 0;
      for (int at = k; at != 1; ++steps) at = at % 2 == 0 ? at / 2 : 3 * at + 1;
      want.push_back(steps);
    }
    EXPECT_EQ(collatz(ints(Ints(x.to_vector<std::int32_t>()), {n})).to_vector<std::int32_t>(),
              want);
  }
  const ElementwiseKernel suffix("raw float x", "float y",
                                 bounded
                                     ? "y = 0.0; for (int n = 0; n < 16; ++n) { "
                                       "if (n >= i && n < _ind_size) y += x(n); }"
                                     : "y = 0.0; for (int n = i; n != _ind_size; ++n) y += x(n)",
                                 "suffix");
  EXPECT_EQ(suffix.call({floats(Floats(6, 1), {6})}, Shape{6})[0].to_vector<float>(),
            (Floats{6, 5, 4, 3, 2, 1}));
}

TEST_P(KernelTest, MacrosEndWithTheirBody) {
  const ElementwiseKernel twice("float x", "float y", "\n#define FAST 2.0\ny = FAST * x", "twice");
  const ElementwiseKernel same("float x", "float y",
                               "\n#ifdef FAST\ny = 0.0 * x;\n#else\ny = x;\n#endif\n", "same");
  const ElementwiseKernel thrice("float x", "float y", "\n#define FAST 3.0\ny = FAST * x",
                                 "thrice");
  const Tensor x = floats({1, 2, 5}, {3});
  EXPECT_EQ((twice(x) + same(x) + thrice(x)).to_vector<float>(), (Floats{6, 12, 30}));
}

TEST_P(KernelTest, StatementsAndLocals) {
  const ElementwiseKernel collatz("T n", "int steps",
                                  "int k = int(n);\n"
                                  "steps = 0;\n"
                                  "for (int t = 0; t < 200; ++t) {\n"
                                  "  if (k == 1) break;\n"
                                  "  int middle = k / 2;\n"
                                  "  k = 2 * middle == k ? middle : 3 * k + 1;\n"
                                  "  ++steps;\n"
                                  "}",
                                  "collatz");
  EXPECT_EQ(collatz(ints({1, 2, 3, 7, 27}, {5})).to_vector<std::int32_t>(),
            (Ints{0, 1, 7, 16, 111}));
}

TEST_P(KernelTest, ReturnsEarly) {
  const ElementwiseKernel kernel("T x", "T y", "y = x;\nif (x > 0.0) return;\ny = -x", "magnitude");
  EXPECT_EQ(kernel(floats({-1, 2, -3}, {3})).to_vector<float>(), (Floats{1, 2, 3}));
}

TEST_P(KernelTest, IntegersAndBooleans) {
  const Tensor n = ints({-7, 7, 0, 123456}, {4});
  const ElementwiseKernel doubled("T n", "T m", "m = n * T(2) + T(1)", "doubled");
  EXPECT_EQ(doubled(n).to_vector<std::int32_t>(), (Ints{-13, 15, 1, 246913}));
  const ElementwiseKernel positive("T n", "bool b", "b = n > T(0)", "positive");
  EXPECT_EQ(positive(n).to_vector<bool>(), (std::vector<bool>{false, true, false, true}));
  const ElementwiseKernel chosen("bool b, T x", "T y", "y = b ? x : -x", "chosen");
  EXPECT_EQ(chosen(n > 0, floats({1, 2, 3, 4}, {4})).to_vector<float>(), (Floats{-1, 2, -3, 4}));
  EXPECT_EQ(chosen(n > 0, ints({1, 2, 3, 4}, {4})).to_vector<std::int32_t>(), (Ints{-1, 2, -3, 4}));
}

TEST(KernelTypes, UnsignedNumbersWrap) {
  const support::OnWebGL2 only("integers past 2^24");
  const ElementwiseKernel doubled("T n", "T m", "m = n * T(2)", "doubled");
  EXPECT_EQ(doubled(tensor<std::uint8_t>({100, 200})).to_vector<std::uint8_t>(),
            (std::vector<std::uint8_t>{200, 144}));
  EXPECT_EQ(doubled(tensor<std::uint32_t>({5, 0x80000001U})).to_vector<std::uint32_t>(),
            (std::vector<std::uint32_t>{10, 2}));
}

TEST_P(KernelTest, BytesWrap) {
  const Tensor x = floats({-1, 0, 255, 256, 515}, {5});
  const ElementwiseKernel byte(
      "float x", "uint8 n", "n = uint8_of(int(x))", "byte",
      {.preamble = GetParam() == Profile::webgl2 ? "uint uint8_of(int n) { return uint(n); }"
                                                 : "int uint8_of(int n) { return n; }"});
  EXPECT_EQ(byte(x).to_vector<std::uint8_t>(), (std::vector<std::uint8_t>{255, 0, 255, 0, 3}));
  EXPECT_EQ(sum(byte(x).astype(float32)).item(), 513) << "fused";
  const ReductionKernel total(
      "uint8 x", "uint8 y", "x", "a + b", "y = a", "T0", "total",
      {.preamble = GetParam() == Profile::webgl2 ? "#define T0 0u" : "#define T0 0"});
  EXPECT_EQ(total(byte(x)).to_vector<std::uint8_t>(), (std::vector<std::uint8_t>{1}));
}

TEST_P(KernelTest, Halves) {
  const ElementwiseKernel third("T x", "float16 y", "y = x / 3.0", "third");
  const Tensor x = floats({1, 2}, {2});
  expect_equal(third(x.astype(float16)), (x / 3.0).astype(float16));
}

TEST_P(KernelTest, NaNGoesThrough) {
  const Tensor x = floats({std::numeric_limits<float>::quiet_NaN(), 1}, {2});
  const Floats y = squared_difference()(x, 0.0).to_vector<float>();
  EXPECT_TRUE(std::isnan(y[0]));
  EXPECT_EQ(y[1], 1);
}

TEST_P(KernelTest, SeveralResultsAreOneDraw) {
  const ElementwiseKernel kernel("T x", "T root, int32 whole", "root = sqrt(x); whole = int(x)",
                                 "parts");
  const Tensor x = floats({1.5, 4, 9.25, 2, 3}, {5});
  if (!has_several_targets()) {
    EXPECT_EQ(error_of<DeviceError>([&] { return kernel.call({x}); }),
              "trigon::parts: too many outputs: 2; a draw on this device has at most 1");
    return;
  }
  const std::vector<Tensor> y = kernel.call({x});
  const Counters before = counters(device());
  eval({y[0], y[1]});
  EXPECT_EQ((counters(device()) - before).draws, 1);
  expect_equal(y[0], sqrt(x));
  EXPECT_EQ(y[1].to_vector<std::int32_t>(), (Ints{1, 4, 9, 2, 3}));
}

TEST_P(KernelTest, ResultsOfALongKernelAreOneDraw) {
  const ElementwiseKernel kernel("T x", "T a, T b, T c, T d", R"(
      a = x; b = x; c = x; d = x;
      for (int k = 0; k < 4; ++k) {
        a += b * 0.5 + c * 0.25 + d * 0.125;
        b += c * 0.5 + d * 0.25 + a * 0.125;
        c += d * 0.5 + a * 0.25 + b * 0.125;
        d += a * 0.5 + b * 0.25 + c * 0.125;
      })",
                                 "long_one");
  const Tensor x = floats({1, 2}, {2});
  if (!has_several_targets()) {
    EXPECT_EQ(error_of<DeviceError>([&] { return kernel.call({x}); }),
              "trigon::long_one: too many outputs: 4; a draw on this device has at most 1");
    return;
  }
  EXPECT_EQ(cost(kernel.call({x})).draws, 1);
}

TEST(KernelLimits, MoreResultsThanADrawHas) {
  const ElementwiseKernel kernel("T x", "T a, T b, T c, T d, T e, T f, T g, T h, T j",
                                 "a = b = c = d = e = f = g = h = j = x", "nine");
  const std::string text = error_of<DeviceError>([&] {
    return kernel.call({tensor<float>({1, 2}, {2})});
  });
  EXPECT_TRUE(
      text.starts_with("trigon::nine: too many outputs: 9; a draw on this device has at most "))
      << text;
}

TEST_P(KernelTest, AScalarMakesNoNewProgram) {
  const ElementwiseKernel scaled("T x, T s, int32 n", "T y", "y = x * s + T(n)", "scaled");
  const Tensor x = floats({1, 2, 3, 4, 5}, {5});
  const auto values = [&](const Scalar& s, const Scalar& n) {
    return scaled(x, s, n).to_vector<float>();
  };
  EXPECT_EQ(values(1.5, 1), (Floats{2.5, 4, 5.5, 7, 8.5}));
  const Counters before = counters(device());
  EXPECT_EQ(values(2.0, 3), (Floats{5, 7, 9, 11, 13}));
  const Counters spent = counters(device()) - before;
  EXPECT_EQ(spent.plans_made, 0);
  EXPECT_EQ(spent.programs_compiled, 0);
}

TEST_P(KernelTest, PreamblesOfTwoKernelsShareADraw) {
  const ElementwiseKernel first("T x", "T y", "y = helper(x) * scale", "first",
                                {.preamble = "const float scale = 2.0;\n"
                                             "float helper(float v) { return v + 1.0; }"});
  const ElementwiseKernel second("T x", "T y", "y = helper(x) * scale", "second",
                                 {.preamble = "#define scale 3.0\n"
                                              "float helper(float v) { return v - 1.0; }"});
  const Tensor x = random({5});
  const Tensor y = first(second(x));
  EXPECT_EQ(cost(y).draws, 1);
  expect_equal(y, ((x - 1.0) * 3.0 + 1.0) * 2.0);
}

TEST_P(KernelTest, IsCompiledWithTheFunctionAroundIt) {
  const auto f = compile([](const Tensor& x) { return squared_difference()(x, 1.0) * 2.0; });
  const Tensor x = random({7});
  expect_equal(f(x), (x - 1.0) * (x - 1.0) * 2.0);
  expect_equal(f(x), (x - 1.0) * (x - 1.0) * 2.0);
}

TEST_P(KernelTest, IsExplained) {
  const std::string text = explain(squared_difference()(random({4}), 1.0));
  EXPECT_NE(text.find("= squared_difference %"), std::string::npos);
  EXPECT_NE(text.find("squared_difference_k1("), std::string::npos);
}

// ---- Raw inputs

TEST_P(KernelTest, RawInputsAreReadByNumber) {
  for (const Shape& shape : {Shape{6}, Shape{3, 5}, Shape{70, 90}}) {
    const Tensor x = random(shape);
    const Shape flat{shape.numel()};
    expect_equal(reversed().call({x}, flat)[0], flip(x.reshape(flat)));
  }
}

TEST_P(KernelTest, RawInputsAreReadByBrackets) {
  const ElementwiseKernel taken("raw T x, int32 n", "T y", "y = x[n] + x[0]", "taken");
  EXPECT_EQ(taken(counting({6}), ints({5, 2, 0}, {3})).to_vector<float>(), (Floats{5, 2, 0}));
}

TEST_P(KernelTest, RawInputsOfAllLayouts) {
  const Tensor x = random({6, 10});
  const auto expect_reversed = [](const Tensor& y) {
    expect_equal(reversed().call({y}, Shape{y.size()})[0], flip(y.reshape(y.size())));
  };
  expect_reversed(x.T());
  expect_reversed(x.at(Slice{1, 5}, Slice{1, 9, 2}).get());
  expect_reversed(broadcast_to(x.at(0).get(), {3, 10}));
  expect_reversed(matmul(x, x.T()));
  expect_reversed(sum(x, 1));
  expect_reversed(sum(x, 0, true));
  expect_reversed(x + 1.0);
  expect_reversed(full({3}, 7.0) + x.at(0, Slice{0, 3}).get());
  expect_reversed(x > 0.0);
  expect_reversed(x.astype(int32));
}

TEST_P(KernelTest, RawndInputsAreReadByIndex) {
  const ElementwiseKernel turned("rawnd T x", "T y", "y = x(_y_1, _y_0)", "turned");
  const Tensor x = random({5, 7});
  expect_equal(turned.call({x}, Shape{7, 5})[0], x.T());
  expect_equal(turned.call({x.T()}, Shape{5, 7})[0], x);
  expect_equal(turned.call({x * 2.0}, Shape{7, 5})[0] + 1.0, x.T() * 2.0 + 1.0);
}

TEST_P(KernelTest, RawInputsAndOthers) {
  // A product of matrices, as a loop over both.
  const ElementwiseKernel product("rawnd T a, rawnd T b, T bias", "T c",
                                  "T total = T(0);\n"
                                  "for (int k = 0; k < 64; ++k) {\n"
                                  "  if (k >= _a_shape_1) break;\n"
                                  "  total += a(_c_0, k) * b(k, _c_1);\n"
                                  "}\n"
                                  "c = total + bias",
                                  "product");
  const Tensor a = ints({1, 2, 3, 4, 5, 6}, {2, 3}).astype(float32);
  const Tensor b = counting({3, 4}), bias = random({4});
  expect_equal(product.call({a, b, bias}, Shape{2, 4})[0], matmul(a, b) + bias);
}

TEST_P(KernelTest, RawInputsOfSixAxes) {
  const ElementwiseKernel kernel("rawnd T x, raw T y, T z", "T w",
                                 "w = x(_w_5, _w_4, _w_3, _w_2, _w_1, _w_0) + y(i) + z", "six");
  const Tensor x = counting({2, 3, 1, 2, 3, 2}), y = counting({2, 3, 2, 1, 3, 2}), z = random({2});
  expect_equal(kernel.call({x, y, z}, Shape{2, 3, 2, 1, 3, 2})[0], x.T() + y + z);
}

TEST_P(KernelTest, RawScalars) {
  const ElementwiseKernel kernel("raw T x, rawnd T y, T z", "T w", "w = x(0) + y() + z", "scalars");
  const Tensor x = floats({2}, {}), z = random({3});
  expect_equal(kernel.call({x, x * 3.0, z})[0], z + 8.0);
}

TEST_P(KernelTest, RawInputsBelowASum) {
  const ElementwiseKernel turned("rawnd T x", "T y", "y = x(_y_1, _y_0)", "turned");
  const Tensor x = counting({5, 7});
  expect_equal(sum(turned.call({x}, Shape{7, 5})[0], 1), sum(x, 0));
}

TEST_P(KernelTest, OneKernelOfTwoInputsSharesADraw) {
  const Tensor x = counting({5}), y = counting({5}) * 3.0;
  const Tensor z = reversed().call({x}, Shape{5})[0] * 10.0 + reversed().call({y}, Shape{5})[0];
  expect_equal(z, flip(x) * 10.0 + flip(y));
}

TEST_P(KernelTest, AnIndexPastTheEndIsClamped) {
  const ElementwiseKernel next("raw T x", "T y", "y = x(i + 1)", "next");
  const ElementwiseKernel left("rawnd T x", "T y", "y = x(_y_0, _y_1 - 1)", "left");
  EXPECT_EQ(next.call({floats({1, 2, 3}, {3})}, Shape{3})[0].to_vector<float>(), (Floats{2, 3, 3}));
  EXPECT_EQ(left.call({floats({1, 2, 3, 4}, {2, 2})}, Shape{2, 2})[0].to_vector<float>(),
            (Floats{1, 1, 3, 3}));
}

// ---- Reductions

const ReductionKernel& l2norm() {
  static const ReductionKernel kernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0.0",
                                      "l2norm");
  return kernel;
}

TEST_P(KernelTest, Reduction) {
  const Tensor x = random({4, 6, 10});
  const auto norm = [](const Tensor& v, const Axes& axes, bool keepdims) {
    return sqrt(sum(v * v, axes, keepdims));
  };
  for (const Axes& axes : {Axes(), Axes(0), Axes(1), Axes(-1), Axes({0, 2})}) {
    for (const bool keepdims : {false, true}) {
      expect_equal(l2norm()(x, axes, keepdims), norm(x, axes, keepdims));
    }
  }
  expect_equal(l2norm()(x.at(0).get().T(), 0), norm(x.at(0).get().T(), 0, false));
}

TEST_P(KernelTest, ReductionsAreOneDraw) {
  const Tensor x = random({64, 64});
  EXPECT_EQ(cost(l2norm()(x * 2.0, 1) + 1.0).draws, 1);
  expect_equal(l2norm()(x * 2.0, 1) + 1.0, sqrt(sum(square(x * 2.0), 1)) + 1.0);
}

TEST_P(KernelTest, LongReductions) {
  const ReductionKernel largest("T x", "T y", "x", "max(a, b)", "y = a", "-1.0", "largest");
  const Tensor x = counting({12'000});
  EXPECT_EQ(largest(x).item(), 11'999);
}

TEST_P(KernelTest, ReductionsOfSeveralInputsAndSizes) {
  const ReductionKernel kernel("T x, T y", "T z", "x * y", "a + b",
                               "z = a / float(_in_ind_size / _out_ind_size)", "0", "mean_product");
  const Tensor x = random({5, 8}), y = random({8});
  expect_equal(kernel.call({x, y}, 1)[0], mean(x * y, 1));
  expect_equal(kernel.call({x, y})[0], mean(x * y));
}

TEST_P(KernelTest, ReductionsOfIntegersAndBooleans) {
  const ReductionKernel most("T x", "T y", "x", "a > b ? a : b", "y = a", "-1000", "most");
  EXPECT_EQ(most(ints({5, -3, 7, 2}, {2, 2}), 1).to_vector<std::int32_t>(), (Ints{5, 7}));
  const ReductionKernel every("bool x", "bool y", "x", "a && b", "y = a", "true", "every");
  const Tensor x = floats({1, 2, 3, 4, 5, 6}, {2, 3});
  EXPECT_EQ(every(x > 3, 1).to_vector<bool>(), (std::vector<bool>{false, true}));
  EXPECT_FALSE(every(x > 3).item<bool>());
  const ReductionKernel count("T x", "int32 n", "x > 2.0 ? 1 : 0", "a + b", "n = a", "0", "count");
  EXPECT_EQ(count(x, 1).to_vector<std::int32_t>(), (Ints{1, 3}));
}

TEST_P(KernelTest, ReductionsOfNothingAreTheIdentity) {
  const ReductionKernel sum_plus_one("T x", "T y", "x", "a + b", "y = a + 1.0", "0.0", "plus_one");
  EXPECT_EQ(sum_plus_one(floats({}, {2, 0}), 1).to_vector<float>(), (Floats{1, 1}));
  EXPECT_EQ(sum_plus_one(floats({}, {0, 2}), 1).shape(), (Shape{0}));
}

TEST_P(KernelTest, ReductionsWithAPreamble) {
  const ReductionKernel kernel("T x", "T y", "square(x)", "plus(a, b)", "y = square(a)", "0.0",
                               "preamble",
                               {.preamble = "float square(float v) { return v * v; }\n"
                                            "float plus(float v, float w) { return v + w; }"});
  const Tensor x = random({3, 5});
  expect_equal(kernel(x, 1), square(sum(square(x), 1)));
}

// A texel may have lanes whose numbers no element has.
TEST_P(KernelTest, ReductionsLoopForElementsOnly) {
  const std::string count = GetParam() == Profile::webgl1
                                ? "for (int t = 0; t < 200; ++t) { if (n == w) break; ++n; }"
                                : "while (n != w) ++n;";
  const ReductionKernel largest("T x", "T y", "x", "larger(a, b)", "y = a", "1", "largest",
                                {.preamble = "int larger(int v, int w) {\n"
                                             "  int n = 1;\n  " +
                                             count +
                                             "\n  return v > n ? v : n;\n"
                                             "}"});
  for (const Shape& shape : {Shape{5}, Shape{3, 5}, Shape{5, 3}, Shape{5, 1, 7}}) {
    const Tensor x = (counting(shape) + 1.0).astype(int32);
    expect_equal(largest(x), max(x));
    expect_equal(largest(x, 0), max(x, 0));
    expect_equal(largest(x, -1), max(x, -1));
  }
}

// ---- Kernel

Kernel blur() {
  return Kernel({.name = "blur",
                 .inputs = {"image"},
                 .outputs = {"out"},
                 .uniforms = {{"radius", 1}},
                 .body = R"(
                   float sum = 0.0;
                   for (int k = -8; k <= 8; ++k) {
                     if (k >= -radius && k <= radius) sum += image(_out_0, _out_1 + k);
                   }
                   out = sum / float(2 * radius + 1);)"});
}

TEST_P(KernelTest, ABodyOfItsOwn) {
  const Tensor x = counting({3, 5});
  // The ends are repeated.
  const Tensor left =
      concatenate({x.at(Slice{}, Slice{0, 1}).get(), x.at(Slice{}, Slice{0, 4}).get()}, 1);
  const Tensor right =
      concatenate({x.at(Slice{}, Slice{1, 5}).get(), x.at(Slice{}, Slice{4, 5}).get()}, 1);
  expect_equal(blur()(x), (left + x + right) / 3.0);
}

TEST_P(KernelTest, UniformsMakeNoNewPlan) {
  const Tensor x = counting({3, 5});
  const Kernel kernel = blur();
  const Kernel sharp = kernel.with({{"radius", 0}});
  EXPECT_NE(kernel(x).to_vector<float>(), x.to_vector<float>());
  const Counters before = counters(device());
  EXPECT_EQ(sharp(x).to_vector<float>(), x.to_vector<float>());
  const Counters spent = counters(device()) - before;
  EXPECT_EQ(spent.plans_made, 0);
  EXPECT_EQ(spent.programs_compiled, 0);
}

TEST_P(KernelTest, AShapeOfItsOwn) {
  const Kernel half({.name = "half", .inputs = {"x"}, .body = "out = x(2 * _out_0)"});
  EXPECT_EQ(half.call({counting({6})}, Shape{3})[0].to_vector<float>(), (Floats{0, 2, 4}));
}

}  // namespace
}  // namespace trigon

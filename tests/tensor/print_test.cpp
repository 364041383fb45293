// SPDX-License-Identifier: MIT
#include "tensor/print.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <sstream>
#include <vector>

#include <fmt/format.h>

#include <trigon/fmt.hpp>

#include "support/errors.hpp"

// The expected texts are those of NumPy 2's str().

namespace trigon {
namespace {

using support::error_of;

using Doubles = std::vector<double>;

constexpr double inf = std::numeric_limits<double>::infinity();
const double nan = std::nan("");

// The text of a whole array, or of the elements at the edges of a larger one. float32 values are
// rounded.
std::string text(const Shape& shape, Doubles values, DType dtype = float32,
                 const PrintOptions& options = {}) {
  if (dtype == float32) {
    for (double& value : values) value = static_cast<float>(value);
  }
  return detail::tensor::array_text({.shape = shape,
                                     .dtype = dtype,
                                     .summarise = detail::tensor::is_summarised(shape, options),
                                     .values = values},
                                    options);
}

std::string row(const Doubles& values, DType dtype = float32, const PrintOptions& options = {}) {
  return text({static_cast<std::int64_t>(values.size())}, values, dtype, options);
}

Doubles counting(int count, double first = 0) {
  Doubles values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), first);
  return values;
}

TEST(Print, WritesAMatrixRowByRow) {
  EXPECT_EQ(text({2, 2}, {1, 2, 3, 4}), "[[1. 2.]\n [3. 4.]]");
  EXPECT_EQ(text({3, 4}, counting(12), int32), "[[ 0  1  2  3]\n [ 4  5  6  7]\n [ 8  9 10 11]]");
}

TEST(Print, SeparatesMatricesByEmptyLines) {
  EXPECT_EQ(text({2, 1, 2}, counting(4), int32), "[[[0 1]]\n\n [[2 3]]]");
  EXPECT_EQ(text({2, 1, 1, 1, 1, 1}, {1, 2}), "[[[[[[1.]]]]]\n\n\n\n\n [[[[[2.]]]]]]");
}

TEST(Print, WritesTheFewestDigitsThatTellANumber) {
  EXPECT_EQ(row({0.1, 0.2, 1.0 / 3}), "[0.1        0.2        0.33333334]");
  EXPECT_EQ(row({3.14159265}), "[3.1415927]");
  EXPECT_EQ(row({16777216, 0.5}), "[1.6777216e+07 5.0000000e-01]");
  EXPECT_EQ(row({16777216, 33554432}), "[16777216. 33554432.]");
}

TEST(Print, PadsWithTheDigitsOfTheNumber) {
  EXPECT_EQ(row({1e-5, 0.12345678}), "[9.9999997e-06 1.2345678e-01]");
  EXPECT_EQ(row({0.1, 1.0 / 3}, float32, {.floatmode = FloatMode::equal}),
            "[0.10000000 0.33333334]");
  EXPECT_EQ(row({23744}, float16), "[23744.]");
  EXPECT_EQ(text({}, {23744}, float16), "23740.0");
}

TEST(Print, AlignsThePoints) {
  EXPECT_EQ(row({0, 0.25, 0.5, 0.75, 1}), "[0.   0.25 0.5  0.75 1.  ]");
  EXPECT_EQ(row({-1, 10, 0.5}), "[-1.  10.   0.5]");
}

TEST(Print, CutsDecimalsAtThePrecision) {
  EXPECT_EQ(row({0.00012345678}), "[0.00012346]");
  EXPECT_EQ(row({1.23456, 2}, float32, {.precision = 3}), "[1.235 2.   ]");
  EXPECT_EQ(row({0.125, 0.375}, float32, {.precision = 2}), "[0.12 0.38]");
  EXPECT_EQ(row({1.5}, float32, {.precision = 0}), "[2.]");
}

TEST(Print, TakesAnExponentForWideRanges) {
  EXPECT_EQ(row({1e10, 1}), "[1.e+10 1.e+00]");
  EXPECT_EQ(row({1e-5, 1}), "[1.e-05 1.e+00]");
  EXPECT_EQ(row({1e8}), "[1.e+08]");
  EXPECT_EQ(row({1, 1000}), "[   1. 1000.]");
  EXPECT_EQ(row({1, 1001}), "[1.000e+00 1.001e+03]");
  EXPECT_EQ(row({0.0001}), "[0.0001]");
  EXPECT_EQ(row({0, 1e-30}), "[0.e+00 1.e-30]");
}

TEST(Print, SuppressesSmallNumbers) {
  EXPECT_EQ(row({1e-10, 1}, float32, {.suppress = true}), "[0. 1.]");
  EXPECT_EQ(row({1e8, 1}, float32, {.suppress = true}), "[1.e+08 1.e+00]");
}

TEST(Print, WritesNanAndInfinity) {
  EXPECT_EQ(row({1, nan, inf}), "[ 1. nan inf]");
  EXPECT_EQ(row({-inf, 1.5}), "[-inf  1.5]");
  EXPECT_EQ(row({nan, nan}), "[nan nan]");
  EXPECT_EQ(row({nan, -inf}), "[ nan -inf]");
  EXPECT_EQ(row({1e10, nan}), "[1.e+10    nan]");
}

TEST(Print, KeepsTheSignOfZero) { EXPECT_EQ(row({-0.0, 1}), "[-0.  1.]"); }

TEST(Print, WritesIntegersAndBools) {
  EXPECT_EQ(row({-2147483648.0, 7}, int32), "[-2147483648           7]");
  EXPECT_EQ(row({4294967295.0}, uint32), "[4294967295]");
  EXPECT_EQ(row({0, 255}, uint8), "[  0 255]");
  EXPECT_EQ(row({1, 0}, boolean), "[ True False]");
}

TEST(Print, WritesFloat16WithItsOwnDigits) {
  EXPECT_EQ(row({0.0999755859375, 2}, float16), "[0.1 2. ]");
  EXPECT_EQ(row({65504, 1}, float16), "[6.55e+04 1.00e+00]");
  EXPECT_EQ(row({5.9604644775390625e-08}, float16), "[6.e-08]");
}

TEST(Print, WritesScalars) {
  EXPECT_EQ(text({}, {0.1}), "0.1");
  EXPECT_EQ(text({}, {1}), "1.0");
  EXPECT_EQ(text({}, {1e8}), "100000000.0");
  EXPECT_EQ(text({}, {1e16}), "1e+16");
  EXPECT_EQ(text({}, {1.5e-5}), "1.5e-05");
  EXPECT_EQ(text({}, {-0.0}), "-0.0");
  EXPECT_EQ(text({}, {nan}), "nan");
  EXPECT_EQ(text({}, {-inf}), "-inf");
  EXPECT_EQ(text({}, {-7}, int32), "-7");
  EXPECT_EQ(text({}, {1}, boolean), "True");
}

TEST(Print, WritesEmptyArrays) {
  EXPECT_EQ(text({0}, {}), "[]");
  EXPECT_EQ(text({2, 3, 0}, {}), "[]");
}

TEST(Print, WrapsLongLines) {
  EXPECT_EQ(row(counting(30), int32),
            "[ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23\n"
            " 24 25 26 27 28 29]");
  EXPECT_EQ(row({1, 2, 3}, int32, {.linewidth = 5}), "[1 2\n 3]");
  EXPECT_EQ(row({100, 200}, int32, {.linewidth = 1}), "[100\n 200]");
}

TEST(Print, SummarisesLargeArrays) {
  EXPECT_EQ(text({1001}, {0, 1, 2, 998, 999, 1000}, int32), "[   0    1    2 ...  998  999 1000]");
  EXPECT_EQ(text({2, 600}, {0, 1, 2, 597, 598, 599, 600, 601, 602, 1197, 1198, 1199}, int32),
            "[[   0    1    2 ...  597  598  599]\n [ 600  601  602 ... 1197 1198 1199]]");
  EXPECT_EQ(text({1000, 2}, Doubles(12, 1), float32, {.edgeitems = 3}),
            "[[1. 1.]\n [1. 1.]\n [1. 1.]\n ...\n [1. 1.]\n [1. 1.]\n [1. 1.]]");
  EXPECT_EQ(text({5, 1}, {0, 4}, int32, {.threshold = 4, .edgeitems = 1}), "[[0]\n ...\n [4]]");
}

TEST(Print, TakesSignsAndModes) {
  EXPECT_EQ(row({1, -2}, float32, {.sign = PrintSign::always}), "[+1. -2.]");
  EXPECT_EQ(row({1, 2}, float32, {.sign = PrintSign::space}), "[ 1.  2.]");
  EXPECT_EQ(row({1, 2}, int32, {.sign = PrintSign::always}), "[+1 +2]");
  EXPECT_EQ(row({1, 2.5}, float32, {.precision = 3, .floatmode = FloatMode::fixed}),
            "[1.000 2.500]");
  EXPECT_EQ(row({1, 2.5}, float32, {.floatmode = FloatMode::equal}), "[1.0 2.5]");
  EXPECT_EQ(row({0.0001234567, 0.1}, float32, {.precision = 2, .floatmode = FloatMode::unique}),
            "[0.0001234567 0.1         ]");
  EXPECT_EQ(row({nan, inf}, float32, {.nanstr = "NaN", .infstr = "Infinity"}),
            "[     NaN Infinity]");
}

TEST(Print, KeepsTheOptionsThatAreSet) {
  const PrintOptions before = print_options();
  set_print_options({.precision = 3});
  EXPECT_EQ(print_options().precision, 3);
  set_print_options(before);
  EXPECT_EQ(print_options().precision, 8);
}

TEST(Print, RejectsNegativeOptions) {
  EXPECT_EQ(error_of([] { set_print_options({.edgeitems = -1}); }),
            "trigon::PrintOptions: negative edgeitems: edgeitems is -1; must be 0 or more");
}

TEST(Print, WritesShapesAndDtypes) {
  std::ostringstream stream;
  stream << Shape{2, 3} << ' ' << Shape{4} << ' ' << float32;
  EXPECT_EQ(stream.str(), "(2, 3) (4,) float32");
  EXPECT_EQ(to_string(boolean), "bool");
  EXPECT_EQ(fmt::format("{} {:>6}", Shape{2, 3}, int32), "(2, 3)  int32");
}

}  // namespace
}  // namespace trigon

// SPDX-License-Identifier: MIT
#include "support/kernels.hpp"

// Users' kernels: the meaning of names in a body and in a preamble.

namespace trigon {
namespace {

using support::Floats;
using support::profile_name;

class KernelNamesTest : public support::KernelTest {};
INSTANTIATE_TEST_SUITE_P(Profiles, KernelNamesTest,
                         ::testing::Values(Profile::webgl2, Profile::webgl1), profile_name);

TEST_P(KernelNamesTest, PreamblesHaveNamesOfTheirOwn) {
  const std::string preamble =
      "precision highp float;\n"
      "struct Pair { float x, y; };\n"
      "const float scale = 0.5, x = 100.0;\n"
      "void swap(inout Pair p, out float out) { float y = p.x; p.x = p.y; p.y = y; out = x; }\n";
  const char* body =
      "Pair p = Pair(in, 2.0 * in);\n"
      "float t;\n"
      "swap(p, t);\n"
      "out = p.x - p.y + t * scale";
  const ElementwiseKernel kernel("float in", "float out", body, "names", {.preamble = preamble});
  const ElementwiseKernel other("float in", "float out", body, "others", {.preamble = preamble});
  const Tensor x = floats({1, 2, 5}, {3});
  expect_equal(kernel(x), x + 50.0);
  expect_equal(kernel(other(x)), x + 100.0);
}

TEST_P(KernelNamesTest, PreamblesMayNameTheirKernel) {
  const ElementwiseKernel kernel("T x", "T y", "y = x * twice[1] * twice_element", "twice",
                                 {.preamble = "#define twice vec2(1.0, 2.0)\n"
                                              "const float twice_element = 3.0;"});
  const Tensor x = floats({1, 2, 5}, {3});
  expect_equal(kernel(x), x * 6.0);
}

// A loop of GLSL ES 1.00 declares one number.
TEST_P(KernelNamesTest, LocalsHideInputsAndNumbers) {
  const std::string loop = GetParam() == Profile::webgl1
                               ? "for (int i = 0; i < 2; ++i) sum += float(i + 2);\n"
                               : "for (int i = 0, n = 2; i < 2; ++i) sum += float(i + n);\n";
  const ElementwiseKernel kernel(
      "raw float x", "float y",
      "float sum = x[0];\n" + loop +
          "{ float z = 1.0, x = x[1]; vec2 v = vec2(x, z); sum += v[0]; }\n"
          "{ vec2 x = vec2(2.0, 3.0); sum += x[1]; }\n"
          "y = sum + 100.0 * float(i) + first(vec2(7.0))",
      "locals", {.preamble = "float first(vec2 x) { return x[0]; }"});
  EXPECT_EQ(kernel.call({floats({10, 20}, {2})}, Shape{2})[0].to_vector<float>(),
            (Floats{45, 145}));
}

TEST_P(KernelNamesTest, ReductionsNameTypesByLetters) {
  const ReductionKernel kernel("T x", "T y", "f(x)", "a < b ? b : a * T(1)", "y = f(a)", "T(-7)",
                               "letters", {.preamble = "T f(T v) { return v + T(1); }"});
  expect_equal(kernel(floats({1, 5, 2, 0}, {2, 2}), 1), floats({7, 4}, {2}));
  expect_equal(kernel(ints({1, 5, 2, 0}, {2, 2}), 1), ints({7, 4}, {2}));
}

TEST_P(KernelNamesTest, ReductionsHideThePreamblesNames) {
  const ReductionKernel kernel("T x, T b", "T y", "x * b * a", "a + b", "y = a", "a - 2.0",
                               "hidden", {.preamble = "const float a = 2.0;"});
  expect_equal(kernel.call({floats({1, 3}, {2}), floats({10, 20}, {2})})[0], floats({140}, {}));
}

TEST_P(KernelNamesTest, ReductionsNumberTheirResults) {
  const ReductionKernel kernel("T x, raw T w", "T y", "x * w(_ind_size - 1 - i) * T(_w_shape_0)",
                               "a + b", "y = a + T(1000 * i + 100 * _y_0 + 10 * _ind_size)", "0",
                               "numbers");
  const Tensor x = floats({1, 2, 3, 4}, {2, 2}), w = floats({1, 2, 3, 4}, {4});
  expect_equal(kernel.call({x, w}, 1)[0], floats({60, 1160}, {2}));
}

}  // namespace
}  // namespace trigon

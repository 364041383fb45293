// SPDX-License-Identifier: MIT
#include "core/internals.hpp"
#include "run/device_state.hpp"
#include "support/kernels.hpp"
#include "support/on_profile.hpp"

#include <cstdlib>

// Kernels of users: gradients, errors of the compiler, and TRIGON_CHECK.

namespace trigon {
namespace {

using support::error_of;
using support::Floats;
using support::profile_name;
using support::reversed;

class KernelErrorTest : public support::KernelTest {};
INSTANTIATE_TEST_SUITE_P(Profiles, KernelErrorTest,
                         ::testing::Values(Profile::webgl2, Profile::webgl1), profile_name);

// ---- Gradients

TEST_P(KernelErrorTest, GradientsOfGradients) {
  const ElementwiseKernel power(
      "float x", "float y", "y = exp(x)", "power",
      {.gradient = [](std::span<const Tensor> g, std::span<const Tensor>,
                      std::span<const Tensor> y) { return std::vector<Tensor>{g[0] * y[0]}; }});
  const auto once = [&](const Tensor& x) {
    return grad([&](Tensor v) { return sum(power(v)); }, x);
  };
  const Tensor x = floats({0, 1, -2}, {3});
  const Tensor again = grad([&](Tensor v) { return sum(once(v)); }, x);
  EXPECT_EQ(
      support::difference(support::read_doubles(again), support::read_doubles(exp(x)), 1e-6, 1e-6),
      "");
}

TEST_P(KernelErrorTest, GradientOfAnotherShape) {
  const ElementwiseKernel same(
      "float x", "float y", "y = x", "same",
      {.gradient = [&](std::span<const Tensor>, std::span<const Tensor>, std::span<const Tensor>) {
        return std::vector<Tensor>{floats({7}, {1})};
      }});
  const Tensor x = floats({1, 2, 3}, {3});
  EXPECT_EQ(error_of([&] { return grad([&](Tensor v) { return sum(same(v)); }, x); }),
            "trigon::same: wrong shape of gradient 0: (1,); must be that of its input, (3,)");
}

TEST_P(KernelErrorTest, CommentsOfTheBodyAreItsOwn) {
  const ElementwiseKernel wrong("float x", "float y", "//@\n//@x\ny = x * rate", "wrong");
  const std::string text = error_of([&] { return wrong(floats({1}, {1})); });
  EXPECT_NE(text.find("trigon::wrong: body does not compile: line 3"), std::string::npos) << text;
}

TEST_P(KernelErrorTest, SeveralResultsOfAReduction) {
  const ReductionKernel both("float x", "float y, float z", "x", "a + b", "y = a; z = 2.0 * a",
                             "0.0", "both");
  EXPECT_EQ(error_of([&] {
              return both(floats({1, 2}, {2}));
            }),
            GetParam() == Profile::webgl1
                ? "trigon::both: too many outputs: 2; a draw on this device has at most 1"
                : "trigon::both: several results: 2; call() returns them");
}

TEST_P(KernelErrorTest, GradientAsAFunction) {
  const ElementwiseKernel product(
      "T x, T y", "T z", "z = x * y", "product",
      {.gradient = [](std::span<const Tensor> g, std::span<const Tensor> in,
                      std::span<const Tensor>) {
        return std::vector<Tensor>{g[0] * in[1], g[0] * in[0]};
      }});
  const Tensor x = random({4, 5}), y = random({5});
  const auto loss = [](const Tensor& z) { return sum(square(z)); };
  const auto [dx, dy] = grad([&](Tensor a, Tensor b) { return loss(product(a, b)); }, x, y);
  const auto [want_dx, want_dy] = grad([&](Tensor a, Tensor b) { return loss(a * b); }, x, y);
  expect_equal(dx, want_dx);
  EXPECT_EQ(
      support::difference(support::read_doubles(dy), support::read_doubles(want_dy), 1e-5, 1e-5),
      "");
}

TEST_P(KernelErrorTest, GradientAsAKernel) {
  KernelOptions options;
  options.with_gradient(
      ElementwiseKernel("T g, T x, T y", "T dx", "dx = g * (y / x + x)", "square_gradient"));
  const ElementwiseKernel square_of("T x", "T y", "y = x * x", "square_of", options);
  const Tensor x = floats({1, 2, 3, -4}, {4});
  const auto f = [&](const Tensor& v) { return sum(square_of(v) * 3.0); };
  EXPECT_EQ(grad(f, x).to_vector<float>(), (Floats{6, 12, 18, -24}));
}

TEST_P(KernelErrorTest, GradientThatLeavesParametersOut) {
  KernelOptions options;
  options.with_gradient({"T g, T x, T z", "T dx", "dx = g * z", "exp_gradient"});
  const ElementwiseKernel own_exp("T x", "T z", "z = exp(x)", "own_exp", options);
  const auto f = [&](const Tensor& v) { return sum(own_exp(v) * 3.0); };
  const Tensor x = floats({0, 1, -2}, {3});
  const Tensor want = grad([](const Tensor& v) { return sum(exp(v) * 3.0); }, x);
  EXPECT_EQ(support::difference(support::read_doubles(grad(f, x)), support::read_doubles(want),
                                1e-5, 1e-6),
            "");
  KernelOptions none;  // a gradient that does not depend on any
  none.with_gradient({"T g", "T dx", "dx = T(2)", "two"});
  const ElementwiseKernel twice("T x", "T z", "z = x + x", "twice", none);
  EXPECT_EQ(grad([&](const Tensor& v) { return sum(twice(v)); }, x).to_vector<float>(),
            (Floats{2, 2, 2}));
}

TEST_P(KernelErrorTest, GradientOfASum) {
  const ReductionKernel norm("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0.0", "norm",
                             {.gradient = [](std::span<const Tensor> g, std::span<const Tensor> in,
                                             std::span<const Tensor> y) {
                               return std::vector<Tensor>{in[0] / y[0] * g[0]};
                             }});
  const Tensor x = random({4, 6});
  const Tensor got = grad([&](const Tensor& v) { return sum(norm(v, 1, true)); }, x);
  const Tensor want = grad([](const Tensor& v) { return sum(sqrt(sum(v * v, 1, true))); }, x);
  EXPECT_EQ(
      support::difference(support::read_doubles(got), support::read_doubles(want), 1e-5, 1e-6), "");
}

TEST(KernelGradientGl, OfSeveralResults) {
  const support::OnWebGL2 only("kernels of several results");
  const ElementwiseKernel both("T x", "T s, T c", "s = sin(x); c = cos(x)", "both",
                               {.gradient = [](std::span<const Tensor> g, std::span<const Tensor>,
                                               std::span<const Tensor> y) {
                                 return std::vector<Tensor>{g[0] * y[1] - g[1] * y[0]};
                               }});
  const Tensor x = tensor<float>({0.5F, 1, -2}, {3});
  const Tensor got = grad(
      [&](const Tensor& v) {
        const auto y = both.call({v});
        return sum(y[0] * 2.0 + y[1] * y[1]);
      },
      x);
  const Tensor want = grad([](const Tensor& v) { return sum(sin(v) * 2.0 + square(cos(v))); }, x);
  EXPECT_EQ(
      support::difference(support::read_doubles(got), support::read_doubles(want), 1e-4, 1e-5), "");
}

// ---- Bodies that do not compile

/// The library's part of an error's text; words of the driver stand between.
void expect_error(const std::string& text, const std::string& begin, const std::string& end) {
  EXPECT_TRUE(text.starts_with(begin)) << text;
  EXPECT_TRUE(text.ends_with(end)) << text;
  EXPECT_GT(text.size(), begin.size() + end.size()) << text;
}

TEST_P(KernelErrorTest, ABodyThatDoesNotCompile) {
  const Tensor x = random({4});
  const auto text_of = [&](const char* body, const char* preamble) {
    return error_of(
        [&] { return ElementwiseKernel("T x", "T y", body, "mine", {.preamble = preamble})(x); });
  };
  expect_error(text_of("float s = x;\ny = s * unknown;", ""),
               "trigon::mine: body does not compile: line 2: ", "\n     2 | y = s * unknown;");
  expect_error(
      text_of("y = helper(x)", "float helper(float v) {\n  return v + missing;\n}"),
      "trigon::mine: preamble does not compile: line 2: ", "\n     2 |   return v + missing;");
  EXPECT_TRUE(
      text_of("if (x > 0.0) {\ny = x;", "").starts_with("trigon::mine: body does not compile: "));
}

TEST_P(KernelErrorTest, SaysWhichUniformOfTheLineIsAnInt) {
  const auto text_of = [&](const char* body) {
    return error_of([&] {
      return Kernel({.name = "mine",
                     .inputs = {"float x"},
                     .uniforms = {{"k", 2}, {"rate", 2.0}},
                     .body = body})(floats({1}, {1}));
    });
  };
  const std::string begin = "trigon::mine: body does not compile: line 2: ";
  expect_error(text_of("float r = rate;\nout = x * k * r;"), begin,
               "; k is an int, as its value is whole: write float(k)\n     2 | out = x * k * r;");
  const std::string other = text_of("float r = rate * float(k);\nout = x * lost * r;");
  EXPECT_EQ(other.find("is an int"), std::string::npos) << other;
}

TEST_P(KernelErrorTest, ShowsTheLineAsItWasWritten) {
  const ElementwiseKernel kernel("raw T x", "T y", "y = T(0);\ny = x[i] * T(unknown); // y_k",
                                 "mine");
  expect_error(
      error_of([&] { return kernel.call({random({4})}, Shape{4}); }),
      "trigon::mine: body does not compile: line 2: ", "\n     2 | y = x[i] * T(unknown); // y_k");
}

TEST_P(KernelErrorTest, ShowsTheLineOnOneLine) {
  const auto text_of = [&](const std::string& body) {
    return error_of([&] { return ElementwiseKernel("T x", "T y", body, "mine")(random({4})); });
  };
  const std::string begin = "trigon::mine: body does not compile: line 1: ";
  expect_error(text_of("y\t= x * unknown; // \x1b[2J\u202e\xff"), begin,
               "\n     1 | y = x * unknown; // \\x1b[2J\\u{202e}\\xff");
  expect_error(text_of("y = x * unknown; // " + std::string(1000, '-')), begin,
               "\n     1 | y = x * unknown; // " + std::string(380, '-') + "...");
}

TEST_P(KernelErrorTest, ABackslashJoinsLines) {
  const auto value_of = [](const char* body, const char* preamble) {
    const ElementwiseKernel kernel("T x", "T y", body, "mine", {.preamble = preamble});
    return kernel(floats({3}, {1})).item();
  };
  EXPECT_EQ(value_of("y = TW\\\nICE(x); // \\", "#define TWICE(v) \\\r\n  ((v) * 2.0)"), 6);
  expect_error(error_of([&] { value_of("y = x * \\\n1.0;\ny *= unknown;", ""); }),
               "trigon::mine: body does not compile: line 3: ", "\n     3 | y *= unknown;");
}

TEST_P(KernelErrorTest, SectionsOfAReductionThatDoNotCompile) {
  const Tensor x = random({4});
  const auto text_of = [&](const char* map, const char* reduce, const char* post,
                           const char* identity) {
    return error_of(
        [&] { return ReductionKernel("T x", "T y", map, reduce, post, identity, "mine")(x); });
  };
  expect_error(text_of("x + lost", "a + b", "y = a", "0"),
               "trigon::mine: map expression does not compile: line 1: ", "\n     1 | x + lost");
  expect_error(
      text_of("x", "a + b + lost", "y = a", "0"),
      "trigon::mine: reduce expression does not compile: line 1: ", "\n     1 | a + b + lost");
  expect_error(
      text_of("x", "a + b", "y = a * lost", "0"),
      "trigon::mine: post-map expression does not compile: line 1: ", "\n     1 | y = a * lost");
  expect_error(text_of("x", "a + b", "y = a", "lost"),
               "trigon::mine: identity does not compile: line 1: ", "\n     1 | lost");
}

TEST_P(KernelErrorTest, ARawInputWithTheWrongIndices) {
  const ElementwiseKernel kernel("rawnd T x", "T y", "y = x(i)", "mine");
  expect_error(error_of([&] {
                 return kernel.call({counting({2, 3})}, Shape{6});
               }),
               "trigon::mine: body does not compile: line 1: ", "\n     1 | y = x(i)");
  EXPECT_EQ(kernel.call({counting({6})}, Shape{6})[0].to_vector<float>()[5], 5);
}

// ---- TRIGON_CHECK=1

class KernelCheck : public support::KernelTest {
 protected:
  static const Device& checking() { return support::checking_device(GetParam()); }
  static Tensor checked(const Tensor& x) { return x.to(checking()); }
};
INSTANTIATE_TEST_SUITE_P(Profiles, KernelCheck, ::testing::Values(Profile::webgl2, Profile::webgl1),
                         profile_name);

TEST_P(KernelCheck, FindsReadsPastAnInput) {
  const Tensor x = checked(counting({2, 3}));
  EXPECT_EQ(reversed().call({x}, Shape{6})[0].to_vector<float>(), (Floats{5, 4, 3, 2, 1, 0}));
  EXPECT_EQ(error_of([&] { reversed().call({x}, Shape{7})[0].eval(); }),
            "trigon::reversed: read past an input: x at 6; must be in [0, 6)");
  const ElementwiseKernel turned("rawnd T x", "T y", "y = x(_y_1, _y_0)", "turned");
  EXPECT_EQ(turned.call({x}, Shape{3, 2})[0].to_vector<float>(), (Floats{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(error_of([&] {
              turned.call({x}, Shape{3, 3})[0].eval();
            }),
            "trigon::turned: read past an input: x at 2 along axis 0; must be in [0, 2)");
  EXPECT_EQ(error_of([&] {
              (sum(turned.call({x}, Shape{4, 2})[0]) + 1.0).eval();
            }),
            "trigon::turned: read past an input: x at 3 along axis 1; must be in [0, 3)");
}

TEST_P(KernelCheck, KnowsWhatIsNoElement) {
  // The lanes past the end of a row and of the last texel are computed, too.
  const ElementwiseKernel turned("rawnd T x", "T y", "y = x(_y_1, _y_0)", "turned");
  for (const std::int64_t n : {1, 2, 3, 5, 7}) {
    const Tensor x = checked(counting({n, n + 1}));
    expect_equal(turned.call({x}, Shape{n + 1, n})[0], x.T());
    expect_equal(sum(turned.call({x}, Shape{n + 1, n})[0], 1), sum(x, 0));
    expect_equal(
        pad(turned.call({x}, Shape{n + 1, n})[0], std::vector<PadWidth>{{1, 2}, {3, 1}}, 9.0),
        pad(x.T(), std::vector<PadWidth>{{1, 2}, {3, 1}}, 9.0));
  }
}

TEST_P(KernelCheck, FindsNothingInADrawThatIsSkipped) {
  const core::Target& target = detail::Internals::state(checking())->target();
  const bool is_large = target.max_side * target.max_side * target.max_layers >= 512 * 512;
  const Tensor x = checked(ones({is_large ? 1'000'000 : 10'000}));
  const auto turned = [&](const Tensor& v) { return sum(reversed().call({v}, v.shape())[0]); };
  const auto one = [](const Tensor&) { return Tensor(1.0); };
  for (const bool held : {false, true, false}) {
    Tensor p = checked(floats({held ? 1.0F : -1.0F}, {})) > 0.0;
    p.eval();
    EXPECT_EQ(cond(p, turned, one, x).item(), held ? static_cast<float>(x.shape().numel()) : 1.0F);
  }
}

TEST_P(KernelCheck, CountsIterations) {
  const ElementwiseKernel looped("T x", "T y",
                                 "y = x;\n"
                                 "for (int k = 0; k < 1000; ++k)\n"
                                 "  for (int t = 0; t < 70; ++t) y += 1.0;",
                                 "looped");
  const std::string text = error_of([&] { looped(checked(counting({3}))).eval(); });
  EXPECT_TRUE(text.starts_with("trigon::looped: too many iterations of its loops: ")) << text;
}

// A counter may not take the `else` of the user's own `if`.
TEST_P(KernelCheck, LeavesTheMeaningOfElse) {
  const ElementwiseKernel kernel("raw T x", "T y",
                                 "y = 0.0;\n"
                                 "if (i > 100) for (int k = 0; k < 3; ++k) y += x(k);\n"
                                 "else y = x(i);\n"
                                 "if (i < 100) y += 1.0; else for (int k = 0; k < 9; ++k) y += "
                                 "x(100);",
                                 "kernel");
  const ElementwiseKernel past("raw T x", "T y",
                               "y = 0.0;\n"
                               "if (i > 100) for (int k = 0; k < 3; ++k) y += 1.0;\n"
                               "else y = x(i + 1);",
                               "past");
  const Tensor x = checked(counting({3}));
  EXPECT_EQ(kernel.call({x}, Shape{3})[0].to_vector<float>(), (Floats{1, 2, 3}));
  EXPECT_EQ(error_of([&] { past.call({x}, Shape{3})[0].eval(); }),
            "trigon::past: read past an input: x at 3; must be in [0, 3)");
}

TEST_P(KernelCheck, CountsIterationsOfAReductionsPreamble) {
  const ReductionKernel slow("T x", "T y", "x", "slow_sum(a, b)", "y = a", "0.0", "slow",
                             {.preamble = "float slow_sum(float v, float w) {\n"
                                          "  for (int k = 0; k < 2000; ++k) v += 0.0 * w;\n"
                                          "  return v + w;\n"
                                          "}"});
  EXPECT_EQ(slow(checked(floats({7}, {1}))).item(), 7);
  const std::string text = error_of([&] { slow(checked(counting({3, 40})), 1).eval(); });
  EXPECT_TRUE(text.starts_with("trigon::slow: too many iterations of its loops: ")) << text;
}

}  // namespace
}  // namespace trigon

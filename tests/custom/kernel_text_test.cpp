// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include <trigon/extend.hpp>
#include <trigon/trigon.hpp>

#include "core/internals.hpp"
#include "emit/bodies.hpp"
#include "emit/emit.hpp"
#include "reference/interpret.hpp"
#include "support/errors.hpp"
#include "support/plans.hpp"

// Users' kernels without a device: valid and invalid texts, types and plans.

namespace trigon {
namespace {

using support::error_of;

std::string made(const char* inputs, const char* outputs, const char* body) {
  return error_of([&] { return ElementwiseKernel(inputs, outputs, body, "mine"); });
}

const ElementwiseKernel& squared_difference() {
  static const ElementwiseKernel kernel("T x, T y", "T z", "z = (x - y) * (x - y)",
                                        "squared_difference");
  return kernel;
}

// ---- Construction

TEST(KernelText, RefusesNamesThatLookLikeItsOwn) {
  EXPECT_EQ(
      made("T x", "T y", "T x_k1 = x; y = x_k1"),
      "trigon::mine: name is reserved: x_k1 in line 1 of the body; must not end with _k and a "
      "number");
  EXPECT_EQ(made("T x_k", "T y", "T x_k1a = x_k; y = x_k1a"), "no error");
}

TEST(KernelText, RefusesDiscard) {
  EXPECT_EQ(
      made("T x", "T y", "y = x;\n// discard\nif (x > 1.0) discard;"),
      "trigon::mine: word is not allowed: discard in line 3 of the body; every element gets a "
      "value; return ends the body");
  EXPECT_EQ(
      error_of([] {
        return ElementwiseKernel(
            "T x", "T y", "y = f(x)", "mine",
            {.preamble = "float f(float v) { if (v > 0.0) discard; return v; }"});
      }),
      "trigon::mine: word is not allowed: discard in line 1 of the preamble; every element gets a "
      "value; return ends the body");
  EXPECT_EQ(error_of([] {
              return ReductionKernel("T x", "T y", "x", "a + b", "if (a > 0.0)\ndiscard; y = a",
                                     "0", "mine");
            }),
            "trigon::mine: word is not allowed: discard in line 2 of the post-map expression; "
            "every element gets a value; return ends the body");
}

TEST(KernelText, RefusesKeywordsAndTypesAsNames) {
  for (const char* name : {"if", "float", "vec3", "mat2", "const"}) {
    EXPECT_EQ(made((std::string("T ") + name).c_str(), "T y", "y = x"),
              std::string("trigon::mine: name is reserved: ") + name + "; it is a word of GLSL");
  }
  EXPECT_EQ(made("T T", "T y", "y = T"), "trigon::mine: name is given twice: T; it is a type");
  EXPECT_EQ(made("T x", "T y", "float T = x;\ny = T"),
            "trigon::mine: name is given twice: T in line 1 of the body; it is a type");
  EXPECT_EQ(made("T in", "T out", "out = in"), "no error");
}

TEST(KernelText, RefusesRawInputsThatThePreambleDefines) {
  EXPECT_EQ(error_of([] {
              return ElementwiseKernel("raw T x", "T y", "y = x(i)", "mine",
                                       {.preamble = "const float x = 1.0;"});
            }),
            "trigon::mine: name is given twice: x; the preamble defines it, too");
}

TEST(KernelText, RefusesOutputsNamedAsPartialResults) {
  for (const std::string name : {"a", "b"}) {
    EXPECT_EQ(error_of([&] {
                return ReductionKernel("T x", "T " + name, "x", "a + b", name + " = a", "0",
                                       "mine");
              }),
              "trigon::mine: name is reserved: " + name +
                  "; a and b are the partial results of a reduction");
  }
}

TEST(KernelText, JoinsLinesBeforeTheyAreRead) {
  const std::string refusal = "; every element gets a value; return ends the body";
  EXPECT_EQ(made("T x", "T y", "y = x;\ndis\\\ncard;"),
            "trigon::mine: word is not allowed: discard in line 2 of the body" + refusal);
  EXPECT_EQ(made("T x", "T y", "y = x; /* *\\\n/ discard; /* */"),
            "trigon::mine: word is not allowed: discard in line 1 of the body" + refusal);
  EXPECT_EQ(made("T x", "T y", "y = x; // dis\\\ncard"), "no error");
  EXPECT_EQ(error_of([] {
              return ElementwiseKernel("T x", "T y", "y = x", "mine",
                                       {.preamble = "dis\\\r\ncard"});
            }),
            "trigon::mine: word is not allowed: discard in line 1 of the preamble" + refusal);
  EXPECT_EQ(
      error_of([] {
        return ReductionKernel("T x", "T y", "x", "a + b", "y = a; dis\\\ncard", "0", "mine");
      }),
      "trigon::mine: word is not allowed: discard in line 1 of the post-map expression" + refusal);
  EXPECT_EQ(
      error_of([] {
        return ReductionKernel("T x", "T y", "x", "a + b; dis\\\ncard", "y = a", "0", "mine");
      }),
      "trigon::mine: word is not allowed: discard in line 1 of the reduce expression" + refusal);
  EXPECT_EQ(error_of([] {
              return Kernel({.name = "mine", .inputs = {"x"}, .body = "out = x(0); dis\\\ncard"});
            }),
            "trigon::mine: word is not allowed: discard in line 1 of the body" + refusal);
}

TEST(KernelText, RefusesMalformedParameters) {
  EXPECT_EQ(made("T", "T y", "y = x"),
            "trigon::mine: parameter is malformed: \"T\"; write [raw | rawnd] TYPE NAME");
  EXPECT_EQ(made("raw x", "T y", "y = x"),
            "trigon::mine: unknown type: \"raw\" of x; must be a capital letter, float32, float16, "
            "int32, uint32, uint8, bool, float, int or uint");
  EXPECT_EQ(made("const T x", "T y", "y = x"),
            "trigon::mine: parameter is malformed: \"const T x\"; write [raw | rawnd] TYPE NAME");
  EXPECT_EQ(made("T 2x", "T y", "y = x"),
            "trigon::mine: parameter is malformed: \"T 2x\"; write [raw | rawnd] TYPE NAME");
}

TEST(KernelText, RefusesUnknownTypesAndLetters) {
  EXPECT_EQ(
      made("float64 x", "T y", "y = x"),
      "trigon::mine: unknown type: \"float64\" of x; must be a capital letter, float32, float16, "
      "int32, uint32, uint8, bool, float, int or uint");
  EXPECT_EQ(made("T x", "U y", "y = x"),
            "trigon::mine: unknown type letter: U of y; an input must have it");
}

TEST(KernelText, RefusesNames) {
  EXPECT_EQ(made("T x, T x", "T y", "y = x"),
            "trigon::mine: name is given twice: x; each parameter needs its own");
  EXPECT_EQ(made("T x", "T x", "x = x"),
            "trigon::mine: name is given twice: x; each parameter needs its own");
  for (const char* name : {"i", "gl_x", "x_", "x__y", "u_t0"}) {
    EXPECT_EQ(made((std::string("T ") + name).c_str(), "T y", "y = x"),
              std::string("trigon::mine: name is reserved: ") + name +
                  "; must not be i, begin with gl_ or u_, end with _ or hold two of them in a row");
  }
  EXPECT_EQ(error_of([] { return ElementwiseKernel("T x", "T y", "y = x", "my kernel"); }),
            "trigon::ElementwiseKernel: name of the kernel is malformed: \"my kernel\"; must "
            "consist of letters, digits and underscores, at most 200 of them");
}

TEST(KernelText, RefusesWhatTheBodyDoesNotUse) {
  const auto called = [](const char* inputs, const char* body) {
    const std::vector<Tensor> x(std::count(inputs, inputs + std::strlen(inputs), ',') + 1,
                                ones({3}));
    return error_of([&] { return ElementwiseKernel(inputs, "T z", body, "mine").call(x); });
  };
  EXPECT_EQ(called("T x, T y", "z = x"), "trigon::mine: name is not used: y; the body must use it");
  EXPECT_EQ(made("T x", "T z", "float q = x; // z"),
            "trigon::mine: name is not used: z; the body must use it");
  EXPECT_EQ(called("T x", "z = 0.0; { float q = 1.0, x = 2.0; z = x; }"),
            "trigon::mine: name is not used: x; the body must use it");
  EXPECT_EQ(error_of([] {
              return Kernel({.name = "mine", .inputs = {"x", "y"}, .body = "out = x(0);"});
            }),
            "trigon::mine: name is not used: y; the body must use it");
  EXPECT_EQ(
      error_of([] { return ReductionKernel("T x", "T y", "1.0", "a + b", "y = a", "0", "mine"); }),
      "trigon::mine: name is not used: x; the map expression must use it");
  EXPECT_EQ(error_of([] { return ReductionKernel("T x", "T y", "x", "a", "y = a", "0", "mine"); }),
            "trigon::mine: name is not used: b; the reduce expression must use it");
  EXPECT_EQ(error_of([] { return ReductionKernel("T x", "T y", "x", "a + b", "a", "0", "mine"); }),
            "trigon::mine: name is not used: y; the post-map expression must use it");
}

TEST(KernelText, RefusesAKernelWithoutOutputsOrShape) {
  EXPECT_EQ(
      error_of([] { return Kernel({.name = "mine", .inputs = {"x"}, .outputs = {}, .body = ""}); }),
      "trigon::mine: no output: there must be one");
  const Kernel kernel({.name = "mine", .outputs = {"float y"}, .body = "y = 1.0;"});
  EXPECT_EQ(error_of([&] { return kernel.call({}); }),
            "trigon::mine: no shape: it has no input; pass the shape of the result to call()");
}

TEST(KernelText, RefusesOutputs) {
  EXPECT_EQ(made("T x", "", "x"), "trigon::mine: no output: \"\"; there must be one");
  EXPECT_EQ(made("T x", "raw T y", "y = x"), "trigon::mine: output is raw: y; only inputs can be");
}

// ---- Calls

TEST(KernelText, RefusesArguments) {
  const Tensor x = host_leaf({2, 3});
  const ElementwiseKernel& kernel = squared_difference();
  EXPECT_EQ(error_of([&] { return kernel(x); }),
            "trigon::squared_difference: wrong number of arguments: 1; must be 2 (x, y)");
  EXPECT_EQ(
      error_of([&] { return kernel(x, host_leaf({3}, int32)); }),
      "trigon::squared_difference: dtypes differ: T is float32 in x and int32 in y; cast with "
      "astype");
  EXPECT_EQ(
      error_of([&] { return kernel(host_leaf({3}, int32), 2.5); }),
      "trigon::squared_difference: dtypes differ: T is int32 in x and float32 in y; cast with "
      "astype");
  EXPECT_EQ(error_of([&] { return kernel(x, host_leaf({2})); }),
            "trigon::squared_difference: shapes do not broadcast: y is (2,), the inputs before it "
            "are (2, 3); axes must be equal or 1, counted from the last");
  EXPECT_EQ(error_of([&] {
              return kernel.call({x, x}, Shape{3});
            }),
            "trigon::squared_difference: shapes do not broadcast: x is (2, 3), the result is (3,); "
            "axes must be equal or 1, counted from the last");
}

TEST(KernelText, RefusesDtypesOfFixedParameters) {
  const ElementwiseKernel kernel("int32 n", "int32 m", "m = n + 1", "next");
  EXPECT_EQ(error_of([&] { return kernel(host_leaf({3})); }),
            "trigon::next: dtype does not fit: n is float32; must be int32; cast with astype");
  EXPECT_EQ(kernel(host_leaf({3}, int32)).dtype(), int32);
  EXPECT_EQ(kernel(4).dtype(), int32);
}

TEST(KernelText, RefusesRawInputs) {
  const ElementwiseKernel reversed("raw T x", "T y", "y = x(_ind_size - 1 - i)", "reversed");
  EXPECT_EQ(
      error_of([&] { return reversed(host_leaf({3})); }),
      "trigon::reversed: no shape: no input is read element by element; pass the shape of the "
      "result to call()");
  EXPECT_EQ(error_of([&] { return reversed.call({zeros({0})}, Shape{3}); }),
            "trigon::reversed: raw input without elements: x is (0,); there is nothing to read");
  EXPECT_EQ(reversed.call({zeros({0})}, Shape{0})[0].shape(), (Shape{0}));
  const ElementwiseKernel axis("rawnd T x", "T y", "y = x(_y_0, _y_2) + T(_x_shape_0)", "axis");
  EXPECT_EQ(error_of([&] {
              return axis.call({host_leaf({2, 3})}, Shape{2, 3});
            }),
            "trigon::axis: no such axis: body has _y_2; the result is (2, 3)");
  const ElementwiseKernel extent("raw T x", "T y", "y = x(_x_shape_3)", "extent");
  EXPECT_EQ(error_of([&] {
              return extent.call({host_leaf({2, 3})}, Shape{2});
            }),
            "trigon::extent: no such axis: body has _x_shape_3; x is (2, 3)");
}

TEST(KernelText, RefusesToChooseAmongResults) {
  const ElementwiseKernel two("T x", "T y, T z", "y = x; z = -x", "two");
  EXPECT_EQ(error_of([&] { return two(host_leaf({3})); }),
            "trigon::two: several results: 2; call() returns them");
  EXPECT_EQ(two.call({host_leaf({3})}).size(), 2u);
}

TEST(KernelText, RefusesToChooseAmongResultsOfAReduction) {
  const ReductionKernel two("T x", "T y, T z", "x", "a + b", "y = a; z = -a", "0.0", "two");
  EXPECT_EQ(error_of([&] { return two(host_leaf({3})); }),
            "trigon::two: several results: 2; call() returns them");
}

TEST(KernelText, ResolvesTypes) {
  const ElementwiseKernel kernel("T x, U n, T s", "T y, U m, bool b",
                                 "y = x * s; m = n; b = n > U(0)", "mixed");
  const auto results = kernel.call({host_leaf({2, 3}), host_leaf({3}, int32), 2});
  EXPECT_EQ(results[0].dtype(), float32);
  EXPECT_EQ(results[1].dtype(), int32);
  EXPECT_EQ(results[2].dtype(), boolean);
  EXPECT_EQ(results[1].shape(), (Shape{2, 3}));
  EXPECT_EQ(squared_difference()(1, 2.5).dtype(), float32) << "numbers alone";
  EXPECT_EQ(squared_difference()(1, Scalar(2)).dtype(), int32);
  // A half is for storage only; a Scalar yields like a host number.
  EXPECT_EQ(squared_difference()(host_leaf({3}, float16), Scalar(2)).dtype(), float32);
  const ElementwiseKernel half("float32 x", "float16 y", "y = x", "half");
  EXPECT_EQ(half(host_leaf({3})).dtype(), float16);
}

TEST(KernelText, RefusesUniforms) {
  const Kernel kernel({.name = "blur",
                       .inputs = {"image"},
                       .uniforms = {{"radius", 2}},
                       .body = "out = image(_out_0, radius)"});
  EXPECT_EQ(error_of([&] {
              return kernel.with({{"width", 3}});
            }),
            "trigon::blur: no such uniform: \"width\"");
  EXPECT_EQ(
      error_of([&] {
        return kernel.with({{"radius", 2.5}})(host_leaf({4, 4}));
      }),
      "trigon::blur: uniform is a float: radius; the kernel was made with a whole one, an int");
  EXPECT_EQ(error_of([&] { return kernel(); }),
            "trigon::blur: wrong number of arguments: 0; must be 1 (image)");
}

// ---- Plans

TEST(KernelPlan, FusesWithTheCodeAroundIt) {
  const Tensor x = host_leaf({6, 8}), y = host_leaf({8});
  EXPECT_EQ(draws(plan_of(exp(squared_difference()(x * 2.0, y) + 1.0))), 1);
  EXPECT_EQ(draws(plan_of(sum(squared_difference()(x, y), 1))), 1);
}

TEST(KernelPlan, DrawsAllResultsAtOnce) {
  const ElementwiseKernel two("T x", "T y, int32 n", "y = sqrt(x); n = int(x) + i * _ind_size",
                              "two");
  const std::vector<Tensor> results = two.call({host_leaf({6, 8}) + 1.0});
  const plan::Plan plan = plan_of(results, core::llvmpipe());
  EXPECT_EQ(draws(plan), 1);
  const std::string text = emit::emit(*plan.steps[0].kernel).fragment;
  const std::size_t call = text.find("  two_k1(");
  ASSERT_NE(call, std::string::npos);
  EXPECT_EQ(text.find("  two_k1(", call + 1), std::string::npos) << "the body runs once";
}

TEST(KernelPlan, StoresWhatIsReadRaw) {
  const ElementwiseKernel reversed("raw T x", "T y", "y = x(_ind_size - 1 - i)", "reversed");
  const auto of = [&](const Tensor& x) { return reversed.call({x}, x.shape())[0]; };
  const Tensor x = host_leaf({6, 8});
  EXPECT_EQ(draws(plan_of(of(x) * 2.0 + 1.0)), 1);
  EXPECT_EQ(draws(plan_of(of(x.T()))), 1) << "a view is read by its strides";
  EXPECT_EQ(draws(plan_of(of(x + 1.0))), 2);
  EXPECT_EQ(draws(plan_of(of(sum(x, 1)))), 2);
  EXPECT_EQ(draws(plan_of(of(of(x)))), 2);
}

TEST(KernelPlan, IsNotComputedAgainInEachFragmentOfAProduct) {
  const ElementwiseKernel mine("T x", "T y", "y = x * x", "mine");
  const Tensor w = host_leaf({64, 64});
  EXPECT_EQ(draws(plan_of(matmul(mine(host_leaf({1, 64})), w))), 2);
  EXPECT_EQ(draws(plan_of(matmul(square(host_leaf({1, 64})), w))), 1);
}

TEST(KernelPlan, HasOneProgramForAllSizesAndNumbers) {
  const ElementwiseKernel scaled("rawnd T x, T s", "T y", "y = x(_y_1, _y_0) * s", "scaled");
  const auto kernel_of = [&](const Shape& shape, const Tensor& s) {
    const plan::Plan plan =
        plan_of(scaled.call({host_leaf(shape), s}, Shape{shape[1], shape[0]})[0]);
    return *plan.steps[0].kernel;
  };
  EXPECT_EQ(kernel_of({12, 20}, Scalar(2.0)), kernel_of({36, 40}, Scalar(3.0)));
  EXPECT_EQ(key_of(scaled.call({host_leaf({4, 4}), Scalar(2.0)}, Shape{4, 4})[0]),
            key_of(scaled.call({host_leaf({4, 4}), Scalar(5.0)}, Shape{4, 4})[0]));
}

TEST(KernelPlan, SumsAreOneDraw) {
  const ReductionKernel l2norm("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0.0", "l2norm");
  EXPECT_EQ(draws(plan_of(l2norm(host_leaf({64, 64}) * 2.0, 1) + 1.0)), 1);
  EXPECT_EQ(l2norm(host_leaf({4, 6}), 1, true).shape(), (Shape{4, 1}));
  EXPECT_EQ(l2norm(host_leaf({4, 6}), 0).shape(), (Shape{6}));
  EXPECT_EQ(l2norm(host_leaf({4, 6})).shape(), (Shape{}));
}

TEST(KernelPlan, EqualKernelsAreOneOp) {
  const ElementwiseKernel again("T x, T y", "T z", "z = (x - y) * (x - y)", "squared_difference");
  const Tensor x = host_leaf({3}), y = host_leaf({3});
  EXPECT_EQ(detail::Internals::node(again(x, y))->op,
            detail::Internals::node(squared_difference()(x, y))->op);
  EXPECT_NE(detail::Internals::node(again(x, y))->op,
            detail::Internals::node(again(host_leaf({3}, int32), host_leaf({3}, int32)))->op);
  EXPECT_EQ(find_op("squared_difference"), nullptr) << "it is no declared op";
}

// ---- Gradients and the reference

TEST(KernelGradient, IsRefusedByName) {
  const Tensor x = host_leaf({3}), y = host_leaf({3});
  EXPECT_EQ(error_of([&] {
              return grad([&](const Tensor& v) { return sum(squared_difference()(v, y)); }, x);
            }),
            "trigon::grad: no gradient: squared_difference is not differentiable; set the "
            "kernel's gradient, or pass what it is made of through "
            "stop_gradient");
  const std::string rule =
      " is not differentiable; set the kernel's gradient, or pass what it "
      "is made of through stop_gradient";
  const ElementwiseKernel reversed("raw T x", "T y", "y = x(_ind_size - 1 - i)", "reversed");
  EXPECT_EQ(error_of([&] {
              return grad([&](const Tensor& v) { return sum(reversed.call({v}, Shape{3})[0]); }, x);
            }),
            "trigon::grad: no gradient: reversed" + rule);
  const ReductionKernel total("T x", "T y", "x", "a + b", "y = a", "0.0", "total");
  EXPECT_EQ(error_of([&] { return grad([&](const Tensor& v) { return total(v); }, x); }),
            "trigon::grad: no gradient: total" + rule);
}

TEST(KernelGradient, MustFitTheInputs) {
  const ElementwiseKernel kernel(
      "T x, T y", "T z", "z = x * y", "times",
      {.gradient = [](auto g, auto, auto) { return std::vector<Tensor>{g[0]}; }});
  const Tensor x = host_leaf({3});
  EXPECT_EQ(error_of([&] { return grad([&](const Tensor& v) { return sum(kernel(v, x)); }, x); }),
            "trigon::times: wrong number of gradients: 1; must be 2, one for each input");
  const ElementwiseKernel other("T x", "T y", "y = x", "same", {.gradient = [](auto, auto, auto) {
                                  return std::vector<Tensor>{ones({2})};
                                }});
  EXPECT_EQ(error_of([&] { return grad([&](const Tensor& v) { return sum(other(v)); }, x); }),
            "trigon::same: wrong shape of gradient 0: (2,); must be that of its input, (3,)");
}

TEST(KernelGradient, AddsNoDrawToTheValue) {
  KernelOptions options;
  options.with_gradient(
      ElementwiseKernel("T g, T x", "T dx", "dx = 2.0 * g * x", "square_gradient"));
  const ElementwiseKernel square("T x", "T y", "y = x * x", "square", options);
  EXPECT_EQ(draws(plan_of(square(host_leaf({6, 8})) + 1.0)), 1);
  const Tensor dx = grad([&](const Tensor& v) { return sum(square(v)); }, host_leaf({6, 8}));
  EXPECT_EQ(draws(plan_of(dx)), 1);
}

TEST(KernelGradient, MayLeaveParametersOut) {
  KernelOptions options;
  options.with_gradient({"T g, T x, raw T y, T z", "T dx, T dy", "dx = g * z; dy = g", "rule"});
  const ElementwiseKernel kernel("T x, raw T y", "T z", "z = exp(x) + y[0]", "mine", options);
  const Tensor y = host_leaf({3});
  const auto f = [&](const Tensor& v) { return sum(kernel.call({v, y})[0]); };
  const Tensor dx = grad(f, host_leaf({3}));
  EXPECT_EQ(dx.shape(), (Shape{3}));
  std::vector<graph::NodePtr> open{detail::Internals::node(dx)};
  while (open.back()->op == nullptr || open.back()->op->name != "rule") {
    const graph::NodePtr node = open.back();
    open.pop_back();
    open.insert(open.end(), node->inputs.begin(), node->inputs.end());
    ASSERT_FALSE(open.empty());
  }
  std::string inputs;
  for (const auto& input : open.back()->op->kernel().inputs) inputs += input.name + " ";
  EXPECT_EQ(inputs, "g z ");
}

TEST(KernelText, HasNoReferenceOnTheCpu) {
  const Tensor y = squared_difference()(1.0, 2.0);
  EXPECT_EQ(error_of([&] { graph::interpret(detail::Internals::node(y)); }),
            "trigon::interpret: no reference on the CPU: squared_difference is a kernel");
  const ElementwiseKernel reversed("raw T x", "T y", "y = x(_ind_size - 1 - i)", "reversed");
  const Tensor z = reversed.call({iota(3)}, Shape{3})[0];
  EXPECT_EQ(error_of([&] { graph::interpret(detail::Internals::node(z)); }),
            "trigon::interpret: no reference on the CPU: reversed is a kernel");
}

// ---- Lines of users

TEST(UserLine, IsFoundInTheShader) {
  const ElementwiseKernel kernel("T x", "T y", "T s = x;\ny = helper(s);", "mine",
                                 {.preamble = "float helper(float v) {\n  return v;\n}"});
  const std::string text = emit::emit(*plan_of(kernel(host_leaf({8}))).steps[0].kernel).fragment;
  const auto line_with = [&](std::string_view words) {
    const auto at = static_cast<std::ptrdiff_t>(text.find(words));
    return static_cast<int>(std::count(text.begin(), text.begin() + at, '\n')) + 1;
  };
  emit::UserLine line = emit::user_line(text, line_with("y_k1 = helper_k1(s)"));
  EXPECT_EQ(line.kernel, "mine");
  EXPECT_EQ(line.section, "body");
  EXPECT_EQ(line.number, 2);
  EXPECT_EQ(emit::without_own_names(line.text), "y = helper(s);");
  line = emit::user_line(text, line_with("  return v;"));
  EXPECT_EQ(line.section, "preamble");
  EXPECT_EQ(line.number, 2);
  line = emit::user_line(text, line_with("void main()"));
  EXPECT_EQ(line.kernel, "") << "two texts: it may be either's";
  EXPECT_EQ(emit::user_line("void main() {\n}\n", 1).kernel, "");
}

// NVIDIA's driver names the line of the next word, which is the library's.
TEST(UserLine, IsTheLastOneForTheLineBehindIt) {
  const ElementwiseKernel kernel("T x", "T y", "T s = x;\ny = helper(s)", "mine",
                                 {.preamble = "float helper(float v) {\n  return v;\n}"});
  const std::string text = emit::emit(*plan_of(kernel(host_leaf({8}))).steps[0].kernel).fragment;
  const auto at = static_cast<std::ptrdiff_t>(text.find("y_k1 = helper_k1(s)"));
  const auto last = static_cast<int>(std::count(text.begin(), text.begin() + at, '\n')) + 1;
  const emit::UserLine line = emit::user_line(text, last + 2);
  EXPECT_EQ(line.section, "body");
  EXPECT_EQ(line.number, 2);
  EXPECT_EQ(emit::without_own_names(line.text), "y = helper(s)");
  EXPECT_EQ(emit::user_line(text, last + 3).kernel, "");
}

TEST(UserLine, IsThatOfTheOnlyTextWhereTheErrorIsBehindIt) {
  const plan::Plan plan = plan_of(squared_difference()(host_leaf({8}), 1.0));
  const std::string text = emit::emit(*plan.steps[0].kernel).fragment;
  const emit::UserLine line = emit::user_line(text, 100'000);
  EXPECT_EQ(line.kernel, "squared_difference");
  EXPECT_EQ(line.number, 0);
}

}  // namespace
}  // namespace trigon

// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include <trigon/trigon.hpp>

#include "support/errors.hpp"
#include "support/gl_calls.hpp"
#include "support/gpt_step.hpp"
#include "support/null_gl.hpp"

// Which GL calls evaluations make, counted by a GL that draws nothing. Debug builds make more: they
// ask for errors at each draw and fill new textures with NaN.

namespace trigon {
namespace {

using Calls = support::GlCalls;
using support::calls_of;
using support::filled;
using support::made;
using support::steady_calls_of;

std::string redundant(const Calls& calls) {
  std::string names;
  for (const auto& [name, one] : calls) {
    if (one.redundant > 0) names += name + " ";
  }
  return names;
}

TEST(Calls, AnEvaluationAsksForErrorsOnce) {
  const Tensor x = filled({40, 40});
  const Calls calls = steady_calls_of([&] { nn::softmax(matmul(x, tanh(x))).eval(); });
  EXPECT_GE(made(calls, "glDrawArrays"), 3);
#ifdef NDEBUG
  EXPECT_EQ(made(calls, "glGetError"), 1);
#endif
}

TEST(Calls, AnEvaluationWithItsReadMakesItsContextCurrentOnce) {
  const Tensor x = filled({40, 40});
  const Calls calls = steady_calls_of([&] { return sum(nn::softmax(x)).item(); });
  EXPECT_EQ(made(calls, "glReadPixels"), 1);
  EXPECT_EQ(made(calls, "eglMakeCurrent"), 2);  // and back
}

TEST(Calls, CountersCostsAndGraphsNeedNoContext) {
  const Tensor x = filled({8, 8});
  const Calls calls = calls_of([&] {
    const Tensor y = nn::softmax(x + 1.0);
    EXPECT_EQ(cost(y).draws, 2);
    EXPECT_NE(explain(y), "");
    return counters();
  });
  EXPECT_TRUE(calls.empty());
}

TEST(Calls, WhatIsSetIsNotSetAgain) {
  Tensor x = filled({24, 40});
  const Tensor w = filled({40, 40});
  const Calls calls = steady_calls_of([&] {
    x = nn::layer_norm(matmul(x, w)) + nn::softmax(x);
    x = x.at(3).set(sum(x, 0));
    x.eval();
    return x.to_vector<float>();
  });
  EXPECT_EQ(redundant(calls), "");
}

TEST(Calls, AnEvaluationAfterItselfOnlyDraws) {
  const Tensor x = filled({30, 30});
  const Calls calls = steady_calls_of([&] { exp(x).eval(); });
  EXPECT_EQ(made(calls, "glDrawArrays"), 1);
  EXPECT_EQ(made(calls, "glUseProgram") + made(calls, "glUniform4iv"), 0);
#ifdef NDEBUG
  // No target, the target, a draw, a query of errors, a context and back.
  EXPECT_EQ(null_gl::total(calls).made, 4 + 2);
#endif
}

TEST(Calls, AChangedNumberUploadsOneVector) {
  const Tensor x = filled({30, 30});
  for (int k = 0; k < 3; ++k) (x.at(Window{Scalar(k), 4}).get() * Scalar(0.5)).eval();
  const Counters before = counters();
  const Calls calls = calls_of([&] { (x.at(Window{Scalar(5), 4}).get() * Scalar(0.5)).eval(); });
  EXPECT_EQ(made(calls, "glUniform4iv"), 1);
  EXPECT_EQ(made(calls, "glUniform4fv"), 0);
  EXPECT_EQ((counters() - before).uniform_bytes, 16);
}

TEST(Calls, AnErrorOfADrawIsThrownByTheEvaluation) {
  const Tensor x = filled({6, 6});
  exp(x).eval();
  null_gl::fail(GL_OUT_OF_MEMORY);
  EXPECT_EQ(support::error_of([&] { exp(x).eval(); }),
            "trigon::gl: glDrawArrays: GL_OUT_OF_MEMORY");
  EXPECT_EQ(support::error_of([&] { exp(x).eval(); }), "no error");
}

// With TRIGON_CHECK a draw is made twice, first into a texture of the check.
TEST(Calls, ACheckReadsTheInputsOfItsDraw) {
  ::setenv("TRIGON_CHECK", "1", 1);
  const Device device;
  ::unsetenv("TRIGON_CHECK");
  const Tensor x = tensor<float>(std::vector<float>(6, 1), {6}).to(device);
  static std::vector<GLuint> inputs;
  inputs.clear();
  null_gl::on_draw([] { inputs.push_back(null_gl::bound().textures[0]); });
  const ElementwiseKernel kernel("raw float x", "float y", "y = x[0]", "first");
  kernel.call({x}, Shape{6})[0].eval();
  null_gl::on_draw(nullptr);
  ASSERT_EQ(inputs.size(), 2U);
  EXPECT_EQ(inputs[0], inputs[1]);
}

// A draw of the evaluation fails, after `draws` others.
std::string fail_after(int draws, const std::function<void()>& evaluation) {
  static int left;
  left = draws;
  null_gl::on_draw([] {
    if (left-- == 0) throw DeviceError("no draw");
  });
  const std::string error = support::error_of(evaluation);
  null_gl::on_draw(nullptr);
  return error;
}

TEST(Calls, AFailureKeepsWhatWasDrawnFromOverwrittenTexels) {
  Tensor x = (filled({64, 64}) + 1.0).eval();
  const Tensor product = matmul(x, filled({64, 64}));
  const Tensor written = std::move(x).at(0).set(9.0);
  x = Tensor();
  const Tensor last = sum(written);
  EXPECT_EQ(fail_after(2, [&] { eval({product, written, last}); }), "no draw");
  EXPECT_EQ(made(calls_of([&] { eval({product, written}); }), "glDrawArrays"), 0);
  EXPECT_EQ(support::error_of([&] { last.eval(); }), "no error");
}

// The product is drawn before x is overwritten, but it is not kept for its reader.
TEST(Calls, AFailureLeavesNothingToComputeFromOverwrittenTexels) {
  Tensor x = (filled({64, 64}) + 1.0).eval();
  const Tensor w = filled({64, 64});
  Tensor product = matmul(x, w);
  const Tensor written = std::move(x).at(0).set(9.0);
  x = Tensor();
  const Tensor last = matmul(product, w);
  product = Tensor();
  EXPECT_EQ(fail_after(2, [&] { eval({written, last}); }), "no draw");
  EXPECT_EQ(made(calls_of([&] { written.eval(); }), "glDrawArrays"), 0);
  EXPECT_EQ(support::error_of([&] { last.eval(); }),
            "trigon::eval: a tensor has lost its value: it is (64, 64) float32; an evaluation that "
            "failed has overwritten it, or the function that was traced with it has failed\n"
            "  hint: compute it again");
}

/// Each element needs its neighbours: one iteration after the other.
Tensor smoothed(const Tensor& x, std::int64_t iterations) {
  const auto body = [](Tensor, Tensor s) {
    return concatenate({s[Slice{1}], s[Slice{0, 1}]}) * 0.5 + s;
  };
  return fori_loop(0, iterations, body, x);
}

TEST(Calls, AFailureInAnIterationLeavesTheLoopAsItWas) {
  const Tensor x = (filled({64, 64}) + 1.0).eval();
  const std::int64_t draws = made(calls_of([&] { smoothed(x, 16).eval(); }), "glDrawArrays");
  EXPECT_GE(draws, 8) << "of two iterations each";
  for (const int after : {0, 1, 4, 7}) {
    const Tensor y = smoothed(x, 16);
    EXPECT_EQ(fail_after(after, [&] { y.eval(); }), "no draw");
    EXPECT_EQ(made(calls_of([&] { x.eval(); }), "glDrawArrays"), 0) << "it keeps its first value";
    EXPECT_EQ(made(calls_of([&] { y.eval(); }), "glDrawArrays"), draws)
        << "from the first iteration on";
    EXPECT_EQ(made(calls_of([&] { y.eval(); }), "glDrawArrays"), 0);
  }
}

TEST(Calls, AFailureInAnIterationLeavesNoRowsWritten) {
  const Tensor x = (filled({64, 64}) + 1.0).eval();
  const auto step = [](Tensor s, Tensor row) {
    Tensor next = s * 0.5 + sum(s * row);
    return std::pair(next, s);
  };
  const auto all = [&] { return scan(step, x[0], x); };
  const std::int64_t draws = made(calls_of([&] {
                                    const auto [last, rows] = all();
                                    eval({last, rows});
                                  }),
                                  "glDrawArrays");
  EXPECT_GE(draws, 64);
  for (const int after : {1, 20, 63}) {
    const auto [last, rows] = all();
    EXPECT_EQ(fail_after(after, [&, last = last, rows = rows] { eval({last, rows}); }), "no draw");
    const Calls again = calls_of([&, last = last, rows = rows] { eval({last, rows}); });
    EXPECT_EQ(made(again, "glDrawArrays"), draws) << "from the first iteration on";
  }
}

// A caller's own draws inside a guard.
TEST(Calls, AGuardThatForgetsItsStateBindsAnew) {
  const Tensor x = filled({6, 6});
  const auto evaluate = [&] { exp(x).eval(); };
  evaluate();
  const DeviceGuard guard(x.device());
  evaluate();
  const null_gl::Bound ours = null_gl::bound();
  EXPECT_NE(ours.framebuffer, 0U);
  glUseProgram(0);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, 0);
  guard.forget_state();
  evaluate();
  const null_gl::Bound now = null_gl::bound();
  EXPECT_EQ(now.program, ours.program);
  EXPECT_NE(now.framebuffer, 0U);
  EXPECT_EQ(now.textures.at(0), ours.textures.at(0));
}

TEST(Calls, SynchronizeFinishes) {
  const Calls evaluation = calls_of([] { filled({2, 2}).eval(); });
  EXPECT_EQ(made(evaluation, "glFinish"), 0);
  EXPECT_EQ(made(calls_of([] { synchronize(); }), "glFinish"), 1);
}

// The calls of a 12-layer GPT in one evaluation. Each draw uses its program, binds its target, sets
// the viewport and binds about two textures.
TEST(Calls, ATrainingStepMakesAboutSevenADraw) {
  const support::GptSize size;
  support::GptInputs in(size);
  const Calls calls = steady_calls_of([&] {
    const std::vector<Tensor> roots =
        support::gpt_step(size, in.parameters, in.ids, in.targets, 0.125);
    eval(roots);
    in.parameters.assign(roots.begin() + 1, roots.end());
  });
  const std::int64_t draws = made(calls, "glDrawArrays");
  EXPECT_LE(draws, 450);
  EXPECT_EQ(redundant(calls), "");
  EXPECT_EQ(made(calls, "eglMakeCurrent"), 2);
#ifdef NDEBUG
  EXPECT_EQ(made(calls, "glGetError"), 1);
  EXPECT_LE(null_gl::total(calls).made, 4'500);
#endif
  for (const char* name : {"glGenTextures", "glLinkProgram", "glGenFramebuffers"}) {
    EXPECT_EQ(made(calls, name), 0) << name;
  }
}

}  // namespace
}  // namespace trigon

// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <string>

#include <trigon/trigon.hpp>

#include "support/gl_calls.hpp"
#include "support/null_gl.hpp"

// Which GL calls futures and fences make, counted by a GL that draws nothing.

namespace trigon {
namespace {

using Calls = support::GlCalls;
using support::calls_of;
using support::filled;
using support::made;
using support::steady_calls_of;

TEST(FutureCalls, AReadIsACopyIntoABufferAndAFence) {
  const Tensor x = filled({40, 40}).eval();
  Future<float> future;
  const Calls start = calls_of([&] { future = x.read_async<float>(); });
  EXPECT_EQ(made(start, "glGenBuffers"), 1);
  EXPECT_EQ(made(start, "glBindBuffer"), 2);  // and back
  EXPECT_EQ(made(start, "glBufferData"), 1);
  EXPECT_EQ(made(start, "glReadPixels"), 1);
  EXPECT_EQ(made(start, "glFenceSync"), 1);
  EXPECT_EQ(made(start, "glMapBufferRange"), 0);
  EXPECT_EQ(made(start, "eglMakeCurrent"), 2);
  const Calls get = calls_of([&] { return future.get(); });
  EXPECT_EQ(made(get, "glBindBuffer"), 1);
  EXPECT_EQ(made(get, "glMapBufferRange"), 1);
  EXPECT_EQ(made(get, "glUnmapBuffer"), 1);
  EXPECT_EQ(made(get, "glDeleteBuffers"), 1);
  EXPECT_EQ(made(get, "glDeleteSync"), 1);
  EXPECT_EQ(made(get, "glReadPixels"), 0);
  EXPECT_EQ(made(get, "glClientWaitSync"), 0) << "mapping waits";
  EXPECT_EQ(made(get, "eglMakeCurrent"), 2);
}

TEST(FutureCalls, AnEvaluationAndItsReadAreOneEntry) {
  const Tensor x = filled({40, 40});
  Future<float> future;
  const Calls calls = steady_calls_of([&] { future = exp(x).read_async<float>(); });
  EXPECT_EQ(made(calls, "glDrawArrays"), 1);
  EXPECT_EQ(made(calls, "eglMakeCurrent"), 2);
  EXPECT_EQ(made(calls, "glDeleteBuffers"), 1) << "the future that was there before";
}

TEST(FutureCalls, ReadyPollsUntilTheFenceIsPassed) {
  Future<float> future = filled({40, 40}).read_async<float>();
  null_gl::time_out(2);
  EXPECT_FALSE(future.ready());
  EXPECT_FALSE(future.ready());
  const Calls calls = calls_of([&] { EXPECT_TRUE(future.ready()); });
  EXPECT_EQ(made(calls, "glClientWaitSync"), 1);
  const Calls again = calls_of([&] { EXPECT_TRUE(future.ready()); });
  EXPECT_EQ(made(again, "glClientWaitSync"), 0);
}

TEST(FutureCalls, OrdinaryReadsAndEvaluationsHaveNoBuffers) {
  const Tensor x = filled({40, 40});
  const Calls calls = steady_calls_of([&] { return exp(x).to_vector<float>(); });
  EXPECT_EQ(made(calls, "glBindBuffer") + made(calls, "glFenceSync"), 0);
  EXPECT_EQ(made(calls, "glReadPixels"), 1);
}

TEST(FutureCalls, NoElementsNeedNoCall) {
  const Tensor x = zeros({0, 4});
  EXPECT_TRUE(calls_of([&] { EXPECT_TRUE(x.read_async<float>().get().empty()); }).empty());
}

// A device that is far ahead sleeps between polls. The first mark is after 256 draws, and the third
// one waits for the first.
TEST(FutureCalls, FencesOfDrawsArePolled) {
  const Tensor x = filled({4, 4});
  const auto draws = [&](int count) {
    for (int k = 0; k < count; ++k) exp(x).eval();
  };
  draws(3 * 256);  // marks stand
  null_gl::time_out(3);
  const Calls calls = calls_of([&] { draws(256); });
  EXPECT_EQ(made(calls, "glFenceSync"), 1);
  EXPECT_EQ(made(calls, "glClientWaitSync"), 4);
}

}  // namespace
}  // namespace trigon

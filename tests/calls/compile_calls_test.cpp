// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <trigon/trigon.hpp>

#include "graph/node.hpp"
#include "support/gl_calls.hpp"
#include "support/gpt_step.hpp"
#include "support/null_gl.hpp"

// The host's part in calls of compiled functions, with a GL that draws nothing.

namespace trigon {
namespace {

using support::filled;

// Nodes that work() makes.
template <class F>
std::uint64_t nodes_made(const F& work) {
  const auto next_id = [] { return graph::Node(graph::Kind::constant, float32, {}).id; };
  const std::uint64_t before = next_id();
  work();
  return next_id() - before - 1;
}

TEST(CompileCalls, MakeOneNodeAResult) {
  const auto f = compile([](Tensor x, const Tensor& v, const Scalar& at) {
    x = x.at(at).set(tanh(v) * 2.0);
    return std::pair(sum(x), x);
  });
  Tensor x = filled({8, 8}) + 1.0;
  const Tensor v = filled({8});
  const Scalar at = 3;
  const auto call = [&] { x = f(std::move(x), v, at).second; };
  for (int k = 0; k < 3; ++k) call();
  EXPECT_EQ(nodes_made(call), 2U);
}

TEST(CompileCalls, EnterTheDeviceOnce) {
  const auto f = compile([](const Tensor& x) { return sum(tanh(x)); });
  const Tensor x = filled({8, 8});
  for (int k = 0; k < 3; ++k) static_cast<void>(f(x));
  null_gl::reset();
  static_cast<void>(f(x));
  EXPECT_EQ(null_gl::calls()["eglMakeCurrent"].made, 2);  // and back
}

TEST(CompileCalls, EnterTheDeviceOnceWithTheReadInAGuard) {
  const auto f = compile([](const Tensor& x) { return sum(tanh(x)); });
  const Tensor x = filled({8, 8});
  static_cast<void>(f(x));
  null_gl::reset();
  {
    const DeviceGuard guard(x.device());
    static_cast<void>(f(x).item());
  }
  auto calls = null_gl::calls();
  EXPECT_EQ(calls["glReadPixels"].made, 1);
  EXPECT_EQ(calls["eglMakeCurrent"].made, 2);
}

// The calls of a 12-layer GPT: forward pass, gradient and SGD.
TEST(CompileCalls, ATrainingStepMakesTheCallsOfItsDraws) {
  const support::GptSize size;
  support::GptInputs in(size);
  const Scalar rate = 0.125;
  const auto step = compile([size](const std::vector<Tensor>& p, const Tensor& tokens,
                                   const Tensor& expected, const Scalar& by) {
    const std::vector<Tensor> roots = support::gpt_step(size, p, tokens, expected, by);
    return std::pair(roots[0], std::vector<Tensor>(roots.begin() + 1, roots.end()));
  });
  const auto call = [&] {
    in.parameters = step(std::move(in.parameters), in.ids, in.targets, rate).second;
  };
  for (int k = 0; k < 8; ++k) call();
  const Counters before = counters();
  null_gl::reset();
  EXPECT_EQ(nodes_made(call), in.parameters.size() + 1);
  const Counters spent = counters() - before;
  auto calls = null_gl::calls();
  EXPECT_EQ(spent.plans_made + spent.plan_cache_hits, 0);
  EXPECT_EQ(spent.textures_created, 0);
  EXPECT_EQ(spent.framebuffers_created, 0);
  EXPECT_EQ(calls["glDrawArrays"].made, spent.draws);
  EXPECT_EQ(calls["eglMakeCurrent"].made, 2);
  EXPECT_EQ(null_gl::total(calls).redundant, 0);
#ifdef NDEBUG
  EXPECT_EQ(calls["glGetError"].made, 1);
  EXPECT_LE(null_gl::total(calls).made, 5'660);
#endif
}

}  // namespace
}  // namespace trigon

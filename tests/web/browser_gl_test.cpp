// SPDX-License-Identifier: MIT
#include <emscripten/em_asm.h>
#include <emscripten/em_macros.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <trigon/trigon.hpp>

#include "gl/context.hpp"
#include "support/errors.hpp"
#include "support/values.hpp"

// Behaviour that only browsers have: lost contexts, and drivers that hide their name.

namespace trigon {
namespace {

using support::error_of;
using support::filled;

const std::string lost =
    "trigon::Device: the browser took the WebGL context away\n"
    "  hint: open a new device and load its tensors again";

void lose(const Device& device) {
  const DeviceGuard guard(device);
  EM_ASM({ GLctx.getExtension('WEBGL_lose_context').loseContext(); });
}

Tensor ones(const Device& device) {
  const std::vector<float> values(3, 1);
  return tensor<float>(std::span<const float>(values), {3}, device);
}

TEST(Browser, NamesTheDriverBelowIt) {
  const char* driver = std::getenv("RENDERER");  // from browse.mjs, which chose it
  ASSERT_NE(driver, nullptr);
  EXPECT_NE(Device::default_device().name().find(driver), std::string::npos)
      << Device::default_device().name();
}

TEST(Browser, OpensAContextOfItsProfile) {
  for (const Profile profile : {Profile::webgl2, Profile::webgl1}) {
    const detail::gl::Context context = detail::gl::Context::open({.profile = profile});
    const detail::gl::Current current(context);
    EXPECT_EQ(context.es2(), profile == Profile::webgl1);
    EXPECT_EQ(EM_ASM_INT({ return GLctx instanceof WebGL2RenderingContext; }), !context.es2());
  }
}

// Quirk clear_before_read: without it a read sometimes comes too soon on llvmpipe.
TEST(Browser, ReadsWaitForDrawsThatAreNotDone) {
  support::Random random(3);
  std::array<Tensor, 6> x;
  std::array<int, 6> want{};
  for (Tensor& one : x) one = zeros({5}).eval();
  for (int k = 0; k < 20'000; ++k) {
    const auto a = random.below(6), b = random.below(6), c = random.below(6);
    if (random.below(12) == 0) {
      ASSERT_EQ(x[a].to_vector<float>(), std::vector<float>(5, want[a])) << k;
      continue;
    }
    const int add = random.below(7);
    Tensor y = remainder(x[b] + x[c] + add, 1024);
    if (random.below(20) == 0) {
      const Tensor slow = fori_loop(
          0, 20'000, [](const Tensor&, const Tensor& s) { return sin(s) + cos(s * 1.1); }, x[b]);
      y = y + (slow > 9);
    }
    want[a] = (want[b] + want[c] + add) % 1024;
    x[a] = y.eval();
  }
}

TEST(Browser, ListsNoDevicesAndRefusesTheirNumbers) {
  EXPECT_TRUE(list_devices().empty());
  EXPECT_EQ(error_of([] { return Device({.index = 2}); }),
            "trigon::Device: no device 2: a browser chooses the device itself; device must be -1");
}

// A browser keeps 16 contexts; a further one makes it lose the oldest.
TEST(Browser, ADeviceThatGoesLeavesItsPlaceToOthers) {
  for (const Profile profile : {Profile::webgl2, Profile::webgl1}) {
    const Device first({.profile = profile});
    const Tensor kept = ones(first);
    for (int k = 0; k < 20; ++k) {
      const Device one({.profile = profile});
      EXPECT_EQ(sum(ones(one)).item(), 3);
    }
    EXPECT_EQ(sum(kept).item(), 3);
  }
}

TEST(Browser, ALostContextIsAnErrorUntilANewDevice) {
  for (const Profile profile : {Profile::webgl2, Profile::webgl1}) {
    std::optional<Device> device(Device({.profile = profile}));
    std::optional<Tensor> x = ones(*device);
    EXPECT_EQ(sum(*x).item(), 3);
    lose(*device);
    EXPECT_EQ(error_of([&] { return x->to_vector<float>(); }), lost);
    EXPECT_EQ(error_of([&] { sum(*x).eval(); }), lost);
    EXPECT_EQ(error_of([&] { return ones(*device); }), lost);
    x.reset();
    device.emplace(Device({.profile = profile}));
    EXPECT_EQ(sum(ones(*device)).item(), 3);
  }
}

TEST(Browser, ALossWithinAnEvaluationIsAnError) {
  const Device device;
  const Tensor x = ones(device);
  const DeviceGuard guard(device);
  // clang-format off
  EM_ASM({
    const draw = GLctx.drawArrays.bind(GLctx);
    const loss = GLctx.getExtension('WEBGL_lose_context');
    GLctx.drawArrays = (mode, first, count) => { draw(mode, first, count); loss.loseContext(); };
  });
  // clang-format on
  EXPECT_EQ(error_of([&] { exp(x).eval(); }), lost);
}

TEST(Browser, SynchronizeWaitsByARead) {
  const Tensor x = exp(filled({300, 300}, 0));
  x.eval();
  const auto read = counters().bytes_read;
  synchronize();
  EXPECT_EQ(counters().bytes_read - read, 16);
  EXPECT_EQ(sum(x).item(), 90'000);
}

// The counter for the pinned calls of a token.
TEST(Browser, CallsThatSetWhatIsSetAreCountedAsRedundant) {
  const Device device;
  const DeviceGuard guard(device);
  // clang-format off
  const int counted = EM_ASM_INT({
    const counted = countCalls(GLctx);
    GLctx.activeTexture(GLctx.TEXTURE3);
    const texture = GLctx.createTexture();
    for (let k = 0; k < 2; ++k) GLctx.bindTexture(GLctx.TEXTURE_2D, texture);
    GLctx.activeTexture(GLctx.TEXTURE4);
    GLctx.bindTexture(GLctx.TEXTURE_2D, texture);
    for (let k = 0; k < 3; ++k) GLctx.viewport(0, 0, 7, 7);
    return 100 * counted.redundant.bindTexture + 10 * counted.redundant.viewport +
           Object.keys(counted.redundant).length;
  });
  // clang-format on
  EXPECT_EQ(counted, 122);
}

// ---- Futures

/// One that only a later task can get, and its values.
struct Awaited {
  Future<float> future;
  std::vector<float> values;
};
std::vector<Awaited>& awaited() {
  static auto* const all = new std::vector<Awaited>;
  return *all;
}

TEST(Browser, AFutureIsNotReadyInTheTaskThatStartedIt) {
  const Device device;
  Future<float> future = exp(ones(device) - 1.0).read_async<float>();
  EXPECT_FALSE(future.ready());
  EXPECT_EQ(error_of([&] { return future.get(); }),
            "trigon::Future::get: not ready: the GPU has not done the work yet, and a browser lets "
            "no one wait for it; get() needs ready() to be true\n"
            "  hint: ask ready() in a later task of the event loop");
  EXPECT_TRUE(future.has_value());
  awaited().push_back({std::move(future), {1, 1, 1}});
}

TEST(Browser, AFutureHoldsTheValuesOfTheCallForALaterTask) {
  const Device device;
  Tensor x = (ones(device) + 1.0).eval();
  awaited().push_back({x.read_async<float>(), {2, 2, 2}});
  x(0) = 7.0;
  x.eval();
  awaited().push_back({x.read_async<float>(), {7, 2, 2}});
  EXPECT_EQ(sum(x).item(), 11) << "ordinary reads go on";
  x = (ones(device) * 5.0).eval();
  static_cast<void>(x.astype(uint8).read_async<std::uint8_t>());  // dropped
  EXPECT_EQ(sum(x).item(), 15);
}

TEST(Browser, AFutureUnderWebgl1IsReadAtOnce) {
  const Device device({.profile = Profile::webgl1});
  Future<float> future = (ones(device) * 3.0).read_async<float>();
  EXPECT_TRUE(future.ready());
  EXPECT_EQ(future.get(), (std::vector<float>{3, 3, 3}));
}

TEST(Browser, AFutureOfALostContextIsAnError) {
  for (const Profile profile : {Profile::webgl2, Profile::webgl1}) {
    std::optional<Device> device(Device({.profile = profile}));
    Future<float> future = ones(*device).read_async<float>();
    lose(*device);
    EXPECT_EQ(error_of([&] { return future.ready(); }), lost);
    EXPECT_EQ(error_of([&] { return future.get(); }), lost);
    future = {};
    device.emplace(Device({.profile = profile}));
    EXPECT_EQ(sum(ones(*device)).item(), 3);
  }
}

}  // namespace
}  // namespace trigon

/// The number of futures left by tests that are not ready; -1 if one has wrong values. tests.js
/// calls it in later tasks, until it is 0.
extern "C" EMSCRIPTEN_KEEPALIVE int trigon_await_futures() {
  auto& all = trigon::awaited();
  while (!all.empty() && all.back().future.ready()) {
    if (all.back().future.get() != all.back().values) return -1;
    all.pop_back();
  }
  return static_cast<int>(all.size());
}

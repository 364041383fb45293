// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include <trigon/math.hpp>
#include <trigon/trigon.hpp>

#include "core/internals.hpp"
#include "run/device_state.hpp"
#include "run/program_cache.hpp"
#include "support/errors.hpp"
#include "support/plans.hpp"
#include "support/values.hpp"

namespace trigon {
namespace {

using Floats = std::vector<float>;
using support::error_of;
using support::filled;

// Bytes of memory that the process holds, including a software driver's textures.
std::int64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::int64_t total = 0;
  std::int64_t resident = 0;
  file >> total >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

TEST(Pool, SizesAroundPowersOfTwoComeBackWhole) {
  for (const std::int64_t side : {1, 2, 4, 8, 16, 32, 64, 128, 256}) {
    for (const std::int64_t n : {4 * side - 1, 4 * side, 4 * side + 1}) {
      for (const Shape& shape : {Shape{n}, Shape{3, n}, Shape{side, n % 97 + 1}}) {
        Floats values(static_cast<std::size_t>(shape.numel()));
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 1009);
        const Tensor x = tensor<float>(values, shape);
        const Tensor y = x + filled({}, 1);
        y.eval();
        for (float& v : values) v += 1;
        ASSERT_EQ(y.to_vector<float>(), values) << to_string(shape);
        ASSERT_EQ((y * 1.0 - 1.0).at(ellipsis).get().to_vector<float>(), x.to_vector<float>());
      }
    }
  }
}

// The least recently used one is compiled again at its next use.
TEST(Programs, AreKeptUpToACapacity) {
  const auto device = detail::Internals::state(Device::default_device());
  const run::DeviceState::Entry entry(*device);
  std::vector<std::shared_ptr<const kernel::Kernel>> kernels;
  for (const Tensor& y : {exp(iota(16) * 1.0), sin(iota(16) * 1.0), sqrt(iota(16) * 1.0)}) {
    kernels.push_back(plan_of(y, device->target()).steps[0].kernel);
  }
  Counters counters;
  run::ProgramCache cache(device->gl_state(), counters, 2);
  const auto compiled = [&](std::size_t k) {
    const std::int64_t before = counters.programs_compiled;
    EXPECT_NE(cache.get({kernels[k], 0}).id(), 0u);
    return counters.programs_compiled - before;
  };
  EXPECT_EQ(compiled(0), 1);
  EXPECT_EQ(compiled(1), 1);
  EXPECT_EQ(compiled(0), 0);
  EXPECT_EQ(compiled(2), 1);  // in place of 1
  EXPECT_EQ(compiled(0), 0);
  EXPECT_EQ(compiled(1), 1);
}

TEST(Pool, MakesNoTextureAndNoPlanAtSteadyState) {
  const Tensor w = filled({40, 40}, 0.01F);
  Tensor x = filled({24, 40}, 1);
  const auto step = [&] {
    x = tanh(matmul(x, w)) + nn::softmax(x);
    x.eval();
  };
  for (int i = 0; i < 4; ++i) step();
  const Counters before = counters();
  for (int i = 0; i < 20; ++i) step();
  const Counters spent = counters() - before;
  EXPECT_EQ(spent.textures_created, 0);
  EXPECT_EQ(spent.framebuffers_created, 0);
  EXPECT_EQ(spent.programs_compiled, 0);
  EXPECT_EQ(spent.program_formats, 0);
  EXPECT_EQ(spent.plans_made, 0);
  EXPECT_EQ(spent.plan_cache_hits, 20);
}

TEST(Pool, UploadsReuseTextures) {
  for (int i = 0; i < 3; ++i) static_cast<void>(sum(filled({50, 50}, 1)).item());
  const Counters before = counters();
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(sum(filled({50, 50}, static_cast<float>(i))).item(), 2500.0F * static_cast<float>(i));
  }
  EXPECT_EQ((counters() - before).textures_created, 0);
}

TEST(Pool, TheCapIsANumberOfBytes) {
  for (const std::string text : {"-1", "1e6", "64 MB"}) {
    ::setenv("TRIGON_POOL_BYTES", text.c_str(), 1);
    EXPECT_EQ(error_of([] { return Device{}; }),
              "trigon::Device: TRIGON_POOL_BYTES is no number of bytes: \"" + text +
                  "\"; must be 0 or more");
    ::unsetenv("TRIGON_POOL_BYTES");
  }
}

// 0.8 GB of results pass through a pool of 64 MB.
TEST(Pool, AThousandShapesStayUnderTheCap) {
  ::setenv("TRIGON_POOL_BYTES", "67108864", 1);
  const Device device;
  ::unsetenv("TRIGON_POOL_BYTES");
  const Floats values{1};
  const Tensor one = tensor<float>(std::span<const float>(values), {}, device);
  static_cast<void>(sum(broadcast_to(one, {600, 600}) + 1.0).item());
  const std::int64_t before = resident_bytes();
  for (std::int64_t i = 0; i < 1000; ++i) {
    const Tensor y = broadcast_to(one, {300 + i, 64, 1 + i % 7}) + 1.0;
    y.eval();
    ASSERT_EQ(y.at(-1, -1, -1).get().item(), 2);
  }
  EXPECT_LT(resident_bytes() - before, std::int64_t{256} << 20);
}

TEST(Pool, WhatIsFreedWhileInUseIsNotOverwritten) {
  std::vector<Tensor> kept;
  for (int i = 0; i < 50; ++i) {
    const Tensor x = filled({9, 9}, static_cast<float>(i));
    kept.push_back(x + 0.5);
    if (i % 3 == 0) kept.back().eval();
    filled({9, 9}, -1).eval();
  }
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(kept[static_cast<std::size_t>(i)].to_vector<float>(),
              Floats(81, static_cast<float>(i) + 0.5F));
  }
}

}  // namespace
}  // namespace trigon

// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <trigon/device.hpp>

#include "core/internals.hpp"
#include "run/device_state.hpp"
#include "support/repeat_plan.hpp"

// Loops of steps on a device.

namespace trigon {
namespace {

using run::DeviceState;
using run::Storage;

/// Runs the plan with x as its leaf, which must stay as it is.
std::vector<float> run_repeat(DeviceState& device, const std::vector<float>& x, int iterations) {
  const DeviceState::Entry entry(device);
  const plan::Plan plan =
      support::repeat_plan(device.target(), static_cast<std::int64_t>(x.size()));
  const auto leaf = device.create_storage(plan.leaves[0].layout);
  device.upload(*leaf, x.data());
  std::vector<std::shared_ptr<Storage>> slots(3);
  slots[0] = leaf;
  const std::vector<double> scalars{static_cast<double>(iterations), -1};
  std::size_t drawn = 0;
  device.run(plan, slots, scalars, drawn);
  EXPECT_EQ(drawn, 1U);
  EXPECT_TRUE(slots[1] == nullptr && slots[2] == nullptr);
  std::vector<float> result(x.size()), kept(x.size());
  device.read(*slots[0], result.data(), DType::float32);
  device.read(*leaf, kept.data(), DType::float32);
  EXPECT_EQ(kept, x) << "a leaf is overwritten";
  return result;
}

TEST(Repeat, RunsOnADevice) {
  const std::vector<float> x{1, -2, 3, 0.5, 7};
  const std::vector<double> wide(x.begin(), x.end());
  for (const Profile profile : {Profile::webgl2, Profile::webgl1}) {
    const Device device{{.profile = profile}};
    for (const int iterations : {0, 1, 2, 3, 8}) {
      const std::vector<double> want = support::repeated(wide, iterations);
      EXPECT_EQ(run_repeat(*detail::Internals::state(device), x, iterations),
                std::vector<float>(want.begin(), want.end()))
          << iterations;
    }
  }
}

TEST(Repeat, DrawsItsBodyEachIteration) {
  const Device device;
  const auto before = detail::Internals::state(device)->counters.draws;
  run_repeat(*detail::Internals::state(device), {1, 2, 3}, 8);
  EXPECT_EQ(detail::Internals::state(device)->counters.draws - before, 16);
}

TEST(Repeat, NeedsNoMoreTexturesForMoreIterations) {
  const auto created = [](int iterations) {
    const Device device;
    const auto before = detail::Internals::state(device)->counters.textures_created;
    run_repeat(*detail::Internals::state(device), {1, 2, 3}, iterations);
    return detail::Internals::state(device)->counters.textures_created - before;
  };
  EXPECT_EQ(created(50), created(3));
}

}  // namespace
}  // namespace trigon

// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdint>
#include <new>
#include <string>
#include <vector>

#include <trigon/trigon.hpp>

#include "faults.hpp"

// Tensors that are written in place while memory ends or a call of GL fails: they have the old
// value, the new one, or throw when they are read; never something in between.

namespace trigon::fault {
namespace {

const std::vector<float> before = {1, 2, 3, 4}, after = {1, 12, 3, 4};

class InPlace : public testing::Test {
 protected:
  /// Counts the calls of a write without faults.
  template <class Arm>
  std::int64_t count(Arm arm) {
    Tensor x = tensor<float>(before, {4}, device_);
    x(1) += 10.0F;
    arm(Plan{});
    x.eval();
    return disarm().total;
  }

  /// Writes with a fault, reads, and reads once more.
  template <class Arm>
  void write(Arm arm, const Plan& plan) {
    Tensor x = tensor<float>(before, {4}, device_);
    const Tensor other = x * 1.0;  // not evaluated: of the old value, or lost with it
    x(1) += 10.0F;
    arm(plan);
    try {
      x.eval();
    } catch (const Error&) {
    } catch (const std::bad_alloc&) {
    }
    const Seen seen = disarm();
    // A binding that fails alone sends the draw to what was bound before: a tensor, it may be. To
    // rule it out would take two calls more in each evaluation; a lost context fails in all calls.
    if (seen.failed == "glBindFramebuffer" && !plan.from_there_on) return;
    for (int k = 0; k < 2; ++k) {
      const std::string place = std::to_string(plan.place);
      EXPECT_TRUE(is_one_of(x, after)) << place;
      EXPECT_TRUE(is_one_of(other, before)) << place;
    }
  }

  /// Whether a tensor has the values or has lost them.
  static bool is_one_of(const Tensor& x, const std::vector<float>& values) {
    try {
      return x.to_vector<float>() == values;
    } catch (const Error& error) {
      return std::string(error.what()).find("has lost its value") != std::string::npos;
    }
  }

  Device device_{DeviceOptions{}};
};

TEST_F(InPlace, KeepsItsValueOrThrowsWithoutMemory) {
  for (int k = 0; k < 3; ++k) count(arm_memory);
  const std::int64_t places = count(arm_memory);
  ASSERT_GT(places, 10);
  for (std::int64_t place = 0; place < places; ++place) {
    write(arm_memory, {.place = place});
    write(arm_memory, {.place = place, .from_there_on = true});
  }
}

TEST_F(InPlace, KeepsItsValueOrThrowsAfterAFailedCall) {
  for (int k = 0; k < 3; ++k) count(arm_gl);
  const std::int64_t places = count(arm_gl);
  ASSERT_GT(places, 2);  // a draw between entering and leaving the device
  for (std::int64_t place = 0; place < places; ++place) {
    write(arm_gl, {.place = place});
    write(arm_gl, {.place = place, .from_there_on = true});
  }
}

}  // namespace
}  // namespace trigon::fault

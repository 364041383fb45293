// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <new>
#include <span>
#include <string>
#include <vector>

#include <trigon/trigon.hpp>

#include "faults.hpp"
#include "model.hpp"
#include "watched.hpp"

// Tensors that are written in place while memory runs out or a call of GL fails. They have the old
// value or the new one, or throw when they are read.

namespace trigon::fault {
namespace {

// Writes the second row, which consists of whole texels.
const std::vector<float> before = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
const std::vector<float> after = {1, 2, 3, 4, 15, 16, 17, 18, 9, 10, 11, 12};
const std::vector<float> result_values = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13};

class InPlace : public testing::Test {
 protected:
  /// Writes with a fault at each place, until no call is left that could fail; how many there are.
  /// Programs are new after a fault, unless a write without one comes before.
  template <class Arm>
  std::int64_t write_everywhere(Arm arm, bool is_warm) {
    for (std::int64_t place = 0;; ++place) {
      const bool failed = write(arm, {.place = place}, is_warm);
      const bool failed_from_there_on =
          write(arm, {.place = place, .from_there_on = true}, is_warm);
      if (!failed && !failed_from_there_on) return place;
    }
  }

  /// Writes with a fault, then reads twice; whether it occurred. If another tensor still needs the
  /// old value, the write makes a copy.
  template <class Arm>
  bool write(Arm arm, const Plan& plan, bool is_warm) {
    bool has_failed = false;
    for (const bool is_needed : {false, true}) {
      if (is_warm) {
        Tensor x = tensor<float>(before, {3, 4}, device_);
        const Tensor other = is_needed ? x * 1.0 : read_ * 1.0;
        x(1) += 10.0F;
        x.eval();
      }
      Tensor x = tensor<float>(before, {3, 4}, device_);
      result_ = read_ + 1.0;
      if (plan.place % 2 == 0) static_cast<void>(read_.to_vector<float>());
      result_.eval();  // the texture drawn to or read last
      if (plan.place % 2 == 1) static_cast<void>(read_.to_vector<float>());
      const Tensor other = is_needed ? x * 1.0 : read_ * 1.0;
      x(1) += 10.0F;
      arm(plan);
      try {
        x.eval();
      } catch (const Error&) {
      } catch (const std::bad_alloc&) {
      }
      const Seen seen = disarm();
      has_failed = has_failed || seen.has_failed;
      const std::string place = std::to_string(plan.place) + ", " + seen.failed;
      for (int k = 0; k < 2; ++k) {
        EXPECT_TRUE(is_one_of(x, after)) << place;
        EXPECT_TRUE(is_one_of(other, before)) << place;
        // If only a binding fails, a draw goes to the previous target.
        EXPECT_EQ(result_.to_vector<float>(), result_values) << place;
        EXPECT_EQ(read_.to_vector<float>(), before) << place;
      }
    }
    return has_failed;
  }

  /// Whether a tensor has the values or has lost them.
  bool is_one_of(const Tensor& x, const std::vector<float>& values) {
    try {
      return x.to_vector<float>() == values;
    } catch (const Error& error) {
      ++losses_;
      return std::string(error.what()).find("has lost its value") != std::string::npos;
    }
  }

  Device device_{DeviceOptions{}};
  Tensor read_ = tensor<float>(before, {3, 4}, device_);
  Tensor result_;
  int losses_ = 0;
};

TEST_F(InPlace, KeepsItsValueOrThrowsWithoutMemory) {
  for (const bool is_warm : {false, true}) EXPECT_GT(write_everywhere(arm_memory, is_warm), 10);
}

TEST_F(InPlace, KeepsItsValueOrThrowsAfterAFailedCall) {
  // At least a draw between entering and leaving the device.
  for (const bool is_warm : {false, true}) EXPECT_GT(write_everywhere(arm_gl, is_warm), 2);
  EXPECT_GT(losses_, 0);
}

// Its caches are written in place by each pass.
TEST_F(InPlace, StartsAgainInASessionWhosePassFailed) {
  const gpt2::Model model = gpt2::Model::load(GPT2_MODEL_DIR, Device(DeviceOptions{}));
  gpt2::WatchedSession session(model);
  const std::array<std::int32_t, 3> ids = {17, 4, 5};
  const std::span<const std::int32_t> text = std::span(ids).first(2), last = std::span(ids).last(1);
  const std::vector<float> expected = session.read_logits(text, true);
  const std::vector<float> next = session.read_logits(last, true);
  session.rewind();
  arm_gl({});
  session.read_logits(text, true);
  const std::int64_t calls = disarm().total;
  int failures = 0;
  for (std::int64_t k = 1; k < 8; ++k) {
    session.rewind();
    arm_gl({.place = k * calls / 8, .from_there_on = true});
    try {
      session.read_logits(text, true);
    } catch (const Error&) {
      ++failures;
    }
    disarm();
    session.rewind();
    EXPECT_EQ(session.read_logits(text, true), expected) << k;
    EXPECT_EQ(session.read_logits(last, true), next) << k;
  }
  EXPECT_EQ(failures, 7);
}

}  // namespace
}  // namespace trigon::fault

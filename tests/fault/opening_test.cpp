// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include <trigon/trigon.hpp>

#include "faults.hpp"
#include "support/errors.hpp"

// Calls of GL that fail while a device opens, which tests the driver's abilities by drawing.

namespace trigon::fault {
namespace {

std::string error_of_opening() {
  return support::error_of([] { const Device device{DeviceOptions{}}; });
}

TEST(Opening, FailsByNameAtEachGlCall) {
  arm_gl({});
  EXPECT_EQ(error_of_opening(), "no error");
  const std::int64_t calls = disarm().total;
  RecordProperty("calls", calls);  // LONG_RUN.md quotes it
  EXPECT_GT(calls, 100);
  const std::int64_t objects = live_objects();
  int refused = 0;
  for (std::int64_t place = 0; place < calls; ++place) {
    for (const bool from_there_on : {false, true}) {
      arm_gl({.place = place, .from_there_on = from_there_on});
      const std::string error = error_of_opening();
      const Seen seen = disarm();
      EXPECT_TRUE(seen.has_failed) << place;
      EXPECT_EQ(live_objects(), objects) << "of GL after " << seen.failed;
      const bool is_named =
          error.starts_with("trigon::Device: no ") || error.starts_with("trigon::gl: ");
      EXPECT_TRUE(is_named || error == "no error") << seen.failed << ": " << error;
      refused += is_named ? 1 : 0;
      EXPECT_EQ(error_of_opening(), "no error") << "after " << seen.failed;
    }
  }
  EXPECT_GT(refused, calls / 2) << "of those from there on";
}

}  // namespace
}  // namespace trigon::fault

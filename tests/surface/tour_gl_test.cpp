// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <trigon/trigon.hpp>

// tour.inc is the code in the head comment of trigon.hpp, taken from there by CMake.

namespace trigon {
namespace {

// The tour writes a file into the current folder.
class Tour : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_);
    std::filesystem::current_path(folder_);
  }
  void TearDown() override {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(folder_);
  }

 private:
  std::filesystem::path before_ = std::filesystem::current_path();
  // Several runs of the tests may be active at once.
  std::filesystem::path folder_ =
      std::filesystem::path(::testing::TempDir()) / ("trigon_tour_" + std::to_string(::getpid()));
};

TEST_F(Tour, RunsAsItStandsInTheHeader) {
#include "tour.inc"
  const double e[] = {std::exp(1.0) + 1, std::exp(2.0) + 1, std::exp(3.0) + 1, std::exp(4.0) + 1};
  const double product[] = {e[0] * e[0] + e[1] * e[1], e[0] * e[2] + e[1] * e[3],
                            e[0] * e[2] + e[1] * e[3], e[2] * e[2] + e[3] * e[3]};
  const std::vector<float> back = moved.to_vector<float>();
  const std::vector<float> slope = dy.to_vector<float>();
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(values[k], product[k], 1e-5 * product[k]);
    EXPECT_NEAR(back[k], product[k] + 1, 1e-5 * product[k]);
    EXPECT_NEAR(slope[k], 2 * product[k], 1e-5 * product[k]);
  }
  EXPECT_EQ(best.to_vector<std::int32_t>(), (std::vector<std::int32_t>{1, 1}));
  EXPECT_NEAR(sum(one).item(), 1.0, 1e-6);
  EXPECT_NE(text.find("void main()"), std::string::npos);
}

}  // namespace
}  // namespace trigon

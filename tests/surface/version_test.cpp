// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "trigon/config.hpp"

// Only trigon/config.hpp has the version: CMake reads it there.

#if TRIGON_VERSION < 100 || TRIGON_VERSION >= 1000000
#error "TRIGON_VERSION is no number that the preprocessor compares"
#endif

namespace trigon {
namespace {

TEST(Version, IsThatOfCMake) { EXPECT_STREQ(TRIGON_VERSION_STRING, TRIGON_PROJECT_VERSION); }

TEST(Version, NumberHasTwoDigitsForMinorAndPatch) {
  EXPECT_EQ(TRIGON_VERSION / 10000, TRIGON_VERSION_MAJOR);
  EXPECT_EQ(TRIGON_VERSION / 100 % 100, TRIGON_VERSION_MINOR);
  EXPECT_EQ(TRIGON_VERSION % 100, TRIGON_VERSION_PATCH);
}

TEST(Version, HasAnEntryInTheChangelog) {
  std::stringstream text;
  text << std::ifstream(TRIGON_SOURCE_DIR "/CHANGELOG.md").rdbuf();
  EXPECT_NE(text.str().find("\n## [" TRIGON_VERSION_STRING "] - "), std::string::npos);
  EXPECT_NE(text.str().find("\n## [Unreleased]\n"), std::string::npos);
}

}  // namespace
}  // namespace trigon

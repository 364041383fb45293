// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <string>

#include <trigon/trigon.hpp>

#include "support/errors.hpp"
#include "support/null_gl.hpp"

namespace trigon {
namespace {

TEST(Device, NeedsFloatsOf32BitsInShaders) {
  null_gl::set_mantissa(10);
  const std::string error = support::error_of([] { return Device(); });
  null_gl::set_mantissa(23);
  EXPECT_EQ(error,
            "trigon::Device: no highp floats in fragment shaders: llvmpipe (no GL: calls are "
            "counted): 10 bits of mantissa; it must have 23");
  EXPECT_EQ(support::error_of([] { return Device(); }), "no error");
}

}  // namespace
}  // namespace trigon

// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <trigon/trigon.hpp>

#include "support/errors.hpp"

// Users' kernels that use a name that nothing declares, where a parameter is not used.

namespace trigon {
namespace {

using support::error_of;

TEST(UnknownName, IsNamedBeforeTheUnusedOne) {
  const auto called = [](const char* inputs, const char* body) {
    return error_of(
        [&] { return ElementwiseKernel(inputs, "T z", body, "mine").call({ones({3})}); });
  };
  EXPECT_EQ(called("T x", "float q = 1.0;\nz = q * xx;"),
            "trigon::mine: unknown name: xx in line 2 of the body; must be declared there, or be "
            "one of x, z");
  EXPECT_EQ(called("raw T x", "z = X[i];"),
            "trigon::mine: unknown name: X in line 1 of the body; must be declared there, or be "
            "one of x, z");
  EXPECT_EQ(called("T x", "yy = x"),
            "trigon::mine: unknown name: yy in line 1 of the body; must be declared there, or be "
            "one of x, z");
  EXPECT_EQ(
      error_of([] { return ReductionKernel("T x", "T y", "x", "a + bb", "y = a", "0", "mine"); }),
      "trigon::mine: unknown name: bb in line 1 of the reduce expression; must be declared "
      "there, or be one of a, b");
  EXPECT_EQ(error_of([] {
              return Kernel({.name = "mine",
                             .inputs = {"x"},
                             .uniforms = {{"rate", 0.5}},
                             .body = "out = x(i) * rat;"});
            }),
            "trigon::mine: unknown name: rat in line 1 of the body; must be declared there, or be "
            "one of x, rate, out");
}

TEST(UnknownName, IsNoneOfGlslOrThePreamble) {
  const char* unused = "trigon::mine: name is not used: x; the body must use it";
  for (const char* body :
       {"bool big = true; z = big ? sin(T(i)) : gl_FragCoord.x", "z = HALF * one + T(_ind_size)",
        "vec2 p = vec2(1.0); for (int k = 0; k < 2; ++k) z = p.y", "if (i > 1) return; z = T(0)",
        "\n#ifdef GL_ES\nz = T(0);\n#endif\n"}) {
    EXPECT_EQ(error_of([&] {
                return ElementwiseKernel("T x", "T z", body, "mine",
                                         {.preamble = "#define HALF 0.5\nconst float one = 1.0;"})
                    .call({ones({3})});
              }),
              unused)
        << body;
  }
}

}  // namespace
}  // namespace trigon

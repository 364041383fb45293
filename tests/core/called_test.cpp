// SPDX-License-Identifier: MIT
#include "core/called.hpp"

#include <gtest/gtest.h>

#include "support/errors.hpp"

// The function that an error names.

namespace trigon {
namespace {

using support::error_of;

TEST(Called, TheOutermostNamesAnError) {
  const core::Called outer("outer");
  const core::Called inner("inner");
  EXPECT_EQ(error_of([] { core::fail("{} is negative: {}", "n", -1); }),
            "trigon::outer: n is negative: -1");
}

TEST(Called, ACheckOfAFunctionIsNamedAsTheOneThatIsCalled) {
  const auto check = [] { core::fail_in("inner", "wrong"); };
  EXPECT_EQ(error_of(check), "trigon::inner: wrong");
  EXPECT_EQ(core::called_function(), nullptr);
  const core::Called outer("outer");
  EXPECT_EQ(error_of(check), "trigon::outer: wrong");
}

TEST(Called, FunctionsOfTheUserHaveNamesOfTheirOwn) {
  const core::Called outer("outer");
  {
    const core::UserCode scope;
    EXPECT_EQ(error_of([] { core::fail_in("inner", "wrong"); }), "trigon::inner: wrong");
  }
  EXPECT_EQ(error_of([] { core::fail("wrong"); }), "trigon::outer: wrong");
}

TEST(Called, AnErrorOutsideOfAllNamesTheLibrary) {
  EXPECT_EQ(error_of([] { core::fail("wrong: {}", 1); }), "trigon: wrong: 1");
}

TEST(Called, AnErrorOfTheUserKeepsItsText) {
  const core::Called outer("outer");
  EXPECT_EQ(error_of([] { throw Error("trigon::mine: wrong"); }), "trigon::mine: wrong");
}

}  // namespace
}  // namespace trigon

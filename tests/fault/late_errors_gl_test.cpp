// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include <trigon/trigon.hpp>

#include "core/internals.hpp"
#include "faults.hpp"
#include "gl/check.hpp"
#include "run/device_state.hpp"
#include "support/errors.hpp"

// With the quirk check_at_reads, as in browsers: draws for which nothing new was made are checked
// at the next read. A wrong value is never read.

namespace trigon::fault {
namespace {

using support::error_of;
using Floats = std::vector<float>;

class LateErrors : public testing::Test {
 protected:
  void SetUp() override {
    ::setenv("TRIGON_QUIRKS", "check_at_reads=on", 1);
    device_ = Device(DeviceOptions{});
    ::unsetenv("TRIGON_QUIRKS");
    x_ = tensor<float>(Floats(64, 2), {8, 8}, device_);
    places_ = tensor<std::int32_t>(std::vector<std::int32_t>{1, 5, 1}, {3}, device_);
    for (int k = 0; k < 4; ++k) known();
  }

  /// An evaluation that makes nothing new.
  Tensor known() { return (x_ * 2.0 + 1.0).eval(); }
  /// One whose draw fails; its error waits.
  Tensor failed() {
    arm_gl({.place = 0, .kind = "glDrawArrays"});
    return known();
  }
  void TearDown() override { disarm(); }
  std::string works() {
    return error_of([&] {
      EXPECT_EQ(x_.to_vector<float>(), Floats(64, 2));
      EXPECT_EQ(known().to_vector<float>(), Floats(64, 5));
    });
  }

  static constexpr auto ended =
      "trigon::Device: a draw or an upload failed, and its error came later, at a read or at new "
      "work: values since the last read may be wrong\n  hint: open a new device and load its "
      "tensors again";

  Device device_;
  Tensor x_, places_;
};

TEST_F(LateErrors, AreAskedForAtTheRead) {
  arm_gl({});
  const Tensor y = known();
  EXPECT_EQ(disarm().calls["glGetError"], 0);
  arm_gl({});
  EXPECT_EQ(y.to_vector<float>(), Floats(64, 5));
  EXPECT_EQ(disarm().calls["glGetError"], 1);
  arm_gl({});
  synchronize(device_);
  EXPECT_EQ(disarm().calls["glGetError"], 1);
}

TEST_F(LateErrors, AreAskedForNowAndThenWithoutReads) {
  arm_gl({});
  for (int k = 0; k < 256; ++k) known();
  EXPECT_EQ(disarm().calls["glGetError"], 4);
}

TEST_F(LateErrors, OfADrawEndTheDeviceAtTheRead) {
  const Tensor y = failed();
  EXPECT_EQ(error_of([&] { static_cast<void>(y.to_vector<float>()); }),
            "trigon::gl: glReadPixels: GL_OUT_OF_MEMORY");
  EXPECT_EQ(error_of([&] { static_cast<void>(y.to_vector<float>()); }), ended);
  EXPECT_EQ(works(), ended);
  const Device other{DeviceOptions{}};
  const Tensor z = tensor<float>(Floats{1, 2}, {2}, other);
  EXPECT_EQ((z + 1.0).to_vector<float>(), (Floats{2, 3}));
}

// Whatever finds the error: it is not taken for a lack of memory, after which work is tried again.
class LateErrorsAt : public LateErrors, public testing::WithParamInterface<int> {
 protected:
  void find() {
    switch (GetParam()) {
      case 0: (x_ - 7.0).eval(); return;                     // compiles
      case 1: full({33, 65}, 1).to(device_).eval(); return;  // makes a texture
      case 2: static_cast<void>(tensor<float>(Floats(90000, 1), {90000}, device_)); return;
      case 3: synchronize(device_); return;
      case 4: static_cast<void>(x_.read_async<float>()); return;
      case 5: static_cast<void>(x_.to_vector<float>()); return;
      case 6: ElementwiseKernel("T x", "T y", "y = no_name(x)", "wrong")(x_).eval(); return;
      case 7: scatter_add(x_, places_, full({3, 8}, 1), 0).eval(); return;  // draws points
      default:
        for (int k = 0; k < 64; ++k) known();
    }
  }
};

TEST_P(LateErrorsAt, EndsTheDevice) {
  const Tensor y = failed();
  EXPECT_NE(error_of([&] { find(); }), "no error");
  EXPECT_EQ(error_of([&] { static_cast<void>(y.to_vector<float>()); }), ended);
  EXPECT_EQ(works(), ended);
}

INSTANTIATE_TEST_SUITE_P(LateErrors, LateErrorsAt, testing::Range(0, 9));

TEST_F(LateErrors, ThatOtherCodeTakesEndTheDevice) {
  const Tensor y = failed();
  {
    const detail::run::DeviceState::Entry entry(*detail::Internals::state(device_));
    EXPECT_FALSE(detail::gl::clear_errors());
  }
  EXPECT_EQ(error_of([&] { static_cast<void>(y.to_vector<float>()); }), ended);
  EXPECT_EQ(works(), ended);
}

TEST_F(LateErrors, OfAnotherDeviceDoNotCount) {
  const Tensor y = known();
  const Device other{DeviceOptions{}};
  const Tensor z = tensor<float>(Floats(64, 2), {8, 8}, other);
  arm_gl({.place = 0, .kind = "glDrawArrays"});
  EXPECT_NE(error_of([&] { (z + 1.0).eval(); }), "no error");
  disarm();
  EXPECT_EQ(y.to_vector<float>(), Floats(64, 5));
  EXPECT_EQ(works(), "no error");
}

TEST_F(LateErrors, OfNewTexturesComeAtOnce) {
  arm_gl({.place = 0, .kind = "glDrawArrays"});
  EXPECT_EQ(error_of([&] {
              exp(full({30, 50}, 1) * x_[0][0]).eval();
            }),
            "trigon::gl: glDrawArrays: GL_OUT_OF_MEMORY");
  disarm();
  EXPECT_EQ(works(), "no error");
}

TEST_F(LateErrors, OfTexturesAfterGoodDrawsLeaveTheDeviceAsItIs) {
  const Tensor y = known();
  arm_gl({.place = 0, .from_there_on = true, .of_kind_alone = true, .kind = "glTexStorage2D"});
  EXPECT_NE(error_of([&] {
              exp(full({300, 500}, 1) * x_[0][0]).eval();
            }).find("memory"),
            std::string::npos);
  EXPECT_TRUE(disarm().has_failed);
  EXPECT_EQ(y.to_vector<float>(), Floats(64, 5));
  EXPECT_EQ(works(), "no error");
}

}  // namespace
}  // namespace trigon::fault

// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <trigon/trigon.hpp>

#include "support/errors.hpp"
#include "support/kernels.hpp"
#include "support/on_profile.hpp"

// Values that are read while the host continues.

namespace trigon {
namespace {

using support::error_of;
using support::Floats;
using support::Ints;

static_assert(!std::is_copy_constructible_v<Future<float>>);
static_assert(!std::is_copy_assignable_v<Future<float>>);
static_assert(std::is_nothrow_move_constructible_v<Future<float>>);

class FutureTest : public support::KernelTest {};
INSTANTIATE_TEST_SUITE_P(Profiles, FutureTest, ::testing::Values(Profile::webgl2, Profile::webgl1),
                         support::profile_name);

template <class T>
void expect_same(const Tensor& x) {
  EXPECT_EQ(x.read_async<T>().get(), x.to_vector<T>()) << name(x.dtype());
}

TEST_P(FutureTest, GivesValuesOfEveryDType) {
  const Tensor x = floats({0, 1, 2.5, 250, 3, 7, 9}, {7});
  expect_same<float>(x);
  expect_same<float>(x.astype(float16));
  expect_same<std::int32_t>(-x.astype(int32));
  expect_same<std::uint32_t>(x.astype(uint32));
  expect_same<std::uint8_t>(x.astype(uint8));
  expect_same<bool>(x > 2.0);
}

TEST_P(FutureTest, GivesValuesAsOtherTypesThatHoldThem) {
  const Tensor x = ints({-3, 0, 250}, {3});
  expect_same<double>(x);
  expect_same<std::int64_t>(x);
  expect_same<double>(x.astype(float16) * 0.5);
  expect_same<std::uint8_t>(abs(x));
  expect_same<std::uint64_t>(abs(x).astype(uint8));
}

TEST_P(FutureTest, GivesScalarsAndNoElements) {
  EXPECT_EQ(sum(floats({1, 2, 3}, {3})).read_async<float>().get(), Floats{6});
  EXPECT_EQ(Tensor(2.5).read_async<float>().get(), Floats{2.5});
  Future<std::int32_t> none = ints({}, {0, 3}).read_async<std::int32_t>();
  EXPECT_TRUE(none.ready());
  EXPECT_EQ(none.get(), Ints{});
  EXPECT_FALSE(none.has_value());
}

// Rows, strides and layers; with a limit of 63 texels per side, few elements need them.
TEST_P(FutureTest, GivesEveryLayout) {
  if (GetParam() == Profile::webgl2) expect_same<float>(counting({210, 97}) + 1.0);
  const Tensor x = counting({120, 97});
  expect_same<float>(x);
  expect_same<float>(x.T().eval());
  expect_same<float>((x + 1.0)[Slice{110}]);
  expect_same<float>(matmul(x, x.T()));
  expect_same<float>(x.reshape(97, 120).eval());
  const std::vector<Tensor> halves = split(x * 2.0, 2);
  eval(halves);
  expect_same<float>(halves[1]);
}

TEST_P(FutureTest, HoldsTheValuesThatTheTensorHadAtTheCall) {
  {
    Tensor written = (counting({8}) + 1.0).eval();
    written(0) = 9.0;
    written.eval();
  }  // the pool has its textures
  Tensor x = (counting({8}) + 1.0).eval();
  Future<float> before = x.read_async<float>();
  const Counters start = counters(device());
  x(0) = 9.0;
  x.eval();
  EXPECT_EQ((counters(device()) - start).textures_created, 0) << "the future holds none";
  Future<float> after = x.read_async<float>();
  x(0) = 10.0;
  x.eval();
  EXPECT_EQ(after.get(), (Floats{9, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(before.get(), (Floats{1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST_P(FutureTest, NeedsNoTextureOfItsTensor) {
  Future<float> one = (counting({400}) + 1.0).read_async<float>();
  const Tensor other = (counting({400}) * 0.0).eval();  // in the same texture
  const Floats values = one.get();
  EXPECT_EQ(values.front(), 1);
  EXPECT_EQ(values.back(), 400);
  EXPECT_EQ(sum(other).item(), 0);
}

TEST_P(FutureTest, SeveralAreGotInAnyOrder) {
  std::vector<Future<float>> futures;
  for (int k = 0; k < 20; ++k) {
    futures.push_back((floats({1, 2}, {2}) * Scalar(k)).read_async<float>());
  }
  for (std::size_t k = futures.size(); k-- > 0;) {
    const auto factor = static_cast<float>(k);
    EXPECT_EQ(futures[k].get(), (Floats{factor, 2 * factor}));
  }
}

TEST_P(FutureTest, OrdinaryReadsGoOnBesideIt) {
  const Tensor x = floats({1, 2, 3}, {3});
  Future<float> dropped = (x + 1.0).read_async<float>();
  Future<float> kept = (x + 2.0).read_async<float>();
  EXPECT_EQ(x.to_vector<float>(), (Floats{1, 2, 3}));
  dropped = {};
  EXPECT_EQ((x + 3.0).to_vector<float>(), (Floats{4, 5, 6}));
  EXPECT_EQ(kept.get(), (Floats{3, 4, 5}));
  EXPECT_EQ((x + 4.0).to_vector<float>(), (Floats{5, 6, 7}));
}

TEST_P(FutureTest, OutlivesItsDevice) {
  Future<float> future;
  {
    const Device device({.profile = GetParam()});
    future = (Tensor{1.5, 2.5}.to(device) * 2.0).read_async<float>();
  }
  EXPECT_EQ(future.get(), (Floats{3, 5}));
  Future<float> dropped;
  {
    const Device device({.profile = GetParam()});
    dropped = Tensor{1.5, 2.5}.to(device).read_async<float>();
  }
}

TEST_P(FutureTest, IsReadyOnceTheDeviceHasDoneTheWork) {
  Future<float> future = exp(counting({100, 100}) * 1e-4).read_async<float>();
  synchronize(device());
  EXPECT_TRUE(future.ready());
  EXPECT_TRUE(future.ready());
  EXPECT_EQ(future.get()[0], 1);
}

// WebGL 1 has no pixel buffers.
TEST(FutureOnWebGL1, IsReadyAtOnce) {
  const support::OnProfile on(Profile::webgl1);
  EXPECT_TRUE(exp(arange(10'000) * 1e-4).read_async<float>().ready());
}

TEST_P(FutureTest, CountsTheBytesOfTheCall) {
  const Tensor x = counting({64, 64}).eval();
  const Counters start = counters(device());
  static_cast<void>(x.to_vector<float>());
  const Counters read = counters(device());
  Future<float> future = x.read_async<float>();
  const Counters started = counters(device());
  EXPECT_EQ((started - read).bytes_read, (read - start).bytes_read);
  static_cast<void>(future.get());
  EXPECT_EQ(counters(device()).bytes_read, started.bytes_read);
  EXPECT_EQ(counters(device()).draws, start.draws);
}

const std::string no_values =
    "no values: the future is empty, or its values were taken by get(); assign one of read_async "
    "first";

TEST_P(FutureTest, GivesItsValuesOnce) {
  Future<float> future;
  EXPECT_FALSE(future.has_value());
  EXPECT_EQ(error_of([&] { return future.ready(); }), "trigon::Future::ready: " + no_values);
  EXPECT_EQ(error_of([&] { return future.get(); }), "trigon::Future::get: " + no_values);
  future = floats({4}, {1}).read_async<float>();
  EXPECT_TRUE(future.has_value());
  Future<float> moved = std::move(future);
  EXPECT_FALSE(future.has_value());
  EXPECT_EQ(moved.get(), Floats{4});
  EXPECT_FALSE(moved.has_value());
  EXPECT_EQ(error_of([&] { return moved.get(); }), "trigon::Future::get: " + no_values);
}

TEST_P(FutureTest, RefusesOtherTypesAtTheCall) {
  const Tensor x = floats({1, 2}, {2});
  EXPECT_EQ(error_of([&] { return x.read_async<std::int32_t>(); }),
            "trigon::Tensor::read_async: read as another dtype: tensor is float32, read as int32; "
            "must be float32\n  hint: write read_async<float>(), or cast with astype");
  EXPECT_EQ(error_of([&] { return x.read_async<std::int64_t>(); }),
            "trigon::Tensor::read_async: read as another dtype: tensor is float32, read as int64; "
            "must be float32\n  hint: write read_async<float>(), or cast with astype");
  EXPECT_EQ(error_of([&] { return (x > 1.0).read_async<double>(); }),
            "trigon::Tensor::read_async: read as another dtype: tensor is bool, read as float64; "
            "must be bool\n  hint: write read_async<bool>(), or cast with astype");
}

TEST_P(FutureTest, RefusesIntegersThatDoNotFitWhenTheyAreThere) {
  Future<std::uint8_t> future = ints({1, 256}, {2}).read_async<std::uint8_t>();
  EXPECT_EQ(error_of([&] { return future.get(); }),
            "trigon::Future::get: integer out of range: value is 256; uint8 holds integers in [0, "
            "255]");
  EXPECT_FALSE(future.has_value());
}

TEST_P(FutureTest, CannotBeAskedForInATracedFunction) {
  const auto f = compile([](const Tensor& x) {
    static_cast<void>((x * 2.0).read_async<float>());
    return x;
  });
  EXPECT_EQ(error_of([&] { return f(floats({1}, {1})); }), error_of([&] {
              return compile([](const Tensor& x) {
                static_cast<void>((x * 2.0).to_vector<float>());
                return x;
              })(floats({1}, {1}));
            }));
}

TEST(Future, CopiesFromAnotherDeviceAsReadingDoes) {
  const Device one, other;
  const Tensor x = Tensor{1.0, 2.0}.to(one);
  Future<float> future = (x.to(other) + 1.0).read_async<float>();
  EXPECT_EQ(future.get(), (Floats{2, 3}));
}

}  // namespace
}  // namespace trigon

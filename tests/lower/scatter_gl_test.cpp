// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <trigon/extend.hpp>
#include <trigon/trigon.hpp>

#include "core/internals.hpp"
#include "reference/interpret.hpp"
#include "support/compare.hpp"
#include "support/errors.hpp"
#include "support/on_profile.hpp"
#include "support/values.hpp"

// Scatters and affine views on a device, against the reference. Values are whole numbers, so that
// sums are exact in any order.

namespace trigon {
namespace {

using Floats = std::vector<float>;
using Ints = std::vector<std::int32_t>;
using support::Random;

const Device& webgl1() {
  static const Device opened{{.profile = Profile::webgl1}};
  return opened;
}

// Whole numbers as a tensor of any dtype on a device.
Tensor numbers(Random& random, const Shape& shape, DType dtype, const Device& device) {
  const int low = dtype == uint32 || dtype == uint8 ? 0 : -100;
  Floats values(static_cast<std::size_t>(shape.numel()));
  for (float& v : values) v = static_cast<float>(low + random.below(101 - low));
  return tensor<float>(std::span<const float>(values), shape, device).astype(dtype);
}

Tensor integers(Random& random, const Shape& shape, int low, int high, const Device& device) {
  Ints values(static_cast<std::size_t>(shape.numel()));
  for (std::int32_t& v : values) v = low + random.below(high - low + 1);
  return tensor<std::int32_t>(std::span<const std::int32_t>(values), shape, device);
}

void expect(const Tensor& y, const std::string& what) {
  const std::vector<double> want = graph::interpret(detail::Internals::node(y));
  EXPECT_EQ(support::difference(support::read_doubles(y), want, Ulp{0}, y.dtype()), "") << what;
}

// Every axis of one shape, both forms; some indices count from the end, some are out of range.
void check_shape(Random& random, const Shape& shape, DType dtype, const Device& device) {
  for (int axis = 0; axis < shape.rank(); ++axis) {
    const int n = static_cast<int>(shape[axis]);
    const std::string what =
        to_string(shape) + " " + std::string(name(dtype)) + " axis " + std::to_string(axis);
    const Tensor x = numbers(random, shape, dtype, device);
    for (const Shape& named : {Shape{}, Shape{7}, Shape{2, 3}}) {
      Shape written = shape;
      written.erase(axis);
      for (int k = 0; k < named.rank(); ++k) written.insert(axis + k, named[k]);
      const Tensor i = integers(random, named, -n - 1, n, device);
      expect(scatter_add(x, i, numbers(random, written, dtype, device), axis), what + " rows");
    }
    Shape written = shape;
    written[axis] = 6;
    const Tensor i = integers(random, written, -n - 1, n, device);
    expect(scatter_add(x, i, numbers(random, written, dtype, device), axis), what + " along");
    expect(take_along_axis(x, i, axis), what + " taken along");
  }
}

const std::vector<Shape> shapes = {{5},          {8},          {3, 4},          {4, 7},
                                   {1, 6},       {5, 1},       {2, 3, 8},       {3, 1, 5},
                                   {2, 3, 2, 4}, {2, 1, 3, 5}, {2, 2, 1, 2, 3}, {1, 2, 2, 3, 1, 4}};

TEST(Scatter, AgreesWithTheReferenceInFloat32) {
  Random random(1);
  for (const Shape& shape : shapes) {
    check_shape(random, shape, float32, Device::default_device());
  }
}

TEST(Scatter, AgreesWithTheReferenceInOtherDtypes) {
  Random random(2);
  for (const DType dtype : {int32, uint32, uint8, float16}) {
    for (const Shape& shape : {Shape{5}, Shape{4, 7}, Shape{2, 3, 8}, Shape{1, 1}}) {
      check_shape(random, shape, dtype, Device::default_device());
    }
  }
}

TEST(ScatterWebGL1, AgreesWithTheReference) {
  Random random(3);
  for (const Shape& shape :
       {Shape{5}, Shape{1, 6}, Shape{4, 7}, Shape{2, 3, 8}, Shape{2, 1, 3, 5}}) {
    check_shape(random, shape, float32, webgl1());
    check_shape(random, shape, int32, webgl1());
  }
}

TEST(Scatter, TakesIndicesOfAllIntegerTypes) {
  const Tensor i = tensor<std::int32_t>({0, 2, 2, 1});
  const Floats want{1, 1, 2};
  for (const DType dtype : {int32, uint32, uint8}) {
    EXPECT_EQ(scatter_add(zeros({3}), i.astype(dtype), 1.0, 0).to_vector<float>(), want);
  }
  const Tensor low = tensor<std::int32_t>({-16'777'216, -4, -3});
  EXPECT_EQ(scatter_add(zeros({3}), low, 1.0, 0).to_vector<float>(), (Floats{1, 0, 0}));
}

TEST(Scatter, TakesAllIndicesOfTheirType) {
  const support::OnWebGL2 only("integers past 2^24");
  const Tensor far = tensor<std::uint32_t>({4294967295U, 2147483648U, 1U});
  EXPECT_EQ(scatter_add(zeros({3}), far, 1.0, 0).to_vector<float>(), (Floats{0, 1, 0}));
  EXPECT_EQ(scatter_add(zeros({3}, int32), far, 1, 0).to_vector<std::int32_t>(), (Ints{0, 1, 0}));
  const Tensor low = tensor<std::int32_t>({std::numeric_limits<std::int32_t>::min(), -4, -3});
  EXPECT_EQ(scatter_add(zeros({3}), low, 1.0, 0).to_vector<float>(), (Floats{1, 0, 0}));
}

TEST(Scatter, OfManyDuplicatesCountsThemAll) {
  constexpr std::int64_t count = 100'000;
  const Tensor ids = iota(count) % 5 * 3;
  const Floats got = scatter_add(zeros({13}), ids, 1.0, 0).to_vector<float>();
  for (std::size_t k = 0; k < got.size(); ++k) EXPECT_EQ(got[k], k % 3 == 0 ? 20'000.F : 0.F) << k;
}

TEST(Scatter, OfManyRowsFillsMoreThanATextureRow) {
  Random random(4);
  const Device& device = Device::default_device();
  const Tensor i = integers(random, {3000}, 0, 19'999, device);
  expect(scatter_add(zeros({20'000, 8}), i, numbers(random, {3000, 8}, float32, device), 0),
         "rows");
  expect(scatter_add(zeros({70'001}), i * 3, numbers(random, {3000}, float32, device), 0), "long");
  const Tensor each = integers(random, {100, 30}, 0, 1999, device);
  expect(scatter_add(zeros({100, 2000}), each, numbers(random, {100, 30}, float32, device), 1),
         "along");
}

TEST(Scatter, GivesTheSameSumEachTime) {
  Random random(5);
  const Tensor v = support::random_tensor(random, {5000, 4}, {-1e3, 1e3});
  const Tensor i = support::random_ints(random, {5000}, 0, 3);
  const Floats first = scatter_add(zeros({4, 4}), i, v, 0).to_vector<float>();
  for (int k = 0; k < 5; ++k) {
    EXPECT_EQ(scatter_add(zeros({4, 4}), i, v, 0).to_vector<float>(), first);
  }
}

// (x, x) with updates added to the first element.
Tensor added(float x, const Floats& updates, const Device& device) {
  const Shape count{static_cast<std::int64_t>(updates.size())};
  return scatter_add(full({2}, x), zeros(count, int32),
                     tensor<float>(std::span<const float>(updates), count, device), 0);
}

// Points need an earlier draw of x; a sum of the updates and x share one.
bool blends(const Device& device) { return cost(added(0, Floats(8, 1.F), device)).draws > 1; }

TEST(Scatter, AddsInTheOrderOfTheUpdatesOrTheirSum) {
  const Floats ones(8, 1.F);
  // 1 is lost beside 1e8, and 8 is not.
  const Floats in_turn{1e8F, 1.F, -1e8F, 1.F};
  for (const Device& device : {Device::default_device(), webgl1()}) {
    if (blends(device)) {
      EXPECT_EQ(added(1e8F, ones, device).to_vector<float>(), (Floats{1e8F, 1e8F}));
      EXPECT_EQ(added(0, in_turn, device).to_vector<float>(), (Floats{1, 0}));
    } else {
      EXPECT_EQ(added(1e8F, ones, device).to_vector<float>(), (Floats{1e8F + 8, 1e8F}));
    }
  }
  EXPECT_FALSE(blends(webgl1()));
}

TEST(Scatter, ReadsXThatIsReferredToElsewhere) {
  const Tensor x = tensor<float>({1, 2, 3, 4, 5}, {5}) + 0.0;
  const Tensor i = tensor<std::int32_t>({1, 1});
  const Tensor y = scatter_add(x, i, 10.0, 0);
  EXPECT_EQ(y.to_vector<float>(), (Floats{1, 22, 3, 4, 5}));
  EXPECT_EQ(x.to_vector<float>(), (Floats{1, 2, 3, 4, 5}));
  const Tensor z = scatter_add(y, i, y[Slice{0, 2}], 0);
  EXPECT_EQ(z.to_vector<float>(), (Floats{1, 45, 3, 4, 5}));
}

TEST(Scatter, AddsInPlace) {
  Tensor x = tensor<float>({1, 2, 3, 4}, {4}) + 0.0;
  x.eval();
  const Tensor i = tensor<std::int32_t>({3, 0});
  const Tensor v = tensor<float>({5, 6});
  const Counters before = counters();
  for (int k = 0; k < 3; ++k) {
    x = scatter_add(x, i, v, 0);
    x.eval();
  }
  EXPECT_EQ((counters() - before).textures_created, 0);
  EXPECT_EQ(x.to_vector<float>(), (Floats{19, 2, 3, 19}));
}

TEST(Scatter, LeavesDrawsAfterItAlone) {
  const Tensor y = scatter_add(zeros({4, 4}), iota(2), ones({2, 4}), 0);
  y.eval();
  EXPECT_EQ((ones({4, 4}) * 2.0).to_vector<float>(), Floats(16, 2.F));
  EXPECT_EQ(sum(y).item<float>(), 8.F);
}

TEST(Scatter, KeepsSpecialValues) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  const Tensor x = tensor<float>({inf, -inf, 1, NAN}, {4}) + 0.0;
  const Floats got = scatter_add(x, tensor<std::int32_t>({2, 1}), 2.0, 0).to_vector<float>();
  EXPECT_EQ(got[0], inf);
  EXPECT_EQ(got[1], -inf);
  EXPECT_EQ(got[2], 3.F);
  EXPECT_TRUE(std::isnan(got[3]));
}

TEST(Scatter, OfNothingIsX) {
  const Tensor x = tensor<float>({1, 2});
  EXPECT_EQ(scatter_add(x, zeros({0}, int32), zeros({0}), 0).to_vector<float>(), (Floats{1, 2}));
}

TEST(Scatter, FusesWithWhatReadsIt) {
  Random random(6);
  const Device& device = Device::default_device();
  const Tensor i = integers(random, {9}, -6, 6, device);
  const Tensor v = numbers(random, {9, 6}, float32, device) * 2.0;
  expect(scatter_add(numbers(random, {6, 6}, float32, device) + 1.0, i + 1, v + 1.0, 0).T() * 3.0,
         "fused");
}

TEST(AtAdd, AddsToAPartOnADevice) {
  Random random(7);
  for (const Device& device : {Device::default_device(), webgl1()}) {
    const Tensor x = numbers(random, {5, 6}, float32, device);
    const Tensor v = numbers(random, {6}, float32, device);
    expect(x.at(2).add(v), "row");
    expect(x.at(ellipsis, Slice{.step = -2}).add(v[Slice{0, 3}]), "columns");
    expect(x.at(Scalar(3)).add(v * 2.0), "run-time row");
  }
}

// ---- Gradients

Tensor pulled(const std::function<Tensor(const Tensor&)>& f, const Tensor& x, const Tensor& dy) {
  return vjp(f, x).pullback(dy);
}

TEST(Scatter, GivesTheGradientsOfGathers) {
  Random random(8);
  for (const Device& device : {Device::default_device(), webgl1()}) {
    const Tensor x = numbers(random, {6, 5}, float32, device);
    const Tensor i = integers(random, {2, 7}, -8, 8, device);
    const Tensor each = integers(random, {6, 9}, -7, 7, device);
    const Tensor one = integers(random, {6, 1}, -5, 4, device);
    expect(pulled([&](const Tensor& v) { return take(v, i, 0); }, x,
                  numbers(random, {2, 7, 5}, float32, device)),
           "take");
    expect(pulled([&](const Tensor& v) { return take_along_axis(v, each, 1); }, x,
                  numbers(random, {6, 9}, float32, device)),
           "take_along_axis");
    expect(pulled([&](const Tensor& v) { return take_along_axis(v, one, 1); }, x,
                  numbers(random, {6, 1}, float32, device)),
           "one entry");
    expect(pulled([&](const Tensor& v) { return nn::embedding(i, v) * 2.0; }, x,
                  numbers(random, {2, 7, 5}, float32, device)),
           "embedding");
  }
}

// ---- Views

TEST(AffineViews, AgreeWithTheReference) {
  Random random(9);
  for (const Device& device : {Device::default_device(), webgl1()}) {
    const Tensor x = numbers(random, {7, 9}, float32, device);
    const Tensor y = numbers(random, {3, 5, 6}, float32, device);
    expect(sliding_window_view(x, 4, 1), "windows");
    expect(sliding_window_view(x, {3, 2}) + 1.0, "windows of both axes");
    expect(sliding_window_view(x, {2, 3}, {1, 1}), "windows of windows");
    expect(max(sliding_window_view(y, {2, 3}, {1, 2}), {3, 4}), "pooling");
    expect(diagonal(x, 2), "diagonal");
    expect(diagonal(y, -1, {2, 0}) * 2.0, "diagonal of two axes");
    expect(diag(x.at(0).get(), -3), "diag");
    expect(diagonal(sliding_window_view(x, {2, 2})), "diagonal of windows");
  }
}

TEST(AffineViews, GiveTheirGradients) {
  Random random(10);
  for (const Device& device : {Device::default_device(), webgl1()}) {
    const Tensor x = numbers(random, {7, 9}, float32, device);
    const auto dy = [&](const Shape& shape) { return numbers(random, shape, float32, device); };
    expect(pulled(
               [](const Tensor& v) {
                 return sliding_window_view(v, {3, 2});
               },
               x, dy({5, 8, 3, 2})),
           "windows");
    expect(pulled(
               [](const Tensor& v) {
                 return sliding_window_view(v, {2, 3}, {1, 1});
               },
               x, dy({7, 6, 2, 3})),
           "windows of windows");
    expect(pulled([](const Tensor& v) { return diagonal(v, -2); }, x, dy({5})), "diagonal");
  }
}

}  // namespace
}  // namespace trigon

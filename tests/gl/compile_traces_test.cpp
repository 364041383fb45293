// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <trigon/trigon.hpp>

#include "graph/node.hpp"
#include "run/device_state.hpp"
#include "support/errors.hpp"
#include "support/values.hpp"

namespace trigon {
namespace {

using Floats = std::vector<float>;
using support::error_of;
using support::filled;

/// Computed on the device, so that its texture may be written in place.
Tensor evaluated(const Shape& shape, float value) {
  Tensor x = filled(shape, value) + 0.0;
  x.eval();
  return x;
}

/// What f() adds to the counters.
template <class F>
Counters counted(const F& f) {
  const Counters before = counters();
  f();
  return counters() - before;
}

// ---- Several devices

// A value of numbers alone belongs to no device: the call takes it along.
TEST(Compile, ArgumentsOfNumbersThatWereEvaluatedOnAnotherDevice) {
  const Device other;
  const auto f = compile(
      [](const Tensor& x, const Tensor& a, const Tensor& b) { return x + a.astype(float32) * b; });
  const Tensor here = filled({4}, 1);
  const Tensor there = tensor<float>(Floats{1, 1, 1, 1}, {4}, other);
  const Tensor counted_up = iota(4), waves = exp(full({4}, 0.0));
  for (int k = 0; k < 2; ++k) {
    eval({there + 0.0, counted_up, waves});
    const Tensor y = f(here, counted_up, waves);
    EXPECT_TRUE(y.device() == here.device());
    EXPECT_EQ(y.to_vector<float>(), (Floats{1, 2, 3, 4}));
    const Tensor z = f(there, counted_up, waves);
    EXPECT_TRUE(z.device() == other);
    EXPECT_EQ(z.to_vector<float>(), (Floats{1, 2, 3, 4}));
  }
  EXPECT_THROW(f(here, there, waves), Error);
}

TEST(Compile, ACapturedTensorOfNumbersThatWasEvaluatedOnAnotherDevice) {
  const Device other;
  const Tensor counted_up = iota(4).astype(float32);
  eval({tensor<float>(Floats{1}, {1}, other) + 0.0, counted_up});
  const auto f = compile([&](const Tensor& x) { return x + counted_up; });
  EXPECT_EQ(f(filled({4}, 1)).to_vector<float>(), (Floats{1, 2, 3, 4}));
}

TEST(Compile, ArgumentsOfNumbersGoWhereTheCapturedTensorIs) {
  const Device other;
  const Tensor there = tensor<float>(Floats{1, 2, 3, 4}, {4}, other);
  int calls = 0;
  const auto f = compile([&](const Tensor& x, const Tensor& y) {
    ++calls;
    return std::pair(x + there, x * y);
  });
  for (int k = 0; k < 3; ++k) {
    const Tensor x = full({4}, static_cast<double>(k));
    const auto [sum, product] = f(x, x);
    EXPECT_TRUE(sum.device() == other);
    const auto value = static_cast<float>(k);
    EXPECT_EQ(sum.to_vector<float>(), (Floats{value + 1, value + 2, value + 3, value + 4}));
    EXPECT_EQ(product.to_vector<float>(), Floats(4, value * value));
  }
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(f(full({4}, 1.0), there).second.to_vector<float>(), (Floats{1, 2, 3, 4}));
  EXPECT_THROW(f(full({4}, 1.0), filled({4}, 1)), Error);
}

TEST(Compile, NumbersAreMovedToADeviceInsideATrace) {
  const Device other;
  const auto f = compile([&](const Tensor& x) { return x + zeros({4}).to(other); });
  EXPECT_EQ(f(tensor<float>(Floats{1, 2, 3, 4}, {4}, other)).to_vector<float>(),
            (Floats{1, 2, 3, 4}));
  EXPECT_EQ(f(full({4}, 3.0)).to_vector<float>(), Floats(4, 3));
  EXPECT_THROW(f(filled({4}, 1)), Error);
  const auto move = compile([&](const Tensor& x) { return x.to(other); });
  for (const float value : {1.0F, 2.0F}) {
    const Tensor y = move(full({4}, static_cast<double>(value)));
    EXPECT_TRUE(y.device() == other);
    EXPECT_EQ(y.to_vector<float>(), Floats(4, value));
  }
}

// ---- Inside a trace

TEST(Compile, ValuesCannotBeReadInsideATrace) {
  const std::string unread =
      "trigon::compile: a value is asked for while the function is traced: the tensor is (2,) "
      "float32; it has no value yet\n  hint: return it, and read the result";
  const Tensor x = filled({2}, 1);
  const auto refused = [&](auto f) { return error_of([&] { compile(f)(x); }); };
  EXPECT_EQ(refused([](const Tensor& y) { return y * y.to_vector<float>()[0]; }), unread);
  EXPECT_EQ(refused([](const Tensor& y) { return (y + 1.0).eval(); }), unread);
  EXPECT_EQ(refused([](const Tensor& y) { return explain(y), y; }), unread);
  const auto f = compile([](const Tensor& y, const Scalar& n) { return y * n.value(); });
  EXPECT_EQ(error_of([&] { f(x, Scalar(2)); }),
            "trigon::compile: the value of a Scalar is asked for while the function is traced; it "
            "changes from call to call\n  hint: compute with the Scalar itself, or pass a plain "
            "number");
  EXPECT_EQ((x + 1.0).to_vector<float>(), Floats(2, 2));
}

TEST(Compile, CapturedValuesCanBeReadInsideATrace) {
  const Tensor captured = filled({2}, 3);
  const Scalar number = 4;
  const auto f =
      compile([&](const Tensor& x) { return x * captured.to_vector<float>()[0] + number.value(); });
  EXPECT_EQ(f(filled({2}, 2)).to_vector<float>(), Floats(2, 10));
}

TEST(Compile, AFunctionThatThrowsIsTracedAgain) {
  bool fails = true;
  const auto f = compile([&](const Tensor& x) {
    if (fails) throw Error("no");
    return x + 1.0;
  });
  const Tensor x = filled({2}, 1);
  EXPECT_EQ(error_of([&] { f(x); }), "no");
  fails = false;
  EXPECT_EQ(f(x).to_vector<float>(), Floats(2, 2));
}

TEST(Compile, ALeakedTensorHasTheValueOfTheTrace) {
  Tensor leaked;
  const auto f = compile([&](const Tensor& x) {
    leaked = x * 2.0;
    return x + 1.0;
  });
  f(filled({2}, 1));
  f(filled({2}, 7));
  EXPECT_EQ(leaked.to_vector<float>(), Floats(2, 2));
}

TEST(Compile, ALeakedTensorKeepsTheArgumentThatItReads) {
  const Tensor w = filled({4, 4}, 0.25);
  Tensor leaked;
  const auto f = compile([&](Tensor x) {
    leaked = matmul(x, w);
    const Tensor y = matmul(leaked, w) * 2.0;
    return std::move(x).at(0).set(y.at(0).get());
  });
  Floats expected(16, 3);
  std::fill(expected.begin(), expected.begin() + 4, 6.0F);
  EXPECT_EQ(f(evaluated({4, 4}, 3)).to_vector<float>(), expected);
  EXPECT_EQ(leaked.to_vector<float>(), Floats(16, 3));
}

TEST(Compile, ALeakedResultKeepsTheArgumentThatItReads) {
  const Tensor w = filled({4, 4}, 0.25);
  Tensor leaked;
  const auto f = compile([&](Tensor x) {
    const Tensor y = leaked = matmul(x, w);
    return std::pair(y, std::move(x).at(0).set(9.0));
  });
  Floats expected(16, 3);
  std::fill(expected.begin(), expected.begin() + 4, 9.0F);
  const auto [y, written] = f(evaluated({4, 4}, 3));
  EXPECT_EQ(y.to_vector<float>(), Floats(16, 3));
  EXPECT_EQ(written.to_vector<float>(), expected);
  EXPECT_EQ(leaked.to_vector<float>(), Floats(16, 3));
}

TEST(Compile, ALeakedTensorOfNumbersLeavesArgumentsToBeWritten) {
  Tensor leaked;
  const auto f = compile([&](Tensor x) {
    leaked = iota(4).astype(float32);
    return std::move(x).at(0).set(leaked);
  });
  Tensor x = evaluated({4, 4}, 1);
  const run::PooledTexture* const texture = &x.node()->storage->texture();
  const Tensor written = f(std::move(x));
  EXPECT_EQ(&written.node()->storage->texture(), texture);
}

TEST(Compile, InsideAnotherTraceItIsThePlainFunction) {
  int calls = 0;
  const auto inner = compile([&](const Tensor& x) {
    ++calls;
    return x + 1.0;
  });
  const auto outer = compile([&](const Tensor& x) { return inner(inner(x)) * 2.0; });
  const Tensor x = filled({3}, 1);
  outer(x);
  EXPECT_EQ(calls, 2);
  const Counters cost = counted([&] { outer(x); });
  EXPECT_EQ(cost.draws, 1);
  EXPECT_EQ(outer(x).to_vector<float>(), Floats(3, 6));
}

TEST(Compile, GradientsGoThroughItAndAreCompiled) {
  const auto square_of = compile([](const Tensor& x) { return x * x; });
  const Tensor x = tensor<float>({1, 2, 3});
  const auto loss = [&](const Tensor& y) { return sum(square_of(y)); };
  EXPECT_EQ(grad(loss, x).to_vector<float>(), (Floats{2, 4, 6}));
  const auto step = compile([&](Tensor p, const Scalar& rate) { return p - rate * grad(loss, p); });
  Tensor p = x + 0.0;
  p = step(std::move(p), Scalar(0.5));
  EXPECT_EQ(p.to_vector<float>(), (Floats{0, 0, 0}));
  EXPECT_EQ(step(x, Scalar(0.25)).to_vector<float>(), (Floats{0.5, 1, 1.5}));
}

}  // namespace
}  // namespace trigon

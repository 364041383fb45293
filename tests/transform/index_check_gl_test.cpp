// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include <trigon/trigon.hpp>

#include "support/errors.hpp"
#include "support/kernels.hpp"
#include "support/on_profile.hpp"

// TRIGON_CHECK=1: errors about indices out of range name function, place and value.

namespace trigon {
namespace {

using support::error_of;
using support::profile_name;
using Integers = std::vector<std::int32_t>;
using Floats = std::vector<float>;

class IndexCheck : public ::testing::TestWithParam<Profile> {
 protected:
  static const Device& device() { return support::checking_device(GetParam()); }
  static Tensor floats(const Floats& values, const Shape& shape) {
    return tensor<float>(std::span<const float>(values), shape, device());
  }
  static Tensor integers(const Integers& values, const Shape& shape) {
    return tensor<std::int32_t>(std::span<const std::int32_t>(values), shape, device());
  }
  /// (3, 2): 0 ... 5
  static Tensor rows() { return floats({0, 1, 2, 3, 4, 5}, {3, 2}); }
  static std::string error(const Tensor& y) {
    return error_of([&] { y.eval(); });
  }
};
INSTANTIATE_TEST_SUITE_P(Profiles, IndexCheck, ::testing::Values(Profile::webgl2, Profile::webgl1),
                         profile_name);

const std::string of_three = "; must be in [-3, 3), as axis 0 has 3 elements";

TEST_P(IndexCheck, NamesFunctionPlaceAndValue) {
  const Tensor x = rows();
  EXPECT_EQ(error(take(x, integers({0, 7, 2, -4}, {2, 2}))),
            "trigon::take: index out of range: 7 at (0, 1)" + of_three);
  EXPECT_EQ(error(take(x, integers({2, -3, -4}, {3}))),
            "trigon::take: index out of range: -4 at (2,)" + of_three);
  EXPECT_EQ(error(take(x, integers({0, 2}, {2}), 1)),
            "trigon::take: index out of range: 2 at (1,); must be in [-2, 2), as axis 1 has 2 "
            "elements");
  EXPECT_EQ(error(take(x, integers({3}, {}))),
            "trigon::take: index out of range: 3 at ()" + of_three);
  EXPECT_EQ(error(take_along_axis(x, integers({0, 3}, {1, 2}), 0)),
            "trigon::take_along_axis: index out of range: 3 at (0, 1)" + of_three);
  EXPECT_EQ(error(nn::embedding(integers({1, 2, 3}, {3}), x)),
            "trigon::nn::embedding: index out of range: 3 at (2,)" + of_three);
  EXPECT_EQ(error(scatter_add(x, integers({0, -4}, {2}), 1.0, 0)),
            "trigon::scatter_add: index out of range: -4 at (1,)" + of_three);
  EXPECT_EQ(error(take(x, integers({-3, 2, -1}, {3}))), "no error");
  EXPECT_EQ(error(scatter_add(x, integers({-3, 2, -1}, {3}), 1.0, 0)), "no error");
  EXPECT_EQ(error_of([&] { return take(x, integers({3}, {1})).to_vector<float>(); }),
            "trigon::take: index out of range: 3 at (0,)" + of_three);
}

TEST_P(IndexCheck, OfUnsignedIndices) {
  const std::vector<std::uint32_t> values{1, 70'000};
  const Tensor at = tensor<std::uint32_t>(std::span<const std::uint32_t>(values), {2}, device());
  EXPECT_EQ(error(take(rows(), at)), "trigon::take: index out of range: 70000 at (1,)" + of_three);
  EXPECT_EQ(error(take(rows(), integers({1, 9}, {2}).astype(uint8))),
            "trigon::take: index out of range: 9 at (1,)" + of_three);
}

TEST_P(IndexCheck, PastTheWholeNumbersOfFloats) {
  if (GetParam() == Profile::webgl1) {
    EXPECT_NE(error_of([] { return take(arange(16'777'217), integers({0}, {1})); }), "no error");
    return;
  }
  const Tensor x = arange(16'777'217);
  EXPECT_EQ(take(x, integers({16'777'216}, {1})).to_vector<std::int32_t>(), Integers{16'777'216});
  EXPECT_EQ(error(take(x, integers({16'777'217}, {1}))),
            "trigon::take: index out of range: 16777217 at (0,); must be in [-16777217, 16777217), "
            "as axis 0 has 16777217 elements");
}

TEST_P(IndexCheck, OfLabels) {
  const Tensor logits = floats({1, 2, 3, 4, 5, 6}, {2, 3});
  const std::string rule = "; must be below 3, the number of classes";
  const std::string error_at_1 = "trigon::nn::cross_entropy: label out of range: 7 at (1,)" + rule;
  const Tensor wrong = integers({2, 7}, {2});
  EXPECT_EQ(error(nn::cross_entropy(logits, wrong)), error_at_1);
  const auto loss = [&](const Tensor& x) { return nn::cross_entropy(x, wrong); };
  EXPECT_EQ(error(grad(loss, logits)), error_at_1) << "without the loss";
  EXPECT_EQ(error(nn::cross_entropy(logits[0], integers({3}, {}))),
            "trigon::nn::cross_entropy: label out of range: 3 at ()" + rule);
  EXPECT_EQ(error(nn::cross_entropy(logits, integers({-100, 2}, {2}))), "no error");
}

TEST_P(IndexCheck, OfAGradientAlone) {
  const Tensor at = integers({0, 3}, {2});
  const auto f = [&](const Tensor& x) { return sum(take(x, at)); };
  EXPECT_EQ(error(grad(f, rows())), "trigon::take: index out of range: 3 at (1,)" + of_three);
  const auto added = [&](const Tensor& v) { return sum(scatter_add(rows(), at, v, 0)); };
  EXPECT_EQ(error(grad(added, rows()[Slice{0, 2}])),
            "trigon::scatter_add: index out of range: 3 at (1,)" + of_three);
}

TEST_P(IndexCheck, OfComputedIndices) {
  const Tensor at = integers({0, 1, 2}, {3});
  EXPECT_EQ(error(take(rows(), at * 2 - 1)),
            "trigon::take: index out of range: 3 at (2,)" + of_three);
  // The indices of the outer take are clamped ones, but the inner take is named.
  EXPECT_EQ(error(take(rows(), take(at, integers({5}, {1})))),
            "trigon::take: index out of range: 5 at (0,)" + of_three);
}

TEST_P(IndexCheck, InCompiledFunctions) {
  const auto f = compile([](const Tensor& x, const Tensor& at) { return take(x, at) * 2.0; });
  const Tensor x = rows();
  EXPECT_EQ(f(x, integers({1}, {1})).to_vector<float>(), (Floats{4, 6}));
  EXPECT_EQ(error_of([&] { return f(x, integers({-4}, {1})); }),
            "trigon::take: index out of range: -4 at (0,)" + of_three);
  EXPECT_EQ(f(x, integers({-1}, {1})).to_vector<float>(), (Floats{8, 10}));
  // An argument that is moved in is read before it is overwritten.
  const auto add =
      compile([](Tensor sum, const Tensor& at) { return scatter_add(sum, at, 1.0, 0); });
  Tensor sums = floats({0, 0, 0}, {3});
  for (int k = 0; k < 3; ++k) sums = add(std::move(sums), integers({k}, {1}));
  EXPECT_EQ(sums.to_vector<float>(), (Floats{1, 1, 1}));
  EXPECT_EQ(error_of([&] { return add(sums, integers({3}, {1})); }),
            "trigon::scatter_add: index out of range: 3 at (0,)" + of_three);
}

TEST_P(IndexCheck, InLoops) {
  const Tensor x = floats({1, 2, 3}, {3});
  const auto walk = [&](std::int64_t steps) {
    return fori_loop(
        0, steps, [&](const Tensor& i, const Tensor& s) { return s + take(x, i); },
        floats({0}, {}));
  };
  EXPECT_EQ(walk(3).item(), 6);
  EXPECT_EQ(error(walk(5)),
            "trigon::take: index out of range: 3 at () in a step of fori_loop" + of_three);
  const auto chosen = [&](const Integers& at) {
    return scan([&](const Tensor& s, const Tensor& i) { return std::pair(s, s + take(x, i)); },
                floats({0}, {}), integers(at, {3}))
        .outputs;
  };
  EXPECT_EQ(chosen({2, 0, 1}).to_vector<float>(), (Floats{3, 1, 2}));
  EXPECT_EQ(error(chosen({2, 9, 1})), "trigon::take: index out of range: 9 at (1,)" + of_three);
  const auto last = [&](const Tensor& from) {
    return while_loop([](const Tensor& s) { return s < 100; },
                      [&](const Tensor& s) { return s * 2 + take(x, s).astype(int32) * 0; }, from);
  };
  EXPECT_EQ(error(last(integers({64}, {}))),
            "trigon::take: index out of range: 64 at () in a step of while_loop" + of_three);
}

TEST_P(IndexCheck, OfCarriesThatBeginAsOneTensor) {
  using Pair = std::pair<Tensor, Tensor>;
  const Tensor x = floats({1, 2, 3}, {3}), zero = integers({0}, {});
  const auto after = [&](std::int64_t steps) {
    return fori_loop(
               0, steps,
               [&](const Tensor&, const Pair& s) {
                 const Tensor read = take(x, s.first) + take(x, s.second);
                 return Pair(s.first + 1, s.second + 2 + read.astype(int32) * 0);
               },
               Pair(zero, zero))
        .second;
  };
  EXPECT_EQ(after(2).item<std::int32_t>(), 4);
  EXPECT_EQ(error(after(3)),
            "trigon::take: index out of range: 4 at () in a step of fori_loop" + of_three);
}

TEST_P(IndexCheck, InLoopsWithinLoops) {
  const Tensor x = floats({1, 2, 3}, {3});
  const auto table = [&](std::int64_t steps) {
    return fori_loop(
        0, steps,
        [&](const Tensor& i, const Tensor& s) {
          return fori_loop(
              0, 2, [&](const Tensor& j, const Tensor& t) { return t + take(x, i + j); }, s);
        },
        floats({0}, {}));
  };
  EXPECT_EQ(table(2).item(), 1 + 2 + 2 + 3);
  EXPECT_EQ(error(table(3)),
            "trigon::take: index out of range: 3 at () in a step of fori_loop" + of_three);
}

TEST(IndexCheckOff, ClampsAndDraws) {
  const Tensor x = tensor<float>({1, 2, 3}).eval();
  const Tensor at = tensor<std::int32_t>({7, -9}).eval();
  const Counters before = counters();
  const Tensor y = take(x, at).eval();
  EXPECT_EQ((counters() - before).draws, 1);
  EXPECT_EQ(y.to_vector<float>(), (Floats{3, 1}));
}

}  // namespace
}  // namespace trigon

// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <trigon/trigon.hpp>

#include "support/graph_values.hpp"
#include "support/loop_cases.hpp"

// Gradients of loops, by the reference on the CPU, against those of their unrolled form.

namespace trigon {
namespace {

using Doubles = std::vector<double>;
using Tensors = std::vector<Tensor>;
using Two = std::pair<Tensor, Tensor>;

/// The floats that a case captures, each with the next of `moved` added if there are any.
struct Moved {
  const Tensors& moved;
  Tensors zeros_like_them{};

  support::LoopForm form(bool is_unrolled) {
    return {is_unrolled, [this](const Tensor& x) {
              if (!is_float(x.dtype())) return x;
              const std::size_t k = zeros_like_them.size();
              zeros_like_them.push_back(zeros(x.shape()));
              return k < moved.size() ? (x + moved[k]).astype(x.dtype()) : x;
            }};
  }
};

Tensor weighted(const Tensors& results) {
  Tensor total(0.0);
  for (const Tensor& one : results) {
    if (is_float(one.dtype())) total = total + sum(one * noise(one.shape(), 0.6));
  }
  return total;
}

/// The gradients towards all floats that a case captures.
std::vector<Doubles> gradients(const support::LoopCase& one, bool is_unrolled) {
  const Tensors none;
  Moved first{none};
  (void)one.run(first.form(is_unrolled));
  std::vector<Doubles> all;
  if (first.zeros_like_them.empty()) return all;
  const auto f = [&](const Tensors& moved) {
    Moved at{moved};
    return weighted(one.run(at.form(is_unrolled)));
  };
  for (const Tensor& g : grad(f, first.zeros_like_them)) all.push_back(values(g));
  return all;
}

void expect_near(const std::vector<Doubles>& found, const std::vector<Doubles>& wanted) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    ASSERT_EQ(found[k].size(), wanted[k].size());
    for (std::size_t i = 0; i < found[k].size(); ++i) {
      EXPECT_NEAR(found[k][i], wanted[k][i], 1e-9 * (1 + std::abs(wanted[k][i])))
          << "tensor " << k << ", element " << i;
    }
  }
}

class LoopGradients : public testing::TestWithParam<support::LoopCase> {};

TEST_P(LoopGradients, AreThoseOfTheUnrolledForm) {
  std::vector<Doubles> found;
  const std::string refused = error_of([&] { found = gradients(GetParam(), false); });
  if (refused.find("nothing bounds the iterations") != std::string::npos) return;
  EXPECT_EQ(refused, "no error");
  expect_near(found, gradients(GetParam(), true));
}

INSTANTIATE_TEST_SUITE_P(All, LoopGradients, testing::ValuesIn(support::loop_cases()),
                         [](const auto& one) { return std::string(one.param.name); });

Tensor power(const Tensor& x, int n) {
  return fori_loop(
      0, n, [&](const Tensor&, const Tensor& y) { return y * x; }, ones(x.shape()));
}

TEST(LoopGrad, OfACapturedTensorIsAddedUp) {
  const Tensor x({2.0, 3.0});
  EXPECT_EQ(values(grad([](const Tensor& v) { return sum(power(v, 5)); }, x)), (Doubles{80, 405}));
}

TEST(LoopGrad, IsADerivativeAgain) {
  const auto first = [](const Tensor& v) {
    return sum(grad([](const Tensor& u) { return sum(power(u, 4)); }, v));
  };
  EXPECT_EQ(values(grad(first, Tensor({2.0}))), (Doubles{48}));
  const auto along = [](const Tensor& v) {
    return grad([](const Tensor& u) { return sum(power(u, 4)); }, v);
  };
  EXPECT_EQ(values(jvp(along, Tensor({2.0}), ones({1})).tangent), (Doubles{48}));
  const auto backwards = [](const Tensor& v) {
    return sum(jvp([](const Tensor& u) { return power(u, 4); }, v, ones({1})).tangent);
  };
  EXPECT_EQ(values(grad(backwards, Tensor({2.0}))), (Doubles{48}));
}

// A carry that the result does not need, integers, and a value that no gradient reaches.
TEST(LoopGrad, PassesOverWhatHasNone) {
  const auto f = [](const Tensor& x) {
    const auto [y, count] = fori_loop(
        0, 3, [](const Tensor& i, const Two& s) { return Two(s.first * 2.0, s.second + i); },
        Two(x, zeros({}, int32)));
    return sum(y) + count.astype(float32);
  };
  EXPECT_EQ(values(grad(f, Tensor({1.0, 5.0}))), (Doubles{8, 8}));
  const auto chosen = [](const Tensor& x) {
    const Tensor last = while_loop([](const Tensor& s) { return sum(s) < 10.0; },
                                   [](const Tensor& s) { return s * 2.0; }, x);
    return sum(where(last > 3.0, x, 0.0));
  };
  EXPECT_EQ(values(grad(chosen, Tensor({1.0, 0.1}))), (Doubles{1, 0}));
}

// Where a body is not finite, or has no derivative, it does not matter if no gradient passes there.
TEST(LoopGrad, DoesNotDependOnSidesThatAreNotTaken) {
  const auto ends = [](const Tensor& x) {
    return while_loop([](const Tensor& s) { return s > 1.0; },
                      [](const Tensor& s) { return sqrt(s - 1.0); }, x, 4);
  };
  EXPECT_NEAR(values(grad(ends, Tensor(3.0)))[0],
              0.25 / std::sqrt(2.0) / std::sqrt(std::sqrt(2.0) - 1.0), 1e-9);
  const auto second = [](const Tensor& x) {
    return fori_loop(
               0, 2,
               [](const Tensor&, const Two& s) {
                 return Two(sqrt(floor(s.first)), s.second * 2.0);
               },
               Two(x, x))
        .second;
  };
  EXPECT_EQ(values(grad(second, Tensor(0.0))), (Doubles{4}));
  const auto by_integers = [](const Tensor& x) {
    const Tensor n = argmax(x);
    const auto last = while_loop([&](const Two& s) { return s.first < n; },
                                 [](const Two& s) { return Two(s.first + 1, s.second * 2.0); },
                                 Two(zeros({}, int32), Tensor(1.0)));
    return sum(x * last.second);
  };
  EXPECT_EQ(values(grad(by_integers, Tensor({1.0, 5.0}))), (Doubles{2, 2}));
}

TEST(LoopGrad, OfAWhileLoopNeedsABound) {
  const auto doubled = [](std::int64_t most) {
    return [most](const Tensor& x) {
      return sum(while_loop([](const Tensor& s) { return s < 10.0; },
                            [](const Tensor& s) { return s * 2.0; }, x, most));
    };
  };
  EXPECT_EQ(values(grad(doubled(8), Tensor({1.0, 4.0, 20.0}))), (Doubles{16, 4, 1}));
  const auto whole = [](const Tensor& x) {
    return sum(while_loop([](const Tensor& s) { return sum(s) < 10.0; },
                          [](const Tensor& s) { return s * s; }, x, 8));
  };
  EXPECT_EQ(values(grad(whole, Tensor({2.0, 1.0}))), (Doubles{32, 4}));
  EXPECT_EQ(
      error_of(
          [&] { (void)grad(doubled(std::numeric_limits<std::int64_t>::max()), Tensor({1.0})); }),
      "trigon::grad: no gradient: nothing bounds the iterations of while_loop before it runs; "
      "pass max_iterations, or write fori_loop or scan\n  hint: or wrap the function that "
      "calls the loop in custom_vjp(f, rule)");
}

// Kept states do not change gradients, also where iterations are left over.
TEST(LoopGrad, DoesNotDependOnCheckpoints) {
  const Tensor xs = noise({7, 3}, 0.1), w({0.5, 0.25, 2.0});
  const auto loss = [&](std::int64_t checkpoint) {
    return [=](const Tensor& init, const Tensor& factor, const Tensor& v) {
      const auto [last, all] = scan(
          [&](const Tensor& s, const Tensor& x) {
            const Tensor next = sin(s * factor) + x * s;
            return std::pair(next, next * x);
          },
          init, v, {.checkpoint = checkpoint});
      const Tensor steps = fori_loop(
          2, 9,
          [&](const Tensor& i, const Tensor& s) { return s * factor + i.astype(float32) * s; },
          last, {.checkpoint = checkpoint});
      return sum(all * noise(all.shape(), 0.9)) + sum(last) + 1e-6 * sum(steps);
    };
  };
  const auto gradients_of = [&](std::int64_t checkpoint) {
    std::vector<Doubles> all;
    for (const Tensor& g : tree_leaves(grad(loss(checkpoint), ones({3}), w, xs))) {
      all.push_back(values(g));
    }
    return all;
  };
  const std::vector<Doubles> wanted = gradients_of(1);
  for (const std::int64_t checkpoint : {0, 2, 3, 7, 100}) {
    SCOPED_TRACE(checkpoint);
    expect_near(gradients_of(checkpoint), wanted);
  }
  EXPECT_EQ(error_of([&] { (void)loss(-1)(ones({3}), w, xs); }),
            "trigon::scan: negative number of iterations: checkpoint is -1; must be at least 0");
}

// Of many iterations, not all states are kept: the inner loops compute them again.
TEST(LoopGrad, OfManyIterations) {
  const auto f = [](const Tensor& x) {
    const auto [last, all] = scan(
        [&](const Tensor& s, const Tensor& i) {
          const Tensor next = s * x;
          return std::pair(next, next * i);
        },
        ones_like(x), ones({2050}));
    return sum(last) + sum(all(-1));
  };
  const double at = 1.0005, power = std::pow(at, 2049);
  EXPECT_NEAR(values(grad(f, tensor<float>({static_cast<float>(at)})))[0], 2 * 2050 * power, 5.0);
}

TEST(LoopGrad, OfAScanGoesToEachSliceAndFromEachOutput) {
  const auto f = [](const Tensor& x) {
    const auto [last, all] = scan(
        [](const Tensor& s, const Tensor& v) {
          const Tensor next = s * v;
          return std::pair(next, next * next);
        },
        Tensor(1.0), x);
    return sum(all) + last;
  };
  // x0^2 + (x0 x1)^2 + x0 x1 at (2, 3)
  EXPECT_EQ(values(grad(f, Tensor({2.0, 3.0}))), (Doubles{4 + 36 + 3, 24 + 2}));
}

}  // namespace
}  // namespace trigon

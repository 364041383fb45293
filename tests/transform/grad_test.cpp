// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <trigon/create.hpp>
#include <trigon/extend.hpp>
#include <trigon/grad.hpp>
#include <trigon/index.hpp>
#include <trigon/join.hpp>
#include <trigon/linalg.hpp>
#include <trigon/math.hpp>
#include <trigon/nn.hpp>
#include <trigon/reduce.hpp>
#include <trigon/shape.hpp>

#include "core/internals.hpp"
#include "graph/node.hpp"
#include "support/graph_values.hpp"

namespace trigon {
namespace {

using Function = std::function<Tensor(const Tensor&)>;

double number(const Tensor& x) { return values(x).at(0); }

// sum(f(x) * weights): a scalar in which every element of f has a different weight.
Function weighed(const Function& f) {
  return [f](const Tensor& x) {
    const Tensor y = f(x);
    return sum(y * noise(y.shape(), 0.4));
  };
}

// The gradient of weighed f at x against central differences.
void expect_gradient(const Function& f, const Tensor& x, double tolerance = 1e-4) {
  const Function g = weighed(f);
  const std::vector<double> dx = values(grad(g, x));
  constexpr double step = 1.0 / 1024;
  for (std::int64_t i = 0; i < x.size(); ++i) {
    const Tensor e = reshape((iota(x.size()) == i).astype(float32) * step, x.shape());
    const double slope = (number(g(x + e)) - number(g(x - e))) / (2 * step);
    EXPECT_NEAR(dx[static_cast<std::size_t>(i)], slope, tolerance) << "element " << i;
  }
}

TEST(Grad, OfElementwiseOps) {
  expect_gradient([](const Tensor& x) { return exp(x) * sin(x) + x / (x * x + 1.0); },
                  noise({2, 3}, 1));
}

TEST(Grad, SumsOverWhatWasBroadcast) {
  expect_gradient([](const Tensor& x) { return x * noise({4, 2, 3}, 2); }, noise({1, 3}, 1));
  expect_gradient([](const Tensor& x) { return x * noise({2, 3}, 2); }, noise({}, 1));
}

TEST(Grad, AddsUpSeveralUses) {
  expect_gradient([](const Tensor& x) { return x * x.T() + x; }, noise({3, 3}, 1));
}

TEST(Grad, OfViews) {
  const Tensor x = noise({2, 3, 4}, 1);
  expect_gradient([](const Tensor& v) { return transpose(v, {2, 0, 1}).reshape(8, 3); }, x);
  expect_gradient([](const Tensor& v) { return flip(v, 1).at(1, ellipsis, newaxis).get(); }, x);
  expect_gradient([](const Tensor& v) { return v.at(ellipsis, Slice{.step = -2}).get(); }, x);
  expect_gradient([](const Tensor& v) { return v.at(0, Slice{1, 3}, Slice{0, 4, 3}).get(); }, x);
  expect_gradient([](const Tensor& v) { return v.at(0, Window{Scalar(1), 2}).get(); }, x);
  expect_gradient(
      [](const Tensor& v) {
        return pad(v, std::vector<PadWidth>{{1, 0}, {0, 2}, {1, 1}}, 3.0);
      },
      x);
  expect_gradient(
      [](const Tensor& v) {
        return concatenate({v, v * 2.0, v.at(0).get()[newaxis]});
      },
      x);
}

TEST(Grad, OfWrites) {
  const Tensor x = noise({3, 4}, 1);
  const auto into = [](const Tensor& v) { return v.at(Scalar(1), Slice{0, 4, 2}).set(5.0); };
  expect_gradient(into, x);
  const auto from = [](const Tensor& v) {
    return noise({5, 4}, 3).at(Slice{4, 1, -1}).set(v) * 2.0;
  };
  expect_gradient(from, x);
}

TEST(Grad, OfReductions) {
  const Tensor x = noise({3, 4}, 1);
  expect_gradient([](const Tensor& v) { return sum(v, 0); }, x);
  expect_gradient([](const Tensor& v) { return max(v, 1, true) * v; }, x);
  expect_gradient([](const Tensor& v) { return prod(v, -1); }, x);
  expect_gradient([](const Tensor& v) { return stddev(v, 0); }, x);
  expect_gradient([](const Tensor& v) { return logsumexp(v, 1); }, x);
  expect_gradient([](const Tensor& v) { return mean(v, {0, 1}); }, x);
}

TEST(Grad, OfProducts) {
  expect_gradient([](const Tensor& x) { return matmul(x, noise({3, 4}, 2)); }, noise({2, 3}, 1));
  expect_gradient([](const Tensor& x) { return matmul(noise({3, 2}, 2), x); }, noise({2, 3}, 1));
  expect_gradient([](const Tensor& x) { return matmul(x, x); }, noise({3, 3}, 1));
  expect_gradient([](const Tensor& x) { return matmul(noise({3}, 2), x); }, noise({3, 2}, 1));
  expect_gradient([](const Tensor& x) { return matmul(x, noise({2, 3}, 2)); }, noise({4, 1, 2}, 1));
}

TEST(Grad, OfWeightsThatABatchSharesIsOneProduct) {
  const Tensor x = noise({2, 2, 3, 4}, 2);
  const auto f = [&](const Tensor& w) { return matmul(x, w); };
  expect_gradient(f, noise({4, 2}, 1));
  expect_gradient([&](const Tensor& w) { return nn::linear(x, w); }, noise({2, 4}, 1));
  const Tensor w = noise({4, 2}, 1);
  const Tensor dw = vjp(f, w).pullback(ones({2, 2, 3, 2}));
  EXPECT_EQ(detail::Internals::node(dw)->kind, graph::Kind::contract);
}

TEST(Grad, OfProductsThatStopAtTheirLengths) {
  const MatmulOptions options{.inner = Scalar(3), .columns = Scalar(2)};
  expect_gradient(
      [&](const Tensor& x) {
        return matmul(x, noise({4, 5}, 2), options);
      },
      noise({2, 4}, 1));
  expect_gradient(
      [&](const Tensor& x) {
        return matmul(noise({2, 4}, 2), x, options);
      },
      noise({4, 5}, 1));
}

TEST(Grad, OfGathers) {
  const Tensor i = arange(6).reshape(2, 3) % 4 - 1;
  expect_gradient([&](const Tensor& x) { return take(x, i, 1); }, noise({2, 4, 3}, 1));
  expect_gradient([&](const Tensor& x) { return take_along_axis(x, i, 1); }, noise({2, 5}, 1));
}

std::array<bool, 2> asked;  // for the gradients of the results of `two_sums`

// The sum of the elements, and that of their squares.
const Op& two_sums() {
  static const Op op([] {
    ReduceSpec spec = find_op("sum")->reduce();
    spec.name = "two_sums";
    spec.accumulators = 2;
    spec.outputs = 2;
    spec.identity = "a0 = T(0); a1 = T(0);";
    spec.lift = "a0 = x; a1 = x * x;";
    spec.combine = "a0 += b0; a1 += b1;";
    spec.finish = "y0 = a0; y1 = a1;";
    spec.result = Result::floating;
    spec.ref = [](std::span<const double> x, double* y) {
      y[0] = y[1] = 0;
      for (const double v : x) y[0] += v, y[1] += v * v;
    };
    spec.vjp = [](std::span<const Tensor> g, const Tensor& x, std::span<const Tensor>) {
      asked = {g[0].has_value(), g[1].has_value()};
      const Tensor of_sum = g[0].has_value() ? broadcast_to(g[0], x.shape()) : Tensor();
      if (!g[1].has_value()) return of_sum;
      const Tensor of_squares = g[1] * 2.0 * x;
      return of_sum.has_value() ? of_sum + of_squares : of_squares;
    };
    return spec;
  }());
  return op;
}

std::vector<Tensor> sums_of(const Tensor& x, const Axes& axes, bool keepdims = false) {
  return detail::reduce(two_sums(), x, axes, keepdims);
}

TEST(Grad, OfAReductionOfSeveralResults) {
  const Tensor x = noise({2, 3, 2}, 1);
  expect_gradient([](const Tensor& v) { return sums_of(v, 1)[0]; }, x);
  expect_gradient([](const Tensor& v) { return sums_of(v, {0, 2})[1]; }, x);
  expect_gradient(
      [](const Tensor& v) {
        const std::vector<Tensor> y = sums_of(v, 1, true);
        return v * exp(y[0]) + y[1] * y[0];
      },
      x);
  expect_gradient([](const Tensor& v) { return var(v, 1) * logsumexp(v, 1); }, x);
}

TEST(Grad, OfAReductionOfSeveralResultsAndEightAxes) {
  const Shape shape{1, 2, 1, 2, 1, 1, 2, 1};
  expect_gradient(
      [](const Tensor& v) {
        const std::vector<Tensor> y = sums_of(v, {1, 6}, true);
        return y[0] * y[1] + v;
      },
      noise(shape, 1));
  expect_gradient([](const Tensor& v) { return nn::layer_norm(swapaxes(v, 3, 7)); },
                  noise({1, 2, 1, 3, 1, 1, 1, 1}, 1), 2e-3);
}

TEST(Grad, OfAReductionIsAskedForTheResultsThatAreRead) {
  const auto asked_by = [](const Function& f) {
    static_cast<void>(grad(f, ones({2, 3})));
    return asked;
  };
  EXPECT_EQ(asked_by([](const Tensor& x) { return sum(sums_of(x, 1)[0]); }),
            (std::array{true, false}));
  EXPECT_EQ(asked_by([](const Tensor& x) { return sum(sums_of(x, 1)[1]); }),
            (std::array{false, true}));
  EXPECT_EQ(asked_by([](const Tensor& x) {
              const std::vector<Tensor> y = sums_of(x, 1);
              return sum(y[0] * stop_gradient(y[1]));
            }),
            (std::array{true, false}));
  EXPECT_EQ(asked_by([](const Tensor& x) {
              const std::vector<Tensor> y = sums_of(x, 1);
              return sum(y[0] * y[1]);
            }),
            (std::array{true, true}));
}

TEST(Grad, OfNetworks) {
  const Tensor x = noise({3, 5}, 1);
  expect_gradient([](const Tensor& v) { return nn::softmax(v); }, x);
  expect_gradient([](const Tensor& v) { return nn::softmax(v, 1, Scalar(3)); }, x);
  expect_gradient([](const Tensor& v) { return nn::log_softmax(v, 0); }, x);
  expect_gradient([](const Tensor& v) { return nn::layer_norm(v, noise({5}, 2), noise({5}, 3)); },
                  x, 2e-3);
  expect_gradient([](const Tensor& v) { return nn::rms_norm(v, noise({5}, 2)); }, x);
  expect_gradient([](const Tensor& v) { return nn::gelu(v) + nn::gelu(v, nn::Gelu::tanh); }, x);
  expect_gradient([](const Tensor& v) { return nn::silu(v); }, x);
  expect_gradient(
      [](const Tensor& v) {
        return nn::scaled_dot_product_attention(v, v * 2.0, v + 1.0, {.is_causal = true});
      },
      x);
}

TEST(Grad, OfHigherOrder) {
  const Function slope = [](const Tensor& x) {
    return grad([](const Tensor& v) { return sum(exp(sin(v)) * v); }, x);
  };
  expect_gradient(slope, noise({3}, 1));
  const Function curvature = [&](const Tensor& x) {
    return grad([&](const Tensor& v) { return sum(slope(v)); }, x);
  };
  expect_gradient(curvature, noise({3}, 1));
}

TEST(Grad, OfWhatAnOuterFunctionMade) {
  // d/dx of x * d/dv (v * x) at v = x is d/dx of x * x.
  const Function f = [](const Tensor& x) {
    return sum(x * grad([&](const Tensor& v) { return sum(v * x); }, x));
  };
  EXPECT_EQ(values(grad(f, full({2}, 3.0))), (std::vector<double>{6, 6}));
}

TEST(Grad, IsZeroWhereNothingFlows) {
  const Tensor x = noise({2}, 1);
  EXPECT_EQ(values(grad([](const Tensor&) { return Tensor(1.0); }, x)),
            (std::vector<double>{0, 0}));
  EXPECT_EQ(values(grad([](const Tensor& v) { return sum(stop_gradient(v)); }, x)),
            (std::vector<double>{0, 0}));
  EXPECT_EQ(values(grad([](const Tensor& v) { return sum((v > 0.0).astype(float32)); }, x)),
            (std::vector<double>{0, 0}));
  EXPECT_EQ(values(grad([](const Tensor& v) { return sum(v); }, x)), (std::vector<double>{1, 1}));
}

TEST(Grad, OfTheInputItselfIsOne) {
  EXPECT_EQ(values(grad([](const Tensor& x) { return x; }, ones({}))), std::vector<double>{1});
}

TEST(Grad, OfADeepGraph) {
  const Function f = [](const Tensor& x) {
    Tensor y = x;
    for (int k = 0; k < 20000; ++k) y = y + x;
    return sum(y);
  };
  const Tensor dx = grad(f, ones({1}));
  EXPECT_EQ(dx.shape(), Shape{1});
}

TEST(Vjp, HoldsAfterItsGraphWasLetGo) {
  const Tensor x = noise({3}, 1);
  const Vjp at = vjp([](Tensor v) { return exp(v) * 2.0; }, x);
  const std::vector<double> before = values(at.value);
  graph::take_inputs(*detail::Internals::node(at.value));
  EXPECT_EQ(values(at.pullback(ones({3}))), before);
}

TEST(Vjp, RejectsWhatWasEvaluatedInsideF) {
  const Tensor x = noise({3}, 1);
  const auto f = [](const Tensor& v) {
    const Tensor y = exp(v);
    graph::take_inputs(*detail::Internals::node(y));  // as an evaluation does
    return sum(y);
  };
  EXPECT_EQ(error_of([&] { return grad(f, x); }),
            "trigon::grad: a value was evaluated inside f: how it was made is gone; evaluate it "
            "outside, or pass it through stop_gradient");
}

TEST(Vjp, RejectsOpsWithoutAGradient) {
  const Scalar length(1);
  const auto f = [&](const Tensor& x) {
    return detail::reduce(*find_op("max"), x, 0, false, &length)[0];
  };
  EXPECT_EQ(
      error_of([&] { return grad(f, ones({2})); }),
      "trigon::grad: no gradient: max with a length is not differentiable; pass what it is made "
      "of through stop_gradient");
  ReduceSpec spec = find_op("sum")->reduce();
  spec.name = "sum_without_a_gradient";
  spec.vjp = nullptr;
  const Op plain(spec);
  const auto plain_sum = [&](const Tensor& x) {
    return detail::reduce(plain, x, 0, false, nullptr)[0];
  };
  EXPECT_EQ(
      error_of([&] { return grad(plain_sum, ones({2})); }),
      "trigon::grad: no gradient: sum_without_a_gradient is not differentiable; pass what it is "
      "made of through stop_gradient");
}

TEST(Vjp, RejectsAGradientOfAnotherShape) {
  const Tensor x = ones({2});
  const Vjp at = vjp([](Tensor v) { return v * 2.0; }, x);
  EXPECT_EQ(error_of([&] { return at.pullback(ones({3})); }),
            "trigon::vjp: shapes differ: dy is (3,), the value is (2,); must be equal");
}

}  // namespace
}  // namespace trigon

// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "entries/entries.hpp"
#include "trigon/create.hpp"
#include "trigon/index.hpp"
#include "trigon/logic.hpp"
#include "trigon/math.hpp"
#include "trigon/reduce.hpp"
#include "trigon/shape.hpp"

// Reductions.

namespace trigon {
namespace detail::entries {
namespace {

using Outputs = std::span<const Tensor>;

// The axes that y, of the same rank, keeps as 1.
Axes reduced_axes(const Tensor& x, const Tensor& y) {
  std::vector<int> axes;
  for (int k = 0; k < x.ndim(); ++k) {
    if (y.shape()[k] == 1 && x.shape()[k] != 1) axes.push_back(k);
  }
  return axes;
}

// Number of elements that are reduced into one result.
double reduced_count(const Tensor& x, const Tensor& y) {
  double count = 1;
  for (int k = 0; k < x.ndim(); ++k) {
    if (y.shape()[k] == 1) count *= static_cast<double>(x.shape()[k]);
  }
  return count;
}

// PyTorch's amax: equal extrema share the gradient.
Tensor extremum_vjp(Outputs g, const Tensor& x, Outputs y) {
  const Tensor chosen = equal(x, y[0]);
  const Tensor count = detail::reduce(named<"sum">(), chosen, reduced_axes(x, y[0]), true)[0];
  return where(chosen, g[0] / count, 0.0);
}

// Where one factor is 0, only its own gradient is not.
Tensor prod_vjp(Outputs g, const Tensor& x, Outputs y) {
  const Axes axes = reduced_axes(x, y[0]);
  const Tensor zero = equal(x, 0);
  const Tensor others = where(zero, 1, x);
  const Tensor product = detail::reduce(named<"prod">(), others, axes, true)[0];
  const Tensor zeros = detail::reduce(named<"sum">(), zero, axes, true)[0];
  const Tensor quotient = product / others;
  const Tensor beside = where(equal(zeros, 0), quotient, 0.0);
  const Tensor factor = where(zero, where(equal(zeros, 1), product, 0.0), beside);
  return g[0] * factor;
}

Tensor moments_vjp(Outputs g, const Tensor& x, Outputs y) {
  const Tensor of_mean = g[1].has_value() ? g[1] * (1.0 / reduced_count(x, y[0])) : Tensor();
  if (!g[2].has_value()) return of_mean;
  const Tensor shifted = x - y[0];
  const Tensor centred = shifted - y[1];
  const Tensor of_squares = (g[2] * 2.0) * centred;
  return of_mean.has_value() ? of_mean + of_squares : of_squares;
}

Tensor max_sumexp_vjp(Outputs g, const Tensor& x, Outputs y) {
  if (!g[1].has_value()) return {};
  const Tensor term = exp(x - y[0]);
  return g[1] * term;
}

double extremum(std::span<const double> x, bool largest) {
  double y =
      largest ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  for (const double v : x) {
    if (std::isnan(y)) break;
    if (std::isnan(v) || (largest ? v > y : v < y)) y = v;
  }
  return y;
}

double position(std::span<const double> x, bool largest) {
  const double y = extremum(x, largest);
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] == y || (std::isnan(x[i]) && std::isnan(y))) return static_cast<double>(i);
  }
  return -1;
}

void moments(std::span<const double> x, double* y) {
  const auto n = static_cast<double>(x.size());
  y[0] = x.empty() ? 0 : x[0];
  y[1] = y[2] = 0;
  for (const double v : x) y[1] += (v - y[0]) / n;
  if (!std::isfinite(y[1])) y[1] = std::nan("");
  for (const double v : x) y[2] += ((v - y[0]) - y[1]) * ((v - y[0]) - y[1]);
}

void max_sumexp(std::span<const double> x, double* y) {
  y[0] = extremum(x, true);
  y[1] = 0;
  for (const double v : x) y[1] += v == y[0] ? 1.0 : std::exp(v - y[0]);
  if (y[0] == std::numeric_limits<double>::infinity()) y[1] = std::nan("");
}

constexpr ReduceSpec reduce[] = {
    {
        .name = "sum",
        .accumulators = 1,
        .outputs = 1,
        .identity = "a0 = T(0);",
        .lift = "a0 = x;",
        .combine = "a0 += b0;",
        .finish = "y0 = a0;",
        .result = Result::same,
        .ref =
            [](std::span<const double> x, double* y) {
              *y = 0;
              for (const double v : x) *y += v;
            },
        .vjp = [](Outputs g, const Tensor& x, Outputs) { return broadcast_to(g[0], x.shape()); },
        .vjp_with_length = true,
        .domain = Range{-10, 10},
        .tolerance = Tolerance(Ulp{8}, Abs{1e-4}),
    },
    {
        .name = "prod",
        .accumulators = 1,
        .outputs = 1,
        .identity = "a0 = T(1);",
        .lift = "a0 = x;",
        .combine = "a0 *= b0;",
        .finish = "y0 = a0;",
        .result = Result::same,
        .ref =
            [](std::span<const double> x, double* y) {
              *y = 1;
              for (const double v : x) *y *= v;
            },
        .ref_bits =
            [](std::span<const std::uint32_t> x) {
              std::uint32_t product = 1;
              for (const std::uint32_t factor : x) product *= factor;
              return product;
            },
        .vjp = prod_vjp,
        .domain = Range{0.5, 1.5},
        .tolerance = Ulp{32},
    },
    {
        .name = "max",
        .accumulators = 1,
        .outputs = 1,
        .identity = "a0 = T(LOWEST_);",
        .lift = "a0 = x;",
        .combine = "a0 = maximum_(a0, b0);",
        .finish = "y0 = a0;",
        .result = Result::same,
        .needs_element = true,
        .ref = [](std::span<const double> x, double* y) { *y = extremum(x, true); },
        .vjp = extremum_vjp,
        .domain = Range{-100, 100},
        .tolerance = Ulp{0},
    },
    {
        .name = "min",
        .accumulators = 1,
        .outputs = 1,
        .identity = "a0 = T(HIGHEST_);",
        .lift = "a0 = x;",
        .combine = "a0 = minimum_(a0, b0);",
        .finish = "y0 = a0;",
        .result = Result::same,
        .needs_element = true,
        .ref = [](std::span<const double> x, double* y) { *y = extremum(x, false); },
        .vjp = extremum_vjp,
        .domain = Range{-100, 100},
        .tolerance = Ulp{0},
    },
    // A position of -1 marks the identity: no value could, as all of x may be -inf.
    {
        .name = "argmax",
        .accumulators = 2,
        .outputs = 1,
        .identity = "a0 = T(LOWEST_); a1 = T(-1);",
        .lift = "a0 = x; a1 = i;",
        .combine = "{ vec4 t = argmax_takes_(a0, a1, b0, b1); "
                   "a0 = select_(t, b0, a0); a1 = select_(t, b1, a1); }",
        .finish = "y0 = a1;",
        .result = Result::same,
        .gives_index = true,
        .needs_element = true,
        .ref = [](std::span<const double> x, double* y) { *y = position(x, true); },
        .vjp = nullptr,
        .domain = Range{-100, 100},
        .tolerance = Ulp{0},
    },
    {
        .name = "argmin",
        .accumulators = 2,
        .outputs = 1,
        .identity = "a0 = T(HIGHEST_); a1 = T(-1);",
        .lift = "a0 = x; a1 = i;",
        .combine = "{ vec4 t = argmin_takes_(a0, a1, b0, b1); "
                   "a0 = select_(t, b0, a0); a1 = select_(t, b1, a1); }",
        .finish = "y0 = a1;",
        .result = Result::same,
        .gives_index = true,
        .needs_element = true,
        .ref = [](std::span<const double> x, double* y) { *y = position(x, false); },
        .vjp = nullptr,
        .domain = Range{-100, 100},
        .tolerance = Ulp{0},
    },
    // a0 elements with the mean a1 + a2. Means far from zero keep their digits: a1 is an element,
    // a2 the rest.
    {
        .name = "moments",
        .accumulators = 4,
        .outputs = 3,
        .identity = "a0 = T(0); a1 = T(0); a2 = T(0); a3 = T(0);",
        .lift = "a0 = T(1); a1 = x; a2 = T(0); a3 = T(0);",
        .combine = "{ vec4 d = (b1 - a1) + (b2 - a2); vec4 f = b0 / max(a0 + b0, vec4(1.0)); "
                   "a3 = select_(b0, select_(a0, a3 + b3 + d * d * (a0 * f), b3), a3); "
                   "a2 = select_(b0, select_(a0, a2 + d * f, b2), a2); "
                   "a1 = select_(a0, a1, b1); a0 += b0; }",
        .finish = "y0 = a1; y1 = select_(isfinite_(a2), a2, vec4(NAN_)); "
                  "y2 = select_(isfinite_(a2), a3, vec4(NAN_));",
        .result = Result::floating,
        .first_is_shift = true,
        .ref = moments,
        .vjp = moments_vjp,
        .domain = Range{-10, 10},
        .tolerance = Tolerance(Ulp{64}, Abs{1e-5}),
    },
    {
        .name = "max_sumexp",
        .accumulators = 2,
        .outputs = 2,
        .identity = "a0 = T(LOWEST_); a1 = T(0);",
        .lift = "a0 = x; a1 = T(1);",
        .combine = "{ vec4 m = maximum_(a0, b0); bvec4 first = equal(a0, m); "
                   "vec4 e = exp_below_(select_(first, b0, a0), m); "
                   "a1 = select_(first, a1 + b1 * e, a1 * e + b1); a0 = m; }",
        .finish = "y0 = a0; y1 = select_(equal(a0, vec4(INF_)), vec4(NAN_), a1);",
        .result = Result::floating,
        .first_is_shift = true,
        .ref = max_sumexp,
        .vjp = max_sumexp_vjp,
        .vjp_with_length = true,
        .domain = Range{-10, 10},
        .tolerance = Ulp{64},
    },
};

}  // namespace

Chapter reductions() { return {.reduce = reduce}; }

}  // namespace detail::entries

using detail::entries::named;

Tensor sum(const Tensor& x, const Axes& axes, bool keepdims) {
  return detail::reduce(named<"sum">(), x, axes, keepdims)[0];
}

Tensor prod(const Tensor& x, const Axes& axes, bool keepdims) {
  return detail::reduce(named<"prod">(), x, axes, keepdims)[0];
}

Tensor max(const Tensor& x, const Axes& axes, bool keepdims) {
  const Tensor y = detail::reduce(named<"max">(), x, axes, keepdims)[0];
  return y.astype(info(x.dtype()).computed);
}

Tensor min(const Tensor& x, const Axes& axes, bool keepdims) {
  const Tensor y = detail::reduce(named<"min">(), x, axes, keepdims)[0];
  return y.astype(info(x.dtype()).computed);
}

Tensor argmax(const Tensor& x, std::optional<int> axis, bool keepdims) {
  return detail::reduce(named<"argmax">(), x, axis ? Axes(*axis) : Axes(), keepdims)[0];
}

Tensor argmin(const Tensor& x, std::optional<int> axis, bool keepdims) {
  return detail::reduce(named<"argmin">(), x, axis ? Axes(*axis) : Axes(), keepdims)[0];
}

}  // namespace trigon

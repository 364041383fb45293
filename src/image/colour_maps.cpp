// SPDX-License-Identifier: MIT
#include <cstddef>
#include <span>

#include <trigon/image.hpp>
#include <trigon/index.hpp>
#include <trigon/join.hpp>
#include <trigon/logic.hpp>
#include <trigon/math.hpp>
#include <trigon/shape.hpp>

#include "graph/check.hpp"
#include "graph/named.hpp"

namespace trigon::cm {
namespace {

using Coefficients = std::span<const double>;  // coefficients of u^0, u^1, ...

Tensor polynomial(const Tensor& u, Coefficients coefficients) {
  Tensor y = u * coefficients.back();
  for (std::size_t k = coefficients.size() - 1; k-- > 1;) y = (y + coefficients[k]) * u;
  return y + coefficients[0];
}

// The channels as polynomials in u: (...) to (..., 3).
Tensor channels(const Tensor& u, Coefficients red, Coefficients green, Coefficients blue) {
  return stack({polynomial(u, red), polynomial(u, green), polynomial(u, blue)}, -1);
}

// x as float32 from 0 to 1, with NaN as 0.
Tensor clamped(const Tensor& x) {
  graph::check_floats({{"x", x}});
  Shape shape = x.shape();
  shape.push_back(3);
  static_cast<void>(shape.numel());  // raises Error from 2^63 on
  const Tensor single = x.astype(float32);
  const Tensor within = clip(single, 0.0, 1.0);
  return where(isnan(single), 0.0, within);
}

// Makes NaN black, and clamps to [0, 1], which a polynomial may leave by less than 1 / 255.
Tensor finished(const Tensor& x, const Tensor& colours) {
  const Tensor within = clip(colours, 0.0, 1.0);
  return where(expand_dims(isnan(x), -1), 0.0, within);
}

}  // namespace

// The coefficients minimise the maximal error over the 256 colours (Lawson's iteration).

Tensor viridis(const Tensor& x) {
  const graph::Named named("cm::viridis", {{"x", x}});
  constexpr double red[] = {0.1256623, -0.132351, 0.6169664, 1.689614,  0.6087926, -3.235603,
                            -1.818836, 3.332964,  1.628821,  -1.294187, -0.5312798};
  constexpr double green[] = {0.5641054,  0.4684223,   0.05350901, -0.00573678,
                              -0.6288326, -0.01351492, 1.275089,   -0.04070534,
                              -1.311495,  0.0431733,   0.5031393};
  constexpr double blue[] = {0.5535363, -0.0850195, -0.4603709, -0.4240371, 1.116299, 0.661618,
                             -3.461646, -0.6907122, 3.773886,   0.4480231,  -1.285028};
  return finished(x, channels(clamped(x) * 2.0 - 1.0, red, green, blue));
}

Tensor magma(const Tensor& x) {
  const graph::Named named("cm::magma", {{"x", x}});
  constexpr double red[] = {0.7133402, 0.8324124, -0.05944403, -0.8703782,   -1.170645,
                            0.6008081, 1.710937,  2.70427,     -0.006427391, -7.355485,
                            -1.482286, 6.771079,  0.7898532,   -2.18992};
  constexpr double green[] = {0.2117889, 0.2811077, 0.3841367, 0.8295543, -0.6868531,
                              2.35954,   3.877786,  -19.43122, -7.969032, 40.51877,
                              6.599348,  -35.1859,  -1.919846, 11.12434};
  constexpr double blue[] = {0.4783619,  -0.2629949, -0.7126928, 0.5121416, 3.985378,
                             -0.9205504, -9.853531,  9.710303,   10.66089,  -21.75608,
                             -4.659241,  19.11485,   0.4800223,  -6.029855};
  return finished(x, channels(clamped(x) * 2.0 - 1.0, red, green, blue));
}

// Its slope jumps at 0.5, so each half has separate polynomials.
Tensor coolwarm(const Tensor& x) {
  const graph::Named named("cm::coolwarm", {{"x", x}});
  constexpr double cool_red[] = {0.5529359, 0.3458111, -7.799756e-05, -0.02833276, -0.005316821};
  constexpr double cool_green[] = {0.6887668, 0.3114331, -0.1102798, -0.02843612, 0.003496126};
  constexpr double cool_blue[] = {0.9949479, 0.06018924, -0.196097, -0.004324109, 0.01047423};
  constexpr double warm_red[] = {0.9575999, -0.09275061, -0.1768052, 0.01291347, 0.004397348};
  constexpr double warm_green[] = {0.6052248,  -0.3982474, -0.2998756, 0.09849832, 2.263261,
                                   -0.5477228, -10.04494,  1.368588,   19.91529,   -1.477385,
                                   -18.12796,  0.5293022,  6.130062};
  constexpr double warm_blue[] = {0.4818283, -0.3844347, 0.03064411, 0.02705049, -0.004696487};
  const Tensor t = clamped(x) * 4.0;
  const Tensor cool = channels(t - 1.0, cool_red, cool_green, cool_blue);
  const Tensor warm = channels(t - 3.0, warm_red, warm_green, warm_blue);
  return finished(x, where(expand_dims(t < 2.0, -1), cool, warm));
}

Tensor turbo(const Tensor& x) {
  const graph::Named named("cm::turbo", {{"x", x}});
  constexpr double red[] = {0.6380783, 1.45532,   -1.946235, 4.062066, 12.88138,   -80.43944,
                            -31.49835, 392.2822,  27.28823,  -1017.14, 7.169383,   1567.064,
                            -25.46572, -1436.986, 12.09438,  724.1212, -0.8240671, -154.2747};
  constexpr double green[] = {0.9918477, -0.2608676, -2.181716, -0.2820305, 10.46804,  7.214314,
                              -70.12595, -49.51421,  248.8856,  169.9142,   -480.6114, -316.7497,
                              517.8808,  328.8087,   -293.5997, -179.1831,  68.33723,  40.02467};
  constexpr double blue[] = {0.2342806, -0.7531894, 4.662166,  -0.02101815, -39.34458, 6.936571,
                             202.9736,  -88.62283,  -621.5993, 392.5111,    1117.947,  -824.6722,
                             -1164.02,  914.2079,   649.4868,  -518.749,    -150.2217, 119.0518};
  return finished(x, channels(clamped(x) * 2.0 - 1.0, red, green, blue));
}

}  // namespace trigon::cm

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <trigon/extend.hpp>
#include <trigon/trigon.hpp>

#include "core/internals.hpp"
#include "reference/interpret.hpp"
#include "run/device_state.hpp"
#include "support/compare.hpp"
#include "support/on_profile.hpp"
#include "support/statistics.hpp"
#include "support/values.hpp"

// Every family of nodes at the sizes around which layouts change, in both profiles. Inputs are
// small whole numbers, so that everything except softmax is exact in any order of adding.

namespace trigon {
namespace {

using support::difference;
using support::Failures;
using support::Random;
using support::read_doubles;

using Roots = std::vector<Tensor>;

/// Stored tensors of n elements.
struct Inputs {
  std::int64_t n;
  Tensor x, y;     // float32
  Tensor half;     // float16
  Tensor integer;  // int32
  Tensor index;    // int32, in [0, n)
  Tensor byte;     // uint8
  Tensor mask;     // bool
};

struct Family {
  const char* name;
  std::function<Roots(const Inputs&)> roots;
  Tolerance tolerance = Ulp{0};
};

Roots elementwise(const Inputs& in) {
  return {square(in.x),
          -in.integer,
          abs(in.half),
          logical_not(in.mask),
          in.x + in.y,
          in.integer * 3 - in.index,
          remainder(in.byte, 7),
          maximum(in.half, in.x),
          in.x < in.y,
          where(in.mask, in.x, in.y),
          where(in.mask, in.integer, in.byte),
          clip(in.x, -1.0, 2.0)};
}

Roots casts(const Inputs& in) {
  return {in.x.astype(float16),       in.x.astype(int32),      (in.integer * 5).astype(uint8),
          in.integer.astype(boolean), in.byte.astype(float32), in.mask.astype(int32),
          in.half.astype(int32),      in.index.astype(uint32), in.mask.astype(float16)};
}

Roots views(const Inputs& in) {
  Roots roots{flip(in.x) + 0.0,
              in.x.reshape(in.n, 1).T() + in.y,
              broadcast_to(in.x, {2, in.n}) + in.y,
              in.x.reshape(in.n, 1) + tensor<float>({1, 2, 3}),
              in.integer.at(Slice{{}, {}, 2}).get() + 0,
              in.byte.at(Slice{{}, {}, -1}).get() + 0,
              stack({in.x, in.y}).T() + 0.0};
  if (in.n > 2) roots.push_back(in.x[Slice{1, -1}] + in.y[Slice{2, {}}]);
  return roots;
}

Roots joins(const Inputs& in) {
  return {concatenate({in.x, in.y, in.x}),
          stack({in.integer, in.index}, 1),
          pad(in.x, {{1, 2}}, 5.0),
          pad(in.mask, {{3, 0}}, 1.0),
          roll(in.x, 3),
          tile(in.byte, 2),
          repeat(in.half, 2),
          concatenate({in.mask, in.mask})};
}

/// All that are declared and take float32.
Roots reductions(const Inputs& in) {
  Roots roots;
  const Tensor rows = stack({in.x, in.y});  // (2, n)
  const Tensor columns = rows.T() + 0.0;    // (n, 2)
  for (const Op* op : registry()) {
    if (op->family != trigon::Family::reduce) continue;
    // Products of many numbers leave float32, and their logarithms are not exact.
    if (op->name == "prod" || op->name == "max_sumexp" || op->name == "moments") continue;
    if (in.n == 0 && op->reduce().needs_element) continue;
    roots.push_back(detail::reduce(*op, rows, 1, false)[0]);
    roots.push_back(detail::reduce(*op, columns, 0, false)[0]);
    if (in.n > 0) roots.push_back(detail::reduce(*op, columns, 1, false)[0]);
  }
  roots.push_back(sum(in.byte));
  roots.push_back(sum(in.mask));
  if (in.n > 0) roots.push_back(max(in.integer));
  return roots;
}

Roots moments_and_softmax(const Inputs& in) {
  if (in.n == 0) return {nn::softmax(in.x)};
  Roots roots = moments(in.x);
  for (const Tensor& more : {nn::softmax(in.x), logsumexp(in.x), nn::layer_norm(in.x, {}, {})}) {
    roots.push_back(more);
  }
  return roots;
}

Roots products(const Inputs& in) {
  const Tensor row = in.x.reshape(1, in.n);
  const Tensor three = stack({in.x, in.y, in.x * 2.0});  // (3, n)
  return {matmul(row, in.y.reshape(in.n, 1)),
          matmul(in.y.reshape(in.n, 1), tensor<float>({1, 2, 3}, {1, 3})),
          matmul(three, stack({in.y, in.x}).T()),
          matmul(tensor<float>({1, 2, 3, 4, 5, 6}, {3, 2}), stack({in.y, in.x}))};
}

Roots gathers(const Inputs& in) {
  if (in.n == 0) return {take(tensor<float>({1, 2}), in.index)};
  return {take(in.x, in.index), take(stack({in.x, in.y}), in.index, 1),
          take_along_axis(in.byte, in.index, 0), take(in.x, tensor<std::int32_t>({0, -1, 1}))};
}

// Into few elements, since a device without blending goes through all updates for each of them.
Roots scatters(const Inputs& in) {
  const Tensor index = in.index % 5;
  return {scatter_add(zeros({5}), index, in.x, 0),
          scatter_add(zeros({5}, int32), index, in.byte, 0),
          scatter_add(in.x + 0.0, in.index[Slice{0, 3}], 2.0, 0)};
}

Roots writes(const Inputs& in) {
  Roots roots{(in.x + 0.0).at(ellipsis).set(in.y)};
  if (in.n < 3) return roots;
  roots.push_back((in.x + 0.0).at(Slice{1, -1}).set(in.y[Slice{2, {}}]));
  roots.push_back((in.integer + 0).at(Slice{{}, {}, 2}).set(7));
  roots.push_back((in.byte * 1).at(Window{Scalar(2), 1}).set(9));
  return roots;
}

Roots loops(const Inputs& in) {
  const auto add = [&](const Tensor&, const Tensor& s) { return s + in.y; };
  const auto shift = [](const Tensor&, const Tensor& s) { return roll(s, 1) + 1; };
  Roots roots{fori_loop(0, 5, add, in.x), fori_loop(0, 3, shift, in.integer)};
  const auto both = scan([](const Tensor& s, const Tensor& x) { return std::pair(s + x, s * x); },
                         in.x, stack({in.y, in.x, in.y}));
  roots.push_back(both.state);
  roots.push_back(both.outputs);
  return roots;
}

Roots made(const Inputs& in) {
  return {iota(in.n) + in.integer, arange(in.n).astype(float32) * in.x, full({in.n}, 3.0) + in.y,
          zeros({in.n, 2}) + in.x.reshape(in.n, 1)};
}

std::vector<Family> families() {
  return {{"elementwise", elementwise},
          {"casts", casts},
          {"views", views},
          {"joins", joins},
          {"reductions", reductions},
          {"products", products},
          {"gathers", gathers},
          {"scatters", scatters},
          {"writes", writes},
          {"loops", loops},
          {"made", made},
          {"moments_and_softmax", moments_and_softmax, Tolerance(Ulp{64}, Abs{1e-5})}};
}

class SizeSweep : public ::testing::TestWithParam<std::tuple<Profile, Family>> {
 protected:
  static Profile profile() { return std::get<0>(GetParam()); }
  static const Family& family() { return std::get<1>(GetParam()); }
  static const core::Target& target() {
    return detail::Internals::state(Device::default_device())->target();
  }

  /// Sizes around the ends of a texel and of the widest row of texels in a layout, and around
  /// powers of two at which indices lose bits in narrower types.
  static std::set<std::int64_t> sizes() {
    const std::int64_t row = 4 * std::min<std::int64_t>(target().max_side, 4096);
    return {0, 1, 3, 4, 5, row - 1, row, row + 1, 16'385, 65'535, 65'536, 65'537, 70'000};
  }

  Inputs inputs(std::int64_t n) {
    const auto whole = [&](int low, int high) {
      return support::random_ints(random_, {n}, low, std::max(low, high));
    };
    const auto stored = [](const Tensor& x) { return x.eval(); };
    return {.n = n,
            .x = stored(whole(-3, 3).astype(float32)),
            .y = stored(whole(-3, 3).astype(float32)),
            .half = stored((whole(-9, 9).astype(float32) * 0.25).astype(float16)),
            .integer = stored(whole(-99, 99)),
            .index = stored(whole(0, static_cast<int>(n) - 1)),
            .byte = stored(whole(0, 255).astype(uint8)),
            .mask = stored(whole(0, 1).astype(boolean))};
  }

  /// Every third of the long ones, starting with another one at each size.
  Roots some_of(const Roots& all, std::int64_t n) {
    if (n < 1000) return all;
    Roots some;
    for (std::size_t k = turn_++ % 3; k < all.size(); k += 3) some.push_back(all[k]);
    return some;
  }

  Random random_{17};

 private:
  std::size_t turn_ = 0;
};

TEST_P(SizeSweep, AgreesWithTheReference) {
  const support::OnProfile on(profile());
  Failures failures(family().name);
  for (const std::int64_t n : sizes()) {
    // Roots have up to four times as many elements; without layers, one texture holds them.
    const std::int64_t most = target().max_side * target().max_side * 4;
    if (profile() == Profile::webgl1 && 4 * n > most) continue;
    const Inputs in = inputs(n);
    const Roots roots = some_of(family().roots(in), n);
    std::vector<std::vector<double>> want;
    for (const Tensor& root : roots)
      want.push_back(graph::interpret(detail::Internals::node(root)));
    eval(roots);
    for (std::size_t k = 0; k < roots.size(); ++k) {
      const std::string wrong =
          difference(read_doubles(roots[k]), want[k], family().tolerance, roots[k].dtype());
      if (!wrong.empty()) failures.add(fmt::format("n = {}, root {}: {}", n, k, wrong));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Profiles, SizeSweep,
                         ::testing::Combine(::testing::Values(Profile::webgl2, Profile::webgl1),
                                            ::testing::ValuesIn(families())),
                         [](const auto& test) {
                           const bool is_webgl1 = std::get<0>(test.param) == Profile::webgl1;
                           return fmt::format("{}_{}", is_webgl1 ? "WebGL1" : "WebGL2",
                                              std::get<1>(test.param).name);
                         });

}  // namespace
}  // namespace trigon

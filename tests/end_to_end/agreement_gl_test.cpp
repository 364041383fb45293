// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <trigon/trigon.hpp>

#include "support/compare.hpp"
#include "support/on_profile.hpp"
#include "support/random_runs.hpp"
#include "support/values.hpp"

// Random programs of integers, halves and booleans have bit-identical results: in both profiles,
// with each value stored and with all values fused.

namespace trigon {
namespace {

using support::Failures;
using support::Random;
using support::read_doubles;

constexpr std::int64_t rows = 6;
constexpr std::int64_t columns = 9;

/// One program; all its choices depend only on the seed. Floats compute its values exactly: int32
/// stay below 4,093, so that products are below 2^24, and float32 holds products of halves.
class Program {
 public:
  Program(std::uint32_t seed, bool stores) : random_(seed), stores_(stores) {
    const Shape shape{rows, columns};
    const auto leaf = [&](int low, int high, double factor, DType dtype) {
      const Tensor whole = support::random_ints(random_, shape, low, high);
      pool_.push_back((whole.astype(float32) * factor).astype(dtype).eval());
    };
    for (const DType dtype : {int32, uint8, float16, boolean}) {
      for (int k = 0; k < 2; ++k) {
        if (dtype == float16) leaf(-500, 500, 0.125, dtype);
        if (dtype == int32) leaf(-4'092, 4'092, 1, dtype);
        if (dtype == uint8) leaf(0, 255, 1, dtype);
        if (dtype == boolean) leaf(0, 1, 1, dtype);
      }
    }
  }

  void add_step() {
    Tensor x = next();
    if (stores_) x.eval();
    pool_.push_back(x);
  }

  std::vector<std::vector<double>> values() const {
    eval(pool_);
    std::vector<std::vector<double>> all;
    for (const Tensor& x : pool_) all.push_back(read_doubles(x));
    return all;
  }

 private:
  /// A random value of a dtype, more often a late one than an early one.
  Tensor of(DType dtype) {
    std::vector<Tensor> fits;
    for (const Tensor& x : pool_) {
      if (x.dtype() == dtype) fits.push_back(x);
    }
    const int count = static_cast<int>(fits.size());
    const int back = std::min(random_.below(count), random_.below(count));
    return fits[fits.size() - 1 - static_cast<std::size_t>(back)];
  }

  Tensor next() {
    switch (random_.below(6)) {
      case 0: return arithmetic(of(int32), of(int32)) % 4093;
      case 1: return arithmetic(of(uint8), of(uint8));
      case 2: {
        const Tensor y = clip(arithmetic(of(float16), of(float16)), -1000.0, 1000.0);
        return y.astype(float16);
      }
      case 3: return truth();
      case 4: return moved(of(any_dtype()));
      default: return cast(of(any_dtype()));
    }
  }

  DType any_dtype() {
    constexpr DType all[] = {int32, uint8, float16, boolean};
    return all[random_.below(4)];
  }

  Tensor arithmetic(const Tensor& a, const Tensor& b) {
    const bool is_whole = is_integer(a.dtype());
    switch (random_.below(is_whole ? 9 : 6)) {
      case 0: return a + b;
      case 1: return a - b;
      case 2: return a * b;
      case 3: return maximum(a, -b);
      case 4: return where(of(boolean), a, b);
      case 5: return minimum(square(a), b);
      case 6: return floor_divide(a, b);  // some divisors are 0
      case 7: return remainder(a, b);
      default: return fmod(a, b);
    }
  }

  Tensor truth() {
    const Tensor a = of(boolean);
    const DType dtype = any_dtype();
    switch (random_.below(4)) {
      case 0: return logical_and(a, logical_not(of(boolean)));
      case 1: return logical_xor(a, of(boolean));
      case 2: return of(dtype) < of(dtype);
      default: return of(dtype) == of(dtype);
    }
  }

  /// Another value of the same dtype and shape.
  Tensor moved(const Tensor& x) {
    switch (random_.below(5)) {
      case 0: return flip(x);
      case 1: return roll(x, 2, 1);
      case 2: return take(x, of(int32)[Slice{0, 1}].reshape(columns) % rows, 0)[Slice{0, rows}];
      case 3: return x.T().reshape(rows, columns);
      default: return broadcast_to(max(x, 1, true).astype(x.dtype()), x.shape());
    }
  }

  Tensor cast(const Tensor& x) {
    switch (random_.below(4)) {
      case 0: return x.astype(int32) % 4093;
      case 1: return x.astype(uint8);
      case 2: return (sum(x.astype(int32), 1, true) + x % 7).astype(int32) % 4093;
      default: return x.astype(boolean);
    }
  }

  Random random_;
  bool stores_;
  std::vector<Tensor> pool_;
};

std::vector<std::vector<double>> run(std::uint32_t seed, Profile profile, bool stores) {
  const support::OnProfile on(profile);
  Program program(seed, stores);
  for (int step = 0; step < 24; ++step) program.add_step();
  return program.values();
}

TEST(Agreement, OfProfilesAndOfStoredAndFusedPrograms) {
  Failures failures("random programs");
  const int first = support::first_random_seed();
  for (int k = first; k < first + (support::random_seeds() + 14) / 15; ++k) {
    const auto seed = static_cast<std::uint32_t>(k);
    const auto want = run(seed, Profile::webgl2, true);
    for (const Profile profile : {Profile::webgl2, Profile::webgl1}) {
      for (const bool stores : {false, true}) {
        const auto got = run(seed, profile, stores);
        for (std::size_t v = 0; v < want.size(); ++v) {
          const std::string wrong = support::difference(got[v], want[v], 0.0, 0.0);
          if (wrong.empty()) continue;
          failures.add(fmt::format("seed {}, {}, {}: value {}: {}", seed,
                                   profile == Profile::webgl1 ? "webgl1" : "webgl2",
                                   stores ? "stored" : "fused", v, wrong));
          break;
        }
      }
    }
  }
}

}  // namespace
}  // namespace trigon

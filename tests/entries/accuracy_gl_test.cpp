// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <trigon/extend.hpp>
#include <trigon/trigon.hpp>

#include "support/compare.hpp"
#include "support/kernels.hpp"

// Each elementwise op keeps its declared bound over all of float32, not only in the interval of its
// declared test inputs.

namespace trigon {
namespace {

using support::Failures;
using support::Floats;

class Accuracy : public support::KernelTest {};
INSTANTIATE_TEST_SUITE_P(Profiles, Accuracy, ::testing::Values(Profile::webgl2, Profile::webgl1),
                         support::profile_name);

// One float32 in 16,411, of either sign; NaN and the infinities. Also the multiples of pi/2, near
// which a reduction of the angle loses digits, and the neighbours of 1, where logarithms are 0.
const Floats& dense_floats() {
  static const Floats all = [] {
    constexpr std::uint64_t step = 16'411;  // a prime, so that all low bits occur
    Floats values{std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
                  -0.0F, 1, -1};
    for (std::uint64_t bits = 0; bits < std::uint64_t{1} << 32; bits += step) {
      values.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    }
    for (int k = 1; k <= 63'661; ++k) {  // up to 1e5
      const auto angle = static_cast<float>(k * 1.57079632679489662);
      values.push_back(angle);
      values.push_back(-std::nextafter(angle, 0.0F));
    }
    for (int k = -20'000; k <= 20'000; ++k) {
      values.push_back(1 + static_cast<float>(k) * 0x1p-24F);
      values.push_back(-values.back());
    }
    return values;
  }();
  return all;
}

// sin, cos and tan promise digits up to 1e5.
bool is_promised(const Op& op, double x) {
  const bool is_trigonometric = op.name == "sin" || op.name == "cos" || op.name == "tan";
  return !is_trigonometric || !std::isfinite(x) || std::abs(x) <= 1e5;
}

// A subnormal operand may count as 0.
bool may_be_flushed(double x) { return support::is_subnormal(x); }

// GLSL does not define the sign of max(-0, 0).
bool has_sign_of_zero(const Op& op) {
  return op.name != "relu" && op.name != "maximum" && op.name != "minimum" && op.name != "fmax" &&
         op.name != "fmin";
}

std::string difference(const Op& op, double got, double want) {
  if (!support::within(got, want, support::tolerance_of(op))) {
    return fmt::format("{:.9g} in place of {:.9g} ({:.3g} ulp)", got, want,
                       support::ulp_distance(got, want));
  }
  const bool zeros = got == 0 && want == 0 && has_sign_of_zero(op);
  return zeros && std::signbit(got) != std::signbit(want) ? "a zero of the wrong sign" : "";
}

bool is_measured(const Op& op, Family family) {
  if (op.family != family) return false;
  if (family == Family::unary) return op.unary().result.get() != Result::boolean;
  return op.binary().result.get() != Result::boolean && !op.binary().integers_only;
}

// TRIGON_SWEEP=n also takes one float in n of those between 2^-14 and 2^17, where most errors are,
// and one in 1021 of the others. It takes 128 times as many pairs, and prints the largest errors.
// docs/accuracy.md has the largest that any n found. n = 31 takes half an hour, n = 1 a night.
int sweep() {
  const char* text = std::getenv("TRIGON_SWEEP");
  return text == nullptr ? 0 : std::atoi(text);
}

// One float in `step` of those whose bits are in [first, last), of either sign.
Floats floats_between(std::uint32_t first, std::uint32_t last, std::uint32_t step) {
  Floats values;
  for (std::uint64_t bits = first; bits < last; bits += step) {
    values.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    values.push_back(-values.back());
  }
  return values;
}

int unary_chunks() { return sweep() == 0 ? 1 : 2 + 31; }

Floats unary_operands(int chunk) {
  if (chunk == 0) return dense_floats();
  if (chunk == 1) return floats_between(0, 0x7f800000, 1021);
  const auto first = std::bit_cast<std::uint32_t>(std::ldexp(1.0F, chunk - 2 - 14));
  return floats_between(first, first + (1U << 23U), static_cast<std::uint32_t>(sweep()));
}

/// An op's wrong results, and its largest error.
class Measured {
 public:
  Measured(const Op& op, Profile profile)
      : op_(op), profile_(support::profile_name({profile, 0})), failures_(std::string(op.name)) {}
  Measured(const Measured&) = delete;
  Measured& operator=(const Measured&) = delete;
  ~Measured() {
    if (sweep() > 0) fmt::print("{} {}: {:.3f} ulp at {}\n", profile_, op_.name, worst_, worst_at_);
  }

  /// `at`: the operands.
  template <class... T>
  void add(double got, double want, T... at) {
    const std::string wrong = difference(op_, got, want);
    if (!wrong.empty()) failures_.add(fmt::format("at {}: {}", text(at...), wrong));
    const bool counts = std::isfinite(got) && std::isfinite(static_cast<float>(want)) &&
                        !support::is_subnormal(static_cast<float>(want)) &&
                        std::abs(got - want) > support::tolerance_of(op_).absolute;
    if (!counts || support::ulp_distance(got, want) <= worst_) return;
    worst_ = support::ulp_distance(got, want);
    worst_at_ = text(at...);
  }

 private:
  template <class... T>
  static std::string text(T... at) {
    const std::array<double, sizeof...(T)> all{at...};
    return fmt::format("{:.9g}", fmt::join(all, ", "));
  }

  const Op& op_;
  std::string profile_;
  Failures failures_;
  double worst_ = 0;
  std::string worst_at_ = "0";
};

TEST_P(Accuracy, UnaryOpsOverAllFloats) {
  for (const Op* op : registry()) {
    if (!is_measured(*op, Family::unary)) continue;
    Measured measured(*op, GetParam());
    for (int chunk = 0; chunk < unary_chunks(); ++chunk) {
      const Floats x = unary_operands(chunk);
      const Tensor y = detail::apply(*op, floats(x, {static_cast<std::int64_t>(x.size())}));
      const Floats values = y.to_vector<float>();
      for (std::size_t i = 0; i < x.size(); ++i) {
        if (!is_promised(*op, x[i]) || may_be_flushed(x[i])) continue;
        measured.add(values[i], op->unary().ref.get()(x[i]), double{x[i]});
      }
    }
  }
}

// Pairs of all sizes, of like sizes, and beside 1, where powers have their worst errors.
std::array<Floats, 2> pairs(support::Random& random) {
  const auto size = [&](double low, double high) {
    const double x = std::exp(random.between(std::log(low), std::log(high)));
    return static_cast<float>(random.chance(0.5) ? x : -x);
  };
  std::array<Floats, 2> all;
  for (int i = 0; i < 65'536; ++i) {
    const int kind = i % 4;
    all[0].push_back(kind == 0   ? size(1.2e-38, 3.4e38)
                     : kind == 1 ? size(1e-3, 1e3)
                     : kind == 2 ? 1 + size(1e-6, 1)
                                 : size(1e-20, 1e20));
    all[1].push_back(kind == 0   ? size(1.2e-38, 3.4e38)
                     : kind == 1 ? size(1e-3, 1e2)
                     : kind == 2 ? size(1e-2, 1e6)
                                 : size(1e-3, 10));
  }
  return all;
}

TEST_P(Accuracy, BinaryOpsOverManyPairs) {
  std::vector<std::array<Floats, 2>> chunks;
  std::vector<std::array<Tensor, 2>> tensors;
  for (int chunk = 0; chunk < (sweep() > 0 ? 128 : 1); ++chunk) {
    chunks.push_back(pairs(random_));
    const auto& [a, b] = chunks.back();
    const Shape shape{static_cast<std::int64_t>(a.size())};
    tensors.push_back({floats(a, shape), floats(b, shape)});
  }
  for (const Op* op : registry()) {
    if (!is_measured(*op, Family::binary)) continue;
    Measured measured(*op, GetParam());
    for (std::size_t chunk = 0; chunk < chunks.size(); ++chunk) {
      const auto& [a, b] = chunks[chunk];
      const Floats y = detail::apply(*op, tensors[chunk][0], tensors[chunk][1]).to_vector<float>();
      for (std::size_t i = 0; i < y.size(); ++i) {
        if (may_be_flushed(a[i]) || may_be_flushed(b[i])) continue;
        measured.add(y[i], op->binary().ref.get()(a[i], b[i]), double{a[i]}, double{b[i]});
      }
    }
  }
}

// The bounds themselves.
TEST(Bounds, OfElementwiseOpsAreAtMostFourUlp) {
  for (const Op* op : registry()) {
    if (op->family == Family::reduce || op->family == Family::kernel) continue;
    EXPECT_LE(support::tolerance_of(*op).ulp, 4) << op->name;
  }
  for (const char* name : {"sqrt", "divide", "reciprocal"}) {
    EXPECT_LE(support::tolerance_of(*find_op(name)).ulp, 1) << name;
  }
}

// NumPy's own values for its accuracy tests, correctly rounded.
TEST_P(Accuracy, NumPysValidationSet) {
  const char* folder = std::getenv("TRIGON_REAL_DATA");
  if (folder == nullptr) GTEST_SKIP() << "TRIGON_REAL_DATA names no folder of real data";
  const SafeTensors file(std::string(folder) + "/numpy_umath/umath_f32.safetensors");
  int measured = 0;
  for (const Op* op : registry()) {
    const std::string name(op->name);
    if (!is_measured(*op, Family::unary) || !file.contains(name + ".x")) continue;
    ++measured;
    Failures failures(name);
    const Floats x = file.load(name + ".x").to_vector<float>();
    const Floats want = file.load(name + ".y").to_vector<float>();
    const Shape shape{static_cast<std::int64_t>(x.size())};
    const Floats y = detail::apply(*op, floats(x, shape)).to_vector<float>();
    for (std::size_t i = 0; i < y.size(); ++i) {
      if (!is_promised(*op, x[i]) || may_be_flushed(x[i])) continue;
      const std::string wrong = difference(*op, y[i], want[i]);
      if (!wrong.empty()) failures.add(fmt::format("at {:.9g}: {}", x[i], wrong));
    }
  }
  EXPECT_EQ(measured, 20);
}

}  // namespace
}  // namespace trigon

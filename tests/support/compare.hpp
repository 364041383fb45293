// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <trigon/op.hpp>
#include <trigon/tensor.hpp>

#include "support/errors.hpp"

namespace trigon::support {

/// Distance between neighbours of float32 at x.
inline double ulp_at(double x) {
  const double size = std::max(std::abs(x), double{std::numeric_limits<float>::min()});
  return std::ldexp(1.0, std::ilogb(size) - 23);
}

/// Units in the last place between two finite numbers.
inline double ulp_distance(double got, double want) { return std::abs(got - want) / ulp_at(want); }

inline bool is_subnormal(double x) {
  return x != 0 && std::abs(x) < double{std::numeric_limits<float>::min()};
}

/// Whether `got` is as near to the exact `want` as a declaration promises: NaN for NaN, an infinity
/// for numbers past float32's range. Numbers below its normal ones may be flushed to 0. Dtypes
/// other than floats are exact.
inline bool within(double got, double want, const Tolerance& tolerance,
                   DType dtype = DType::float32) {
  if (!is_float(dtype)) return got == want;
  const double rounded = static_cast<float>(want);
  if (std::isnan(want) || std::isnan(got)) return std::isnan(want) && std::isnan(got);
  if (std::isinf(rounded) || std::isinf(got)) return got == rounded;
  if (got == rounded || (is_subnormal(rounded) && got == 0)) return true;
  if (rounded == 0 && is_subnormal(got)) return true;
  return ulp_distance(got, rounded) <= tolerance.ulp ||
         std::abs(got - rounded) <= tolerance.absolute;
}

/// Collects the failures of many cases; reports ten of them and their number.
class Failures {
 public:
  explicit Failures(std::string what) : what_(std::move(what)) {}
  Failures(const Failures&) = delete;
  Failures& operator=(const Failures&) = delete;
  ~Failures() {
    if (count_ == 0) return;
    ADD_FAILURE() << what_ << ": " << count_ << " wrong, of which:" << shown_;
  }

  void add(const std::string& message) {
    if (++count_ <= 10) shown_ += "\n  " + message;
  }
  int count() const { return count_; }

 private:
  std::string what_;
  std::string shown_;
  int count_ = 0;
};

/// The elements as doubles, for any dtype.
inline std::vector<double> read_doubles(const Tensor& x) {
  const auto widen = [](const auto& v) { return std::vector<double>(v.begin(), v.end()); };
  switch (x.dtype()) {
    case DType::float32:
    case DType::float16: return widen(x.to_vector<float>());
    case DType::int32: return widen(x.to_vector<std::int32_t>());
    case DType::uint32: return widen(x.to_vector<std::uint32_t>());
    case DType::uint8: return widen(x.to_vector<std::uint8_t>());
    case DType::boolean: return widen(x.to_vector<bool>());
  }
  return {};
}

/// "" if all elements fit, otherwise the first wrong one and the number of wrong ones.
inline std::string difference(std::span<const double> got, std::span<const double> want,
                              const Tolerance& tolerance, DType dtype = DType::float32) {
  if (got.size() != want.size()) {
    return fmt::format("{} elements in place of {}", got.size(), want.size());
  }
  std::string first;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (within(got[i], want[i], tolerance, dtype)) continue;
    if (wrong++ == 0) {
      first = fmt::format("element {}: {:.9g} in place of {:.9g} ({:.3g} ulp)", i, got[i], want[i],
                          ulp_distance(got[i], want[i]));
    }
  }
  return wrong == 0 ? "" : fmt::format("{}, {} of {} wrong", first, wrong, got.size());
}

/// As `difference`, but elements may differ by relative * |want| + absolute.
inline std::string difference(std::span<const double> got, std::span<const double> want,
                              double relative, double absolute) {
  if (got.size() != want.size()) {
    return fmt::format("{} elements in place of {}", got.size(), want.size());
  }
  for (std::size_t i = 0; i < got.size(); ++i) {
    const bool same = got[i] == want[i] || (std::isnan(got[i]) && std::isnan(want[i]));
    if (same || std::abs(got[i] - want[i]) <= relative * std::abs(want[i]) + absolute) continue;
    return fmt::format("element {}: {:.9g} in place of {:.9g}", i, got[i], want[i]);
  }
  return "";
}

/// The op's declared tolerance.
inline Tolerance tolerance_of(const Op& op) {
  return op.visit([](const auto& spec) { return spec.tolerance.get(); });
}

}  // namespace trigon::support

// SPDX-License-Identifier: MIT
#include "print_number.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/half.hpp"

// Follows NumPy's arrayprint.py (FloatingFormat, IntegerFormat, BoolFormat) and its dragon4.c.

namespace trigon {
namespace {

constexpr int unlimited = std::numeric_limits<int>::max();

/// What becomes of zeros at the end of the decimals: kept, dropped, dropped but for one, or dropped
/// with the point.
enum class Trim : std::uint8_t { keep, zeros, leave_one, point };

std::string to_chars(double value, std::chars_format format, int precision) {
  std::array<char, 512> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format, precision);
  return {buffer.data(), end.ptr};
}

double rounded(double value, DType dtype) {
  const auto single = static_cast<float>(value);
  return dtype == float16 ? half_to_float(float_to_half(single)) : single;
}

/// "1.25e-05": the fewest digits that no other number of the dtype is nearer to; value >= 0.
std::string shortest(double value, DType dtype) {
  if (dtype != float16) {
    std::array<char, 64> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(),
                                   static_cast<float>(value), std::chars_format::scientific);
    return {buffer.data(), end.ptr};
  }
  for (int precision = 0;; ++precision) {
    std::string text = to_chars(value, std::chars_format::scientific, precision);
    double back = 0;
    std::from_chars(text.data(), text.data() + text.size(), back);
    if (rounded(back, dtype) == value) return text;
  }
}

/// Digits and where the point stands: d[0] d[1] ... times 10^exponent.
struct Decimal {
  std::string digits;
  int exponent;
};

Decimal parse(const std::string& scientific) {
  const std::size_t e = scientific.find('e');
  std::string digits = scientific.substr(0, e);
  std::erase(digits, '.');
  return {digits, std::stoi(scientific.substr(e + 1))};
}

struct Parts {
  std::string whole, fraction, exponent;
};

void trim(std::string& fraction, Trim how, int least) {
  if (how == Trim::keep) {
    if (std::ssize(fraction) < least) fraction.resize(static_cast<std::size_t>(least), '0');
    return;
  }
  while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
  if (how == Trim::leave_one && fraction.empty()) fraction = "0";
}

struct Style {
  int precision = unlimited;  ///< at most as many decimals
  int least = 0;              ///< at least as many, where zeros are kept
  bool unique = true;         ///< no more digits than tell the number from others
  Trim trim = Trim::zeros;
  bool plus = false;
};

std::string sign_of(double value, bool plus) { return std::signbit(value) ? "-" : plus ? "+" : ""; }

Parts positional(double value, DType dtype, const Style& style) {
  const double size = std::fabs(value);
  const Decimal d = parse(shortest(size, dtype));
  const int decimals = std::max(0, static_cast<int>(d.digits.size()) - 1 - d.exponent);
  Parts parts;
  if (!style.unique || decimals > style.precision) {
    const std::string text = to_chars(size, std::chars_format::fixed, style.precision);
    const std::size_t point = text.find('.');
    parts.whole = text.substr(0, point);
    if (point != std::string::npos) parts.fraction = text.substr(point + 1);
  } else if (d.exponent < 0) {
    parts.whole = "0";
    parts.fraction = std::string(static_cast<std::size_t>(-1 - d.exponent), '0') + d.digits;
  } else {
    const std::size_t whole = static_cast<std::size_t>(d.exponent) + 1;
    parts.whole = d.digits.substr(0, whole);
    parts.whole.resize(whole, '0');
    if (d.digits.size() > whole) parts.fraction = d.digits.substr(whole);
  }
  parts.whole = sign_of(value, style.plus) + parts.whole;
  trim(parts.fraction, style.trim, style.least);
  return parts;
}

Parts scientific(double value, DType dtype, const Style& style) {
  const double size = std::fabs(value);
  std::string text = shortest(size, dtype);
  if (static_cast<int>(parse(text).digits.size()) - 1 > style.precision) {
    text = to_chars(size, std::chars_format::scientific, style.precision);
  }
  const Decimal d = parse(text);
  Parts parts{.whole = sign_of(value, style.plus) + d.digits[0],
              .fraction = d.digits.substr(1),
              .exponent = fmt::format("{:+03d}", d.exponent)};
  trim(parts.fraction, style.trim, style.least);
  return parts;
}

std::string not_finite(double value, const PrintOptions& options) {
  const bool plus = options.sign == PrintSign::always;
  if (std::isnan(value)) return (plus ? "+" : "") + options.nanstr;
  return sign_of(value, plus) + options.infstr;
}

/// One column of floats.
class FloatFormat {
 public:
  FloatFormat(std::span<const double> values, DType dtype, const PrintOptions& options)
      : dtype_(dtype), options_(options) {
    std::vector<double> finite;
    std::copy_if(values.begin(), values.end(), std::back_inserter(finite),
                 [](double v) { return std::isfinite(v); });
    style_.plus = options.sign == PrintSign::always;
    if (!finite.empty()) fit(finite);
    if (finite.size() != values.size()) fit_not_finite(values);
  }

  std::string operator()(double value) const {
    if (!std::isfinite(value)) {
      return fmt::format("{:>{}}", not_finite(value, options_), left_ + right_ + 1);
    }
    const Parts parts =
        exponent_ ? scientific(value, dtype_, style_) : positional(value, dtype_, style_);
    if (exponent_)
      return fmt::format("{:>{}}.{}e{}", parts.whole, left_, parts.fraction, power(parts));
    return fmt::format("{:>{}}.{:<{}}", parts.whole, left_, parts.fraction, right_);
  }

 private:
  std::string power(const Parts& parts) const {
    const std::string& text = parts.exponent;
    const int missing = exponent_size_ - (static_cast<int>(text.size()) - 1);
    return text[0] + std::string(static_cast<std::size_t>(std::max(missing, 0)), '0') +
           text.substr(1);
  }

  bool needs_exponent(std::span<const double> finite) const {
    double most = 0;
    double least = std::numeric_limits<double>::infinity();
    for (const double value : finite) {
      if (value == 0) continue;
      most = std::max(most, std::fabs(value));
      least = std::min(least, std::fabs(value));
    }
    if (most == 0) return false;
    if (most >= 1e8) return true;
    // NumPy compares in the array's dtype.
    return !options_.suppress &&
           (least < rounded(0.0001, dtype_) || rounded(most / least, dtype_) > 1000.0);
  }

  void fit(std::span<const double> finite) {
    const bool fixed = options_.floatmode == FloatMode::fixed;
    exponent_ = needs_exponent(finite);
    if (options_.floatmode != FloatMode::unique) style_.precision = options_.precision;
    style_.unique = exponent_ || !fixed;
    style_.trim = fixed ? Trim::keep : Trim::zeros;
    style_.least = fixed ? options_.precision : 0;
    int decimals = 0;
    bool negative = false;
    for (const double value : finite) {
      const Parts parts =
          exponent_ ? scientific(value, dtype_, style_) : positional(value, dtype_, style_);
      left_ = std::max(left_, static_cast<int>(parts.whole.size()));
      decimals = std::max(decimals, static_cast<int>(parts.fraction.size()));
      exponent_size_ = std::max(exponent_size_, static_cast<int>(parts.exponent.size()) - 1);
      negative = negative || std::signbit(value);
    }
    right_ = exponent_ ? exponent_size_ + 2 + decimals : decimals;
    if (exponent_ || fixed || options_.floatmode == FloatMode::equal) {
      style_.trim = Trim::keep;
      style_.precision = style_.least = decimals;
    }
    if (options_.sign == PrintSign::space && !negative) ++left_;
  }

  void fit_not_finite(std::span<const double> values) {
    const bool signed_infinity =
        options_.sign != PrintSign::negative ||
        std::any_of(values.begin(), values.end(), [](double v) { return std::isinf(v) && v < 0; });
    const int offset = right_ + 1;
    left_ =
        std::max({left_, static_cast<int>(options_.nanstr.size()) - offset,
                  static_cast<int>(options_.infstr.size()) + (signed_infinity ? 1 : 0) - offset});
  }

  DType dtype_;
  PrintOptions options_;
  Style style_;
  bool exponent_ = false;
  int exponent_size_ = 0;
  int left_ = 0;   ///< characters before the point
  int right_ = 0;  ///< and behind it
};

/// One column of integers.
class IntegerFormat {
 public:
  IntegerFormat(std::span<const double> values, PrintSign sign) : sign_(sign) {
    if (values.empty()) return;
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    if (sign_ == PrintSign::space && *least < 0) sign_ = PrintSign::negative;
    const int extra = *most >= 0 && sign_ != PrintSign::negative ? 1 : 0;
    width_ = std::max(static_cast<int>(fmt::format("{:.0f}", *most).size()) + extra,
                      static_cast<int>(fmt::format("{:.0f}", *least).size()));
  }

  std::string operator()(double value) const {
    std::string text = fmt::format("{:.0f}", value);
    if (value >= 0 && sign_ == PrintSign::always) text = "+" + text;
    return fmt::format("{:>{}}", text, width_);
  }

 private:
  PrintSign sign_;
  int width_ = 0;
};

}  // namespace

NumberFormat number_format(std::span<const double> values, DType dtype,
                           const PrintOptions& options) {
  if (dtype == boolean) return [](double value) { return value != 0 ? " True" : "False"; };
  if (is_float(dtype)) return FloatFormat(values, dtype, options);
  return IntegerFormat(values, options.sign);
}

std::string scalar_text(double value, DType dtype) {
  if (dtype == boolean) return value != 0 ? "True" : "False";
  if (!is_float(dtype)) return fmt::format("{:.0f}", value);
  if (!std::isfinite(value)) return not_finite(value, {});
  const double size = std::fabs(value);
  if (size == 0 || (size < 1e16 && size >= 1e-4)) {
    const Parts parts = positional(value, dtype, {.trim = Trim::leave_one});
    return parts.whole + "." + parts.fraction;
  }
  const Parts parts = scientific(value, dtype, {.trim = Trim::point});
  const std::string point = parts.fraction.empty() ? "" : ".";
  return parts.whole + point + parts.fraction + "e" + parts.exponent;
}

}  // namespace trigon

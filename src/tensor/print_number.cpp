// SPDX-License-Identifier: MIT
#include "tensor/print_number.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "core/half.hpp"

// Follows NumPy's arrayprint.py (FloatingFormat, IntegerFormat, BoolFormat) and its dragon4.c.

namespace trigon::detail::tensor {
namespace {

constexpr int unlimited = std::numeric_limits<int>::max();

/// Treatment of trailing zeros: keep them, drop them, leave one, or drop them with the point.
enum class Trim : std::uint8_t { keep, zeros, leave_one, point };

double rounded(double value, DType dtype) {
  const auto single = static_cast<float>(value);
  return dtype == float16 ? core::half_to_float(core::float_to_half(single)) : single;
}

/// Digits and the position of the point: d[0].d[1]d[2]... times 10^exponent.
struct Decimal {
  std::string digits;
  int exponent;
};

// Exact decimal text of a number. The places suffice for 2^128 and for 2^-150, the midpoint below
// the least float32.
constexpr int whole_places = 39;
constexpr int fraction_places = 150;

std::string all_digits(double value) {
  std::array<char, 256> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::fixed, fraction_places);
  std::string text(buffer.data(), end.ptr);
  std::erase(text, '.');
  return std::string(whole_places + fraction_places - text.size(), '0') + text;
}

/// A number, and the interval of numbers that its dtype rounds to it.
struct Interval {
  std::string value, low, high;  ///< all digits of each
  bool is_closed;                ///< whether the ends also round to it

  Interval(double number, DType dtype) : value(all_digits(number)) {
    const int digits = dtype == float16 ? 11 : 24;  // of the significand
    const int least = dtype == float16 ? -24 : -149;
    const int last = std::max(std::ilogb(number) - (digits - 1), least);  // bit of the significand
    const double significand = std::ldexp(number, -last);
    // Below a power of two the spacing of numbers is half as large.
    const bool is_power = significand == std::ldexp(1.0, digits - 1) && last > least;
    low = all_digits(number - std::ldexp(1.0, last - (is_power ? 2 : 1)));
    high = all_digits(number + std::ldexp(1.0, last - 1));
    is_closed = std::fmod(significand, 2) == 0;
  }
};

/// Adds one to the last digit.
void increment(std::string& digits) {
  auto at = digits.rbegin();
  for (; *at == '9'; ++at) *at = '0';
  ++*at;
}

/// Compares the digits after the point with 0.5.
int compare_with_half(const std::string& digits) {
  if (digits.empty()) return -1;
  return digits.compare('5' + std::string(digits.size() - 1, '0'));
}

struct Style {
  int precision = unlimited;  ///< most decimals
  int least = -unlimited;     ///< fewest decimals; the ones count as 0, the tens as -1
  bool unique = true;         ///< only the digits that identify the number, or `least`
  Trim trim = Trim::zeros;
  bool plus = false;
};

/// The digits of `number`, which is not negative: the fewest that round back to it in the dtype,
/// then its further exact digits. `style` counts decimals, or, if `is_scientific`, digits after the
/// first. Source: R. Juckett, "Printing Floating-Point Numbers", part 4, as NumPy's dragon4.c.
Decimal digits_of(double number, DType dtype, const Style& style, bool is_scientific) {
  if (number == 0) return {"0", 0};
  const Interval x(number, dtype);
  const std::size_t size = x.value.size();
  const std::size_t leading = x.value.find_first_not_of('0');
  const auto origin = is_scientific ? static_cast<int>(leading) : whole_places - 1;
  const int last = style.precision < fraction_places ? origin + style.precision : unlimited;
  const std::size_t first = std::min(leading, static_cast<std::size_t>(last));
  for (std::size_t at = first;; ++at) {
    std::string down = x.value.substr(0, at + 1), up = down;
    increment(up);
    down.resize(size, '0');
    up.resize(size, '0');
    const bool low = style.unique && (x.is_closed ? down >= x.low : down > x.low);
    const bool high = style.unique && (x.is_closed ? up <= x.high : up < x.high);
    const auto place = static_cast<int>(at);
    const bool is_enough = (low || high) && place - origin >= style.least;
    if (!is_enough && place < last && at + 1 < size) continue;
    const int half = compare_with_half(x.value.substr(at + 1));
    const bool is_even = (x.value[at] - '0') % 2 == 0;
    const bool is_down = low != high ? low : half < 0 || (half == 0 && is_even);
    const std::string& chosen = is_down ? down : up;
    const std::size_t begin = std::min(chosen.find_first_not_of('0'), at);
    const std::size_t end = std::max(chosen.find_last_not_of('0') + 1, begin + 1);
    return {chosen.substr(begin, end - begin), whole_places - 1 - static_cast<int>(begin)};
  }
}

struct Written {
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

std::string sign_of(double value, bool plus) { return std::signbit(value) ? "-" : plus ? "+" : ""; }

Written positional(double value, DType dtype, const Style& style) {
  const Decimal d = digits_of(std::fabs(value), dtype, style, false);
  Written written;
  if (d.exponent < 0) {
    written.whole = "0";
    written.fraction = std::string(static_cast<std::size_t>(-1 - d.exponent), '0') + d.digits;
  } else {
    const std::size_t whole = static_cast<std::size_t>(d.exponent) + 1;
    written.whole = d.digits.substr(0, whole);
    written.whole.resize(whole, '0');
    if (d.digits.size() > whole) written.fraction = d.digits.substr(whole);
  }
  written.whole = sign_of(value, style.plus) + written.whole;
  trim(written.fraction, style.trim, style.least);
  return written;
}

Written scientific(double value, DType dtype, const Style& style) {
  const Decimal d = digits_of(std::fabs(value), dtype, style, true);
  Written written{.whole = sign_of(value, style.plus) + d.digits[0],
                  .fraction = d.digits.substr(1),
                  .exponent = fmt::format("{:+03d}", d.exponent)};
  trim(written.fraction, style.trim, style.least);
  return written;
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
    const Written written =
        exponent_ ? scientific(value, dtype_, style_) : positional(value, dtype_, style_);
    if (exponent_)
      return fmt::format("{:>{}}.{}e{}", written.whole, left_, written.fraction, power(written));
    return fmt::format("{:>{}}.{:<{}}", written.whole, left_, written.fraction, right_);
  }

 private:
  std::string power(const Written& written) const {
    const std::string& text = written.exponent;
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
    style_.unique = !fixed;
    if (fixed) {
      style_.trim = Trim::keep;
      style_.least = options_.precision;
    }
    int decimals = 0;
    bool negative = false;
    for (const double value : finite) {
      const Written written =
          exponent_ ? scientific(value, dtype_, style_) : positional(value, dtype_, style_);
      left_ = std::max(left_, static_cast<int>(written.whole.size()));
      decimals = std::max(decimals, static_cast<int>(written.fraction.size()));
      exponent_size_ = std::max(exponent_size_, static_cast<int>(written.exponent.size()) - 1);
      negative = negative || std::signbit(value);
    }
    right_ = exponent_ ? exponent_size_ + 2 + decimals : decimals;
    if (exponent_ || fixed || options_.floatmode == FloatMode::equal) {
      style_.trim = Trim::keep;
      style_.precision = style_.least = decimals;
    } else {
      style_.least = 0;
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
  int right_ = 0;  ///< characters after it
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
    const Written written = positional(value, dtype, {.trim = Trim::leave_one});
    return written.whole + "." + written.fraction;
  }
  const Written written = scientific(value, dtype, {.trim = Trim::point});
  const std::string point = written.fraction.empty() ? "" : ".";
  return written.whole + point + written.fraction + "e" + written.exponent;
}

}  // namespace trigon::detail::tensor

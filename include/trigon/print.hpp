// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <iosfwd>
#include <string>

#include <trigon/detail/shape_class.hpp>
#include <trigon/dtype.hpp>
#include <trigon/tensor.hpp>

// Tensors as text, as str() of NumPy 2 writes them. <trigon/fmt.hpp> prints them with fmt.

namespace trigon {

/// Signs of elements: only for negative numbers, for all, or a space in front of the others.
enum class PrintSign : std::uint8_t { negative, always, space };

/// How many decimals floats get. `shortest`: as many as each needs, at most `precision`; `equal`:
/// as `shortest`, but equally many for all; `fixed`: exactly `precision`; `unique`: as many as each
/// needs. NumPy's maxprec, maxprec_equal, fixed and unique.
enum class FloatMode : std::uint8_t { shortest, equal, fixed, unique };

/// NumPy's print options, with its defaults.
struct PrintOptions {
  int precision = 8;              ///< decimals of a float
  std::int64_t threshold = 1000;  ///< arrays of more elements are summarised
  std::int64_t edgeitems = 3;     ///< elements at each end of an axis of a summary
  int linewidth = 75;             ///< characters of a line
  bool suppress = false;          ///< small floats are written without an exponent
  std::string nanstr = "nan";
  std::string infstr = "inf";
  PrintSign sign = PrintSign::negative;
  FloatMode floatmode = FloatMode::shortest;
};

/// Sets the options of `<<`, `to_string` and fmt for all threads. Raises Error for a negative
/// precision, threshold, edgeitems or linewidth.
void set_print_options(const PrintOptions& options);
/// The present options: `auto options = print_options(); options.precision = 3;`.
[[nodiscard]] PrintOptions print_options();

namespace detail {
std::string text_of(const Tensor& x, const PrintOptions& options);
std::ostream& print(std::ostream& stream, const Shape& shape);
}  // namespace detail

/// The elements as NumPy's str() writes them, a row on each line. Evaluates and waits. Only the
/// elements that are printed are read back. Raises DeviceError as eval().
template <std::derived_from<Tensor> T>
[[nodiscard]] std::string to_string(const T& x, const PrintOptions& options = print_options()) {
  return detail::text_of(x, options);
}
/// NumPy's name: "float32".
[[nodiscard]] std::string to_string(DType dtype);

/// Writes to_string(x). Raises as it.
std::ostream& operator<<(std::ostream& stream, const Tensor& x);
/// Writes "(2, 3)".
template <std::same_as<Shape> S>  // not for types that convert to Shape
std::ostream& operator<<(std::ostream& stream, const S& shape) {
  return detail::print(stream, shape);
}
/// Writes NumPy's name.
std::ostream& operator<<(std::ostream& stream, DType dtype);

}  // namespace trigon

// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <initializer_list>

#include <trigon/detail/tensor_class.hpp>

// Elementwise operators with NumPy's broadcasting and dtypes. Those of two tensors raise Error when
// the shapes do not broadcast.

namespace trigon {

/// add(a, b): a plus b. Raises Error when the shapes do not broadcast.
[[nodiscard]] Tensor operator+(const Tensor& a, const Tensor& b);
/// subtract(a, b): a minus b. Raises Error when the shapes do not broadcast.
[[nodiscard]] Tensor operator-(const Tensor& a, const Tensor& b);
/// multiply(a, b): a times b. Raises Error when the shapes do not broadcast.
[[nodiscard]] Tensor operator*(const Tensor& a, const Tensor& b);
/// divide(a, b): a divided by b, as float32. Raises Error when the shapes do not broadcast.
[[nodiscard]] Tensor operator/(const Tensor& a, const Tensor& b);
/// remainder(a, b): Python's %, with the sign of b. Raises Error when the shapes do not broadcast.
[[nodiscard]] Tensor operator%(const Tensor& a, const Tensor& b);
/// negative(x): 0 - x.
[[nodiscard]] Tensor operator-(const Tensor& x);
/// equal(a, b), as bool. Raises Error when the shapes do not broadcast.
[[nodiscard]] Tensor operator==(const Tensor& a, const Tensor& b);
/// not_equal(a, b), as bool. Raises Error when the shapes do not broadcast.
[[nodiscard]] Tensor operator!=(const Tensor& a, const Tensor& b);
/// less(a, b), as bool. Raises Error when the shapes do not broadcast.
[[nodiscard]] Tensor operator<(const Tensor& a, const Tensor& b);
/// less_equal(a, b), as bool. Raises Error when the shapes do not broadcast.
[[nodiscard]] Tensor operator<=(const Tensor& a, const Tensor& b);
/// greater(a, b), as bool. Raises Error when the shapes do not broadcast.
[[nodiscard]] Tensor operator>(const Tensor& a, const Tensor& b);
/// greater_equal(a, b), as bool. Raises Error when the shapes do not broadcast.
[[nodiscard]] Tensor operator>=(const Tensor& a, const Tensor& b);

// Logic of truth values, which are `x != 0`. Both sides are always computed: no short-circuiting.

/// logical_and(a, b), as bool. Raises Error when the shapes do not broadcast.
[[nodiscard]] Tensor operator&&(const Tensor& a, const Tensor& b);
/// logical_or(a, b), as bool. Raises Error when the shapes do not broadcast.
[[nodiscard]] Tensor operator||(const Tensor& a, const Tensor& b);
// Overloads for numbers: otherwise the built-in operators on bools would match equally well.
template <HostScalar T>
[[nodiscard]] Tensor operator&&(const Tensor& a, T b) {
  return a && Tensor(b);
}
template <HostScalar T>
[[nodiscard]] Tensor operator&&(T a, const Tensor& b) {
  return Tensor(a) && b;
}
template <HostScalar T>
[[nodiscard]] Tensor operator||(const Tensor& a, T b) {
  return a || Tensor(b);
}
template <HostScalar T>
[[nodiscard]] Tensor operator||(T a, const Tensor& b) {
  return Tensor(a) || b;
}
/// logical_not(x), as bool.
[[nodiscard]] Tensor operator!(const Tensor& x);

// Bits of integers, and logic of bools. C++ binds `&`, `|` and `^` weaker than comparisons, Python
// stronger: `x & 1 == 0` is `x & (1 == 0)` here, and does not compile.

/// bitwise_and(a, b). Raises Error for floats, and when the shapes do not broadcast.
[[nodiscard]] Tensor operator&(const Tensor& a, const Tensor& b);
/// bitwise_or(a, b). Raises Error for floats, and when the shapes do not broadcast.
[[nodiscard]] Tensor operator|(const Tensor& a, const Tensor& b);
/// bitwise_xor(a, b). Raises Error for floats, and when the shapes do not broadcast.
[[nodiscard]] Tensor operator^(const Tensor& a, const Tensor& b);
/// bitwise_not(x). Raises Error for floats.
[[nodiscard]] Tensor operator~(const Tensor& x);
/// left_shift(a, b). Raises Error for floats, and when the shapes do not broadcast.
[[nodiscard]] Tensor operator<<(const Tensor& a, const Tensor& b);
/// right_shift(a, b). Raises Error for floats, and when the shapes do not broadcast.
[[nodiscard]] Tensor operator>>(const Tensor& a, const Tensor& b);

#define TRIGON_BITS_OPERATOR_(OP)                                           \
  template <std::same_as<bool> B>                                           \
  Tensor operator OP(const Tensor&, B) {                                    \
    static_assert(detail::never<B>,                                         \
                  "trigon: comparisons bind more tightly than &, | and ^; " \
                  "write (x & 1) == 0 with parentheses");                   \
    return {};                                                              \
  }                                                                         \
  template <std::same_as<bool> B>                                           \
  Tensor operator OP(B, const Tensor&) {                                    \
    static_assert(detail::never<B>,                                         \
                  "trigon: comparisons bind more tightly than &, | and ^; " \
                  "write 0 == (x & 1) with parentheses");                   \
    return {};                                                              \
  }
TRIGON_BITS_OPERATOR_(&)
TRIGON_BITS_OPERATOR_(|)
TRIGON_BITS_OPERATOR_(^)
#undef TRIGON_BITS_OPERATOR_

// `a += b` is `a = a + b`, a new tensor: a may be broadcast to b's shape, and other handles keep
// their value. It raises as a + b. The same holds for -=, *=, /=, %=, &=, |=, ^=, <<= and >>=. They
// do not compile for a temporary.
#define TRIGON_UPDATE_TEMPORARY_                                                            \
  "trigon: this would change a temporary, and nothing else; write x(0) = v and x(0) += v, " \
  "not x[0] = v and x[0] += v, where x is a variable and not const"
#define TRIGON_UPDATE_OPERATOR_(OP)                                                \
  inline Tensor& operator OP##=(Tensor& a, const Tensor& b) { return a = a OP b; } \
  template <std::same_as<Tensor> T, class V>                                       \
  void operator OP##=(T&&, const V&) {                                             \
    static_assert(detail::never<V>, TRIGON_UPDATE_TEMPORARY_);                     \
  }                                                                                \
  template <std::same_as<Tensor> T>                                                \
  void operator OP##=(T&&, std::initializer_list<detail::Nested>) {                \
    static_assert(detail::never<T>, TRIGON_UPDATE_TEMPORARY_);                     \
  }
TRIGON_UPDATE_OPERATOR_(+)
TRIGON_UPDATE_OPERATOR_(-)
TRIGON_UPDATE_OPERATOR_(*)
TRIGON_UPDATE_OPERATOR_(/)
TRIGON_UPDATE_OPERATOR_(%)
TRIGON_UPDATE_OPERATOR_(&)
TRIGON_UPDATE_OPERATOR_(|)
TRIGON_UPDATE_OPERATOR_(^)
TRIGON_UPDATE_OPERATOR_(<<)
TRIGON_UPDATE_OPERATOR_(>>)
#undef TRIGON_UPDATE_OPERATOR_
#undef TRIGON_UPDATE_TEMPORARY_

}  // namespace trigon

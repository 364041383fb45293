// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <span>

#include <trigon/detail/tensor_class.hpp>
#include <trigon/dtype.hpp>
#include <trigon/scalar.hpp>

// The array API's functions of dtypes: finfo, iinfo, can_cast and result_type.

namespace trigon {

/// The numbers that describe a dtype of floats; NumPy's finfo has the same fields.
struct FloatInfo {
  DType dtype;
  int bits;                   ///< of one element
  int precision;              ///< decimal digits that survive
  double eps;                 ///< from 1 to the next number
  double epsneg;              ///< from 1 to the number before it
  double max;                 ///< largest finite number
  double min;                 ///< least finite number, -max
  double smallest_normal;     ///< least positive number of full precision
  double tiny;                ///< smallest_normal
  double smallest_subnormal;  ///< least positive number; devices may compute it as 0
  double resolution;          ///< 10^-precision
};

/// The numbers that describe a dtype of integers; NumPy's iinfo has the same fields.
struct IntegerInfo {
  DType dtype;
  int bits;  ///< of one element
  std::int64_t min;
  std::int64_t max;
};

/// The limits of float32 or float16. Raises Error for another dtype.
///
///   finfo(float32).eps;  // 2^-23
[[nodiscard]] FloatInfo finfo(DType dtype);

/// The limits of int32, uint32 or uint8. Raises Error for another dtype.
///
///   iinfo(uint8).max;  // 255
[[nodiscard]] IntegerInfo iinfo(DType dtype);

/// Whether `to` holds every value of `from`: NumPy's "safe" casts, and those of the array API where
/// it defines them. So uint8 casts to float16, and int32 casts to no other dtype.
[[nodiscard]] bool can_cast(DType from, DType to);
namespace detail {
bool can_cast(const Tensor& from, DType to);
}
/// Raises Error for an empty handle.
template <std::derived_from<Tensor> T>
[[nodiscard]] bool can_cast(const T& from, DType to) {
  return detail::can_cast(from, to);
}

namespace detail {

/// The dtype of an operand; weak for a host number.
struct TypeOperand {
  TypeOperand(DType d) : dtype(d) {}
  TypeOperand(const Tensor& x);
  TypeOperand(const Scalar& x) : TypeOperand(x.tensor()) {}
  template <HostScalar T>
  TypeOperand(T number) : TypeOperand(Tensor(number)) {}

  DType dtype;
  bool is_weak = false;
};

DType result_type(std::span<const TypeOperand> operands);

}  // namespace detail

/// The dtype in which these operands are computed, as in promote(): the highest of bool < uint8 <
/// uint32 < int32 < float32, with float16 as float32. A host number only counts if its kind is
/// higher than those of all dtypes and tensors: bool < integers < floats.
///
/// operands: DTypes, tensors, Scalars and numbers, at least one. Without dtypes and tensors the
/// result is bool, int32 or float32. Raises Error for an empty handle.
///
///   result_type(uint8, 3);       // uint8
///   result_type(x, 0.5, int32);  // float32
template <std::convertible_to<detail::TypeOperand>... T>
  requires(sizeof...(T) > 0)
[[nodiscard]] DType result_type(const T&... operands) {
  const detail::TypeOperand list[] = {operands...};
  return detail::result_type(list);
}

}  // namespace trigon

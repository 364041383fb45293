// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <span>

#include <trigon/detail/tensor_class.hpp>
#include <trigon/dtype.hpp>
#include <trigon/scalar.hpp>

// The functions of dtypes that the array API has: finfo, iinfo, can_cast and result_type.

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

/// What float32 or float16 can hold. Raises Error for another dtype.
///
///   finfo(float32).eps;  // 2^-23
[[nodiscard]] FloatInfo finfo(DType dtype);

/// What int32, uint32 or uint8 can hold. Raises Error for another dtype.
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

/// A dtype; one that is weak is that of a host number.
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

/// The dtype in which operands of these dtypes are computed, as promote() says: that of the highest
/// of bool < uint8 < uint32 < int32 < float32, with float16 as float32. A number of the host counts
/// only where it is of a higher kind than all dtypes and tensors: bool < integers < floats.
///
/// operands: DTypes, tensors, Scalars and numbers, at least one. Numbers alone give bool, int32 or
/// float32. Raises Error for an empty handle.
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

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <type_traits>

#include <trigon/detail/tensor_class.hpp>

namespace trigon {

/// A number that changes from run to run: a position, a length, a rate, a random key. Changing a
/// Scalar reuses the plan; changing a plain number builds a new one. It is used as a tensor of
/// shape (): int32 if made from an integer type, otherwise float32.
///
/// `+`, `-`, `*`, `/`, `minimum` and `maximum` of Scalars and numbers are Scalars again, computed
/// on the host: int32 for two integers, otherwise float32; quotients are float32. `+=`, `-=`, `*=`
/// and `/=` change the variable. Raises Error outside the range of int32.
///
///   y = x.at(Window{Scalar(position), 4}).get() * Scalar(rate);
class Scalar {
 public:
  /// Raises Error for an integer that int32 cannot hold.
  template <HostScalar T>
  Scalar(T value) : Scalar(static_cast<double>(value), std::is_integral_v<T>) {}

  /// Raises Error while `compile` traces a function, if the number depends on its arguments.
  [[nodiscard]] double value() const;
  operator const Tensor&() const { return tensor_; }
  /// The number as a tensor of shape ().
  [[nodiscard]] const Tensor& tensor() const { return tensor_; }

  enum class Operation : std::uint8_t { add, subtract, multiply, divide, minimum, maximum };
  /// The operation on two numbers. Raises Error outside the range of int32.
  [[nodiscard]] static Scalar apply(Operation operation, const Scalar& a, const Scalar& b);

  [[nodiscard]] friend Scalar operator+(const Scalar& a, const Scalar& b) {
    return apply(Operation::add, a, b);
  }
  [[nodiscard]] friend Scalar operator-(const Scalar& a, const Scalar& b) {
    return apply(Operation::subtract, a, b);
  }
  [[nodiscard]] friend Scalar operator*(const Scalar& a, const Scalar& b) {
    return apply(Operation::multiply, a, b);
  }
  [[nodiscard]] friend Scalar operator/(const Scalar& a, const Scalar& b) {
    return apply(Operation::divide, a, b);
  }
  Scalar& operator+=(const Scalar& b) { return *this = *this + b; }
  Scalar& operator-=(const Scalar& b) { return *this = *this - b; }
  Scalar& operator*=(const Scalar& b) { return *this = *this * b; }
  Scalar& operator/=(const Scalar& b) { return *this = *this / b; }
  [[nodiscard]] friend Scalar operator-(const Scalar& a) {
    return apply(Operation::multiply, a, -1);
  }
  [[nodiscard]] friend Scalar minimum(const Scalar& a, const Scalar& b) {
    return apply(Operation::minimum, a, b);
  }
  [[nodiscard]] friend Scalar maximum(const Scalar& a, const Scalar& b) {
    return apply(Operation::maximum, a, b);
  }

 private:
  friend struct detail::Internals;
  explicit Scalar(detail::graph::NodePtr node);
  Scalar(double value, bool integral);

  double value_;
  Tensor tensor_;
};

}  // namespace trigon

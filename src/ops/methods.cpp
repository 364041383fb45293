// SPDX-License-Identifier: MIT
#include <cstdint>
#include <optional>
#include <vector>

#include "trigon/create.hpp"
#include "trigon/index.hpp"
#include "trigon/linalg.hpp"
#include "trigon/logic.hpp"
#include "trigon/math.hpp"
#include "trigon/reduce.hpp"
#include "trigon/shape.hpp"

// Functions as members of Tensor.

namespace trigon {

Tensor Tensor::all(const Axes& axes, bool keepdims) const {
  return trigon::all(*this, axes, keepdims);
}
Tensor Tensor::any(const Axes& axes, bool keepdims) const {
  return trigon::any(*this, axes, keepdims);
}
Tensor Tensor::max(const Axes& axes, bool keepdims) const {
  return trigon::max(*this, axes, keepdims);
}
Tensor Tensor::mean(const Axes& axes, bool keepdims) const {
  return trigon::mean(*this, axes, keepdims);
}
Tensor Tensor::min(const Axes& axes, bool keepdims) const {
  return trigon::min(*this, axes, keepdims);
}
Tensor Tensor::prod(const Axes& axes, bool keepdims) const {
  return trigon::prod(*this, axes, keepdims);
}
Tensor Tensor::sum(const Axes& axes, bool keepdims) const {
  return trigon::sum(*this, axes, keepdims);
}
Tensor Tensor::argmax(std::optional<int> axis, bool keepdims) const {
  return trigon::argmax(*this, axis, keepdims);
}
Tensor Tensor::argmin(std::optional<int> axis, bool keepdims) const {
  return trigon::argmin(*this, axis, keepdims);
}
Tensor Tensor::stddev(const Axes& axes, const VarOptions& options) const {
  return trigon::stddev(*this, axes, options);
}
Tensor Tensor::var(const Axes& axes, const VarOptions& options) const {
  return trigon::var(*this, axes, options);
}

Tensor Tensor::clip(const Tensor& low, const Tensor& high) const {
  return trigon::clip(*this, low, high);
}
Tensor Tensor::dot(const Tensor& other) const { return trigon::dot(*this, other); }
Tensor Tensor::take(const Tensor& indices, int axis) const {
  return trigon::take(*this, indices, axis);
}
std::vector<Tensor> Tensor::nonzero() const { return trigon::nonzero(*this); }

Tensor Tensor::diagonal(std::int64_t offset, const DiagonalOptions& options) const {
  return trigon::diagonal(*this, offset, options);
}
Tensor Tensor::trace(std::int64_t offset, const DiagonalOptions& options) const {
  return trigon::trace(*this, offset, options);
}
Tensor Tensor::flatten() const { return trigon::ravel(*this); }
Tensor Tensor::ravel() const { return trigon::ravel(*this); }
Tensor Tensor::squeeze(const Axes& axes) const { return trigon::squeeze(*this, axes); }
Tensor Tensor::swapaxes(int a, int b) const { return trigon::swapaxes(*this, a, b); }

Tensor Tensor::abs() const { return trigon::abs(*this); }
Tensor Tensor::arccos() const { return trigon::arccos(*this); }
Tensor Tensor::arccosh() const { return trigon::arccosh(*this); }
Tensor Tensor::arcsin() const { return trigon::arcsin(*this); }
Tensor Tensor::arcsinh() const { return trigon::arcsinh(*this); }
Tensor Tensor::arctan() const { return trigon::arctan(*this); }
Tensor Tensor::arctanh() const { return trigon::arctanh(*this); }
Tensor Tensor::bitwise_not() const { return trigon::bitwise_not(*this); }
Tensor Tensor::ceil() const { return trigon::ceil(*this); }
Tensor Tensor::cos() const { return trigon::cos(*this); }
Tensor Tensor::cosh() const { return trigon::cosh(*this); }
Tensor Tensor::erf() const { return trigon::erf(*this); }
Tensor Tensor::erfinv() const { return trigon::erfinv(*this); }
Tensor Tensor::exp() const { return trigon::exp(*this); }
Tensor Tensor::exp2() const { return trigon::exp2(*this); }
Tensor Tensor::expm1() const { return trigon::expm1(*this); }
Tensor Tensor::floor() const { return trigon::floor(*this); }
Tensor Tensor::isfinite() const { return trigon::isfinite(*this); }
Tensor Tensor::isinf() const { return trigon::isinf(*this); }
Tensor Tensor::isnan() const { return trigon::isnan(*this); }
Tensor Tensor::log() const { return trigon::log(*this); }
Tensor Tensor::log10() const { return trigon::log10(*this); }
Tensor Tensor::log1p() const { return trigon::log1p(*this); }
Tensor Tensor::log2() const { return trigon::log2(*this); }
Tensor Tensor::logical_not() const { return trigon::logical_not(*this); }
Tensor Tensor::negative() const { return trigon::negative(*this); }
Tensor Tensor::reciprocal() const { return trigon::reciprocal(*this); }
Tensor Tensor::relu() const { return trigon::relu(*this); }
Tensor Tensor::round() const { return trigon::round(*this); }
Tensor Tensor::rsqrt() const { return trigon::rsqrt(*this); }
Tensor Tensor::sigmoid() const { return trigon::sigmoid(*this); }
Tensor Tensor::sign() const { return trigon::sign(*this); }
Tensor Tensor::signbit() const { return trigon::signbit(*this); }
Tensor Tensor::sin() const { return trigon::sin(*this); }
Tensor Tensor::sinh() const { return trigon::sinh(*this); }
Tensor Tensor::sqrt() const { return trigon::sqrt(*this); }
Tensor Tensor::square() const { return trigon::square(*this); }
Tensor Tensor::tan() const { return trigon::tan(*this); }
Tensor Tensor::tanh() const { return trigon::tanh(*this); }
Tensor Tensor::trunc() const { return trigon::trunc(*this); }

}  // namespace trigon

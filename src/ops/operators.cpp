// SPDX-License-Identifier: MIT
#include "trigon/operators.hpp"
#include "graph/check.hpp"
#include "graph/named.hpp"

#include <cstdint>

#include "trigon/logic.hpp"
#include "trigon/math.hpp"

namespace trigon {

Tensor operator+(const Tensor& a, const Tensor& b) { return add(a, b); }
Tensor operator-(const Tensor& a, const Tensor& b) { return subtract(a, b); }
Tensor operator*(const Tensor& a, const Tensor& b) { return multiply(a, b); }
Tensor operator/(const Tensor& a, const Tensor& b) { return divide(a, b); }
Tensor operator%(const Tensor& a, const Tensor& b) { return remainder(a, b); }
Tensor operator-(const Tensor& x) { return negative(x); }
Tensor operator&&(const Tensor& a, const Tensor& b) { return logical_and(a, b); }
Tensor operator||(const Tensor& a, const Tensor& b) { return logical_or(a, b); }
Tensor operator!(const Tensor& x) { return logical_not(x); }
Tensor operator&(const Tensor& a, const Tensor& b) { return bitwise_and(a, b); }
Tensor operator|(const Tensor& a, const Tensor& b) { return bitwise_or(a, b); }
Tensor operator^(const Tensor& a, const Tensor& b) { return bitwise_xor(a, b); }
Tensor operator~(const Tensor& x) { return bitwise_not(x); }
Tensor operator<<(const Tensor& a, const Tensor& b) { return left_shift(a, b); }
Tensor operator>>(const Tensor& a, const Tensor& b) { return right_shift(a, b); }
Tensor operator==(const Tensor& a, const Tensor& b) { return equal(a, b); }
Tensor operator!=(const Tensor& a, const Tensor& b) { return not_equal(a, b); }
Tensor operator<(const Tensor& a, const Tensor& b) { return less(a, b); }
Tensor operator<=(const Tensor& a, const Tensor& b) { return less_equal(a, b); }
Tensor operator>(const Tensor& a, const Tensor& b) { return greater(a, b); }
Tensor operator>=(const Tensor& a, const Tensor& b) { return greater_equal(a, b); }

Tensor bitwise_not(const Tensor& x) {
  const graph::Named named("bitwise_not", {{"x", x}});
  const DTypeInfo& type = info(x.dtype());
  if (x.dtype() == boolean) return logical_not(x);
  if (!is_integer(x.dtype())) {
    graph::fail("operand must be an integer: x is {}; cast with astype", type.name);
  }
  return bitwise_xor(x, type.lowest < 0 ? -1 : static_cast<std::int64_t>(type.highest));
}

}  // namespace trigon

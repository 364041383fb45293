// SPDX-License-Identifier: MIT
#include "trigon/dtype.hpp"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "core/called.hpp"
#include "trigon/result_type.hpp"

namespace trigon {
namespace {

int bits_of(DType dtype) { return 8 * static_cast<int>(size_of(dtype)); }

}  // namespace

FloatInfo finfo(DType dtype) {
  if (!is_float(dtype)) {
    core::fail_in("finfo", "not a dtype of floats: {}; must be float32 or float16", name(dtype));
  }
  const DTypeInfo& row = info(dtype);
  const int precision = static_cast<int>(row.digits * std::numbers::ln2 / std::numbers::ln10);
  const double smallest = std::ldexp(1.0, row.least_exponent);
  return {.dtype = dtype,
          .bits = bits_of(dtype),
          .precision = precision,
          .eps = std::ldexp(1.0, -row.digits),
          .epsneg = std::ldexp(1.0, -row.digits - 1),
          .max = row.highest,
          .min = row.lowest,
          .smallest_normal = smallest,
          .tiny = smallest,
          .smallest_subnormal = std::ldexp(smallest, -row.digits),
          .resolution = std::pow(10.0, -precision)};
}

IntegerInfo iinfo(DType dtype) {
  if (!is_integer(dtype)) {
    core::fail_in("iinfo", "not a dtype of integers: {}; must be int32, uint32 or uint8",
                  name(dtype));
  }
  return {.dtype = dtype,
          .bits = bits_of(dtype),
          .min = static_cast<std::int64_t>(info(dtype).lowest),
          .max = static_cast<std::int64_t>(info(dtype).highest)};
}

bool can_cast(DType from, DType to) {
  const DTypeInfo& a = info(from);
  const DTypeInfo& b = info(to);
  if (a.kind > b.kind) return false;
  if (is_float(to) && !is_float(from)) {
    const double exact = std::ldexp(1.0, b.digits + 1);  // up to here floats hold all integers
    return a.highest <= exact && a.lowest >= -exact;
  }
  return a.highest <= b.highest && a.lowest >= b.lowest;
}

}  // namespace trigon

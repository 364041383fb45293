// SPDX-License-Identifier: MIT
#include "graph/check.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/internals.hpp"
#include "core/list.hpp"
#include "graph/node.hpp"

namespace trigon::detail::graph {

int require_axis(std::int64_t axis, int rank) { return normalize_axis(axis, rank); }

std::vector<int> require_axes(std::span<const int> axes, int rank) {
  std::vector<int> result;
  for (const int axis : axes) {
    const int k = require_axis(axis, rank);
    if (core::contains(result, k)) {
      fail("axis given twice: axes are ({}); each may occur once", fmt::join(axes, ", "));
    }
    result.push_back(k);
  }
  return result;
}

Shape require_broadcast(const Shape& a, const Shape& b) {
  if (const auto shape = broadcast(a, b)) return *shape;
  fail("shapes do not broadcast: a is {}, b is {}; axes must be equal or 1, counted from the last",
       to_string(a), to_string(b));
}

void require_two_axes(const char* name, const Tensor& x) {
  if (x.ndim() >= 2) return;
  fail("too few axes: {} is {}; must have two or more", name, to_string(x.shape()));
}

void require_square(const char* name, const Tensor& x) {
  if (x.ndim() >= 2 && x.shape()[-1] == x.shape()[-2]) return;
  fail("not square: {} is {}; the last two axes must be equal", name, to_string(x.shape()));
}

void require_integers(const char* name, const Tensor& x) {
  if (is_integer(x.dtype())) return;
  fail("{} are not integers: dtype is {}; must be int32, uint32 or uint8", name,
       trigon::name(x.dtype()));
}

void check_result_count(const char* what, std::int64_t count) {
  constexpr std::int64_t most = 1 << 20;
  if (count > most) fail("too many {}: {}; must be at most {}", what, count, most);
}

Shape common_shape(std::initializer_list<Operand> operands) {
  Shape shape;
  for (const Operand& operand : operands) {
    if (const auto both = broadcast(shape, operand.x.shape())) {
      shape = *both;
      continue;
    }
    std::vector<std::string> shapes;
    for (const Operand& one : operands) {
      shapes.push_back(fmt::format("{} is {}", one.name, to_string(one.x.shape())));
    }
    fail("shapes do not broadcast: {}; axes must be equal or 1, counted from the last",
         fmt::join(shapes, ", "));
  }
  return shape;
}

void require_no_fractions(const Tensor& x, const Tensor& v) {
  if (!is_integer(x.dtype()) || !is_float(v.dtype())) return;
  const Node& node = *Internals::node(v);
  const bool is_number = node.weak && node.kind == Kind::constant;
  if (is_number && node.value == std::trunc(node.value)) return;
  fail("v is not an integer: x is {}, v is {}; cast x or v with astype", name(x.dtype()),
       is_number ? fmt::format("{}", node.value) : std::string(name(v.dtype())));
}

void check_floats(std::initializer_list<Operand> operands) {
  for (const Operand& operand : operands) {
    if (is_float(operand.x.dtype())) continue;
    fail("{} is not a float: it is {}; cast with astype", operand.name, name(operand.x.dtype()));
  }
}

}  // namespace trigon::detail::graph

// SPDX-License-Identifier: MIT
#include <string_view>

#include <trigon/extend.hpp>
#include <trigon/trigon.hpp>

// A shared object that declares ops: some of the library's, one that equals an op of host_tests,
// and a new one. Its symbols are hidden, so it shares none with the program.

namespace trigon {
namespace {

constexpr UnarySpec half = {
    .name = "intern_module",
    .glsl = "x * 0.5",
    .result = Result::floating,
    .ref = [](double x) { return x * 0.5; },
    .vjp = [](const Tensor& g, const Tensor&, const Tensor&) { return g * 0.5; },
    .domain = Range{-1, 1},
    .tolerance = Ulp{0},
};
const Op half_op(half);
const Op exp_op(find_op("exp")->unary());
const Op add_op(find_op("add")->binary());
const Op sum_op(find_op("sum")->reduce());

}  // namespace

/// Twice x, element-wise.
Tensor module_double(const Tensor& x);
TRIGON_UNARY(module_double) = {
    .name = "module_double",
    .glsl = "x * 2.0",
    .result = Result::floating,
    .ref = [](double x) { return x * 2; },
    .vjp = [](const Tensor& g, const Tensor&, const Tensor&) { return g * 2.0; },
    .domain = Range{-1, 1},
    .tolerance = Ulp{0},
};

}  // namespace trigon

/// The op as this object declares it, or a null pointer.
extern "C" __attribute__((visibility("default"))) const trigon::Op* op_in_module(const char* name) {
  using namespace trigon;
  for (const Op* op : {&exp_op, &add_op, &sum_op, &half_op, &module_double_op::op}) {
    if (op->name == name) return op;
  }
  return nullptr;
}

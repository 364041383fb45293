// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "core/called.hpp"
#include "core/internals.hpp"
#include "graph/build.hpp"
#include "graph/trace.hpp"
#include "trigon/tensor.hpp"

namespace trigon {
namespace {

using Code = graph::ScalarStep::Code;

Code code_of(Scalar::Operation operation) {
  switch (operation) {
    case Scalar::Operation::add: return Code::add;
    case Scalar::Operation::subtract: return Code::subtract;
    case Scalar::Operation::multiply: return Code::multiply;
    case Scalar::Operation::divide: return Code::divide;
    case Scalar::Operation::minimum: return Code::minimum;
    case Scalar::Operation::maximum: break;
  }
  return Code::maximum;
}

}  // namespace

Scalar::Scalar(graph::NodePtr node)
    : value_(node->value), tensor_(detail::Internals::tensor(std::move(node))) {}

Scalar::Scalar(double value, bool integral) : value_(value) {
  const DType dtype = integral ? DType::int32 : DType::float32;
  tensor_ = detail::Internals::tensor(
      graph::scalar(graph::compute(Code::number, dtype, value, 0), dtype));
}

double Scalar::value() const {
  if (graph::depends_on_arguments(*detail::Internals::node(tensor_))) {
    core::fail_in(
        "compile",
        "the value of a Scalar is asked for while the function is traced; it changes from call to "
        "call\n  hint: compute with the Scalar itself, or pass a plain number");
  }
  return value_;
}

Scalar Scalar::apply(Operation operation, const Scalar& a, const Scalar& b) {
  const graph::Node& x = *detail::Internals::node(a.tensor_);
  const graph::Node& y = *detail::Internals::node(b.tensor_);
  const bool integral =
      operation != Operation::divide && x.dtype == DType::int32 && y.dtype == DType::int32;
  const DType dtype = integral ? DType::int32 : DType::float32;
  const Code code = code_of(operation);
  const double value = graph::compute(code, dtype, x.value, y.value);
  if (!graph::depends_on_arguments(x) && !graph::depends_on_arguments(y)) {
    return Scalar(value, integral);
  }
  graph::Trace& trace = *graph::Trace::current();
  const std::int32_t first = trace.step_of(x);
  const std::int32_t second = trace.step_of(y);
  return Scalar(trace.add_step({.code = code, .dtype = dtype, .a = first, .b = second}, value));
}

}  // namespace trigon

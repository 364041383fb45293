// SPDX-License-Identifier: MIT
#include "graph/trace.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "core/called.hpp"
#include "core/item.hpp"
#include "graph/build.hpp"

namespace trigon::detail::graph {
namespace {

using Code = ScalarStep::Code;

std::atomic<std::uint64_t> next_trace{1};
thread_local Trace* current_trace = nullptr;
thread_local int inlining = 0;
constinit thread_local std::optional<LoopKind> loop_kind;

}  // namespace

double compute(Code code, DType dtype, double a, double b) {
  double value = a;
  switch (code) {
    case Code::add: value = a + b; break;
    case Code::subtract: value = a - b; break;
    case Code::multiply: value = a * b; break;
    case Code::divide: value = a / b; break;
    case Code::minimum: value = std::min(a, b); break;
    case Code::maximum: value = std::max(a, b); break;
    case Code::argument:
    case Code::number: break;
  }
  if (dtype == DType::float32) return static_cast<float>(value);
  if (!(value >= -2147483648.0 && value <= 2147483647.0)) {
    const core::Called called("Scalar");
    core::fail("integer out of range: {}; must be in [-2147483648, 2147483647]", value);
  }
  return value;
}

std::vector<double> ScalarProgram::run(std::span<const double> arguments) const {
  std::vector<double> values;
  values.reserve(steps.size());
  const auto at = [&](std::int32_t k) { return item(values, k); };
  for (const ScalarStep& step : steps) {
    switch (step.code) {
      case Code::argument:
        values.push_back(compute(step.code, step.dtype, item(arguments, step.a), 0));
        break;
      case Code::number: values.push_back(step.value); break;
      default: values.push_back(compute(step.code, step.dtype, at(step.a), at(step.b)));
    }
  }
  for (const RangeCheck& check : checks) {
    check.run(static_cast<std::int64_t>(at(check.scalar)));
  }
  return values;
}

Trace::Trace()
    : id_(next_trace.fetch_add(1, std::memory_order_relaxed)),
      first_id_(Node(Kind::constant, DType::float32, {}).id) {
  current_trace = this;
}

Trace::~Trace() { stop(); }

void Trace::stop() { current_trace = nullptr; }

Trace* Trace::current() { return current_trace; }

NodePtr Trace::add_argument(std::int32_t argument, double value, DType dtype) {
  return add_step({.code = Code::argument, .dtype = dtype, .a = argument}, value);
}

std::int32_t Trace::step_of(const Node& scalar) {
  if (scalar.trace == id_) return scalar.trace_step;
  program_.steps.push_back({.code = Code::number, .dtype = scalar.dtype, .value = scalar.value});
  return static_cast<std::int32_t>(program_.steps.size()) - 1;
}

NodePtr Trace::add_step(const ScalarStep& step, double value) {
  NodePtr node = scalar(value, step.dtype);
  node->trace = id_;
  node->trace_step = static_cast<std::int32_t>(program_.steps.size());
  program_.steps.push_back(step);
  return node;
}

bool depends_on_arguments(const Node& scalar) {
  return current_trace != nullptr && scalar.trace == current_trace->id();
}

void RangeCheck::run(std::int64_t value) const {
  if (value < low || value > high) core::fail_in(function, "{}", message(value));
}

void check_range(const Node& scalar, std::int64_t low, std::int64_t high, Message message) {
  RangeCheck check{scalar.trace_step, low, high, core::called_function(), std::move(message)};
  check.run(static_cast<std::int64_t>(scalar.value));
  if (depends_on_arguments(scalar)) current_trace->add_check(std::move(check));
}

void refuse_while_tracing(std::span<const NodePtr> nodes) {
  if (current_trace == nullptr) return;
  for (const NodePtr& node : nodes) {
    if (node->storage != nullptr || node->shape.numel() == 0) continue;
    const core::Called called("compile");
    core::fail(
        "a value is asked for while the function is traced: the tensor is {} {}; it has no value "
        "yet\n  hint: return it, and read the result",
        to_string(node->shape), name(node->dtype));
  }
}

InBody::InBody(LoopKind kind) : outer_(std::exchange(loop_kind, kind)) {}
InBody::~InBody() { loop_kind = outer_; }
std::optional<LoopKind> InBody::kind() { return loop_kind; }

Inlining::Inlining() { ++inlining; }
Inlining::~Inlining() { --inlining; }
bool Inlining::active() { return inlining > 0 || current_trace != nullptr; }

}  // namespace trigon::detail::graph

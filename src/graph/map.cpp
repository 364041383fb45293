// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/internals.hpp"
#include "core/item.hpp"
#include "entries/entries.hpp"
#include "graph/build.hpp"
#include "graph/check.hpp"
#include "graph/named.hpp"
#include "graph/trace.hpp"
#include "trigon/device.hpp"
#include "trigon/logic.hpp"
#include "trigon/math.hpp"
#include "trigon/result_type.hpp"

namespace trigon {
namespace detail::graph {
namespace {

// The common dtype of operands: host numbers yield unless they are of a higher kind.
class CommonDType {
 public:
  void add(DType dtype, bool is_weak) {
    if (is_weak) {
      weak_ = promote(weak_, dtype);
    } else {
      strong_ = promote(strong_.value_or(dtype), dtype);
    }
  }
  DType get() const {
    if (!strong_) return weak_;
    return info(weak_).kind > info(*strong_).kind ? weak_ : *strong_;
  }

 private:
  std::optional<DType> strong_;
  DType weak_ = DType::boolean;
};

DType common_dtype(std::span<const Tensor> operands) {
  CommonDType common;
  for (const Tensor& x : operands) common.add(x.dtype(), Internals::node(x)->weak);
  return common.get();
}

bool all_weak(std::span<const Tensor> operands) {
  return std::all_of(operands.begin(), operands.end(),
                     [](const Tensor& x) { return Internals::node(x)->weak; });
}

Shape common_shape(std::span<const Tensor> x) {
  if (x.size() == 1) return x[0].shape();
  if (x.size() == 2) return graph::common_shape({{"a", x[0]}, {"b", x[1]}});
  return graph::common_shape({{"a", x[0]}, {"b", x[1]}, {"c", x[2]}});
}

// The op on host numbers.
double number_of(const Op& op, std::span<const Tensor> x) {
  const auto value = [&](std::size_t k) { return Internals::node(x[k])->value; };
  switch (op.family) {
    case Family::unary: return op.unary().ref.get()(value(0));
    case Family::binary: return op.binary().ref.get()(value(0), value(1));
    default: return op.ternary().ref.get()(value(0), value(1), value(2));
  }
}

bool is_out_of_range(double value, DType dtype) {
  return is_integer(dtype) && !(value >= info(dtype).lowest && value <= info(dtype).highest);
}

// A comparison with a host number that the dtype cannot hold has the same result for all elements.
std::optional<Tensor> compared_by_value(const Op& op, std::span<const Tensor> operands) {
  if (!op.binary().is_comparison) return std::nullopt;
  const DType dtype = common_dtype(operands);
  const auto limit = [&](const Node& node) { return node.weak ? node.value : info(dtype).lowest; };
  const Node& a = *Internals::node(operands[0]);
  const Node& b = *Internals::node(operands[1]);
  const bool decides =
      (a.weak && is_out_of_range(a.value, dtype)) || (b.weak && is_out_of_range(b.value, dtype));
  if (!decides) return std::nullopt;
  const double answer = op.binary().ref.get()(limit(a), limit(b));
  if (all_weak(operands)) return Internals::tensor(weak_constant(answer, DType::boolean));
  return expand(constant(answer, DType::boolean), common_shape(operands));
}

// The number that all elements equal, if it is known while the graph is built.
NodePtr number_behind(const Tensor& x) {
  NodePtr node = below_broadcasts(Internals::node(x));
  return info(node->kind).is_one_number ? node : nullptr;
}

// NumPy's rule for negative exponents. The values of a tensor b are not known here.
void check_negative_b(const Op& op, std::span<const Tensor> operands) {
  if (op.binary().negative_b == nullptr || is_float(common_dtype(operands))) return;
  const NodePtr b = number_behind(operands[1]);
  if (b == nullptr || (b->kind != Kind::scalar && b->value >= 0)) return;
  const auto text = [wrong = op.binary().negative_b,
                     dtype = operands[0].dtype()](std::int64_t value) {
    return fmt::format("{}: a is {}, b is {}; cast a to float32 with astype", wrong, name(dtype),
                       value);
  };
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  check_range(*b, 0, most, text);
}

// Devices whose integers are floats hold them exactly up to a limit.
void check_exact(const Node& node) {
  if (node.device == nullptr) return;
  constexpr double always = 16'777'216;
  for (const NodePtr& input : node.inputs) {
    const Node* number = input.get();
    if (number->kind == Kind::broadcast && !number->inputs.empty()) {
      number = number->inputs[0].get();
    }
    if (!info(number->kind).is_one_number || !is_integer(number->dtype)) continue;
    const double size = std::abs(number->value);
    if (size <= always || size <= Internals::device(node.device).max_exact_integer()) continue;
    fail(
        "integer is not exact on the device: {:.0f}; profile webgl1 computes with floats, so "
        "integers must be in [-16777216, 16777216]",
        number->value);
  }
}

struct Rule {
  Result result;
  bool keeps_bool;
};

// Operands from `first` on are promoted to one dtype; those before keep theirs.
Tensor map(const Op& op, Rule rule, std::span<const Tensor> operands, std::size_t first = 0) {
  DType dtype = common_dtype(operands.subspan(first));
  if (rule.result == Result::floating) dtype = DType::float32;
  if (rule.result == Result::same && dtype == DType::boolean && !rule.keeps_bool) {
    dtype = DType::int32;
  }
  const Shape shape = common_shape(operands);
  std::vector<Tensor> inputs;  // made first: an input must have a smaller id than its reader
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const Tensor& x = operands[k];
    inputs.push_back(expand(k < first ? x : cast(x, dtype), shape));
  }
  if (rule.result == Result::boolean) dtype = DType::boolean;
  const bool weak = all_weak(operands);
  const double value = weak ? number_of(op, operands) : 0;
  if (weak && !is_float(dtype)) {
    // The result is a host number again, whatever its size. Floats may have a gradient.
    return Internals::tensor(weak_constant(std::isfinite(value) ? std::trunc(value) : 0, dtype));
  }
  const auto node = std::make_shared<Node>(Kind::map, dtype, shape);
  node->op = &op.canonical();
  node->weak = weak;
  node->value = value;
  for (const Tensor& input : inputs) add_input(*node, Internals::node(input));
  check_exact(*node);
  return Internals::tensor(node);
}

}  // namespace

std::vector<Tensor> kernel(const Op& op, std::span<const Tensor> inputs, const Shape& shape) {
  const KernelSpec& spec = op.kernel();
  const auto node = std::make_shared<Node>(spec.is_elementwise() ? Kind::map : Kind::kernel,
                                           spec.outputs[0].dtype, shape);
  node->op = &op.canonical();
  node->attrs = core::ApplyAttrs{};
  for (const Tensor& input : inputs) add_input(*node, Internals::node(input));
  if (!has_outputs(*node)) return {Internals::tensor(node)};
  std::vector<Tensor> outputs;
  for (const KernelSpec::Parameter& parameter : spec.outputs) {
    outputs.push_back(Internals::tensor(
        output(node, {static_cast<std::int32_t>(outputs.size())}, parameter.dtype, shape)));
  }
  return outputs;
}

double round_to_half(double x) {
  if (!std::isfinite(x) || x == 0) return x;
  int exponent = 0;
  std::frexp(x, &exponent);
  // 11 significant bits; below 2^-14 the spacing stays 2^-24.
  const double unit = std::ldexp(1.0, std::max(exponent - 11, -24));
  const double rounded = std::nearbyint(x / unit) * unit;
  if (std::abs(rounded) > 65504) return std::copysign(std::numeric_limits<double>::infinity(), x);
  return rounded;
}

const char* integers_text(double largest) {
  return largest <= 16'777'216 ? "profile webgl1 computes with floats"
                               : "the device has integers of 32 bits";
}

namespace {

std::string_view function_of(const Node& node) {
  if (node.rules != nullptr) return node.rules->name;
  return node.op != nullptr ? node.op->name : info(node.kind).function;
}

}  // namespace

void check_number(const Node& node) {
  if (node.kind != Kind::constant || !node.weak || !is_integer(node.dtype)) return;
  const DTypeInfo& limits = info(node.dtype);
  if (node.value >= limits.lowest && node.value <= limits.highest) return;
  fail(
      "integer out of range: value is {:.0f}; on its own a number is {}, which holds integers in "
      "[{:.0f}, {:.0f}]\n  hint: cast with astype",
      node.value, name(node.dtype), limits.lowest, limits.highest);
}

void add_input(Node& node, const NodePtr& input) {
  const core::Called called(function_of(node).data());
  check_number(*input);
  if (input->device != nullptr) {
    if (node.device != nullptr && node.device != input->device) {
      refuse_device(fmt::format("operand {}", node.inputs.size()), "those before it are");
    }
    node.device = input->device;
  }
  node.inputs.push_back(input);
}

NodePtr make(Kind kind, DType dtype, const Shape& shape, std::initializer_list<NodePtr> inputs) {
  auto node = std::make_shared<Node>(kind, dtype, shape);
  for (const NodePtr& input : inputs) add_input(*node, input);
  return node;
}

Tensor cast(const Tensor& x, DType dtype) {
  const Node& node = *Internals::node(x);
  if (node.weak && is_out_of_range(std::trunc(node.value), dtype)) {
    const DTypeInfo& limits = info(dtype);
    fail("number out of range: {} as {}; must be in [{}, {}]", node.value, name(dtype),
         limits.lowest, limits.highest);
  }
  if (node.weak && node.kind == Kind::constant) return constant(node.value, dtype);
  if (node.dtype == dtype) return x;
  return Internals::tensor(make(Kind::cast, dtype, node.shape, {Internals::node(x)}));
}

Tensor constant(double value, DType dtype) {
  const auto node = std::make_shared<Node>(Kind::constant, dtype, Shape{});
  if (dtype == DType::boolean) value = value != 0 ? 1 : 0;
  if (dtype == DType::float32) value = static_cast<float>(value);
  if (dtype == DType::float16) value = round_to_half(value);
  node->value = is_integer(dtype) ? std::trunc(value) : value;
  return Internals::tensor(node);
}

NodePtr weak_constant(double value, DType dtype) {
  const auto node = std::make_shared<Node>(Kind::constant, dtype, Shape{});
  node->value = value;
  node->weak = true;
  return node;
}

NodePtr scalar(double value, DType dtype) {
  const auto node = std::make_shared<Node>(Kind::scalar, dtype, Shape{});
  node->value = dtype == DType::float32 ? static_cast<float>(value) : value;
  return node;
}

namespace {

DType dtype_of_operand(const Tensor& x) {
  const Named named("result_type", {{"an operand", x}});
  return x.dtype();
}

}  // namespace

}  // namespace detail::graph

namespace detail {

bool can_cast(const Tensor& from, DType to) {
  const graph::Named named("can_cast", {{"from", from}});
  return trigon::can_cast(from.dtype(), to);
}

TypeOperand::TypeOperand(const Tensor& x)
    : dtype(graph::dtype_of_operand(x)), is_weak(Internals::node(x)->weak) {}

DType result_type(std::span<const TypeOperand> operands) {
  graph::CommonDType common;
  for (const TypeOperand& x : operands) common.add(x.dtype, x.is_weak);
  return common.get();
}

Tensor apply(const Op& op, const Tensor& x) {
  const graph::Named named(op.name.data(), {{"x", x}});
  const UnarySpec& spec = op.unary();
  return graph::map(op, {spec.result, spec.keeps_bool}, std::span(&x, 1));
}

Tensor apply(const Op& op, const Tensor& a, const Tensor& b) {
  const graph::Named named(op.name.data(), {{"a", a}, {"b", b}});
  const BinarySpec& spec = op.binary();
  const Tensor operands[] = {a, b};
  const bool refused = spec.uint32_only
                           ? graph::common_dtype(operands) != DType::uint32
                           : spec.integers_only && (is_float(a.dtype()) || is_float(b.dtype()));
  if (refused) {
    graph::fail("operands must be {}: a is {}, b is {}; cast with astype",
                spec.uint32_only ? "uint32" : "integers", name(a.dtype()), name(b.dtype()));
  }
  graph::check_negative_b(op, operands);
  if (const auto answer = graph::compared_by_value(op, operands)) return *answer;
  return graph::map(op, {spec.result, spec.keeps_bool}, operands);
}

Tensor apply(const Op& op, const Tensor& a, const Tensor& b, const Tensor& c) {
  const graph::Named named(op.name.data(), {{"a", a}, {"b", b}, {"c", c}});
  const bool select = op.ternary().condition_first;
  const Tensor operands[] = {select ? graph::cast(a, DType::boolean) : a, b, c};
  return graph::map(op, {Result::same, select}, operands, select ? 1 : 0);
}

}  // namespace detail

Tensor Tensor::astype(DType dtype) const {
  const graph::Named named("astype", {{"x", *this}});
  const Tensor y = graph::cast(*this, dtype);
  if (!detail::Internals::node(y)->weak) return y;
  // x was computed only from host numbers; from here on its dtype counts as a tensor's.
  return detail::Internals::tensor(
      graph::make(graph::Kind::cast, dtype, shape(), {detail::Internals::node(y)}));
}

}  // namespace trigon

// SPDX-License-Identifier: MIT
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/internals.hpp"
#include "graph/build.hpp"

namespace trigon::detail::graph {

NodePtr output(const NodePtr& node, OutputAttrs which, DType dtype, const Shape& shape) {
  auto made = std::make_shared<Node>(Kind::output, dtype, shape);
  made->attrs = which;
  add_input(*made, node);
  return made;
}

std::vector<Tensor> call(std::shared_ptr<const CallRules> rules, std::span<const Tensor> values,
                         std::span<const Tensor> arguments) {
  const auto node = std::make_shared<Node>(Kind::call, DType::float32, Shape{});
  node->attrs = CallAttrs{std::ssize(values)};
  for (const Tensor& value : values) add_input(*node, Internals::node(value));
  for (const Tensor& argument : arguments) add_input(*node, Internals::node(argument));
  const bool is_constant = rules->vjp == nullptr && rules->jvp == nullptr;
  node->rules = std::move(rules);
  std::vector<Tensor> results;
  for (const Tensor& value : values) {
    const auto number = static_cast<std::int32_t>(results.size());
    results.push_back(
        Internals::tensor(output(node, {number, is_constant}, value.dtype(), value.shape())));
  }
  return results;
}

}  // namespace trigon::detail::graph

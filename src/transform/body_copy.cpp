// SPDX-License-Identifier: MIT
#include "transform/body_copy.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "core/item.hpp"
#include "core/walk.hpp"

namespace trigon::detail::transform {

using graph::Kind;
using graph::Node;
using graph::NodePtr;

std::vector<NodePtr> nodes_below(std::vector<NodePtr> results) {
  std::vector<NodePtr> nodes;
  std::unordered_set<const Node*> seen;
  const auto enter = [&](const NodePtr& node) -> std::optional<std::vector<NodePtr>> {
    if (!seen.insert(node.get()).second) return std::nullopt;
    return graph::inputs_of(*node);
  };
  const auto leave = [&](const NodePtr& node, const std::vector<NodePtr>&) {
    nodes.push_back(node);
  };
  for (NodePtr& result : results) core::walk_up(std::move(result), enter, leave);
  return nodes;
}

LoopReach::LoopReach(const graph::LoopBody& body, std::vector<bool> inputs)
    : inputs_(std::move(inputs)), outputs_(static_cast<std::size_t>(body.outputs)) {
  const std::vector<NodePtr> nodes = nodes_below(body.results);
  for (bool is_new = true; is_new;) {
    is_new = false;
    std::unordered_set<const Node*> reached;
    for (std::size_t k = 0; k < inputs_.size(); ++k) {
      if (inputs_[k]) reached.insert(body.parameters[k + 1].get());
    }
    for (const NodePtr& node : nodes) {
      if (passes_tangents(*node) &&
          any_passes_to(*node, graph::inputs_of(*node), [&](std::size_t, const NodePtr& input) {
            return reached.contains(input.get());
          })) {
        reached.insert(node.get());
      }
    }
    for (std::int64_t k = 0; k < body.carries; ++k) {
      if (input(k) || !reached.contains(item(body.results, k).get())) continue;
      inputs_[static_cast<std::size_t>(k)] = true;
      is_new = true;
    }
    for (std::int64_t k = 0; k < body.outputs; ++k) {
      outputs_[static_cast<std::size_t>(k)] =
          reached.contains(item(body.results, body.carries + k).get());
    }
  }
}

bool LoopReach::input(std::int64_t k) const { return inputs_[static_cast<std::size_t>(k)]; }
bool LoopReach::output(std::int64_t k) const { return outputs_[static_cast<std::size_t>(k)]; }

BodyCopy::BodyCopy(const graph::LoopBody& body) : body_(body) {
  core::Walk<NodePtr> walk(body.results);
  for (const NodePtr& node : walk) {
    on_the_way_.insert(node.get());
    if (!passes_tangents(*node)) continue;
    const std::vector<NodePtr> inputs = graph::inputs_of(*node);
    const std::int64_t skipped = node->kind == Kind::call ? node->as<graph::CallAttrs>().values : 0;
    walk.add(std::span(inputs).subspan(static_cast<std::size_t>(skipped)));
  }
}

void BodyCopy::set(const NodePtr& node, const Tensor& value, const Tensor& tangent) {
  forward_.set(node, value, tangent);
  taken_.insert(node.get());
}

Tensor BodyCopy::value(const NodePtr& node) {
  const auto enter = [&](const NodePtr& one) -> std::optional<std::vector<NodePtr>> {
    if (!taken_.insert(one.get()).second) return std::nullopt;
    return graph::inputs_of(*one);
  };
  const auto leave = [&](const NodePtr& one, const std::vector<NodePtr>& inputs) {
    forward_.take(one, inputs, on_the_way_.contains(one.get()));
  };
  core::walk_up(node, enter, leave);
  return forward_.value_of(node);
}

const NodePtr& BodyCopy::parameter(std::int64_t input) const {
  return item(body_.parameters, input + 1);
}
const NodePtr& BodyCopy::result(std::int64_t k) const { return item(body_.results, k); }

}  // namespace trigon::detail::transform

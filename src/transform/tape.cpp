// SPDX-License-Identifier: MIT
#include "transform/tape.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/called.hpp"
#include "core/internals.hpp"
#include "core/walk.hpp"
#include "graph/build.hpp"

namespace trigon::detail::transform {
namespace {

using graph::Kind;
using graph::Node;
using graph::NodePtr;

// Whether the value counts as a constant.
bool is_stopped(const Node& node) {
  return node.kind == Kind::output && node.as<graph::OutputAttrs>().is_constant;
}

}  // namespace

NodePtr argument_of(const Tensor& x) {
  return graph::make(Kind::argument, x.dtype(), x.shape(), {Internals::node(x)});
}

std::vector<Entry> collect(const NodePtr& root, std::span<const NodePtr> arguments) {
  std::vector<Entry> entries;
  core::Walk<NodePtr> walk({root}, {arguments.begin(), arguments.end()});
  for (const NodePtr& node : walk) {
    const bool is_end = node->id < arguments.front()->id || !info(node->kind).has_gradient;
    if (is_end || is_stopped(*node)) continue;
    std::vector<NodePtr> inputs = graph::inputs_of(*node);
    if (inputs.empty()) {
      core::fail(
          "a value was evaluated inside f: how it was made is gone; evaluate it outside, "
          "or pass it through stop_gradient");
    }
    // A call has a rule, so the nodes that computed its values are skipped.
    const std::int64_t skipped = node->kind == Kind::call ? node->as<graph::CallAttrs>().values : 0;
    walk.add(std::span(inputs).subspan(static_cast<std::size_t>(skipped)));
    entries.push_back({Internals::tensor(node), std::move(inputs)});
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return Internals::node(a.y)->id < Internals::node(b.y)->id;
  });
  return entries;
}

NodePtr predicate_of(const Entry& entry) {
  const Node& node = *Internals::node(entry.y);
  if (!core::is_branch(node.attrs)) return nullptr;
  NodePtr at = graph::below_broadcasts(entry.inputs[0]);
  return at->shape.numel() == 1 ? at : nullptr;
}

}  // namespace trigon::detail::transform

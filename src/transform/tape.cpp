// SPDX-License-Identifier: MIT
#include "transform/tape.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "core/called.hpp"
#include "core/internals.hpp"
#include "core/walk.hpp"
#include "graph/build.hpp"
#include "graph/named.hpp"
#include "graph/trace.hpp"

namespace trigon::detail::transform {
namespace {

using graph::Kind;
using graph::Node;
using graph::NodePtr;

void check_argument(std::size_t argument, const Leaves& leaves) {
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    if (leaves[k].dtype() == DType::float32) continue;
    core::fail("argument {} is not float32: its leaf {} is {}; cast it with astype, or capture it",
               argument, k, name(leaves[k].dtype()));
  }
}

// The predicate of a cond, one element; null for other nodes.
NodePtr predicate_of(const Entry& entry) {
  const Node& node = *Internals::node(entry.y);
  if (!core::is_branch(node.attrs)) return nullptr;
  NodePtr at = graph::below_broadcasts(entry.inputs[0]);
  return at->shape.numel() == 1 ? at : nullptr;
}

// All nodes that f made between the arguments and its results, oldest first.
std::vector<Entry> collect(std::span<const Tensor> results, std::span<const NodePtr> arguments) {
  std::vector<Entry> entries;
  std::vector<NodePtr> roots;
  for (const Tensor& result : results) roots.push_back(Internals::node(result));
  core::Walk<NodePtr> walk(std::move(roots), {arguments.begin(), arguments.end()});
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

Tape tape_from(std::vector<Entry> entries, std::vector<NodePtr> arguments) {
  Tape tape{.entries = std::move(entries), .arguments = std::move(arguments), .dependent = {}};
  for (const NodePtr& argument : tape.arguments) tape.dependent.insert(argument.get());
  for (Entry& entry : tape.entries) {
    tape.dependent.insert(Internals::node(entry.y).get());
    entry.predicate = predicate_of(entry);
  }
  return tape;
}

}  // namespace

bool is_stopped(const Node& node) {
  return node.kind == Kind::output && node.as<graph::OutputAttrs>().is_constant;
}

NodePtr argument_of(const Tensor& x) {
  return graph::make(Kind::argument, x.dtype(), x.shape(), {Internals::node(x)});
}

Tape tape_of(std::span<const Tensor> results, std::vector<NodePtr> arguments) {
  std::unordered_set<const Node*> dependent;
  for (const NodePtr& argument : arguments) dependent.insert(argument.get());
  std::vector<Entry> entries;
  if (!arguments.empty()) entries = collect(results, arguments);
  std::erase_if(entries, [&](const Entry& entry) {
    const bool depends =
        std::any_of(entry.inputs.begin(), entry.inputs.end(),
                    [&](const NodePtr& input) { return dependent.contains(input.get()); });
    if (depends) dependent.insert(Internals::node(entry.y).get());
    return !depends;
  });
  return tape_from(std::move(entries), std::move(arguments));
}

std::string result_name(const Leaves& results, std::size_t k) {
  return results.size() == 1 ? "the result of f" : fmt::format("leaf {} of the result of f", k);
}

void check_like(const char* name, const Leaves& given, const char* of, const Leaves& like) {
  for (std::size_t k = 0; k < like.size(); ++k) {
    const std::string what = like.size() == 1 ? name : fmt::format("leaf {} of {}", k, name);
    const graph::Named named(core::called_function(), {{what.c_str(), given[k]}, {of, like[k]}});
    if (given[k].shape() == like[k].shape()) continue;
    core::fail("shapes differ: {} is {}, {} is {}; must be equal", what,
               to_string(given[k].shape()), of, to_string(like[k].shape()));
  }
}

Traced call_with_arguments(const std::function<Leaves(Leaves)>& f,
                           const std::vector<Leaves>& arguments) {
  for (std::size_t k = 0; k < arguments.size(); ++k) check_argument(k, arguments[k]);
  Traced traced;
  Leaves inputs;
  for (const Leaves& leaves : arguments) {
    for (const Tensor& leaf : leaves) {
      traced.arguments.push_back(argument_of(leaf));
      inputs.push_back(Internals::tensor(traced.arguments.back()));
    }
  }
  {
    const graph::UserCode own_names;
    const graph::Inlining scope;  // transforms need the nodes inside compiled functions
    traced.results = f(std::move(inputs));
  }
  if (traced.results.empty()) core::fail("the result of f has no tensors; it must have some");
  for (std::size_t k = 0; k < traced.results.size(); ++k) {
    graph::check_operand(result_name(traced.results, k), traced.results[k]);
  }
  return traced;
}

Tensor fitted(const Tensor& g, const Shape& shape) {
  return graph::expand(graph::cast(g, DType::float32), shape);
}

}  // namespace trigon::detail::transform

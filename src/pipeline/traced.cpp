// SPDX-License-Identifier: MIT
#include "pipeline/traced.hpp"

#include <algorithm>
#include <unordered_map>

#include "core/item.hpp"
#include "core/walk.hpp"
#include "graph/collect.hpp"
#include "pipeline/describe.hpp"
#include "pipeline/eval.hpp"
#include "pipeline/values.hpp"
#include "run/device_state.hpp"

namespace trigon::detail::pipeline {
namespace {

using graph::Node;
using graph::NodePtr;
using run::DeviceState;

/// Captured nodes: those below the trace that are older than it and that an evaluation would keep.
/// Numbers and recipes without a device stay recipes.
std::vector<NodePtr> captured_below(std::span<const NodePtr> roots, std::uint64_t first_id) {
  std::vector<NodePtr> captured;
  core::Walk<NodePtr> walk({roots.begin(), roots.end()});
  for (const NodePtr& node : walk) {
    if (node->storage != nullptr) continue;
    if (node->id < first_id && node->device != nullptr && !has_outputs(*node)) {
      captured.push_back(node);
    } else {
      walk.add(node->inputs);
    }
  }
  std::reverse(captured.begin(), captured.end());
  return captured;
}

std::vector<Traced::Root> bind_roots(const graph::Collected& graph, const plan::Plan& plan) {
  std::unordered_map<std::int32_t, const plan::Plan::Binding*> stored;  // by entry
  for (const plan::Plan::Binding& binding : plan.stored) stored[binding.node] = &binding;
  std::vector<Traced::Root> bound;
  for (std::int32_t root : graph.roots) {
    const auto found = stored.find(root);
    if (found == stored.end()) {
      bound.push_back({-1, {}, graph[root].node->storage});
    } else {
      bound.push_back({found->second->slot, found->second->layout, nullptr});
    }
  }
  return bound;
}

/// The number of the argument, by leaf.
using ArgumentOf = std::unordered_map<const Node*, std::int32_t>;

/// Whether f kept a tensor that is computed from the arguments, so that somebody may evaluate it
/// later from their present values. The only known outside references to those nodes are the
/// roots'.
bool leaks(const graph::Collected& graph, const ArgumentOf& argument_of) {
  std::vector<bool> is_computed(graph.entries.size(), false);
  for (std::size_t k = 0; k < graph.entries.size(); ++k) {
    const graph::Collected::Entry& entry = graph.entries[k];
    bool computed = argument_of.contains(entry.node);
    for (std::int32_t input : graph.inputs(static_cast<std::int32_t>(k))) {
      computed = computed || item(is_computed, input);
    }
    is_computed[k] = computed;
    if (!computed || entry.stored) continue;
    // An observer counts, too, since it may look at the value after the trace.
    const long known = entry.readers + (entry.root ? 1 : 0);
    if (entry.node->handles.load() > 0 || entry.node->references() > known) return true;
  }
  return false;
}

Traced plan_trace(DeviceState& device, const graph::Collected& graph, const ArgumentOf& argument_of,
                  const graph::Trace& trace) {
  Traced traced;
  traced.plan = plan_for(device, graph, core::Asker::compiled_function);
  print_plan(graph, device, core::Asker::compiled_function);
  for (const auto& [entry, slot, layout] : traced.plan->leaves) {
    const auto found = argument_of.find(graph[entry].node);
    const bool is_argument = found != argument_of.end();
    traced.leaves.push_back({slot, is_argument ? found->second : -1,
                             is_argument ? nullptr : graph[entry].node->storage});
  }
  for (std::int32_t k : graph.scalars) {
    const Node& node = *graph[k].node;
    traced.numbers.push_back({node.trace == trace.id() ? node.trace_step : -1, node.value});
  }
  traced.roots = bind_roots(graph, *traced.plan);
  traced.program = trace.program();
  return traced;
}

}  // namespace

Traced make_traced(DeviceState& device, std::span<const NodePtr> roots,
                   std::span<const TracedArgument> arguments, const graph::Trace& trace) {
  std::vector<NodePtr> captured;
  {
    const DeviceState::Lock lock(device);
    const auto values = lock_values();
    captured = captured_below(roots, trace.first_id());
  }
  evaluate(device, captured);
  ArgumentOf argument_of;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    argument_of[arguments[k].leaf] = static_cast<std::int32_t>(k);
  }
  // Captured values belong to the trace from now on: they are never written, and never mistaken for
  // an argument that has the same texture in this call.
  const auto storage_of = [&](const Node& node) {
    graph::LeafStorage storage = leaf_storage(node);
    const auto found = argument_of.find(&node);
    const bool is_argument = found != argument_of.end();
    if (!is_argument) storage.identity = node.storage.get();
    storage.sole_owner = is_argument && item(arguments, found->second).is_owned;
    return storage;
  };
  for (;;) {
    std::vector<NodePtr> elsewhere;
    {
      const DeviceState::Entry entry(device);
      const auto values = lock_values();
      graph::Collected graph = graph::collect(roots, storage_of);
      if (leaks(graph, argument_of)) {
        for (graph::Collected::Entry& leaf : graph.entries) leaf.owned = false;
      }
      elsewhere = values_elsewhere(graph, device);
      if (elsewhere.empty()) return plan_trace(device, graph, argument_of, trace);
    }
    copy_values(elsewhere, device);
  }
}

std::vector<StoragePtr> run_traced(DeviceState& device, const Traced& traced,
                                   std::vector<StoragePtr> arguments,
                                   std::span<const double> steps) {
  auto slots = vector_of<StoragePtr>(traced.plan->slots);
  for (const Traced::Leaf& leaf : traced.leaves) {
    item(slots, leaf.slot) = leaf.argument < 0 ? leaf.captured : item(arguments, leaf.argument);
  }
  arguments.clear();
  std::vector<double> numbers;
  numbers.reserve(traced.numbers.size());
  for (const Traced::Number& number : traced.numbers) {
    numbers.push_back(number.step < 0 ? number.value : item(steps, number.step));
  }
  std::size_t drawn = 0;
  device.run(*traced.plan, slots, numbers, drawn);
  print_compiled(device);
  std::vector<StoragePtr> results;
  results.reserve(traced.roots.size());
  for (const auto& [slot, layout, captured] : traced.roots) {
    results.push_back(slot < 0 ? captured : run::Storage::view(item(slots, slot), layout));
  }
  return results;
}

}  // namespace trigon::detail::pipeline

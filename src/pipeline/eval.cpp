// SPDX-License-Identifier: MIT
#include "pipeline/eval.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include <trigon/detail/memory.hpp>

#include "core/called.hpp"
#include "core/internals.hpp"
#include "core/item.hpp"
#include "core/target.hpp"
#include "graph/build.hpp"
#include "graph/collect.hpp"
#include "graph/named.hpp"
#include "graph/node.hpp"
#include "graph/trace.hpp"
#include "pipeline/describe.hpp"
#include "pipeline/failure.hpp"
#include "pipeline/make_plan.hpp"
#include "pipeline/values.hpp"
#include "plan/plan.hpp"
#include "run/device_state.hpp"
#include "transform/index_checks.hpp"

namespace trigon::detail::pipeline {

using graph::NodePtr;
using run::DeviceState;
using run::Storage;

std::shared_ptr<const plan::Plan> plan_for(DeviceState& device, const graph::Collected& graph,
                                           core::Asker asker) {
  auto key = graph::plan_key(graph);
  key.push_back(static_cast<std::uint64_t>(asker));
  if (auto known = device.plans.find(key)) {
    ++device.counters.plan_cache_hits;
    return known;
  }
  auto made = std::make_shared<const plan::Plan>(
      make_plan(graph, device.target(), core::costs_for(asker, device.costs())));
  ++device.counters.plans_made;
  if (device.on_plan) device.on_plan(*made);
  device.plans.add(std::move(key), made);
  return made;
}

namespace {

/// The leaves' textures in their slots, and the values of the scalars.
Slots bind(const graph::Collected& graph, const plan::Plan& plan, std::vector<double>& scalars) {
  Slots slots = vector_of<std::shared_ptr<Storage>>(plan.slots);
  for (const auto& leaf : plan.leaves) item(slots, leaf.slot) = graph[leaf.node].node->storage;
  for (std::int32_t k : graph.scalars) scalars.push_back(graph[k].node->value);
  return slots;
}

/// Nodes that another device may evaluate while this one works. It would then release their inputs,
/// and so remove them from this graph. Numbers are evaluated only if they are roots.
std::vector<NodePtr> nodes_without_device(const graph::Collected& graph) {
  std::vector<NodePtr> nodes;
  for (const graph::Collected::Entry& entry : graph.entries) {
    if (entry.node->device != nullptr || info(entry.node->kind).is_one_number) continue;
    nodes.push_back(entry.node->shared_from_this());
  }
  return nodes;
}

void check_numbers(std::span<const NodePtr> roots) {
  const core::Called called("Tensor");
  for (const NodePtr& root : roots) graph::check_number(*root);
}

/// THE PIPELINE: collect, then a plan that is known by its key or else made by rewrite, reroll,
/// schedule and lower (a line each in make_plan), then run. Returns values that must first come to
/// this device; nothing is computed then. Needs an Entry. Values are locked up to the run.
std::vector<NodePtr> try_evaluate(DeviceState& device, std::span<const NodePtr> roots) {
  auto values = lock_values();
  graph::refuse_while_tracing(roots);
  check_numbers(roots);
  const graph::Collected graph = graph::collect(roots, leaf_storage);
  std::vector<NodePtr> elsewhere = values_elsewhere(graph, device);
  if (!elsewhere.empty()) return elsewhere;
  refuse_lost(graph);
  const std::vector<NodePtr> alive = nodes_without_device(graph);
  const auto plan = plan_for(device, graph, core::Asker::evaluation);
  print_plan(graph, device, core::Asker::evaluation);
  std::vector<double> scalars;
  Slots slots = bind(graph, *plan, scalars);
  values.unlock();
  std::size_t drawn = 0;
  try {
    device.run(*plan, slots, scalars, drawn);
    give(graph, plan->stored, slots);
    print_compiled(device);
  } catch (...) {
    settle_failure(device, graph, *plan, slots, scalars, drawn);  // throws it again
  }
  return {};
}

/// The one of most elements, for errors.
const graph::Node& largest_of(std::span<const NodePtr> roots) {
  for (const NodePtr& root : roots) static_cast<void>(root->shape.numel());  // raises Error
  const auto by_size = [](const NodePtr& a, const NodePtr& b) {
    return a->shape.numel() < b->shape.numel();
  };
  return **std::max_element(roots.begin(), roots.end(), by_size);
}

void evaluate_unchecked(DeviceState& device, std::span<const NodePtr> roots) {
  const core::Called called("eval");
  const graph::Node& largest = largest_of(roots);
  const detail::Wanted wanted{.dtype = largest.dtype, .shape = largest.shape, .device = &device};
  detail::with_memory(wanted, [&] {
    const core::UserCode evaluation;
    for (;;) {
      std::vector<NodePtr> elsewhere;
      {
        const DeviceState::Entry entry(device);
        elsewhere = try_evaluate(device, roots);
      }
      if (elsewhere.empty()) return;
      copy_values(elsewhere, device);
    }
  });
}

/// TRIGON_CHECK=1: raises Error if an index below the roots is out of range.
void check_indices(DeviceState& device, std::span<const NodePtr> roots) {
  if (!device.target().check) return;
  {
    const auto lock = lock_values();
    graph::refuse_while_tracing(roots);
  }
  const std::vector<transform::IndexCheck> checks = transform::index_checks(roots);
  if (checks.empty()) return;
  const Tensor any = transform::any_wrong(checks);
  evaluate_unchecked(device, std::span(&Internals::node(any), 1));
  if (!any.item<bool>()) return;
  for (const transform::IndexCheck& check : checks) {
    evaluate_unchecked(device, std::span(&Internals::node(check.wrong), 1));
    transform::refuse_wrong(check);
  }
}

}  // namespace

void evaluate(DeviceState& device, std::span<const NodePtr> roots) {
  if (roots.empty()) return;
  check_indices(device, roots);
  evaluate_unchecked(device, roots);
}

void evaluate(std::span<const NodePtr> roots) {
  if (!roots.empty()) evaluate(*device_of(roots), roots);
}

std::shared_ptr<Storage> value_on(DeviceState& device, const NodePtr& node) {
  for (;;) {
    auto storage = value_of(*node);
    const bool is_there = storage != nullptr && &storage->device() == &device;
    if (is_there || node->shape.numel() == 0) return storage;
    evaluate(device, std::span(&node, 1));
  }
}

namespace {

/// Evaluates `node` if necessary and calls read(device, storage), unless it has no elements.
template <class F>
void with_value(const NodePtr& node, const F& read) {
  const std::span root(&node, 1);
  for (;;) {
    const auto device = device_of(root);
    if (value_of(*node) == nullptr) check_indices(*device, root);
    std::vector<NodePtr> elsewhere;
    {
      // One entry for both the evaluation and the read.
      const DeviceState::Entry entry(*device);
      if (value_of(*node) == nullptr) elsewhere = try_evaluate(*device, root);
      const auto storage = value_of(*node);
      if (elsewhere.empty() && storage == nullptr) return;  // no elements
      // Another thread may have moved it.
      if (storage != nullptr && &storage->device() == device.get()) return read(*device, *storage);
    }
    copy_values(elsewhere, *device);
  }
}

}  // namespace

void read_node(const NodePtr& node, void* out, DType dtype) {
  with_value(
      node, [&](DeviceState& device, const Storage& storage) { device.read(storage, out, dtype); });
}

std::pair<std::shared_ptr<DeviceState>, std::unique_ptr<run::PendingRead>> start_read(
    const NodePtr& node) {
  const detail::Wanted wanted{.dtype = node->dtype, .shape = node->shape, .node = node.get()};
  if (node->shape.numel() == 0) return {};
  return detail::with_memory(wanted, [&] {
    const core::UserCode evaluation;
    std::pair<std::shared_ptr<DeviceState>, std::unique_ptr<run::PendingRead>> started;
    with_value(node, [&](DeviceState& device, const Storage& storage) {
      started = {device.shared_from_this(), device.start_read(storage)};
    });
    return started;
  });
}

}  // namespace trigon::detail::pipeline

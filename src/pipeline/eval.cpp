// SPDX-License-Identifier: MIT
#include "pipeline/eval.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <trigon/detail/memory.hpp>
#include <trigon/error.hpp>

#include "core/item.hpp"
#include "core/layout.hpp"
#include "core/target.hpp"
#include "gl/check.hpp"
#include "graph/build.hpp"
#include "graph/call.hpp"
#include "graph/collect.hpp"
#include "graph/node.hpp"
#include "graph/trace.hpp"
#include "pipeline/describe.hpp"
#include "pipeline/make_plan.hpp"
#include "plan/plan.hpp"
#include "run/device_state.hpp"
#include "run/process.hpp"
#include "transform/index_checks.hpp"

namespace trigon::detail::pipeline {

using graph::NodePtr;
using run::DeviceState;
using run::Storage;

using Slots = std::vector<std::shared_ptr<Storage>>;

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

/// The leaves' textures in their slots, and the numbers of the scalars.
Slots bind(const graph::Collected& graph, const plan::Plan& plan, std::vector<double>& scalars) {
  Slots slots = vector_of<std::shared_ptr<Storage>>(plan.slots);
  for (const auto& leaf : plan.leaves) item(slots, leaf.slot) = graph[leaf.node].node->storage;
  for (std::int32_t k : graph.scalars) scalars.push_back(graph[k].node->value);
  return slots;
}

/// Nodes that another device may evaluate while this one works, and so release their inputs, which
/// would take them out of this graph. Numbers are not evaluated unless they are roots.
std::vector<NodePtr> nodes_without_device(const graph::Collected& graph) {
  std::vector<NodePtr> nodes;
  for (const graph::Collected::Entry& entry : graph.entries) {
    const graph::Kind kind = entry.node->kind;
    if (entry.node->device != nullptr) continue;
    if (kind == graph::Kind::constant || kind == graph::Kind::scalar) continue;
    nodes.push_back(entry.node->shared_from_this());
  }
  return nodes;
}

/// Hands values to their nodes, which then let go of what they were made from: all of them, or none
/// where memory ends.
void give(const graph::Collected& graph, std::span<const plan::Plan::Binding> bindings,
          Slots& slots) {
  std::vector<std::shared_ptr<Storage>> values;
  values.reserve(bindings.size());
  for (const auto& [node, slot, layout] : bindings) {
    const auto& storage = item(slots, slot);
    values.push_back(storage == nullptr ? nullptr : Storage::view(storage, layout));
  }
  std::vector<std::vector<NodePtr>> released;
  released.reserve(bindings.size());
  {
    const auto lock = lock_values();
    // Nodes die with what is released, so nothing may throw from here on.
    for (std::size_t k = 0; k < bindings.size(); ++k) {
      if (values[k] == nullptr) continue;
      graph::Node& owner = *graph[bindings[k].node].node;
      std::swap(owner.storage, values[k]);
      released.push_back(graph::take_inputs(owner));
    }
  }
  // The slots go first, so that a texture belongs to its nodes alone.
  slots.clear();
}

void mark_written(const plan::Step& step, std::vector<bool>& slots) {
  const auto mark = [&](std::int32_t slot) { item(slots, slot) = true; };
  for (const plan::StepOutput& output : step.outputs) mark(output.slot);
  for (const auto& [a, b] : step.trades) mark(a), mark(b);
  for (const plan::Step& inner : step.body) mark_written(inner, slots);
}

/// If an evaluation fails, values that are drawn stay, as the texels that they were made from may
/// be overwritten. An overwritten texture belongs to the last write that ran; it is not run again.
/// Its old value is lost, so tensors that still need it raise Error.
void keep_drawn(const graph::Collected& graph, const plan::Plan& plan, Slots& slots,
                std::span<const double> scalars, std::size_t drawn) {
  std::vector<plan::Plan::Binding> bindings = plan::values_in_place(plan, drawn, scalars);
  const auto is_written = [&](std::int32_t slot) {
    return std::any_of(bindings.begin(), bindings.end(),
                       [slot](const auto& binding) { return binding.slot == slot; });
  };
  {
    const auto lock = lock_values();
    for (const auto& leaf : plan.leaves) {
      if (!is_written(leaf.slot)) continue;
      graph::Node& lost = *graph[leaf.node].node;
      lost.kind = graph::Kind::leaf;
      lost.storage.reset();  // the slot holds it
    }
  }
  // An error that GL reports after the last step may be that of any draw.
  std::vector<bool> is_open(slots.size(), false);
  for (std::size_t k = drawn < plan.steps.size() ? drawn : 0; k < plan.steps.size(); ++k) {
    mark_written(plan.steps[k], is_open);
  }
  for (const plan::Plan::Binding& binding : plan.stored) {
    if (!item(is_open, binding.slot)) bindings.push_back(binding);
  }
  give(graph, bindings, slots);
}

/// Whether a step may change the texture of a slot that was filled before it.
bool writes_over(const plan::Step& step, std::int32_t slot) {
  const auto is_slot = [slot](const plan::StepOutput& one) {
    return one.in_place && one.slot == slot;
  };
  const auto is_traded = [slot](const auto& pair) {
    return pair.first == slot || pair.second == slot;
  };
  return std::any_of(step.outputs.begin(), step.outputs.end(), is_slot) ||
         std::any_of(step.trades.begin(), step.trades.end(), is_traded) ||
         std::any_of(step.body.begin(), step.body.end(),
                     [slot](const plan::Step& inner) { return writes_over(inner, slot); });
}

/// Drops the values of all leaves that the plan may write over; whether there are any. Allocates
/// nothing.
bool lose_overwritten(const graph::Collected& graph, const plan::Plan& plan) {
  const auto lock = lock_values();
  bool any = false;
  for (const auto& leaf : plan.leaves) {
    const bool is_lost =
        std::any_of(plan.steps.begin(), plan.steps.end(),
                    [&](const plan::Step& step) { return writes_over(step, leaf.slot); });
    if (!is_lost) continue;
    graph::Node& lost = *graph[leaf.node].node;
    lost.kind = graph::Kind::leaf;
    lost.storage.reset();
    any = true;
  }
  return any;
}

/// After an error that is not GL's: whether nothing was lost.
bool keep_or_lose(const graph::Collected& graph, const plan::Plan& plan, Slots& slots,
                  std::span<const double> scalars, std::size_t drawn) {
  try {
    gl::check("glDrawArrays");
    keep_drawn(graph, plan, slots, scalars, drawn);
    return true;
  } catch (const std::exception&) {
    return !lose_overwritten(graph, plan);
  }
}

/// Raises Error where a leaf has lost its value.
void refuse_lost(const graph::Collected& graph) {
  for (const graph::Collected::Entry& entry : graph.entries) {
    const graph::Node& node = *entry.node;
    if (node.kind != graph::Kind::leaf || entry.stored || node.shape.numel() == 0) continue;
    throw Error(
        fmt::format("trigon::eval: a tensor has lost its value: it is {} {}; an evaluation that "
                    "failed has overwritten it, or the function that was traced with it has "
                    "failed\n  hint: compute it anew",
                    to_string(node.shape), name(node.dtype)));
  }
}

/// THE PIPELINE: collect, plan, bind, run, publish. Values are locked up to the run.
void compute(DeviceState& device, const graph::Collected& graph,
             std::unique_lock<std::mutex> values) {
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
  } catch (const gl::CallError&) {
    lose_overwritten(graph, *plan);
    throw;
  } catch (const std::bad_alloc&) {
    if (keep_or_lose(graph, *plan, slots, scalars, drawn)) throw;
    // Once more would only find that values are lost.
    const graph::Node& root = *graph[graph.roots.front()].node;
    detail::refuse_memory({.function = "eval", .dtype = root.dtype, .shape = root.shape});
  } catch (...) {
    keep_or_lose(graph, *plan, slots, scalars, drawn);
    throw;
  }
}

/// Collects and computes; returns values that have to come to this device before, if there are any.
/// Needs an Entry.
std::vector<NodePtr> try_evaluate(DeviceState& device, std::span<const NodePtr> roots) {
  auto values = lock_values();
  graph::refuse_while_tracing(roots);
  for (const NodePtr& root : roots) graph::check_number("Tensor", *root);
  const graph::Collected graph = graph::collect(roots, leaf_storage);
  std::vector<NodePtr> elsewhere = values_elsewhere(graph, device);
  if (elsewhere.empty()) compute(device, graph, std::move(values));
  return elsewhere;
}

/// Copies the value of a node to this device, through the host, unless another thread moves it.
void copy_value(const NodePtr& node, DeviceState& device) {
  const DType dtype = node->dtype;
  const std::shared_ptr<Storage> storage = value_of(*node);
  if (storage == nullptr || &storage->device() == &device) return;
  auto values = vector_of<std::byte>(core::host_bytes(dtype, node->shape));
  {
    const DeviceState::Entry entry(storage->device());
    storage->device().read(*storage, values.data(), dtype);
  }
  std::shared_ptr<Storage> copy;
  {
    const DeviceState::Entry entry(device);
    copy = device.create_storage(core::flat_layout(device.target(), dtype, node->shape));
    device.upload(*copy, values.data());
  }
  const auto lock = lock_values();
  if (node->storage == storage) node->storage = std::move(copy);
}

}  // namespace

std::vector<NodePtr> values_elsewhere(const graph::Collected& graph, const DeviceState& device) {
  std::vector<NodePtr> nodes;
  for (const auto& entry : graph.entries) {
    if (entry.stored && &entry.node->storage->device() != &device) {
      nodes.push_back(entry.node->shared_from_this());
    }
  }
  return nodes;
}

void copy_values(std::span<const NodePtr> nodes, DeviceState& device) {
  for (const NodePtr& node : nodes) copy_value(node, device);
}

std::shared_ptr<run::DeviceState> device_of(std::span<const NodePtr> roots) {
  std::shared_ptr<DeviceState> device;
  for (const NodePtr& root : roots) {
    if (root->device == nullptr) continue;
    if (device != nullptr && device != root->device) {
      throw Error(
          "trigon::eval: tensors live on different devices; evaluate those of each device on their "
          "own");
    }
    device = root->device;
  }
  if (device != nullptr) return device;
  for (const NodePtr& root : roots) {
    if (auto home = home_of(*root)) return home;
  }
  return Device::default_device().state();
}

std::shared_ptr<DeviceState> home_of(const graph::Node& node) {
  if (node.device != nullptr) return node.device;
  // What is made of numbers alone is where it was evaluated.
  const auto storage = value_of(node);
  return storage == nullptr ? nullptr : storage->device().shared_from_this();
}

namespace {

/// The one of most elements, for errors.
const graph::Node& largest_of(std::span<const NodePtr> roots) {
  for (const NodePtr& root : roots) graph::count_of("eval", root->shape);  // raises Error
  const auto by_size = [](const NodePtr& a, const NodePtr& b) {
    return a->shape.numel() < b->shape.numel();
  };
  return **std::max_element(roots.begin(), roots.end(), by_size);
}

void evaluate_unchecked(DeviceState& device, std::span<const NodePtr> roots) {
  const graph::Node& largest = largest_of(roots);
  const detail::Wanted wanted{
      .function = "eval", .dtype = largest.dtype, .shape = largest.shape, .device = &device};
  detail::with_memory(wanted, [&] {
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

/// TRIGON_CHECK=1: raises Error for an index below the roots that is out of range.
void check_indices(DeviceState& device, std::span<const NodePtr> roots) {
  if (!device.target().check) return;
  {
    const auto lock = lock_values();
    graph::refuse_while_tracing(roots);
  }
  const std::vector<transform::IndexCheck> checks = transform::index_checks(roots);
  if (checks.empty()) return;
  const Tensor any = transform::any_wrong(checks);
  evaluate_unchecked(device, std::span(&any.node(), 1));
  if (!any.item<bool>()) return;
  for (const transform::IndexCheck& check : checks) {
    evaluate_unchecked(device, std::span(&check.wrong.node(), 1));
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

std::unique_lock<std::mutex> lock_values() {
  run::check_driver_usable();  // a fork may have left the mutex locked
  static std::mutex mutex;
  return std::unique_lock(mutex);
}

std::shared_ptr<Storage> value_of(const graph::Node& node) {
  const auto lock = lock_values();
  return node.storage;
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

/// Evaluates `node` if need be and calls read(device, storage), unless there are no elements.
template <class F>
void with_value(const NodePtr& node, const F& read) {
  const std::span root(&node, 1);
  for (;;) {
    const auto device = device_of(root);
    if (value_of(*node) == nullptr) check_indices(*device, root);
    std::vector<NodePtr> elsewhere;
    {
      // One entry for the evaluation and the read.
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
  const detail::Wanted wanted{.function = "Tensor::read_async",
                              .dtype = node->dtype,
                              .shape = node->shape,
                              .node = node.get()};
  if (graph::count_of(wanted.function, node->shape) == 0) return {};
  return detail::with_memory(wanted, [&] {
    std::pair<std::shared_ptr<DeviceState>, std::unique_ptr<run::PendingRead>> started;
    with_value(node, [&](DeviceState& device, const Storage& storage) {
      started = {device.shared_from_this(), device.start_read(storage)};
    });
    return started;
  });
}

namespace {

// Raises Error for an integer above the limit, which the device would round.
template <class T>
void check_exact(const void* values, std::int64_t count, double limit) {
  for (const T value : std::span(static_cast<const T*>(values), static_cast<std::size_t>(count))) {
    if (std::abs(static_cast<double>(value)) <= limit) continue;
    throw Error(fmt::format(
        "trigon::tensor: integer is not exact on the device: {}; profile webgl1 computes with "
        "floats, so integers must be in [-16777216, 16777216]",
        value));
  }
}

}  // namespace

NodePtr upload(const void* values, DType dtype, const Shape& shape, const Device& device) {
  const double limit = device.max_exact_integer();
  if (limit < info(int32).highest) {
    if (dtype == DType::int32) check_exact<std::int32_t>(values, shape.numel(), limit);
    if (dtype == DType::uint32) check_exact<std::uint32_t>(values, shape.numel(), limit);
  }
  DeviceState& state = *device.state();
  return detail::with_memory({"tensor", dtype, shape, &state}, [&] {
    auto node = std::make_shared<graph::Node>(graph::Kind::leaf, dtype, shape);
    node->device = device.state();
    if (shape.numel() == 0) return node;
    const DeviceState::Entry entry(state);
    node->storage = state.create_storage(core::flat_layout(state.target(), dtype, shape));
    state.upload(*node->storage, values);
    return node;
  });
}

}  // namespace trigon::detail::pipeline

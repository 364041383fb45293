// SPDX-License-Identifier: MIT
#include "pipeline/failure.hpp"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <new>

#include <trigon/detail/memory.hpp>

#include "core/called.hpp"
#include "core/item.hpp"
#include "gl/check.hpp"
#include "graph/collect.hpp"
#include "graph/node.hpp"
#include "plan/plan.hpp"
#include "plan/step.hpp"
#include "run/device_state.hpp"

namespace trigon::detail::pipeline {
namespace {

void mark_written(const plan::Step& step, std::vector<bool>& slots) {
  const auto mark = [&](std::int32_t slot) { item(slots, slot) = true; };
  for (const plan::StepOutput& output : step.outputs) mark(output.slot);
  for (const auto& [a, b] : step.trades) mark(a), mark(b);
  for (const plan::Step& inner : step.body) mark_written(inner, slots);
}

/// If an evaluation fails, drawn values stay, since the texels of their inputs may be overwritten.
/// An overwritten texture belongs to the last write that ran; it is not run again. Its old value is
/// lost, so tensors that still need it raise Error.
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

/// Drops the values of all leaves that the plan may overwrite; returns whether there are any.
/// Allocates nothing.
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

/// After an error that GL did not report. Returns whether no value was lost.
bool keep_or_lose(run::DeviceState& device, const graph::Collected& graph, const plan::Plan& plan,
                  Slots& slots, std::span<const double> scalars, std::size_t drawn) {
  try {
    device.gl_state().check("glDrawArrays");
    keep_drawn(graph, plan, slots, scalars, drawn);
    return true;
  } catch (const std::exception&) {
    return !lose_overwritten(graph, plan);
  }
}

}  // namespace

void refuse_lost(const graph::Collected& graph) {
  for (const graph::Collected::Entry& entry : graph.entries) {
    const graph::Node& node = *entry.node;
    if (node.kind != graph::Kind::leaf || entry.stored || node.shape.numel() == 0) continue;
    core::fail_in(
        "eval",
        "a tensor has lost its value: it is {} {}; an evaluation that failed has overwritten it, "
        "or the function that was traced with it has failed\n  hint: compute it again",
        to_string(node.shape), name(node.dtype));
  }
}

void settle_failure(run::DeviceState& device, const graph::Collected& graph, const plan::Plan& plan,
                    Slots& slots, std::span<const double> scalars, std::size_t drawn) {
  try {
    throw;
  } catch (const gl::CallError&) {
    lose_overwritten(graph, plan);
    throw;
  } catch (const std::bad_alloc&) {
    if (keep_or_lose(device, graph, plan, slots, scalars, drawn)) throw;
    // A second attempt would only find that values are lost.
    const graph::Node& root = *graph[graph.roots.front()].node;
    const core::Called called("eval");
    detail::refuse_memory({.dtype = root.dtype, .shape = root.shape});
  } catch (...) {
    keep_or_lose(device, graph, plan, slots, scalars, drawn);
    throw;
  }
}

}  // namespace trigon::detail::pipeline

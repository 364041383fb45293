// SPDX-License-Identifier: MIT
#include <trigon/debug.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "describe.hpp"
#include "emit/emit.hpp"
#include "emit/points.hpp"
#include "eval.hpp"
#include "graph/trace.hpp"
#include "plan/make_plan.hpp"
#include "run/device_state.hpp"

namespace trigon {
namespace {

std::string describe_node(const plan::Collected& graph, std::size_t k) {
  const plan::Collected::Entry& entry = graph.entries[k];
  const graph::Node& node = *entry.node;
  std::string text = fmt::format("  %{} = {}", k,
                                 entry.stored         ? "stored"
                                 : node.op != nullptr ? node.op->name
                                                      : info(node.kind).name);
  for (std::int32_t input : graph.inputs(static_cast<std::int32_t>(k)))
    text += fmt::format(" %{}", input);
  if (node.kind == graph::Kind::constant || node.kind == graph::Kind::scalar) {
    text += fmt::format(" {}", node.value);
  }
  return text + fmt::format("  {} {}{}\n", to_string(node.shape), name(node.dtype),
                            entry.root ? "  <- root" : "");
}

std::string describe_step(const plan::Step& step, std::size_t k) {
  std::string inputs, outputs;
  for (std::int32_t slot : step.inputs) {
    inputs += fmt::format("{}t{}", inputs.empty() ? "" : " ", slot);
  }
  for (const plan::StepOutput& output : step.outputs) {
    outputs += fmt::format("{}t{}{}", outputs.empty() ? "" : " ", output.slot,
                           output.in_place ? " in place" : "");
  }
  const plan::Layout& layout = step.outputs[0].layout;
  const std::size_t targets = step.points ? 1 : step.kernel->outputs.size();
  std::string text = fmt::format(
      "  {} {}{}: {}\n", step.points ? "points" : "draw", k,
      step.draws > 1 ? fmt::format(" ... {} draws, a layer each", step.draws) : "", step.label);
  text += fmt::format(
      "    reads [{}], writes {}: {} x {} texels, {} layer{}, target{} at once: {}\n", inputs,
      step.outputs.size() == 1 ? outputs : fmt::format("[{}]", outputs), step.w, step.h,
      layout.layers, layout.layers == 1 ? "" : "s", targets == 1 ? "" : "s", targets);
  text += fmt::format("    {} fragments, each {} fetches, {} multiply-adds, {} trips\n",
                      step.fragments, step.fetches, step.multiply_adds, step.trips);
  return text;
}

Cost cost_of(const plan::Plan& plan) {
  Cost cost;
  std::vector<const plan::Kernel*> programs;
  std::set<plan::PointsProgram> points;
  for (const plan::Step& step : plan.steps) {
    cost.draws += step.draws;
    cost.fragments += step.fragments;
    cost.fetches += step.fragments * step.fetches;
    cost.multiply_adds += step.fragments * step.multiply_adds;
    if (step.points) {
      points.insert(step.points->program);
      continue;
    }
    cost.instructions += static_cast<std::int64_t>(step.kernel->code.size());
    programs.push_back(step.kernel.get());
  }
  cost.peak_bytes = plan.peak_bytes;
  // Equal kernels stand side by side, by their hashes; then each counts once.
  std::sort(programs.begin(), programs.end(),
            [](const auto* a, const auto* b) { return a->hash < b->hash; });
  const auto end = std::unique(programs.begin(), programs.end(),
                               [](const auto* a, const auto* b) { return *a == *b; });
  cost.programs = end - programs.begin() + static_cast<std::int64_t>(points.size());
  return cost;
}

/// Makes a plan without drawing and calls f(graph, plan).
template <class F>
auto with_plan(std::span<const Tensor> roots, F f) {
  std::vector<graph::NodePtr> nodes;
  for (const Tensor& root : roots) nodes.push_back(root.node());
  const auto device = device_of(nodes);
  const run::DeviceState::Lock lock(*device);
  const auto values = lock_values();
  graph::refuse_while_tracing(nodes);
  const plan::Collected graph = plan::collect(nodes, leaf_storage);
  return f(graph, plan::make_plan(graph, device->target(), device->costs()));
}

}  // namespace

plan::LeafStorage leaf_storage(const graph::Node& node) {
  const run::Storage& storage = *node.storage;
  return {&storage.texture(), storage.layout(),
          node.storage.use_count() == 1 && storage.owns_texture()};
}

std::string describe(const plan::Collected& graph, const plan::Plan& plan, bool with_graph,
                     bool with_glsl) {
  std::string text;
  if (with_graph) {
    text += fmt::format("graph: {} nodes\n", graph.entries.size());
    for (std::size_t k = 0; k < graph.entries.size(); ++k) text += describe_node(graph, k);
  }
  const Cost cost = cost_of(plan);
  text += fmt::format("plan: {} draws, {} programs, {} fetches, {} multiply-adds\n", cost.draws,
                      cost.programs, cost.fetches, cost.multiply_adds);
  for (const std::string& note : plan.notes) text += "  note: " + note + "\n";
  for (std::size_t k = 0; k < plan.steps.size(); ++k) {
    const plan::Step& step = plan.steps[k];
    text += describe_step(step, k);
    if (!with_glsl) continue;
    text += step.points ? emit::emit_points(step.points->program).vertex
                        : emit::emit(*step.kernel).fragment;
  }
  return text;
}

void print_plan(const plan::Collected& graph, const plan::Plan& plan,
                const run::DeviceState& device) {
  static const char* const setting = std::getenv("TRIGON_DEBUG");
  if (setting == nullptr || *setting < '1') return;
  const std::string text = describe(graph, plan, *setting >= '2', *setting >= '3');
  std::fprintf(stderr, "trigon on %s: %s", device.caps().renderer.c_str(), text.c_str());
}

Counters operator-(const Counters& a, const Counters& b) {
  return {.draws = a.draws - b.draws,
          .programs_compiled = a.programs_compiled - b.programs_compiled,
          .program_formats = a.program_formats - b.program_formats,
          .textures_created = a.textures_created - b.textures_created,
          .framebuffers_created = a.framebuffers_created - b.framebuffers_created,
          .bytes_uploaded = a.bytes_uploaded - b.bytes_uploaded,
          .uniform_bytes = a.uniform_bytes - b.uniform_bytes,
          .bytes_read = a.bytes_read - b.bytes_read,
          .plans_made = a.plans_made - b.plans_made,
          .plan_cache_hits = a.plan_cache_hits - b.plan_cache_hits};
}

Counters counters(const Device& device) {
  const run::DeviceState::Lock lock(*device.state());
  return device.state()->counters;
}

Counters counters() { return counters(Device::default_device()); }

Cost cost(std::span<const Tensor> roots) {
  return with_plan(roots,
                   [](const plan::Collected&, const plan::Plan& plan) { return cost_of(plan); });
}

Cost cost(const Tensor& root) { return cost(std::span(&root, 1)); }

std::string explain(const Tensor& root) {
  return with_plan(std::span(&root, 1), [](const plan::Collected& graph, const plan::Plan& plan) {
    return describe(graph, plan, true, true);
  });
}

}  // namespace trigon

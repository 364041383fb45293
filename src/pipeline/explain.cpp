// SPDX-License-Identifier: MIT
#include <trigon/debug.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/internals.hpp"
#include "core/item.hpp"
#include "core/list.hpp"
#include "core/math.hpp"
#include "core/walk.hpp"
#include "emit/emit.hpp"
#include "emit/points.hpp"
#include "graph/named.hpp"
#include "graph/trace.hpp"
#include "lower/domain.hpp"
#include "pipeline/describe.hpp"
#include "pipeline/make_plan.hpp"
#include "pipeline/plan_record.hpp"
#include "pipeline/reasons.hpp"
#include "pipeline/values.hpp"
#include "run/device_state.hpp"

namespace trigon {
namespace {

std::string describe_node(const graph::Collected& graph, std::size_t k) {
  const graph::Collected::Entry& entry = graph.entries[k];
  const graph::Node& node = *entry.node;
  std::string text = fmt::format("  %{} = {}", k, entry.stored ? "stored" : name_of(node));
  for (std::int32_t input : graph.inputs(static_cast<std::int32_t>(k)))
    text += fmt::format(" %{}", input);
  if (info(node.kind).is_one_number) {
    text += fmt::format(" {}", node.value);
  }
  if (has_outputs(node) && !entry.stored) return text + "\n";
  if (node.kind == graph::Kind::output && !entry.stored) {
    text += fmt::format(" result {}", node.as<graph::OutputAttrs>().number);
  }
  const Shape& shape = entry.stored ? graph.layout(static_cast<std::int32_t>(k)).shape : node.shape;
  return text + fmt::format("  {} {}{}\n", to_string(shape), name(node.dtype),
                            entry.root ? "  <- root" : "");
}

std::string plural(std::int64_t count, const char* word) {
  const char* const end = count == 1 ? "" : std::string_view(word).ends_with("h") ? "es" : "s";
  return fmt::format("{} {}{}", count, word, end);
}

std::string slots_of(const std::vector<std::int32_t>& slots) {
  std::string text;
  for (std::int32_t slot : slots) text += fmt::format("{}t{}", text.empty() ? "" : " ", slot);
  return text.empty() ? "nothing" : text;
}

std::string line(const std::string& indent, const std::string& name, const std::string& text) {
  return fmt::format("{}  {:<7}{}\n", indent, name, text);
}

/// The totals of a plan's steps.
struct Sums {
  std::int64_t draws = 0, fragments = 0, fetches = 0, multiply_adds = 0;
  double nanoseconds = 0;
};

/// The iterations of a loop of steps: the maximum if an unknown number decides, one if a texel
/// does.
std::int64_t iterations_of(const plan::Step& step, std::span<const double> scalars) {
  const kernel::IntExpr& iterations = step.repeats;
  const std::int32_t k = iterations.scalar;
  const bool open = k >= 0 && (k >= std::ssize(scalars) || std::isnan(item(scalars, k)));
  if (step.until >= 0) return 1;
  const std::int64_t most = open ? iterations.base + std::max(iterations.scale * iterations.low,
                                                              iterations.scale * iterations.high)
                                 : value_of(iterations, scalars);
  return core::ceil_div(most, step.chunk);
}

/// Adds the work of a step; that of a loop's body as often as it runs.
void add(const plan::Step& step, std::int64_t times, std::vector<double>& scalars,
         const core::Costs& costs, Sums& sums) {
  if (step.is_repeat()) {
    times *= iterations_of(step, scalars);
    // An inner loop may depend on it; then its longest run counts.
    if (step.counter >= 0 && step.counter < std::ssize(scalars)) {
      item(scalars, step.counter) = std::numeric_limits<double>::quiet_NaN();
    }
    for (const plan::Step& inner : step.body) add(inner, times, scalars, costs, sums);
    return;
  }
  sums.draws += times * step.draws;
  sums.fragments += times * step.fragments;
  sums.fetches += times * step.fragments * step.fetches;
  sums.multiply_adds += times * step.fragments * step.multiply_adds;
  sums.nanoseconds += static_cast<double>(times) * lower::nanoseconds_of(step, costs);
}

Sums sums_of(const plan::Plan& plan, std::span<const double> scalars, const core::Costs& costs) {
  Sums sums;
  std::vector<double> known(scalars.begin(), scalars.end());
  for (const plan::Step& step : plan.steps) add(step, 1, known, costs, sums);
  return sums;
}

/// Calls f with each draw of a step, including those of a loop's body.
template <class F>
void each_draw(const plan::Step& step, const F& f) {
  if (!step.is_repeat()) f(step);
  for (const plan::Step& inner : step.body) each_draw(inner, f);
}

/// Writes the draws of a plan as text.
class Describer {
 public:
  Describer(const plan::Plan& plan, const pipeline::PlanRecord& record, const core::Costs& costs,
            std::span<const double> scalars, bool with_glsl)
      : plan_(plan),
        record_(record),
        costs_(costs),
        scalars_(scalars),
        with_glsl_(with_glsl),
        stored_(record.graph.entries.size(), false),
        readers_(record.graph.entries.size(), 0),
        group_of_(plan.steps.size(), nullptr) {
    for (const DrawnGroup& group : record.groups) {
      for (std::size_t k = 0; k < group.steps; ++k) group_of_[group.first_step + k] = &group;
      for (const auto& value : group.values) item(stored_, value.entry) = true;
    }
    for (const DrawnGroup& group : record.groups) {
      const auto count = [this](std::int32_t k) { ++item(readers_, k); };
      walk(
          group, [](std::int32_t) {}, count);
    }
  }

  std::string text() {
    const Cost cost = pipeline::cost_of(plan_, scalars_, costs_);
    const Sums sums = sums_of(plan_, scalars_, costs_);
    std::string text = fmt::format("plan: {}, {}, about {:.1f} us\n", plural(cost.draws, "draw"),
                                   plural(cost.programs, "program"), sums.nanoseconds / 1e3);
    std::size_t next = 0;
    for (std::size_t k = 0; k <= plan_.steps.size(); ++k) {
      for (; next < record_.groups.size() && record_.groups[next].first_step <= k; ++next) {
        if (record_.groups[next].steps == 0) text += describe_seen(record_.groups[next]);
      }
      if (k < plan_.steps.size())
        text += describe_step(plan_.steps[k], std::to_string(k), "  ", group_of_[k]);
    }
    return text + totals(cost, sums);
  }

 private:
  using DrawnGroup = pipeline::PlanRecord::DrawnGroup;

  const ir::Graph::Entry& entry(std::int32_t k) const { return record_.graph[k]; }

  /// Calls `op` for entries that a group computes and `load` for those that it reads, each once.
  template <class Op, class Load>
  void walk(const DrawnGroup& group, const Op& op, const Load& load) const {
    std::vector<std::int32_t> own;
    for (const auto& value : group.values) own.push_back(value.entry);
    core::Walk<std::int32_t> walk(own);
    for (const std::int32_t k : walk) {
      const bool computed = core::contains(own, k);
      if (!computed && (entry(k).kind == ir::Kind::leaf || item(stored_, k))) {
        load(k);
        continue;
      }
      op(k);
      walk.add(entry(k).inputs);
    }
  }

  /// The name of an entry: its op's; a view has that of the viewed entry, an output its loop's.
  std::string name_of(std::int32_t k) const {
    while (is_view(entry(k).kind) || entry(k).kind == ir::Kind::output) k = entry(k).inputs[0];
    if (entry(k).op != nullptr) return std::string(entry(k).op->name);
    return std::string(entry(k).kind == ir::Kind::contract ? "matmul" : name(entry(k).kind));
  }

  /// "add 3, exp, sum": the ops that a group computes, in the order of the graph.
  std::string ops_of(const DrawnGroup& group) const {
    std::set<std::int32_t> ops;
    const auto note = [&](std::int32_t k) {
      const ir::Kind kind = entry(k).kind;
      if (!is_view(kind) && !ir::is_number(kind) && kind != ir::Kind::loop) ops.insert(k);
    };
    walk(group, note, [](std::int32_t) {});
    std::vector<std::pair<std::string, int>> counts;
    for (std::int32_t k : ops) {
      const std::string name = name_of(k);
      const auto known = std::find_if(counts.begin(), counts.end(),
                                      [&](const auto& one) { return one.first == name; });
      if (known == counts.end()) {
        counts.emplace_back(name, 1);
      } else {
        ++known->second;
      }
    }
    std::string text;
    for (const auto& [name, count] : counts) {
      core::append_text(text, count > 1 ? fmt::format("{} {}", name, count) : name);
    }
    return text;
  }

  static std::string describe_output(const plan::StepOutput& output) {
    const core::Layout& layout = output.layout;
    const bool some = output.first_layer.scalar >= 0;
    return fmt::format(
        "{} {}{}{}{}", to_string(layout.shape), name(layout.dtype),
        layout.layers > 1 ? fmt::format(" in {} layers", layout.layers) : "",
        output.in_place ? " in place" : "",
        some ? fmt::format(", {} of them in each iteration", output.attachments) : "");
  }

  std::string why(const pipeline::PlanRecord::Value& value) const {
    const std::int32_t readers = item(readers_, value.entry);
    return fmt::format(", {}: {}{}", name_of(value.entry),
                       pipeline::text_of(value.reason, entry(value.entry).kind),
                       readers > 0 ? fmt::format("; read by {}", plural(readers, "draw")) : "");
  }

  /// A group without a draw: its value already lies in a texture.
  std::string describe_seen(const DrawnGroup& group) const {
    std::string text;
    for (const auto& value : group.values) {
      text += fmt::format("  no draw: t{} seen as {}: {}\n", value.slot,
                          to_string(entry(value.entry).shape),
                          pipeline::text_of(value.reason, entry(value.entry).kind));
    }
    return text;
  }

  std::string describe_repeat(const plan::Step& step, const std::string& number,
                              const std::string& indent) {
    std::string text = fmt::format(
        "{}repeat {}: {}{} of {}\n", indent, number, step.repeats.scalar >= 0 ? "now " : "",
        plural(iterations_of(step, scalars_), "iteration"), plural(std::ssize(step.body), "step"));
    if (step.until >= 0) text += line(indent, "while", fmt::format("t{} is not 0", step.until));
    for (const auto& [a, b] : step.trades) {
      text += line(indent, "trades", fmt::format("t{} and t{} after each iteration", a, b));
    }
    for (std::size_t k = 0; k < step.body.size(); ++k) {
      text += describe_step(step.body[k], fmt::format("{}.{}", number, k), indent + "  ", nullptr);
    }
    return text;
  }

  std::string describe_step(const plan::Step& step, const std::string& number,
                            const std::string& indent, const DrawnGroup* group) {
    if (step.is_repeat()) return describe_repeat(step, number, indent);
    const bool first = group != nullptr && &step == &plan_.steps[group->first_step];
    const bool last =
        group != nullptr && &step == &plan_.steps[group->first_step + group->steps - 1];
    const std::string ops = last ? ops_of(*group) : "";
    std::string text = fmt::format("{}{} {}{}: {}\n", indent, step.points ? "points" : "draw",
                                   number, step.draws > 1 ? fmt::format(" x {}", step.draws) : "",
                                   ops.empty() ? step.label : ops);
    text += line(indent, "reads", slots_of(step.inputs));
    for (std::size_t k = 0; k < step.outputs.size(); ++k) {
      const bool known = last && k < group->values.size();
      text += line(indent, fmt::format("t{}", step.outputs[k].slot),
                   describe_output(step.outputs[k]) + (known ? why(group->values[k]) : ""));
      if (known && group->values[k].join != schedule::Join::first) {
        text += line(indent, "", pipeline::text_of(group->values[k].join));
      }
    }
    if (!step.guards.empty())
      text += line(indent, "only", "where " + pipeline::text_of(step.guards));
    text += line(indent, "costs", costs_of(step));
    if (step.kernel != nullptr) text += line(indent, "glsl", program_of(step, number));
    if (runs_both_sides(step)) {
      text += line(indent, "note", "both sides of a cond run: this device skips draws alone");
    }
    if (first) {
      for (const std::string& note : group->notes) text += line(indent, "note", note);
    }
    if (last && group != record_.groups.data()) {
      text += line(indent, "split", pipeline::text_of(group->split_reason));
    }
    if (!with_glsl_) return text;
    return text + (step.points ? emit::emit_points(step.points->program, step.guards.size()).vertex
                               : emit::emit(*step.kernel).fragment);
  }

  bool runs_both_sides(const plan::Step& step) const {
    if (costs_.branch_skips || step.kernel == nullptr) return false;
    const auto& blocks = step.kernel->blocks;
    return std::any_of(blocks.begin(), blocks.end(), [](const kernel::Block& block) {
      return block.runs != kernel::Runs::trips;
    });
  }

  std::string costs_of(const plan::Step& step) const {
    std::string text = fmt::format("{:.1f} us: ", lower::nanoseconds_of(step, costs_) / 1e3);
    if (step.points) {
      text += plural(step.points->count, "point");
    } else {
      text += fmt::format("{} x {} fragments", step.w, step.h);
    }
    if (step.draws > 1) text += fmt::format(" in {} draws", step.draws);
    text += fmt::format(", {}; each {}, {}", plural(step.points ? 1 : step.attachments(), "target"),
                        plural(step.instructions, "instruction"), plural(step.fetches, "fetch"));
    if (step.trips > 0) text += ", " + plural(step.trips, "iteration");
    if (step.multiply_adds > 0) text += ", " + plural(step.multiply_adds, "multiply-add");
    return text;
  }

  /// The compile time of a draw's program, or the earlier draw that has the same one.
  std::string program_of(const plan::Step& step, const std::string& number) {
    const auto [known, is_new] = programs_.try_emplace({step.kernel, step.guards.size()}, number);
    if (!is_new) return "that of draw " + known->second;
    return fmt::format("about {:.0f} ms to compile",
                       compile_nanoseconds(step.compiled, costs_) / 1e6);
  }

  std::string totals(const Cost& cost, const Sums& sums) const {
    std::string text = "total\n";
    const auto add = [&](const char* name, const std::string& value) {
      text += fmt::format("  {:<14}{:>14}\n", name, value);
    };
    add("draws", std::to_string(cost.draws));
    add("programs", std::to_string(cost.programs));
    add("fragments", std::to_string(cost.fragments));
    add("fetches", std::to_string(cost.fetches));
    add("multiply-adds", std::to_string(cost.multiply_adds));
    add("instructions", std::to_string(cost.instructions));
    add("peak bytes", std::to_string(cost.peak_bytes));
    add("microseconds", fmt::format("{:.1f}", sums.nanoseconds / 1e3));
    add("compile ms", fmt::format("{:.0f}", cost.compile_milliseconds));
    return text;
  }

  const plan::Plan& plan_;
  const pipeline::PlanRecord& record_;
  const core::Costs& costs_;
  std::span<const double> scalars_;
  bool with_glsl_;
  std::vector<bool> stored_;                 ///< by entry
  std::vector<std::int32_t> readers_;        ///< by entry: groups that load it
  std::vector<const DrawnGroup*> group_of_;  ///< by step
  /// The first draw with each kernel.
  std::unordered_map<kernel::ProgramKey, std::string, kernel::ProgramHash, kernel::ProgramEqual>
      programs_;
};

/// The present run-time numbers of a graph.
std::vector<double> scalars_of(const graph::Collected& graph) {
  std::vector<double> scalars;
  for (std::int32_t k : graph.scalars) scalars.push_back(graph[k].node->value);
  return scalars;
}

/// Collects the roots and calls f(graph, device) without drawing.
template <class F>
auto with_graph(std::span<const Tensor> roots, F f) {
  std::vector<graph::NodePtr> nodes;
  for (const Tensor& root : roots) {
    graph::check_operand("a root", root);
    static_cast<void>(root.size());  // raises Error from 2^63 on
    nodes.push_back(detail::Internals::node(root));
  }
  const auto device = pipeline::device_of(nodes);
  const core::UserCode evaluation;
  const run::DeviceState::Lock lock(*device);
  const auto values = pipeline::lock_values();
  graph::refuse_while_tracing(nodes);
  return f(graph::collect(nodes, pipeline::leaf_storage), *device);
}

/// Values that are copied from other devices, which goes through the CPU.
std::string describe_copies(const graph::Collected& graph, const run::DeviceState& device) {
  std::string text;
  for (std::size_t k = 0; k < graph.entries.size(); ++k) {
    const graph::Collected::Entry& entry = graph.entries[k];
    if (!entry.stored || &entry.node->storage->device() == &device) continue;
    text += fmt::format("through the CPU: %{} {} {} is copied from another device\n", k,
                        to_string(entry.node->shape), name(entry.node->dtype));
  }
  return text;
}

std::string describe(const graph::Collected& graph, const run::DeviceState& device,
                     core::Asker asker, bool with_nodes, bool with_glsl) {
  pipeline::PlanRecord record;
  const core::Costs costs = core::costs_for(asker, device.costs());
  const plan::Plan plan = pipeline::make_plan(graph, device.target(), costs, &record);
  return (with_nodes ? pipeline::describe_graph(graph) : "") + describe_copies(graph, device) +
         describe_plan(plan, record, device.costs(), scalars_of(graph), with_glsl);
}

}  // namespace

graph::LeafStorage pipeline::leaf_storage(const graph::Node& node) {
  const run::Storage& storage = *node.storage;
  return {&storage.texture(), storage.layout(),
          node.storage.use_count() == 1 && storage.owns_texture()};
}

Cost pipeline::cost_of(const plan::Plan& plan, std::span<const double> scalars,
                       const core::Costs& costs) {
  const Sums sums = sums_of(plan, scalars, costs);
  Cost cost{.draws = sums.draws,
            .fragments = sums.fragments,
            .fetches = sums.fetches,
            .multiply_adds = sums.multiply_adds,
            .peak_bytes = plan.peak_bytes};
  std::unordered_set<kernel::ProgramKey, kernel::ProgramHash, kernel::ProgramEqual> programs;
  std::set<std::pair<kernel::PointsProgram, std::size_t>> points;
  for (const plan::Step& step : plan.steps) {
    each_draw(step, [&](const plan::Step& draw) {
      if (draw.points) {
        points.emplace(draw.points->program, draw.guards.size());
        return;
      }
      cost.instructions += std::ssize(draw.kernel->code);
      programs.insert({draw.kernel, draw.guards.size()});
    });
  }
  cost.programs = std::ssize(programs) + std::ssize(points);
  cost.compile_milliseconds = lower::compile_nanoseconds_of(plan.steps, costs) / 1e6;
  return cost;
}

std::string pipeline::describe_graph(const graph::Collected& graph) {
  std::string text = fmt::format("graph: {} nodes\n", graph.entries.size());
  for (std::size_t k = 0; k < graph.entries.size(); ++k) text += describe_node(graph, k);
  return text;
}

std::string pipeline::describe_plan(const plan::Plan& plan, const pipeline::PlanRecord& record,
                                    const core::Costs& costs, std::span<const double> scalars,
                                    bool with_glsl) {
  return Describer(plan, record, costs, scalars, with_glsl).text();
}

void pipeline::print_plan(const graph::Collected& graph, const run::DeviceState& device,
                          core::Asker asker) {
  const int level = device.debug_level();
  if (level == 0) return;
  const std::string text = describe(graph, device, asker, level >= 2, level >= 3);
  std::fprintf(stderr, "trigon on %s: %s", device.caps().renderer.c_str(), text.c_str());
}

void pipeline::print_compiled(run::DeviceState& device) {
  const std::vector<run::DeviceState::Compiled> all = device.take_compiled();
  if (all.empty()) return;
  double sum = 0;
  for (const auto& one : all) sum += one.milliseconds;
  std::fprintf(stderr, "trigon on %s: compiled %s in %.1f ms\n", device.caps().renderer.c_str(),
               plural(std::ssize(all), "program").c_str(), sum);
  for (const auto& one : all) {
    std::fprintf(stderr, "%10.1f ms  %s\n", one.milliseconds, one.label.c_str());
  }
}

Counters counters(const Device& device) {
  const run::DeviceState::Lock lock(*detail::Internals::state(device));
  return detail::Internals::state(device)->counters;
}

Counters counters() { return counters(Device::default_device()); }

Cost cost(const TensorList& roots) {
  const graph::Named named("cost");
  const auto f = [](const graph::Collected& graph, const run::DeviceState& device) {
    const plan::Plan plan = pipeline::make_plan(graph, device.target(), device.costs());
    return pipeline::cost_of(plan, scalars_of(graph), device.costs());
  };
  return with_graph(roots, f);
}

Cost cost(const Tensor& root) { return cost(std::span(&root, 1)); }

std::string explain(const TensorList& roots) {
  const graph::Named named("explain");
  const auto f = [](const graph::Collected& graph, const run::DeviceState& device) {
    return describe(graph, device, core::Asker::evaluation, true, true);
  };
  return with_graph(roots, f);
}

std::string explain(const Tensor& root) { return explain(std::span(&root, 1)); }

}  // namespace trigon

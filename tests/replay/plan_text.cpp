// SPDX-License-Identifier: MIT
#include "plan_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <trigon/detail/shape_class.hpp>
#include <trigon/dtype.hpp>

#include "emit/emit.hpp"
#include "emit/points.hpp"

namespace trigon::replay {
namespace {

std::string text_of(const kernel::IntExpr& e) {
  if (e.scalar == kernel::IntExpr::first_row) return "first_row";
  if (e.scalar < 0) return fmt::format("{}", e.base);
  std::string text =
      fmt::format("{}+{}*clamp(s{},{},{})", e.base, e.scale, e.scalar, e.low, e.high);
  if (e.size != 0) text += fmt::format(" of {}", e.size);
  if (e.unit != 0) text += fmt::format(" unit {}", e.unit);
  return text;
}

std::string text_of(const kernel::FloatExpr& e) {
  if (e.scalar >= 0) return fmt::format("s{}", e.scalar);
  // A NaN's sign is left to the compiler.
  return std::isnan(e.value) ? "nan" : fmt::format("{}", e.value);
}

std::string text_of(const core::Layout& layout) {
  std::string strides;
  for (int k = 0; k < layout.shape.rank(); ++k) {
    strides += fmt::format(" {}", layout.strides[static_cast<std::size_t>(k)]);
  }
  return fmt::format("{} {} strides{} offset {}, {}x{}x{} slab {}", name(layout.dtype),
                     to_string(layout.shape), strides, layout.offset, layout.width, layout.height,
                     layout.layers, layout.slab);
}

template <class Expressions>
std::string text_of_all(const Expressions& all) {
  std::string text;
  for (const auto& one : all) text += " " + text_of(one);
  return text;
}

std::string slots_of(const std::vector<std::int32_t>& slots) {
  std::string text;
  for (const std::int32_t slot : slots) text += fmt::format(" t{}", slot);
  return text;
}

/// In the order of their nodes, whose numbers change with the graph.
std::string text_of(const char* what, std::vector<plan::Plan::Binding> bindings) {
  std::stable_sort(bindings.begin(), bindings.end(),
                   [](const auto& a, const auto& b) { return a.node < b.node; });
  std::string text;
  for (const auto& [node, slot, layout] : bindings) {
    text += fmt::format("  {} t{}: {}\n", what, slot, text_of(layout));
  }
  return text;
}

}  // namespace

void PlanText::add(const plan::Plan& plan) {
  text_ += fmt::format("plan: {} slots, {} scalars, {} bytes at most\n", plan.slots, plan.scalars,
                       plan.peak_bytes);
  text_ += text_of("leaf", plan.leaves);
  for (const plan::Step& step : plan.steps) add(step, "  ");
  text_ += text_of("stored", plan.stored);
}

void PlanText::add(const plan::Step& step, const std::string& indent) {
  if (!step.is_repeat()) {
    add_draw(step, indent);
  } else {
    text_ += fmt::format("{}repeat \"{}\" {} times, counter s{}, chunk {} in s{}, until t{}\n",
                         indent, step.label, text_of(step.repeats), step.counter, step.chunk,
                         step.count, step.until);
    for (const plan::Step& inner : step.body) add(inner, indent + "  ");
    for (const auto& [a, b] : step.trades) {
      text_ += fmt::format("{}  trade t{} t{}\n", indent, a, b);
    }
  }
  if (!step.last_use.empty()) {
    text_ += fmt::format("{}  frees{}\n", indent, slots_of(step.last_use));
  }
}

void PlanText::add_draw(const plan::Step& step, const std::string& indent) {
  const std::size_t program = program_of(step);
  text_ += fmt::format("{}draw \"{}\" program {}, {} times, {} parts, {} fragments", indent,
                       step.label, program, step.draws, step.overlays, step.fragments);
  if (step.points) text_ += fmt::format(", {} points", step.points->count);
  text_ += fmt::format("\n{}  at {}, {}: {}x{}\n", indent, text_of(step.x), text_of(step.y), step.w,
                       step.h);
  if (!step.inputs.empty()) text_ += fmt::format("{}  reads{}\n", indent, slots_of(step.inputs));
  for (const plan::Guard& guard : step.guards) {
    text_ += fmt::format("{}  only where t{} at {} of {} a row, {} x {}, is {}\n", indent,
                         guard.slot, text_of(guard.element), guard.width, guard.sides[0],
                         guard.sides[1], guard.holds ? "set" : "not");
  }
  for (const plan::StepOutput& output : step.outputs) {
    text_ += fmt::format("{}  writes t{}: {}, {} layers from {}{}\n", indent, output.slot,
                         text_of(output.layout), output.attachments, text_of(output.first_layer),
                         output.in_place ? ", in place" : "");
  }
  if (!step.ints.empty()) text_ += fmt::format("{}  ints{}\n", indent, text_of_all(step.ints));
  if (!step.floats.empty()) {
    text_ += fmt::format("{}  floats{}\n", indent, text_of_all(step.floats));
  }
}

std::size_t PlanText::program_of(const plan::Step& step) {
  std::size_t next = points_.size();
  for (const auto& [guards, programs] : programs_) next += programs.size();
  const auto [number, is_new] = [&] {
    if (step.points) {
      const auto [at, made] =
          points_.emplace(std::pair(step.points->program, step.guards.size()), next);
      return std::pair(at->second, made);
    }
    const auto [at, made] = programs_[step.guards.size()].emplace(step.kernel, next);
    return std::pair(at->second, made);
  }();
  if (!is_new) return number;
  const emit::Source source = step.points
                                  ? emit::emit_points(step.points->program, step.guards.size())
                                  : emit::emit(*step.kernel, step.guards.size());
  text_ += fmt::format("-- program {}, vertex\n{}-- program {}, fragment\n{}--\n", number,
                       source.vertex, number, source.fragment);
  return number;
}

}  // namespace trigon::replay

// SPDX-License-Identifier: MIT
#include "plan/make_plan.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "plan/planner.hpp"

namespace trigon::plan {

using graph::Kind;

Plan make_plan(const Graph& graph, const Target& target) { return Planner(graph, target).run(); }

Planner::Planner(const Graph& graph, const Target& target)
    : graph_(graph),
      target_(target),
      schedule_(schedule(graph, target)),
      stored_(graph.entries.size()),
      planned_(graph.entries.size(), false) {}

Plan Planner::run() {
  const auto count = static_cast<std::int32_t>(graph_.entries.size());
  for (std::int32_t k = 0; k < count; ++k) {
    if (!at(k).stored) continue;
    if (at(k).alias == k) {
      stored(k) = {new_slot(), at(k).layout};
      plan_.leaves.push_back({k, stored(k).slot});
    } else {
      stored(k) = {stored(at(k).alias).slot, at(k).layout};
    }
  }
  for (std::int32_t k = 0; k < count; ++k) {
    if (boundary(k)) plan_boundary(k);
  }
  for (std::int32_t k = 0; k < count; ++k) {
    const bool kept = boundary(k) && schedule_.live[static_cast<std::size_t>(k)];
    if (kept) plan_.stored.push_back({k, stored(k).slot});
  }
  fill_last_use();
  return std::move(plan_);
}

void Planner::plan_boundary(std::int32_t root) {
  if (planned_[static_cast<std::size_t>(root)]) return;
  // A kernel past the target's caps is cut into ever smaller ones.
  for (std::size_t limit = max_fused_ops / 2;; limit /= 2) {
    const std::size_t steps = plan_.steps.size();
    const std::int32_t slots = plan_.slots;
    const std::size_t notes = plan_.notes.size();
    const std::size_t copies = copies_.size();
    try {
      plan_kernel(root);
      break;
    } catch (const KernelTooLarge&) {
      if (limit == 0) {
        throw DeviceError(
            fmt::format("trigon::eval: no kernel fits the device: an op of shape {} needs more "
                        "than {} samplers or {} "
                        "uniform vectors",
                        to_string(node(root).shape), target_.samplers, target_.uniform_vectors));
      }
      plan_.steps.resize(steps);
      plan_.slots = slots;
      plan_.notes.resize(notes);
      for (; copies_.size() > copies; copies_.pop_back()) {
        stored(copies_.back().node) = copies_.back().before;
      }
      for (std::int32_t k : cut(graph_, schedule_, root, limit)) plan_boundary(k);
    }
  }
  planned_[static_cast<std::size_t>(root)] = true;
}

void Planner::plan_kernel(std::int32_t root) {
  const std::int32_t core = schedule_.core[static_cast<std::size_t>(root)];
  if (core >= 0 && node(core).kind == Kind::reduce) return plan_reduction(root, core);
  if (core >= 0) return plan_contraction(root, core);
  if (node(root).kind == Kind::write) return plan_write(root);
  plan_elementwise(root);
}

Step Planner::start_step(const Layout& layout, std::int64_t attachments) const {
  Step step;
  step.layout = layout;
  step.w = layout.width;
  step.h = layout.height;
  step.draws = layout.layers / attachments;
  return step;
}

Fragment fragment(KernelBuilder& b, const Layout& layout, Step& step) {
  std::int64_t columns = layout.width * 4;
  // Where a texture row is one row of the tensor, what lies past its end is no column.
  const int rank = layout.shape.rank();
  const bool row_by_row =
      rank == 1 || (rank > 1 && layout.strides[static_cast<std::size_t>(rank - 2)] == columns);
  if (row_by_row && layout.strides[static_cast<std::size_t>(rank - 1)] == 1 &&
      layout.shape.back() <= columns && columns - layout.shape.back() < 8) {
    columns = layout.shape.back();
  }
  Fragment at;
  at.x = b.variable(b.base_index(Code::frag_x, 0, (columns + 3) / 4));
  at.x4 = b.variable(b.base_index(Code::frag_x4, 0, columns));
  if (layout.height == 1 && step.draws == 1) return at;
  const std::int64_t rows = layout.height * step.draws;
  if (step.draws == 1) {
    at.y = b.variable(b.base_index(Code::frag_y, 0, rows));
  } else {
    at.y = b.variable(
        b.base_index(Code::frag_y, 0, rows, 2, b.int_slot({.scalar = IntExpr::first_row})));
  }
  return at;
}

void Planner::store_values(KernelBuilder& b, const std::vector<std::int32_t>& values, DType dtype) {
  const Type type = texel_type(target_, dtype);
  for (std::int32_t value : values) {
    const bool to_bytes = dtype == DType::boolean && type == Type::u;
    b.output(to_bytes ? b.text(Type::u, "uvec4($0)", {value}) : value, type);
  }
}

void Planner::emit_step(Step step, std::int32_t root, const char* kind) {
  step.fragments = step.w * step.h * step.draws;
  if (step.output < 0) step.output = new_slot();
  step.node = root;
  const graph::Node& computed = node(root);
  step.label = fmt::format("{} {} {}", kind, to_string(computed.shape), name(computed.dtype));
  plan_.steps.push_back(std::move(step));
}

void Planner::fill_last_use() {
  std::vector<std::int32_t> last(static_cast<std::size_t>(plan_.slots), -1);
  for (std::size_t k = 0; k < plan_.steps.size(); ++k) {
    const Step& step = plan_.steps[k];
    for (std::int32_t slot : step.inputs)
      last[static_cast<std::size_t>(slot)] = static_cast<std::int32_t>(k);
    last[static_cast<std::size_t>(step.output)] = static_cast<std::int32_t>(k);
  }
  for (const auto& binding : plan_.stored) last[static_cast<std::size_t>(binding.slot)] = -1;
  for (std::size_t slot = 0; slot < last.size(); ++slot) {
    if (last[slot] < 0) continue;
    plan_.steps[static_cast<std::size_t>(last[slot])].last_use.push_back(
        static_cast<std::int32_t>(slot));
  }
}

Shape without_ones(const Shape& shape) {
  Shape result;
  for (std::int64_t dim : shape) {
    if (dim != 1) result.push_back(dim);
  }
  return result;
}

std::vector<Affine> spread_index(const Shape& shape, const std::vector<Affine>& index) {
  std::vector<Affine> result(static_cast<std::size_t>(shape.rank()));
  std::size_t next = 0;
  for (int k = 0; k < shape.rank(); ++k) {
    if (shape[k] != 1) result[static_cast<std::size_t>(k)] = index[next++];
  }
  return result;
}

Layout with_shape(const Layout& layout, const Shape& shape) {
  Layout result = layout;
  result.shape = shape;
  result.strides = {};
  int next = 0;
  for (int k = 0; k < shape.rank(); ++k) {
    if (shape[k] == 1) continue;
    while (layout.shape[next] == 1) ++next;
    result.strides[static_cast<std::size_t>(k)] = layout.strides[static_cast<std::size_t>(next++)];
  }
  return result;
}

}  // namespace trigon::plan

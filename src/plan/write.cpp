// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "plan/planner.hpp"

namespace trigon::plan {
namespace {

/// The texels that a write covers, when they are a rectangle of whole texels of a plain texture.
struct Rectangle {
  bool whole = false;
  IntExpr x, y;
  std::int64_t w = 0, h = 0;
};

struct Part {
  std::int64_t start, size, step;
  std::int32_t scalar;  ///< of the plan, or -1
};

/// Axes of size 1 dropped; the start's run-time part can lie on a row axis only.
Rectangle rectangle(const Layout& layout, const std::vector<Part>& parts,
                    const std::vector<std::int64_t>& sizes,
                    const std::vector<std::int64_t>& strides) {
  Rectangle result;
  const std::size_t rank = parts.size();
  if (rank == 0 || layout.layers > 1 || strides[rank - 1] != 1) return result;
  const Part& columns = parts[rank - 1];
  const bool to_the_end = columns.start + columns.size == sizes[rank - 1];
  if (columns.step != 1 || columns.scalar >= 0 || columns.start % 4 != 0) return result;
  const bool tail_is_free = to_the_end && (rank == 1 || strides[rank - 2] % 4 == 0);
  if (columns.size % 4 != 0 && !tail_is_free) return result;
  const std::int64_t pitch = layout.width * 4;
  if (rank == 1 ? sizes[0] > pitch : strides[rank - 2] != pitch) return result;
  result.x = {.base = columns.start / 4};
  result.w = (columns.size + 3) / 4;
  result.h = 1;
  bool partial_inside = false;  // an inner axis that is not covered whole
  for (std::size_t k = rank - 1; k-- > 0;) {
    const Part& part = parts[k];
    if (part.step != 1 && part.size > 1) return result;
    if (part.size > 1 && partial_inside) return result;
    const std::int64_t rows = strides[k] / pitch;
    if (part.scalar >= 0 && result.y.scalar >= 0) return result;
    result.y.base += part.start * rows;
    if (part.scalar >= 0) {
      result.y.scalar = part.scalar;
      result.y.scale = rows;
      result.y.high = std::max<std::int64_t>(sizes[k] - part.size - part.start, 0);
    }
    partial_inside = partial_inside || part.size != sizes[k];
    result.h *= part.size;
  }
  result.whole = true;
  return result;
}

}  // namespace

/// Whether a kernel still to come reads `source`: walks from those kernels down to what is stored
/// by now.
bool Planner::readers_left(std::int32_t source, std::int32_t writer) const {
  const std::int32_t slot = stored_[static_cast<std::size_t>(source)].slot;
  std::vector<bool> seen(graph_.entries.size(), false);
  std::vector<std::int32_t> stack;
  const auto push_inputs = [&](std::int32_t k) {
    stack.insert(stack.end(), at(k).inputs.begin(), at(k).inputs.end());
  };
  for (std::int32_t k = 0; k < static_cast<std::int32_t>(graph_.entries.size()); ++k) {
    if (boundary(k) && !planned_[static_cast<std::size_t>(k)] && k != writer) push_inputs(k);
  }
  while (!stack.empty()) {
    const std::int32_t k = stack.back();
    stack.pop_back();
    if (seen[static_cast<std::size_t>(k)]) continue;
    seen[static_cast<std::size_t>(k)] = true;
    const std::int32_t here = stored_[static_cast<std::size_t>(k)].slot;
    if (here == slot) return true;
    if (here < 0 && !boundary(k)) push_inputs(k);
  }
  return false;
}

bool Planner::write_in_place(std::int32_t root) {
  const graph::Node& computed = node(root);
  const std::int32_t source = at(root).inputs[0];
  const std::int32_t v = at(root).inputs[1];
  const Stored target = stored(source);
  if (target.slot < 0) return false;
  const bool live = schedule_.live[static_cast<std::size_t>(source)];
  if (live || (at(source).stored && !at(source).owned) || readers_left(source, root)) return false;
  std::vector<Part> parts;
  std::vector<std::int64_t> sizes, strides;
  const Shape& part = node(v).shape;
  for (int k = 0; k < computed.shape.rank(); ++k) {
    if (computed.shape[k] == 1) continue;
    const auto [start, step, input] = graph::slice_attr(computed, k);
    const std::int32_t scalar =
        input > 0 ? scalar_number(graph_, at(root).inputs[static_cast<std::size_t>(input)]) : -1;
    parts.push_back({start, part[k], step, scalar});
    sizes.push_back(computed.shape[k]);
    strides.push_back(target.layout.strides[static_cast<std::size_t>(k)]);
  }
  const Rectangle where = rectangle(target.layout, parts, sizes, strides);
  if (!where.whole) return false;

  // A texture is never an input and the target of one draw.
  KernelBuilder probe(target_);
  Fuser(probe, graph_, stored_).value(v, Indices(static_cast<std::size_t>(part.rank())));
  const bool reads_itself = probe.reads(target.slot);
  if (reads_itself) store_padded(v, "the part that is written reads the tensor it is written to");

  Step step = start_step(target.layout, 1);
  step.in_place = true;
  step.output = target.slot;
  step.x = where.x;
  step.y = where.y;
  step.w = where.w;
  step.h = where.h;
  KernelBuilder b(target_);
  Fuser fuser(b, graph_, stored_);
  const std::int64_t columns = parts.back().size;
  const Affine c = b.variable(b.base_index(Code::frag_x4, 0, columns, 1, b.int_slot(where.x)));
  const Affine y = where.h == 1
                       ? Affine{}
                       : b.variable(b.base_index(Code::frag_y, 0, where.h, 1, b.int_slot(where.y)));
  Shape rows;
  for (std::size_t k = 0; k + 1 < parts.size(); ++k) rows.push_back(parts[k].size);
  Indices index = b.unravel(y, {rows.begin(), rows.end()});
  index.push_back(columns == 1 ? Affine{} : c);
  Indices full(static_cast<std::size_t>(part.rank()));
  std::size_t next = 0;
  for (int k = 0; k < part.rank(); ++k) {
    if (computed.shape[k] != 1) full[static_cast<std::size_t>(k)] = index[next++];
  }
  store_values(b, {fuser.value(v, std::move(full))}, computed.dtype);
  b.finish(step);
  stored(root) = {target.slot, target.layout};
  emit_step(std::move(step), root, "write");
  return true;
}

void Planner::plan_write(std::int32_t root) {
  if (write_in_place(root)) return;
  const std::int32_t source = at(root).inputs[0];
  if (stored(source).slot >= 0) {
    plan_.notes.push_back(
        fmt::format("copies {} for a write: it is still referred to, or the part is no rectangle "
                    "of whole texels",
                    to_string(node(source).shape)));
  }
  plan_elementwise(root);
}

}  // namespace trigon::plan

// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "plan/planner.hpp"

namespace trigon::plan {
namespace {

/// Whether the elements follow each other in C order without gaps.
bool is_flat(const Layout& layout) {
  if (layout.layers > 1) return false;
  std::int64_t stride = 1;
  for (int k = layout.shape.rank() - 1; k >= 0; --k) {
    if (layout.shape[k] == 1) continue;
    if (layout.strides[static_cast<std::size_t>(k)] != stride) return false;
    stride *= layout.shape[k];
  }
  return true;
}

}  // namespace

/// Takes over the texture geometry of an input of the same size: then both are read and written
/// texel to texel.
void Planner::adopt_geometry(std::int32_t root, Layout& layout) const {
  if (!is_flat(layout)) return;
  for (std::int32_t k : schedule_.loads[static_cast<std::size_t>(root)]) {
    const Stored& input = stored_[static_cast<std::size_t>(k)];
    if (input.slot < 0 || !is_flat(input.layout) || input.layout.width == layout.width) continue;
    if (input.layout.shape.numel() != layout.shape.numel()) continue;
    layout.width = input.layout.width;
    layout.height = input.layout.height;
    layout.slab = input.layout.slab;
    return;
  }
}

Step Planner::elementwise(std::int32_t root, bool padded) {
  const graph::Node& computed = node(root);
  const Shape core = without_ones(computed.shape);
  Layout layout = padded ? padded_layout(target_, computed.dtype, core)
                         : flat_layout(target_, computed.dtype, core);
  if (layout.layers == 1) adopt_geometry(root, layout);
  Step step = start_step(layout, 1);
  KernelBuilder b(target_);
  Fuser fuser(b, graph_, stored_);
  const Fragment at = fragment(b, layout, step);
  const Affine e = at.x4 + at.y * (layout.width * 4);
  Indices index;
  if (padded && core.rank() > 1) {
    const std::int64_t pitch = (core.back() + 3) / 4 * 4;
    const auto parts = b.split(e, pitch);
    Shape rows = core;
    rows.erase(core.rank() - 1);
    index = b.unravel(parts.quotient, {rows.begin(), rows.end()});
    index.push_back(parts.remainder);
  } else {
    index = b.unravel(e, {core.begin(), core.end()});
  }
  store_values(b, {fuser.value(root, spread_index(computed.shape, index))}, computed.dtype);
  step.layout = with_shape(layout, computed.shape);
  b.finish(step);
  return step;
}

void Planner::plan_elementwise(std::int32_t root) {
  Step step = elementwise(root, false);
  const Shape core = without_ones(node(root).shape);
  const bool same = core.rank() < 2 || core.back() % 4 == 0;
  if (!same && step.fetches > static_cast<std::int64_t>(step.inputs.size())) {
    // Rows that start a texel may save fetches where something is broadcast along them.
    Step rows = elementwise(root, true);
    if (rows.fetches * rows.w * rows.h < step.fetches * step.w * step.h) step = std::move(rows);
  }
  const Layout layout = step.layout;
  step.output = new_slot();
  stored(root) = {step.output, layout};
  emit_step(std::move(step), root, "elementwise");
}

Stored Planner::store_padded(std::int32_t k, const char* why) {
  const Stored before = stored(k);
  copies_.push_back({k, before});
  Step step = elementwise(k, true);
  step.output = new_slot();
  stored(k) = {step.output, step.layout};
  plan_.notes.push_back(fmt::format("copies a {} operand: {}", to_string(node(k).shape), why));
  emit_step(std::move(step), k, "copy");
  return before;
}

}  // namespace trigon::plan

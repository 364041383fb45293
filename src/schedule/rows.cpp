// SPDX-License-Identifier: MIT
#include <algorithm>

#include "core/item.hpp"
#include "core/math.hpp"
#include "core/walk.hpp"
#include "schedule/state.hpp"

namespace trigon::detail::schedule {
namespace {

/// The entry that an operand shows, below its views.
std::int32_t base_of(const State& state, std::int32_t k) {
  while (!state.is_loaded(k) && is_view(state.at(k).kind)) k = state.at(k).inputs[0];
  return k;
}

/// Whether all readers of `k` lie below `row`.
bool leads_only_to(const State& state, std::int32_t k, std::int32_t row) {
  core::Walk<std::int32_t> walk({k});
  for (const std::int32_t at : walk) {
    if (at == row) continue;
    const Ids& readers = item(state.graph.readers, at);
    if (at > row || readers.empty() || state.is_stored(at) || state.is_anchor(at)) {
      if (at != k) return false;
    }
    if (state.is_stored(k)) return false;
    walk.add(readers);
  }
  return true;
}

/// Whether computing this reduction in each fragment that reads `row` is cheaper than loading it.
bool is_cheap_to_repeat(const State& state, std::int32_t reduction, std::int32_t row,
                        std::int64_t fragments) {
  const ir::Graph::Entry& entry = state.at(reduction);
  const std::int64_t rows = state.at(row).shape.numel() / state.at(row).shape.back();
  if (entry.shape.numel() / entry.shape[0] != rows) return false;
  if (!leads_only_to(state, reduction, row)) return false;
  const Region source = region_of(state, entry.inputs[0]);
  const std::int64_t loads = state.is_loaded(entry.inputs[0]) ? 1 : source.sources;
  if (loads > 2 || source.ops > 4 || source.gathers || !source.reductions.empty()) return false;
  const auto texels = static_cast<double>(
      core::ceil_div(state.at(entry.inputs[0]).shape.numel() / rows, core::lanes));
  const double again = static_cast<double>(fragments * loads) * texels * state.costs.fetch +
                       texels * state.costs.trip;
  return again < state.costs.draw;
}

}  // namespace

void mark_rows(State& state) {
  for (std::int32_t k = 0; k < state.graph.size(); ++k) {
    if (state.at(k).kind != ir::Kind::contract || state.is_empty(k)) continue;
    const Shape& shape = state.at(k).shape;
    const std::int32_t row = base_of(state, state.at(k).inputs[0]);
    // Only if the views keep each row whole do all fragments of a row share it.
    if (shape[-2] != 1 || state.is_loaded(row) || state.is_anchor(row)) continue;
    if (state.at(row).shape.rank() == 0) continue;
    const Region region = region_of(state, row);
    if (region.ops > 16 || region.gathers) continue;
    Ids inlined;
    for (std::int32_t reduction : region.reductions) {
      const std::int64_t fragments = core::ceil_div(shape.numel(), core::lanes);
      if (is_cheap_to_repeat(state, reduction, row, fragments)) inlined.push_back(reduction);
    }
    const std::int64_t loads = region.sources - static_cast<std::int64_t>(inlined.size());
    if (loads > 4) continue;
    // One of two loads is read before the loop, as softmax's maximum and sum are.
    const std::int64_t sharing = state.target.share_quads ? 4 : 1;  // fragments that share a texel
    const std::int64_t served = sharing * core::lanes;              // outputs that it serves
    const std::int64_t fetches =
        shape.numel() / served * (state.at(row).shape.numel() / core::lanes);
    const auto reads = static_cast<double>(fetches);
    const bool cheap =
        loads <= 2 || static_cast<double>(loads - 1) * reads * state.costs.fetch < state.costs.draw;
    if (!cheap) continue;
    item(state.row, k) = true;
    for (std::int32_t reduction : inlined) {
      item(state.inlined, reduction) = true;
    }
  }
}

namespace {

/// The entry that points read by its strides: the operand itself, or the one that it is a view of.
std::int32_t strided_base(const State& state, std::int32_t entry) {
  std::int32_t k = entry;
  while (!state.is_loaded(k) && is_view(state.at(k).kind)) {
    for (const ir::ViewAxis& axis : state.at(k).view) {
      if (!axis.terms.empty()) return entry;
    }
    k = state.at(k).inputs[0];
  }
  return is_number(state.at(k).kind) ? entry : k;
}

void mark_updates(State& state) {
  for (std::int32_t k = 0; k < state.graph.size(); ++k) {
    if (state.at(k).kind != ir::Kind::scatter || state.is_empty(k)) continue;
    for (std::size_t operand = 1; operand < 3; ++operand) {
      const std::int32_t base = strided_base(state, state.at(k).inputs[operand]);
      if (!state.is_loaded(base)) state.store(base, Reason::points);
    }
  }
}

/// Whether an entry lies in a texture, or is a view with fixed strides of one that does.
bool has_strides(const State& state, std::int32_t k) {
  if (state.is_loaded(k)) return true;
  if (state.at(k).kind != ir::Kind::view || !state.is_loaded(state.at(k).inputs[0])) return false;
  const ir::View& view = state.at(k).view;
  return std::all_of(view.begin(), view.end(),
                     [](const ir::ViewAxis& axis) { return axis.terms.empty(); });
}

/// Kernels find the elements of raw inputs by their strides.
void mark_raw_inputs(State& state) {
  for (std::int32_t k = 0; k < state.graph.size(); ++k) {
    if (state.at(k).kind != ir::Kind::kernel || state.is_empty(k)) continue;
    const KernelSpec& spec = state.at(k).op->kernel();
    for (std::size_t operand = 0; operand < spec.inputs.size(); ++operand) {
      if (spec.inputs[operand].access == Access::element) continue;
      const std::int32_t input = state.at(k).inputs[operand];
      if (!has_strides(state, input)) state.store(input, Reason::raw);
    }
  }
}

}  // namespace

void mark_operands(State& state) {
  for (std::int32_t k = 0; k < state.graph.size(); ++k) {
    if (state.at(k).kind != ir::Kind::contract || state.is_empty(k)) continue;
    for (std::size_t operand = 0; operand < 2; ++operand) {
      const std::int32_t entry = state.at(k).inputs[operand];
      const std::int32_t base = base_of(state, entry);
      if (state.is_loaded(base)) continue;
      if (operand == 0 && item(state.row, k)) continue;
      // A number would be stored as one texel, which another draw would copy into whole ones.
      state.store(is_number(state.at(base).kind) ? entry : base, Reason::operand);
    }
  }
  mark_updates(state);
  mark_raw_inputs(state);
}

}  // namespace trigon::detail::schedule

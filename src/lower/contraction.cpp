// SPDX-License-Identifier: MIT
#include "lower/contraction.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "core/walk.hpp"
#include "entries/entries.hpp"

namespace trigon::detail::lower {
namespace {

/// The entries from which a draw computes `entry`, including itself, down to stored ones.
std::set<std::int32_t> computed_for(const Scene& scene, std::int32_t entry) {
  core::Walk<std::int32_t> walk({entry});
  for (const std::int32_t k : walk) {
    if (scene.place(k).slot < 0) walk.add(scene.at(k).inputs);
  }
  return walk.seen();
}

/// Whether `entry` is the product's result plus other values, and nothing else.
bool adds_to(const Scene& scene, std::int32_t entry, std::int32_t product) {
  const auto holds = [&](std::int32_t sum) { return computed_for(scene, sum).contains(product); };
  while (entry != product) {
    const ir::Graph::Entry& at = scene.at(entry);
    const bool sum = at.kind == ir::Kind::map && entries::is_sum(*at.op);
    if (!sum && !is_view(at.kind)) return false;
    if (sum && holds(at.inputs[0]) && holds(at.inputs[1])) return false;
    entry = at.inputs[sum && !holds(at.inputs[0]) ? 1 : 0];
  }
  return true;
}

/// Texels that a quad reads before its loop, for the reductions below an operand.
std::int64_t fetches_before(const Scene& scene, std::int32_t operand) {
  std::int64_t sum = 0;
  for (std::int32_t k : computed_for(scene, operand)) {
    const ir::Graph::Entry& at = scene.at(k);
    if (at.kind != ir::Kind::reduce || scene.place(k).slot >= 0) continue;
    const std::int64_t results = std::max<std::int64_t>(at.shape.numel() / at.shape[0], 1);
    sum += core::ceil_div(scene.at(at.inputs[0]).shape.numel() / results, core::lanes);
  }
  return sum;
}

}  // namespace

std::int64_t blended_overlays(const Scene& scene, const std::vector<std::int32_t>& outputs,
                              const Contraction& work, const core::Layout& layout) {
  const core::Costs& costs = scene.costs;
  const std::int32_t output = outputs[0];
  if (!scene.target.float_blend || costs.wait == 0 || work.length >= 0) return 1;
  if (outputs.size() > 1 || scene.at(output).dtype != DType::float32) return 1;
  if (!adds_to(scene, output, work.anchor)) return 1;
  const std::int64_t texels = layout.width * layout.height * layout.layers;
  const auto fragments = static_cast<double>(core::ceil_div(texels, work.rows_per_block));
  const double trip = costs.trip + costs.wait * static_cast<double>(core::lanes * work.quad() +
                                                                    work.rows_per_block);
  const std::int64_t before = fetches_before(scene, work.a) / work.quad();
  const double again = fragments * (static_cast<double>(before) * costs.fetch + costs.blend);
  constexpr std::int64_t most = 16;
  std::int64_t best = 1;
  double least = std::numeric_limits<double>::infinity();
  for (std::int64_t overlays = 1; overlays <= most; overlays *= 2) {
    Contraction cut = work;
    cut.blended = overlays;
    const auto n = static_cast<double>(overlays);
    if (overlays > 1 && (cut.trips() < 2 || fragments * n > costs.fragments)) break;
    const double time = static_cast<double>(cut.trips()) * trip + n * again;
    if (time >= least) break;
    least = time;
    best = overlays;
  }
  return best;
}

}  // namespace trigon::detail::lower

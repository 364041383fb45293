// SPDX-License-Identifier: MIT
#include <algorithm>

#include "core/item.hpp"
#include "core/math.hpp"
#include "entries/entries.hpp"
#include "lower/contraction.hpp"
#include "lower/copy.hpp"
#include "lower/domain.hpp"
#include "lower/product_kernel.hpp"
#include "lower/reduction.hpp"

namespace trigon::detail::lower {
namespace {

// With fewer inner steps per fragment, sharing in a quad costs more than it saves.
constexpr std::int64_t least_shared = 16;

/// Where a result of that shape goes, and so which fragments share its inner axis.
core::Layout place_block(const core::Target& target, Contraction& work, DType dtype,
                         const Shape& shape) {
  if (!core::block_fits(target, shape, work.rows_per_block)) {
    work.rows_per_block = 1;
    work.rows_in_lanes = false;
  }
  const core::Layout layout =
      work.rows_in_lanes ? core::interleaved_layout(target, dtype, shape, work.rows_per_block)
                         : core::block_layout(target, dtype, shape, work.rows_per_block);
  work.quad_columns = work.quad_rows = 1;
  const bool one_row = shape.numel() == shape.back();
  const bool blocks = layout.layers == work.rows_per_block;
  if (!target.share_quads || !blocks || (work.rows_per_block == 1 && !one_row)) return layout;
  if (layout.width % 2 == 0 && work.inner >= 2 * least_shared) work.quad_columns = 2;
  const bool quads = work.rows_per_block == 1 && layout.height % 2 == 0;
  if (quads && work.inner >= 4 * least_shared) work.quad_rows = 2;
  return layout;
}

/// The draw of a product, with `outputs` computed on it, or of the sums over sections of its inner
/// axis.
bool add_product(const Scene& scene, const Contraction& work, const core::Layout& layout,
                 const Copies& copies, const std::vector<std::int32_t>& outputs, Draft& draft) {
  plan::Step step = start_step(layout, work.rows_per_block);
  step.overlays = work.blended;
  kernel::KernelBuilder b(scene.target);
  Values values(b, scene, copies);
  // With several rows per block, the fragments of a quad compute different rows.
  if (work.rows_per_block == 1) values.share({work.quad_columns, work.quad_rows});
  ProductKernel product(values, work, layout);
  product.multiply(fragment(b, layout, step.draws));

  std::vector<std::vector<std::int32_t>> stored(std::max<std::size_t>(outputs.size(), 1));
  for (std::size_t i = 0; i < product.rows().size(); ++i) {
    const std::int32_t sum = product.sum_of(i);
    if (outputs.empty()) {
      stored[0].push_back(sum);
      continue;
    }
    // Each row has its own result, at its own index.
    Values of_row(b, scene, copies);
    of_row.set(work.anchor, sum);
    core::Indices index;
    for (int k = 0; k < work.shape.rank(); ++k) {
      if (work.shape[k] != 1) index.push_back(item(product.rows()[i], k));
    }
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      const std::int32_t result =
          of_row.value(outputs[k], core::spread_index(scene.at(outputs[k]).shape, index));
      // Only the first overlay adds the other terms.
      stored[k].push_back(
          work.blended > 1
              ? b.select(b.below(product.section(), kernel::IntExpr{.base = 1}), result, sum)
              : result);
    }
  }
  std::vector<plan::StepOutput> targets;
  for (std::size_t k = 0; k < stored.size(); ++k) {
    core::Layout own = layout;
    if (!outputs.empty()) {
      own = core::with_shape(layout, scene.at(outputs[k]).shape);
      own.dtype = scene.at(outputs[k]).dtype;
    }
    store(b, stored[k], own.dtype);
    targets.push_back({.layout = own, .attachments = work.rows_per_block});
  }
  const bool fits = finish(b, step);
  if (fits) {
    const bool partial = outputs.empty();
    step.label =
        label(partial ? "partial matmul" : "matmul", scene.at(partial ? work.anchor : outputs[0]));
    step.node = work.anchor;
    add_step(draft, std::move(step), outputs, targets);
  }
  return fits;
}

/// Adds up the sums over sections of the inner axis.
bool add_split_sums(const Scene& scene, const Contraction& work, const schedule::Group& group,
                    Draft& draft) {
  const plan::StepOutput sums = draft.steps.back().outputs[0];
  Reduction sum{.reduce_ops = {{&entries::named<"sum">(), core::Type::f}},
                .kept = core::without_ones(work.shape),
                .count = work.split_k,
                .across_lanes = work.shape.numel() == 1};
  sum.source = [sums](Values& values, std::size_t, const core::Indices& kept,
                      const core::Affine& k) {
    const core::Layout& layout = sums.layout;
    core::Affine e = k * layout.strides[0];
    std::size_t next = 0;
    for (int axis = 1; axis < layout.shape.rank(); ++axis) {
      if (layout.shape[axis] == 1) continue;
      e.add(kept[next++], item(layout.strides, axis));
    }
    kernel::KernelBuilder& b = values.builder();
    return std::vector<std::int32_t>{b.load(b.input(sums.slot, layout), layout, e)};
  };
  return lower_passes(scene, std::move(sum), {work.anchor}, group.outputs, draft);
}

/// Rows of a block: as many as there are, limited by the draw buffers per output.
std::int64_t rows_for(const core::Target& target, std::int64_t m, std::size_t outputs) {
  if (target.dialect == core::Dialect::es100) return 1;
  const std::int64_t most =
      std::min<std::int64_t>(target.draw_buffers / static_cast<std::int64_t>(outputs), 8);
  std::int64_t rows = 1;
  while (rows < std::min(m, most)) rows *= 2;
  return rows > most ? rows / 2 : rows;
}

}  // namespace

bool lower_contract(const Scene& scene, const schedule::Group& group, Draft& draft) {
  const ir::Graph::Entry& product = scene.at(group.anchors[0]);
  const int rank = product.shape.rank();
  Contraction work{.anchor = group.anchors[0],
                   .a = product.inputs[0],
                   .b = product.inputs[1],
                   .shape = product.shape,
                   .inner = scene.at(product.inputs[0]).shape.back()};
  work.length = product.as<core::ContractAttrs>().inner.number;
  work.columns = product.as<core::ContractAttrs>().columns.number;
  work.rows_per_block = rows_for(scene.target, product.shape[-2], group.outputs.size());

  // Copies serve only this draw; other draws read the operands where they are.
  Copies copies;
  const auto along = [&](std::int32_t operand, int axis) {
    return lanes_along(scene, copies, operand, axis);
  };
  const auto shows_stored = [&](std::int32_t k) {
    while (scene.place(k).slot < 0 && is_view(scene.at(k).kind)) k = scene.at(k).inputs[0];
    return scene.place(k).slot >= 0;
  };
  if (shows_stored(work.a) && !along(work.a, rank - 1)) {
    const bool whole = work.rows_per_block % 4 == 0;
    work.rows_in_lanes = whole && along(work.a, rank - 2);
    if (!work.rows_in_lanes &&
        !copy_padded(scene, work.a, "its inner axis does not lie in whole texels", draft, copies)) {
      return false;
    }
  }
  work.inner_in_lanes = along(work.b, rank - 2);
  if (!work.inner_in_lanes && !along(work.b, rank - 1)) {
    if (!copy_padded(scene, work.b, "neither of its axes lies in whole texels", draft, copies)) {
      return false;
    }
    work.inner_in_lanes = along(work.b, rank - 2);
  }

  const DType dtype = scene.at(group.outputs[0]).dtype;
  core::Layout layout = place_block(scene.target, work, dtype, work.shape);
  if (core::ceil_div(core::ceil_div(work.inner, 4 * work.quad()), scene.target.trip_limit) == 1) {
    work.blended = blended_overlays(scene, group.outputs, work, layout);
    return add_product(scene, work, layout, copies, group.outputs, draft);
  }
  // Past the trip limit, sections of the inner axis are multiplied separately and then added up.
  work.split_k = core::ceil_div(core::ceil_div(work.inner, 4), scene.target.trip_limit);
  Shape sums = work.shape;
  sums.insert(0, work.split_k);
  layout = place_block(scene.target, work, DType::float32, sums);
  return add_product(scene, work, layout, copies, {}, draft) &&
         add_split_sums(scene, work, group, draft);
}

}  // namespace trigon::detail::lower

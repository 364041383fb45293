// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "core/item.hpp"
#include "core/math.hpp"
#include "core/walk.hpp"
#include "lower/copy.hpp"
#include "lower/domain.hpp"

namespace trigon::detail::lower {
namespace {

/// The texels that a write covers, if they are a rectangle of whole texels of a plain texture.
struct Rectangle {
  bool whole = false;
  kernel::IntExpr x, y;
  std::int64_t w = 0, h = 0;
};

struct Extent {
  std::int64_t start, size, step;
  std::int32_t scalar;  ///< of the plan, or -1
};

/// Axes of size 1 are dropped; only a row axis may have a start that is known at run time.
Rectangle rectangle(const core::Layout& layout, const std::vector<Extent>& extents,
                    const std::vector<std::int64_t>& sizes,
                    const std::vector<std::int64_t>& strides) {
  Rectangle result;
  const std::size_t rank = extents.size();
  if (rank == 0 || layout.layers > 1 || layout.offset != 0 || strides[rank - 1] != 1) return result;
  if (!layout.is_plain()) return result;
  const std::int64_t texel = layout.elements_per_texel;
  const Extent& columns = extents[rank - 1];
  const bool to_the_end = columns.start + columns.size == sizes[rank - 1];
  if (columns.step != 1 || columns.scalar >= 0 || columns.start % texel != 0) return result;
  const bool tail_is_free = to_the_end && (rank == 1 || strides[rank - 2] % texel == 0);
  if (columns.size % texel != 0 && !tail_is_free) return result;
  const std::int64_t pitch = layout.pitch();
  if (rank == 1 ? sizes[0] > pitch : strides[rank - 2] != pitch) return result;
  result.x = {.base = columns.start / texel};
  result.w = core::ceil_div(columns.size, texel);
  result.h = 1;
  bool partial_inside = false;  // an inner axis that is not covered whole
  for (std::size_t k = rank - 1; k-- > 0;) {
    const Extent& extent = extents[k];
    if (extent.step != 1 && extent.size > 1) return result;
    if (extent.size > 1 && partial_inside) return result;
    const std::int64_t rows = strides[k] / pitch;
    if (extent.scalar >= 0 && result.y.scalar >= 0) return result;
    result.y.base += extent.start * rows;
    if (extent.scalar >= 0) {
      result.y.scalar = extent.scalar;
      result.y.scale = rows;
      result.y.high = std::max<std::int64_t>(sizes[k] - extent.size - extent.start, 0);
      result.y.size = sizes[k];
    }
    partial_inside = partial_inside || extent.size != sizes[k];
    result.h *= extent.size;
  }
  result.whole = true;
  return result;
}

/// Whether an entry is computed from the slot's texture.
bool reads_slot(const Scene& scene, std::int32_t entry, std::int32_t slot) {
  core::Walk<std::int32_t> walk({entry});
  for (const std::int32_t k : walk) {
    if (scene.place(k).slot == slot) return true;
    if (scene.place(k).slot >= 0) continue;
    walk.add(scene.at(k).inputs);
  }
  return false;
}

/// The rectangle that a write covers in its target's texture.
Rectangle rectangle_of(const Scene& scene, const ir::Graph::Entry& write,
                       const core::Layout& target, std::vector<Extent>& extents) {
  std::vector<std::int64_t> sizes, strides;
  const Shape& written = scene.at(write.inputs[1]).shape;
  for (int k = 0; k < write.shape.rank(); ++k) {
    if (write.shape[k] == 1) continue;
    const auto& [start, step, scalar] = item(write.as<core::RegionAttrs>().axes, k);
    extents.push_back({start, written[k], step, scalar.number});
    sizes.push_back(write.shape[k]);
    strides.push_back(item(target.strides, k));
  }
  if (!strides.empty() && strides.back() == target.pitch()) {
    // Each element has its own texture row.
    extents.push_back({.start = 0, .size = 1, .step = 1, .scalar = -1});
    sizes.push_back(1);
    strides.push_back(1);
  }
  return rectangle(target, extents, sizes, strides);
}

bool write_in_place(const Scene& scene, std::int32_t entry, const Place& target,
                    const Rectangle& where, const std::vector<Extent>& extents, Draft& draft) {
  const ir::Graph::Entry& write = scene.at(entry);
  const std::int32_t v = write.inputs[1];
  const Shape& written = scene.at(v).shape;
  // A draw must not read the texture that it writes.
  Copies copies;
  if (reads_slot(scene, v, target.slot) &&
      !copy_padded(scene, v, "the part that is written reads the tensor it is written to", draft,
                   copies)) {
    return false;
  }
  plan::Step step = start_step(target.layout, 1);
  step.x = where.x;
  step.y = where.y;
  step.w = where.w;
  step.h = where.h;
  kernel::KernelBuilder b(scene.target);
  Values values(b, scene, copies);
  const std::int64_t columns = extents.back().size;
  const core::Affine c =
      b.variable(b.base_index(kernel::FragColumn4{.begin = b.int_uniform(where.x)}, 0, columns));
  const core::Affine y =
      where.h == 1
          ? core::Affine{}
          : b.variable(b.base_index(kernel::FragRow{.begin = b.int_uniform(where.y)}, 0, where.h));
  Shape rows;
  for (std::size_t k = 0; k + 1 < extents.size(); ++k) rows.push_back(extents[k].size);
  core::Indices index = b.unravel(y, {rows.begin(), rows.end()});
  index.push_back(columns == 1 ? core::Affine{} : c);
  core::Indices full = vector_of<core::Affine>(written.rank());
  std::size_t next = 0;
  for (int k = 0; k < written.rank(); ++k) {
    if (write.shape[k] != 1) item(full, k) = index[next++];
  }
  store(b, {values.value(v, std::move(full))}, write.dtype);
  if (!finish(b, step)) return false;
  step.label = label("write", write);
  add_step(draft, std::move(step), {entry},
           {{.slot = target.slot, .layout = target.layout, .in_place = true}});
  return true;
}

}  // namespace

bool lower_write(const Scene& scene, const schedule::Group& group, Draft& draft) {
  const std::int32_t entry = group.outputs[0];
  const ir::Graph::Entry& write = scene.at(entry);
  const Place target = scene.place(write.inputs[0]);
  if (scene.may_overwrite) {
    std::vector<Extent> extents;
    const Rectangle where = rectangle_of(scene, write, target.layout, extents);
    if (where.whole) return write_in_place(scene, entry, target, where, extents, draft);
  }
  if (target.slot >= 0) {
    draft.notes.push_back(
        fmt::format("copies {} for a write: it is still referred to, or the part is no rectangle "
                    "of whole texels",
                    to_string(write.shape)));
  }
  return lower_map(scene, group, draft);
}

}  // namespace trigon::detail::lower

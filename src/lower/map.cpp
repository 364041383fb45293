// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "core/item.hpp"
#include "core/math.hpp"
#include "lower/copy.hpp"
#include "lower/domain.hpp"

namespace trigon::detail::lower {
namespace {

/// Takes over the texture geometry of an input of the same size, so that both are accessed texel by
/// texel.
void adopt_geometry(const Scene& scene, const std::vector<std::int32_t>& reads,
                    core::Layout& layout) {
  if (!core::is_flat(layout)) return;
  // An index past the shader's integers is cheaper if each row lies within a texture row.
  const bool is_large = layout.shape.numel() > largest_index(scene.target);
  for (std::int32_t k : reads) {
    const Place& input = scene.place(k);
    if (input.slot < 0 || input.layout.width == layout.width) continue;
    if (input.layout.shape.numel() != layout.shape.numel() || !core::is_flat(input.layout))
      continue;
    if (input.layout.elements_per_texel != layout.elements_per_texel) continue;
    if (is_large && input.layout.pitch() % layout.shape.back() != 0) continue;
    layout.width = input.layout.width;
    layout.height = input.layout.height;
    layout.slab = input.layout.slab;
    return;
  }
}

struct Drawn {
  plan::Step step;
  std::vector<plan::StepOutput> outputs;
  bool fits;
};

/// The draw of entries of one shape into targets of this geometry.
Drawn draw(const Scene& scene, const std::vector<std::int32_t>& entries, const core::Layout& layout,
           Rows rows) {
  Drawn drawn{.step = start_step(layout, 1), .outputs = {}, .fits = false};
  kernel::KernelBuilder b(scene.target);
  Values values(b, scene);
  const Fragment at = fragment(b, layout, drawn.step.draws);
  const core::Indices index = index_of(b, at, layout, layout.shape, rows);
  for (std::int32_t entry : entries) {
    const ir::Graph::Entry& computed = scene.at(entry);
    const std::int32_t value = values.value(entry, core::spread_index(computed.shape, index));
    store(b, {value}, computed.dtype);
    core::Layout own = core::with_shape(layout, computed.shape);
    own.dtype = computed.dtype;
    drawn.outputs.push_back({.layout = own});
  }
  drawn.fits = finish(b, drawn.step);
  return drawn;
}

Drawn draw_flat(const Scene& scene, const schedule::Group& group) {
  const ir::Graph::Entry& first = scene.at(group.outputs[0]);
  core::Layout layout =
      core::flat_layout(scene.target, first.dtype, core::without_ones(first.shape));
  adopt_geometry(scene, group.reads, layout);
  return draw(scene, group.outputs, layout, Rows::flat);
}

Drawn draw_padded(const Scene& scene, const std::vector<std::int32_t>& entries) {
  const ir::Graph::Entry& first = scene.at(entries[0]);
  return draw(scene, entries,
              core::padded_layout(scene.target, first.dtype, core::without_ones(first.shape)),
              Rows::padded);
}

std::int64_t fetches(const plan::Step& step) { return step.fetches * step.w * step.h; }

/// Whether its rows are whole texels that follow each other in C order. There may be gaps between
/// them, as in a padded layout, but no overlaps.
bool is_in_order(const core::Layout& layout) {
  const std::int64_t texel = layout.elements_per_texel;
  if (layout.offset % texel != 0) return false;
  std::int64_t least = 1;
  bool innermost = true;
  for (int k = layout.shape.rank(); k-- > 0;) {
    if (layout.shape[k] == 1) continue;
    const std::int64_t stride = item(layout.strides, k);
    const bool fits =
        innermost ? stride == 1 : stride == least || stride == core::round_up(least, texel);
    if (!fits) return false;
    innermost = false;
    least = stride * layout.shape[k];
  }
  return true;
}

/// The place of a view that shows stored texels in C order, starting at a texel.
Place place_of_view(const Scene& scene, std::int32_t entry) {
  const ir::Graph::Entry& view = scene.at(entry);
  if (!is_view(view.kind)) return {};
  const Place& base = scene.place(view.inputs[0]);
  if (base.slot < 0 || base.layout.layers > 1) return {};
  const std::optional<core::Layout> layout = layout_through(view, base.layout);
  if (!layout || (view.kind != ir::Kind::reshape && !is_in_order(*layout))) return {};
  return {base.slot, *layout};
}

/// How the elements of a layout without axes of size 1 follow each other, if a draw can compute
/// them that way.
std::optional<Rows> rows_of(const core::Target& target, const core::Layout& layout) {
  if (!layout.is_plain() || layout.offset != 0 || layout.slab != layout.height) return std::nullopt;
  const auto like = [&](const core::Layout& known, std::int64_t unit) {
    for (int k = 0; k < layout.shape.rank(); ++k) {
      if (item(layout.strides, k) != item(known.strides, k) * unit) return false;
    }
    return true;
  };
  const core::Layout flat = core::flat_layout(target, layout.dtype, layout.shape);
  if (like(flat, 1)) return Rows::flat;
  if (like(core::padded_layout(target, layout.dtype, layout.shape), 1)) return Rows::padded;
  if (like(flat, flat.elements_per_texel)) return Rows::texels;
  return std::nullopt;
}

}  // namespace

bool can_copy_as(const core::Target& target, const core::Layout& layout) {
  return rows_of(target, core::with_shape(layout, core::without_ones(layout.shape))).has_value();
}

bool copy_as(const Scene& scene, std::int32_t entry, const core::Layout& layout, Draft& draft,
             Copies& copies) {
  const ir::Graph::Entry& copied = scene.at(entry);
  core::Layout core = core::with_shape(layout, core::without_ones(layout.shape));
  const std::optional<Rows> rows = rows_of(scene.target, core);
  if (!rows) return false;
  Drawn drawn = draw(scene, {entry}, core, *rows);
  if (!drawn.fits) return false;
  const bool stored = scene.place(entry).slot >= 0;
  drawn.step.label = label(stored ? "copy" : "elementwise", copied);
  drawn.step.node = entry;
  copies.emplace_back(entry, Place{draft.slots, drawn.outputs[0].layout});
  add_step(draft, std::move(drawn.step), {}, drawn.outputs);
  return true;
}

bool lower_map(const Scene& scene, const schedule::Group& whole, Draft& draft) {
  schedule::Group group = whole;
  std::erase_if(group.outputs, [&](std::int32_t entry) {
    const Place place = place_of_view(scene, entry);
    if (place.slot >= 0) draft.places.emplace_back(entry, place);
    return place.slot >= 0;
  });
  if (group.outputs.empty()) return true;
  const Shape core = core::without_ones(scene.at(group.outputs[0]).shape);
  Drawn drawn{};
  if (group.layout) {
    const core::Layout layout = core::with_shape(*group.layout, core);
    const std::optional<Rows> rows = rows_of(scene.target, layout);
    if (!rows) return false;
    drawn = draw(scene, group.outputs, layout, *rows);
  } else {
    drawn = draw_flat(scene, group);
  }
  const bool same = core.rank() < 2 || core.back() % core::lanes == 0 || group.layout;
  if (!same && drawn.step.fetches > static_cast<std::int64_t>(drawn.step.inputs.size())) {
    // Rows that start at a texel may save fetches if an operand is broadcast along them.
    Drawn rows = draw_padded(scene, group.outputs);
    if (rows.fits && (!drawn.fits || fetches(rows.step) < fetches(drawn.step))) {
      drawn = std::move(rows);
    }
  }
  if (!drawn.fits) return false;
  drawn.step.label = label("elementwise", scene.at(group.outputs[0]));
  add_step(draft, std::move(drawn.step), group.outputs, drawn.outputs);
  return true;
}

bool copy_padded(const Scene& scene, std::int32_t entry, const char* why, Draft& draft,
                 Copies& copies) {
  const ir::Graph::Entry& copied = scene.at(entry);
  Drawn drawn = draw_padded(scene, {entry});
  if (!drawn.fits) return false;
  drawn.step.label = label("copy", copied);
  drawn.step.node = entry;
  copies.emplace_back(entry, Place{draft.slots, drawn.outputs[0].layout});
  draft.notes.push_back(fmt::format("copies a {} operand: {}", to_string(copied.shape), why));
  add_step(draft, std::move(drawn.step), {}, drawn.outputs);
  return true;
}

bool copy_flat(const Scene& scene, std::int32_t entry, const std::vector<std::int32_t>& reads,
               Draft& draft, Copies& copies) {
  Drawn drawn = draw_flat(scene, {.outputs = {entry}, .reads = reads});
  if (!drawn.fits) return false;
  const bool stored = scene.place(entry).slot >= 0;
  drawn.step.label = label(stored ? "copy" : "elementwise", scene.at(entry));
  drawn.step.node = entry;
  copies.emplace_back(entry, Place{draft.slots, drawn.outputs[0].layout});
  add_step(draft, std::move(drawn.step), {}, drawn.outputs);
  return true;
}

}  // namespace trigon::detail::lower

// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "core/item.hpp"
#include "core/math.hpp"
#include "lower/copy.hpp"
#include "lower/domain.hpp"

namespace trigon::plan {
namespace {

/// Takes over the texture geometry of an input of the same size: then both are read and written
/// texel to texel.
void adopt_geometry(const Scene& scene, const std::vector<std::int32_t>& reads, Layout& layout) {
  if (!is_flat(layout)) return;
  for (std::int32_t k : reads) {
    const Place& input = scene.place(k);
    if (input.slot < 0 || input.layout.width == layout.width) continue;
    if (input.layout.shape.numel() != layout.shape.numel() || !is_flat(input.layout)) continue;
    layout.width = input.layout.width;
    layout.height = input.layout.height;
    layout.slab = input.layout.slab;
    return;
  }
}

struct Drawn {
  Step step;
  std::vector<StepOutput> outputs;
  bool fits;
};

/// The draw of entries of one shape into targets of this geometry.
Drawn draw(const Scene& scene, const std::vector<std::int32_t>& entries, const Layout& layout,
           Rows rows) {
  Drawn drawn{.step = start_step(layout, 1), .outputs = {}, .fits = false};
  KernelBuilder b(scene.target);
  Values values(b, scene);
  const Fragment at = fragment(b, layout, drawn.step.draws);
  const Indices index = index_of(b, at, layout, layout.shape, rows);
  for (std::int32_t entry : entries) {
    const Graph::Entry& computed = scene.at(entry);
    const std::int32_t value = values.value(entry, spread_index(computed.shape, index));
    store(b, {value}, computed.dtype);
    Layout own = with_shape(layout, computed.shape);
    own.dtype = computed.dtype;
    drawn.outputs.push_back({.layout = own});
  }
  drawn.fits = finish(b, drawn.step);
  return drawn;
}

Drawn draw_flat(const Scene& scene, const Group& group) {
  const Graph::Entry& first = scene.at(group.outputs[0]);
  Layout layout = flat_layout(scene.target, first.dtype, without_ones(first.shape));
  adopt_geometry(scene, group.reads, layout);
  return draw(scene, group.outputs, layout, Rows::flat);
}

Drawn draw_padded(const Scene& scene, const std::vector<std::int32_t>& entries) {
  const Graph::Entry& first = scene.at(entries[0]);
  return draw(scene, entries, padded_layout(scene.target, first.dtype, without_ones(first.shape)),
              Rows::padded);
}

std::int64_t fetches(const Step& step) { return step.fetches * step.w * step.h; }

/// The layout of a view over stored texels, when it shows them in C order from a texel on.
bool alias_layout(const Scene& scene, std::int32_t entry, Place& place) {
  const Graph::Entry& view = scene.at(entry);
  if (!is_view(view.kind)) return false;
  const Place& base = scene.place(view.inputs[0]);
  if (base.slot < 0 || base.layout.layers > 1) return false;
  Layout layout = base.layout;
  layout.shape = view.shape;
  layout.strides = {};
  if (view.kind == Kind::reshape) {
    if (!is_flat(base.layout)) return false;
    std::int64_t stride = 1;
    for (int k = view.shape.rank(); k-- > 0; stride *= view.shape[k]) {
      item(layout.strides, k) = stride;
    }
    place = {base.slot, layout};
    return true;
  }
  for (std::size_t k = 0; k < view.view.size(); ++k) {
    const ViewAxis& axis = view.view[k];
    if (!axis.terms.empty()) return false;
    layout.offset += axis.start * base.layout.strides[k];
    for (int o = 0; o < view.shape.rank(); ++o) {
      const auto out = static_cast<std::size_t>(o);
      layout.strides[out] += axis.factors[out] * base.layout.strides[k];
    }
  }
  if (layout.offset % 4 != 0) return false;
  // Rows may be apart, as they are in a padded layout, but not closer than they are long.
  std::int64_t least = 1;
  bool innermost = true;
  for (int k = view.shape.rank(); k-- > 0;) {
    if (view.shape[k] == 1) continue;
    const std::int64_t stride = item(layout.strides, k);
    const bool fits = innermost ? stride == 1 : stride == least || stride == round_up(least, 4);
    if (!fits) return false;
    innermost = false;
    least = stride * view.shape[k];
  }
  place = {base.slot, layout};
  return true;
}

}  // namespace

bool lower_map(const Scene& scene, const Group& group, Draft& draft) {
  if (Place place; group.outputs.size() == 1 && alias_layout(scene, group.outputs[0], place)) {
    draft.places.emplace_back(group.outputs[0], place);
    return true;
  }
  Drawn drawn = draw_flat(scene, group);
  const Shape core = without_ones(scene.at(group.outputs[0]).shape);
  const bool same = core.rank() < 2 || core.back() % 4 == 0;
  if (!same && drawn.step.fetches > static_cast<std::int64_t>(drawn.step.inputs.size())) {
    // Rows that start a texel may save fetches where something is broadcast along them.
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
  const Graph::Entry& copied = scene.at(entry);
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

}  // namespace trigon::plan

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/called.hpp"
#include "core/item.hpp"
#include "core/list.hpp"
#include "core/math.hpp"
#include "lower/domain.hpp"
#include "lower/reduce_loop.hpp"
#include "lower/reduction.hpp"
#include "lower/values.hpp"
#include "rewrite/batch.hpp"

namespace trigon::detail::lower {
namespace {

// A reduction is cut into passes if too few fragments would run too many trips.
constexpr std::int64_t few_fragments = 256;
constexpr std::int64_t many_trips = 1024;
constexpr std::int64_t many_partials = 64;  // lower, which also keeps rounding errors small
constexpr std::int64_t wanted_fragments = 4096;
constexpr std::int64_t fewest_trips = 16;

/// Fragments of a layout for `kept`: one per element, or one per four of a row.
std::int64_t fragments_of(const Shape& kept, bool across_lanes) {
  if (across_lanes || kept.rank() == 0) return kept.numel();
  return kept.numel() / kept.back() * core::ceil_div(kept.back(), core::lanes);
}

Shape with_first(std::int64_t first, const Shape& rest) {
  Shape shape = rest;
  shape.insert(0, first);
  return shape;
}

int accumulators(const Reduction& work) {
  int sum = 0;
  for (const auto& reduce_op : work.reduce_ops) sum += reduce_op.op->reduce().accumulators;
  return sum;
}

/// Whether the reduced axis is the one whose neighbours share a texel.
bool reduces_lanes(const Scene& scene, const ir::Graph::Entry& reduce) {
  const std::int32_t source = reduce.inputs[0];
  const Shape& shape = scene.at(source).shape;
  int last = shape.rank() - 1;
  while (last > 0 && shape[last] == 1) --last;
  const std::vector<bool>& is_reduced = reduce.as<core::ReduceAttrs>().reduced;
  int last_kept = -1, last_reduced = -1;
  for (int k = 0; k < shape.rank(); ++k) {
    if (shape[k] != 1) {
      (item(is_reduced, k) ? last_reduced : last_kept) = k;
    }
  }
  if (last_kept < 0) return true;
  if (last_reduced < 0) return false;
  if (lanes_along(scene, {}, source, last_reduced)) return true;
  if (lanes_along(scene, {}, source, last_kept)) return false;
  return item(is_reduced, last);
}

/// One texel of up to four uniform values.
std::int32_t packed(kernel::KernelBuilder& b, const std::vector<std::int32_t>& values) {
  return values.size() == 1
             ? values[0]
             : b.add(kernel::Pack{kernel::operands_of<4>(values)}, b.type(values[0]));
}

DType dtype_of_register(core::Type type) {
  return type == core::Type::f   ? DType::float32
         : type == core::Type::i ? DType::int32
                                 : DType::uint32;
}

/// The number of pieces, one per fragment, into which reduced elements are cut; 1: no further pass.
std::int64_t passes_split(const Reduction& work, const core::Target& target,
                          const core::Costs& costs) {
  const std::int64_t trips =
      work.across_lanes ? core::ceil_div(work.count, core::lanes) : work.count;
  const std::int64_t fragments =
      std::max<std::int64_t>(fragments_of(work.kept, work.across_lanes), 1);
  const auto waits = static_cast<double>(trips) * (costs.trip + costs.wait);
  const bool long_walk = trips > many_trips || waits > 2 * costs.draw;
  const bool slow = fragments < few_fragments && (work.partial ? trips > many_partials : long_walk);
  if (trips <= target.trip_limit && !slow) return 1;
  std::int64_t pieces =
      slow ? std::min(core::ceil_div(wanted_fragments, fragments), trips / fewest_trips) : 1;
  // The accumulators of all pieces must fit into a texture, half of whose rows may stay unused.
  pieces = std::min(pieces, target.max_side * target.max_side / (2 * fragments));
  pieces = std::max({pieces, core::ceil_div(trips, target.trip_limit), std::int64_t{2}});
  return core::ceil_div(trips, core::ceil_div(trips, pieces));
}

/// The layout of kept elements: one per texel, or rows; several values per element lie in the lanes
/// of its texel, or in layers.
core::Layout layout_of(const core::Target& target, DType dtype, const Shape& kept,
                       std::int64_t several, bool across_lanes) {
  if (across_lanes) return core::texel_layout(target, dtype, with_first(several, kept));
  if (several == 1) {
    return core::with_shape(core::padded_layout(target, dtype, kept), with_first(1, kept));
  }
  return core::stacked_layout(target, dtype, with_first(several, kept));
}

/// Reduces `split` pieces of the elements separately; `work` then reduces their accumulators.
bool add_partial(const Scene& scene, Reduction& work, std::int64_t split, Draft& draft) {
  const std::int64_t unit = work.across_lanes ? core::lanes : 1;
  const std::int64_t trips = core::ceil_div(core::ceil_div(work.count, unit), split);
  const Shape pieces = with_first(split, work.kept);
  const Rows rows = work.across_lanes ? Rows::texels : Rows::padded;
  std::vector<plan::StepOutput> outputs;
  for (const Reduction::ReduceOp& reduce_op : work.reduce_ops) {
    const int count = reduce_op.op->reduce().accumulators;
    const DType dtype = dtype_of_register(reduce_op.type);
    const core::Layout layout = layout_of(scene.target, dtype, pieces, count, work.across_lanes);
    outputs.push_back({.layout = layout, .attachments = work.across_lanes ? 1 : count});
  }
  plan::Step step = start_step(outputs[0].layout, outputs[0].attachments);
  kernel::KernelBuilder b(scene.target);
  Values values(b, scene);
  const core::Indices index =
      index_of(b, fragment(b, outputs[0].layout, step.draws), outputs[0].layout, pieces, rows);
  const core::Affine first = index[0] * (trips * unit);
  const core::Indices kept(index.begin() + 1, index.end());
  const Walk walk{first, trips, split * trips * unit == work.count};
  const auto sums = ReduceLoop(values, work, kept, walk).run();
  for (std::size_t p = 0; p < sums.size(); ++p) {
    store(b, work.across_lanes ? std::vector{packed(b, sums[p])} : sums[p],
          outputs[p].layout.dtype);
  }
  if (!finish(b, step)) return false;
  step.label =
      fmt::format("partial {} of {} in {} parts", work.reduce_ops[0].op->name, work.count, split);
  add_step(draft, std::move(step), {}, outputs);

  work.partial = true;
  work.count = split;
  work.length = -1;
  work.source = [written = draft.steps.back().outputs](Values& reader, std::size_t number,
                                                       const core::Indices& kept_index,
                                                       const core::Affine& k) {
    kernel::KernelBuilder& kernel = reader.builder();
    const core::Layout& layout = written[number].layout;
    std::vector<std::int32_t> tuple;
    const std::int32_t input = kernel.input(written[number].slot, layout);
    for (std::int64_t j = 0; j < layout.shape[0]; ++j) {
      core::Affine e = k * layout.strides[1] + j * layout.strides[0];
      for (std::size_t axis = 0; axis < kept_index.size(); ++axis) {
        e = e + kept_index[axis] * layout.strides[axis + 2];
      }
      tuple.push_back(kernel.load(input, layout, e));
    }
    return tuple;
  };
  return true;
}

/// The number of the anchor whose tuple of results goes to the target unchanged.
std::int64_t anchor_number(const Scene& scene, const std::vector<std::int32_t>& anchors,
                           std::int32_t entry) {
  while (scene.at(entry).kind != ir::Kind::reduce) entry = scene.at(entry).inputs[0];
  return static_cast<std::int64_t>(core::place_of(anchors, entry));
}

bool add_last(const Scene& scene, const Reduction& work, const std::vector<std::int32_t>& anchors,
              const std::vector<std::int32_t>& entries, Draft& draft) {
  const Rows rows = work.across_lanes ? Rows::texels : Rows::padded;
  std::vector<plan::StepOutput> outputs;
  for (std::int32_t entry : entries) {
    const ir::Graph::Entry& computed = scene.at(entry);
    const std::int64_t several =
        computed.shape.numel() / std::max<std::int64_t>(work.kept.numel(), 1);
    core::Layout layout =
        layout_of(scene.target, computed.dtype, work.kept, several, work.across_lanes);
    if (several == 1) {
      Shape plain = work.kept;
      layout = core::with_shape(layout, plain);
    }
    outputs.push_back({.layout = layout, .attachments = work.across_lanes ? 1 : several});
  }
  plan::Step step = start_step(outputs[0].layout, outputs[0].attachments);
  kernel::KernelBuilder b(scene.target);
  Values values(b, scene);
  Shape domain = work.kept;
  const core::Indices kept =
      index_of(b, fragment(b, outputs[0].layout, step.draws), outputs[0].layout, domain, rows);
  const std::int64_t unit = work.across_lanes ? core::lanes : 1;
  const std::int64_t trips = core::ceil_div(work.count, unit);
  const Walk walk{{}, trips, trips * unit == work.count};
  const auto sums = ReduceLoop(values, work, kept, walk).run();
  std::vector<std::vector<std::int32_t>> results;
  for (std::size_t p = 0; p < sums.size(); ++p) {
    results.push_back(finished(b, work.reduce_ops[p], sums[p]));
    if (p < anchors.size() && results[p].size() == 1) values.set(anchors[p], results[p][0]);
  }
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const ir::Graph::Entry& computed = scene.at(entries[k]);
    const std::int64_t several =
        computed.shape.numel() / std::max<std::int64_t>(work.kept.numel(), 1);
    if (several > 1) {
      const std::size_t number = anchor_number(scene, anchors, entries[k]);
      store(b, work.across_lanes ? std::vector{packed(b, results[number])} : results[number],
            computed.dtype);
    } else {
      store(b, {values.value(entries[k], core::spread_index(computed.shape, kept))},
            computed.dtype);
    }
    outputs[k].layout = core::with_shape(outputs[k].layout, computed.shape);
  }
  if (!finish(b, step)) return false;
  step.label = label(work.reduce_ops[0].op->name, scene.at(entries[0]));
  add_step(draft, std::move(step), entries, outputs);
  return true;
}

}  // namespace

Reduction reduction_of(const Scene& scene, const std::vector<std::int32_t>& anchors) {
  const ir::Graph::Entry& first = scene.at(anchors[0]);
  const Shape shape = scene.at(first.inputs[0]).shape;
  const std::vector<bool> marks = first.as<core::ReduceAttrs>().reduced;
  Reduction work;
  Shape reduced;
  for (int k = 0; k < shape.rank(); ++k) {
    if (shape[k] == 1) continue;
    (item(marks, k) ? reduced : work.kept).push_back(shape[k]);
  }
  work.count = reduced.numel();
  work.length = first.as<core::ReduceAttrs>().length.number;
  for (std::int32_t anchor : anchors) {
    const ir::Graph::Entry& reduce = scene.at(anchor);
    const DType dtype = scene.at(reduce.inputs[0]).dtype;
    work.reduce_ops.push_back({reduce.op, core::register_type(scene.target, dtype)});
    constexpr std::int64_t exact = std::int64_t{1} << 24;
    if (reduce.op->reduce().gives_index && work.reduce_ops.back().type == core::Type::f &&
        work.count > exact) {
      core::fail_on_device(reduce.op->name,
                           "too many elements: {} along the axis; positions are exact up to {}",
                           work.count, exact);
    }
  }
  std::vector<std::int32_t> sources;
  for (std::int32_t anchor : anchors) sources.push_back(scene.at(anchor).inputs[0]);
  work.source = [sources, shape, reduced, marks](Values& values, std::size_t number,
                                                 const core::Indices& kept, const core::Affine& k) {
    const core::Indices inner = values.builder().unravel(k, {reduced.begin(), reduced.end()});
    core::Indices index(marks.size());
    std::size_t next_kept = 0, next_reduced = 0;
    for (std::size_t axis = 0; axis < marks.size(); ++axis) {
      if (shape[static_cast<int>(axis)] == 1) continue;
      index[axis] = marks[axis] ? inner[next_reduced++] : kept[next_kept++];
    }
    return std::vector<std::int32_t>{values.value(sources[number], std::move(index))};
  };
  return work;
}

namespace {

/// The outputs of a reduction at a kept index, computed in a loop within the kernel.
std::vector<std::int32_t> reduce_in_registers(Values& values, std::int32_t anchor,
                                              const core::Indices& kept) {
  kernel::KernelBuilder& b = values.builder();
  Reduction work = reduction_of(values.scene(), {anchor});
  // If lanes need different rows, each reduces its own.
  const bool one_row = std::all_of(kept.begin(), kept.end(), [&](const core::Affine& index) {
    return b.lane(index) == kernel::Lane::uniform;
  });
  work.across_lanes = one_row && reduces_lanes(values.scene(), values.scene().at(anchor));
  // Fragments of a quad share a reduction that all of them need, if it is long enough.
  const bool same = std::all_of(kept.begin(), kept.end(),
                                [](const core::Affine& index) { return index.terms.empty(); });
  Values::Quad quad = values.quad();
  const bool shared = same && work.across_lanes && work.reduce_ops[0].type == core::Type::f &&
                      work.count >= 16 * quad.size();
  if (!shared) quad = {};
  const std::int64_t unit = (work.across_lanes ? core::lanes : 1) * quad.size();
  const std::int64_t trips = core::ceil_div(work.count, unit);
  const Walk walk{{}, trips, trips * unit == work.count};
  const auto sums = ReduceLoop(values, work, kept, walk, quad).run();
  return finished(b, work.reduce_ops[0], sums[0]);
}

/// The same in the body of a loop: element by element if there are few.
std::vector<std::int32_t> reduce_in_body(Values& values, std::int32_t anchor,
                                         const core::Indices& kept) {
  const Reduction work = reduction_of(values.scene(), {anchor});
  if (work.count > rewrite::most_unrolled || values.rolls(anchor)) {
    return reduce_in_registers(values, anchor, kept);
  }
  kernel::KernelBuilder& b = values.builder();
  const Reduction::ReduceOp& reduce_op = work.reduce_ops[0];
  std::vector<std::int32_t> sums;
  if (work.length >= 0 || work.count == 0) sums = identity(b, reduce_op);
  for (std::int64_t k = 0; k < work.count; ++k) {
    const core::Affine at{{}, k};
    const std::int32_t value = work.source(values, 0, kept, at)[0];
    auto lifted =
        lift(b, reduce_op, value, b.add(kernel::IndexValue{b.materialise(at)}, reduce_op.type));
    if (work.length >= 0) {
      const kernel::IntExpr limit{.scalar = work.length, .low = 0, .high = work.count};
      const std::int32_t mask = b.below(at, limit);
      const auto none = identity(b, reduce_op);
      for (std::size_t j = 0; j < lifted.size(); ++j) {
        lifted[j] = b.select(mask, lifted[j], none[j]);
      }
    }
    sums = sums.empty() ? lifted : combine(b, reduce_op, sums, lifted);
  }
  return finished(b, reduce_op, sums);
}

}  // namespace

/// The result of a reduction that is not stored, so that each reader computes it in its own loop.
std::int32_t Values::reduction(std::int32_t entry, const core::Indices& index) {
  core::Indices kept;
  for (std::size_t k = 1; k < index.size(); ++k) {
    if (scene_.at(entry).shape[static_cast<int>(k)] != 1) kept.push_back(index[k]);
  }
  if (!index[0].terms.empty()) {
    throw std::logic_error("trigon::lower: a tuple of results is no array in registers");
  }
  // One loop computes all outputs of a reduction.
  Key key{entry, kept};
  const auto known = tuples_.find(key);
  const bool unrolls = inside_.parameter != nullptr;
  if (known != tuples_.end() && b_.holds(known->second.ids[0], known->second.scope)) {
    return item(known->second.ids, index[0].constant);
  }
  const auto results =
      unrolls ? reduce_in_body(*this, entry, kept) : reduce_in_registers(*this, entry, kept);
  tuples_.insert_or_assign(std::move(key), Known<std::vector<std::int32_t>>{results, b_.scope()});
  return item(results, index[0].constant);
}

bool lower_passes(const Scene& scene, Reduction work, const std::vector<std::int32_t>& anchors,
                  const std::vector<std::int32_t>& outputs, Draft& draft) {
  for (std::int64_t split; (split = passes_split(work, scene.target, scene.costs)) > 1;) {
    if (!add_partial(scene, work, split, draft)) return false;
  }
  return add_last(scene, work, anchors, outputs, draft);
}

bool lower_reduce(const Scene& scene, const schedule::Group& group, Draft& draft) {
  Reduction work = reduction_of(scene, group.anchors);
  work.across_lanes = reduces_lanes(scene, scene.at(group.anchors[0]));
  const bool stackable = scene.target.dialect != core::Dialect::es100 &&
                         accumulators(work) <= scene.target.draw_buffers;
  if (!work.across_lanes && accumulators(work) > 1 && !stackable) work.across_lanes = true;
  return lower_passes(scene, std::move(work), group.anchors, group.outputs, draft);
}

}  // namespace trigon::detail::lower

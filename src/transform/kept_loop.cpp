// SPDX-License-Identifier: MIT
#include "transform/kept_loop.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/list.hpp"
#include "transform/trace_loop.hpp"
#include "trigon/index.hpp"
#include "trigon/join.hpp"
#include "trigon/shape.hpp"

namespace trigon::detail::transform {
namespace {

/// Iterations of a loop of loops: `each` of the loop's are one of the outer loop's.
struct Section {
  std::int64_t begin, iterations, each;
};

/// One iteration from the loop's step on.
Iteration iterate(const LoopParts& parts, const Tensor& step, const Leaves& state,
                  const Leaves& slices) {
  BodyCopy copy = copy_of_body(parts);
  copy.set_step(step);
  for (std::int64_t k = 0; k < parts.body.carries; ++k) {
    copy.set(copy.parameter(k), item(state, k));
  }
  for (std::int64_t k = 0; k < parts.body.slices; ++k) {
    copy.set(copy.parameter(parts.body.carries + k), item(slices, k));
  }
  Iteration made;
  for (std::int64_t k = 0; k < parts.body.carries; ++k) {
    made.state.push_back(next_carry(copy, parts.body, k, item(state, k)));
  }
  for (std::int64_t k = 0; k < parts.body.outputs; ++k) {
    made.outputs.push_back(copy.value(copy.result(parts.body.carries + k)));
  }
  return made;
}

/// As an inner loop.
Iteration iterate(const LoopParts& parts, std::int64_t count, const Tensor& step,
                  const Leaves& state, const Leaves& slices) {
  Loop loop{
      .kind = graph::LoopKind::scan,
      .init = state,
      .xs = slices,
      .body = [&](const Tensor& inner, const Leaves& carries,
                  const Leaves& given) { return iterate(parts, step + inner, carries, given); },
      .condition = {},
      .first = {},
      .iterations = {count}};
  const Leaves all = build_loop(loop);
  return {{all.begin(), all.begin() + parts.body.carries},
          {all.begin() + parts.body.carries, all.end()}};
}

/// The rows of a stack in the section, grouped by the outer iterations.
Tensor rows_of(const Tensor& x, const Section& section) {
  const Tensor rows = x[Slice{section.begin, section.begin + section.iterations}];
  if (section.each == 1) return rows;
  Shape shape = rows.shape();
  shape[0] = section.each;
  shape.insert(0, section.iterations / section.each);
  return reshape(rows, shape);
}

Tensor ungrouped(const Tensor& x, const Section& section) {
  if (section.each == 1) return x;
  Shape shape = x.shape();
  shape.erase(0);
  shape[0] = section.iterations;
  return reshape(x, shape);
}

/// The section with the carries before each outer iteration as further outputs. A while loop runs
/// as often as it may at most.
Leaves loop_that_keeps_carries(const LoopParts& parts, const Section& section, const Leaves& init) {
  Loop loop{.kind = parts.body.has_condition ? graph::LoopKind::scan : parts.body.kind,
            .init = init,
            .xs = {},
            .body = {},
            .condition = {},
            .first = {},
            .iterations = {section.iterations / section.each}};
  for (const Tensor& x : parts.some(parts.body.carries, parts.body.slices)) {
    loop.xs.push_back(rows_of(x, section));
  }
  loop.body = [&](const Tensor& step, const Leaves& state, const Leaves& slices) {
    const Tensor begin = parts.step_after(section.begin);
    Iteration made = section.each == 1
                         ? iterate(parts, step + begin, state, slices)
                         : iterate(parts, section.each, step * section.each + begin, state, slices);
    core::append(made.outputs, state);
    return made;
  };
  return build_loop(loop);
}

/// Whether sequences have an axis left for groups of iterations.
bool fits_grouped(const LoopParts& parts) {
  for (const Tensor& x : parts.some(parts.body.carries, parts.body.slices)) {
    if (x.ndim() + 1 > Shape::max_rank) return false;
  }
  for (std::int64_t k = 0; k < parts.body.outputs; ++k) {
    const graph::NodePtr& y = item(parts.body.results, parts.body.carries + k);
    if (y->shape.rank() + 2 > Shape::max_rank) return false;
  }
  return true;
}

/// How to run the loop so that its kept carries are few enough: one section, or one of as many
/// iterations within each outer one as there are outer ones, and one of the rest.
std::vector<Section> sections_of(const LoopParts& parts) {
  constexpr std::int64_t most_bytes = std::int64_t{256} << 20;
  // Kept carries of more iterations cost more draws than computing them again does: of three floats
  // and 30,000 iterations a gradient takes a twentieth of the time so.
  constexpr std::int64_t most_kept = 2048;
  const std::int64_t count = parts.attrs.iterations;
  std::int64_t bytes = 0;
  for (const Tensor& carry : parts.some(0, parts.body.carries)) {
    bytes += carry.size() * static_cast<std::int64_t>(sizeof(float));
  }
  std::int64_t each = parts.attrs.checkpoint;
  if (each == 0) {
    const auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(count)));
    const bool keeps_all = count <= most_kept && bytes <= most_bytes / count;
    each = keeps_all || !fits_grouped(parts) ? 1 : std::max<std::int64_t>(root, 1);
  }
  each = std::min(each, count);
  const std::int64_t rest = count % each;
  std::vector<Section> sections{{0, count - rest, each}};
  if (rest > 0) sections.push_back({count - rest, rest, 1});
  return sections;
}

}  // namespace

BodyCopy copy_of_body(const LoopParts& loop) {
  BodyCopy copy(loop.body);
  if (loop.body.has_condition) copy.drop_index_checks();
  for (std::int64_t k = loop.first_captured(); k < loop.values(); ++k) {
    copy.set(copy.parameter(k), loop.input(k));
  }
  return copy;
}

Tensor next_carry(BodyCopy& copy, const graph::LoopBody& body, std::int64_t k, const Tensor& last) {
  const Tensor next = copy.value(copy.result(k));
  if (!body.has_condition) return next;
  const Tensor condition = copy.value(body.results.back());
  if (condition.ndim() > 0) return next;  // the body chooses
  const Tensor chosen = where(condition, next, last);
  // Gradients of the side that is not taken are not computed: they may not be finite.
  Internals::node(chosen)->attrs = core::ApplyAttrs{.is_branch = true};
  return chosen;
}

KeptLoop keep_carries(const LoopParts& parts) {
  KeptLoop made;
  Leaves state = parts.some(0, parts.body.carries);
  std::vector<Leaves> outputs(static_cast<std::size_t>(parts.body.outputs));
  for (const Section& section : sections_of(parts)) {
    const Leaves all = loop_that_keeps_carries(parts, section, state);
    state.assign(all.begin(), all.begin() + parts.body.carries);
    const auto kept_ones = all.begin() + parts.body.carries + parts.body.outputs;
    for (std::int64_t k = 0; k < parts.body.outputs; ++k) {
      item(outputs, k).push_back(ungrouped(item(all, parts.body.carries + k), section));
    }
    made.sections.emplace_back(graph::inputs_of(*Internals::node(all[0]))[0],
                               Leaves(kept_ones, all.end()));
  }
  made.results = std::move(state);
  for (const Leaves& one : outputs)
    made.results.push_back(one.size() == 1 ? one[0] : concatenate(one));
  return made;
}

}  // namespace trigon::detail::transform

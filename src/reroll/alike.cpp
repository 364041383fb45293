// SPDX-License-Identifier: MIT
#include "reroll/alike.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/hash.hpp"
#include "core/item.hpp"
#include "core/math.hpp"
#include "reroll/progression.hpp"

namespace trigon::detail::reroll {
namespace {

constexpr std::int64_t most_entries = 256;  ///< that one join may visit

/// Whether an entry may be computed together with its likes, along a new axis.
bool may_be_stacked(const ir::Graph::Entry& entry) {
  // A choice for all elements at once would become one per entry.
  return info(entry.kind).stacks && !core::is_branch(entry.attrs);
}

/// The same view with a new first axis. `has_axis`: whether its input has that axis, too.
ir::View with_axis(const ir::View& view, bool has_axis) {
  ir::View more(has_axis ? 1 : 0);
  if (has_axis) more[0].factors[0] = 1;
  for (ir::ViewAxis axis : view) {
    std::copy_backward(axis.factors.begin(), axis.factors.end() - 1, axis.factors.end());
    axis.factors[0] = 0;
    more.push_back(std::move(axis));
  }
  return more;
}

Shape with_axis(Shape shape, std::int64_t count) {
  shape.insert(0, count);
  return shape;
}

}  // namespace

std::vector<std::uint64_t> forms_of(const ir::Graph& graph) {
  std::vector<std::uint64_t> forms;
  forms.reserve(graph.entries.size());
  for (std::int32_t k = 0; k < graph.size(); ++k) {
    const ir::Graph::Entry& entry = graph[k];
    if (!may_be_stacked(entry)) {
      forms.push_back(core::mix(1, static_cast<std::uint64_t>(k)));
      continue;
    }
    std::uint64_t form =
        core::mix(2, static_cast<std::uint64_t>(info(entry.kind).is_one_number ? ir::Kind::constant
                                                                               : entry.kind));
    form = core::mix(form, static_cast<std::uint64_t>(entry.dtype));
    form = core::mix(form, reinterpret_cast<std::uintptr_t>(entry.op));
    for (const std::int64_t dim : entry.shape)
      form = core::mix(form, static_cast<std::uint64_t>(dim));
    for (const ir::ViewAxis& axis : entry.view) {
      for (const std::int64_t factor : axis.factors) {
        form = core::mix(form, static_cast<std::uint64_t>(factor));
      }
    }
    for (const std::int32_t input : entry.inputs) form = core::mix(form, item(forms, input));
    forms.push_back(form);
  }
  return forms;
}

std::int32_t Stacker::joined(const Ids& members, int axis) {
  const Shape shape = graph_[members[0]].shape;
  if (shape.rank() >= Shape::max_rank) return -1;
  const auto count = static_cast<std::int64_t>(members.size());
  open_ = most_entries;
  const std::int64_t room = room_;
  const std::optional<Stacked> all = of(members);
  if (!all) {
    room_ = room;  // for the joins that follow
    return -1;
  }
  // The new axis in front of the one along which they are joined, and then both as one.
  ir::View turn = vector_of<ir::ViewAxis>(shape.rank() + 1);
  Shape turned = shape;
  turned.insert(axis, count);
  item(turn[0].factors, axis) = 1;
  for (int k = 0; k < shape.rank(); ++k) {
    item(item(turn, k + 1).factors, k < axis ? k : k + 1) = 1;
  }
  const std::int32_t along = b_.view(with_axis(*all, count), std::move(turn), turned);
  turned.erase(axis);
  turned[axis] *= count;
  return b_.reshape(along, turned);
}

std::int32_t Stacker::with_axis(const Stacked& one, std::int64_t count) {
  if (one.has_axis) return one.entry;
  const Shape shape = b_[one.entry].shape;
  return b_.view(one.entry, reroll::with_axis(ir::whole_view(shape), false),
                 reroll::with_axis(shape, count));
}

std::optional<Stacker::Stacked> Stacker::of(const Ids& members) {
  const bool is_one = std::all_of(members.begin(), members.end(),
                                  [&](std::int32_t member) { return member == members[0]; });
  if (is_one) return Stacked{item(moved_, members[0]), false};
  if (const auto at = known_.find(members); at != known_.end()) return at->second;
  if (--open_ < 0) return std::nullopt;
  const std::optional<Stacked> found = computed(members);
  if (found) known_.emplace(members, *found);
  return found;
}

std::optional<Stacker::Stacked> Stacker::computed(const Ids& members) {
  const ir::Graph::Entry& first = graph_[members[0]];
  if (!may_be_stacked(first) || first.shape.rank() >= Shape::max_rank) return std::nullopt;
  for (const std::int32_t member : members) {
    const ir::Graph::Entry& entry = graph_[member];
    const bool same_kind = entry.kind == first.kind ||
                           (info(entry.kind).is_one_number && info(first.kind).is_one_number);
    if (!same_kind || entry.dtype != first.dtype || !(entry.shape == first.shape)) {
      return std::nullopt;
    }
  }
  if (info(first.kind).is_one_number) return numbers(members);
  return first.kind == ir::Kind::view ? view(members) : on_inputs(members);
}

std::optional<Stacker::Stacked> Stacker::numbers(const Ids& members) {
  const auto count = static_cast<std::int64_t>(members.size());
  const ir::Graph::Entry& first = graph_[members[0]];
  const ir::Graph::Entry& second = graph_[members[1]];
  const bool all_known = std::all_of(members.begin(), members.end(), [&](std::int32_t member) {
    return graph_[member].kind == ir::Kind::constant;
  });
  std::optional<Progression> progression;
  if (all_known) progression = Progression::of(first.dtype, first.value, second.value);
  for (std::int64_t t = 0; progression && t < count; ++t) {
    if (!progression->has(t, graph_[item(members, t)].value)) progression.reset();
  }
  if (progression) {
    const std::int32_t counter =
        b_.add({.kind = ir::Kind::iota, .dtype = DType::int32, .shape = Shape{count}});
    return Stacked{progression->value(b_, counter), true};
  }
  room_ -= core::ceil_div(count, std::int64_t{4});
  if (room_ < 0) return std::nullopt;
  ir::TableAttrs table;
  for (const std::int32_t member : members) {
    const ir::Graph::Entry& number = graph_[member];
    const bool is_scalar = number.kind == ir::Kind::scalar;
    if (is_scalar) table.elements.push_back({number.as<core::ScalarNumber>(), 0.0});
    if (!is_scalar) table.elements.push_back({{}, number.value});
  }
  return Stacked{b_.add({.kind = ir::Kind::table,
                         .dtype = first.dtype,
                         .shape = Shape{count},
                         .attrs = std::move(table)}),
                 true};
}

std::optional<Stacker::Stacked> Stacker::view(const Ids& members) {
  const auto count = static_cast<std::int64_t>(members.size());
  const ir::Graph::Entry& first = graph_[members[0]];
  const ir::View& second = graph_[members[1]].view;
  for (std::int64_t t = 1; t < count; ++t) {
    const ir::View& own = graph_[item(members, t)].view;
    if (own.size() != first.view.size()) return std::nullopt;
    for (std::size_t k = 0; k < own.size(); ++k) {
      const std::int64_t step = second[k].start - first.view[k].start;
      if (own[k].start != first.view[k].start + t * step ||
          own[k].factors != first.view[k].factors || own[k].terms != first.view[k].terms) {
        return std::nullopt;
      }
    }
  }
  const auto input = inputs(members);
  if (!input) return std::nullopt;
  const Stacked& shown = (*input)[0];
  ir::View all = reroll::with_axis(first.view, shown.has_axis);
  for (std::size_t k = 0; k < first.view.size(); ++k) {
    all[k + (shown.has_axis ? 1 : 0)].factors[0] = second[k].start - first.view[k].start;
  }
  return Stacked{b_.view(shown.entry, std::move(all), reroll::with_axis(first.shape, count)), true};
}

std::optional<std::vector<Stacker::Stacked>> Stacker::inputs(const Ids& members) {
  const std::size_t arity = graph_[members[0]].inputs.size();
  std::vector<Stacked> all;
  for (std::size_t i = 0; i < arity; ++i) {
    Ids column;
    for (const std::int32_t member : members) {
      if (graph_[member].inputs.size() != arity) return std::nullopt;
      column.push_back(graph_[member].inputs[i]);
    }
    const std::optional<Stacked> one = of(column);
    if (!one) return std::nullopt;
    all.push_back(*one);
  }
  return all;
}

/// For elementwise ops, and for ops that move elements within each entry.
std::optional<Stacker::Stacked> Stacker::on_inputs(const Ids& members) {
  const auto count = static_cast<std::int64_t>(members.size());
  ir::Graph::Entry all = graph_[members[0]];
  for (const std::int32_t member : members) {
    const ir::Graph::Entry& entry = graph_[member];
    if (entry.op != all.op || entry.attrs != all.attrs ||
        std::bit_cast<std::uint64_t>(entry.value) != std::bit_cast<std::uint64_t>(all.value)) {
      return std::nullopt;
    }
  }
  const auto below = inputs(members);
  if (!below) return std::nullopt;
  all.inputs.clear();
  for (const Stacked& one : *below) all.inputs.push_back(with_axis(one, count));
  all.shape.insert(0, count);
  if (all.kind == ir::Kind::reshape) return Stacked{b_.reshape(all.inputs[0], all.shape), true};
  if (all.kind == ir::Kind::pad) {
    std::vector<std::int64_t>& before = std::get<core::PadAttrs>(all.attrs).before;
    before.insert(before.begin(), 0);
  }
  return Stacked{b_.add(std::move(all)), true};
}

}  // namespace trigon::detail::reroll

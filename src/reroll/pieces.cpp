// SPDX-License-Identifier: MIT
#include "reroll/pieces.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "core/item.hpp"
#include "core/list.hpp"
#include "entries/entries.hpp"
#include "reroll/alike.hpp"

namespace trigon::detail::reroll {
namespace {

using Ids = std::vector<std::int32_t>;

// Each kernel reads as many textures as most devices bind at once, so that there are few pieces.
constexpr std::int64_t fewest_in_piece = 2, most_members = 16;
constexpr std::size_t fewest_members = 9;  ///< of a long join; fewer compile quickly
constexpr std::size_t fewest_alike = 4;    ///< entries that are worth a new axis

/// Entries side by side along an axis.
struct Join {
  int axis = -1;
  Ids members{};
};

/// Finds the long joins of a graph.
class JoinFinder {
 public:
  explicit JoinFinder(const ir::Graph& graph)
      : graph_(graph), inner_(graph.entries.size(), false), visits_(16 * graph.size()) {}

  /// Joins by entry; without members if an entry is none. A join within another one is not listed.
  std::vector<Join> run() {
    std::vector<Join> joins(graph_.entries.size());
    for (std::int32_t k = graph_.size(); k-- > 0;) {
      if (item(inner_, k)) continue;
      const std::optional<Split> split = split_of(k);
      if (!split) continue;
      Join join{.axis = split->axis};
      if (!collect(k, join) || join.members.size() < fewest_members) continue;
      item(joins, k) = std::move(join);
    }
    return joins;
  }

 private:
  /// The border of a choice between two sides along an axis.
  struct Split {
    int axis;
    std::int64_t at;
  };
  std::optional<Split> split_of(std::int32_t k) const {
    const ir::Graph::Entry& entry = graph_[k];
    const bool chooses =
        entry.kind == ir::Kind::map && entries::chooses(*entry.op) && !core::is_branch(entry.attrs);
    if (!chooses) return std::nullopt;
    ir::View at = ir::whole_view(entry.shape);
    const ir::Graph::Entry& mask = graph_[below_views(entry.inputs[0], at)];
    if (mask.kind != ir::Kind::map || !entries::is_less(*mask.op)) return std::nullopt;
    ir::View other = at;
    const ir::Graph::Entry& position = graph_[below_views(mask.inputs[0], at)];
    const ir::Graph::Entry& border = graph_[below_views(mask.inputs[1], other)];
    if (position.kind != ir::Kind::iota || border.kind != ir::Kind::constant) return std::nullopt;
    const ir::ViewAxis& index = at[0];
    for (int axis = 0; axis < entry.shape.rank(); ++axis) {
      ir::ViewAxis own;
      item(own.factors, axis) = 1;
      if (index == own && std::floor(border.value) == border.value) {
        return Split{axis, static_cast<std::int64_t>(border.value)};
      }
    }
    return std::nullopt;
  }

  /// The entry below views. `at` becomes the index there.
  std::int32_t below_views(std::int32_t k, ir::View& at) const {
    for (; graph_[k].kind == ir::Kind::view; k = graph_[k].inputs[0])
      at = compose(at, graph_[k].view);
    return k;
  }

  /// The section of an entry along the axis that is shown.
  struct Open {
    std::int32_t entry;
    std::int64_t begin, end;
  };

  /// The members of a join, including those of joins within it. False if it shows anything else.
  bool collect(std::int32_t root, Join& join) {
    Ids inner;
    // Not a Walk: joins within this one may show the same entry at the same place.
    std::vector<Open> open{{root, 0, graph_[root].shape[join.axis]}};
    while (!open.empty()) {
      const Open one = open.back();
      open.pop_back();
      if (--visits_ < 0) return false;
      const ir::Graph::Entry& entry = graph_[one.entry];
      if (entry.dtype != graph_[root].dtype) return false;
      if (const auto split = split_of(one.entry); split && split->axis == join.axis) {
        if (split->at <= one.begin || split->at >= one.end) return false;
        inner.push_back(one.entry);
        open.push_back({entry.inputs[2], split->at, one.end});
        open.push_back({entry.inputs[1], one.begin, split->at});
        continue;
      }
      if (!shows(entry, one, join.axis)) return false;
      const std::int32_t member = entry.inputs[0];
      const auto split = split_of(member);
      if (split && split->axis == join.axis && is_read_once(member)) {
        open.push_back({member, 0, one.end - one.begin});
      } else {
        join.members.push_back(member);
      }
    }
    for (const std::int32_t k : inner) item(inner_, k) = true;
    return true;
  }

  /// Whether a section of a pad shows exactly the padded input.
  bool shows(const ir::Graph::Entry& pad, const Open& open, int axis) const {
    if (pad.kind != ir::Kind::pad) return false;
    const Shape& shape = graph_[pad.inputs[0]].shape;
    for (int k = 0; k < shape.rank(); ++k) {
      const bool along = k == axis;
      if (item(pad.as<core::PadAttrs>().before, k) != (along ? open.begin : 0)) return false;
      if (shape[k] != (along ? open.end - open.begin : pad.shape[k])) return false;
    }
    return true;
  }

  bool is_read_once(std::int32_t k) const {
    return item(graph_.readers, k).size() == 1 && !core::contains(graph_.results, k);
  }

  const ir::Graph& graph_;
  std::vector<bool> inner_;  ///< by entry: it belongs to a join
  std::int64_t visits_;      ///< that are left, since there may be many choices that are not joins
};

/// Builds the graph with its joins in pieces.
class Maker {
 public:
  Maker(const ir::Graph& graph, const core::Target& target)
      : graph_(graph),
        forms_(forms_of(graph)),
        moved_(graph.entries.size(), -1),
        stacker_(b_, graph, moved_, target),
        most_(
            static_cast<std::size_t>(std::clamp(target.samplers, fewest_in_piece, most_members))) {}

  /// `kept`: collected entries that stay, besides the roots.
  ir::Graph run(const std::vector<Join>& joins, const Ids& roots, const Ids& kept) {
    for (std::int32_t k = 0; k < graph_.size(); ++k) {
      if (!item(joins, k).members.empty()) {
        moved_[static_cast<std::size_t>(k)] = joined(item(joins, k), graph_[k]);
        continue;
      }
      ir::Graph::Entry entry = graph_[k];
      for (std::int32_t& input : entry.inputs) input = item(moved_, input);
      moved_[static_cast<std::size_t>(k)] = b_.add(std::move(entry));
    }
    Ids became;
    for (const std::int32_t k : graph_.became) became.push_back(k < 0 ? -1 : item(moved_, k));
    const std::size_t count = became.size();
    core::append(became, pieces_);
    ir::Graph made = b_.finish(std::move(became), roots, kept);
    made.pieces.assign(made.became.begin() + static_cast<std::ptrdiff_t>(count), made.became.end());
    std::erase(made.pieces, -1);
    made.became.resize(count);
    return made;
  }

 private:
  std::int32_t joined(const Join& join, const ir::Graph::Entry& whole) {
    axis_ = join.axis;
    Ids members = without_equals(join);
    while (members.size() > most_) members = in_pieces(members, whole);
    return side_by_side(members, whole);
  }

  /// The members in pieces of equal count. The last piece repeats members of the one before, so
  /// that it has the same kernel.
  Ids in_pieces(const Ids& members, const ir::Graph::Entry& whole) {
    Ids pieces;
    for (std::size_t first = 0; first < members.size(); first += most_) {
      const std::size_t end = std::min(first + most_, members.size());
      if (end - first == 1) {
        pieces.push_back(members[first]);
        continue;
      }
      const std::span all(members);
      pieces_.push_back(side_by_side(all.subspan(end - most_, most_), whole));
      std::int64_t before = 0;
      for (const std::int32_t member : all.subspan(end - most_, first + most_ - end)) {
        before += size(member);
      }
      pieces.push_back(without(pieces_.back(), before));
    }
    return pieces;
  }

  /// The elements of an entry after the first `before`.
  std::int32_t without(std::int32_t entry, std::int64_t before) {
    Shape shape = b_[entry].shape;
    ir::View rest = ir::whole_view(shape);
    item(rest, axis_).start = before;
    shape[axis_] -= before;
    return b_.view(entry, std::move(rest), shape);
  }

  /// The members, with consecutive ones that do the same merged into one.
  Ids without_equals(const Join& join) {
    Ids members;
    for (std::size_t first = 0, end = 0; first < join.members.size(); first = end) {
      Ids alike;
      for (; end < join.members.size() && are_alike(join.members[first], join.members[end]);
           ++end) {
        alike.push_back(join.members[end]);
      }
      const std::int32_t one = alike.size() < fewest_alike ? -1 : stacker_.joined(alike, axis_);
      if (one >= 0) {
        members.push_back(one);
      } else {
        for (const std::int32_t member : alike) members.push_back(item(moved_, member));
      }
    }
    return members;
  }
  bool are_alike(std::int32_t a, std::int32_t b) const {
    return item(forms_, a) == item(forms_, b) && graph_[a].shape == graph_[b].shape;
  }

  std::int64_t size(std::int32_t member) const { return b_[member].shape[axis_]; }

  /// Entries side by side as one, with the other axes of `whole`.
  std::int32_t side_by_side(std::span<const std::int32_t> members, const ir::Graph::Entry& whole) {
    if (members.size() == 1) return members[0];
    Shape shape = whole.shape;
    shape[axis_] = 0;
    for (const std::int32_t member : members) shape[axis_] += size(member);
    return chosen(members, 0, shape);
  }

  /// An entry in a larger shape, in which it begins at `begin`; other elements have any value.
  std::int32_t spread(std::int32_t member, std::int64_t begin, const Shape& shape) {
    const ir::Graph::Entry entry = b_[member];
    if (entry.shape[axis_] == 1)
      return b_.view(member, ir::broadcast_view(entry.shape, shape), shape);
    auto before = vector_of<std::int64_t>(shape.rank());
    item(before, axis_) = begin;
    return b_.add({.kind = ir::Kind::pad,
                   .dtype = entry.dtype,
                   .shape = shape,
                   .attrs = core::PadAttrs{std::move(before)},
                   .inputs = {member}});
  }

  /// A balanced tree of choices. `begin`: where the first member starts.
  std::int32_t chosen(std::span<const std::int32_t> members, std::int64_t begin,
                      const Shape& shape) {
    const DType dtype = b_[members[0]].dtype;
    if (members.size() == 1) return spread(members[0], begin, shape);
    const std::size_t half = members.size() / 2;
    std::int64_t border = begin;
    for (const std::int32_t member : members.first(half)) border += size(member);
    const std::int32_t left = chosen(members.first(half), begin, shape);
    const std::int32_t right = chosen(members.subspan(half), border, shape);
    return b_.add({.kind = ir::Kind::map,
                   .dtype = dtype,
                   .shape = shape,
                   .op = &entries::named<"where">(),
                   .inputs = {lies_before(border, shape), left, right}});
  }

  /// Whether an element of `shape` lies before the border.
  std::int32_t lies_before(std::int64_t border, const Shape& shape) {
    const Shape line{shape[axis_]};
    const std::int32_t position =
        b_.add({.kind = ir::Kind::iota, .dtype = DType::int32, .shape = line});
    const std::int32_t number = b_.add(
        {.kind = ir::Kind::constant, .dtype = DType::int32, .value = static_cast<double>(border)});
    const std::int32_t all = b_.view(number, {}, line);
    const std::int32_t mask = b_.add({.kind = ir::Kind::map,
                                      .dtype = DType::boolean,
                                      .shape = line,
                                      .op = &entries::named<"less">(),
                                      .inputs = {position, all}});
    ir::View along(1);
    item(along[0].factors, axis_) = 1;
    return b_.view(mask, std::move(along), shape);
  }

  const ir::Graph& graph_;
  const std::vector<std::uint64_t> forms_;
  ir::GraphBuilder b_;
  Ids moved_;  ///< for each entry: its entry in the new graph
  Stacker stacker_;
  const std::size_t most_;  ///< members per piece
  Ids pieces_;
  int axis_ = 0;  ///< of the current join
};

}  // namespace

std::optional<ir::Graph> in_pieces(const ir::Graph& graph, const graph::Collected& collected,
                                   const core::Target& target) {
  const std::vector<Join> joins = JoinFinder(graph).run();
  const bool has_any = std::any_of(joins.begin(), joins.end(),
                                   [](const Join& join) { return !join.members.empty(); });
  if (!has_any) return std::nullopt;
  // A loop gives all its results at once, also those that are held and not asked for.
  Ids kept;
  for (std::size_t k = 0; k < collected.entries.size(); ++k) {
    const std::int32_t entry = graph.became[k];
    const bool is_result = entry >= 0 && graph[entry].kind == ir::Kind::output;
    if (is_result && collected.entries[k].outside) kept.push_back(static_cast<std::int32_t>(k));
  }
  return Maker(graph, target).run(joins, collected.roots, kept);
}

}  // namespace trigon::detail::reroll

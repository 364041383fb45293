// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "core/item.hpp"
#include "core/list.hpp"
#include "core/math.hpp"
#include "core/walk.hpp"
#include "schedule/schedule.hpp"
#include "schedule/state.hpp"

namespace trigon::detail::schedule {
namespace {

constexpr std::int64_t most_bytes_together = std::int64_t{1} << 28;
constexpr std::int64_t bytes_of_an_element = 4;  // as if all were float32

/// A growing group, with the properties that decide who may join.
struct Candidate {
  Group group;
  SplitReason split_reason = SplitReason::none;
  std::int32_t depth = 0;  ///< draws that must come before it
  Ids reads{};
  Ids ops{};                     ///< ops that it computes, in order
  std::int64_t attachments = 0;  ///< of all outputs
  std::int64_t bytes = 0;
  Literals need{};  ///< the sides of conds that are its only readers
  Ids splits{};     ///< predicates whose two sides it computes in separate draws
};

class Grouper {
 public:
  explicit Grouper(const State& state) : state_(state) {
    schedule_.group_of.assign(state.graph.entries.size(), -1);
    schedule_.anchor_of = state.anchor_of;
    schedule_.reasons = state.reasons;
    schedule_.joins.assign(state.graph.entries.size(), Join::first);
    schedule_.sides = state.sides;
  }

  Schedule run() {
    for (std::int32_t k = 0; k < state_.graph.size(); ++k) {
      if (state_.is_stored(k)) place(candidate(k));
    }
    order();
    return std::move(schedule_);
  }

 private:
  const ir::Graph::Entry& entry(std::int32_t k) const { return state_.at(k); }

  Candidate candidate(std::int32_t k) {
    Candidate one;
    one.group.outputs = {k};
    const std::int32_t anchor = item(state_.anchor_of, k);
    if (anchor >= 0) {
      one.group.form = entry(anchor).kind;
      one.group.anchors = {anchor};
    } else if (info(entry(k).kind).is_drawn) {
      one.group.form = entry(k).kind;
    }
    measure(one, k);
    return one;
  }

  /// Finds the entries that the group loads and computes.
  void measure(Candidate& one, std::int32_t root) const {
    core::Walk<std::int32_t> walk({root});
    for (const std::int32_t k : walk) {
      if (k != root && state_.is_loaded(k)) {
        one.reads.push_back(k);
        continue;
      }
      if (!is_number(entry(k).kind)) one.ops.push_back(k);
      walk.add(entry(k).inputs);
    }
    measure_sides(one, root);
    std::sort(one.reads.begin(), one.reads.end());
    std::sort(one.ops.begin(), one.ops.end());
    one.attachments = 1;
    if (one.group.form == ir::Kind::reduce) {
      const ReduceSpec& spec = entry(one.group.anchors[0]).op->reduce();
      one.attachments = std::max(spec.outputs.get(), spec.accumulators.get());
    }
    one.bytes = entry(root).shape.numel() * bytes_of_an_element;
  }

  /// Adds the predicates that skip its draws, which are read as well.
  void measure_sides(Candidate& one, std::int32_t root) const {
    const Sides& sides = state_.sides;
    one.need = sides.need(root);
    for (const Literal& literal : one.need) {
      core::place_in(one.reads, item(sides.predicates, literal.predicate).entry);
    }
    if (sides.splits.empty()) return;
    for (std::int32_t k : one.ops) {
      if (item(sides.splits, k)) core::place_in(one.splits, sides.predicate(state_.graph, k));
    }
    std::sort(one.splits.begin(), one.splits.end());
  }

  /// Whether the same conds skip both, since an entry that joins a draw is skipped with it.
  static bool same_sides(const Candidate& into, const Candidate& one) {
    const bool splits = into.splits == one.splits || into.splits.empty() || one.splits.empty();
    return into.need == one.need && splits;
  }

  std::int32_t depth_of(std::int32_t k) const {
    const std::int32_t group = item(schedule_.group_of, k);
    return group < 0 ? -1 : item(candidates_, group).depth;
  }

  /// Joins the entry to a group that shares its draw, or makes it a group.
  void place(Candidate one) {
    std::int32_t deepest = -1;
    for (std::int32_t k : one.reads) deepest = std::max(deepest, depth_of(k));
    one.depth = deepest + 1;
    std::int32_t host = below(one, deepest);
    Join way = Join::below;
    // At the depth of that group; its readers are assumed to follow all of its outputs.
    if (host >= 0) one.depth = deepest;
    if (host < 0) {
      host = beside(one);
      way = Join::beside;
    }
    if (host >= 0) {
      item(schedule_.joins, one.group.outputs[0]) = way;
      join(item(candidates_, host), one);
    } else {
      host = static_cast<std::int32_t>(candidates_.size());
      candidates_.push_back(one);
    }
    item(schedule_.group_of, one.group.outputs[0]) = host;
  }

  /// The group whose results this one continues at the same index, if nothing else that it reads is
  /// at that depth.
  std::int32_t below(Candidate& one, std::int32_t deepest) const {
    if (one.group.form == ir::Kind::contract) one.split_reason = SplitReason::product;
    if (is_alone(one)) one.split_reason = SplitReason::update;
    if (deepest < 0 || is_alone(one)) return -1;
    one.split_reason = SplitReason::loop;
    if (one.group.form != ir::Kind::map) return -1;
    one.split_reason =
        state_.target.draw_buffers == 1 ? SplitReason::targets : SplitReason::several;
    std::int32_t host = -1;
    for (std::int32_t k : one.reads) {
      if (depth_of(k) != deepest) continue;
      const std::int32_t group = item(schedule_.group_of, k);
      if (host >= 0 && host != group) return -1;
      host = group;
    }
    const Candidate& into = item(candidates_, host);
    one.split_reason = is_alone(into)              ? SplitReason::after_update
                       : !same_domain(into, one)   ? SplitReason::shape
                       : !reads_aligned(one, into) ? SplitReason::moved
                                                   : limit_of(into, one);
    return one.split_reason == SplitReason::none ? host : -1;
  }

  /// A group at the same depth, over the same elements.
  std::int32_t beside(Candidate& one) const {
    if (one.group.form == ir::Kind::output) return group_of_loop(one);
    if (is_alone(one) || one.group.form == ir::Kind::contract) return -1;
    for (auto k = static_cast<std::int32_t>(candidates_.size()); k-- > 0;) {
      const Candidate& into = item(candidates_, k);
      if (static_cast<std::int32_t>(candidates_.size()) - k > farthest) break;
      if (into.group.form != one.group.form || !may_wait(into, one, k)) continue;
      if (!same_domain(into, one) || !same_elements(into, one)) continue;
      const SplitReason limit = limit_of(into, one);
      if (limit == SplitReason::none) return k;
      if (one.split_reason == SplitReason::none) one.split_reason = limit;
    }
    return -1;
  }

  /// The group of the loop of which this is another output.
  std::int32_t group_of_loop(const Candidate& one) const {
    for (std::size_t k = candidates_.size(); k-- > 0;) {
      const Group& into = candidates_[k].group;
      const bool is_loop = into.form == ir::Kind::output;
      if (is_loop && entry(into.outputs[0]).inputs == entry(one.group.outputs[0]).inputs) {
        return static_cast<std::int32_t>(k);
      }
    }
    return -1;
  }

  /// Writes over another tensor, scatters and loops share their draws with nothing else.
  static bool is_alone(const Candidate& one) { return info(one.group.form).is_drawn; }

  /// Whether the two can be drawn together: they are at the same depth, or the earlier one is near
  /// and has no reader that would have to wait.
  bool may_wait(const Candidate& into, const Candidate& one, std::int32_t number) const {
    if (into.depth == one.depth) return true;
    constexpr std::int32_t near = 24;
    if (static_cast<std::int32_t>(candidates_.size()) - number > near) return false;
    const Candidate& earlier = into.depth < one.depth ? into : one;
    return std::all_of(earlier.group.outputs.begin(), earlier.group.outputs.end(),
                       [this](std::int32_t k) { return item(state_.graph.readers, k).empty(); });
  }

  bool same_domain(const Candidate& into, const Candidate& one) const {
    const Shape& a = entry(into.group.outputs[0]).shape;
    const Shape& b = entry(one.group.outputs[0]).shape;
    if (into.group.form == ir::Kind::reduce && one.group.form == ir::Kind::map) {
      // A tuple of results goes to the target unchanged.
      for (std::int32_t anchor : into.group.anchors) {
        if (entry(anchor).op->reduce().outputs > 1) return false;
      }
    }
    return one.group.form == ir::Kind::reduce || core::same_but_ones(a, b);
  }

  /// Whether two reductions run over the same elements.
  bool same_elements(const Candidate& into, const Candidate& one) const {
    if (one.group.form != ir::Kind::reduce) return true;
    const ir::Graph::Entry& a = entry(into.group.anchors[0]);
    const ir::Graph::Entry& b = entry(one.group.anchors[0]);
    return entry(a.inputs[0]).shape == entry(b.inputs[0]).shape && a.attrs == b.attrs;
  }

  /// Whether `one` reads the outputs of `into` only at its own index.
  bool reads_aligned(const Candidate& one, const Candidate& into) const {
    core::Walk<std::pair<std::int32_t, bool>> walk({{one.group.outputs[0], true}});
    for (const auto& [k, aligned] : walk) {
      if (k != one.group.outputs[0] && state_.is_loaded(k)) {
        if (!aligned && core::contains(into.group.outputs, k)) return false;
        continue;
      }
      const bool keeps = aligned && keeps_index(state_.graph, k);
      for (std::int32_t input : entry(k).inputs) walk.add({input, keeps});
    }
    return true;
  }

  /// The limit that the two groups together would pass, or none.
  SplitReason limit_of(const Candidate& into, const Candidate& one) const {
    if (!same_sides(into, one)) return SplitReason::side;
    const core::Target& target = state_.target;
    std::int64_t attachments = into.attachments + one.attachments;
    if (into.group.form == ir::Kind::contract) {
      attachments = static_cast<std::int64_t>(into.group.outputs.size() + 1);
      if (!is_small(into, attachments)) return SplitReason::rows;
    }
    if (attachments > target.draw_buffers) return SplitReason::targets;
    const auto reads = static_cast<std::int64_t>(reads_of_both(into, one).size());
    if (reads > target.samplers) return SplitReason::samplers;
    const std::int64_t sum = instructions(both(into.ops, one.ops));
    if (sum - target.instructions > target.instructions / 4) return SplitReason::length;
    return into.bytes + one.bytes > most_bytes_together ? SplitReason::memory : SplitReason::none;
  }

  static Ids both(const Ids& a, const Ids& b) {
    Ids all;
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
    return all;
  }
  /// The entries that a group loads together with one that joins it.
  static Ids reads_of_both(const Candidate& into, const Candidate& one) {
    Ids reads = both(into.reads, one.reads);
    std::erase_if(reads, [&](std::int32_t k) { return core::contains(into.group.outputs, k); });
    return reads;
  }
  /// The results of one kernel call count once, since one text computes them.
  std::int64_t instructions(const Ids& ops) const {
    std::set<std::pair<int, Ids>> calls;
    std::int64_t sum = 0;
    for (std::int32_t k : ops) {
      const ir::Graph::Entry& one = entry(k);
      const bool is_kernel = one.op != nullptr && one.op->family == Family::kernel;
      if (is_kernel && !calls.emplace(one.op->id, one.inputs).second) continue;
      sum += instructions_of(state_.graph, k);
    }
    return sum;
  }

  /// Whether a product with fewer rows per block, and so more fetches, costs less than a draw.
  bool is_small(const Candidate& into, std::int64_t outputs) const {
    const Shape& shape = entry(into.group.anchors[0]).shape;
    const auto inner = entry(entry(into.group.anchors[0]).inputs[0]).shape.back();
    const std::int64_t rows = std::min<std::int64_t>(shape[-2], 8);
    const std::int64_t left = std::max<std::int64_t>(state_.target.draw_buffers / outputs, 1);
    if (rows <= left) return true;
    constexpr auto lanes = static_cast<double>(core::lanes);
    // Fetches per four inner steps of a block with r rows and four columns: r + 4.
    const double steps =
        static_cast<double>(shape.numel()) / lanes * static_cast<double>(inner) / lanes;
    const auto fetches = [&](std::int64_t r) {
      return steps * static_cast<double>(r + core::lanes) / static_cast<double>(r);
    };
    const double more = (fetches(left) - fetches(rows)) * state_.costs.fetch;
    const double texels = static_cast<double>(shape.numel()) / lanes;
    return more < state_.costs.draw + texels * (state_.costs.fetch);
  }

  void join(Candidate& into, const Candidate& one) {
    into.group.outputs.push_back(one.group.outputs[0]);
    core::append(into.group.anchors, one.group.anchors);
    into.reads = reads_of_both(into, one);
    into.ops = both(into.ops, one.ops);
    into.depth = std::max(into.depth, one.depth);
    into.attachments += one.attachments;
    into.bytes += one.bytes;
    if (into.splits.empty()) into.splits = one.splits;
  }

  /// Sorts groups by their first outputs, each after the groups that it reads.
  void order() {
    std::vector<std::int32_t> number(candidates_.size(), -1);
    std::vector<Group> sorted;
    const auto enter = [&](std::int32_t g) -> std::optional<Ids> {
      if (item(number, g) >= 0) return std::nullopt;
      Ids below;
      for (const std::int32_t k : item(candidates_, g).reads) {
        const std::int32_t other = item(schedule_.group_of, k);
        if (other >= 0 && other != g) below.push_back(other);
      }
      return below;
    };
    const auto leave = [&](std::int32_t g, const Ids&) {
      item(number, g) = static_cast<std::int32_t>(sorted.size());
      sorted.push_back(item(candidates_, g).group);
      schedule_.split_reason.push_back(item(candidates_, g).split_reason);
    };
    for (std::int32_t root = 0; root < static_cast<std::int32_t>(candidates_.size()); ++root) {
      core::walk_up(root, enter, leave);
    }
    for (std::int32_t& group : schedule_.group_of) {
      if (group >= 0) group = item(number, group);
    }
    schedule_.groups = std::move(sorted);
  }

  static constexpr std::int32_t farthest = 64;  ///< number of earlier groups that are considered

  const State& state_;
  Schedule schedule_;
  std::vector<Candidate> candidates_;
};

}  // namespace

Schedule make_groups(const State& state) { return Grouper(state).run(); }

std::vector<std::int32_t> reads_of(const ir::Graph& graph, const Schedule& schedule,
                                   const Group& group) {
  Ids found;
  core::Walk<std::int32_t> walk(group.outputs);
  for (const std::int32_t k : walk) {
    if (!core::contains(group.outputs, k) &&
        (graph[k].kind == ir::Kind::leaf || schedule.stores(k))) {
      found.push_back(k);
      continue;
    }
    walk.add(graph[k].inputs);
  }
  std::sort(found.begin(), found.end());
  return found;
}

namespace {

/// Separate draws for values that kernels beginning with `first` compute on their way to `root`,
/// one every `limit` operations.
std::vector<Group> pieces_below(const ir::Graph& graph, const Schedule& schedule, Ids first,
                                std::int32_t root, std::size_t limit) {
  std::vector<Group> pieces;
  // The unstored entries of the kernel, inputs first.
  std::set<std::int32_t> region;
  core::Walk<std::int32_t> walk(std::move(first));
  for (const std::int32_t k : walk) {
    if (graph[k].kind == ir::Kind::leaf || (k != root && schedule.stores(k))) continue;
    region.insert(k);
    walk.add(graph[k].inputs);
  }
  std::vector<std::size_t> depth(graph.entries.size(), 0);
  for (std::int32_t k : region) {
    if (is_number(graph[k].kind)) continue;
    std::size_t below = 0;
    for (std::int32_t input : graph[k].inputs) {
      if (region.contains(input)) below = std::max(below, item(depth, input));
    }
    item(depth, k) = below + 1;
    if (below + 1 < limit || k == root || is_view(graph[k].kind)) continue;
    item(depth, k) = 0;
    const bool reduction = graph[k].kind == ir::Kind::reduce;
    pieces.push_back({.form = reduction ? ir::Kind::reduce : ir::Kind::map,
                      .anchors = reduction ? Ids{k} : Ids{},
                      .outputs = {k}});
  }
  return pieces;
}

}  // namespace

std::vector<Group> cut(const ir::Graph& graph, const Schedule& schedule, const Group& group,
                       std::size_t limit) {
  std::vector<Group> pieces;
  if (group.form == ir::Kind::output) {
    // The operands of its first and captured values may be stored.
    pieces = pieces_below(graph, schedule, loop_of(graph, group.outputs[0]).inputs, -1, limit);
    if (!pieces.empty()) pieces.push_back(group);
    return pieces;
  }
  if (group.outputs.size() > 1) {
    // One draw per output. Ops after an anchor become a separate draw.
    for (const std::int32_t output : group.outputs) {
      const std::int32_t anchor = item(schedule.anchor_of, output);
      Group piece{.outputs = {output}};
      if (anchor >= 0) {
        piece.form = graph[anchor].kind;
        piece.anchors = {anchor};
      }
      pieces.push_back(std::move(piece));
    }
    return pieces;
  }
  const std::int32_t root = group.outputs[0];
  if (!group.anchors.empty() && group.anchors[0] != root) {
    // The anchor gets a separate draw; the ops after it are elementwise.
    pieces.push_back({.form = group.form, .anchors = group.anchors, .outputs = group.anchors});
    pieces.push_back({.form = ir::Kind::map, .outputs = {root}});
    return pieces;
  }
  pieces = pieces_below(graph, schedule, {root}, root, limit);
  if (!pieces.empty()) pieces.push_back(group);
  return pieces;
}

}  // namespace trigon::detail::schedule

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "core/item.hpp"
#include "core/list.hpp"
#include "core/math.hpp"
#include "core/walk.hpp"
#include "schedule/state.hpp"

namespace trigon::detail::schedule {
namespace {

// A draw that is sometimes skipped has to save this many times the cost of a draw.
constexpr double worth_a_draw = 2;

/// Whether it is an output of a loop that is or contains a while loop, where the host waits for the
/// device between iterations.
bool is_of_while_loop(const ir::Graph& graph, std::int32_t k) {
  if (graph[k].kind != ir::Kind::output) return false;
  core::Walk<const ir::Graph::Entry*> walk({&loop_of(graph, k)});
  for (const ir::Graph::Entry* one : walk) {
    if (one->kind != ir::Kind::loop) continue;
    if (loop_attrs(*one).has_condition) return true;
    for (const ir::Graph::Entry& inner : one->body->entries) walk.add(&inner);
  }
  return false;
}

/// Finds the conds whose sides are worth separate draws.
class SideFinder {
 public:
  explicit SideFinder(State& state) : state_(state), found_(state.graph.entries.size(), -1) {}

  void run() {
    find_predicates();
    if (sides_.predicates.empty()) return;
    find_needs();
    sides_.splits.assign(state_.graph.entries.size(), false);
    std::vector<bool> chosen;
    for (std::int32_t p = 0; p < std::ssize(sides_.predicates); ++p) chosen.push_back(pays(p));
    keep(chosen);
  }

 private:
  const ir::Graph::Entry& at(std::int32_t k) const { return state_.at(k); }

  void find_predicates() {
    for (std::int32_t k = 0; k < state_.graph.size(); ++k) {
      if (!core::is_branch(at(k).attrs) || state_.is_empty(k)) continue;
      std::optional<Predicate> one = predicate_of(state_.graph, k);
      // Storing all of a larger entry for one of its elements could cost too much.
      if (!one || (at(one->entry).shape.numel() != 1 && !state_.is_loaded(one->entry))) continue;
      item(found_, k) = static_cast<std::int32_t>(core::place_in(sides_.predicates, *one));
    }
  }

  /// Goes from the roots down.
  void find_needs() {
    sides_.needs.resize(state_.graph.entries.size());
    for (std::int32_t k = state_.graph.size(); k-- > 0;) {
      // A while loop over values that no draw has computed might never end.
      if (state_.why(k) == Reason::root || is_of_while_loop(state_.graph, k)) continue;
      std::optional<Literals> need;
      const auto add = [&](const Literals& more) { need = need ? common(*need, more) : more; };
      for (std::int32_t reader : item(state_.graph.readers, k)) {
        const auto& inputs = at(reader).inputs;
        const Literals& own = item(sides_.needs, reader);
        for (std::size_t place = 0; place < inputs.size(); ++place) {
          if (inputs[place] != k) continue;
          const std::int32_t p =
              own.size() < most_literals(state_.target) ? item(found_, reader) : -1;
          add(p >= 0 && place > 0 ? with(own, {p, place == 1}) : own);
        }
      }
      item(sides_.needs, k) = need.value_or(Literals{});
    }
  }

  bool needs(std::int32_t k, const Literal& literal) const {
    const Literals& need = item(sides_.needs, k);
    return std::binary_search(need.begin(), need.end(), literal);
  }

  /// Whether an entry has separate draws, whatever else is stored.
  bool is_drawn(std::int32_t k) const { return state_.is_anchor(k) || info(at(k).kind).is_drawn; }

  static double texels(const Shape& shape) {
    return static_cast<double>(core::ceil_div(shape.numel(), core::lanes));
  }

  /// Estimated time of an entry in a side, without the entries below it. Loads for both sides are
  /// not counted, since the kernel makes them anyway.
  double nanoseconds(std::int32_t k, const Literal& side) const {
    const ir::Graph::Entry& entry = at(k);
    const core::Costs& costs = state_.costs;
    switch (entry.kind) {
      case ir::Kind::contract: {
        // Sixteen multiply-adds share a fetch.
        const auto inner = static_cast<double>(at(entry.inputs[0]).shape.back());
        return static_cast<double>(entry.shape.numel()) * inner / 16 * costs.fetch;
      }
      case ir::Kind::scatter: {
        const auto points = static_cast<double>(at(entry.inputs[2]).shape.numel());
        return points * (2 * costs.fetch + costs.blend);
      }
      case ir::Kind::output: return loop_nanoseconds(at(entry.inputs[0]));
      default: break;
    }
    const bool is_reduction = entry.kind == ir::Kind::reduce;
    const Shape& over = is_reduction ? at(entry.inputs[0]).shape : entry.shape;
    double texel = static_cast<double>(instructions_of(state_.graph, k)) * costs.instruction;
    for (std::int32_t input : entry.inputs) {
      const bool loads = state_.is_loaded(input) && (is_drawn(k) || needs(input, side));
      texel += loads ? costs.fetch : 0;
    }
    return texels(over) * texel;
  }

  double loop_nanoseconds(const ir::Graph::Entry& loop) const {
    const ir::LoopAttrs numbers = loop_attrs(loop);
    double iteration = 0;
    for (std::int32_t k = 0; k < loop.body->size(); ++k) {
      iteration += texels((*loop.body)[k].shape) *
                   static_cast<double>(instructions_of(*loop.body, k)) * state_.costs.instruction;
    }
    return iteration * static_cast<double>(std::max<std::int64_t>(numbers.iterations, 1));
  }

  /// Estimated time that a kernel spends on entries that only one side of a choice needs.
  double in_kernel(std::int32_t where, const Literal& side) const {
    core::Walk<std::int32_t> walk({at(where).inputs[side.holds ? 1 : 2]});
    double sum = 0;
    for (const std::int32_t k : walk) {
      if (state_.is_loaded(k) || is_drawn(k) || !needs(k, side)) continue;
      sum += nanoseconds(k, side);
      walk.add(at(k).inputs);
    }
    return sum;
  }

  /// Whether skipping draws by a predicate pays for the draws made for it. Marks the branches that
  /// it splits: none if a branch within a kernel skips as well.
  bool pays(std::int32_t p) {
    const double draw = state_.costs.draw * worth_a_draw;
    double saved = state_.is_loaded(item(sides_.predicates, p).entry) ? 0 : -draw;
    bool any = false;
    for (std::int32_t k = 0; k < state_.graph.size(); ++k) {
      if (item(found_, k) == p) {
        if (state_.costs.branch_skips) continue;
        // A side is assumed to be taken every other time.
        const double sides = (in_kernel(k, {p, true}) + in_kernel(k, {p, false})) / 2;
        item(sides_.splits, k) = sides > draw;
        if (sides > draw) saved += sides - draw, any = true;
      } else if (is_drawn(k) && (needs(k, {p, true}) || needs(k, {p, false}))) {
        saved += nanoseconds(k, {p, true}) / 2;
        any = true;
      }
    }
    return any && saved > 0;
  }

  /// Keeps only the chosen predicates, renumbered, and stores them.
  void keep(const std::vector<bool>& chosen) {
    Ids number(chosen.size(), -1);
    for (std::size_t p = 0; p < chosen.size(); ++p) {
      if (!chosen[p]) continue;
      number[p] = static_cast<std::int32_t>(state_.sides.predicates.size());
      state_.sides.predicates.push_back(sides_.predicates[p]);
      if (!state_.is_leaf(sides_.predicates[p].entry)) {
        state_.store(sides_.predicates[p].entry, Reason::predicate);
      }
    }
    if (state_.sides.predicates.empty()) return;
    for (Literals& need : sides_.needs) {
      std::erase_if(need, [&](const Literal& one) { return item(number, one.predicate) < 0; });
      for (Literal& one : need) one.predicate = item(number, one.predicate);
    }
    for (std::size_t k = 0; k < found_.size(); ++k) {
      if (found_[k] < 0 || item(number, found_[k]) < 0) sides_.splits[k] = false;
    }
    state_.sides.needs = std::move(sides_.needs);
    state_.sides.splits = std::move(sides_.splits);
  }

  State& state_;
  Ids found_;  ///< the number of a branch's predicate, or -1
  Sides sides_;
};

}  // namespace

void mark_sides(State& state) {
  if (state.target.vertex_samplers == 0) return;
  SideFinder(state).run();
}

}  // namespace trigon::detail::schedule

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "core/item.hpp"
#include "schedule/state.hpp"

namespace trigon::detail::schedule {
namespace {

void merge(Ids& into, const Ids& from) {
  if (from.empty()) return;
  if (into.empty()) {
    into = from;
    return;
  }
  Ids sum;
  sum.reserve(into.size() + from.size());
  std::set_union(into.begin(), into.end(), from.begin(), from.end(), std::back_inserter(sum));
  into = std::move(sum);
}

/// The part of a kernel that computes an entry: ops and loads below it, in order.
struct Cone {
  Ids ops, loads;
};

class Cutter {
 public:
  explicit Cutter(State& state)
      : state_(state), cones_(state.graph.entries.size()), left_(state.graph.entries.size()) {
    std::set<std::pair<int, Ids>> calls;
    for (std::int32_t k = 0; k < state.graph.size(); ++k) {
      // The results of one kernel call count once.
      const ir::Graph::Entry& entry = state.at(k);
      const bool is_kernel = entry.op != nullptr && entry.op->family == Family::kernel;
      const bool is_known = is_kernel && !calls.emplace(entry.op->id, entry.inputs).second;
      weights_.push_back(is_known ? 0 : instructions_of(state.graph, k));
      item(left_, k) = item(state.graph.readers, k).size();
    }
  }

  void run() {
    for (std::int32_t k = 0; k < state_.graph.size(); ++k) {
      if (!state_.is_leaf(k) && !state_.is_empty(k)) {
        build(k);
        while (!fits(k) && cut_below(k)) rebuild(k);
      }
      for (std::int32_t input : state_.at(k).inputs) --item(left_, input);
      // Only readers that are still to come look at an old cone.
      const std::int32_t old = k - kept_cones;
      if (old >= 0 && item(left_, old) == 0) cone(old) = {};
    }
  }

 private:
  Cone& cone(std::int32_t k) { return item(cones_, k); }

  void build(std::int32_t k) {
    Cone own;
    for (std::int32_t input : state_.at(k).inputs) {
      if (state_.is_loaded(input)) {
        merge(own.loads, {input});
      } else {
        merge(own.ops, cone(input).ops);
        merge(own.loads, cone(input).loads);
      }
    }
    const ir::Kind kind = state_.at(k).kind;
    if (!is_number(kind) && !(is_view(kind) && own.loads.empty())) own.ops.push_back(k);
    cone(k) = std::move(own);
  }

  bool too_many_loads(const Cone& cone) const {
    return static_cast<std::int64_t>(cone.loads.size()) > state_.target.samplers;
  }

  bool fits(std::int32_t k) {
    std::int64_t sum = 0;
    for (std::int32_t op : cone(k).ops) sum += item(weights_, op);
    return sum <= state_.target.instructions && !too_many_loads(cone(k));
  }

  /// For each position in a cone: how many values cross it, because something after it reads them,
  /// and how many of those can't be stored.
  struct Crossing {
    std::int32_t values = 0, fixed = 0;
  };
  std::vector<Crossing> crossings(const Ids& ops, const std::vector<std::size_t>& last) const {
    std::vector<Crossing> change(ops.size() + 1);
    for (std::size_t i = 0; i < ops.size(); ++i) {
      if (is_free(ops[i])) continue;
      const std::int32_t fixed = can_store(ops[i]) ? 0 : 1;
      change[i].values += 1, change[i].fixed += fixed;
      change[last[i]].values -= 1, change[last[i]].fixed -= fixed;
    }
    for (std::size_t i = 1; i < change.size(); ++i) {
      change[i].values += change[i - 1].values;
      change[i].fixed += change[i - 1].fixed;
    }
    return change;
  }
  /// Views are not stored themselves; the values that they show cross instead.
  bool is_free(std::int32_t k) const { return info(state_.at(k).kind).only_moves; }
  /// For each op of a cone, the position of its last reader, seen through views.
  std::vector<std::size_t> last_readers(const Ids& ops) const {
    std::vector<std::size_t> last(ops.size());
    for (std::size_t i = ops.size(); i-- > 0;) {
      last[i] = last_reader(ops, i);
      for (std::int32_t reader : item(state_.graph.readers, ops[i])) {
        if (!is_free(reader)) continue;
        const auto found = std::lower_bound(ops.begin(), ops.end(), reader);
        if (found == ops.end() || *found != reader) continue;
        last[i] = std::max(last[i], item(last, found - ops.begin()));
      }
    }
    return last;
  }
  /// Position of the last reader of op `i`. Nearby readers outside the cone count too, so that
  /// parallel recurrences are cut at the same position.
  std::size_t last_reader(const Ids& ops, std::size_t i) const {
    const Ids& readers = item(state_.graph.readers, ops[i]);
    const std::int32_t near = 2 * ops.back() - first_of(ops);
    const auto past = std::upper_bound(readers.begin(), readers.end(), near);
    if (past == readers.begin()) return i;
    const auto place = std::lower_bound(ops.begin(), ops.end(), *(past - 1));
    return std::max<std::size_t>(i, place - ops.begin());
  }

  bool can_store(std::int32_t k) const {
    return !item(state_.claimed, k) && !item(state_.inlined, k) && !is_free(k) &&
           !state_.is_stored(k);
  }

  /// Cuts the cone where the fewest values cross, as late as the limit allows, and stores those
  /// values. The length is always the same, so that repeated structure gives equal kernels.
  bool cut_below(std::int32_t k) {
    const Ids ops = cone(k).ops;
    const std::vector<std::size_t> last = last_readers(ops);
    const std::vector<Crossing> crossing = crossings(ops, last);
    const std::int64_t limit = state_.target.instructions;
    const bool loads = too_many_loads(cone(k));
    std::int64_t sum = 0;
    std::size_t best = ops.size();
    for (std::size_t i = 0; i + 1 < ops.size(); ++i) {
      sum += item(weights_, ops[i]);
      if (sum > limit || too_many_loads(cone(ops[i]))) break;
      if (sum * 2 < limit && !loads) continue;
      if (crossing[i].values == 0 || crossing[i].fixed > 0 || !can_store(ops[i])) continue;
      if (best == ops.size() || crossing[i].values <= crossing[best].values) best = i;
    }
    if (best == ops.size()) return cut_input(k);
    const Reason reason = loads ? Reason::samplers : Reason::length;
    for (std::size_t i = 0; i <= best; ++i) {
      if (last[i] > best && !is_free(ops[i])) state_.store(ops[i], reason);
    }
    store_beside(ops, best);
    return true;
  }

  /// Values that are made from the same ops and cross the same position to other readers are stored
  /// there too. Otherwise they would need a separate draw that recomputes everything before the
  /// cut.
  void store_beside(const Ids& ops, std::size_t best) {
    const auto end = ops.begin() + static_cast<std::ptrdiff_t>(best) + 1;
    for (std::int32_t k = first_of(ops); k < ops[best]; ++k) {
      if (state_.is_leaf(k) || is_number(state_.at(k).kind) || !can_store(k)) continue;
      const Ids& readers = item(state_.graph.readers, k);
      if (readers.empty() || readers.back() <= ops[best]) continue;
      if (std::binary_search(ops.begin(), end, k)) continue;
      const Ids& own = cone(k).ops;
      const bool shares = std::any_of(own.begin(), own.end(), [&](std::int32_t op) {
        return std::binary_search(ops.begin(), end, op);
      });
      if (shares && core::same_but_ones(state_.at(k).shape, state_.at(ops[best]).shape)) {
        state_.store(k, Reason::cut);
      }
    }
  }

  /// Stores the largest input, if there is no position to cut at.
  bool cut_input(std::int32_t k) {
    std::int32_t largest = -1;
    std::size_t most = 0;
    for (std::int32_t input : state_.at(k).inputs) {
      const std::size_t count = cone(input).ops.size();
      if (state_.is_loaded(input) || item(state_.claimed, input) || item(state_.inlined, input))
        continue;
      if (count > most) most = count, largest = input;
    }
    if (largest < 0) return false;
    state_.store(largest, too_many_loads(cone(k)) ? Reason::samplers : Reason::length);
    return true;
  }

  /// Rebuilds the cones up to k, after more entries below it are stored.
  void rebuild(std::int32_t k) {
    for (std::int32_t one = first_of(cone(k).ops); one <= k; ++one) {
      if (!state_.is_leaf(one) && !state_.is_empty(one)) build(one);
    }
  }

  /// The first nearby entry of a cone. Values made of numbers may lie far back.
  std::int32_t first_of(const Ids& ops) const {
    return std::max(ops.front(), ops.back() - kept_cones / 4);
  }

  static constexpr std::int32_t kept_cones = 4096;

  State& state_;
  std::vector<Cone> cones_;
  std::vector<std::size_t> left_;      ///< readers still to come
  std::vector<std::int64_t> weights_;  ///< lowered instructions of each entry
};

}  // namespace

void mark_long(State& state) { Cutter(state).run(); }

}  // namespace trigon::detail::schedule

// SPDX-License-Identifier: MIT
#include <algorithm>

#include "core/hash.hpp"
#include "core/item.hpp"
#include "core/math.hpp"
#include "schedule/schedule.hpp"
#include "schedule/state.hpp"

namespace trigon::detail::schedule {
namespace {

// An entry with more ops is never computed twice: kernels would grow, and take longer to compile.
constexpr std::int64_t most_repeated_ops = 24;
constexpr std::int64_t most_repeated_loads = 4;
constexpr std::size_t most_accesses = 16;
// Storing has to save this much: one more draw also takes memory, and makes a kernel wait.
constexpr double worth_a_draw = 2;

/// A kernel that computes an entry, the way by which it reaches it, and the number of texels.
struct Access {
  std::uint64_t kernel;
  std::uint64_t way;
  std::int64_t texels;
};

std::int64_t texels_of(const Shape& shape) { return core::ceil_div(shape.numel(), core::lanes); }

class Sharing {
 public:
  explicit Sharing(State& state)
      : state_(state),
        accesses_(state.graph.entries.size()),
        levels_(state.graph.entries.size(), 0) {
    for (std::int32_t k = 0; k < state.graph.size(); ++k) item(levels_, k) = level(k);
  }

  /// Goes from the roots down. The cost of an entry depends on which ones below it are stored. The
  /// first pass does not know that yet, so the second one decides again.
  void run() {
    std::vector<bool> chosen(state_.graph.entries.size(), false);
    for (int pass = 0; pass < 2; ++pass) {
      for (auto& accesses : accesses_) accesses.clear();
      for (std::int32_t k = state_.graph.size(); k-- > 0;) {
        if (state_.is_leaf(k) || is_number(state_.at(k).kind)) continue;
        if (item(chosen, k)) item(state_.reasons, k) = Reason::none;
        collect(k);
        const Reason reason = reason_to_store(k);
        item(chosen, k) = reason != Reason::none;
        if (item(chosen, k)) state_.store(k, reason);
      }
    }
  }

 private:
  /// The least number of draws below an entry. Entries at the same level may share a draw.
  std::int32_t level(std::int32_t k) const {
    std::int32_t result = 0;
    for (std::int32_t input : state_.at(k).inputs) {
      const bool draw = state_.is_anchor(input) || info(state_.at(input).kind).is_drawn;
      result = std::max(result, item(levels_, input) + (draw ? 1 : 0));
    }
    return result;
  }

  /// The kernel of a stored entry: equal for entries that can share a draw.
  std::uint64_t kernel_of(std::int32_t k) const {
    const bool alone = state_.target.draw_buffers == 1 || item(state_.anchor_of, k) >= 0 ||
                       info(state_.at(k).kind).is_drawn;
    if (alone) return static_cast<std::uint64_t>(k);
    std::uint64_t kernel = core::mix(1, static_cast<std::uint64_t>(item(levels_, k)));
    for (std::int64_t dim : core::without_ones(state_.at(k).shape)) {
      kernel = core::mix(kernel, static_cast<std::uint64_t>(dim));
    }
    return kernel;
  }

  /// The same for a reduction. Those over the same elements share a draw.
  std::uint64_t kernel_of_reduction(std::int32_t k) const {
    if (state_.target.draw_buffers == 1) return static_cast<std::uint64_t>(k);
    const ir::Graph::Entry& entry = state_.at(k);
    std::uint64_t kernel = core::mix(2, static_cast<std::uint64_t>(item(levels_, k)));
    for (std::int64_t dim : state_.at(entry.inputs[0]).shape) {
      kernel = core::mix(kernel, static_cast<std::uint64_t>(dim));
    }
    core::for_each_word(entry.attrs, [&](std::uint64_t word) { kernel = core::mix(kernel, word); });
    return kernel;
  }

  void add(std::int32_t k, const Access& access) {
    auto& all = item(accesses_, k);
    const bool known = std::any_of(all.begin(), all.end(), [&](const Access& one) {
      return one.kernel == access.kernel && one.way == access.way;
    });
    if (!known && all.size() < most_accesses) all.push_back(access);
  }

  /// Collects how the readers of k, which are decided already, access it.
  void collect(std::int32_t k) {
    for (std::int32_t reader : item(state_.graph.readers, k)) {
      const ir::Graph::Entry& entry = state_.at(reader);
      if (entry.kind == ir::Kind::reduce && state_.is_anchor(reader)) {
        add(k, {kernel_of_reduction(reader), 1, texels_of(state_.at(entry.inputs[0]).shape)});
      } else if (entry.kind == ir::Kind::contract) {
        // A row, once for each fragment.
        add(k, {static_cast<std::uint64_t>(reader), 1, texels_of(state_.at(k).shape)});
      } else if (entry.kind == ir::Kind::output && state_.is_stored(reader)) {
        // One kernel computes all outputs of a loop, and reads each input once.
        add(k, {static_cast<std::uint64_t>(k), 1, texels_of(entry.shape)});
      } else if (state_.is_stored(reader)) {
        const std::uint64_t way =
            is_moved(reader) ? core::mix(7, static_cast<std::uint64_t>(reader)) : 0;
        add(k, {kernel_of(reader), way, texels_of(entry.shape)});
      } else {
        for (const Access& access : item(accesses_, reader)) {
          const std::uint64_t way = is_moved(reader)
                                        ? core::mix(access.way, static_cast<std::uint64_t>(reader))
                                        : access.way;
          add(k, {access.kernel, way, access.texels});
        }
      }
    }
  }

  /// Whether an entry reads its inputs at another index than its own.
  bool is_moved(std::int32_t k) const { return !keeps_index(state_.graph, k); }

  /// The reason to store an entry, or none.
  Reason reason_to_store(std::int32_t k) const {
    const ir::Graph::Entry& entry = state_.at(k);
    const bool fixed = state_.is_stored(k) || state_.is_empty(k) || item(state_.claimed, k) ||
                       item(state_.inlined, k) || !core::fits(state_.target, entry.shape);
    if (fixed || state_.is_anchor(k)) return Reason::none;
    if (info(entry.kind).only_moves) return Reason::none;
    const auto& all = item(accesses_, k);
    std::int64_t computed = 0;
    for (const Access& access : all) computed += access.texels;
    const std::int64_t own = texels_of(entry.shape);
    if (all.empty() || (all.size() == 1 && computed <= own)) return Reason::none;
    const Region region = region_of(state_, k);
    // An entry made only of numbers needs no fetch; a separate kernel would need a fill.
    const bool small = region.ops <= most_repeated_ops && region.loads <= most_repeated_loads;
    if (!small && all.size() > 1) return Reason::heavy;
    const bool is_column = entry.shape.rank() > 0 && entry.shape.back() == 1;
    // One value for the four lanes is computed once for all of them. Its readers usually load the
    // same operands anyway.
    const double arithmetic = static_cast<double>(region.instructions) * state_.costs.instruction *
                              (is_column ? 0.25 : 1);
    const double loads = static_cast<double>(is_column ? 1 : region.loads) * state_.costs.fetch;
    const double again = static_cast<double>(computed) * (loads + arithmetic);
    const double kept = state_.costs.draw +
                        static_cast<double>(own) * (loads + arithmetic + state_.costs.fill) +
                        static_cast<double>(computed) * state_.costs.fetch;
    return kept * worth_a_draw < again ? Reason::shared : Reason::none;
  }

  State& state_;
  std::vector<std::vector<Access>> accesses_;
  std::vector<std::int32_t> levels_;
};

}  // namespace

void mark_shared(State& state) { Sharing(state).run(); }

}  // namespace trigon::detail::schedule

// SPDX-License-Identifier: MIT
#include "reroll/roll.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/item.hpp"
#include "core/list.hpp"
#include "reroll/iteration_body.hpp"
#include "reroll/iterations.hpp"
#include "reroll/periods.hpp"
#include "reroll/series.hpp"

namespace trigon::detail::reroll {
namespace {

constexpr std::int32_t fewest_iterations = 8;
constexpr std::int32_t most_entries = 512;  ///< of an iteration
using Ids = std::vector<std::int32_t>;

/// A loop that replaces equal iterations.
struct Loop {
  std::int32_t at;  ///< the entry that it precedes
  ir::Graph::Entry entry;
  std::vector<std::pair<std::int32_t, std::int64_t>> results;  ///< entries, with their carries
};

/// Equal iterations that may become one loop.
struct Stretch {
  const Iteration& iteration;
  const Carries& carries;
  const Varying& varying;
  std::int32_t first;  ///< the place where the first iteration begins
  std::int32_t iterations;

  /// The place before which the iteration ends that has `back` others after it.
  std::int32_t end(std::int32_t back = 0) const {
    return first + (iterations - back) * iteration.size();
  }
};

class Roller {
 public:
  Roller(ir::Graph graph, const graph::Collected& collected, const core::Target& target)
      : graph_(std::move(graph)),
        target_(target),
        sequence_(graph_),
        kept_(graph_.entries.size(), false),
        removed_(graph_.entries.size(), false),
        more_(graph_.entries.size(), false) {
    for (std::size_t k = 0; k < collected.entries.size(); ++k) {
      const std::int32_t entry = graph_.became[k];
      if (entry >= 0 && collected.entries[k].outside) item(kept_, entry) = true;
    }
  }

  ir::Graph run() {
    visits_ += sequence_.size();
    if (instructions(0, sequence_.size()) <= target_.instructions) return std::move(graph_);
    for (const Period& period : periods_of(sequence_.fingerprints(), most_entries, visits_)) {
      if (period.size <= most_entries) search(period);
    }
    return loops_.empty() ? std::move(graph_) : rebuilt();
  }

  std::int64_t visits() const { return visits_; }

 private:
  std::int64_t instructions(std::int32_t first, std::int32_t end) const {
    std::int64_t sum = 0;
    for (std::int32_t k = first; k < end; ++k) {
      const ir::Graph::Entry& entry = sequence_.at(k);
      if (entry.kind == ir::Kind::cast) ++sum;
      if (entry.kind == ir::Kind::map) sum += ir::instructions_of(*entry.op);
    }
    return sum;
  }

  // ---- Equal iterations

  /// Looks for iterations of that period in the middle, then in the rest on both sides.
  void search(const Period& period) {
    std::vector<std::pair<std::int32_t, std::int32_t>> open{{period.begin, period.end}};
    while (!open.empty()) {
      const auto [begin, end] = open.back();
      open.pop_back();
      if (end - begin < period.size) continue;
      const std::int32_t middle = begin + (end - begin + 1) / 2;
      visits_ += 2 * period.size;
      std::optional<Iteration> iteration = Iteration::before(sequence_, middle, period.size);
      std::int32_t from = middle - period.size, to = middle;
      if (iteration && !is_taken(from, to)) {
        while (from > 0 && fits(*iteration, from - 1)) --from;
        while (to < sequence_.size() && fits(*iteration, to)) ++to;
        visits_ += to - from;
        roll(*iteration, from, to);
      }
      open.emplace_back(begin, from);
      open.emplace_back(to, end);
    }
  }
  bool is_taken(std::int32_t from, std::int32_t to) const {
    for (std::int32_t k = from; k < to; ++k) {
      if (item(removed_, sequence_.entry(k))) return true;
    }
    return false;
  }
  bool fits(const Iteration& iteration, std::int32_t place) const {
    return !item(removed_, sequence_.entry(place)) && iteration.has(place);
  }

  /// Rolls as much as possible of these places, each of which holds an entry of an equal iteration.
  void roll(Iteration& iteration, std::int32_t from, std::int32_t to) {
    if ((to - from) / iteration.size() < fewest_iterations || !iteration.is_plain()) return;
    const std::int32_t end = iteration.turn(to);
    const Carries carries(iteration);
    if (!carries.are_few() || !are_exact(iteration, carries)) return;
    const std::int32_t whole = (end - from) / iteration.size() * iteration.size();
    const std::int32_t first = begin_of(iteration, carries, end - whole);
    visits_ += std::max(end - first, 0);
    split(iteration, carries, first, end);
  }

  /// Each carry depends on the one before. Values that storing would round are carried only if they
  /// are rounded already.
  bool are_exact(const Iteration& iteration, const Carries& carries) const {
    const bool es300 = target_.dialect != core::Dialect::es100;
    return std::all_of(carries.all().begin(), carries.all().end(), [&](const Carry& carry) {
      const ir::Graph::Entry& model = iteration.model(carry.offset);
      if (iteration.is_free(carry.offset)) return false;
      if (model.dtype == DType::float16) return es300 && model.kind == ir::Kind::cast;
      return model.dtype != DType::uint8 || es300;
    });
  }

  /// The first iterations have no predecessor to take carries from. Those that otherwise match are
  /// part of the loop.
  std::int32_t begin_of(const Iteration& iteration, const Carries& carries, std::int32_t first) {
    for (std::int32_t more = carries.furthest(); more >= -carries.furthest(); --more) {
      const std::int32_t begin = first - more * iteration.size();
      if (begin < 0) continue;
      bool equal = captures_before(iteration, begin);
      for (std::int32_t k = begin; equal && k < begin + carries.furthest() * iteration.size();
           ++k) {
        ++visits_;
        equal =
            k < sequence_.size() && !item(removed_, sequence_.entry(k)) && iteration.has(k, begin);
      }
      if (equal && starts(iteration, carries, begin)) return begin;
    }
    return sequence_.size();
  }
  bool captures_before(const Iteration& iteration, std::int32_t begin) const {
    for (std::int32_t k = 0; k < iteration.size(); ++k) {
      for (const Source& source : iteration.sources(k)) {
        if (source.from != Source::From::earlier && sequence_.place_below(source.number) >= begin) {
          return false;
        }
      }
    }
    return true;
  }

  /// The initial entries of the carries for a loop that begins there; none if it reads different
  /// entries as the same carry.
  std::optional<Ids> starts(const Iteration& iteration, const Carries& carries,
                            std::int32_t begin) const {
    Ids found(carries.all().size(), -1);
    for (std::int32_t t = 0; t < carries.furthest(); ++t) {
      for (std::int32_t k = 0; k < iteration.size(); ++k) {
        const ir::Graph::Entry& entry = sequence_.at(begin + t * iteration.size() + k);
        for (std::size_t i = 0; i < entry.inputs.size(); ++i) {
          const Source& source = iteration.sources(k)[i];
          if (source.from != Source::From::earlier) continue;
          const Carry from = iteration.carry(k, source);
          if (from.back <= t) continue;
          std::int32_t& start = item(found, carries.number({from.offset, from.back - t}));
          const std::int32_t read = below_views_like(graph_, entry.inputs[i], source.view);
          if (read < 0 || (start >= 0 && start != read)) return std::nullopt;
          start = read;
        }
      }
    }
    return found;
  }

  /// Splits the iterations where something else needs a value of them, and where slices begin to
  /// move in another way.
  void split(const Iteration& iteration, const Carries& carries, std::int32_t first,
             std::int32_t end) {
    const std::int32_t count = (end - first) / iteration.size();
    std::vector<Ids> needed(static_cast<std::size_t>(std::max(count, 0)));
    for (std::int32_t k = first; k < end; ++k) {
      if (is_needed_past(sequence_.entry(k), end)) {
        item(needed, (k - first) / iteration.size()).push_back(iteration.offset(k));
      }
    }
    for (std::int32_t t = 0; t + fewest_iterations <= count;) {
      Varying varying(iteration, first + t * iteration.size(), room(), target_.trip_limit);
      std::int32_t stop = t;
      while (stop < count && item(needed, stop).empty() && varying.take(stop - t)) ++stop;
      // Values of the last iterations may be results.
      const std::int32_t from = stop;
      for (std::int32_t last = from; last < std::min(from + Carries::most_back, count); ++last) {
        if (!varying.take(last - t)) break;
        if (are_carried(carries, needed, from, last + 1)) stop = last + 1;
      }
      visits_ += (stop - t) * iteration.size();
      const bool is_rolled =
          stop - t >= fewest_iterations &&
          add({iteration, carries, varying, first + t * iteration.size(), stop - t}, stop == count);
      t = is_rolled ? stop : t + std::max(1, stop - t - fewest_iterations);
    }
  }

  /// Whether it, or a view of it, has a reader that is not in the iterations up to `end`.
  bool is_needed_past(std::int32_t entry, std::int32_t end) const {
    Ids views;
    std::int32_t one = entry;
    for (;;) {
      if (item(kept_, one)) return true;
      for (const std::int32_t reader : item(graph_.readers, one)) {
        if (sequence_.place(reader) >= end && !item(more_, reader)) return true;
        if (is_view(graph_[reader].kind)) views.push_back(reader);
      }
      if (views.empty()) return false;
      one = views.back();
      views.pop_back();
    }
  }
  /// Whether all needed values of iterations `from` to `end` - 1 are carries after the last one.
  static bool are_carried(const Carries& carries, const std::vector<Ids>& needed, std::int32_t from,
                          std::int32_t end) {
    for (std::int32_t t = from; t < end; ++t) {
      for (const std::int32_t offset : item(needed, t)) {
        if (carries.number({offset, end - t}) < 0) return false;
      }
    }
    return true;
  }

  // ---- Loops

  /// Adds the loop of these iterations, if that gains anything. `is_last`: no whole one follows.
  bool add(const Stretch& stretch, bool is_last) {
    const auto& [iteration, carries, varying, first, iterations] = stretch;
    const std::int32_t end = stretch.end();
    const std::int64_t own = instructions(first, first + iteration.size());
    if (own > target_.instructions || own * iterations <= target_.instructions) return false;
    const std::optional<Ids> before = starts(iteration, carries, first);
    if (!before) return false;
    if (varying.vectors(iterations) > room()) return false;
    Ids more;
    if (is_last && !varying.has_tables()) more = one_more(stretch);
    const std::int32_t total = iterations + (more.empty() ? 0 : 1);
    const IterationBody body = body_of(iteration, carries, varying, total);
    const auto count = static_cast<std::int64_t>(carries.all().size());
    Loop loop{.at = sequence_.entry(stretch.end(1))};
    loop.entry.kind = ir::Kind::loop;
    loop.entry.body = body.graph;
    loop.entry.inputs = *before;
    for (const std::size_t source : body.listed) {
      loop.entry.inputs.push_back(graph_.size() + static_cast<std::int32_t>(tables_.size()));
      tables_.push_back(table(varying, source, iterations));
    }
    core::append(loop.entry.inputs, body.captured);
    loop.entry.attrs = ir::LoopAttrs{.iterations = total,
                                     .carries = count,
                                     .slices = std::ssize(body.listed),
                                     .captured = std::ssize(body.captured),
                                     .outputs = 0,
                                     .is_rolled = true};
    if (count + std::ssize(body.captured) > target_.samplers) {
      tables_.resize(tables_.size() - body.listed.size());
      for (const std::int32_t entry : more) {
        if (entry >= 0) item(more_, entry) = false;
      }
      return false;
    }
    for (std::int64_t j = 0; j < count; ++j) {
      const std::int32_t entry = last_of(stretch, item(carries.all(), j), more);
      if (entry >= 0 && is_needed_past(entry, end)) loop.results.emplace_back(entry, j);
    }
    for (std::int32_t k = first; k < end; ++k) item(removed_, sequence_.entry(k)) = true;
    for (const std::int32_t entry : more) {
      if (entry < 0) continue;
      item(removed_, entry) = true;
      item(more_, entry) = false;
    }
    loops_.push_back(std::move(loop));
    return true;
  }

  /// Vectors of uniforms for the numbers of iterations; the others are left for shapes.
  std::int64_t room() const { return target_.uniform_vectors / 2; }

  /// The numbers that iterations read at a source.
  static ir::Graph::Entry table(const Varying& varying, std::size_t source,
                                std::int32_t iterations) {
    const Series& series = varying.all()[source];
    ir::TableAttrs table;
    for (std::int32_t t = 0; t < iterations; ++t) {
      const auto [scalar, value] = series.in_table(varying.entry(t, source));
      table.elements.push_back({{static_cast<std::int32_t>(scalar)}, value});
    }
    return {.kind = ir::Kind::table,
            .dtype = series.table_dtype(),
            .shape = Shape{iterations},
            .attrs = std::move(table)};
  }

  /// The entry of a carry after the iterations that end there and, if there is one, an incomplete
  /// one; -1 if that lacks it.
  std::int32_t last_of(const Stretch& stretch, const Carry& carry, const Ids& more) const {
    if (!more.empty() && carry.back == 1) return item(more, carry.offset);
    const std::int32_t back = carry.back - (more.empty() ? 0 : 1);
    return sequence_.entry(stretch.end(back) + carry.offset);
  }

  /// Entries of an incomplete iteration after the last whole one, by offset; -1 where missing.
  /// Empty if there is none, or if a value is read that the loop would not produce. Marks them in
  /// `more_`.
  Ids one_more(const Stretch& stretch) {
    const Iteration& iteration = stretch.iteration;
    Ids more(static_cast<std::size_t>(iteration.size()), -1);
    bool any = false, inside = true;
    std::size_t number = 0;
    for (std::int32_t k = 0; k < iteration.size(); ++k) {
      item(more, k) = one_more(stretch, k, number, more);
      for (const Source& source : iteration.sources(k)) {
        if (source.from != Source::From::varying) continue;
        inside = inside && (item(more, k) >= 0 ||
                            stretch.varying.all()[number].is_inside(stretch.iterations));
        ++number;
      }
      if (item(more, k) < 0) continue;
      item(more_, item(more, k)) = true;
      any = true;
    }
    const auto is_lost = [&](std::int32_t entry, Carry carry) {
      return entry >= 0 && is_needed_past(entry, stretch.end()) &&
             stretch.carries.number(carry) < 0;
    };
    bool fits = any && inside;
    for (std::int32_t k = 0; fits && k < iteration.size(); ++k) {
      fits = !is_lost(item(more, k), {k, 1});
      for (std::int32_t back = 1; fits && back <= Carries::most_back; ++back) {
        fits = !is_lost(sequence_.entry(stretch.end(back) + k), {k, back + 1});
      }
    }
    if (fits) return more;
    for (const std::int32_t entry : more) {
      if (entry >= 0) item(more_, entry) = false;
    }
    return {};
  }

  /// The entry at `offset` of the incomplete iteration, or -1. `first_number`: the number of its
  /// first source that varies; `more`: the entries before it.
  std::int32_t one_more(const Stretch& stretch, std::int32_t offset, std::size_t first_number,
                        const Ids& more) const {
    const Iteration& iteration = stretch.iteration;
    const std::vector<Source>& sources = iteration.sources(offset);
    Ids inputs;
    std::int32_t read = -1;
    for (const Source& source : sources) {
      std::int32_t input = source.number;
      if (source.from == Source::From::earlier) {
        const Carry from = iteration.carry(offset, source);
        input = from.back == 0 ? item(more, from.offset)
                               : sequence_.entry(stretch.end(from.back) + from.offset);
        if (input < 0) return -1;
        read = input;
      }
      inputs.push_back(input);
    }
    if (read < 0) return -1;
    for (const std::int32_t one : item(graph_.readers, read)) {
      const std::int32_t place = sequence_.place(one);
      if (place < stretch.end() || item(removed_, one) || !iteration.is_like(place, offset))
        continue;
      bool same = true;
      std::size_t number = first_number;
      for (std::size_t i = 0; same && i < sources.size(); ++i) {
        const std::int32_t input = graph_[one].inputs[i];
        same = sources[i].from == Source::From::varying
                   ? stretch.varying.goes_on(stretch.iterations, number++, input)
                   : input == inputs[i];
      }
      if (same) return one;
    }
    return -1;
  }

  ir::Graph rebuilt() {
    std::sort(loops_.begin(), loops_.end(),
              [](const Loop& a, const Loop& b) { return a.at < b.at; });
    std::vector<const Loop*> loop_of(graph_.entries.size(), nullptr);
    for (const Loop& loop : loops_) {
      for (const auto& [entry, carry] : loop.results) item(loop_of, entry) = &loop;
    }
    const std::vector<bool> needed = needed_with(loop_of);
    ir::Graph graph;
    // The last one is that of the present loop.
    Ids moved(graph_.entries.size() + tables_.size() + 1, -1);
    const auto loop = static_cast<std::int32_t>(moved.size()) - 1;
    Ids late;  // views of a loop's results that stand before the loop
    const auto append = [&](ir::Graph::Entry entry) {
      for (std::int32_t& input : entry.inputs) {
        input = item(moved, input);
        item(graph.readers, input).push_back(graph.size());
      }
      graph.entries.push_back(std::move(entry));
      graph.readers.emplace_back();
      return graph.size() - 1;
    };
    auto next = loops_.begin();
    const auto append_known = [&](std::int32_t k) {
      item(moved, k) = append(std::move(item(graph_.entries, k)));
    };
    for (std::int32_t k = 0; k < graph_.size(); ++k) {
      for (; next != loops_.end() && next->at == k; ++next) {
        for (const std::int32_t input : next->entry.inputs) {
          if (input < graph_.size() || !item(needed, input)) continue;
          item(moved, input) = append(item(tables_, input - graph_.size()));
        }
        item(moved, loop) = -1;
        for (const auto& [entry, carry] : next->results) {
          if (!item(needed, entry)) continue;
          if (item(moved, loop) < 0) item(moved, loop) = append(next->entry);
          item(moved, entry) = append({.kind = ir::Kind::output,
                                       .dtype = graph_[entry].dtype,
                                       .shape = graph_[entry].shape,
                                       .attrs = ir::OutputAttrs{carry},
                                       .inputs = {loop}});
        }
        std::erase_if(late, [&](std::int32_t view) {
          const bool is_ready = item(moved, graph_[view].inputs[0]) >= 0;
          if (is_ready) append_known(view);
          return is_ready;
        });
      }
      if (!item(needed, k) || item(removed_, k)) continue;
      const bool waits = is_view(graph_[k].kind) && item(moved, graph_[k].inputs[0]) < 0;
      waits ? late.push_back(k) : append_known(k);
    }
    for (std::int32_t k : graph_.results) graph.results.push_back(item(moved, k));
    graph.became = std::move(graph_.became);
    for (std::int32_t& k : graph.became) k = k < 0 ? -1 : item(moved, k);
    return graph;
  }

  std::vector<bool> needed_with(const std::vector<const Loop*>& loop_of) const {
    std::vector<bool> needed(graph_.entries.size() + tables_.size(), false);
    for (const std::int32_t k : graph_.results) item(needed, k) = true;
    for (std::int32_t k = graph_.size(); k-- > 0;) {
      const Loop* loop = item(loop_of, k);
      if (loop != nullptr && item(kept_, k)) item(needed, k) = true;
      if (!item(needed, k)) continue;
      for (const std::int32_t input : loop != nullptr ? loop->entry.inputs : graph_[k].inputs) {
        item(needed, input) = true;
      }
    }
    return needed;
  }

  ir::Graph graph_;
  const core::Target& target_;
  const Sequence sequence_;
  std::vector<bool> kept_;     ///< by entry: something outside the graph refers to it
  std::vector<bool> removed_;  ///< by entry: it is part of a loop
  std::vector<bool> more_;     ///< by entry: it belongs to the incomplete iteration
  std::vector<Loop> loops_;
  std::vector<ir::Graph::Entry> tables_;  ///< inputs of loops, numbered after the graph's entries
  std::int64_t visits_ = 0;
};

}  // namespace

ir::Graph rolled(ir::Graph graph, const graph::Collected& collected, const core::Target& target,
                 std::int64_t* visits) {
  Roller roller(std::move(graph), collected, target);
  ir::Graph result = roller.run();
  if (visits != nullptr) *visits += roller.visits();
  return result;
}

}  // namespace trigon::detail::reroll

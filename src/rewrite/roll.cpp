// SPDX-License-Identifier: MIT
#include "rewrite/roll.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/item.hpp"
#include "rewrite/periods.hpp"
#include "rewrite/progression.hpp"
#include "rewrite/stages.hpp"

namespace trigon::plan {
namespace {

constexpr std::int32_t fewest_stages = 8;
constexpr std::int32_t most_entries = 512;  ///< of a stage
constexpr std::int32_t most_back = 4;       ///< stages that a value is handed on
constexpr std::size_t most_carries = 32;

using Ids = std::vector<std::int32_t>;

/// A loop in place of a stretch.
struct Loop {
  std::int32_t at;                                             ///< the entry before which it stands
  Graph::Entry entry;                                          ///< of carry 0
  std::vector<std::pair<std::int32_t, std::int64_t>> results;  ///< entries, and the carry of each
};

/// The values that equal stages hand on: of each entry that a later stage reads, what it was one
/// stage before, two stages before, and so on.
class Carries {
 public:
  explicit Carries(const Stage& stage) : first_(vector_of<std::int32_t>(stage.size(), -1)) {
    Ids back(first_.size(), 0);
    for (std::int32_t k = 0; k < stage.size(); ++k) {
      for (const Slot& slot : stage.slots(k)) {
        if (slot.from != Slot::From::earlier) continue;
        const Carry source = stage.source(k, slot);
        item(back, source.offset) = std::max(item(back, source.offset), source.back);
      }
    }
    for (std::int32_t k = 0; k < stage.size(); ++k) {
      furthest_ = std::max(furthest_, item(back, k));
      if (item(back, k) == 0 || item(back, k) > most_back) continue;
      item(first_, k) = static_cast<std::int32_t>(all_.size());
      for (std::int32_t u = 1; u <= item(back, k); ++u) all_.push_back({k, u});
    }
  }

  const std::vector<Carry>& all() const { return all_; }
  /// The most stages back.
  std::int32_t furthest() const { return furthest_; }
  bool are_few() const {
    return !all_.empty() && all_.size() <= most_carries && furthest_ <= most_back;
  }
  /// The number of a carry, or -1.
  std::int32_t number(Carry carry) const {
    const std::int32_t first = item(first_, carry.offset);
    const std::size_t k = static_cast<std::size_t>(first + carry.back - 1);
    const bool known = first >= 0 && carry.back > 0 && k < all_.size() &&
                       all_[k].offset == carry.offset && all_[k].back == carry.back;
    return known ? static_cast<std::int32_t>(k) : -1;
  }

 private:
  std::vector<Carry> all_;
  Ids first_;  ///< of each entry of a stage: its first carry, or -1
  std::int32_t furthest_ = 0;
};

/// Builds the body of a loop from one of its stages.
class Body {
 public:
  /// `numbers`: of each slot that holds a constant, in order, what it is in the first stages.
  Body(const Graph& graph, const Stage& stage, const Carries& carries, const Ids& numbers,
       const std::vector<std::optional<Progression>>& progressions)
      : graph_(graph),
        stage_(stage),
        carries_(carries),
        numbers_(numbers),
        progressions_(progressions) {}

  std::shared_ptr<const Graph> run() {
    for (std::int32_t k = 0; k < stage_.size(); ++k) {
      const Graph::Entry& model = stage_.model(k);
      Graph::Entry entry = model;
      for (std::size_t i = 0; i < entry.inputs.size(); ++i) {
        entry.inputs[i] = input(k, stage_.slots(k)[i]);
      }
      values_.push_back(b_.add(std::move(entry)));
    }
    Ids results, roots;
    for (const Carry& carry : carries_.all()) {
      roots.push_back(static_cast<std::int32_t>(roots.size()));
      results.push_back(carry.back == 1 ? item(values_, carry.offset)
                                        : carried({carry.offset, carry.back - 1}));
    }
    return std::make_shared<const Graph>(b_.finish(std::move(results), roots));
  }

  /// Entries outside of the loop that its body reads.
  const Ids& captured() const { return captured_; }

 private:
  std::int32_t parameter(std::int64_t number, DType dtype, const Shape& shape) {
    return b_.add({.kind = Kind::parameter, .dtype = dtype, .shape = shape, .numbers = {number}});
  }
  std::int32_t carried(Carry carry) {
    const Graph::Entry& model = stage_.model(carry.offset);
    return parameter(1 + carries_.number(carry), model.dtype, model.shape);
  }

  std::int32_t input(std::int32_t offset, const Slot& slot) {
    switch (slot.from) {
      case Slot::From::captured: return outside(slot.number);
      case Slot::From::constant: return number(next_number_++);
      default: break;
    }
    const Carry source = stage_.source(offset, slot);
    return source.back == 0 ? item(values_, source.offset) : carried(source);
  }

  std::int32_t number(std::size_t which) {
    const Graph::Entry& entry = graph_[numbers_[which]];
    std::int32_t value = -1;
    if (const auto& progression = progressions_[which]) {
      value = progression->value(b_, parameter(0, DType::int32, {}));
    } else {
      value = b_.add(graph_[constant_of(graph_, numbers_[which])]);
    }
    return entry.kind == Kind::view ? b_.view(value, entry.view, entry.shape) : value;
  }

  std::int32_t outside(std::int32_t entry) {
    const Graph::Entry& known = graph_[entry];
    if (known.kind == Kind::scalar) return b_.add(known);
    const bool shows_scalar =
        known.kind == Kind::view && graph_[known.inputs[0]].kind == Kind::scalar;
    if (shows_scalar) return b_.view(b_.add(graph_[known.inputs[0]]), known.view, known.shape);
    auto at = std::find(captured_.begin(), captured_.end(), entry);
    if (at == captured_.end()) at = captured_.insert(at, entry);
    const auto place = static_cast<std::int64_t>(at - captured_.begin());
    return parameter(1 + static_cast<std::int64_t>(carries_.all().size()) + place, known.dtype,
                     known.shape);
  }

  const Graph& graph_;
  const Stage& stage_;
  const Carries& carries_;
  const Ids& numbers_;
  const std::vector<std::optional<Progression>>& progressions_;
  GraphBuilder b_;
  Ids values_;  ///< of each entry of the stage
  Ids captured_;
  std::size_t next_number_ = 0;
};

class Roller {
 public:
  Roller(Graph graph, const Collected& collected, const Target& target)
      : graph_(std::move(graph)),
        target_(target),
        sequence_(graph_),
        kept_(graph_.entries.size(), false),
        removed_(graph_.entries.size(), false) {
    for (std::size_t k = 0; k < collected.entries.size(); ++k) {
      const std::int32_t entry = graph_.became[k];
      if (entry >= 0 && collected.entries[k].outside) item(kept_, entry) = true;
    }
  }

  Graph run() {
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
      const Graph::Entry& entry = sequence_.at(k);
      if (entry.kind == Kind::cast) ++sum;
      if (entry.kind == Kind::map) sum += instructions_of(*entry.op);
    }
    return sum;
  }

  // ---- Stretches of equal stages

  /// Looks for stages of that period in the middle, then in what is left on both sides.
  void search(const Period& period) {
    std::vector<std::pair<std::int32_t, std::int32_t>> open{{period.begin, period.end}};
    while (!open.empty()) {
      const auto [begin, end] = open.back();
      open.pop_back();
      if (end - begin < period.size) continue;
      const std::int32_t middle = begin + (end - begin) / 2;
      visits_ += 2 * period.size;
      std::optional<Stage> stage = Stage::before(sequence_, middle, period.size);
      std::int32_t from = middle - period.size, to = middle;
      if (stage && !is_taken(from, to)) {
        while (from > 0 && fits(*stage, from - 1)) --from;
        while (to < sequence_.size() && fits(*stage, to)) ++to;
        visits_ += to - from;
        roll(*stage, from, to);
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
  bool fits(const Stage& stage, std::int32_t place) const {
    return !item(removed_, sequence_.entry(place)) && stage.has(place);
  }

  /// Rolls what can be rolled of the places, at each of which stands an entry of an equal stage.
  void roll(Stage& stage, std::int32_t from, std::int32_t to) {
    if ((to - from) / stage.size() < fewest_stages) return;
    const std::int32_t end = stage.turn(to);
    const Carries carries(stage);
    if (!carries.are_few() || !carries_stay_exact(stage, carries)) return;
    const std::int32_t whole = (end - from) / stage.size() * stage.size();
    const std::int32_t first = begin_of(stage, carries, end - whole);
    visits_ += std::max(end - first, 0);
    split(stage, carries, first, end);
  }

  /// Values that are rounded where they are stored are carried only where they are rounded already.
  bool carries_stay_exact(const Stage& stage, const Carries& carries) const {
    const bool es300 = target_.dialect == Dialect::es300;
    return std::all_of(carries.all().begin(), carries.all().end(), [&](const Carry& carry) {
      const Graph::Entry& model = stage.model(carry.offset);
      if (model.dtype == DType::float16) return es300 && model.kind == Kind::cast;
      return model.dtype != DType::uint8 || es300;
    });
  }

  /// The stages before `first` differ in what they are handed by none before them: as many of them
  /// as equal the others but for that belong to the stretch.
  std::int32_t begin_of(const Stage& stage, const Carries& carries, std::int32_t first) {
    for (std::int32_t more = carries.furthest(); more >= -carries.furthest(); --more) {
      const std::int32_t begin = first - more * stage.size();
      if (begin < 0) continue;
      bool equal = captures_before(stage, begin);
      for (std::int32_t k = begin; equal && k < begin + carries.furthest() * stage.size(); ++k) {
        ++visits_;
        equal = k < sequence_.size() && !item(removed_, sequence_.entry(k)) && stage.has(k, begin);
      }
      if (equal && starts(stage, carries, begin)) return begin;
    }
    return sequence_.size();
  }
  bool captures_before(const Stage& stage, std::int32_t begin) const {
    for (std::int32_t k = 0; k < stage.size(); ++k) {
      for (const Slot& slot : stage.slots(k)) {
        if (slot.from == Slot::From::captured && sequence_.place(slot.number) >= begin)
          return false;
      }
    }
    return true;
  }

  /// The entries that the carries are before the stage that begins there; none where it reads
  /// different ones as the same carry.
  std::optional<Ids> starts(const Stage& stage, const Carries& carries, std::int32_t begin) const {
    Ids found(carries.all().size(), -1);
    for (std::int32_t t = 0; t < carries.furthest(); ++t) {
      for (std::int32_t k = 0; k < stage.size(); ++k) {
        const Graph::Entry& entry = sequence_.at(begin + t * stage.size() + k);
        for (std::size_t i = 0; i < entry.inputs.size(); ++i) {
          const Slot& slot = stage.slots(k)[i];
          if (slot.from != Slot::From::earlier) continue;
          const Carry source = stage.source(k, slot);
          if (source.back <= t) continue;
          std::int32_t& start = item(found, carries.number({source.offset, source.back - t}));
          if (start >= 0 && start != entry.inputs[i]) return std::nullopt;
          start = entry.inputs[i];
        }
      }
    }
    return found;
  }

  /// Splits the stages where something else needs a value of them, and where constants change in
  /// another way than before.
  void split(const Stage& stage, const Carries& carries, std::int32_t first, std::int32_t end) {
    const std::int32_t count = (end - first) / stage.size();
    std::vector<Ids> needed(static_cast<std::size_t>(std::max(count, 0)));
    for (std::int32_t k = first; k < end; ++k) {
      if (is_needed_past(sequence_.entry(k), end)) {
        item(needed, (k - first) / stage.size()).push_back(stage.offset(k));
      }
    }
    for (std::int32_t t = 0; t + fewest_stages <= count;) {
      Numbers numbers(*this, stage, first + t * stage.size());
      std::int32_t stop = t;
      while (stop < count && item(needed, stop).empty() && numbers.has(stop - t)) ++stop;
      // Values of the last stages may be results.
      for (std::int32_t last = stop; last < std::min(stop + most_back, count);) {
        if (!numbers.has(last - t)) break;
        ++last;
        if (are_carried(carries, needed, stop, last)) stop = last;
      }
      visits_ += (stop - t) * stage.size();
      const bool is_rolled = stop - t >= fewest_stages &&
                             add(stage, carries, first + t * stage.size(), stop - t, numbers);
      t = is_rolled ? stop : t + std::max(1, stop - t - fewest_stages);
    }
  }

  /// Whether something reads it that does not stand in the stages up to `end`.
  bool is_needed_past(std::int32_t entry, std::int32_t end) const {
    const Ids& readers = item(graph_.readers, entry);
    return item(kept_, entry) || std::any_of(readers.begin(), readers.end(), [&](std::int32_t one) {
             return sequence_.place(one) >= end;
           });
  }
  /// Whether all needed values of the stages from `from` on are carries after stage `end` - 1.
  static bool are_carried(const Carries& carries, const std::vector<Ids>& needed, std::int32_t from,
                          std::int32_t end) {
    for (std::int32_t t = from; t < end; ++t) {
      for (const std::int32_t offset : item(needed, t)) {
        if (carries.number({offset, end - t}) < 0) return false;
      }
    }
    return true;
  }

  /// The constants of stages from one on.
  class Numbers {
   public:
    Numbers(const Roller& roller, const Stage& stage, std::int32_t first)
        : roller_(roller), stage_(stage), first_(first) {
      for (std::int32_t k = 0; k < stage.size(); ++k) {
        for (std::size_t i = 0; i < stage.slots(k).size(); ++i) {
          if (stage.slots(k)[i].from == Slot::From::constant) at_.emplace_back(k, i);
        }
      }
      progressions_.resize(at_.size());
      for (std::size_t n = 0; n < at_.size(); ++n) start_.push_back(entry(0, n));
    }

    /// Whether those of stage t are the same, or go on as those before.
    bool has(std::int32_t t) {
      const Graph& graph = roller_.graph_;
      for (std::size_t n = 0; n < at_.size(); ++n) {
        const std::int32_t now = entry(t, n);
        if (t == 0 || (now == start_[n] && !progressions_[n])) continue;
        const Graph::Entry& constant = graph[constant_of(graph, now)];
        const double number = constant.value;
        if (t == 1 && !progressions_[n]) {
          const double first = graph[constant_of(graph, start_[n])].value;
          progressions_[n] = Progression::of(constant.dtype, first, number);
        }
        if (!progressions_[n] || !progressions_[n]->has(t, number)) return false;
      }
      return true;
    }
    const Ids& start() const { return start_; }
    const std::vector<std::optional<Progression>>& progressions() const { return progressions_; }

   private:
    std::int32_t entry(std::int32_t t, std::size_t n) const {
      const auto& [offset, input] = at_[n];
      const std::int32_t place = first_ + t * stage_.size() + offset;
      return roller_.sequence_.at(place).inputs[input];
    }

    const Roller& roller_;
    const Stage& stage_;
    std::int32_t first_;
    std::vector<std::pair<std::int32_t, std::size_t>> at_;  ///< offsets and inputs
    Ids start_;
    std::vector<std::optional<Progression>> progressions_;
  };

  // ---- Loops

  /// Adds the loop of these stages, if it gains anything.
  bool add(const Stage& stage, const Carries& carries, std::int32_t first, std::int32_t stages,
           const Numbers& numbers) {
    const std::int32_t end = first + stages * stage.size();
    const std::int64_t own = instructions(first, first + stage.size());
    if (own > target_.instructions || own * stages <= target_.instructions) return false;
    const std::optional<Ids> before = starts(stage, carries, first);
    if (!before) return false;
    Body body(graph_, stage, carries, numbers.start(), numbers.progressions());
    Loop loop{.at = sequence_.entry(end - stage.size()), .entry = {.kind = Kind::loop}};
    loop.entry.body = body.run();
    loop.entry.inputs = *before;
    loop.entry.inputs.insert(loop.entry.inputs.end(), body.captured().begin(),
                             body.captured().end());
    if (std::ssize(loop.entry.inputs) > target_.samplers) return false;
    const auto count = static_cast<std::int64_t>(carries.all().size());
    loop.entry.numbers = {0, 0, stages, -1, -1, count, 0, std::ssize(body.captured()), 0, 0, 1};
    for (std::int64_t j = 0; j < count; ++j) {
      const Carry& carry = item(carries.all(), j);
      const std::int32_t entry = sequence_.entry(end - carry.back * stage.size() + carry.offset);
      if (is_needed_past(entry, end)) loop.results.emplace_back(entry, j);
    }
    for (std::int32_t k = first; k < end; ++k) item(removed_, sequence_.entry(k)) = true;
    loops_.push_back(std::move(loop));
    return true;
  }

  Graph rebuilt() {
    std::sort(loops_.begin(), loops_.end(),
              [](const Loop& a, const Loop& b) { return a.at < b.at; });
    std::vector<const Loop*> loop_of(graph_.entries.size(), nullptr);
    for (const Loop& loop : loops_) {
      for (const auto& [entry, carry] : loop.results) item(loop_of, entry) = &loop;
    }
    const std::vector<bool> needed = needed_with(loop_of);
    Graph graph;
    Ids moved(graph_.entries.size(), -1);
    const auto append = [&](Graph::Entry entry) {
      for (std::int32_t& input : entry.inputs) {
        input = item(moved, input);
        item(graph.readers, input).push_back(graph.size());
      }
      graph.entries.push_back(std::move(entry));
      graph.readers.emplace_back();
      return graph.size() - 1;
    };
    auto next = loops_.begin();
    for (std::int32_t k = 0; k < graph_.size(); ++k) {
      for (; next != loops_.end() && next->at == k; ++next) {
        for (const auto& [entry, carry] : next->results) {
          if (!item(needed, entry)) continue;
          Graph::Entry result = next->entry;
          result.dtype = graph_[entry].dtype;
          result.shape = graph_[entry].shape;
          result.numbers[0] = carry;
          item(moved, entry) = append(std::move(result));
        }
      }
      if (item(needed, k) && !item(removed_, k)) {
        item(moved, k) = append(std::move(item(graph_.entries, k)));
      }
    }
    for (std::int32_t k : graph_.results) graph.results.push_back(item(moved, k));
    graph.became = std::move(graph_.became);
    for (std::int32_t& k : graph.became) k = k < 0 ? -1 : item(moved, k);
    return graph;
  }

  std::vector<bool> needed_with(const std::vector<const Loop*>& loop_of) const {
    std::vector<bool> needed(graph_.entries.size(), false);
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

  Graph graph_;
  const Target& target_;
  const Sequence sequence_;
  std::vector<bool> kept_;     ///< of each entry: something refers to it from beyond the graph
  std::vector<bool> removed_;  ///< of each entry: it is rolled
  std::vector<Loop> loops_;
  std::int64_t visits_ = 0;
};

}  // namespace

Graph rolled(Graph graph, const Collected& collected, const Target& target, std::int64_t* visits) {
  Roller roller(std::move(graph), collected, target);
  Graph result = roller.run();
  if (visits != nullptr) *visits += roller.visits();
  return result;
}

}  // namespace trigon::plan

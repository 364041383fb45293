// SPDX-License-Identifier: MIT
#include "rewrite/stages.hpp"

#include <algorithm>

#include "core/hash.hpp"
#include "core/item.hpp"

namespace trigon::plan {
namespace {

/// Whether both are constants, or the same view of constants, of one dtype.
bool same_constants(const Graph& graph, std::int32_t a, std::int32_t b) {
  if (constant_of(graph, a) < 0 || constant_of(graph, b) < 0) return false;
  const Graph::Entry& x = graph[a];
  const Graph::Entry& y = graph[b];
  return x.kind == y.kind && x.dtype == y.dtype && x.shape == y.shape && x.view == y.view;
}

}  // namespace

Sequence::Sequence(const Graph& graph) : graph_(graph) {
  places_.reserve(graph.entries.size());
  for (std::int32_t k = 0; k < graph.size(); ++k) {
    const Graph::Entry& entry = graph[k];
    const bool given = entry.kind == Kind::leaf || is_number(entry.kind) ||
                       (is_view(entry.kind) && place(entry.inputs[0]) < 0);
    places_.push_back(given ? -1 : size());
    if (!given) entries_.push_back(k);
  }
}

std::vector<std::uint64_t> Sequence::fingerprints() const {
  // What is read from further back may be captured, at another distance in each stage.
  constexpr std::int32_t near = 32;
  std::vector<std::uint64_t> prints;
  prints.reserve(entries_.size());
  for (std::int32_t k = 0; k < size(); ++k) {
    const Graph::Entry& e = at(k);
    std::uint64_t print = mix(mix(mix(0, e.kind), e.dtype), reinterpret_cast<std::uintptr_t>(e.op));
    for (const std::int64_t dim : e.shape) print = mix(print, dim);
    for (const std::int64_t number : e.numbers) print = mix(print, number);
    for (const std::int32_t input : e.inputs) {
      if (place(input) >= 0) {
        print = mix(print, std::min(k - place(input), near));
      } else {
        print = mix(print, constant_of(graph_, input) >= 0 ? -1 : near + 1 + input);
      }
    }
    if (!is_elementwise(e)) print = mix(print, k);
    prints.push_back(print);
  }
  return prints;
}

bool is_elementwise(const Graph::Entry& entry) {
  return (entry.kind == Kind::map || entry.kind == Kind::cast) && entry.shape.numel() > 0;
}

std::int32_t constant_of(const Graph& graph, std::int32_t entry) {
  if (graph[entry].kind == Kind::view) entry = graph[entry].inputs[0];
  return graph[entry].kind == Kind::constant ? entry : -1;
}

std::optional<Stage> Stage::before(const Sequence& sequence, std::int32_t end, std::int32_t size) {
  if (end < 2 * size) return std::nullopt;
  Stage stage(sequence, end);
  const Graph& graph = sequence.graph();
  for (std::int32_t k = end - size; k < end; ++k) {
    const Graph::Entry& entry = sequence.at(k);
    const Graph::Entry& other = sequence.at(k - size);
    const bool fits = is_elementwise(entry) && entry.shape == sequence.at(end - 1).shape;
    if (!fits || !stage.same_op(entry, other)) return std::nullopt;
    std::vector<Slot> slots;
    for (std::size_t i = 0; i < entry.inputs.size(); ++i) {
      const std::int32_t a = entry.inputs[i];
      const std::int32_t b = other.inputs[i];
      const std::int32_t distance = k - sequence.place(a);
      if (same_constants(graph, a, b)) {
        slots.push_back({Slot::From::constant, a});
      } else if (a == b) {
        slots.push_back({Slot::From::captured, a});
      } else if (sequence.place(b) >= 0 && k - size - sequence.place(b) == distance) {
        slots.push_back({Slot::From::earlier, distance});
      } else {
        return std::nullopt;
      }
    }
    stage.models_.push_back(k);
    stage.slots_.push_back(std::move(slots));
  }
  return stage;
}

std::int32_t Stage::offset(std::int32_t place) const {
  const std::int32_t offset = (place - end_) % size();
  return offset < 0 ? offset + size() : offset;
}

Carry Stage::source(std::int32_t offset, const Slot& slot) const {
  const std::int32_t from = offset - slot.number;
  const std::int32_t back = from >= 0 ? 0 : (size() - 1 - from) / size();
  return {from + back * size(), back};
}

bool Stage::same_op(const Graph::Entry& entry, const Graph::Entry& model) const {
  return entry.kind == model.kind && entry.dtype == model.dtype && entry.op == model.op &&
         entry.shape == model.shape && entry.numbers == model.numbers &&
         entry.inputs.size() == model.inputs.size();
}

bool Stage::is_like(std::int32_t place, std::int32_t offset) const {
  const Graph::Entry& entry = sequence_->at(place);
  if (!same_op(entry, model(offset))) return false;
  for (std::size_t i = 0; i < entry.inputs.size(); ++i) {
    const Slot& slot = slots(offset)[i];
    const bool constant = slot.from == Slot::From::constant;
    if (constant && !same_constants(sequence_->graph(), entry.inputs[i], slot.number)) return false;
  }
  return true;
}

bool Stage::has(std::int32_t place, std::int32_t first) const {
  const Graph::Entry& entry = sequence_->at(place);
  const std::int32_t at = offset(place);
  if (!same_op(entry, model(at))) return false;
  for (std::size_t i = 0; i < entry.inputs.size(); ++i) {
    const Slot& slot = slots(at)[i];
    const std::int32_t input = entry.inputs[i];
    const std::int32_t from = sequence_->place(input);
    if (slot.from == Slot::From::captured) {
      if (input != slot.number) return false;
    } else if (slot.from == Slot::From::constant) {
      if (!same_constants(sequence_->graph(), input, slot.number)) return false;
    } else if (place - slot.number >= first) {
      if (from < 0 || place - from != slot.number) return false;
    } else {
      const Graph::Entry& carried = model(source(at, slot).offset);
      const Graph::Entry& start = sequence_->graph()[input];
      if (from >= first || start.dtype != carried.dtype || start.shape != carried.shape) {
        return false;
      }
    }
  }
  return true;
}

std::int32_t Stage::turn(std::int32_t last) {
  // How far the last reader of each entry stands behind it.
  std::vector<std::int32_t> reach(slots_.size(), 0);
  for (std::int32_t k = 0; k < size(); ++k) {
    for (const Slot& slot : slots(k)) {
      if (slot.from != Slot::From::earlier) continue;
      std::int32_t& far = item(reach, source(k, slot).offset);
      far = std::max(far, slot.number);
    }
  }
  // A value is handed on at each place up to its last reader. Whole rounds count for all places.
  std::vector<std::int32_t> change(2 * slots_.size() + 1, 0);
  for (std::int32_t k = 0; k < size(); ++k) {
    ++item(change, k + 1);
    --item(change, k + 1 + item(reach, k) % size());
  }
  std::vector<std::int32_t> crossing(slots_.size(), 0);
  std::int32_t sum = 0;
  for (std::size_t k = 0; k < change.size(); ++k) {
    sum += change[k];
    crossing[k % slots_.size()] += sum;
  }
  std::int32_t best = last;
  for (std::int32_t end = last; end > last - size(); --end) {
    if (item(crossing, offset(end)) < item(crossing, offset(best))) best = end;
  }
  const std::ptrdiff_t by = offset(best);
  std::rotate(models_.begin(), models_.begin() + by, models_.end());
  std::rotate(slots_.begin(), slots_.begin() + by, slots_.end());
  end_ = best;
  return best;
}

}  // namespace trigon::plan

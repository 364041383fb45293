// SPDX-License-Identifier: MIT
#include "reroll/iterations.hpp"

#include <algorithm>

#include "core/hash.hpp"
#include "core/item.hpp"

namespace trigon::detail::reroll {
namespace {

bool same_but_for_starts(const ir::View& a, const ir::View& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const ir::ViewAxis& x, const ir::ViewAxis& y) {
                      return x.factors == y.factors && x.terms == y.terms;
                    });
}

/// Whether both are the same views of some entry.
bool same_views(const ir::Graph& graph, std::int32_t a, std::int32_t b) {
  while (a != b && is_view(graph[a].kind)) {
    const ir::Graph::Entry& x = graph[a];
    const ir::Graph::Entry& y = graph[b];
    if (x.kind != y.kind || !(x.shape == y.shape) || x.view != y.view) return false;
    a = x.inputs[0];
    b = y.inputs[0];
  }
  return a == b || !is_view(graph[b].kind);
}

/// Whether one iteration may read `a` where another reads `b`: constants or Scalars, or views of
/// one entry that differ in their starts.
bool same_form(const ir::Graph& graph, std::int32_t a, std::int32_t b) {
  while (a != b) {
    const ir::Graph::Entry& x = graph[a];
    const ir::Graph::Entry& y = graph[b];
    if (x.dtype != y.dtype || !(x.shape == y.shape)) return false;
    if (info(x.kind).is_one_number && info(y.kind).is_one_number) return true;
    if (x.kind != y.kind || !is_view(x.kind) || !same_but_for_starts(x.view, y.view)) return false;
    a = x.inputs[0];
    b = y.inputs[0];
  }
  return true;
}

}  // namespace

Sequence::Sequence(const ir::Graph& graph) : graph_(graph) {
  places_.reserve(graph.entries.size());
  for (std::int32_t k = 0; k < graph.size(); ++k) {
    const ir::Graph::Entry& entry = graph[k];
    const bool given = entry.kind == ir::Kind::leaf || is_number(entry.kind) || is_view(entry.kind);
    places_.push_back(given ? -1 : size());
    if (!given) entries_.push_back(k);
  }
}

std::int32_t Sequence::place_below(std::int32_t entry) const {
  while (is_view(graph_[entry].kind)) entry = graph_[entry].inputs[0];
  return place(entry);
}

std::vector<std::uint64_t> Sequence::fingerprints() const {
  // Entries that are read from further back may be captured, at another distance in each iteration.
  constexpr std::int32_t near = 32;
  std::vector<std::uint64_t> prints;
  prints.reserve(entries_.size());
  for (std::int32_t k = 0; k < size(); ++k) {
    const ir::Graph::Entry& e = at(k);
    std::uint64_t print =
        core::mix(core::mix(core::mix(0, e.kind), e.dtype), reinterpret_cast<std::uintptr_t>(e.op));
    for (const std::int64_t dim : e.shape) print = core::mix(print, dim);
    core::for_each_word(e.attrs, [&](std::uint64_t word) { print = core::mix(print, word); });
    for (const std::int32_t input : e.inputs) {
      if (place(input) >= 0) {
        print = core::mix(print, std::min(k - place(input), near));
      } else {
        std::int32_t base = input;
        while (is_view(graph_[base].kind)) base = graph_[base].inputs[0];
        const bool is_computed = place(base) >= 0;
        if (is_computed) print = core::mix(print, std::min(k - place(base), near));
        print = core::mix(
            print, is_computed || info(graph_[base].kind).is_one_number ? -1 : near + 1 + base);
      }
    }
    if (!may_be_rolled(e)) print = core::mix(print, k);
    prints.push_back(print);
  }
  return prints;
}

bool may_be_rolled(const ir::Graph::Entry& entry) {
  return info(entry.kind).keeps_index && entry.shape.numel() > 0;
}

std::int32_t below_views_like(const ir::Graph& graph, std::int32_t input, std::int32_t like) {
  for (; like >= 0 && is_view(graph[like].kind); like = graph[like].inputs[0]) {
    const ir::Graph::Entry& x = graph[input];
    const ir::Graph::Entry& y = graph[like];
    if (x.kind != y.kind || !(x.shape == y.shape) || x.view != y.view) return -1;
    input = x.inputs[0];
  }
  return input;
}

std::int32_t number_below(const ir::Graph& graph, std::int32_t entry) {
  while (is_view(graph[entry].kind)) entry = graph[entry].inputs[0];
  return info(graph[entry].kind).is_one_number ? entry : -1;
}

std::optional<Iteration> Iteration::before(const Sequence& sequence, std::int32_t end,
                                           std::int32_t size) {
  if (end < 2 * size) return std::nullopt;
  Iteration iteration(sequence, end, size);
  for (std::int32_t k = end - size; k < end; ++k) {
    const ir::Graph::Entry& entry = sequence.at(k);
    const ir::Graph::Entry& other = sequence.at(k - size);
    if (!may_be_rolled(entry) || !iteration.same_op(entry, other)) return std::nullopt;
    std::vector<Source> sources;
    for (std::size_t i = 0; i < entry.inputs.size(); ++i) {
      const std::optional<Source> source = iteration.source_of(k, entry.inputs[i], other.inputs[i]);
      if (!source) return std::nullopt;
      sources.push_back(*source);
    }
    iteration.models_.push_back(k);
    iteration.sources_.push_back(std::move(sources));
  }
  iteration.find_free();
  return iteration;
}

std::optional<Source> Iteration::source_of(std::int32_t place, std::int32_t input,
                                           std::int32_t other) const {
  if (input == other) {
    const std::int32_t number = number_below(graph(), input);
    return Source{number >= 0 ? Source::From::varying : Source::From::captured, input};
  }
  const std::int32_t distance = place - sequence_->place_below(input);
  const std::int32_t before = sequence_->place_below(other);
  if (before >= 0 && place - size_ - before == distance) {
    if (!same_views(graph(), input, other)) return std::nullopt;
    return Source{Source::From::earlier, distance, is_view(graph()[input].kind) ? input : -1};
  }
  if (same_form(graph(), input, other)) return Source{Source::From::varying, input};
  return std::nullopt;
}

/// Entries that read nothing of an iteration are free; so are those that read only free ones.
void Iteration::find_free() {
  std::vector<std::int32_t> open(sources_.size(), 0);
  std::vector<std::vector<std::int32_t>> readers(sources_.size());
  std::vector<std::int32_t> found;
  for (std::int32_t k = 0; k < size(); ++k) {
    for (const Source& source : sources(k)) {
      if (source.from != Source::From::earlier) continue;
      ++item(open, k);
      item(readers, carry(k, source).offset).push_back(k);
    }
    if (item(open, k) == 0) found.push_back(k);
  }
  free_.assign(sources_.size(), false);
  while (!found.empty()) {
    const std::int32_t k = found.back();
    found.pop_back();
    item(free_, k) = true;
    for (const std::int32_t reader : item(readers, k)) {
      if (--item(open, reader) == 0) found.push_back(reader);
    }
  }
}

bool Iteration::is_plain() const {
  const Shape* shape = nullptr;
  for (std::int32_t k = 0; k < size(); ++k) {
    if (!is_free(k)) {
      if (shape != nullptr && !(*shape == model(k).shape)) return false;
      shape = &model(k).shape;
    }
    for (const Source& source : sources(k)) {
      if (source.view >= 0 && !is_free(carry(k, source).offset)) return false;
    }
  }
  return shape != nullptr;
}

std::int32_t Iteration::offset(std::int32_t place) const {
  const std::int32_t offset = (place - end_) % size();
  return offset < 0 ? offset + size() : offset;
}

Carry Iteration::carry(std::int32_t offset, const Source& source) const {
  const std::int32_t from = offset - source.number;
  const std::int32_t back = from >= 0 ? 0 : (size() - 1 - from) / size();
  return {from + back * size(), back};
}

bool Iteration::same_op(const ir::Graph::Entry& entry, const ir::Graph::Entry& model) const {
  return entry.kind == model.kind && entry.dtype == model.dtype && entry.op == model.op &&
         entry.shape == model.shape && entry.attrs == model.attrs &&
         entry.inputs.size() == model.inputs.size();
}

bool Iteration::is_like(std::int32_t place, std::int32_t offset) const {
  const ir::Graph::Entry& entry = sequence_->at(place);
  if (!same_op(entry, model(offset))) return false;
  for (std::size_t i = 0; i < entry.inputs.size(); ++i) {
    const Source& source = sources(offset)[i];
    const bool varying = source.from == Source::From::varying;
    if (varying && !same_form(graph(), entry.inputs[i], source.number)) return false;
  }
  return true;
}

bool Iteration::has(std::int32_t place, std::int32_t first) const {
  const ir::Graph::Entry& entry = sequence_->at(place);
  const std::int32_t at = offset(place);
  if (!same_op(entry, model(at))) return false;
  for (std::size_t i = 0; i < entry.inputs.size(); ++i) {
    const Source& source = sources(at)[i];
    const std::int32_t input = entry.inputs[i];
    if (source.from == Source::From::captured) {
      if (input != source.number) return false;
    } else if (source.from == Source::From::varying) {
      if (!same_form(graph(), input, source.number)) return false;
    } else {
      const std::int32_t base = below_views_like(graph(), input, source.view);
      if (base < 0) return false;
      if (place - source.number >= first) {
        if (sequence_->place(base) != place - source.number) return false;
        continue;
      }
      const ir::Graph::Entry& carried = model(carry(at, source).offset);
      const ir::Graph::Entry& start = graph()[base];
      const bool fits = start.dtype == carried.dtype && start.shape == carried.shape;
      if (sequence_->place_below(base) >= first || !fits) return false;
    }
  }
  return true;
}

std::int32_t Iteration::turn(std::int32_t last) {
  // Distance from each entry to its last reader.
  std::vector<std::int32_t> reach(sources_.size(), 0);
  for (std::int32_t k = 0; k < size(); ++k) {
    for (const Source& source : sources(k)) {
      if (source.from != Source::From::earlier) continue;
      std::int32_t& far = item(reach, carry(k, source).offset);
      far = std::max(far, source.number);
    }
  }
  // A value is passed on at each place up to its last reader. Whole rounds add the same everywhere.
  std::vector<std::int32_t> change(2 * sources_.size() + 1, 0);
  for (std::int32_t k = 0; k < size(); ++k) {
    ++item(change, k + 1);
    --item(change, k + 1 + item(reach, k) % size());
  }
  std::vector<std::int32_t> crossing(sources_.size(), 0);
  std::int32_t sum = 0;
  for (std::size_t k = 0; k < change.size(); ++k) {
    sum += change[k];
    crossing[k % sources_.size()] += sum;
  }
  std::int32_t best = last;
  for (std::int32_t end = last; end > last - size(); --end) {
    if (item(crossing, offset(end)) < item(crossing, offset(best))) best = end;
  }
  const std::ptrdiff_t by = offset(best);
  std::rotate(models_.begin(), models_.begin() + by, models_.end());
  std::rotate(sources_.begin(), sources_.begin() + by, sources_.end());
  std::rotate(free_.begin(), free_.begin() + by, free_.end());
  end_ = best;
  return best;
}

}  // namespace trigon::detail::reroll

// SPDX-License-Identifier: MIT
#include "reroll/series.hpp"

#include <map>
#include <set>

#include "core/item.hpp"
#include "core/math.hpp"

namespace trigon::detail::reroll {
namespace {

/// Whether a view of a shape from `start` on stays inside an axis of its input.
bool stays_inside(const ir::ViewAxis& axis, std::int64_t start, const Shape& shape,
                  std::int64_t size) {
  std::int64_t low = start, high = start;
  for (int k = 0; k < shape.rank(); ++k) {
    const std::int64_t reach = item(axis.factors, k) * (shape[k] - 1);
    (reach < 0 ? low : high) += reach;
  }
  return low >= 0 && high < size;
}

}  // namespace

std::optional<Series::How> Series::with(std::int32_t t, std::int32_t entry) const {
  const ir::Graph& graph = *graph_;
  if (how_ == How::same && entry == first_) return How::same;
  const std::int32_t number = number_below(graph, entry);
  const std::int32_t before = number_below(graph, first_);
  if (number < 0 || before < 0) {
    const bool begins = how_ == How::same && t == 1;
    const bool goes_on = how_ == How::moved && moves_to(t, entry);
    return begins || goes_on ? std::optional(How::moved) : std::nullopt;
  }
  const ir::Graph::Entry& now = graph[number];
  const ir::Graph::Entry& then = graph[before];
  if (now.kind == ir::Kind::constant && then.kind == ir::Kind::constant) {
    const bool goes_on = how_ == How::counted && progression_->has(t, now.value);
    const bool begins = how_ == How::same && t == 1 &&
                        Progression::of(now.dtype, then.value, now.value).has_value();
    if (goes_on || begins) return How::counted;
  }
  return How::listed;
}

DType Series::table_dtype() const { return (*graph_)[first_].dtype; }

std::pair<std::int64_t, double> Series::in_table(std::int32_t entry) const {
  const ir::Graph::Entry& number = (*graph_)[number_below(*graph_, entry)];
  const bool is_scalar = number.kind == ir::Kind::scalar;
  return {is_scalar ? number.as<core::ScalarNumber>().number : -1, is_scalar ? 0.0 : number.value};
}

void Series::take(std::int32_t t, std::int32_t entry, How how) {
  if (how != how_ && how == How::counted) {
    const ir::Graph::Entry& now = (*graph_)[number_below(*graph_, entry)];
    progression_ =
        Progression::of(now.dtype, (*graph_)[number_below(*graph_, first_)].value, now.value);
  }
  if (how != how_ && how == How::moved) {
    for (std::int32_t a = entry, b = first_; a != b;) {
      const ir::Graph::Entry& now = (*graph_)[a];
      const ir::Graph::Entry& then = (*graph_)[b];
      for (std::size_t k = 0; k < now.view.size(); ++k) {
        steps_.push_back((now.view[k].start - then.view[k].start) / t);
      }
      a = now.inputs[0];
      b = then.inputs[0];
    }
  }
  how_ = how;
}

bool Series::moves_to(std::int32_t t, std::int32_t entry) const {
  std::size_t number = 0;
  std::int32_t a = entry, b = first_;
  while (a != b) {
    const ir::Graph::Entry& now = (*graph_)[a];
    const ir::Graph::Entry& then = (*graph_)[b];
    for (std::size_t k = 0; k < now.view.size(); ++k, ++number) {
      if (number >= steps_.size() || now.view[k].terms != then.view[k].terms) return false;
      if (now.view[k].start != then.view[k].start + t * steps_[number]) return false;
    }
    a = now.inputs[0];
    b = then.inputs[0];
  }
  return number == steps_.size();
}

bool Series::is_inside(std::int32_t t) const {
  if (how_ != How::moved) return true;
  std::int32_t at = first_;
  for (std::size_t number = 0; number < steps_.size(); at = (*graph_)[at].inputs[0]) {
    const ir::Graph::Entry& entry = (*graph_)[at];
    const Shape& from = (*graph_)[entry.inputs[0]].shape;
    for (std::size_t k = 0; k < entry.view.size(); ++k, ++number) {
      const ir::ViewAxis& axis = entry.view[k];
      const std::int64_t start = axis.start + t * steps_[number];
      if (steps_[number] == 0) continue;
      if (!axis.terms.empty()) return false;
      if (!stays_inside(axis, start, entry.shape, from[static_cast<int>(k)])) return false;
    }
  }
  return true;
}

Varying::Varying(const Iteration& iteration, std::int32_t first, std::int64_t room,
                 std::int64_t most_listed)
    : iteration_(iteration), first_(first), room_(room), most_listed_(most_listed) {
  for (std::int32_t k = 0; k < iteration.size(); ++k) {
    for (std::size_t i = 0; i < iteration.sources(k).size(); ++i) {
      if (iteration.sources(k)[i].from == Source::From::varying) at_.emplace_back(k, i);
    }
  }
  const ir::Graph& graph = iteration.graph();
  std::map<std::int32_t, std::size_t> known;  // the source of each entry
  std::set<std::int32_t> numbers;
  for (std::size_t n = 0; n < at_.size(); ++n) {
    const std::int32_t read = entry(0, n);
    series_.emplace_back(graph, read);
    leaders_.push_back(known.emplace(read, n).first->second);
    if (const std::int32_t number = number_below(graph, read); number >= 0) numbers.insert(number);
  }
  numbers_ = std::ssize(numbers);
}

std::int32_t Varying::entry(std::int32_t t, std::size_t source) const {
  const auto& [offset, input] = item(at_, source);
  return iteration_.sequence().at(first_ + t * iteration_.size() + offset).inputs[input];
}

std::int64_t Varying::vectors(std::int64_t iterations) const {
  std::int64_t tables = 0;
  for (std::size_t n = 0; n < series_.size(); ++n) {
    if (series_[n].has_table() && leaders_[n] == n) ++tables;
  }
  return core::ceil_div(numbers_, std::int64_t{4}) +
         tables * core::ceil_div(iterations, std::int64_t{4});
}

bool Varying::take(std::int32_t t) {
  how_.clear();
  std::int64_t tables = 0;
  for (std::size_t n = 0; n < at_.size(); ++n) {
    const std::int32_t read = entry(t, n);
    const auto next = series_[n].with(t, read);
    if (!next) return false;
    how_.push_back(*next);
    const bool leads = leaders_[n] == n || read != entry(t, leaders_[n]);
    tables += *next == Series::How::listed && leads ? 1 : 0;
  }
  const std::int64_t iterations = t + 1;
  const std::int64_t lists = tables * core::ceil_div(iterations, std::int64_t{4});
  const bool fits =
      iterations <= most_listed_ && core::ceil_div(numbers_, std::int64_t{4}) + lists <= room_;
  if (tables > 0 && !fits) return false;
  for (std::size_t n = 0; n < at_.size(); ++n) {
    const std::int32_t read = entry(t, n);
    series_[n].take(t, read, how_[n]);
    if (read != entry(t, leaders_[n])) leaders_[n] = n;
  }
  return true;
}

}  // namespace trigon::detail::reroll

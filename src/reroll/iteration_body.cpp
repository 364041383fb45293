// SPDX-License-Identifier: MIT
#include "reroll/iteration_body.hpp"

#include <algorithm>
#include <utility>

#include "core/item.hpp"
#include "core/list.hpp"

namespace trigon::detail::reroll {
namespace {

using Ids = std::vector<std::int32_t>;

/// Builds the body of a loop from one iteration.
class Body {
 public:
  Body(const Iteration& iteration, const Carries& carries, const Varying& varying,
       std::int32_t total)
      : graph_(iteration.graph()),
        iteration_(iteration),
        carries_(carries),
        varying_(varying),
        total_(total) {
    for (std::size_t n = 0; n < varying.all().size(); ++n) {
      if (varying.all()[n].has_table() && varying.leader(n) == n) listed_.push_back(n);
    }
  }

  IterationBody run() {
    for (std::int32_t k = 0; k < iteration_.size(); ++k) {
      const ir::Graph::Entry& model = iteration_.model(k);
      ir::Graph::Entry entry = model;
      for (std::size_t i = 0; i < entry.inputs.size(); ++i) {
        entry.inputs[i] = input(k, iteration_.sources(k)[i]);
      }
      values_.push_back(b_.add(std::move(entry)));
    }
    Ids results, roots;
    for (const Carry& carry : carries_.all()) {
      roots.push_back(static_cast<std::int32_t>(roots.size()));
      results.push_back(carry.back == 1 ? item(values_, carry.offset)
                                        : carried({carry.offset, carry.back - 1}));
    }
    return {std::make_shared<const ir::Graph>(b_.finish(std::move(results), roots)), listed_,
            captured_};
  }

 private:
  std::int32_t parameter(std::int64_t input, DType dtype, const Shape& shape) {
    return b_.add({.kind = ir::Kind::parameter,
                   .dtype = dtype,
                   .shape = shape,
                   .attrs = ir::ParameterAttrs{input}});
  }
  std::int32_t carried(Carry carry) {
    const ir::Graph::Entry& model = iteration_.model(carry.offset);
    return parameter(carries_.number(carry), model.dtype, model.shape);
  }

  std::int32_t input(std::int32_t offset, const Source& source) {
    switch (source.from) {
      case Source::From::captured: return outside(source.number);
      case Source::From::varying: return varying(next_++);
      default: break;
    }
    const Carry from = iteration_.carry(offset, source);
    const std::int32_t value = from.back > 0 ? carried(from) : item(values_, from.offset);
    return source.view >= 0 ? seen_as(source.view, value) : value;
  }

  std::int32_t varying(std::size_t source) {
    const Series& series = varying_.all()[source];
    const std::int32_t number = number_below(graph_, series.first());
    switch (series.how()) {
      case Series::How::moved: return moved(series);
      case Series::How::listed: return seen_as(series.first(), listed(source));
      case Series::How::counted:
        return seen_as(series.first(),
                       series.progression().value(b_, parameter(-1, DType::int32, {})));
      default: break;
    }
    return number >= 0 ? seen_as(series.first(), b_.add(graph_[number])) : outside(series.first());
  }

  /// Applies to `value` the views by which an entry sees another one.
  std::int32_t seen_as(std::int32_t entry, std::int32_t value) {
    Ids views;
    for (; is_view(graph_[entry].kind); entry = graph_[entry].inputs[0]) views.push_back(entry);
    for (std::size_t k = views.size(); k-- > 0;) {
      const ir::Graph::Entry& view = graph_[views[k]];
      value = view.kind == ir::Kind::view ? b_.view(value, view.view, view.shape)
                                          : b_.reshape(value, view.shape);
    }
    return value;
  }

  /// This iteration's number from a table.
  std::int32_t listed(std::size_t source) {
    const auto place = static_cast<std::int64_t>(core::place_of(listed_, varying_.leader(source)));
    return parameter(std::ssize(carries_.all()) + place, varying_.all()[source].table_dtype(), {});
  }

  /// A view that starts at another place in each iteration.
  std::int32_t moved(const Series& series) {
    const std::vector<std::int64_t>& steps = series.steps();
    Ids views;
    std::size_t last = 0;
    std::int32_t at = series.first();
    for (; last < steps.size(); at = graph_[at].inputs[0]) {
      views.push_back(at);
      last += graph_[at].view.size();
    }
    std::int32_t value = outside(at);
    for (std::size_t k = views.size(); k-- > 0;) {
      const ir::Graph::Entry& entry = graph_[views[k]];
      if (entry.kind == ir::Kind::reshape) {
        value = b_.reshape(value, entry.shape);
        continue;
      }
      ir::View view = entry.view;
      last -= view.size();
      for (std::size_t axis = 0; axis < view.size(); ++axis) {
        const std::int64_t step = steps[last + axis];
        if (step == 0) continue;
        view[axis].terms.push_back({ir::ViewAxis::Term::iteration, step, total_ - 1, 0});
      }
      value = b_.view(value, std::move(view), entry.shape);
    }
    return value;
  }

  std::int32_t outside(std::int32_t entry) {
    const ir::Graph::Entry& known = graph_[entry];
    if (known.kind == ir::Kind::scalar) return b_.add(known);
    const bool shows_scalar =
        known.kind == ir::Kind::view && graph_[known.inputs[0]].kind == ir::Kind::scalar;
    if (shows_scalar) return b_.view(b_.add(graph_[known.inputs[0]]), known.view, known.shape);
    const auto place = static_cast<std::int64_t>(core::place_in(captured_, entry));
    const std::int64_t before = std::ssize(carries_.all()) + std::ssize(listed_);
    return parameter(before + place, known.dtype, known.shape);
  }

  const ir::Graph& graph_;
  const Iteration& iteration_;
  const Carries& carries_;
  const Varying& varying_;
  const std::int32_t total_;
  ir::GraphBuilder b_;
  Ids values_;  ///< by entry of the iteration
  Ids captured_;
  std::vector<std::size_t> listed_;  ///< sources with tables
  std::size_t next_ = 0;             ///< next source that may differ
};

}  // namespace

Carries::Carries(const Iteration& iteration)
    : first_(vector_of<std::int32_t>(iteration.size(), -1)) {
  Ids back(first_.size(), 0);
  for (std::int32_t k = 0; k < iteration.size(); ++k) {
    for (const Source& source : iteration.sources(k)) {
      if (source.from != Source::From::earlier) continue;
      const Carry from = iteration.carry(k, source);
      item(back, from.offset) = std::max(item(back, from.offset), from.back);
    }
  }
  for (std::int32_t k = 0; k < iteration.size(); ++k) {
    furthest_ = std::max(furthest_, item(back, k));
    if (item(back, k) == 0 || item(back, k) > most_back) continue;
    item(first_, k) = static_cast<std::int32_t>(all_.size());
    for (std::int32_t u = 1; u <= item(back, k); ++u) all_.push_back({k, u});
  }
}

std::int32_t Carries::number(Carry carry) const {
  const std::int32_t first = item(first_, carry.offset);
  const std::size_t k = static_cast<std::size_t>(first + carry.back - 1);
  const bool known = first >= 0 && carry.back > 0 && k < all_.size() &&
                     all_[k].offset == carry.offset && all_[k].back == carry.back;
  return known ? static_cast<std::int32_t>(k) : -1;
}

IterationBody body_of(const Iteration& iteration, const Carries& carries, const Varying& varying,
                      std::int32_t total) {
  return Body(iteration, carries, varying, total).run();
}

}  // namespace trigon::detail::reroll

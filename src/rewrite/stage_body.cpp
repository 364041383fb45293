// SPDX-License-Identifier: MIT
#include "rewrite/stage_body.hpp"

#include <algorithm>
#include <utility>

#include "core/item.hpp"

namespace trigon::plan {
namespace {

using Ids = std::vector<std::int32_t>;

/// Builds the body of a loop from one of its stages.
class Body {
 public:
  Body(const Graph& graph, const Stage& stage, const Carries& carries,
       std::span<const std::int32_t> numbers,
       std::span<const std::optional<Progression>> progressions)
      : graph_(graph),
        stage_(stage),
        carries_(carries),
        numbers_(numbers),
        progressions_(progressions) {}

  StageBody run() {
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
    return {std::make_shared<const Graph>(b_.finish(std::move(results), roots)), captured_};
  }

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
  std::span<const std::int32_t> numbers_;
  std::span<const std::optional<Progression>> progressions_;
  GraphBuilder b_;
  Ids values_;  ///< of each entry of the stage
  Ids captured_;
  std::size_t next_number_ = 0;
};

}  // namespace

Carries::Carries(const Stage& stage) : first_(vector_of<std::int32_t>(stage.size(), -1)) {
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

std::int32_t Carries::number(Carry carry) const {
  const std::int32_t first = item(first_, carry.offset);
  const std::size_t k = static_cast<std::size_t>(first + carry.back - 1);
  const bool known = first >= 0 && carry.back > 0 && k < all_.size() &&
                     all_[k].offset == carry.offset && all_[k].back == carry.back;
  return known ? static_cast<std::int32_t>(k) : -1;
}

StageBody body_of(const Graph& graph, const Stage& stage, const Carries& carries,
                  std::span<const std::int32_t> numbers,
                  std::span<const std::optional<Progression>> progressions) {
  return Body(graph, stage, carries, numbers, progressions).run();
}

}  // namespace trigon::plan

// SPDX-License-Identifier: MIT
#include "rewrite/batch.hpp"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "core/item.hpp"
#include "core/walk.hpp"

namespace trigon::detail::rewrite {
namespace {

/// Knowledge about the index along an axis.
struct Along {
  enum class What : std::uint8_t {
    element,  ///< the element's index along `axis`
    few,      ///< one of a few numbers, each computed separately
    any,
  };
  What what = What::few;
  int axis = 0;
  friend bool operator==(const Along&, const Along&) = default;
  friend bool operator<(const Along& a, const Along& b) {
    return a.what != b.what ? a.what < b.what : a.axis < b.axis;
  }
};
using Alongs = std::vector<Along>;

constexpr Along few{Along::What::few};
constexpr Along any{Along::What::any};

constexpr std::size_t most_visits = 4096;
constexpr std::int64_t most_registers = 100;
constexpr std::int64_t most_inner_iterations = 1 << 16;

/// Number of registers for the carries of an element.
std::int64_t registers(const ir::Graph& body, const ir::LoopAttrs& numbers,
                       const LoopBatch& batch) {
  std::int64_t sum = 0;
  for (std::int64_t j = 0; j < numbers.carries; ++j) {
    sum += values_per_element(batch, body[item(body.results, j)].shape).numel();
  }
  return sum;
}

/// Whether there is one condition per element, ending all its carries, or one for all elements.
bool ends_by_element(const ir::Graph& body, const ir::LoopAttrs& numbers, const LoopBatch& batch) {
  if (!numbers.has_condition) return true;
  const Shape& condition = body[item(body.results, numbers.condition())].shape;
  if (condition.numel() == 1) return true;
  if (!has_batch(batch, condition) || values_per_element(batch, condition).numel() > 1)
    return false;
  for (std::int64_t j = 0; j < numbers.carries; ++j) {
    if (!has_batch(batch, body[item(body.results, j)].shape)) return false;
  }
  return true;
}

/// Follows each value of a body down to the carries that it reads, at one index of the batch axes.
class Walk {
 public:
  Walk(const ir::Graph::Entry& loop, const LoopBatch& batch) : batch_(batch) {
    frames_.push_back({&loop, loop_attrs(loop), -1, -1});
    registers_ = registers(*loop.body, frames_[0].numbers, batch);
    enter(0);
  }

  /// The entry that reads carries at other elements, or that an element cannot compute alone; -1:
  /// none. Within an inner loop, it is that loop.
  std::int32_t coupled_by() {
    const ir::Graph& body = *frames_[0].loop->body;
    for (const std::int32_t result : body.results) {
      if (values_per_element(batch_, body[result].shape).numel() > most_unrolled) return result;
      push(result, result, own_index(body[result].shape));
      for (const Visit& visit : walk_) {
        enter(visit.frame);
        std::int32_t by = step(visit);
        if (by < 0 && walk_.seen().size() > most_visits) by = visit.entry;
        if (by >= 0) return of_the_outermost(visit.frame, by);
        enter(0);
      }
    }
    return -1;
  }

 private:
  /// A body: that of the loop, or of a loop within it.
  struct Frame {
    const ir::Graph::Entry* loop;
    ir::LoopAttrs numbers;
    std::int32_t outer;  ///< the frame whose body contains it
    std::int32_t entry;  ///< an output of it in that body
  };
  struct Visit {
    std::int32_t frame = 0;
    std::int32_t entry = -1;
    std::int32_t reader = -1;  ///< the last entry on the way that is not a view
    Alongs index{};
    friend bool operator<(const Visit& a, const Visit& b) {
      return std::tie(a.frame, a.entry, a.index) < std::tie(b.frame, b.entry, b.index);
    }
  };

  /// Makes entries of this frame the ones that are looked up.
  void enter(std::int32_t frame) {
    frame_ = frame;
    body_ = item(frames_, frame).loop->body.get();
  }

  std::int32_t of_the_outermost(std::int32_t frame, std::int32_t entry) const {
    for (; frame > 0; frame = item(frames_, frame).outer) entry = item(frames_, frame).entry;
    return entry;
  }

  /// The index of the values that an element has.
  Alongs own_index(const Shape& shape) const {
    auto index = vector_of<Along>(shape.rank(), few);
    const bool full = has_batch(batch_, shape);
    for (int axis = 0; full && axis < batch_.axes; ++axis) {
      if (shape[axis] != 1) item(index, axis) = {Along::What::element, axis};
    }
    return index;
  }

  void push(std::int32_t entry, std::int32_t reader, Alongs index) {
    const Shape& shape = (*body_)[entry].shape;
    for (std::size_t k = 0; k < index.size(); ++k) {
      if (shape[static_cast<int>(k)] == 1) index[k] = few;
    }
    walk_.add({frame_, entry, reader, std::move(index)});
  }

  std::int32_t step(const Visit& visit) {
    const ir::Graph::Entry& entry = (*body_)[visit.entry];
    const auto all = [&](const Alongs& index) {
      for (std::int32_t input : entry.inputs) push(input, visit.entry, index);
      return -1;
    };
    switch (entry.kind) {
      case ir::Kind::constant:
      case ir::Kind::scalar:
      case ir::Kind::iota:
      case ir::Kind::table: return -1;
      case ir::Kind::parameter: return parameter(visit, entry);
      case ir::Kind::output: return loop(visit, entry);
      case ir::Kind::map:
      case ir::Kind::cast: return all(visit.index);
      case ir::Kind::view:
        push(entry.inputs[0], visit.reader, through_view(entry, visit.index));
        break;
      case ir::Kind::reshape:
        push(entry.inputs[0], visit.reader, through_reshape(entry, visit.index));
        break;
      case ir::Kind::pad:
        push(entry.inputs[0], visit.entry, through_pad(entry, visit.index));
        break;
      case ir::Kind::take: take(visit, entry); break;
      case ir::Kind::take_along: take_along(visit, entry); break;
      case ir::Kind::reduce: return reduce(visit, entry);
      case ir::Kind::contract: return contract(visit, entry);
      default: return visit.entry;
    }
    return -1;
  }

  /// Whether the index of a carry is that of the element.
  bool is_own(const Shape& shape, const Alongs& index) const {
    if (!has_batch(batch_, shape)) return true;
    for (int axis = 0; axis < batch_.axes; ++axis) {
      const Along own{Along::What::element, axis};
      if (shape[axis] != 1 && item(index, axis) != own) return false;
    }
    return true;
  }

  std::int32_t parameter(const Visit& visit, const ir::Graph::Entry& entry) {
    const Frame frame = item(frames_, visit.frame);
    const std::int64_t input = entry.as<ir::ParameterAttrs>().input;
    if (input < 0) return -1;
    if (frame.numbers.is_carry(input)) {
      return is_own(entry.shape, visit.index) ? -1 : visit.reader;
    }
    if (frame.outer < 0) return -1;
    // The value comes from outside an inner loop.
    Alongs index = visit.index;
    if (frame.numbers.is_sliced(input)) index.insert(index.begin(), any);
    enter(frame.outer);
    push(item(frame.loop->inputs, input), frame.entry, std::move(index));
    return -1;
  }

  /// A loop in the body with the same elements: a block within the loop's block.
  std::int32_t loop(const Visit& visit, const ir::Graph::Entry& output) {
    if (!is_own(output.shape, visit.index)) return visit.reader;
    const ir::Graph::Entry& entry = (*body_)[output.inputs[0]];
    for (const Frame& known : frames_) {
      if (known.outer == visit.frame && known.loop == &entry) return -1;
    }
    const ir::LoopAttrs numbers = loop_attrs(entry);
    const ir::Graph& inner = *entry.body;
    registers_ += registers(inner, numbers, batch_);
    // The longest time of a draw must be known.
    if (numbers.outputs > 0 || numbers.iterations_scalar.is_given() ||
        numbers.iterations > most_inner_iterations || registers_ > most_registers ||
        !ends_by_element(inner, numbers, batch_)) {
      return visit.entry;
    }
    for (std::int64_t j = 0; j < numbers.carries; ++j) {
      const std::int32_t first = item(entry.inputs, j);
      push(first, visit.entry, own_index((*body_)[first].shape));
    }
    frames_.push_back({&entry, numbers, visit.frame, visit.entry});
    enter(static_cast<std::int32_t>(frames_.size()) - 1);
    for (const std::int32_t result : inner.results) {
      const Shape& shape = inner[result].shape;
      if (values_per_element(batch_, shape).numel() > most_unrolled) return visit.entry;
      push(result, result, own_index(shape));
    }
    return -1;
  }

  Alongs through_view(const ir::Graph::Entry& entry, const Alongs& index) const {
    Alongs moved(entry.view.size(), few);
    for (std::size_t k = 0; k < moved.size(); ++k) {
      const ir::ViewAxis& axis = entry.view[k];
      bool plain = axis.start == 0 && axis.terms.empty();
      if (!axis.terms.empty()) moved[k] = any;
      for (std::size_t o = 0; o < index.size(); ++o) {
        const std::int64_t factor = axis.factors[o];
        if (factor == 0 || (*body_)[entry.inputs[0]].shape[static_cast<int>(k)] == 1) continue;
        const bool alone = moved[k] == few && plain && factor == 1;
        if (index[o].what == Along::What::few) {
          // An element's index plus a number is another element. A number along an axis with one
          // element does not count, since it is 0.
          if (entry.shape[static_cast<int>(o)] == 1) continue;
          plain = false;
          if (moved[k].what == Along::What::element) moved[k] = any;
          continue;
        }
        moved[k] = alone && index[o].what == Along::What::element ? index[o] : any;
        plain = false;
      }
    }
    return moved;
  }

  /// Batch axes that remain leading axes stay batch axes.
  Alongs through_reshape(const ir::Graph::Entry& entry, const Alongs& index) const {
    const Shape& from = (*body_)[entry.inputs[0]].shape;
    auto moved = vector_of<Along>(from.rank(), any);
    int same = 0;
    while (same < from.rank() && same < entry.shape.rank() && from[same] == entry.shape[same]) {
      item(moved, same) = item(index, same);
      ++same;
    }
    const bool few_left =
        std::all_of(index.begin() + same, index.end(), [](const Along& one) { return one == few; });
    if (few_left) std::fill(moved.begin() + same, moved.end(), few);
    return moved;
  }

  static Alongs through_pad(const ir::Graph::Entry& entry, const Alongs& index) {
    Alongs moved = index;
    const std::vector<std::int64_t>& before = entry.as<core::PadAttrs>().before;
    for (std::size_t k = 0; k < moved.size(); ++k) {
      if (before[k] != 0 && moved[k].what == Along::What::element) moved[k] = any;
    }
    return moved;
  }

  void take(const Visit& visit, const ir::Graph::Entry& entry) {
    const std::ptrdiff_t axis = entry.as<core::TakeAttrs>().axis;
    const int rank = (*body_)[entry.inputs[1]].shape.rank();
    const auto first = visit.index.begin() + axis;
    push(entry.inputs[1], visit.entry, Alongs(first, first + rank));
    Alongs moved = visit.index;
    moved.erase(moved.begin() + axis, moved.begin() + axis + rank);
    moved.insert(moved.begin() + axis, any);
    push(entry.inputs[0], visit.entry, std::move(moved));
  }

  void take_along(const Visit& visit, const ir::Graph::Entry& entry) {
    push(entry.inputs[1], visit.entry, visit.index);
    Alongs moved = visit.index;
    item(moved, entry.as<core::TakeAttrs>().axis) = any;
    push(entry.inputs[0], visit.entry, std::move(moved));
  }

  std::int32_t reduce(const Visit& visit, const ir::Graph::Entry& entry) {
    const Shape& from = (*body_)[entry.inputs[0]].shape;
    const std::vector<bool>& reduced = entry.as<core::ReduceAttrs>().reduced;
    std::int64_t count = 1;
    for (int axis = 0; axis < from.rank(); ++axis) {
      if (item(reduced, axis)) count *= from[axis];
    }
    Alongs moved(visit.index.begin() + 1, visit.index.end());
    for (int axis = 0; axis < from.rank(); ++axis) {
      if (item(reduced, axis)) item(moved, axis) = count <= most_unrolled ? few : any;
    }
    push(entry.inputs[0], visit.entry, std::move(moved));
    return -1;
  }

  std::int32_t contract(const Visit& visit, const ir::Graph::Entry& entry) {
    if (!(entry.as<core::ContractAttrs>() == core::ContractAttrs{})) return visit.entry;
    if ((*body_)[entry.inputs[0]].shape.back() > most_unrolled) return visit.entry;
    Alongs a = visit.index, b = visit.index;
    a.back() = few;
    item(b, b.size() - 2) = few;
    push(entry.inputs[0], visit.entry, std::move(a));
    push(entry.inputs[1], visit.entry, std::move(b));
    return -1;
  }

  const LoopBatch& batch_;
  std::vector<Frame> frames_;
  std::int32_t frame_ = 0;
  const ir::Graph* body_ = nullptr;
  std::int64_t registers_ = 0;  ///< of all loops together
  core::Walk<Visit> walk_{{}};
};

/// The shape of the carry with the most elements.
Shape largest_carry(const ir::Graph::Entry& loop, const ir::LoopAttrs& numbers) {
  Shape largest;
  std::int64_t most = -1;
  for (std::int64_t j = 0; j < numbers.carries; ++j) {
    const Shape& shape = (*loop.body)[item(loop.body->results, j)].shape;
    if (shape.numel() > most) most = shape.numel(), largest = shape;
  }
  return largest;
}

}  // namespace

bool has_batch(const LoopBatch& batch, const Shape& carry) {
  if (carry.rank() < batch.axes) return false;
  for (int axis = 0; axis < batch.axes; ++axis) {
    if (carry[axis] != batch.shape[axis]) return false;
  }
  return true;
}

Shape values_per_element(const LoopBatch& batch, const Shape& carry) {
  Shape rest;
  for (int axis = has_batch(batch, carry) ? batch.axes : 0; axis < carry.rank(); ++axis) {
    rest.push_back(carry[axis]);
  }
  return rest;
}

LoopBatch loop_batch(const ir::Graph::Entry& loop) {
  const ir::LoopAttrs numbers = loop_attrs(loop);
  const Shape largest = largest_carry(loop, numbers);
  LoopBatch found;
  for (int axes = largest.rank(); axes >= 0; --axes) {
    LoopBatch batch{.axes = axes};
    for (int axis = 0; axis < axes; ++axis) batch.shape.push_back(largest[axis]);
    if (registers(*loop.body, numbers, batch) > most_registers) continue;
    if (!ends_by_element(*loop.body, numbers, batch)) continue;
    batch.coupled_by = Walk(loop, batch).coupled_by();
    if (batch.coupled_by < 0) return batch;
    if (found.coupled_by < 0) found.coupled_by = batch.coupled_by;
  }
  return found;
}

bool reads_windows(const ir::Graph::Entry& loop) {
  const auto& entries = loop.body->entries;
  return std::all_of(entries.begin(), entries.end(), [](const ir::Graph::Entry& entry) {
    const bool is_of_user = entry.kind == ir::Kind::map && entry.op->family == Family::kernel &&
                            entry.op->kernel().is_of_user();
    return info(entry.kind).has_offsets && !is_of_user &&
           std::all_of(entry.view.begin(), entry.view.end(),
                       [](const ir::ViewAxis& axis) { return axis.terms.empty(); });
  });
}

}  // namespace trigon::detail::rewrite

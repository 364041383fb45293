// SPDX-License-Identifier: MIT
#include "rewrite/lanes.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/item.hpp"
#include "core/math.hpp"

namespace trigon::plan {
namespace {

/// What is known of the index along an axis.
struct Along {
  enum class What : std::uint8_t {
    lane,  ///< that of the lane `axis`
    few,   ///< one of a few numbers, each computed on its own
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

/// Follows each value of a body down to the carries that it reads, at one index of the lanes.
class Walk {
 public:
  Walk(const Graph& body, const LoopNumbers& numbers, const LoopLanes& lanes)
      : body_(body), numbers_(numbers), lanes_(lanes) {}

  /// The entry that reads carries elsewhere, or that no lane can compute on its own; -1: none.
  std::int32_t coupled_by() {
    for (std::size_t k = 0; k < body_.results.size(); ++k) {
      const Shape& shape = body_[body_.results[k]].shape;
      if (values_of_lane(lanes_, shape).numel() > most_unrolled) {
        return body_.results[k];
      }
      auto index = vector_of<Along>(shape.rank(), few);
      const bool full = has_lanes(lanes_, shape);
      for (int axis = 0; full && axis < lanes_.axes; ++axis) {
        if (shape[axis] != 1) item(index, axis) = {Along::What::lane, axis};
      }
      push(body_.results[k], body_.results[k], std::move(index));
      while (!open_.empty()) {
        const Visit visit = std::move(open_.back());
        open_.pop_back();
        if (const std::int32_t by = step(visit); by >= 0) return by;
        if (seen_.size() > most_visits) return visit.entry;
      }
    }
    return -1;
  }

 private:
  struct Visit {
    std::int32_t entry;
    std::int32_t reader;  ///< the last entry that is no view
    Alongs index;
  };

  void push(std::int32_t entry, std::int32_t reader, Alongs index) {
    const Shape& shape = body_[entry].shape;
    for (std::size_t k = 0; k < index.size(); ++k) {
      if (shape[static_cast<int>(k)] == 1) index[k] = few;
    }
    if (seen_.insert({entry, index}).second) open_.push_back({entry, reader, std::move(index)});
  }

  std::int32_t step(const Visit& visit) {
    const Graph::Entry& entry = body_[visit.entry];
    const auto all = [&](const Alongs& index) {
      for (std::int32_t input : entry.inputs) push(input, visit.entry, index);
      return -1;
    };
    switch (entry.kind) {
      case Kind::constant:
      case Kind::scalar:
      case Kind::iota:
      case Kind::table: return -1;
      case Kind::parameter: return is_own(entry, visit.index) ? -1 : visit.reader;
      case Kind::map:
      case Kind::cast: return all(visit.index);
      case Kind::view: push(entry.inputs[0], visit.reader, through_view(entry, visit.index)); break;
      case Kind::reshape:
        push(entry.inputs[0], visit.reader, through_reshape(entry, visit.index));
        break;
      case Kind::pad: push(entry.inputs[0], visit.entry, through_pad(entry, visit.index)); break;
      case Kind::take: take(visit, entry); break;
      case Kind::take_along: take_along(visit, entry); break;
      case Kind::reduce: return reduce(visit, entry);
      case Kind::contract: return contract(visit, entry);
      default: return visit.entry;
    }
    return -1;
  }

  bool is_own(const Graph::Entry& parameter, const Alongs& index) const {
    const std::int64_t number = parameter.numbers[0] - 1;
    if (number < 0 || number >= numbers_.carries) return true;
    if (!has_lanes(lanes_, parameter.shape)) return true;
    for (int axis = 0; axis < lanes_.axes; ++axis) {
      const Along own{Along::What::lane, axis};
      if (parameter.shape[axis] != 1 && item(index, axis) != own) return false;
    }
    return true;
  }

  Alongs through_view(const Graph::Entry& entry, const Alongs& index) const {
    Alongs moved(entry.view.size(), few);
    for (std::size_t k = 0; k < moved.size(); ++k) {
      const ViewAxis& axis = entry.view[k];
      bool plain = axis.start == 0 && axis.terms.empty();
      if (!axis.terms.empty()) moved[k] = any;
      for (std::size_t o = 0; o < index.size(); ++o) {
        const std::int64_t factor = axis.factors[o];
        if (factor == 0 || body_[entry.inputs[0]].shape[static_cast<int>(k)] == 1) continue;
        const bool alone = moved[k] == few && plain && factor == 1;
        if (index[o].what == Along::What::few) {
          // A lane's index plus a number is another lane, unless the axis of that number has one
          // element, at which its index is 0.
          if (entry.shape[static_cast<int>(o)] == 1) continue;
          plain = false;
          if (moved[k].what == Along::What::lane) moved[k] = any;
          continue;
        }
        moved[k] = alone && index[o].what == Along::What::lane ? index[o] : any;
        plain = false;
      }
    }
    return moved;
  }

  /// Lanes that stay leading axes stay lanes.
  Alongs through_reshape(const Graph::Entry& entry, const Alongs& index) const {
    const Shape& from = body_[entry.inputs[0]].shape;
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

  static Alongs through_pad(const Graph::Entry& entry, const Alongs& index) {
    Alongs moved = index;
    for (std::size_t k = 0; k < moved.size(); ++k) {
      if (entry.numbers[k] != 0 && moved[k].what == Along::What::lane) moved[k] = any;
    }
    return moved;
  }

  void take(const Visit& visit, const Graph::Entry& entry) {
    const auto axis = static_cast<std::ptrdiff_t>(entry.numbers[0]);
    const int rank = body_[entry.inputs[1]].shape.rank();
    const auto first = visit.index.begin() + axis;
    push(entry.inputs[1], visit.entry, Alongs(first, first + rank));
    Alongs moved = visit.index;
    moved.erase(moved.begin() + axis, moved.begin() + axis + rank);
    moved.insert(moved.begin() + axis, any);
    push(entry.inputs[0], visit.entry, std::move(moved));
  }

  void take_along(const Visit& visit, const Graph::Entry& entry) {
    push(entry.inputs[1], visit.entry, visit.index);
    Alongs moved = visit.index;
    item(moved, entry.numbers[0]) = any;
    push(entry.inputs[0], visit.entry, std::move(moved));
  }

  std::int32_t reduce(const Visit& visit, const Graph::Entry& entry) {
    const Shape& from = body_[entry.inputs[0]].shape;
    std::int64_t count = 1;
    for (int axis = 0; axis < from.rank(); ++axis) {
      if (item(entry.numbers, axis) != 0) count *= from[axis];
    }
    Alongs moved(visit.index.begin() + 1, visit.index.end());
    for (int axis = 0; axis < from.rank(); ++axis) {
      if (item(entry.numbers, axis) != 0) item(moved, axis) = count <= most_unrolled ? few : any;
    }
    push(entry.inputs[0], visit.entry, std::move(moved));
    return -1;
  }

  std::int32_t contract(const Visit& visit, const Graph::Entry& entry) {
    if (entry.numbers[0] >= 0 || entry.numbers[1] >= 0) return visit.entry;
    if (body_[entry.inputs[0]].shape.back() > most_unrolled) return visit.entry;
    Alongs a = visit.index, b = visit.index;
    a.back() = few;
    item(b, b.size() - 2) = few;
    push(entry.inputs[0], visit.entry, std::move(a));
    push(entry.inputs[1], visit.entry, std::move(b));
    return -1;
  }

  const Graph& body_;
  const LoopNumbers& numbers_;
  const LoopLanes& lanes_;
  std::vector<Visit> open_;
  std::set<std::pair<std::int32_t, Alongs>> seen_;
};

/// The carry with the most elements.
Shape largest_carry(const Graph::Entry& loop, const LoopNumbers& numbers) {
  Shape largest;
  std::int64_t most = -1;
  for (std::int64_t j = 0; j < numbers.carries; ++j) {
    const Shape& shape = (*loop.body)[item(loop.body->results, j)].shape;
    if (shape.numel() > most) most = shape.numel(), largest = shape;
  }
  return largest;
}

}  // namespace

bool has_lanes(const LoopLanes& lanes, const Shape& carry) {
  if (carry.rank() < lanes.axes) return false;
  for (int axis = 0; axis < lanes.axes; ++axis) {
    if (carry[axis] != lanes.lanes[axis]) return false;
  }
  return true;
}

Shape values_of_lane(const LoopLanes& lanes, const Shape& carry) {
  Shape rest;
  for (int axis = has_lanes(lanes, carry) ? lanes.axes : 0; axis < carry.rank(); ++axis) {
    rest.push_back(carry[axis]);
  }
  return rest;
}

namespace {

/// Whether each lane has one condition, and all that it ends; or there is one for all lanes.
bool ends_by_lane(const Graph& body, const LoopNumbers& numbers, const LoopLanes& lanes) {
  if (numbers.has_condition == 0) return true;
  const Shape& condition = body[item(body.results, numbers.carries + numbers.outputs)].shape;
  if (condition.numel() == 1) return true;
  if (!has_lanes(lanes, condition) || values_of_lane(lanes, condition).numel() > 1) return false;
  for (std::int64_t j = 0; j < numbers.carries; ++j) {
    if (!has_lanes(lanes, body[item(body.results, j)].shape)) return false;
  }
  return true;
}

/// Registers that the carries of a lane need.
std::int64_t registers(const Graph& body, const LoopNumbers& numbers, const LoopLanes& lanes) {
  std::int64_t sum = 0;
  for (std::int64_t j = 0; j < numbers.carries; ++j) {
    sum += values_of_lane(lanes, body[item(body.results, j)].shape).numel();
  }
  return sum;
}

}  // namespace

LoopLanes loop_lanes(const Graph::Entry& loop) {
  constexpr std::int64_t most_registers = 100;
  const LoopNumbers numbers = loop_numbers(loop);
  const Shape largest = largest_carry(loop, numbers);
  LoopLanes found;
  for (int axes = largest.rank(); axes >= 0; --axes) {
    LoopLanes lanes{.axes = axes};
    for (int axis = 0; axis < axes; ++axis) lanes.lanes.push_back(largest[axis]);
    if (registers(*loop.body, numbers, lanes) > most_registers) continue;
    if (!ends_by_lane(*loop.body, numbers, lanes)) continue;
    lanes.coupled_by = Walk(*loop.body, numbers, lanes).coupled_by();
    if (lanes.coupled_by < 0) return lanes;
    if (found.coupled_by < 0) found.coupled_by = lanes.coupled_by;
  }
  return found;
}

bool has_short_lanes(const Graph::Entry& loop) {
  constexpr std::int64_t most_values = 16, most_instructions = 2000;
  const Graph& body = *loop.body;
  const LoopNumbers numbers = loop_numbers(loop);
  const LoopLanes lanes = loop_lanes(loop);
  if (lanes.axes < 0 || (lanes.axes == 0 && largest_carry(loop, numbers).rank() > 0)) return false;
  for (const std::int32_t result : body.results) {
    if (values_of_lane(lanes, body[result].shape).numel() > most_values) return false;
  }
  std::int64_t sum = 0;
  for (const Graph::Entry& entry : body.entries) {
    std::int64_t each = entry.kind == Kind::cast ? 1 : 0;
    if (entry.kind == Kind::map) each = instructions_of(*entry.op);
    if (entry.kind == Kind::contract) each = 2 * body[entry.inputs[0]].shape.back();
    if (entry.kind == Kind::reduce) {
      each = 4 * ceil_div(body[entry.inputs[0]].shape.numel(), entry.shape.numel());
    }
    sum += each * values_of_lane(lanes, entry.shape).numel();
    if (sum > most_instructions) return false;
  }
  return true;
}

}  // namespace trigon::plan

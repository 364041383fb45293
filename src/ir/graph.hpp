// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include <trigon/op.hpp>

#include "core/item.hpp"
#include "core/layout.hpp"
#include "core/target.hpp"

namespace trigon::detail::ir {

/// The kinds of entries of the canonical graph. Starts and lengths given by scalars are stored in
/// `numbers` as the plan's numbers of these scalars, -1 for none.
enum class Kind : std::uint8_t {
  leaf,        ///< has a value; `leaf`: its number among the collected entries
  constant,    ///< `value`
  scalar,      ///< the plan's scalar `numbers[0]`
  iota,        ///< (n,): 0 ... n - 1
  table,       ///< (n,); numbers: for each element the plan's scalar, or -1, and the bits of its
               ///< value
  map,         ///< `op` of inputs of this shape; numbers of a kernel: the output; of a where: 1 if
               ///< it chooses for all elements at once, as a branch
  kernel,      ///< `op`, a kernel that is not elementwise; numbers: the output
  cast,        ///< to `dtype`; numbers: 1 if it rounds as storing does
  view,        ///< `view`: the index of the input as an affine function of this one's
  reshape,     ///< the same elements in C order, if the index is not an affine function
  pad,         ///< numbers: elements before each axis; outside the input the element is `value`
  take,        ///< (x, indices); numbers: axis
  take_along,  ///< (x, indices with x's other axes); numbers: axis
  reduce,      ///< (x); numbers: 1 per reduced axis, 0 for others, then the scalar of the length;
               ///< shape: (outputs, axes, 1 if reduced)
  contract,   ///< (a (B..., M, K), b (B..., K, N)); numbers: scalars of inner length and of columns
  write,      ///< (x, v); numbers: start, step and scalar per axis: x with v at these places
  scatter,    ///< (x, indices, v), float32; numbers as scatter_add's attrs: x with v added at rows
  parameter,  ///< of a loop's body; numbers: its number there
  loop,       ///< (first carries, xs, captured); `body`, numbers: LoopNumbers
};
/// One more than the last kind.
inline constexpr int kind_count = static_cast<int>(Kind::loop) + 1;
const char* name(Kind kind);

/// The index along an axis of a view's input, from the index of the view: start + the sum of
/// factors[k] * index[k] + the sum over terms of factor * clamp(s, 0, high), s being
/// the scalar, plus `size` if it is negative.
struct ViewAxis {
  struct Term {
    /// In a loop's body, in place of a scalar: the loop's finished trips.
    static constexpr std::int32_t trip = -1;

    std::int32_t scalar;
    std::int64_t factor;
    std::int64_t high;
    std::int64_t size;  ///< of the axis from whose end a negative scalar counts; 0 for a trip
    friend bool operator==(const Term&, const Term&) = default;
  };
  std::int64_t start = 0;
  std::array<std::int64_t, Shape::max_rank> factors{};
  std::vector<Term> terms{};

  friend bool operator==(const ViewAxis&, const ViewAxis&) = default;
};
using View = std::vector<ViewAxis>;

/// The canonical graph, which is planned, as a value.
struct Graph {
  struct Entry {
    Kind kind = Kind::leaf;
    DType dtype = DType::float32;
    Shape shape;
    const Op* op = nullptr;
    double value = 0;
    View view{};
    std::vector<std::int64_t> numbers{};
    std::vector<std::int32_t> inputs{};
    std::int32_t leaf = -1;
    std::shared_ptr<const Graph> body{};  ///< of a loop

    friend bool operator==(const Entry&, const Entry&);
  };
  std::vector<Entry> entries;                      ///< inputs first
  std::vector<std::vector<std::int32_t>> readers;  ///< of each entry, one per edge
  std::vector<std::int32_t> became;                ///< the entry of each collected one, or -1
  std::vector<std::int32_t> results;               ///< the wanted entries; of a body: its results
  std::vector<std::int32_t> pieces{};              ///< of long joins: better stored

  const Entry& operator[](std::int32_t k) const { return item(entries, k); }
  std::int32_t size() const { return static_cast<std::int32_t>(entries.size()); }
};

/// The numbers of a loop's entry. Parameters of its body: the step, the carries, the slices of xs,
/// the captured entries. Results of its body: the next carries, the outputs, the condition.
struct LoopNumbers {
  std::int64_t result;        ///< a carry, or carries + the number of an output
  std::int64_t first;         ///< step
  std::int64_t trips;         ///< of a while loop: at most
  std::int64_t first_scalar;  ///< the plan's scalar that is added to `first`, or -1
  std::int64_t trips_scalar;  ///< the plan's scalar that is added to `trips`, or -1
  std::int64_t carries, slices, captured, outputs;
  std::int64_t has_condition;
  std::int64_t is_rolled;  ///< each trip was an iteration in the user's graph
};
LoopNumbers loop_numbers(const Graph::Entry& loop);
/// Whether two entries are results of one loop.
bool same_loop(const Graph::Entry& a, const Graph::Entry& b);

/// Whether entries of that kind have no inputs: constants, scalars, iota and tables.
bool is_number(Kind kind);
/// Kinds whose result is stored over their first input, unless something else still reads that.
bool is_update(Kind kind);
/// Whether entries of that kind only change the index at which an element is found.
bool is_view(Kind kind);

/// Lowered instructions of an op, for the estimates of rewriting and the schedule.
std::int64_t instructions_of(const Op& op);

/// The view of `shape` that shows it unchanged.
View whole_view(const Shape& shape);
/// The view of `shape` that broadcasts, right-aligned.
View broadcast_view(const Shape& from, const Shape& shape);
/// Sets `view` to the view that equals a reshape, if that only splits axes and adds or drops axes
/// of size 1. Returns false for any other reshape.
bool reshape_view(const Shape& from, const Shape& shape, View& view);
/// One view of inner's input for `outer`, a view of inner's result.
View compose(const View& outer, const View& inner);
/// Sets to 0 the factors of axes of size 1, whose index is always 0, so that equal views compare
/// equal.
void normalise(View& view, const Shape& from, const Shape& shape);

/// Builds a graph. Equal entries become one, and each is simplified when it is added. No rule
/// changes a bit of a result.
class GraphBuilder {
 public:
  /// Adds `entry`, or returns an entry that computes the same.
  std::int32_t add(Graph::Entry entry);
  std::int32_t view(std::int32_t x, View view, const Shape& shape);
  std::int32_t reshape(std::int32_t x, const Shape& shape);

  const Graph::Entry& operator[](std::int32_t k) const { return graph_[k]; }
  /// `became`: the entry of each collected one; `roots`: collected ones that are asked for; `kept`:
  /// others that stay. Entries that none of these needs go.
  Graph finish(std::vector<std::int32_t> became, const std::vector<std::int32_t>& roots,
               const std::vector<std::int32_t>& kept = {});

 private:
  std::int32_t simplified(const Graph::Entry& entry);
  std::int32_t view_of_contraction(std::int32_t x, const View& view, const Shape& shape);
  std::int32_t folded(const Graph::Entry& entry);
  std::int32_t taken_at_constant(const Graph::Entry& entry);
  std::int32_t without_identity(const Graph::Entry& entry);
  bool is_constant(std::int32_t k, double value) const;
  /// The constant below an entry, seen through views, or -1.
  std::int32_t constant_below(std::int32_t k) const;
  std::int32_t keep(Graph::Entry entry);

  Graph graph_;
  std::unordered_multimap<std::uint64_t, std::int32_t> known_;
};

}  // namespace trigon::detail::ir

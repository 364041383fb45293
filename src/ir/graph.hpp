// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include <trigon/op.hpp>

#include "core/attrs.hpp"
#include "core/item.hpp"
#include "core/layout.hpp"
#include "core/number_table.hpp"
#include "core/target.hpp"

namespace trigon::detail::ir {

/// The kinds of entries of the canonical graph, with their attributes and inputs.
enum class Kind : std::uint8_t {
  leaf,      ///< has a value; `leaf`: its number among the collected entries
  constant,  ///< `value`
  scalar,    ///< ScalarNumber
  iota,      ///< (n,): 0 ... n - 1
  table,     ///< (n,); TableAttrs
  map,       ///< `op` of inputs of this shape; ApplyAttrs for kernels and branches, otherwise none
  kernel,    ///< `op`, a kernel that is not elementwise; ApplyAttrs
  cast,      ///< to `dtype`; CastAttrs if it rounds, otherwise none
  view,      ///< `view`: the index of the input as an affine function of this one's
  reshape,   ///< the same elements in C order, if the index is not an affine function
  pad,       ///< PadAttrs; outside the input the element is `value`
  take,      ///< (x, indices); TakeAttrs
  take_along,  ///< (x, indices with x's other axes); TakeAttrs
  reduce,      ///< (x); ReduceAttrs; shape: (outputs, axes, 1 if reduced)
  contract,    ///< (a (B..., M, K), b (B..., K, N)); ContractAttrs
  write,       ///< (x, v); RegionAttrs: x with v at these places
  scatter,     ///< (x, indices, v), float32; ScatterAttrs: x with v added at rows
  parameter,   ///< of a loop's body; ParameterAttrs
  loop,        ///< `body`, LoopAttrs; no value: its outputs have them
  output,      ///< (loop): one of its results; OutputAttrs
};
/// One more than the last kind.
inline constexpr std::size_t kind_count = core::rows_through(Kind::output);

/// A kind of entries: its name, for entries without an op, and its answers.
struct KindInfo {
  Kind kind;
  std::string_view name;
  bool is_one_number = false;  ///< a constant or a scalar
  bool is_number = false;      ///< it has no inputs, and is computed wherever it is read
  bool is_view = false;        ///< it only changes the index at which an element is found
  bool only_moves = false;     ///< a view or a pad: so little work that storing it does not pay
  bool keeps_index = false;    ///< an element is computed of the inputs' at the same index
  bool gathers = false;        ///< the index at which it reads is known only at run time
  bool has_offsets = false;    ///< it reads at fixed offsets from its index, if at all
  bool stacks = false;         ///< equal ones may be computed together, along a new axis
  bool is_update = false;  ///< stored over its first input, unless something else still reads that
  bool is_drawn = false;   ///< it has separate draws, whatever else is stored
};

inline constexpr std::array<KindInfo, kind_count> kind_table = {{
    {.kind = Kind::leaf, .name = "leaf"},
    {.kind = Kind::constant,
     .name = "constant",
     .is_one_number = true,
     .is_number = true,
     .has_offsets = true,
     .stacks = true},
    {.kind = Kind::scalar,
     .name = "scalar",
     .is_one_number = true,
     .is_number = true,
     .has_offsets = true,
     .stacks = true},
    {.kind = Kind::iota, .name = "iota", .is_number = true, .has_offsets = true},
    {.kind = Kind::table, .name = "table", .is_number = true},
    {.kind = Kind::map, .name = "map", .keeps_index = true, .has_offsets = true, .stacks = true},
    {.kind = Kind::kernel, .name = "kernel"},
    {.kind = Kind::cast, .name = "cast", .keeps_index = true, .has_offsets = true, .stacks = true},
    {.kind = Kind::view,
     .name = "view",
     .is_view = true,
     .only_moves = true,
     .has_offsets = true,
     .stacks = true},
    {.kind = Kind::reshape, .name = "reshape", .is_view = true, .only_moves = true, .stacks = true},
    {.kind = Kind::pad, .name = "pad", .only_moves = true, .has_offsets = true, .stacks = true},
    {.kind = Kind::take, .name = "take", .gathers = true},
    {.kind = Kind::take_along, .name = "take_along", .gathers = true},
    {.kind = Kind::reduce, .name = "reduce"},
    {.kind = Kind::contract, .name = "contract"},
    {.kind = Kind::write, .name = "write", .is_update = true, .is_drawn = true},
    {.kind = Kind::scatter, .name = "scatter", .is_update = true, .is_drawn = true},
    {.kind = Kind::parameter, .name = "parameter", .has_offsets = true},
    {.kind = Kind::loop, .name = "loop"},
    {.kind = Kind::output, .name = "output", .is_drawn = true},
}};
static_assert(core::in_order(kind_table, &KindInfo::kind),
              "kind_table has one row a kind, in their order");

constexpr const KindInfo& info(Kind kind) { return item(kind_table, kind); }

inline std::string_view name(Kind kind) { return info(kind).name; }
inline bool is_number(Kind kind) { return info(kind).is_number; }
inline bool is_view(Kind kind) { return info(kind).is_view; }
inline bool is_update(Kind kind) { return info(kind).is_update; }

/// The index along an axis of a view's input, from the index of the view. It is start + the sum of
/// factors[k] * index[k] + the sum over terms of factor * clamp(s, 0, high). s is the scalar, plus
/// `size` if it is negative.
struct ViewAxis {
  struct Term {
    /// In a loop's body, in place of a scalar: the loop's finished iterations.
    static constexpr std::int32_t iteration = -1;

    std::int32_t scalar;
    std::int64_t factor;
    std::int64_t high;
    std::int64_t
        size;  ///< of the axis from whose end a negative scalar counts; 0 for a loop's iterations
    friend bool operator==(const Term&, const Term&) = default;
  };
  std::int64_t start = 0;
  std::array<std::int64_t, Shape::max_rank> factors{};
  std::vector<Term> terms{};

  friend bool operator==(const ViewAxis&, const ViewAxis&) = default;
};
using View = std::vector<ViewAxis>;

/// The elements of a table: run-time numbers of the host, or numbers.
struct TableAttrs {
  struct Element {
    core::ScalarNumber scalar{};
    double value = 0;  ///< without a scalar

    auto fields() const { return std::tie(scalar, value); }
    /// By the bits of the value.
    friend bool operator==(const Element& a, const Element& b) {
      return a.scalar == b.scalar &&
             std::bit_cast<std::uint64_t>(a.value) == std::bit_cast<std::uint64_t>(b.value);
    }
  };
  std::vector<Element> elements;

  auto fields() const { return std::tie(elements); }
  friend bool operator==(const TableAttrs&, const TableAttrs&) = default;
};

/// A value that each iteration of a loop gives its body.
struct ParameterAttrs {
  std::int64_t input;  ///< the loop's input that it is, or is a slice of; -1: the step

  auto fields() const { return std::tie(input); }
  friend bool operator==(const ParameterAttrs&, const ParameterAttrs&) = default;
};

/// Inputs: the first carries, the xs, the captured entries. Results of the body: the next carries,
/// the outputs, the condition.
struct LoopAttrs {
  std::int64_t first = 0;                  ///< step
  std::int64_t iterations = 0;             ///< of a while loop: at most
  core::ScalarNumber first_scalar{};       ///< is added to `first`
  core::ScalarNumber iterations_scalar{};  ///< is added to `iterations`
  std::int64_t carries = 0, slices = 0, captured = 0, outputs = 0;
  bool has_condition = false;
  bool is_rolled = false;  ///< made of equal stretches of the user's graph

  std::int64_t inputs() const { return carries + slices + captured; }
  bool is_carry(std::int64_t input) const { return input >= 0 && input < carries; }
  bool is_sliced(std::int64_t input) const { return input >= carries && input < carries + slices; }
  /// The number of the condition among the results of the body.
  std::int64_t condition() const { return carries + outputs; }

  auto fields() const {
    return std::tie(first, iterations, first_scalar, iterations_scalar, carries, slices, captured,
                    outputs, has_condition, is_rolled);
  }
  friend bool operator==(const LoopAttrs&, const LoopAttrs&) = default;
};

/// A last carry, or the outputs of all iterations, stacked along axis 0.
struct OutputAttrs {
  std::int64_t number;  ///< among the results of the loop's body

  auto fields() const { return std::tie(number); }
  friend bool operator==(const OutputAttrs&, const OutputAttrs&) = default;
};

/// The attributes of an entry: none for kinds without any.
using Attrs =
    std::variant<std::monostate, core::ScalarNumber, TableAttrs, core::ApplyAttrs, core::CastAttrs,
                 core::PadAttrs, core::TakeAttrs, core::ReduceAttrs, core::ContractAttrs,
                 core::RegionAttrs, core::ScatterAttrs, ParameterAttrs, LoopAttrs, OutputAttrs>;

/// The canonical graph, which is planned, as a value.
struct Graph {
  struct Entry {
    Kind kind = Kind::leaf;
    DType dtype = DType::float32;
    Shape shape;
    const Op* op = nullptr;
    double value = 0;
    View view{};
    Attrs attrs{};
    std::vector<std::int32_t> inputs{};
    std::int32_t leaf = -1;
    std::shared_ptr<const Graph> body{};  ///< of a loop

    /// The attributes, which are of that type.
    template <class T>
    const T& as() const {
      return std::get<T>(attrs);
    }
    friend bool operator==(const Entry&, const Entry&);
  };
  std::vector<Entry> entries;                      ///< inputs first
  std::vector<std::vector<std::int32_t>> readers;  ///< of each entry, one per edge
  std::vector<std::int32_t> became;                ///< the entry of each collected one, or -1
  std::vector<std::int32_t> results;               ///< the wanted entries; a body's results
  std::vector<std::int32_t> pieces{};              ///< of long joins: better stored

  const Entry& operator[](std::int32_t k) const { return item(entries, k); }
  std::int32_t size() const { return static_cast<std::int32_t>(entries.size()); }
};

inline const LoopAttrs& loop_attrs(const Graph::Entry& loop) { return loop.as<LoopAttrs>(); }
/// The loop that an output is a result of.
inline const Graph::Entry& loop_of(const Graph& graph, std::int32_t output) {
  return graph[graph[output].inputs[0]];
}

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
  std::int32_t view_of_contraction(std::int32_t x, const View& view, const Shape& shape);
  std::int32_t keep(Graph::Entry entry);

  Graph graph_;
  core::NumberTable known_;
};

}  // namespace trigon::detail::ir

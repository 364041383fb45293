// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include <trigon/detail/shape_class.hpp>
#include <trigon/dtype.hpp>
#include <trigon/fwd.hpp>
#include <trigon/op.hpp>

#include "core/attrs.hpp"
#include "core/item.hpp"
#include "core/rooms.hpp"

namespace trigon::detail::run {
class DeviceState;
class Storage;
}  // namespace trigon::detail::run

namespace trigon::detail::graph {

/// The kinds of nodes, with their attributes and inputs.
enum class Kind : std::uint8_t {
  leaf,        ///< a value that the host gave; has storage from the start
  constant,    ///< `value`; part of the graph
  scalar,      ///< `value`; changes from run to run, never hashed
  iota,        ///< (n,): 0 ... n - 1
  map,         ///< elementwise `op` of inputs of this shape; ApplyAttrs for kernels and branches,
               ///< otherwise none
  kernel,      ///< `op`, a kernel that is not elementwise; ApplyAttrs; inputs that are not raw have
               ///< this node's shape
  cast,        ///< to `dtype`
  reshape,     ///< the same elements in C order
  permute,     ///< PermuteAttrs
  slice,       ///< (x, scalars); RegionAttrs
  broadcast,   ///< right-aligned, NumPy's rule
  pad,         ///< PadAttrs; outside x the element is `value`
  take,        ///< (x, indices); TakeAttrs
  take_along,  ///< (x, indices, which have x's other axes); TakeAttrs
  affine,      ///< (x); AffineAttrs
  reduce,      ///< (x[, length]); ReduceAttrs; shape: the axes of x with 1 if reduced; `op` may
               ///< have several results of that shape
  contract,    ///< (a (B..., M, K), b (B..., K, N), scalars); ContractAttrs
  write,       ///< (x, v, scalars); RegionAttrs: x with that part replaced by v
  scatter_add,  ///< (x, indices, v); ScatterAttrs: x with v added at rows
  argument,     ///< (x): x as the argument of a function that is differentiated
  parameter,    ///< of a loop's body: a value that each iteration is given; ParameterAttrs
  loop,         ///< `body`, once an iteration; LoopAttrs; inputs: see loop.hpp; several results
  call,         ///< (values, arguments) of a function with rules; CallAttrs; several results
  output,       ///< (node of several results): one of them; OutputAttrs
};

/// One more than the last kind.
inline constexpr std::size_t kind_count = core::rows_through(Kind::output);

/// A kind of nodes: its names, for nodes without an op, and its answers.
struct KindInfo {
  Kind kind;
  std::string_view name;      ///< in explain()
  std::string_view function;  ///< the public function behind it, in errors
  /// It only changes where an element is found: free where it is read, though a stored broadcast
  /// may be large.
  bool is_view = false;
  bool is_one_number = false;  ///< `value`, which the host knows
  bool has_gradient = true;    ///< gradients pass through it, or are refused; otherwise they end
};

inline constexpr std::array<KindInfo, kind_count> kind_table = {{
    {.kind = Kind::leaf, .name = "leaf", .function = "from_host", .has_gradient = false},
    {.kind = Kind::constant,
     .name = "constant",
     .function = "full",
     .is_one_number = true,
     .has_gradient = false},
    {.kind = Kind::scalar,
     .name = "scalar",
     .function = "Scalar",
     .is_one_number = true,
     .has_gradient = false},
    {.kind = Kind::iota, .name = "iota", .function = "iota", .has_gradient = false},
    {.kind = Kind::map, .name = "map", .function = "map"},
    {.kind = Kind::kernel, .name = "kernel", .function = "kernel"},
    {.kind = Kind::cast, .name = "cast", .function = "astype"},
    {.kind = Kind::reshape, .name = "reshape", .function = "reshape", .is_view = true},
    {.kind = Kind::permute, .name = "permute", .function = "transpose", .is_view = true},
    {.kind = Kind::slice, .name = "slice", .function = "index", .is_view = true},
    {.kind = Kind::broadcast, .name = "broadcast", .function = "broadcast_to", .is_view = true},
    {.kind = Kind::pad, .name = "pad", .function = "pad"},
    {.kind = Kind::take, .name = "take", .function = "take"},
    {.kind = Kind::take_along, .name = "take_along", .function = "take_along_axis"},
    {.kind = Kind::affine, .name = "affine", .function = "sliding_window_view", .is_view = true},
    {.kind = Kind::reduce, .name = "reduce", .function = "reduce"},
    {.kind = Kind::contract, .name = "contract", .function = "matmul"},
    {.kind = Kind::write, .name = "write", .function = "set"},
    {.kind = Kind::scatter_add, .name = "scatter_add", .function = "scatter_add"},
    {.kind = Kind::argument, .name = "argument", .function = "grad", .is_view = true},
    {.kind = Kind::parameter, .name = "parameter", .function = "fori_loop"},
    {.kind = Kind::loop, .name = "loop", .function = "fori_loop"},
    {.kind = Kind::call, .name = "call", .function = "custom_vjp"},
    {.kind = Kind::output, .name = "output", .function = "custom_vjp"},
}};
static_assert(core::in_order(kind_table, &KindInfo::kind),
              "kind_table has one row a kind, in their order");

constexpr const KindInfo& info(Kind kind) { return item(kind_table, kind); }

/// Gradients towards inputs from the gradients g of the values y; an empty handle for none.
using Gradient = std::function<std::vector<Tensor>(
    std::span<const Tensor> g, std::span<const Tensor> inputs, std::span<const Tensor> y)>;
/// Tangents of the values y from the tangents t of the inputs; an empty handle is zeros.
using Tangent = std::function<std::vector<Tensor>(
    std::span<const Tensor> t, std::span<const Tensor> inputs, std::span<const Tensor> y)>;
/// A function with rules of its own. Its computed values are the call's first inputs. So a call
/// changes no plan, except that values which only its rule reads stay in the graph, too.
struct CallRules {
  std::string name;          ///< in explain()
  Gradient vjp{};            ///< none: from `jvp`; without either, the values count as constants
  Tangent jvp{};             ///< none: from `vjp`
  bool takes_empty = false;  ///< `vjp` takes empty handles for gradients of zeros
};

struct LoopBody;

/// For nodes with run-time indices: the facts for TRIGON_CHECK=1's errors about indices out of
/// range. Plans do not depend on it.
struct IndexUse {
  const char* function;  ///< that the user called
  std::int64_t size;     ///< of the axis that is indexed
  int axis;
  bool is_label = false;  ///< negative ones are left out; the user's have no axis `axis`
  std::size_t input = 1;  ///< of the node: the indices
  std::size_t wrappers =
      0;  ///< nodes of one operand, or a minimum, around those that the user gave
};

struct CallAttrs {
  std::int64_t values;  ///< the first inputs; the others are the arguments

  auto fields() const { return std::tie(values); }
  friend bool operator==(const CallAttrs&, const CallAttrs&) = default;
};

struct OutputAttrs {
  std::int32_t number;       ///< among the results of the input
  bool is_constant = false;  ///< for gradients: a call without rules for them made it

  auto fields() const { return std::tie(number, is_constant); }
  friend bool operator==(const OutputAttrs&, const OutputAttrs&) = default;
};

/// What calls a function on parameters; vmap makes no loop of it.
enum class LoopKind : std::uint8_t { fori_loop, scan, while_loop, vmap };
/// The public function.
const char* function_of(LoopKind kind);

struct ParameterAttrs {
  std::int64_t number;  ///< in the body
  LoopKind loop = LoopKind::fori_loop;

  auto fields() const { return std::tie(number, loop); }
  friend bool operator==(const ParameterAttrs&, const ParameterAttrs&) = default;
};

/// Results of a loop: the last carries, then the outputs of all iterations, stacked along axis 0.
struct LoopAttrs {
  /// Iterations of a while loop without a bound.
  static constexpr std::int64_t unbounded = std::numeric_limits<std::int64_t>::max();

  std::int64_t first = 0;                  ///< step
  std::int64_t iterations = 0;             ///< of a while loop: at most
  core::ScalarNumber first_scalar{};       ///< is added to `first`
  core::ScalarNumber iterations_scalar{};  ///< is added to `iterations`
  /// For gradients: the carries before every so many iterations are kept; 0: chosen. Plans do not
  /// depend on it.
  std::int64_t checkpoint = 0;

  auto fields() const { return std::tie(first, iterations, first_scalar, iterations_scalar); }
  friend bool operator==(const LoopAttrs&, const LoopAttrs&) = default;
};

/// The attributes of a node: none for kinds without any.
using Attrs = std::variant<std::monostate, core::ApplyAttrs, core::PermuteAttrs, core::RegionAttrs,
                           core::PadAttrs, core::TakeAttrs, core::AffineAttrs, core::ReduceAttrs,
                           core::ContractAttrs, core::ScatterAttrs, ParameterAttrs, LoopAttrs,
                           CallAttrs, OutputAttrs>;

struct Node : std::enable_shared_from_this<Node> {
  Kind kind;
  DType dtype = DType::float32;
  Shape shape;
  const Op* op = nullptr;
  double value = 0;
  bool weak = false;  ///< a host number: yields to the dtype of tensors
  /// For a scalar that depends on a traced function's arguments: the trace, and the step in it.
  std::uint64_t trace = 0;
  std::int32_t trace_step = -1;
  Attrs attrs;
  std::vector<NodePtr> inputs;
  std::shared_ptr<const CallRules> rules;   ///< of a call node
  std::shared_ptr<const LoopBody> body;     ///< of a loop node
  std::shared_ptr<const IndexUse> indexed;  ///< of a take, take_along or scatter_add, or a gradient

  /// Null if the node belongs to no device: constants, iota, scalars and nodes over only these.
  std::shared_ptr<run::DeviceState> device;
  /// The value, once computed; of a reduction of several results the stack of them, which its
  /// outputs read. Guarded by the device's mutex, as `inputs` is after construction; without a
  /// device by one mutex for all such nodes.
  std::shared_ptr<run::Storage> storage;

  /// Tensors that refer to this node.
  std::atomic<int> handles{0};
  /// References from outside the graph that do not require the value to be kept.
  std::atomic<int> observers{0};
  const std::uint64_t id;  ///< grows with construction: an input's id is below its reader's

  /// The attributes, which are of that type.
  template <class T>
  const T& as() const {
    return std::get<T>(attrs);
  }

  /// Handles, observers and other nodes that refer to this one.
  long references() const { return weak_from_this().use_count(); }

  Node(Kind k, DType d, const Shape& s);
  /// Frees a deep graph by a loop, not by recursion.
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
};

/// The node below the broadcasts and reshapes that fit operands to each other. An evaluated node
/// has no inputs, so the search ends there.
NodePtr below_broadcasts(NodePtr node);

/// Its name in explain(): that of its call, its op or its kind.
std::string_view name_of(const Node& node);

/// Whether readers of a node are its `output` nodes alone. Such a node has several results. Only a
/// reduction has a value, the stack of them, and a shape, that of each result.
bool has_outputs(const Node& node);

/// A new node like that one, without inputs, a device or a value.
std::shared_ptr<Node> without_inputs(const Node& node);

/// A copy of the inputs, taken under the lock with which an evaluation drops them.
std::vector<NodePtr> inputs_of(const Node& node);
/// Moves the inputs out of a node that has storage now.
std::vector<NodePtr> take_inputs(Node& node);

}  // namespace trigon::detail::graph

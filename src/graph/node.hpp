// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <trigon/dtype.hpp>
#include <trigon/fwd.hpp>
#include <trigon/op.hpp>
#include <trigon/shape.hpp>

#include "core/item.hpp"
#include "core/rooms.hpp"

namespace trigon::detail::run {
class DeviceState;
class Storage;
}  // namespace trigon::detail::run

namespace trigon::detail::graph {

/// The kinds of nodes, with what their `attrs` and `inputs` mean.
enum class Kind : std::uint8_t {
  leaf,         ///< a value that the host gave; has storage from the start
  constant,     ///< `value`; part of the graph
  scalar,       ///< `value`; changes from run to run, never hashed
  iota,         ///< (n,): 0 ... n - 1
  map,          ///< elementwise `op`; inputs have this node's shape; attrs of a kernel: the output;
                ///< of where: 1 if it chooses for all elements at once, as a branch
  kernel,       ///< `op`, a kernel that is not elementwise; inputs that are not raw have this
                ///< node's shape; attrs: the output
  cast,         ///< to `dtype`
  reshape,      ///< the same elements in C order
  permute,      ///< attrs: source axis of each axis
  slice,        ///< attrs: start, step, k per axis; k > 0: inputs[k], a scalar, is added to start
  broadcast,    ///< right-aligned, NumPy's rule
  pad,          ///< attrs: elements before each axis; outside x the element is `value`
  take,         ///< (x, indices); attrs: axis
  take_along,   ///< (x, indices, which have x's other axes); attrs: axis
  affine,       ///< (x); attrs for each axis of x: a start, then a factor for each axis of this
                ///< node; x's index is start + sum of factor * index
  reduce,       ///< (x[, length]); attrs: per axis 1 if reduced, else 0; shape: (outputs, axes of
                ///< x with 1 if reduced)
  contract,     ///< (a (B..., M, K), b (B..., K, N), scalars); attrs: which input is the length of
                ///< the inner axis, of the columns; 0 means none
  write,        ///< (x, v, scalars); attrs as for slice: x with that part replaced by v
  scatter_add,  ///< (x, indices, v): x with v added at rows; attrs: axis; 1 if the indices have
                ///< v's shape, 0 if they name rows as in take; 1 if rows out of range are clamped,
                ///< 0 if they are dropped
  stop_gradient,    ///< the value of the input, without a gradient
  custom_gradient,  ///< (values, inputs of `gradient`); attrs: which value it is, and how many
                    ///< there are
  parameter,        ///< of a loop's body: a value that each trip gives; attrs: its number there
  loop,             ///< `body`, once a trip; inputs and attrs: see loop.hpp
};

/// One more than the last kind.
inline constexpr std::size_t kind_count = core::rows_through(Kind::loop);

/// What nodes of a kind are called; those with an op have its name.
struct KindInfo {
  Kind kind;
  std::string_view name;      ///< in explain()
  std::string_view function;  ///< the public function behind it, in errors
};
const KindInfo& info(Kind kind);

/// Gradients towards inputs from the gradients g of the values y; an empty handle for none.
using Gradient = std::function<std::vector<Tensor>(
    std::span<const Tensor> g, std::span<const Tensor> inputs, std::span<const Tensor> y)>;

struct LoopBody;

/// Where a node reads or writes elements at run-time indices: what TRIGON_CHECK=1 says of those
/// that are out of range. No plan depends on it.
struct IndexUse {
  const char* function;  ///< that the user called
  std::int64_t size;     ///< of the axis that is indexed
  int axis;
  bool is_label = false;  ///< negative ones are left out; the user's have no axis `axis`
  std::size_t input = 1;  ///< of the node: the indices
  std::size_t wrappers =
      0;  ///< nodes of one operand, or a minimum, around those that the user gave
};

struct Node : std::enable_shared_from_this<Node> {
  Kind kind;
  DType dtype = DType::float32;
  Shape shape;
  const Op* op = nullptr;
  double value = 0;
  bool weak = false;  ///< a host number: yields to the dtype of tensors
  /// Of a scalar that depends on a traced function's arguments: the trace, and the step in it.
  std::uint64_t trace = 0;
  std::int32_t trace_step = -1;
  std::vector<std::int64_t> attrs;
  std::vector<NodePtr> inputs;
  std::shared_ptr<const Gradient> gradient;  ///< of a custom_gradient node
  std::shared_ptr<const LoopBody> body;      ///< of a loop node
  std::shared_ptr<const IndexUse> indexed;  ///< of a take, take_along or scatter_add, or a gradient

  /// Null if the node belongs to no device: constants, iota, scalars and nodes over these alone.
  std::shared_ptr<run::DeviceState> device;
  /// The value, once computed. Guarded by the device's mutex, as `inputs` is after construction;
  /// without a device by one mutex for all such nodes.
  std::shared_ptr<run::Storage> storage;

  /// Tensors that refer to this node.
  std::atomic<int> handles{0};
  /// References from outside of the graph that do not ask for the value to be kept.
  std::atomic<int> observers{0};
  const std::uint64_t id;  ///< grows with construction: an input's id is below its reader's

  /// Handles, observers and other nodes that refer to this one.
  long references() const { return weak_from_this().use_count(); }

  Node(Kind k, DType d, const Shape& s);
  /// Frees a deep graph with a loop.
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
};

/// A new node like that one, without inputs, a device or a value.
std::shared_ptr<Node> without_inputs(const Node& node);

/// A copy of the inputs, taken under the lock with which an evaluation drops them.
std::vector<NodePtr> inputs_of(const Node& node);
/// Takes the inputs from a node that has storage now.
std::vector<NodePtr> take_inputs(Node& node);

/// Entries of a slice or write node for one axis.
struct SliceAttr {
  std::int64_t start;
  std::int64_t step;
  std::int64_t input;
};
inline SliceAttr slice_attr(const Node& node, int axis) {
  const auto* a = &item(node.attrs, axis * 3);
  return {a[0], a[1], a[2]};
}

}  // namespace trigon::detail::graph

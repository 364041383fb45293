// SPDX-License-Identifier: MIT
#include "trigon/tensor.hpp"

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/called.hpp"
#include "core/internals.hpp"
#include "core/item.hpp"
#include "core/layout.hpp"
#include "graph/build.hpp"
#include "graph/loop.hpp"
#include "graph/named.hpp"
#include "graph/trace.hpp"
#include "pipeline/eval.hpp"
#include "pipeline/values.hpp"
#include "trigon/create.hpp"
#include "trigon/device.hpp"
#include "trigon/grad.hpp"
#include "trigon/index.hpp"
#include "trigon/logic.hpp"

namespace trigon {
namespace {

// This thread's selections that can write a tensor, newest first.
constinit thread_local Selection* selections = nullptr;

/// The node of a handle that must not be empty. Costs nothing else, unlike a Called.
const graph::NodePtr& node_for(const char* member, const graph::NodePtr& node) {
  if (node == nullptr) {
    core::fail_in(member, "empty handle: it refers to no value; assign a tensor first");
  }
  return node;
}

}  // namespace

// ---- The handle

Tensor::Tensor(graph::NodePtr node) noexcept : node_(std::move(node)) { acquire(); }

Tensor::Tensor(const Tensor& other) noexcept : node_(other.node_) { acquire(); }

Tensor& Tensor::operator=(const Tensor& other) & noexcept {
  if (this == &other) return *this;
  other.acquire();  // before release(): both may be the same node
  release();
  node_ = other.node_;
  return *this;
}

Tensor& Tensor::operator=(Tensor&& other) & noexcept {
  if (this == &other) return *this;
  release();
  node_ = std::move(other.node_);
  return *this;
}

Tensor::~Tensor() {
  if (selections != nullptr) Selection::forget(this);
  release();
}

void Tensor::acquire() const noexcept {
  if (node_ != nullptr) node_->handles.fetch_add(1, std::memory_order_relaxed);
}

void Tensor::release() noexcept {
  if (node_ != nullptr) node_->handles.fetch_sub(1, std::memory_order_relaxed);
}

graph::NodePtr Tensor::constant(double value, NumberKind kind) {
  switch (kind) {
    case NumberKind::boolean: return graph::weak_constant(value, DType::boolean);
    case NumberKind::integer: return graph::weak_constant(value, DType::int32);
    case NumberKind::floating: break;
  }
  return graph::weak_constant(value, DType::float32);
}

const graph::NodePtr& Tensor::node() const { return node_for("Tensor", node_); }
const Shape& Tensor::shape() const { return node_for("Tensor::shape", node_)->shape; }
DType Tensor::dtype() const { return node_for("Tensor::dtype", node_)->dtype; }
int Tensor::ndim() const { return node_for("Tensor::ndim", node_)->shape.rank(); }
std::int64_t Tensor::size(int axis) const { return node_for("Tensor::size", node_)->shape[axis]; }

std::int64_t Tensor::size() const {
  const core::Called called("Tensor::size");
  return shape().numel();
}

Device Tensor::device() const {
  const auto& state = node_for("Tensor::device", node_)->device;
  return state == nullptr ? Device::default_device() : detail::Internals::device(state);
}

// ---- Selections

Selection::Selection(Tensor& x, std::vector<Index> index)
    : Tensor(trigon::index(x, index)), x_(&x), index_(std::move(index)), next_(selections) {
  selections = this;
}

Selection::~Selection() {
  Selection** link = &selections;
  while (*link != nullptr && *link != this) link = &(*link)->next_;
  if (*link == this) *link = next_;
}

void Selection::forget(const Tensor* x) noexcept {
  for (Selection* s = selections; s != nullptr; s = s->next_) {
    if (s->x_ == x) s->x_ = nullptr;
  }
}

void Selection::assign(const Tensor& v) {
  if (x_ == nullptr) {
    core::fail_in("Selection",
                  "nothing to write: the tensor has ended, or this is a copy of its part; write "
                  "x(0) = v in one expression");
  }
  const Tensor written = SelectedPart(*x_, index_).set(v);
  // Drops the part that was read: it refers to x, which could otherwise not be written in place.
  *static_cast<Tensor*>(this) = Tensor();
  *x_ = written;
}

// ---- Values

const Tensor& Tensor::eval() const {
  node_for("Tensor::eval", node_);
  trigon::eval(std::span(this, 1));
  return *this;
}

void eval(const TensorList& roots) {
  std::vector<graph::NodePtr> nodes;
  nodes.reserve(roots.size());
  for (const Tensor& root : roots) {
    const graph::Named named("eval");
    graph::check_operand("a root", root);
    nodes.push_back(detail::Internals::node(root));
  }
  pipeline::evaluate(nodes);
}

void Tensor::read(void* out, DType asked) const {
  const core::Called called("Tensor::read");
  const graph::Node& node = *this->node();
  const DType computed = info(node.dtype).computed;
  if (asked != computed) detail::refuse_dtype(node.dtype, name(asked));
  if (node.shape.numel() == 0) return;
  detail::with_memory({.dtype = asked, .shape = node.shape, .node = &node}, [&] {
    const core::UserCode evaluation;
    pipeline::read_node(node_, out, asked);
  });
}

Tensor from_host(const void* values, DType dtype, const Shape& shape) {
  return from_host(values, dtype, shape, Device::default_device());
}

Tensor from_host(const void* values, DType dtype, const Shape& shape, const Device& device) {
  const auto count = [&] {
    const core::Called called("from_host");
    return shape.numel();
  };
  // A texture has at least one texel.
  if (count() == 0) return zeros(shape, dtype);
  return detail::Internals::tensor(pipeline::upload(values, dtype, shape, device));
}

Tensor Tensor::to(const Device& device) const {
  const auto& state = node_for("Tensor::to", node_)->device;
  if (state == detail::Internals::state(device)) return *this;
  graph::refuse_to_move(node());
  const core::Called called("Tensor::to");
  static_cast<void>(shape().numel());  // raises Error from 2^63 on
  if (state == nullptr && graph::Trace::current() != nullptr) {
    // Each call of the traced function computes it there.
    const Tensor there = stop_gradient(*this);
    detail::Internals::node(there)->device = detail::Internals::state(device);
    return there;
  }
  if (state == nullptr) {
    // A tensor made only of numbers is computed on `device` and kept there.
    auto leaf = std::make_shared<graph::Node>(graph::Kind::leaf, dtype(), shape());
    leaf->device = detail::Internals::state(device);
    const core::UserCode evaluation;
    leaf->storage = pipeline::value_on(*detail::Internals::state(device), node());
    return detail::Internals::tensor(leaf);
  }
  const DType host = info(dtype()).computed;
  const graph::Node& node = *node_;
  return detail::with_memory({.dtype = host, .shape = node.shape, .node = &node}, [&] {
    auto bytes = vector_of<std::byte>(core::host_bytes(host, node.shape));
    read(bytes.data(), host);
    const core::UserCode upload;
    return from_host(bytes.data(), host, node.shape, device).astype(node.dtype);
  });
}

namespace {

// Whether each element is not 0. A separate function, so that nonzero() reads it after the Named
// ends.
Tensor mask_of(const Tensor& x) {
  const graph::Named named("nonzero", {{"x", x}});
  if (x.ndim() == 0) {
    core::fail("x is a scalar: shape is (); there must be an axis\n  hint: ravel");
  }
  const Shape& shape = x.shape();
  const double most = x.device().max_exact_integer();
  for (int k = 0; k < shape.rank(); ++k) {
    if (static_cast<double>(shape[k] - 1) <= most) continue;
    core::fail("too many elements: {} along axis {}; {}, so positions must be in [0, {:.0f}]",
               shape[k], k, graph::integers_text(most), most);
  }
  return not_equal(x, 0);
}

}  // namespace

std::vector<Tensor> nonzero(const Tensor& x) {
  const Tensor mask = mask_of(x);
  const Shape& shape = x.shape();
  const int rank = shape.rank();
  auto found = vector_of<std::vector<std::int32_t>>(rank);
  auto index = vector_of<std::int32_t>(rank);
  for (const bool one : mask.to_vector<bool>()) {
    for (int k = 0; one && k < rank; ++k) item(found, k).push_back(item(index, k));
    for (int k = rank; k-- > 0;) {
      if (++item(index, k) < shape[k]) break;
      item(index, k) = 0;
    }
  }
  const Shape count{static_cast<std::int64_t>(found[0].size())};
  std::vector<Tensor> axes;
  axes.reserve(rank);
  for (const auto& values : found) {
    axes.push_back(tensor<std::int32_t>(std::span(values), count, x.device()));
  }
  return axes;
}

}  // namespace trigon

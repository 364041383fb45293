// SPDX-License-Identifier: MIT
#include "trigon/tensor.hpp"

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/item.hpp"
#include "eval.hpp"
#include "graph/build.hpp"
#include "graph/loop.hpp"
#include "graph/trace.hpp"
#include "trigon/device.hpp"
#include "trigon/ops/index.hpp"
#include "trigon/ops/logic.hpp"
#include "trigon/ops/view.hpp"

namespace trigon {
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

Tensor::~Tensor() { release(); }

void Tensor::acquire() const noexcept {
  if (node_ != nullptr) node_->handles.fetch_add(1, std::memory_order_relaxed);
}

void Tensor::release() noexcept {
  if (node_ != nullptr) node_->handles.fetch_sub(1, std::memory_order_relaxed);
}

graph::NodePtr Tensor::constant(double value, Weak kind) {
  switch (kind) {
    case Weak::boolean: return graph::weak_constant(value, DType::boolean);
    case Weak::integer: return graph::weak_constant(value, DType::int32);
    case Weak::floating: break;
  }
  return graph::weak_constant(value, DType::float32);
}

const graph::NodePtr& Tensor::node() const {
  if (node_ == nullptr) {
    throw Error("trigon::Tensor: empty handle: it refers to no value; assign a tensor first");
  }
  return node_;
}

const Shape& Tensor::shape() const { return node()->shape; }
DType Tensor::dtype() const { return node()->dtype; }

Device Tensor::device() const {
  const auto& state = node()->device;
  return state == nullptr ? Device::default_device() : Device(state);
}

// ---- Values

const Tensor& Tensor::eval() const {
  trigon::eval(std::span(this, 1));
  return *this;
}

void eval(std::span<const Tensor> roots) {
  std::vector<graph::NodePtr> nodes;
  nodes.reserve(roots.size());
  for (const Tensor& root : roots) nodes.push_back(root.node());
  evaluate(nodes);
}

void Tensor::read(void* out, DType asked) const {
  if (asked != info(dtype()).computed) {
    throw Error(
        fmt::format("trigon::Tensor: read as another dtype: tensor is {}, read as {}; must "
                    "be {}\n  hint: cast with astype",
                    name(dtype()), name(asked), name(info(dtype()).computed)));
  }
  if (size() > 0) read_node(node_, out, asked);
}

Tensor from_host(const void* values, DType dtype, const Shape& shape) {
  return from_host(values, dtype, shape, Device::default_device());
}

Tensor from_host(const void* values, DType dtype, const Shape& shape, const Device& device) {
  // A texture has at least one texel.
  if (shape.numel() == 0) return zeros(shape, dtype);
  return Tensor(upload(values, dtype, shape, device));
}

Tensor Tensor::to(const Device& device) const {
  const auto& state = node()->device;
  if (state == device.state()) return *this;
  graph::refuse_to_move(node());
  if (state == nullptr && graph::Trace::current() != nullptr) {
    // Computed there by each call of the traced function.
    const Tensor there = stop_gradient(*this);
    there.node()->device = device.state();
    return there;
  }
  if (state == nullptr) {
    // Made of numbers alone: computed where it is wanted, and kept there.
    auto leaf = std::make_shared<graph::Node>(graph::Kind::leaf, dtype(), shape());
    leaf->device = device.state();
    leaf->storage = value_on(*device.state(), node());
    return Tensor(leaf);
  }
  const DType host = info(dtype()).computed;
  auto bytes = vector_of<std::byte>(size() * size_of(host));
  read(bytes.data(), host);
  return from_host(bytes.data(), host, shape(), device).astype(dtype());
}

std::vector<Tensor> nonzero(const Tensor& x) {
  const Shape& shape = x.shape();
  const int rank = shape.rank();
  if (rank == 0) {
    throw Error(
        "trigon::nonzero: x is a scalar: shape is (); there must be an axis\n  hint: ravel");
  }
  const double most = graph::largest_exact_integer(*x.device().state());
  for (int k = 0; k < rank; ++k) {
    if (static_cast<double>(shape[k] - 1) <= most) continue;
    throw Error(
        fmt::format("trigon::nonzero: too many elements: {} along axis {}; profile webgl1 computes "
                    "with floats, so positions must be in [0, 16777216]",
                    shape[k], k));
  }
  auto found = vector_of<std::vector<std::int32_t>>(rank);
  auto index = vector_of<std::int32_t>(rank);
  for (const bool one : not_equal(x, 0).to_vector<bool>()) {
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

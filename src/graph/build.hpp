// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "graph/node.hpp"
#include "trigon/dtype.hpp"
#include "trigon/op.hpp"
#include "trigon/shape.hpp"
#include "trigon/tensor.hpp"

// What the public functions build graphs from. Each returns its input where the node would change
// nothing.

namespace trigon::graph {

/// A node over inputs, on their device.
NodePtr make(Kind kind, DType dtype, const Shape& shape, std::initializer_list<NodePtr> inputs);

/// A 0-d constant, rounded to what dtype can hold.
Tensor constant(double value, DType dtype);
/// A number of the host that yields to the dtype of tensors.
NodePtr weak_constant(double value, DType dtype);
NodePtr scalar(double value, DType dtype);

/// x as dtype. Raises Error, naming `function`, when x is a host number that an integer dtype can't
/// hold.
Tensor cast(std::string_view function, const Tensor& x, DType dtype);

/// x broadcast to a shape that it is known to fit.
Tensor expand(const Tensor& x, const Shape& shape);

/// x at `before` elements past the start of each axis of `shape`, `value` elsewhere.
Tensor pad_to(const Tensor& x, std::span<const std::int64_t> before, const Shape& shape,
              double value);

/// The node of a run-time integer. Raises Error, naming `function` and `what`, for a fraction.
NodePtr whole_number(std::string_view function, std::string_view what, const Tensor& scalar);

/// 0 ... n - 1 along `axis` of `rank` axes, the others 1.
Tensor positions(std::int64_t n, int axis, int rank);

/// A strided box of a tensor: attrs and inputs of slice nodes; scalars[k - 1] is the input k.
struct Region {
  std::vector<std::int64_t> attrs;
  Shape shape;
  std::vector<NodePtr> scalars;

  void push_axis(std::int64_t start, std::int64_t step, std::int64_t size,
                 const NodePtr& run_time_start = nullptr);
};

/// The region of a slice (first = 1) or write (first = 2) node; first: where the scalars start in
/// inputs.
Region region_of(const Node& node, std::span<const NodePtr> inputs, std::size_t first,
                 const Shape& shape);

/// What basic indexing selects: a region of x, and its shape without integer axes and with new
/// ones.
struct Selected {
  Region region;
  Shape shape;
};
Selected select(const Shape& x, std::span<const Index> entries);

Tensor slice(const Tensor& x, const Region& region);
/// x with v, which has the region's shape and x's dtype, in the region's place.
Tensor write(const Tensor& x, const Tensor& v, const Region& region);

/// detail::reduce with the node of the length, or null.
Tensor reduce(const Op& op, const Tensor& x, const Axes& axes, bool keepdims,
              const NodePtr& length);

/// (B..., M, K) x (B..., K, N). Null where all of the inner axis, all columns count.
Tensor contract(const Tensor& a, const Tensor& b, const NodePtr& inner, const NodePtr& columns);

/// The nearest float16, inf past its range.
double round_to_half(double x);

/// Gradients towards the inputs of y from y's gradient; an empty handle where none flows.
std::vector<Tensor> gradients(const NodePtr& y, std::span<const NodePtr> inputs, const Tensor& g);

}  // namespace trigon::graph

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "graph/node.hpp"
#include "trigon/detail/shape_class.hpp"
#include "trigon/dtype.hpp"
#include "trigon/op.hpp"
#include "trigon/tensor.hpp"

// The functions that build nodes. Each returns its input if the node would change nothing.

namespace trigon::detail::graph {

/// Raises Error for a number of the host that int32 cannot hold: no tensor gave it another dtype.
void check_number(const Node& node);

/// Adds the input and takes over its device. Raises Error, for the function behind `node` unless
/// one is called, when two inputs live on different devices, and as check_number.
void add_input(Node& node, const NodePtr& input);

/// A node with these inputs, on their device. Raises Error when their devices differ.
NodePtr make(Kind kind, DType dtype, const Shape& shape, std::initializer_list<NodePtr> inputs);

/// A 0-d constant, rounded to a value of dtype.
Tensor constant(double value, DType dtype);
/// A host number, which yields to the dtype of tensors.
NodePtr weak_constant(double value, DType dtype);
/// The node of a Scalar.
NodePtr scalar(double value, DType dtype);

/// x as dtype. Raises Error when x is a host number that an integer dtype can't hold.
Tensor cast(const Tensor& x, DType dtype);

/// For errors: the reason why there is a largest integer.
const char* integers_text(double largest);

/// x broadcast to a shape, without a check that it fits.
Tensor expand(const Tensor& x, const Shape& shape);

/// A tensor of `shape` that holds x from position `before` on and `value` elsewhere.
Tensor pad_to(const Tensor& x, std::span<const std::int64_t> before, const Shape& shape,
              double value);

/// The node of a Scalar of an integer type. Raises Error, naming `what`, for another
/// one.
NodePtr whole_number(std::string_view what, const Tensor& scalar);

/// 0 ... n - 1 along `axis`; the other axes of `rank` have size 1.
Tensor positions(std::int64_t n, int axis, int rank);

/// A strided box of a tensor. `box` numbers the `scalars`, where a node's attributes number its
/// inputs.
struct Region {
  core::RegionAttrs box;
  Shape shape;
  std::vector<NodePtr> scalars;

  void push_axis(std::int64_t start, std::int64_t step, std::int64_t size,
                 const NodePtr& run_time_start = nullptr);
};

/// The region of a slice or write node. `first` is the input with which its scalars begin: 1 for a
/// slice, 2 for a write.
Region region_of(const Node& node, std::span<const NodePtr> inputs, std::size_t first,
                 const Shape& shape);

/// The result of basic indexing: a region of x, and the shape of the result, without integers' axes
/// and with new axes. select() raises Error as trigon::index.
struct Selected {
  Region region;
  Shape shape;
};
Selected select(const Shape& x, std::span<const Index> entries);

/// Whether it has all elements of a tensor of that shape, in their order.
bool is_whole(const Region& region, const Shape& shape);

/// The region as a tensor of its shape.
Tensor slice(const Tensor& x, const Region& region);
/// x with the region replaced by v, which has its shape and x's dtype.
Tensor write(const Tensor& x, const Tensor& v, const Region& region);

/// The box with its Scalars numbered from `by` on.
core::RegionAttrs renumbered(core::RegionAttrs box, std::int32_t by);

/// x at the indices of an affine node.
Tensor affine(const Tensor& x, core::AffineAttrs view, const Shape& shape);

/// x with v added at rows; v has x's dtype, which is not bool, and the shape of what would be
/// taken.
Tensor scatter_add(const Tensor& x, const Tensor& indices, const Tensor& v,
                   const core::ScatterAttrs& rows);

/// x at the integer `labels`, which have x's shape without `axis`. The caller must mask negative
/// labels.
Tensor take_labels(const Tensor& x, const Tensor& labels, int axis);

/// detail::reduce, with the node of the length or null.
std::vector<Tensor> reduce(const Op& op, const Tensor& x, const Axes& axes, bool keepdims,
                           const NodePtr& length);

/// The results of a reduce node.
std::vector<Tensor> results_of_reduction(const NodePtr& node);

/// The outputs of a kernel, of shape `shape`. The inputs must be as the op reads them.
std::vector<Tensor> kernel(const Op& op, std::span<const Tensor> inputs, const Shape& shape);

/// One of the results of a node of several.
NodePtr output(const NodePtr& node, OutputAttrs which, DType dtype, const Shape& shape);

/// The values of a function as results of a call of it, with its rules.
std::vector<Tensor> call(std::shared_ptr<const CallRules> rules, std::span<const Tensor> values,
                         std::span<const Tensor> arguments);

/// (B..., M, K) x (B..., K, N) -> (B..., M, N). `inner` and `columns` are null if the whole axis
/// counts.
Tensor contract(const Tensor& a, const Tensor& b, const NodePtr& inner, const NodePtr& columns);

/// The nearest value of float16; inf past its range.
double round_to_half(double x);

}  // namespace trigon::detail::graph

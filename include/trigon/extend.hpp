// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <trigon/axes.hpp>
#include <trigon/op.hpp>
#include <trigon/tensor.hpp>

// Ops of your own, equal to those of the library; trigon.hpp does not include this header. op.hpp
// explains every field. To vary an op of the library, copy its spec:
//
//   ReduceSpec spec = find_op("argmax")->reduce();
//   spec.name = "finite_argmax";

namespace trigon {

// `TRIGON_UNARY(bump) = { ... };` defines the op's spec, its entry in the registry and its
// function, whose comment stands above a prototype:
//
//   /// exp(-x^2), element-wise.
//   Tensor bump(const Tensor& x);
//   TRIGON_UNARY(bump) = { ... };
#define TRIGON_OP_SPEC_(SPEC, NAME) \
  struct NAME##_op {                \
    static const SPEC spec;         \
    static const Op op;             \
  };                                \
  inline const Op NAME##_op::op{NAME##_op::spec};

#define TRIGON_UNARY(NAME)                                                                      \
  TRIGON_OP_SPEC_(UnarySpec, NAME)                                                              \
  [[nodiscard]] inline Tensor NAME(const Tensor& x) { return detail::apply(NAME##_op::op, x); } \
  inline constexpr UnarySpec NAME##_op::spec

#define TRIGON_BINARY(NAME)                                            \
  TRIGON_OP_SPEC_(BinarySpec, NAME)                                    \
  [[nodiscard]] inline Tensor NAME(const Tensor& a, const Tensor& b) { \
    return detail::apply(NAME##_op::op, a, b);                         \
  }                                                                    \
  inline constexpr BinarySpec NAME##_op::spec

#define TRIGON_TERNARY(NAME)                                                            \
  TRIGON_OP_SPEC_(TernarySpec, NAME)                                                    \
  [[nodiscard]] inline Tensor NAME(const Tensor& a, const Tensor& b, const Tensor& c) { \
    return detail::apply(NAME##_op::op, a, b, c);                                       \
  }                                                                                     \
  inline constexpr TernarySpec NAME##_op::spec

// The function of a reduction is written out, with its comment: most return the first result of
// `reduce`.
#define TRIGON_REDUCE(NAME)         \
  TRIGON_OP_SPEC_(ReduceSpec, NAME) \
  inline constexpr ReduceSpec NAME##_op::spec

/// The results of reducing x with an op, as many as its spec has outputs.
///
/// op : a reduction, as *find_op("sum"), the `NAME_op::op` of TRIGON_REDUCE(NAME), or an Op of a
///     ReduceSpec. It may end after the call.
/// x : any shape. The spec's `result` decides in which dtype it is reduced: float32, bool, or its
///     own, where float16 becomes float32, uint8 uint32 and bool int32.
/// axes : all by default, one, or a list; they are dropped, or kept as size 1 with `keepdims`.
///
/// Each result has the dtype that x is reduced in, or int32 with `gives_index`. Raises Error if the
/// op is not a reduction, for invalid axes, if no elements are reduced and the op needs one, and
/// for positions past 2^24 in floats. These errors have the op's name.
///
///   TRIGON_REDUCE(spread) = { ... };
///   Tensor spread(const Tensor& x, const Axes& axes) { return reduce(spread_op::op, x, axes)[0]; }
[[nodiscard]] std::vector<Tensor> reduce(const Op& op, const Tensor& x, const Axes& axes = {},
                                         bool keepdims = false);

}  // namespace trigon

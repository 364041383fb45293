// SPDX-License-Identifier: MIT
#pragma once

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

// The function of a reduction is written out, with its comment: most drop the axis of outputs.
#define TRIGON_REDUCE(NAME)         \
  TRIGON_OP_SPEC_(ReduceSpec, NAME) \
  inline constexpr ReduceSpec NAME##_op::spec

}  // namespace trigon

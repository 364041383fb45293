// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "core/called.hpp"
#include "graph/named.hpp"
#include "trigon/tensor.hpp"

// Checks of arguments. Each raises Error, in the name of the function that the user called: a Named
// must live.

namespace trigon::detail::graph {

using core::fail;

/// `axis` counted from the front. It must be in [-rank, rank).
int require_axis(std::int64_t axis, int rank);

/// `axes` counted from the front, in their order. Each may occur once.
std::vector<int> require_axes(std::span<const int> axes, int rank);

/// The shape that a and b broadcast to.
Shape require_broadcast(const Shape& a, const Shape& b);

/// At least two axes.
void require_two_axes(const char* name, const Tensor& x);

/// The last two axes must be equal.
void require_square(const char* name, const Tensor& x);

/// The dtype must be int32, uint32 or uint8.
void require_integers(const char* name, const Tensor& x);

/// v is added to integers, so it must be of integers, or a whole number: a cast drops fractions.
void require_no_fractions(const Tensor& x, const Tensor& v);

/// At most 2^20 results: more would fill the memory with their nodes.
void check_result_count(const char* what, std::int64_t count);

/// The shape to which operands broadcast. The error names all of them.
Shape common_shape(std::initializer_list<Operand> operands);

/// All must be float32 or float16.
void check_floats(std::initializer_list<Operand> operands);

}  // namespace trigon::detail::graph

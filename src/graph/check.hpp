// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>

#include "core/called.hpp"
#include "graph/call.hpp"
#include "trigon/tensor.hpp"

// Checks of arguments. Each raises Error, in the name of the function that the user called: a Call
// must live.

namespace trigon::detail::graph {

using core::fail;

/// `axis` counted from the front. It must be in [-rank, rank).
int require_axis(std::int64_t axis, int rank);

/// The shape that a and b broadcast to.
Shape require_broadcast(const Shape& a, const Shape& b);

/// At least two axes.
void require_two_axes(const char* name, const Tensor& x);

/// At most 2^20 parts: more would fill the memory with their nodes.
void check_part_count(const char* what, std::int64_t count);

/// The shape to which operands broadcast. The error names all of them.
Shape common_shape(std::initializer_list<Operand> operands);

/// All must be float32 or float16.
void check_floats(std::initializer_list<Operand> operands);

}  // namespace trigon::detail::graph

// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>
#include <variant>

#include "kernel/kernel.hpp"

namespace trigon::detail::kernel {

/// Calls the function for the instruction's operation and returns its result. Each operation needs
/// a function; one for several operations names them by a concept below. So a new operation does
/// not compile until a function takes it.
template <class... Functions>
auto by_operation(const Instr& instr, const Functions&... functions) {
  return std::visit(OneOf{functions...}, instr.operation);
}

template <class T, class... All>
inline constexpr bool is_among = (std::is_same_v<T, All> || ...);

template <class T>
concept IndexOperation = number_of<T>
<= number_of<TripsIf>;
/// Moves, packs or exchanges lanes.
template <class T>
concept LaneOperation = is_among<T, Reorder, Pack, Column, Shift, Keep, Exchange, Neighbour>;
/// Is not an expression of a value: a coordinate, a tuple or a name.
template <class T>
concept NamedOperation =
    is_among<T, TexelCoordinate, Raw, Call, Lift, Combine, Finish, Extract, Carried, Result>;

}  // namespace trigon::detail::kernel

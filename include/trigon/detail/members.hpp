// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <exception>
#include <tuple>
#include <type_traits>
#include <utility>

#include <trigon/config.hpp>

// The members of an aggregate struct, found by counting what brace-initialises it.

namespace trigon::detail::members {

inline constexpr std::size_t most = 16;

/// Converts to any member. The explicit conversion makes direct initialisation ambiguous, so that
/// an optional or a tuple is not made from an element that is made from this.
struct Any {
  template <class U>
  operator U() const {
    std::terminate();  // never called; clang wants a body if U is in an unnamed namespace
  }
  template <class U>
  explicit operator U&() const {
    std::terminate();
  }
};
template <class T>
struct AnyBase {
  template <class U>
    requires(std::is_base_of_v<U, T> && !std::is_same_v<U, T>)
  operator U() const { std::terminate(); }
};

template <std::size_t>
using Repeated = Any;

template <class T, std::size_t... I>
constexpr bool takes(std::index_sequence<I...>) {
  return requires { T{std::declval<Repeated<I>>()...}; };
}

/// The number of members of T, a C array counting as its elements; at most one more than `most`.
template <class T, std::size_t N = most + 1>
constexpr std::size_t count_initialisers() {
  if constexpr (N == 0 || takes<T>(std::make_index_sequence<N>())) {
    return N;
  } else {
    return count_initialisers<T, N - 1>();
  }
}

template <class T>
inline constexpr std::size_t count = count_initialisers<T>();

// A C array takes one initialiser per element, or {} for all of them. So if {} leaves too many
// initialisers for the members after it, it initialises an array.
template <class T, std::size_t... Before, std::size_t... After>
constexpr bool takes_braces(std::index_sequence<Before...>, std::index_sequence<After...>) {
  return requires {
    T{std::declval<Repeated<Before>>()..., {}, std::declval<Repeated<After>>()...};
  };
}

/// Whether the initialiser at `At`, followed by `After` others, starts an array.
template <class T, std::size_t At, std::size_t After>
constexpr bool braces_fit() {
  return takes_braces<T>(std::make_index_sequence<At>(), std::make_index_sequence<After>());
}

template <class T, std::size_t At, std::size_t... Fewer>
constexpr bool starts_array(std::index_sequence<Fewer...>) {
  if constexpr (braces_fit<T, At, sizeof...(Fewer)>()) {
    return false;
  } else {
    return (braces_fit<T, At, Fewer>() || ...);
  }
}

template <class T, std::size_t... At>
constexpr bool has_array(std::index_sequence<At...>) {
  return (starts_array<T, At>(std::make_index_sequence<sizeof...(At) - 1 - At>()) || ...);
}

template <class T, std::size_t... I>
constexpr bool has_base(std::index_sequence<I...>) {
  return requires { T{std::declval<AnyBase<T>>(), std::declval<Repeated<I>>()...}; };
}

enum class Problem { none, no_aggregate, base_class, empty, array, too_many };

/// Why T's members cannot be found, if so.
template <class T>
constexpr Problem problem() {
  if constexpr (!std::is_class_v<T> || !std::is_aggregate_v<T>) {
    return Problem::no_aggregate;
  } else if constexpr (std::is_empty_v<T>) {
    return Problem::empty;
  } else if constexpr (has_base<T>(std::make_index_sequence<count<T> - 1>())) {
    return Problem::base_class;
  } else if constexpr (has_array<T>(std::make_index_sequence<count<T>>())) {
    return Problem::array;
  } else if constexpr (count<T> > most) {
    return Problem::too_many;
  } else {
    return Problem::none;
  }
}

/// Whether T's members can be found; a compile error says why not.
template <class T>
constexpr bool check() {
  constexpr Problem found = problem<T>();
  static_assert(found != Problem::no_aggregate,
                "trigon: this type cannot be part of a tree; a tree is made of Tensor, numbers, "
                "std::tuple, pair, array, vector, map, optional and aggregate structs");
  static_assert(found != Problem::base_class,
                "trigon: a struct with a base class cannot be part of a tree; make the base a "
                "member");
  static_assert(found != Problem::empty, "trigon: an empty struct cannot be part of a tree");
  static_assert(found != Problem::array,
                "trigon: a C array cannot be part of a tree; use std::array or std::vector");
  static_assert(found != Problem::too_many,
                "trigon: a struct of more than 16 members cannot be part of a tree; nest structs");
  return found == Problem::none;
}

/// References to the members of t.
template <class T>
constexpr auto tie(T& t) {
  constexpr std::size_t size = count<std::remove_const_t<T>>;
  if constexpr (size == 1) {
    auto& [a] = t;
    return std::tie(a);
  } else if constexpr (size == 2) {
    auto& [a, b] = t;
    return std::tie(a, b);
  } else if constexpr (size == 3) {
    auto& [a, b, c] = t;
    return std::tie(a, b, c);
  } else if constexpr (size == 4) {
    auto& [a, b, c, d] = t;
    return std::tie(a, b, c, d);
  } else if constexpr (size == 5) {
    auto& [a, b, c, d, e] = t;
    return std::tie(a, b, c, d, e);
  } else if constexpr (size == 6) {
    auto& [a, b, c, d, e, f] = t;
    return std::tie(a, b, c, d, e, f);
  } else if constexpr (size == 7) {
    auto& [a, b, c, d, e, f, g] = t;
    return std::tie(a, b, c, d, e, f, g);
  } else if constexpr (size == 8) {
    auto& [a, b, c, d, e, f, g, h] = t;
    return std::tie(a, b, c, d, e, f, g, h);
  } else if constexpr (size == 9) {
    auto& [a, b, c, d, e, f, g, h, i] = t;
    return std::tie(a, b, c, d, e, f, g, h, i);
  } else if constexpr (size == 10) {
    auto& [a, b, c, d, e, f, g, h, i, j] = t;
    return std::tie(a, b, c, d, e, f, g, h, i, j);
  } else if constexpr (size == 11) {
    auto& [a, b, c, d, e, f, g, h, i, j, k] = t;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k);
  } else if constexpr (size == 12) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l] = t;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l);
  } else if constexpr (size == 13) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = t;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m);
  } else if constexpr (size == 14) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = t;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n);
  } else if constexpr (size == 15) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = t;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o);
  } else if constexpr (size == 16) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = t;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
  }
}

}  // namespace trigon::detail::members

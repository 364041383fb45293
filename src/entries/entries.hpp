// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "trigon/op.hpp"

// The library's own ops. The files of this folder hold them, a chapter each: the specs, and the
// functions that the public headers declare. The registry asks each chapter for its specs when it
// is first used, so ops exist before any static of the program, and a linker keeps them.

namespace trigon::detail::entries {

/// The ops of a chapter, by family.
struct Chapter {
  std::span<const UnarySpec> unary{};
  std::span<const BinarySpec> binary{};
  std::span<const TernarySpec> ternary{};
  std::span<const ReduceSpec> reduce{};
};

Chapter arithmetic();
Chapter bitwise();
Chapter logic();
Chapter math();
Chapter reductions();
Chapter trigonometric();

/// The library's op of that name. Throws std::logic_error if there is none.
const Op& own_op(const char* name);

/// A text as an argument of a template.
template <std::size_t N>
struct Name {
  consteval Name(const char (&characters)[N]) { std::copy_n(characters, N, text); }
  char text[N] = {};
};

/// The library's op of that name, `named<"add">()`; it is looked up once.
template <Name name>
const Op& named() {
  static const Op& found = own_op(name.text);
  return found;
}

// Facts of an op of any family.
inline bool is_sum(const Op& op) { return op.family == Family::binary && op.binary().is_sum; }
inline bool is_less(const Op& op) { return op.family == Family::binary && op.binary().is_less; }
inline bool chooses(const Op& op) { return op.family == Family::ternary && op.ternary().chooses; }

}  // namespace trigon::detail::entries

// SPDX-License-Identifier: MIT
#include "ir/graph.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/item.hpp"

namespace trigon::detail::ir {

const char* name(Kind kind) {
  static constexpr std::array<const char*, kind_count> names{
      "leaf",     "constant", "scalar",  "iota",      "table", "map",        "kernel",
      "cast",     "view",     "reshape", "pad",       "take",  "take_along", "reduce",
      "contract", "write",    "scatter", "parameter", "loop"};
  static_assert(names.back() != nullptr, "each kind has a name");
  return item(names, kind);
}

bool is_number(Kind kind) {
  return kind == Kind::constant || kind == Kind::scalar || kind == Kind::iota ||
         kind == Kind::table;
}

bool is_update(Kind kind) { return kind == Kind::write || kind == Kind::scatter; }

bool is_view(Kind kind) { return kind == Kind::view || kind == Kind::reshape; }

LoopNumbers loop_numbers(const Graph::Entry& loop) {
  const std::int64_t* n = loop.numbers.data();
  return {n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10]};
}

bool same_loop(const Graph::Entry& a, const Graph::Entry& b) {
  return a.kind == Kind::loop && b.kind == Kind::loop && a.body == b.body && a.inputs == b.inputs &&
         std::equal(a.numbers.begin() + 1, a.numbers.end(), b.numbers.begin() + 1);
}

}  // namespace trigon::detail::ir

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

bool is_branch(const Graph::Entry& entry) {
  const auto* const attrs = std::get_if<core::ApplyAttrs>(&entry.attrs);
  return entry.kind == Kind::map && attrs != nullptr && attrs->is_branch;
}

bool same_loop(const Graph::Entry& a, const Graph::Entry& b) {
  if (a.kind != Kind::loop || b.kind != Kind::loop || a.body != b.body || a.inputs != b.inputs) {
    return false;
  }
  LoopAttrs other = loop_attrs(b);
  other.result = loop_attrs(a).result;
  return loop_attrs(a) == other;
}

}  // namespace trigon::detail::ir

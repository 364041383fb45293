// SPDX-License-Identifier: MIT
#include "ir/graph.hpp"

#include <array>

#include "core/item.hpp"

namespace trigon::plan {

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

}  // namespace trigon::plan

// SPDX-License-Identifier: MIT
#include "ir/graph.hpp"

#include <array>

#include "core/item.hpp"

namespace trigon::detail::ir {

namespace {

constexpr std::array<KindInfo, kind_count> kind_table = {{
    {.kind = Kind::leaf, .name = "leaf"},
    {.kind = Kind::constant,
     .name = "constant",
     .is_one_number = true,
     .is_number = true,
     .has_offsets = true,
     .stacks = true},
    {.kind = Kind::scalar,
     .name = "scalar",
     .is_one_number = true,
     .is_number = true,
     .has_offsets = true,
     .stacks = true},
    {.kind = Kind::iota, .name = "iota", .is_number = true, .has_offsets = true},
    {.kind = Kind::table, .name = "table", .is_number = true},
    {.kind = Kind::map, .name = "map", .keeps_index = true, .has_offsets = true, .stacks = true},
    {.kind = Kind::kernel, .name = "kernel"},
    {.kind = Kind::cast, .name = "cast", .keeps_index = true, .has_offsets = true, .stacks = true},
    {.kind = Kind::view,
     .name = "view",
     .is_view = true,
     .only_moves = true,
     .has_offsets = true,
     .stacks = true},
    {.kind = Kind::reshape, .name = "reshape", .is_view = true, .only_moves = true, .stacks = true},
    {.kind = Kind::pad, .name = "pad", .only_moves = true, .has_offsets = true, .stacks = true},
    {.kind = Kind::take, .name = "take", .gathers = true},
    {.kind = Kind::take_along, .name = "take_along", .gathers = true},
    {.kind = Kind::reduce, .name = "reduce"},
    {.kind = Kind::contract, .name = "contract"},
    {.kind = Kind::write, .name = "write", .is_update = true, .is_drawn = true},
    {.kind = Kind::scatter, .name = "scatter", .is_update = true, .is_drawn = true},
    {.kind = Kind::parameter, .name = "parameter", .has_offsets = true},
    {.kind = Kind::loop, .name = "loop", .is_drawn = true},
}};

static_assert(core::in_order(kind_table, &KindInfo::kind),
              "kind_table has one row a kind, in their order");

}  // namespace

const KindInfo& info(Kind kind) { return item(kind_table, kind); }

bool same_loop(const Graph::Entry& a, const Graph::Entry& b) {
  if (a.kind != Kind::loop || b.kind != Kind::loop || a.body != b.body || a.inputs != b.inputs) {
    return false;
  }
  LoopAttrs other = loop_attrs(b);
  other.result = loop_attrs(a).result;
  return loop_attrs(a) == other;
}

}  // namespace trigon::detail::ir

// SPDX-License-Identifier: MIT
#include "ir/graph.hpp"

namespace trigon::detail::ir {

bool same_loop(const Graph::Entry& a, const Graph::Entry& b) {
  if (a.kind != Kind::loop || b.kind != Kind::loop || a.body != b.body || a.inputs != b.inputs) {
    return false;
  }
  LoopAttrs other = loop_attrs(b);
  other.result = loop_attrs(a).result;
  return loop_attrs(a) == other;
}

}  // namespace trigon::detail::ir

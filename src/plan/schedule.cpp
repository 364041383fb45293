// SPDX-License-Identifier: MIT
#include "plan/schedule.hpp"

#include <algorithm>
#include <set>

namespace trigon::plan {
namespace {

using graph::Kind;
using Ids = std::vector<std::int32_t>;

constexpr std::size_t max_epilogue =
    32;                               // ops computed on the result of a contraction or reduction
constexpr std::size_t cheap_ops = 8;  // recomputed rather than stored when read by several kernels
constexpr std::int64_t draw_in_fetches =
    32'768;  // as long as a draw that depends on the last takes

bool is_heavy(Kind kind) { return kind == Kind::reduce || kind == Kind::contract; }

bool is_number(Kind kind) {
  return kind == Kind::constant || kind == Kind::scalar || kind == Kind::iota;
}

void merge(Ids& into, const Ids& from) {
  Ids sum;
  std::set_union(into.begin(), into.end(), from.begin(), from.end(), std::back_inserter(sum));
  into = std::move(sum);
}

class Scheduler {
 public:
  Scheduler(const Graph& graph, const Target& target) : graph_(graph), target_(target) {
    const std::size_t n = graph.entries.size();
    s_.boundary.assign(n, false);
    s_.core.assign(n, -1);
    s_.end.assign(n, -1);
    s_.live.assign(n, false);
    s_.loads.resize(n);
  }

  Schedule run() {
    mark_roots();
    for (std::int32_t k = 0; k < size(); ++k) {
      if (is_heavy(kind(k)) && !empty(k)) find_end(k);
    }
    mark_operands();
    mark_shared();
    mark_long();
    mark_live();
    return std::move(s_);
  }

 private:
  std::int32_t size() const { return static_cast<std::int32_t>(graph_.entries.size()); }
  const Graph::Entry& at(std::int32_t k) const { return graph_[k]; }
  /// A stored node is a leaf, whatever computed it.
  Kind kind(std::int32_t k) const { return at(k).stored ? Kind::leaf : at(k).node->kind; }
  bool empty(std::int32_t k) const { return at(k).node->shape.numel() == 0; }
  bool boundary(std::int32_t k) const { return s_.boundary[static_cast<std::size_t>(k)]; }
  void set_boundary(std::int32_t k) { s_.boundary[static_cast<std::size_t>(k)] = true; }

  void mark_roots() {
    for (std::int32_t k = 0; k < size(); ++k) {
      if (at(k).stored || empty(k)) continue;
      if (at(k).root || kind(k) == Kind::write) set_boundary(k);
    }
  }

  bool keeps_index(std::int32_t k) const {
    switch (kind(k)) {
      case Kind::map:
      case Kind::cast:
      case Kind::barrier: return true;
      case Kind::reshape: return same_but_ones(at(k).node->shape, at(k).node->inputs[0]->shape);
      default: return false;
    }
  }

  /// The last node of the ops that can be computed on `core`'s result in its own draw: all ways
  /// from the core to the rest of the graph lead through it.
  void find_end(std::int32_t core) {
    // A tuple of results goes to the target as it is: only its shape may change.
    const bool several = kind(core) == Kind::reduce && at(core).node->op->reduce().outputs > 1;
    std::int32_t end = core;
    Ids inside{core};
    std::size_t open = at(core).readers.size();
    std::set<std::int32_t> next(at(core).readers.begin(), at(core).readers.end());
    while (!boundary(end) && !next.empty() && inside.size() < max_epilogue) {
      const std::int32_t k = *next.begin();
      next.erase(next.begin());
      if (!keeps_index(k) || claimed_.contains(k) || (several && !is_view(kind(k)))) break;
      const auto& inputs = at(k).inputs;
      const auto from_inside = std::count_if(inputs.begin(), inputs.end(), [&](std::int32_t input) {
        return std::find(inside.begin(), inside.end(), input) != inside.end();
      });
      open += at(k).readers.size() - static_cast<std::size_t>(from_inside);
      inside.push_back(k);
      next.insert(at(k).readers.begin(), at(k).readers.end());
      const bool all_through = open == at(k).readers.size();
      if (all_through) end = k;
      if (boundary(k) && !all_through) break;
    }
    for (std::int32_t k : inside) {
      if (k <= end) claimed_.insert(k);
    }
    set_boundary(end);
    s_.end[static_cast<std::size_t>(core)] = end;
    s_.core[static_cast<std::size_t>(end)] = core;
  }

  /// Distinct ops and stored inputs below k, up to the nearest boundaries.
  struct Region {
    std::size_t ops = 0;
    std::size_t loads = 0;
    bool gathers = false;
  };
  Region region(std::int32_t root) const {
    Region result;
    std::set<std::int32_t> seen;
    Ids stack{root};
    while (!stack.empty() && seen.size() <= 4 * max_fused_ops) {
      const std::int32_t k = stack.back();
      stack.pop_back();
      if (!seen.insert(k).second) continue;
      if (at(k).stored || is_heavy(kind(k)) || (boundary(k) && k != root)) {
        ++result.loads;
        continue;
      }
      if (is_number(kind(k))) continue;
      result.ops += is_view(kind(k)) ? 0 : 1;
      result.gathers = result.gathers || kind(k) == Kind::take;
      stack.insert(stack.end(), at(k).inputs.begin(), at(k).inputs.end());
    }
    return result;
  }

  /// The one row of a matrix-vector product is computed by each fragment that reads it where that
  /// costs fewer fetches than a draw.
  bool computes_row(std::int32_t contract, std::int32_t row) const {
    const Shape& shape = at(contract).node->shape;
    const Region cost = region(row);
    if (shape[-2] != 1 || cost.ops > 16 || cost.gathers || cost.loads > 4) return false;
    // Of two loads one is read before the loop, as softmax's maximum and sum are.
    if (cost.loads <= 2) return true;
    const std::int64_t shared = target_.share_quads ? 16 : 4;  // outputs that a texel serves
    const std::int64_t reads = shape.numel() / shared * (at(row).node->shape.numel() / 4);
    return static_cast<std::int64_t>(cost.loads - 1) * reads < draw_in_fetches;
  }

  /// A contraction reads each operand many times, so operands are stored.
  void mark_operands() {
    for (std::int32_t k = 0; k < size(); ++k) {
      if (kind(k) != Kind::contract || empty(k)) continue;
      for (int operand = 0; operand < 2; ++operand) {
        std::int32_t base = at(k).inputs[static_cast<std::size_t>(operand)];
        while (!at(base).stored && !boundary(base) && is_view(kind(base))) {
          base = at(base).inputs[0];
        }
        if (at(base).stored || boundary(base)) continue;
        if (operand == 0 && computes_row(k, base)) continue;
        set_boundary(base);
      }
    }
  }

  /// What several kernels read and none can recompute cheaply.
  void mark_shared() {
    constexpr std::int32_t many = -2;
    Ids kernel(static_cast<std::size_t>(size()),
               -1);  // the only kernel that computes a node, or `many`
    for (std::int32_t k = size(); k-- > 0;) {
      std::int32_t only = -1;
      for (std::int32_t reader : at(k).readers) {
        std::int32_t one = kernel[static_cast<std::size_t>(reader)];
        if (boundary(reader))
          one = reader;
        else if (is_heavy(kind(reader)))
          one = s_.end[static_cast<std::size_t>(reader)];
        if (one < 0 && one != many) continue;
        only = only == -1 || only == one ? one : many;
      }
      kernel[static_cast<std::size_t>(k)] = only;
      if (only != many || at(k).stored || boundary(k) || empty(k)) continue;
      if (is_view(kind(k)) || is_number(kind(k)) || kind(k) == Kind::pad || claimed_.contains(k)) {
        continue;
      }
      const Region cost = region(k);
      if (cost.loads >= 2 || cost.ops > cheap_ops) set_boundary(k);
    }
  }

  /// Cuts what is longer than a kernel may be, always at the same lengths, so that repeated
  /// structure gives equal kernels.
  void mark_long() {
    const std::size_t samplers = static_cast<std::size_t>(target_.samplers);
    std::vector<Ids> ops(graph_.entries.size()), loads(graph_.entries.size());
    for (std::int32_t k = 0; k < size(); ++k) {
      const auto i = static_cast<std::size_t>(k);
      if (at(k).stored || empty(k)) continue;
      for (;;) {
        ops[i].clear(), loads[i].clear();
        for (std::int32_t input : at(k).inputs) {
          const auto j = static_cast<std::size_t>(input);
          if (at(input).stored || boundary(input)) {
            merge(loads[i], {input});
          } else {
            merge(ops[i], ops[j]), merge(loads[i], loads[j]);
          }
        }
        const bool counts = !is_number(kind(k)) && !(loads[i].empty() && is_view(kind(k)));
        if (counts) ops[i].push_back(k);
        if (ops[i].size() <= max_fused_ops && loads[i].size() <= samplers) break;
        if (!cut_input(k, ops)) break;
      }
      if (!boundary(k)) continue;
      s_.loads[i] = std::move(loads[i]);
      ops[i].clear(), loads[i].clear();
    }
  }

  bool cut_input(std::int32_t k, const std::vector<Ids>& ops) {
    std::int32_t largest = -1;
    std::size_t most = 0;
    for (std::int32_t input : at(k).inputs) {
      const std::size_t count = ops[static_cast<std::size_t>(input)].size();
      if (at(input).stored || boundary(input) || claimed_.contains(input)) continue;
      if (count > most) most = count, largest = input;
    }
    if (largest < 0) return false;
    set_boundary(largest);
    s_.loads[static_cast<std::size_t>(largest)] = loads_below(largest);
    return true;
  }

  Ids loads_below(std::int32_t root) const {
    std::set<std::int32_t> seen, found;
    Ids stack(at(root).inputs);
    while (!stack.empty()) {
      const std::int32_t k = stack.back();
      stack.pop_back();
      if (!seen.insert(k).second) continue;
      if (at(k).stored || boundary(k)) {
        found.insert(k);
        continue;
      }
      stack.insert(stack.end(), at(k).inputs.begin(), at(k).inputs.end());
    }
    return {found.begin(), found.end()};
  }

  void mark_live() {
    for (std::int32_t k = size(); k-- > 0;) {
      bool live = at(k).outside;
      for (std::int32_t reader : at(k).readers) {
        live = live || (!boundary(reader) && s_.live[static_cast<std::size_t>(reader)]);
      }
      s_.live[static_cast<std::size_t>(k)] = live;
    }
  }

  const Graph& graph_;
  const Target& target_;
  Schedule s_;
  std::set<std::int32_t> claimed_;
};

}  // namespace

bool is_view(Kind kind) {
  return kind == Kind::reshape || kind == Kind::permute || kind == Kind::slice ||
         kind == Kind::broadcast || kind == Kind::barrier;
}

bool same_but_ones(const Shape& a, const Shape& b) {
  const auto skip = [](const Shape& shape, int k) {
    while (k < shape.rank() && shape[k] == 1) ++k;
    return k;
  };
  int i = skip(a, 0);
  int j = skip(b, 0);
  while (i < a.rank() && j < b.rank()) {
    if (a[i] != b[j]) return false;
    i = skip(a, i + 1);
    j = skip(b, j + 1);
  }
  return i == a.rank() && j == b.rank();
}

Schedule schedule(const Graph& graph, const Target& target) {
  return Scheduler(graph, target).run();
}

std::vector<std::int32_t> cut(const Graph& graph, Schedule& schedule, std::int32_t root,
                              std::size_t limit) {
  const std::int32_t around = schedule.core[static_cast<std::size_t>(root)];
  if (around >= 0 && around != root) {
    // The core gets a draw of its own; what followed it in its draw is elementwise.
    const auto core = static_cast<std::size_t>(around);
    schedule.core[static_cast<std::size_t>(root)] = -1;
    schedule.core[core] = schedule.end[core] = around;
    schedule.boundary[core] = true;
    schedule.loads[core] = schedule.loads[static_cast<std::size_t>(root)];
    return {around};
  }
  // The unstored nodes of the kernel, inputs first.
  std::set<std::int32_t> region;
  Ids stack{root};
  while (!stack.empty()) {
    const std::int32_t k = stack.back();
    stack.pop_back();
    if (graph[k].stored || (k != root && schedule.boundary[static_cast<std::size_t>(k)])) continue;
    if (!region.insert(k).second) continue;
    stack.insert(stack.end(), graph[k].inputs.begin(), graph[k].inputs.end());
  }
  std::vector<std::int32_t> added;
  std::vector<std::size_t> depth(graph.entries.size(), 0);
  for (std::int32_t k : region) {
    const auto i = static_cast<std::size_t>(k);
    if (is_number(graph[k].node->kind)) continue;
    std::size_t below = 0;
    for (std::int32_t input : graph[k].inputs) {
      if (region.contains(input) && !schedule.boundary[static_cast<std::size_t>(input)]) {
        below = std::max(below, depth[static_cast<std::size_t>(input)]);
      }
    }
    depth[i] = below + 1;
    if (depth[i] < limit || k == root || is_view(graph[k].node->kind)) continue;
    schedule.loads[i] = schedule.loads[static_cast<std::size_t>(root)];
    schedule.boundary[i] = true;
    depth[i] = 0;
    added.push_back(k);
  }
  return added;
}

}  // namespace trigon::plan

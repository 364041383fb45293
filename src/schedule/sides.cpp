// SPDX-License-Identifier: MIT
#include "schedule/sides.hpp"

#include <algorithm>
#include <iterator>

#include "core/item.hpp"
#include "core/target.hpp"

namespace trigon::detail::schedule {
namespace {

bool is_constant(const ir::ViewAxis& axis) {
  return std::all_of(axis.factors.begin(), axis.factors.end(),
                     [](std::int64_t factor) { return factor == 0; });
}

}  // namespace

std::optional<Predicate> predicate_of(const ir::Graph& graph, std::int32_t where) {
  const std::int32_t k = graph[where].inputs[0];
  const ir::Graph::Entry& entry = graph[k];
  if (entry.kind != ir::Kind::view) {
    if (entry.shape.numel() != 1) return std::nullopt;
    return Predicate{k, {}};
  }
  const std::int32_t below = entry.inputs[0];
  if (graph[below].shape.numel() == 1) return Predicate{below, {}};
  if (!std::all_of(entry.view.begin(), entry.view.end(), is_constant)) return std::nullopt;
  std::size_t terms = 0;
  for (const ir::ViewAxis& axis : entry.view) {
    for (const ir::ViewAxis::Term& term : axis.terms) {
      if (term.scalar == ir::ViewAxis::Term::iteration || ++terms > 1) return std::nullopt;
    }
  }
  return Predicate{below, entry.view};
}

std::size_t most_literals(const core::Target& target) {
  return static_cast<std::size_t>(std::min(target.vertex_samplers, most_of_a_graph));
}

const Literals& Sides::need(std::int32_t entry) const {
  static const Literals none;
  return needs.empty() ? none : item(needs, entry);
}

std::int32_t Sides::predicate(const ir::Graph& graph, std::int32_t where) const {
  if (predicates.empty() || !core::is_branch(graph[where].attrs)) return -1;
  const std::optional<Predicate> one = predicate_of(graph, where);
  const auto at = one ? std::find(predicates.begin(), predicates.end(), *one) : predicates.end();
  return at == predicates.end() ? -1 : static_cast<std::int32_t>(at - predicates.begin());
}

Literals with(Literals literals, const Literal& one) {
  const auto at = std::lower_bound(literals.begin(), literals.end(), one);
  if (at == literals.end() || *at != one) literals.insert(at, one);
  return literals;
}

Literals common(const Literals& a, const Literals& b) {
  Literals both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

}  // namespace trigon::detail::schedule

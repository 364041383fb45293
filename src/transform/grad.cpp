// SPDX-License-Identifier: MIT
#include "trigon/grad.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/called.hpp"
#include "core/internals.hpp"
#include "core/list.hpp"
#include "graph/build.hpp"
#include "graph/named.hpp"
#include "graph/trace.hpp"
#include "transform/grad_rules.hpp"
#include "transform/tape.hpp"
#include "trigon/create.hpp"
#include "trigon/index.hpp"
#include "trigon/shape.hpp"

namespace trigon {
namespace {

using graph::Kind;
using graph::Node;
using graph::NodePtr;
using transform::Entry;
using transform::Side;
using transform::Sides;
using transform::Tape;

void check_argument(std::size_t argument, const std::vector<Tensor>& leaves) {
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    if (leaves[k].dtype() == DType::float32) continue;
    core::fail("argument {} is not float32: its leaf {} is {}; cast it with astype, or capture it",
               argument, k, name(leaves[k].dtype()));
  }
}

// The sides of an entry, and the side of its input at `place`.
Sides sides_at(const Sides& own, const Entry& entry, std::size_t place) {
  Sides sides = own;
  if (entry.predicate != nullptr && place > 0) sides.push_back({entry.predicate, place});
  return sides;
}

void find_sides(Tape& tape, const NodePtr& root) {
  tape.sides[root.get()];
  for (auto entry = tape.entries.rbegin(); entry != tape.entries.rend(); ++entry) {
    const auto own = tape.sides.find(detail::Internals::node(entry->y).get());
    if (own == tape.sides.end()) continue;
    const Sides above = own->second;
    for (std::size_t k = 0; k < entry->inputs.size(); ++k) {
      const Sides sides = sides_at(above, *entry, k);
      const auto [known, is_new] = tape.sides.try_emplace(entry->inputs[k].get(), sides);
      if (is_new) continue;
      std::erase_if(known->second, [&](const Side& side) { return !core::contains(sides, side); });
    }
  }
}

// The gradient g from the sides `from`, for a node with the sides `to`: 0 where another side is
// taken.
Tensor chosen(Tensor g, const Sides& from, const Sides& to) {
  for (const Side& side : from) {
    if (core::contains(to, side)) continue;
    Shape ones;
    while (ones.rank() < g.ndim()) ones.push_back(1);
    const Tensor predicate = reshape(detail::Internals::tensor(side.predicate), ones);
    g = side.place == 1 ? where(predicate, g, 0.0) : where(predicate, 0.0, g);
    detail::Internals::node(g)->attrs = core::ApplyAttrs{.is_branch = true};
  }
  return g;
}

Tape tape_of(const Tensor& value, std::vector<NodePtr> arguments) {
  Tape tape;
  for (const NodePtr& argument : arguments) tape.dependent.insert(argument.get());
  if (!arguments.empty()) {
    for (Entry& entry : transform::collect(detail::Internals::node(value), arguments)) {
      const bool depends =
          std::any_of(entry.inputs.begin(), entry.inputs.end(),
                      [&](const NodePtr& input) { return tape.dependent.contains(input.get()); });
      if (!depends) continue;
      tape.dependent.insert(detail::Internals::node(entry.y).get());
      entry.predicate = transform::predicate_of(entry);
      tape.entries.push_back(std::move(entry));
    }
  }
  tape.arguments = std::move(arguments);
  find_sides(tape, detail::Internals::node(value));
  return tape;
}

// A rule's gradient as float32 of the input's shape; rules may return one that only broadcasts to
// it.
Tensor fitted(const Tensor& g, const Shape& shape) {
  return graph::expand(graph::cast(g, DType::float32), shape);
}

/// A Named must live.
std::vector<Tensor> pull_back(const Tape& tape, const Tensor& value, const Tensor& dy) {
  if (!(dy.shape() == value.shape())) {
    core::fail("shapes differ: dy is {}, the value is {}; must be equal", to_string(dy.shape()),
               to_string(value.shape()));
  }
  std::unordered_map<const Node*, std::vector<Tensor>> sums;  // a gradient for each result
  const auto accumulate = [&](const NodePtr& node, const Tensor& g, std::size_t result = 0) {
    std::vector<Tensor>& all = sums[node.get()];
    if (all.size() <= result) all.resize(result + 1);
    all[result] = all[result].has_value() ? all[result] + g : g;
  };
  accumulate(detail::Internals::node(value), fitted(dy, value.shape()));
  for (auto entry = tape.entries.rbegin(); entry != tape.entries.rend(); ++entry) {
    const auto found = sums.find(detail::Internals::node(entry->y).get());
    if (found == sums.end()) continue;
    const std::vector<Tensor> g = std::move(found->second);
    sums.erase(found);
    const Sides own = tape.sides.at(detail::Internals::node(entry->y).get());
    if (detail::Internals::node(entry->y)->kind == Kind::output) {
      const NodePtr& of = entry->inputs[0];
      accumulate(of, chosen(g[0], own, tape.sides.at(of.get())),
                 static_cast<std::size_t>(
                     detail::Internals::node(entry->y)->as<graph::OutputAttrs>().number));
      continue;
    }
    // A cond passes the gradient on to both of its sides; it chooses where they meet.
    std::vector<Tensor> gradients =
        entry->predicate != nullptr
            ? std::vector<Tensor>{Tensor(), g[0], g[0]}
            : transform::gradients(detail::Internals::node(entry->y), entry->inputs, g);
    for (std::size_t k = 0; k < gradients.size(); ++k) {
      const NodePtr& input = entry->inputs[k];
      if (!gradients[k].has_value() || !tape.dependent.contains(input.get())) continue;
      accumulate(input, chosen(fitted(gradients[k], input->shape), sides_at(own, *entry, k),
                               tape.sides.at(input.get())));
    }
  }
  std::vector<Tensor> result;
  for (const NodePtr& argument : tape.arguments) {
    const auto found = sums.find(argument.get());
    result.push_back(found == sums.end()
                         ? zeros(argument->shape)
                         : chosen(found->second[0], tape.sides.at(argument.get()), {}));
  }
  return result;
}

}  // namespace

namespace detail::differentiated {

LeafVjp vjp_of(const LeafFunction& f, const std::vector<Leaves>& arguments) {
  for (std::size_t k = 0; k < arguments.size(); ++k) check_argument(k, arguments[k]);
  std::vector<NodePtr> nodes;
  Leaves inputs;
  for (const Leaves& leaves : arguments) {
    for (const Tensor& leaf : leaves) {
      nodes.push_back(transform::argument_of(leaf));
      inputs.push_back(Internals::tensor(nodes.back()));
    }
  }
  const Tensor value = [&] {
    const graph::UserCode own_names;
    const graph::Inlining scope;  // a gradient needs the nodes inside compiled functions
    return f(std::move(inputs));
  }();
  graph::check_operand("the result of f", value);
  if (!is_float(value.dtype())) {
    core::fail("the result of f is not a float: it is {}; must be float32 or float16",
               name(value.dtype()));
  }
  auto tape = std::make_shared<const Tape>(tape_of(value, std::move(nodes)));
  return {value, [function = core::called_function(), tape, value](const Tensor& dy) {
            const graph::Named of_pullback(function, {{"dy", dy}, {"the value", value}});
            return pull_back(*tape, value, dy);
          }};
}

ValueAndGradients<Leaves> value_and_grad_of(const LeafFunction& f,
                                            const std::vector<Leaves>& arguments) {
  LeafVjp at = vjp_of(f, arguments);
  if (at.value.size() != 1) {
    core::fail("the result of f is not a single number: it is {}; its size must be 1",
               to_string(at.value.shape()));
  }
  Leaves gradients = at.pullback(ones(at.value.shape()));
  return {std::move(at.value), std::move(gradients)};
}

}  // namespace detail::differentiated

}  // namespace trigon

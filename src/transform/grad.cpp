// SPDX-License-Identifier: MIT
#include "trigon/grad.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "core/called.hpp"
#include "core/internals.hpp"
#include "core/list.hpp"
#include "core/walk.hpp"
#include "graph/build.hpp"
#include "graph/named.hpp"
#include "transform/grad_rules.hpp"
#include "transform/loop_vjp.hpp"
#include "transform/tape.hpp"
#include "trigon/create.hpp"
#include "trigon/index.hpp"
#include "trigon/shape.hpp"

namespace trigon::detail::transform {
namespace {

using graph::Kind;
using graph::Node;
using graph::NodePtr;

// A side of a cond: `place` is 1 or 2, the input of `where`.
struct Side {
  NodePtr predicate;
  std::size_t place;
  friend bool operator==(const Side&, const Side&) = default;
};
using Sides = std::vector<Side>;

// The cond sides on all paths of gradients to a node.
using SidesOf = std::unordered_map<const Node*, Sides>;

// The sides of an entry, and the side of its input at `place`.
Sides sides_at(const Sides& own, const Entry& entry, std::size_t place) {
  Sides sides = own;
  if (entry.predicate != nullptr && place > 0) sides.push_back({entry.predicate, place});
  return sides;
}

SidesOf sides_of(const Tape& tape, std::span<const Tensor> results) {
  SidesOf found;
  for (const Tensor& result : results) found[Internals::node(result).get()];
  for (auto entry = tape.entries.rbegin(); entry != tape.entries.rend(); ++entry) {
    const auto own = found.find(Internals::node(entry->y).get());
    if (own == found.end()) continue;
    const Sides above = own->second;
    for (std::size_t k = 0; k < entry->inputs.size(); ++k) {
      const Sides sides = sides_at(above, *entry, k);
      const auto [known, is_new] = found.try_emplace(entry->inputs[k].get(), sides);
      if (is_new) continue;
      std::erase_if(known->second, [&](const Side& side) { return !core::contains(sides, side); });
    }
  }
  return found;
}

// The gradient g from the sides `from`, for a node with the sides `to`: 0 where another side is
// taken.
Tensor chosen(Tensor g, const Sides& from, const Sides& to) {
  for (const Side& side : from) {
    if (core::contains(to, side)) continue;
    Shape ones;
    while (ones.rank() < g.ndim()) ones.push_back(1);
    const Tensor predicate = reshape(Internals::tensor(side.predicate), ones);
    g = side.place == 1 ? where(predicate, g, 0.0) : where(predicate, 0.0, g);
    Internals::node(g)->attrs = core::ApplyAttrs{.is_branch = true};
  }
  return g;
}

// Whether each input depends on an argument and can have a gradient.
std::vector<bool> depending(const Tape& tape, const Entry& entry) {
  std::vector<bool> depends;
  for (const NodePtr& input : entry.inputs) {
    depends.push_back(tape.dependent.contains(input.get()) && is_float(input->dtype));
  }
  return depends;
}

}  // namespace

Leaves pull_back(const Tape& tape, std::span<const Tensor> results, std::span<const Tensor> dy) {
  const SidesOf sides = sides_of(tape, results);
  std::unordered_map<const Node*, Leaves> sums;  // a gradient for each result
  const auto accumulate = [&](const NodePtr& node, const Tensor& g, std::size_t result = 0) {
    Leaves& all = sums[node.get()];
    if (all.size() <= result) all.resize(result + 1);
    all[result] = all[result].has_value() ? all[result] + g : g;
  };
  for (std::size_t k = 0; k < results.size(); ++k) {
    if (dy[k].has_value()) {
      accumulate(Internals::node(results[k]), fitted(dy[k], results[k].shape()));
    }
  }
  for (auto entry = tape.entries.rbegin(); entry != tape.entries.rend(); ++entry) {
    const NodePtr& node = Internals::node(entry->y);
    const auto found = sums.find(node.get());
    if (found == sums.end()) continue;
    const Leaves g = std::move(found->second);
    sums.erase(found);
    const Sides& own = sides.at(node.get());
    if (node->kind == Kind::output) {
      const NodePtr& of = entry->inputs[0];
      accumulate(of, chosen(g[0], own, sides.at(of.get())),
                 static_cast<std::size_t>(node->as<graph::OutputAttrs>().number));
      continue;
    }
    // A cond passes the gradient on to both of its sides; it chooses where they meet.
    const Leaves below = node->kind == Kind::loop
                             ? gradients_of_loop(*entry, g, depending(tape, *entry))
                         : entry->predicate != nullptr ? Leaves{Tensor(), g[0], g[0]}
                                                       : gradients(node, entry->inputs, g);
    for (std::size_t k = 0; k < below.size(); ++k) {
      const NodePtr& input = entry->inputs[k];
      if (!below[k].has_value() || !tape.dependent.contains(input.get())) continue;
      accumulate(input, chosen(fitted(below[k], input->shape), sides_at(own, *entry, k),
                               sides.at(input.get())));
    }
  }
  Leaves pulled;
  for (const NodePtr& argument : tape.arguments) {
    const auto found = sums.find(argument.get());
    pulled.push_back(found == sums.end() ? Tensor()
                                         : chosen(found->second[0], sides.at(argument.get()), {}));
  }
  return pulled;
}

Leaves transposed_rule(Wanted wanted, const std::string& name, const Leaves& like,
                       const std::function<Leaves(const Leaves&)>& rule,
                       std::span<const Tensor> g) {
  struct Words {
    const char *function, *given, *wanted, *remedy;
  };
  const Words words = wanted == Wanted::tangents
                          ? Words{"jvp", "gradients", "tangents", "custom_jvp"}
                          : Words{"vjp", "tangents", "gradients", "custom_vjp"};
  std::vector<NodePtr> inputs;
  Leaves placeholders;
  for (const Tensor& one : like) {
    inputs.push_back(argument_of(zeros(one.shape())));
    placeholders.push_back(Internals::tensor(inputs.back()));
  }
  const Leaves results = rule(placeholders);
  Leaves made, dy;
  for (std::size_t k = 0; k < results.size(); ++k) {
    if (!results[k].has_value() || !g[k].has_value()) continue;
    made.push_back(fitted(results[k], g[k].shape()));
    dy.push_back(g[k]);
  }
  const Tape tape = with_kept_carries(tape_of(made, std::move(inputs)), made);
  Leaves pulled = pull_back(tape, made, dy);
  core::Walk<NodePtr> walk({});
  for (const Tensor& one : pulled) {
    if (one.has_value()) walk.add(Internals::node(one));
  }
  for (const NodePtr& node : walk) {
    if (core::contains(tape.arguments, node)) {
      core::fail_in(words.function,
                    "the rule of {} is not linear in the {} that it is given, so no {} follow from "
                    "it\n  hint: give the function a rule of its own with {}(f, rule)",
                    name, words.given, words.wanted, words.remedy);
    }
    if (node->id > tape.arguments.front()->id) walk.add(graph::inputs_of(*node));
  }
  return pulled;
}

}  // namespace trigon::detail::transform

namespace trigon::detail::differentiated {
namespace {

void check_floats(const Leaves& results) {
  for (std::size_t k = 0; k < results.size(); ++k) {
    if (is_float(results[k].dtype())) continue;
    core::fail("{} is not a float: it is {}; must be float32 or float16",
               transform::result_name(results, k), name(results[k].dtype()));
  }
}

}  // namespace

LeafVjp vjp_of(const LeafFunction& f, const std::vector<Leaves>& arguments) {
  transform::Traced traced = transform::call_with_arguments(f, arguments);
  Leaves& values = traced.results;
  check_floats(values);
  transform::Tape recorded = transform::tape_of(values, std::move(traced.arguments));
  auto tape = std::make_shared<const transform::Tape>(
      transform::with_kept_carries(std::move(recorded), values));
  return {values, [function = core::called_function(), tape, values](const Leaves& dy) {
            const graph::Named of_pullback(function);
            transform::check_like("dy", dy, "the value", values);
            Leaves gradients = transform::pull_back(*tape, values, dy);
            for (std::size_t k = 0; k < gradients.size(); ++k) {
              if (!gradients[k].has_value()) gradients[k] = zeros(tape->arguments[k]->shape);
            }
            return gradients;
          }};
}

ValueAndGradients<Leaves> value_and_grad_of(const LeafFunction& f,
                                            const std::vector<Leaves>& arguments) {
  LeafVjp at = vjp_of(f, arguments);
  const Tensor& value = at.values[0];
  if (value.size() != 1) {
    core::fail("the result of f is not a single number: it is {}; its size must be 1",
               to_string(value.shape()));
  }
  Leaves gradients = at.pullback({ones(value.shape())});
  return {value, std::move(gradients)};
}

}  // namespace trigon::detail::differentiated

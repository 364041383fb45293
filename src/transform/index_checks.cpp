// SPDX-License-Identifier: MIT
#include "transform/index_checks.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "core/called.hpp"
#include "core/internals.hpp"
#include "core/item.hpp"
#include "core/list.hpp"
#include "core/quote.hpp"
#include "core/walk.hpp"
#include "graph/build.hpp"
#include "graph/loop.hpp"
#include "transform/trace_loop.hpp"
#include "trigon/create.hpp"
#include "trigon/index.hpp"
#include "trigon/join.hpp"
#include "trigon/math.hpp"
#include "trigon/reduce.hpp"
#include "trigon/shape.hpp"

namespace trigon::detail::transform {
namespace {

/// A node and a copy of its inputs: another thread may evaluate the node, which then loses its
/// inputs.
struct Seen {
  graph::NodePtr node;
  std::vector<graph::NodePtr> inputs;
};

/// Nodes below the roots, inputs first, each once. A node with a value has no inputs.
std::vector<Seen> in_order(std::span<const graph::NodePtr> roots) {
  using Inputs = std::vector<graph::NodePtr>;
  std::vector<Seen> order;
  std::unordered_set<const graph::Node*> seen;
  const auto enter = [&](const graph::NodePtr& node) -> std::optional<Inputs> {
    if (!seen.insert(node.get()).second) return std::nullopt;
    return inputs_of(*node);
  };
  const auto leave = [&](graph::NodePtr node, Inputs inputs) {
    order.push_back({std::move(node), std::move(inputs)});
  };
  for (const graph::NodePtr& root : roots) core::walk_up(root, enter, leave);
  return order;
}

/// Nodes of a body whose indices must be checked, and inner loops.
std::vector<Seen> readers_in(const std::vector<Seen>& order) {
  std::vector<Seen> readers;
  for (const Seen& seen : order) {
    if (seen.inputs.empty()) continue;
    const graph::Node& node = *seen.node;
    if (node.body != nullptr || node.indexed != nullptr) readers.push_back(seen);
  }
  return readers;
}

/// Steps to the user's indices, or to a node that has a value or is a parameter.
void unwrap(graph::NodePtr& node, std::size_t& wrappers) {
  for (; wrappers > 0; --wrappers) {
    const std::vector<graph::NodePtr> inputs = inputs_of(*node);
    if (inputs.empty()) return;
    node = inputs[0];
  }
}

/// The indices out of range, 0 for others. 0 can mean "right", since no axis is so short that 0 is
/// wrong.
Tensor wrong_among(const Tensor& indices, const graph::IndexUse& use) {
  const std::int64_t n = use.size;
  Tensor is_wrong = indices >= n;
  if (!use.is_label) is_wrong = is_wrong || indices < -n;
  return where(is_wrong, indices, 0).astype(indices.dtype());
}

/// Collects checks, each for different indices.
class Checks {
 public:
  void add(const graph::IndexUse& use, graph::NodePtr node, std::size_t wrappers) {
    unwrap(node, wrappers);
    if (!seen_.emplace(node.get(), use.size, use.is_label).second) return;
    all.push_back({use, nullptr, wrong_among(Internals::tensor(node), use)});
  }
  std::vector<IndexCheck> all;

 private:
  std::set<std::tuple<const graph::Node*, std::int64_t, bool>> seen_;
};

/// A body's graph with other tensors in place of its parameters.
class Instance {
 public:
  Instance(const std::vector<Seen>& order, std::span<const Tensor> arguments) {
    for (const Seen& one : order) copies_.emplace(one.node.get(), copy(one, arguments));
  }
  Tensor operator[](const graph::NodePtr& node) const {
    return Internals::tensor(copies_.at(node.get()));
  }

 private:
  graph::NodePtr copy(const Seen& one, std::span<const Tensor> arguments) const {
    const auto& [node, inputs] = one;
    if (node->kind == graph::Kind::parameter) {
      return Internals::node(item(arguments, node->as<graph::ParameterAttrs>().number));
    }
    if (inputs.empty()) return node;
    auto made = without_inputs(*node);
    for (const graph::NodePtr& input : inputs) add_input(*made, copies_.at(input.get()));
    return made;
  }

  std::unordered_map<const graph::Node*, graph::NodePtr> copies_;
};

void append_checks(const std::vector<Seen>& readers, Checks& checks);

/// The loop of a node with one more carry for each run-time index: the wrong index of the first
/// iteration that has one.
class CheckedLoop {
 public:
  explicit CheckedLoop(const Seen& loop)
      : node_(*loop.node), body_(*loop.node->body), inputs_(loop.inputs) {
    order_ = in_order(body_.results);
    readers_ = readers_in(order_);
  }

  void append(Checks& checks) const {
    std::vector<graph::NodePtr> inside;
    for (const Seen& reader : readers_) {
      if (!add_fixed(reader, checks)) inside.push_back(reader.node);
    }
    if (inside.empty() || ends_by_element()) return;
    const std::vector<IndexCheck> first = checks_of_an_iteration(first_arguments(), inside);
    if (first.empty()) return;
    std::vector<Tensor> found = run(inside, first);
    for (std::size_t k = 0; k < first.size(); ++k) {
      const char* const loop = first[k].loop == nullptr ? function_of(body_.kind) : first[k].loop;
      checks.all.push_back({first[k].use, loop, std::move(found[k])});
    }
  }

 private:
  /// Whether the indices of a reader are the same in all iterations, or slices of an xs; if so,
  /// adds a check before the loop.
  bool add_fixed(const Seen& reader, Checks& checks) const {
    if (reader.node->body != nullptr) return false;
    const graph::IndexUse& use = *reader.node->indexed;
    graph::NodePtr node = item(reader.inputs, use.input);
    std::size_t wrappers = use.wrappers;
    unwrap(node, wrappers);
    if (node->kind != graph::Kind::parameter) return false;
    const std::int64_t number = node->as<graph::ParameterAttrs>().number;
    if (number <= body_.carries) return false;
    checks.add(use, item(inputs_, number - 1), wrappers);
    return true;
  }

  bool ends_by_element() const {
    return body_.has_condition && body_.results.back()->shape.numel() > 1;
  }

  std::span<const graph::NodePtr> inputs(std::int32_t from, std::int32_t count) const {
    return std::span(inputs_).subspan(static_cast<std::size_t>(from),
                                      static_cast<std::size_t>(count));
  }

  /// The arguments of an iteration; `state` may have more than the carries.
  std::vector<Tensor> arguments(const Tensor& step, const Leaves& state,
                                const Leaves& slices) const {
    std::vector<Tensor> all{step};
    all.insert(all.end(), state.begin(), state.begin() + body_.carries);
    core::append(all, slices);
    for (const graph::NodePtr& captured : inputs(body_.carries + body_.slices, body_.captured)) {
      all.push_back(Internals::tensor(captured));
    }
    return all;
  }

  /// Arguments of an iteration, only for their shapes. Each carry is a separate node, like the
  /// parameters.
  std::vector<Tensor> first_arguments() const {
    Leaves state, slices;
    for (const graph::NodePtr& carry : inputs(0, body_.carries)) {
      state.push_back(zeros(carry->shape, carry->dtype));
    }
    for (const graph::NodePtr& x : inputs(body_.carries, body_.slices))
      slices.push_back(Internals::tensor(x)[0]);
    return arguments(graph::constant(0, int32), state, slices);
  }

  std::vector<IndexCheck> checks_of_an_iteration(std::span<const Tensor> given,
                                                 const std::vector<graph::NodePtr>& readers) const {
    const Instance instance(order_, given);
    std::vector<Seen> copies;
    for (const graph::NodePtr& reader : readers) {
      const graph::NodePtr copy = Internals::node(instance[reader]);
      copies.push_back({copy, inputs_of(*copy)});
    }
    Checks checks;
    append_checks(copies, checks);
    return std::move(checks.all);
  }

  std::vector<Tensor> run(const std::vector<graph::NodePtr>& readers,
                          const std::vector<IndexCheck>& first) const {
    Loop loop = loop_like(node_, inputs_);
    for (const graph::NodePtr& carry : inputs(0, body_.carries))
      loop.init.push_back(Internals::tensor(carry));
    for (const IndexCheck& check : first) {
      loop.init.push_back(zeros(check.wrong.shape(), check.wrong.dtype()));
    }
    for (const graph::NodePtr& x : inputs(body_.carries, body_.slices))
      loop.xs.push_back(Internals::tensor(x));
    loop.body = [&](const Tensor& step, const Leaves& state, const Leaves& slices) {
      const std::vector<Tensor> given = arguments(step, state, slices);
      const Instance instance(order_, given);
      Iteration iteration;
      for (std::int32_t k = 0; k < body_.carries; ++k) {
        iteration.state.push_back(instance[item(body_.results, k)]);
      }
      const std::vector<IndexCheck> checks = checks_of_an_iteration(given, readers);
      for (std::size_t k = 0; k < checks.size(); ++k) {
        const Tensor& before = item(state, body_.carries + static_cast<std::int64_t>(k));
        iteration.state.push_back(
            where(before == 0, checks[k].wrong, before).astype(before.dtype()));
      }
      return iteration;
    };
    if (body_.has_condition) {
      loop.condition = [&](const Leaves& state) {
        const std::vector<Tensor> given = arguments(graph::constant(0, int32), state, {});
        return reshape(Instance(order_, given)[body_.results.back()], Shape{});
      };
    }
    const Leaves last = build_loop(loop);
    return {last.begin() + body_.carries, last.begin() + std::ssize(loop.init)};
  }

  const graph::Node& node_;
  const graph::LoopBody& body_;
  std::vector<graph::NodePtr> inputs_;
  std::vector<Seen> order_;
  std::vector<Seen> readers_;
};

void append_checks(const std::vector<Seen>& readers, Checks& checks) {
  for (const Seen& reader : readers) {
    if (reader.node->body != nullptr) {
      CheckedLoop(reader).append(checks);
    } else {
      const graph::IndexUse& use = *reader.node->indexed;
      checks.add(use, item(reader.inputs, use.input), use.wrappers);
    }
  }
}

std::string rule_of(const graph::IndexUse& use) {
  if (use.is_label) return fmt::format("must be below {}, the number of classes", use.size);
  return fmt::format("must be in [-{0}, {0}), as axis {1} has {0} elements", use.size, use.axis);
}

/// The position of an element in the user's indices.
std::string place_of(Shape shape, std::int64_t element, const graph::IndexUse& use) {
  std::vector<std::int64_t> place(static_cast<std::size_t>(shape.rank()));
  for (int axis = shape.rank(); axis-- > 0; element /= shape[axis]) {
    item(place, axis) = element % shape[axis];
  }
  if (use.is_label) place.erase(place.begin() + use.axis);
  return core::shape_text(place);
}

}  // namespace

std::vector<IndexCheck> index_checks(std::span<const graph::NodePtr> roots) {
  Checks checks;
  append_checks(readers_in(in_order(roots)), checks);
  return std::move(checks.all);
}

Tensor any_wrong(std::span<const IndexCheck> checks) {
  Tensor found;
  for (const IndexCheck& check : checks) {
    const Tensor here = any(check.wrong != 0);
    found = found.has_value() ? found || here : here;
  }
  return found;
}

void refuse_wrong(const IndexCheck& check) {
  const std::vector<std::int64_t> values = check.wrong.to_vector<std::int64_t>();
  const auto found =
      std::find_if(values.begin(), values.end(), [](std::int64_t value) { return value != 0; });
  if (found == values.end()) return;
  const graph::IndexUse& use = check.use;
  core::fail_in(use.function, "{} out of range: {} at {}{}; {}", use.is_label ? "label" : "index",
                *found, place_of(check.wrong.shape(), found - values.begin(), use),
                check.loop == nullptr ? "" : fmt::format(" in a step of {}", check.loop),
                rule_of(use));
}

}  // namespace trigon::detail::transform

// SPDX-License-Identifier: MIT
#include "transform/loop_vjp.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/internals.hpp"
#include "core/item.hpp"
#include "core/walk.hpp"
#include "graph/build.hpp"
#include "graph/loop.hpp"
#include "transform/body_copy.hpp"
#include "transform/forward.hpp"
#include "transform/grad_rules.hpp"
#include "transform/kept_loop.hpp"
#include "transform/trace_loop.hpp"
#include "trigon/create.hpp"
#include "trigon/shape.hpp"

// Backwards, a loop is a scan over its carries in reverse: each iteration computes one of the loop
// again from the carries before it, and pulls its gradients back. So the loop is built again, with
// the carries of each iteration as further outputs.

namespace trigon::detail::transform {
namespace {

using graph::Kind;
using graph::LoopBody;
using graph::Node;
using graph::NodePtr;

/// Nodes on a way from an argument to a result on which a gradient can pass.
std::unordered_set<const Node*> on_the_way(const Tape& tape, const Leaves& results) {
  std::unordered_set<const Node*> passing;
  for (const NodePtr& argument : tape.arguments) passing.insert(argument.get());
  const auto passes = [&](std::size_t, const NodePtr& input) {
    return passing.contains(input.get());
  };
  for (const Entry& entry : tape.entries) {
    const Node& node = *Internals::node(entry.y);
    if (passes_tangents(node) && any_passes_to(node, entry.inputs, passes)) passing.insert(&node);
  }
  std::unordered_set<const Node*> asked;
  for (const Tensor& result : results) asked.insert(Internals::node(result).get());
  for (auto entry = tape.entries.rbegin(); entry != tape.entries.rend(); ++entry) {
    const Node* const node = Internals::node(entry->y).get();
    if (!asked.contains(node) || !passing.contains(node)) {
      asked.erase(node);
      continue;
    }
    for (const NodePtr& input : entry->inputs) asked.insert(input.get());
  }
  return asked;
}

bool can_keep_carries(const Node& loop, std::span<const NodePtr> inputs) {
  return loop.body->carries > 0 && LoopParts(loop, inputs).is_counted();
}

// ---- Backwards ----------------------------------------------------------------------------------

/// A tensor from outside in a body: a captured one, or views of it. Iterations add to its gradient
/// per element, and the sum goes through the views once, after the loop. A sum over a batch inside
/// the loop would make its elements depend on each other.
struct Point {
  NodePtr node;        ///< of the body
  std::int64_t input;  ///< of the loop: the captured tensor
  Tensor outside;      ///< its value
};

bool is_static_view(const Node& node, std::span<const NodePtr> inputs) {
  return info(node.kind).is_view && node.kind != Kind::argument && inputs.size() == 1;
}

class BackwardLoop {
 public:
  BackwardLoop(const LoopParts& loop, Leaves carries, std::span<const Tensor> g,
               const std::vector<bool>& depends)
      : loop_(loop),
        body_(loop.body),
        carries_(std::move(carries)),
        g_(g),
        reach_(body_, {depends.begin(), depends.begin() + loop.values()}) {
    find_carries();
    find_points();
    rehearse();
  }

  /// A gradient for each input of the loop, or an empty handle.
  Leaves gradients() {
    Loop back{.kind = graph::LoopKind::scan,
              .init = first_state(),
              .xs = slices(),
              .body = {},
              .condition = {},
              .first = {0},
              .iterations = {loop_.attrs.iterations}};
    back.body = [this](const Tensor& step, const Leaves& state, const Leaves& given) {
      return iteration(step, state, given);
    };
    return sorted(build_loop(back));
  }

 private:
  // ---- The gradients that are asked for

  /// Carries on a way from an input that depends on something to a result with a gradient.
  void find_carries() {
    for (std::int64_t k = 0; k < body_.carries; ++k) {
      asks_carry_.push_back(k < std::ssize(g_) && item(g_, k).has_value());
    }
    std::vector<NodePtr> roots;
    for (std::int64_t k = 0; k < body_.outputs; ++k) {
      if (has_output_gradient(k)) roots.push_back(item(body_.results, body_.carries + k));
    }
    for (bool is_new = true; is_new;) {
      is_new = false;
      core::Walk<NodePtr> walk(roots);
      for (std::int64_t k = 0; k < body_.carries; ++k) {
        if (asks_carry_[at(k)]) walk.add(item(body_.results, k));
      }
      for (const NodePtr& node : walk) {
        if (passes_tangents(*node)) walk.add(graph::inputs_of(*node));
      }
      for (std::int64_t k = 0; k < body_.carries; ++k) {
        if (asks_carry_[at(k)] || !walk.seen().contains(item(body_.parameters, k + 1))) continue;
        asks_carry_[at(k)] = is_new = true;
      }
    }
    for (std::int64_t k = 0; k < body_.carries; ++k) {
      asks_carry_[at(k)] = asks_carry_[at(k)] && reach_.input(k);
    }
  }
  static std::size_t at(std::int64_t k) { return static_cast<std::size_t>(k); }
  bool asks_carry(std::int64_t k) const { return asks_carry_[at(k)]; }

  /// Captured tensors and static views of them that elementwise code reads.
  void find_points() {
    std::int64_t largest = 1;
    for (std::int64_t k = 0; k < body_.carries; ++k) {
      largest = std::max(largest, item(loop_.inputs, k)->shape.numel());
    }
    std::unordered_map<const Node*, std::int64_t> input_of;
    for (std::int64_t k = loop_.first_captured(); k < loop_.values(); ++k) {
      if (reach_.input(k)) input_of[item(body_.parameters, k + 1).get()] = k;
    }
    const std::vector<NodePtr> nodes = nodes_below(body_.results);
    std::unordered_set<const Node*> read_whole;  // not by a map
    for (const NodePtr& node : nodes) {
      const std::vector<NodePtr> inputs = graph::inputs_of(*node);
      if (is_static_view(*node, inputs) && input_of.contains(inputs[0].get())) {
        input_of[node.get()] = input_of[inputs[0].get()];
      } else if (node->kind != Kind::map) {
        for (const NodePtr& input : inputs) read_whole.insert(input.get());
      }
    }
    BodyCopy outside = copy_of_body(loop_);
    for (const NodePtr& node : nodes) {
      const auto found = input_of.find(node.get());
      if (found == input_of.end()) continue;
      const bool is_view = node->kind != Kind::parameter;
      if (is_view && (read_whole.contains(node.get()) || node->shape.numel() > largest)) continue;
      points_.push_back({node, found->second, outside.value(node)});
    }
  }

  /// Which gradients an iteration gives, and which values it reads.
  void rehearse() {
    const auto slice_of = [](const NodePtr& x) {
      Shape shape = x->shape;
      shape.erase(0);
      auto node = std::make_shared<Node>(Kind::parameter, x->dtype, shape);
      node->attrs = graph::ParameterAttrs{.number = 1};
      node->device = x->device;
      return Internals::tensor(std::move(node));
    };
    const std::uint64_t first_id = Node(Kind::constant, DType::float32, {}).id;
    Leaves carries, xs;
    for (const Tensor& x : carries_) carries.push_back(slice_of(Internals::node(x)));
    for (std::int64_t k = 0; k < body_.slices; ++k) {
      xs.push_back(slice_of(item(loop_.inputs, body_.carries + k)));
    }
    Leaves state, dy;
    for (std::int64_t k = 0; k < body_.carries; ++k) {
      state.push_back(asks_carry(k) ? zeros(carries[static_cast<std::size_t>(k)].shape())
                                    : Tensor());
    }
    for (std::int64_t k = 0; k < body_.outputs; ++k) {
      dy.push_back(has_output_gradient(k) ? zeros(item(body_.results, body_.carries + k)->shape)
                                          : Tensor());
    }
    const Pulled pulled = pull_back_iteration(graph::constant(0, int32), carries, xs, state, dy);
    core::Walk<NodePtr> walk({});
    for (const Leaves* leaves : {&pulled.carries, &pulled.slices, &pulled.points}) {
      for (const Tensor& one : *leaves) {
        if (one.has_value()) walk.add(Internals::node(one));
      }
    }
    std::unordered_set<const Node*> read;
    for (const NodePtr& node : walk) {
      read.insert(node.get());
      if (node->id > first_id) walk.add(graph::inputs_of(*node));
    }
    for (const Tensor& x : carries) {
      reads_carry_.push_back(read.contains(Internals::node(x).get()));
    }
    for (const Tensor& x : xs) reads_slice_.push_back(read.contains(Internals::node(x).get()));
    for (const Tensor& x : pulled.slices) gives_slice_.push_back(x.has_value());
    for (const Tensor& x : pulled.points) gives_point_.push_back(x.has_value());
  }

  bool has_output_gradient(std::int64_t k) const {
    const std::int64_t result = body_.carries + k;
    return reach_.output(k) && result < std::ssize(g_) && item(g_, result).has_value();
  }

  // ---- One iteration

  struct Pulled {
    Leaves carries, slices, points;
  };

  /// Gradients towards an iteration's carries, slices and points, from those towards its results.
  Pulled pull_back_iteration(const Tensor& step, const Leaves& carries, const Leaves& xs,
                             const Leaves& state, const Leaves& dy) {
    BodyCopy copy = copy_of_body(loop_);
    std::vector<NodePtr> arguments;
    const auto argument = [&](const Tensor& x) {
      arguments.push_back(argument_of(x));
      return Internals::tensor(arguments.back());
    };
    copy.set_step(step);
    for (const Point& point : points_) copy.set(point.node, argument(point.outside));
    Leaves last;
    for (std::int64_t k = 0; k < body_.carries; ++k) {
      last.push_back(asks_carry(k) ? argument(item(carries, k)) : item(carries, k));
      copy.set(copy.parameter(k), last.back());
    }
    for (std::int64_t k = 0; k < body_.slices; ++k) {
      const std::int64_t input = body_.carries + k;
      copy.set(copy.parameter(input), reach_.input(input) ? argument(item(xs, k)) : item(xs, k));
    }
    Leaves results, g;
    for (std::int64_t k = 0; k < body_.carries; ++k) {
      if (!asks_carry(k)) continue;
      results.push_back(next_carry(copy, body_, k, item(last, k)));
      g.push_back(item(state, k));
    }
    for (std::int64_t k = 0; k < body_.outputs; ++k) {
      if (!item(dy, k).has_value()) continue;
      results.push_back(copy.value(copy.result(body_.carries + k)));
      g.push_back(item(dy, k));
    }
    const Tape tape = with_kept_carries(tape_of(results, std::move(arguments)), results);
    const Leaves pulled = pull_back(tape, results, g);
    Pulled sorted;
    auto next = pulled.begin();
    for (std::size_t k = 0; k < points_.size(); ++k) sorted.points.push_back(*next++);
    for (std::int64_t k = 0; k < body_.carries; ++k) {
      sorted.carries.push_back(asks_carry(k) ? *next++ : Tensor());
    }
    for (std::int64_t k = 0; k < body_.slices; ++k) {
      sorted.slices.push_back(reach_.input(body_.carries + k) ? *next++ : Tensor());
    }
    return sorted;
  }

  // ---- The loop

  /// The gradients of the carries after the loop, then sums of zeros.
  Leaves first_state() const {
    Leaves state;
    for (std::int64_t k = 0; k < body_.carries; ++k) {
      if (!asks_carry(k)) continue;
      const bool is_given = k < std::ssize(g_) && item(g_, k).has_value();
      const Shape& shape = item(loop_.inputs, k)->shape;
      state.push_back((is_given ? fitted(item(g_, k), shape) : zeros(shape)).astype(float32));
    }
    for (std::size_t k = 0; k < points_.size(); ++k) {
      if (gives_point_[k]) state.push_back(zeros(points_[k].outside.shape()));
    }
    return state;
  }

  /// The sequences of which an iteration reads an element, last first: carries, slices, gradients
  /// of outputs.
  Leaves slices() const {
    Leaves all;
    const auto add = [&](const Tensor& x) { all.push_back(flip(x, 0)); };
    for (std::size_t k = 0; k < carries_.size(); ++k) {
      if (reads_carry_[k]) add(carries_[k]);
    }
    for (std::int64_t k = 0; k < body_.slices; ++k) {
      if (reads_slice_[static_cast<std::size_t>(k)]) add(loop_.input(body_.carries + k));
    }
    for (std::int64_t k = 0; k < body_.outputs; ++k) {
      if (has_output_gradient(k)) add(item(g_, body_.carries + k));
    }
    return all;
  }

  Iteration iteration(const Tensor& step, const Leaves& state, const Leaves& given) {
    auto next = given.begin();
    // Values that are not read may be anything.
    const auto taken = [&](bool is_read, const NodePtr& like) {
      if (is_read) return *next++;
      Shape shape = like->shape;
      shape.erase(0);
      return zeros(shape, like->dtype);
    };
    Leaves carries, xs, dy, all_state;
    for (std::size_t k = 0; k < carries_.size(); ++k) {
      carries.push_back(taken(reads_carry_[k], Internals::node(carries_[k])));
    }
    for (std::int64_t k = 0; k < body_.slices; ++k) {
      xs.push_back(
          taken(reads_slice_[static_cast<std::size_t>(k)], item(loop_.inputs, body_.carries + k)));
    }
    for (std::int64_t k = 0; k < body_.outputs; ++k) {
      dy.push_back(has_output_gradient(k) ? *next++ : Tensor());
    }
    auto carry = state.begin();
    for (std::int64_t k = 0; k < body_.carries; ++k) {
      all_state.push_back(asks_carry(k) ? *carry++ : Tensor());
    }
    const Pulled pulled = pull_back_iteration(step_of(step), carries, xs, all_state, dy);
    Iteration made;
    for (std::int64_t k = 0; k < body_.carries; ++k) {
      if (!asks_carry(k)) continue;
      const Tensor& one = item(pulled.carries, k);
      made.state.push_back(one.has_value() ? one : zeros(item(loop_.inputs, k)->shape));
    }
    for (std::size_t k = 0; k < points_.size(); ++k) {
      if (gives_point_[k]) made.state.push_back(*carry++ + pulled.points[k]);
    }
    for (const Tensor& one : pulled.slices) {
      if (one.has_value()) made.outputs.push_back(one);
    }
    return made;
  }

  /// The loop's step in the iteration `back` from its end.
  Tensor step_of(const Tensor& back) const {
    return loop_.step_after(loop_.attrs.iterations - 1) - back;
  }

  Leaves sorted(const Leaves& all) {
    Leaves gradients(loop_.inputs.size());
    auto next = all.begin();
    for (std::int64_t k = 0; k < body_.carries; ++k) {
      if (asks_carry(k)) gradients[static_cast<std::size_t>(k)] = *next++;
    }
    Leaves sums;
    for (std::size_t k = 0; k < points_.size(); ++k) {
      sums.push_back(gives_point_[k] ? *next++ : Tensor());
    }
    for (std::int64_t k = 0; k < body_.slices; ++k) {
      if (!gives_slice_[static_cast<std::size_t>(k)]) continue;
      gradients[static_cast<std::size_t>(body_.carries + k)] = flip(*next++, 0);
    }
    for (std::int64_t k = loop_.first_captured(); k < loop_.values(); ++k) {
      if (reach_.input(k)) gradients[static_cast<std::size_t>(k)] = through_views(k, sums);
    }
    return gradients;
  }

  /// The gradient of a captured tensor from the sums of its points.
  Tensor through_views(std::int64_t input, const Leaves& sums) const {
    BodyCopy outside(body_);
    const NodePtr argument = argument_of(loop_.input(input));
    outside.set(outside.parameter(input), Internals::tensor(argument));
    Leaves views, g;
    for (std::size_t k = 0; k < points_.size(); ++k) {
      if (points_[k].input != input || !sums[k].has_value()) continue;
      views.push_back(outside.value(points_[k].node));
      g.push_back(sums[k]);
    }
    if (views.empty()) return {};
    return pull_back(tape_of(views, {argument}), views, g)[0];
  }

  const LoopParts& loop_;
  const LoopBody& body_;
  const Leaves carries_;  ///< of all iterations
  std::span<const Tensor> g_;
  const LoopReach reach_;
  std::vector<bool> asks_carry_;
  std::vector<Point> points_;
  std::vector<bool> reads_carry_, reads_slice_, gives_slice_, gives_point_;
};

}  // namespace

Tape with_kept_carries(Tape tape, Leaves& results) {
  const std::unordered_set<const Node*> asked = on_the_way(tape, results);
  const auto is_kept = [&](const Node& node, std::span<const NodePtr> inputs) {
    return node.kind == Kind::loop && asked.contains(&node) && !node.body->has_condition &&
           can_keep_carries(node, inputs);
  };
  if (!std::any_of(tape.entries.begin(), tape.entries.end(), [&](const Entry& entry) {
        return is_kept(*Internals::node(entry.y), entry.inputs);
      })) {
    return tape;
  }
  Forward copies;
  std::unordered_map<const Node*, std::shared_ptr<const Leaves>> carries;
  for (const Entry& entry : tape.entries) {
    const NodePtr& node = Internals::node(entry.y);
    std::vector<NodePtr> in;
    for (const NodePtr& input : entry.inputs) in.push_back(Internals::node(copies.value_of(input)));
    if (!is_kept(*node, in)) {
      copies.take(node, entry.inputs);
      continue;
    }
    KeptLoop made = keep_carries(LoopParts(*node, in));
    for (auto& [loop, leaves] : made.sections) {
      carries[loop.get()] = std::make_shared<const Leaves>(std::move(leaves));
    }
    copies.set_results(node, std::move(made.results));
  }
  for (Tensor& result : results) result = copies.value_of(Internals::node(result));
  Tape kept_tape = tape_of(results, std::move(tape.arguments));
  for (Entry& entry : kept_tape.entries) {
    const auto found = carries.find(Internals::node(entry.y).get());
    if (found != carries.end()) entry.carries = found->second;
  }
  return kept_tape;
}

Leaves gradients_of_loop(const Entry& entry, std::span<const Tensor> g,
                         const std::vector<bool>& depends) {
  const Node& node = *Internals::node(entry.y);
  const LoopParts loop(node, entry.inputs);
  if (std::find(depends.begin(), depends.end(), true) == depends.end()) {
    return Leaves(entry.inputs.size());
  }
  if (entry.carries != nullptr) return BackwardLoop(loop, *entry.carries, g, depends).gradients();
  if (loop.body.carries == 0) return BackwardLoop(loop, {}, g, depends).gradients();
  if (!loop.is_counted()) refuse_loop(*node.body);
  // Run again, as a function of the loop's inputs.
  std::vector<NodePtr> arguments, inputs;
  for (std::size_t k = 0; k < entry.inputs.size(); ++k) {
    inputs.push_back(entry.inputs[k]);
    if (!depends[k]) continue;
    inputs.back() = argument_of(Internals::tensor(entry.inputs[k]));
    arguments.push_back(inputs.back());
  }
  KeptLoop made = keep_carries(LoopParts(node, inputs));
  Leaves results, dy;
  for (std::size_t k = 0; k < made.results.size() && k < g.size(); ++k) {
    if (!g[k].has_value()) continue;
    results.push_back(made.results[k]);
    dy.push_back(g[k]);
  }
  Tape tape = tape_of(results, std::move(arguments));
  for (Entry& one : tape.entries) {
    for (auto& [section, leaves] : made.sections) {
      if (section == Internals::node(one.y)) one.carries = std::make_shared<const Leaves>(leaves);
    }
  }
  const Leaves pulled = pull_back(tape, results, dy);
  Leaves gradients(entry.inputs.size());
  auto next = pulled.begin();
  for (std::size_t k = 0; k < entry.inputs.size(); ++k) {
    if (depends[k]) gradients[k] = *next++;
  }
  return gradients;
}

}  // namespace trigon::detail::transform

// SPDX-License-Identifier: MIT
#include "transform/loop_vjp.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/called.hpp"
#include "core/internals.hpp"
#include "core/item.hpp"
#include "core/list.hpp"
#include "core/walk.hpp"
#include "graph/build.hpp"
#include "graph/loop.hpp"
#include "transform/body_copy.hpp"
#include "transform/forward.hpp"
#include "transform/grad_rules.hpp"
#include "transform/trace_loop.hpp"
#include "trigon/create.hpp"
#include "trigon/index.hpp"
#include "trigon/join.hpp"
#include "trigon/shape.hpp"

// Backwards, a loop is a scan over its carries in reverse: each iteration computes one of the loop
// again from the carries before it, and pulls back what it did. So the loop is built again, with
// the carries of each iteration as further outputs.

namespace trigon::detail::transform {
namespace {

using graph::Kind;
using graph::LoopBody;
using graph::Node;
using graph::NodePtr;

/// A loop node as its parts.
struct Parts {
  const LoopBody& body;
  const graph::LoopAttrs& attrs;
  std::span<const NodePtr> inputs;

  Parts(const Node& loop, std::span<const NodePtr> in)
      : body(*loop.body), attrs(loop.as<graph::LoopAttrs>()), inputs(in) {}

  std::int64_t first_captured() const { return body.carries + body.slices; }
  std::int64_t values() const { return std::ssize(body.parameters) - 1; }
  Tensor input(std::int64_t k) const { return Internals::tensor(item(inputs, k)); }
  Leaves some(std::int64_t first, std::int64_t count) const {
    Leaves leaves;
    for (std::int64_t k = first; k < first + count; ++k) leaves.push_back(input(k));
    return leaves;
  }
  /// The step that comes that many after the first.
  Tensor step_after(std::int64_t iterations) const {
    const Tensor step = graph::constant(static_cast<double>(attrs.first + iterations), int32);
    const core::ScalarNumber& scalar = attrs.first_scalar;
    return scalar.is_given() ? step + Internals::tensor(item(inputs, scalar.number)) : step;
  }
  /// Whether the number of iterations is known, at least as a bound.
  bool is_counted() const {
    return !attrs.iterations_scalar.is_given() && attrs.iterations != graph::LoopAttrs::unbounded;
  }
};

void set_captured(BodyCopy& copy, const Parts& loop) {
  for (std::int64_t k = loop.first_captured(); k < loop.values(); ++k) {
    copy.set(copy.parameter(k), loop.input(k));
  }
}

/// A carry after an iteration. Once the condition of a while loop is false it stays.
Tensor next_carry(BodyCopy& copy, const LoopBody& body, std::int64_t k, const Tensor& last) {
  const Tensor next = copy.value(copy.result(k));
  if (!body.has_condition) return next;
  const Tensor condition = copy.value(body.results.back());
  return condition.ndim() == 0 ? where(condition, next, last) : next;
}

/// Iterations of a loop of loops: `each` of the loop's are one of the outer loop's.
struct Section {
  std::int64_t begin, iterations, each;
};

/// One iteration from the loop's step on.
Iteration iterate(const Parts& parts, const Tensor& step, const Leaves& state,
                  const Leaves& slices) {
  BodyCopy copy(parts.body);
  set_captured(copy, parts);
  copy.set_step(step);
  for (std::int64_t k = 0; k < parts.body.carries; ++k) {
    copy.set(copy.parameter(k), item(state, k));
  }
  for (std::int64_t k = 0; k < parts.body.slices; ++k) {
    copy.set(copy.parameter(parts.body.carries + k), item(slices, k));
  }
  Iteration made;
  for (std::int64_t k = 0; k < parts.body.carries; ++k) {
    made.state.push_back(next_carry(copy, parts.body, k, item(state, k)));
  }
  for (std::int64_t k = 0; k < parts.body.outputs; ++k) {
    made.outputs.push_back(copy.value(copy.result(parts.body.carries + k)));
  }
  return made;
}

/// As an inner loop.
Iteration iterate(const Parts& parts, std::int64_t count, const Tensor& step, const Leaves& state,
                  const Leaves& slices) {
  Loop loop{
      .kind = graph::LoopKind::scan,
      .init = state,
      .xs = slices,
      .body = [&](const Tensor& inner, const Leaves& carries,
                  const Leaves& given) { return iterate(parts, step + inner, carries, given); },
      .condition = {},
      .first = {},
      .iterations = {count}};
  const Leaves all = build_loop(loop);
  return {{all.begin(), all.begin() + parts.body.carries},
          {all.begin() + parts.body.carries, all.end()}};
}

/// The rows of a stack in the section, grouped by the outer iterations.
Tensor rows_of(const Tensor& x, const Section& section) {
  const Tensor rows = x[Slice{section.begin, section.begin + section.iterations}];
  if (section.each == 1) return rows;
  Shape shape = rows.shape();
  shape[0] = section.each;
  shape.insert(0, section.iterations / section.each);
  return reshape(rows, shape);
}

Tensor ungrouped(const Tensor& x, const Section& section) {
  if (section.each == 1) return x;
  Shape shape = x.shape();
  shape.erase(0);
  shape[0] = section.iterations;
  return reshape(x, shape);
}

/// The section with the carries before each outer iteration as further outputs. A while loop runs
/// as often as it may at most.
Leaves loop_that_keeps_carries(const Parts& parts, const Section& section, const Leaves& init) {
  Loop loop{.kind = parts.body.has_condition ? graph::LoopKind::scan : parts.body.kind,
            .init = init,
            .xs = {},
            .body = {},
            .condition = {},
            .first = {},
            .iterations = {section.iterations / section.each}};
  for (const Tensor& x : parts.some(parts.body.carries, parts.body.slices)) {
    loop.xs.push_back(rows_of(x, section));
  }
  loop.body = [&](const Tensor& step, const Leaves& state, const Leaves& slices) {
    const Tensor begin = parts.step_after(section.begin);
    Iteration made = section.each == 1
                         ? iterate(parts, step + begin, state, slices)
                         : iterate(parts, section.each, step * section.each + begin, state, slices);
    core::append(made.outputs, state);
    return made;
  };
  return build_loop(loop);
}

/// How to run the loop so that its kept carries are few enough: one section, or one of as many
/// iterations within each outer one as there are outer ones, and one of the rest.
std::vector<Section> sections_of(const Parts& parts) {
  constexpr std::int64_t most_bytes = std::int64_t{256} << 20;
  const std::int64_t count = parts.attrs.iterations;
  std::int64_t bytes = 0;
  for (const Tensor& carry : parts.some(0, parts.body.carries)) {
    bytes += carry.size() * static_cast<std::int64_t>(sizeof(float));
  }
  std::int64_t each = parts.attrs.checkpoint;
  if (each == 0) {
    const auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(count)));
    each = bytes <= most_bytes / count ? 1 : std::max<std::int64_t>(root, 1);
  }
  each = std::min(each, count);
  const std::int64_t rest = count % each;
  std::vector<Section> sections{{0, count - rest, each}};
  if (rest > 0) sections.push_back({count - rest, rest, 1});
  return sections;
}

/// The results of a loop, and the carries that each of its sections keeps.
struct KeptLoop {
  Leaves results;
  std::vector<std::pair<NodePtr, Leaves>> sections;  ///< a loop node, and its carries
};

KeptLoop kept(const Parts& parts) {
  KeptLoop made;
  Leaves state = parts.some(0, parts.body.carries);
  std::vector<Leaves> outputs(static_cast<std::size_t>(parts.body.outputs));
  for (const Section& section : sections_of(parts)) {
    const Leaves all = loop_that_keeps_carries(parts, section, state);
    state.assign(all.begin(), all.begin() + parts.body.carries);
    const auto kept_ones = all.begin() + parts.body.carries + parts.body.outputs;
    for (std::int64_t k = 0; k < parts.body.outputs; ++k) {
      item(outputs, k).push_back(ungrouped(item(all, parts.body.carries + k), section));
    }
    made.sections.emplace_back(graph::inputs_of(*Internals::node(all[0]))[0],
                               Leaves(kept_ones, all.end()));
  }
  made.results = std::move(state);
  for (const Leaves& one : outputs)
    made.results.push_back(one.size() == 1 ? one[0] : concatenate(one));
  return made;
}

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
  return loop.body->carries > 0 && Parts(loop, inputs).is_counted();
}

// ---- Backwards ----------------------------------------------------------------------------------

/// A tensor from outside in a body: a captured one, or views of it. What the iterations add to its
/// gradient is added up per element, and goes through the views once, after the loop. A sum over a
/// batch inside the loop would make its elements depend on each other.
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
  BackwardLoop(const Parts& loop, Leaves carries, std::span<const Tensor> g,
               const std::vector<bool>& depends)
      : loop_(loop),
        body_(loop.body),
        carries_(std::move(carries)),
        g_(g),
        reach_(body_, {depends.begin(), depends.begin() + loop.values()}) {
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
  // ---- What is asked for

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
    std::unordered_set<const Node*> read_whole;  // by what is no map
    for (const NodePtr& node : nodes) {
      const std::vector<NodePtr> inputs = graph::inputs_of(*node);
      if (is_static_view(*node, inputs) && input_of.contains(inputs[0].get())) {
        input_of[node.get()] = input_of[inputs[0].get()];
      } else if (node->kind != Kind::map) {
        for (const NodePtr& input : inputs) read_whole.insert(input.get());
      }
    }
    BodyCopy outside(body_);
    set_captured(outside, loop_);
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
      state.push_back(reach_.input(k) ? zeros(carries[static_cast<std::size_t>(k)].shape())
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

  /// Gradients towards what an iteration was given, from those towards its results.
  Pulled pull_back_iteration(const Tensor& step, const Leaves& carries, const Leaves& xs,
                             const Leaves& state, const Leaves& dy) {
    BodyCopy copy(body_);
    std::vector<NodePtr> arguments;
    const auto argument = [&](const Tensor& x) {
      arguments.push_back(argument_of(x));
      return Internals::tensor(arguments.back());
    };
    copy.set_step(step);
    set_captured(copy, loop_);
    for (const Point& point : points_) copy.set(point.node, argument(point.outside));
    Leaves last;
    for (std::int64_t k = 0; k < body_.carries; ++k) {
      last.push_back(reach_.input(k) ? argument(item(carries, k)) : item(carries, k));
      copy.set(copy.parameter(k), last.back());
    }
    for (std::int64_t k = 0; k < body_.slices; ++k) {
      const std::int64_t input = body_.carries + k;
      copy.set(copy.parameter(input), reach_.input(input) ? argument(item(xs, k)) : item(xs, k));
    }
    Leaves results, g;
    for (std::int64_t k = 0; k < body_.carries; ++k) {
      if (!reach_.input(k)) continue;
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
      sorted.carries.push_back(reach_.input(k) ? *next++ : Tensor());
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
      if (!reach_.input(k)) continue;
      const bool is_given = k < std::ssize(g_) && item(g_, k).has_value();
      const Shape& shape = item(loop_.inputs, k)->shape;
      state.push_back((is_given ? fitted(item(g_, k), shape) : zeros(shape)).astype(float32));
    }
    for (std::size_t k = 0; k < points_.size(); ++k) {
      if (gives_point_[k]) state.push_back(zeros(points_[k].outside.shape()));
    }
    return state;
  }

  /// What an iteration reads of a sequence, last first: carries, slices, gradients of outputs.
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
    // What is not read may be anything.
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
      all_state.push_back(reach_.input(k) ? *carry++ : Tensor());
    }
    const Pulled pulled = pull_back_iteration(step_of(step), carries, xs, all_state, dy);
    Iteration made;
    for (std::int64_t k = 0; k < body_.carries; ++k) {
      if (!reach_.input(k)) continue;
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
      if (reach_.input(k)) gradients[static_cast<std::size_t>(k)] = *next++;
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

  const Parts& loop_;
  const LoopBody& body_;
  const Leaves carries_;  ///< of all iterations
  std::span<const Tensor> g_;
  const LoopReach reach_;
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
    KeptLoop made = kept(Parts(*node, in));
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
  const Parts loop(node, entry.inputs);
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
  KeptLoop made = kept(Parts(node, inputs));
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

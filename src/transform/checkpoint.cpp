// SPDX-License-Identifier: MIT
#include "trigon/checkpoint.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/called.hpp"
#include "core/internals.hpp"
#include "core/list.hpp"
#include "entries/entries.hpp"
#include "graph/build.hpp"
#include "graph/loop_body.hpp"
#include "graph/named.hpp"
#include "graph/trace.hpp"
#include "transform/body_copy.hpp"
#include "transform/loop_vjp.hpp"
#include "transform/tape.hpp"
#include "trigon/extend.hpp"
#include "trigon/shape.hpp"

namespace trigon::detail::transform {
namespace {

using graph::NodePtr;
using Tensors = std::span<const Tensor>;

/// x, which counts as another value, and has it only after one of g: equal operations on both are
/// not merged.
Tensor after(Tensors g, const Tensor& x) {
  for (const Tensor& one : g) {
    if (!one.has_value() || one.size() == 0) continue;
    const Tensor first = graph::cast(reshape(one, {-1})[0], x.dtype());
    return detail::apply(entries::named<"barrier">(), x, first);
  }
  return x;
}

/// A copy of a function's graph: its parameters stand for the arguments and for what it captured.
class Body {
 public:
  Body(std::shared_ptr<const graph::LoopBody> body, std::size_t arguments)
      : body_(std::move(body)), arguments_(arguments) {}

  Leaves tangents(Tensors t, Tensors inputs) const {
    BodyCopy copy(*body_);
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      copy.set(body_->parameters[k + 1], inputs[k],
               t[k].has_value() ? fitted(t[k], inputs[k].shape()) : Tensor());
    }
    Leaves found;
    for (const NodePtr& result : body_->results) {
      (void)copy.value(result);
      found.push_back(copy.tangent(result));
    }
    return found;
  }

  Leaves gradients(Tensors g, Tensors inputs) const {
    BodyCopy copy(*body_);
    std::vector<NodePtr> placeholders;
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      Tensor x = inputs[k];
      if (is_float(x.dtype())) {
        placeholders.push_back(argument_of(x));
        x = Internals::tensor(placeholders.back());
      }
      copy.set(body_->parameters[k + 1], k < arguments_ ? after(g, x) : x);
    }
    Leaves results;
    for (const NodePtr& result : body_->results) results.push_back(copy.value(result));
    const Tape tape = with_kept_carries(tape_of(results, std::move(placeholders)), results);
    Leaves dy(g.begin(), g.end());
    for (std::size_t k = 0; k < dy.size(); ++k) {
      if (!is_float(results[k].dtype())) dy[k] = Tensor();
    }
    const Leaves pulled = pull_back(tape, results, dy);
    Leaves found;
    auto next = pulled.begin();
    for (const Tensor& x : inputs) found.push_back(is_float(x.dtype()) ? *next++ : Tensor());
    return found;
  }

 private:
  std::shared_ptr<const graph::LoopBody> body_;
  std::size_t arguments_;  ///< the first inputs; the others were captured
};

}  // namespace
}  // namespace trigon::detail::transform

namespace trigon::detail::differentiated {

Leaves checkpointed(const LeafFunction& f, const Leaves& arguments) {
  graph::TracedBody traced;
  traced.parameters.push_back(Internals::node(graph::constant(0, int32)));  // no step
  Leaves inputs;
  for (const Tensor& x : arguments) {
    traced.parameters.push_back(transform::argument_of(x));
    inputs.push_back(Internals::tensor(traced.parameters.back()));
  }
  traced.slices = static_cast<std::int32_t>(arguments.size());
  const Leaves values = [&] {
    const graph::UserCode own_names;
    const graph::Inlining scope;  // the copy needs the nodes inside compiled functions
    return f(std::move(inputs));
  }();
  const core::Called called("checkpoint");
  for (std::size_t k = 0; k < values.size(); ++k) {
    graph::check_operand(transform::result_name(values, k), values[k]);
    traced.results.push_back(Internals::node(values[k]));
  }
  traced.outputs = static_cast<std::int32_t>(values.size());
  const graph::ClosedBody closed = graph::close_body(traced);
  Leaves all = arguments;
  for (const graph::NodePtr& captured : closed.captured) all.push_back(Internals::tensor(captured));
  const auto body = std::make_shared<const transform::Body>(closed.body, arguments.size());
  auto rules = std::make_shared<graph::CallRules>(graph::CallRules{.name = "checkpoint"});
  rules->takes_empty = true;
  rules->vjp = [body](std::span<const Tensor> g, std::span<const Tensor> x,
                      std::span<const Tensor>) { return body->gradients(g, x); };
  rules->jvp = [body](std::span<const Tensor> t, std::span<const Tensor> x,
                      std::span<const Tensor>) { return body->tangents(t, x); };
  return graph::call(std::move(rules), values, all);
}

}  // namespace trigon::detail::differentiated

// SPDX-License-Identifier: MIT
#include "reference/interpret.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

#include "core/item.hpp"
#include "core/list.hpp"
#include "core/walk.hpp"
#include "graph/loop.hpp"
#include "graph/node.hpp"
#include "pipeline/eval.hpp"
#include "reference/interpret_kinds.hpp"

namespace trigon::detail::graph {
namespace {

using Values = std::vector<double>;

// The elements that a node has as a value: of a reduction of several results, those of all.
std::int64_t stored_elements(const Node& node) {
  return node.shape.numel() * (has_outputs(node) ? node.op->reduce().outputs.get() : 1);
}

template <class T>
Values read_as(const NodePtr& node, DType dtype) {
  auto host = vector_of<T>(stored_elements(*node));
  pipeline::read_node(node, host.data(), dtype);
  return {host.begin(), host.end()};
}

Values read_values(const NodePtr& node) {
  switch (node->dtype) {
    case DType::float32:
    case DType::float16: return read_as<float>(node, DType::float32);
    case DType::int32: return read_as<std::int32_t>(node, DType::int32);
    case DType::uint32: return read_as<std::uint32_t>(node, DType::uint32);
    case DType::uint8: return read_as<std::uint8_t>(node, DType::uint8);
    case DType::boolean: return read_as<std::uint8_t>(node, DType::boolean);
  }
  return {};
}

// The results of a reduction that has been evaluated.
std::vector<Values> read_results(const NodePtr& node) {
  const Values all = read_values(node);
  std::vector<Values> results;
  for (auto first = all.begin(); first != all.end(); first += node->shape.numel()) {
    results.emplace_back(first, first + node->shape.numel());
  }
  return results;
}

// A node and a copy of its inputs, which an evaluation on another thread may drop.
struct Entry {
  NodePtr node;
  std::vector<NodePtr> inputs;
};

// All nodes below the roots and above those of `known`, inputs before their readers.
std::vector<Entry> in_order(std::span<const NodePtr> roots, const KnownValues& known = {}) {
  std::vector<Entry> entries;
  core::Walk<NodePtr> walk({roots.begin(), roots.end()});
  for (const NodePtr& node : walk) {
    if (known.count(node->id) != 0) continue;
    entries.push_back({node, inputs_of(*node)});
    walk.add(entries.back().inputs);
  }
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.node->id < b.node->id; });
  return entries;
}

std::vector<Values> run_loop(const Node& node, const std::vector<const Values*>& in);

std::vector<Operand> operands_of(const Entry& entry, const std::vector<const Values*>& in) {
  std::vector<Operand> operands;
  for (std::size_t k = 0; k < in.size(); ++k) {
    operands.push_back({entry.inputs[k]->shape, entry.inputs[k]->dtype, *in[k]});
  }
  return operands;
}

// The values of a node of several results.
std::vector<Values> results_of(const Entry& entry, const std::vector<const Values*>& in) {
  const Node& node = *entry.node;
  if (node.kind == Kind::loop) return run_loop(node, in);
  if (node.kind == Kind::reduce && in.empty()) return read_results(entry.node);
  if (node.kind == Kind::reduce) return results_of_reduction(node, operands_of(entry, in));
  if (node.kind != Kind::call) return results_of_kernel(node, operands_of(entry, in));
  std::vector<Values> values;
  for (std::int64_t k = 0; k < node.as<CallAttrs>().values; ++k) values.push_back(*item(in, k));
  return values;
}

Values evaluate(const Entry& entry, const std::vector<const Values*>& in) {
  const Node& node = *entry.node;
  if (node.kind == Kind::constant || node.kind == Kind::scalar) {
    return vector_of(node.shape.numel(), node.value);
  }
  if (node.kind == Kind::iota) {
    Values y = vector_of<double>(node.shape.numel());
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = static_cast<double>(i);
    return y;
  }
  if (node.kind == Kind::parameter) throw_no_value(node);
  if (entry.inputs.empty()) return read_values(entry.node);
  return compute(node, operands_of(entry, in));
}

// The values of the results of nodes that have several.
using Several = std::unordered_map<const Node*, std::vector<Values>>;

// The value of a node; none for a node of several results, whose values become known to `several`.
// `value` gives that of an input.
template <class ValueOf>
std::optional<Values> evaluate_one(const Entry& entry, const ValueOf& value, Several& several) {
  const Node& node = *entry.node;
  if (node.kind == Kind::output && !entry.inputs.empty()) {
    return item(several.at(entry.inputs[0].get()), node.as<OutputAttrs>().number);
  }
  std::vector<const Values*> in;
  for (const NodePtr& input : entry.inputs) in.push_back(value(input));
  if (!has_outputs(node)) return evaluate(entry, in);
  several.emplace(&node, results_of(entry, in));
  return std::nullopt;
}

// Adds the values of the entries that are not known yet.
void evaluate_all(const std::vector<Entry>& entries, KnownValues& known) {
  Several several;
  for (const Entry& entry : entries) {
    if (known.count(entry.node->id) != 0) continue;
    const auto value = [&](const NodePtr& input) { return &known.at(input->id); };
    if (auto y = evaluate_one(entry, value, several)) known.emplace(entry.node->id, std::move(*y));
  }
}

// ---- Loops

class LoopRun {
 public:
  LoopRun(const Node& node, const std::vector<const Values*>& in)
      : body_(*node.body),
        in_(in),
        attrs_(node.as<LoopAttrs>()),
        entries_(in_order(body_.results)) {
    if (body_.has_condition) test_ = in_order(std::span(&body_.results.back(), 1));
    for (std::int32_t k = 0; k < body_.carries; ++k) results_.push_back(*item(in, k));
    for (std::int32_t k = 0; k < body_.outputs; ++k) results_.emplace_back();
  }

  std::vector<Values> run() {
    const std::int64_t iterations = attrs_.iterations + number(attrs_.iterations_scalar);
    for (std::int64_t iteration = 0; iteration < iterations; ++iteration) {
      KnownValues values = parameters(iteration);
      if (body_.has_condition) {
        evaluate_all(test_, values);
        const Values& condition = values.at(body_.results.back()->id);
        if (std::all_of(condition.begin(), condition.end(), [](double x) { return x == 0; })) break;
      }
      evaluate_all(entries_, values);
      for (std::size_t k = 0; k < results_.size(); ++k) {
        const Values& y = values.at(body_.results[k]->id);
        if (std::cmp_less(k, body_.carries)) {
          results_[k] = y;
        } else {
          core::append(results_[k], y);
        }
      }
    }
    return std::move(results_);
  }

 private:
  std::int64_t number(core::ScalarNumber input) const {
    return input.is_given() ? static_cast<std::int64_t>(item(in_, input.number)->at(0)) : 0;
  }

  KnownValues parameters(std::int64_t iteration) const {
    KnownValues values;
    std::size_t k = 0;
    const auto add = [&](Values y) { values.emplace(body_.parameters[k++]->id, std::move(y)); };
    add({static_cast<double>(attrs_.first + number(attrs_.first_scalar) + iteration)});
    const std::size_t inputs = body_.parameters.size() - 1;
    for (std::size_t input = 0; input < inputs; ++input) {
      const Values& whole = *in_[input];
      if (std::cmp_less(input, body_.carries)) {
        add(results_[input]);
      } else if (std::cmp_less(input, body_.carries + body_.slices)) {
        const std::int64_t size = body_.parameters[k]->shape.numel();
        add({whole.begin() + iteration * size, whole.begin() + (iteration + 1) * size});
      } else {
        add(whole);
      }
    }
    return values;
  }

  const LoopBody& body_;
  const std::vector<const Values*>& in_;
  LoopAttrs attrs_;
  std::vector<Entry> entries_;
  std::vector<Entry> test_;
  std::vector<Values> results_;  ///< the carries, then the outputs so far
};

std::vector<Values> run_loop(const Node& node, const std::vector<const Values*>& in) {
  return LoopRun(node, in).run();
}

}  // namespace

std::vector<double> interpret(const NodePtr& root) {
  const std::vector<Entry> entries = in_order(std::span(&root, 1));
  Several several;
  std::unordered_map<const Node*, int> readers;
  for (const Entry& entry : entries) {
    for (const NodePtr& input : entry.inputs) ++readers[input.get()];
  }
  std::unordered_map<const Node*, Values> values;
  for (const Entry& entry : entries) {
    const auto value = [&](const NodePtr& input) { return &values.at(input.get()); };
    std::optional<Values> y = evaluate_one(entry, value, several);
    // A chain of 100,000 nodes must not hold 100,000 values.
    for (const NodePtr& input : entry.inputs) {
      if (--readers[input.get()] > 0) continue;
      values.erase(input.get());
      several.erase(input.get());
    }
    if (y.has_value()) values.emplace(entry.node.get(), std::move(*y));
  }
  return std::move(values.at(root.get()));
}

const std::vector<double>& interpret(const NodePtr& root, KnownValues& known) {
  evaluate_all(in_order(std::span(&root, 1), known), known);
  return known.at(root->id);
}

}  // namespace trigon::detail::graph

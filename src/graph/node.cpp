// SPDX-License-Identifier: MIT
#include "graph/node.hpp"

#include <mutex>
#include <new>
#include <utility>

namespace trigon::detail::graph {
namespace {

std::atomic<std::uint64_t> next_id{1};

// One mutex for all nodes: the inputs of a node change only once, so it is held for a short time.
std::mutex inputs_mutex;

// Nodes that the outermost ~Node on this thread still has to release. A plain pointer stays usable
// while a thread or the process ends.
thread_local std::vector<NodePtr>* dying = nullptr;

}  // namespace

const char* function_of(LoopKind kind) {
  constexpr std::array functions{"fori_loop", "scan", "while_loop", "vmap"};
  static_assert(functions.size() == static_cast<std::size_t>(LoopKind::vmap) + 1);
  return item(functions, kind);
}

Node::Node(Kind k, DType d, const Shape& s)
    : kind(k), dtype(d), shape(s), id(next_id.fetch_add(1, std::memory_order_relaxed)) {}

Node::~Node() {
  if (inputs.empty()) return;
  if (dying != nullptr) {
    for (NodePtr& input : inputs) {
      try {
        dying->push_back(std::move(input));
      } catch (const std::bad_alloc&) {
        input.reset();  // recurses once, since there is no memory for the list
      }
    }
    return;
  }
  std::vector<NodePtr> work = std::move(inputs);
  dying = &work;
  while (!work.empty()) {
    NodePtr node = std::move(work.back());
    work.pop_back();
    node.reset();  // its inputs come back into `work`
  }
  dying = nullptr;
}

NodePtr below_broadcasts(NodePtr node) {
  while (node->kind == Kind::broadcast || node->kind == Kind::reshape) {
    const std::vector<NodePtr> inputs = inputs_of(*node);
    if (inputs.empty()) break;
    node = inputs[0];
  }
  return node;
}

std::string_view name_of(const Node& node) {
  if (node.rules != nullptr) return node.rules->name;
  return node.op != nullptr ? std::string_view(node.op->name) : info(node.kind).name;
}

bool has_outputs(const Node& node) {
  if (node.kind == Kind::loop || node.kind == Kind::call) return true;
  if (node.op == nullptr) return false;
  return (node.op->family == Family::kernel && node.op->kernel().outputs.size() > 1) ||
         (node.op->family == Family::reduce && node.op->reduce().outputs > 1);
}

std::shared_ptr<Node> without_inputs(const Node& node) {
  auto made = std::make_shared<Node>(node.kind, node.dtype, node.shape);
  made->op = node.op;
  made->value = node.value;
  made->attrs = node.attrs;
  made->rules = node.rules;
  made->body = node.body;
  made->indexed = node.indexed;
  return made;
}

std::vector<NodePtr> inputs_of(const Node& node) {
  const std::lock_guard lock(inputs_mutex);
  return node.inputs;
}

std::vector<NodePtr> take_inputs(Node& node) {
  const std::lock_guard lock(inputs_mutex);
  return std::exchange(node.inputs, {});
}

}  // namespace trigon::detail::graph

// SPDX-License-Identifier: MIT
#include "graph/node.hpp"

#include <array>
#include <cstddef>
#include <mutex>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "trigon/error.hpp"

namespace trigon::graph {
namespace {

std::atomic<std::uint64_t> next_id{1};

// One for all nodes: inputs change once in a node's life, so nobody waits for long.
std::mutex inputs_mutex;

// Nodes that the outermost ~Node on this thread still has to let go. A plain pointer, so it is
// usable while a thread or the process ends.
thread_local std::vector<NodePtr>* dying = nullptr;

// The public function behind a node, for errors.
std::string_view function_of(const Node& node) {
  static constexpr std::array<std::string_view, 16> names = {
      "from_host", "full",      "Scalar", "iota",         "map", "astype",
      "reshape",   "transpose", "index",  "broadcast_to", "pad", "take",
      "reduce",    "matmul",    "set",    "stop_gradient"};
  return node.op != nullptr ? node.op->name : names[static_cast<std::size_t>(node.kind)];
}

}  // namespace

Node::Node(Kind k, DType d, const Shape& s)
    : kind(k), dtype(d), shape(s), id(next_id.fetch_add(1, std::memory_order_relaxed)) {}

Node::~Node() {
  if (inputs.empty()) return;
  if (dying != nullptr) {
    for (NodePtr& input : inputs) dying->push_back(std::move(input));
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

void add_input(Node& node, const NodePtr& input) {
  if (input->device != nullptr) {
    if (node.device != nullptr && node.device != input->device) {
      throw Error(
          fmt::format("trigon::{}: operands live on different devices: operand {} is not "
                      "where those before it are; move one with .to(device)",
                      function_of(node), node.inputs.size()));
    }
    node.device = input->device;
  }
  node.inputs.push_back(input);
}

std::vector<NodePtr> inputs_of(const Node& node) {
  const std::lock_guard lock(inputs_mutex);
  return node.inputs;
}

void drop_inputs(Node& node) {
  std::vector<NodePtr> dropped;  // dies after the lock: what it frees may be a deep graph
  const std::lock_guard lock(inputs_mutex);
  dropped.swap(node.inputs);
}

}  // namespace trigon::graph

// SPDX-License-Identifier: MIT
#include "graph/node.hpp"

#include <array>
#include <cstddef>
#include <mutex>
#include <new>
#include <string_view>
#include <utility>

#include "core/item.hpp"

namespace trigon::detail::graph {
namespace {

std::atomic<std::uint64_t> next_id{1};

// One mutex for all nodes: the inputs of a node change only once, so it is held for a short time.
std::mutex inputs_mutex;

// Nodes that the outermost ~Node on this thread still has to release. A plain pointer stays usable
// while a thread or the process ends.
thread_local std::vector<NodePtr>* dying = nullptr;

constexpr std::array<KindInfo, kind_count> kind_table = {{
    {Kind::leaf, "leaf", "from_host"},
    {Kind::constant, "constant", "full"},
    {Kind::scalar, "scalar", "Scalar"},
    {Kind::iota, "iota", "iota"},
    {Kind::map, "map", "map"},
    {Kind::kernel, "kernel", "kernel"},
    {Kind::cast, "cast", "astype"},
    {Kind::reshape, "reshape", "reshape"},
    {Kind::permute, "permute", "transpose"},
    {Kind::slice, "slice", "index"},
    {Kind::broadcast, "broadcast", "broadcast_to"},
    {Kind::pad, "pad", "pad"},
    {Kind::take, "take", "take"},
    {Kind::take_along, "take_along", "take_along_axis"},
    {Kind::affine, "affine", "sliding_window_view"},
    {Kind::reduce, "reduce", "reduce"},
    {Kind::contract, "contract", "matmul"},
    {Kind::write, "write", "set"},
    {Kind::scatter_add, "scatter_add", "scatter_add"},
    {Kind::stop_gradient, "stop_gradient", "stop_gradient"},
    {Kind::custom_gradient, "custom_gradient", "kernel"},
    {Kind::parameter, "parameter", "fori_loop"},
    {Kind::loop, "loop", "fori_loop"},
}};

static_assert(core::in_order(kind_table, &KindInfo::kind),
              "kind_table has one row a kind, in their order");

}  // namespace

const KindInfo& info(Kind kind) { return item(kind_table, kind); }

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

bool is_branch(const Node& node) {
  const auto* const attrs = std::get_if<core::ApplyAttrs>(&node.attrs);
  return node.kind == Kind::map && attrs != nullptr && attrs->is_branch;
}

std::shared_ptr<Node> without_inputs(const Node& node) {
  auto made = std::make_shared<Node>(node.kind, node.dtype, node.shape);
  made->op = node.op;
  made->value = node.value;
  made->attrs = node.attrs;
  made->gradient = node.gradient;
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

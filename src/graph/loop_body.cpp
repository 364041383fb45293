// SPDX-License-Identifier: MIT
#include "graph/loop_body.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "core/list.hpp"
#include "core/walk.hpp"

namespace trigon::detail::graph {
namespace {

// A value of more operations is computed once, before the loop.
constexpr int few_operations = 8;

class Closer {
 public:
  explicit Closer(const TracedBody& traced) : traced_(traced), body_(std::make_shared<LoopBody>()) {
    add_parameters();
    for (const NodePtr& result : kept_results()) note(result);
    for (const NodePtr& result : kept_results()) body_->results.push_back(copy(result));
  }

  ClosedBody finish() {
    body_->captured = static_cast<std::int32_t>(captured_.size());
    fill_key();
    return {std::move(body_), std::move(captured_), std::move(scalars_)};
  }

 private:
  struct Below {
    std::vector<NodePtr> inputs;
    bool depends = false;  ///< on a parameter of this body
    bool outside = false;  ///< on a value that is not a host number, or takes much work
    int operations = 0;    ///< operations that compute it from numbers
    NodePtr copied{};
  };
  /// The key numbers the body's nodes separately in these groups.
  enum class Group : std::uint64_t { parameter, copy, scalar };

  std::vector<NodePtr> kept_results() const {
    std::vector<NodePtr> kept;
    for (std::size_t k = 0; k < traced_.results.size(); ++k) {
      const bool carry = std::cmp_less(k, traced_.carries);
      if (!carry || !traced_.fixed.contains(traced_.parameters[k + 1].get())) {
        kept.push_back(traced_.results[k]);
      }
    }
    return kept;
  }

  NodePtr new_parameter(const Node& like) {
    auto node = std::make_shared<Node>(Kind::parameter, like.dtype, like.shape);
    node->attrs = ParameterAttrs{std::ssize(body_->parameters)};
    number_.emplace(node.get(), word(Group::parameter, body_->parameters.size()));
    body_->parameters.push_back(node);
    return node;
  }

  void add_parameters() {
    first_id_ = traced_.parameters.front()->id;
    for (const NodePtr& parameter : traced_.parameters) {
      Below& below = below_[parameter.get()];
      below.depends = true;
      if (!traced_.fixed.contains(parameter.get())) below.copied = new_parameter(*parameter);
    }
    body_->carries = traced_.carries - static_cast<std::int32_t>(traced_.fixed.size());
    body_->slices = traced_.slices;
    body_->outputs = traced_.outputs;
    body_->has_condition = traced_.has_condition;
    body_->kind = traced_.kind;
  }

  /// Whether the nodes below may depend on a parameter, or may have to be copied.
  bool is_looked_into(const Node& node) const {
    if (node.id > first_id_) return true;
    if (node.kind == Kind::argument) return false;  // the tape must find it again
    if (info(node.kind).is_view) return true;
    return node.device == nullptr && node.kind != Kind::loop;
  }

  /// Notes all nodes below, inputs first.
  void note(const NodePtr& root) {
    using Inputs = std::vector<NodePtr>;
    const auto enter = [&](const NodePtr& node) -> std::optional<Inputs> {
      if (!below_.try_emplace(node.get()).second) return std::nullopt;
      return is_looked_into(*node) ? inputs_of(*node) : Inputs();
    };
    const auto leave = [&](const NodePtr& node, Inputs inputs) {
      Below& below = below_.at(node.get());
      below.inputs = std::move(inputs);
      classify(*node, below);
    };
    core::walk_up(root, enter, leave);
  }

  void classify(const Node& node, Below& below) {
    for (const NodePtr& input : below.inputs) {
      below.depends = below.depends || below_.at(input.get()).depends;
      below.outside = below.outside || below_.at(input.get()).outside;
    }
    if (below.depends || info(node.kind).is_one_number) return;
    // Leaves have no inputs, nor do other bodies' parameters and nodes with a value.
    const bool is_end = below.inputs.empty() && node.kind != Kind::iota;
    below.outside = below.outside || is_end || node.device != nullptr || node.kind == Kind::loop;
    // A value computed from numbers by a few operations is computed by its readers.
    for (const NodePtr& input : below.inputs) below.operations += below_.at(input.get()).operations;
    if (!info(node.kind).is_view && node.kind != Kind::iota)
      below.operations += operations_of(node);
    below.operations = std::min(below.operations, few_operations + 1);
    below.outside = below.outside || below.operations > few_operations;
  }

  static int operations_of(const Node& node) {
    return node.kind == Kind::map && node.op->family != Family::kernel ? 1 : few_operations + 1;
  }

  bool is_captured(const Node& node, const Below& below) const {
    if (below.depends || !below.outside) return false;
    return !info(node.kind).is_view || below.inputs.empty();
  }

  /// The parameter for a node outside.
  NodePtr capture(const NodePtr& node) {
    NodePtr& parameter = parameter_of_[node.get()];
    if (parameter == nullptr) {
      parameter = new_parameter(*node);
      captured_.push_back(node);
    }
    return parameter;
  }

  NodePtr copy(const NodePtr& root) {
    using Inputs = std::span<const NodePtr>;
    const auto enter = [&](const NodePtr& node) -> std::optional<Inputs> {
      const Below& below = below_.at(node.get());
      if (below.copied != nullptr) return std::nullopt;
      return is_captured(*node, below) ? Inputs() : Inputs(below.inputs);
    };
    const auto leave = [&](const NodePtr& node, Inputs /*inputs*/) {
      Below& below = below_.at(node.get());
      below.copied = copy_of(node, below);
    };
    core::walk_up(root, enter, leave);
    return below_.at(root.get()).copied;
  }

  /// Copies a node whose inputs are copied already.
  NodePtr copy_of(const NodePtr& node, const Below& below) {
    if (const auto found = traced_.fixed.find(node.get()); found != traced_.fixed.end()) {
      return capture(found->second);
    }
    if (node->kind == Kind::scalar) {
      number_.emplace(node.get(), word(Group::scalar, scalars_.size()));
      scalars_.push_back(node);
      return node;
    }
    if (is_captured(*node, below)) return capture(node);
    // The copy has no device: the device may hold plans of this body, so it would never be freed.
    auto made = without_inputs(*node);
    for (const NodePtr& input : below.inputs) {
      made->inputs.push_back(below_.at(input.get()).copied);
    }
    number_.emplace(made.get(), word(Group::copy, copies_.size()));
    copies_.push_back(made);
    return made;
  }

  static std::uint64_t word(Group group, std::size_t number) {
    return static_cast<std::uint64_t>(group) << 32 | number;
  }

  void append_type(const Node& node) {
    std::vector<std::uint64_t>& key = body_->key;
    key.push_back(static_cast<std::uint64_t>(node.kind) |
                  static_cast<std::uint64_t>(node.dtype) << 8 |
                  static_cast<std::uint64_t>(node.shape.rank()) << 16);
    for (const std::int64_t dim : node.shape) key.push_back(static_cast<std::uint64_t>(dim));
  }

  void append(const Node& node) {
    std::vector<std::uint64_t>& key = body_->key;
    append_type(node);
    key.push_back(reinterpret_cast<std::uintptr_t>(node.op));
    key.push_back(std::bit_cast<std::uint64_t>(node.value));
    core::for_each_word(node.attrs, [&](std::uint64_t word) { key.push_back(word); });
    key.push_back(node.inputs.size());
    for (const NodePtr& input : node.inputs) key.push_back(number_.at(input.get()));
    if (node.body == nullptr) return;
    key.push_back(node.body->key.size());
    core::append(key, node.body->key);
  }

  void fill_key() {
    std::vector<std::uint64_t>& key = body_->key;
    for (const std::int32_t count :
         {body_->carries, body_->slices, body_->captured, body_->outputs}) {
      key.push_back(static_cast<std::uint64_t>(count));
    }
    key.push_back(body_->has_condition ? 1 : 0);
    for (const NodePtr& parameter : body_->parameters) append_type(*parameter);
    key.push_back(scalars_.size());
    for (const NodePtr& scalar : scalars_) append_type(*scalar);
    key.push_back(copies_.size());
    for (const NodePtr& node : copies_) append(*node);
    for (const NodePtr& result : body_->results) key.push_back(number_.at(result.get()));
  }

  const TracedBody& traced_;
  std::shared_ptr<LoopBody> body_;
  std::uint64_t first_id_ = 0;
  std::unordered_map<const Node*, Below> below_;
  std::unordered_map<const Node*, NodePtr> parameter_of_;  ///< of captured nodes
  std::unordered_map<const Node*, std::uint64_t> number_;  ///< of the body's nodes, in the key
  std::vector<NodePtr> captured_;
  std::vector<NodePtr> scalars_;
  std::vector<NodePtr> copies_;
};

}  // namespace

ClosedBody close_body(const TracedBody& traced) { return Closer(traced).finish(); }

}  // namespace trigon::detail::graph

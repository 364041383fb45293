// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "graph/node.hpp"
#include "trigon/tensor.hpp"

// A record of a function of tensors, for transforms of it.

namespace trigon::detail::transform {

/// A node that depends on an input of f. Its inputs are kept here, since an evaluation drops the
/// node's inputs.
struct Entry {
  Tensor y;
  std::vector<graph::NodePtr> inputs;
  graph::NodePtr predicate{};  ///< of a cond: a node of one element
  /// Of a loop: its carries before each iteration, stacked; null if it does not keep them.
  std::shared_ptr<const std::vector<Tensor>> carries{};
};

/// The nodes that f made, inputs before their readers.
struct Tape {
  std::vector<Entry> entries;
  std::vector<graph::NodePtr> arguments;
  std::unordered_set<const graph::Node*> dependent;  ///< the arguments and the entries' nodes
};

/// A new node for an input of f. All nodes that f builds on it have larger ids, all others smaller
/// ones.
graph::NodePtr argument_of(const Tensor& x);

/// Whether the node counts as a constant, whatever it is made of.
bool is_stopped(const graph::Node& node);

/// The nodes between the arguments and the results of f. Raises Error for one that f evaluated.
Tape tape_of(std::span<const Tensor> results, std::vector<graph::NodePtr> arguments);

using Leaves = std::vector<Tensor>;

/// The results of f, and the nodes that were its arguments.
struct Traced {
  Leaves results;
  std::vector<graph::NodePtr> arguments;
};

/// "the result of f", or which leaf of it.
std::string result_name(const Leaves& results, std::size_t k);

/// Raises Error for a tensor in `given` that is empty or has another shape or device than that in
/// `like`. A Named must live.
void check_like(const char* name, const Leaves& given, const char* of, const Leaves& like);

/// Calls f with the leaves of all arguments. Raises Error for leaves that are not float32, and for
/// results without tensors.
Traced call_with_arguments(const std::function<Leaves(Leaves)>& f,
                           const std::vector<Leaves>& arguments);

/// A rule's gradient or tangent as float32 of that shape; rules may return one that only broadcasts
/// to it.
Tensor fitted(const Tensor& g, const Shape& shape);

/// The gradients towards the tape's arguments from those towards `results`, from which the tape was
/// made; an empty handle for none. A Named must live.
Leaves pull_back(const Tape& tape, std::span<const Tensor> results, std::span<const Tensor> dy);

/// The derivatives that a rule of the other direction is to give.
enum class Wanted : std::uint8_t { tangents, gradients };

/// The transpose of a rule at g. The rule is a linear function of tensors of the shapes of `like`;
/// the result has a tensor for each of these. Empty handles are zeros: in the result, in g, and in
/// the rule's results. Raises Error when the rule, of a function `name`, is not linear.
Leaves transposed_rule(Wanted wanted, const std::string& name, const Leaves& like,
                       const std::function<Leaves(const Leaves&)>& rule, std::span<const Tensor> g);

}  // namespace trigon::detail::transform

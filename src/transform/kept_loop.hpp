// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/internals.hpp"
#include "core/item.hpp"
#include "graph/build.hpp"
#include "graph/loop.hpp"
#include "graph/node.hpp"
#include "transform/body_copy.hpp"
#include "transform/tape.hpp"

// Loops that keep their carries, for gradients.

namespace trigon::detail::transform {

/// A loop node as its parts.
struct LoopParts {
  const graph::LoopBody& body;
  const graph::LoopAttrs& attrs;
  std::span<const graph::NodePtr> inputs;

  LoopParts(const graph::Node& loop, std::span<const graph::NodePtr> in)
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
    return graph::constant(static_cast<double>(attrs.first + iterations), int32);
  }
  /// Whether the number of iterations is known, at least as a bound.
  bool is_counted() const {
    return !attrs.iterations_scalar.is_given() && attrs.iterations != graph::LoopAttrs::unbounded;
  }
};

/// A copy of the loop's body, with its captured tensors set. In a while loop it no longer checks
/// indices: it also runs for elements that are finished.
BodyCopy copy_of_body(const LoopParts& loop);

/// A carry after an iteration. Once the condition of a while loop is false it stays.
Tensor next_carry(BodyCopy& copy, const graph::LoopBody& body, std::int64_t k, const Tensor& last);

/// The results of a loop, and the carries that each of its sections keeps.
struct KeptLoop {
  Leaves results;
  std::vector<std::pair<graph::NodePtr, Leaves>> sections;  ///< a loop node, and its carries
};

KeptLoop keep_carries(const LoopParts& loop);

}  // namespace trigon::detail::transform

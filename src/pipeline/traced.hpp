// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/layout.hpp"
#include "core/rooms.hpp"
#include "graph/node.hpp"
#include "graph/trace.hpp"
#include "plan/plan.hpp"

// How compiled functions use plans: making one of a trace, and running it.

namespace trigon::detail::pipeline {

using StoragePtr = std::shared_ptr<run::Storage>;

/// A leaf that stands for an argument while a function is traced.
struct TracedArgument {
  const graph::Node* leaf;
  bool is_owned;  ///< may be written in place
};

/// A plan and the values that each call binds to it. Holds no node.
struct Traced {
  struct Leaf {
    std::int32_t slot;
    std::int32_t argument;  ///< -1: `captured`
    StoragePtr captured;
  };
  /// A Scalar of the plan: a step of `program`, or `value` if that is -1.
  struct Number {
    std::int32_t step;
    double value;
  };
  struct Root {
    std::int32_t slot;    ///< -1: `captured`
    core::Layout layout;  ///< the root's view of the slot's texels
    StoragePtr captured;  ///< null: no elements
  };
  std::shared_ptr<const plan::Plan> plan;
  std::vector<Leaf> leaves;
  std::vector<Number> numbers;
  std::vector<Root> roots;
  graph::ScalarProgram program;
};

/// Plans the roots of a trace, each listed once; nothing else refers to them unless f kept them.
/// Captured values that are not evaluated yet are evaluated first.
Traced make_traced(run::DeviceState& device, std::span<const graph::NodePtr> roots,
                   std::span<const TracedArgument> arguments, const graph::Trace& trace);

/// Runs the plan. `arguments` are the arguments' storages, released as soon as nothing reads them.
/// `steps` are the values of the program's steps. Returns the storage of each root. Needs an Entry.
std::vector<StoragePtr> run_traced(run::DeviceState& device, const Traced& traced,
                                   std::vector<StoragePtr> arguments,
                                   std::span<const double> steps);

}  // namespace trigon::detail::pipeline

// SPDX-License-Identifier: MIT
#include "graph/loop.hpp"

#include <string>

#include <fmt/format.h>

#include "core/called.hpp"
#include "core/item.hpp"
#include "core/walk.hpp"
#include "graph/trace.hpp"

namespace trigon::detail::graph {
namespace {

const char* function_of_loop(const Node& parameter) {
  return item(loop_functions, parameter.as<ParameterAttrs>().function);
}

std::string parameter_name(const Node& parameter) {
  return fmt::format("{} ({} {})",
                     parameter.as<ParameterAttrs>().number == 0 ? "the step" : "a carry or slice",
                     to_string(parameter.shape), name(parameter.dtype));
}

}  // namespace

void throw_no_value(const Node& parameter) {
  const core::Called called(function_of_loop(parameter));
  constexpr const char* hint = "return it from the body, and read the result of the loop";
  if (InBody::function() == nullptr) {
    core::fail(
        "a tensor that the body of a loop made has no value after the loop: asked for is one that "
        "depends on {}\n  hint: {}",
        parameter_name(parameter), hint);
  }
  core::fail(
      "inside the body of a loop a tensor has no value: asked for is one that depends on {}\n  "
      "hint: {}",
      parameter_name(parameter), hint);
}

void refuse_to_move(const NodePtr& root) {
  if (InBody::function() == nullptr) return;
  core::Walk<NodePtr> walk({root});
  for (const NodePtr& node : walk) {
    if (node->kind == Kind::parameter) {
      const core::Called called(function_of_loop(*node));
      core::fail(
          "the body moves a tensor to another device: asked for is one that depends on {}; a loop "
          "runs on one device\n  hint: call .to(device) on what the loop reads before it, or on "
          "its results after it",
          parameter_name(*node));
    }
    walk.add(inputs_of(*node));
  }
}

}  // namespace trigon::detail::graph

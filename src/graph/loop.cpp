// SPDX-License-Identifier: MIT
#include "graph/loop.hpp"

#include <string>

#include <fmt/format.h>

#include "core/called.hpp"
#include "core/walk.hpp"
#include "graph/trace.hpp"

namespace trigon::detail::graph {
namespace {

std::string parameter_name(const Node& parameter) {
  return fmt::format("{} ({} {})",
                     parameter.as<ParameterAttrs>().number == 0 ? "the step" : "a carry or slice",
                     to_string(parameter.shape), name(parameter.dtype));
}

}  // namespace

void throw_no_value(const Node& parameter) {
  const core::Called called(function_of(parameter.as<ParameterAttrs>().loop));
  if (parameter.as<ParameterAttrs>().loop == LoopKind::vmap) {
    core::fail(
        "inside a function that is mapped a tensor has no value: asked for is one that depends on "
        "an argument ({} {})\n  hint: return it, and read the result of vmap",
        to_string(parameter.shape), name(parameter.dtype));
  }
  constexpr const char* hint = "return it from the body, and read the result of the loop";
  if (!InBody::kind()) {
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
  if (!InBody::kind()) return;
  core::Walk<NodePtr> walk({root});
  for (const NodePtr& node : walk) {
    if (node->kind == Kind::parameter && node->as<ParameterAttrs>().loop != LoopKind::vmap) {
      const core::Called called(function_of(node->as<ParameterAttrs>().loop));
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

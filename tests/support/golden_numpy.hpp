// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <trigon/tensor.hpp>

#include "support/golden.hpp"
#include "support/numpy_ops.hpp"

// Cases of tests/data/numpy as calls.

namespace trigon::support {

/// The name of its function: "pad" with another mode than constant is another one.
inline std::string name_of(const Json& c) {
  const std::string mode = c["kw"].value("mode", "constant");
  const std::string op = c["op"];
  return mode == "constant" ? op : op + ":" + mode;
}

inline void add_argument(Call& call, const Json& argument, const GoldenLeaf& leaf) {
  if (argument.contains("v")) {
    call.literals.push_back(argument["v"]);
    return;
  }
  if (argument.contains("list")) {
    for (const Json& part : argument["list"]) add_argument(call, part, leaf);
    return;
  }
  Tensor x = leaf(argument["t"]);
  for (const Json& step : argument.value("view", Json::array())) x = apply_view(x, step);
  call.tensors.push_back(x);
}

inline Call call_of(const Json& c, const GoldenLeaf& leaf) {
  Call call;
  call.kw = c["kw"];
  for (const Json& argument : c["args"]) add_argument(call, argument, leaf);
  return call;
}

}  // namespace trigon::support

// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <string>

#include <trigon/op.hpp>

#include "kernel/kernel.hpp"

namespace trigon::emit {

/// The ops of a shader as GLSL functions, each written once.
class Functions {
 public:
  /// The name of the function that computes an elementwise op on operands of `type`.
  std::string elementwise(const Op& op, plan::Type type, plan::Type result);
  /// The name of a part of a reduction over accumulators of `type`.
  std::string reduce(const Op& op, plan::Code part, bool identity, plan::Type type);

  const std::string& text() const { return text_; }

 private:
  std::set<std::string> known_;
  std::string text_;
};

}  // namespace trigon::emit

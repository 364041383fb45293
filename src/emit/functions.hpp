// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <trigon/op.hpp>

#include "emit/bodies.hpp"
#include "kernel/kernel.hpp"

namespace trigon::detail::emit {

/// The functions of a reduction: accumulators without a value, with one value, combined from two
/// tuples, and the results.
enum class ReduceStep { identity, lift, combine, finish };

/// The ops of a shader as GLSL functions, each written once.
class Functions {
 public:
  /// `check`: users' loops count their trips.
  explicit Functions(bool check = false) : check_(check) {}

  /// The name of the function that computes an elementwise op on operands of `type`.
  std::string elementwise(const Op& op, core::Type type, core::Type result);
  /// The name of a function of a reduction over accumulators of `type`. `masked`: a last argument
  /// tells which lanes to combine.
  std::string reduce(const Op& op, ReduceStep step, core::Type type, bool masked = false);

  /// The name of the function that computes four lanes of a kernel.
  std::string kernel(const Body& body, const kernel::Kernel& kernel, const Dialect& dialect);

  const std::string& text() const { return text_; }

 private:
  /// "op_exp", or "op2_exp" for the second op of that name in the shader.
  std::string prefix(const Op& op);
  /// Adds the function that computes a user's identity or reduce expression for one element.
  /// Returns the statement that calls it.
  std::string per_element(const Op& op, bool identity, core::Type type, bool masked);

  /// The names of a user's reduction.
  struct Reduction {
    std::size_t number = 0;
    std::map<std::string, std::string> names{};
  };

  bool check_;
  std::map<std::string_view, std::vector<int>> ids_;  ///< of the ops of a name, by first use
  std::vector<Body> bodies_;
  std::map<int, Reduction> reductions_;  ///< by op
  std::set<std::string> known_;
  std::string text_;
};

}  // namespace trigon::detail::emit

// SPDX-License-Identifier: MIT
#include "graph/call.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "graph/node.hpp"
#include "graph/trace.hpp"
#include "trigon/error.hpp"

namespace trigon {
namespace {

thread_local const char* called = nullptr;

// The text with the name of the function that the user called in place of the one that failed.
std::string renamed(const std::string& text) {
  constexpr std::string_view prefix = "trigon::";
  const std::size_t end = text.find(": ");
  if (called == nullptr || !text.starts_with(prefix) || end == std::string::npos) return text;
  return fmt::format("{}{}{}", prefix, called, text.substr(end));
}

}  // namespace

Error::Error(const std::string& text) : std::runtime_error(renamed(text)) {}

namespace detail::graph {
Call::Call(const char* function) noexcept : is_outermost_(called == nullptr) {
  if (is_outermost_) called = function;
}

// The destructor runs when a check below throws, as the constructor above has ended.
Call::Call(const char* function, std::initializer_list<Operand> operands) : Call(function) {
  const Operand* placed = nullptr;  // the first operand that has a device
  for (const Operand& operand : operands) {
    if (!operand.x.has_value()) {
      if (operand.may_be_empty) continue;
      check_operand(function, operand.name, operand.x);
    }
    const auto& device = operand.x.node()->device;
    if (device == nullptr) continue;
    if (placed == nullptr) {
      placed = &operand;
    } else if (placed->x.node()->device != device) {
      refuse_device(function, operand.name, fmt::format("{} is", placed->name));
    }
  }
}

Call::Call(const char* function, const char* what, std::span<const Tensor> operands)
    : Call(function) {
  const auto name = [what](std::size_t k) { return fmt::format("{} {}", what, k); };
  std::size_t placed = operands.size();
  for (std::size_t k = 0; k < operands.size(); ++k) {
    if (!operands[k].has_value()) check_operand(function, name(k), operands[k]);
    const auto& device = operands[k].node()->device;
    if (device == nullptr) continue;
    if (placed == operands.size()) {
      placed = k;
    } else if (operands[placed].node()->device != device) {
      refuse_device(function, name(k), name(placed) + " is");
    }
  }
}

Call::~Call() {
  if (is_outermost_) called = nullptr;
}

const char* called_function(const char* own) noexcept { return called == nullptr ? own : called; }

UserCode::UserCode() noexcept : outer_(std::exchange(called, nullptr)) {}
UserCode::~UserCode() { called = outer_; }

std::int64_t count_of(const char* function, const Shape& shape) {
  const Call call(function);
  return shape.numel();
}

void check_operand(std::string_view function, std::string_view name, const Tensor& x) {
  if (x.has_value()) return;
  throw Error(fmt::format("trigon::{}: empty handle: {} refers to no value; assign a tensor first",
                          function, name));
}

Shape common_shape(std::string_view function, std::initializer_list<Operand> operands) {
  Shape shape;
  for (const Operand& operand : operands) {
    if (const auto both = broadcast(shape, operand.x.shape())) {
      shape = *both;
      continue;
    }
    std::vector<std::string> shapes;
    for (const Operand& one : operands) {
      shapes.push_back(fmt::format("{} is {}", one.name, to_string(one.x.shape())));
    }
    throw Error(
        fmt::format("trigon::{}: shapes do not broadcast: {}; axes must be equal or 1, counted "
                    "from the last",
                    function, fmt::join(shapes, ", ")));
  }
  return shape;
}

void check_part_count(const char* function, const char* what, std::int64_t count) {
  constexpr std::int64_t most = 1 << 20;
  if (count <= most) return;
  throw Error(
      fmt::format("trigon::{}: too many {}: {}; must be at most {}", function, what, count, most));
}

void check_floats(std::string_view function, std::initializer_list<Operand> operands) {
  for (const Operand& operand : operands) {
    if (is_float(operand.x.dtype())) continue;
    throw Error(fmt::format("trigon::{}: {} is not a float: it is {}; cast with astype", function,
                            operand.name, name(operand.x.dtype())));
  }
}

void refuse_device(std::string_view function, const std::string& operand,
                   const std::string& others) {
  const char* loop = InBody::function();
  throw Error(fmt::format(
      "trigon::{}: operands live on different devices: {} is not where {}; move one with "
      ".to(device){}",
      function, operand, others,
      loop == nullptr ? ""
                      : fmt::format("\n  hint: this is in the body of trigon::{}; move what the "
                                    "loop reads before it",
                                    loop)));
}

}  // namespace detail::graph
}  // namespace trigon

// SPDX-License-Identifier: MIT
#include "graph/named.hpp"

#include <cstddef>
#include <string>

#include <fmt/format.h>

#include "core/internals.hpp"
#include "graph/node.hpp"
#include "graph/trace.hpp"

namespace trigon::detail::graph {

Named::Named(const char* function) noexcept : called_(function) {}

Named::Named(const char* function, std::initializer_list<Operand> operands) : Named(function) {
  const Operand* placed = nullptr;  // the first operand that has a device
  for (const Operand& operand : operands) {
    if (!operand.x.has_value()) {
      if (operand.may_be_empty) continue;
      check_operand(operand.name, operand.x);
    }
    const auto& device = Internals::node(operand.x)->device;
    if (device == nullptr) continue;
    if (placed == nullptr) {
      placed = &operand;
    } else if (Internals::node(placed->x)->device != device) {
      refuse_device(operand.name, fmt::format("{} is", placed->name));
    }
  }
}

Named::Named(const char* function, const char* what, std::span<const Tensor> operands)
    : Named(function) {
  const auto name = [what](std::size_t k) { return fmt::format("{} {}", what, k); };
  std::size_t placed = operands.size();
  for (std::size_t k = 0; k < operands.size(); ++k) {
    if (!operands[k].has_value()) check_operand(name(k), operands[k]);
    const auto& device = Internals::node(operands[k])->device;
    if (device == nullptr) continue;
    if (placed == operands.size()) {
      placed = k;
    } else if (Internals::node(operands[placed])->device != device) {
      refuse_device(name(k), name(placed) + " is");
    }
  }
}

void check_operand(std::string_view name, const Tensor& x) {
  if (x.has_value()) return;
  core::fail("empty handle: {} refers to no value; assign a tensor first", name);
}

void refuse_device(const std::string& operand, const std::string& others) {
  const auto loop = InBody::kind();
  core::fail("operands live on different devices: {} is not where {}; move one with .to(device){}",
             operand, others,
             loop ? fmt::format("\n  hint: this is in the body of trigon::{}; move what the "
                                "loop reads before it",
                                function_of(*loop))
                  : "");
}

}  // namespace trigon::detail::graph

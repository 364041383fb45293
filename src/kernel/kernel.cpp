// SPDX-License-Identifier: MIT
#include "kernel/kernel.hpp"

#include <type_traits>

#include "core/hash.hpp"

namespace trigon::detail::kernel {

bool operator==(const Instr& a, const Instr& b) {
  if (a.operation.index() != b.operation.index() || a.type != b.type || a.lane != b.lane ||
      a.block != b.block) {
    return false;
  }
  return std::visit(
      [&b](const auto& operation) {
        return fields(operation) ==
               fields(std::get<std::decay_t<decltype(operation)>>(b.operation));
      },
      a.operation);
}

Operand first_operand(const Instr& instr) {
  Operand first;
  each<Operand>(instr, [&first](Operand operand) {
    if (first < 0) first = operand;
  });
  return first;
}

OpNumber op_number(const Instr& instr) {
  OpNumber found;
  each<OpNumber>(instr, [&found](OpNumber op) { found = op; });
  return found;
}

const CarriedValue* carried_value(const Instr& instr) {
  if (const auto* carried = instr.as<Carried>()) return &carried->of;
  if (const auto* result = instr.as<Result>()) return &result->of;
  return nullptr;
}

std::size_t content_hash(const Instr& instr) {
  const std::uint64_t seed = core::mix(
      instr.operation.index(),
      static_cast<std::uint64_t>(instr.type) | static_cast<std::uint64_t>(instr.lane) << 8 |
          static_cast<std::uint64_t>(static_cast<std::uint16_t>(instr.block)) << 16);
  return std::visit([seed](const auto& operation) { return mix_fields(seed, operation); },
                    instr.operation);
}

std::size_t list_bytes(const Instr& instr) {
  return std::visit([](const auto& operation) { return list_bytes(operation); }, instr.operation);
}

std::size_t content_hash(const Kernel& kernel) {
  std::uint64_t seed = kernel.inputs.size();
  for (const Instr& instr : kernel.code) seed = core::mix(seed, content_hash(instr));
  for (const Block& block : kernel.blocks) {
    seed = core::mix(seed, static_cast<std::uint64_t>(block.trips));
    seed = core::mix(seed, static_cast<std::uint64_t>(block.goes_on));
    seed = core::mix(seed, static_cast<std::uint64_t>(block.runs));
    for (const auto& [before, at_end] : block.carried) {
      seed = core::mix(core::mix(seed, static_cast<std::uint64_t>(before)),
                       static_cast<std::uint64_t>(at_end));
    }
  }
  for (const auto& [value, type] : kernel.outputs) {
    seed = core::mix(core::mix(seed, static_cast<std::uint64_t>(value)),
                     static_cast<std::uint64_t>(type));
  }
  return core::mix(seed, static_cast<std::uint64_t>(kernel.dialect) * 2 + (kernel.sampled ? 1 : 0) +
                             (kernel.check ? 4 : 0));
}

}  // namespace trigon::detail::kernel

// SPDX-License-Identifier: MIT
#include "kernel/kernel.hpp"

#include "core/hash.hpp"

namespace trigon::detail::kernel {

std::size_t content_hash(const Instr& instr) {
  std::uint64_t seed = static_cast<std::uint64_t>(instr.code);
  seed = core::mix(
      seed, static_cast<std::uint64_t>(instr.type) | static_cast<std::uint64_t>(instr.lane) << 8 |
                static_cast<std::uint64_t>(static_cast<std::uint8_t>(instr.mode)) << 16 |
                static_cast<std::uint64_t>(static_cast<std::uint8_t>(instr.component)) << 24 |
                static_cast<std::uint64_t>(static_cast<std::uint16_t>(instr.block)) << 32 |
                static_cast<std::uint64_t>(static_cast<std::uint16_t>(instr.inner)) << 48);
  seed =
      core::mix(seed, static_cast<std::uint64_t>(static_cast<std::uint16_t>(instr.input)) |
                          static_cast<std::uint64_t>(static_cast<std::uint32_t>(instr.op)) << 16);
  for (std::int32_t arg : instr.args) seed = core::mix(seed, static_cast<std::uint64_t>(arg));
  for (std::int32_t slot : instr.ints) seed = core::mix(seed, static_cast<std::uint64_t>(slot));
  return seed;
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

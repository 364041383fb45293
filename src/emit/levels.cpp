// SPDX-License-Identifier: MIT
#include "emit/levels.hpp"

#include "core/item.hpp"

namespace trigon::detail::emit {

using kernel::Instr;
using kernel::Kernel;

Levels levels_of(const Kernel& kernel) {
  Levels levels{std::vector<std::int32_t>(kernel.code.size(), 0),
                std::vector<std::int32_t>(kernel.blocks.size(), 0)};
  const auto raise = [](std::int32_t& level, std::int32_t least) {
    if (level >= least) return false;
    level = least;
    return true;
  };
  // A loop waits for all values that its body reads from outside.
  const auto loops_wait = [&](std::int32_t block, std::int32_t value) {
    bool changed = false;
    const Instr& source = kernel[value];
    for (std::int32_t b = block; b > 0 && b != source.block;) {
      const std::int32_t parent = item(kernel.blocks, b).parent;
      if (parent == source.block) {
        changed = raise(item(levels.blocks, b), item(levels.code, value)) || changed;
      }
      b = parent;
    }
    return changed;
  };
  // Blocks may be read by earlier ones, so this repeats until nothing changes.
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t k = 0; k < kernel.code.size(); ++k) {
      const Instr& instr = kernel.code[k];
      if (const auto* result = instr.as<kernel::Result>()) {
        changed = raise(levels.code[k], item(levels.blocks, result->of.block) + 1) || changed;
      }
      kernel::each<kernel::Operand>(instr, [&](kernel::Operand operand) {
        if (kernel[operand].block == instr.block) {
          changed = raise(levels.code[k], item(levels.code, operand)) || changed;
        } else {
          changed = loops_wait(instr.block, operand) || changed;
        }
      });
    }
    for (std::size_t b = 1; b < kernel.blocks.size(); ++b) {
      const kernel::Block& block = kernel.blocks[b];
      const auto inside = static_cast<std::int32_t>(b);
      changed = loops_wait(inside, block.trips) || changed;
      for (const auto& [before, at_end] : block.carried) {
        changed = loops_wait(inside, before) || changed;
        changed = loops_wait(inside, at_end) || changed;
      }
      if (block.goes_on >= 0) changed = loops_wait(inside, block.goes_on) || changed;
    }
  }
  return levels;
}

}  // namespace trigon::detail::emit

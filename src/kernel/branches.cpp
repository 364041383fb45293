// SPDX-License-Identifier: MIT
#include <vector>

#include "core/item.hpp"
#include "kernel/builder.hpp"

namespace trigon::detail::kernel {

std::int32_t KernelBuilder::open_branch(std::int32_t outer, std::int32_t mask, Runs runs) {
  const std::int32_t block = open_block(deeper(outer, kernel_[mask].block));
  Block& branch = item(kernel_.blocks, block);
  branch.runs = runs;
  branch.trips = mask;
  item(most_trips_, block) = 1;
  item(loops_, block) = item(loops_, branch.parent);
  branches_.push_back(block);
  return block;
}

std::int32_t KernelBuilder::close_branch(std::int32_t value, std::int32_t before) {
  const std::int32_t block = branches_.back();
  branches_.pop_back();
  is_closed_[static_cast<std::size_t>(block)] = true;
  item(kernel_.blocks, block).carried.push_back({before, value});
  return result(block, 0);
}

bool KernelBuilder::is_visible(std::int32_t id) const {
  for (std::int32_t block = kernel_[id].block; block > 0;) {
    if (is_closed_[static_cast<std::size_t>(block)]) return false;
    block = item(kernel_.blocks, block).parent;
  }
  return true;
}

std::vector<std::int32_t> KernelBuilder::branches_for(const Instr& instr) const {
  // Instructions without operands cost nothing, or have a block already.
  if (first_operand(instr) < 0 || instr.is<Raw>()) return {};
  std::vector<std::int32_t> around;
  const std::int32_t depth = item(depths_, instr.block);
  for (const std::int32_t branch : branches_) {
    const std::int32_t loop = item(loops_, branch);
    if (item(depths_, branch) > depth && item(depths_, loop) <= depth) around.push_back(branch);
  }
  return around;
}

}  // namespace trigon::detail::kernel

// SPDX-License-Identifier: MIT
#include "kernel/code_builder.hpp"

#include <algorithm>
#include <utility>

#include "core/item.hpp"
#include "core/list.hpp"

namespace trigon::detail::kernel {
namespace {

// Carried by one loop; a kernel with more is too large.
constexpr std::size_t most_carried = 127;

}  // namespace

CodeBuilder::CodeBuilder(const core::Target& target) : target_(target) {
  kernel_.dialect = target.dialect;
  kernel_.sampled = target.sampler_fetch || target.dialect == core::Dialect::es100;
  kernel_.blocks.emplace_back();
}

std::int32_t CodeBuilder::find(std::uint64_t hash, const Instr& instr) const {
  return known_.find(hash, [&](std::int32_t id) { return kernel_[id] == instr; });
}

std::int32_t CodeBuilder::push(Instr instr, Info info) {
  std::uint64_t hash = content_hash(instr);
  if (const std::int32_t known = find(hash, instr); known >= 0) return known;
  if (!branches_.empty()) {
    for (const std::int32_t branch : branches_for(instr)) {
      instr.block = branch;
      hash = content_hash(instr);
      if (const std::int32_t known = find(hash, instr); known >= 0) return known;
    }
  }
  return push_new(hash, std::move(instr), std::move(info));
}

std::int32_t CodeBuilder::push_new(std::uint64_t hash, Instr instr, Info info) {
  // A kernel that passes the limit is discarded in the end.
  too_large_ = too_large_ || kernel_.code.size() >= most_instructions_;
  const auto id = static_cast<std::int32_t>(kernel_.code.size());
  kernel_.code.push_back(std::move(instr));
  info_.push_back(std::move(info));
  known_.insert(hash, id);
  return id;
}

std::int32_t CodeBuilder::deeper(std::int32_t a, std::int32_t b) const {
  return item(depths_, a) >= item(depths_, b) ? a : b;
}

std::int32_t CodeBuilder::add(Operation operation, core::Type type, Lane lane) {
  Instr instr{std::move(operation), type, lane};
  each<Operand>(std::as_const(instr), [&](Operand operand) {
    const Instr& source = kernel_[operand];
    instr.block = deeper(instr.block, source.block);
    // A value made of uniform values is uniform itself.
    if (instr.is_value() && source.lane != Lane::uniform) instr.lane = Lane::vector;
  });
  return push(std::move(instr), {});
}

std::int32_t CodeBuilder::int_uniform(const IntExpr& value) {
  // Constants are not merged: which ones are equal depends on shapes, and so would the program.
  if (value.scalar >= 0) return static_cast<std::int32_t>(core::place_in(ints_, value));
  ints_.push_back(value);
  return static_cast<std::int32_t>(ints_.size()) - 1;
}

std::int32_t CodeBuilder::open_block(std::int32_t outer) {
  const auto block = static_cast<std::int32_t>(kernel_.blocks.size());
  if (!branches_.empty()) outer = deeper(outer, branches_.back());
  kernel_.blocks.push_back({.parent = outer});
  depths_.push_back(item(depths_, outer) + 1);
  most_trips_.push_back(0);
  loops_.push_back(block);
  is_closed_.push_back(false);
  return block;
}

void CodeBuilder::set_trips(std::int32_t block, std::int32_t id, std::int64_t most) {
  item(kernel_.blocks, block).trips = id;
  item(most_trips_, block) = most;
}

std::int32_t CodeBuilder::carry(std::int32_t block, std::int32_t before) {
  auto& all = item(kernel_.blocks, block).carried;
  all.push_back({before, -1});
  // A kernel that passes the limit is discarded in the end.
  too_large_ = too_large_ || all.size() > most_carried;
  const CarriedValue value{block, static_cast<std::int32_t>(all.size()) - 1};
  return push({Carried{value}, type(before), Lane::vector, block}, {});
}

void CodeBuilder::set_carried(std::int32_t block, std::int32_t number, std::int32_t at_end) {
  auto& loop = item(kernel_.blocks, block);
  item(loop.carried, number)[1] = at_end;
}

std::int32_t CodeBuilder::result(std::int32_t block, std::int32_t number) {
  const Block& loop = item(kernel_.blocks, block);
  const core::Type type = this->type(item(loop.carried, number)[0]);
  return push({Result{{block, number}}, type, Lane::vector, loop.parent}, {});
}

void CodeBuilder::output(std::int32_t value, core::Type type) {
  kernel_.outputs.push_back({value, type});
}

std::int32_t CodeBuilder::open_branch(std::int32_t outer, std::int32_t mask, Runs runs) {
  const std::int32_t block = open_block(deeper(outer, kernel_[mask].block));
  Block& branch = item(kernel_.blocks, block);
  branch.runs = runs;
  branch.trips = mask;
  item(most_trips_, block) = 1;
  item(loops_, block) = item(loops_, branch.parent);
  branches_.push_back(block);
  return block;
}

std::int32_t CodeBuilder::close_branch(std::int32_t value, std::int32_t before) {
  const std::int32_t block = branches_.back();
  branches_.pop_back();
  is_closed_[static_cast<std::size_t>(block)] = true;
  item(kernel_.blocks, block).carried.push_back({before, value});
  return result(block, 0);
}

bool CodeBuilder::is_visible(std::int32_t id) const {
  for (std::int32_t block = kernel_[id].block; block > 0;) {
    if (is_closed_[static_cast<std::size_t>(block)]) return false;
    block = item(kernel_.blocks, block).parent;
  }
  return true;
}

std::vector<std::int32_t> CodeBuilder::branches_for(const Instr& instr) const {
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

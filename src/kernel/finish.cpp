// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include <trigon/op.hpp>

#include "core/item.hpp"
#include "kernel/builder.hpp"
#include "kernel/compiled.hpp"

namespace trigon::detail::kernel {
namespace {

/// The parts of a kernel that its outputs depend on.
struct Used {
  std::vector<bool> code;
  std::vector<bool> blocks;
  std::vector<std::vector<bool>> carried;  ///< of each block
};

Used used_in(const Kernel& kernel) {
  Used used{std::vector<bool>(kernel.code.size(), false),
            std::vector<bool>(kernel.blocks.size(), false),
            {}};
  for (const Block& block : kernel.blocks) used.carried.emplace_back(block.carried.size(), false);
  const auto use = [&](std::int32_t id) {
    if (id >= 0) item(used.code, id) = true;
  };
  for (const KernelOutput& output : kernel.outputs) use(output.value);
  used.blocks[0] = true;
  // A block is used if one of its results is. A carried value is used if it is read, within the
  // block or after it.
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t k = kernel.code.size(); k-- > 0;) {
      if (!used.code[k]) continue;
      const Instr& instr = kernel.code[k];
      for (std::int32_t arg : instr.args) use(arg);
      if (instr.code == Code::result || instr.code == Code::carried) {
        auto&& known = item(item(used.carried, instr.inner), instr.mode);
        if (!known) {
          known = changed = true;
          const auto& pair = item(item(kernel.blocks, instr.inner).carried, instr.mode);
          use(pair[0]), use(pair[1]);
        }
      }
      std::int32_t block = instr.code == Code::result ? instr.inner : instr.block;
      while (!item(used.blocks, block)) {
        item(used.blocks, block) = changed = true;
        const Block& loop = item(kernel.blocks, block);
        use(loop.trips);
        use(loop.goes_on);
        block = loop.parent;
      }
    }
  }
  return used;
}

/// Iterations of a nested loop, at most 2^40: more than any device runs, and sums cannot overflow.
std::int64_t nested_trips(std::int64_t outer, std::int64_t inner) {
  constexpr std::int64_t most = std::int64_t{1} << 40;
  return inner > most / std::max<std::int64_t>(outer, 1) ? most : outer * inner;
}

}  // namespace

void KernelBuilder::drop_unused() {
  auto& code = kernel_.code;
  const Used used = used_in(kernel_);
  std::vector<std::int32_t> moved(code.size(), -1);
  std::vector<std::int32_t> block_moved(kernel_.blocks.size(), -1);
  std::vector<Block> blocks;
  for (std::size_t k = 0; k < kernel_.blocks.size(); ++k) {
    if (!used.blocks[k]) continue;
    std::size_t number = 0;
    std::erase_if(kernel_.blocks[k].carried,
                  [&](const auto&) { return !used.carried[k][number++]; });
    block_moved[k] = static_cast<std::int32_t>(blocks.size());
    blocks.push_back(std::move(kernel_.blocks[k]));
    most_trips_[blocks.size() - 1] = most_trips_[k];
  }
  kernel_.blocks = std::move(blocks);
  const auto move_block = [&](std::int16_t& block) {
    if (block >= 0) {
      block = static_cast<std::int16_t>(item(block_moved, block));
    }
  };
  const auto carried_before = [&](std::int16_t block, std::int8_t number) {
    const auto& all = item(used.carried, block);
    return std::count(all.begin(), all.begin() + number, true);
  };
  std::vector<Instr> kept;
  for (std::size_t k = 0; k < code.size(); ++k) {
    if (!used.code[k]) continue;
    if (code[k].code == Code::result || code[k].code == Code::carried) {
      code[k].mode = static_cast<std::int8_t>(carried_before(code[k].inner, code[k].mode));
    }
    moved[k] = static_cast<std::int32_t>(kept.size());
    for (std::int32_t& arg : code[k].args) {
      if (arg >= 0) arg = item(moved, arg);
    }
    move_block(code[k].block);
    move_block(code[k].inner);
    kept.push_back(std::move(code[k]));
  }
  code = std::move(kept);
  const auto move = [&](std::int32_t& id) {
    if (id >= 0) id = item(moved, id);
  };
  for (KernelOutput& output : kernel_.outputs) move(output.value);
  for (std::size_t k = 1; k < kernel_.blocks.size(); ++k) {
    Block& block = kernel_.blocks[k];
    block.parent = item(block_moved, block.parent);
    for (auto& pair : block.carried) move(pair[0]), move(pair[1]);
    move(block.trips);
    move(block.goes_on);
  }
}

/// Trips of loops within an op.
std::int64_t KernelBuilder::loop_trips(const Instr& apply) const {
  const Op& op = op_of(apply.op);
  if (op.family == Family::kernel) {
    return kernel_.dialect == core::Dialect::es100 ? op.kernel().loop_trips : 0;
  }
  if (op.family != Family::binary) return 0;
  const bool floats = kernel_[apply.args[0]].type == core::Type::f;
  return floats ? op.binary().loop_trips : op.binary().loop_trips_int;
}

/// Adds up the costs of the blocks, each times the trips of the loops around it.
void KernelBuilder::count_costs(Bound& bound) const {
  std::vector<std::int64_t> times(kernel_.blocks.size(), 1);
  std::vector<bool> is_in_loop(kernel_.blocks.size(), false);
  for (std::size_t k = 1; k < times.size(); ++k) {
    const auto parent = static_cast<std::size_t>(kernel_.blocks[k].parent);
    const bool is_loop = kernel_.blocks[k].runs == Runs::trips;
    times[k] = nested_trips(times[parent], most_trips_[k]);
    is_in_loop[k] = is_loop || is_in_loop[parent];
    if (!is_loop) continue;
    // llvmpipe also counts the trip that only finds the end of the loop.
    bound.trips += times[k] + (is_in_loop[parent] ? times[parent] : 0);
  }
  for (const Instr& instr : kernel_.code) {
    const std::int64_t runs = item(times, instr.block);
    bound.instructions += runs;
    if (instr.code == Code::load) {
      bound.fetches += runs * (static_cast<Fetch>(instr.mode) == Fetch::lanes ? 4 : 1);
    }
    const bool is_op = instr.code == Code::apply || instr.code == Code::call;
    if (is_op) bound.trips += runs * loop_trips(instr);
    if (instr.code == Code::rows || instr.code == Code::dots) bound.multiply_adds += runs * 16;
  }
}

bool KernelBuilder::finish(Bound& bound) {
  drop_unused();
  // Keeps only the uniforms and inputs that remaining instructions use.
  std::vector<std::int32_t> int_moved(ints_.size(), -1);
  std::vector<std::int32_t> float_moved(floats_.size(), -1);
  const auto keep = [](std::int32_t slot, auto& moved, auto& from, auto& to) {
    auto& place = item(moved, slot);
    if (place < 0) {
      place = static_cast<std::int32_t>(to.size());
      to.push_back(item(from, slot));
    }
    return place;
  };
  // Tables come first, each at the beginning of a vector.
  for (Instr& instr : kernel_.code) {
    if (instr.code != Code::table) continue;
    const auto keep_table = [&](auto& moved, auto& from, auto& to) {
      while (to.size() % 4 != 0) to.emplace_back();
      const std::int32_t end = instr.ints[1] + 1;
      for (std::int32_t slot = instr.ints[0]; slot < end; ++slot) keep(slot, moved, from, to);
      for (std::int32_t& slot : instr.ints) slot = item(moved, slot);
    };
    if (instr.type == core::Type::f) keep_table(float_moved, floats_, bound.floats);
    if (instr.type != core::Type::f) keep_table(int_moved, ints_, bound.ints);
  }
  std::vector<std::int32_t> input_moved(input_slots_.size(), -1);
  std::vector<KernelInput> inputs;
  for (Instr& instr : kernel_.code) {
    const bool floats = instr.code == Code::uniform || instr.code == Code::texel_coordinate;
    for (std::int32_t& slot : instr.ints) {
      if (slot >= 0 && instr.code != Code::table) {
        slot = floats ? keep(slot, float_moved, floats_, bound.floats)
                      : keep(slot, int_moved, ints_, bound.ints);
      }
    }
    if (instr.input < 0) continue;
    auto& place = item(input_moved, instr.input);
    if (place < 0) {
      place = static_cast<std::int32_t>(inputs.size());
      inputs.push_back(item(kernel_.inputs, instr.input));
      bound.inputs.push_back(item(input_slots_, instr.input));
    }
    instr.input = static_cast<std::int16_t>(place);
  }
  count_costs(bound);
  kernel_.inputs = std::move(inputs);
  kernel_.ints = static_cast<std::int32_t>(bound.ints.size());
  kernel_.floats = static_cast<std::int32_t>(bound.floats.size());
  kernel_.hash = content_hash(kernel_);
  bound.compiled = compiled(kernel_);
  const bool fits =
      !too_large_ && bound.trips <= target_.trip_limit &&
      static_cast<std::int64_t>(kernel_.outputs.size()) <= target_.draw_buffers &&
      (kernel_.ints + 3) / 4 + (kernel_.floats + 3) / 4 + 2 <= target_.uniform_vectors;
  bound.kernel = std::make_shared<const Kernel>(std::move(kernel_));
  return fits;
}

}  // namespace trigon::detail::kernel

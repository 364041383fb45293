// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include <trigon/op.hpp>

#include "core/item.hpp"
#include "kernel/builder.hpp"
#include "kernel/compiled.hpp"

namespace trigon::detail::kernel {
namespace {

/// The blocks and instructions that the outputs depend on.
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
      each<Operand>(instr, use);
      if (const CarriedValue* value = carried_value(instr)) {
        auto&& known = item(item(used.carried, value->block), value->number);
        if (!known) {
          known = changed = true;
          const auto& pair = item(item(kernel.blocks, value->block).carried, value->number);
          use(pair[0]), use(pair[1]);
        }
      }
      const auto* result = instr.as<Result>();
      std::int32_t block = result != nullptr ? result->of.block : instr.block;
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
  const auto carried_before = [&](const CarriedValue& value) {
    const auto& all = item(used.carried, value.block);
    return static_cast<std::int32_t>(std::count(all.begin(), all.begin() + value.number, true));
  };
  std::vector<Instr> kept;
  for (std::size_t k = 0; k < code.size(); ++k) {
    if (!used.code[k]) continue;
    const auto renumber = [&](CarriedValue& value) { value.number = carried_before(value); };
    if (auto* carried = std::get_if<Carried>(&code[k].operation)) renumber(carried->of);
    if (auto* result = std::get_if<Result>(&code[k].operation)) renumber(result->of);
    moved[k] = static_cast<std::int32_t>(kept.size());
    each<Operand>(code[k], [&](Operand& operand) { operand = item(moved, operand); });
    each<BlockNumber>(code[k], [&](BlockNumber& block) { block = item(block_moved, block); });
    code[k].block = item(block_moved, code[k].block);
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

/// Trips of loops within the op that an instruction calls.
std::int64_t KernelBuilder::loop_trips(const Instr& instr) const {
  const bool is_op = instr.is<Apply>() || instr.is<Call>();
  if (!is_op) return 0;
  const Op& op = op_of(op_number(instr));
  if (op.family == Family::kernel) {
    return kernel_.dialect == core::Dialect::es100 ? op.kernel().loop_iterations : 0;
  }
  if (op.family != Family::binary) return 0;
  const bool floats = kernel_[first_operand(instr)].type == core::Type::f;
  return floats ? op.binary().loop_iterations : op.binary().loop_iterations_int;
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
    if (const auto* load = instr.as<Load>()) {
      const std::int64_t texels = load->fetch == Fetch::lanes ? core::lanes : 1;
      bound.fetches += runs * texels;
      if (load->encoding >= 0) bound.instructions += runs * texels;
    }
    bound.trips += runs * loop_trips(instr);
    if (instr.is<Product>()) bound.multiply_adds += runs * 16;
  }
}

bool KernelBuilder::finish(Bound& bound) {
  drop_unused();
  // Keeps only the uniforms and inputs that remaining instructions use.
  std::vector<std::int32_t> int_moved(ints_.size(), -1);
  std::vector<std::int32_t> float_moved(floats_.size(), -1);
  const auto keep = [](std::int32_t uniform, auto& moved, auto& from, auto& to) {
    auto& place = item(moved, uniform);
    if (place < 0) {
      place = static_cast<std::int32_t>(to.size());
      to.push_back(item(from, uniform));
    }
    return place;
  };
  // Tables come first, each at the beginning of a vector.
  for (Instr& instr : kernel_.code) {
    auto* table = std::get_if<Table>(&instr.operation);
    if (table == nullptr) continue;
    const auto keep_table = [&](auto& moved, auto& from, auto& to) {
      while (to.size() % 4 != 0) to.emplace_back();
      for (std::int32_t uniform = table->first; uniform <= table->last; ++uniform) {
        keep(uniform, moved, from, to);
      }
      table->first = item(moved, table->first);
      table->last = item(moved, table->last);
    };
    if (instr.type == core::Type::f) keep_table(float_moved, floats_, bound.floats);
    if (instr.type != core::Type::f) keep_table(int_moved, ints_, bound.ints);
  }
  std::vector<std::int32_t> input_moved(input_slots_.size(), -1);
  std::vector<KernelInput> inputs;
  for (Instr& instr : kernel_.code) {
    each<IntUniform>(
        instr, [&](IntUniform& uniform) { uniform = keep(uniform, int_moved, ints_, bound.ints); });
    each<FloatUniform>(instr, [&](FloatUniform& uniform) {
      uniform = keep(uniform, float_moved, floats_, bound.floats);
    });
    each<InputNumber>(instr, [&](InputNumber& input) {
      auto& place = item(input_moved, input);
      if (place < 0) {
        place = static_cast<std::int32_t>(inputs.size());
        inputs.push_back(item(kernel_.inputs, input));
        bound.inputs.push_back(item(input_slots_, input));
      }
      input = place;
    });
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

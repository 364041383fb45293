// SPDX-License-Identifier: MIT
#include <utility>

#include "plan/kernel_builder.hpp"

namespace trigon::plan {

void KernelBuilder::drop_unused() {
  auto& code = kernel_.code;
  std::vector<bool> used(code.size(), false);
  const auto use = [&](std::int32_t id) {
    if (id >= 0) used[static_cast<std::size_t>(id)] = true;
  };
  for (std::int32_t id : kernel_.outputs) use(id);
  for (const auto& pair : kernel_.carried) use(pair[0]), use(pair[1]);
  use(kernel_.trips);
  for (std::size_t k = code.size(); k-- > 0;) {
    if (!used[k]) continue;
    for (std::int32_t arg : code[k].args) use(arg);
  }
  std::vector<std::int32_t> moved(code.size(), -1);
  std::vector<Instr> kept;
  for (std::size_t k = 0; k < code.size(); ++k) {
    if (!used[k]) continue;
    moved[k] = static_cast<std::int32_t>(kept.size());
    for (std::int32_t& arg : code[k].args) {
      if (arg >= 0) arg = moved[static_cast<std::size_t>(arg)];
    }
    kept.push_back(std::move(code[k]));
  }
  code = std::move(kept);
  const auto move = [&](std::int32_t& id) {
    if (id >= 0) id = moved[static_cast<std::size_t>(id)];
  };
  for (std::int32_t& id : kernel_.outputs) move(id);
  for (auto& pair : kernel_.carried) move(pair[0]), move(pair[1]);
  move(kernel_.trips);
}

void KernelBuilder::finish(Step& step) {
  drop_unused();
  // Uniforms that only dropped instructions named leave with them.
  std::vector<std::int32_t> int_moved(ints_.size(), -1);
  std::vector<std::int32_t> float_moved(floats_.size(), -1);
  const auto keep = [](std::int32_t slot, auto& moved, auto& from, auto& to) {
    auto& place = moved[static_cast<std::size_t>(slot)];
    if (place < 0) {
      place = static_cast<std::int32_t>(to.size());
      to.push_back(from[static_cast<std::size_t>(slot)]);
    }
    return place;
  };
  std::vector<std::int32_t> input_moved(input_slots_.size(), -1);
  std::vector<KernelInput> inputs;
  std::int64_t before = 0, in_loop = 0;
  for (Instr& instr : kernel_.code) {
    const bool floats = instr.code == Code::uniform || instr.code == Code::place;
    for (std::int32_t& slot : instr.ints) {
      if (slot >= 0) {
        slot = floats ? keep(slot, float_moved, floats_, step.floats)
                      : keep(slot, int_moved, ints_, step.ints);
      }
    }
    if (instr.input >= 0) {
      auto& place = input_moved[static_cast<std::size_t>(instr.input)];
      if (place < 0) {
        place = static_cast<std::int32_t>(inputs.size());
        inputs.push_back(kernel_.inputs[static_cast<std::size_t>(instr.input)]);
        step.inputs.push_back(input_slots_[static_cast<std::size_t>(instr.input)]);
      }
      instr.input = static_cast<std::int16_t>(place);
    }
    if (instr.code == Code::load) {
      const std::int64_t cost = static_cast<Fetch>(instr.mode) == Fetch::lanes ? 4 : 1;
      (instr.depth == Depth::loop ? in_loop : before) += cost;
    }
  }
  kernel_.inputs = std::move(inputs);
  kernel_.ints = static_cast<std::int32_t>(step.ints.size());
  kernel_.floats = static_cast<std::int32_t>(step.floats.size());
  if ((kernel_.ints + 3) / 4 + (kernel_.floats + 3) / 4 + 2 > kernel_.target.uniform_vectors) {
    throw KernelTooLarge{};
  }
  step.trips = most_trips_;
  step.fetches = before + in_loop * most_trips_;
  step.multiply_adds = multiply_adds_in_loop * most_trips_;
  step.kernel = std::make_shared<const Kernel>(std::move(kernel_));
}

}  // namespace trigon::plan

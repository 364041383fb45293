// SPDX-License-Identifier: MIT
#include "plan/plan.hpp"

#include <algorithm>
#include <map>
#include <unordered_set>
#include <utility>

#include "core/item.hpp"

namespace trigon::detail::plan {
namespace {

/// Calls f with each slot that a step reads or writes, including those of a loop's body.
template <class F>
void each_slot(const Step& step, F f) {
  for (std::int32_t slot : step.inputs) f(slot);
  for (const Guard& guard : step.guards) f(guard.slot);
  for (const StepOutput& output : step.outputs) f(output.slot);
  for (const auto& [a, b] : step.trades) f(a), f(b);
  if (step.until >= 0) f(step.until);
  for (const Step& inner : step.body) each_slot(inner, f);
}

/// Notes the bytes of the textures that a step makes, by slot; returns their sum.
std::int64_t add_bytes(const Step& step, std::vector<std::int64_t>& bytes) {
  std::int64_t sum = 0;
  for (const StepOutput& output : step.outputs) {
    auto& known = item(bytes, output.slot);
    if (!output.in_place && known == 0) sum += known = output.layout.bytes();
  }
  for (const Step& inner : step.body) sum += add_bytes(inner, bytes);
  return sum;
}

}  // namespace

void fill_last_use(Plan& plan) {
  auto last = vector_of<std::int32_t>(plan.slots, -1);
  for (std::size_t k = 0; k < plan.steps.size(); ++k) {
    each_slot(plan.steps[k],
              [&](std::int32_t slot) { item(last, slot) = static_cast<std::int32_t>(k); });
  }
  for (const auto& binding : plan.stored) item(last, binding.slot) = -1;
  for (std::size_t slot = 0; slot < last.size(); ++slot) {
    if (last[slot] < 0) continue;
    item(plan.steps, last[slot]).last_use.push_back(static_cast<std::int32_t>(slot));
  }
  auto bytes = vector_of<std::int64_t>(plan.slots);
  std::int64_t now = 0;
  for (const Step& step : plan.steps) {
    now += add_bytes(step, bytes);
    plan.peak_bytes = std::max(plan.peak_bytes, now);
    for (std::int32_t slot : step.last_use) {
      now -= item(bytes, slot);
      item(bytes, slot) = 0;
    }
  }
}

namespace {

/// Follows writes in place from step to step.
class InPlace {
 public:
  InPlace(std::span<const double> scalars, std::int32_t count)
      : scalars_(scalars.begin(), scalars.end()) {
    while (std::ssize(scalars_) < count) scalars_.push_back(0);
  }

  void run(const Step& step) {
    for (const StepOutput& output : step.outputs) {
      if (!output.in_place || step.node < 0) continue;
      std::erase_if(last_, [&](const auto& one) { return one.second.node == step.node; });
      last_[output.slot] = {step.node, output.slot, output.layout};
    }
    if (!step.is_repeat() || !has_nodes(step)) return;
    const std::int64_t iterations = value_of(step.repeats, scalars_);
    for (std::int64_t done = 0; done < iterations; done += step.chunk) {
      if (step.counter >= 0) item(scalars_, step.counter) = static_cast<double>(done);
      for (const Step& inner : step.body) run(inner);
      for (const auto& [a, b] : step.trades) trade(a, b);
    }
  }

  std::vector<Plan::Binding> bindings() const {
    std::vector<Plan::Binding> result;
    for (const auto& [slot, binding] : last_) result.push_back(binding);
    return result;
  }

 private:
  /// Whether a loop overwrites values of nodes outside it.
  static bool has_nodes(const Step& step) {
    return step.node >= 0 || std::any_of(step.body.begin(), step.body.end(), has_nodes);
  }

  void trade(std::int32_t a, std::int32_t b) {
    auto first = last_.extract(a), second = last_.extract(b);
    const auto put = [this](auto& from, std::int32_t slot) {
      if (from.empty()) return;
      from.key() = from.mapped().slot = slot;
      last_.insert(std::move(from));
    };
    put(first, b);
    put(second, a);
  }

  std::map<std::int32_t, Plan::Binding> last_;  ///< by slot
  std::vector<double> scalars_;
};

}  // namespace

std::vector<Plan::Binding> values_in_place(const Plan& plan, std::size_t steps,
                                           std::span<const double> scalars) {
  InPlace writes(scalars, plan.scalars);
  for (std::size_t k = 0; k < steps; ++k) writes.run(plan.steps[k]);
  return writes.bindings();
}

namespace {

template <class T>
std::size_t bytes_of(const std::vector<T>& items) {
  return items.capacity() * sizeof(T);
}

std::size_t bytes_of(const kernel::Kernel& kernel) {
  std::size_t sum = sizeof(kernel::Kernel) + bytes_of(kernel.inputs) + bytes_of(kernel.code) +
                    bytes_of(kernel.blocks) + bytes_of(kernel.outputs);
  for (const kernel::Instr& instr : kernel.code) sum += list_bytes(instr);
  for (const kernel::Block& block : kernel.blocks) sum += bytes_of(block.carried);
  return sum;
}

/// Memory of a step beyond its own size, without kernels that were counted already.
std::size_t bytes_of(const Step& step, std::unordered_set<const kernel::Kernel*>& counted) {
  std::size_t sum = step.label.capacity() + bytes_of(step.inputs) + bytes_of(step.ints) +
                    bytes_of(step.floats) + bytes_of(step.outputs) + bytes_of(step.last_use) +
                    bytes_of(step.body) + bytes_of(step.trades) + bytes_of(step.guards);
  if (step.kernel != nullptr && counted.insert(step.kernel.get()).second) {
    sum += bytes_of(*step.kernel);
  }
  for (const Step& inner : step.body) sum += bytes_of(inner, counted);
  return sum;
}

}  // namespace

std::size_t Plan::host_bytes() const {
  std::size_t sum = sizeof(Plan) + bytes_of(steps) + bytes_of(leaves) + bytes_of(stored);
  std::unordered_set<const kernel::Kernel*> counted;
  for (const Step& step : steps) sum += bytes_of(step, counted);
  for (const std::string& note : notes) sum += sizeof(std::string) + note.capacity();
  return sum;
}

}  // namespace trigon::detail::plan

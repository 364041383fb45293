// SPDX-License-Identifier: MIT
#include "run/slot_textures.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "run/device_state.hpp"

namespace trigon::detail::run {

SlotTextures::SlotTextures(DeviceState& device, TexturePool& pool, const plan::Plan& plan,
                           std::vector<std::shared_ptr<Storage>>& storages,
                           std::vector<SlotTexture>& places)
    : device_(device), pool_(pool), storages_(storages), places_(places) {
  places_.resize(storages.size());
  // Nothing may throw from here on, since a constructor that throws would leave the run open.
  if (plan.runs->count == 0) leaves_.reserve(storages.size());
  pool_.begin_run(plan);
  for (std::size_t slot = 0; slot < storages.size(); ++slot) {
    if (storages[slot] == nullptr) continue;
    places_[slot].texture = &storages[slot]->texture();
    pool_.note_leaf(*places_[slot].texture);
    if (pool_.is_first_run()) leaves_.push_back(storages[slot]);
  }
  for (const auto& binding : plan.stored) {
    item(places_, binding.slot).kept = true;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const plan::Step& step : plan.steps) changed = keep_traded(step) || changed;
  }
}

/// A texture that a tensor will hold may come from any slot that it was traded through.
bool SlotTextures::keep_traded(const plan::Step& step) {
  bool changed = false;
  for (const auto& [a, b] : step.trades) {
    SlotTexture& first = item(places_, a);
    SlotTexture& second = item(places_, b);
    changed = changed || first.kept != second.kept;
    first.kept = second.kept = first.kept || second.kept;
  }
  for (const plan::Step& inner : step.body) changed = keep_traded(inner) || changed;
  return changed;
}

SlotTextures::~SlotTextures() {
  for (SlotTexture& place : places_) {
    if (place.owned != nullptr) pool_.recycle(std::move(place.owned));
  }
  places_.clear();
  pool_.end_run();
}

void SlotTextures::create(std::span<const plan::StepOutput> outputs) {
  for (const plan::StepOutput& output : outputs) {
    if (!output.in_place) drop(std::span(&output.slot, 1));
  }
  device_.drain();
  const bool of_value =
      std::any_of(outputs.begin(), outputs.end(),
                  [&](const plan::StepOutput& output) { return item(places_, output.slot).kept; });
  TexturePool::Textures textures = pool_.acquire(outputs, of_value);
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    if (textures[k] == nullptr) continue;
    const std::int32_t slot = outputs[k].slot;
    SlotTexture& place = item(places_, slot);
    place.texture = textures[k].get();
    if (place.kept) {
      item(storages_, slot) = device_.create_storage(std::move(textures[k]), outputs[k].layout);
    } else {
      place.owned = std::move(textures[k]);
    }
  }
}

void SlotTextures::prepare_next(const plan::Plan& plan) {
  if (!pool_.is_first_run()) return;
  device_.drain();
  std::vector<std::shared_ptr<Storage>> held;
  std::vector<PooledTexture*> leaves;
  for (const auto& leaf : leaves_) {
    held.push_back(leaf.lock());
    if (held.back() != nullptr) leaves.push_back(&held.back()->texture());
  }
  std::vector<PooledTexture*> results;
  for (const auto& binding : plan.stored) {
    const auto& storage = item(storages_, binding.slot);
    if (storage != nullptr) results.push_back(&storage->texture());
  }
  pool_.prepare_next(results, leaves);
}

void SlotTextures::trade(std::int32_t a, std::int32_t b) {
  std::swap(item(places_, a), item(places_, b));
  std::swap(item(storages_, a), item(storages_, b));
}

void SlotTextures::drop(std::span<const std::int32_t> slots) {
  for (const std::int32_t slot : slots) {
    SlotTexture& place = item(places_, slot);
    if (place.owned != nullptr) pool_.recycle(std::move(place.owned));
    item(storages_, slot).reset();
    place.texture = nullptr;
  }
}

}  // namespace trigon::detail::run

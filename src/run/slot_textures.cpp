// SPDX-License-Identifier: MIT
#include "run/slot_textures.hpp"

#include <cstddef>
#include <utility>

#include "run/device_state.hpp"

namespace trigon::run {

SlotTextures::SlotTextures(DeviceState& device, TexturePool& pool, const plan::Plan& plan,
                           std::vector<std::shared_ptr<Storage>>& storages,
                           std::vector<SlotTexture>& places)
    : device_(device), pool_(pool), storages_(storages), places_(places) {
  places_.resize(storages.size());
  for (std::size_t slot = 0; slot < storages.size(); ++slot) {
    if (storages[slot] != nullptr) places_[slot].texture = &storages[slot]->texture();
  }
  for (const auto& binding : plan.stored) {
    item(places_, binding.slot).kept = true;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const plan::Step& step : plan.steps) changed = keep_traded(step) || changed;
  }
}

/// A texture that a tensor will hold may come out of any slot that it was traded through.
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
}

void SlotTextures::create(std::span<const plan::StepOutput> outputs) {
  for (const plan::StepOutput& output : outputs) {
    if (!output.in_place) drop(std::span(&output.slot, 1));
  }
  device_.drain();
  TexturePool::Textures textures = pool_.acquire(outputs);
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

}  // namespace trigon::run

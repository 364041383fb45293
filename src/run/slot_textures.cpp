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
    places_[static_cast<std::size_t>(binding.slot)].kept = true;
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
    SlotTexture& first = places_[static_cast<std::size_t>(a)];
    SlotTexture& second = places_[static_cast<std::size_t>(b)];
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
    const auto slot = static_cast<std::size_t>(outputs[k].slot);
    SlotTexture& place = places_[slot];
    place.texture = textures[k].get();
    if (place.kept) {
      storages_[slot] = device_.create_storage(std::move(textures[k]), outputs[k].layout);
    } else {
      place.owned = std::move(textures[k]);
    }
  }
}

void SlotTextures::trade(std::int32_t a, std::int32_t b) {
  std::swap(places_[static_cast<std::size_t>(a)], places_[static_cast<std::size_t>(b)]);
  std::swap(storages_[static_cast<std::size_t>(a)], storages_[static_cast<std::size_t>(b)]);
}

void SlotTextures::drop(std::span<const std::int32_t> slots) {
  for (const std::int32_t slot : slots) {
    SlotTexture& place = places_[static_cast<std::size_t>(slot)];
    if (place.owned != nullptr) pool_.recycle(std::move(place.owned));
    storages_[static_cast<std::size_t>(slot)].reset();
    place.texture = nullptr;
  }
}

}  // namespace trigon::run

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
}

SlotTextures::~SlotTextures() {
  for (SlotTexture& place : places_) {
    if (place.owned != nullptr) pool_.recycle(std::move(place.owned));
  }
  places_.clear();
}

void SlotTextures::create(std::int32_t slot, const plan::Layout& layout) {
  SlotTexture& place = places_[static_cast<std::size_t>(slot)];
  if (place.kept) {
    auto& storage = storages_[static_cast<std::size_t>(slot)];
    storage = device_.create_storage(layout);
    place.texture = &storage->texture();
  } else {
    place.owned = pool_.acquire(layout);
    place.texture = place.owned.get();
  }
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

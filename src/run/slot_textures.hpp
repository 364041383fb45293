// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/item.hpp"
#include "core/rooms.hpp"
#include "plan/plan.hpp"
#include "run/slot_texture.hpp"
#include "run/texture_pool.hpp"

namespace trigon::detail::run {

class DeviceState;
class Storage;

/// The textures of one evaluation by slot. Leaves and results have Storages, which tensors share.
/// The other textures come from the pool and return to it after their last reader.
class SlotTextures {
 public:
  /// `storages` holds the leaves and receives the results. `places` is reused memory, empty before
  /// and after.
  SlotTextures(DeviceState& device, TexturePool& pool, const plan::Plan& plan,
               std::vector<std::shared_ptr<Storage>>& storages, std::vector<SlotTexture>& places);
  /// Returns to the pool all textures that an error left behind.
  ~SlotTextures();
  SlotTextures(const SlotTextures&) = delete;
  SlotTextures& operator=(const SlotTextures&) = delete;

  PooledTexture& operator[](std::int32_t slot) const { return *item(places_, slot).texture; }
  /// Fills the slots of a step's outputs, except those in place, with textures of undefined
  /// content. They replace those of a loop's previous iteration. Raises DeviceError without memory.
  void create(std::span<const plan::StepOutput> outputs);
  /// Swaps the textures of two slots.
  void trade(std::int32_t a, std::int32_t b);
  /// Empties slots that no later step reads.
  void drop(std::span<const std::int32_t> slots);
  /// After the last step: prepares textures and framebuffers that the next run would create.
  void prepare_next(const plan::Plan& plan);

 private:
  bool keep_traded(const plan::Step& step);

  DeviceState& device_;
  TexturePool& pool_;
  std::vector<std::shared_ptr<Storage>>& storages_;
  std::vector<SlotTexture>& places_;
  std::vector<std::weak_ptr<Storage>> leaves_;  ///< of a plan's first run
};

}  // namespace trigon::detail::run

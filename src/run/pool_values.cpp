// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include <trigon/error.hpp>

#include "core/list.hpp"
#include "gl/check.hpp"
#include "run/texture_pool.hpp"

// The textures of values, each of which belongs to a slot of a plan.

namespace trigon::detail::run {
namespace {

// In its first run a plan takes no textures of plans that ran within this many runs.
constexpr std::int64_t recent_runs = 16;

}  // namespace

void TexturePool::begin_run(const plan::Plan& plan) {
  plan::PlanRuns& runs = *plan.runs;
  run_before_ = runs.last;
  runs.last = ++run_;
  if (runs.count++ == 0) runs.first = run_;
  running_ = plan.runs;
}

void TexturePool::end_run() noexcept {
  running_.reset();
  trim();
}

bool TexturePool::is_own(const PooledTexture& texture, std::int32_t slot) const {
  return texture.slot == slot && texture.owner.lock() == running_;
}

bool TexturePool::makes_way(const PooledTexture& texture) const {
  if (const auto owner = texture.owner.lock()) return owner->last < running_->first;
  return texture.was_handed_over && texture.leaf_run >= running_->first;
}

bool TexturePool::may_take(const PooledTexture& texture) const {
  if (texture.leaf_run == run_) return false;
  if (running_->count > 1) return makes_way(texture);
  const auto owner = texture.owner.lock();
  return (owner == nullptr ? texture.last_run : owner->last) + recent_runs < run_;
}

/// The texture that a slot may have in the next run: the same one if it is already free, null if
/// there is none. `leaves`: textures held beyond the run, which may be replaced after it.
PooledTexture* TexturePool::find_second(PooledTexture& texture,
                                        std::span<PooledTexture* const> leaves) const {
  if (texture.second != nullptr) return texture.second;
  if (texture.is_free) return &texture;
  if (const auto same = free_.find(texture.key); same != free_.end()) {
    PooledTexture* other = nullptr;
    const auto& textures = same->second.textures;
    for (auto at = textures.rbegin(); at != textures.rend(); ++at) {
      if (!makes_way(**at)) continue;
      if (!(*at)->owner.expired()) return at->get();
      if (other == nullptr) other = at->get();
    }
    if (other != nullptr) return other;
  }
  const auto found = std::find_if(leaves.begin(), leaves.end(), [&](const PooledTexture* leaf) {
    return !leaf->is_free && !leaf->owner.expired() && leaf->key == texture.key && makes_way(*leaf);
  });
  return found == leaves.end() ? nullptr : *found;
}

void TexturePool::pair(PooledTexture& texture, PooledTexture& second) {
  if (&texture == &second || texture.second == &second) return;
  own(second, texture.slot);
  unpair(texture);
  unpair(second);
  second.last_run = run_;
  texture.second = &second;
  second.second = &texture;
}

void TexturePool::unpair(PooledTexture& texture) {
  if (texture.second != nullptr) texture.second->second = nullptr;
  texture.second = nullptr;
}

void TexturePool::own(PooledTexture& texture, std::int32_t slot) {
  if (is_own(texture, slot)) return;
  unpair(texture);
  texture.owner = running_;
  texture.slot = slot;
}

void TexturePool::try_to(const std::function<void()>& work) {
  try {
    work();
  } catch (const gl::LostError&) {
    throw;
  } catch (const DeviceError&) {
    state_.forget();
  } catch (const std::bad_alloc&) {
  }
}

void TexturePool::prepare_next(std::span<PooledTexture* const> results,
                               std::span<PooledTexture* const> leaves) {
  // Includes textures drawn together with results, since they become free only together.
  std::vector<std::shared_ptr<RenderTarget>> targets;
  for (const PooledTexture* result : results) {
    std::copy_if(result->targets.begin(), result->targets.end(), std::back_inserter(targets),
                 [this](const auto& target) { return target->last_run == run_; });
  }
  std::vector<PooledTexture*> missing;
  bool replaces = false;
  for (const auto& target : targets) {
    for (const Attachment& attachment : target->attachments) {
      PooledTexture& texture = *attachment.texture;
      if (!texture.key.of_value || !is_own(texture, texture.slot)) continue;
      PooledTexture* const second = find_second(texture, leaves);
      replaces = replaces || (second != nullptr && second != &texture);
      if (second != nullptr) {
        pair(texture, *second);
      } else {
        core::place_in(missing, &texture);
      }
    }
  }
  if (!replaces) return;
  for (PooledTexture* texture : missing) {
    auto made = create(texture->key);
    pair(*texture, *made);
    recycle(std::move(made));
  }
  for (const auto& target : targets) mirror(target->attachments);
}

bool TexturePool::is_leased(const PooledTexture& texture) const {
  return texture.last_run == run_ || (running_ != nullptr && texture.last_run == run_before_);
}

bool TexturePool::fits(const RenderTarget& target,
                       std::span<const plan::StepOutput> outputs) const {
  std::size_t next = 0;
  if (target.number < first_valid_) return false;
  for (const plan::StepOutput& output : outputs) {
    if (output.in_place) return false;
    const TextureKey key = key_of(output.layout, true);
    for (std::int64_t layer = 0; layer < output.attachments; ++layer, ++next) {
      if (next == target.attachments.size()) return false;
      const Attachment& attachment = target.attachments[next];
      if (attachment.layer != layer || attachment.texture->key != key) return false;
    }
  }
  return next == target.attachments.size();
}

/// A free framebuffer for the outputs of a draw, or of the first of several draws. Prefers the one
/// that these slots had in the latest run; otherwise one of a plan that makes way.
const RenderTarget* TexturePool::free_set(std::span<const plan::StepOutput> outputs) const {
  if (outputs.size() < 2) return nullptr;
  const auto same = free_.find(key_of(outputs[0].layout, true));
  if (same == free_.end()) return nullptr;
  const auto is_all = [&](const RenderTarget& set, const auto& accepts) {
    auto attachment = set.attachments.begin();
    return std::all_of(outputs.begin(), outputs.end(), [&](const plan::StepOutput& output) {
      const PooledTexture& texture = *attachment->texture;
      attachment += output.attachments;
      return accepts(texture, output.slot);
    });
  };
  const RenderTarget* own = nullptr;
  const RenderTarget* other = nullptr;
  for (auto at = same->second.sets.rbegin(); at != same->second.sets.rend(); ++at) {
    const RenderTarget& set = **at;
    if (!fits(set, outputs)) continue;
    if (is_all(set, [&](const auto& x, std::int32_t slot) { return is_own(x, slot); })) {
      if (own == nullptr || set.last_run > own->last_run) own = &set;
    } else if (other == nullptr &&
               is_all(set, [&](const auto& x, std::int32_t) { return may_take(x); })) {
      other = &set;
    }
  }
  return own != nullptr ? own : other;
}

/// A free texture for an output that is a value. Prefers the one that its slot had in the latest
/// run; otherwise one of a plan that makes way.
PooledTexture* TexturePool::free_value(const plan::StepOutput& output) const {
  const auto same = free_.find(key_of(output.layout, true));
  if (same == free_.end()) return nullptr;
  PooledTexture* own = nullptr;
  PooledTexture* other = nullptr;
  for (auto at = same->second.textures.rbegin(); at != same->second.textures.rend(); ++at) {
    PooledTexture& texture = **at;
    if (is_own(texture, output.slot)) {
      if (own == nullptr || texture.last_run > own->last_run) own = &texture;
    } else if (other == nullptr && may_take(texture)) {
      other = &texture;
    }
  }
  return own != nullptr ? own : other;
}

}  // namespace trigon::detail::run

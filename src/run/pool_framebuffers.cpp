// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/list.hpp"
#include "gl/check.hpp"
#include "run/texture_pool.hpp"

// The framebuffers of pooled textures.

namespace trigon::detail::run {
namespace {

// Framebuffers that were not drawn to for this many runs may be forgotten.
constexpr std::int64_t kept_runs = 256;

/// Whether there are several textures, all of them of values.
bool is_set(std::span<const Attachment> attachments) {
  return attachments.front().texture != attachments.back().texture &&
         std::all_of(attachments.begin(), attachments.end(),
                     [](const Attachment& one) { return one.texture->key.of_value; });
}

}  // namespace

GLuint TexturePool::framebuffer(std::span<const Attachment> attachments,
                                const core::Layout& layout) {
  RenderTarget* target = find_target(attachments);
  if (target == nullptr) {
    target = &create_target(attachments, layout);
    try_to([&] { mirror(attachments); });
  }
  target->last_run = run_;
  return target->framebuffer.id();
}

RenderTarget* TexturePool::find_target(std::span<const Attachment> attachments) {
  PooledTexture& first = *attachments[0].texture;
  const auto is_invalid = [this](const auto& target) { return target->number < first_valid_; };
  const auto find_invalid = [&] {
    return std::find_if(first.targets.begin(), first.targets.end(), is_invalid);
  };
  for (auto at = find_invalid(); at != first.targets.end(); at = find_invalid()) {
    const auto invalid = *at;
    forget(*invalid);
  }
  const auto found =
      std::find_if(first.targets.begin(), first.targets.end(), [&](const auto& target) {
        const auto& known = target->attachments;
        return std::equal(known.begin(), known.end(), attachments.begin(), attachments.end());
      });
  return found == first.targets.end() ? nullptr : found->get();
}

RenderTarget& TexturePool::create_target(std::span<const Attachment> attachments,
                                         const core::Layout& layout) {
  PooledTexture& first = *attachments[0].texture;
  state_.settle();
  auto framebuffer = state_.create_framebuffer();
  ++counters_.framebuffers_created;
  state_.bind_framebuffer(framebuffer.id());
  std::array<GLenum, 8> points{};
  for (std::size_t k = 0; k < attachments.size(); ++k) {
    const auto& [texture, layer] = attachments[k];
    const auto point = points[k] = static_cast<GLenum>(GL_COLOR_ATTACHMENT0 + k);
    if (texture->layered()) {
      glFramebufferTextureLayer(GL_FRAMEBUFFER, point, texture->texture.id(), 0,
                                static_cast<GLint>(layer));
    } else {
      glFramebufferTexture2D(GL_FRAMEBUFFER, point, GL_TEXTURE_2D, texture->texture.id(), 0);
    }
  }
  // The first attachment is a draw buffer by default.
  if (attachments.size() > 1) {
    glDrawBuffers(static_cast<GLsizei>(attachments.size()), points.data());
  }
  try {
    gl::check_framebuffer("trigon::run: target");
    state_.check("glDrawBuffers");  // a framebuffer that lacks a target is not kept
  } catch (const gl::LostError&) {
    throw;
  } catch (const DeviceError& error) {
    // Some drivers return a texture without having memory for it, and refuse it here.
    throw gl::CallError(no_memory_text(first.key, layout, error));
  }
  const auto target = std::make_shared<RenderTarget>(
      RenderTarget{.attachments = {attachments.begin(), attachments.end()},
                   .framebuffer = std::move(framebuffer),
                   .number = next_number_++,
                   .last_run = run_,
                   .is_set = is_set(attachments)});
  const std::size_t most = most_targets(attachments);
  // Either all textures of a target refer to it, or none does.
  for (const Attachment& attachment : attachments) {
    attachment.texture->targets.reserve(attachment.texture->targets.size() + 1);
  }
  auto& sets = free_[first.key].sets;
  if (target->is_set) sets.reserve(sets.size() + 1);
  for (const Attachment& attachment : attachments) {
    PooledTexture& texture = *attachment.texture;
    auto& targets = texture.targets;
    if (core::contains(targets, target)) continue;
    targets.push_back(target);
    if (!texture.is_free) ++target->in_use;
    if (targets.size() > most) forget_oldest(texture);
  }
  if (target->is_set && target->in_use == 0) insert(*target);
  return *target;
}

void TexturePool::mirror(std::span<const Attachment> attachments) {
  std::vector<Attachment> seconds(attachments.begin(), attachments.end());
  for (Attachment& one : seconds) {
    if (one.texture->second != nullptr) one.texture = one.texture->second;
  }
  if (find_target(seconds) != nullptr) return;
  create_target(seconds, core::Layout{});
}

void TexturePool::forget(const RenderTarget& target) {
  const std::vector<Attachment> attachments = target.attachments;
  if (target.is_set && target.in_use == 0) {
    std::erase(free_.at(attachments.front().texture->key).sets, &target);
  }
  for (const Attachment& attachment : attachments) {
    std::erase_if(attachment.texture->targets,
                  [&](const auto& one) { return one.get() == &target; });
  }
}

/// Forgets the framebuffer that was drawn to longest ago, unless recent plans draw to it.
void TexturePool::forget_oldest(PooledTexture& texture) {
  const auto oldest =
      *std::min_element(texture.targets.begin(), texture.targets.end(),
                        [](const auto& a, const auto& b) { return a->last_run < b->last_run; });
  if (oldest->last_run + kept_runs < run_) forget(*oldest);
}

std::size_t TexturePool::most_targets(std::span<const Attachment> attachments) {
  // A loop may write a few layers in turn, and a download reads each of them.
  std::int64_t layers = 0;
  for (const Attachment& one : attachments) layers = std::max(layers, one.texture->key.layers);
  return static_cast<std::size_t>(64 + 3 * layers);
}

}  // namespace trigon::detail::run

// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include <trigon/debug.hpp>

#include "core/layout.hpp"
#include "core/rooms.hpp"
#include "gl/caps.hpp"
#include "gl/context.hpp"
#include "gl/handles.hpp"
#include "gl/state.hpp"
#include "plan/plan.hpp"

namespace trigon::detail::run {

/// Textures with equal keys are interchangeable.
struct TextureKey {
  core::Format format;
  std::int64_t width, height, layers;
  /// Whether it is a tensor's, or drawn together with one. All others are free between runs.
  bool of_value = false;
  friend bool operator==(const TextureKey&, const TextureKey&) = default;
  friend bool operator<(const TextureKey& a, const TextureKey& b) {
    return std::tie(a.format, a.width, a.height, a.layers, a.of_value) <
           std::tie(b.format, b.width, b.height, b.layers, b.of_value);
  }
  std::int64_t bytes() const;
};

struct PooledTexture;

/// A layer of a texture, as a target of a draw.
struct Attachment {
  PooledTexture* texture;
  std::int64_t layer;
  friend bool operator==(const Attachment&, const Attachment&) = default;
};

/// A framebuffer of layers of one or several textures.
struct RenderTarget {
  std::vector<Attachment> attachments;
  gl::Framebuffer framebuffer;
  std::int64_t number = 0;    ///< grows with each new framebuffer
  std::int64_t last_run = 0;  ///< the last run that drew to it
  bool is_set = false;        ///< it has several textures, all of values
  std::int64_t in_use = 0;    ///< of a set: number of its textures that are not free
};

/// A texture and the framebuffers that draw to it. These are deleted with any of their textures.
struct PooledTexture {
  PooledTexture() = default;
  ~PooledTexture();
  PooledTexture(const PooledTexture&) = delete;
  PooledTexture& operator=(const PooledTexture&) = delete;

  TextureKey key{};
  std::int64_t number = 0;  ///< grows with each new texture
  gl::Texture texture;
  std::vector<std::shared_ptr<RenderTarget>> targets;
  std::weak_ptr<const plan::PlanRuns> owner;  ///< for a value: the plan that took it last
  std::int32_t slot = -1;                     ///< of that plan
  std::int64_t last_run = -1;                 ///< the last run that used it
  std::int64_t leaf_run = -1;                 ///< the last run that found it in a leaf
  bool is_free = false;
  bool was_handed_over = false;  ///< a run found it in a leaf, as its last owner
  /// The texture that alternates with it in its slot, once known.
  PooledTexture* second = nullptr;
  /// Neighbours among the free textures of all sizes.
  PooledTexture* older = nullptr;
  PooledTexture* newer = nullptr;

  bool layered() const { return key.layers > 1; }
  gl::State::TextureBinding binding() const {
    return {layered() ? GLenum{GL_TEXTURE_2D_ARRAY} : GLenum{GL_TEXTURE_2D}, texture.id()};
  }
};

/// The error for a texture that the driver has no memory for.
std::string no_memory_text(const TextureKey& key, const core::Layout& layout,
                           const DeviceError& error);

/// Textures that nothing refers to, kept for later use at the same size. The cap counts the bytes
/// of those that the last run did not use.
///
/// Repeated evaluations create nothing from their third time on. A temporary takes the first free
/// texture of its size that never held a value, so each run of a plan finds the same ones. A value
/// takes a texture that its slot of the plan had before: the one of the last run if that is free,
/// or of the run before. So values that replace their arguments alternate between two. Targets of
/// one draw are taken together, as in their framebuffer. pool_values.cpp decides whose a texture
/// is, pool_framebuffers.cpp has the framebuffers.
class TexturePool {
 public:
  using Textures = std::array<std::unique_ptr<PooledTexture>, 8>;

  TexturePool(const gl::Context& context, gl::State& state, const core::Target& target,
              Counters& counters);

  /// Begins a run of a plan, whose textures are not deleted before another plan runs.
  void begin_run(const plan::Plan& plan);
  void note_leaf(PooledTexture& texture) { texture.last_run = texture.leaf_run = run_; }
  bool is_first_run() const { return running_->count == 1; }
  /// After the first run of a plan: gives the slots of its results their second textures and makes
  /// their framebuffers. The textures come from the free ones, or from leaves that are still held.
  /// So the next run creates none if its results replace its arguments. If nothing can be replaced,
  /// makes nothing.
  /// Raises DeviceError and bad_alloc.
  void prepare_next(std::span<PooledTexture* const> results,
                    std::span<PooledTexture* const> leaves);
  void end_run() noexcept;
  /// Does work for a later run, to which it leaves the work if memory runs out.
  void try_to(const std::function<void()>& work);
  /// A texture of undefined content for this layout. Debug builds, and others with TRIGON_POISON=1,
  /// fill it with NaN.
  /// GL: glTexStorage2D, glTexStorage3D, in WebGL 1 glTexImage2D. Raises DeviceError when the
  /// driver has no memory left.
  std::unique_ptr<PooledTexture> acquire(const core::Layout& layout, bool of_value);
  /// Textures for the outputs of a step of the running plan, in order; null for outputs in place.
  /// `of_value`: whether one of them is a tensor's. Raises DeviceError as above.
  Textures acquire(std::span<const plan::StepOutput> outputs, bool of_value);
  /// Frees a texture. If there is no memory to list it as free, deletes it.
  void recycle(std::unique_ptr<PooledTexture> texture) noexcept;
  /// Deletes free textures beyond the cap, except those that the last run used.
  void trim() noexcept;
  /// Deletes all free textures.
  void empty();
  /// After an error: creates framebuffers again, since a failed call may have changed any of them.
  void forget_framebuffers() { first_valid_ = next_number_; }
  /// The framebuffer of these layers. `layout`: the first texture's, for errors.
  /// GL: glFramebufferTextureLayer.
  GLuint framebuffer(std::span<const Attachment> attachments, const core::Layout& layout);

 private:
  /// The most framebuffers that a texture keeps, since it may be drawn to with ever-changing
  /// others.
  static std::size_t most_targets(std::span<const Attachment> attachments);

  /// The free textures of one size, the first one last.
  struct Free {
    std::vector<std::unique_ptr<PooledTexture>> textures;
    std::vector<RenderTarget*> sets;  ///< with all textures free, the first of this size
  };

  /// Makes all textures of a framebuffer drop it.
  void forget(const RenderTarget& target);
  void forget_oldest(PooledTexture& texture);
  bool fits(const RenderTarget& target, std::span<const plan::StepOutput> outputs) const;
  const RenderTarget* free_set(std::span<const plan::StepOutput> outputs) const;
  PooledTexture* free_value(const plan::StepOutput& output) const;
  PooledTexture* free_texture(const TextureKey& key) const;
  /// Whether the running plan was the last to take it, for this slot.
  bool is_own(const PooledTexture& texture, std::int32_t slot) const;
  /// Whether a value's texture belongs to a plan that has not run since the running one first did.
  /// The first step of a loop often has such a plan. Or it belongs to none, but was handed over
  /// since.
  bool makes_way(const PooledTexture& texture) const;
  /// Whether the running plan may take a value's texture that is not its own. In its first run a
  /// plan takes textures of any plan that did not run lately, but none that it found in its leaves.
  bool may_take(const PooledTexture& texture) const;
  /// Whether the last run of any plan used it, or the previous run of the running plan.
  bool is_leased(const PooledTexture& texture) const;
  TextureKey key_of(const core::Layout& layout, bool of_value) const;
  std::unique_ptr<PooledTexture> create(const TextureKey& key);
  std::unique_ptr<PooledTexture> create_or_explain(const TextureKey& key,
                                                   const core::Layout& layout);
  void poison(PooledTexture& texture, const core::Layout& layout);
  /// Gives a texture to a slot of the running plan.
  void own(PooledTexture& texture, std::int32_t slot);
  PooledTexture* find_second(PooledTexture& texture, std::span<PooledTexture* const> leaves) const;
  void pair(PooledTexture& texture, PooledTexture& second);
  /// Separates a pair.
  static void unpair(PooledTexture& texture);
  /// Creates the framebuffer of the textures that alternate with these.
  void mirror(std::span<const Attachment> attachments);
  RenderTarget* find_target(std::span<const Attachment> attachments);
  RenderTarget& create_target(std::span<const Attachment> attachments, const core::Layout& layout);
  std::unique_ptr<PooledTexture> take_or_create(PooledTexture* texture, const TextureKey& key,
                                                const core::Layout& layout);
  std::unique_ptr<PooledTexture> take(PooledTexture& texture);
  /// Adds a set whose textures are all free.
  void insert(RenderTarget& set);
  void unlink(PooledTexture& texture);
  void delete_free(PooledTexture& texture);
  /// Reserves the memory that recycle() needs. Raises bad_alloc.
  void make_room(const PooledTexture& texture);

  bool es2_;
  gl::State& state_;
  const core::Target& target_;
  Counters& counters_;
  /// A size stays listed while its textures are in use, so that a steady state allocates nothing.
  std::map<TextureKey, Free> free_;
  PooledTexture* oldest_ = nullptr;
  PooledTexture* newest_ = nullptr;
  std::int64_t free_bytes_ = 0;
  std::shared_ptr<const plan::PlanRuns> running_;  ///< the plan that runs, or null
  std::int64_t run_ = 0;                           ///< grows with each run of a plan
  std::int64_t run_before_ = 0;                    ///< of the plan that runs or ran last
  std::int64_t next_number_ = 0;                   ///< for textures and framebuffers
  std::int64_t first_valid_ = 0;  ///< framebuffers with lower numbers are no longer used
  std::int64_t cap_bytes_;
  bool poisons_;
};

}  // namespace trigon::detail::run

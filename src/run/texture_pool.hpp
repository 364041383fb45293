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

/// What makes two textures interchangeable.
struct TextureKey {
  gl::Format format;
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

/// A layer of a texture, as a target.
struct Attachment {
  PooledTexture* texture;
  std::int64_t layer;
  friend bool operator==(const Attachment&, const Attachment&) = default;
};

/// A framebuffer of layers of one texture or of several.
struct RenderTarget {
  std::vector<Attachment> attachments;
  gl::Framebuffer framebuffer;
  std::int64_t number = 0;    ///< grows with each framebuffer that is made
  std::int64_t last_run = 0;  ///< that has drawn to it
  bool is_set = false;        ///< of several textures, all of values
  std::int64_t in_use = 0;    ///< of a set: how many are not free
};

/// A texture and the framebuffers that draw to it. A framebuffer dies with any of its textures.
struct PooledTexture {
  PooledTexture() = default;
  ~PooledTexture();
  PooledTexture(const PooledTexture&) = delete;
  PooledTexture& operator=(const PooledTexture&) = delete;

  TextureKey key{};
  std::int64_t number = 0;  ///< grows with each texture that is made
  gl::Texture texture;
  std::vector<std::shared_ptr<RenderTarget>> targets;
  std::weak_ptr<const plan::PlanRuns> owner;  ///< the plan that took it last, of a value
  std::int32_t slot = -1;                     ///< of that plan
  std::int64_t last_run = -1;                 ///< that has used it
  std::int64_t leaf_run = -1;                 ///< that has found it in a leaf
  bool is_free = false;
  bool was_handed_over = false;  ///< a run has found it in a leaf, and was the last to hold it
  /// The texture that its slot has every other run, once that is known.
  PooledTexture* second = nullptr;
  /// Neighbours among the free textures of all sizes.
  PooledTexture* older = nullptr;
  PooledTexture* newer = nullptr;

  bool layered() const { return key.layers > 1; }
  gl::State::TextureBinding binding() const {
    return {layered() ? GLenum{GL_TEXTURE_2D_ARRAY} : GLenum{GL_TEXTURE_2D}, texture.id()};
  }
};

/// The error of a texture that a driver has no memory for.
std::string no_memory_text(const TextureKey& key, const core::Layout& layout,
                           const DeviceError& error);

/// Textures that nothing refers to any more, kept for the next of their size. The cap counts the
/// bytes of those that the last run did not use.
///
/// Evaluations that repeat make nothing from their third time on. A temporary takes the first free
/// texture of its size that no value ever had, so each run of a plan finds the same ones. A value
/// takes a texture that its slot of the plan had before: that of the last run where it is free by
/// now, else that of the run before, as values that replace what they are made from alternate
/// between two. Targets of one draw are taken together, as their framebuffer has them.
/// pool_values.cpp says whose a texture is, pool_framebuffers.cpp has the framebuffers.
class TexturePool {
 public:
  using Textures = std::array<std::unique_ptr<PooledTexture>, 8>;

  TexturePool(const gl::Context& context, gl::State& state, const core::Target& target,
              Counters& counters);

  /// A run of a plan: its textures are not deleted before that of another plan.
  void begin_run(const plan::Plan& plan);
  void note_leaf(PooledTexture& texture) { texture.last_run = texture.leaf_run = run_; }
  bool is_first_run() const { return running_->count == 1; }
  /// After the first run of a plan: gives the slots of its results their second textures, of those
  /// that are free by now or else of leaves that are held, and makes their framebuffers. So the
  /// next run makes none where it replaces its arguments by its results. Where there are none to
  /// replace, nothing is made. Raises DeviceError and bad_alloc.
  void prepare_next(std::span<PooledTexture* const> results,
                    std::span<PooledTexture* const> leaves);
  void end_run() noexcept;
  /// Work for a later run: what fails for want of memory is left to that run.
  void try_to(const std::function<void()>& work);
  /// A texture for this layout, its content undefined. Debug builds, and others with
  /// TRIGON_POISON=1, fill it with NaN.
  /// GL: glTexStorage2D, glTexStorage3D, in WebGL 1 glTexImage2D. Raises DeviceError when the
  /// driver has no memory left.
  std::unique_ptr<PooledTexture> acquire(const core::Layout& layout, bool of_value);
  /// Textures for the outputs of a step of the running plan, by their order; null for one in place.
  /// `of_value`: whether one of them is a tensor's. Raises DeviceError as above.
  Textures acquire(std::span<const plan::StepOutput> outputs, bool of_value);
  /// Without memory for its place among the free ones, the texture is deleted.
  void recycle(std::unique_ptr<PooledTexture> texture) noexcept;
  /// Deletes what is free beyond the cap, but for what the last run has used.
  void trim() noexcept;
  /// Deletes all that are free.
  void empty();
  /// After an error: framebuffers are made anew; a call that failed may have changed any of them.
  void forget_framebuffers() { first_valid_ = next_number_; }
  /// The framebuffer of these layers; `layout` says in errors what the first texture holds.
  /// GL: glFramebufferTextureLayer.
  GLuint framebuffer(std::span<const Attachment> attachments, const core::Layout& layout);

  gl::Format format_of(DType dtype) const;

 private:
  /// Framebuffers that a texture keeps: it may share them with ever other textures.
  static std::size_t most_targets(std::span<const Attachment> attachments);

  /// What is free of one size, the first one last.
  struct Free {
    std::vector<std::unique_ptr<PooledTexture>> textures;
    std::vector<RenderTarget*> sets;  ///< with all textures free, the first of this size
  };

  /// Lets all textures of a framebuffer go of it.
  void forget(const RenderTarget& target);
  void forget_oldest(PooledTexture& texture);
  bool fits(const RenderTarget& target, std::span<const plan::StepOutput> outputs) const;
  const RenderTarget* free_set(std::span<const plan::StepOutput> outputs) const;
  PooledTexture* free_value(const plan::StepOutput& output) const;
  PooledTexture* free_texture(const TextureKey& key) const;
  /// Whether the running plan took it last, for this slot.
  bool is_own(const PooledTexture& texture, std::int32_t slot) const;
  /// Whether a value's texture belongs to a plan that was not run since the running one first was,
  /// as the first step of a loop often has a plan of its own; or to none, but was handed over
  /// since.
  bool makes_way(const PooledTexture& texture) const;
  /// Whether the running plan may take a value's texture that is not its own. In its first run a
  /// plan takes those of any plan that was not run lately, and none that were its leaves' own.
  bool may_take(const PooledTexture& texture) const;
  /// Whether the last run has used it, or the run before of the plan that runs now.
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
  /// Ends a pair.
  static void part(PooledTexture& texture);
  /// Makes the framebuffer of the textures that these alternate with.
  void mirror(std::span<const Attachment> attachments);
  RenderTarget* find_target(std::span<const Attachment> attachments);
  RenderTarget& create_target(std::span<const Attachment> attachments, const core::Layout& layout);
  std::unique_ptr<PooledTexture> take_or_create(PooledTexture* texture, const TextureKey& key,
                                                const core::Layout& layout);
  std::unique_ptr<PooledTexture> take(PooledTexture& texture);
  /// A set whose textures are free.
  void insert(RenderTarget& set);
  void unlink(PooledTexture& texture);
  void delete_free(PooledTexture& texture);
  /// Makes the memory for recycle(). Raises bad_alloc.
  void make_room(const PooledTexture& texture);

  bool es2_;
  gl::State& state_;
  const core::Target& target_;
  Counters& counters_;
  /// A size keeps its place while its textures are in use, so a steady state allocates nothing.
  std::map<TextureKey, Free> free_;
  PooledTexture* oldest_ = nullptr;
  PooledTexture* newest_ = nullptr;
  std::int64_t free_bytes_ = 0;
  std::shared_ptr<const plan::PlanRuns> running_;  ///< the plan that runs, or null
  std::int64_t run_ = 0;                           ///< grows with each run of a plan
  std::int64_t run_before_ = 0;                    ///< of the plan that runs, or was run last
  std::int64_t next_number_ = 0;                   ///< of textures and framebuffers
  std::int64_t first_valid_ = 0;  ///< framebuffers of lower numbers are not used any more
  std::int64_t cap_bytes_;
  bool poisons_;
};

}  // namespace trigon::detail::run

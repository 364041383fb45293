// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include <trigon/debug.hpp>

#include "core/layout.hpp"
#include "gl/caps.hpp"
#include "gl/context.hpp"
#include "gl/handles.hpp"
#include "gl/state.hpp"
#include "kernel/step.hpp"

namespace trigon::run {

/// What makes two textures interchangeable.
struct TextureKey {
  gl::Format format;
  std::int64_t width, height, layers;
  friend bool operator==(const TextureKey&, const TextureKey&) = default;
  friend bool operator<(const TextureKey& a, const TextureKey& b) {
    return std::tie(a.format, a.width, a.height, a.layers) <
           std::tie(b.format, b.width, b.height, b.layers);
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
  std::int64_t number = 0;  ///< grows with each framebuffer that is made
  std::int64_t in_use = 0;  ///< of several textures: how many are not free

  bool has_several_textures() const {
    return attachments.front().texture != attachments.back().texture;
  }
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
  bool drawn_alone = false;     ///< has been the only target of a draw
  bool drawn_together = false;  ///< has been one of several targets
  /// Neighbours among the free textures of all sizes.
  PooledTexture* older = nullptr;
  PooledTexture* newer = nullptr;

  bool layered() const { return key.layers > 1; }
  gl::State::TextureBinding binding() const {
    return {layered() ? GLenum{GL_TEXTURE_2D_ARRAY} : GLenum{GL_TEXTURE_2D}, texture.id()};
  }
};

/// Textures that nothing refers to any more, kept for the next of their size up to a cap of bytes.
///
/// Evaluations that repeat find all their framebuffers after a few times. A draw with several new
/// targets takes the textures of a framebuffer whose textures are all free. Where there is none, it
/// takes them one by one and makes a framebuffer, which is there the next time. A draw with one
/// target leaves those sets whole as long as there are other textures.
class TexturePool {
 public:
  using Textures = std::array<std::unique_ptr<PooledTexture>, 8>;

  TexturePool(const gl::Context& context, gl::State& state, const plan::Target& target,
              Counters& counters);

  /// A texture for this layout, its content undefined. Debug builds, and others with
  /// TRIGON_POISON=1, fill it with NaN.
  /// GL: glTexStorage2D, glTexStorage3D, in WebGL 1 glTexImage2D. Raises DeviceError when the
  /// driver has no memory left.
  std::unique_ptr<PooledTexture> acquire(const plan::Layout& layout);
  /// Textures for the outputs of a step, by their order; null for one in place. Raises DeviceError
  /// as above.
  Textures acquire(std::span<const plan::StepOutput> outputs);
  /// Without memory for its place among the free ones, the texture is deleted.
  void recycle(std::unique_ptr<PooledTexture> texture) noexcept;
  /// Deletes all that are free.
  void empty();
  /// After an error: framebuffers are made anew; a call that failed may have changed any of them.
  void forget_framebuffers() { first_valid_ = next_number_; }
  /// The framebuffer of these layers; `layout` says in errors what the first texture holds.
  /// GL: glFramebufferTextureLayer.
  GLuint framebuffer(std::span<const Attachment> attachments, const plan::Layout& layout);

  gl::Format format_of(DType dtype) const;

 private:
  /// Framebuffers that a texture keeps: it may share them with ever other textures.
  static std::size_t most_targets(std::span<const Attachment> attachments);

  /// What is free of one size, the next to take last.
  struct Free {
    std::vector<std::unique_ptr<PooledTexture>> textures;
    /// Framebuffers of several textures, all of them free, the first of this size.
    std::vector<RenderTarget*> targets;
  };

  /// Lets all textures of a framebuffer go of it.
  static void forget(const RenderTarget& target);
  bool fits(const RenderTarget& target, std::span<const plan::StepOutput> outputs) const;
  RenderTarget* free_target(std::span<const plan::StepOutput> outputs) const;
  TextureKey key_of(const plan::Layout& layout) const;
  std::unique_ptr<PooledTexture> create(const TextureKey& key);
  std::unique_ptr<PooledTexture> create_or_explain(const TextureKey& key,
                                                   const plan::Layout& layout);
  void poison(PooledTexture& texture, const plan::Layout& layout);
  std::unique_ptr<PooledTexture> reuse(const TextureKey& key);
  std::unique_ptr<PooledTexture> take(PooledTexture& texture);
  void unlink(PooledTexture& texture);
  void delete_oldest();
  /// Makes the memory for recycle(). Raises bad_alloc.
  void make_room(const PooledTexture& texture);

  bool es2_;
  gl::State& state_;
  const plan::Target& target_;
  Counters& counters_;
  /// A size keeps its place while its textures are in use, so a steady state allocates nothing.
  std::map<TextureKey, Free> free_;
  PooledTexture* oldest_ = nullptr;
  PooledTexture* newest_ = nullptr;
  std::int64_t free_bytes_ = 0;
  std::int64_t next_number_ = 0;  ///< of textures and framebuffers
  std::int64_t first_valid_ = 0;  ///< framebuffers of lower numbers are not used any more
  std::int64_t cap_bytes_;
  bool poisons_;
};

}  // namespace trigon::run

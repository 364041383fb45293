// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include <trigon/debug.hpp>

#include "core/layout.hpp"
#include "gl/caps.hpp"
#include "gl/handles.hpp"
#include "gl/state.hpp"

namespace trigon::run {

/// What makes two textures interchangeable.
struct TextureKey {
  gl::Format format;
  std::int64_t width, height, layers;
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
  /// Neighbours among the free textures of all sizes.
  PooledTexture* older = nullptr;
  PooledTexture* newer = nullptr;

  bool layered() const { return key.layers > 1; }
  gl::State::TextureBinding binding() const {
    return {layered() ? GLenum{GL_TEXTURE_2D_ARRAY} : GLenum{GL_TEXTURE_2D}, texture.id()};
  }
};

/// Textures that nothing refers to any more, kept for the next of their size up to a cap of bytes.
class TexturePool {
 public:
  TexturePool(gl::State& state, const plan::Target& target, Counters& counters);

  /// A texture for this layout, its content undefined. Debug builds fill it with NaN.
  /// GL: glTexStorage2D, glTexStorage3D. Raises DeviceError when the driver has no memory left.
  std::unique_ptr<PooledTexture> acquire(const plan::Layout& layout);
  void recycle(std::unique_ptr<PooledTexture> texture);
  /// The framebuffer of these layers; `layout` says in errors what the first texture holds.
  /// GL: glFramebufferTextureLayer.
  GLuint framebuffer(std::span<const Attachment> attachments, const plan::Layout& layout);

  gl::Format format_of(DType dtype) const;

 private:
  /// Framebuffers that a texture keeps: it may share them with ever other textures.
  static constexpr std::size_t most_targets = 64;

  /// Lets all textures of a framebuffer go of it.
  static void forget(const RenderTarget& target);
  std::unique_ptr<PooledTexture> create(const TextureKey& key);
  std::unique_ptr<PooledTexture> create_or_explain(const TextureKey& key,
                                                   const plan::Layout& layout);
  void poison(PooledTexture& texture, const plan::Layout& layout);
  std::unique_ptr<PooledTexture> reuse(const TextureKey& key);
  void unlink(PooledTexture& texture);
  void delete_oldest();

  gl::State& state_;
  const plan::Target& target_;
  Counters& counters_;
  /// By size, the longest unused first. A size keeps its place while its textures are in use, so
  /// that a steady state allocates nothing.
  std::map<TextureKey, std::vector<std::unique_ptr<PooledTexture>>> free_;
  PooledTexture* oldest_ = nullptr;
  PooledTexture* newest_ = nullptr;
  std::int64_t free_bytes_ = 0;
  std::int64_t next_number_ = 0;
  std::int64_t cap_bytes_;
};

}  // namespace trigon::run

// SPDX-License-Identifier: MIT
#pragma once

#include <GLES3/gl3.h>

#include <utility>

#include "core/rooms.hpp"

namespace trigon::detail::gl {

/// Owns one GL object and deletes it. Move-only.
///
/// The context that made the object must be current when the object is created, destroyed or
/// assigned over. Without a current context the deletion does nothing, and the object lives as long
/// as its context.
template <class Traits>
class Handle {
 public:
  using Id = typename Traits::Id;

  Handle() = default;
  /// Takes over an object made elsewhere.
  explicit Handle(Id id) : id_(id) {}
  /// Raises DeviceError if GL returns no object.
  template <class... Args>
  static Handle create(Args... args) {
    return Handle(Traits::create(args...));
  }

  Handle(Handle&& other) noexcept : id_(other.release()) {}
  Handle& operator=(Handle&& other) noexcept {
    if (this != &other) reset(other.release());
    return *this;
  }
  ~Handle() { reset(); }

  Id id() const { return id_; }
  explicit operator bool() const { return id_ != Id{}; }
  /// Gives up the object, which the caller then deletes.
  [[nodiscard]] Id release() { return std::exchange(id_, Id{}); }
  void reset(Id id = Id{}) {
    const Id old = std::exchange(id_, id);
    if (old != Id{}) Traits::destroy(old);
  }

 private:
  Id id_ = Id{};
};

/// GL: glGenTextures, glDeleteTextures.
struct TextureTraits {
  using Id = GLuint;
  static Id create();
  static void destroy(Id id);
};
/// GL: glGenFramebuffers, glDeleteFramebuffers.
struct FramebufferTraits {
  using Id = GLuint;
  static Id create();
  static void destroy(Id id);
};
/// GL: glGenBuffers, glDeleteBuffers.
struct BufferTraits {
  using Id = GLuint;
  static Id create();
  static void destroy(Id id);
};
/// GL: glGenVertexArrays, glDeleteVertexArrays.
struct VertexArrayTraits {
  using Id = GLuint;
  static Id create();
  static void destroy(Id id);
};
/// GL: glCreateShader, glDeleteShader.
struct ShaderTraits {
  using Id = GLuint;
  static Id create(GLenum stage);
  static void destroy(Id id);
};
/// GL: glCreateProgram, glDeleteProgram.
struct ProgramTraits {
  using Id = GLuint;
  static Id create();
  static void destroy(Id id);
};
/// GL: glFenceSync after the commands so far, glDeleteSync.
struct SyncTraits {
  using Id = GLsync;
  static Id create();
  static void destroy(Id id);
};

using Texture = Handle<TextureTraits>;
using Framebuffer = Handle<FramebufferTraits>;
using Buffer = Handle<BufferTraits>;
using VertexArray = Handle<VertexArrayTraits>;
using Shader = Handle<ShaderTraits>;
using Program = Handle<ProgramTraits>;
using Sync = Handle<SyncTraits>;

}  // namespace trigon::detail::gl

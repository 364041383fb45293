// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <vector>

#include "gl/state.hpp"
#include "support/gl_calls.hpp"
#include "support/null_gl.hpp"

// The bindings of gl::State, with a GL that reuses the names of deleted objects at once.

namespace trigon::detail::gl {
namespace {

using Textures = std::vector<State::TextureBinding>;

std::int64_t made(const std::string& name) { return support::made(null_gl::calls(), name); }

TEST(State, BindsWhatDiffers) {
  State state;
  const Texture a = state.create_texture(), b = state.create_texture();
  state.bind_textures(Textures{{GL_TEXTURE_2D, a.id()}, {GL_TEXTURE_2D, b.id()}});
  null_gl::reset();
  state.bind_textures(Textures{{GL_TEXTURE_2D, a.id()}, {GL_TEXTURE_2D, b.id()}});
  state.bind_textures(Textures{{GL_TEXTURE_2D, a.id()}});
  EXPECT_EQ(made("glBindTexture"), 0);
  EXPECT_EQ(made("glActiveTexture"), 0);
  state.bind_textures(Textures{{GL_TEXTURE_2D, b.id()}, {GL_TEXTURE_2D, a.id()}});
  EXPECT_EQ(made("glBindTexture"), 2);
  EXPECT_EQ(made("glActiveTexture"), 1);
  auto bound = null_gl::bound();
  EXPECT_EQ(bound.textures[0], b.id());
  EXPECT_EQ(bound.textures[1], a.id());
}

TEST(State, SetsTheViewportWhereAnyNumberDiffers) {
  State state;
  null_gl::reset();
  state.set_viewport(0, 0, 3, 5);
  state.set_viewport(0, 0, 3, 5);
  EXPECT_EQ(made("glViewport"), 1);
  state.set_viewport(0, 0, 3, 6);
  state.set_viewport(0, 0, 4, 6);
  state.set_viewport(0, 1, 4, 6);
  state.set_viewport(1, 1, 4, 6);
  EXPECT_EQ(made("glViewport"), 5);
}

TEST(State, ClearsNothingByTheCallOfTheTargetsKind) {
  State state;
  null_gl::reset();
  state.clear_nothing(core::Type::f);
  state.clear_nothing(core::Type::i);
  state.clear_nothing(core::Type::u);
  for (const char* name : {"glScissor", "glClear", "glClearBufferiv", "glClearBufferuiv"})
    EXPECT_EQ(made(name), 1) << name;
  EXPECT_EQ(made("glEnable"), 3);
  EXPECT_EQ(made("glDisable"), 3);
}

TEST(State, KeepsArrayTexturesSeparate) {
  State state;
  const Texture flat = state.create_texture(), layered = state.create_texture();
  state.bind_textures(Textures{{GL_TEXTURE_2D, flat.id()}});
  state.bind_textures(Textures{{GL_TEXTURE_2D_ARRAY, layered.id()}});
  null_gl::reset();
  state.bind_textures(Textures{{GL_TEXTURE_2D, flat.id()}});
  EXPECT_EQ(made("glBindTexture"), 0);
  auto bound = null_gl::bound();
  EXPECT_EQ(bound.textures[0], flat.id());
  EXPECT_EQ(bound.arrays[0], layered.id());
}

TEST(State, BindsATextureThatHasADeletedOnesName) {
  State state;
  std::optional<Texture> texture = state.create_texture();
  const GLuint id = texture->id();
  state.bind_textures(Textures{{GL_TEXTURE_2D, id}, {GL_TEXTURE_2D, id}});
  texture.reset();
  EXPECT_FALSE(null_gl::bound().textures.contains(0));
  texture = state.create_texture();
  ASSERT_EQ(texture->id(), id);
  state.bind_textures(Textures{{GL_TEXTURE_2D, id}, {GL_TEXTURE_2D, id}});
  auto bound = null_gl::bound();
  EXPECT_EQ(bound.textures[0], id);
  EXPECT_EQ(bound.textures[1], id);
}

TEST(State, BindsAFramebufferThatHasADeletedOnesName) {
  State state;
  std::optional<Framebuffer> framebuffer = state.create_framebuffer();
  const GLuint id = framebuffer->id();
  state.bind_framebuffer(id);
  framebuffer.reset();
  EXPECT_EQ(null_gl::bound().framebuffer, 0u);
  framebuffer = state.create_framebuffer();
  ASSERT_EQ(framebuffer->id(), id);
  state.bind_framebuffer(id);
  EXPECT_EQ(null_gl::bound().framebuffer, id);
}

TEST(State, UsesTheProgramAfterADeletedOne) {
  State state;
  std::optional<Program> old = Program::create();
  state.use_program(old->id());
  old.reset();
  const Program next = Program::create();
  state.use_program(next.id());
  EXPECT_EQ(null_gl::bound().program, next.id());
}

TEST(State, SetsTheBlendingFunctionOnce) {
  State state;
  null_gl::reset();
  for (int k = 0; k < 3; ++k) {
    state.set_blend(true);
    state.set_blend(false);
  }
  EXPECT_EQ(made("glBlendEquation"), 1);
  EXPECT_EQ(made("glBlendFunc"), 1);
  EXPECT_EQ(made("glEnable"), 3);
}

TEST(State, ForgetsWhatOthersHaveChanged) {
  State state;
  const Texture texture = state.create_texture();
  const Framebuffer framebuffer = state.create_framebuffer();
  const VertexArray vertices = VertexArray::create();
  const auto bind = [&] {
    state.bind_framebuffer(framebuffer.id());
    state.bind_vertex_array(vertices.id());
    state.bind_texture({GL_TEXTURE_2D, texture.id()});
    state.set_viewport(0, 0, 3, 5);
    state.set_blend(true);
  };
  bind();
  glActiveTexture(GL_TEXTURE7);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glBindVertexArray(0);
  state.forget();
  null_gl::reset();
  bind();
  for (const char* name :
       {"glActiveTexture", "glBindTexture", "glViewport", "glEnable", "glBlendFunc"}) {
    EXPECT_EQ(made(name), 1) << name;
  }
  auto bound = null_gl::bound();
  EXPECT_EQ(bound.framebuffer, framebuffer.id());
  EXPECT_EQ(bound.vertex_array, vertices.id());
  EXPECT_EQ(bound.textures[0], texture.id());
}

}  // namespace
}  // namespace trigon::detail::gl

// SPDX-License-Identifier: MIT
#include "gl/handles.hpp"

#include "core/called.hpp"
#include "gl/check.hpp"

namespace trigon::detail::gl {
namespace {

template <class Id>
Id made(Id id, const char* call) {
  if (id != Id{}) return id;
  check(call);
  core::fail_on_device("gl", "{}: no object; a context must be current", call);
}

}  // namespace

GLuint TextureTraits::create() {
  GLuint id = 0;
  glGenTextures(1, &id);
  return made(id, "glGenTextures");
}
void TextureTraits::destroy(GLuint id) { glDeleteTextures(1, &id); }

GLuint FramebufferTraits::create() {
  GLuint id = 0;
  glGenFramebuffers(1, &id);
  return made(id, "glGenFramebuffers");
}
void FramebufferTraits::destroy(GLuint id) { glDeleteFramebuffers(1, &id); }

GLuint BufferTraits::create() {
  GLuint id = 0;
  glGenBuffers(1, &id);
  return made(id, "glGenBuffers");
}
void BufferTraits::destroy(GLuint id) { glDeleteBuffers(1, &id); }

GLuint VertexArrayTraits::create() {
  GLuint id = 0;
  glGenVertexArrays(1, &id);
  return made(id, "glGenVertexArrays");
}
void VertexArrayTraits::destroy(GLuint id) { glDeleteVertexArrays(1, &id); }

GLuint ShaderTraits::create(GLenum stage) { return made(glCreateShader(stage), "glCreateShader"); }
void ShaderTraits::destroy(GLuint id) { glDeleteShader(id); }

GLuint ProgramTraits::create() { return made(glCreateProgram(), "glCreateProgram"); }
void ProgramTraits::destroy(GLuint id) { glDeleteProgram(id); }

GLsync SyncTraits::create() {
  return made(glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0), "glFenceSync");
}
void SyncTraits::destroy(GLsync id) { glDeleteSync(id); }

}  // namespace trigon::detail::gl

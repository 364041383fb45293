// SPDX-License-Identifier: MIT
#define EGL_NO_X11
#define MESA_EGL_NO_X11_HEADERS
#include <EGL/egl.h>
#include <GLES3/gl3.h>
#include <dlfcn.h>

#include <string_view>

#include "faults.hpp"

// The entry points of GL and EGL that can fail. An executable's definitions precede those of shared
// libraries, which are the next to define them.

namespace fault = trigon::fault;

// clang-format off
#define CALL(type, name, parameters, arguments, failed)                          \
  type name parameters {                                                         \
    if (fault::gl_call_fails(#name)) return failed;                              \
    const fault::InDriver guard;                                                 \
    static auto* const real =                                                    \
        reinterpret_cast<decltype(&name)>(dlsym(RTLD_NEXT, #name));              \
    return real arguments;                                                       \
  }

// Objects of GL are counted: the one that is returned, or n.
#define CREATION(type, name, parameters, arguments, failed)                      \
  type name parameters {                                                         \
    if (fault::gl_call_fails(#name)) return failed;                              \
    const fault::InDriver guard;                                                 \
    static auto* const real =                                                    \
        reinterpret_cast<decltype(&name)>(dlsym(RTLD_NEXT, #name));              \
    const auto object = real arguments;                                          \
    if (object != failed) fault::count_objects(1);                               \
    return object;                                                               \
  }
#define CREATIONS(name, n, objects)                                              \
  void name(GLsizei n, GLuint* objects) {                                        \
    if (fault::gl_call_fails(#name)) return;                                     \
    const fault::InDriver guard;                                                 \
    static auto* const real =                                                    \
        reinterpret_cast<decltype(&name)>(dlsym(RTLD_NEXT, #name));              \
    fault::count_objects(n);                                                     \
    real(n, objects);                                                            \
  }

// Deletions do not fail, but their allocations are the driver's, too. The library never deletes
// name 0.
#define DELETION(type, name, parameters, arguments, objects)                     \
  type name parameters {                                                         \
    const fault::InDriver guard;                                                 \
    static auto* const real =                                                    \
        reinterpret_cast<decltype(&name)>(dlsym(RTLD_NEXT, #name));              \
    fault::count_objects(-(objects));                                            \
    return real arguments;                                                       \
  }

extern "C" {

DELETION(EGLBoolean, eglDestroyContext, (EGLDisplay dpy, EGLContext ctx), (dpy, ctx), 1)
DELETION(void, glDeleteBuffers, (GLsizei n, const GLuint* buffers), (n, buffers), n)
DELETION(void, glDeleteFramebuffers, (GLsizei n, const GLuint* framebuffers), (n, framebuffers), n)
DELETION(void, glDeleteProgram, (GLuint program), (program), 1)
DELETION(void, glDeleteShader, (GLuint shader), (shader), 1)
DELETION(void, glDeleteSync, (GLsync sync), (sync), 1)
DELETION(void, glDeleteTextures, (GLsizei n, const GLuint* textures), (n, textures), n)
DELETION(void, glDeleteVertexArrays, (GLsizei n, const GLuint* arrays), (n, arrays), n)
CREATION(EGLContext, eglCreateContext, (EGLDisplay dpy, EGLConfig config, EGLContext share_context,
     const EGLint* attrib_list), (dpy, config, share_context, attrib_list), EGL_NO_CONTEXT)
CALL(EGLBoolean, eglMakeCurrent, (EGLDisplay dpy, EGLSurface draw, EGLSurface read, EGLContext
     ctx), (dpy, draw, read, ctx), EGL_FALSE)
CALL(void, glActiveTexture, (GLenum texture), (texture), )
CALL(void, glAttachShader, (GLuint program, GLuint shader), (program, shader), )
CALL(void, glBindAttribLocation, (GLuint program, GLuint index, const GLchar* name), (program,
     index, name), )
CALL(void, glBindBuffer, (GLenum target, GLuint buffer), (target, buffer), )
CALL(void, glBindFramebuffer, (GLenum target, GLuint framebuffer), (target, framebuffer), )
CALL(void, glBindTexture, (GLenum target, GLuint texture), (target, texture), )
CALL(void, glBindVertexArray, (GLuint array), (array), )
CALL(void, glBlendEquation, (GLenum mode), (mode), )
CALL(void, glBlendFunc, (GLenum sfactor, GLenum dfactor), (sfactor, dfactor), )
CALL(void, glBufferData, (GLenum target, GLsizeiptr size, const void* data, GLenum usage),
     (target, size, data, usage), )
CALL(GLenum, glCheckFramebufferStatus, (GLenum target), (target), 0)
CALL(void, glClear, (GLbitfield mask), (mask), )
CALL(void, glClearBufferfv, (GLenum buffer, GLint drawbuffer, const GLfloat* value), (buffer,
     drawbuffer, value), )
CALL(void, glClearBufferiv, (GLenum buffer, GLint drawbuffer, const GLint* value), (buffer,
     drawbuffer, value), )
CALL(void, glClearBufferuiv, (GLenum buffer, GLint drawbuffer, const GLuint* value), (buffer,
     drawbuffer, value), )
CALL(void, glClearColor, (GLfloat red, GLfloat green, GLfloat blue, GLfloat alpha), (red, green,
     blue, alpha), )
CALL(GLenum, glClientWaitSync, (GLsync sync, GLbitfield flags, GLuint64 timeout), (sync, flags,
     timeout), GL_WAIT_FAILED)
CALL(void, glCompileShader, (GLuint shader), (shader), )
CREATION(GLuint, glCreateProgram, (), (), 0)
CREATION(GLuint, glCreateShader, (GLenum type), (type), 0)
CALL(void, glDetachShader, (GLuint program, GLuint shader), (program, shader), )
CALL(void, glDisable, (GLenum cap), (cap), )
CALL(void, glDrawArrays, (GLenum mode, GLint first, GLsizei count), (mode, first, count), )
CALL(void, glDrawBuffers, (GLsizei n, const GLenum* bufs), (n, bufs), )
CALL(void, glEnable, (GLenum cap), (cap), )
CALL(void, glEnableVertexAttribArray, (GLuint index), (index), )
CREATION(GLsync, glFenceSync, (GLenum condition, GLbitfield flags), (condition, flags), nullptr)
CALL(void, glFinish, (), (), )
CALL(void, glFramebufferTexture2D, (GLenum target, GLenum attachment, GLenum textarget, GLuint
     texture, GLint level), (target, attachment, textarget, texture, level), )
CALL(void, glFramebufferTextureLayer, (GLenum target, GLenum attachment, GLuint texture, GLint
     level, GLint layer), (target, attachment, texture, level, layer), )
CREATIONS(glGenBuffers, n, buffers)
CREATIONS(glGenFramebuffers, n, framebuffers)
CREATIONS(glGenTextures, n, textures)
CREATIONS(glGenVertexArrays, n, arrays)
CALL(void, glGetIntegerv, (GLenum pname, GLint* data), (pname, data), )
CALL(void, glGetProgramInfoLog, (GLuint program, GLsizei bufSize, GLsizei* length, GLchar*
     infoLog), (program, bufSize, length, infoLog), )
CALL(void, glGetProgramiv, (GLuint program, GLenum pname, GLint* params), (program, pname,
     params), )
CALL(void, glGetShaderInfoLog, (GLuint shader, GLsizei bufSize, GLsizei* length, GLchar* infoLog),
     (shader, bufSize, length, infoLog), )
CALL(void, glGetShaderiv, (GLuint shader, GLenum pname, GLint* params), (shader, pname, params), )
CALL(const GLubyte*, glGetString, (GLenum name), (name), nullptr)
CALL(void, glGetShaderPrecisionFormat, (GLenum shadertype, GLenum precisiontype, GLint* range,
     GLint* precision), (shadertype, precisiontype, range, precision), )
CALL(GLint, glGetUniformLocation, (GLuint program, const GLchar* name), (program, name), -1)
CALL(void, glLinkProgram, (GLuint program), (program), )
CALL(void*, glMapBufferRange, (GLenum target, GLintptr offset, GLsizeiptr length, GLbitfield
     access), (target, offset, length, access), nullptr)
CALL(void, glPixelStorei, (GLenum pname, GLint param), (pname, param), )
CALL(void, glReadBuffer, (GLenum src), (src), )
CALL(void, glReadPixels, (GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum
     type, void* pixels), (x, y, width, height, format, type, pixels), )
CALL(void, glScissor, (GLint x, GLint y, GLsizei width, GLsizei height), (x, y, width, height), )
CALL(void, glShaderSource, (GLuint shader, GLsizei count, const GLchar* const* string, const
     GLint* length), (shader, count, string, length), )
CALL(void, glTexParameteri, (GLenum target, GLenum pname, GLint param), (target, pname, param), )
CALL(void, glTexStorage2D, (GLenum target, GLsizei levels, GLenum internalformat, GLsizei width,
     GLsizei height), (target, levels, internalformat, width, height), )
CALL(void, glTexStorage3D, (GLenum target, GLsizei levels, GLenum internalformat, GLsizei width,
     GLsizei height, GLsizei depth), (target, levels, internalformat, width, height, depth), )
CALL(void, glTexSubImage2D, (GLenum target, GLint level, GLint xoffset, GLint yoffset, GLsizei
     width, GLsizei height, GLenum format, GLenum type, const void* pixels), (target, level,
     xoffset, yoffset, width, height, format, type, pixels), )
CALL(void, glTexSubImage3D, (GLenum target, GLint level, GLint xoffset, GLint yoffset, GLint
     zoffset, GLsizei width, GLsizei height, GLsizei depth, GLenum format, GLenum type, const
     void* pixels), (target, level, xoffset, yoffset, zoffset, width, height, depth, format, type,
     pixels), )
CALL(void, glUniform1f, (GLint location, GLfloat v0), (location, v0), )
CALL(void, glUniform1i, (GLint location, GLint v0), (location, v0), )
CALL(void, glUniform2f, (GLint location, GLfloat v0, GLfloat v1), (location, v0, v1), )
CALL(void, glUniform4fv, (GLint location, GLsizei count, const GLfloat* value), (location, count,
     value), )
CALL(void, glUniform4iv, (GLint location, GLsizei count, const GLint* value), (location, count,
     value), )
CALL(GLboolean, glUnmapBuffer, (GLenum target), (target), GL_FALSE)
CALL(void, glUseProgram, (GLuint program), (program), )
CALL(void, glVertexAttribPointer, (GLuint index, GLint size, GLenum type, GLboolean normalized,
     GLsizei stride, const void* pointer), (index, size, type, normalized, stride, pointer), )
CALL(void, glViewport, (GLint x, GLint y, GLsizei width, GLsizei height), (x, y, width, height), )

}  // extern "C"
// clang-format on

bool fault::draws_nothing() {
  Dl_info info{};
  return dladdr(dlsym(RTLD_NEXT, "glDrawArrays"), &info) != 0 &&
         std::string_view(info.dli_fname).find("null_gles") != std::string_view::npos;
}

extern "C" {

GLenum glGetError() {
  const bool fails = fault::gl_call_fails("glGetError");
  if (const GLenum error = fault::take_gl_error(); fails || error != GL_NO_ERROR) return error;
  const fault::InDriver guard;
  static auto* const real = reinterpret_cast<decltype(&glGetError)>(dlsym(RTLD_NEXT, "glGetError"));
  return real();
}

EGLint eglGetError() {
  const GLenum error = fault::take_gl_error();
  if (error == fault::context_lost) return EGL_CONTEXT_LOST;
  if (error != GL_NO_ERROR) return EGL_BAD_ALLOC;
  const fault::InDriver guard;
  static auto* const real =
      reinterpret_cast<decltype(&eglGetError)>(dlsym(RTLD_NEXT, "eglGetError"));
  return real();
}

}  // extern "C"

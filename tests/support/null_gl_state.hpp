// SPDX-License-Identifier: MIT
#pragma once

#define EGL_NO_X11
#define MESA_EGL_NO_X11_HEADERS
#include <EGL/egl.h>
#include <GLES3/gl3.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "null_gl.hpp"

// State that the entry points of the null GL and the null EGL share.

namespace trigon::null_gl {

// ---- Counting ----

struct Tally {
  std::string_view name;
  Calls calls;
};

inline std::vector<Tally*>& tallies() {
  static std::vector<Tally*> all;
  return all;
}

template <std::size_t size>
struct Name {
  char text[size];
  consteval Name(const char (&from)[size]) { std::copy_n(from, size, text); }
};

template <Name name>
Tally* make_tally() {
  static Tally tally{name.text, {}};
  tallies().push_back(&tally);
  return &tally;
}

template <Name name>
void count(bool redundant = false) {
  static Tally* const tally = make_tally<name>();
  ++tally->calls.made;
  tally->calls.redundant += redundant;
}

// Sets a variable and counts the call; setting the present value is redundant.
template <Name name, class T>
void set(T& variable, const T& value) {
  count<name>(variable == value);
  variable = value;
}

// ---- Objects ----

// Names are given again after deletion, the last one first, as drivers do.
class Names {
 public:
  GLuint make() {
    if (free_.empty()) return ++last_;
    const GLuint id = free_.back();
    free_.pop_back();
    return id;
  }
  void free(GLuint id) { free_.push_back(id); }

 private:
  GLuint last_ = 0;
  std::vector<GLuint> free_;
};

using Value = std::array<std::uint32_t, 4>;

struct Program {
  std::vector<GLuint> shaders;
  std::map<std::string, GLint> locations;
  std::vector<Value> values;  // by location
};

enum class Pixels : std::uint8_t { zeros, floats, ints, unsigned_ints, outputs, derivatives };

inline constexpr std::size_t units = 32;

struct State {
  Names buffers, framebuffers, programs, shaders, textures, vertex_arrays;
  std::map<GLuint, std::string> sources;  // by shader
  std::vector<Program> program_of;        // by name

  GLuint program = 0, framebuffer = 0, vertex_array = 0, buffer = 0, pack_buffer = 0;
  bool program_dies = false;  // the one in use was deleted
  GLuint active = 0;
  std::array<std::array<GLuint, 2>, units> bound{};  // by unit; arrays second
  std::array<GLint, 4> viewport{};
  std::map<GLenum, bool> enabled;
  std::map<GLenum, GLint> stored;
  GLenum error = GL_NO_ERROR;
  int time_outs = 0;  // of polls of fences

  std::array<GLfloat, 4> clear{};
  int mantissa_bits = 23;
  Pixels pixels = Pixels::zeros;
  Value pixel{};
  GLuint attachment = 0;
  int draws_added = 0;

  Times times;
  void (*on_draw)() = nullptr;
  EGLContext context = EGL_NO_CONTEXT;
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLenum api = EGL_OPENGL_ES_API;
};

inline State& state() {
  static State one;
  return one;
}

inline void forget_program(GLuint id) {
  state().program_of[id] = {};
  state().programs.free(id);
}

inline void use_program(GLuint id) {
  State& s = state();
  if (id != s.program && std::exchange(s.program_dies, false)) forget_program(s.program);
  set<"glUseProgram">(s.program, id);
}

// The program in use lives until another one is used, or the context ends.
inline void delete_program(GLuint id) {
  if (id == state().program) {
    state().program_dies = true;
  } else {
    forget_program(id);
  }
}

inline void end_context() {
  State& s = state();
  if (std::exchange(s.program_dies, false)) forget_program(std::exchange(s.program, 0));
}

// Sets a time that is not set yet.
inline void note(ThreadClock::time_point& time) {
  if (time == ThreadClock::time_point{}) time = ThreadClock::now();
}

}  // namespace trigon::null_gl

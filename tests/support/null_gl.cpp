// SPDX-License-Identifier: MIT
#include "null_gl.hpp"

#include <time.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "null_gl_state.hpp"

namespace trigon::null_gl {
namespace {

GLuint& binding(GLenum kind) {
  return state().bound[state().active][kind == GL_TEXTURE_2D_ARRAY ? 1 : 0];
}

template <class Forget>
void destroy(Names& names, GLsizei count, const GLuint* ids, Forget forget) {
  for (GLsizei k = 0; k < count; ++k) {
    if (ids[k] == 0) continue;
    forget(ids[k]);
    names.free(ids[k]);
  }
}

void make(Names& names, GLsizei count, GLuint* ids) {
  for (GLsizei k = 0; k < count; ++k) ids[k] = names.make();
}

// ---- Uniforms ----

std::size_t uses(const std::string& source, const std::string& name) {
  std::size_t found = 0;
  const auto is_word = [&](std::size_t at) {
    return at < source.size() &&
           (std::isalnum(static_cast<unsigned char>(source[at])) != 0 || source[at] == '_');
  };
  for (std::size_t at = source.find(name); at != std::string::npos;
       at = source.find(name, at + 1)) {
    if ((at == 0 || !is_word(at - 1)) && !is_word(at + name.size())) ++found;
  }
  return found;
}

// Gives each uniform that the source declares and uses a location, each array element its own.
void add_uniforms(Program& program, const std::string& source) {
  constexpr std::string_view keyword = "uniform ";
  for (std::size_t at = source.find(keyword); at != std::string::npos;
       at = source.find(keyword, at + 1)) {
    const std::size_t end = source.find(';', at);
    std::string declared = source.substr(at, end - at);
    std::size_t size = 1;
    if (const std::size_t bracket = declared.find('['); bracket != std::string::npos) {
      size = std::stoul(declared.substr(bracket + 1));
      declared.resize(bracket);
    }
    const std::string name = declared.substr(declared.rfind(' ') + 1);
    if (uses(source, name) < 2) continue;
    const auto first = static_cast<GLint>(program.values.size());
    program.locations.emplace(name, first);
    for (std::size_t k = 0; k < size; ++k) {
      program.locations.emplace(name + "[" + std::to_string(k) + "]",
                                first + static_cast<GLint>(k));
    }
    program.values.resize(program.values.size() + size);
  }
}

// Whether all of the values were there before.
bool write_uniform(GLint location, const void* values, std::size_t vectors, std::size_t width) {
  if (location < 0) return true;
  auto& held = state().program_of[state().program].values;
  if (static_cast<std::size_t>(location) + vectors > held.size()) {
    state().error = GL_INVALID_OPERATION;  // the location belongs to another program
    return false;
  }
  bool same = true;
  for (std::size_t k = 0; k < vectors; ++k) {
    Value& value = held.at(static_cast<std::size_t>(location) + k);
    Value next = value;
    std::memcpy(next.data(), static_cast<const std::byte*>(values) + k * width * 4, width * 4);
    same = same && next == value;
    value = next;
  }
  return same;
}

// ---- Results of reads ----

float as_float(std::uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// The library's probes draw multiples of a uniform, or its differences between fragments.
std::array<float, 4> drawn(GLint x, GLint y) {
  const State& s = state();
  const float value = as_float(s.pixel[0]);
  if (s.pixels == Pixels::derivatives) {
    const auto own = [&](int u, int v) { return value * static_cast<float>(1 + u + 4 * v); };
    return {own(x | 1, y), -own(x & ~1, y), own(x, y | 1), -own(x, y & ~1)};
  }
  std::array<float, 4> result{};
  for (std::size_t k = 0; k < 4; ++k) {
    result[k] = as_float(s.pixel[k]) * static_cast<float>(s.attachment + 1) *
                static_cast<float>(s.draws_added);
  }
  return result;
}

// One of the few numbers to which the probe of half floats clears.
std::uint16_t half(std::uint32_t bits) {
  if ((bits & 0x7FFFFFFF) == 0) return 0;
  const auto exponent = static_cast<std::uint32_t>(static_cast<int>(bits >> 23 & 255) - 127 + 15);
  return static_cast<std::uint16_t>((bits >> 16 & 0x8000) | exponent << 10 | (bits >> 13 & 1023));
}

std::size_t component_size(GLenum type) {
  return type == GL_UNSIGNED_BYTE ? 1 : type == GL_HALF_FLOAT ? 2 : 4;
}

Value read(GLint x, GLint y) {
  const State& s = state();
  if (s.pixels == Pixels::zeros) return {};
  if (s.pixels != Pixels::outputs && s.pixels != Pixels::derivatives) return s.pixel;
  const std::array<float, 4> values = drawn(x, y);
  Value bits{};
  std::memcpy(bits.data(), values.data(), sizeof bits);
  return bits;
}

}  // namespace

std::map<std::string, Calls> calls() {
  std::map<std::string, Calls> result;
  for (const Tally* tally : tallies()) {
    if (tally->calls.made > 0) result.emplace(tally->name, tally->calls);
  }
  return result;
}

ThreadClock::time_point ThreadClock::now() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time_point(std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec));
}

Times times() { return state().times; }

void reset() {
  state().times = {};
  for (Tally* tally : tallies()) tally->calls = {};
}

Calls total(const std::map<std::string, Calls>& calls) {
  Calls sum;
  for (const auto& [name, one] : calls) {
    if (!name.starts_with("gl") && name != "eglMakeCurrent") continue;
    sum.made += one.made;
    sum.redundant += one.redundant;
  }
  return sum;
}

Bound bound() {
  const State& s = state();
  Bound result{s.program, s.framebuffer, s.vertex_array, {}, {}};
  for (GLuint unit = 0; unit < units; ++unit) {
    if (s.bound[unit][0] != 0) result.textures[unit] = s.bound[unit][0];
    if (s.bound[unit][1] != 0) result.arrays[unit] = s.bound[unit][1];
  }
  return result;
}

void on_draw(void (*callback)()) { state().on_draw = callback; }

void time_out(int polls) { state().time_outs = polls; }

void fail(GLenum error) { state().error = error; }

void set_mantissa(int bits) { state().mantissa_bits = bits; }

Answers& answers() {
  static Answers one;
  return one;
}

}  // namespace trigon::null_gl

using namespace trigon::null_gl;

// Callers link with the functions that the headers declare. Unused parameters have no name.
extern "C" {

// ---- State ----

void glUseProgram(GLuint program) { use_program(program); }
void glActiveTexture(GLenum unit) {
  set<"glActiveTexture">(state().active, GLuint{unit - GL_TEXTURE0});
}
void glBindTexture(GLenum kind, GLuint id) { set<"glBindTexture">(binding(kind), id); }
void glBindFramebuffer(GLenum, GLuint id) { set<"glBindFramebuffer">(state().framebuffer, id); }
void glBindVertexArray(GLuint id) { set<"glBindVertexArray">(state().vertex_array, id); }
void glBindBuffer(GLenum kind, GLuint id) {
  set<"glBindBuffer">(kind == GL_PIXEL_PACK_BUFFER ? state().pack_buffer : state().buffer, id);
}
void glViewport(GLint x, GLint y, GLsizei w, GLsizei h) {
  set<"glViewport">(state().viewport, {x, y, w, h});
}
void glScissor(GLint, GLint, GLsizei, GLsizei) { count<"glScissor">(); }
void glEnable(GLenum what) { set<"glEnable">(state().enabled[what], true); }
void glDisable(GLenum what) { set<"glDisable">(state().enabled[what], false); }
void glPixelStorei(GLenum name, GLint value) { set<"glPixelStorei">(state().stored[name], value); }
void glBlendEquation(GLenum) { count<"glBlendEquation">(); }
void glBlendFunc(GLenum, GLenum) { count<"glBlendFunc">(); }
void glReadBuffer(GLenum attachment) {
  count<"glReadBuffer">();
  state().attachment = attachment - GL_COLOR_ATTACHMENT0;
}
void glDrawBuffers(GLsizei, const GLenum*) { count<"glDrawBuffers">(); }

// ---- Objects ----

void glGenTextures(GLsizei n, GLuint* ids) {
  count<"glGenTextures">();
  make(state().textures, n, ids);
}
void glDeleteTextures(GLsizei n, const GLuint* ids) {
  count<"glDeleteTextures">();
  destroy(state().textures, n, ids, [](GLuint id) {
    for (auto& unit : state().bound) std::replace(unit.begin(), unit.end(), id, GLuint{0});
  });
}
void glGenFramebuffers(GLsizei n, GLuint* ids) {
  count<"glGenFramebuffers">();
  make(state().framebuffers, n, ids);
}
void glDeleteFramebuffers(GLsizei n, const GLuint* ids) {
  count<"glDeleteFramebuffers">();
  destroy(state().framebuffers, n, ids, [](GLuint id) {
    if (state().framebuffer == id) state().framebuffer = 0;
  });
}
void glGenBuffers(GLsizei n, GLuint* ids) {
  count<"glGenBuffers">();
  make(state().buffers, n, ids);
}
void glDeleteBuffers(GLsizei n, const GLuint* ids) {
  count<"glDeleteBuffers">();
  destroy(state().buffers, n, ids, [](GLuint id) {
    if (state().buffer == id) state().buffer = 0;
    if (state().pack_buffer == id) state().pack_buffer = 0;
  });
}
void glGenVertexArrays(GLsizei n, GLuint* ids) {
  count<"glGenVertexArrays">();
  make(state().vertex_arrays, n, ids);
}
void glDeleteVertexArrays(GLsizei n, const GLuint* ids) {
  count<"glDeleteVertexArrays">();
  destroy(state().vertex_arrays, n, ids, [](GLuint id) {
    if (state().vertex_array == id) state().vertex_array = 0;
  });
}
GLsync glFenceSync(GLenum, GLbitfield) {
  count<"glFenceSync">();
  static int fence = 0;
  return reinterpret_cast<GLsync>(&fence);
}
void glDeleteSync(GLsync) { count<"glDeleteSync">(); }
// Waiting is an error, as in a browser.
GLenum glClientWaitSync(GLsync, GLbitfield, GLuint64 timeout) {
  count<"glClientWaitSync">();
  if (timeout != 0) state().error = GL_INVALID_OPERATION;
  if (state().time_outs == 0) return GL_ALREADY_SIGNALED;
  --state().time_outs;
  return GL_TIMEOUT_EXPIRED;
}
void glFinish() { count<"glFinish">(); }

// ---- Shaders ----

GLuint glCreateShader(GLenum) {
  count<"glCreateShader">();
  return state().shaders.make();
}
void glShaderSource(GLuint shader, GLsizei n, const GLchar* const* texts, const GLint* lengths) {
  count<"glShaderSource">();
  std::string& source = state().sources[shader];
  source.clear();
  for (GLsizei k = 0; k < n; ++k) source.append(texts[k], static_cast<std::size_t>(lengths[k]));
}
void glCompileShader(GLuint) { count<"glCompileShader">(); }
void glGetShaderiv(GLuint, GLenum what, GLint* value) {
  count<"glGetShaderiv">();
  *value = what == GL_COMPILE_STATUS ? GL_TRUE : 0;
}
void glGetShaderInfoLog(GLuint, GLsizei, GLsizei* length, GLchar*) {
  count<"glGetShaderInfoLog">();
  *length = 0;
}
void glDeleteShader(GLuint shader) {
  count<"glDeleteShader">();
  state().sources.erase(shader);
  state().shaders.free(shader);
}
GLuint glCreateProgram() {
  count<"glCreateProgram">();
  const GLuint id = state().programs.make();
  auto& all = state().program_of;
  all.resize(std::max<std::size_t>(all.size(), id + 1));
  all[id] = {};
  return id;
}
void glAttachShader(GLuint program, GLuint shader) {
  count<"glAttachShader">();
  state().program_of[program].shaders.push_back(shader);
}
void glDetachShader(GLuint, GLuint) { count<"glDetachShader">(); }
void glBindAttribLocation(GLuint, GLuint, const GLchar*) { count<"glBindAttribLocation">(); }
void glLinkProgram(GLuint id) {
  count<"glLinkProgram">();
  Program& program = state().program_of[id];
  for (const GLuint shader : program.shaders) add_uniforms(program, state().sources[shader]);
}
void glGetProgramiv(GLuint, GLenum what, GLint* value) {
  count<"glGetProgramiv">();
  *value = what == GL_LINK_STATUS ? GL_TRUE : 0;
}
void glGetProgramInfoLog(GLuint, GLsizei, GLsizei* length, GLchar*) {
  count<"glGetProgramInfoLog">();
  *length = 0;
}
void glDeleteProgram(GLuint program) {
  count<"glDeleteProgram">();
  if (program != 0) delete_program(program);
}

// ---- Uniforms and vertices ----

GLint glGetUniformLocation(GLuint program, const GLchar* name) {
  count<"glGetUniformLocation">();
  const auto& known = state().program_of[program].locations;
  const auto found = known.find(name);
  return found == known.end() ? -1 : found->second;
}
void glUniform1i(GLint location, GLint x) {
  count<"glUniform1i">(write_uniform(location, &x, 1, 1));
}
void glUniform1f(GLint location, GLfloat x) {
  count<"glUniform1f">(write_uniform(location, &x, 1, 1));
}
void glUniform2f(GLint location, GLfloat x, GLfloat y) {
  const GLfloat both[] = {x, y};
  count<"glUniform2f">(write_uniform(location, both, 1, 2));
}
void glUniform4iv(GLint location, GLsizei n, const GLint* values) {
  count<"glUniform4iv">(write_uniform(location, values, static_cast<std::size_t>(n), 4));
}
void glUniform4fv(GLint location, GLsizei n, const GLfloat* values) {
  count<"glUniform4fv">(write_uniform(location, values, static_cast<std::size_t>(n), 4));
}
void glBufferData(GLenum, GLsizeiptr, const void*, GLenum) { count<"glBufferData">(); }
void* glMapBufferRange(GLenum, GLintptr, GLsizeiptr length, GLbitfield) {
  count<"glMapBufferRange">();
  static std::vector<std::byte> zeros;
  zeros.resize(static_cast<std::size_t>(length));
  return zeros.data();
}
GLboolean glUnmapBuffer(GLenum) {
  count<"glUnmapBuffer">();
  return answers().keeps_mapped_buffers;
}
void glEnableVertexAttribArray(GLuint) { count<"glEnableVertexAttribArray">(); }
void glVertexAttribPointer(GLuint, GLint, GLenum, GLboolean, GLsizei, const void*) {
  count<"glVertexAttribPointer">();
}

// ---- Textures and targets ----

void glTexStorage2D(GLenum, GLsizei, GLenum, GLsizei, GLsizei) { count<"glTexStorage2D">(); }
void glTexStorage3D(GLenum, GLsizei, GLenum, GLsizei, GLsizei, GLsizei) {
  count<"glTexStorage3D">();
}
void glTexParameteri(GLenum, GLenum, GLint) { count<"glTexParameteri">(); }
void glTexSubImage2D(GLenum, GLint, GLint, GLint, GLsizei, GLsizei, GLenum, GLenum, const void*) {
  count<"glTexSubImage2D">();
}
void glTexSubImage3D(GLenum, GLint, GLint, GLint, GLint, GLsizei, GLsizei, GLsizei, GLenum, GLenum,
                     const void*) {
  count<"glTexSubImage3D">();
}
void glFramebufferTexture2D(GLenum, GLenum, GLenum, GLuint, GLint) {
  count<"glFramebufferTexture2D">();
}
void glFramebufferTextureLayer(GLenum, GLenum, GLuint, GLint, GLint) {
  count<"glFramebufferTextureLayer">();
}
GLenum glCheckFramebufferStatus(GLenum) {
  count<"glCheckFramebufferStatus">();
  return answers().framebuffer_status;
}

// ---- Draws, clears and reads ----

void glDrawArrays(GLenum, GLint, GLsizei) {
  count<"glDrawArrays">();
  State& s = state();
  note(s.times.first_draw);
  if (s.on_draw != nullptr) s.on_draw();
  const Program& program = s.program_of[s.program];
  const auto probe = program.locations.find("u_value");
  s.draws_added = s.enabled[GL_BLEND] ? s.draws_added + 1 : 1;
  s.pixels = Pixels::zeros;
  if (probe == program.locations.end()) return;
  s.pixel = program.values[static_cast<std::size_t>(probe->second)];
  // The probe of derivatives sets one number.
  s.pixels = s.pixel[1] == 0 ? Pixels::derivatives : Pixels::outputs;
}
void glClearColor(GLfloat r, GLfloat g, GLfloat b, GLfloat a) {
  count<"glClearColor">();
  state().clear = {r, g, b, a};
}
void glClear(GLbitfield) {
  count<"glClear">();
  state().pixels = Pixels::floats;
  std::memcpy(state().pixel.data(), state().clear.data(), sizeof(Value));
}
void glClearBufferfv(GLenum, GLint, const GLfloat* value) {
  count<"glClearBufferfv">();
  state().pixels = Pixels::floats;
  std::memcpy(state().pixel.data(), value, sizeof(Value));
}
void glClearBufferiv(GLenum, GLint, const GLint* value) {
  count<"glClearBufferiv">();
  state().pixels = Pixels::ints;
  std::memcpy(state().pixel.data(), value, sizeof(Value));
}
void glClearBufferuiv(GLenum, GLint, const GLuint* value) {
  count<"glClearBufferuiv">();
  state().pixels = Pixels::unsigned_ints;
  std::memcpy(state().pixel.data(), value, sizeof(Value));
}
void glReadPixels(GLint x, GLint y, GLsizei w, GLsizei h, GLenum, GLenum type, void* out) {
  count<"glReadPixels">();
  if (state().pack_buffer != 0) return;
  const std::size_t size = component_size(type);
  const std::size_t texels = static_cast<std::size_t>(w) * static_cast<std::size_t>(h);
  std::memset(out, 0, texels * 4 * size);
  if (texels != 1) return;
  const Value value = read(x, y);
  for (std::size_t k = 0; k < 4; ++k) {
    const std::uint16_t halved = half(value[k]);
    const void* from = type == GL_HALF_FLOAT ? static_cast<const void*>(&halved) : &value[k];
    std::memcpy(static_cast<std::byte*>(out) + k * size, from, size);
  }
}

// ---- Queries ----

GLenum glGetError() {
  count<"glGetError">();
  return std::exchange(state().error, GLenum{GL_NO_ERROR});
}
const GLubyte* glGetString(GLenum name) {
  count<"glGetString">();
  const char* text = name == GL_RENDERER ? "llvmpipe (no GL: calls are counted)"
                     : name == GL_VENDOR ? "Mesa/X.org"
                                         : "OpenGL ES 3.2";
  return reinterpret_cast<const GLubyte*>(text);
}
void glGetShaderPrecisionFormat(GLenum, GLenum, GLint* range, GLint* precision) {
  count<"glGetShaderPrecisionFormat">();
  range[0] = range[1] = 127;
  *precision = state().mantissa_bits;
}
void glGetIntegerv(GLenum name, GLint* value) {
  count<"glGetIntegerv">();
  switch (name) {
    case GL_MAX_TEXTURE_SIZE: *value = 16384; break;
    case GL_MAX_VIEWPORT_DIMS: value[0] = value[1] = 16384; break;
    case GL_MAX_ARRAY_TEXTURE_LAYERS: *value = 2048; break;
    case GL_MAX_DRAW_BUFFERS:
    case GL_MAX_COLOR_ATTACHMENTS: *value = 8; break;
    case GL_MAX_TEXTURE_IMAGE_UNITS: *value = 32; break;
    case GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS: *value = 16; break;
    case GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS: *value = 48; break;
    case GL_MAX_FRAGMENT_UNIFORM_VECTORS: *value = 4096; break;
    default: *value = 0;
  }
}

}  // extern "C"

// SPDX-License-Identifier: MIT
#include "present.hpp"

#include <emscripten/em_js.h>
#include <emscripten/emscripten.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include <trigon/trigon.hpp>

#include "core/internals.hpp"
#include "gl/program.hpp"
#include "pipeline/values.hpp"
#include "run/device_state.hpp"

namespace web {
namespace {

using trigon::Shape;
using trigon::Tensor;
using trigon::detail::run::DeviceState;
using trigon::detail::run::Storage;
namespace gl = trigon::detail::gl;

constexpr const char* vertex_source = R"(
attribute vec2 corner;
void main() { gl_Position = vec4(corner, 0.0, 1.0); }
)";

// A pixel's texel is counted in floats, which are exact up to 2^24; the quotient needs two more
// bits. Both profiles take GLSL ES 1.00.
constexpr const char* fragment_source = R"(
precision highp float;
uniform sampler2D u_texels;
uniform vec4 u_place;   // left, bottom, width and height in the canvas
uniform vec4 u_layout;  // the first pixel's texel, texels from row to row, from pixel to pixel, and
                        // in a row of the texture
uniform vec2 u_size;    // of the texture
void main() {
  vec2 p = floor(gl_FragCoord.xy - u_place.xy);
  float t = u_layout.x + (u_place.w - 1.0 - p.y) * u_layout.y + p.x * u_layout.z;
  float row = floor((t + 0.5) / u_layout.w);
  vec4 colour = texture2D(u_texels, (vec2(t - row * u_layout.w, row) + 0.5) / u_size);
  gl_FragColor = vec4(colour.rgb * colour.a, colour.a);  // a canvas holds multiplied colours
}
)";

constexpr std::int64_t most_pixels = std::int64_t{1} << 22;

// clang-format off

// Sets the size of the current context's canvas. Returns whether it has that size: if memory is
// short, a browser draws to fewer pixels.
EM_JS(int, trigon_resize_canvas, (int width, int height), {
  const canvas = GLctx.canvas;
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  return GLctx.drawingBufferWidth === width && GLctx.drawingBufferHeight === height;
});

// clang-format on

// Pictures stand side by side up to the widest useful row, then below.
std::vector<Place> pack(std::span<const Picture> pictures, std::int64_t& width,
                        std::int64_t& height) {
  constexpr std::int64_t row_width = 2048;
  std::vector<Place> places;
  std::int64_t x = 0, y = 0, row_height = 0;
  width = 0;
  for (const Picture& one : pictures) {
    if (x > 0 && x + one.width > row_width) {
      y += row_height;
      x = row_height = 0;
    }
    places.push_back({x, y, one.width, one.height});
    x += one.width;
    width = std::max(width, x);
    row_height = std::max(row_height, one.height);
  }
  height = y + row_height;
  return places;
}

// The canvas must fit a viewport. Larger pictures would be cut off silently.
void check_sizes(std::span<const Picture> pictures, std::int64_t most_side) {
  if (pictures.empty()) {
    throw trigon::Error("trigon::draw: no pictures: the list is empty; there must be at least one");
  }
  for (const Picture& one : pictures) {
    const Shape& shape = one.image.shape();
    if (shape[0] * shape[1] > most_pixels) {
      throw trigon::Error(fmt::format(
          "trigon::draw: too large: the tensor is {}; a picture must have at most {} pixels",
          to_string(shape), most_pixels));
    }
    if (std::max(one.width, one.height) > most_side) {
      throw trigon::Error(fmt::format(
          "trigon::draw: too large: the tensor is {}; a picture must have at most {} rows and "
          "columns on this device",
          to_string(shape), most_side));
    }
  }
}

// Raises Error if the canvas cannot have the size.
void resize_canvas(std::int64_t width, std::int64_t height, std::int64_t most_side) {
  if (height > most_side) {
    throw trigon::Error(fmt::format(
        "trigon::draw: too large: the pictures fill {} x {} pixels together; must be at most {} "
        "rows on this device: draw fewer at once",
        width, height, most_side));
  }
  if (!trigon_resize_canvas(static_cast<int>(width), static_cast<int>(height))) {
    gl::check_answers();  // a lost context has no pixels
    throw trigon::DeviceError(fmt::format(
        "trigon::draw: the browser gives no canvas of {} x {} pixels; it needs the memory: draw "
        "fewer pixels at once",
        width, height));
  }
}

}  // namespace

struct Presenter::Objects {
  gl::Program program;
  gl::VertexArray vertices;
  gl::Buffer corners;
  GLint place, layout, size;

  explicit Objects(gl::State& state)
      : program(gl::link_program(gl::compile_shader(GL_VERTEX_SHADER, vertex_source),
                                 gl::compile_shader(GL_FRAGMENT_SHADER, fragment_source),
                                 "corner")),
        vertices(gl::VertexArray::create()),
        corners(gl::Buffer::create()),
        place(glGetUniformLocation(program.id(), "u_place")),
        layout(glGetUniformLocation(program.id(), "u_layout")),
        size(glGetUniformLocation(program.id(), "u_size")) {
    constexpr std::array<float, 6> triangle{-1, -1, 3, -1, -1, 3};  // around the whole viewport
    state.bind_vertex_array(vertices.id());
    glBindBuffer(GL_ARRAY_BUFFER, corners.id());
    glBufferData(GL_ARRAY_BUFFER, sizeof triangle, triangle.data(), GL_STATIC_DRAW);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    state.use_program(program.id());
    glUniform1i(glGetUniformLocation(program.id(), "u_texels"), 0);
    state.check("glVertexAttribPointer");
  }

  void draw(gl::State& state, const Storage& texels, const Place& where,
            std::int64_t height) const {
    const trigon::detail::core::Layout& from = texels.layout();
    const auto& s = from.strides;
    constexpr std::int64_t texel = trigon::detail::core::lanes;
    const bool is_whole = (s[0] | s[1] | from.offset) % texel == 0;
    if (from.layers != 1 || s[2] != 1 || !is_whole || !from.is_plain()) {
      throw trigon::Error("trigon::draw: the pixels of a picture do not lie in a texel each");
    }
    const auto& key = texels.texture().key;
    state.bind_textures(std::array{texels.texture().binding()});
    state.set_viewport(static_cast<GLint>(where.x), static_cast<GLint>(height - where.y - where.h),
                       static_cast<GLsizei>(where.w), static_cast<GLsizei>(where.h));
    const auto f = [](std::int64_t value) { return static_cast<float>(value); };
    glUniform4f(place, f(where.x), f(height - where.y - where.h), f(where.w), f(where.h));
    glUniform4f(layout, f(from.offset / texel), f(s[0] / texel), f(s[1] / texel), f(from.width));
    glUniform2f(size, f(key.width), f(key.height));
    glDrawArrays(GL_TRIANGLES, 0, 3);
  }
};

Presenter::Presenter(trigon::Device device) : device_(std::move(device)) {}

Presenter::~Presenter() {
  if (!objects_) return;
  const DeviceState::Entry entry(*trigon::detail::Internals::state(device_));
  objects_.reset();
}

std::vector<Place> Presenter::draw(std::span<const Picture> pictures) {
  const std::int64_t most_side = trigon::detail::Internals::state(device_)->caps().max_texture_size;
  check_sizes(pictures, most_side);
  std::vector<Tensor> images, texels, wanted;
  for (const Picture& one : pictures) {
    if (!one.is_pixels) images.push_back(one.image);
  }
  // The values are evaluated first, so that the plan of the pixels does not depend on how they were
  // computed.
  trigon::eval(images);
  for (const Picture& one : pictures) {
    texels.push_back(one.is_pixels ? one.image : pixels(one.image));
    if (trigon::detail::pipeline::value_of(*trigon::detail::Internals::node(texels.back())) ==
        nullptr)
      wanted.push_back(texels.back());
  }
  trigon::eval(wanted);

  DeviceState& device = *trigon::detail::Internals::state(device_);
  const DeviceState::Entry entry(device);
  gl::State& state = device.gl_state();
  if (!objects_) {
    state.settle();
    objects_ = std::make_unique<Objects>(state);
  }
  std::int64_t width = 0, height = 0;
  std::vector<Place> places = pack(pictures, width, height);
  resize_canvas(width, height, most_side);
  state.bind_framebuffer(0);
  state.bind_vertex_array(objects_->vertices.id());
  state.set_blend(false);
  state.use_program(objects_->program.id());
  for (std::size_t k = 0; k < places.size(); ++k) {
    const auto storage =
        trigon::detail::pipeline::value_of(*trigon::detail::Internals::node(texels[k]));
    objects_->draw(state, *storage, places[k], height);
    ++device.counters.draws;
  }
  state.check("glDrawArrays");
  return places;
}

void Presenter::check_answers() const {
  const DeviceState::Entry entry(*trigon::detail::Internals::state(device_));
  gl::check_answers();
}

}  // namespace web

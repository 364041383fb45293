// SPDX-License-Identifier: MIT
#include "common_raw.hpp"

#include <fmt/format.h>

#include <utility>

#include "gl/check.hpp"
#include "gl/program.hpp"

namespace bench {
namespace {

namespace gl = trigon::detail::gl;

constexpr std::string_view triangle =
    "#version 300 es\n"
    "void main() {\n"
    "  vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);\n"
    "  gl_Position = vec4(corner, 0.0, 1.0);\n"
    "}\n";

std::string prologue(Fetch fetch) {
  std::string text =
      "#version 300 es\n"
      "precision highp float;\n"
      "precision highp int;\n"
      "uniform int u_n;\n"
      "uniform vec4 u_x;\n"
      "layout(location = 0) out vec4 result;\n";
  for (const char name : {'a', 'b'}) {
    text += fmt::format("uniform highp sampler2D u_{0};\nuniform vec2 u_{0}_texel;\n", name);
    if (fetch == Fetch::texture) {
      text += fmt::format(
          "#define fetch_{0}(x, y) texture(u_{0}, (vec2(float(x), float(y)) + 0.5) * "
          "u_{0}_texel)\n",
          name);
    } else {
      text += fmt::format("#define fetch_{0}(x, y) texelFetch(u_{0}, ivec2(x, y), 0)\n", name);
    }
  }
  return text;
}

}  // namespace

std::string_view name(Fetch fetch) { return fetch == Fetch::texture ? "texture()" : "texelFetch"; }

RawTexture raw_texture(GLenum format, int width, int height, std::span<const float> values) {
  RawTexture result{gl::Texture::create(), format, width, height};
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, result.texture.id());
  glTexStorage2D(GL_TEXTURE_2D, 1, format, width, height);
  for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER}) {
    glTexParameteri(GL_TEXTURE_2D, filter, GL_NEAREST);
  }
  for (const GLenum wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T}) {
    glTexParameteri(GL_TEXTURE_2D, wrap, GL_CLAMP_TO_EDGE);
  }
  if (!values.empty()) {
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, format == GL_R32F ? GL_RED : GL_RGBA,
                    GL_FLOAT, values.data());
  }
  gl::check("glTexStorage2D");
  return result;
}

RawPass::RawPass(std::string_view body, Fetch fetch, std::vector<RawInput> inputs, GLenum format,
                 int width, int height)
    : program_(gl::link_program(
          gl::compile_shader(GL_VERTEX_SHADER, triangle),
          gl::compile_shader(GL_FRAGMENT_SHADER, prologue(fetch) + std::string(body)))),
      vertices_(gl::VertexArray::create()),
      target_(raw_texture(format, width, height)),
      framebuffer_(gl::Framebuffer::create()),
      inputs_(std::move(inputs)) {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target_.texture.id(),
                         0);
  gl::check_framebuffer("a benchmark's target");
  glUseProgram(program_.id());
  for (std::size_t k = 0; k < inputs_.size(); ++k) {
    const std::string sampler = k == 0 ? "u_a" : "u_b";
    glUniform1i(glGetUniformLocation(program_.id(), sampler.c_str()), static_cast<GLint>(k));
    glUniform2f(glGetUniformLocation(program_.id(), (sampler + "_texel").c_str()),
                1.0f / static_cast<float>(inputs_[k].width),
                1.0f / static_cast<float>(inputs_[k].height));
  }
  gl::check("a benchmark's program");
}

void RawPass::set(int n, std::array<float, 4> x) {
  glUseProgram(program_.id());
  glUniform1i(glGetUniformLocation(program_.id(), "u_n"), n);
  glUniform4fv(glGetUniformLocation(program_.id(), "u_x"), 1, x.data());
}

void RawPass::draw() const {
  glUseProgram(program_.id());
  glBindVertexArray(vertices_.id());
  for (std::size_t k = 0; k < inputs_.size(); ++k) {
    glActiveTexture(static_cast<GLenum>(GL_TEXTURE0 + k));
    glBindTexture(GL_TEXTURE_2D, inputs_[k].id);
  }
  glActiveTexture(GL_TEXTURE0);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
  glViewport(0, 0, target_.width, target_.height);
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

void RawPass::run() const {
  draw();
  glFinish();
}

std::vector<float> RawPass::read() const {
  const bool scalar = target_.format == GL_R32F;
  const auto texels =
      static_cast<std::size_t>(target_.width) * static_cast<std::size_t>(target_.height);
  std::vector<float> values(texels * (scalar ? 1 : 4));
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
  glReadPixels(0, 0, target_.width, target_.height, scalar ? GL_RED : GL_RGBA, GL_FLOAT,
               values.data());
  gl::check("glReadPixels");
  return values;
}

}  // namespace bench

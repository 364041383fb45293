// SPDX-License-Identifier: MIT
#include "gl/program.hpp"

#include <fmt/core.h>

#include <utility>

#include "gl/check.hpp"
#include "gl/context.hpp"
#include "gl/listing.hpp"

namespace trigon::gl {
namespace {

std::string trimmed(std::string text, GLsizei length) {
  text.resize(length);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\0')) text.pop_back();
  return text.empty() ? "the driver gives no reason" : text;
}

std::string shader_log(GLuint shader) {
  GLint size = 0;
  glGetShaderiv(shader, GL_INFO_LOG_LENGTH, &size);
  std::string log(size + 1, '\0');
  GLsizei length = 0;
  glGetShaderInfoLog(shader, size + 1, &length, log.data());
  return trimmed(std::move(log), length);
}

std::string program_log(GLuint program) {
  GLint size = 0;
  glGetProgramiv(program, GL_INFO_LOG_LENGTH, &size);
  std::string log(size + 1, '\0');
  GLsizei length = 0;
  glGetProgramInfoLog(program, size + 1, &length, log.data());
  return trimmed(std::move(log), length);
}

}  // namespace

Shader compile_shader(GLenum stage, std::string_view source) {
  Shader shader = Shader::create(stage);
  const GLchar* text = source.data();
  const auto length = static_cast<GLint>(source.size());
  glShaderSource(shader.id(), 1, &text, &length);
  glCompileShader(shader.id());
  GLint compiled = GL_FALSE;
  glGetShaderiv(shader.id(), GL_COMPILE_STATUS, &compiled);
  if (compiled == GL_TRUE) return shader;
  check("glCompileShader");  // a shader that is wrong is no error of GL's
  check_answers();
  std::string log = shader_log(shader.id());
  const int line = first_error_line(log);
  const std::string message =
      fmt::format("trigon::gl: {} shader does not compile: {}{}",
                  stage == GL_VERTEX_SHADER ? "vertex" : "fragment", log, listing(source, line));
  throw CompileError(message, std::move(log), line);
}

Program link_program(const Shader& vertex, const Shader& fragment, const char* attribute) {
  Program program = Program::create();
  glAttachShader(program.id(), vertex.id());
  glAttachShader(program.id(), fragment.id());
  if (attribute) glBindAttribLocation(program.id(), 0, attribute);
  glLinkProgram(program.id());
  GLint linked = GL_FALSE;
  glGetProgramiv(program.id(), GL_LINK_STATUS, &linked);
  // Detached shaders are freed with their handles; attached ones would live as long as the program.
  glDetachShader(program.id(), vertex.id());
  glDetachShader(program.id(), fragment.id());
  if (linked == GL_TRUE) return program;
  check("glLinkProgram");
  check_answers();
  std::string log = program_log(program.id());
  const std::string message = fmt::format("trigon::gl: program does not link: {}", log);
  throw CompileError(message, std::move(log), 0);
}

}  // namespace trigon::gl

// SPDX-License-Identifier: MIT
#include "gl/program.hpp"

#include <fmt/core.h>

#include <utility>

#include "gl/check.hpp"
#include "gl/context.hpp"
#include "gl/listing.hpp"

namespace trigon::detail::gl {
namespace {

/// GL: glGetShaderInfoLog or glGetProgramInfoLog, with the function that gives its length.
template <class Parameter, class Log>
std::string log_of(GLuint object, Parameter parameter, Log log) {
  GLint size = 0;
  parameter(object, GL_INFO_LOG_LENGTH, &size);
  std::string text(size + 1, '\0');
  GLsizei length = 0;
  log(object, size + 1, &length, text.data());
  text.resize(length);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\0')) text.pop_back();
  return text.empty() ? "the driver gives no reason" : text;
}
std::string shader_log(GLuint shader) { return log_of(shader, glGetShaderiv, glGetShaderInfoLog); }
std::string program_log(GLuint program) {
  return log_of(program, glGetProgramiv, glGetProgramInfoLog);
}

/// GL: glShaderSource, glCompileShader.
Shader start_shader(GLenum stage, std::string_view source) {
  Shader shader = Shader::create(stage);
  const GLchar* text = source.data();
  const auto length = static_cast<GLint>(source.size());
  glShaderSource(shader.id(), 1, &text, &length);
  glCompileShader(shader.id());
  return shader;
}

void finish_shader(GLenum stage, const Shader& shader, std::string_view source) {
  GLint compiled = GL_FALSE;
  glGetShaderiv(shader.id(), GL_COMPILE_STATUS, &compiled);
  if (compiled == GL_TRUE) return;
  check("glCompileShader");  // a wrong shader is not a GL error
  check_answers();
  std::string log = shader_log(shader.id());
  const int line = first_error_line(log);
  const std::string message =
      fmt::format("trigon::gl: {} shader does not compile: {}{}",
                  stage == GL_VERTEX_SHADER ? "vertex" : "fragment", log, listing(source, line));
  throw CompileError(message, std::move(log), line);
}

Program start_link(const Shader& vertex, const Shader& fragment, const char* attribute) {
  Program program = Program::create();
  glAttachShader(program.id(), vertex.id());
  glAttachShader(program.id(), fragment.id());
  if (attribute) glBindAttribLocation(program.id(), 0, attribute);
  glLinkProgram(program.id());
  return program;
}

Program finish_link(Program program, const Shader& vertex, const Shader& fragment) {
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

}  // namespace

Shader compile_shader(GLenum stage, std::string_view source) {
  Shader shader = start_shader(stage, source);
  finish_shader(stage, shader, source);
  return shader;
}

Program link_program(const Shader& vertex, const Shader& fragment, const char* attribute) {
  return finish_link(start_link(vertex, fragment, attribute), vertex, fragment);
}

StartedProgram start_program(std::string_view vertex, std::string_view fragment,
                             const char* attribute) {
  Shader first = start_shader(GL_VERTEX_SHADER, vertex);
  Shader second = start_shader(GL_FRAGMENT_SHADER, fragment);
  Program program = start_link(first, second, attribute);
  return {std::move(first), std::move(second), std::move(program)};
}

Program finish_program(StartedProgram started, std::string_view vertex, std::string_view fragment) {
  finish_shader(GL_VERTEX_SHADER, started.vertex, vertex);
  finish_shader(GL_FRAGMENT_SHADER, started.fragment, fragment);
  return finish_link(std::move(started.program), started.vertex, started.fragment);
}

}  // namespace trigon::detail::gl

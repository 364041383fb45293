// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "gl/handles.hpp"
#include "trigon/error.hpp"

namespace trigon::detail::gl {

/// A shader that does not compile or a program that does not link. The text holds the driver's log
/// and the numbered source lines around its first error.
class CompileError : public DeviceError {
 public:
  CompileError(const std::string& text, std::string log, int line)
      : DeviceError(text), log_(std::move(log)), line_(line) {}
  const std::string& log() const { return log_; }
  int line() const { return line_; }  ///< Line of the source, from 1; 0 if the log names none.

 private:
  std::string log_;
  int line_;
};

/// GL: glShaderSource, glCompileShader. `stage` is GL_VERTEX_SHADER or GL_FRAGMENT_SHADER.
Shader compile_shader(GLenum stage, std::string_view source);

/// A program given to the driver but not yet checked for errors, since some drivers compile several
/// at once in their own threads.
struct StartedProgram {
  Shader vertex, fragment;
  Program program;
};
/// GL: glShaderSource, glCompileShader, glAttachShader, glLinkProgram. `attribute`, if given, is
/// bound to location 0.
StartedProgram start_program(std::string_view vertex, std::string_view fragment,
                             const char* attribute = nullptr);
/// Waits for the driver. Raises CompileError; the sources are those given before. GL:
/// glGetShaderiv, glGetProgramiv.
Program finish_program(StartedProgram started, std::string_view vertex, std::string_view fragment);

/// GL: glAttachShader, glLinkProgram. `attribute`, if given, is bound to location 0. The shaders
/// may be destroyed afterwards.
Program link_program(const Shader& vertex, const Shader& fragment, const char* attribute = nullptr);

}  // namespace trigon::detail::gl

// SPDX-License-Identifier: MIT
#include "run/program_cache.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "core/math.hpp"
#include "emit/emit.hpp"
#include "gl/check.hpp"
#include "gl/program.hpp"

namespace trigon::run {

Program::Program(gl::Program program, std::size_t inputs) : program_(std::move(program)) {
  glUseProgram(id());
  ints_at_ = glGetUniformLocation(id(), "u_i");
  floats_at_ = glGetUniformLocation(id(), "u_f");
  view_at_ = glGetUniformLocation(id(), "u_view");
  for (std::size_t k = 0; k < inputs; ++k) {
    glUniform1i(glGetUniformLocation(id(), fmt::format("u_t{}", k).c_str()), static_cast<GLint>(k));
  }
  const GLint special = glGetUniformLocation(id(), "u_special");
  if (special >= 0) {
    glUniform2f(special, std::numeric_limits<float>::infinity(),
                std::numeric_limits<float>::quiet_NaN());
  }
}

std::int64_t Program::set(std::span<const std::int32_t> ints, std::span<const float> floats,
                          bool whole_floats) {
  std::int64_t bytes = 0;
  if (ints_at_ >= 0 && !std::equal(ints.begin(), ints.end(), ints_.begin(), ints_.end())) {
    ints_.assign(ints.begin(), ints.end());
    const std::size_t vectors = ceil_div(ints.size(), 4);
    std::vector<std::int32_t> padded(ints_);
    padded.resize(vectors * 4);
    if (whole_floats) {
      const std::vector<float> reals(padded.begin(), padded.end());
      glUniform4fv(ints_at_, static_cast<GLsizei>(vectors), reals.data());
    } else {
      glUniform4iv(ints_at_, static_cast<GLsizei>(vectors), padded.data());
    }
    bytes += static_cast<std::int64_t>(vectors) * 16;
  }
  if (floats_at_ >= 0 &&
      !std::equal(floats.begin(), floats.end(), floats_.begin(), floats_.end())) {
    floats_.assign(floats.begin(), floats.end());
    const std::size_t vectors = ceil_div(floats.size(), 4);
    std::vector<float> padded(floats_);
    padded.resize(vectors * 4);
    glUniform4fv(floats_at_, static_cast<GLsizei>(vectors), padded.data());
    bytes += static_cast<std::int64_t>(vectors) * 16;
  }
  return bytes;
}

std::int64_t Program::set_view(const std::array<float, 4>& view) {
  if (view_at_ < 0 || view == view_) return 0;
  view_ = view;
  glUniform4fv(view_at_, 1, view.data());
  return sizeof view;
}

Program& ProgramCache::get(const std::shared_ptr<const plan::Kernel>& kernel) {
  if (const auto found = by_kernel_.find(kernel); found != by_kernel_.end()) {
    entries_.splice(entries_.begin(), entries_, found->second);
    return found->second->program;
  }
  const emit::Source source = emit::emit(*kernel);
  const gl::Shader vertex = gl::compile_shader(GL_VERTEX_SHADER, source.vertex);
  const gl::Shader fragment = gl::compile_shader(GL_FRAGMENT_SHADER, source.fragment);
  const char* attribute = kernel->target.dialect == plan::Dialect::es100 ? "corner" : nullptr;
  entries_.push_front(
      {kernel, Program(gl::link_program(vertex, fragment, attribute), kernel->inputs.size())});
  by_kernel_.emplace(kernel, entries_.begin());
  ++counters_.programs_compiled;
  if (entries_.size() > capacity_) {
    by_kernel_.erase(entries_.back().kernel);
    entries_.pop_back();
  }
  return entries_.front().program;
}

}  // namespace trigon::run

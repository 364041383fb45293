// SPDX-License-Identifier: MIT
#include "run/program_cache.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "core/quote.hpp"
#include "emit/bodies.hpp"
#include "emit/emit.hpp"
#include "emit/points.hpp"
#include "gl/check.hpp"
#include "gl/program.hpp"

namespace trigon::run {

namespace {

/// The driver's words about the first error: without the places before them, which are the
/// library's, and with the user's names.
std::string words_of_driver(const std::string& log) {
  std::string line;
  for (std::size_t at = 0; at < log.size() && line.find("rror") == std::string::npos;) {
    const std::size_t end = std::min(log.find('\n', at), log.size());
    line = log.substr(at, end - at);
    at = end + 1;
  }
  const std::size_t error = line.find("rror");
  const std::size_t colon = line.find(": ", error == std::string::npos ? 0 : error);
  if (colon != std::string::npos) line.erase(0, colon + 2);
  return emit::without_own_names(line.empty() ? log : line);
}

/// A line of a driver or a user, as errors show it.
std::string shown(std::string line) {
  constexpr std::size_t most = 400;
  std::replace(line.begin(), line.end(), '\t', ' ');
  return escaped(line, most);
}

}  // namespace

gl::Shader compile_fragment(const plan::Kernel& kernel) {
  const emit::Source source = emit::emit(kernel);
  try {
    return gl::compile_shader(GL_FRAGMENT_SHADER, source.fragment);
  } catch (const gl::CompileError& error) {
    const emit::UserLine user = emit::user_line(source.fragment, error.line());
    if (user.kernel.empty()) throw;
    const std::string words = shown(words_of_driver(error.log()));
    if (user.number == 0) {
      throw Error(
          fmt::format("trigon::{}: {} does not compile: {}", user.kernel, user.part, words));
    }
    throw Error(fmt::format("trigon::{}: {} does not compile: line {}: {}\n  {:4} | {}",
                            user.kernel, user.part, user.number, words, user.number,
                            shown(emit::written_line(kernel, user))));
  }
}

Program::Program(gl::Program program, const plan::Kernel& kernel, gl::State& state)
    : program_(std::move(program)),
      samplers_(kernel.inputs.size()),
      whole_floats_(kernel.dialect == plan::Dialect::es100),
      ints_(program_.id(), "u_i", kernel.ints),
      floats_(program_.id(), "u_f", kernel.floats),
      view_at_(glGetUniformLocation(id(), "u_view")) {
  set_constants(state);
}

Program::Program(gl::Program program, const plan::PointsProgram&, gl::State& state)
    : program_(std::move(program)),
      samplers_(2),
      whole_floats_(false),
      ints_(program_.id(), "u_i", plan::PointsUniforms::vectors * 4),
      floats_(program_.id(), "u_f", 0) {
  set_constants(state);
}

void Program::set_constants(gl::State& state) {
  if (has_constants_) return;
  state.use_program(id());
  const GLint special = glGetUniformLocation(id(), "u_special");
  if (special >= 0) {
    glUniform2f(special, std::numeric_limits<float>::infinity(),
                std::numeric_limits<float>::quiet_NaN());
  }
  for (std::size_t k = 0; k < samplers_; ++k) {
    const GLint sampler = glGetUniformLocation(id(), fmt::format("u_t{}", k).c_str());
    glUniform1i(sampler, static_cast<GLint>(k));  // a program that lacks it is not kept
  }
  gl::check("glUniform1i");
  has_constants_ = true;
}

void Program::forget_uniforms() {
  has_constants_ = false;
  ints_.forget();
  floats_.forget();
  view_.fill(std::numeric_limits<float>::quiet_NaN());  // equal to no view
}

std::int64_t Program::set_view(const std::array<float, 4>& view) {
  if (view_at_ < 0 || view == view_) return 0;
  view_ = view;
  glUniform4fv(view_at_, 1, view.data());
  return sizeof view;
}

bool Program::add_formats(std::uint64_t formats) {
  if (formats == last_formats_) return false;
  last_formats_ = formats;
  return formats_.insert(formats).second;
}

Program& ProgramCache::get(const std::shared_ptr<const plan::Kernel>& kernel) {
  const auto found = find(kernel);
  if (found == entries_.end()) {
    compile(kernel);
  } else {
    entries_.splice(entries_.begin(), entries_, found);
    found->program.set_constants(state_);
  }
  return entries_.front().program;
}

Program& ProgramCache::get(const plan::PointsProgram& points) {
  if (const auto known = points_.find(points); known != points_.end()) {
    known->second.set_constants(state_);
    return known->second;
  }
  const emit::Source source = emit::emit_points(points);
  const gl::Shader vertex = gl::compile_shader(GL_VERTEX_SHADER, source.vertex);
  const gl::Shader fragment = gl::compile_shader(GL_FRAGMENT_SHADER, source.fragment);
  ++counters_.programs_compiled;
  Program program(gl::link_program(vertex, fragment, nullptr), points, state_);
  return points_.emplace(points, std::move(program)).first->second;
}

ProgramCache::Entries::iterator ProgramCache::find(
    const std::shared_ptr<const plan::Kernel>& kernel) {
  if (const auto alias = by_address_.find(kernel.get()); alias != by_address_.end()) {
    // Another kernel may have died at this address; one owner means the same kernel.
    const auto& known = alias->second.kernel;
    if (!known.owner_before(kernel) && !kernel.owner_before(known)) return alias->second.entry;
  }
  const auto equal = by_content_.find(kernel);
  if (equal == by_content_.end()) return entries_.end();
  add_alias(kernel, equal->second);
  return equal->second;
}

void ProgramCache::add_alias(const std::shared_ptr<const plan::Kernel>& kernel,
                             Entries::iterator entry) {
  by_address_.insert_or_assign(kernel.get(), Alias{kernel, entry});
  if (by_address_.size() <= most_aliases_) return;
  std::erase_if(by_address_, [](const auto& alias) { return alias.second.kernel.expired(); });
  most_aliases_ = std::max<std::size_t>(64, by_address_.size() * 2);
}

void ProgramCache::forget_uniforms() {
  for (Entry& entry : entries_) entry.program.forget_uniforms();
  for (auto& [points, program] : points_) program.forget_uniforms();
}

void ProgramCache::compile(const std::shared_ptr<const plan::Kernel>& kernel) {
  const emit::Source source = emit::emit(*kernel);
  const gl::Shader vertex = gl::compile_shader(GL_VERTEX_SHADER, source.vertex);
  const gl::Shader fragment = compile_fragment(*kernel);
  const char* attribute = kernel->dialect == plan::Dialect::es100 ? "corner" : nullptr;
  Entries made;  // joins the others last, which does not fail
  made.push_front(
      {kernel, Program(gl::link_program(vertex, fragment, attribute), *kernel, state_)});
  by_content_.emplace(kernel, made.begin());
  entries_.splice(entries_.begin(), made);
  add_alias(kernel, entries_.begin());
  ++counters_.programs_compiled;
  if (entries_.size() > capacity_) drop_oldest();
}

void ProgramCache::drop_oldest() {
  const auto oldest = std::prev(entries_.end());
  std::erase_if(by_address_, [&](const auto& alias) { return alias.second.entry == oldest; });
  by_content_.erase(oldest->kernel);
  entries_.erase(oldest);
}

}  // namespace trigon::run

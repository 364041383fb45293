// SPDX-License-Identifier: MIT
#include "run/program_cache.hpp"

#include <algorithm>
#include <limits>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/called.hpp"
#include "core/quote.hpp"
#include "emit/bodies.hpp"
#include "emit/emit.hpp"
#include "emit/points.hpp"
#include "gl/program.hpp"

namespace trigon::detail::run {

namespace {

/// The driver's text for the first error, without the positions in front, which refer to the
/// library's text, and with the user's names.
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
  return core::escaped(line, most);
}

/// Raises Error with the user's line, if the error lies in a user's body.
void raise_users_error(const kernel::Kernel& kernel, const emit::Source& source,
                       const gl::CompileError& error) {
  const emit::UserLine user = emit::user_line(source.fragment, error.line());
  if (user.kernel.empty()) return;
  const std::string words = shown(words_of_driver(error.log()));
  if (user.number == 0) {
    core::fail_in(user.kernel.c_str(), "{} does not compile: {}", user.section, words);
  }
  core::fail_in(user.kernel.c_str(), "{} does not compile: line {}: {}\n  {:4} | {}", user.section,
                user.number, words, user.number, shown(emit::written_line(kernel, user)));
}

}  // namespace

gl::Shader compile_fragment(const kernel::Kernel& kernel) {
  const emit::Source source = emit::emit(kernel);
  try {
    return gl::compile_shader(GL_FRAGMENT_SHADER, source.fragment);
  } catch (const gl::CompileError& error) {
    raise_users_error(kernel, source, error);
    throw;
  }
}

Program::Program(gl::Program program, const kernel::Kernel& kernel, std::size_t guards,
                 gl::State& state)
    : program_(std::move(program)),
      samplers_(kernel.inputs.size()),
      guard_samplers_(guards),
      whole_floats_(kernel.dialect == core::Dialect::es100),
      ints_(program_.id(), "u_i", kernel.ints),
      floats_(program_.id(), "u_f", kernel.floats),
      guards_(program_.id(), "u_guard", guards * 4),
      view_at_(glGetUniformLocation(id(), "u_view")) {
  set_constants(state);
}

Program::Program(gl::Program program, const kernel::PointsProgram&, std::size_t guards,
                 gl::State& state)
    : program_(std::move(program)),
      samplers_(2),
      guard_samplers_(guards),
      whole_floats_(false),
      ints_(program_.id(), "u_i", kernel::PointsUniforms::vectors * 4),
      floats_(program_.id(), "u_f", 0),
      guards_(program_.id(), "u_guard", guards * 4) {
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
    glUniform1i(sampler, static_cast<GLint>(k));  // a program without this uniform is not kept
  }
  for (std::size_t k = 0; k < guard_samplers_; ++k) {
    const GLint sampler = glGetUniformLocation(id(), fmt::format("u_g{}", k).c_str());
    glUniform1i(sampler, static_cast<GLint>(samplers_ + k));
  }
  state.check("glUniform1i");
  has_constants_ = true;
}

void Program::forget_uniforms() {
  has_constants_ = false;
  ints_.forget();
  floats_.forget();
  guards_.forget();
  view_.fill(std::numeric_limits<float>::quiet_NaN());  // differs from every view
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

Program& ProgramCache::get(const Key& key) {
  if (Program* known = find_program(key)) return *known;
  compile(std::span(&key, 1));
  return entries_.front().program;
}

Program* ProgramCache::find_program(const Key& key) {
  const auto found = find(key);
  if (found == entries_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found);
  found->program.set_constants(state_);
  return &entries_.front().program;
}

Program& ProgramCache::get(const kernel::PointsProgram& points, std::size_t guards) {
  if (const auto known = points_.find({points, guards}); known != points_.end()) {
    known->second.set_constants(state_);
    return known->second;
  }
  const emit::Source source = emit::emit_points(points, guards);
  state_.settle();
  const gl::Shader vertex = gl::compile_shader(GL_VERTEX_SHADER, source.vertex);
  const gl::Shader fragment = gl::compile_shader(GL_FRAGMENT_SHADER, source.fragment);
  ++counters_.programs_compiled;
  Program program(gl::link_program(vertex, fragment, nullptr), points, guards, state_);
  return points_.emplace(std::pair(points, guards), std::move(program)).first->second;
}

ProgramCache::Entries::iterator ProgramCache::find(const Key& key) {
  if (const auto alias = by_address_.find(key.kernel.get()); alias != by_address_.end()) {
    // Another kernel may have died at this address; a common owner means the same kernel.
    const auto& [known, entry] = alias->second;
    const bool same = !known.owner_before(key.kernel) && !key.kernel.owner_before(known);
    if (same && entry->key.guards == key.guards) return entry;
  }
  const auto equal = by_content_.find(key);
  if (equal == by_content_.end()) return entries_.end();
  add_alias(key, equal->second);
  return equal->second;
}

void ProgramCache::add_alias(const Key& key, Entries::iterator entry) {
  by_address_.insert_or_assign(key.kernel.get(), Alias{key.kernel, entry});
  if (by_address_.size() <= most_aliases_) return;
  std::erase_if(by_address_, [](const auto& alias) { return alias.second.kernel.expired(); });
  most_aliases_ = std::max<std::size_t>(64, by_address_.size() * 2);
}

void ProgramCache::forget_uniforms() {
  for (Entry& entry : entries_) entry.program.forget_uniforms();
  for (auto& [points, program] : points_) program.forget_uniforms();
}

void ProgramCache::compile(std::span<const Key> keys) {
  struct Started {
    const Key* key;
    emit::Source source;
    gl::StartedProgram program;
  };
  std::vector<Started> all;
  std::unordered_set<Key, kernel::ProgramHash, kernel::ProgramEqual> seen;
  state_.settle();
  for (const Key& key : keys) {
    if (by_content_.contains(key) || !seen.insert(key).second) continue;
    if (seen.size() > std::max<std::size_t>(capacity_ / 2, 1)) break;
    emit::Source source = emit::emit(*key.kernel, key.guards);
    const char* attribute = key.kernel->dialect == core::Dialect::es100 ? "corner" : nullptr;
    gl::StartedProgram program = gl::start_program(source.vertex, source.fragment, attribute);
    all.push_back({&key, std::move(source), std::move(program)});
  }
  for (auto& [key, source, program] : all) {
    try {
      add(*key, gl::finish_program(std::move(program), source.vertex, source.fragment));
    } catch (const gl::CompileError& error) {
      raise_users_error(*key->kernel, source, error);
      throw;
    }
  }
}

void ProgramCache::add(const Key& key, gl::Program program) {
  Entries made;  // added to the others last, since that cannot fail
  made.push_front({key, Program(std::move(program), *key.kernel, key.guards, state_)});
  by_content_.emplace(key, made.begin());
  entries_.splice(entries_.begin(), made);
  add_alias(key, entries_.begin());
  ++counters_.programs_compiled;
  if (entries_.size() > capacity_) drop_oldest();
}

void ProgramCache::drop_oldest() {
  const auto oldest = std::prev(entries_.end());
  std::erase_if(by_address_, [&](const auto& alias) { return alias.second.entry == oldest; });
  by_content_.erase(oldest->key);
  entries_.erase(oldest);
}

}  // namespace trigon::detail::run

// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>

#include <trigon/debug.hpp>

#include "core/rooms.hpp"
#include "gl/handles.hpp"
#include "gl/state.hpp"
#include "kernel/kernel.hpp"
#include "kernel/points.hpp"
#include "run/uniforms.hpp"

namespace trigon::detail::run {

/// A linked program and the uniforms that it holds.
class Program {
 public:
  Program(gl::Program program, const kernel::Kernel& kernel, std::size_t guards, gl::State& state);
  /// Of a draw of points.
  Program(gl::Program program, const kernel::PointsProgram& points, std::size_t guards,
          gl::State& state);

  GLuint id() const { return program_.id(); }
  /// Uploads the ranges that differ from the last draw. Returns the bytes uploaded. The program is
  /// in use.
  std::int64_t set(std::span<const std::int32_t> ints, std::span<const float> floats) {
    return ints_.set(ints, whole_floats_) + floats_.set(floats, false);
  }
  /// The same for the texels that skip a draw, of which the samplers follow the kernel's.
  std::int64_t set_guards(std::span<const float> guards) { return guards_.set(guards, false); }
  /// The viewport's corner and size, for dialects that can't do without. Returns the bytes
  /// uploaded. GL: glUniform4fv.
  std::int64_t set_view(const std::array<float, 4>& view);
  /// After an error: the next use sets all uniforms. Makes no GL call.
  void forget_uniforms();
  /// Sets those that are the same for all draws, unless GL has them. Raises DeviceError where GL
  /// fails.
  void set_constants(gl::State& state);

  /// Notes a combination of texture formats; true for one that was not drawn with before.
  bool add_formats(std::uint64_t formats);

 private:
  gl::Program program_;
  std::size_t samplers_, guard_samplers_;
  bool has_constants_ = false;
  bool whole_floats_;  ///< the dialect has no integer uniforms
  UniformArray<std::int32_t> ints_;
  UniformArray<float> floats_, guards_;
  GLint view_at_ = -1;
  std::array<float, 4> view_{};
  std::uint64_t last_formats_ = 0;
  std::set<std::uint64_t> formats_;
};

/// The fragment shader of a kernel. Raises Error with the user's line for a user's body that does
/// not compile.
gl::Shader compile_fragment(const kernel::Kernel& kernel);

/// Programs by kernel: first by the kernel's address, so that a draw neither hashes nor compares
/// it, then by content. The source is made only for a kernel that is not known. Bounded, the
/// longest unused leaves first: drivers keep megabytes for a program.
class ProgramCache {
 public:
  using Key = kernel::ProgramKey;

  ProgramCache(gl::State& state, Counters& counters, std::size_t capacity = 1024)
      : state_(state), counters_(counters), capacity_(capacity) {}
  /// Valid until the next call. Compiles it where it is not known.
  Program& get(const Key& key);
  /// The same, or null where it is not compiled yet.
  Program* find_program(const Key& key);
  /// Compiles the first and, up to half of those that are kept, the others that are not known: all
  /// are given to the driver before it is asked whether one of them compiles. Raises Error for the
  /// first that does not.
  void compile(std::span<const Key> keys);
  /// There are 16 of these at most for each number of guards, so they stay.
  Program& get(const kernel::PointsProgram& points, std::size_t guards = 0);
  /// After an error: a call that failed may have left a program without its uniforms, or changed
  /// those of another one. Makes no GL call.
  void forget_uniforms();

 private:
  struct Entry {
    Key key;
    Program program;
  };
  using Entries = std::list<Entry>;
  // A kernel that was asked for: plans have kernels of their own with equal content.
  struct Alias {
    std::weak_ptr<const kernel::Kernel> kernel;
    Entries::iterator entry;
  };

  Entries::iterator find(const Key& key);
  void add_alias(const Key& key, Entries::iterator entry);
  void add(const Key& key, gl::Program program);
  void drop_oldest();

  gl::State& state_;
  Counters& counters_;
  std::size_t capacity_;
  Entries entries_;  ///< the last used first
  std::unordered_map<Key, Entries::iterator, kernel::ProgramHash, kernel::ProgramEqual> by_content_;
  std::unordered_map<const kernel::Kernel*, Alias> by_address_;
  std::map<std::pair<kernel::PointsProgram, std::size_t>, Program> points_;
  std::size_t most_aliases_ = 64;  ///< before the dead ones are looked for
};

}  // namespace trigon::detail::run

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

/// A linked program and the values of its uniforms.
class Program {
 public:
  Program(gl::Program program, const kernel::Kernel& kernel, std::size_t guards, gl::State& state);
  /// For a draw of points.
  Program(gl::Program program, const kernel::PointsProgram& points, std::size_t guards,
          gl::State& state);

  GLuint id() const { return program_.id(); }
  /// Uploads the ranges that differ from the last draw; returns the bytes uploaded. The program
  /// must be in use.
  std::int64_t set(std::span<const std::int32_t> ints, std::span<const float> floats) {
    return ints_.set(ints, whole_floats_) + floats_.set(floats, false);
  }
  /// The same for the texels that may skip a draw, whose samplers follow the kernel's.
  std::int64_t set_guards(std::span<const float> guards) { return guards_.set(guards, false); }
  /// The viewport's corner and size, for dialects that need them. Returns the bytes uploaded.
  /// GL: glUniform4fv.
  std::int64_t set_view(const std::array<float, 4>& view);
  /// After an error: the next use sets all uniforms. Makes no GL call.
  void forget_uniforms();
  /// Sets uniforms that are the same for all draws, unless GL has them. Raises DeviceError if GL
  /// fails.
  void set_constants(gl::State& state);

  /// Notes a combination of texture formats; true if the program was not drawn with it before.
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

/// The fragment shader of a kernel. If a user's body does not compile, raises Error with its line.
gl::Shader compile_fragment(const kernel::Kernel& kernel);

/// Programs by kernel: first by the kernel's address, so that a draw neither hashes nor compares
/// it, then by content. Sources are made only for unknown kernels. Limited in number, since drivers
/// keep megabytes per program; the least recently used one is dropped first.
class ProgramCache {
 public:
  using Key = kernel::ProgramKey;

  ProgramCache(gl::State& state, Counters& counters, std::size_t capacity = 1024)
      : state_(state), counters_(counters), capacity_(capacity) {}
  /// Valid until the next call. Compiles it if it is unknown.
  Program& get(const Key& key);
  /// The same, or null if it is not compiled yet.
  Program* find_program(const Key& key);
  /// Compiles the first and, up to half of the cache's capacity, other unknown ones. The driver
  /// gets all of them before it is asked whether one compiles. Raises Error for the first that does
  /// not.
  void compile(std::span<const Key> keys);
  /// There are at most 16 of these for each number of guards, so they all stay.
  Program& get(const kernel::PointsProgram& points, std::size_t guards = 0);
  /// After an error: a failed call may have left a program without its uniforms, or changed those
  /// of another one. Makes no GL call.
  void forget_uniforms();

 private:
  struct Entry {
    Key key;
    Program program;
  };
  using Entries = std::list<Entry>;
  // A kernel that was asked for: each plan has its own kernels, often with equal content.
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
  Entries entries_;  ///< the most recently used first
  std::unordered_map<Key, Entries::iterator, kernel::ProgramHash, kernel::ProgramEqual> by_content_;
  std::unordered_map<const kernel::Kernel*, Alias> by_address_;
  std::map<std::pair<kernel::PointsProgram, std::size_t>, Program> points_;
  std::size_t most_aliases_ = 64;  ///< size at which expired ones are removed
};

}  // namespace trigon::detail::run

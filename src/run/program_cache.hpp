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

#include <trigon/debug.hpp>

#include "gl/handles.hpp"
#include "gl/state.hpp"
#include "kernel/kernel.hpp"
#include "kernel/points.hpp"
#include "run/uniforms.hpp"

namespace trigon::run {

/// A linked program and the uniforms that it holds.
class Program {
 public:
  Program(gl::Program program, const plan::Kernel& kernel, gl::State& state);
  /// Of a draw of points.
  Program(gl::Program program, const plan::PointsProgram& points, gl::State& state);

  GLuint id() const { return program_.id(); }
  /// Uploads the ranges that differ from the last draw. Returns the bytes uploaded. The program is
  /// in use.
  std::int64_t set(std::span<const std::int32_t> ints, std::span<const float> floats) {
    return ints_.set(ints, whole_floats_) + floats_.set(floats, false);
  }
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
  std::size_t samplers_;
  bool has_constants_ = false;
  bool whole_floats_;  ///< the dialect has no integer uniforms
  UniformArray<std::int32_t> ints_;
  UniformArray<float> floats_;
  GLint view_at_ = -1;
  std::array<float, 4> view_{};
  std::uint64_t last_formats_ = 0;
  std::set<std::uint64_t> formats_;
};

/// The fragment shader of a kernel. Raises Error with the user's line for a user's body that does
/// not compile.
gl::Shader compile_fragment(const plan::Kernel& kernel);

/// Programs by kernel: first by the kernel's address, so that a draw neither hashes nor compares
/// it, then by content. The source is made only for a kernel that is not known. Bounded, the
/// longest unused leaves first: drivers keep megabytes for a program.
class ProgramCache {
 public:
  ProgramCache(gl::State& state, Counters& counters, std::size_t capacity = 1024)
      : state_(state), counters_(counters), capacity_(capacity) {}
  /// Valid until the next call.
  Program& get(const std::shared_ptr<const plan::Kernel>& kernel);
  /// There are 16 of these at most, so they stay.
  Program& get(const plan::PointsProgram& points);
  /// After an error: a call that failed may have left a program without its uniforms, or changed
  /// those of another one. Makes no GL call.
  void forget_uniforms();

 private:
  struct Entry {
    std::shared_ptr<const plan::Kernel> kernel;
    Program program;
  };
  using Entries = std::list<Entry>;
  // A kernel that was asked for: plans have kernels of their own with equal content.
  struct Alias {
    std::weak_ptr<const plan::Kernel> kernel;
    Entries::iterator entry;
  };

  Entries::iterator find(const std::shared_ptr<const plan::Kernel>& kernel);
  void add_alias(const std::shared_ptr<const plan::Kernel>& kernel, Entries::iterator entry);
  void compile(const std::shared_ptr<const plan::Kernel>& kernel);
  void drop_oldest();

  gl::State& state_;
  Counters& counters_;
  std::size_t capacity_;
  Entries entries_;  ///< the last used first
  std::unordered_map<std::shared_ptr<const plan::Kernel>, Entries::iterator, plan::KernelHash,
                     plan::KernelEqual>
      by_content_;
  std::unordered_map<const plan::Kernel*, Alias> by_address_;
  std::map<plan::PointsProgram, Program> points_;
  std::size_t most_aliases_ = 64;  ///< before the dead ones are looked for
};

}  // namespace trigon::run

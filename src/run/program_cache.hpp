// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

#include <trigon/debug.hpp>

#include "gl/handles.hpp"
#include "plan/plan.hpp"

namespace trigon::run {

/// A linked program and the uniforms that it holds.
class Program {
 public:
  Program(gl::Program program, std::size_t inputs);

  GLuint id() const { return program_.id(); }
  /// Uploads what differs from the last draw. Returns the bytes uploaded. GL: glUniform4iv,
  /// glUniform4fv.
  std::int64_t set(std::span<const std::int32_t> ints, std::span<const float> floats,
                   bool whole_floats);

  /// The viewport's corner and size, for dialects that can't do without. Returns the bytes
  /// uploaded.
  std::int64_t set_view(const std::array<float, 4>& view);

  std::set<std::uint64_t> formats;  ///< combinations of texture formats drawn with

 private:
  gl::Program program_;
  GLint ints_at_, floats_at_, view_at_;
  std::array<float, 4> view_{};
  std::vector<std::int32_t> ints_;
  std::vector<float> floats_;
};

/// Programs by kernel; the source is made only for a kernel that is not known. Bounded, the longest
/// unused leaves first: drivers keep megabytes for a program.
class ProgramCache {
 public:
  explicit ProgramCache(Counters& counters, std::size_t capacity = 1024)
      : counters_(counters), capacity_(capacity) {}
  /// Valid until the next call.
  Program& get(const std::shared_ptr<const plan::Kernel>& kernel);

 private:
  struct Entry {
    std::shared_ptr<const plan::Kernel> kernel;
    Program program;
  };
  using Entries = std::list<Entry>;
  struct Hash {
    std::size_t operator()(const std::shared_ptr<const plan::Kernel>& kernel) const {
      return plan::hash(*kernel);
    }
  };
  struct Equal {
    bool operator()(const std::shared_ptr<const plan::Kernel>& a,
                    const std::shared_ptr<const plan::Kernel>& b) const {
      return a == b || *a == *b;
    }
  };

  Counters& counters_;
  std::size_t capacity_;
  Entries entries_;  ///< the last used first
  std::unordered_map<std::shared_ptr<const plan::Kernel>, Entries::iterator, Hash, Equal>
      by_kernel_;
};

}  // namespace trigon::run

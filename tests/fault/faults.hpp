// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

// Faults that a test plans: one call of GL, EGL or operator new fails, or all from there on. The
// program's own entry points (gl_faults.cpp, faults.cpp) ask here, then call the real ones.

namespace trigon::fault {

inline constexpr unsigned context_lost = 0x0507;  ///< GL_CONTEXT_LOST, which gl3.h lacks

/// The calls that fail, counted from arm_gl() or arm_memory().
struct Plan {
  std::int64_t place = -1;  ///< the call's number, from 0; -1: none fails
  bool from_there_on = false;
  /// The context is lost from there on: each call reports GL_CONTEXT_LOST. Otherwise calls report
  /// GL_OUT_OF_MEMORY.
  bool is_loss = false;
  /// From there on only calls of that kind fail.
  bool of_kind_alone = false;
  std::int64_t at_least = 0;  ///< bytes; smaller allocations are neither counted nor fail
  std::string kind{};         ///< the function whose calls are counted; empty: all
  /// Allocations, in order; only for arm_memory(). At each, one child continues in which only this
  /// one fails, and another in which all after it fail as well. The parent waits for them, and
  /// nothing fails in it. Not for programs with other threads.
  std::vector<std::int64_t> forks_at{};
};

/// Calls since then.
struct Seen {
  bool has_failed = false;
  std::string failed{};  ///< the first one that failed
  std::map<std::string, std::int64_t> calls{};
  std::int64_t total = 0;
  bool is_child = false;  ///< of Plan::forks_at; it ends by _exit(0) if all was right
  std::int64_t children = 0;
  std::int64_t failed_children = 0;
  std::string first_failed_child{};
};

/// GL calls are counted and fail as planned, until disarm(). A call that fails does nothing and
/// leaves an error. Deletions don't fail.
void arm_gl(const Plan& plan);
/// Allocations of this thread are counted and fail as planned, until disarm(). Those of GL are not
/// among them.
void arm_memory(const Plan& plan);
/// Nothing fails any more.
Seen disarm();

/// Whether this program's GL is the one that draws nothing.
bool draws_nothing();

/// Blocks of operator new that were not deleted yet.
std::int64_t live_blocks();
/// Their bytes, and the most of them since the last call of reset_peak().
std::int64_t live_bytes();
std::int64_t peak_bytes();
void reset_peak();
/// Number of GL objects in all contexts that were not deleted yet.
std::int64_t live_objects();

// ---- For the entry points

/// Whether this call fails.
bool gl_call_fails(const char* name);
/// The error of calls that failed, which is taken; 0 without one.
unsigned take_gl_error();
/// Adds to the number of GL objects; negative for deleted ones.
void count_objects(std::int64_t more);

/// Allocations while it lives are the driver's.
class InDriver {
 public:
  InDriver();
  ~InDriver();
  InDriver(const InDriver&) = delete;
  InDriver& operator=(const InDriver&) = delete;
};

}  // namespace trigon::fault

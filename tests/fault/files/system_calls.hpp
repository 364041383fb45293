// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

// System calls on files, recorded and made to fail. The program's own entry points
// (system_calls.cpp) precede those of the C library.

namespace trigon::fault {

/// One call of the library.
struct Call {
  std::string name;      ///< "open", "write", "pread", "fsync", "close", "rename", ...
  int fd = -1;           ///< its argument, or the result of open
  std::string path{};    ///< of open, unlink and rename
  std::string to{};      ///< of rename
  int flags = 0;         ///< of open
  std::string data{};    ///< of write: the written bytes
  std::size_t size = 0;  ///< of write and pread: the requested number
};

enum class Deed {
  none,
  fail,         ///< the call does nothing (but close() does close) and sets errno to `error`
  cut,          ///< write and pread: at most `bytes` of them
  kill_before,  ///< this process
  kill_after,   ///< the same, after `bytes` of a write
};

/// The effect on `count` calls in a row, from call number `place` on.
struct CallPlan {
  int place = -1;  ///< from 0; -1: nothing happens
  Deed deed = Deed::none;
  int error = 0;
  std::size_t bytes = static_cast<std::size_t>(-1);
  int count = 1;  ///< calls that go as planned; those after them as usual
};

/// Calls of this thread are recorded, and `count` of them go as planned, until disarm_calls().
void arm_calls(const CallPlan& plan);
/// The calls since then.
std::vector<Call> disarm_calls();

}  // namespace trigon::fault

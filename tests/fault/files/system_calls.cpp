// SPDX-License-Identifier: MIT
#include "system_calls.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <utility>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace trigon::fault {
namespace {

struct State {
  bool is_armed = false;
  CallPlan plan;
  std::vector<Call> calls;
};

State& state() {
  thread_local State one;
  return one;
}

/// The C library's function of that name.
template <class F>
F* real(const char* name) {
  return reinterpret_cast<F*>(::dlsym(RTLD_NEXT, name));
}

void die() {
  ::kill(::getpid(), SIGKILL);
  for (;;) ::pause();
}

/// Calls `f` with the number of bytes that the plan allows. `make` describes the call if it is
/// recorded.
template <class Make, class F>
auto interposed(const Make& make, const F& f, std::size_t size = 0) -> decltype(f(std::size_t{})) {
  State& s = state();
  if (!s.is_armed) return f(size);
  s.is_armed = false;  // not for calls within this one
  Call call = make();
  const int number = static_cast<int>(s.calls.size());
  const bool is_meant = number >= s.plan.place && number < s.plan.place + s.plan.count;
  const Deed deed = is_meant ? s.plan.deed : Deed::none;
  if (deed == Deed::kill_before) die();
  decltype(f(std::size_t{})) result = -1;
  if (deed == Deed::fail) {
    if (call.name == "close") f(0);  // Linux closes it even if it reports an error
    errno = s.plan.error;
  } else {
    result = f(is_meant ? std::min(call.size, s.plan.bytes) : call.size);
  }
  const int error = errno;
  if (deed == Deed::kill_after) die();
  if (call.name == "open") call.fd = static_cast<int>(result);
  if (call.name == "write") call.data.resize(result < 0 ? 0 : static_cast<std::size_t>(result));
  s.calls.push_back(std::move(call));
  s.is_armed = true;
  errno = error;
  return result;
}

}  // namespace

void arm_calls(const CallPlan& plan) { state() = {.is_armed = true, .plan = plan, .calls = {}}; }

std::vector<Call> disarm_calls() { return std::exchange(state(), {}).calls; }

}  // namespace trigon::fault

// ---- The entry points

using trigon::fault::Call, trigon::fault::interposed, trigon::fault::real;

extern "C" {

int open(const char* path, int flags, ...) {
  std::va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  static auto* const next = real<int(const char*, int, ...)>("open");
  return interposed([&] { return Call{.name = "open", .path = path, .flags = flags}; },
                    [&](std::size_t) { return next(path, flags, mode); });
}

ssize_t write(int fd, const void* data, std::size_t size) {
  static auto* const next = real<ssize_t(int, const void*, std::size_t)>("write");
  return interposed(
      [&] {
        return Call{.name = "write",
                    .fd = fd,
                    .data = {static_cast<const char*>(data), size},
                    .size = size};
      },
      [&](std::size_t n) { return n == 0 && size > 0 ? 0 : next(fd, data, n); }, size);
}

ssize_t pread(int fd, void* data, std::size_t size, off_t offset) {
  static auto* const next = real<ssize_t(int, void*, std::size_t, off_t)>("pread");
  return interposed([&] { return Call{.name = "pread", .fd = fd, .size = size}; },
                    [&](std::size_t n) { return next(fd, data, n, offset); }, size);
}

ssize_t read(int fd, void* data, std::size_t size) {
  static auto* const next = real<ssize_t(int, void*, std::size_t)>("read");
  return interposed([&] { return Call{.name = "read", .fd = fd, .size = size}; },
                    [&](std::size_t n) { return next(fd, data, n); }, size);
}

int fsync(int fd) {
  static auto* const next = real<int(int)>("fsync");
  return interposed([&] { return Call{.name = "fsync", .fd = fd}; },
                    [&](std::size_t) { return next(fd); });
}

int close(int fd) {
  static auto* const next = real<int(int)>("close");
  return interposed([&] { return Call{.name = "close", .fd = fd}; },
                    [&](std::size_t) { return next(fd); });
}

int fchmod(int fd, mode_t mode) noexcept {
  static auto* const next = real<int(int, mode_t)>("fchmod");
  return interposed([&] { return Call{.name = "fchmod", .fd = fd}; },
                    [&](std::size_t) { return next(fd, mode); });
}

int fchown(int fd, uid_t user, gid_t group) noexcept {
  static auto* const next = real<int(int, uid_t, gid_t)>("fchown");
  return interposed([&] { return Call{.name = "fchown", .fd = fd}; },
                    [&](std::size_t) { return next(fd, user, group); });
}

int rename(const char* from, const char* to) noexcept {
  static auto* const next = real<int(const char*, const char*)>("rename");
  return interposed([&] { return Call{.name = "rename", .path = from, .to = to}; },
                    [&](std::size_t) { return next(from, to); });
}

int unlink(const char* path) noexcept {
  static auto* const next = real<int(const char*)>("unlink");
  return interposed([&] { return Call{.name = "unlink", .path = path}; },
                    [&](std::size_t) { return next(path); });
}
}

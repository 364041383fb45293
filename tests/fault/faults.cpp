// SPDX-License-Identifier: MIT
#include "faults.hpp"

#include <malloc.h>
#include <sys/single_threaded.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <GLES3/gl3.h>

namespace trigon::fault {
namespace {

struct State {
  bool is_armed = false;
  Plan plan;
  Seen seen;
  unsigned error = 0;
};

State& gl() {
  static State state;
  return state;
}

// Plain numbers, as operator new cannot use memory of its own.
thread_local bool memory_is_armed = false;
thread_local bool memory_fails_on = false;
thread_local std::size_t memory_at_least = 0;
thread_local std::int64_t memory_place = -1;
thread_local std::int64_t allocations = 0;
thread_local std::int64_t failed_allocations = 0;
thread_local int in_driver = 0;
std::atomic<std::int64_t> blocks{0}, bytes{0}, peak{0}, objects{0};

/// With one thread, locked additions would take a quarter of all time.
std::int64_t add(std::atomic<std::int64_t>& sum, std::int64_t more) {
  if (__libc_single_threaded == 0) return sum += more;
  const std::int64_t now = sum.load(std::memory_order_relaxed) + more;
  sum.store(now, std::memory_order_relaxed);
  return now;
}

/// The result of Plan::forks_at.
struct Forks {
  std::vector<std::int64_t> places;
  std::size_t next = 0;
  bool is_child = false;
  std::int64_t children = 0, failed = 0;
  std::int64_t first_failed = -1;
  bool first_fails_on = false;
  int first_status = 0;
};

Forks& forks() {
  static Forks one;
  return one;
}

/// Starts the children of this place, in which it fails.
void fork_at(std::int64_t number) {
  constexpr unsigned patience = 60;  // seconds; a hang is a finding, too
  Forks& f = forks();
  if (f.next == f.places.size() || f.places[f.next] != number) return;
  ++f.next;
  for (const bool fails_on : {false, true}) {
    // Not fork(), whose handlers tell the library that the driver belongs to another process. The
    // GL that draws nothing also works in a child.
    const auto child = static_cast<pid_t>(::syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
    if (child == 0) {
      ::alarm(patience);
      f = {.is_child = true};
      memory_place = number;
      memory_fails_on = fails_on;
      return;
    }
    int status = -1;
    if (child < 0) std::perror("clone");
    if (child > 0) ::waitpid(child, &status, 0);
    ++f.children;
    if (status == 0) continue;
    if (f.failed++ > 0) continue;
    f.first_failed = number;
    f.first_fails_on = fails_on;
    f.first_status = status;
  }
}

bool allocation_fails(std::size_t size) {
  if (!memory_is_armed || in_driver > 0 || size < memory_at_least) return false;
  const std::int64_t number = allocations++;
  fork_at(number);
  const bool fails =
      number == memory_place || (memory_fails_on && memory_place >= 0 && number > memory_place);
  failed_allocations += fails;
  return fails;
}

void* allocate(std::size_t size) noexcept {
  if (allocation_fails(size)) return nullptr;
  void* const memory = std::malloc(size);
  if (memory == nullptr) return nullptr;
  add(blocks, 1);
  const std::int64_t now = add(bytes, static_cast<std::int64_t>(::malloc_usable_size(memory)));
  std::int64_t most = peak;
  while (most < now && !peak.compare_exchange_weak(most, now)) {
  }
  return memory;
}

void* allocate_or_throw(std::size_t size) {
  if (void* const memory = allocate(size)) return memory;
  throw std::bad_alloc();
}

void release(void* memory) noexcept {
  if (memory == nullptr) return;
  add(blocks, -1);
  add(bytes, -static_cast<std::int64_t>(::malloc_usable_size(memory)));
  std::free(memory);
}

}  // namespace

void arm_gl(const Plan& plan) { gl() = {.is_armed = true, .plan = plan}; }

void arm_memory(const Plan& plan) {
  memory_place = plan.place;
  memory_fails_on = plan.from_there_on;
  forks() = {.places = plan.forks_at};
  memory_at_least = static_cast<std::size_t>(plan.at_least);
  allocations = failed_allocations = 0;
  memory_is_armed = true;
}

Seen disarm() {
  memory_is_armed = false;
  Seen seen = std::exchange(gl(), {}).seen;
  if (failed_allocations > 0) seen.has_failed = true, seen.failed = "operator new";
  if (allocations > 0) seen.total = allocations;
  const Forks f = std::exchange(forks(), {});
  seen.is_child = f.is_child;
  seen.children = f.children;
  seen.failed_children = f.failed;
  if (f.failed > 0) {
    seen.first_failed_child =
        "place " + std::to_string(f.first_failed) + (f.first_fails_on ? " and all after it" : "") +
        (WIFSIGNALED(f.first_status) ? ", signal " + std::to_string(WTERMSIG(f.first_status))
                                     : ", status " + std::to_string(WEXITSTATUS(f.first_status)));
  }
  allocations = failed_allocations = 0;
  return seen;
}

std::int64_t live_blocks() { return blocks; }
std::int64_t live_bytes() { return bytes; }
std::int64_t peak_bytes() { return peak; }
void reset_peak() { peak = bytes.load(); }

std::int64_t live_objects() { return objects; }
void count_objects(std::int64_t more) { add(objects, more); }

bool gl_call_fails(const char* name) {
  State& s = gl();
  if (!s.is_armed) return false;
  const InDriver guard;
  const std::int64_t of_kind = s.seen.calls[name]++;
  const std::int64_t number = s.plan.kind.empty() ? s.seen.total : of_kind;
  ++s.seen.total;
  const bool is_meant = s.plan.kind.empty() || s.plan.kind == name;
  bool is_later = s.seen.has_failed && (s.plan.from_there_on || s.plan.is_loss);
  if (s.plan.of_kind_alone) is_later = is_later && is_meant;
  if (!s.plan.is_loss && std::string_view(name) == "glGetError") is_later = false;
  if (!(is_meant && number == s.plan.place) && !is_later) return false;
  if (!s.seen.has_failed) s.seen.failed = name;
  s.seen.has_failed = true;
  s.error = s.plan.is_loss ? context_lost : GL_OUT_OF_MEMORY;
  return true;
}

unsigned take_gl_error() {
  State& s = gl();
  // A lost context reports an error at every call.
  return s.plan.is_loss ? s.error : std::exchange(s.error, 0U);
}

InDriver::InDriver() { ++in_driver; }
InDriver::~InDriver() { --in_driver; }

}  // namespace trigon::fault

// ---- This program's memory

using trigon::fault::allocate, trigon::fault::allocate_or_throw, trigon::fault::release;

void* operator new(std::size_t size) { return allocate_or_throw(size); }
void* operator new[](std::size_t size) { return allocate_or_throw(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void operator delete(void* memory) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { release(memory); }

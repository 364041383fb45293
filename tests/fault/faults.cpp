// SPDX-License-Identifier: MIT
#include "faults.hpp"

#include <execinfo.h>
#include <malloc.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>
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
thread_local bool memory_is_recorded = false;
thread_local std::size_t memory_at_least = 0;
thread_local std::int64_t memory_place = -1;
thread_local std::int64_t allocations = 0;
thread_local std::int64_t failed_allocations = 0;
thread_local int in_driver = 0;
std::atomic<std::int64_t> blocks{0}, bytes{0}, peak{0};

std::vector<std::uint64_t>& recorded_paths() {
  static std::vector<std::uint64_t> all;
  return all;
}

/// A hash of the return addresses from here to main(), which it tells apart for all but chance.
std::uint64_t call_path() {
  std::array<void*, 256> frames{};
  const int count = ::backtrace(frames.data(), static_cast<int>(frames.size()));
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a, of whole addresses
  for (int k = 0; k < count; ++k) {
    hash ^= reinterpret_cast<std::uintptr_t>(frames[static_cast<std::size_t>(k)]);
    hash *= 0x100000001b3;
  }
  return hash;
}

bool allocation_fails(std::size_t size) {
  if (!memory_is_armed || in_driver > 0 || size < memory_at_least) return false;
  if (memory_is_recorded) {
    const InDriver guard;  // what is recorded here is not the program's
    recorded_paths().push_back(call_path());
  }
  const std::int64_t number = allocations++;
  const bool fails =
      number == memory_place || (memory_fails_on && memory_place >= 0 && number > memory_place);
  failed_allocations += fails;
  return fails;
}

void* allocate(std::size_t size) noexcept {
  if (allocation_fails(size)) return nullptr;
  void* const memory = std::malloc(size);
  if (memory == nullptr) return nullptr;
  ++blocks;
  const std::int64_t now = bytes += static_cast<std::int64_t>(::malloc_usable_size(memory));
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
  blocks -= memory != nullptr;
  bytes -= static_cast<std::int64_t>(::malloc_usable_size(memory));
  std::free(memory);
}

}  // namespace

void arm_gl(const Plan& plan) { gl() = {.is_armed = true, .plan = plan}; }

void arm_memory(const Plan& plan) {
  memory_place = plan.place;
  memory_fails_on = plan.from_there_on;
  memory_is_recorded = plan.records_paths;
  memory_at_least = static_cast<std::size_t>(plan.at_least);
  allocations = failed_allocations = 0;
  memory_is_armed = true;
}

Seen disarm() {
  memory_is_armed = false;
  Seen seen = std::exchange(gl(), {}).seen;
  if (failed_allocations > 0) seen.has_failed = true, seen.failed = "operator new";
  if (allocations > 0) seen.total = allocations;
  seen.paths = std::exchange(recorded_paths(), {});
  allocations = failed_allocations = 0;
  return seen;
}

std::int64_t live_blocks() { return blocks; }
std::int64_t live_bytes() { return bytes; }
std::int64_t peak_bytes() { return peak; }
void reset_peak() { peak = bytes.load(); }

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
  // A lost context says so at every call.
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

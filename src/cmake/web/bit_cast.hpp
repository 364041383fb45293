// SPDX-License-Identifier: MIT
#pragma once

#include <version>

// The std::bit_cast that Emscripten's libc++ 13 lacks, from a builtin of clang 14.
#ifndef __cpp_lib_bit_cast
namespace std {
template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, from);
}
}  // namespace std
#endif

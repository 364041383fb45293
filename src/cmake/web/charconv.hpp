// SPDX-License-Identifier: MIT
#pragma once

#include <charconv>
#include <cstdio>
#include <system_error>

// The conversion of reals that Emscripten's libc++ 13 lacks, as print_number.cpp uses it: values
// are finite, and the buffer is large enough.

namespace std {

#if _LIBCPP_VERSION < 14000
inline to_chars_result to_chars(char* first, char* last, double value, chars_format format,
                                int precision) {
  const char* pattern = format == chars_format::fixed ? "%.*f" : "%.*e";
  const int length = snprintf(first, static_cast<size_t>(last - first), pattern, precision, value);
  return {first + length, errc()};
}
#endif

}  // namespace std

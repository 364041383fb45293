// SPDX-License-Identifier: MIT
#pragma once

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <system_error>

// The conversions of reals that Emscripten's libc++ 13 lacks, as print_number.cpp uses them: values
// are finite, and buffers are large enough.

namespace std {

#if _LIBCPP_VERSION < 14000
inline to_chars_result to_chars(char* first, char* last, double value, chars_format format,
                                int precision) {
  const char* pattern = format == chars_format::fixed ? "%.*f" : "%.*e";
  const int length = snprintf(first, static_cast<size_t>(last - first), pattern, precision, value);
  return {first + length, errc()};
}

inline to_chars_result to_chars(char* first, char* last, float value, chars_format format) {
  for (int precision = 0;; ++precision) {
    const auto end = to_chars(first, last, static_cast<double>(value), format, precision);
    if (strtof(first, nullptr) == value) return end;
  }
}
#endif

#if _LIBCPP_VERSION < 200000
inline from_chars_result from_chars(const char* first, const char* last, double& value) {
  const string text(first, last);
  char* end = nullptr;
  value = strtod(text.c_str(), &end);
  return {first + (end - text.c_str()), errc()};
}
#endif

}  // namespace std

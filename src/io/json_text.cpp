// SPDX-License-Identifier: MIT
#include "io/json_text.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

namespace trigon::detail::io {

std::string find_long_token(std::string_view json) {
  constexpr std::size_t most_digits = 1000, most_bytes = 3'500'000;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  for (std::size_t k = 0; k < json.size();) {
    const std::size_t begin = k++;
    if (is_digit(json[begin])) {
      while (k < json.size() && is_digit(json[k])) ++k;
      if (const std::size_t digits = k - begin; digits > most_digits) {
        return fmt::format(
            "number too long: {} digits at byte {} of the text; must have at most {}", digits,
            begin + 1, most_digits);
      }
    } else if (json[begin] == '"') {
      // After a backslash a quote does not end the string.
      while (k < json.size() && json[k] != '"') k += json[k] == '\\' ? 2 : 1;
      const std::size_t bytes = std::min(k, json.size()) - begin - 1;
      if (bytes > most_bytes) {
        return fmt::format("string too long: {} bytes at byte {} of the text; must have at most {}",
                           bytes, begin + 1, most_bytes);
      }
      ++k;
    }
  }
  return {};
}

}  // namespace trigon::detail::io

// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

// Text of users and of files within errors: it stays on its line, a terminal does not obey it, and
// it is cut where it is long.

#include "core/rooms.hpp"

namespace trigon::detail::core {

/// A character as a message shows it, and its bytes in the text.
struct Shown {
  std::array<char, 12> bytes{};
  std::size_t size = 0;
  std::size_t used = 0;

  std::string_view text() const { return {bytes.data(), size}; }
};

/// The first character of a text, which is not empty. ASCII's control characters and bytes that are
/// not UTF-8 become `\x1b`; others become `\u{202e}` if they control a terminal, break a line,
/// change the direction of text or are invisible (but for joiners and variation selectors, which
/// scripts and emoji need). In double quotes, `"` and `\` have a backslash before them. Needs no
/// memory of the heap.
Shown first_shown(std::string_view text, bool in_quotes) noexcept;

/// All characters of a text like this; of one that has more than `limit` bytes, those that lie
/// within them, at least one, and "...".
std::string escaped(std::string_view text, std::size_t limit);

/// The same with double quotes around it.
std::string quote(std::string_view text, std::size_t limit = 80);

}  // namespace trigon::detail::core

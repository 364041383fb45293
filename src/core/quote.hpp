// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

// Quotes text from users and files in error messages: it stays on one line, cannot control a
// terminal, and is cut if it is long.

#include "core/rooms.hpp"

namespace trigon::detail::core {

/// A character as a message shows it, and the number of bytes that it takes in the text.
struct Shown {
  std::array<char, 12> bytes{};
  std::size_t size = 0;
  std::size_t used = 0;

  std::string_view text() const { return {bytes.data(), size}; }
};

/// The first character of a text, which is not empty. ASCII's control characters and bytes that are
/// not UTF-8 become `\x1b`. Others become `\u{202e}` if they control a terminal, break a line,
/// change the direction of text or are invisible; joiners and variation selectors stay, since
/// scripts and emoji need them. In double quotes, `"` and `\` get a backslash. Allocates nothing.
Shown first_shown(std::string_view text, bool in_quotes) noexcept;

/// All characters of a text, escaped like this. A text of more than `limit` bytes is cut there,
/// after at least one character, and ends in "...".
std::string escaped(std::string_view text, std::size_t limit);

/// The same with double quotes around it.
std::string quote(std::string_view text, std::size_t limit = 80);

/// "(2, 3)", "(4,)", "()": sizes of any number of axes.
std::string shape_text(std::span<const std::int64_t> sizes);

/// Takes the first line off a text.
std::string_view take_line(std::string_view& text);

}  // namespace trigon::detail::core

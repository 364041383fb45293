// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace gpt2 {

/// Turns the bytes of tokens into whole UTF-8 characters, for any division into pieces. Bytes that
/// cannot be UTF-8 become U+FFFD, one for each maximal subpart (Unicode 3.9, WHATWG's decoder,
/// Python's errors="replace").
class Utf8Stream {
 public:
  /// Takes the next bytes; returns the characters that are complete.
  std::string push(std::string_view bytes);

  /// Ends the text: returns U+FFFD if a character is incomplete, otherwise nothing. A new text may
  /// follow.
  std::string finish();

 private:
  void begin(unsigned char byte, std::string& out);

  std::string pending_;          // the bytes of an unfinished character
  int needed_ = 0;               // continuation bytes still to come
  unsigned char lowest_ = 0x80;  // range of the next one: narrower after E0, ED, F0, F4
  unsigned char highest_ = 0xBF;
};

}  // namespace gpt2

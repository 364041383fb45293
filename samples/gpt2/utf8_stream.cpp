// SPDX-License-Identifier: MIT
#include "utf8_stream.hpp"

namespace gpt2 {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

}  // namespace

std::string Utf8Stream::push(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (needed_ == 0) {
      begin(byte, out);
    } else if (byte < lowest_ || byte > highest_) {
      out += finish();
      begin(byte, out);
    } else {
      pending_ += c;
      lowest_ = 0x80;
      highest_ = 0xBF;
      if (--needed_ == 0) {
        out += pending_;
        pending_.clear();
      }
    }
  }
  return out;
}

std::string Utf8Stream::finish() {
  const bool unfinished = needed_ > 0;
  *this = Utf8Stream();
  return std::string(unfinished ? replacement : "");
}

void Utf8Stream::begin(unsigned char byte, std::string& out) {
  if (byte < 0x80) {
    out += static_cast<char>(byte);
    return;
  }
  if (byte < 0xC2 || byte > 0xF4) {  // a lone continuation byte, an overlong form, past U+10FFFF
    out += replacement;
    return;
  }
  needed_ = byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3;
  // No overlong forms, no surrogates, nothing past U+10FFFF.
  lowest_ = byte == 0xE0 ? 0xA0 : byte == 0xF0 ? 0x90 : 0x80;
  highest_ = byte == 0xED ? 0x9F : byte == 0xF4 ? 0x8F : 0xBF;
  pending_ = static_cast<char>(byte);
}

}  // namespace gpt2

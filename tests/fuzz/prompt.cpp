// SPDX-License-Identifier: MIT
#include "stop_filter.hpp"
#include "target.hpp"
#include "tokenizer.hpp"
#include "utf8_stream.hpp"

// A prompt for the bundled tokenizer; the same bytes as a stream of tokens, divided at any place.

void trigon::fuzz::run(Bytes bytes) {
  static const gpt2::Tokenizer tokenizer = gpt2::Tokenizer::load(GPT2_MODEL_DIR);
  const std::string_view text = text_of(bytes);
  allow_errors([&] {
    const std::vector<std::int32_t> ids = tokenizer.encode(text);
    require(tokenizer.decode(ids) == text, "decoding undoes encoding");
  });

  gpt2::Utf8Stream whole;
  std::string expected = whole.push(text);
  expected += whole.finish();
  const std::size_t step = bytes.empty() ? 1 : bytes.front() % 7 + 1;
  gpt2::Utf8Stream pieces;
  std::string found;
  for (std::size_t at = 0; at < text.size(); at += step)
    found += pieces.push(text.substr(at, step));
  found += pieces.finish();
  require(found == expected, "characters do not depend on cuts");

  const std::string stop(text.substr(0, step));
  gpt2::StopFilter filter(stop);
  std::string shown;
  for (std::size_t at = 0; at < text.size() && !filter.stopped(); at += step) {
    shown += filter.push(text.substr(at, step));
  }
  shown += filter.finish();
  require(shown == text.substr(0, stop.empty() ? text.size() : text.find(stop)),
          "a text ends before the stop text");
}

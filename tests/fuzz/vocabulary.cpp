// SPDX-License-Identifier: MIT
#include "target.hpp"
#include "tokenizer.hpp"

// vocab.json and merges.txt of GPT-2's tokenizer, in one input: the vocabulary, a line with "---"
// alone, the merges.

void trigon::fuzz::run(Bytes bytes) {
  constexpr std::string_view separator = "\n---\n";
  const std::string_view text = text_of(bytes);
  const std::size_t at = std::min(text.find(separator), text.size());
  const std::string_view merges = text.substr(std::min(at + separator.size(), text.size()));
  allow_errors([&] {
    const gpt2::Tokenizer tokenizer = gpt2::Tokenizer::parse(text.substr(0, at), merges);
    const std::string prompt = "To be, or not to be: 12 'll  <|endoftext|>";
    require(tokenizer.decode(tokenizer.encode(prompt)) == prompt, "decoding undoes encoding");
  });
}

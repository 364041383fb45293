// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index_table.hpp"

namespace gpt2 {

class Vocabulary;

/// GPT-2's byte-level byte-pair encoding (Radford et al. 2019, "Language Models are Unsupervised
/// Multitask Learners", section 2.2). Immutable, so several threads may use one.
class Tokenizer {
 public:
  /// Reads the vocabulary (`vocab.json` or `encoder.json`) and the merges (`merges.txt` or
  /// `vocab.bpe`, with or without a first line `#version`) of a folder.
  /// Raises trigon::Error when they do not fit together, naming the file, the value and the rule.
  static Tokenizer load(const std::filesystem::path& dir);

  /// The same from the texts of the two files, which errors name.
  static Tokenizer parse(std::string_view vocabulary, std::string_view merges,
                         const std::filesystem::path& vocabulary_file = "vocab.json",
                         const std::filesystem::path& merges_file = "merges.txt");

  /// The ids of a UTF-8 text; `<|endoftext|>` in it becomes its one id if the vocabulary has it.
  /// Raises trigon::Error with the byte offset if the text is not UTF-8.
  std::vector<std::int32_t> encode(std::string_view text) const;

  /// The bytes of the tokens, joined: a token may end inside a UTF-8 character (see Utf8Stream).
  /// Raises trigon::Error for an id outside [0, size()).
  std::string decode(std::span<const std::int32_t> ids) const;

  /// The bytes of one token. Raises as decode does.
  std::string_view bytes(std::int32_t id) const;

  /// Number of tokens; ids are 0 to size() - 1.
  std::size_t size() const { return ends_.size(); }

  /// The id of `<|endoftext|>`, if the vocabulary has it.
  std::optional<std::int32_t> end_of_text() const { return end_of_text_; }

 private:
  struct Merge {
    std::int32_t left, right, joined;
  };

  Tokenizer() = default;
  static Tokenizer join(const Vocabulary& vocabulary, const std::filesystem::path& vocabulary_file,
                        std::string_view merges, const std::filesystem::path& merges_file);
  void take_tokens(const std::filesystem::path& file, const Vocabulary& vocabulary);
  void read_merges(std::string_view text, const std::filesystem::path& file,
                   const Vocabulary& vocabulary);
  void rank_merges(const std::filesystem::path& file, const Vocabulary& vocabulary,
                   std::size_t first_line);
  std::optional<std::uint32_t> rank_of(std::int32_t left, std::int32_t right) const;
  void encode_piece(std::string_view text, std::size_t from, std::size_t to,
                    std::vector<std::int32_t>& ids) const;
  void encode_word(std::string_view word, std::vector<std::int32_t>& ids) const;

  // A file of n bytes has n / 6 tokens or merges, so none of them has memory of its own.
  std::string bytes_;                         // of all tokens, by id
  std::vector<std::uint32_t> ends_;           // id -> end in bytes_
  std::array<std::int32_t, 256> byte_ids_{};  // byte -> id of its symbol
  std::deque<Merge> merges_;                  // by rank: the lowest is merged first
  IndexTable ranks_;                          // of merges_, by their pairs
  std::optional<std::int32_t> end_of_text_;
};

/// The end of the word of GPT-2's pattern that starts at byte `from` of text[0, to):
/// `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`.
/// Needs from < to <= text.size(). Raises trigon::Error with the byte offset where the text is not
/// UTF-8.
std::size_t word_end(std::string_view text, std::size_t from, std::size_t to);

}  // namespace gpt2

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index_table.hpp"

namespace gpt2 {

/// Raises trigon::Error `gpt2::Tokenizer::load: <file>: <what>`.
[[noreturn]] void fail_loading(const std::filesystem::path& file, const std::string& what);
/// A token or a line of a tokenizer's file for an error's text: on one line, shortened.
std::string shown(std::string_view value);
/// A file of the tokenizer.
std::string read_text(const std::filesystem::path& file);

/// The entries of a vocabulary's file, in its order and spelling. All texts are joined in one
/// string, since a file of n bytes has up to n / 6 of them.
class Vocabulary {
 public:
  /// Raises trigon::Error, naming the file, the token and the rule, unless it is one object of
  /// unique tokens with the ids 0, 1, ... in some order.
  static Vocabulary load(const std::filesystem::path& file);
  /// The same from the text of the file, which errors name.
  static Vocabulary parse(std::string_view text, const std::filesystem::path& file);

  std::size_t size() const { return entries_.size(); }
  std::string_view token(std::size_t k) const {
    const std::size_t begin = k == 0 ? 0 : entries_[k - 1].end;
    return std::string_view(texts_).substr(begin, entries_[k].end - begin);
  }
  std::int32_t id(std::size_t k) const { return entries_[k].id; }
  /// The token with an id. Takes time linear in the number of tokens.
  std::string spelt(std::int32_t id) const;
  std::optional<std::int32_t> find(std::string_view token) const;

  // ---- While it is loaded

  /// Reserves memory for the entries of a file with this text.
  void reserve(std::string_view text);
  void add(std::string_view token, std::int32_t id);

  /// Call after all entries were added. Makes entry k findable by its token; if an earlier entry
  /// has that token, returns the earlier one.
  std::optional<std::uint32_t> make_found(std::uint32_t k);

 private:
  void read(std::string_view text, const std::filesystem::path& file);

  struct Entry {
    std::uint32_t end;
    std::int32_t id;
  };
  std::string texts_;
  std::vector<Entry> entries_;
  IndexTable table_;
};

}  // namespace gpt2

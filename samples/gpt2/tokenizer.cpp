// SPDX-License-Identifier: MIT
#include "tokenizer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <queue>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "trigon/error.hpp"
#include "unicode.hpp"
#include "vocabulary.hpp"

namespace gpt2 {
namespace {

constexpr std::string_view end_of_text_token = "<|endoftext|>";

// ---- words

enum class Kind : std::uint8_t { space, letter, number, other };

struct Character {
  Kind kind;
  std::size_t end;  // offset of the next character
};

Kind kind_of(char32_t code) {
  // Unicode's White_Space, which `\s` is in Python's regex module; U+001C to U+001F are not in it.
  if ((code >= 0x09 && code <= 0x0D) || code == 0x20 || code == 0x85 || code == 0xA0 ||
      code == 0x1680 || (code >= 0x2000 && code <= 0x200A) || code == 0x2028 || code == 0x2029 ||
      code == 0x202F || code == 0x205F || code == 0x3000) {
    return Kind::space;
  }
  return is_letter(code) ? Kind::letter : is_number(code) ? Kind::number : Kind::other;
}

Character character_at(std::string_view text, std::size_t at, std::size_t to) {
  const auto character = first_code_point(text.substr(at, to - at));
  if (!character) {
    throw trigon::Error(fmt::format(
        "gpt2::Tokenizer::encode: the text is not UTF-8: byte 0x{:02X} at offset {} of {}; it must "
        "be valid UTF-8",
        static_cast<unsigned char>(text[at]), at, text.size()));
  }
  return {kind_of(character->code), at + character->size};
}

// The end of the contraction at `at`, or `at` if there is none.
std::size_t contraction_end(std::string_view text, std::size_t at, std::size_t to) {
  const std::string_view rest = text.substr(at, to - at);
  for (const std::string_view suffix : {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"}) {
    if (rest.substr(0, suffix.size()) == suffix) return at + suffix.size();
  }
  return at;
}

// ---- files

std::filesystem::path find_file(const std::filesystem::path& dir, const char* hugging_face,
                                const char* openai) {
  for (const char* name : {hugging_face, openai}) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(dir / name, ignored)) return dir / name;
  }
  throw trigon::Error(fmt::format(
      "gpt2::Tokenizer::load: no tokenizer file: neither {0} nor {1} is in {2}; the folder must "
      "hold vocab.json and merges.txt, or encoder.json and vocab.bpe",
      hugging_face, openai, dir.string()));
}

// A byte's symbol: printable Latin-1 stands for itself, the rest for U+0100, U+0101, ... in order.
std::array<int, 256> make_symbols() {
  std::array<int, 256> symbols{};
  int next = 0x100;
  for (int byte = 0; byte < 256; ++byte) {
    const bool itself = (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte != 0xAD);
    symbols[static_cast<std::size_t>(byte)] = itself ? byte : next++;
  }
  return symbols;
}

std::uint64_t pair_key(std::int32_t left, std::int32_t right) {
  return std::uint64_t{static_cast<std::uint32_t>(left)} << 32 | static_cast<std::uint32_t>(right);
}

// Appends the bytes of a token's symbols.
void append_bytes(const std::filesystem::path& file, std::string_view token, std::string& bytes) {
  static const std::unordered_map<int, char> bytes_by_symbol = [] {
    std::unordered_map<int, char> map;
    const std::array<int, 256> symbols = make_symbols();
    for (std::size_t byte = 0; byte < 256; ++byte) map[symbols[byte]] = static_cast<char>(byte);
    return map;
  }();
  if (token.empty())
    fail_loading(file, "the token \"\" is empty; a token must have at least one byte");
  for (std::size_t at = 0; at < token.size();) {
    // The JSON parser has checked that the token is UTF-8.
    const CodePoint symbol = first_code_point(std::string_view(token).substr(at)).value();
    at += symbol.size;
    const auto found = bytes_by_symbol.find(static_cast<int>(symbol.code));
    if (found == bytes_by_symbol.end()) {
      fail_loading(file,
                   fmt::format("the token {} holds U+{:04X}; a token must be spelt in GPT-2's 256 "
                               "byte symbols",
                               shown(token), static_cast<std::uint32_t>(symbol.code)));
    }
    bytes += found->second;
  }
}

}  // namespace

std::size_t word_end(std::string_view text, std::size_t from, std::size_t to) {
  if (const std::size_t end = contraction_end(text, from, to); end != from) return end;

  // ` ?\p{L}+`, ` ?\p{N}+`, ` ?[^\s\p{L}\p{N}]+`: a run of one kind, one U+0020 before it.
  Character next = character_at(text, from, to);
  if (text[from] == ' ' && next.end < to) next = character_at(text, next.end, to);
  if (next.kind != Kind::space) {
    const Kind kind = next.kind;
    std::size_t end = next.end;
    while (end < to && (next = character_at(text, end, to)).kind == kind) end = next.end;
    return end;
  }

  // `\s+(?!\S)`: white space, all but its last character if a word follows; `\s+`: that last one.
  std::size_t last = from;
  std::size_t end = from;
  while (end < to && (next = character_at(text, end, to)).kind == Kind::space) {
    last = end;
    end = next.end;
  }
  return end == to || last == from ? end : last;
}

Tokenizer Tokenizer::load(const std::filesystem::path& dir) {
  const std::filesystem::path file = find_file(dir, "vocab.json", "encoder.json");
  const std::filesystem::path merges = find_file(dir, "merges.txt", "vocab.bpe");
  const Vocabulary vocabulary = Vocabulary::load(file);
  return join(vocabulary, file, read_text(merges), merges);
}

Tokenizer Tokenizer::parse(std::string_view vocabulary, std::string_view merges,
                           const std::filesystem::path& vocabulary_file,
                           const std::filesystem::path& merges_file) {
  return join(Vocabulary::parse(vocabulary, vocabulary_file), vocabulary_file, merges, merges_file);
}

Tokenizer Tokenizer::join(const Vocabulary& vocabulary,
                          const std::filesystem::path& vocabulary_file, std::string_view merges,
                          const std::filesystem::path& merges_file) {
  Tokenizer tokenizer;
  tokenizer.take_tokens(vocabulary_file, vocabulary);
  tokenizer.read_merges(merges, merges_file, vocabulary);
  return tokenizer;
}

void Tokenizer::take_tokens(const std::filesystem::path& file, const Vocabulary& vocabulary) {
  const std::size_t count = vocabulary.size();
  std::vector<std::uint32_t> entries(count);  // by id
  std::size_t length = 0;
  for (std::uint32_t k = 0; k < count; ++k) {
    entries[static_cast<std::size_t>(vocabulary.id(k))] = k;
    length += vocabulary.token(k).size();
  }
  bytes_.reserve(length);
  ends_.reserve(count);
  for (const std::uint32_t k : entries) {
    append_bytes(file, vocabulary.token(k), bytes_);
    ends_.push_back(static_cast<std::uint32_t>(bytes_.size()));
  }

  const std::array<int, 256> symbols = make_symbols();
  for (std::size_t byte = 0; byte < 256; ++byte) {
    const std::string symbol = utf8(static_cast<char32_t>(symbols[byte]));
    const auto found = vocabulary.find(symbol);
    if (!found) {
      fail_loading(file,
                   fmt::format("the byte 0x{:02X} has no token: {} is absent; all 256 byte symbols "
                               "must be there",
                               byte, shown(symbol)));
    }
    byte_ids_[byte] = *found;
  }
  end_of_text_ = vocabulary.find(end_of_text_token);
}

void Tokenizer::read_merges(std::string_view all, const std::filesystem::path& file,
                            const Vocabulary& vocabulary) {
  std::size_t line = 0;
  std::size_t first_line = 1;  // line of rank 0
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = std::min(all.find('\n', at), all.size());
    std::string_view merge = all.substr(at, end - at);
    at = end + 1;
    ++line;
    if (!merge.empty() && merge.back() == '\r') merge.remove_suffix(1);
    if (line == 1 && merge.substr(0, 8) == "#version") {
      first_line = 2;
      continue;
    }

    const auto spaces = std::count(merge.begin(), merge.end(), ' ');
    if (spaces != 1) {
      fail_loading(
          file, fmt::format("line {}: {} has {} spaces; a merge must be two tokens with one space "
                            "between",
                            line, shown(merge), spaces));
    }
    const std::size_t middle = merge.find(' ');
    const std::string_view left = merge.substr(0, middle);
    const std::string_view right = merge.substr(middle + 1);
    const auto id = [&](std::string_view token) {
      const auto found = vocabulary.find(token);
      if (found) return *found;
      fail_loading(
          file, fmt::format("line {}: {} of the merge {} is not in the vocabulary; both parts and "
                            "what they join to must be",
                            line, shown(token), shown(merge)));
    };
    const std::int32_t left_id = id(left), right_id = id(right);
    merges_.push_back({left_id, right_id, id(std::string(left).append(right))});
  }
  rank_merges(file, vocabulary, first_line);
}

void Tokenizer::rank_merges(const std::filesystem::path& file, const Vocabulary& vocabulary,
                            std::size_t first_line) {
  ranks_ = IndexTable(merges_.size());
  for (std::uint32_t rank = 0; rank < merges_.size(); ++rank) {
    const Merge& merge = merges_[rank];
    const auto known = ranks_.put(pair_key(merge.left, merge.right), rank, [&](std::uint32_t one) {
      return merges_[one].left == merge.left && merges_[one].right == merge.right;
    });
    if (!known) continue;
    const std::string text = vocabulary.spelt(merge.left) + " " + vocabulary.spelt(merge.right);
    fail_loading(file,
                 fmt::format("line {}: the merge {} is there twice: first on line {}; a merge must "
                             "have one rank",
                             first_line + rank, shown(text), first_line + *known));
  }
}

std::optional<std::uint32_t> Tokenizer::rank_of(std::int32_t left, std::int32_t right) const {
  return ranks_.find(pair_key(left, right), [&](std::uint32_t rank) {
    return merges_[rank].left == left && merges_[rank].right == right;
  });
}

std::vector<std::int32_t> Tokenizer::encode(std::string_view text) const {
  std::vector<std::int32_t> ids;
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t special = std::string_view::npos;
    if (end_of_text_) special = text.find(end_of_text_token, at);
    encode_piece(text, at, std::min(special, text.size()), ids);
    if (special == std::string_view::npos) break;
    ids.push_back(*end_of_text_);
    at = special + end_of_text_token.size();
  }
  return ids;
}

void Tokenizer::encode_piece(std::string_view text, std::size_t from, std::size_t to,
                             std::vector<std::int32_t>& ids) const {
  // Words repeat: each is merged once, then its ids are copied from their first occurrence in
  // `ids`.
  std::unordered_map<std::string_view, std::pair<std::size_t, std::size_t>> seen;
  while (from < to) {
    const std::size_t end = word_end(text, from, to);
    const std::string_view word = text.substr(from, end - from);
    from = end;
    const std::size_t begin = ids.size();
    const auto [known, is_new] = seen.try_emplace(word, begin, begin);
    if (is_new) {
      encode_word(word, ids);
      known->second.second = ids.size();
    } else {
      for (std::size_t i = known->second.first; i < known->second.second; ++i) {
        const std::int32_t id = ids[i];
        ids.push_back(id);
      }
    }
  }
}

void Tokenizer::encode_word(std::string_view word, std::vector<std::int32_t>& ids) const {
  // A list of symbols linked by index; a symbol merged into its left neighbour has id -1.
  struct Symbol {
    std::int32_t id;
    std::size_t previous, next;
  };
  using Candidate = std::pair<std::uint32_t, std::size_t>;  // rank, index of the left symbol
  const std::size_t count = word.size();
  std::vector<Symbol> symbols(count);
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;

  const auto offer = [&](std::size_t left) {
    const std::size_t right = symbols[left].next;
    if (right >= count) return;
    if (const auto rank = rank_of(symbols[left].id, symbols[right].id)) queue.emplace(*rank, left);
  };
  for (std::size_t i = 0; i < count; ++i) {
    symbols[i] = {byte_ids_[static_cast<unsigned char>(word[i])], i - 1, i + 1};
  }
  for (std::size_t i = 0; i < count; ++i) offer(i);

  std::vector<std::size_t> batch;
  while (!queue.empty()) {
    // Every place of the best pair is merged, left to right, before any newer pair is looked at.
    const std::uint32_t rank = queue.top().first;
    batch.clear();
    for (; !queue.empty() && queue.top().first == rank; queue.pop()) {
      batch.push_back(queue.top().second);
    }
    for (const std::size_t left : batch) {
      const std::size_t right = symbols[left].next;
      const Merge& merge = merges_[rank];
      const bool stale =
          right >= count || symbols[left].id != merge.left || symbols[right].id != merge.right;
      if (stale) continue;
      symbols[left].id = merge.joined;
      symbols[left].next = symbols[right].next;
      symbols[right].id = -1;
      if (symbols[left].next < count) symbols[symbols[left].next].previous = left;
      offer(left);
      if (left > 0) offer(symbols[left].previous);
    }
  }
  for (std::size_t i = 0; i < count; i = symbols[i].next) ids.push_back(symbols[i].id);
}

std::string Tokenizer::decode(std::span<const std::int32_t> ids) const {
  std::string text;
  for (const std::int32_t id : ids) text += bytes(id);
  return text;
}

std::string_view Tokenizer::bytes(std::int32_t id) const {
  if (id < 0 || static_cast<std::size_t>(id) >= size()) {
    throw trigon::Error(
        fmt::format("gpt2::Tokenizer::decode: the id is out of range: {}; ids are 0 to {}", id,
                    static_cast<std::int64_t>(size()) - 1));
  }
  const auto k = static_cast<std::size_t>(id);
  const std::size_t begin = k == 0 ? 0 : ends_[k - 1];
  return std::string_view(bytes_).substr(begin, ends_[k] - begin);
}

}  // namespace gpt2

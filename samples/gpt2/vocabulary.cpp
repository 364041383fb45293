// SPDX-License-Identifier: MIT
#include "vocabulary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "common/files.hpp"
#include "files.hpp"
#include "trigon/error.hpp"

namespace gpt2 {

void fail_loading(const std::filesystem::path& file, const std::string& what) {
  throw trigon::Error(fmt::format("gpt2::Tokenizer::load: {}: {}", file.string(), what));
}

std::string shown(std::string_view value) {
  constexpr std::size_t longest = 60;
  if (value.size() <= longest) return fmt::format("{:?}", value);
  std::size_t cut = longest;
  while (cut > longest - 4 && (value[cut] & 0xC0) == 0x80) --cut;  // keep characters whole
  return fmt::format("{:?}... ({} bytes)", value.substr(0, cut), value.size());
}

// GPT-2's own two files have 1.0 and 0.5 million bytes.
std::string read_text(const std::filesystem::path& file) {
  return read_file("gpt2::Tokenizer::load", file, 100'000'000);
}

namespace {

// It also gets duplicate keys, which a JSON object would drop.
class VocabularyReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  VocabularyReader(const std::filesystem::path& file, std::string_view text, Vocabulary& vocabulary)
      : file_(file), text_(text), vocabulary_(vocabulary) {}

  bool null() override { return refuse("null"); }
  bool boolean(bool value) override { return refuse(value ? "true" : "false"); }
  // The text cannot be used: the parser writes the decimal point of the program's locale.
  bool number_float(double value, const std::string&) override {
    return refuse(fmt::to_string(value));
  }
  bool string(std::string& value) override { return refuse(shown(value)); }
  bool binary(nlohmann::json::binary_t&) override { return refuse("binary"); }
  bool start_array(std::size_t) override { return refuse("an array"); }
  bool end_array() override { return true; }
  bool end_object() override { return true; }

  bool number_integer(std::int64_t value) override {
    if (!inside_) refuse(std::to_string(value));
    if (!std::in_range<std::int32_t>(value)) refuse(std::to_string(value));
    vocabulary_.add(key_, static_cast<std::int32_t>(value));
    return true;
  }
  bool number_unsigned(std::uint64_t value) override {
    if (value > std::numeric_limits<std::int64_t>::max()) refuse(std::to_string(value));
    return number_integer(static_cast<std::int64_t>(value));
  }
  bool start_object(std::size_t) override {
    if (inside_) refuse("an object");
    return inside_ = true;
  }
  bool key(std::string& value) override {
    key_ = std::move(value);
    return true;
  }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception&) override {
    // The position counts from 1 and is one past the size where the text ends too early.
    const std::string_view before = text_.substr(0, std::max<std::size_t>(position, 1) - 1);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::string where =
        position > text_.size() ? "the end" : fmt::format("byte {}", position);
    fail_loading(file_,
                 fmt::format("line {}: not JSON at {} of {} bytes; the file must be one object of "
                             "tokens and their ids",
                             line, where, text_.size()));
  }

 private:
  bool refuse(const std::string& value) const {
    if (inside_) {
      fail_loading(file_,
                   fmt::format("the id of {} is {}; an id must be an integer below the number of "
                               "tokens",
                               shown(key_), value));
    }
    fail_loading(
        file_, fmt::format("holds {}; the file must be one object of tokens and their ids", value));
  }

  const std::filesystem::path& file_;
  std::string_view text_;
  Vocabulary& vocabulary_;
  std::string key_;
  bool inside_ = false;
};

// The ids are 0, 1, ... in some order, and tokens are unique.
void check_entries(const std::filesystem::path& file, Vocabulary& vocabulary) {
  const std::size_t count = vocabulary.size();
  constexpr auto none = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> owners(count, none);  // by id
  for (std::uint32_t k = 0; k < count; ++k) {
    const std::string_view token = vocabulary.token(k);
    const std::int32_t id = vocabulary.id(k);
    if (id < 0 || static_cast<std::size_t>(id) >= count) {
      fail_loading(file,
                   fmt::format("the id of {} is out of range: {}; {} tokens must have the ids 0 to "
                               "{}",
                               shown(token), id, count, count - 1));
    }
    if (const auto known = vocabulary.make_found(k)) {
      fail_loading(file,
                   fmt::format("the token {} is there twice: with the ids {} and {}; every token "
                               "must have one id",
                               shown(token), vocabulary.id(*known), id));
    }
    std::uint32_t& owner = owners[static_cast<std::size_t>(id)];
    if (owner != none) {
      fail_loading(file,
                   fmt::format("the id {} is given twice: to {} and {}; every token must have its "
                               "own",
                               id, shown(vocabulary.token(owner)), shown(token)));
    }
    owner = k;
  }
}

}  // namespace

Vocabulary Vocabulary::load(const std::filesystem::path& file) {
  Vocabulary vocabulary;
  vocabulary.read(read_text(file), file);
  check_entries(file, vocabulary);
  return vocabulary;
}

Vocabulary Vocabulary::parse(std::string_view text, const std::filesystem::path& file) {
  Vocabulary vocabulary;
  vocabulary.read(text, file);
  check_entries(file, vocabulary);
  return vocabulary;
}

void Vocabulary::read(std::string_view text, const std::filesystem::path& file) {
  if (const auto fault = samples::find_long_token(text); !fault.empty()) fail_loading(file, fault);
  reserve(text);
  VocabularyReader reader(file, text, *this);
  nlohmann::json::sax_parse(text.begin(), text.end(), &reader);
}

void Vocabulary::reserve(std::string_view text) {
  constexpr std::size_t shortest = 5;  // "":1,
  const auto quotes = static_cast<std::size_t>(std::count(text.begin(), text.end(), '"'));
  const std::size_t most = std::min(quotes / 2, text.size() / shortest);
  entries_.reserve(most);
  texts_.reserve(text.size() - shortest * most);
}

void Vocabulary::add(std::string_view token, std::int32_t id) {
  texts_ += token;
  entries_.push_back({static_cast<std::uint32_t>(texts_.size()), id});
}

std::optional<std::uint32_t> Vocabulary::make_found(std::uint32_t k) {
  if (k == 0) table_ = IndexTable(size());
  return table_.put(std::hash<std::string_view>()(token(k)), k,
                    [&](std::uint32_t one) { return token(one) == token(k); });
}

std::optional<std::int32_t> Vocabulary::find(std::string_view wanted) const {
  const auto found = table_.find(std::hash<std::string_view>()(wanted),
                                 [&](std::uint32_t k) { return token(k) == wanted; });
  return found ? std::optional(id(*found)) : std::nullopt;
}

std::string Vocabulary::spelt(std::int32_t id) const {
  std::size_t k = 0;
  while (entries_[k].id != id) ++k;
  return std::string(token(k));
}

}  // namespace gpt2

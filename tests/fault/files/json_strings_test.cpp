// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>

#include <fmt/format.h>

#include "config.hpp"
#include "memory_cost.hpp"
#include "tokenizer.hpp"

// The memory that strings in a JSON file need.

namespace trigon::fault {
namespace {

/// A kind of file, and its reader.
struct Reader {
  const char* name;
  std::size_t most;  ///< bytes of a text
  void (*write)(const TemporaryDirectory& directory, const std::string& text);
  void (*load)(const TemporaryDirectory& directory);
};

const std::vector<Reader>& readers() {
  static const std::vector<Reader> all = {
      {"header", 100'000'000,
       [](const TemporaryDirectory& directory, const std::string& text) {
         io::write_file(directory / "x.safetensors", with_length(text));
       },
       [](const TemporaryDirectory& directory) {
         io::SafeTensors::open(directory / "x.safetensors");
       }},
      {"index", 100'000'000,
       [](const TemporaryDirectory& directory, const std::string& text) {
         io::write_file(directory / "index.json", text);
       },
       [](const TemporaryDirectory& directory) {
         io::SafeTensors::open(directory / "index.json");
       }},
      {"vocabulary", 100'000'000,
       [](const TemporaryDirectory& directory, const std::string& text) {
         io::write_file(directory / "vocab.json", text);
         io::write_file(directory / "merges.txt", "");
       },
       [](const TemporaryDirectory& directory) { gpt2::Tokenizer::load(directory.path()); }},
      {"configuration", 1'000'000,
       [](const TemporaryDirectory& directory, const std::string& text) {
         io::write_file(directory / "config.json", text);
       },
       [](const TemporaryDirectory& directory) { gpt2::Config::load(directory.path()); }},
  };
  return all;
}

Cost cost_of_text(const Reader& reader, const std::string& text) {
  const TemporaryDirectory directory;
  reader.write(directory, text);
  return cost_of(directory, [&] { reader.load(directory); });
}

/// Texts with one string of `bytes` bytes.
std::vector<std::pair<const char*, std::string>> texts_with(const std::string& bytes) {
  return {
      {"a key", "{\"" + bytes + "\":1}"},
      {"a value", "{\"activation_function\":\"" + bytes + "\"}"},
      {"in a list", "{\"eos_token_id\":[\"" + bytes + "\"]}"},
      {"metadata", "{\"__metadata__\":{\"a\":\"" + bytes + "\"}}"},
      {"without an end", "{\"" + bytes},
      {"wrong escape", "{\"" + bytes.substr(2) + "\\x\":1}"},
      {"wrong after it", "{\"" + bytes + "\"1}"},
  };
}

// Memory in addition to 4 times the file. An invalid string takes most, since the text of the
// parser's error contains it. There are the file, the parser's copy for tokens, and the string as
// written and as decoded. Each of these two takes up to twice its size, since they grow by
// doubling. The longest string is below 15 * 2^18 bytes, at which the second one would grow again.
// Parts of the error's text hold five more copies. Measured are 9.01 times the longest string, so
// 5.01 times 3,500,000 bytes remain.
constexpr double fixed = 17 * 1024 * 1024;

TEST(MemoryOfAFile, OfOneString) {
  double most = 0;
  for (const Reader& reader : readers()) {
    for (const std::size_t size : {2'097'152, 3'500'000}) {  // one copy has just grown; the longest
      for (const auto& [name, text] :
           texts_with(std::string(std::min(size, reader.most / 2), 'k'))) {
        const Cost cost = cost_of_text(reader, text);
        const double beside = cost.bytes - 4 * static_cast<double>(text.size());
        fmt::print("{:>14} {:>15} {:8} bytes: {:10.0f} bytes and {:10.0f}, {:.60}\n", reader.name,
                   name, text.size(), cost.bytes, beside, cost.error);
        EXPECT_LE(beside, fixed) << reader.name << ", " << name;
        most = std::max(most, beside);
      }
    }
  }
  EXPECT_GT(most, fixed / 4);  // or nothing was measured
}

TEST(MemoryOfAFile, OfLongStrings) {
  for (const Reader& reader : readers()) {
    const std::size_t size = std::min<std::size_t>(3'500'000, reader.most / 20);
    const std::string bytes(size - 10, 'k');
    std::string keys = "{", values = R"({"__metadata__":{)";
    for (int k = 0; k < 19; ++k) {
      keys += fmt::format("{}\"{}{}\":{}", k == 0 ? "" : ",", k, bytes, k);
      values += fmt::format("{}\"{}\":\"{}\"", k == 0 ? "" : ",", k, bytes);
    }
    for (const auto& text : {keys + "}", values + "}}"}) {
      const Cost cost = cost_of_text(reader, text);
      const double ratio = cost.bytes / static_cast<double>(text.size());
      fmt::print("{:>14} {:8} bytes: {:5.2f} times their memory, {:.60}\n", reader.name,
                 text.size(), ratio, cost.error);
      EXPECT_LE(ratio, 4) << reader.name;
    }
  }
}

TEST(MemoryOfAFile, OfAStringThatIsTooLong) {
  for (const Reader& reader : readers()) {
    if (reader.most < 64'000'000) continue;
    const std::string text = "{\"a\":\"" + std::string(64'000'000, 'k') + "\"}";
    const Cost cost = cost_of_text(reader, text);
    EXPECT_TRUE(cost.error.ends_with(
        ": string too long: 64000000 bytes at byte 6 of the text; must have at most 3500000"))
        << cost.error;
    EXPECT_LE(cost.bytes, 2 * static_cast<double>(text.size()));
  }
}

}  // namespace
}  // namespace trigon::fault

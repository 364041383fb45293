// SPDX-License-Identifier: MIT
#include "emit/library.hpp"

#include <cctype>
#include <map>
#include <set>
#include <vector>

#include "glsl_text/chunks.hpp"
#include "glsl_text/tokens.hpp"

namespace trigon::detail::emit {
namespace {

/// Calls `found(name, at)` for each `name_(` in the text.
template <class F>
void each_call(std::string_view text, F found) {
  for (std::size_t k = text.find("_("); k != std::string_view::npos; k = text.find("_(", k + 2)) {
    std::size_t begin = k;
    while (begin > 0 && glsl_text::continues_word(text[begin - 1])) --begin;
    found(text.substr(begin, k + 1 - begin), begin);
  }
}

struct Entry {
  const core::Chunk* chunk;
  std::set<std::string_view> calls;
};

struct Index {
  std::vector<Entry> entries;
  std::map<std::string_view, std::size_t> defined_in;

  Index() {
    for (const core::Chunk& chunk : glsl_text::chunks()) {
      Entry entry{&chunk, {}};
      each_call(chunk.text, [&](std::string_view name, std::size_t at) {
        // A definition has its type at the start of the line: `vec4 name_(`.
        const std::size_t line = chunk.text.rfind('\n', at) + 1;
        const std::string_view before = chunk.text.substr(line, at - line);
        const bool defines = before.size() > 1 && before.back() == ' ' &&
                             std::isalpha(static_cast<unsigned char>(before.front())) != 0 &&
                             before.find(' ') == before.size() - 1 && before != "return ";
        if (defines) {
          defined_in.emplace(name, entries.size());
        } else {
          entry.calls.insert(name);
        }
      });
      entries.push_back(std::move(entry));
    }
  }
};

void add(const Index& index, std::size_t number, std::set<std::size_t>& done, std::string& text) {
  if (!done.insert(number).second) return;
  const Entry& entry = index.entries[number];
  // The number of chunks bounds the depth of this recursion.
  for (std::string_view name : entry.calls) {
    const auto at = index.defined_in.find(name);
    if (at != index.defined_in.end()) add(index, at->second, done, text);
  }
  text += entry.chunk->text;
}

}  // namespace

std::string library_for(std::string_view text) {
  static const Index index;
  std::set<std::size_t> done;
  std::string library;
  each_call(text, [&](std::string_view name, std::size_t) {
    const auto at = index.defined_in.find(name);
    if (at != index.defined_in.end()) add(index, at->second, done, library);
  });
  return library;
}

}  // namespace trigon::detail::emit

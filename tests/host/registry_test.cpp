// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <trigon/op.hpp>
#include <trigon/ops/binary.hpp>
#include <trigon/ops/reduce.hpp>
#include <trigon/ops/unary.hpp>

#include "emit/chunks.hpp"

namespace trigon {
namespace {

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string without_comments(std::string_view text) {
  std::string kept;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 2) == "//") i = std::min(text.find('\n', i), text.size() - 1);
    kept += text[i];
  }
  return kept;
}

// Names that end in `_` and are followed by `(`, in order.
std::vector<std::string> functions_in(std::string_view commented) {
  const std::string text = without_comments(commented);
  std::vector<std::string> names;
  for (std::size_t i = text.find("_("); i != std::string::npos; i = text.find("_(", i + 1)) {
    std::size_t begin = i;
    while (begin > 0 && in_name(text[begin - 1])) --begin;
    names.push_back(text.substr(begin, i + 1 - begin));
  }
  return names;
}

// Which chunk defines a function: a line `vec4 name_(` at column 0.
std::map<std::string, std::set<std::string>> definitions() {
  std::map<std::string, std::set<std::string>> found;
  for (const emit::Chunk& chunk : emit::chunks()) {
    const std::string text = "\n" + without_comments(chunk.text);
    for (std::size_t i = text.find('\n'); i + 1 < text.size(); i = text.find('\n', i + 1)) {
      const std::string line = text.substr(i + 1, text.find('\n', i + 1) - i - 1);
      const auto names = functions_in(line);
      if (names.empty() || !in_name(line[0]) || line.back() != '{') continue;
      found[names[0]].insert(std::string(chunk.name));
    }
  }
  return found;
}

std::vector<const char*> texts_of(const Op& op) {
  switch (op.family) {
    case Family::unary: return {op.unary().glsl.get(), op.unary().glsl_int};
    case Family::binary: return {op.binary().glsl.get(), op.binary().glsl_int};
    case Family::ternary: return {op.ternary().glsl.get(), op.ternary().glsl_int};
    case Family::reduce: break;
  }
  const ReduceSpec& spec = op.reduce();
  return {spec.identity.get(), spec.lift.get(), spec.combine.get(), spec.finish.get()};
}

std::string_view doc_of(const Op& op) {
  switch (op.family) {
    case Family::unary: return op.unary().doc.get();
    case Family::binary: return op.binary().doc.get();
    case Family::ternary: return op.ternary().doc.get();
    case Family::reduce: break;
  }
  return op.reduce().doc.get();
}

TEST(Registry, IsSortedByUniqueNames) {
  ASSERT_GT(registry().size(), 70u);
  for (std::size_t i = 1; i < registry().size(); ++i) {
    EXPECT_LT(registry()[i - 1]->name, registry()[i]->name);
  }
}

TEST(Registry, FindsOpsByName) {
  for (const Op* op : registry()) EXPECT_EQ(find_op(op->name), op);
  EXPECT_EQ(find_op("add"), &add_op::op);
  EXPECT_EQ(find_op("max_sumexp"), &max_sumexp_op::op);
  EXPECT_EQ(find_op("no_such_op"), nullptr);
}

TEST(Registry, HoldsNoComposites) {
  for (const char* name : {"softmax", "log_softmax", "layer_norm", "gelu", "silu", "attention",
                           "mean", "var", "logsumexp"}) {
    EXPECT_EQ(find_op(name), nullptr) << name;
  }
}

TEST(Registry, DocumentsEveryOp) {
  for (const Op* op : registry()) {
    ASSERT_FALSE(doc_of(*op).empty()) << op->name;
    EXPECT_NE(doc_of(*op).find_first_of(".;"), std::string_view::npos) << op->name;
  }
}

TEST(Registry, UsesNamesThatTheSpecsDeclare) {
  for (const Op* op : registry()) {
    if (op->family != Family::reduce) continue;
    const ReduceSpec& spec = op->reduce();
    const std::string last = "y" + std::to_string(spec.outputs.get() - 1) + " =";
    EXPECT_NE(std::string(spec.finish.get()).find(last), std::string::npos) << op->name;
    for (int i = 0; i < spec.accumulators.get(); ++i) {
      const std::string set = "a" + std::to_string(i) + " =";
      EXPECT_NE(std::string(spec.identity.get()).find(set), std::string::npos) << op->name;
      EXPECT_NE(std::string(spec.lift.get()).find(set), std::string::npos) << op->name;
    }
  }
}

TEST(Chunks, DefineEveryFunctionThatAnOpUses) {
  const auto defined = definitions();
  for (const Op* op : registry()) {
    for (const char* text : texts_of(*op)) {
      if (text == nullptr) continue;
      for (const std::string& name : functions_in(text)) {
        EXPECT_TRUE(defined.contains(name)) << op->name << " uses " << name;
      }
    }
  }
}

TEST(Chunks, DefineEveryFunctionThatAChunkUses) {
  const auto defined = definitions();
  for (const emit::Chunk& chunk : emit::chunks()) {
    for (const std::string& name : functions_in(chunk.text)) {
      EXPECT_TRUE(defined.contains(name)) << chunk.name << " uses " << name;
    }
  }
}

TEST(Chunks, DefineAFunctionInOneChunkOnly) {
  for (const auto& [name, chunks] : definitions()) EXPECT_EQ(chunks.size(), 1u) << name;
}

TEST(Chunks, DependOnEachOtherWithoutCycles) {
  const auto defined = definitions();
  std::map<std::string, std::set<std::string>> needs;
  for (const emit::Chunk& chunk : emit::chunks()) {
    const std::string self(chunk.name);
    needs[self];
    for (const std::string& name : functions_in(chunk.text)) {
      const auto found = defined.find(name);
      if (found == defined.end()) continue;
      const std::string& other = *found->second.begin();
      if (other != self) needs[self].insert(other);
    }
  }
  bool removed = true;
  while (removed) {  // take away chunks whose needs are met, until none is left
    removed = false;
    for (auto it = needs.begin(); it != needs.end();) {
      if (!it->second.empty()) {
        ++it;
        continue;
      }
      for (auto& [chunk, others] : needs) others.erase(it->first);
      it = needs.erase(it);
      removed = true;
    }
  }
  EXPECT_TRUE(needs.empty()) << needs.begin()->first << " is part of a cycle";
}

TEST(Chunks, BeginWithTheirContract) {
  for (const emit::Chunk& chunk : emit::chunks()) EXPECT_EQ(chunk.text.substr(0, 3), "// ");
}

}  // namespace
}  // namespace trigon

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <dlfcn.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <trigon/extend.hpp>
#include <trigon/trigon.hpp>

#include "core/internals.hpp"
#include "entries/entries.hpp"
#include "glsl_text/chunks.hpp"
#include "graph/node.hpp"
#include "support/errors.hpp"
#include "support/plans.hpp"

namespace trigon {
namespace {

namespace fs = std::filesystem;

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

// Which chunk defines a function: a line `vec4 name_(` at column 0, whose parameters may continue
// on further lines.
std::map<std::string, std::set<std::string>> definitions() {
  std::map<std::string, std::set<std::string>> found;
  for (const core::Chunk& chunk : glsl_text::chunks()) {
    const std::string text = "\n" + without_comments(chunk.text);
    for (std::size_t i = text.find('\n'); i + 1 < text.size(); i = text.find('\n', i + 1)) {
      const std::string line = text.substr(i + 1, text.find('\n', i + 1) - i - 1);
      const auto names = functions_in(line);
      if (names.empty() || !in_name(line[0])) continue;
      if (line.back() != '{' && line.back() != ',') continue;
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
    case Family::reduce:
    case Family::kernel: break;
  }
  const ReduceSpec& spec = op.reduce();
  return {spec.identity.get(), spec.lift.get(), spec.combine.get(), spec.finish.get()};
}

TEST(Registry, IsSortedByName) {
  const std::vector<const Op*> all = registry();
  ASSERT_GT(all.size(), 70u);
  for (std::size_t i = 1; i < all.size(); ++i) EXPECT_LE(all[i - 1]->name, all[i]->name);
}

TEST(Registry, FindsOpsByName) {
  for (const char* name : {"add", "max_sumexp"}) {
    ASSERT_NE(find_op(name), nullptr) << name;
    EXPECT_EQ(find_op(name)->name, name);
  }
  EXPECT_EQ(find_op("no_such_op"), nullptr);
}

// Statics of a program, in any order, may use the library's ops and declare their own.
const Op early(find_op("argmax")->reduce());
const Tensor early_value = exp(full({2}, 1.0));

TEST(Registry, HasTheLibrarysOpsBeforeAllStatics) {
  EXPECT_EQ(&early.canonical(), find_op("argmax"));
  EXPECT_EQ(detail::Internals::node(early_value)->op, find_op("exp"));
  for (int id = 0; id < 70; ++id) EXPECT_EQ(find_op(op_of(id).name), &op_of(id));
}

TEST(Registry, FindsOpsById) {
  for (const Op* op : registry()) {
    EXPECT_EQ(&op_of(op->id), op);
    EXPECT_EQ(&op->canonical(), op);
  }
  // Kernels that were made at run time have ids, too.
  EXPECT_TRUE(support::error_of([&] {
                return &op_of(1 << 30);
              }).starts_with("trigon::op_of: no such op: id is 1073741824; must be in [0, "));
  EXPECT_NE(support::error_of([&] { return &op_of(-1); }), "no error");
}

/// The first group of all matches in the sources below a folder.
std::set<std::string> names_in(const char* folder, const std::regex& pattern) {
  std::set<std::string> names;
  for (const auto& one : fs::recursive_directory_iterator(fs::path(TRIGON_SOURCE_DIR) / folder)) {
    if (one.path().extension() != ".cpp") continue;
    std::ifstream file(one.path());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) {
      names.insert((*it)[1]);
    }
  }
  return names;
}

// named<"exp">() is looked up at its first use.
TEST(Registry, HasEveryOpThatSourcesName) {
  const std::regex use(R"re(\bnamed<"(\w+)">)re");
  const std::regex name(R"re(\n *\.name = "(\w+)",\n)re");
  const std::set<std::string> declared = names_in("src/entries", name);
  EXPECT_GT(declared.size(), 70u);
  for (const std::string& one : declared) EXPECT_NE(find_op(one), nullptr) << one;
  std::set<std::string> functions = names_in("src/entries", use);
  functions.insert({"barrier", "max_sumexp", "moments"});  // parts of functions
  EXPECT_EQ(functions, declared) << "an op has a function";
  EXPECT_EQ(names_in("src", use), declared);
  EXPECT_THROW(static_cast<void>(entries::own_op("no_such_op")), std::logic_error);
}

TEST(Registry, HoldsNoComposites) {
  for (const char* name : {"softmax", "log_softmax", "layer_norm", "gelu", "silu", "attention",
                           "mean", "var", "logsumexp"}) {
    EXPECT_EQ(find_op(name), nullptr) << name;
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
  for (const core::Chunk& chunk : glsl_text::chunks()) {
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
  for (const core::Chunk& chunk : glsl_text::chunks()) {
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
  while (removed) {  // remove chunks whose dependencies are removed, until none is left
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
  for (const core::Chunk& chunk : glsl_text::chunks()) EXPECT_EQ(chunk.text.substr(0, 3), "// ");
}

// ---- Interning ----

// Half of x, for the tests below; not an op of the library.
UnarySpec half(const char* name, const char* glsl = "x * 0.5") {
  return {.name = name,
          .glsl = glsl,
          .result = Result::floating,
          .ref = [](double x) { return x * 0.5; },
          .vjp = [](const Tensor& g, const Tensor&, const Tensor&) { return g * 0.5; },
          .domain = Range{-1, 1},
          .tolerance = Ulp{0}};
}

TEST(Intern, EqualOpsAreOne) {
  const UnarySpec first = half("intern_one");
  const std::string text = "x * 0.5";  // equal by its characters, not by its address
  const UnarySpec second = half("intern_one", text.c_str());
  const Op a(first);
  const Op b(second);
  EXPECT_TRUE(a == b);
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(&a.canonical(), &b.canonical());
  EXPECT_FALSE(a == *find_op("exp"));
}

TEST(Intern, ManyEqualOpsDoNotGrowTheRegistry) {
  const Op first(half("intern_many"));
  const std::size_t count = registry().size();
  for (int k = 0; k < 1000; ++k) EXPECT_EQ(Op(half("intern_many")).id, first.id);
  EXPECT_EQ(registry().size(), count);
}

TEST(Intern, EveryFieldThatDecidesAResultCounts) {
  UnarySpec start = half("intern_fields");
  start.glsl_int = "x";  // other tests compile each op for integers, too
  std::vector<UnarySpec> others(6, start);
  others[0].glsl = "0.5 * x";
  others[1].glsl_int = "x + x";
  others[2].result = Result::same;
  others[3].keeps_bool = true;
  others[4].vjp = nullptr;
  others[5].folds_exactly = true;
  std::set<int> ids{Op(start).id};
  for (const UnarySpec& spec : others) ids.insert(Op(spec).id);
  EXPECT_EQ(ids.size(), 7u);
  UnarySpec same = start;
  same.ref = [](double x) { return x / 2; };
  same.domain = Range{-5, 5};
  EXPECT_EQ(Op(same), Op(start));
}

TEST(Intern, FactsOfABinaryOpCount) {
  BinarySpec start = find_op("arctan2")->binary();
  start.name = "intern_facts";
  std::vector<BinarySpec> others(9, start);
  others[0].is_comparison = true;
  others[1].folds_exactly = true;
  others[2].identity_a = 0.0;
  others[3].identity_b = 0.0;
  others[4].identity_b = -0.0;
  others[5].leaves_integers = true;
  others[6].is_sum = true;
  others[7].is_less = true;
  others[8].negative_b = "no";
  std::set<int> ids{Op(start).id};
  for (const BinarySpec& spec : others) ids.insert(Op(spec).id);
  EXPECT_EQ(ids.size(), 10u);
}

TEST(Intern, FactsOfATernaryOpCount) {
  TernarySpec start = find_op("clip")->ternary();
  start.name = "intern_facts";
  std::vector<TernarySpec> others(2, start);
  others[0].condition_first = true;
  others[1].chooses = true;
  std::set<int> ids{Op(start).id};
  for (const TernarySpec& spec : others) ids.insert(Op(spec).id);
  EXPECT_EQ(ids.size(), 3u);
}

TEST(Intern, OfOneNameTheFirstDeclaredIsFound) {
  const Op first(half("intern_name"));
  const Op second(half("intern_name", "x / 2.0"));
  EXPECT_FALSE(first == second);
  EXPECT_EQ(find_op("intern_name"), &first.canonical());
  EXPECT_EQ(op_of(second.id).unary().glsl.get(), std::string_view("x / 2.0"));
}

TEST(Intern, OpsOutliveTheirDeclaration) {
  int id = 0;
  {
    const std::string name = "intern_outlives", glsl = "x * (0.5)";
    id = Op(half(name.c_str(), glsl.c_str())).id;
  }
  EXPECT_EQ(op_of(id).name, "intern_outlives");
  EXPECT_EQ(op_of(id).unary().glsl.get(), std::string_view("x * (0.5)"));
}

TEST(Intern, NodesHoldTheCanonicalOp) {
  const Op mine(half("intern_node"));
  const Op again(half("intern_node"));
  const Tensor x = full({2}, 1.0);
  EXPECT_EQ(detail::Internals::node(detail::apply(mine, x))->op,
            detail::Internals::node(detail::apply(again, x))->op);
  EXPECT_EQ(detail::Internals::node(exp(x))->op, find_op("exp"));
  const Op total(find_op("sum")->reduce());
  EXPECT_EQ(detail::Internals::node(detail::reduce(total, x, {}, true)[0])->op, find_op("sum"));
}

TEST(Intern, ThreadsGetTheSameIds) {
  std::vector<std::vector<int>> ids(4);
  std::vector<std::thread> threads;
  for (auto& found : ids) {
    threads.emplace_back([&found] {
      for (int k = 0; k < 50; ++k) {
        const std::string name = fmt::format("intern_thread_{}", k);
        found.push_back(Op(half(name.c_str())).id);
        EXPECT_EQ(op_of(found.back()).name, name);
        EXPECT_NE(find_op(name), nullptr);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& found : ids) EXPECT_EQ(found, ids[0]);
}

// tests/modules/declares_ops.cpp declares them again, with symbols of its own.
TEST(Intern, OpsOfTwoSharedObjectsAreOne) {
  const Op mine(half("intern_module"));
  const std::size_t count = registry().size() + (find_op("module_double") == nullptr ? 1 : 0);
  void* const module = dlopen(TRIGON_OPS_MODULE, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(module, nullptr) << dlerror();
  using OpByName = const Op* (*)(const char* name);
  const auto op_in_module = reinterpret_cast<OpByName>(dlsym(module, "op_in_module"));
  ASSERT_NE(op_in_module, nullptr) << dlerror();
  const std::pair<const char*, const Op*> shared[] = {{"exp", find_op("exp")},
                                                      {"add", find_op("add")},
                                                      {"sum", find_op("sum")},
                                                      {"intern_module", &mine}};
  for (const auto& [name, op] : shared) {
    const Op* const theirs = op_in_module(name);
    ASSERT_NE(theirs, nullptr) << name;
    EXPECT_NE(theirs, op) << name;
    EXPECT_EQ(*theirs, *op) << name;
    EXPECT_EQ(&theirs->canonical(), &op->canonical()) << name;
  }
  EXPECT_EQ(registry().size(), count) << "only module_double is new";
  ASSERT_EQ(dlclose(module), 0);
  ASSERT_NE(find_op("module_double"), nullptr) << "an op outlives its shared object";
  EXPECT_EQ(find_op("module_double")->unary().glsl.get(), std::string_view("x * 2.0"));
}

// Loops of kernels count those of the functions that they call.
TEST(Chunks, LoopsAreDeclaredByTheirOps) {
  std::map<std::string, int> iterations;
  const std::regex loop(R"(for \(int \w+ = (\d+); \w+ [<>]=? (\d+);)");
  for (const core::Chunk& chunk : glsl_text::chunks()) {
    const std::string text = without_comments(chunk.text);
    std::smatch found;
    if (text.find("for (") == std::string::npos && text.find("while (") == std::string::npos) {
      continue;
    }
    ASSERT_TRUE(std::regex_search(text, found, loop)) << chunk.name;
    iterations[std::string(chunk.name)] = std::abs(std::stoi(found[2]) - std::stoi(found[1]));
  }
  // Nested: five groups of four iterations, each group with the one that ends it.
  EXPECT_EQ(iterations.erase("random"), 1U);
  const plan::Plan plan = plan_of(random::uniform(1, {2}), core::llvmpipe_webgl1());
  EXPECT_GE(plan.steps.at(0).trips, 5 + 5 * (4 + 1));
  const std::map<std::string, int> declared{
      {"power", find_op("power")->binary().loop_iterations_int},
      {"remainder", find_op("fmod")->binary().loop_iterations}};
  EXPECT_EQ(iterations, declared);
  EXPECT_EQ(find_op("remainder")->binary().loop_iterations,
            find_op("fmod")->binary().loop_iterations);
  EXPECT_EQ(find_op("floor_divide")->binary().loop_iterations,
            find_op("fmod")->binary().loop_iterations);
}

}  // namespace
}  // namespace trigon

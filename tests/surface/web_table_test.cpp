// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <trigon/trigon.hpp>

#include "commands.hpp"
#include "core/internals.hpp"
#include "graph/collect.hpp"
#include "graph/node.hpp"
#include "support/declared.hpp"
#include "support/errors.hpp"
#include "support/graph_values.hpp"
#include "support/public_calls.hpp"
#include "table.hpp"

// The functions of pages: all public ones of tensors, except those with a reason, each with its
// types in trigon.d.mts.

namespace trigon {
namespace {

using web::Handles;
using web::Json;

// ---- The table and the headers

std::set<std::string> names_of_table() {
  std::set<std::string> names;
  for (const web::Row* row : web::table()) {
    EXPECT_TRUE(names.insert(row->name).second) << row->name;
  }
  return names;
}

TEST(WebTable, EveryPublicFunctionOfTensorsIsThereOrLeftOutWithAReason) {
  const std::set<std::string> there = names_of_table();
  std::set<std::string> unexplained;
  for (const auto& [name, why] : web::left_out()) {
    EXPECT_FALSE(why.empty()) << name;
    EXPECT_TRUE(unexplained.insert(name).second) << name;
    EXPECT_FALSE(there.contains(name)) << name << " is there";
  }
  std::set<std::string> needed;
  for (const PublicCall& call : public_calls()) needed.insert(call.name());
  for (const EmptyCall& call : calls_that_read()) needed.insert(call.name);
  for (const Declared& one : declared()) needed.insert(one.name);
  // Members of Tensor, parts and futures, and users' kernels. A page's classes have other members.
  for (const char* name :
       {"at", "item", "read_async", "set", "square_all", "to_vector", "values_for"}) {
    needed.erase(name);
  }
  for (const std::string& name : needed) {
    if (name.starts_with("Tensor::")) continue;  // the page's Tensor has its own members
    const bool is_left_out = unexplained.erase(name) > 0;
    EXPECT_TRUE(there.contains(name) || is_left_out) << name << " is not in src/table";
  }
  EXPECT_TRUE(unexplained.empty()) << *unexplained.begin() << " is no public function";
}

// ---- trigon.d.mts

std::string parameter_list(const web::Row& row, std::size_t first) {
  std::string list;
  for (std::size_t k = first; k < row.parameters.size(); ++k) {
    const web::Parameter& one = row.parameters[k];
    const bool is_first = k == 0 && one.type == "Tensor";
    std::string type = one.type == "Tensor" && !is_first ? "Operand" : one.type;
    if (type == "Tensor") type = "Operand";
    if (one.by_default && one.by_default->is_null() && type.find("null") == std::string::npos) {
      type += " | null";
    }
    list += (list.empty() ? "" : ", ") + one.name + (one.by_default ? "?: " : ": ") + type;
  }
  return list;
}

std::string result_of(const web::Row& row) {
  if (row.count.is_null()) return "Promise<Tensor[]>";
  if (row.count == 1) return "Tensor";
  return row.count == 2 ? "[Tensor, Tensor]" : "Tensor[]";
}

// A declaration with positional arguments, then one with the optional ones by name.
void append_declarations(std::string& text, const web::Row& row, std::size_t first) {
  const std::string name = web::js_name(row).substr(web::js_name(row).find('.') + 1);
  const auto& parameters = row.parameters;
  std::size_t needed = first;
  while (needed < parameters.size() && !parameters[needed].by_default) ++needed;
  const auto line = [&](const std::string& list) {
    text += "  " + name + "(" + list + "): " + result_of(row) + ";\n";
  };
  line(parameter_list(row, first));
  if (needed == parameters.size()) return;
  web::Row positional{.name = row.name, .parameters = parameters};
  positional.parameters.resize(needed);
  const std::string before = parameter_list(positional, first);
  line(before + (before.empty() ? "" : ", ") + "named: {" + parameter_list(row, needed) + "}");
}

std::string wrapped(const std::string& text) {
  std::string result;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = text.find('\n', at);
    std::string line = text.substr(at, end - at);
    while (line.size() > 100) {
      const std::size_t space = line.rfind(' ', 100);
      result += line.substr(0, space) + "\n";
      line = "      " + line.substr(space + 1);
    }
    result += line + "\n";
    at = end + 1;
  }
  return result;
}

// The text between the two marks of trigon.d.mts.
std::string declarations() {
  std::string functions, methods;
  std::vector<std::string> spaces;
  for (const web::Row* one : web::table()) {
    const web::Row& row = *one;
    const std::string js = web::js_name(row);
    const std::size_t dot = js.find('.');
    if (dot == std::string::npos) append_declarations(functions, row, 0);
    if (dot != std::string::npos && std::ranges::find(spaces, js.substr(0, dot)) == spaces.end()) {
      spaces.push_back(js.substr(0, dot));
    }
    if (row.parameters[0].type == "Tensor") append_declarations(methods, row, 1);
  }
  std::string text = "export interface Functions {\n" + functions;
  for (const std::string& space : spaces)
    text += "  readonly " + space + ": " + space + "Functions;\n";
  text += "}\n\n";
  for (const std::string& space : spaces) {
    text += "export interface " + space + "Functions {\n";
    for (const web::Row* row : web::table()) {
      if (web::js_name(*row).starts_with(space + ".")) append_declarations(text, *row, 0);
    }
    text += "}\n\n";
  }
  return wrapped(text + "export interface Methods {\n" + methods + "}\n");
}

TEST(WebTable, TypesAreDeclaredAsTheTableHasThem) {
  const std::string path = std::string(TRIGON_SOURCE_DIR) + "/bindings/web/trigon.d.mts";
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::string begin = "// ---- From the table: a test writes and compares this part\n\n";
  const std::string end = "\n// ---- To here\n";
  const std::size_t from = text.find(begin), to = text.find(end);
  ASSERT_NE(from, std::string::npos);
  ASSERT_NE(to, std::string::npos);
  const std::size_t start = from + begin.size();
  if (std::getenv("TRIGON_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path) << text.substr(0, start) << declarations() << text.substr(to);
    return;
  }
  EXPECT_EQ(text.substr(start, to - start), declarations());
}

// ---- Calls

Json number(std::int64_t id) { return {{"tensor", id}}; }

TEST(WebTable, CallsReadTheirArguments) {
  Handles handles;
  handles.put(1, leaf({2, 3}));
  const auto shape = [&](const char* name, const Json& arguments) {
    return web::row_of(name).call(handles, arguments).at(0).shape();
  };
  EXPECT_EQ(shape("sum", {number(1), 0, true}), Shape({1, 3}));
  EXPECT_EQ(shape("sum", {number(1), nullptr, false}), Shape());
  EXPECT_EQ(shape("sum", {number(1), {0, 1}, false}), Shape());
  EXPECT_EQ(shape("concatenate", {{number(1), number(1)}, 1}), Shape({2, 6}));
  EXPECT_EQ(shape("index", {number(1), {"1:", 0}}), Shape({1}));
  EXPECT_EQ(shape("index", {number(1), {"...", nullptr}}), Shape({2, 3, 1}));
  EXPECT_EQ(shape("index", {number(1), {"::-1", {{"start", 1}, {"size", 2}}}}), Shape({2, 2}));
  EXPECT_EQ(shape("pad", {number(1), 1, "constant", 0}), Shape({4, 5}));
  EXPECT_EQ(shape("pad", {number(1), {{0, 0}, {1, 2}}, "edge", 0}), Shape({2, 6}));
  EXPECT_EQ(shape("transpose", {number(1), nullptr}), Shape({3, 2}));
  EXPECT_EQ(shape("tensordot", {number(1), number(1), {{0}, {0}}}), Shape({3, 3}));
  EXPECT_EQ(shape("random::normal", {{7, 3}, {4, 5}, 0, 1}), Shape({4, 5}));
  EXPECT_EQ(web::row_of("array_split").call(handles, {number(1), {1, 2}, 1}).size(), 3U);
}

TEST(WebTable, NumbersYieldToTheDtypeOfTensors) {
  Handles handles;
  handles.put(1, leaf({2}, int32));
  const auto dtype = [&](const Json& other) {
    return web::row_of("add").call(handles, {number(1), other}).at(0).dtype();
  };
  EXPECT_EQ(dtype(2), int32);
  EXPECT_EQ(dtype(2.0), int32);
  EXPECT_EQ(dtype(2.5), float32);
  EXPECT_EQ(dtype("Infinity"), float32);
  EXPECT_EQ(dtype("-0"), float32);
}

TEST(WebTable, WrongArgumentsAreErrors) {
  Handles handles;
  handles.put(1, leaf({2, 3}));
  const auto error = [&](const char* name, const Json& arguments) {
    return support::error_of([&] { return web::row_of(name).call(handles, arguments); });
  };
  EXPECT_EQ(error("sum", {number(1), 0.5, true}),
            "trigon::sum: bad argument: axis is 0.5; must be a whole number");
  EXPECT_EQ(error("sum", {number(1), 0, 1}),
            "trigon::sum: bad argument: keepdims is 1; must be true or false");
  EXPECT_EQ(error("add", {number(1), "one"}),
            "trigon::add: bad argument: b is \"one\"; must be a tensor or a number");
  EXPECT_EQ(error("astype", {number(1), "int64"}),
            "trigon::astype: bad argument: dtype is \"int64\"; must be one of float32, float16, "
            "int32, uint32, uint8, bool");
  EXPECT_EQ(error("exp", Json::array({number(2)})),
            "trigon: there is no tensor 2: it was disposed of");
  EXPECT_EQ(error("nn::gelu", {number(1), "fast"}),
            "trigon::nn::gelu: bad argument: approximate is \"fast\"; must be one of none, tanh");
}

// ---- Handles

// Whether an evaluation of `root` would keep the value of a node below it.
bool is_kept(const Handles& handles, std::int64_t root, std::int64_t below) {
  const graph::Node* const wanted = detail::Internals::node(handles.get(below)).get();
  const std::vector<graph::NodePtr> roots{detail::Internals::node(handles.get(root))};
  const graph::Collected graph = graph::collect(roots, nullptr);  // no node has a value yet
  for (const graph::Collected::Entry& entry : graph.entries) {
    if (entry.node == wanted) return entry.outside;
  }
  ADD_FAILURE() << "it is not below the root";
  return false;
}

TEST(WebHandles, ValuesOnTheWayAreNotKeptUnlessAskedFor) {
  Handles handles;
  handles.put(1, exp(leaf({4})));
  handles.put(2, handles.get(1) * 2.0);
  EXPECT_FALSE(is_kept(handles, 2, 1));
  handles.keep(1);
  EXPECT_TRUE(is_kept(handles, 2, 1));
}

TEST(WebHandles, AValueOfTwoReadersIsKept) {
  Handles handles;
  handles.put(1, exp(leaf({4})));
  handles.put(2, handles.get(1) * 2.0);
  handles.put(3, handles.get(1) * 3.0);
  EXPECT_TRUE(is_kept(handles, 2, 1));
  handles.free(3);
  EXPECT_FALSE(is_kept(handles, 2, 1));
}

TEST(WebHandles, TensorsGetOtherNumbers) {
  Handles handles;
  const std::int64_t id = handles.add(leaf({4}));
  EXPECT_LT(id, 0);
  handles.rename(id, 5);
  EXPECT_EQ(handles.get(5).shape(), Shape({4}));
  EXPECT_EQ(handles.size(), 1U);
}

TEST(WebHandles, AFailedCallGivesItsTextToWhoeverAsks) {
  Handles handles;
  handles.put(1, web::Failure{"DeviceError", "no"});
  try {
    handles.get(1);
    FAIL();
  } catch (const web::Failure& failure) {
    EXPECT_EQ(failure.name, "DeviceError");
    EXPECT_EQ(failure.text, "no");
    EXPECT_EQ(failure.origin, 0);
  }
}

// ---- Requests

class WebRequests : public testing::Test {
 protected:
  WebRequests() { add_commands(commands_, state_); }
  Json answer(const Json& request) const { return web::respond(commands_, {request, {}}).json; }

  web::State state_{};
  web::Commands commands_{};
};

TEST_F(WebRequests, WhatFailedOnItsWayIsToldByItsOutputs) {
  Json failed = {{"name", "DeviceError"}, {"message", "no memory"}, {"origin", 0}};
  const Json info = {{"op", "info"}, {"in", 6}};
  const Json told = answer({{"op", "fail"}, {"out", {5, 6}}, {"error", failed}})["result"];
  failed["origin"] = 5;
  EXPECT_EQ(told, (Json{{"failed", failed}}));
  EXPECT_EQ(answer(info)["error"], failed);
  answer({{"op", "call"}, {"name", "exp"}, {"args", {{{"tensor", 6}}}}, {"out", {7}}});
  EXPECT_EQ(answer({{"op", "info"}, {"in", 7}})["error"], failed);
}

TEST_F(WebRequests, HoldWholeCharacters) {
  const Json request = Json::parse(R"({"op": "gpt2.encode", "text": "\ud800"})", nullptr, false);
  EXPECT_EQ(answer(request)["error"]["message"],
            "trigon: bad text: it holds half of a character, a surrogate without its other half; "
            "must be well-formed, as toWellFormed() makes it");
}

}  // namespace
}  // namespace trigon

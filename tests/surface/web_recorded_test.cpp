// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <trigon/trigon.hpp>

#include "commands.hpp"
#include "recorded.hpp"
#include "support/errors.hpp"
#include "support/graph_values.hpp"

// Functions that a page has recorded, replayed without a device.

namespace trigon {
namespace {

using support::error_of;
using web::Handles;
using web::Json;
using web::Value;

Json tensor(std::int64_t id) { return {{"tensor", id}}; }

Json call(const char* name, Json arguments, std::vector<std::int64_t> out) {
  return {{"name", name}, {"args", std::move(arguments)}, {"out", std::move(out)}};
}

Json body(std::vector<std::int64_t> parameters, std::vector<std::int64_t> captures,
          std::vector<Json> calls, std::vector<std::int64_t> results) {
  return {{"body",
           {{"parameters", std::move(parameters)},
            {"captures", std::move(captures)},
            {"calls", std::move(calls)},
            {"results", std::move(results)}}}};
}

// x -> sum(x * w), where w is 1
const Json weighted = body({10}, {1},
                           {call("multiply", {tensor(10), tensor(1)}, {11}),
                            call("sum", {tensor(11), nullptr, false}, {12})},
                           {12});

Tensor tensor_of(const std::vector<Value>& values, std::size_t k) {
  return std::get<Tensor>(values.at(k));
}

TEST(WebRecorded, FunctionsAreReplayedWithTheirCaptures) {
  Handles handles;
  handles.put(1, leaf({2, 3}));
  const web::Recorded f(weighted, handles);
  handles.free(1);  // it holds what it captures
  EXPECT_EQ(f({leaf({2, 3})}).at(0).shape(), Shape());
  EXPECT_EQ(f({leaf({3})}).at(0).shape(), Shape()) << "at other shapes, too";
  EXPECT_EQ(error_of([&] { f({}); }), "trigon: a function of 1 tensors is called with 0");
}

TEST(WebRecorded, TransformsGiveTheirResults) {
  Handles handles;
  handles.put(1, leaf({2, 3}));
  handles.put(2, leaf({2, 3}));
  const auto results = [&](const char* name, Json arguments, std::size_t count) {
    return perform(handles, call(name, std::move(arguments), {}), count);
  };
  const Json list = Json::array({tensor(2)}), counts = Json::array({1});
  EXPECT_EQ(tensor_of(results("grad", {weighted, list, counts}, 1), 0).shape(), Shape({2, 3}));
  const auto both = results("value_and_grad", {weighted, list, counts}, 2);
  EXPECT_EQ(tensor_of(both, 0).shape(), Shape());
  EXPECT_EQ(tensor_of(both, 1).shape(), Shape({2, 3}));
  // i, s -> s + i
  const Json add = body({20, 21}, {}, {call("add", {tensor(21), tensor(20)}, {22})}, {22});
  EXPECT_EQ(tensor_of(results("fori_loop", {0, 5, add, list, 0}, 1), 0).shape(), Shape({2, 3}));
  EXPECT_EQ(
      tensor_of(results("fori_loop", {0, {{"scalar", 5}, {"integer", true}}, add, list, 0}, 1), 0)
          .shape(),
      Shape({2, 3}));
  const Json running = body({20, 21}, {}, {call("add", {tensor(21), tensor(20)}, {22})}, {22, 22});
  const auto scanned = results("scan", {running, list, Json::array({tensor(1)}), 0}, 2);
  EXPECT_EQ(tensor_of(scanned, 1).shape(), Shape({2, 2, 3})) << "the state broadcasts";
}

TEST(WebRecorded, PullbacksAreFunctions) {
  Handles handles;
  handles.put(1, leaf({2, 3}));
  handles.put(2, leaf({2, 3}));
  std::vector<Value> made =
      perform(handles, call("vjp", {weighted, Json::array({tensor(2)}), Json::array({1})}, {}), 2);
  handles.put(3, std::move(made.at(1)));
  handles.put(4, leaf({}));
  const Json pull{{"function", 3}, {"args", {tensor(4)}}};
  EXPECT_EQ(tensor_of(perform(handles, pull, 1), 0).shape(), Shape({2, 3}));
  EXPECT_EQ(error_of([&] { perform(handles, pull, 2); }),
            "trigon::a function: it gives 1 results, not 2");
  EXPECT_EQ(error_of([&] { handles.get(3); }), "trigon: 3 is a function; must be a tensor");
  EXPECT_EQ(error_of([&] { handles.function(4); }), "trigon: 4 is a tensor; must be a function");
  handles.free(3);
  EXPECT_EQ(error_of([&] { perform(handles, pull, 1); }),
            "trigon: there is no tensor 3: it was disposed of");
}

TEST(WebRecorded, AGradientNamesTheArgumentOfThePage) {
  Handles handles;
  handles.put(1, leaf({2, 3}));
  handles.put(2, leaf({2, 3}));
  handles.put(3, leaf({2, 3}, trigon::int32));
  const Json sum = body({20, 21, 22}, {}, {call("add", {tensor(20), tensor(21)}, {23})}, {23});
  const auto error = [&](const Json& counts) {
    const Json leaves = Json::array({tensor(1), tensor(2), tensor(3)});
    return error_of([&] { perform(handles, call("grad", {sum, leaves, counts}, {30}), 3); });
  };
  EXPECT_EQ(error({2, 1}),
            "trigon::grad: argument 1 is not float32: it is int32; cast it with astype, or let the "
            "function capture it");
  EXPECT_EQ(error({1, 2}),
            "trigon::grad: argument 1 is not float32: its leaf 1 is int32; cast it with astype, or "
            "let the function capture it");
}

TEST(WebRecorded, AFailureNamesTheCallWithin) {
  Handles handles;
  handles.put(1, leaf({5}));
  handles.put(2, leaf({2, 3}));
  try {
    perform(handles, call("grad", {weighted, Json::array({tensor(2)}), Json::array({1})}, {30}), 1);
    FAIL();
  } catch (const web::Failure& failure) {
    EXPECT_EQ(failure.origin, 11);
    EXPECT_TRUE(failure.text.starts_with("trigon::multiply: shapes do not broadcast"))
        << failure.text;
  }
}

TEST(WebRecorded, BodiesOfAnotherFormAreErrors) {
  Handles handles;
  EXPECT_THROW(web::Recorded(Json{{"tensor", 1}}, handles), Json::exception);
  EXPECT_EQ(error_of([&] { web::Recorded(weighted, handles); }),
            "trigon: there is no tensor 1: it was disposed of");
}

// ---- Numbers that change

class WebNumbers : public testing::Test {
 protected:
  WebNumbers() { handles_.put(1, leaf({4})); }
  bool is_scalar(Json call) {
    const auto changed = numbers_.call(handles_, call, place_);
    return changed && (*changed)["args"][1].contains("scalar");
  }

  Handles handles_{};
  web::ChangingNumbers numbers_{};
  std::uint64_t place_ = 0;
};

TEST_F(WebNumbers, ANumberThatChangesAtItsPlaceIsAScalarFromThenOn) {
  const auto times = [](double value) { return call("multiply", {tensor(1), value}, {}); };
  EXPECT_FALSE(is_scalar(times(0.5)));
  EXPECT_FALSE(is_scalar(times(0.5))) << "it has not changed";
  EXPECT_TRUE(is_scalar(times(0.25)));
  EXPECT_TRUE(is_scalar(times(0.5)));
  EXPECT_FALSE(is_scalar(call("add", {tensor(1), 0.25}, {}))) << "another place";
  EXPECT_FALSE(is_scalar(call("power", {tensor(1), 2}, {})));
  EXPECT_FALSE(is_scalar(call("power", {tensor(1), 3}, {}))) << "only arithmetic";
}

TEST_F(WebNumbers, IntegersAndOtherGraphsKeepTheirNumbers) {
  handles_.put(2, leaf({4}, int32));
  EXPECT_FALSE(is_scalar(call("add", {tensor(2), 1}, {})));
  EXPECT_FALSE(is_scalar(call("add", {tensor(2), 2}, {})));
  // The same call of results of two calls.
  numbers_.call(handles_, call("exp", Json::array({tensor(1)}), {}), place_);
  handles_.put(3, exp(leaf({4})), place_);
  numbers_.call(handles_, call("sin", Json::array({tensor(1)}), {}), place_);
  handles_.put(4, sin(leaf({4})), place_);
  EXPECT_FALSE(is_scalar(call("add", {tensor(3), 1}, {})));
  EXPECT_FALSE(is_scalar(call("add", {tensor(4), 2}, {})));
  EXPECT_TRUE(is_scalar(call("add", {tensor(3), 2}, {})));
}

}  // namespace
}  // namespace trigon

// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <vector>

#include <nlohmann/json.hpp>
#include <trigon/trigon.hpp>

#include "model.hpp"

// GPT-2 in a browser: the ids of the reference, which worker.js has put beside the model.

namespace {

using Ids = std::vector<std::int32_t>;
using trigon::Profile;

class BrowserGpt2 : public testing::TestWithParam<Profile> {};

INSTANTIATE_TEST_SUITE_P(, BrowserGpt2, testing::Values(Profile::webgl2, Profile::webgl1),
                         [](const auto& test) {
                           return test.param == Profile::webgl2 ? "WebGL2" : "WebGL1";
                         });

TEST_P(BrowserGpt2, GreedyIdsAreTheReferences) {
  const trigon::Device device({.profile = GetParam()});
  const gpt2::Model model = gpt2::Model::load("/model", device);
  std::ifstream file("/model/golden.json");
  const auto golden = nlohmann::json::parse(file);
  ASSERT_GE(golden.size(), 1U);
  for (const auto& text : golden) {
    const auto expected = text.at("greedy").get<Ids>();
    auto ids = text.at("ids").get<Ids>();
    ASSERT_GE(expected.size(), ids.size() + 64);
    gpt2::Session session = model.start();
    std::int32_t next = session.greedy(ids);
    while (ids.size() < expected.size()) {
      ids.push_back(next);
      next = session.greedy({&ids.back(), 1});
    }
    EXPECT_EQ(ids, expected);
  }
}

}  // namespace

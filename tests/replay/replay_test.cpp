// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cases.hpp"
#include "core/hash.hpp"

// Plans of programs have not changed since expected.txt was written: it has a hash of each plan's
// text.

namespace trigon::replay {
namespace {

namespace fs = std::filesystem;

/// Case and device.
using Key = std::pair<std::string, std::string>;

const std::map<Key, std::string>& expected() {
  static const std::map<Key, std::string> rows = [] {
    std::map<Key, std::string> read;
    std::ifstream file(TRIGON_SOURCE_DIR "/tests/replay/expected.txt");
    std::string name, device, hash;
    while (file >> name >> device >> hash) read[{name, device}] = hash;
    return read;
  }();
  return rows;
}

const std::vector<Case>& cases() {
  static const std::vector<Case> all = [] {
    std::vector<Case> made = graph_cases();
    for (Case& one : program_cases()) made.push_back(std::move(one));
    return made;
  }();
  return all;
}

/// The output of a run for tests/replay/run: the texts and their rows.
void keep(const Key& key, const std::string& text, const std::string& hash) {
  const char* const folder = std::getenv("TRIGON_REPLAY_TEXTS");
  if (folder == nullptr) return;
  const fs::path place = fs::path(folder) / key.first;
  fs::create_directories(place);
  std::ofstream(place / (key.second + ".txt")) << text;
  std::ofstream(place / (key.second + ".row"))
      << fmt::format("{} {} {}\n", key.first, key.second, hash);
}

class Replay : public testing::TestWithParam<std::size_t> {};

TEST_P(Replay, PlansAsBefore) {
  const Case& one = cases()[GetParam()];
  for (const Target& target : targets()) {
    PlanText text;
    one.run(target, text);
    const std::string hash = fmt::format("{:016x}", core::mix(0, std::string_view(text.text())));
    const Key key{one.name, target.name};
    keep(key, text.text(), hash);
    const auto row = expected().find(key);
    EXPECT_EQ(hash, row == expected().end() ? "no row" : row->second)
        << "changed: " << one.name << " " << target.name
        << "; tests/replay/run --diff prints how the texts differ";
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, Replay, testing::Range(std::size_t{0}, cases().size()),
                         [](const auto& test) {
                           std::string name = cases()[test.param].name;
                           for (char& c : name) c = std::isalnum(c) != 0 ? c : '_';
                           return name;
                         });

TEST(ReplayRows, AreThoseOfTheCases) {
  std::set<Key> found, wanted;
  for (const auto& [key, hash] : expected()) found.insert(key);
  for (const Case& one : cases()) {
    for (const Target& target : targets()) wanted.insert({one.name, target.name});
  }
  EXPECT_EQ(found, wanted);
}

}  // namespace
}  // namespace trigon::replay

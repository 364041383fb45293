// SPDX-License-Identifier: MIT
#include "../export.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include <trigon/io.hpp>

#include "support.hpp"

namespace simulate {
namespace {

namespace fs = std::filesystem;
using test::error_of;
using trigon::Shape;

class SimulateExport : public testing::Test {
 protected:
  ~SimulateExport() override { fs::remove_all(folder_); }

  nlohmann::json exported(const char* name, const Settings& settings) const {
    const Entry& entry = *find_entry(name);
    export_run(folder_, *entry.make(settings), entry, settings, {{"tensor", 2.5}, {"hand", 1.5}});
    return nlohmann::json::parse(std::ifstream(folder_ / "run.json"));
  }
  trigon::Tensor loaded(const std::string& file) const {
    return trigon::load_npy(folder_ / (file + ".npy"));
  }

  fs::path folder_ = fs::path(testing::TempDir()) / ("simulate_export_" + std::to_string(getpid()));
};

TEST_F(SimulateExport, DescribesTheRun) {
  const nlohmann::json run = exported("acrobot", {.elements = 8, .steps = 60, .euler = true});
  EXPECT_EQ(run["name"], "acrobot");
  EXPECT_EQ(run["integrator"], "euler");
  EXPECT_EQ(run["elements"], 8);
  EXPECT_EQ(run["steps"], 60);
  EXPECT_EQ(run["chaotic"], true);
  EXPECT_EQ(run["predictable_steps"], 50);
  EXPECT_EQ(run["ms"], (nlohmann::json{{"tensor", 2.5}, {"hand", 1.5}}));
  EXPECT_EQ(run["driver"], trigon::Device::default_device().name());
  const std::vector<std::string> weights = {"in", "in_bias", "out", "out_bias"};
  const std::vector<std::string> values = {"angle1", "angle2", "spin1", "spin2", "score"};
  std::vector<std::string> inputs = weights;
  inputs.insert(inputs.end(), values.begin(), values.end());
  EXPECT_EQ(run["inputs"], inputs);
  EXPECT_EQ(run["values"], values);
}

TEST_F(SimulateExport, WritesInputsAndResults) {
  const Settings settings{.elements = 8, .steps = 60, .seed = 3};
  const nlohmann::json run = exported("acrobot", settings);
  EXPECT_EQ(run["integrator"], "rk4");
  EXPECT_EQ(loaded("inputs/in").shape(), Shape({8, 6, 16}));
  EXPECT_EQ(loaded("inputs/in_bias").shape(), Shape({8, 16}));
  EXPECT_EQ(loaded("inputs/out").shape(), Shape({8, 16, 3}));
  EXPECT_EQ(loaded("inputs/out_bias").shape(), Shape({8, 3}));
  EXPECT_EQ(loaded("inputs/score").to_vector<float>(), test::Floats(8, 0.0F));
  const auto simulation = make_acrobot(settings);
  for (const std::int64_t steps : {50, 60}) {
    const auto one = simulation->start(Form::tensor);
    one->advance(steps);
    for (const Value& value : one->values()) {
      const std::string file = "after-" + std::to_string(steps) + "/" + value.name;
      EXPECT_EQ(loaded(file).to_vector<float>(), value.tensor.to_vector<float>()) << file;
    }
  }
}

TEST_F(SimulateExport, WritesTheMarket) {
  const nlohmann::json run = exported("trading", {.elements = 6, .steps = 9});
  EXPECT_EQ(run["predictable_steps"], 9);
  EXPECT_EQ(run["chaotic"], false);
  EXPECT_FALSE(run.contains("integrator"));
  EXPECT_EQ(run["values"], (std::vector<std::string>{"wealth", "drawdown", "costs"}));
  EXPECT_EQ(loaded("inputs/table").shape(), Shape({9, 36}));
  EXPECT_EQ(loaded("after-9/wealth").shape(), Shape({6}));
}

TEST_F(SimulateExport, NamesWhatCannotBeExported) {
  EXPECT_EQ(error_of([&] { exported("pi", {.elements = 4, .steps = 1}); }),
            "simulate: pi has no inputs to export");
  const Entry& trading = *find_entry("trading");
  const Settings small{.elements = 4, .steps = 1};
  EXPECT_EQ(
      error_of([&] { export_run("/proc/nowhere", *trading.make(small), trading, small, {}); }),
      "simulate: /proc/nowhere/inputs: cannot be created: No such file or directory");
}

}  // namespace
}  // namespace simulate

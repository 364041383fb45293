// SPDX-License-Identifier: MIT
#include "export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include <trigon/device.hpp>
#include <trigon/error.hpp>
#include <trigon/io.hpp>

namespace simulate {
namespace {

namespace fs = std::filesystem;

void create(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw trigon::Error(
        fmt::format("simulate: {}: cannot be created: {}", folder.string(), error.message()));
  }
}

// Returns the names of the written values.
std::vector<std::string> write(const fs::path& folder, const std::vector<Value>& values) {
  create(folder);
  std::vector<std::string> names;
  for (const Value& one : values) {
    if (!one.tensor.has_value()) continue;
    trigon::save_npy(folder / (one.name + ".npy"), one.tensor);
    names.push_back(one.name);
  }
  return names;
}

std::vector<Value> values_after(const Simulation& simulation, std::int64_t steps) {
  const auto run = simulation.start(Form::tensor);
  run->advance(steps);
  return run->values();
}

void write_text(const fs::path& file, const std::string& text) {
  std::ofstream stream(file);
  stream << text << "\n";
  if (!stream.flush()) {
    throw trigon::Error(fmt::format("simulate: {}: cannot be written", file.string()));
  }
}

}  // namespace

void export_run(const fs::path& folder, const Simulation& simulation, const Entry& entry,
                const Settings& settings, const std::map<std::string, double>& ms) {
  const std::vector<Value> inputs = simulation.inputs();
  if (inputs.empty()) {
    throw trigon::Error(fmt::format("simulate: {} has no inputs to export", entry.name));
  }
  const std::int64_t few = std::min(settings.steps, predictable_steps);
  const auto after = [&](std::int64_t steps) {
    return write(folder / fmt::format("after-{}", steps), values_after(simulation, steps));
  };
  const std::vector<std::string> input_names = write(folder / "inputs", inputs);
  after(few);
  const std::vector<std::string> value_names = after(settings.steps);
  nlohmann::ordered_json object{{"name", entry.name}};
  if (std::string_view(entry.name) == "acrobot") {
    object["integrator"] = settings.euler ? "euler" : "rk4";
  }
  object["elements"] = settings.elements;
  object["steps"] = settings.steps;
  object["chaotic"] = entry.chaotic;
  object["predictable_steps"] = few;
  object["inputs"] = input_names;
  object["values"] = value_names;
  object["ms"] = ms;
  object["driver"] = trigon::Device::default_device().name();
  write_text(folder / "run.json", object.dump(2));
}

}  // namespace simulate

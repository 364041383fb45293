// SPDX-License-Identifier: MIT
#pragma once

// Helpers of the tests of the model and of the program.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <trigon/trigon.hpp>

#include "../model.hpp"
#include "support/errors.hpp"

namespace gpt2::test {

namespace fs = std::filesystem;
using Ids = std::vector<std::int32_t>;

template <class F>
std::string error_of(const F& call) {
  return trigon::support::error_of<std::exception>(call);
}

/// Of the model's values.
constexpr double tolerance = 2e-4;

inline std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

inline void write(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

/// Folders that are removed when the tests end.
struct Folders {
  std::vector<fs::path> all;
  ~Folders() {
    std::error_code ignored;
    for (const fs::path& dir : all) fs::remove_all(dir, ignored);
  }
};

/// An empty folder of the running test.
inline fs::path make_folder(const std::string& name = "model") {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  std::string leaf =
      fmt::format("{}_{}_{}_{}", test->test_suite_name(), test->name(), name, getpid());
  for (char& c : leaf) c = c == '/' ? '_' : c;
  const fs::path dir = fs::path(testing::TempDir()) / leaf;
  fs::remove_all(dir);
  fs::create_directories(dir);
  static Folders folders;
  folders.all.push_back(dir);
  return dir;
}

/// The folder of other people's data, or empty.
inline fs::path real_data() {
  const char* dir = std::getenv("TRIGON_REAL_DATA");
  return dir == nullptr ? fs::path() : fs::path(dir);
}

#define GPT2_SKIP_WITHOUT_REAL_DATA()  \
  if (gpt2::test::real_data().empty()) \
  GTEST_SKIP() << "TRIGON_REAL_DATA names no folder of real data"

/// One device per profile for all tests, since opening one and compiling for it is slow.
inline const trigon::Device& device(trigon::Profile profile) {
  static std::map<trigon::Profile, trigon::Device> devices;
  const auto found = devices.find(profile);
  if (found != devices.end()) return found->second;
  return devices.emplace(profile, trigon::Device({.profile = profile})).first->second;
}

inline const Model& bundled(trigon::Profile profile) {
  static std::map<trigon::Profile, Model> models;
  const auto found = models.find(profile);
  if (found != models.end()) return found->second;
  return models.emplace(profile, Model::load(GPT2_MODEL_DIR, device(profile))).first->second;
}

inline nlohmann::json golden() {
  return nlohmann::json::parse(read(fs::path(GPT2_MODEL_DIR) / "golden.json"));
}

// ---- a tiny model, written by hand

using Shapes = std::vector<std::pair<std::string, std::vector<std::int64_t>>>;

inline nlohmann::json tiny_config() {
  return {{"model_type", "gpt2"}, {"vocab_size", 11}, {"n_positions", 6},
          {"n_embd", 8},          {"n_layer", 2},     {"n_head", 2}};
}

inline Shapes tiny_shapes() {
  Shapes shapes = {{"wte.weight", {11, 8}}, {"wpe.weight", {6, 8}}};
  for (const std::string block : {"h.0.", "h.1."}) {
    for (const char* norm : {"ln_1", "ln_2"}) {
      shapes.push_back({block + norm + ".weight", {8}});
      shapes.push_back({block + norm + ".bias", {8}});
    }
    const auto matrix = [&](const char* name, std::int64_t in, std::int64_t out) {
      shapes.push_back({block + name + ".weight", {in, out}});
      shapes.push_back({block + name + ".bias", {out}});
    };
    matrix("attn.c_attn", 8, 24);
    matrix("attn.c_proj", 8, 8);
    matrix("mlp.c_fc", 8, 32);
    matrix("mlp.c_proj", 32, 8);
  }
  shapes.push_back({"ln_f.weight", {8}});
  shapes.push_back({"ln_f.bias", {8}});
  return shapes;
}

/// Numbers in [-1, 1) that only depend on the tensor's name without "transformer.".
inline std::vector<float> tiny_values(std::string name, std::size_t count) {
  const std::string prefix = "transformer.";
  if (name.starts_with(prefix)) name.erase(0, prefix.size());
  std::uint32_t state = 2166136261U;
  for (const char c : name) state = (state ^ static_cast<unsigned char>(c)) * 16777619U;
  std::vector<float> values(count);
  for (float& value : values) {
    state = state * 1664525U + 1013904223U;
    value = static_cast<float>(state >> 8) * 0x1p-23F - 1.0F;
  }
  return values;
}

/// A safetensors file. `dtype` F32 or I32: the same bytes.
inline void write_tensors(const fs::path& file, const Shapes& shapes,
                          const std::string& dtype = "F32") {
  nlohmann::ordered_json header;
  std::string data;
  for (const auto& [name, shape] : shapes) {
    std::size_t count = 1;
    for (const std::int64_t size : shape) count *= static_cast<std::size_t>(size);
    const std::vector<float> values = tiny_values(name, count);
    const std::size_t from = data.size();
    data.append(reinterpret_cast<const char*>(values.data()), 4 * count);
    header[name] = {{"dtype", dtype}, {"shape", shape}, {"data_offsets", {from, data.size()}}};
  }
  const std::string text = header.dump();
  const std::uint64_t size = text.size();
  write(file, std::string(reinterpret_cast<const char*>(&size), 8) + text + data);
}

/// A folder with the tiny model, its file changed by `change`.
inline fs::path tiny_folder(const std::function<void(Shapes&)>& change = {},
                            const nlohmann::json& config = tiny_config(),
                            const std::string& name = "model") {
  const fs::path dir = make_folder(name);
  write(dir / "config.json", config.dump());
  Shapes shapes = tiny_shapes();
  if (change) change(shapes);
  write_tensors(dir / "model.safetensors", shapes);
  return dir;
}

}  // namespace gpt2::test

// SPDX-License-Identifier: MIT
// GPT-2 natively, as gpt2.mjs runs it in a browser: one JSON object on stdout.
// usage: native FOLDER
#include <chrono>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <trigon/trigon.hpp>

#include "model.hpp"

namespace {

using Ids = std::vector<std::int32_t>;

double now_ms() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::milli>(now).count();
}

struct Text {
  double first_ms;  // to the first id
  double rate;      // ids a second after it
  Ids ids;
};

Text write(gpt2::Model& model, const Ids& prompt, int count) {
  gpt2::Session session = model.start();
  const double begin = now_ms();
  Ids ids{session.greedy(prompt)};
  const double first = now_ms();
  while (std::ssize(ids) < count) ids.push_back(session.greedy({&ids.back(), 1}));
  return {first - begin, 1000 * (count - 1) / (now_ms() - first), std::move(ids)};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: native FOLDER\n");
    return 2;
  }
  const std::filesystem::path folder(argv[1]);
  gpt2::Model model = gpt2::Model::load(folder, trigon::Device::default_device());
  std::ifstream file(folder / "golden.json");
  const auto prompt = nlohmann::json::parse(file).at(0).at("ids").get<Ids>();
  constexpr int count = 200;
  const double cold = write(model, prompt, 1).first_ms;
  write(model, prompt, count / 4 + 1);  // compiles
  const double first = write(model, prompt, 1).first_ms;
  const std::clock_t begin = std::clock();
  const Text text = write(model, prompt, count + 1);
  const double cpu = 1000.0 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / count;
  fmt::print(
      "{{\"device\": \"{}\", \"cold_ms\": {}, \"first_ms\": {}, \"tokens_per_second\": {}, "
      "\"cpu_ms\": {}, \"ids\": [{}]}}\n",
      trigon::Device::default_device().name(), cold, first, text.rate, cpu,
      fmt::join(text.ids, ", "));
}

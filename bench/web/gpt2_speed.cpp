// SPDX-License-Identifier: MIT
#include "gpt2_speed.hpp"

#include <chrono>
#include <fstream>

#include <nlohmann/json.hpp>
#include <trigon/device.hpp>

namespace bench {
namespace {

double now_ms() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::milli>(now).count();
}

}  // namespace

Gpt2Speed::Gpt2Speed(const std::filesystem::path& folder)
    : model_(gpt2::Model::load(folder, trigon::Device::default_device())) {
  std::ifstream file(folder / "golden.json");
  prompt_ = nlohmann::json::parse(file).at(0).at("ids").get<std::vector<std::int32_t>>();
}

double Gpt2Speed::first_ms() {
  gpt2::Session session = model_.start();
  const double begin = now_ms();
  ids_ = {session.greedy(prompt_)};
  return now_ms() - begin;
}

double Gpt2Speed::tokens_per_second(int count) {
  gpt2::Session session = model_.start();
  ids_ = {session.greedy(prompt_)};
  const double begin = now_ms();
  for (int k = 0; k < count; ++k) ids_.push_back(session.greedy({&ids_.back(), 1}));
  return 1000 * count / (now_ms() - begin);
}

}  // namespace bench

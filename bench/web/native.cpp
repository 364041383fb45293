// SPDX-License-Identifier: MIT
// GPT-2 natively, for bench/web/run: one JSON object on stdout.
// usage: web_native FOLDER
#include <ctime>

#include <fmt/format.h>

#include <trigon/trigon.hpp>

#include "gpt2_speed.hpp"

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: web_native FOLDER\n");
    return 2;
  }
  constexpr int count = 200;
  bench::Gpt2Speed speed(argv[1]);
  const double cold = speed.first_ms();
  speed.tokens_per_second(count / 4);  // compiles
  const double first = speed.first_ms();
  const std::clock_t begin = std::clock();
  const double rate = speed.tokens_per_second(count);
  const double cpu = 1000.0 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / count;
  fmt::print(
      "{{\"device\": \"{}\", \"cold_ms\": {}, \"first_ms\": {}, \"tokens_per_second\": {}, "
      "\"cpu_ms\": {}, \"ids\": [{}]}}\n",
      trigon::Device::default_device().name(), cold, first, rate, cpu,
      fmt::join(speed.ids(), ", "));
}

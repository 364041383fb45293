// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <trigon/trigon.hpp>

#include "faults.hpp"

// Eight threads evaluate a thousand shapes again and again on one device, and memory stays flat.
// TRIGON_SOAK is the number of evaluations, 10,000 without it.

namespace trigon::fault {
namespace {

constexpr int threads = 8, rounds = 10;
constexpr std::int64_t shapes = 1000;

std::int64_t evaluations() {
  const char* text = std::getenv("TRIGON_SOAK");
  return text == nullptr ? 10'000 : std::atoll(text);
}

/// The memory of this process in KiB.
std::int64_t resident() {
  std::int64_t all = 0, pages = 0;
  std::ifstream("/proc/self/statm") >> all >> pages;
  return pages * ::sysconf(_SC_PAGESIZE) / 1024;
}

/// Whether evaluation k is right: a stored tensor, a written part of it, a product and a sum of two
/// draws.
bool is_right(const Device& device, std::int64_t k) {
  const std::int64_t rows = 1 + k % shapes % 40, columns = 1 + k % shapes / 40;
  const auto count = static_cast<std::size_t>(rows * columns);
  Tensor x = tensor<float>(std::vector<float>(count, 1), {rows, columns}, device);
  x(0) = 3.0F;
  const Tensor y = matmul(x, x.T());  // columns, times 3 if one of its rows is the first
  const float total = sum(y).item();
  const std::vector<float> first = y[0].to_vector<float>();
  if (draws_nothing()) return true;
  const auto c = static_cast<float>(columns), others = static_cast<float>(rows - 1);
  return first[0] == 9 * c && total == c * (9 + 6 * others + others * others);
}

TEST(Soak, EightThreadsOverAThousandShapesLeaveMemoryFlat) {
  const Device device{DeviceOptions{}};
  std::vector<std::int64_t> blocks, kibibytes;
  std::atomic<std::int64_t> next = 0, wrong = 0;
  for (int round = 1; round <= rounds; ++round) {
    const std::int64_t end = evaluations() * round / rounds;
    std::vector<std::thread> all;
    for (int t = 0; t < threads; ++t) {
      all.emplace_back([&] {
        for (std::int64_t k = next++; k < end; k = next++) wrong += is_right(device, k) ? 0 : 1;
      });
    }
    for (std::thread& one : all) one.join();
    next = end;
    synchronize(device);
    blocks.push_back(live_blocks());
    kibibytes.push_back(resident());
    std::printf("after %lld: %lld blocks, %lld KiB\n", static_cast<long long>(end),
                static_cast<long long>(blocks.back()), static_cast<long long>(kibibytes.back()));
  }
  EXPECT_EQ(wrong, 0);
  // The first round sees all shapes, if there are 10,000 evaluations or more. Which textures the
  // pool holds depends on how threads take turns.
  EXPECT_LE(blocks.back(), blocks[4] + blocks[4] / 200);
  EXPECT_LE(kibibytes.back(), kibibytes[4] + kibibytes[4] / 32);
}

}  // namespace
}  // namespace trigon::fault

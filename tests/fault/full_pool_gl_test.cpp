// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include <trigon/trigon.hpp>

// The host's memory runs out while the pool is full. Over the driver, since a GL that draws nothing
// has no textures.

namespace trigon::fault {
namespace {

// A process whose address space is full; the pool of a software device is in the same memory.
int read_beside_a_full_pool() {
  const Device device{DeviceOptions{}};
  if (device.name().find("llvmpipe") == std::string::npos) return 3;
  const Tensor one = tensor<float>(std::vector<float>(4, 1), {4}, device);
  const Tensor y = (full({2048, 2048, 4}, 1) + one).eval();  // 64 MiB
  (full({4096, 4096, 4}, 1) + one).eval();                   // 256 MiB, which the pool keeps
  // llvmpipe keeps the targets of its last few batches.
  for (int k = 0; k < 12; ++k) static_cast<void>((one + 3.0 * k).to_vector<float>());
  synchronize(device);
  std::int64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const auto bytes = static_cast<rlim_t>(pages * ::sysconf(_SC_PAGESIZE)) + (64U << 20);
  const rlimit limit{bytes, bytes};
  if (::setrlimit(RLIMIT_AS, &limit) != 0) return 4;
  try {
    const std::vector<float> values = y.to_vector<float>();
    const bool equal = std::count(values.begin(), values.end(), 2.0F) == std::ssize(values);
    return equal ? 0 : 5;
  } catch (const std::exception& error) {
    std::fputs(error.what(), stderr);
    return 6;
  }
}

TEST(MemoryDeathTest, OfAReadComesFromThePoolOfASoftwareDevice) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(std::exit(read_beside_a_full_pool()), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace trigon::fault

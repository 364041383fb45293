// SPDX-License-Identifier: MIT
#include "target.hpp"

#include <exception>

// libFuzzer's entry: its main() calls this with one input after the other.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    trigon::fuzz::run({data, size});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "not an Error of the library: %s\n", error.what());
    std::abort();
  }
  return 0;
}

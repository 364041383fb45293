// SPDX-License-Identifier: MIT
// Each CASE must fail to compile with the sentence beside it in tests/CMakeLists.txt.
#include <trigon/loop.hpp>
#include <trigon/operators.hpp>

namespace trigon {

void misuse(const Tensor& x) {
  const auto sum = [](Tensor s, Tensor v) { return std::pair(s + v, s); };
  const auto step = [](Tensor, Tensor s) { return s + 1; };
#if CASE == 0  // compiles
  auto [last, all] = scan(sum, x, x);
  last = fori_loop(0, 3, step, x);
#elif CASE == 1
  fori_loop(
      0, 3, [](Tensor s) { return s + 1; }, x);
#elif CASE == 2
  fori_loop(
      0, 3, [](auto s) { return s + 1; }, x);
#elif CASE == 3
  fori_loop(0, 3, step, std::vector{x});
#elif CASE == 4
  scan([](Tensor s, Tensor v) { return s + v; }, x, x);
#elif CASE == 5
  scan([](Tensor s) { return std::pair(s, s); }, x, x);
#elif CASE == 6
  fori_loop(0, 3, step, 1.0);
#endif
}

}  // namespace trigon

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
  last = while_loop([](const Tensor& s) { return s < 3; }, [](Tensor s) { return s + 1; }, x);
  last = cond(
      x == 0, [](const Tensor& v) { return v; }, [](auto& v) { return v + 1; }, x);
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
#elif CASE == 7
  fori_loop(
      0, 3, [](Tensor, Tensor& s) { return s + 1; }, x);
#elif CASE == 8
  scan([](Tensor& s, Tensor v) { return std::pair(s + v, s); }, x, x);
#elif CASE == 9
  while_loop([](Tensor& s) { return s < 3; }, [](Tensor s) { return s + 1; }, x);
#elif CASE == 10
  while_loop([](Tensor s) { return s < 3; }, [](Tensor& s) { return s + 1; }, x);
#elif CASE == 11
  cond(
      x == 0, [](Tensor& v) { return v; }, [](Tensor v) { return v + 1; }, x);
#elif CASE == 12
  cond(
      x == 0, [](Tensor v) { return v; }, [] { return Tensor(1); }, x);
#elif CASE == 13
  cond(
      x == 0, [](Tensor v) { return v; }, [](Tensor v) { return std::pair(v, v); }, x);
#elif CASE == 14
  while_loop([](Tensor s) { return s < 3; }, [](Tensor s) { s += 1; }, x);
#elif CASE == 15
  fori_loop(
      0, 3, [](Tensor, Tensor s) { s += 1; }, x);
#elif CASE == 16
  scan([](Tensor s, Tensor v) { return std::pair(std::pair(s, v), v); }, x, x);
#elif CASE == 17
  cond(
      x == 0, [](Tensor v) { v += 1; }, [](Tensor v) { v -= 1; }, x);
#endif
}

}  // namespace trigon

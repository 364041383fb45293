// SPDX-License-Identifier: MIT
// Each CASE must fail to compile with the sentence beside it in tests/CMakeLists.txt.
#include <iostream>
#include <utility>
#include <vector>

#include <trigon/linalg.hpp>
#include <trigon/math.hpp>
#include <trigon/print.hpp>
#include <trigon/reduce.hpp>

namespace trigon {

void misuse(Tensor& x, const Tensor& y, const Tensor& mask, const Tensor& indices) {
  auto row = x(0);
#if CASE == 0  // compiles
  x(0) = y(1);
  x(0, Slice{1, 3}, ellipsis) += 1;
  x = (x & 1) == 0 && !mask;
  x = max(x, 0) + maximum(y, 0.0) + row + indices;
  x(0) = {1, 2};
  x = std::pair(x(0), x(1)).second;
  x = x.reshape(2, -1L) + x.reshape({2, 3});
  x = sum(x, 0, true) + y.var({0, 1}, {.ddof = 1}) + y.stddev({.ddof = 1}) + argmax(x, 0, true);
  x = Tensor({2, 3}) + Tensor{{1, 2}, {3, 4}} + x[{ellipsis}] + tensor(std::vector<float>{1});
  std::cout << x.shape() << x;
#elif CASE == 1
  x[0] = 1.0;
#elif CASE == 2
  x[Slice{0, 2}] = y;
#elif CASE == 3
  exp(x) = y;
#elif CASE == 4
  x(0)(1) = 2;
#elif CASE == 5
  x[0] += 1;
#elif CASE == 6
  x.T() *= y;
#elif CASE == 7
  row = 1;
#elif CASE == 8
  row -= y;
#elif CASE == 9
  if (x > 0) x = y;
#elif CASE == 10
  x = x == y ? x : y;
#elif CASE == 11
  x = x & 1 == 0;
#elif CASE == 12
  const int n = 1;
  x = n == 0 | x;
#elif CASE == 13
  x = max(x, 0.0);
#elif CASE == 14
  x = min(x, y);
#elif CASE == 15
  x = x[mask];
#elif CASE == 16
  x = x.at(0, indices).get();
#elif CASE == 17
  x(mask) = 0;
#elif CASE == 18
  x = y(0.5);
#elif CASE == 19
  x = y[true];
#elif CASE == 20
  x = tensor(std::vector<short>{1, 2});
#elif CASE == 21
  const auto one = x.item<char>();
#elif CASE == 22
  x = sum(x, 1.0);
#elif CASE == 23
  x = sum(x, true);
#elif CASE == 24
  y(0) = 1;
#elif CASE == 25
  x[0] = {1, 2};
#elif CASE == 26
  y(0) += 1;
#elif CASE == 27
  x[0] += {1, 2};
#elif CASE == 28
  row = {1, 2};
#elif CASE == 29
  auto two = std::pair(x(0), x(1));
  two.first = y;
#elif CASE == 30
  x = x.reshape(2.7);
#elif CASE == 31
  x = x.reshape(true, 6);
#elif CASE == 32
  std::cout << std::vector<int>{1};
#elif CASE == 33
  x = sum(x, 0, 1);
#elif CASE == 34
  x = x.sum(0, 1);
#elif CASE == 35
  x = argmax(x, 0, 1U);
#elif CASE == 36
  x = y.argmax(0, 1);
#elif CASE == 37
  x = stddev(x, {0, 1}, 1, 1);
#elif CASE == 38
  x = y.var(0, 0);
#elif CASE == 39
  Tensor v = std::vector<float>{1, 2};
#elif CASE == 40
  x = matmul(x, std::vector<float>{1, 2});
#elif CASE == 41
  x = x + std::vector<double>{1, 2};
#elif CASE == 42
  x(0) = std::vector<bool>{true, false};
#elif CASE == 43
  Tensor v(2, 3);
#elif CASE == 44
  const auto one = float(sum(x));
#elif CASE == 45
  const auto one = static_cast<int>(x(0));
#elif CASE == 46
  x = x.to(float16);
#elif CASE == 47
  x = x[{0, 1}];
#elif CASE == 48
  auto [rows, columns] = x.shape();
#endif
}

}  // namespace trigon

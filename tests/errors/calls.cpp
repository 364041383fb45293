// SPDX-License-Identifier: MIT
// Each CASE must fail to compile with the sentence beside it in tests/CMakeLists.txt.
#include <trigon/trigon.hpp>

namespace trigon {

Tensor misuse(const Tensor& x, const Tensor& y) {
#if CASE == 0  // compiles
  return zeros(3) + ones(2, 3) + full(3, 1.0) + stack(x, y) + stack({x, y}, 1) +
         random::normal(7, {2, 3}) + random::normal({7}, x.shape()) +
         random::uniform(7, {3}, 0, 1) + pad(x, 1) + pad(x, {1, 2}, 3.0) +
         pad(x, {{1, 1}, {0, 2}}, "edge") + tensor<float>({}) + tensor({1, 2}, {2}) +
         compile([](const Tensor& a, Tensor b) { return a + b; })(x, y) + var(x, {.ddof = 1}) +
         stddev(x, {}, {.ddof = 1}) + eye(3, 4, {.dtype = int32}) + diagonal(x, 1, {1, 0}) +
         random::bernoulli(7, {0.1, 0.9}) + random::bernoulli(7, 0.5, {2, 3});
#elif CASE == 1
  return stack(x, y, 1);
#elif CASE == 2
  return stack(x, 2.0);
#elif CASE == 3
  return concatenate(x, y, 1);
#elif CASE == 4
  return zeros(2.0, 3);
#elif CASE == 5
  return ones(true);
#elif CASE == 6
  return full(2, 3, 7.0);
#elif CASE == 7
  return random::normal({2, 3});
#elif CASE == 8
  return random::uniform(x.shape(), -1.0, 1.0);
#elif CASE == 9
  return random::integers({2, 3}, 10);
#elif CASE == 10
  return full(2.0, 3);
#elif CASE == 11
  return split<0>(x)[0];
#elif CASE == 12
  return ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0.0", "total")(x, 0, 1);
#elif CASE == 13
  return ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0.0", "total").call({x}, 0, 1)[0];
#elif CASE == 14
  return random::bits(random::split<0>(7)[0], {3});
#elif CASE == 15
  return concat(x, y, 1);
#elif CASE == 16
  return vstack(x, 1);
#elif CASE == 17
  return hstack(x, 2.0);
#elif CASE == 18
  return vstack(x);
#elif CASE == 19
  return random::normal(7, 3, 3);
#elif CASE == 20
  return random::uniform(2, 3);
#elif CASE == 21
  return random::integers(random::key(7), 3, 10);
#elif CASE == 22
  return random::normal(3);
#elif CASE == 23
  return tensor({{1, 2}, {3, 4}});
#elif CASE == 24
  return tensor<float>({{1, 2}, {3, 4}}, {2, 2});
#elif CASE == 25
  return tensor({1, 2.5});
#elif CASE == 26
  return tensor(2.0);
#elif CASE == 27
  return pad(x, {1, 2, 3});
#elif CASE == 28
  return compile([](Tensor& a) { return a + 1; })(x);
#elif CASE == 29
  return compile([](Tensor a, Tensor b) { return a + b; })(x);
#elif CASE == 30
  return compile([](Tensor a) { a += 1; })(x);
#elif CASE == 31
  return pad(x, 1.5);
#elif CASE == 32
  return pad(x, true, "edge");
#elif CASE == 33
  return var(x, 0, false, 1);
#elif CASE == 34
  return x.diagonal(1, 0, 1);
#elif CASE == 35
  return trace(x, 1, 0, 1);
#elif CASE == 36
  return eye(3, int32);
#elif CASE == 37
  return eye(3, 3, 1);
#elif CASE == 38
  return isclose(x, y, 1e-2);
#elif CASE == 39
  return nn::layer_norm(x, x, x, 1e-5);
#elif CASE == 40
  return logspace(0, 1, 5, true);
#elif CASE == 41
  return nan_to_num(x, 0.0);
#elif CASE == 42
  return random::bernoulli(0, {3});
#elif CASE == 43
  return random::bernoulli(7, x.shape());
#elif CASE == 44
  return stddev(x, 0, false, 1);
#elif CASE == 45
  return x.trace(1, 0, 1);
#elif CASE == 46
  return eye(3, 3, int32);
#endif
}

}  // namespace trigon

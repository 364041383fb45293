// SPDX-License-Identifier: MIT
// Each CASE must fail to compile with the sentence beside it in tests/CMakeLists.txt.
#include <trigon/create.hpp>
#include <trigon/custom_vjp.hpp>
#include <trigon/grad.hpp>
#include <trigon/operators.hpp>
#include <trigon/reduce.hpp>

namespace trigon {

const auto square_sum = [](const Tensor& x) { return sum(x); };
const auto with_mean = [](const Tensor& x) { return std::pair(sum(x), mean(x)); };

void misuse(const Tensor& x) {
#if CASE == 0  // compiles
  grad(square_sum, x);
  grad(with_mean, has_aux)(x);
  value_and_grad(square_sum, x);
  grad(custom_vjp(square_sum, [](Tensor dy, Tensor a) { return dy * ones_like(a); }), x);
#elif CASE == 1
  grad(square_sum, x, x);
#elif CASE == 2
  value_and_grad(square_sum)(std::vector{x});
#elif CASE == 3
  grad(square_sum, 2.0);
#elif CASE == 4
  vjp([](const Tensor& a, const Scalar& s) { return a * s.tensor(); }, x, Scalar(2.0));
#elif CASE == 5
  value_and_grad(square_sum)();
#elif CASE == 6
  grad(with_mean, x);
#elif CASE == 7
  value_and_grad(with_mean)(x);
#elif CASE == 8
  value_and_grad(square_sum, has_aux)(x);
#elif CASE == 9
  grad([](const Tensor& a) { return std::pair(std::vector{a}, a); }, has_aux)(x);
#elif CASE == 10
  grad([](const Tensor& a) { return std::vector{a}; }, x);
#elif CASE == 11
  value_and_grad([](const Tensor&) {})(x);
#elif CASE == 12
  grad(square_sum, &x);
#elif CASE == 13
  value_and_grad(with_mean, x);
#elif CASE == 14
  value_and_grad(square_sum, 2.0);
#elif CASE == 15
  grad([](Tensor& a) { return sum(a); }, x);
#elif CASE == 16
  vjp([](Tensor& a) { return a; }, x);
#elif CASE == 17
  grad([](Tensor a) { return sum(a).item(); }, x);
#elif CASE == 18
  value_and_grad([](Tensor a) { return sum(a).item<int>(); })(x);
#elif CASE == 19
  custom_vjp([](Tensor) {}, [](Tensor dy, Tensor) { return dy; })(x);
#elif CASE == 20
  grad(custom_vjp([](Tensor a) { return sum(a); }, [](Tensor, Tensor) {}), x);
#endif
}

}  // namespace trigon

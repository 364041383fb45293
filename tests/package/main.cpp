// SPDX-License-Identifier: MIT
#include <cstdio>

#include <trigon/trigon.hpp>

int main() {
  const trigon::Tensor a = trigon::tensor<float>({1, 2, 3, 4}, {2, 2});
  for (const float y : trigon::exp(a + a).to_vector<float>()) std::printf("%.3f ", y);
  std::printf("\n");
}

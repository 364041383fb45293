// SPDX-License-Identifier: MIT
#include <cstdio>

#ifdef WITH_IMAGE
#include <trigon/image.hpp>
#endif
#include <trigon/trigon.hpp>

#if TRIGON_VERSION < 100
#error "TRIGON_VERSION is less than that of 0.1.0"
#endif

int main() {
  trigon::Tensor a = trigon::tensor<float>({1, 2, 3, 4}, {2, 2});
#ifdef WITH_IMAGE
  trigon::save_png("consumer.png", a.astype(trigon::uint8));
  a = trigon::load_png("consumer.png", {.dtype = trigon::float32});
#endif
  for (const float y : trigon::exp(a + a).to_vector<float>()) std::printf("%.3f ", y);
  std::printf("\n");
}

// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <new>
#include <vector>

#include <trigon/trigon.hpp>

#include "support/null_gl.hpp"

// Whether draws allocate: this program's operator new counts.

namespace {

std::int64_t allocations = 0;
std::vector<std::int64_t> at_draws;  // allocations before each draw

void* counted(std::size_t size) noexcept {
  ++allocations;
  return std::malloc(size);
}

void* counted_or_throw(std::size_t size) {
  if (void* memory = counted(size)) return memory;
  throw std::bad_alloc();
}

void note_draw() { at_draws.push_back(allocations); }

}  // namespace

void* operator new(std::size_t size) { return counted_or_throw(size); }
void* operator new[](std::size_t size) { return counted_or_throw(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return counted(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return counted(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace trigon {
namespace {

TEST(Allocations, NoneBetweenTheDrawsOfAPlan) {
  const Tensor w = tensor<float>(std::vector<float>(1600, 0.01F), {40, 40});
  const Tensor x = tensor<float>(std::vector<float>(40 * 40, 1), {40, 40});
  at_draws.reserve(1000);
  for (int run = 0; run < 3; ++run) {
    Tensor y = x;
    for (int k = 0; k < 8; ++k) y = nn::layer_norm(matmul(tanh(y), w)) * Scalar(run);
    at_draws.clear();
    null_gl::on_draw(note_draw);
    y.eval();
    null_gl::on_draw(nullptr);
  }
  ASSERT_GE(at_draws.size(), 10u);
  // The last draw's texture is the result's, for which a tensor needs a Storage and a share of the
  // texture.
  const std::int64_t last_inner = at_draws[at_draws.size() - 2];
  EXPECT_EQ(last_inner - at_draws.front(), 0);
  EXPECT_EQ(at_draws.back() - last_inner, 2);
}

}  // namespace
}  // namespace trigon

// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include <trigon/trigon.hpp>

#include "model.hpp"
#include "support/null_gl.hpp"

namespace gpt2 {
namespace {

namespace null_gl = trigon::null_gl;

// The bundled model, one id after others.
TEST(Gpt2Calls, OfATokenAreSevenADraw) {
  const Model model = Model::load(GPT2_MODEL_DIR, trigon::Device::default_device());
  Session session = model.start();
  std::int32_t id = 1;
  for (int k = 0; k < 3; ++k) id = session.greedy(std::span(&id, 1));
  const trigon::Counters before = trigon::counters();
  null_gl::reset();
  id = session.greedy(std::span(&id, 1));
  auto calls = null_gl::calls();
  const trigon::Counters spent = trigon::counters() - before;
  EXPECT_EQ(spent.plans_made, 0);
  EXPECT_EQ(spent.textures_created, 0);
  EXPECT_EQ(spent.framebuffers_created, 0);
  EXPECT_EQ(calls["glDrawArrays"].made, spent.draws);
  EXPECT_LE(spent.draws, 66);
  EXPECT_LE(calls["eglMakeCurrent"].made, 2);
  EXPECT_EQ(null_gl::total(calls).redundant, 0);
#ifdef NDEBUG
  EXPECT_LE(calls["glGetError"].made, 2);  // of the draws and of the read
  EXPECT_LE(null_gl::total(calls).made, 464);
#endif
}

// Sampling reads all logits of a token.
TEST(Gpt2Calls, OfASampledTokenEnterTheDeviceOnce) {
  const Model model = Model::load(GPT2_MODEL_DIR, trigon::Device::default_device());
  Session session = model.start();
  const std::int32_t id = 1;
  session.read_logits(std::span(&id, 1));
  null_gl::reset();
  EXPECT_EQ(static_cast<std::int64_t>(session.read_logits(std::span(&id, 1)).size()),
            model.config().vocab_size);
  EXPECT_EQ(null_gl::calls()["eglMakeCurrent"].made, 2);
}

}  // namespace
}  // namespace gpt2

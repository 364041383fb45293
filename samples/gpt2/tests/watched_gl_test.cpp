// SPDX-License-Identifier: MIT
#include "../watched.hpp"

#include <algorithm>
#include <cmath>

#include <trigon/debug.hpp>

#include "support.hpp"

// A WatchedSession computes the same results, and the values that it keeps equal those that
// Model::inspect computes for the whole text.

namespace gpt2::test {
namespace {

using trigon::Profile;
using trigon::Shape;
using trigon::Tensor;

class Gpt2Watched : public testing::TestWithParam<Profile> {
 protected:
  const Model& model() const { return bundled(GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(, Gpt2Watched, testing::Values(Profile::webgl2, Profile::webgl1),
                         [](const auto& test) {
                           return test.param == Profile::webgl2 ? "WebGL2" : "WebGL1";
                         });

// Reads ids of the golden file, the last `ones` one by one.
WatchedSession read_text(const Model& model, std::span<const std::int32_t> ids, std::size_t ones,
                         bool watch) {
  WatchedSession session(model);
  session.greedy(ids.first(ids.size() - ones), watch);
  for (std::size_t k = ids.size() - ones; k < ids.size(); ++k) {
    session.greedy(ids.subspan(k, 1), watch);
  }
  return session;
}

float largest_difference(const std::vector<float>& a, const std::vector<float>& b) {
  EXPECT_EQ(a.size(), b.size());
  float most = 0;
  for (std::size_t k = 0; k < a.size(); ++k) most = std::max(most, std::abs(a[k] - b.at(k)));
  return most;
}

TEST_P(Gpt2Watched, GreedyIdsAreTheReferences) {
  for (const auto& text : golden()) {
    const auto expected = text.at("greedy").get<Ids>();
    for (const bool watch : {false, true}) {
      auto ids = text.at("ids").get<Ids>();
      WatchedSession session(model());
      std::int32_t next = session.greedy(ids, watch);
      while (ids.size() < expected.size()) {
        ids.push_back(next);
        next = session.greedy({&ids.back(), 1}, watch);
      }
      EXPECT_EQ(ids, expected);
    }
  }
}

TEST_P(Gpt2Watched, KeepsWhatTheWholeTextGives) {
  const auto ids = golden().at(0).at("greedy").get<Ids>();
  const auto length = static_cast<std::int64_t>(std::min<std::size_t>(ids.size(), 24));
  const std::span<const std::int32_t> text(ids.data(), static_cast<std::size_t>(length));
  const WatchedSession session = read_text(model(), text, 6, true);
  const Config& c = model().config();
  model().inspect(text, [&](std::size_t layer, const BlockStates& states) {
    const auto l = static_cast<std::int64_t>(layer);
    for (const std::int64_t token : {std::int64_t{0}, length - 5, length - 1}) {
      const Tensor row = session.attention(token);  // (L, H, n)
      ASSERT_EQ(row.shape(), Shape({c.n_layer, c.n_head, c.n_positions}));
      const Tensor seen = row.at(l, trigon::Slice{}, trigon::Slice{0, length}).get();
      const Tensor expected = states.attention.at(trigon::Slice{}, token).get();
      EXPECT_LT(largest_difference(seen.to_vector<float>(), expected.to_vector<float>()), 1e-5F);
      const Tensor outputs = session.outputs(token).at(l).get();
      EXPECT_LT(largest_difference(outputs.to_vector<float>(),
                                   states.output.at(token).get().to_vector<float>()),
                1e-3F);
      const std::vector<float> lens = session.lens(token).at(l).get().to_vector<float>();
      const auto top = std::max_element(lens.begin(), lens.end());
      EXPECT_EQ(top - lens.begin(), states.top_ids.at(static_cast<std::size_t>(token)));
      EXPECT_NEAR(*top, states.top_probabilities.at(static_cast<std::size_t>(token)), 1e-4);
    }
    const Tensor head = session.attention(l, 2);  // (n, n)
    const trigon::Slice held{0, length};
    EXPECT_LT(largest_difference(head.at(held, held).get().to_vector<float>(),
                                 states.attention.at(2).get().to_vector<float>()),
              1e-5F);
  });
}

TEST_P(Gpt2Watched, TheStepGivesTheAttentionThatIsComputedAgain) {
  const auto ids = golden().at(0).at("greedy").get<Ids>();
  const std::span<const std::int32_t> text(ids.data(), 20);
  const WatchedSession watched = read_text(model(), text, 4, true);
  const WatchedSession plain = read_text(model(), text, 4, false);
  EXPECT_LT(largest_difference(watched.attention(19).to_vector<float>(),
                               plain.attention(19).to_vector<float>()),
            1e-6F);
}

// model_gl_test.cpp pins an ordinary token of Session. Three of the ten further draws store
// attention that two draws read: by llvmpipe's costs a token then takes 6.0 ms. If each reader
// computed it, a token would take 6.7 ms, and its programs longer to compile.
TEST_P(Gpt2Watched, AWatchedTokenTakesAFewDrawsMore) {
  const auto ids = golden().at(0).at("greedy").get<Ids>();
  const std::span<const std::int32_t> text(ids.data(), 20);
  Session session = model().start();
  session.greedy(text.first(16));
  WatchedSession watched = read_text(model(), text.first(18), 2, true);
  session.greedy(text.subspan(16, 1));
  const auto cost = [&](auto&& pass) {
    const trigon::Counters before = counters(model().device());
    pass();
    return counters(model().device()) - before;
  };
  const auto ordinary = cost([&] { session.greedy(text.subspan(17, 1)); });
  const auto more = cost([&] { watched.greedy(text.subspan(18, 1), true); });
  EXPECT_EQ(more.draws - ordinary.draws, 10);
  EXPECT_EQ(more.bytes_read, ordinary.bytes_read);
  EXPECT_EQ(more.programs_compiled, 0);
  EXPECT_EQ(more.textures_created, 0);
  EXPECT_EQ(more.plans_made, 0);
}

TEST_P(Gpt2Watched, RefusesWhatIsOutOfRange) {
  const auto ids = golden().at(0).at("ids").get<Ids>();
  WatchedSession session(model());
  session.greedy(ids, false);
  const auto last = static_cast<std::int64_t>(ids.size());
  const auto text = [&](const auto& call) { return error_of([&] { call(); }); };
  EXPECT_EQ(text([&] { session.attention(last); }),
            fmt::format("gpt2::WatchedSession: no such token: {0}; must be in [0, {0})", last));
  EXPECT_EQ(text([&] { session.outputs(-1); }),
            fmt::format("gpt2::WatchedSession: no such token: -1; must be in [0, {})", last));
  EXPECT_EQ(text([&] { session.attention(0, 6); }),
            "gpt2::WatchedSession: no such head: layer 0, head 6; must be in [0, 6) and [0, 6)");
  session.rewind();
  EXPECT_EQ(text([&] { session.lens(0); }),
            "gpt2::WatchedSession: no such token: 0; must be in [0, 0)");
}

}  // namespace
}  // namespace gpt2::test

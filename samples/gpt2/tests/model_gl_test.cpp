// SPDX-License-Identifier: MIT
#include "../model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "support.hpp"
#include "token_cost.hpp"

namespace {

using gpt2::Model;
using gpt2::Session;
using gpt2::test::bundled;
using gpt2::test::device;
using gpt2::test::error_of;
using gpt2::test::Ids;
using gpt2::test::real_data;
using gpt2::test::Shapes;
using gpt2::test::tiny_config;
using gpt2::test::tiny_folder;
using gpt2::test::tolerance;
using trigon::Counters;
using trigon::Profile;
using trigon::Tensor;
namespace fs = std::filesystem;

// The largest distance; infinite where a value is NaN or the sizes differ.
double distance(const std::vector<float>& a, const std::vector<float>& b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double d = std::abs(double{a[i]} - double{b[i]});
    if (!(d <= largest)) largest = std::isnan(d) ? std::numeric_limits<double>::infinity() : d;
  }
  return largest;
}

double distance(const Tensor& a, const Tensor& b) {
  EXPECT_EQ(a.shape(), b.shape());
  return distance(a.to_vector<float>(), b.to_vector<float>());
}

// prompt, then `count` ids that greedy decoding adds.
Ids greedy(const Model& model, Ids ids, std::size_t count) {
  Session session = model.start();
  std::int32_t next = session.greedy(ids);
  for (std::size_t i = 0; i < count; ++i) {
    ids.push_back(next);
    if (i + 1 < count) next = session.greedy({&ids.back(), 1});
  }
  return ids;
}

class Gpt2Model : public testing::TestWithParam<Profile> {
 protected:
  const trigon::Device& on() { return device(GetParam()); }
  const Model& model() { return bundled(GetParam()); }
  Tensor tiny_logits(const fs::path& dir) {
    return Model::load(dir, on()).start().forward_all(Ids{3, 1, 4, 1, 5});
  }
};

INSTANTIATE_TEST_SUITE_P(, Gpt2Model, testing::Values(Profile::webgl2, Profile::webgl1),
                         [](const auto& test) {
                           return test.param == Profile::webgl2 ? "WebGL2" : "WebGL1";
                         });

// ---- values

TEST_P(Gpt2Model, StatesAreTheReferences) {
  const trigon::SafeTensors golden(fs::path(GPT2_MODEL_DIR) / "golden.safetensors");
  for (int k = 0; k < 4; ++k) {
    const auto expected = [&](const std::string& name) {
      return golden.load(fmt::format("{}.{}", k, name), on());
    };
    const gpt2::States states =
        model().start().forward_states(expected("ids").to_vector<std::int32_t>());
    EXPECT_LE(distance(states.logits, expected("logits")), tolerance) << k;
    ASSERT_EQ(states.hidden.size(), 7U);
    for (std::size_t i = 0; i < states.hidden.size(); ++i) {
      EXPECT_LE(distance(states.hidden[i], expected(fmt::format("hidden{}", i))), tolerance)
          << "prompt " << k << ", hidden " << i;
    }
  }
}

TEST_P(Gpt2Model, GreedyIdsAreTheReferences) {
  for (const auto& text : gpt2::test::golden()) {
    EXPECT_EQ(greedy(model(), text["ids"].get<Ids>(), 64), text["greedy"].get<Ids>())
        << text["prompt"];
  }
}

TEST_P(Gpt2Model, OneByOneGivesWhatOneBatchGives) {
  const Ids ids = gpt2::test::golden()[0]["ids"].get<Ids>();
  Session batch = model().start();
  Session single = model().start();
  const auto expected = batch.forward(ids).to_vector<float>();
  Tensor last;
  for (const std::int32_t id : ids) last = single.forward({&id, 1});
  EXPECT_EQ(last.shape(), (trigon::Shape{1, 4096}));
  EXPECT_LE(distance(last.to_vector<float>(), expected), tolerance);
  EXPECT_EQ(single.position(), batch.position());
}

TEST_P(Gpt2Model, ABatchMayFollowABatch) {
  const Ids ids = gpt2::test::golden()[0]["ids"].get<Ids>();
  const std::span<const std::int32_t> all(ids);
  const auto expected = model().start().forward(ids).to_vector<float>();
  Session session = model().start();
  session.forward(all.first(7));
  EXPECT_LE(distance(session.forward(all.subspan(7)).to_vector<float>(), expected), tolerance);
}

TEST_P(Gpt2Model, RewindForgetsEverything) {
  const auto texts = gpt2::test::golden();
  Session session = model().start();
  session.forward(texts[0]["ids"].get<Ids>());
  session.rewind();
  EXPECT_EQ(session.position(), 0);
  const Ids ids = texts[3]["ids"].get<Ids>();
  EXPECT_LE(distance(session.forward(ids), model().start().forward(ids)), 0.0);
}

TEST_P(Gpt2Model, SessionsDoNotDisturbEachOther) {
  const auto texts = gpt2::test::golden();
  const Ids a = texts[0]["ids"].get<Ids>();
  const Ids b = texts[1]["ids"].get<Ids>();
  Session first = model().start();
  Session second = model().start();
  first.greedy(a);
  second.greedy(b);
  EXPECT_EQ(first.greedy(Ids{texts[0]["greedy"][a.size()]}),
            texts[0]["greedy"][a.size() + 1].get<std::int32_t>());
  EXPECT_EQ(second.greedy(Ids{texts[1]["greedy"][b.size()]}),
            texts[1]["greedy"][b.size() + 1].get<std::int32_t>());
}

// ---- other people's models

TEST_P(Gpt2Model, TinyRandomGpt2IsOnnxRuntimes) {
  GPT2_SKIP_WITHOUT_REAL_DATA();
  const fs::path dir = real_data() / "tiny_random_gpt2_onnx";
  const Model tiny = Model::load(dir, on());
  const auto cases = nlohmann::json::parse(gpt2::test::read(dir / "expected.json"))["greedy"];
  const auto logits = trigon::load_npy(dir / "logits_prompt.npy", on());  // (2, 4, 1000)
  for (std::size_t i = 0; i < cases["input"].size(); ++i) {
    const Ids prompt = cases["input"][i].get<Ids>();
    const Ids expected = cases["expected"][i].get<Ids>();
    EXPECT_EQ(greedy(tiny, prompt, expected.size() - prompt.size()), expected);
    EXPECT_LE(distance(tiny.start().forward_all(prompt), logits[i]), tolerance);
  }
}

TEST_P(Gpt2Model, NanoSortHasThePublishedActivations) {
  GPT2_SKIP_WITHOUT_REAL_DATA();
  const fs::path dir = real_data() / "gpt_nano_sort";
  const Model nano = Model::load(dir, on());
  const trigon::SafeTensors partials(dir / "partials.safetensors");
  const auto idx = partials.load("idx", on()).to_vector<float>();  // (3, 11)
  for (std::size_t row = 0; row < 3; ++row) {
    Ids ids;
    for (std::size_t t = 0; t < 11; ++t) ids.push_back(static_cast<int>(idx[row * 11 + t]));
    const gpt2::States states = nano.start().forward_states(ids);
    const std::vector<std::pair<const char*, Tensor>> found = {{"x", states.hidden[0]},
                                                               {"block0", states.hidden[1]},
                                                               {"block1", states.hidden[2]},
                                                               {"ln_f", states.hidden[3]},
                                                               {"lm_head", states.logits}};
    for (const auto& [name, value] : found) {
      EXPECT_LE(distance(value, partials.load(name, on())[row]), tolerance) << name;
    }
  }
}

TEST(Gpt2NanoSort, SortsAllInputs) {
  GPT2_SKIP_WITHOUT_REAL_DATA();
  const Model nano = Model::load(real_data() / "gpt_nano_sort", device(Profile::webgl2));
  for (int number = 0; number < 729; ++number) {
    Ids letters;
    for (int rest = number, i = 0; i < 6; ++i, rest /= 3) letters.push_back(rest % 3);
    Ids expected = letters;
    std::sort(expected.begin(), expected.end());
    expected.insert(expected.begin(), letters.begin(), letters.end());
    ASSERT_EQ(greedy(nano, letters, 6), expected);
  }
}

// ---- forms of the same weights

TEST_P(Gpt2Model, PrefixMakesNoDifference) {
  const auto prefixed = tiny_folder(
      [](Shapes& shapes) {
        for (auto& [name, shape] : shapes) name = "transformer." + name;
      },
      tiny_config(), "prefixed");
  EXPECT_EQ(distance(tiny_logits(tiny_folder()), tiny_logits(prefixed)), 0.0);
}

TEST_P(Gpt2Model, ShardsMakeNoDifference) {
  const fs::path dir = gpt2::test::make_folder("shards");
  gpt2::test::write(dir / "config.json", tiny_config().dump());
  const Shapes all = gpt2::test::tiny_shapes();
  nlohmann::json map;
  for (std::size_t i = 0; i < all.size(); ++i)
    map[all[i].first] = i < 9 ? "a.safetensors" : "b.safetensors";
  gpt2::test::write_tensors(dir / "a.safetensors", Shapes(all.begin(), all.begin() + 9));
  gpt2::test::write_tensors(dir / "b.safetensors", Shapes(all.begin() + 9, all.end()));
  gpt2::test::write(dir / "model.safetensors.index.json",
                    nlohmann::json{{"weight_map", map}}.dump());
  EXPECT_EQ(distance(tiny_logits(tiny_folder()), tiny_logits(dir)), 0.0);
}

TEST_P(Gpt2Model, AHeadOfItsOwnIsUsedUnlessTied) {
  const auto add_head = [](Shapes& shapes) { shapes.push_back({"lm_head.weight", {11, 8}}); };
  const auto folder = [&](const char* name, const nlohmann::json& tie) {
    nlohmann::json config = tiny_config();
    config["tie_word_embeddings"] = tie;
    return tiny_folder(add_head, config, name);
  };
  const Tensor tied = tiny_logits(tiny_folder());
  const Tensor untied = tiny_logits(folder("untied", false));
  EXPECT_GT(distance(tied, untied), 0.1);
  EXPECT_EQ(distance(untied, tiny_logits(folder("unsaid", nullptr))), 0.0);
  EXPECT_EQ(distance(tied, tiny_logits(folder("tied", true))), 0.0);
}

TEST_P(Gpt2Model, ScalesOfAttentionMatter) {
  nlohmann::json unscaled = tiny_config();
  unscaled["scale_attn_weights"] = false;
  nlohmann::json by_layer = tiny_config();
  by_layer["scale_attn_by_inverse_layer_idx"] = true;
  const Tensor plain = tiny_logits(tiny_folder());
  EXPECT_GT(distance(plain, tiny_logits(tiny_folder({}, unscaled, "unscaled"))), 1e-3);
  EXPECT_GT(distance(plain, tiny_logits(tiny_folder({}, by_layer, "by_layer"))), 1e-3);
}

TEST_P(Gpt2Model, LoadingReportsItsProgress) {
  std::vector<std::int64_t> done;
  std::int64_t last_total = 0;
  Model::load(tiny_folder(), on(), [&](std::int64_t bytes, std::int64_t total) {
    done.push_back(bytes);
    last_total = total;
  });
  EXPECT_EQ(done.size(), gpt2::test::tiny_shapes().size());
  EXPECT_TRUE(std::is_sorted(done.begin(), done.end()));
  EXPECT_EQ(done.back(), last_total);
}

TEST_P(Gpt2Model, GreedyRefusesLogitsThatAreNaN) {
  const fs::path dir = tiny_folder();
  const trigon::SafeTensors file(dir / "model.safetensors");
  std::map<std::string, Tensor> tensors;
  for (const std::string& name : file.names()) tensors[name] = file.load(name, on());
  tensors["ln_f.bias"] = tensors["ln_f.bias"] * std::numeric_limits<double>::quiet_NaN();
  save_safetensors(dir / "model.safetensors", tensors);
  Session session = Model::load(dir, on()).start();
  EXPECT_EQ(error_of([&] {
              session.greedy(Ids{1, 2});
            }),
            "gpt2::Session::greedy: the largest logit is NaN or infinite; the model's weights must "
            "be numbers that keep it finite");
}

// ---- costs

// Calls of ops in a pass: embed, ln_f, head, argmax; in a block 2 layer_norm, 4 linear, write and
// attention.
constexpr std::int64_t ops(std::int64_t layers) { return 4 + 8 * layers; }

TEST_P(Gpt2Model, ADecodedTokenHasItsBudget) {
  const std::int64_t layers = model().config().n_layer;
  Session session = model().start();
  std::int32_t id = session.greedy(gpt2::test::golden()[0]["ids"].get<Ids>());
  for (int warm = 0; warm < 2; ++warm) id = session.greedy({&id, 1});
  const Counters before = trigon::counters(on());
  id = session.greedy({&id, 1});
  const Counters cost = trigon::counters(on()) - before;
  EXPECT_LE(cost.draws, 13 * layers + 8);
  EXPECT_EQ(cost.textures_created, 0);
  EXPECT_EQ(cost.framebuffers_created, 0);
  EXPECT_EQ(cost.programs_compiled, 0);
  EXPECT_EQ(cost.program_formats, 0);
  EXPECT_EQ(cost.plans_made, 0);
  EXPECT_LT(cost.bytes_uploaded, 1024);
  EXPECT_LT(cost.uniform_bytes, 16 * 1024);
  EXPECT_LE(cost.bytes_read, 16);
}

// tests/web holds a browser to the same.
TEST_P(Gpt2Model, ADecodedTokenCostsAsMuchAsInABrowser) {
  if (on().name().find("llvmpipe") == std::string::npos) GTEST_SKIP() << "plans of llvmpipe only";
  Session session = model().start();
  std::int32_t id = 859;
  for (int warm = 0; warm < 3; ++warm) id = session.greedy({&id, 1});
  const Counters before = trigon::counters(on());
  session.greedy({&id, 1});
  EXPECT_EQ(trigon::counters(on()) - before, gpt2::test::token_cost(GetParam()));
}

TEST_P(Gpt2Model, ASampledTokenReadsItsLogitsOnly) {
  Session session = model().start();
  static_cast<void>(session.forward(gpt2::test::golden()[0]["ids"].get<Ids>()).to_vector<float>());
  const std::int32_t id = 859;
  for (int warm = 0; warm < 2; ++warm)
    static_cast<void>(session.forward({&id, 1}).to_vector<float>());
  const Counters before = trigon::counters(on());
  static_cast<void>(session.forward({&id, 1}).to_vector<float>());
  const Counters cost = trigon::counters(on()) - before;
  EXPECT_LE(cost.draws, 13 * model().config().n_layer + 8);
  EXPECT_EQ(cost.textures_created, 0);
  EXPECT_EQ(cost.plans_made, 0);
  EXPECT_GE(cost.bytes_read, 4096 * 4);
  EXPECT_LE(cost.bytes_read, 4096 * 4 * 5 / 4);  // whole rows of the texture
}

TEST_P(Gpt2Model, TwoHundredPositionsMakeOnePlan) {
  Session session = model().start();
  std::int32_t id = session.greedy(gpt2::test::golden()[0]["ids"].get<Ids>());
  const Counters before = trigon::counters(on());
  for (int i = 0; i < 200; ++i) id = session.greedy({&id, 1});
  const Counters cost = trigon::counters(on()) - before;
  EXPECT_LE(cost.plans_made + cost.plan_cache_hits, 1);  // of the step's first call
}

TEST_P(Gpt2Model, APrefillTakesAtMostTwoMoreDrawsAnOp) {
  const std::int64_t layers = model().config().n_layer;
  Session session = model().start();
  const Ids prompt(64, 859);
  const Counters start = trigon::counters(on());
  std::int32_t id = session.greedy(prompt);
  const Counters after_prefill = trigon::counters(on());
  id = session.greedy({&id, 1});
  const Counters after_decode = trigon::counters(on());
  const std::int64_t prefill = (after_prefill - start).draws;
  const std::int64_t decode = (after_decode - after_prefill).draws;
  EXPECT_LE(prefill, decode + 2 * ops(layers));
}

// ---- errors

std::string load_error(const fs::path& dir) {
  return error_of([&] { Model::load(dir, device(Profile::webgl2)); });
}

TEST(Gpt2Weights, NamesTheFileAndAMissingTensor) {
  const auto dir = tiny_folder([](Shapes& shapes) {
    std::erase_if(shapes, [](const auto& entry) { return entry.first == "h.1.ln_2.bias"; });
  });
  EXPECT_EQ(load_error(dir), "gpt2::Model::load: " + (dir / "model.safetensors").string() +
                                 ": tensor \"h.1.ln_2.bias\" is missing; it must be there, of "
                                 "shape (8,)");
}

TEST(Gpt2Weights, NamesBothShapes) {
  const auto dir = tiny_folder([](Shapes& shapes) {
    for (auto& [name, shape] : shapes) {
      if (name == "h.0.mlp.c_fc.weight") shape = {32, 8};
    }
  });
  EXPECT_EQ(load_error(dir), "gpt2::Model::load: " + (dir / "model.safetensors").string() +
                                 ": tensor \"h.0.mlp.c_fc.weight\" has shape (32, 8); config.json "
                                 "asks for (8, 32)");
}

TEST(Gpt2Weights, AnUntiedHeadMustBeThere) {
  nlohmann::json config = tiny_config();
  config["tie_word_embeddings"] = false;
  const auto dir = tiny_folder({}, config);
  EXPECT_EQ(load_error(dir), "gpt2::Model::load: " + (dir / "model.safetensors").string() +
                                 ": tensor \"lm_head.weight\" is missing; it must be there, of "
                                 "shape (11, 8)");
}

TEST(Gpt2Weights, MustBeFloats) {
  const auto dir = tiny_folder();
  gpt2::test::write_tensors(dir / "model.safetensors", gpt2::test::tiny_shapes(), "I32");
  EXPECT_EQ(load_error(dir), "gpt2::Model::load: " + (dir / "model.safetensors").string() +
                                 ": tensor \"wte.weight\" holds I32; it must hold F64, F32, F16 "
                                 "or BF16");
}

TEST(Gpt2Weights, AFolderWithoutAnyIsAnError) {
  const auto dir = tiny_folder();
  fs::remove(dir / "model.safetensors");
  EXPECT_EQ(load_error(dir),
            "gpt2::Model::load: no weights: neither model.safetensors nor "
            "model.safetensors.index.json is in " +
                dir.string() + "; the folder must hold one of them");
}

TEST(Gpt2Weights, ATruncatedFileIsAnError) {
  const auto dir = tiny_folder();
  fs::resize_file(dir / "model.safetensors", fs::file_size(dir / "model.safetensors") - 4);
  const std::string error = load_error(dir);
  EXPECT_NE(error.find((dir / "model.safetensors").string()), std::string::npos) << error;
}

TEST(Gpt2Session, ChecksIdsAndTheirNumber) {
  const Model tiny = Model::load(tiny_folder(), device(Profile::webgl2));
  Session session = tiny.start();
  const auto error = [&](const Ids& ids) { return error_of([&] { session.forward(ids); }); };
  EXPECT_EQ(error({1, 11}),
            "gpt2::Config::check_ids: id out of range: 11, number 2 of 2; ids must be from 0 to "
            "10");
  EXPECT_EQ(error({-1}),
            "gpt2::Config::check_ids: id out of range: -1, number 1 of 1; ids must be from 0 to "
            "10");
  EXPECT_EQ(error({}),
            "gpt2::Session::forward: wrong number of ids: 0 after 0; there must be at least 1 and "
            "together at most n_positions = 6");
  session.forward(Ids{1, 2, 3, 4});
  EXPECT_EQ(error({5, 6, 7}),
            "gpt2::Session::forward: wrong number of ids: 3 after 4; there must be at least 1 and "
            "together at most n_positions = 6");
  EXPECT_EQ(error_of([&] { tiny.config().check_ids(Ids{99}); }),
            "gpt2::Config::check_ids: id out of range: 99, number 1 of 1; ids must be from 0 to "
            "10");
}

}  // namespace

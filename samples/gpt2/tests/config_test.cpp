// SPDX-License-Identifier: MIT
#include "../config.hpp"

#include <string>

#include <sys/stat.h>

#include "support.hpp"

namespace {

using gpt2::Config;
using gpt2::test::error_of;
using nlohmann::json;

json full() {
  return {{"vocab_size", 50257},
          {"n_positions", 1024},
          {"n_embd", 768},
          {"n_layer", 12},
          {"n_head", 12}};
}

Config parse(const json& config) { return Config::parse(config.dump(), "dir/config.json"); }

// The error for a config with one field changed.
std::string error_with(const char* field, const json& value) {
  json config = full();
  config[field] = value;
  return error_of([&] { parse(config); });
}

TEST(Gpt2Config, ReadsTheBundledModel) {
  const Config config = Config::load(GPT2_MODEL_DIR);
  EXPECT_EQ(config.vocab_size, 4096);
  EXPECT_EQ(config.n_positions, 256);
  EXPECT_EQ(config.n_embd, 192);
  EXPECT_EQ(config.n_layer, 6);
  EXPECT_EQ(config.n_head, 6);
  EXPECT_EQ(config.n_inner, 768);
  EXPECT_EQ(config.head_width(), 32);
  EXPECT_EQ(config.layer_norm_epsilon, 1e-5);
  EXPECT_EQ(config.bos_token_id, 0);
  EXPECT_EQ(config.eos_token_ids, std::vector<std::int32_t>{0});
}

TEST(Gpt2Config, TakesHuggingFacesDefaults) {
  const Config config = parse(full());
  EXPECT_EQ(config.n_inner, 4 * 768);
  EXPECT_EQ(config.layer_norm_epsilon, 1e-5);
  EXPECT_TRUE(config.scale_attn_weights);
  EXPECT_FALSE(config.scale_attn_by_inverse_layer_idx);
  EXPECT_EQ(config.tie_word_embeddings, std::nullopt);
  EXPECT_EQ(config.bos_token_id, std::nullopt);
  EXPECT_TRUE(config.eos_token_ids.empty());
}

TEST(Gpt2Config, NullCountsAsMissing) {
  json config = full();
  config["n_inner"] = nullptr;
  config["eos_token_id"] = nullptr;
  EXPECT_EQ(parse(config).n_inner, 4 * 768);
  EXPECT_TRUE(parse(config).eos_token_ids.empty());
}

TEST(Gpt2Config, SeveralIdsMayEndAText) {
  json config = full();
  config["eos_token_id"] = {50256, 7};
  EXPECT_EQ(parse(config).eos_token_ids, (std::vector<std::int32_t>{50256, 7}));
}

TEST(Gpt2Config, EarlyFilesCallTheContextNCtx) {
  json config = full();
  config.erase("n_positions");
  config["n_ctx"] = 77;
  EXPECT_EQ(parse(config).n_positions, 77);
}

TEST(Gpt2Config, KnowsTheActivations) {
  for (const char* name :
       {"gelu_new", "gelu_pytorch_tanh", "gelu", "relu", "silu", "swish", "tanh"}) {
    json config = full();
    config["activation_function"] = name;
    EXPECT_NE(parse(config).activation, nullptr) << name;
  }
}

TEST(Gpt2Config, NamesAMissingField) {
  for (const auto& [field, most] : std::map<std::string, std::string>{{"vocab_size", "10000000"},
                                                                      {"n_positions", "1000000"},
                                                                      {"n_embd", "65536"},
                                                                      {"n_layer", "1000"},
                                                                      {"n_head", "65536"}}) {
    json config = full();
    config.erase(field);
    EXPECT_EQ(error_of([&] { parse(config); }),
              "gpt2::Config::load: dir/config.json: " + field +
                  " is missing; it must be a whole number from 1 to " + most);
  }
}

TEST(Gpt2Config, NamesAWrongValueAndTheRule) {
  const std::string start = "gpt2::Config::load: dir/config.json: ";
  EXPECT_EQ(error_with("n_layer", 1001),
            start + "n_layer is 1001; it must be a whole number from 1 to 1000");
  EXPECT_EQ(error_with("n_layer", 0),
            start + "n_layer is 0; it must be a whole number from 1 to 1000");
  EXPECT_EQ(error_with("n_embd", -768),
            start + "n_embd is -768; it must be a whole number from 1 to 65536");
  EXPECT_EQ(error_with("vocab_size", 18446744073709551615ULL),
            start +
                "vocab_size is 18446744073709551615; it must be a whole number from 1 to "
                "10000000");
  EXPECT_EQ(error_with("n_head", "12"),
            start + "n_head is \"12\"; it must be a whole number from 1 to 65536");
  EXPECT_EQ(error_with("n_positions", 1024.5),
            start + "n_positions is 1024.5; it must be a whole number from 1 to 1000000");
  EXPECT_EQ(error_with("n_inner", 0),
            start + "n_inner is 0; it must be a whole number from 1 to 1000000");
  EXPECT_EQ(error_with("n_head", 13),
            start + "n_embd is 768 and n_head is 13; n_embd must be a multiple of n_head");
  EXPECT_EQ(error_with("layer_norm_epsilon", 0.0),
            start + "layer_norm_epsilon is 0.0; it must be a number above 0 and at most 1");
  EXPECT_EQ(error_with("activation_function", "swiglu"),
            start +
                "activation_function is \"swiglu\"; it must be one of gelu_new, "
                "gelu_pytorch_tanh, gelu, relu, silu, swish, tanh");
  EXPECT_EQ(error_with("model_type", "llama"),
            start + "model_type is \"llama\"; it must be \"gpt2\"");
  EXPECT_EQ(error_with("tie_word_embeddings", 1),
            start + "tie_word_embeddings is 1; it must be true or false");
  EXPECT_EQ(error_with("eos_token_id", {1, -2}),
            start + "eos_token_id is -2; it must be a whole number from 0 to 2147483647");
}

TEST(Gpt2Config, CutsALongValueShort) {
  EXPECT_EQ(error_with("model_type", std::string(1000, 'x')),
            "gpt2::Config::load: dir/config.json: model_type is \"" + std::string(59, 'x') +
                "...; it must be \"gpt2\"");
}

TEST(Gpt2Config, RefusesWhatIsNoJsonObject) {
  const auto error = [](const char* text) {
    return error_of([&] { Config::parse(text, "dir/config.json"); });
  };
  const std::string start = "gpt2::Config::load: dir/config.json: ";
  EXPECT_EQ(error(""), start + "not JSON: wrong at byte 1 of 0; it must be a JSON object");
  EXPECT_EQ(error("{\"n_layer\": 1"),
            start + "not JSON: wrong at byte 14 of 13; it must be a JSON object");
  EXPECT_EQ(error("[1, 2]"), start + "not an object: it holds [1,2]; it must be a JSON object");
  EXPECT_EQ(error("{\"n_layer\": 1e999}"),
            start + "not JSON: a number is out of range; it must be a JSON object");
  EXPECT_EQ(error(("{\"n_layer\": " + std::string(1001, '1') + "}").c_str()),
            start + "number too long: 1001 digits at byte 13 of the text; must have at most 1000");
}

TEST(Gpt2Config, RefusesAFolderWithoutTheFile) {
  const auto dir = gpt2::test::make_folder();
  EXPECT_EQ(error_of([&] { Config::load(dir); }),
            "gpt2::Config::load: " + (dir / "config.json").string() +
                ": cannot be read; it must be a readable file");
  std::filesystem::create_directory(dir / "config.json");
  EXPECT_EQ(error_of([&] { Config::load(dir); }),
            "gpt2::Config::load: " + (dir / "config.json").string() +
                ": cannot be read; it must be a readable file");
  // Nobody writes to the pipe.
  std::filesystem::remove(dir / "config.json");
  ASSERT_EQ(::mkfifo((dir / "config.json").c_str(), 0600), 0);
  EXPECT_EQ(error_of([&] { Config::load(dir); }),
            "gpt2::Config::load: " + (dir / "config.json").string() +
                ": cannot be read; it must be a readable file");
}

TEST(Gpt2Config, RefusesALongFile) {
  const auto dir = gpt2::test::make_folder();
  gpt2::test::write(dir / "config.json", std::string(1'000'001, '['));
  EXPECT_EQ(error_of([&] { Config::load(dir); }),
            "gpt2::Config::load: " + (dir / "config.json").string() +
                ": too long: it must have at most 1000000 bytes");
}

}  // namespace

// SPDX-License-Identifier: MIT
#include "../pictures.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>

#include <trigon/image.hpp>

#include "../tokenizer.hpp"
#include "support.hpp"

namespace {

namespace fs = std::filesystem;
using gpt2::BlockStates;
using gpt2::Model;
using gpt2::test::bundled;
using gpt2::test::device;
using gpt2::test::error_of;
using gpt2::test::Ids;
using gpt2::test::make_folder;
using gpt2::test::read;
using gpt2::test::tiny_folder;
using gpt2::test::tolerance;
using trigon::Profile;
using trigon::Shape;

using Rows = std::vector<std::vector<double>>;

// ---- Attention by hand, in double

struct Reference {
  const trigon::SafeTensors weights{fs::path(GPT2_MODEL_DIR) / "model.safetensors"};
  const gpt2::Config config = gpt2::Config::load(GPT2_MODEL_DIR);
  const std::string prefix = weights.contains("transformer.wte.weight") ? "transformer." : "";

  std::vector<float> values(std::size_t layer, const std::string& name) const {
    return weights.load(fmt::format("{}h.{}.{}", prefix, layer, name)).to_vector<float>();
  }

  // x: (T, C). ln_1, then the queries, keys and values: (T, 3C).
  Rows projected(std::size_t layer, const Rows& x) const {
    const auto gain = values(layer, "ln_1.weight"), shift = values(layer, "ln_1.bias");
    const auto matrix = values(layer, "attn.c_attn.weight"),
               bias = values(layer, "attn.c_attn.bias");
    Rows out;
    for (const std::vector<double>& row : x) {
      const double count = static_cast<double>(row.size());
      double mean = 0, variance = 0;
      for (const double v : row) mean += v / count;
      for (const double v : row) variance += (v - mean) * (v - mean) / count;
      std::vector<double> y(bias.begin(), bias.end());
      for (std::size_t i = 0; i < row.size(); ++i) {
        const double normed =
            (row[i] - mean) / std::sqrt(variance + config.layer_norm_epsilon) * gain[i] + shift[i];
        for (std::size_t j = 0; j < y.size(); ++j) y[j] += normed * matrix[i * y.size() + j];
      }
      out.push_back(std::move(y));
    }
    return out;
  }

  // The weights of a layer's attention, (H, T, T), from its input x.
  std::vector<double> attention(std::size_t layer, const Rows& x) const {
    const Rows qkv = projected(layer, x);
    const auto width = static_cast<std::size_t>(config.head_width());
    const auto heads = static_cast<std::size_t>(config.n_head);
    std::vector<double> out;
    for (std::size_t head = 0; head < heads; ++head) {
      for (std::size_t t = 0; t < x.size(); ++t) {
        std::vector<double> row(x.size(), 0.0);
        double sum = 0;
        for (std::size_t s = 0; s <= t; ++s) {
          double score = 0;
          for (std::size_t d = 0; d < width; ++d) {
            score += qkv[t][head * width + d] * qkv[s][(heads + head) * width + d];
          }
          sum += row[s] = std::exp(score / std::sqrt(static_cast<double>(width)));
        }
        for (double& weight : row) out.push_back(weight / sum);
      }
    }
    return out;
  }
};

Rows rows_of(const std::vector<float>& values, std::size_t width) {
  Rows rows;
  for (std::size_t k = 0; k < values.size(); k += width) {
    rows.emplace_back(values.begin() + static_cast<std::ptrdiff_t>(k),
                      values.begin() + static_cast<std::ptrdiff_t>(k + width));
  }
  return rows;
}

class Gpt2Inspect : public testing::TestWithParam<Profile> {
 protected:
  const Model& model() { return bundled(GetParam()); }
  const trigon::Device& on() { return device(GetParam()); }
  std::vector<float> golden(const std::string& name) {
    return golden_.load("3." + name, on()).to_vector<float>();
  }
  std::vector<BlockStates> blocks(const Ids& ids) {
    std::vector<BlockStates> all;
    model().inspect(ids, [&](std::size_t layer, const BlockStates& states) {
      EXPECT_EQ(layer, all.size());
      all.push_back(states);
    });
    return all;
  }

  const trigon::SafeTensors golden_{fs::path(GPT2_MODEL_DIR) / "golden.safetensors"};
  const Ids ids_ = gpt2::test::golden()[3]["ids"].get<Ids>();
  const std::size_t count_ = ids_.size();
};

INSTANTIATE_TEST_SUITE_P(, Gpt2Inspect, testing::Values(Profile::webgl2, Profile::webgl1),
                         [](const auto& test) {
                           return test.param == Profile::webgl2 ? "WebGL2" : "WebGL1";
                         });

TEST_P(Gpt2Inspect, AttentionIsTheReferences) {
  const Reference reference;
  const std::vector<BlockStates> all = blocks(ids_);
  ASSERT_EQ(all.size(), 6U);
  const auto side = static_cast<std::int64_t>(count_);
  for (const std::size_t layer : {std::size_t{0}, std::size_t{3}}) {
    ASSERT_EQ(all[layer].attention.shape(), (Shape{6, side, side}));
    const std::vector<float> found = all[layer].attention.to_vector<float>();
    const std::vector<double> expected =
        reference.attention(layer, rows_of(golden(fmt::format("hidden{}", layer)), 192));
    for (std::size_t k = 0; k < found.size(); ++k) {
      ASSERT_NEAR(found[k], expected[k], tolerance) << layer << " " << k;
    }
  }
}

TEST_P(Gpt2Inspect, AttentionLooksBackAndAddsUpToOne) {
  for (const BlockStates& states : blocks(ids_)) {
    const std::vector<float> found = states.attention.to_vector<float>();
    for (std::size_t row = 0; row < found.size() / count_; ++row) {
      double sum = 0;
      for (std::size_t key = 0; key < count_; ++key) {
        const float weight = found[row * count_ + key];
        sum += weight;
        ASSERT_TRUE(key <= row % count_ || weight == 0.0F) << row << " " << key;
      }
      ASSERT_NEAR(sum, 1.0, 1e-5);
    }
  }
}

TEST_P(Gpt2Inspect, OutputsAreTheReferences) {
  const std::vector<BlockStates> all = blocks(ids_);
  for (std::size_t layer = 0; layer + 1 < all.size(); ++layer) {  // the last one is kept after ln_f
    const std::vector<float> found = all[layer].output.to_vector<float>();
    const std::vector<float> expected = golden(fmt::format("hidden{}", layer + 1));
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t k = 0; k < found.size(); ++k) ASSERT_NEAR(found[k], expected[k], tolerance);
  }
}

TEST_P(Gpt2Inspect, TheLastLensIsTheModelsAnswer) {
  const BlockStates last = blocks(ids_).back();
  const Rows logits = rows_of(golden("logits"), 4096);
  ASSERT_EQ(last.top_ids.size(), count_);
  for (std::size_t t = 0; t < count_; ++t) {
    const auto top = std::max_element(logits[t].begin(), logits[t].end());
    EXPECT_EQ(last.top_ids[t], std::distance(logits[t].begin(), top)) << t;
    double sum = 0;
    for (const double logit : logits[t]) sum += std::exp(logit - *top);
    EXPECT_NEAR(last.top_probabilities[t], 1.0 / sum, tolerance) << t;
  }
}

TEST_P(Gpt2Inspect, LongTextsAreSeenRowByRow) {
  Ids ids = gpt2::test::golden()[0]["greedy"].get<Ids>();
  ASSERT_GT(ids.size(), 65U);  // more than the rows of logits at a time
  const BlockStates last = blocks(ids).back();
  const trigon::Tensor logits = model().start().forward_all(ids);
  EXPECT_EQ(last.top_ids, argmax(logits, -1).to_vector<std::int32_t>());
}

TEST(Gpt2InspectErrors, ChecksIdsAndTheirNumber) {
  const Model model = Model::load(tiny_folder(), device(Profile::webgl2));
  EXPECT_EQ(error_of([&] {
              model.inspect(Ids{1, 2, 3, 4, 5, 6, 7}, {});
            }),
            "gpt2::Model::inspect: wrong number of ids: 7 after 0; there must be at least 1 and "
            "together at most n_positions = 6");
}

// ---- Files

std::vector<std::string> names_in(const fs::path& dir) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(dir)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class Gpt2Pictures : public testing::Test {
 protected:
  void inspect(const Ids& ids) { gpt2::inspect_text(model_, ids, {}, {dir_, file_}); }

  const Model model_ = Model::load(tiny_folder(), device(Profile::webgl2));
  const fs::path dir_ = make_folder("pictures");
  const fs::path file_ = make_folder("attention") / "attention.npy";
};

TEST_F(Gpt2Pictures, AreNamedByLayerAndHead) {
  inspect({1, 2, 3, 4});
  EXPECT_EQ(names_in(dir_),
            (std::vector<std::string>{"attention-00-00.png", "attention-00-01.png",
                                      "attention-01-00.png", "attention-01-01.png", "attention.png",
                                      "block-00.png", "block-01.png", "lens.png", "lens.tsv"}));
  EXPECT_EQ(names_in(file_.parent_path()), std::vector<std::string>{"attention.npy"});
}

TEST_F(Gpt2Pictures, HaveWholeSquaresForElements) {
  inspect({1, 2, 3, 4});
  EXPECT_EQ(trigon::load_png(dir_ / "attention-01-00.png").shape(), (Shape{512, 512, 3}));
  EXPECT_EQ(trigon::load_png(dir_ / "attention.png").shape(), (Shape{260, 260, 3}));
  EXPECT_EQ(trigon::load_png(dir_ / "block-00.png").shape(), (Shape{256, 512, 3}));
  EXPECT_EQ(trigon::load_png(dir_ / "lens.png").shape(), (Shape{64, 128, 3}));
}

TEST_F(Gpt2Pictures, ShowTheWeightsOfAttention) {
  inspect({1, 2, 3, 4});
  const auto weights = trigon::load_npy(file_);
  EXPECT_EQ(weights.shape(), (Shape{2, 2, 4, 4}));
  EXPECT_EQ(weights.dtype(), trigon::float32);
  const auto expected = trigon::cm::magma(sqrt(weights(1, 0))).to_vector<float>();
  const trigon::Tensor picture = trigon::load_png(dir_ / "attention-01-00.png");
  const auto pixels =
      picture(trigon::Slice{64, {}, 128}, trigon::Slice{64, {}, 128}).to_vector<std::uint8_t>();
  ASSERT_EQ(pixels.size(), expected.size());
  for (std::size_t k = 0; k < pixels.size(); ++k) {
    EXPECT_NEAR(pixels[k], 255.0 * expected[k], 0.51) << k;
  }
}

TEST_F(Gpt2Pictures, TheFileHoldsTheAttentionOfEachLayer) {
  const Ids ids = {1, 2, 3, 4, 5};
  inspect(ids);
  const trigon::Tensor found = trigon::load_npy(file_);
  model_.inspect(ids, [&](std::size_t layer, const BlockStates& states) {
    EXPECT_EQ(found[static_cast<std::int64_t>(layer)].to_vector<float>(),
              states.attention.to_vector<float>());
  });
}

TEST_F(Gpt2Pictures, TheTableHasALineForEachLayerAndPosition) {
  inspect({1, 2, 3});
  std::istringstream lines(read(dir_ / "lens.tsv"));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "layer\tposition\tid\ttoken\ttop_id\ttop_token\tprobability");
  std::vector<BlockStates> all;
  model_.inspect(Ids{1, 2, 3}, [&](std::size_t, const BlockStates& s) { all.push_back(s); });
  for (std::size_t layer = 0; layer < 2; ++layer) {
    for (std::size_t k = 0; k < 3; ++k) {
      std::getline(lines, line);
      EXPECT_EQ(line, fmt::format("{}\t{}\t{}\t\t{}\t\t{:.6g}", layer, k, k + 1,
                                  all[layer].top_ids[k], all[layer].top_probabilities[k]));
    }
  }
  EXPECT_FALSE(std::getline(lines, line));
}

TEST_F(Gpt2Pictures, QuoteTokensInTheTable) {
  const auto tokenizer = gpt2::Tokenizer::load(GPT2_MODEL_DIR);
  const Ids ids = tokenizer.encode("\n\"To");
  gpt2::inspect_text(bundled(Profile::webgl2), ids, tokenizer, {.pictures = dir_});
  const std::string table = read(dir_ / "lens.tsv");
  EXPECT_NE(table.find(fmt::format("\n0\t0\t{}\t\"\\n\"\t", ids[0])), std::string::npos) << table;
  EXPECT_NE(table.find("\t\"\\\"\"\t"), std::string::npos) << table;
}

TEST_F(Gpt2Pictures, OfTextsPastTheContextShowItsEnd) {
  inspect({9, 9, 1, 2, 3, 4, 5, 6});  // n_positions is 6
  const trigon::Tensor found = trigon::load_npy(file_);
  EXPECT_EQ(found.shape(), (Shape{2, 2, 6, 6}));
  inspect({1, 2, 3, 4, 5, 6});
  EXPECT_EQ(trigon::load_npy(file_).to_vector<float>(), found.to_vector<float>());
}

TEST_F(Gpt2Pictures, OfLongTextsKeepLargeWeightsInTheGrid) {
  const Ids ids(150, 7);
  gpt2::inspect_text(bundled(Profile::webgl2), ids, {}, {.pictures = dir_});
  const trigon::Tensor grid = trigon::load_png(dir_ / "attention.png");
  EXPECT_EQ(grid.shape(), (Shape{6 * 77, 6 * 77, 3}));  // 75 squares of 2 x 2, and a line of 2
  EXPECT_EQ(trigon::load_png(dir_ / "attention-05-05.png").shape(), (Shape{450, 450, 3}));
  // The first query has one key, whose weight is 1.
  const auto first = grid(0, 0).to_vector<std::uint8_t>();
  EXPECT_GT(first[0] + first[1] + first[2], 680);
}

TEST_F(Gpt2Pictures, AFullDiskIsAnError) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
  const auto error_with = [&](const char* name) {
    fs::remove(dir_ / name);
    fs::create_symlink("/dev/full", dir_ / name);
    const std::string text = error_of([&] { gpt2::inspect_text(model_, Ids{1}, {}, {dir_, {}}); });
    fs::remove(dir_ / name);
    return text;
  };
  EXPECT_EQ(error_with("attention-00-01.png"),
            "trigon::save_png: \"" + (dir_ / "attention-00-01.png").string() +
                "\": cannot write: No space left on device; must be a writable path in a writable "
                "directory");
  EXPECT_EQ(error_with("lens.tsv"), "trigon: \"" + (dir_ / "lens.tsv").string() +
                                        "\": cannot write: No space left on device; must be a "
                                        "writable path in a writable directory");
  EXPECT_EQ(error_of([&] {
              gpt2::inspect_text(model_, Ids{1}, {}, {{}, "/dev/full"});
            }),
            "trigon: \"/dev/full\": cannot write: No space left on device; must be a "
            "writable path in a writable directory");
}

TEST_F(Gpt2Pictures, ANewFileHasThePermissionsOfTheOld) {
  gpt2::test::write(file_, "old");
  fs::permissions(file_, fs::perms(0640));
  fs::create_symlink(file_, dir_ / "link");
  gpt2::inspect_text(model_, Ids{1}, {}, {{}, dir_ / "link"});
  EXPECT_TRUE(fs::is_symlink(dir_ / "link"));
  EXPECT_EQ(fs::status(file_).permissions(), fs::perms(0640));
  EXPECT_EQ(trigon::load_npy(file_).shape(), (Shape{2, 2, 1, 1}));
}

TEST_F(Gpt2Pictures, AnErrorLeavesTheOldFile) {
  gpt2::test::write(file_, "old");
  EXPECT_NE(error_of([&] { gpt2::inspect_text(model_, Ids{11}, {}, {{}, file_}); }), "no error");
  EXPECT_EQ(read(file_), "old");
  EXPECT_EQ(names_in(file_.parent_path()), std::vector<std::string>{"attention.npy"});
}

TEST_F(Gpt2Pictures, TheFileNeedsItsFolder) {
  EXPECT_EQ(error_of([&] { gpt2::prepare({.attention = dir_ / "none" / "a.npy"}); }),
            "gpt2: " + (dir_ / "none").string() + ": no such folder; --attention needs one");
  EXPECT_EQ(
      error_of([&] { gpt2::prepare({.attention = file_.parent_path()}); }),
      "gpt2: " + file_.parent_path().string() + ": is a folder; --attention must name a file");
  gpt2::prepare({.attention = "a.npy"});
}

TEST_F(Gpt2Pictures, NeedAFolder) {
  gpt2::test::write(file_, "a file");
  EXPECT_EQ(error_of([&] { gpt2::prepare({.pictures = file_}); }),
            "gpt2: " + file_.string() +
                ": cannot be made: Not a directory; --pictures must name a folder or a new one");
  const fs::path inner = dir_ / "new" / "folder";
  gpt2::prepare({.pictures = inner});
  EXPECT_TRUE(fs::is_directory(inner));
}

}  // namespace

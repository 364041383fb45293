// SPDX-License-Identifier: MIT
#include "../model_loader.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "support.hpp"

namespace {

using gpt2::Model;
using gpt2::ModelLoader;
using gpt2::test::device;
using gpt2::test::error_of;
using gpt2::test::Ids;
using gpt2::test::tiny_folder;
using trigon::Profile;
using trigon::Tensor;
namespace fs = std::filesystem;

class Gpt2Loader : public testing::Test {
 protected:
  using Entries = std::vector<trigon::SafeTensors::Entry>;

  std::string refusal(const std::function<void(ModelLoader&)>& use) const {
    return error_of([&] {
      ModelLoader loader = open(tensors_.entries());
      use(loader);
    });
  }
  ModelLoader open(const Entries& entries) const {
    return {gpt2::Config::load(dir_), entries, device(Profile::webgl2), "weights"};
  }
  Tensor load(const std::string& name) const {
    return tensors_.load(name, device(Profile::webgl2));
  }

  const fs::path dir_ = tiny_folder();
  const trigon::SafeTensors tensors_{dir_ / "model.safetensors"};
};

TEST_F(Gpt2Loader, TakesTensorsInAnyOrder) {
  ModelLoader loader = open(tensors_.entries());
  std::vector<std::string> names = loader.wanted();
  EXPECT_EQ(names, tensors_.names());  // in the order of the file
  std::reverse(names.begin(), names.end());
  for (const std::string& name : names) loader.add(name, load(name));
  EXPECT_EQ(loader.bytes_done(), loader.bytes_total());
  const Ids ids{3, 1, 4, 1, 5};
  const Tensor expected = Model::load(dir_, device(Profile::webgl2)).start().forward_all(ids);
  EXPECT_EQ(loader.finish().start().forward_all(ids).to_vector<float>(),
            expected.to_vector<float>());
}

TEST_F(Gpt2Loader, WantsWhatTheModelHasAlone) {
  Entries entries = tensors_.entries();
  trigon::SafeTensors::Entry mask = entries.front();
  mask.name = "h.0.attn.bias";  // the causal mask, which old files hold
  entries.insert(entries.begin(), mask);
  EXPECT_EQ(open(entries).wanted(), tensors_.names());
}

TEST_F(Gpt2Loader, NamesATensorThatWasNotGiven) {
  EXPECT_EQ(refusal([](ModelLoader& loader) { loader.finish(); }),
            "gpt2::Model::load: weights: tensor \"wte.weight\" was not given; all of wanted() must "
            "be");
}

TEST_F(Gpt2Loader, RefusesTensorsThatDoNotFit) {
  const std::string start = "gpt2::Model::load: weights: tensor \"ln_f.bias\" ";
  const Tensor bias = load("ln_f.bias");
  const auto given = [&](const std::string& name, const Tensor& x) {
    return refusal([&](ModelLoader& loader) { loader.add(name, x); });
  };
  EXPECT_EQ(given("ln_f.bias", bias.reshape(2, 4)),
            start + "is given as float32 (2, 4); it must be float32 (8,)");
  EXPECT_EQ(given("ln_f.bias", bias.astype(trigon::float16)),
            start + "is given as float16 (8,); it must be float32 (8,)");
  EXPECT_EQ(given("ln_g.bias", bias),
            "gpt2::Model::load: weights: tensor \"ln_g.bias\" is not part of the model; it must be "
            "one of wanted()");
  EXPECT_EQ(refusal([&](ModelLoader& loader) {
              loader.add("ln_f.bias", bias);
              loader.add("ln_f.bias", bias);
            }),
            start + "is given twice; once is enough");
}

TEST_F(Gpt2Loader, RefusesATensorOfTwoShards) {
  Entries entries = tensors_.entries();
  entries.push_back(entries.front());
  EXPECT_EQ(error_of([&] { open(entries); }), "gpt2::Model::load: weights: tensor \"" +
                                                  entries.front().name +
                                                  "\" is there twice; it must be in one file");
}

}  // namespace

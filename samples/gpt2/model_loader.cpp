// SPDX-License-Identifier: MIT
#include "model_loader.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <system_error>
#include <utility>

#include <trigon/trigon.hpp>

namespace gpt2 {

using trigon::Shape;
using trigon::Tensor;

namespace {

std::int64_t byte_count(const Shape& shape) { return shape.numel() * 4; }  // float32 there

std::filesystem::path weight_file(const std::filesystem::path& dir) {
  for (const char* name : {"model.safetensors", "model.safetensors.index.json"}) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(dir / name, ignored)) return dir / name;
  }
  throw trigon::Error(fmt::format(
      "gpt2::Model::load: no weights: neither model.safetensors nor model.safetensors.index.json "
      "is in {}; the folder must hold one of them",
      dir.string()));
}

}  // namespace

/// The tensors of a model by their names. `source` gives each for its name and its shape in the
/// file.
class ModelLoader::Assembly {
 public:
  using Source = std::function<Tensor(const std::string& name, const Shape& shape, Layout layout)>;
  explicit Assembly(Source source) : source_(std::move(source)) {}

  Weights weights(const Config& c, const std::string& prefix, bool tied) const {
    Weights w;
    w.config = c;
    w.wte = source_(prefix + "wte.weight", {c.vocab_size, c.n_embd}, Layout::as_is);
    w.wpe = source_(prefix + "wpe.weight", {c.n_positions, c.n_embd}, Layout::as_is);
    for (std::int64_t i = 0; i < c.n_layer; ++i) {
      w.blocks.push_back(block(fmt::format("{}h.{}", prefix, i), c));
    }
    w.ln_f = layer_norm(prefix + "ln_f", c.n_embd);
    w.head = tied ? w.wte : source_("lm_head.weight", {c.vocab_size, c.n_embd}, Layout::as_is);
    return w;
  }

 private:
  // GPT-2's files hold matrices as (in, out); shaders read them fastest as (out, in), along rows.
  Linear linear(const std::string& name, std::int64_t in, std::int64_t out) const {
    return {source_(name + ".weight", {in, out}, Layout::turned),
            source_(name + ".bias", {out}, Layout::as_is)};
  }
  LayerNorm layer_norm(const std::string& name, std::int64_t width) const {
    return {source_(name + ".weight", {width}, Layout::as_is),
            source_(name + ".bias", {width}, Layout::as_is)};
  }
  Block block(const std::string& name, const Config& c) const {
    return {.ln_1 = layer_norm(name + ".ln_1", c.n_embd),
            .attn_qkv = linear(name + ".attn.c_attn", c.n_embd, 3 * c.n_embd),
            .attn_proj = linear(name + ".attn.c_proj", c.n_embd, c.n_embd),
            .ln_2 = layer_norm(name + ".ln_2", c.n_embd),
            .mlp_fc = linear(name + ".mlp.c_fc", c.n_embd, c.n_inner),
            .mlp_proj = linear(name + ".mlp.c_proj", c.n_inner, c.n_embd)};
  }

  Source source_;
};

ModelLoader::ModelLoader(Config config, std::span<const Entry> entries,
                         const trigon::Device& device, std::string file)
    : config_(std::move(config)), device_(device), file_(std::move(file)) {
  std::map<std::string, const Entry*> found;
  for (const Entry& entry : entries) {
    if (!found.emplace(entry.name, &entry).second) {
      fail(fmt::format("tensor \"{}\" is there twice; it must be in one file", entry.name));
    }
  }
  prefix_ = found.contains("transformer.wte.weight") ? "transformer." : "";
  is_tied_ = config_.tie_word_embeddings.value_or(!found.contains("lm_head.weight"));
  const Assembly assembly([&](const std::string& name, const Shape& shape, Layout layout) {
    const auto at = found.find(name);
    check(at == found.end() ? nullptr : at->second, name, shape);
    parameters_[name] = {shape, layout};
    bytes_total_ += byte_count(shape);
    return Tensor();
  });
  assembly.weights(config_, prefix_, is_tied_);
  for (const Entry& entry : entries) {
    if (parameters_.contains(entry.name)) wanted_.push_back(entry.name);
  }
}

void ModelLoader::fail(const std::string& what) const {
  throw trigon::Error(fmt::format("gpt2::Model::load: {}: {}", file_, what));
}

void ModelLoader::check(const Entry* entry, const std::string& name, const Shape& shape) const {
  if (entry == nullptr) {
    fail(fmt::format("tensor \"{}\" is missing; it must be there, of shape {}", name,
                     to_string(shape)));
  }
  if (entry->shape != shape) {
    fail(fmt::format("tensor \"{}\" has shape {}; config.json asks for {}", name,
                     to_string(entry->shape), to_string(shape)));
  }
  static const std::set<std::string> floats = {"F64", "F32", "F16", "BF16"};
  if (!floats.contains(entry->dtype)) {
    fail(fmt::format("tensor \"{}\" holds {}; it must hold F64, F32, F16 or BF16", name,
                     entry->dtype));
  }
}

void ModelLoader::add(const std::string& name, const Tensor& tensor) {
  const auto found = parameters_.find(name);
  if (found == parameters_.end()) {
    fail(fmt::format("tensor \"{}\" is not part of the model; it must be one of wanted()", name));
  }
  Parameter& parameter = found->second;
  if (parameter.tensor) fail(fmt::format("tensor \"{}\" is given twice; once is enough", name));
  if (tensor.shape() != parameter.shape || tensor.dtype() != trigon::float32) {
    fail(fmt::format("tensor \"{}\" is given as {} {}; it must be float32 {}", name,
                     trigon::name(tensor.dtype()), to_string(tensor.shape()),
                     to_string(parameter.shape)));
  }
  parameter.tensor = parameter.layout == Layout::turned ? tensor.T().eval() : tensor;
  bytes_done_ += byte_count(parameter.shape);
}

Model ModelLoader::finish() const {
  const Assembly assembly([this](const std::string& name, const Shape&, Layout) {
    const std::optional<Tensor>& tensor = parameters_.at(name).tensor;
    if (!tensor) fail(fmt::format("tensor \"{}\" was not given; all of wanted() must be", name));
    return *tensor;
  });
  Weights weights = assembly.weights(config_, prefix_, is_tied_);
  return Model(std::make_shared<const Weights>(std::move(weights)), device_);
}

Model Model::load(const std::filesystem::path& dir, const trigon::Device& device,
                  const Progress& progress) {
  const Config config = Config::load(dir);
  const std::filesystem::path file = weight_file(dir);
  const trigon::SafeTensors tensors(file);
  const std::vector<trigon::SafeTensors::Entry> entries = tensors.entries();
  ModelLoader loader(config, entries, device, file.string());
  for (const std::string& name : loader.wanted()) {
    loader.add(name, tensors.load(name, device));
    if (progress) progress(loader.bytes_done(), loader.bytes_total());
  }
  return loader.finish();
}

}  // namespace gpt2

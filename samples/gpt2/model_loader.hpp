// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <trigon/io.hpp>

#include "model.hpp"

namespace gpt2 {

/// Builds a model from tensors that come one by one, in any order, such as those of a file that is
/// still being downloaded. Model::load() is the same for a folder.
///
///   ModelLoader loader(config, tensors.entries(), device, "model.safetensors");
///   for (const std::string& name : loader.wanted()) loader.add(name, tensors.load(name, device));
///   Model model = loader.finish();
class ModelLoader {
 public:
  using Entry = trigon::SafeTensors::Entry;

  /// `entries`: the entries of the weights' header, or of all shards' headers, by Hugging Face's
  /// names, with or without the prefix `transformer.`. `file`: the weights' name in errors.
  /// Everything is checked here, before anything is uploaded. Raises trigon::Error
  /// `gpt2::Model::load: <file>: ...` for a tensor that is missing, of another shape or not a
  /// float, naming it and both shapes.
  ModelLoader(Config config, std::span<const Entry> entries, const trigon::Device& device,
              std::string file);

  /// The names of the tensors that the model takes, in the order of the entries. Others need not
  /// be read.
  const std::vector<std::string>& wanted() const { return wanted_; }

  /// Takes one of them, as float32 on the device. Raises Error for another name, for one that was
  /// taken before, and for another shape or dtype.
  void add(const std::string& name, const trigon::Tensor& tensor);

  /// Bytes on the device of the tensors taken so far, and of all tensors.
  std::int64_t bytes_done() const { return bytes_done_; }
  std::int64_t bytes_total() const { return bytes_total_; }

  /// The model. Raises Error, naming the tensor, if add() was not called for one.
  Model finish() const;

 private:
  /// The order of a matrix's axes in the file.
  enum class Layout : std::uint8_t { as_is, turned };
  struct Parameter {
    trigon::Shape shape;  ///< in the file
    Layout layout;
    std::optional<trigon::Tensor> tensor{};
  };
  class Assembly;

  [[noreturn]] void fail(const std::string& what) const;
  void check(const Entry* entry, const std::string& name, const trigon::Shape& shape) const;

  Config config_;
  trigon::Device device_;
  std::string file_;
  std::string prefix_;
  bool is_tied_ = false;
  std::map<std::string, Parameter> parameters_;
  std::vector<std::string> wanted_;
  std::int64_t bytes_done_ = 0, bytes_total_ = 0;
};

}  // namespace gpt2

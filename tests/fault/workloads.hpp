// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <unistd.h>

#include <trigon/trigon.hpp>

#include "model.hpp"
#include "support/gpt_step.hpp"

// Work that tests interrupt. Each kind has its own device. run() may be called again after any
// failure, and gives the same values.

namespace trigon::fault {

class Workload {
 public:
  virtual ~Workload() = default;
  virtual std::vector<float> run() = 0;
};

/// Gives a new one on a new device.
using MakeWorkload = std::function<std::unique_ptr<Workload>()>;

/// Values that are not all equal, of either sign.
inline std::vector<float> waves(std::int64_t count) {
  std::vector<float> values(static_cast<std::size_t>(count));
  for (std::size_t k = 0; k < values.size(); ++k) {
    values[k] = static_cast<float>(static_cast<int>(k * 37 % 101) - 50) / 100.0F;
  }
  return values;
}

/// Two ids at once, then one more: a plan that is made, and a compiled function.
class GptToken : public Workload {
 public:
  GptToken() : model_(gpt2::Model::load(GPT2_MODEL_DIR, Device(DeviceOptions{}))) {}

  std::vector<float> run() override {
    gpt2::Session session = model_.start();
    const std::int32_t ids[] = {17, 4};
    session.forward(ids);
    const std::int32_t next = 5;
    return session.read_logits(std::span(&next, 1));
  }

 private:
  gpt2::Model model_;
};

/// A step of a small GPT: its loss and its new parameters, evaluated at once.
class TrainingStep : public Workload {
 public:
  TrainingStep()
      : parameters_(support::gpt_parameters(size_,
                                            [this](const Shape& shape) {
                                              return tensor<float>(waves(shape.numel()), shape,
                                                                   device_);
                                            })),
        ids_(tensor<std::int32_t>(std::vector<std::int32_t>{1, 3, 0, 2}, {1, 4}, device_)),
        targets_(tensor<float>(std::vector<float>(32, 0.125F), {1, 4, 8}, device_)) {}

  std::vector<float> run() override {
    const std::vector<Tensor> roots =
        support::gpt_step(size_, parameters_, ids_, targets_, Scalar(0.1));
    eval(roots);
    std::vector<float> values;
    for (const Tensor& root : roots) {
      const std::vector<float> own = root.to_vector<float>();
      values.insert(values.end(), own.begin(), own.end());
    }
    return values;
  }

 private:
  support::GptSize size_{
      .layers = 1, .batch = 1, .length = 4, .width = 8, .heads = 2, .vocabulary = 8};
  Device device_{DeviceOptions{}};
  std::vector<Tensor> parameters_;
  Tensor ids_, targets_;
};

/// Two pending reads while another one is made.
class Futures : public Workload {
 public:
  Futures() : x_(tensor<float>(waves(60), {6, 10}, device_)) {}

  std::vector<float> run() override {
    Future<float> product = matmul(x_, x_.T()).read_async<float>();
    Future<float> dropped = exp(x_).read_async<float>();
    std::vector<float> values = (x_ + 1.0).to_vector<float>();
    static_cast<void>(dropped.ready());
    const std::vector<float> later = product.get();
    values.insert(values.end(), later.begin(), later.end());
    return values;
  }

 private:
  Device device_{DeviceOptions{}};
  Tensor x_;
};

/// Two tensors, one of them computed, saved over an existing file. After any fault the file is the
/// whole old one or the whole new one.
class Save : public Workload {
 public:
  Save() : x_(tensor<float>(waves(60), {6, 10}, device_)) { write("old"); }
  ~Save() override {
    if (::getpid() != maker_) return;  // which continues with it
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }

  std::vector<float> run() override {
    save_safetensors(path_, {{"x", x_}, {"y", nn::softmax(matmul(x_, x_.T()))}});
    const SafeTensors file(path_);
    std::vector<float> values = file.load("x", device_).to_vector<float>();
    const std::vector<float> y = file.load("y", device_).to_vector<float>();
    values.insert(values.end(), y.begin(), y.end());
    return values;
  }

 private:
  void write(const char* text) const { std::ofstream(path_) << text; }

  pid_t maker_ = ::getpid();
  std::filesystem::path path_ = std::filesystem::temp_directory_path() /
                                ("trigon-fault-" + std::to_string(maker_) + ".safetensors");
  Device device_{DeviceOptions{}};
  Tensor x_;
};

/// The workloads by name.
inline const std::map<std::string, MakeWorkload>& workloads() {
  static const std::map<std::string, MakeWorkload> all = {
      {"Futures", [] { return std::make_unique<Futures>(); }},
      {"GptToken", [] { return std::make_unique<GptToken>(); }},
      {"Save", [] { return std::make_unique<Save>(); }},
      {"TrainingStep", [] { return std::make_unique<TrainingStep>(); }},
  };
  return all;
}

}  // namespace trigon::fault

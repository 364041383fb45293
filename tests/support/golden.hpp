// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include <trigon/tensor.hpp>

#include "io/safetensors.hpp"

namespace trigon::support {

/// Gives a golden tensor by its name.
using GoldenLeaf = std::function<Tensor(const std::string&)>;

/// A folder of tests/data: a list of cases and the tensors that they name.
class Golden {
 public:
  Golden(const std::string& folder, const std::string& cases, const std::string& tensors)
      : file_(io::SafeTensors::open(root() + folder + "/" + tensors)) {
    std::ifstream text(root() + folder + "/" + cases);
    cases_ = nlohmann::json::parse(std::istreambuf_iterator<char>(text),
                                   std::istreambuf_iterator<char>());
  }

  const nlohmann::json& cases() const { return cases_; }

  const io::Entry& entry(const std::string& name) const {
    const io::Entry* found = file_.find(name);
    if (found == nullptr) throw std::runtime_error("no golden tensor " + name);
    return *found;
  }

  Shape shape(const std::string& name) const { return Shape(entry(name).shape); }

  /// The elements, F64 in full.
  std::vector<double> values(const std::string& name) const {
    const io::Entry& e = entry(name);
    if (e.dtype == io::FileDType::f64) {
      std::vector<double> values(e.bytes.size() / sizeof(double));
      if (!values.empty()) std::memcpy(values.data(), e.bytes.data(), e.bytes.size());
      return values;
    }
    if (is_integral(e.dtype)) {
      const std::vector<std::int32_t> ints = io::to_int32(e);
      return {ints.begin(), ints.end()};
    }
    const std::vector<float> floats = io::to_float32(e);
    return {floats.begin(), floats.end()};
  }

  /// The tensor made from the leaf that make(dtype, shape) gives: floats are float32, U8 and BOOL
  /// become bool, the others are int32.
  template <class F>
  Tensor tensor(const std::string& name, const F& make) const {
    const io::Entry& e = entry(name);
    if (!is_integral(e.dtype)) return make(DType::float32, Shape(e.shape));
    const Tensor x = make(DType::int32, Shape(e.shape));
    const bool is_bool = e.dtype == io::FileDType::u8 || e.dtype == io::FileDType::boolean;
    return is_bool ? x.astype(DType::boolean) : x;
  }

  /// The same, uploaded.
  Tensor tensor(const std::string& name) const {
    return tensor(name, [&](DType dtype, const Shape& shape) {
      const io::Entry& e = entry(name);
      if (dtype == DType::float32) return from_host(io::to_float32(e).data(), dtype, shape);
      return from_host(io::to_int32(e).data(), dtype, shape);
    });
  }

 private:
  static std::string root() { return std::string(TRIGON_TEST_DATA) + "/"; }
  static bool is_integral(io::FileDType dtype) {
    return dtype != io::FileDType::f64 && dtype != io::FileDType::f32 &&
           dtype != io::FileDType::f16 && dtype != io::FileDType::bf16;
  }

  io::SafeTensors file_;
  nlohmann::json cases_;
};

}  // namespace trigon::support

// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <trigon/device.hpp>
#include <trigon/tensor.hpp>

namespace trigon {

/// A NumPy file (.npy, versions 1 to 3, C or Fortran order, little-endian). float64 is rounded to
/// float32, int64 must fit int32. Raises Error, naming the file, the value and the rule, for
/// anything malformed.
Tensor load_npy(const std::filesystem::path& path);
Tensor load_npy(const std::filesystem::path& path, const Device& device);
/// Written beside and renamed, so that a reader never meets half a file.
void save_npy(const std::filesystem::path& path, const Tensor& x);

/// A safetensors file, a model.safetensors.index.json or a folder with either, mapped, not copied:
/// a tensor is read when it is asked for.
class SafeTensors {
 public:
  explicit SafeTensors(const std::filesystem::path& path);
  ~SafeTensors();
  SafeTensors(SafeTensors&&) noexcept;
  SafeTensors& operator=(SafeTensors&&) noexcept;

  /// In the order of the file.
  std::vector<std::string> names() const;
  bool contains(const std::string& name) const;
  /// Raises Error when the file has no such tensor.
  Shape shape(const std::string& name) const;
  /// Uploads one tensor. F64, F16 and BF16 become float32, I64 int32. Raises Error when the file
  /// has no such tensor.
  Tensor load(const std::string& name) const;
  Tensor load(const std::string& name, const Device& device) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

void save_safetensors(const std::filesystem::path& path,
                      const std::map<std::string, Tensor>& tensors);

}  // namespace trigon

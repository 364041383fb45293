// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trigon/device.hpp>
#include <trigon/file_path.hpp>
#include <trigon/tensor.hpp>

namespace trigon {

/// How a file is loaded.
struct LoadOptions {
  std::optional<DType> dtype{};    ///< the values are cast to it; without one as each loader says
  std::optional<Device> device{};  ///< instead of the default one
};

/// The array of a NumPy file, uploaded to `device` or the default one.
///
/// Reads .npy versions 1.0 to 3.0 in C or Fortran order, of dtype <f4, <f8, <f2, <i4, <i8, <u4, |u1
/// or |b1. float64 is rounded to float32, int64 becomes int32, <f2 stays float16, with all bits but
/// the payload of a NaN. `load_npy(path, {.dtype = float16})` rounds to float16. Raises Error,
/// naming the file, the value and the rule, for a file that cannot be read, another dtype, a
/// malformed header, more than eight axes, data of the wrong length and an int64 that int32 cannot
/// hold; DeviceError when the array does not fit the device.
/// Source: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
Tensor load_npy(const FilePath& path);
Tensor load_npy(const FilePath& path, const Device& device);
Tensor load_npy(const FilePath& path, const LoadOptions& options);

/// Evaluates x and writes it as a .npy file of version 1.0, in its dtype. A NaN of float16 becomes
/// the quiet one, with its sign where the device keeps it. The file is replaced at once: `path`
/// holds the old content or all of the new. Raises Error when it cannot be written, DeviceError
/// when x cannot be computed.
void save_npy(const FilePath& path, const Tensor& x);

/// The tensors of a safetensors file, which stays open: load() reads one tensor. The file may be
/// replaced meanwhile, as saving does; if it is shortened or overwritten instead, load() raises
/// Error or gives what it reads.
/// Source: https://github.com/huggingface/safetensors#format
///
///   SafeTensors file("model.safetensors");
///   Tensor weight = file.load("wte.weight");
class SafeTensors {
 public:
  /// Opens a .safetensors file, an index (model.safetensors.index.json) with its shards, or a
  /// folder with either. Raises Error, naming the file, the tensor, the value and the rule, when it
  /// cannot be read or breaks the format.
  explicit SafeTensors(const FilePath& path);
  ~SafeTensors();
  SafeTensors(SafeTensors&&) noexcept;
  SafeTensors& operator=(SafeTensors&&) noexcept;

  /// The names of all tensors in the order of their data, shard by shard.
  std::vector<std::string> names() const;
  /// Whether the file has a tensor of that name.
  bool contains(const std::string& name) const;
  /// The shape of a tensor. Raises Error when the file has no such tensor.
  Shape shape(const std::string& name) const;
  /// One tensor, uploaded to `device` or the default one. F64, F16 and BF16 become float32, I64
  /// becomes int32; with `{.dtype = float16}` F16 stays as it is, in half the memory. Raises Error
  /// when the file has no such tensor, an I64 does not fit int32 or the file cannot be read any
  /// more; DeviceError when the tensor does not fit the device.
  Tensor load(const std::string& name) const;
  Tensor load(const std::string& name, const Device& device) const;
  Tensor load(const std::string& name, const LoadOptions& options) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Evaluates the tensors and writes them as one safetensors file, float16 as F16 as in save_npy.
/// The file is replaced at once: `path` holds the old content or all of the new. Raises Error for a
/// name that is not UTF-8 or is "__metadata__" and when the file cannot be written, DeviceError
/// when a tensor cannot be computed.
void save_safetensors(const FilePath& path, const std::map<std::string, Tensor>& tensors);

/// A file of any kind that is written piece by piece and replaced at once, as the functions above
/// do it: until finish() returns, a reader sees the old file, and so does who comes after a crash.
/// Links are followed and stay; the file keeps its permissions, and its owner where the process may
/// set it. A pipe or a device, such as /dev/stdout, is written to as it is.
///
///   NewFile table("table.txt");
///   for (const std::string& line : lines) table.write(line);
///   table.finish();
class NewFile {
 public:
  /// Raises Error when the path cannot be written, or its folder, where a temporary file takes the
  /// pieces; write() and finish() do so as well. The old file is kept then.
  explicit NewFile(const FilePath& path);
  /// Without finish() the old file is kept.
  ~NewFile();
  NewFile(NewFile&&) noexcept;
  NewFile& operator=(NewFile&&) noexcept;

  void write(std::string_view bytes);
  /// Once, after the last piece. The file is on the disk then.
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace trigon

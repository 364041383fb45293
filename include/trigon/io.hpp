// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <trigon/device.hpp>
#include <trigon/file_path.hpp>
#include <trigon/tensor.hpp>

namespace trigon {

/// Options for loading a file.
struct LoadOptions {
  std::optional<DType> dtype{};    ///< the values are cast to it; default: see each loader
  std::optional<Device> device{};  ///< instead of the default one
};

/// The array of a NumPy file, uploaded to `device` or the default one.
///
/// Reads .npy versions 1.0 to 3.0 in C or Fortran order, of dtype <f4, <f8, <f2, <i4, <i8, <i2,
/// <u4, <u2, |u1 or |b1. float64 is rounded to float32, int64 and int16 become int32, uint16
/// becomes uint32. float16 (<f2) stays; only the payload of a NaN is lost. `load_npy(path, {.dtype
/// = float16})` rounds to float16.
///
/// Raises Error, naming the file, the value and the rule, for a file that cannot be read, another
/// dtype or a malformed header. Also for more than eight axes, data of the wrong length and an
/// int64 that int32 cannot hold. Raises DeviceError when the array does not fit the device.
/// Source: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
[[nodiscard]] Tensor load_npy(const FilePath& path);
[[nodiscard]] Tensor load_npy(const FilePath& path, const Device& device);
[[nodiscard]] Tensor load_npy(const FilePath& path, const LoadOptions& options);
/// The same from the bytes of a whole file, for example one fetched by a web page. Errors call the
/// file "memory".
///
///   Tensor x = load_npy(bytes, {.dtype = float16});  // bytes: a std::vector<std::byte>
[[nodiscard]] Tensor load_npy(std::span<const std::byte> file, const LoadOptions& options = {});

/// Evaluates x and writes it as a .npy file of version 1.0, in its dtype. A float16 NaN becomes a
/// quiet NaN; its sign is kept if the device keeps it. The file is replaced atomically: `path`
/// holds the old content or all of the new. Raises Error when it cannot be written, DeviceError
/// when x cannot be computed.
void save_npy(const FilePath& path, const Tensor& x);

/// Name and size of a file that has no path.
struct FileOrigin {
  std::string name = "memory";  ///< its name in errors, such as its address
  /// Its size in bytes. Without it, bytes past the last tensor are not detected.
  std::optional<std::uint64_t> size{};
};

/// The tensors of a safetensors file, read on demand. load() reads one tensor: from a file that
/// stays open, from memory, or range by range through a function. The file may be replaced
/// meanwhile, as saving does. If it is shortened or overwritten in place, load() raises Error or
/// returns the new bytes.
/// Source: https://github.com/huggingface/safetensors#format
///
///   SafeTensors file("model.safetensors");
///   Tensor weight = file.load("wte.weight");
class [[nodiscard]] SafeTensors {
 public:
  /// The header's entry of one tensor.
  struct Entry {
    std::string name;
    std::string dtype;  ///< as in the file: "F64", "F32", "F16", "BF16", "I64", "I32", "U32",
                        ///< "U8" or "BOOL"
    Shape shape;
    std::uint64_t begin;  ///< its bytes are [begin, end) of its file
    std::uint64_t end;
  };
  /// Returns the bytes [begin, end) of a file, all end - begin of them. Its exceptions pass through
  /// the functions that call it.
  using ReadRange = std::function<std::vector<std::byte>(std::uint64_t begin, std::uint64_t end)>;

  /// Opens a .safetensors file, an index (model.safetensors.index.json) with its shards, or a
  /// folder with either. Raises Error, naming the file, the tensor, the value and the rule, when it
  /// cannot be read or breaks the format.
  [[nodiscard]] explicit SafeTensors(const FilePath& path);

  /// A whole file in memory, which must outlive this object. Raises Error as above.
  [[nodiscard]] static SafeTensors from_memory(std::span<const std::byte> file,
                                               const std::string& name = "memory");

  /// A file that is read range by range: the header here, one tensor in each load(). So a large
  /// file is never in memory as a whole. Raises Error as above, and when `read` returns too few
  /// bytes or too many.
  ///
  ///   SafeTensors file = SafeTensors::from_ranges([&](std::uint64_t begin, std::uint64_t end) {
  ///     std::vector<std::byte> bytes(end - begin);
  ///     stream.seekg(begin).read(reinterpret_cast<char*>(bytes.data()), bytes.size());
  ///     return bytes;
  ///   });
  [[nodiscard]] static SafeTensors from_ranges(ReadRange read, const FileOrigin& origin = {});

  /// A file whose first bytes are known, at least up to header_end(). load(name, bytes) takes the
  /// bytes of each tensor later. For programs that cannot wait for bytes to arrive. Raises Error as
  /// above.
  [[nodiscard]] static SafeTensors from_header(std::span<const std::byte> start,
                                               const FileOrigin& origin = {});

  /// Offset of the header's end, where the tensors begin, from the file's first eight bytes. Raises
  /// Error when there are fewer, and when the header would be longer than 100 MB or than the file.
  [[nodiscard]] static std::uint64_t header_end(std::span<const std::byte> start,
                                                const FileOrigin& origin = {});

  ~SafeTensors();
  SafeTensors(SafeTensors&&) noexcept;
  SafeTensors& operator=(SafeTensors&&) noexcept;

  /// The names of all tensors in the order of their data, shard by shard.
  [[nodiscard]] std::vector<std::string> names() const;
  /// The header's entries of all tensors, in the same order.
  [[nodiscard]] std::vector<Entry> entries() const;
  /// The header's entry of one tensor. Raises Error when the file has no such tensor.
  [[nodiscard]] Entry entry(const std::string& name) const;
  /// Whether the file has a tensor of that name.
  [[nodiscard]] bool contains(const std::string& name) const;
  /// The shape of a tensor. Raises Error when the file has no such tensor.
  [[nodiscard]] Shape shape(const std::string& name) const;
  /// One tensor, uploaded to `device` or the default one. F64, F16 and BF16 become float32, I64
  /// becomes int32. With `{.dtype = float16}` F16 stays unchanged and takes half the memory. Raises
  /// Error when the file has no such tensor, when an I64 does not fit int32, when the file can no
  /// longer be read, and after from_header(). Raises DeviceError when the tensor does not fit the
  /// device.
  [[nodiscard]] Tensor load(const std::string& name) const;
  [[nodiscard]] Tensor load(const std::string& name, const Device& device) const;
  [[nodiscard]] Tensor load(const std::string& name, const LoadOptions& options) const;
  /// The same from `bytes`, which must be the range [begin, end) of the tensor's entry. Raises
  /// Error also when their number differs.
  [[nodiscard]] Tensor load(const std::string& name, std::span<const std::byte> bytes,
                            const LoadOptions& options = {}) const;

 private:
  struct Impl;
  explicit SafeTensors(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Evaluates the tensors and writes them to one safetensors file, float16 as F16 with NaNs as in
/// save_npy. The file is replaced atomically: `path` holds the old content or all of the new.
/// Raises Error for a name that is not UTF-8 or is "__metadata__", and when the file cannot be
/// written; DeviceError when a tensor cannot be computed.
void save_safetensors(const FilePath& path, const std::map<std::string, Tensor>& tensors);

}  // namespace trigon

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "io/mapped_file.hpp"
#include "io/safetensors_entry.hpp"

namespace trigon::detail::io {

/// The tensors of one file or of all shards of an index, mapped, not copied. The entries' spans are
/// valid while this object or a copy of it lives. Reading through a span may end the process (see
/// MappedFile); read() raises Error instead.
/// Source: https://github.com/huggingface/safetensors#format
class SafeTensors {
 public:
  /// Opens a .safetensors file; an index (.json) with its shards; or a directory that holds
  /// model.safetensors.index.json or, failing that, model.safetensors. Tensors of shards that the
  /// index does not name are ignored. Raises Error, naming the file, the tensor, the value and the
  /// rule, when the file breaks the format; nothing is read past a check that failed.
  static SafeTensors open(const std::filesystem::path& path);
  /// The same for one file in memory, which must stay there while its entries are used. Errors call
  /// it `name`.
  static SafeTensors parse(std::span<const std::byte> file, const std::filesystem::path& name);
  /// The same for a file whose first bytes are known, at least up to header_end(). Without its
  /// size, bytes past the last tensor are not detected.
  static SafeTensors parse_header(std::span<const std::byte> start,
                                  std::optional<std::uint64_t> file_size,
                                  const std::filesystem::path& name);
  /// Offset of the header's end, where the data begin, from the file's first eight bytes.
  static std::uint64_t header_end(std::span<const std::byte> start,
                                  std::optional<std::uint64_t> file_size,
                                  const std::filesystem::path& name);

  /// In the order of their data, shard by shard.
  std::span<const Entry> entries() const { return entries_; }
  /// The tensor called `name`, or nullptr.
  const Entry* find(std::string_view name) const;
  /// Whether open() made it; if so, use read() for the bytes of an entry.
  bool is_on_disk() const { return !files_.empty(); }
  /// The bytes of an entry of this object, read from its file. Raises Error when that fails, for
  /// example if the file was shortened.
  std::vector<std::byte> read(const Entry& entry) const;

 private:
  static SafeTensors open_file(const std::filesystem::path& path);
  static SafeTensors open_index(const std::filesystem::path& path);
  /// Sets the entries' bytes to their ranges in `file`.
  void place_entries(std::span<const std::byte> file);
  /// Raises Error for a repeated name.
  void sort_names(const std::filesystem::path& path);

  std::vector<std::shared_ptr<const MappedFile>> files_;
  std::vector<Entry> entries_;
  std::vector<std::size_t> by_name_;  // indices into entries_, sorted by name
};

/// All elements as float32, whatever the dtype: F64, I64, I32 and U32 are rounded to nearest (F64
/// past float32's range becomes infinite), BOOL is 0 or 1.
std::vector<float> to_float32(const Entry& entry);

/// All elements of I64, I32, U32, U8 or BOOL as int32. Raises Error for a value out of range,
/// naming its index, and for a floating-point dtype.
std::vector<std::int32_t> to_int32(const Entry& entry);

/// The elements in place, without a copy, for T = float (F32), int32_t (I32), uint32_t (U32) or
/// uint8_t (U8). Nothing if the dtype differs or the address is not a multiple of the element's
/// size.
template <class T>
std::optional<std::span<const T>> view_as(const Entry& entry);
template <>
std::optional<std::span<const float>> view_as<float>(const Entry& entry);
template <>
std::optional<std::span<const std::int32_t>> view_as<std::int32_t>(const Entry& entry);
template <>
std::optional<std::span<const std::uint32_t>> view_as<std::uint32_t>(const Entry& entry);
template <>
std::optional<std::span<const std::uint8_t>> view_as<std::uint8_t>(const Entry& entry);

/// Writes `entries` to `path`, which at any time holds the whole old file or the whole new one.
/// Wide dtypes come first, so that every tensor is aligned to its element size in the file. Raises
/// Error for names that are not unique or not UTF-8, and for bytes that do not match shape and
/// dtype.
void save_safetensors(const std::filesystem::path& path, std::span<const Entry> entries);

}  // namespace trigon::detail::io

// SPDX-License-Identifier: MIT
#include "io/file_kind.hpp"

#include <array>
#include <cstdint>

#include "io/little_endian.hpp"
#include "io/safetensors_entry.hpp"

namespace trigon::detail::io {
namespace {

using namespace std::string_view_literals;

struct Start {
  std::string_view bytes;
  FileKind kind;
};

constexpr std::string_view save_as_safetensors = "save its tensors as .safetensors";
constexpr FileKind pickle{"a pickle, as older .pt files of PyTorch do", save_as_safetensors};

constexpr std::array<Start, 10> starts = {{
    {"\x93NUMPY"sv, {"a NumPy array", "load_npy reads it"}},
    {"PK\x03\x04"sv,
     {"a zip archive, as .npz files of NumPy and .pt files of PyTorch do",
      "save its arrays as .npy or .safetensors"}},
    {"\x80\x02"sv, pickle},
    {"\x80\x03"sv, pickle},
    {"\x80\x04"sv, pickle},
    {"\x80\x05"sv, pickle},
    {"GGUF"sv, {"a GGUF model", save_as_safetensors}},
    {"\x89HDF\r\n"sv, {"an HDF5 file", "save its arrays as .npy or .safetensors"}},
    {"\x89PNG\r\n"sv, {png_file, "load_png reads it"}},
    {"version https://git-lfs"sv, {"a pointer of Git LFS", "fetch the file with `git lfs pull`"}},
}};

/// Whether it starts with a valid header length of a safetensors file.
bool has_header_length(std::span<const std::byte> start) {
  return start.size() >= length_size && read_little_endian<std::uint64_t>(start) <= max_header;
}

bool is_safetensors(std::span<const std::byte> start) {
  return start.size() > length_size && start[length_size] == std::byte{'{'} &&
         has_header_length(start);
}

}  // namespace

std::optional<FileKind> kind_of(std::span<const std::byte> start) {
  const std::string_view text(reinterpret_cast<const char*>(start.data()), start.size());
  // Checked first, since a length may begin with the two bytes of a pickle.
  if (is_safetensors(start)) return FileKind{safetensors_file, "SafeTensors reads it"};
  for (const auto& [bytes, kind] : starts) {
    const bool may_be_length = bytes.size() == 2 && has_header_length(start);
    if (text.starts_with(bytes) && !may_be_length) return kind;
  }
  return std::nullopt;
}

}  // namespace trigon::detail::io

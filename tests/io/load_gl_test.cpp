// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

#include <trigon/trigon.hpp>

#include "support/kernels.hpp"

// Tensors of files that are in memory, or come range by range.

namespace trigon {
namespace {

using Bytes = std::vector<std::byte>;
using Ranges = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

class Load : public support::KernelTest {
 protected:
  Load() {
    std::string pattern = (std::filesystem::temp_directory_path() / "trigon-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~Load() override { std::filesystem::remove_all(folder_); }

  static Bytes read(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(stream), {});
    Bytes bytes(text.size());
    std::memcpy(bytes.data(), text.data(), text.size());
    return bytes;
  }
  Bytes safetensors() const {
    save_safetensors(folder_ / "x.safetensors",
                     {{"half", Tensor{1.5, -2, 65504}.to(device()).astype(float16)},
                      {"ids", Tensor({{-7}, {1 << 20}}).to(device())},
                      {"empty", zeros({0, 4}, uint8)},
                      {"mask", Tensor{true, false, true}.to(device())}});
    return read(folder_ / "x.safetensors");
  }
  // Expects the tensors that were saved.
  static void expect_all(const std::function<Tensor(const std::string&)>& load) {
    EXPECT_EQ(load("half").dtype(), float32);
    EXPECT_EQ(load("half").to_vector<float>(), (std::vector<float>{1.5f, -2, 65504}));
    EXPECT_EQ(load("ids").to_vector<std::int32_t>(), (std::vector<std::int32_t>{-7, 1 << 20}));
    EXPECT_EQ(load("ids").shape(), (Shape{2, 1}));
    EXPECT_EQ(load("empty").shape(), (Shape{0, 4}));
    EXPECT_EQ(load("mask").to_vector<bool>(), (std::vector<bool>{true, false, true}));
  }
  static std::span<const std::byte> bytes_of(const Bytes& bytes, const SafeTensors::Entry& entry) {
    return std::span(bytes).subspan(entry.begin, entry.end - entry.begin);
  }

  std::filesystem::path folder_;
};
INSTANTIATE_TEST_SUITE_P(Profiles, Load, ::testing::Values(Profile::webgl2, Profile::webgl1),
                         support::profile_name);

TEST_P(Load, NpyFromMemory) {
  save_npy(folder_ / "x.npy", Tensor({{0.0, 1, 2}, {3, 4, 5}}).to(device()));
  const Bytes bytes = read(folder_ / "x.npy");
  const Tensor x = load_npy(bytes, {.device = device()});
  EXPECT_EQ(x.shape(), (Shape{2, 3}));
  EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(load_npy(bytes, {.dtype = float16, .device = device()}).dtype(), float16);
}

TEST_P(Load, SafeTensorsFromMemory) {
  const Bytes bytes = safetensors();
  const SafeTensors tensors = SafeTensors::from_memory(bytes);
  expect_all([&](const std::string& name) { return tensors.load(name, device()); });
  EXPECT_EQ(tensors.load("half", {.dtype = float16, .device = device()}).dtype(), float16);
}

TEST_P(Load, SafeTensorsFromRangesReadOneTensorAtATime) {
  const Bytes bytes = safetensors();
  Ranges asked;
  const SafeTensors tensors = SafeTensors::from_ranges([&](std::uint64_t begin, std::uint64_t end) {
    asked.emplace_back(begin, end);
    return Bytes(bytes.begin() + static_cast<std::ptrdiff_t>(begin),
                 bytes.begin() + static_cast<std::ptrdiff_t>(end));
  });
  expect_all([&](const std::string& name) { return tensors.load(name, device()); });
  asked.clear();
  static_cast<void>(tensors.load("mask", device()));
  static_cast<void>(tensors.load("empty", device()));
  EXPECT_EQ(asked, (Ranges{{tensors.entry("mask").begin, tensors.entry("mask").end}}));
}

TEST_P(Load, SafeTensorsFromAHeaderAndBytesThatComeLater) {
  const Bytes bytes = safetensors();
  const SafeTensors tensors = SafeTensors::from_header(
      std::span(bytes).first(SafeTensors::header_end(bytes)), {.size = bytes.size()});
  expect_all([&](const std::string& name) {
    // At an address that is aligned for no dtype.
    Bytes moved(1);
    const auto values = bytes_of(bytes, tensors.entry(name));
    moved.insert(moved.end(), values.begin(), values.end());
    return tensors.load(name, std::span(moved).subspan(1), {.device = device()});
  });
}

}  // namespace
}  // namespace trigon

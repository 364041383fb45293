// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <unistd.h>

#include <trigon/trigon.hpp>

#include "support/kernels.hpp"

// float16 in files, through the textures of both profiles.

namespace trigon {
namespace {

class HalfFiles : public support::KernelTest {
 protected:
  HalfFiles() {
    std::string pattern = (std::filesystem::temp_directory_path() / "trigon-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~HalfFiles() override { std::filesystem::remove_all(folder_); }

  // All 65,536 patterns in order.
  static Tensor all_halves() {
    std::vector<std::uint16_t> bits(65'536);
    for (std::size_t k = 0; k < bits.size(); ++k) bits[k] = static_cast<std::uint16_t>(k);
    return from_host(bits.data(), float16, {65'536}, device());
  }
  // The elements are the end of the file.
  static std::vector<std::uint16_t> halves_in(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    std::vector<std::uint16_t> bits(65'536);
    EXPECT_GT(bytes.size(), bits.size() * 2);
    EXPECT_LT(bytes.size(), bits.size() * 2 + 200);
    std::memcpy(bits.data(), bytes.data() + bytes.size() - bits.size() * 2, bits.size() * 2);
    return bits;
  }
  // Every bit is kept, except a NaN's payload and sign.
  static void expect_all(const std::vector<std::uint16_t>& bits) {
    for (std::size_t k = 0; k < bits.size(); ++k) {
      const bool is_nan = (k & 0x7c00) == 0x7c00 && (k & 0x3ff) != 0;
      ASSERT_EQ(is_nan ? bits[k] & 0x7fff : bits[k], is_nan ? 0x7e00 : k);
    }
  }
  std::filesystem::path folder_;
};
INSTANTIATE_TEST_SUITE_P(Profiles, HalfFiles, ::testing::Values(Profile::webgl2, Profile::webgl1),
                         support::profile_name);

TEST_P(HalfFiles, NpyKeepsAllBits) {
  const auto path = folder_ / "x.npy";
  save_npy(path, all_halves());
  expect_all(halves_in(path));
  const Tensor x = load_npy(path, device());
  EXPECT_EQ(x.dtype(), float16);
  save_npy(folder_ / "again.npy", x);
  expect_all(halves_in(folder_ / "again.npy"));
}

TEST_P(HalfFiles, SafeTensorsKeepAllBits) {
  const auto path = folder_ / "x.safetensors";
  save_safetensors(path, {{"x", all_halves()}});
  expect_all(halves_in(path));
  const SafeTensors file(path);
  const Tensor x = file.load("x", {.dtype = float16, .device = device()});
  EXPECT_EQ(x.dtype(), float16);
  save_safetensors(folder_ / "again.safetensors", {{"x", x}});
  expect_all(halves_in(folder_ / "again.safetensors"));
}

TEST_P(HalfFiles, SafeTensorsLoadThemAsFloat32ByDefault) {
  const auto path = folder_ / "x.safetensors";
  save_safetensors(path, {{"x", all_halves()}});
  const Tensor x = SafeTensors(path).load("x", device());
  EXPECT_EQ(x.dtype(), float32);
  const support::Floats values = x.to_vector<float>();
  EXPECT_EQ(values[0x3c01], 1 + 0x1p-10F);
  EXPECT_EQ(values[0x8001], -0x1p-24F);  // the least subnormal
  EXPECT_TRUE(std::isnan(values[0x7c01]));
}

TEST_P(HalfFiles, AreRoundedToTheDTypeThatIsAskedFor) {
  const Tensor x = floats({1 + 0x1p-11F, 1e6F, -0.1F}, {3});
  save_npy(folder_ / "x.npy", x);
  save_safetensors(folder_ / "x.safetensors", {{"x", x}});
  const LoadOptions halves{.dtype = float16, .device = device()};
  const support::Floats want{1, INFINITY, -0.0999755859375F};
  const Tensor y = load_npy(folder_ / "x.npy", halves);
  EXPECT_EQ(y.dtype(), float16);
  EXPECT_EQ(y.to_vector<float>(), want);
  EXPECT_EQ(SafeTensors(folder_ / "x.safetensors").load("x", halves).to_vector<float>(), want);
  const Tensor whole = load_npy(folder_ / "x.npy", {.dtype = int32, .device = device()});
  EXPECT_EQ(whole.to_vector<std::int32_t>(), (support::Ints{1, 1'000'000, 0}));
}

}  // namespace
}  // namespace trigon

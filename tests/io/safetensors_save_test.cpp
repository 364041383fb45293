// SPDX-License-Identifier: MIT
#include "io/safetensors.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/entry_of.hpp"
#include "support/io_files.hpp"

namespace trigon::detail::io {
namespace {

using Sizes = std::vector<std::int64_t>;

class SaveSafeTensors : public testing::Test {
 protected:
  TemporaryDirectory directory_;
};

TEST_F(SaveSafeTensors, WritesWhatTheFormatWants) {
  const std::vector<float> values = {1, 2};
  const Entry entry{"w", FileDType::f32, {2, 1}, std::as_bytes(std::span(values))};
  save_safetensors(directory_ / "y.safetensors", std::span(&entry, 1));
  const std::string header = R"({"w":{"data_offsets":[0,8],"dtype":"F32","shape":[2,1]}})";
  const std::string file = read_file(directory_ / "y.safetensors");
  const std::string spaces(56 - header.size(), ' ');
  EXPECT_EQ(file, little_endian(56, 8) + header + spaces + bytes_of(values));
}

TEST_F(SaveSafeTensors, ReadsWhatItWrote) {
  const std::vector<std::byte> bytes(24, std::byte{1});
  std::vector<Entry> entries;
  for (const FileDType dtype :
       {FileDType::boolean, FileDType::u8, FileDType::f16, FileDType::bf16, FileDType::i32,
        FileDType::u32, FileDType::f32, FileDType::i64, FileDType::f64}) {
    const auto count = static_cast<std::int64_t>(24 / size_of(dtype));
    entries.push_back({std::string(name(dtype)), dtype, {1, count}, bytes});
  }
  entries.push_back({"odd", FileDType::u8, {3}, std::span(bytes).first(3)});
  entries.push_back({"empty", FileDType::f32, {0, 3}, {}});
  entries.push_back({"scalar", FileDType::f32, {}, std::span(bytes).first(4)});
  save_safetensors(directory_ / "y.safetensors", entries);

  const auto file = SafeTensors::open(directory_ / "y.safetensors");
  EXPECT_EQ(file.entries().size(), entries.size());
  for (const Entry& entry : entries) {
    const Entry* const found = file.find(entry.name);
    ASSERT_NE(found, nullptr) << entry.name;
    EXPECT_EQ(found->dtype, entry.dtype);
    EXPECT_EQ(found->shape, entry.shape);
    EXPECT_EQ(values_of<std::uint8_t>(found->bytes), values_of<std::uint8_t>(entry.bytes));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(found->bytes.data()) % size_of(entry.dtype), 0u);
  }
}

TEST_F(SaveSafeTensors, WritesNothingToo) {
  save_safetensors(directory_ / "y.safetensors", {});
  EXPECT_TRUE(SafeTensors::open(directory_ / "y.safetensors").entries().empty());
}

TEST_F(SaveSafeTensors, LeavesAnOpenFileAsItWas) {
  const std::vector<float> before = {1};
  const std::vector<float> after = {2};
  const auto path = directory_ / "y.safetensors";
  save_safetensors(path, std::vector<Entry>{entry_of(FileDType::f32, before)});
  const auto open = SafeTensors::open(path);
  save_safetensors(path, std::vector<Entry>{entry_of(FileDType::f32, after)});
  EXPECT_EQ(to_float32(*open.find("x")), before);
  EXPECT_EQ(to_float32(*SafeTensors::open(path).find("x")), after);
  EXPECT_EQ(directory_.count(), 1u);
}

TEST_F(SaveSafeTensors, RefusesWhatCouldNotBeRead) {
  const std::vector<std::byte> bytes(8);
  const auto refusal = [&](std::vector<Entry> entries) {
    const std::string text =
        error_of(directory_, [&] { save_safetensors(directory_ / "y.safetensors", entries); });
    const std::string prefix = "trigon::save_safetensors: \"y.safetensors\": ";
    return text.starts_with(prefix) ? text.substr(prefix.size()) : "wrong prefix: " + text;
  };
  const Entry good{"w", FileDType::f32, {2}, bytes};
  EXPECT_EQ(refusal({good, good}), "name given twice: \"w\"; must be unique");
  EXPECT_EQ(refusal({{"__metadata__", FileDType::f32, {2}, bytes}}),
            "tensor \"__metadata__\": reserved name; must be another one");
  EXPECT_EQ(refusal({{"w", FileDType::f32, {3}, bytes}}),
            "tensor \"w\": bytes do not fit the shape: 8 bytes, F32 (3,) takes 12; must be equal");
  EXPECT_EQ(refusal({{"w", FileDType::f32, {1ll << 40, 1ll << 40}, bytes}}),
            "tensor \"w\": bytes do not fit the shape: 8 bytes, F32 (1099511627776, 1099511627776) "
            "takes 2^63 or more; must be equal");
  EXPECT_EQ(refusal({{"w", FileDType::f32, {-2}, bytes}}),
            "tensor \"w\": negative size: shape is (-2,); every size must be 0 or more");
  EXPECT_EQ(refusal({{"w", FileDType::f32, Sizes(9, 1), bytes}}),
            "tensor \"w\": too many axes: rank is 9; must be at most 8");
  EXPECT_EQ(refusal({{"\xff", FileDType::f32, {2}, bytes}}), "a name is not UTF-8; must be UTF-8");
  EXPECT_EQ(refusal({{std::string(3'500'001, 'w'), FileDType::f32, {2}, bytes}}),
            "string too long: 3500001 bytes at byte 2 of the text; must have at most 3500000");
  std::vector<Entry> long_names;
  for (char c = 'A'; c < 'A' + 29; ++c) {
    if (c == '\\') continue;
    long_names.push_back({std::string(3'600'000, c), FileDType::f32, {2}, bytes});
  }
  EXPECT_TRUE(refusal(long_names).starts_with("header too long: 1008")) << refusal(long_names);
  EXPECT_EQ(directory_.count(), 0u);
}

TEST_F(SaveSafeTensors, NamesWhyItCannotWrite) {
  EXPECT_EQ(error_of(directory_, [&] { save_safetensors(directory_ / "no/y.safetensors", {}); }),
            "trigon::save_safetensors: \"no/y.safetensors\": cannot write: "
            "No such file or directory; must be a writable path in a writable directory");
}

}  // namespace
}  // namespace trigon::detail::io

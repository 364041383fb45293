// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <array>
#include <cfenv>
#include <clocale>
#include <cstdlib>
#include <locale>
#include <sstream>

#include <trigon/trigon.hpp>

#include "config.hpp"
#include "options.hpp"
#include "savers.hpp"

// A program's settings change no text and no file of the library. Tested are a locale that writes
// 1.234,5, and a rounding mode.

namespace trigon::fault {
namespace {

namespace fs = std::filesystem;

template <class T>
std::string text_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

/// Numbers that are read and written in each way, including files. Constants of expressions are
/// rounded to float32 in the caller's mode.
std::string all_texts(bool with_constants = true) {
  const TemporaryDirectory directory;
  const Device device{DeviceOptions{}};
  std::string all;
  const std::vector<float> values = {1234567.5F, 0.1F, -1e-30F, 3.0F, 65504.0F};
  const Tensor x = tensor<float>(values, {5}, device);
  std::ostringstream stream;
  stream << x << " " << Shape{1234567, 2};
  all += stream.str();
  all += to_string(tensor<std::int32_t>(std::vector<std::int32_t>{1234567}, {1}, device));
  all += to_string(tensor<float>(values, {5}, device).astype(float16));
  if (with_constants) all += explain(x * 0.1 + 1234567.5);

  const std::array<std::int64_t, 2> shape = {1234, 2};
  const std::vector<std::byte> bytes(2468);
  io::save_npy(directory / "x.npy", DType::uint8, shape, bytes);
  all += io::read_file(directory / "x.npy");
  save_tensors(directory / "x.safetensors", 0);
  all += io::read_file(directory / "x.safetensors");

  // 1 + 2^-24 + 2^-50 is above the middle of two floats, and 1 + 2^-25 below.
  const std::vector<double> doubles = {1 + 0x1p-24 + 0x1p-50, 1 + 0x1p-25, -1 - 0x1p-25, 0.1};
  io::write_file(directory / "f8.npy",
                 std::string("\x93NUMPY\1\0", 8) + io::little_endian(118, 2) +
                     fmt::format("{:<117}\n",
                                 "{'descr': '<f8', 'fortran_order': False, 'shape': "
                                 "(4,), }") +
                     text_of(doubles));
  const auto floats = io::load_npy(directory / "f8.npy").data;
  all += std::string(reinterpret_cast<const char*>(floats.data()), floats.size());
  const std::vector<std::int64_t> longs = {16777217, -16777219, (1LL << 40) + 1};
  for (const io::Entry& entry :
       {io::Entry{"f", io::FileDType::f64, {4}, std::as_bytes(std::span(doubles))},
        io::Entry{"i", io::FileDType::i64, {3}, std::as_bytes(std::span(longs))}}) {
    all += text_of(io::to_float32(entry));
  }
  for (const char* const wrong : {"{\"a\":{\"shape\":[1.5]}}", "{\"a\":1234567}"}) {
    io::write_file(directory / "w.safetensors",
                   io::little_endian(std::string_view(wrong).size(), 8) + wrong);
    all += io::error_of(directory, [&] { io::SafeTensors::open(directory / "w.safetensors"); });
  }
  return all;
}

/// Numbers of GPT-2's files and command lines.
std::string gpt2_texts() {
  const auto config = gpt2::Config::parse(
      R"({"vocab_size":50257,"n_positions":1024,"n_embd":8,"n_layer":2,"n_head":2,)"
      R"("layer_norm_epsilon":1.5e-05})",
      "config.json");
  const char* const arguments[] = {"gpt2", "--temperature", "0.25", "--top-p",
                                   "0.5",  "--seed",        "1"};
  const gpt2::Options options = gpt2::parse_options(7, arguments);
  return fmt::format("{} {} {} {}", config.layer_norm_epsilon, config.vocab_size,
                     options.sampling.temperature, options.sampling.top_p);
}

TEST(RoundingMode, ChangesNoTextAndNoFile) {
  const std::string before = all_texts(false);
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(mode);
    const std::string found = all_texts(false);
    EXPECT_EQ(std::fegetround(), mode);
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(found, before) << mode;
  }
}

/// 1.234,5
class Commas : public std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(Locale, OfStreamsChangesNoTextAndNoFile) {
  const std::string before = all_texts(), gpt2_before = gpt2_texts();
  const std::locale old = std::locale::global(std::locale(std::locale(), new Commas));
  std::ostringstream stream;
  stream << 1234.5;
  EXPECT_EQ(stream.str(), "1.234,5");
  const std::string found = all_texts(), gpt2_found = gpt2_texts();
  std::locale::global(old);
  EXPECT_EQ(found, before);
  EXPECT_EQ(gpt2_found, gpt2_before);
}

TEST(Locale, OfTheProgramChangesNoTextAndNoFile) {
  const TemporaryDirectory directory;
  const std::string command = fmt::format("localedef -i de_DE -f UTF-8 '{}' >/dev/null 2>&1",
                                          (directory / "de_DE.UTF-8").string());
  static_cast<void>(std::system(command.c_str()));
  ::setenv("LOCPATH", directory.path().c_str(), 1);
  const std::string before = all_texts(), gpt2_before = gpt2_texts();
  const bool is_set = std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr;
  ::unsetenv("LOCPATH");
  ASSERT_TRUE(is_set) << "localedef makes no German locale; it needs Debian's package locales";
  EXPECT_STREQ(std::localeconv()->decimal_point, ",");
  const std::string found = all_texts(), gpt2_found = gpt2_texts();
  std::setlocale(LC_ALL, "C");
  EXPECT_EQ(found, before);
  EXPECT_EQ(gpt2_found, gpt2_before);
}

}  // namespace
}  // namespace trigon::fault

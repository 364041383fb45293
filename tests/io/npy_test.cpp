// SPDX-License-Identifier: MIT
#include "io/npy.hpp"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/io_files.hpp"

namespace trigon::detail::io {
namespace {

using Sizes = std::vector<std::int64_t>;

std::string header(const std::string& descr, const std::string& fortran, const std::string& shape) {
  return "{'descr': '" + descr + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }";
}

std::string npy(const std::string& header, const std::string& data, int version = 1) {
  const std::string text = header + "\n";
  return std::string("\x93NUMPY") + static_cast<char>(version) + '\0' +
         little_endian(text.size(), version == 1 ? 2 : 4) + text + data;
}

class Npy : public testing::Test {
 protected:
  NpyArray load(const std::string& content) {
    write_file(directory_ / "x.npy", content);
    return load_npy(directory_ / "x.npy");
  }
  // The error of load_npy for `content`, after `trigon::load_npy: "x.npy": `.
  std::string refusal(const std::string& content) {
    const std::string text = error_of(directory_, [&] { return load(content); });
    const std::string prefix = "trigon::load_npy: \"x.npy\": ";
    return text.starts_with(prefix) ? text.substr(prefix.size()) : "wrong prefix: " + text;
  }
  std::string refusal_of_header(const std::string& text) { return refusal(npy(text, "")); }

  TemporaryDirectory directory_;
};

TEST_F(Npy, LoadsFloat32) {
  const auto array =
      load(npy(header("<f4", "False", "(2, 3)"), bytes_of<float>({1, 2, 3, 4, 5, 6})));
  EXPECT_EQ(array.dtype, DType::float32);
  EXPECT_EQ(array.shape, (Sizes{2, 3}));
  EXPECT_EQ(values_of<float>(array.data), (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST_F(Npy, LoadsAllVersions) {
  for (const int version : {1, 2, 3}) {
    const auto array =
        load(npy(header("<i4", "False", "(2,)"), bytes_of<std::int32_t>({-7, 8}), version));
    EXPECT_EQ(array.dtype, DType::int32);
    EXPECT_EQ(values_of<std::int32_t>(array.data), (std::vector<std::int32_t>{-7, 8}));
  }
}

TEST_F(Npy, RoundsFloat64ToFloat32) {
  const auto array = load(npy(header("<f8", "False", "(3,)"), bytes_of<double>({0.1, -2, 1e300})));
  EXPECT_EQ(array.dtype, DType::float32);
  EXPECT_EQ(values_of<float>(array.data),
            (std::vector<float>{0.1f, -2, std::numeric_limits<float>::infinity()}));
}

TEST_F(Npy, KeepsFloat16) {
  const auto array =
      load(npy(header("<f2", "False", "(2,)"), bytes_of<std::uint16_t>({0x3c00, 0x8001})));
  EXPECT_EQ(array.dtype, DType::float16);
  EXPECT_EQ(values_of<std::uint16_t>(array.data), (std::vector<std::uint16_t>{0x3c00, 0x8001}));
}

TEST_F(Npy, NarrowsInt64) {
  const auto array =
      load(npy(header("<i8", "False", "(2,)"), bytes_of<std::int64_t>({-2147483648, 2147483647})));
  EXPECT_EQ(array.dtype, DType::int32);
  EXPECT_EQ(values_of<std::int32_t>(array.data),
            (std::vector<std::int32_t>{std::numeric_limits<std::int32_t>::min(),
                                       std::numeric_limits<std::int32_t>::max()}));
}

TEST_F(Npy, WidensIntegersOf16Bits) {
  const auto array =
      load(npy(header("<i2", "False", "(3,)"), bytes_of<std::int16_t>({-32768, -1, 32767})));
  EXPECT_EQ(array.dtype, DType::int32);
  EXPECT_EQ(values_of<std::int32_t>(array.data), (std::vector<std::int32_t>{-32768, -1, 32767}));
  const auto words =
      load(npy(header("<u2", "True", "(2, 2)"), bytes_of<std::uint16_t>({0, 1, 32768, 65535})));
  EXPECT_EQ(words.dtype, DType::uint32);
  EXPECT_EQ(values_of<std::uint32_t>(words.data), (std::vector<std::uint32_t>{0, 32768, 1, 65535}));
}

TEST_F(Npy, LoadsUnsignedAndBool) {
  const auto words = load(npy(header("<u4", "False", "(1,)"), bytes_of<std::uint32_t>({~0u})));
  EXPECT_EQ(words.dtype, DType::uint32);
  EXPECT_EQ(values_of<std::uint32_t>(words.data), (std::vector<std::uint32_t>{~0u}));
  const auto bytes = load(npy(header("|u1", "False", "(1,)"), "\xff"));
  EXPECT_EQ(bytes.dtype, DType::uint8);
  EXPECT_EQ(values_of<std::uint8_t>(bytes.data), (std::vector<std::uint8_t>{255}));
}

TEST_F(Npy, MakesEveryBoolZeroOrOne) {
  const auto array = load(npy(header("|b1", "False", "(3,)"), std::string("\0\1\7", 3)));
  EXPECT_EQ(array.dtype, DType::boolean);
  EXPECT_EQ(values_of<std::uint8_t>(array.data), (std::vector<std::uint8_t>{0, 1, 1}));
}

TEST_F(Npy, TurnsFortranOrderIntoCOrder) {
  const auto array =
      load(npy(header("<f4", "True", "(2, 3)"), bytes_of<float>({1, 4, 2, 5, 3, 6})));
  EXPECT_EQ(array.shape, (Sizes{2, 3}));
  EXPECT_EQ(values_of<float>(array.data), (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST_F(Npy, TurnsFortranOrderOfThreeAxes) {
  std::vector<std::uint8_t> fortran(24);
  for (std::uint8_t i = 0; i < 2; ++i) {
    for (std::uint8_t j = 0; j < 3; ++j) {
      for (std::uint8_t k = 0; k < 4; ++k) {
        fortran[static_cast<std::size_t>(i + 2 * (j + 3 * k))] =
            static_cast<std::uint8_t>((i * 3 + j) * 4 + k);
      }
    }
  }
  const auto array = load(npy(header("|u1", "True", "(2, 3, 4)"), bytes_of(fortran)));
  const auto values = values_of<std::uint8_t>(array.data);
  for (std::size_t i = 0; i < 24; ++i) EXPECT_EQ(values[i], i);
}

TEST_F(Npy, LoadsScalarsAndEmptyArrays) {
  EXPECT_EQ(load(npy(header("<f4", "False", "()"), bytes_of<float>({3}))).shape, Sizes{});
  EXPECT_EQ(load(npy(header("<f4", "True", "()"), bytes_of<float>({3}))).data.size(), 4u);
  const auto empty = load(npy(header("<f4", "True", "(2, 0, 9223372036854775807)"), ""));
  EXPECT_EQ(empty.shape, (Sizes{2, 0, std::numeric_limits<std::int64_t>::max()}));
  EXPECT_TRUE(empty.data.empty());
}

TEST_F(Npy, TakesAnyOrderQuotesAndSpaces) {
  const auto array =
      load(npy("  {\"shape\":(2L,1L),'fortran_order':False ,\t\"descr\" : '|u1'}   ", "ab"));
  EXPECT_EQ(array.shape, (Sizes{2, 1}));
}

TEST_F(Npy, RefusesFilesThatAreNotNpy) {
  EXPECT_EQ(refusal(""), "not a .npy file: 0 bytes, the first are ; must start with 93 \"NUMPY\"");
  EXPECT_EQ(refusal("1.0, 2.0\n"),
            "not a .npy file: 9 bytes, the first are 31 2e 30 2c 20 32; "
            "must start with 93 \"NUMPY\"");
}

TEST_F(Npy, RefusesOtherVersions) {
  EXPECT_EQ(refusal(npy("", "", 4)), "unknown version: 4.0; must be 1.0, 2.0 or 3.0");
  EXPECT_EQ(refusal(std::string("\x93NUMPY\1\1", 8)),
            "unknown version: 1.1; must be 1.0, 2.0 or 3.0");
}

TEST_F(Npy, RefusesShortFiles) {
  EXPECT_EQ(refusal("\x93NUMPY\1"), "file too short: 7 bytes; must have a version and a header");
  EXPECT_EQ(refusal(std::string("\x93NUMPY\1\0\5", 9)),
            "file too short: 9 bytes; must have a version and a header");
  EXPECT_EQ(refusal(std::string("\x93NUMPY\2\0\5\0", 10)),
            "file too short: 10 bytes; must have a version and a header");
}

TEST_F(Npy, RefusesAHeaderPastTheFile) {
  EXPECT_EQ(refusal(std::string("\x93NUMPY\1\0\xff\xff{}", 12)),
            "header runs past the file: header is 65535 bytes, file has 2 after its length; "
            "must lie inside");
  EXPECT_EQ(refusal(std::string("\x93NUMPY\2\0\xff\xff\xff\xff{}", 14)),
            "header runs past the file: header is 4294967295 bytes, file has 2 after its length; "
            "must lie inside");
}

TEST_F(Npy, RefusesALongHeader) {
  EXPECT_EQ(refusal(npy(std::string(65'535, ' '), "", 2)),
            "header too long: 65536 bytes; must be at most 65535");
}

TEST_F(Npy, RefusesHeadersThatAreNoDict) {
  const std::string rule = "; must be a dict as NumPy writes it";
  EXPECT_EQ(refusal_of_header("[1]"), "bad header: byte 0x5b at 0, wanted '{'" + rule);
  EXPECT_EQ(refusal_of_header(""), "bad header: the end at 1, wanted '{'" + rule);
  EXPECT_EQ(refusal_of_header("{'descr': '<f4'"),
            "bad header: the end at 16, wanted ',' or '}'" + rule);
  EXPECT_EQ(refusal_of_header("{'descr' '<f4'}"), "bad header: byte 0x27 at 9, wanted ':'" + rule);
  EXPECT_EQ(refusal_of_header("{'descr': [('a', '<f4')]}"),
            "bad header: byte 0x5b at 10, wanted a string" + rule);
  EXPECT_EQ(refusal_of_header("{'descr': '<f4"),
            "bad header: byte 0x0a at 14, wanted plain ASCII in a string" + rule);
  EXPECT_EQ(refusal(std::string("\x93NUMPY\1\0\x0e\0{'descr': '<f4", 24)),
            "bad header: the end at 14, wanted the end of a string" + rule);
  EXPECT_EQ(refusal_of_header("{'descr': '\\x3cf4'}"),
            "bad header: byte 0x5c at 11, wanted plain ASCII in a string" + rule);
  EXPECT_EQ(refusal_of_header("{'fortran_order': 0}"),
            "bad header: byte 0x30 at 18, wanted True or False" + rule);
  EXPECT_EQ(refusal_of_header("{'shape': ((2,),)}"),
            "bad header: byte 0x28 at 11, wanted a size" + rule);
  EXPECT_EQ(refusal_of_header("{'shape': (2)}"),
            "bad header: byte 0x7d at 13, wanted a tuple with its ','" + rule);
  EXPECT_EQ(refusal_of_header("{'shape': (2 3)}"),
            "bad header: byte 0x33 at 13, wanted ',' or ')'" + rule);
  EXPECT_EQ(refusal_of_header("{'shape': (,)}"),
            "bad header: byte 0x2c at 11, wanted a size" + rule);
}

TEST_F(Npy, RefusesTextAfterTheDict) {
  EXPECT_EQ(refusal_of_header(header("<f4", "False", "()") + " exit()"),
            "bad header: byte 0x65 at 56, wanted the end; must be a dict as NumPy writes it");
  EXPECT_EQ(refusal_of_header(header("<f4", "False", "()") + std::string(1, '\0')),
            "bad header: byte 0x00 at 55, wanted the end; must be a dict as NumPy writes it");
}

TEST_F(Npy, RefusesWrongKeys) {
  EXPECT_EQ(refusal_of_header("{'descr': '<f4', 'descr': '<f4'}"),
            "header key given twice: \"descr\"; must be unique");
  EXPECT_EQ(refusal_of_header("{'order': 'C'}"),
            "unknown header key: \"order\"; must be descr, fortran_order or shape");
  EXPECT_EQ(refusal_of_header("{'descr': '<f4', 'shape': ()}"),
            "missing header key: \"fortran_order\"; must have descr, fortran_order and shape");
  EXPECT_EQ(refusal_of_header("{}"),
            "missing header key: \"descr\"; must have descr, fortran_order and shape");
}

TEST_F(Npy, RefusesBigEndianData) {
  EXPECT_EQ(refusal(npy(header(">f4", "False", "(1,)"), "abcd")),
            "big-endian data: descr is \">f4\"; must be little-endian");
}

TEST_F(Npy, RefusesOtherDtypes) {
  EXPECT_EQ(
      refusal(npy(header("<c8", "False", "(1,)"), "abcdefgh")),
      "unknown descr: \"<c8\"; must be one of <f4, <f8, <f2, <i4, <i8, <i2, <u4, <u2, |u1, |b1");
  EXPECT_EQ(
      refusal(npy(header("|O", "False", "(1,)"), "pickle")),
      "unknown descr: \"|O\"; must be one of <f4, <f8, <f2, <i4, <i8, <i2, <u4, <u2, |u1, |b1");
}

TEST_F(Npy, RefusesBadSizes) {
  EXPECT_EQ(refusal(npy(header("<f4", "False", "(2, -3)"), "")),
            "bad size in shape: axis 1 is \"-3\"; must be an integer in [0, 2^63)");
  EXPECT_EQ(refusal(npy(header("<f4", "False", "(9223372036854775808,)"), "")),
            "bad size in shape: axis 0 is \"9223372036854775808\"; "
            "must be an integer in [0, 2^63)");
  EXPECT_EQ(refusal(npy(header("<f4", "False", "(4294967296, 2147483648)"), "")),
            "too large: shape is (4294967296, 2147483648), descr is <f4; "
            "must take less than 2^63 bytes");
  EXPECT_EQ(refusal(npy(header("<f4", "False", "(1, 1, 1, 1, 1, 1, 1, 1, 1)"), "abcd")),
            "too many axes: rank is above 8; must be at most 8");
}

TEST_F(Npy, RefusesDataOfAnotherLength) {
  EXPECT_EQ(refusal(npy(header("<f4", "False", "(2, 3)"), std::string(20, 'x'))),
            "data does not fit the shape: file has 20 data bytes, <f4 (2, 3) takes 24; "
            "must be equal");
  EXPECT_EQ(refusal(npy(header("<f4", "False", "()"), std::string(5, 'x'))),
            "data does not fit the shape: file has 5 data bytes, <f4 () takes 4; must be equal");
}

TEST_F(Npy, RefusesInt64PastInt32) {
  EXPECT_EQ(refusal(npy(header("<i8", "False", "(2,)"), bytes_of<std::int64_t>({1, 4294967296}))),
            "value does not fit int32: element 1 is 4294967296; "
            "must be in [-2147483648, 2147483647]");
}

TEST_F(Npy, RefusesPathsThatAreNoFiles) {
  EXPECT_EQ(error_of(directory_, [&] { return load_npy(directory_ / "absent.npy"); }),
            "trigon::load_npy: \"absent.npy\": cannot open: No such file or directory; "
            "must be a readable file");
  EXPECT_EQ(error_of(directory_, [&] { return load_npy(directory_.path()); }),
            "trigon::load_npy: \"\": cannot open: Is a directory; must be a readable file");
  ASSERT_EQ(::mkfifo((directory_ / "pipe.npy").c_str(), 0600), 0);
  EXPECT_EQ(error_of(directory_, [&] { return load_npy(directory_ / "pipe.npy"); }),
            "trigon::load_npy: \"pipe.npy\": cannot open: not a regular file; "
            "must be a readable file");
}

TEST_F(Npy, RefusesWhatTheAddressSpaceDoesNotHold) {
  write_file(directory_ / "x.npy", "");
  std::filesystem::resize_file(directory_ / "x.npy", 256 << 20);
  std::int64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_AS, &before), 0);
  rlimit tight = before;
  tight.rlim_cur = static_cast<rlim_t>(pages * ::sysconf(_SC_PAGESIZE) + (64 << 20));
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &tight), 0);
  const std::string error = error_of(directory_, [&] { return load_npy(directory_ / "x.npy"); });
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_EQ(error,
            "trigon::load_npy: \"x.npy\": cannot map: Cannot allocate memory; "
            "must be a readable file");
}

TEST_F(Npy, WritesWhatNumpyWrites) {
  const std::vector<float> values = {1, 2, 3, 4, 5, 6};
  save_npy(directory_ / "y.npy", DType::float32, Sizes{2, 3}, std::as_bytes(std::span(values)));
  const std::string text = header("<f4", "False", "(2, 3)");
  EXPECT_EQ(read_file(directory_ / "y.npy"), std::string("\x93NUMPY\1\0\x76\0", 10) + text +
                                                 std::string(117 - text.size(), ' ') + "\n" +
                                                 bytes_of(values));
}

TEST_F(Npy, ReadsWhatItWrote) {
  const std::vector<std::byte> bytes(12, std::byte{1});
  for (const DType dtype : {DType::float32, DType::float16, DType::int32, DType::uint32,
                            DType::uint8, DType::boolean}) {
    const Sizes shape = {3, static_cast<std::int64_t>(4 / size_of(dtype))};
    save_npy(directory_ / "y.npy", dtype, shape, bytes);
    const auto array = load_npy(directory_ / "y.npy");
    EXPECT_EQ(array.dtype, dtype);
    EXPECT_EQ(array.shape, shape);
    EXPECT_EQ(array.data, bytes);
  }
  EXPECT_EQ(directory_.count(), 1u);
}

TEST_F(Npy, SavesScalarsAndEmptyArrays) {
  const std::vector<std::byte> bytes(4);
  save_npy(directory_ / "y.npy", DType::float32, {}, bytes);
  EXPECT_EQ(load_npy(directory_ / "y.npy").shape, Sizes{});
  save_npy(directory_ / "y.npy", DType::float32, Sizes{0}, {});
  EXPECT_EQ(load_npy(directory_ / "y.npy").shape, Sizes{0});
}

TEST_F(Npy, SaveRefusesBytesOfAnotherLength) {
  const std::vector<std::byte> bytes(5);
  EXPECT_EQ(error_of(directory_,
                     [&] { save_npy(directory_ / "y.npy", DType::float32, Sizes{2}, bytes); }),
            "trigon::save_npy: \"y.npy\": bytes do not fit the shape: 5 bytes, float32 (2,) "
            "takes 8; must be equal");
  EXPECT_EQ(error_of(directory_,
                     [&] { save_npy(directory_ / "y.npy", DType::float32, Sizes{-2}, bytes); }),
            "trigon::save_npy: \"y.npy\": bad shape: (-2,); must have at most 8 axes, every size "
            "0 or more");
  EXPECT_EQ(directory_.count(), 0u);
}

TEST_F(Npy, SaveNamesWhyItCannotWrite) {
  const std::vector<std::byte> bytes(4);
  EXPECT_EQ(
      error_of(directory_, [&] { save_npy(directory_ / "no/y.npy", DType::float32, {}, bytes); }),
      "trigon::save_npy: \"no/y.npy\": cannot write: No such file or directory; "
      "must be a writable path in a writable directory");
  std::filesystem::create_directory(directory_ / "d.npy");
  EXPECT_EQ(
      error_of(directory_, [&] { save_npy(directory_ / "d.npy", DType::float32, {}, bytes); }),
      "trigon::save_npy: \"d.npy\": cannot write: Is a directory; must be a writable path in a "
      "writable directory");
  EXPECT_EQ(directory_.count(), 1u);
}

}  // namespace
}  // namespace trigon::detail::io

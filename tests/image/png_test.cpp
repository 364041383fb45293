// SPDX-License-Identifier: MIT
#include "image/png.hpp"

#include <zlib.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/io_files.hpp"

namespace trigon::detail::io {
namespace {

using Bytes = std::vector<std::uint8_t>;

// ---- Files by hand

enum ColourType : std::uint8_t { grey = 0, rgb = 2, palette = 3, grey_alpha = 4, rgba = 6 };

const std::string signature = "\x89PNG\r\n\x1a\n";

std::string big_endian(std::uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xff);
  return bytes;
}

std::string chunk(const std::string& type, const std::string& data) {
  const std::string body = type + data;
  const auto* first = reinterpret_cast<const Bytef*>(body.data());
  const auto crc = ::crc32(0, first, static_cast<uInt>(body.size()));
  return big_endian(static_cast<std::uint32_t>(data.size())) + body +
         big_endian(static_cast<std::uint32_t>(crc));
}

std::string packed(const std::string& data) {
  uLongf size = ::compressBound(data.size());
  std::string out(size, '\0');
  EXPECT_EQ(::compress(reinterpret_cast<Bytef*>(out.data()), &size,
                       reinterpret_cast<const Bytef*>(data.data()), data.size()),
            Z_OK);
  out.resize(size);
  return out;
}

struct Header {
  std::uint32_t width, height;
  char depth = 8;
  ColourType colours = grey;
  char interlace = 0;
};

std::string ihdr(const Header& header) {
  return chunk("IHDR", big_endian(header.width) + big_endian(header.height) + header.depth +
                           static_cast<char>(header.colours) + '\0' + '\0' + header.interlace);
}

// `rows`: uncompressed, each after its filter's byte. `between`: chunks before them.
std::string png(const Header& header, const std::string& rows, const std::string& between = "") {
  return signature + ihdr(header) + between + chunk("IDAT", packed(rows)) + chunk("IEND", "");
}

std::string text_of(const Bytes& bytes) { return {bytes.begin(), bytes.end()}; }

class Png : public testing::Test {
 protected:
  image::PngImage load(const std::string& content) {
    write_file(directory_ / "x.png", content);
    return image::load_png(directory_ / "x.png");
  }
  void expect(const std::string& content, int channels, const Bytes& values) {
    const image::PngImage image = load(content);
    EXPECT_EQ(image.channels, channels);
    EXPECT_EQ(image.bits, 8);
    EXPECT_EQ(values_of<std::uint8_t>(image.data), values);
  }
  // The error of load_png for `content`, after `trigon::load_png: "x.png": `.
  std::string refusal(const std::string& content) {
    const std::string text = error_of(directory_, [&] { return load(content); });
    const std::string prefix = "trigon::load_png: \"x.png\": ";
    return text.starts_with(prefix) ? text.substr(prefix.size()) : "wrong prefix: " + text;
  }

  TemporaryDirectory directory_;
};

const Header two_by_two{.width = 2, .height = 2};
const std::string its_rows{"\0\1\2\0\3\4", 6};

// ---- Valid files

TEST_F(Png, IsReadAsItWasWritten) {
  for (const int channels : {1, 2, 3, 4}) {
    image::PngImage image{.width = 3, .height = 2, .channels = channels};
    for (int k = 0; k < 6 * channels; ++k) image.data.push_back(static_cast<std::byte>(11 * k));
    save_png(directory_ / "y.png", image);
    const image::PngImage found = image::load_png(directory_ / "y.png");
    EXPECT_EQ(found.width, 3);
    EXPECT_EQ(found.height, 2);
    EXPECT_EQ(found.channels, channels);
    EXPECT_EQ(found.bits, 8);
    EXPECT_EQ(found.data, image.data);
  }
}

TEST_F(Png, ReadsWhatOthersWrite) { expect(png(two_by_two, its_rows), 1, {1, 2, 3, 4}); }

TEST_F(Png, ExpandsFewBitsToEight) {
  using namespace std::string_literals;
  expect(png({3, 1, 1}, "\0\xa0"s), 1, {255, 0, 255});
  expect(png({4, 1, 2}, "\0\x1b"s), 1, {0, 85, 170, 255});
  expect(png({2, 1, 4}, "\0\xf1"s), 1, {255, 17});
}

TEST_F(Png, TurnsPalettesIntoColours) {
  using namespace std::string_literals;
  const std::string colours = chunk("PLTE", text_of({9, 8, 7, 6, 5, 4}));
  expect(png({2, 1, 8, palette}, "\0\1\0"s, colours), 3, {6, 5, 4, 9, 8, 7});
  expect(png({2, 1, 8, palette}, "\0\1\0"s, colours + chunk("tRNS", "\x40")), 4,
         {6, 5, 4, 255, 9, 8, 7, 64});
}

TEST_F(Png, TurnsATransparentColourIntoAlpha) {
  using namespace std::string_literals;
  expect(png({2, 1}, "\0\5\6"s, chunk("tRNS", "\0\6"s)), 2, {5, 255, 6, 0});
}

TEST_F(Png, KeepsSixteenBits) {
  using namespace std::string_literals;
  const image::PngImage image = load(png({2, 1, 16}, "\0\x12\x34\xff\xfe"s));
  EXPECT_EQ(image.bits, 16);
  EXPECT_EQ(values_of<std::uint16_t>(image.data), (std::vector<std::uint16_t>{0x1234, 0xfffe}));
}

TEST_F(Png, SortsInterlacedPixels) {
  using namespace std::string_literals;
  // The passes of Adam7 that a 3 x 2 image has.
  const Header header{.width = 3, .height = 2, .interlace = 1};
  expect(png(header, "\0\1\0\3\0\2\0\4\5\6"s), 1, {1, 2, 3, 4, 5, 6});
}

TEST_F(Png, LeavesGammaToTheReader) {
  expect(png(two_by_two, its_rows, chunk("gAMA", big_endian(100000))), 1, {1, 2, 3, 4});
}

// ---- Refused files

TEST_F(Png, RefusesOtherFiles) {
  EXPECT_EQ(refusal(""), "not a PNG file: 0 bytes, the first are []; must start with 89 \"PNG\"");
  EXPECT_EQ(refusal("\x93NUMPY\1"),
            "not a PNG file: it starts like a NumPy array; load_npy reads it");
  EXPECT_EQ(refusal("GIF89a, and more"),
            "not a PNG file: 16 bytes, the first are [47 49 46 38 39 61 2c 20]; must start with "
            "89 \"PNG\"");
  EXPECT_EQ(error_of(directory_, [&] { return image::load_png(directory_.path()); }),
            "trigon::load_png: \"\": cannot open: Is a directory; must be a readable file");
  EXPECT_EQ(error_of(directory_, [&] { return image::load_png(directory_ / "no.png"); }),
            "trigon::load_png: \"no.png\": cannot open: No such file or directory; must be a "
            "readable file");
}

TEST_F(Png, RefusesAFileThatEndsAnywhereEarly) {
  const std::string whole = png(two_by_two, its_rows);
  for (std::size_t size = signature.size(); size < whole.size(); ++size) {
    EXPECT_EQ(refusal(whole.substr(0, size)),
              "cannot decode: \"the file ends early\"; must be a whole PNG file")
        << size;
  }
}

TEST_F(Png, RefusesAWrongSum) {
  const std::string whole = png(two_by_two, its_rows);
  const auto refusal_with_change = [&](std::size_t at) {
    std::string damaged = whole;
    damaged[at] ^= 1;
    return refusal(damaged);
  };
  EXPECT_EQ(refusal_with_change(whole.find("IHDR") + 4 + 13),
            "cannot decode: \"IHDR: CRC error\"; must be a whole PNG file");
  EXPECT_EQ(refusal_with_change(whole.find("IEND") - 5),
            "cannot decode: \"IDAT: CRC error\"; must be a whole PNG file");
}

TEST_F(Png, RefusesSizesOfZero) {
  EXPECT_EQ(refusal(png({0, 2}, its_rows)),
            "cannot decode: \"Invalid IHDR data\" (\"Image width is zero in IHDR\"); must be a "
            "whole PNG file");
}

TEST_F(Png, RefusesSizesPastTheLimit) {
  EXPECT_EQ(refusal(png({1, 1'000'001}, its_rows)),
            "cannot decode: \"Invalid IHDR data\" (\"Image height exceeds user limit in IHDR\"); "
            "must be a whole PNG file");
}

TEST_F(Png, RefusesSizesThatAFewBytesCannotFill) {
  EXPECT_EQ(refusal(png({1'000'000, 1'000'000, 16, rgba}, its_rows)),
            "sizes do not fit the file: 1000000 x 1000000 pixels take 8000000000000 bytes, the "
            "file has 71; must be at most 1032 times as many");
}

TEST_F(Png, ReadsTheTightestPacking) {
  const std::size_t side = 2000;
  const std::string rows((side + 1) * side, '\0');
  const std::string file = png({side, side}, rows);
  EXPECT_GT(rows.size() / file.size(), 900u);
  expect(file, 1, Bytes(side * side));
}

TEST_F(Png, RefusesUnknownKindsOfPixels) {
  EXPECT_EQ(refusal(png({2, 2, 3}, its_rows)),
            "cannot decode: \"Invalid IHDR data\" (\"Invalid bit depth in IHDR\"); must be a "
            "whole PNG file");
  EXPECT_EQ(refusal(png({2, 2, 8, static_cast<ColourType>(5)}, its_rows)),
            "cannot decode: \"Invalid IHDR data\" (\"Invalid color type in IHDR\"); must be a "
            "whole PNG file");
}

TEST_F(Png, RefusesAMissingPart) {
  EXPECT_EQ(refusal(png({2, 2, 8, palette}, its_rows)),
            "cannot decode: \"IDAT: Missing PLTE before IDAT\"; must be a whole PNG file");
  EXPECT_EQ(refusal(signature + ihdr(two_by_two) + chunk("IEND", "")),
            "cannot decode: \"IEND: out of place\"; must be a whole PNG file");
  EXPECT_EQ(refusal(png(two_by_two, its_rows.substr(0, 4))),
            "cannot decode: \"Not enough image data\"; must be a whole PNG file");
}

TEST_F(Png, SurvivesADamageOfAnyByte) {
  const std::string whole = png({2, 2, 8, palette}, std::string("\0\1\0\0\0\1", 6),
                                chunk("PLTE", text_of({9, 8, 7, 6, 5, 4})) + chunk("tRNS", "\x40") +
                                    chunk("gAMA", big_endian(45455)));
  int refused = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int bit : {0, 3, 7}) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
      write_file(directory_ / "x.png", damaged);
      refused +=
          error_of(directory_, [&] { return image::load_png(directory_ / "x.png"); }) != "no error";
    }
  }
  EXPECT_GT(refused, 200);  // the others lie in chunks that a reader may skip
}

// ---- Written files

TEST_F(Png, NamesTheFileThatCannotBeWritten) {
  const image::PngImage image{.width = 1, .height = 1, .channels = 1, .data = {std::byte{0}}};
  EXPECT_EQ(error_of(directory_, [&] { save_png(directory_ / "no" / "y.png", image); }),
            "trigon::save_png: \"no/y.png\": cannot write: No such file or directory; must be a "
            "writable path in a writable directory");
  EXPECT_EQ(error_of(directory_, [&] { save_png("/dev/full", image); }),
            "trigon::save_png: \"/dev/full\": cannot write: No space left on device; must be a "
            "writable path in a writable directory");
}

}  // namespace
}  // namespace trigon::detail::io

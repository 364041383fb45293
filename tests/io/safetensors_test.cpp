// SPDX-License-Identifier: MIT
#include "io/safetensors.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/io_files.hpp"

namespace trigon::detail::io {
namespace {

using Sizes = std::vector<std::int64_t>;

std::string with_length(std::uint64_t length, const std::string& rest) {
  return little_endian(length, 8) + rest;
}

std::string safetensors(const std::string& header, std::size_t data_size) {
  return with_length(header.size(), header + std::string(data_size, '\0'));
}

std::string safetensors(const std::string& header, const std::string& data) {
  return with_length(header.size(), header + data);
}

// One tensor "w" with these fields.
std::string one(const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return R"({"w":{"dtype":)" + dtype + R"(,"shape":)" + shape + R"(,"data_offsets":)" + offsets +
         "}}";
}

class SafeTensorsFile : public testing::Test {
 protected:
  SafeTensors load(const std::string& content) {
    write_file(directory_ / "x.safetensors", content);
    return SafeTensors::open(directory_ / "x.safetensors");
  }
  std::string error(const std::string& path) {
    return error_of(directory_, [&] { SafeTensors::open(directory_ / path); });
  }
  // The error for `content`, after `trigon::SafeTensors: "x.safetensors": `.
  std::string refusal(const std::string& content) {
    const std::string text = error_of(directory_, [&] { return load(content); });
    const std::string prefix = "trigon::SafeTensors: \"x.safetensors\": ";
    return text.starts_with(prefix) ? text.substr(prefix.size()) : "wrong prefix: " + text;
  }
  std::string refusal(const std::string& header, std::size_t data_size) {
    return refusal(safetensors(header, data_size));
  }

  TemporaryDirectory directory_;
};

TEST_F(SafeTensorsFile, IsMappedWithItsNamesShapesAndBytes) {
  const auto file = load(safetensors(
      R"({"b":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
      R"("a":{"dtype":"I32","shape":[],"data_offsets":[8,12]},"__metadata__":{"by":"hand"}}  )",
      bytes_of<float>({1.5f, -2}) + bytes_of<std::int32_t>({7})));
  ASSERT_EQ(file.entries().size(), 2u);
  EXPECT_EQ(file.entries()[0].name, "b");
  EXPECT_EQ(file.entries()[0].shape, Sizes{2});
  EXPECT_EQ(to_float32(file.entries()[0]), (std::vector<float>{1.5f, -2}));
  EXPECT_EQ(file.entries()[1].name, "a");
  EXPECT_EQ(file.entries()[1].shape, Sizes{});
  EXPECT_EQ(to_int32(file.entries()[1]), std::vector<std::int32_t>{7});
}

TEST_F(SafeTensorsFile, FindsByName) {
  const auto file = load(safetensors(R"({"b":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                                     R"("a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})",
                                     2));
  ASSERT_NE(file.find("a"), nullptr);
  EXPECT_EQ(file.find("a")->name, "a");
  EXPECT_EQ(file.find("b"), &file.entries()[0]);
  EXPECT_EQ(file.find("c"), nullptr);
  EXPECT_EQ(file.find(""), nullptr);
}

TEST_F(SafeTensorsFile, LivesOnInCopies) {
  SafeTensors copy;
  {
    const auto file = load(safetensors(one("\"U8\"", "[2]", "[0,2]"), "hi"));
    copy = file;
  }
  ASSERT_NE(copy.find("w"), nullptr);
  EXPECT_EQ(to_int32(*copy.find("w")), (std::vector<std::int32_t>{'h', 'i'}));
}

TEST_F(SafeTensorsFile, HoldsEmptyTensorsBesideFullOnes) {
  const auto file = load(
      safetensors(R"({"full":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},)"
                  R"("z0":{"dtype":"F32","shape":[3,0],"data_offsets":[0,0]},)"
                  R"("z2":{"dtype":"F32","shape":[0,9223372036854775807,4],"data_offsets":[2,2]}})",
                  2));
  EXPECT_EQ(file.entries().size(), 3u);
  EXPECT_TRUE(file.find("z0")->bytes.empty());
  EXPECT_TRUE(to_float32(*file.find("z2")).empty());
}

// A tree of the header would take 34 times its size.
TEST_F(SafeTensorsFile, MayHoldManyTensors) {
  std::string header;
  for (int k = 0; k < 40'000; ++k) {
    header += (k == 0 ? "{\"" : ",\"") + std::to_string(k) +
              R"(":{"dtype":"U8","shape":[],"data_offsets":[)" + std::to_string(k) + "," +
              std::to_string(k + 1) + "]}";
  }
  const auto file = load(safetensors(header + "}", 40'000));
  EXPECT_EQ(file.entries().size(), 40'000U);
  EXPECT_EQ(file.find("39999")->bytes.data() - file.find("0")->bytes.data(), 39'999);
}

TEST_F(SafeTensorsFile, MayHoldNothing) {
  EXPECT_TRUE(load(safetensors("{}", 0)).entries().empty());
}

TEST_F(SafeTensorsFile, RefusesShortFiles) {
  EXPECT_EQ(refusal(""), "file too short: 0 bytes; must have at least 8");
  EXPECT_EQ(refusal("abc"), "file too short: 3 bytes; must have at least 8");
}

TEST_F(SafeTensorsFile, RefusesAHeaderPastTheFile) {
  EXPECT_EQ(refusal(with_length(64, "{}")),
            "header runs past the file: header is 64 bytes, file has 2 after its length; "
            "must lie inside");
}

TEST_F(SafeTensorsFile, RefusesAnAbsurdHeader) {
  EXPECT_EQ(refusal(with_length(100'000'001, "{}")),
            "header too long: 100000001 bytes; must be at most 100000000");
  EXPECT_EQ(refusal(with_length(~std::uint64_t{0}, "{}")),
            "header too long: 18446744073709551615 bytes; must be at most 100000000");
}

TEST_F(SafeTensorsFile, RefusesAHeaderThatIsNoObject) {
  EXPECT_EQ(refusal("", 0), "not a JSON object: the text is empty; must start with \"{\"");
  EXPECT_EQ(refusal("[]", 0),
            "not a JSON object: the text starts with \"[...\"; must start with \"{\"");
  EXPECT_EQ(refusal(" {}", 0),
            "not a JSON object: the text starts with \" ...\"; must start with \"{\"");
  EXPECT_EQ(refusal("\xef\xbb\xbf{}", 0),
            "not a JSON object: the text starts with a byte order mark; must start with \"{\"");
  EXPECT_EQ(refusal("\x1b{}", 0),
            "not a JSON object: the text starts with \"\\x1b...\"; must start with \"{\"");
}

TEST_F(SafeTensorsFile, RefusesAHeaderThatIsNotJson) {
  const std::string rule = " of the text; must be JSON in UTF-8";
  EXPECT_EQ(refusal("{\"w\":", 0), "not JSON: wrong at byte 6" + rule);
  EXPECT_EQ(refusal("{\"w\":nul}", 0), "not JSON: wrong at byte 9" + rule);
  EXPECT_EQ(refusal("{} x", 0), "not JSON: wrong at byte 4" + rule);
  EXPECT_EQ(refusal(std::string("{}\0", 3), 0), "not JSON: zero byte at byte 3" + rule);
  EXPECT_EQ(refusal("{\"w\":1e999}", 0),
            "not JSON: a number is out of range; must be JSON in UTF-8");
}

// The parser would take ten times their memory.
TEST_F(SafeTensorsFile, RefusesLongNumbersAndStrings) {
  EXPECT_EQ(refusal("{\"w\":" + std::string(1001, '1') + "}", 0),
            "number too long: 1001 digits at byte 6 of the text; must have at most 1000");
  const std::string text(3'500'000, 'k');
  const std::string rule = "; must have at most 3500000";
  EXPECT_EQ(refusal("{\"" + text + "k\":{}}", 0),
            "string too long: 3500001 bytes at byte 2 of the text" + rule);
  EXPECT_EQ(refusal(R"({"w":")" + text.substr(1) + "\\\"", 0),
            "string too long: 3500001 bytes at byte 6 of the text" + rule);
  EXPECT_EQ(refusal(R"({"__metadata__":{"a":")" + text + "\",\"b\":1}}", 0),
            "__metadata__ \"b\" has the wrong type: number; must be a string");
}

TEST_F(SafeTensorsFile, RefusesInvalidUtf8) {
  EXPECT_EQ(refusal("{\"\xff\":{}}", 0),
            "not JSON: wrong at byte 3 of the text; must be JSON in UTF-8");
  EXPECT_EQ(refusal("{\"\xc0\xaf\":{}}", 0),
            "not JSON: wrong at byte 3 of the text; must be JSON in UTF-8");
}

TEST_F(SafeTensorsFile, RefusesDeepNesting) {
  EXPECT_EQ(refusal("{\"w\":" + std::string(1'000'000, '['), 0),
            "tensor \"w\": description has the wrong type: array; must be an object");
  EXPECT_EQ(refusal(one("\"F32\"", "[[1]]", "[0,4]"), 4),
            "nested too deep: level 4; must be at most 3");
}

TEST_F(SafeTensorsFile, RefusesNamesGivenTwice) {
  const std::string w = R"("w":{"dtype":"U8","shape":[1],"data_offsets":[0,1]})";
  EXPECT_EQ(refusal("{" + w + "," + w + "}", 1), "name given twice: \"w\"; must be unique");
  EXPECT_EQ(refusal(R"({"w":{"dtype":"U8","dtype":"F32"}})", 0),
            "name given twice: \"dtype\"; must be unique");
  EXPECT_EQ(refusal("{" + w + R"(,"\u0077":{"dtype":"U8","shape":[0],"data_offsets":[1,1]}})", 1),
            "name given twice: \"w\"; must be unique");
}

TEST_F(SafeTensorsFile, RefusesMetadataGivenTwice) {
  EXPECT_EQ(refusal(R"({"__metadata__":{"a":"b"},"__metadata__":{"a":"b"}})", 0),
            "name given twice: \"__metadata__\"; must be unique");
  EXPECT_EQ(refusal(R"({"__metadata__":{},"_\u005fmetadata__":{}})", 0),
            "name given twice: \"__metadata__\"; must be unique");
  EXPECT_EQ(refusal(R"({"__metadata__":{"a":"b","ab":"","a":"c"}})", 0),
            "name given twice: \"a\"; must be unique");
  EXPECT_EQ(refusal(R"({"__metadata__":{"":"","b":"","\u0000":"","":""}})", 0),
            "name given twice: \"\"; must be unique");
  load(safetensors(R"({"__metadata__":{"ab":"","a":"","b":"ab","":"a","\u0000":""}})", 0));
}

TEST_F(SafeTensorsFile, RefusesMetadataThatIsNotStrings) {
  EXPECT_EQ(refusal(R"({"__metadata__":["a"]})", 0),
            "__metadata__ has the wrong type: array; must be an object");
  EXPECT_EQ(refusal(R"({"__metadata__":{"k":3}})", 0),
            "__metadata__ \"k\" has the wrong type: number; must be a string");
  EXPECT_EQ(refusal(R"({"__metadata__":{"k":{}}})", 0),
            "__metadata__ \"k\" has the wrong type: object; must be a string");
}

TEST_F(SafeTensorsFile, RefusesDescriptionsOfTheWrongForm) {
  EXPECT_EQ(refusal(R"({"w":3})", 0),
            "tensor \"w\": description has the wrong type: number; must be an object");
  EXPECT_EQ(refusal(R"({"w":{"shape":[],"data_offsets":[0,4]}})", 4),
            "tensor \"w\": missing key: \"dtype\"; must have dtype, shape and data_offsets");
  EXPECT_EQ(refusal(R"({"w":{"dtype":"F32","data_offsets":[0,4]}})", 4),
            "tensor \"w\": missing key: \"shape\"; must have dtype, shape and data_offsets");
  EXPECT_EQ(refusal(R"({"w":{"dtype":"F32","shape":[]}})", 4),
            "tensor \"w\": missing key: \"data_offsets\"; must have dtype, shape and data_offsets");
  EXPECT_EQ(refusal(R"({"w":{"dtype":"F32","shape":[],"data_offsets":[0,4],"x":1}})", 4),
            "tensor \"w\": unknown key: \"x\"; must have dtype, shape and data_offsets only");
}

TEST_F(SafeTensorsFile, RefusesUnknownDtypes) {
  EXPECT_EQ(refusal(one("\"F8_E4M3\"", "[4]", "[0,4]"), 4),
            "tensor \"w\": unknown dtype: \"F8_E4M3\"; "
            "must be one of F64, F32, F16, BF16, I64, I32, U32, U8, BOOL");
  EXPECT_EQ(refusal(one("3", "[4]", "[0,4]"), 4),
            "tensor \"w\": dtype has the wrong type: number; must be a string");
}

TEST_F(SafeTensorsFile, RefusesBadShapes) {
  EXPECT_EQ(refusal(one("\"F32\"", "4", "[0,4]"), 4),
            "tensor \"w\": shape has the wrong type: number; must be an array of sizes");
  EXPECT_EQ(refusal(one("\"F32\"", "[2,-3]", "[0,4]"), 4),
            "tensor \"w\": bad size in shape: axis 1 is \"-3\"; must be an integer in [0, 2^63)");
  EXPECT_EQ(refusal(one("\"F32\"", "[1.0]", "[0,4]"), 4),
            "tensor \"w\": bad size in shape: axis 0 is \"1.0\"; must be an integer in [0, 2^63)");
  EXPECT_EQ(refusal(one("\"F32\"", "[-0]", "[0,0]"), 0),
            "tensor \"w\": bad size in shape: axis 0 is \"-0\"; must be an integer in [0, 2^63)");
  EXPECT_EQ(refusal(one("\"F32\"", "[0]", "[-0,0]"), 0),
            "tensor \"w\": data_offsets are not two offsets: \"[-0,0]\"; must be [begin, end] in "
            "bytes");
  EXPECT_EQ(refusal(one("\"F32\"", "[9223372036854775808]", "[0,4]"), 4),
            "tensor \"w\": bad size in shape: axis 0 is \"9223372036854775808\"; "
            "must be an integer in [0, 2^63)");
  EXPECT_EQ(refusal(one("\"F32\"", "[1,1,1,1,1,1,1,1,1]", "[0,4]"), 4),
            "tensor \"w\": too many axes: rank is 9; must be at most 8");
}

TEST_F(SafeTensorsFile, RefusesObjectsInPlaceOfLists) {
  EXPECT_EQ(refusal(one("{}", "[4]", "[0,4]"), 4),
            "tensor \"w\": dtype has the wrong type: object; must be a string");
  EXPECT_EQ(refusal(one("\"F32\"", "{\"a\":1}", "[0,4]"), 4),
            "tensor \"w\": shape has the wrong type: object; must be an array of sizes");
  EXPECT_EQ(refusal(one("\"F32\"", "[4]", "{}"), 4),
            "tensor \"w\": data_offsets are not two offsets: \"object\"; "
            "must be [begin, end] in bytes");
}

TEST_F(SafeTensorsFile, RefusesShapesThatOverflow) {
  // The product is 2^64 bytes: 0 in 64 bits, which would match the empty range.
  EXPECT_EQ(refusal(one("\"F32\"", "[4294967296,1073741824]", "[0,0]"), 0),
            "tensor \"w\": too large: shape is (4294967296, 1073741824), dtype is F32; "
            "must take less than 2^63 bytes");
}

TEST_F(SafeTensorsFile, RefusesOffsetsOutOfRange) {
  write_file(
      directory_ / "x.safetensors",
      safetensors(R"({"wte":{"dtype":"F32","shape":[1024],"data_offsets":[0,4096]}})", 1024));
  EXPECT_EQ(error("x.safetensors"),
            "trigon::SafeTensors: \"x.safetensors\": tensor \"wte\": data_offsets end past "
            "the file: [0, 4096], file has 1024 data bytes; must lie inside");
  EXPECT_EQ(refusal(one("\"U8\"", "[1]", "[18446744073709551614,18446744073709551615]"), 1),
            "tensor \"w\": data_offsets end past the file: "
            "[18446744073709551614, 18446744073709551615], file has 1 data bytes; "
            "must lie inside");
}

TEST_F(SafeTensorsFile, RefusesOffsetsThatRunBackwards) {
  EXPECT_EQ(refusal(one("\"F32\"", "[1]", "[8,4]"), 8),
            "tensor \"w\": data_offsets run backwards: [8, 4]; begin must not be past end");
}

TEST_F(SafeTensorsFile, RefusesOffsetsThatAreNotTwo) {
  const std::string rule = "; must be [begin, end] in bytes";
  EXPECT_EQ(refusal(one("\"F32\"", "[1]", "[0]"), 4),
            "tensor \"w\": data_offsets are not two offsets: \"[0]\"" + rule);
  EXPECT_EQ(refusal(one("\"F32\"", "[1]", "[-4,0]"), 4),
            "tensor \"w\": data_offsets are not two offsets: \"[-4,0]\"" + rule);
  EXPECT_EQ(refusal(one("\"F32\"", "[1]", "[0,4.0]"), 4),
            "tensor \"w\": data_offsets are not two offsets: \"[0,4.0]\"" + rule);
  EXPECT_EQ(refusal(one("\"F32\"", "[1]", "[0,18446744073709551616]"), 4),
            "tensor \"w\": data_offsets are not two offsets: \"[0,18446744073709551616]\"" + rule);
}

TEST_F(SafeTensorsFile, RefusesOffsetsThatDoNotFitTheShape) {
  EXPECT_EQ(refusal(one("\"F32\"", "[2,3]", "[0,8]"), 8),
            "tensor \"w\": data_offsets do not fit the shape: [0, 8] is 8 bytes, F32 (2, 3) takes "
            "24; must be equal");
}

TEST_F(SafeTensorsFile, RefusesOverlaps) {
  EXPECT_EQ(refusal(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                    R"("b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})",
                    12),
            "tensor \"b\": data overlaps tensor \"a\": begins at 4, that ends at 8; "
            "must not share bytes");
}

TEST_F(SafeTensorsFile, RefusesHoles) {
  EXPECT_EQ(refusal(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                    R"("b":{"dtype":"F32","shape":[1],"data_offsets":[12,16]}})",
                    16),
            "tensor \"b\": hole before the data: begins at 12, the data before ends at 8; "
            "must be equal");
  EXPECT_EQ(refusal(one("\"F32\"", "[1]", "[4,8]"), 8),
            "tensor \"w\": hole before the data: begins at 4, the data before ends at 0; "
            "must be equal");
}

TEST_F(SafeTensorsFile, RefusesBytesPastTheLastTensor) {
  EXPECT_EQ(refusal(one("\"F32\"", "[1]", "[0,4]"), 5),
            "bytes past the last tensor: tensors end at 4, file has 5 data bytes; must be equal");
}

TEST_F(SafeTensorsFile, KeepsHostileNamesOnOneShortLine) {
  EXPECT_EQ(refusal("{\"a\\n\\\"\":3}", 0),
            "tensor \"a\\x0a\\\"\": description has the wrong type: number; must be an object");
  EXPECT_EQ(refusal("{\"" + std::string(79, 'n') + "\xc3\xa9\":3}", 0),
            "tensor \"" + std::string(79, 'n') +
                "...\": description has the wrong type: number; must be an object");
}

TEST_F(SafeTensorsFile, NamesThePathThatCannotBeOpened) {
  EXPECT_EQ(error("absent.safetensors"),
            "trigon::SafeTensors: \"absent.safetensors\": cannot open: "
            "No such file or directory; must be a readable file");
  EXPECT_EQ(error("absent.json"),
            "trigon::SafeTensors: \"absent.json\": cannot open: "
            "No such file or directory; must be a readable file");
}

class Shards : public SafeTensorsFile {
 protected:
  Shards() {
    write_file(directory_ / "1.safetensors", tensors({"a", "b"}));
    write_file(directory_ / "2.safetensors", tensors({"c", "d"}));
  }
  // One byte a tensor: the first letter of its name.
  static std::string tensors(const std::vector<std::string>& names) {
    std::string header;
    std::string data;
    for (const auto& name : names) {
      header += (header.empty() ? "{\"" : ",\"") + name +
                R"(":{"dtype":"U8","shape":[1],"data_offsets":[)" + std::to_string(data.size()) +
                "," + std::to_string(data.size() + 1) + "]}";
      data += name.front();
    }
    return safetensors(header + R"(,"__metadata__":{"format":"pt"}})", data);
  }
  // The error for this index, after its path.
  std::string index_refusal(const std::string& text) {
    write_file(directory_ / index_, text);
    const std::string found = error(index_);
    const std::string prefix = "trigon::SafeTensors: \"" + index_ + "\": ";
    return found.starts_with(prefix) ? found.substr(prefix.size()) : "wrong prefix: " + found;
  }

  const std::string index_ = "model.safetensors.index.json";
};

TEST_F(Shards, AreOpenedByTheirIndex) {
  write_file(directory_ / index_,
             R"({"metadata":{"total_size":4,"by":"hand"},"weight_map":{"a":"1.safetensors",)"
             R"("d":"2.safetensors","c":"2.safetensors","b":"./1.safetensors"}})");
  for (const auto& path : {directory_.path(), directory_ / index_}) {
    const auto model = SafeTensors::open(path);
    ASSERT_EQ(model.entries().size(), 4u);
    for (const char* const name : {"a", "b", "c", "d"}) {
      ASSERT_NE(model.find(name), nullptr);
      EXPECT_EQ(to_int32(*model.find(name)), std::vector<std::int32_t>{name[0]});
    }
  }
}

TEST_F(Shards, GiveOnlyWhatTheIndexNames) {
  write_file(directory_ / index_, R"({"weight_map":{"b":"1.safetensors"}})");
  const auto model = SafeTensors::open(directory_.path());
  EXPECT_EQ(model.entries().size(), 1u);
  EXPECT_EQ(model.find("a"), nullptr);
}

TEST_F(Shards, MayLieInASubdirectory) {
  std::filesystem::create_directory(directory_ / "sub");
  write_file(directory_ / "sub/3.safetensors", tensors({"e"}));
  write_file(directory_ / index_, R"({"weight_map":{"e":"sub/3.safetensors"}})");
  EXPECT_NE(SafeTensors::open(directory_.path()).find("e"), nullptr);
}

TEST_F(Shards, OneFileIsTakenWithoutAnIndex) {
  write_file(directory_ / "model.safetensors", tensors({"w"}));
  EXPECT_NE(SafeTensors::open(directory_.path()).find("w"), nullptr);
}

TEST_F(Shards, ADirectoryWithoutAModelIsRefused) {
  EXPECT_EQ(error_of(directory_, [&] { SafeTensors::open(directory_.path()); }),
            "trigon::SafeTensors: \"\": no model in the directory: neither "
            "\"model.safetensors.index.json\" nor \"model.safetensors\"; must hold one of them");
}

TEST_F(Shards, AreNamesInAnIndexThatIsNotTooLong) {
  EXPECT_EQ(index_refusal(R"({"weight_map":{"a":{}}})"),
            "tensor \"a\": weight_map has the wrong type: object; must be a file name");
  write_file(directory_ / index_, "{");
  std::filesystem::resize_file(directory_ / index_, 100'000'001);
  EXPECT_EQ(error(index_), "trigon::SafeTensors: \"" + index_ +
                               "\": index too long: 100000001 bytes; must be at most 100000000");
}

TEST_F(Shards, StayInTheDirectory) {
  for (const std::string path :
       {"../x.safetensors", "/etc/passwd", "a/../../x", "..", "", "1.safetensors\\u0000/x"}) {
    const std::string shown = path.ends_with("0000/x") ? "1.safetensors\\x00/x" : path;
    EXPECT_EQ(
        index_refusal(R"({"weight_map":{"a":")" + path + "\"}}"),
        "tensor \"a\": weight_map leaves the directory: \"" + shown + "\"; must be a file in it");
  }
}

TEST_F(Shards, MustExist) {
  EXPECT_EQ(index_refusal(R"({"weight_map":{"a":"3.safetensors"}})"),
            "tensor \"a\": weight_map names an absent file: \"3.safetensors\"; "
            "must be in the directory of the index");
}

TEST_F(Shards, MustBeFiles) {
  std::filesystem::create_directory(directory_ / "sub");
  write_file(directory_ / index_, R"({"weight_map":{"a":"sub"}})");
  EXPECT_EQ(error(index_),
            "trigon::SafeTensors: \"sub\": cannot open: Is a directory; "
            "must be a readable file");
}

TEST_F(Shards, MustHoldTheirTensors) {
  EXPECT_EQ(index_refusal(R"({"weight_map":{"c":"1.safetensors"}})"),
            "tensor \"c\": not in its shard: \"1.safetensors\"; "
            "weight_map must name the file that holds it");
}

TEST_F(Shards, AreCheckedLikeAnyFile) {
  write_file(directory_ / "3.safetensors", "abc");
  write_file(directory_ / index_, R"({"weight_map":{"a":"3.safetensors"}})");
  EXPECT_EQ(error(index_),
            "trigon::SafeTensors: \"3.safetensors\": file too short: 3 bytes; "
            "must have at least 8");
}

TEST_F(Shards, AnIndexOfTheWrongFormIsRefused) {
  EXPECT_EQ(index_refusal("{}"),
            "no weight_map: it is missing; must be an object of tensor and file names");
  EXPECT_EQ(index_refusal(R"({"weight_map":[]})"),
            "no weight_map: it is array; must be an object of tensor and file names");
  EXPECT_EQ(index_refusal(R"({"weight_map":["1.safetensors",[1]]})"),
            "no weight_map: it is array; must be an object of tensor and file names");
  EXPECT_EQ(index_refusal(R"({"weight_map":{"a":1}})"),
            "tensor \"a\": weight_map has the wrong type: number; must be a file name");
  EXPECT_EQ(index_refusal(R"({"weight_map":{"a":"1.safetensors","a":"1.safetensors"}})"),
            "name given twice: \"a\"; must be unique");
  write_file(directory_ / "3.safetensors", tensors({"a"}));
  EXPECT_EQ(index_refusal(R"({"weight_map":{"a":"1.safetensors","a":"3.safetensors"}})"),
            "name given twice: \"a\"; must be unique");
  EXPECT_EQ(index_refusal(R"({"weight_map":{},"weight_map":{}})"),
            "name given twice: \"weight_map\"; must be unique");
  EXPECT_EQ(index_refusal("{\"metadata\":" + std::string(1'000'000, '[')),
            "nested too deep: level 9; must be at most 8");
  EXPECT_EQ(index_refusal(""), "not a JSON object: the text is empty; must start with \"{\"");
}

TEST_F(SafeTensorsFile, UnalignedTensorsAreConvertedNotViewed) {
  for (std::size_t shift = 0; shift < 4; ++shift) {
    const std::string header = one("\"F32\"", "[2]", "[0,8]");
    const std::string spaces((8 - header.size() % 8) % 8 + shift, ' ');
    const auto file = load(safetensors(header + spaces, bytes_of<float>({1.5f, -2})));
    EXPECT_EQ(to_float32(*file.find("w")), (std::vector<float>{1.5f, -2}));
    EXPECT_EQ(view_as<float>(*file.find("w")).has_value(), shift == 0);
  }
}

}  // namespace
}  // namespace trigon::detail::io

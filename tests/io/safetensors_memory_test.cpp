// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <trigon/io.hpp>

#include "core/no_memory.hpp"
#include "support/errors.hpp"
#include "support/io_files.hpp"

// Files that are not on a disk: in memory, read range by range, or with only their start known.

namespace trigon {
namespace {

using support::error_of;
using Bytes = std::vector<std::byte>;
using Ranges = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

Bytes to_bytes(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

// "b" lies before "a"; "z" is empty.
const std::string header = R"({"b":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                           R"("a":{"dtype":"BF16","shape":[2,1],"data_offsets":[8,12]},)"
                           R"("z":{"dtype":"U8","shape":[0],"data_offsets":[12,12]}})";

std::string file_of(const std::string& head, std::size_t data) {
  return io::little_endian(head.size(), 8) + head + std::string(data, '\1');
}
const Bytes file = to_bytes(file_of(header, 12));
const std::uint64_t data_begin = 8 + header.size();

void expect_entries(const SafeTensors& tensors) {
  EXPECT_EQ(tensors.names(), (std::vector<std::string>{"b", "a", "z"}));
  const auto entries = tensors.entries();
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(entries[1].name, "a");
  EXPECT_EQ(entries[1].dtype, "BF16");
  EXPECT_EQ(entries[1].shape, (Shape{2, 1}));
  EXPECT_EQ(entries[1].begin, data_begin + 8);
  EXPECT_EQ(entries[1].end, data_begin + 12);
  EXPECT_EQ(tensors.entry("b").end, entries[1].begin);
  EXPECT_EQ(tensors.entry("z").begin, tensors.entry("z").end);
}

std::string refusal(const std::string& function, const std::string& what) {
  return "trigon::SafeTensors::" + function + ": \"memory\": " + what;
}

// A source that records the requested ranges.
struct Source {
  Bytes bytes = file;
  Ranges asked{};

  SafeTensors open(const FileOrigin& origin = {}) {
    return SafeTensors::from_ranges(
        [this](std::uint64_t begin, std::uint64_t end) {
          asked.emplace_back(begin, end);
          begin = std::min<std::uint64_t>(begin, bytes.size());
          end = std::min<std::uint64_t>(end, bytes.size());
          return Bytes(bytes.begin() + static_cast<std::ptrdiff_t>(begin),
                       bytes.begin() + static_cast<std::ptrdiff_t>(end));
        },
        origin);
  }
};

TEST(SafeTensorsInMemory, HaveTheirEntries) { expect_entries(SafeTensors::from_memory(file)); }

TEST(SafeTensorsInMemory, AreCheckedLikeAFile) {
  EXPECT_EQ(error_of([] { return SafeTensors::from_memory(std::span(file).first(5)); }),
            refusal("from_memory", "file too short: 5 bytes; must have at least 8"));
  EXPECT_EQ(
      error_of([] { return SafeTensors::from_memory(std::span(file).first(file.size() - 1)); }),
      refusal("from_memory",
              "tensor \"a\": data_offsets end past the file: [8, 12], file has 11 data bytes; "
              "must lie inside"));
  EXPECT_EQ(
      error_of([] { return SafeTensors::from_memory({}, "https://host/model.safetensors"); }),
      "trigon::SafeTensors::from_memory: \"https://host/model.safetensors\": file too short: 0 "
      "bytes; must have at least 8");
  EXPECT_EQ(
      error_of([] { return SafeTensors::from_memory(file, "x").entry("c"); }),
      "trigon::SafeTensors::entry: \"x\": no tensor \"c\": it holds 3; ask names() for those");
}

TEST(SafeTensorsOfRanges, ReadTheHeaderAlone) {
  Source source;
  expect_entries(source.open());
  EXPECT_EQ(source.asked, (Ranges{{0, 8}, {8, data_begin}}));
}

TEST(SafeTensorsOfRanges, MayHoldNothing) {
  Source source{.bytes = to_bytes(file_of("{}", 0))};
  EXPECT_TRUE(source.open({.size = 10}).names().empty());
  EXPECT_EQ(source.asked, (Ranges{{0, 8}, {8, 10}}));
}

// Any exception, also one that looks like the library's own.
TEST(SafeTensorsOfRanges, LetThroughWhatTheFunctionThrows) {
  struct Mine {};
  std::function<void()> refuse;
  const auto read = [&](std::uint64_t begin, std::uint64_t end) {
    if (refuse) refuse();
    return Bytes(file.begin() + static_cast<std::ptrdiff_t>(begin),
                 file.begin() + static_cast<std::ptrdiff_t>(end));
  };
  const SafeTensors tensors = SafeTensors::from_ranges(read);
  const std::vector<std::function<void()>> calls = {[&] { return SafeTensors::from_ranges(read); },
                                                    [&] { return tensors.load("b"); }};
  for (const auto& call : calls) {
    refuse = [] { throw std::bad_alloc(); };
    EXPECT_THROW(call(), std::bad_alloc);
    refuse = [] { throw Mine{}; };
    EXPECT_THROW(call(), Mine);
    refuse = [] { throw Error("trigon::mine: no network"); };
    EXPECT_EQ(error_of(call), "trigon::mine: no network");
    refuse = [] { throw detail::core::NoMemory("trigon::mine: out of memory"); };
    EXPECT_EQ(error_of(call), "trigon::mine: out of memory");
  }
}

TEST(SafeTensorsOfRanges, MustGetAllBytes) {
  Source source{.bytes = to_bytes("abc")};
  EXPECT_EQ(error_of([&] { return source.open({.name = "x"}); }),
            "trigon::SafeTensors::from_ranges: \"x\": read gave 3 bytes of [0, 8); must be all 8");
  EXPECT_EQ(error_of([&] { return source.open({.size = 3}); }),
            refusal("from_ranges", "file too short: 3 bytes; must have at least 8"));
  EXPECT_EQ(error_of([&] { return source.open({.size = 0}); }),
            refusal("from_ranges", "file too short: 0 bytes; must have at least 8"));
  source.bytes.assign(file.begin(), file.begin() + 20);
  EXPECT_EQ(error_of([&] { return source.open(); }),
            "trigon::SafeTensors::from_ranges: \"memory\": read gave 12 bytes of [8, " +
                std::to_string(data_begin) + "); must be all " + std::to_string(header.size()));
  const auto too_many = [](std::uint64_t, std::uint64_t) { return Bytes(100); };
  EXPECT_EQ(
      error_of([&] { return SafeTensors::from_ranges(too_many); }),
      "trigon::SafeTensors::from_ranges: \"memory\": read gave 100 bytes of [0, 8); must be all 8");
}

TEST(SafeTensorsOfRanges, PassOnWhatReadThrows) {
  const auto refused = [](std::uint64_t, std::uint64_t) -> Bytes { throw Error("no network"); };
  EXPECT_EQ(error_of([&] { return SafeTensors::from_ranges(refused); }), "no network");
  const auto named = [](std::uint64_t, std::uint64_t) -> Bytes {
    throw Error("mine::read: no network");
  };
  EXPECT_EQ(error_of([&] { return SafeTensors::from_ranges(named); }), "mine::read: no network");
  const auto of_trigon = [](std::uint64_t, std::uint64_t) -> Bytes { return Bytes(Shape{-1}[0]); };
  EXPECT_EQ(error_of([&] { return SafeTensors::from_ranges(of_trigon); }),
            "trigon::Shape: negative size: shape is (-1,); every size must be 0 or more");
}

TEST(SafeTensorsOfRanges, NeedAFunction) {
  EXPECT_EQ(
      error_of([] { return SafeTensors::from_ranges({}); }),
      "trigon::SafeTensors::from_ranges: \"memory\": no function that reads: it is empty; must be "
      "callable");
}

TEST(SafeTensorsOfRanges, RefuseAnAbsurdHeaderBeforeReadingIt) {
  Source source{.bytes = to_bytes(io::little_endian(100'000'001, 8))};
  EXPECT_EQ(error_of([&] { return source.open(); }),
            refusal("from_ranges", "header too long: 100000001 bytes; must be at most 100000000"));
  EXPECT_EQ(source.asked, (Ranges{{0, 8}}));
}

TEST(SafeTensorsHeader, EndsWhereItsFirstBytesSay) {
  EXPECT_EQ(SafeTensors::header_end(std::span(file).first(8)), data_begin);
  EXPECT_EQ(error_of([] { return SafeTensors::header_end(std::span(file).first(7)); }),
            refusal("header_end", "file too short: 7 bytes; must have at least 8"));
  EXPECT_EQ(
      error_of([] { return SafeTensors::header_end(std::span(file).first(8), {.size = 20}); }),
      refusal("header_end", "header runs past the file: header is " +
                                std::to_string(header.size()) +
                                " bytes, file has 12 after its length; must lie inside"));
}

TEST(SafeTensorsHeader, NeedsNoDataButAllOfItself) {
  const auto start = std::span(file).first(data_begin);
  expect_entries(SafeTensors::from_header(start));
  expect_entries(SafeTensors::from_header(std::span(file).first(data_begin + 3)));
  expect_entries(SafeTensors::from_header(start, {.size = file.size()}));
  EXPECT_EQ(error_of([&] { return SafeTensors::from_header(start.first(start.size() - 1)); }),
            refusal("from_header",
                    "header is not all here: it ends at byte " + std::to_string(data_begin) + ", " +
                        std::to_string(data_begin - 1) + " bytes are here; must be all of it"));
}

TEST(SafeTensorsHeader, IsComparedWithTheSizeOfTheFile) {
  const auto start = std::span(file).first(data_begin);
  EXPECT_EQ(
      error_of([&] { return SafeTensors::from_header(start, {.size = file.size() - 1}); }),
      refusal("from_header",
              "tensor \"a\": data_offsets end past the file: [8, 12], file has 11 data bytes; "
              "must lie inside"));
  EXPECT_EQ(error_of([&] { return SafeTensors::from_header(start, {.size = file.size() + 1}); }),
            refusal("from_header",
                    "bytes past the last tensor: tensors end at 12, file has 13 data bytes; must "
                    "be equal"));
}

TEST(SafeTensorsHeader, MayDescribeMoreThanMemory) {
  const Bytes start = to_bytes(file_of(
      R"({"w":{"dtype":"F32","shape":[1073741824,256],"data_offsets":[0,1099511627776]}})", 0));
  EXPECT_EQ(SafeTensors::from_header(start).entry("w").end, start.size() + 1099511627776u);
}

TEST(SafeTensorsHeader, OffsetsMustBeNumbersThatCanBeAdded) {
  const Bytes start =
      to_bytes(file_of(R"({"w":{"dtype":"U8","shape":[1],)"
                       R"("data_offsets":[9223372036854775807,9223372036854775808]}})",
                       0));
  EXPECT_EQ(error_of([&] { return SafeTensors::from_header(start); }),
            refusal("from_header",
                    "tensor \"w\": data_offsets are too large: [9223372036854775807, "
                    "9223372036854775808]; must be below 2^63"));
}

TEST(SafeTensorsHeader, GivesNoValuesByItself) {
  const SafeTensors tensors = SafeTensors::from_header(file, {.name = "x"});
  EXPECT_EQ(
      error_of([&] { return tensors.load("b"); }),
      "trigon::SafeTensors::load: \"x\": the bytes of tensor \"b\" are not here: the header alone "
      "was given; call load(name, bytes)");
  EXPECT_EQ(
      error_of([&] { return tensors.load("b", std::span(file).first(7)); }),
      "trigon::SafeTensors::load: \"x\": wrong number of bytes for tensor \"b\": 7 were given, F32 "
      "(2,) takes 8; must be equal");
}

TEST(SafeTensorsMovedAway, AreRefused) {
  SafeTensors tensors = SafeTensors::from_memory(file);
  const SafeTensors other = std::move(tensors);
  const auto refused = [](const std::string& function) {
    return "trigon::SafeTensors::" + function +
           ": no file: it was moved away; assign another one first";
  };
  EXPECT_EQ(error_of([&] { return tensors.names(); }), refused("names"));
  EXPECT_EQ(error_of([&] { return tensors.entries(); }), refused("entries"));
  EXPECT_EQ(error_of([&] { return tensors.entry("b"); }), refused("entry"));
  EXPECT_EQ(error_of([&] { return tensors.contains("b"); }), refused("contains"));
  EXPECT_EQ(error_of([&] { return tensors.shape("b"); }), refused("shape"));
  EXPECT_EQ(error_of([&] { return tensors.load("b"); }), refused("load"));
  EXPECT_EQ(error_of([&] { return tensors.load("b", std::span(file).first(8)); }), refused("load"));
  tensors = SafeTensors::from_memory(file);
  expect_entries(tensors);
  expect_entries(other);
}

TEST(NpyInMemory, IsCheckedLikeAFile) {
  EXPECT_EQ(error_of([] { return load_npy(std::span(file).first(6)); }),
            "trigon::load_npy: \"memory\": not a .npy file: 6 bytes, the first are " +
                fmt::format("{:02x}", header.size()) +
                " 00 00 00 00 00; must start with 93 \"NUMPY\"");
}

}  // namespace
}  // namespace trigon

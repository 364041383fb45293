// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <new>

#include <fmt/format.h>
#include <trigon/image.hpp>
#include <trigon/trigon.hpp>

#include "config.hpp"
#include "core/called.hpp"
#include "fault/faults.hpp"
#include "io/out_of_memory.hpp"
#include "memory_cost.hpp"
#include "savers.hpp"
#include "tokenizer.hpp"

// The memory that files need, and the errors if there is none.

namespace trigon::fault {
namespace {

namespace fs = std::filesystem;

// ---- Hostile content of about `size` bytes

/// `line(k)` for k = 0, 1, ... between braces, with commas.
template <class F>
std::string object_of(std::size_t size, const F& line) {
  std::string all = "{";
  for (std::size_t k = 0; all.size() < size; ++k) all += (k == 0 ? "" : ",") + line(k);
  return all + "}";
}

std::string empty_tensor(std::size_t k) {
  return fmt::format(R"("{}":{{"dtype":"U8","shape":[0],"data_offsets":[0,0]}})", k);
}

const std::vector<std::pair<const char*, std::string (*)(std::size_t)>>& json_texts() {
  static const std::vector<std::pair<const char*, std::string (*)(std::size_t)>> all = {
      {"brackets", [](std::size_t n) { return "{\"a\":" + repeated("[", n); }},
      {"braces", [](std::size_t n) { return repeated("{\"a\":", n); }},
      {"numbers", [](std::size_t n) { return "{\"eos_token_id\":[" + repeated("1,", n) + "1]}"; }},
      {"digits", [](std::size_t n) { return "{\"a\":" + repeated("1", n) + "}"; }},
      {"blanks", [](std::size_t n) { return "{" + repeated(" ", n) + "\"a\":1}"; }},
      {"quotes", [](std::size_t n) { return "{" + repeated("\"", n); }},
      {"metadata",
       [](std::size_t n) {
         return "{\"__metadata__\":" +
                object_of(n, [](std::size_t k) { return fmt::format("\"{}\":\"\"", k); }) + "}";
       }},
      {"metadata of brackets",
       [](std::size_t n) {
         return "{\"__metadata__\":" +
                object_of(n, [](std::size_t k) { return fmt::format("\"[[{}\":\"\"", k); }) + "}";
       }},
      {"members",
       [](std::size_t n) {
         return object_of(n, [](std::size_t k) { return fmt::format("\"{}\":{}", k, k); });
       }},
      {"tensors", [](std::size_t n) { return object_of(n, empty_tensor); }},
  };
  return all;
}

std::string symbol(unsigned byte) {
  const bool itself = (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte != 0xAD);
  static const auto codes = [] {
    std::array<unsigned, 256> next{};
    for (unsigned b = 0, code = 0x100; b < 256; ++b) {
      next[b] = (b >= 0x21 && b <= 0x7E) || (b >= 0xA1 && b != 0xAD) ? b : code++;
    }
    return next;
  }();
  const unsigned code = itself ? byte : codes[byte];
  if (code < 0x80) return {static_cast<char>(code)};
  return {static_cast<char>(0xC0 | code >> 6), static_cast<char>(0x80 | (code & 0x3F))};
}

/// A vocabulary of the 256 symbols and all pairs and triples of letters that fit, and all merges.
void write_tokenizer(const fs::path& dir, int letters) {
  std::string vocabulary = "{", merges;
  int id = 0;
  const auto add = [&](const std::string& token) {
    const bool quoted = token == "\"" || token == "\\";
    vocabulary += fmt::format("{}\"{}{}\":{}", id == 0 ? "" : ",", quoted ? "\\" : "", token, id);
    ++id;
  };
  for (unsigned byte = 0; byte < 256; ++byte) add(symbol(byte));
  const auto letter = [](int k) {
    return std::string(1, static_cast<char>(k < 26 ? 'A' + k : 'a' + k - 26));
  };
  for (int a = 0; a < letters; ++a) {
    for (int b = 0; b < letters; ++b) {
      const std::string pair = letter(a) + letter(b);
      add(pair);
      merges += letter(a) + " " + letter(b) + "\n";
    }
  }
  for (int a = 0; a < letters; ++a) {
    for (int b = 0; b < letters; ++b) {
      for (int c = 0; c < letters; ++c) {
        add(letter(a) + letter(b) + letter(c));
        merges += letter(a) + " " + letter(b) + letter(c) + "\n";
        merges += letter(a) + letter(b) + " " + letter(c) + "\n";
      }
    }
  }
  io::write_file(dir / "vocab.json", vocabulary + "}");
  io::write_file(dir / "merges.txt", merges);
}

/// The same content in two sizes. Memory stays within `most` times the size and `more` bytes, and
/// the number of allocations is linear in the size: with quadratic time it would be four times as
/// large.
template <class Write, class Load>
void expect_bounds(const char* what, std::size_t size, double most, const Write& write,
                   const Load& load) {
  const TemporaryDirectory directory;
  double allocations = 0;
  for (const std::size_t times : {1U, 2U}) {
    const double bytes = static_cast<double>(write(directory, times * size));
    const Cost cost = cost_of(directory, [&] { return load(directory); });
    const double ratio = cost.bytes / bytes;
    fmt::print("{:>24} {:9.0f} bytes: {:5.2f} times their memory, {:8.0f} allocations, {:.60}\n",
               what, bytes, ratio, cost.allocations, cost.error);
    EXPECT_LE(ratio, most) << what;
    if (times == 2) {
      EXPECT_LE(cost.allocations, 2.5 * allocations + 64) << what;
    }
    allocations = cost.allocations;
  }
}

TEST(MemoryOfAFile, SafetensorsHeaders) {
  for (const auto& [name, make] : json_texts()) {
    expect_bounds(
        name, 1'000'000, 4,
        [make = make](const TemporaryDirectory& directory, std::size_t size) {
          io::write_file(directory / "x.safetensors", with_length(make(size)));
          return fs::file_size(directory / "x.safetensors");
        },
        [](const TemporaryDirectory& directory) {
          io::SafeTensors::open(directory / "x.safetensors");
        });
  }
}

TEST(MemoryOfAFile, Indices) {
  const auto load = [](const TemporaryDirectory& directory) {
    io::SafeTensors::open(directory / "index.json");
  };
  for (const auto& [name, make] : json_texts()) {
    expect_bounds(
        name, 1'000'000, 4,
        [make = make](const TemporaryDirectory& directory, std::size_t size) {
          io::write_file(directory / "index.json", make(size));
          return fs::file_size(directory / "index.json");
        },
        load);
  }
  expect_bounds(
      "with a shard", 500'000, 4,
      [](const TemporaryDirectory& directory, std::size_t size) {
        io::write_file(directory / "s", with_length(object_of(size, empty_tensor)));
        const auto lines = [&](std::size_t k) { return fmt::format("\"{}\":\"s\"", k); };
        std::size_t tensors = 0;
        const std::string header = object_of(size, [&](std::size_t k) {
          tensors = k + 1;
          return empty_tensor(k);
        });
        std::string map = "{\"weight_map\":{";
        for (std::size_t k = 0; k < tensors; ++k) map += (k == 0 ? "" : ",") + lines(k);
        io::write_file(directory / "index.json", map + "}}");
        return fs::file_size(directory / "index.json") + fs::file_size(directory / "s");
      },
      load);
}

TEST(MemoryOfAFile, Configurations) {
  for (const auto& [name, make] : json_texts()) {
    expect_bounds(
        name, 200'000, 4,
        [make = make](const TemporaryDirectory& directory, std::size_t size) {
          io::write_file(directory / "config.json", make(size));
          return fs::file_size(directory / "config.json");
        },
        [](const TemporaryDirectory& directory) { return gpt2::Config::load(directory.path()); });
  }
}

TEST(MemoryOfAFile, Tokenizers) {
  const auto load = [](const TemporaryDirectory& directory) {
    return gpt2::Tokenizer::load(directory.path());
  };
  for (const auto& [name, make] : json_texts()) {
    expect_bounds(
        name, 1'000'000, 4,
        [make = make](const TemporaryDirectory& directory, std::size_t size) {
          io::write_file(directory / "vocab.json", make(size));
          io::write_file(directory / "merges.txt", "");
          return fs::file_size(directory / "vocab.json");
        },
        load);
  }
  for (const int letters : {26, 52}) {
    const TemporaryDirectory directory;
    write_tokenizer(directory.path(), letters);
    const double bytes = static_cast<double>(fs::file_size(directory / "vocab.json") +
                                             fs::file_size(directory / "merges.txt"));
    const Cost cost = cost_of(directory, [&] { return load(directory); });
    EXPECT_EQ(cost.error, "no error");
    fmt::print("{:>24} {:9.0f} bytes: {:5.2f} times their memory\n", "tokens and merges", bytes,
               cost.bytes / bytes);
    EXPECT_LE(cost.bytes, 4 * bytes);
  }
}

TEST(MemoryOfAFile, NumpyArrays) {
  for (const auto& [descr, size, order] : {std::tuple{"<f4", 4, "False"},
                                           {"<f8", 8, "True"},
                                           {"<i8", 8, "False"},
                                           {"|u1", 1, "True"}}) {
    expect_bounds(
        descr, 1'000'000, 4,
        [descr = descr, size = size, order = order](const TemporaryDirectory& directory,
                                                    std::size_t count) {
          std::string header =
              fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': (2, {}), }}", descr,
                          order, count / 2);
          header.resize(117, ' ');
          io::write_file(directory / "x.npy",
                         std::string("\x93NUMPY\1\0", 8) + io::little_endian(118, 2) + header +
                             "\n" + std::string(static_cast<std::size_t>(size) * count, '\0'));
          return fs::file_size(directory / "x.npy");
        },
        [](const TemporaryDirectory& directory) { return io::load_npy(directory / "x.npy"); });
  }
}

// ---- PNG

std::string big_endian(std::size_t value) {
  std::string bytes = io::little_endian(value, 4);
  return {bytes.rbegin(), bytes.rend()};
}

std::string chunk(const std::string& type, const std::string& data) {
  const std::string body = type + data;
  const auto* first = reinterpret_cast<const Bytef*>(body.data());
  return big_endian(data.size()) + body + big_endian(::crc32(0, first, body.size()));
}

std::string packed(const std::string& data) {
  uLongf size = ::compressBound(data.size());
  std::string out(size, '\0');
  ::compress2(reinterpret_cast<Bytef*>(out.data()), &size,
              reinterpret_cast<const Bytef*>(data.data()), data.size(), 9);
  out.resize(size);
  return out;
}

/// One bit per pixel of a palette with transparent colours: four bytes per pixel in the image.
std::string palette_png(std::size_t side, const std::string& more, const std::string& pixels,
                        char interlace = 0) {
  return "\x89PNG\r\n\x1a\n" +
         chunk("IHDR",
               big_endian(side) + big_endian(side) + '\1' + '\3' + '\0' + '\0' + interlace) +
         chunk("PLTE", "abcdef") + chunk("tRNS", "gh") + more + chunk("IDAT", pixels) +
         chunk("IEND", "");
}

TEST(MemoryOfAFile, Pictures) {
  const TemporaryDirectory directory;
  const auto cost_of_picture = [&](const std::string& content) {
    io::write_file(directory / "x.png", content);
    return cost_of(directory, [&] { return image::load_png(directory / "x.png"); });
  };
  constexpr std::size_t side = 8000;  // 8 MB of rows, which deflate packs to 8 kB; 256 MB of image
  const std::string rows((side / 8 + 1) * side, '\0');
  const std::string pixels = packed(rows);
  const double image = 4.0 * side * side;
  const double few = 1'000'000;  // a row, and pointers to all
  EXPECT_LE(cost_of_picture(palette_png(side, "", pixels)).bytes, image + few);
  for (const char interlace : {'\0', '\1'}) {
    const Cost cut =
        cost_of_picture(palette_png(side, "", packed(rows.substr(0, rows.size() / 2)), interlace));
    EXPECT_NE(cut.error, "no error");
    EXPECT_LE(cut.bytes, few);
  }
  // Texts in a picture, each of 8 MB when unpacked.
  const std::string text =
      chunk("zTXt", std::string("key\0\0", 5) + packed(std::string(7'000'000, 'x')));
  const Cost texts = cost_of_picture(
      palette_png(8, repeated(text, 50 * text.size()), packed(std::string(16, '\0'))));
  EXPECT_EQ(texts.error, "no error");
  EXPECT_LE(texts.bytes, few);
}

// ---- No memory

/// The errors of a call whose allocations fail, each in turn, once alone and once with all after
/// it; "" if there was no error. Smaller allocations do not fail. TRIGON_FAULT_PLACES bounds the
/// places.
template <class F>
std::set<std::string> errors_without_memory(const F& call, std::int64_t at_least = 0) {
  arm_memory({.at_least = at_least});
  static_cast<void>(call());
  const std::int64_t count = disarm().total;
  const char* const most = std::getenv("TRIGON_FAULT_PLACES");
  const std::int64_t step =
      most == nullptr ? 1 : std::max<std::int64_t>(1, count / std::atoll(most));
  std::set<std::string> errors;
  for (std::int64_t place = 0; place < count; place += step) {
    for (const bool from_there_on : {false, true}) {
      arm_memory({.place = place, .from_there_on = from_there_on, .at_least = at_least});
      std::array<char, 2048> text{};
      try {
        static_cast<void>(call());
      } catch (const std::exception& error) {
        std::string_view(error.what()).copy(text.data(), text.size() - 1);
      }
      disarm();
      errors.insert(text.data());
    }
  }
  return errors;
}

TEST(NoMemory, IsAnErrorThatNamesTheFile) {
  const TemporaryDirectory directory;
  const Device device{DeviceOptions{}};
  const Tensor x = tensor<float>(std::vector<float>(12, 0.5F), {3, 4}, device);
  const FilePath npy = directory / "x.npy", model = directory / "x.safetensors",
                 png = directory / "x.png";
  const std::map<std::string, Tensor> tensors = {{"x", x}};
  const auto expect = [&](const char* function, const FilePath& file, const auto& call) {
    const std::string& path = file.native();
    const std::string wanted = fmt::format(
        "trigon::{}: \"{}\": out of memory; there must be some for the file", function, path);
    int named = 0;
    for (const std::string& error : errors_without_memory(call)) {
      named += error == wanted;
      // libpng says so in its own words.
      EXPECT_TRUE(error.empty() || error == wanted || error.find(path) != std::string::npos ||
                  error.find("device") != std::string::npos)
          << function << ": " << error;
    }
    EXPECT_EQ(named, 1) << function;
  };
  expect("save_npy", npy, [&] { save_npy(npy, x); });
  expect("load_npy", npy, [&] { return load_npy(npy, device); });
  expect("save_safetensors", model, [&] { save_safetensors(model, tensors); });
  expect("SafeTensors", model, [&] { return SafeTensors{model}; });
  const SafeTensors open(model);
  expect("SafeTensors::load", model, [&] { return open.load("x", device); });
  expect("save_png", png, [&] { save_png(png, x); });
  expect("load_png", png, [&] { return load_png(png, device); });
}

// If only large allocations fail, there is memory for the error's details.
TEST(NoMemory, NamesTheFileAndTheShape) {
  constexpr std::int64_t large = 4096;
  const TemporaryDirectory directory;
  const Device device{DeviceOptions{}};
  // Values whose type differs from the file's are converted in separate memory.
  const Tensor x = (tensor<float>(std::vector<float>(64 * 64, 0.5F), {64, 64}, device) > 0).eval();
  const FilePath npy = directory / "x.npy", model = directory / "x.safetensors",
                 png = directory / "x.png";
  const std::map<std::string, Tensor> tensors = {{"x", x}};
  const auto expect = [&](const char* function, const FilePath& file, const char* dtype, int bytes,
                          const auto& call) {
    const std::string start = fmt::format("trigon::{}: \"{}\": ", function, file.native());
    const std::string shape = fmt::format(
        "{}no memory left on the host: shape is (64, 64), dtype is {}, {} bytes\n  hint: let go of "
        "tensors, or take fewer elements at a time",
        start, dtype, bytes);
    const std::string plain = start + "out of memory; there must be some for the file";
    const std::set<std::string> errors = errors_without_memory(call, large);
    // The bytes of a picture are uploaded as they are.
    EXPECT_TRUE(errors.contains(function == std::string("load_png") ? plain : shape)) << function;
    for (const std::string& error : errors) {
      EXPECT_TRUE(error.empty() || error == shape || error == plain) << error;
    }
  };
  expect("save_npy", npy, "bool", 4096, [&] { save_npy(npy, x); });
  expect("load_npy", npy, "bool", 4096, [&] { return load_npy(npy, device); });
  expect("save_safetensors", model, "bool", 4096, [&] { save_safetensors(model, tensors); });
  const SafeTensors open(model);
  expect("SafeTensors::load", model, "bool", 4096, [&] { return open.load("x", device); });
  expect("save_png", png, "uint8", 4096, [&] { save_png(png, x); });
  expect("load_png", png, "uint8", 4096, [&] { return load_png(png, device); });
}

TEST(NoMemory, OfAModelInMemoryNamesIt) {
  const TemporaryDirectory directory;
  save_safetensors(directory / "x", {{"x", full({3}, 0.5)}});
  const std::string file = io::read_file(directory / "x");
  const auto bytes = std::as_bytes(std::span(file));
  const FileOrigin origin{.name = "a model", .size = file.size()};
  const auto read = [&](std::uint64_t begin, std::uint64_t end) {
    const auto range = bytes.subspan(begin, end - begin);
    return std::vector<std::byte>(range.begin(), range.end());
  };
  const auto wanted = [](const std::string& function) {
    return std::set{"trigon::SafeTensors::" + function +
                    ": \"a model\": out of memory; there must be some for the file"};
  };
  EXPECT_EQ(errors_without_memory([&] { return SafeTensors::from_memory(bytes, "a model"); }),
            wanted("from_memory"));
  // Exceptions of `read` are not the library's.
  std::set<std::string> of_ranges = wanted("from_ranges");
  of_ranges.insert("std::bad_alloc");
  EXPECT_EQ(errors_without_memory([&] { return SafeTensors::from_ranges(read, origin); }),
            of_ranges);
  EXPECT_EQ(errors_without_memory([&] { return SafeTensors::from_header(bytes, origin); }),
            wanted("from_header"));
}

TEST(NoMemory, NamesLongAndHostilePaths) {
  const auto text = [](const std::string& path) {
    const core::Called called("load_npy");
    return std::string(io::OutOfMemory(path).what());
  };
  EXPECT_EQ(text("a\n\"b\\\x7f"),
            "trigon::load_npy: \"a\\x0a\\\"b\\\\\\x7f\": out of memory; there must be some for the "
            "file");
  const std::string longest = text(std::string(5000, '\1'));
  EXPECT_LT(longest.size(), 1024U);
  EXPECT_TRUE(longest.ends_with("\\x01...\": out of memory; there must be some for the file"));
}

}  // namespace
}  // namespace trigon::fault

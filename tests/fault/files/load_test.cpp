// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>

#include <trigon/trigon.hpp>

#include "files.hpp"
#include "savers.hpp"
#include "system_calls.hpp"

// Reads that are short or fail, and files that change while they are in use.

namespace trigon::fault {
namespace {

namespace fs = std::filesystem;

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

struct Loader {
  const char* name;
  const char* function;  ///< in its errors
  void (*save)(const fs::path& path);
  std::string (*load)(const fs::path& path);
  const char* unreadable;  ///< the text of a read that fails with EIO
};

std::string load_tensors(const fs::path& path) {
  const io::SafeTensors file = io::SafeTensors::open(path);
  std::string all;
  for (const io::Entry& entry : file.entries()) all += entry.name + text_of(file.read(entry));
  return all;
}

void save_index(const fs::path& path) {
  save_tensors(path.parent_path() / "shard.safetensors", 0);
  io::write_file(path, R"({"weight_map":{"x":"shard.safetensors","y":"shard.safetensors"}})");
}

constexpr const char* io_error =
    "cannot read: Input/output error; must be a readable file that does not change while it is "
    "read";

constexpr std::array loaders = {
    Loader{"Npy",
           "trigon::load_npy: \"file.json\": ", [](const fs::path& path) { save_array(path, 0); },
           [](const fs::path& path) { return text_of(io::load_npy(path).data); }, io_error},
    Loader{"Safetensors", "trigon::SafeTensors: \"",
           [](const fs::path& path) { save_tensors(path.parent_path() / "s.safetensors", 0); },
           [](const fs::path& path) { return load_tensors(path.parent_path() / "s.safetensors"); },
           io_error},
    Loader{"Index", "trigon::SafeTensors: \"", save_index, load_tensors, io_error},
    Loader{"Png",
           "trigon::load_png: \"file.json\": ", [](const fs::path& path) { save_image(path, 0); },
           [](const fs::path& path) { return text_of(image::load_png(path).data); }, io_error},
    Loader{"Text", "gpt2::load: file.json: ",
           [](const fs::path& path) { io::write_file(path, std::string(1000, 'x')); },
           [](const fs::path& path) { return gpt2::read_file("gpt2::load", path, 2000); },
           "cannot be read; it must be a readable file"},
};

void PrintTo(const Loader& loader, std::ostream* out) { *out << loader.name; }

class Loads : public testing::TestWithParam<Loader> {
 protected:
  Loads() {
    GetParam().save(path_);
    expected_ = GetParam().load(path_);
    EXPECT_NE(expected_, "");
    arm_calls({});
    GetParam().load(path_);
    calls_ = disarm_calls();
  }
  /// The loaded values as planned, or the error.
  std::string load_with(const CallPlan& plan) const {
    std::string loaded;
    arm_calls(plan);
    const std::string error = io::error_of(directory_, [&] { loaded = GetParam().load(path_); });
    disarm_calls();
    return error == "no error" ? loaded : error;
  }
  bool is_read(std::size_t place) const {
    return calls_[place].name == "pread" || calls_[place].name == "read";
  }

  TemporaryDirectory directory_;
  fs::path path_ = directory_ / "file.json";
  std::string expected_;
  std::vector<Call> calls_;
};

TEST_P(Loads, GoOnAfterShortReads) {
  int reads = 0;
  for (std::size_t place = 0; place < calls_.size(); ++place) {
    if (!is_read(place)) continue;
    ++reads;
    const std::size_t size = calls_[place].size;
    for (const std::size_t bytes : {std::size_t{1}, size / 2 + 1, size - 1}) {
      EXPECT_EQ(load_with({static_cast<int>(place), Deed::cut, 0, bytes}), expected_) << bytes;
    }
  }
  EXPECT_GE(reads, 1);
}

TEST_P(Loads, GoOnAfterSignals) {
  for (std::size_t place = 0; place < calls_.size(); ++place) {
    EXPECT_EQ(load_with({static_cast<int>(place), Deed::fail, EINTR}), expected_)
        << calls_[place].name;
  }
}

TEST_P(Loads, NameTheFileWhereAReadFails) {
  for (std::size_t place = 0; place < calls_.size(); ++place) {
    if (!is_read(place)) continue;
    const std::string found = load_with({static_cast<int>(place), Deed::fail, EIO});
    EXPECT_TRUE(found.starts_with(GetParam().function)) << found;
    EXPECT_TRUE(found.ends_with(GetParam().unreadable)) << found;
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, Loads, testing::ValuesIn(loaders),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(LoadedFile, RaisesWhereItIsShorterByNow) {
  const TemporaryDirectory directory;
  const fs::path path = directory / "file";
  save_tensors(path, 0);
  const auto size = fs::file_size(path);
  const SafeTensors file(path);
  const Device device{DeviceOptions{}};
  EXPECT_EQ(file.load("x", device).size(), 12);
  fs::resize_file(path, 100);
  EXPECT_EQ(io::error_of(directory, [&] { return file.load("x", device); }),
            "trigon::SafeTensors::load: \"file\": cannot read: it has 100 bytes, and had " +
                std::to_string(size) +
                " when it was opened; must be a readable file that does not change while it is "
                "read");
}

TEST(LoadedFile, StaysWhatItWasWhereItIsReplaced) {
  const TemporaryDirectory directory;
  const fs::path path = directory / "file";
  save_tensors(path, 0);
  const io::SafeTensors file = io::SafeTensors::open(path);
  const std::string before = text_of(file.read(*file.find("x")));
  save_tensors(path, 1);
  EXPECT_EQ(text_of(file.read(*file.find("x"))), before);
  EXPECT_NE(load_tensors(path).substr(1, before.size()), before);
}

TEST(LoadedFile, RaisesWhereItEndsBetweenTwoReads) {
  const TemporaryDirectory directory;
  const fs::path path = directory / "file";
  save_array(path, 0);
  arm_calls({.place = 3, .deed = Deed::cut, .bytes = 0});  // open, start, header, data
  const std::string found = io::error_of(directory, [&] { return io::load_npy(path); });
  disarm_calls();
  EXPECT_EQ(found,
            "trigon::load_npy: \"file\": cannot read: it has 176 bytes, and had 176 when it was "
            "opened; must be a readable file that does not change while it is read");
}

}  // namespace
}  // namespace trigon::fault

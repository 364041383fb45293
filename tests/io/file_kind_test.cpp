// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <string>

#include "io/npy.hpp"
#include "io/safetensors.hpp"
#include "support/io_files.hpp"

// The error for a file of another kind names that kind and its reader.

namespace trigon::detail::io {
namespace {

/// The loaders' errors for a file of this content, after its name.
struct Refusals {
  std::string npy, safetensors;

  explicit Refusals(const std::string& content) {
    const TemporaryDirectory directory;
    write_file(directory / "x", content);
    npy = rest("load_npy", error_of(directory, [&] { return load_npy(directory / "x"); }));
    safetensors = rest("SafeTensors",
                       error_of(directory, [&] { return SafeTensors::open(directory / "x"); }));
  }

  static std::string rest(const std::string& function, const std::string& error) {
    const std::string prefix = "trigon::" + function + ": \"x\": ";
    EXPECT_TRUE(error.starts_with(prefix)) << error;
    return error.substr(prefix.size());
  }
};

void expect_both(const std::string& content, const std::string& kind) {
  const Refusals found(content);
  EXPECT_EQ(found.npy, "not a .npy file: it starts like " + kind);
  EXPECT_EQ(found.safetensors, "not a safetensors file: it starts like " + kind);
}

TEST(FileKind, OfNumPyIsReadByLoadNpy) {
  EXPECT_EQ(Refusals(std::string("\x93NUMPY\1\0v", 9)).safetensors,
            "not a safetensors file: it starts like a NumPy array; load_npy reads it");
}

TEST(FileKind, OfSafetensorsIsReadBySafeTensors) {
  EXPECT_EQ(Refusals(little_endian(64, 8) + "{}").npy,
            "not a .npy file: it starts like a safetensors file; SafeTensors reads it");
}

TEST(FileKind, OfALengthThatBeginsAsAPickle) {
  for (const int size : {640, 896, 1152, 1408, 65536 + 640}) {
    const std::string length = little_endian(size, 8);
    EXPECT_EQ(Refusals(length + "{}").npy,
              "not a .npy file: it starts like a safetensors file; SafeTensors reads it");
    EXPECT_EQ(Refusals(length + "{}").safetensors.find("pickle"), std::string::npos) << size;
    EXPECT_EQ(Refusals(length).safetensors.find("pickle"), std::string::npos) << size;
  }
}

TEST(FileKind, OfAnArchive) {
  const std::string zip =
      "a zip archive, as .npz files of NumPy and .pt files of PyTorch do; save its arrays as .npy "
      "or .safetensors";
  expect_both("PK\3\4\x14 a model", zip);
  // 67 MB as the header length of a safetensors file.
  expect_both(std::string("PK\3\4\0\0\0\0 without a version", 26), zip);
}

TEST(FileKind, OfOthers) {
  expect_both("\x80\4\x95 a pickle",
              "a pickle, as older .pt files of PyTorch do; save its tensors as .safetensors");
  expect_both(std::string("GGUF\3\0\0\0", 8), "a GGUF model; save its tensors as .safetensors");
  expect_both("\x89HDF\r\n\x1a\n", "an HDF5 file; save its arrays as .npy or .safetensors");
  expect_both("\x89PNG\r\n\x1a\n", "a PNG picture; load_png reads it");
  expect_both("version https://git-lfs.github.com/spec/v1\n",
              "a pointer of Git LFS; fetch the file with `git lfs pull`");
}

}  // namespace
}  // namespace trigon::detail::io

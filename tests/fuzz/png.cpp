// SPDX-License-Identifier: MIT
#include "image/png.hpp"

#include <sys/mman.h>
#include <zlib.h>

#include <filesystem>
#include <string>

#include "target.hpp"

// A PNG file. libpng stops at a wrong checksum, so the first byte chooses repairs: the chunks'
// checksums, and the compression of pixels, which are then given uncompressed. If the file loads,
// it is saved and loaded again.

namespace trigon::fuzz {
namespace {

constexpr std::size_t signature = 8;
constexpr std::size_t around = 12;  // of a chunk: its length, its name and its checksum

std::uint32_t number_at(std::string_view text, std::size_t at) {
  std::uint32_t value = 0;
  for (int k = 0; k < 4; ++k) value = value << 8 | static_cast<unsigned char>(text[at++]);
  return value;
}

std::string big_endian(std::uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xff);
  return bytes;
}

std::string packed(std::string_view data) {
  uLongf size = ::compressBound(data.size());
  std::string out(size, '\0');
  ::compress2(reinterpret_cast<Bytef*>(out.data()), &size,
              reinterpret_cast<const Bytef*>(data.data()), data.size(), 1);
  out.resize(size);
  return out;
}

std::string mended(std::string_view text, bool packs) {
  if (text.size() < signature) return std::string(text);
  std::string out(text.substr(0, signature));
  text.remove_prefix(signature);
  while (text.size() >= around) {
    const std::size_t size = std::min<std::size_t>(number_at(text, 0), text.size() - around);
    const std::string_view name = text.substr(4, 4), data = text.substr(8, size);
    const std::string body =
        std::string(name) + (packs && name == "IDAT" ? packed(data) : std::string(data));
    const auto sum =
        ::crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
    out += big_endian(static_cast<std::uint32_t>(body.size() - 4)) + body +
           big_endian(static_cast<std::uint32_t>(sum));
    text.remove_prefix(size + around);
  }
  return out + std::string(text);
}

/// A regular file in memory, with a path.
class MemoryFile {
 public:
  explicit MemoryFile(Bytes bytes) : fd_(::memfd_create("fuzz", MFD_CLOEXEC)) {
    require(fd_ >= 0, "there is memory for a file");
    const auto size = static_cast<ssize_t>(bytes.size());
    require(::write(fd_, bytes.data(), bytes.size()) == size, "a file takes its bytes");
  }
  ~MemoryFile() { ::close(fd_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

}  // namespace

void run(Bytes bytes) {
  if (bytes.empty()) return;
  const std::string_view rest = text_of(bytes.subspan(1));
  const std::string text = bytes[0] % 3 == 0 ? std::string(rest) : mended(rest, bytes[0] % 3 == 1);
  constexpr std::size_t sizes = 16;         // the positions of width and height
  constexpr std::uint64_t most = 1U << 21;  // pixels: a large image may have a small file
  if (text.size() >= sizes + 8 &&
      std::uint64_t{number_at(text, sizes)} * number_at(text, sizes + 4) > most) {
    return;
  }
  const MemoryFile file({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  allow_errors([&] {
    const image::PngImage image = image::load_png(file.path());
    const auto pixels = static_cast<std::size_t>(image.width * image.height * image.channels);
    require(image.bits == 8 || image.bits == 16, "a channel has 8 or 16 bits");
    require(image.data.size() == pixels * static_cast<std::size_t>(image.bits / 8),
            "data fit the size");
    if (image.bits != 8 || pixels > 100'000) return;
    static const Folder folder;
    const auto path = folder.path() / "again.png";
    image::save_png(path, image);
    const image::PngImage again = image::load_png(path);
    require(
        again.width == image.width && again.channels == image.channels && again.data == image.data,
        "a saved image is the same");
  });
}

}  // namespace trigon::fuzz

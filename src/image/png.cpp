// SPDX-License-Identifier: MIT
#include "image/png.hpp"

#include <png.h>

#include <algorithm>
#include <array>
#include <bit>
#include <csetjmp>
#include <cstring>
#include <string>
#include <utility>

#include "core/called.hpp"
#include "core/item.hpp"
#include "io/file_kind.hpp"
#include "io/mapped_file.hpp"
#include "io/new_file.hpp"
#include "io/text.hpp"

namespace trigon::detail::image {
namespace {

constexpr std::size_t signature_size = 8;

// libpng's last message. libpng calls on_error(), which must not return.
struct Failure {
  using Text = std::array<char, 120>;
  Text error{};
  Text warning{};  // may name the wrong part of a header

  std::string what() const {
    if (warning[0] == '\0') return core::quote(error.data());
    return fmt::format("{} ({})", core::quote(error.data()), core::quote(warning.data()));
  }
};

void keep(Failure::Text& out, png_const_charp text) {
  std::strncpy(out.data(), text, out.size() - 1);
}

[[noreturn]] void on_error(png_structp png, png_const_charp text) {
  auto* failure = static_cast<Failure*>(png_get_error_ptr(png));
  keep(failure->error, text);
  png_longjmp(png, 1);
}

void on_warning(png_structp png, png_const_charp text) {
  keep(static_cast<Failure*>(png_get_error_ptr(png))->warning, text);
}

// Calls f; false if libpng failed and left f by a longjmp. So neither f nor its callees may have
// variables with destructors.
template <class F>
bool succeeds(png_structp png, const F& f) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  f();
  return true;
}

// ---- Reading

// The unread part of the file.
struct Input {
  std::span<const std::byte> rest;
};

void read_bytes(png_structp png, png_bytep out, std::size_t count) {
  auto* input = static_cast<Input*>(png_get_io_ptr(png));
  if (count > input->rest.size()) png_error(png, "the file ends early");
  std::memcpy(out, input->rest.data(), count);
  input->rest = input->rest.subspan(count);
}

class Reader {
 public:
  Reader(const std::filesystem::path& path, std::span<const std::byte> file)
      : path_(path), file_size_(file.size()), input_{file} {
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, &failure_, on_error, on_warning);
    if (png_ != nullptr) info_ = png_create_info_struct(png_);
    if (info_ == nullptr) {
      png_destroy_read_struct(&png_, nullptr, nullptr);
      fail("no memory to decode it");
    }
    png_set_read_fn(png_, &input_, read_bytes);
    // Keeps only the chunks that pixels need. Otherwise texts and profiles would be stored
    // uncompressed.
    png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
  }
  ~Reader() { png_destroy_read_struct(&png_, &info_, nullptr); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  // The image without its pixels.
  PngImage read_header() {
    check(succeeds(png_, [this] { png_read_info(png_, info_); }));
    PngImage image{.width = png_get_image_width(png_, info_),
                   .height = png_get_image_height(png_, info_)};
    check_sizes(image);
    check(succeeds(png_, [this] { convert(); }));
    image.channels = png_get_channels(png_, info_);
    image.bits = png_get_bit_depth(png_, info_);
    return image;
  }

  // Call after read_header(), as is the next function.
  std::size_t bytes_of_pixels() const {
    return png_get_rowbytes(png_, info_) * png_get_image_height(png_, info_);
  }

  // Raises the errors of read_pixels(), but keeps only one row.
  void check_pixels() {
    auto row = vector_of<std::byte>(png_get_rowbytes(png_, info_));
    const auto height = png_get_image_height(png_, info_);
    check(succeeds(png_, [&] {
      for (int pass = 0; pass < passes_; ++pass) {
        for (png_uint_32 y = 0; y < height; ++y) {
          png_read_row(png_, reinterpret_cast<png_bytep>(row.data()), nullptr);
        }
      }
      png_read_end(png_, nullptr);
    }));
  }

  void read_pixels(PngImage& image) {
    const std::size_t row = png_get_rowbytes(png_, info_);
    image.data = vector_of<std::byte>(bytes_of_pixels());
    auto rows = vector_of<png_bytep>(image.height);
    auto* next = reinterpret_cast<png_bytep>(image.data.data());
    for (png_bytep& start : rows) start = std::exchange(next, next + row);
    check(succeeds(png_, [&] {
      png_read_image(png_, rows.data());
      png_read_end(png_, nullptr);
    }));
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    core::fail("{}: {}", io::quote_path(path_), what);
  }
  void check(bool done) const {
    if (!done) fail(fmt::format("cannot decode: {}; must be a whole PNG file", failure_.what()));
  }

  // Runs before anything is decompressed: deflate turns a byte into at most 1032. These bytes are
  // not expanded yet: a pixel of one bit becomes four bytes if its palette has transparent colours.
  void check_sizes(const PngImage& image) const {
    constexpr std::uint64_t most_expansion = 1032;
    const std::uint64_t row =
        png_get_rowbytes(png_, info_);  // at most 8,000,000, since libpng limits sides
    const std::uint64_t bytes = row * static_cast<std::uint64_t>(image.height);
    if (bytes / most_expansion <= file_size_) return;
    fail(
        fmt::format("sizes do not fit the file: {} x {} pixels take {} bytes, the file has {}; "
                    "must be at most {} times as many",
                    image.width, image.height, bytes, file_size_, most_expansion));
  }

  // Converts to 1 to 4 channels of 8 or 16 bits.
  void convert() {
    png_set_expand(png_);
    if constexpr (std::endian::native == std::endian::little) png_set_swap(png_);
    passes_ = png_set_interlace_handling(png_);
    png_read_update_info(png_, info_);
  }

  const std::filesystem::path& path_;
  std::size_t file_size_;
  Input input_;
  Failure failure_;
  int passes_ = 1;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
};

// ---- Writing

struct Output {
  std::vector<std::byte> bytes;
};

// Memory may run out, and an exception must not pass through libpng.
void write_bytes(png_structp png, png_bytep data, std::size_t count) {
  auto& bytes = static_cast<Output*>(png_get_io_ptr(png))->bytes;
  bool stored = true;
  try {
    const auto* first = reinterpret_cast<const std::byte*>(data);
    bytes.insert(bytes.end(), first, first + count);
  } catch (...) {
    stored = false;
  }
  if (!stored) png_error(png, "no memory for the file");
}

class Writer {
 public:
  explicit Writer(const std::filesystem::path& path) : path_(path) {
    png_ = png_create_write_struct(PNG_LIBPNG_VER_STRING, &failure_, on_error, on_warning);
    if (png_ != nullptr) info_ = png_create_info_struct(png_);
    if (info_ == nullptr) {
      png_destroy_write_struct(&png_, nullptr);
      fail("no memory to encode it");
    }
    png_set_write_fn(png_, &output_, write_bytes, nullptr);
  }
  ~Writer() { png_destroy_write_struct(&png_, &info_); }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  std::vector<std::byte> write(const PngImage& image) {
    constexpr std::array colour_types = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA,
                                         PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA};
    const auto row = static_cast<std::size_t>(image.width * image.channels);
    const auto* first = reinterpret_cast<png_const_bytep>(image.data.data());
    const bool done = succeeds(png_, [&] {
      png_set_IHDR(png_, info_, static_cast<png_uint_32>(image.width),
                   static_cast<png_uint_32>(image.height), image.bits,
                   item(colour_types, image.channels - 1), PNG_INTERLACE_NONE,
                   PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
      png_write_info(png_, info_);
      for (std::int64_t y = 0; y < image.height; ++y) {
        png_write_row(png_, first + row * static_cast<std::size_t>(y));
      }
      png_write_end(png_, info_);
    });
    if (!done) fail(failure_.what());
    return std::move(output_.bytes);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    core::fail("{}: cannot encode: {}", io::quote_path(path_), what);
  }

  const std::filesystem::path& path_;
  Output output_;
  Failure failure_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
};

}  // namespace

PngImage load_png(const std::filesystem::path& path) {
  const core::Called called("load_png");
  const auto file = io::MappedFile::open(path);
  const auto all = file->copy(file->bytes());
  const std::span<const std::byte> bytes = all;
  const std::size_t count = std::min(bytes.size(), signature_size);
  if (count < signature_size ||
      png_sig_cmp(reinterpret_cast<png_const_bytep>(bytes.data()), 0, count) != 0) {
    const auto kind = io::kind_of(bytes.first(std::min(bytes.size(), io::kind_size)));
    if (kind && kind->what != io::png_file) {
      core::fail("{}: not a PNG file: it starts like {}; {}", io::quote_path(path), kind->what,
                 kind->advice);
    }
    core::fail("{}: not a PNG file: {} bytes, the first are [{:02x}]; must start with 89 \"PNG\"",
               io::quote_path(path), bytes.size(), fmt::join(bytes.first(count), " "));
  }
  Reader reader(path, bytes);
  PngImage image = reader.read_header();
  // A small file may claim a large image. It is decompressed once before memory is allocated for
  // it.
  constexpr std::size_t most_growth = 4;
  if (reader.bytes_of_pixels() / most_growth > bytes.size()) {
    Reader first(path, bytes);
    first.read_header();
    first.check_pixels();
  }
  reader.read_pixels(image);
  return image;
}

void save_png(const std::filesystem::path& path, const PngImage& image) {
  const core::Called called("save_png");
  const std::vector<std::byte> bytes = Writer(path).write(image);
  const std::span<const std::byte> range = bytes;
  io::replace_file(path, std::span(&range, 1));
}

}  // namespace trigon::detail::image

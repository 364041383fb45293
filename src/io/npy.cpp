// SPDX-License-Identifier: MIT
#include "io/npy.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "core/called.hpp"
#include "core/list.hpp"
#include "core/math.hpp"
#include "io/file_kind.hpp"
#include "io/little_endian.hpp"
#include "io/mapped_file.hpp"
#include "io/new_file.hpp"
#include "io/rounding.hpp"
#include "io/text.hpp"
#include "trigon/detail/shape_class.hpp"

namespace trigon::detail::io {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t alignment = 64;  // of the data, as NumPy writes it

// The type of an element in the file, and the dtype that it is read as.
struct Format {
  std::string_view descr;
  std::size_t size;
  DType dtype;
};
constexpr std::array<Format, 10> formats = {{
    {"<f4", 4, DType::float32},
    {"<f8", 8, DType::float32},
    {"<f2", 2, DType::float16},
    {"<i4", 4, DType::int32},
    {"<i8", 8, DType::int32},
    {"<i2", 2, DType::int32},
    {"<u4", 4, DType::uint32},
    {"<u2", 2, DType::uint32},
    {"|u1", 1, DType::uint8},
    {"|b1", 1, DType::boolean},
}};

struct Header {
  std::string descr;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
};

template <class... Args>
[[noreturn]] void fail(const std::filesystem::path& path, fmt::format_string<Args...> format,
                       Args&&... args) {
  core::fail("{}: {}", quote_path(path), fmt::format(format, std::forward<Args>(args)...));
}

// Reads the header, a Python dict such as
// {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
// It parses strings, True, False and tuples of sizes, nested no deeper than this.
class HeaderReader {
 public:
  HeaderReader(const std::filesystem::path& path, std::string_view text)
      : path_(path), text_(text) {}

  Header read() {
    Header header;
    std::vector<std::string> seen;
    expect('{');
    while (!take('}')) {
      const std::string key = read_string();
      if (core::contains(seen, key)) {
        fail(path_, "header key given twice: {}; must be unique", core::quote(key));
      }
      seen.push_back(key);
      expect(':');
      if (key == "descr") {
        header.descr = read_string();
      } else if (key == "fortran_order") {
        header.fortran_order = read_bool();
      } else if (key == "shape") {
        header.shape = read_shape();
      } else {
        fail(path_, "unknown header key: {}; must be descr, fortran_order or shape",
             core::quote(key));
      }
      if (!take(',') && peek() != '}') unexpected("',' or '}'");
    }
    if (peek() != '\0' || at_ != text_.size()) unexpected("the end");
    for (const char* const key : {"descr", "fortran_order", "shape"}) {
      if (!core::contains(seen, key)) {
        fail(path_, "missing header key: {}; must have descr, fortran_order and shape",
             core::quote(key));
      }
    }
    return header;
  }

 private:
  // The next byte that is not a space, or zero at the end.
  char peek() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != text_.npos) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool take(char wanted) {
    if (peek() != wanted || at_ == text_.size()) return false;
    ++at_;
    return true;
  }

  void expect(char wanted) {
    if (!take(wanted)) unexpected(fmt::format("'{}'", wanted));
  }

  [[noreturn]] void unexpected(std::string_view wanted) const {
    const auto found = at_ < text_.size()
                           ? fmt::format("byte 0x{:02x}", static_cast<unsigned char>(text_[at_]))
                           : std::string("the end");
    fail(path_, "bad header: {} at {}, wanted {}; must be a dict as NumPy writes it", found, at_,
         wanted);
  }

  std::string read_string() {
    const char mark = peek();
    if (mark != '\'' && mark != '"') unexpected("a string");
    const std::size_t begin = ++at_;
    while (at_ < text_.size() && text_[at_] != mark) {
      const char c = text_[at_];
      if (c < 0x20 || c > 0x7e || c == '\\') unexpected("plain ASCII in a string");
      ++at_;
    }
    if (at_ == text_.size()) unexpected("the end of a string");
    return std::string(text_.substr(begin, at_++ - begin));
  }

  bool read_bool() {
    peek();
    for (const auto& [word, value] :
         {std::pair{std::string_view("True"), true}, std::pair{std::string_view("False"), false}}) {
      if (text_.substr(at_).starts_with(word)) {
        at_ += word.size();
        return value;
      }
    }
    unexpected("True or False");
  }

  std::vector<std::int64_t> read_shape() {
    std::vector<std::int64_t> shape;
    bool comma = true;
    expect('(');
    while (!take(')')) {
      if (!comma) unexpected("',' or ')'");
      shape.push_back(read_size(shape.size()));
      comma = take(',');
      if (shape.size() > Shape::max_rank) {
        fail(path_, "too many axes: rank is above {}; must be at most {}", Shape::max_rank,
             Shape::max_rank);
      }
    }
    // In Python (3) is a number and (3,) a tuple.
    if (shape.size() == 1 && !comma) unexpected("a tuple with its ','");
    return shape;
  }

  std::int64_t read_size(std::size_t axis) {
    peek();
    const std::size_t end = std::min(text_.find_first_not_of("-0123456789", at_), text_.size());
    const std::string_view digits = text_.substr(at_, end - at_);
    if (digits.empty()) unexpected("a size");
    std::int64_t size = 0;
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), size);
    if (error != std::errc() || stop != digits.data() + digits.size() || size < 0) {
      fail(path_, "bad size in shape: axis {} is {}; must be an integer in [0, 2^63)", axis,
           core::quote(digits));
    }
    at_ = end;
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // written by Python 2: (3L, 4L)
    return size;
  }

  const std::filesystem::path& path_;
  std::string_view text_;
  std::size_t at_ = 0;
};

// Reads a range of a file.
using Copy = std::function<std::vector<std::byte>(std::span<const std::byte> range)>;

// Splits the file into its header's text and its data.
std::pair<std::span<const std::byte>, std::span<const std::byte>> split(
    const std::filesystem::path& path, std::span<const std::byte> file, const Copy& copy) {
  const auto start = copy(file.first(std::min(file.size(), kind_size)));  // all before the header
  const std::string_view text = as_text(start);
  if (!text.starts_with(magic)) {
    if (const auto kind = kind_of(start)) {
      fail(path, "not a .npy file: it starts like {}; {}", kind->what, kind->advice);
    }
    fail(path, "not a .npy file: {} bytes, the first are {:02x}; must start with 93 \"NUMPY\"",
         file.size(), fmt::join(std::span(start).first(std::min(file.size(), magic.size())), " "));
  }
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t version_end = magic.size() + 2;
  if (file.size() < version_end) {
    fail(path, "file too short: {} bytes; must have a version and a header", file.size());
  }
  const int major = byte(magic.size());
  const int minor = byte(magic.size() + 1);
  if (major < 1 || major > 3 || minor != 0) {
    fail(path, "unknown version: {}.{}; must be 1.0, 2.0 or 3.0", major, minor);
  }
  const std::size_t length_size = major == 1 ? 2 : 4;
  const std::size_t begin = version_end + length_size;
  if (file.size() < begin) {
    fail(path, "file too short: {} bytes; must have a version and a header", file.size());
  }
  const auto length_bytes = std::span(start).subspan(version_end, length_size);
  const std::size_t length = major == 1 ? read_little_endian<std::uint16_t>(length_bytes)
                                        : read_little_endian<std::uint32_t>(length_bytes);
  if (length > file.size() - begin) {
    fail(path,
         "header runs past the file: header is {} bytes, file has {} after its length; "
         "must lie inside",
         length, file.size() - begin);
  }
  constexpr std::size_t longest = 65'535;  // a few hundred are enough for eight sizes
  if (length > longest) {
    fail(path, "header too long: {} bytes; must be at most {}", length, longest);
  }
  return {file.subspan(begin, length), file.subspan(begin + length)};
}

const Format& find_format(const std::filesystem::path& path, const std::string& descr) {
  std::string known;
  for (const Format& format : formats) {
    if (format.descr == descr) return format;
    core::append_text(known, format.descr);
  }
  if (descr.starts_with('>')) {
    fail(path, "big-endian data: descr is {}; must be little-endian", core::quote(descr));
  }
  fail(path, "unknown descr: {}; must be one of {}", core::quote(descr), known);
}

// Reorders elements of `size` bytes from Fortran order (first axis fastest) to C order.
std::vector<std::byte> from_fortran(std::span<const std::byte> in,
                                    std::span<const std::int64_t> shape, std::size_t size) {
  std::vector<std::byte> out(in.size());
  std::vector<std::size_t> strides(shape.size());
  std::size_t step = size;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    strides[axis] = step;
    step *= shape[axis];
  }
  std::vector<std::int64_t> index(shape.size());
  std::size_t from = 0;
  for (std::size_t to = 0; to < out.size(); to += size) {
    std::memcpy(out.data() + to, in.data() + from, size);
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      from += strides[axis];
      if (++index[axis] < shape[axis]) break;
      from -= strides[axis] * shape[axis];
      index[axis] = 0;
    }
  }
  return out;
}

template <class Out, class In, class Convert>
std::vector<std::byte> convert(std::span<const std::byte> in, Convert one) {
  std::vector<std::byte> out(in.size() / sizeof(In) * sizeof(Out));
  for (std::size_t i = 0; i < in.size() / sizeof(In); ++i) {
    In from;
    std::memcpy(&from, in.data() + i * sizeof(In), sizeof(In));
    const Out to = one(from, i);
    std::memcpy(out.data() + i * sizeof(Out), &to, sizeof(Out));
  }
  return out;
}

std::vector<std::byte> to_dtype(const std::filesystem::path& path, const Format& format,
                                std::vector<std::byte> data) {
  constexpr auto lowest = std::numeric_limits<std::int32_t>::min();
  constexpr auto highest = std::numeric_limits<std::int32_t>::max();
  if (format.descr == "<f8") {
    const RoundToNearest nearest;
    return convert<float, double>(data,
                                  [](double x, std::size_t) { return static_cast<float>(x); });
  }
  if (format.descr == "<i8") {
    return convert<std::int32_t, std::int64_t>(data, [&](std::int64_t x, std::size_t i) {
      if (x < lowest || x > highest) {
        fail(path, "value does not fit int32: element {} is {}; must be in [{}, {}]", i, x, lowest,
             highest);
      }
      return static_cast<std::int32_t>(x);
    });
  }
  if (format.descr == "<i2") {
    return convert<std::int32_t, std::int16_t>(data, [](std::int16_t x, std::size_t) { return x; });
  }
  if (format.descr == "<u2") {
    return convert<std::uint32_t, std::uint16_t>(data,
                                                 [](std::uint16_t x, std::size_t) { return x; });
  }
  if (format.dtype == DType::boolean) {  // a file may hold any byte; a bool is 0 or 1
    std::replace_if(
        data.begin(), data.end(), [](std::byte b) { return b != std::byte{0}; }, std::byte{1});
  }
  return data;
}

std::string_view descr_of(DType dtype) {
  const auto found = std::find_if(formats.begin(), formats.end(), [&](const Format& format) {
    return format.dtype == dtype && format.size == size_of(dtype);
  });
  return found->descr;
}

NpyArray read_array(const std::filesystem::path& path, std::span<const std::byte> file,
                    const Copy& copy) {
  const auto [start, data] = split(path, file, copy);
  const auto text = copy(start);
  Header header = HeaderReader(path, as_text(text)).read();
  const Format& format = find_format(path, header.descr);
  const auto needed = byte_count(header.shape, format.size);
  if (!needed) {
    fail(path, "too large: shape is {}, descr is {}; must take less than 2^63 bytes",
         core::shape_text(header.shape), format.descr);
  }
  if (*needed != data.size()) {
    fail(path, "data does not fit the shape: file has {} data bytes, {} {} takes {}; must be equal",
         data.size(), format.descr, core::shape_text(header.shape), *needed);
  }
  auto bytes = copy(data);
  if (header.fortran_order) bytes = from_fortran(bytes, header.shape, format.size);
  return {format.dtype, std::move(header.shape), to_dtype(path, format, std::move(bytes))};
}

}  // namespace

NpyArray load_npy(const std::filesystem::path& path) {
  const core::Called called("load_npy");
  const auto file = MappedFile::open(path);
  return read_array(path, file->bytes(),
                    [&](std::span<const std::byte> range) { return file->copy(range); });
}

NpyArray parse_npy(std::span<const std::byte> file, const std::filesystem::path& name) {
  const core::Called called("load_npy");
  return read_array(name, file, [](std::span<const std::byte> range) {
    return std::vector<std::byte>(range.begin(), range.end());
  });
}

void save_npy(const std::filesystem::path& path, DType dtype, std::span<const std::int64_t> shape,
              std::span<const std::byte> bytes) {
  const core::Called called("save_npy");
  const bool negative =
      std::any_of(shape.begin(), shape.end(), [](std::int64_t size) { return size < 0; });
  if (negative || shape.size() > Shape::max_rank) {
    core::fail("{}: bad shape: {}; must have at most {} axes, every size 0 or more",
               quote_path(path), core::shape_text(shape), Shape::max_rank);
  }
  const auto needed = byte_count(shape, size_of(dtype));
  if (!needed || *needed != bytes.size()) {
    core::fail("{}: bytes do not fit the shape: {} bytes, {} {} takes {}; must be equal",
               quote_path(path), bytes.size(), name(dtype), core::shape_text(shape),
               needed ? fmt::to_string(*needed) : "2^63 or more");
  }
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}",
                                   descr_of(dtype), core::shape_text(shape));
  const std::size_t before = magic.size() + 4;  // the version and the length of the header
  const std::size_t end = core::round_up(before + header.size() + 1, alignment);
  header.resize(end - before - 1, ' ');
  header += '\n';

  std::string preamble(magic);
  preamble +=
      {'\1', '\0', static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};
  preamble += header;
  const std::array ranges = {std::as_bytes(std::span(std::as_const(preamble))), bytes};
  replace_file(path, ranges);
}

}  // namespace trigon::detail::io

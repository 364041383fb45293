// SPDX-License-Identifier: MIT
#include <trigon/io.hpp>

#include <algorithm>
#include <cstring>
#include <exception>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <trigon/detail/memory.hpp>

#include "core/called.hpp"
#include "core/half.hpp"
#include "core/internals.hpp"
#include "core/item.hpp"
#include "core/layout.hpp"
#include "core/list.hpp"
#include "core/quote.hpp"
#include "graph/named.hpp"
#include "io/npy.hpp"
#include "io/out_of_memory.hpp"
#include "io/safetensors.hpp"
#include "io/text.hpp"

namespace trigon {
namespace {

/// The elements in C order, of x's dtype. The others are for errors.
std::vector<std::byte> values_of(const FilePath& path, const std::string& name, const Tensor& x) {
  graph::check_operand(name, x);
  if (!io::byte_count({x.shape().begin(), x.shape().end()}, 1)) {
    core::fail("{}: {} is too large: shape is {}; must have less than 2^63 elements",
               io::quote_path(path.native()), name, to_string(x.shape()));
  }
  const detail::Wanted wanted{
      .dtype = x.dtype(), .shape = x.shape(), .node = detail::Internals::node(x).get()};
  return detail::with_memory(wanted, [&x] {
    const core::UserCode evaluation;
    auto bytes = vector_of<std::byte>(core::host_bytes(x.dtype(), x.shape()));
    if (x.dtype() == float16) {
      std::byte* next = bytes.data();
      for (const float value : x.to_vector<float>()) {
        const std::uint16_t half = core::float_to_half(value);
        std::memcpy(next, &half, sizeof half);
        next += sizeof half;
      }
    } else if (x.size() > 0) {
      x.read(bytes.data(), x.dtype());
    }
    return bytes;
  });
}

io::FileDType file_dtype(DType dtype) {
  switch (dtype) {
    case DType::float16: return io::FileDType::f16;
    case DType::float32: return io::FileDType::f32;
    case DType::int32: return io::FileDType::i32;
    case DType::uint32: return io::FileDType::u32;
    case DType::uint8: return io::FileDType::u8;
    case DType::boolean: break;
  }
  return io::FileDType::boolean;
}

template <class T>
Tensor upload_values(std::span<const T> values, DType dtype, const Shape& shape,
                     const Device& device) {
  return from_host(values.data(), dtype, shape, device);
}

/// Uploads the bytes from a copy that is aligned for any dtype.
Tensor upload_copy(const io::Entry& entry, DType dtype, const Shape& shape, const Device& device) {
  const std::vector<std::byte> copy(entry.bytes.begin(), entry.bytes.end());
  return from_host(copy.data(), dtype, shape, device);
}

Device device_of(const LoadOptions& options) {
  return options.device ? *options.device : Device::default_device();
}

Shape shape_of(const io::Entry& entry) { return Shape{std::span<const std::int64_t>(entry.shape)}; }

/// Uploads in the dtype that is nearest to the file's.
Tensor upload_as_is(const io::Entry& entry, const LoadOptions& options) {
  const Shape shape = shape_of(entry);
  const Device device = device_of(options);
  using io::FileDType;
  switch (entry.dtype) {
    case FileDType::f16:
      if (options.dtype == float16) return upload_copy(entry, float16, shape, device);
      break;
    case FileDType::i64:
    case FileDType::i32:
      return upload_values<std::int32_t>(io::to_int32(entry), int32, shape, device);
    case FileDType::u32: return upload_copy(entry, uint32, shape, device);
    case FileDType::u8: return from_host(entry.bytes.data(), uint8, shape, device);
    case FileDType::boolean: return from_host(entry.bytes.data(), boolean, shape, device);
    default: break;
  }
  if (const auto view = io::view_as<float>(entry)) {
    return upload_values<float>(*view, float32, shape, device);
  }
  return upload_values<float>(io::to_float32(entry), float32, shape, device);
}

Tensor upload_entry(const io::Entry& entry, const LoadOptions& options) {
  const Tensor x = upload_as_is(entry, options);
  return x.astype(options.dtype.value_or(x.dtype()));
}

SafeTensors::Entry public_entry(const io::Entry& entry) {
  return {.name = entry.name,
          .dtype = std::string(io::name(entry.dtype)),
          .shape = shape_of(entry),
          .begin = entry.begin,
          .end = entry.end};
}

Tensor upload_array(const io::NpyArray& array, const LoadOptions& options) {
  const Shape shape{std::span<const std::int64_t>(array.shape)};
  const Tensor x = from_host(array.data.data(), array.dtype, shape, device_of(options));
  return x.astype(options.dtype.value_or(array.dtype));
}

}  // namespace

Tensor load_npy(const FilePath& path) { return load_npy(path, LoadOptions{}); }

Tensor load_npy(const FilePath& path, const Device& device) {
  return load_npy(path, LoadOptions{.device = device});
}

Tensor load_npy(const FilePath& path, const LoadOptions& options) {
  const graph::Named named("load_npy");
  return io::naming_file(path.native(),
                         [&] { return upload_array(io::load_npy(path.native()), options); });
}

Tensor load_npy(std::span<const std::byte> file, const LoadOptions& options) {
  const graph::Named named("load_npy");
  return io::naming_file("memory",
                         [&] { return upload_array(io::parse_npy(file, "memory"), options); });
}

void save_npy(const FilePath& path, const Tensor& x) {
  const graph::Named named("save_npy");
  io::naming_file(path.native(), [&] {
    const std::vector<std::byte> values = values_of(path, "x", x);
    io::save_npy(path.native(), x.dtype(), {x.shape().begin(), x.shape().end()}, values);
  });
}

struct SafeTensors::Impl {
  io::SafeTensors file;
  std::string name;
  ReadRange read{};

  static const Impl& of(const std::unique_ptr<Impl>& impl) {
    if (impl != nullptr) return *impl;
    core::fail("no file: it was moved away; assign another one first");
  }

  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
    core::fail("{}: {}", io::quote_path(name), fmt::format(format, std::forward<Args>(args)...));
  }

  const io::Entry& find(const std::string& tensor) const {
    const io::Entry* entry = file.find(tensor);
    if (entry == nullptr) {
      fail("no tensor {}: it holds {}; ask names() for those", core::quote(tensor),
           file.entries().size());
    }
    return *entry;
  }

  /// The result of the user's function. Its exceptions must pass through unchanged.
  std::vector<std::byte> read_range(std::uint64_t begin, std::uint64_t end) const {
    const graph::UserCode scope;
    try {
      return read(begin, end);
    } catch (...) {
      throw io::OfUser{std::current_exception()};
    }
  }

  /// All of a range, which is not empty.
  std::vector<std::byte> read_all(std::uint64_t begin, std::uint64_t end) const {
    if (end - begin > std::numeric_limits<std::size_t>::max() / 2) {
      fail("a range does not fit this machine's memory: [{}, {}); must have less than {} bytes",
           begin, end, std::numeric_limits<std::size_t>::max() / 2);
    }
    std::vector<std::byte> bytes = read_range(begin, end);
    if (bytes.size() != end - begin) {
      fail("read gave {} bytes of [{}, {}); must be all {}", bytes.size(), begin, end, end - begin);
    }
    return bytes;
  }
};

SafeTensors::SafeTensors(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
SafeTensors::SafeTensors(const FilePath& path)
    : impl_([&] {
        const graph::Named named("SafeTensors");
        return io::naming_file(path.native(), [&] {
          return std::make_unique<Impl>(Impl{io::SafeTensors::open(path.native()), path.native()});
        });
      }()) {}
SafeTensors::~SafeTensors() = default;
SafeTensors::SafeTensors(SafeTensors&&) noexcept = default;
SafeTensors& SafeTensors::operator=(SafeTensors&&) noexcept = default;

SafeTensors SafeTensors::from_memory(std::span<const std::byte> file, const std::string& name) {
  const graph::Named named("SafeTensors::from_memory");
  return io::naming_file(name, [&] {
    return SafeTensors(std::make_unique<Impl>(Impl{io::SafeTensors::parse(file, name), name}));
  });
}

SafeTensors SafeTensors::from_ranges(ReadRange read, const FileOrigin& origin) {
  const std::string& name = origin.name;
  const graph::Named named("SafeTensors::from_ranges");
  return io::naming_file(name, [&] {
    auto impl = std::make_unique<Impl>(Impl{{}, name, std::move(read)});
    if (!impl->read) impl->fail("no function that reads: it is empty; must be callable");
    const std::uint64_t first =
        std::min<std::uint64_t>(origin.size.value_or(io::length_size), io::length_size);
    std::vector<std::byte> start;
    if (first > 0) start = impl->read_all(0, first);
    const std::uint64_t end = io::SafeTensors::header_end(start, origin.size, name);
    if (end > first) {
      core::append(start, impl->read_all(first, end));
    }
    impl->file = io::SafeTensors::parse_header(start, origin.size, name);
    return SafeTensors(std::move(impl));
  });
}

SafeTensors SafeTensors::from_header(std::span<const std::byte> start, const FileOrigin& origin) {
  const graph::Named named("SafeTensors::from_header");
  return io::naming_file(origin.name, [&] {
    return SafeTensors(std::make_unique<Impl>(
        Impl{io::SafeTensors::parse_header(start, origin.size, origin.name), origin.name}));
  });
}

std::uint64_t SafeTensors::header_end(std::span<const std::byte> start, const FileOrigin& origin) {
  const graph::Named named("SafeTensors::header_end");
  return io::naming_file(
      origin.name, [&] { return io::SafeTensors::header_end(start, origin.size, origin.name); });
}

std::vector<std::string> SafeTensors::names() const {
  const graph::Named named("SafeTensors::names");
  std::vector<std::string> names;
  for (const io::Entry& entry : Impl::of(impl_).file.entries()) names.push_back(entry.name);
  return names;
}

std::vector<SafeTensors::Entry> SafeTensors::entries() const {
  const graph::Named named("SafeTensors::entries");
  std::vector<Entry> entries;
  for (const io::Entry& entry : Impl::of(impl_).file.entries())
    entries.push_back(public_entry(entry));
  return entries;
}

SafeTensors::Entry SafeTensors::entry(const std::string& name) const {
  const graph::Named named("SafeTensors::entry");
  return public_entry(Impl::of(impl_).find(name));
}

bool SafeTensors::contains(const std::string& name) const {
  const graph::Named named("SafeTensors::contains");
  return Impl::of(impl_).file.find(name) != nullptr;
}

Shape SafeTensors::shape(const std::string& name) const {
  const graph::Named named("SafeTensors::shape");
  return shape_of(Impl::of(impl_).find(name));
}

Tensor SafeTensors::load(const std::string& name) const { return load(name, LoadOptions{}); }

Tensor SafeTensors::load(const std::string& name, const Device& device) const {
  return load(name, LoadOptions{.device = device});
}

Tensor SafeTensors::load(const std::string& name, const LoadOptions& options) const {
  const graph::Named named("SafeTensors::load");
  const Impl& impl = Impl::of(impl_);
  return io::naming_file(impl.name, [&] {
    const io::Entry& entry = impl.find(name);
    if (entry.begin == entry.end) return upload_entry(entry, options);
    if (impl.file.is_on_disk()) return load(name, impl.file.read(entry), options);
    if (!entry.bytes.empty()) return upload_entry(entry, options);
    if (!impl.read) {
      impl.fail(
          "the bytes of tensor {} are not here: the header alone was given; call "
          "load(name, bytes)",
          core::quote(name));
    }
    return load(name, impl.read_all(entry.begin, entry.end), options);
  });
}

Tensor SafeTensors::load(const std::string& name, std::span<const std::byte> bytes,
                         const LoadOptions& options) const {
  const graph::Named named("SafeTensors::load");
  const Impl& impl = Impl::of(impl_);
  return io::naming_file(impl.name, [&] {
    const io::Entry& found = impl.find(name);
    if (bytes.size() != found.end - found.begin) {
      impl.fail(
          "wrong number of bytes for tensor {}: {} were given, {} {} takes {}; must be "
          "equal",
          core::quote(name), bytes.size(), io::name(found.dtype), core::shape_text(found.shape),
          found.end - found.begin);
    }
    io::Entry entry = found;
    entry.bytes = bytes;
    return upload_entry(entry, options);
  });
}

void save_safetensors(const FilePath& path, const std::map<std::string, Tensor>& tensors) {
  const graph::Named named("save_safetensors");
  io::naming_file(path.native(), [&] {
    std::vector<std::vector<std::byte>> values;
    std::vector<io::Entry> entries;
    for (const auto& [name, x] : tensors) {
      values.push_back(values_of(path, fmt::format("tensor {}", core::quote(name)), x));
    }
    std::size_t next = 0;
    for (const auto& [name, tensor] : tensors) {
      entries.push_back({.name = name,
                         .dtype = file_dtype(tensor.dtype()),
                         .shape = {tensor.shape().begin(), tensor.shape().end()},
                         .bytes = values[next++]});
    }
    io::save_safetensors(path.native(), entries);
  });
}

}  // namespace trigon

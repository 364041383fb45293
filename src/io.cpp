// SPDX-License-Identifier: MIT
#include <trigon/io.hpp>

#include <cstring>

#include <fmt/format.h>
#include <trigon/detail/memory.hpp>
#include <trigon/error.hpp>

#include "core/half.hpp"
#include "core/item.hpp"
#include "core/layout.hpp"
#include "graph/call.hpp"
#include "io/npy.hpp"
#include "io/safetensors.hpp"

namespace trigon {
namespace {

/// The elements in C order, of x's dtype. `function` and `name` are for errors.
std::vector<std::byte> values_of(const char* function, const std::string& name, const Tensor& x) {
  graph::check_operand(function, name, x);
  const detail::Wanted wanted{
      .function = function, .dtype = x.dtype(), .shape = x.shape(), .node = x.node().get()};
  return detail::with_memory(wanted, [&x] {
    auto bytes = vector_of<std::byte>(plan::host_bytes(x.dtype(), x.shape()));
    if (x.dtype() == float16) {
      std::byte* next = bytes.data();
      for (const float value : x.to_vector<float>()) {
        const std::uint16_t half = float_to_half(value);
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

/// The bytes at an address that suits any dtype.
Tensor upload_copy(const io::Entry& entry, DType dtype, const Shape& shape, const Device& device) {
  const std::vector<std::byte> copy(entry.bytes.begin(), entry.bytes.end());
  return from_host(copy.data(), dtype, shape, device);
}

Device device_of(const LoadOptions& options) {
  return options.device ? *options.device : Device::default_device();
}

Tensor upload_entry(const io::Entry& entry, const LoadOptions& options) {
  const Shape shape{std::span<const std::int64_t>(entry.shape)};
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

}  // namespace

Tensor load_npy(const FilePath& path) { return load_npy(path, LoadOptions{}); }

Tensor load_npy(const FilePath& path, const Device& device) {
  return load_npy(path, LoadOptions{.device = device});
}

Tensor load_npy(const FilePath& path, const LoadOptions& options) {
  const io::NpyArray array = io::load_npy(path.native());
  const Shape shape{std::span<const std::int64_t>(array.shape)};
  const Tensor x = from_host(array.data.data(), array.dtype, shape, device_of(options));
  return x.astype(options.dtype.value_or(array.dtype));
}

void save_npy(const FilePath& path, const Tensor& x) {
  const std::vector<std::byte> values = values_of("save_npy", "x", x);
  io::save_npy(path.native(), x.dtype(), {x.shape().begin(), x.shape().end()}, values);
}

struct SafeTensors::Impl {
  io::SafeTensors file;
  std::string path;

  const io::Entry& find(const std::string& name) const {
    const io::Entry* entry = file.find(name);
    if (entry == nullptr) {
      throw Error(fmt::format(
          "trigon::SafeTensors: \"{}\": no tensor \"{}\": it holds {}; ask names() for those", path,
          name, file.entries().size()));
    }
    return *entry;
  }
};

SafeTensors::SafeTensors(const FilePath& path)
    : impl_(std::make_unique<Impl>(Impl{io::SafeTensors::open(path.native()), path.native()})) {}
SafeTensors::~SafeTensors() = default;
SafeTensors::SafeTensors(SafeTensors&&) noexcept = default;
SafeTensors& SafeTensors::operator=(SafeTensors&&) noexcept = default;

std::vector<std::string> SafeTensors::names() const {
  std::vector<std::string> names;
  for (const io::Entry& entry : impl_->file.entries()) names.push_back(entry.name);
  return names;
}

bool SafeTensors::contains(const std::string& name) const {
  return impl_->file.find(name) != nullptr;
}

Shape SafeTensors::shape(const std::string& name) const {
  return Shape{std::span<const std::int64_t>(impl_->find(name).shape)};
}

Tensor SafeTensors::load(const std::string& name) const { return load(name, LoadOptions{}); }

Tensor SafeTensors::load(const std::string& name, const Device& device) const {
  return load(name, LoadOptions{.device = device});
}

Tensor SafeTensors::load(const std::string& name, const LoadOptions& options) const {
  const Tensor x = upload_entry(impl_->find(name), options);
  return x.astype(options.dtype.value_or(x.dtype()));
}

void save_safetensors(const FilePath& path, const std::map<std::string, Tensor>& tensors) {
  std::vector<std::vector<std::byte>> values;
  std::vector<io::Entry> entries;
  for (const auto& [name, x] : tensors) {
    values.push_back(values_of("save_safetensors", fmt::format("tensor \"{}\"", name), x));
  }
  std::size_t next = 0;
  for (const auto& [name, tensor] : tensors) {
    entries.push_back({.name = name,
                       .dtype = file_dtype(tensor.dtype()),
                       .shape = {tensor.shape().begin(), tensor.shape().end()},
                       .bytes = values[next++]});
  }
  io::save_safetensors(path.native(), entries);
}

}  // namespace trigon

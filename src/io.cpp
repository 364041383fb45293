// SPDX-License-Identifier: MIT
#include <trigon/io.hpp>

#include <fmt/format.h>
#include <trigon/error.hpp>

#include "core/item.hpp"
#include "graph/call.hpp"
#include "io/npy.hpp"
#include "io/safetensors.hpp"

namespace trigon {
namespace {

/// The elements as the device holds them: float16 as float32 on the host.
struct HostValues {
  DType dtype;
  std::vector<std::byte> bytes;
};

HostValues values_of(const char* function, const std::string& name, const Tensor& x) {
  graph::check_operand(function, name, x);
  const DType dtype = info(x.dtype()).computed;
  HostValues values{dtype, vector_of<std::byte>(x.size() * size_of(dtype))};
  if (x.size() > 0) x.read(values.bytes.data(), values.dtype);
  return values;
}

io::FileDType file_dtype(DType dtype) {
  switch (dtype) {
    case DType::float16:
    case DType::float32: return io::FileDType::f32;
    case DType::int32: return io::FileDType::i32;
    case DType::uint32: return io::FileDType::u32;
    case DType::uint8: return io::FileDType::u8;
    default: return io::FileDType::boolean;
  }
}

template <class T>
Tensor upload_values(std::span<const T> values, DType dtype, const Shape& shape,
                     const Device& device) {
  return from_host(values.data(), dtype, shape, device);
}

Tensor upload_entry(const io::Entry& entry, const Device& device) {
  const Shape shape{std::span<const std::int64_t>(entry.shape)};
  using io::FileDType;
  switch (entry.dtype) {
    case FileDType::i64:
    case FileDType::i32:
      return upload_values<std::int32_t>(io::to_int32(entry), int32, shape, device);
    case FileDType::u32: {
      std::vector<std::byte> copy(entry.bytes.begin(), entry.bytes.end());
      return from_host(copy.data(), uint32, shape, device);
    }
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

Tensor load_npy(const std::filesystem::path& path) {
  return load_npy(path, Device::default_device());
}

Tensor load_npy(const std::filesystem::path& path, const Device& device) {
  const io::NpyArray array = io::load_npy(path);
  const Shape shape{std::span<const std::int64_t>(array.shape)};
  return from_host(array.data.data(), array.dtype, shape, device);
}

void save_npy(const std::filesystem::path& path, const Tensor& x) {
  const HostValues values = values_of("save_npy", "x", x);
  io::save_npy(path, values.dtype, {x.shape().begin(), x.shape().end()}, values.bytes);
}

struct SafeTensors::Impl {
  io::SafeTensors file;
  std::filesystem::path path;

  const io::Entry& find(const std::string& name) const {
    const io::Entry* entry = file.find(name);
    if (entry == nullptr) {
      throw Error(fmt::format(
          "trigon::SafeTensors: \"{}\": no tensor \"{}\": it holds {}; ask names() for those",
          path.string(), name, file.entries().size()));
    }
    return *entry;
  }
};

SafeTensors::SafeTensors(const std::filesystem::path& path)
    : impl_(std::make_unique<Impl>(Impl{io::SafeTensors::open(path), path})) {}
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

Tensor SafeTensors::load(const std::string& name) const {
  return load(name, Device::default_device());
}

Tensor SafeTensors::load(const std::string& name, const Device& device) const {
  return upload_entry(impl_->find(name), device);
}

void save_safetensors(const std::filesystem::path& path,
                      const std::map<std::string, Tensor>& tensors) {
  std::vector<HostValues> values;
  std::vector<io::Entry> entries;
  for (const auto& [name, x] : tensors) {
    values.push_back(values_of("save_safetensors", fmt::format("tensor \"{}\"", name), x));
  }
  std::size_t next = 0;
  for (const auto& [name, tensor] : tensors) {
    entries.push_back({.name = name,
                       .dtype = file_dtype(tensor.dtype()),
                       .shape = {tensor.shape().begin(), tensor.shape().end()},
                       .bytes = values[next++].bytes});
  }
  io::save_safetensors(path, entries);
}

}  // namespace trigon

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <utility>

#include <trigon/error.hpp>

#include "core/half.hpp"
#include "core/item.hpp"
#include "core/math.hpp"
#include "gl/check.hpp"
#include "gl/fence.hpp"
#include "gl/format.hpp"
#include "run/device_state.hpp"

namespace trigon::detail::run {
namespace {

/// Calls f with the offset of each element in C order.
template <class F>
void each_offset(const core::Layout& layout, F f) {
  const Shape& shape = layout.shape;
  const int rank = shape.rank();
  const std::int64_t inner = rank == 0 ? 1 : shape.back();
  const std::int64_t step = rank == 0 ? 0 : item(layout.strides, rank - 1);
  const std::int64_t rows = inner == 0 ? 0 : shape.numel() / inner;
  std::array<std::int64_t, Shape::max_rank> index{};
  for (std::int64_t row = 0; row < rows; ++row) {
    std::int64_t offset = layout.offset;
    for (int k = 0; k + 1 < rank; ++k) {
      offset += item(index, k) * item(layout.strides, k);
    }
    for (std::int64_t k = 0; k < inner; ++k) f(offset + k * step);
    for (int k = rank - 2; k >= 0; --k) {
      if (++item(index, k) < shape[k]) break;
      item(index, k) = 0;
    }
  }
}

double component(const std::byte* data, GLenum type) {
  const auto as = [data](auto zero) {
    std::memcpy(&zero, data, sizeof zero);
    return static_cast<double>(zero);
  };
  switch (type) {
    case GL_FLOAT: return as(0.0F);
    case GL_HALF_FLOAT: {
      std::uint16_t bits;
      std::memcpy(&bits, data, sizeof bits);
      return core::half_to_float(bits);
    }
    case GL_INT: return as(std::int32_t{});
    case GL_UNSIGNED_INT: return as(std::uint32_t{});
    default: return as(std::uint8_t{});
  }
}

std::size_t component_size(GLenum type) {
  return type == GL_UNSIGNED_BYTE ? 1 : type == GL_HALF_FLOAT ? 2 : 4;
}

/// The value as a T. A value stored as a float may not be representable, so it saturates.
template <class T>
T saturated(double value) {
  if (std::isnan(value)) return 0;
  return static_cast<T>(std::clamp(value, static_cast<double>(std::numeric_limits<T>::min()),
                                   static_cast<double>(std::numeric_limits<T>::max())));
}

void store(std::byte* out, DType dtype, double value) {
  const auto as = [&](auto typed) { std::memcpy(out, &typed, sizeof typed); };
  switch (dtype) {
    case DType::float32: return as(static_cast<float>(value));
    case DType::float16: return as(core::float_to_half(static_cast<float>(value)));
    case DType::int32: return as(saturated<std::int32_t>(value));
    case DType::uint32: return as(saturated<std::uint32_t>(value));
    case DType::uint8: return as(saturated<std::uint8_t>(value));
    case DType::boolean: return as(static_cast<std::uint8_t>(value != 0));
  }
}

double load(const std::byte* data, DType dtype) {
  switch (dtype) {
    case DType::float32: return component(data, GL_FLOAT);
    case DType::float16: return component(data, GL_HALF_FLOAT);
    case DType::int32: return component(data, GL_INT);
    case DType::uint32: return component(data, GL_UNSIGNED_INT);
    case DType::boolean: return component(data, GL_UNSIGNED_BYTE) != 0 ? 1 : 0;
    default: return component(data, GL_UNSIGNED_BYTE);
  }
}

/// Whether the elements are consecutive in memory once all layers are read one after the other.
bool is_in_order(const core::Layout& layout) {
  return core::is_dense(layout) && (layout.layers == 1 || layout.slab == layout.height);
}

/// Elements as a plain texture stores them, in `element` bytes each; empty if they are so already.
std::vector<std::byte> converted(const core::Layout& layout, core::Dialect dialect,
                                 std::int64_t element, const std::byte* bytes) {
  const std::int64_t count = layout.shape.numel();
  std::vector<std::byte> result;
  if (!layout.is_plain()) return result;
  if (layout.dtype == DType::boolean && dialect != core::Dialect::es100) {
    // Files and callers may hold any byte, but kernels expect 0 and 1.
    result.assign(bytes, bytes + count);
    for (std::byte& one : result) one = std::byte{one != std::byte{0}};
  } else if (std::cmp_not_equal(element, size_of(layout.dtype)) ||
             dialect == core::Dialect::es100) {
    // The profile stores all dtypes as float32.
    result = vector_of<std::byte>(count * element);
    for (std::int64_t k = 0; k < count; ++k) {
      const double value =
          load(bytes + k * static_cast<std::int64_t>(size_of(layout.dtype)), layout.dtype);
      store(result.data() + k * element, DType::float32, value);
    }
  }
  return result;
}

/// The texture rows that hold elements, in each layer.
struct RowRange {
  std::int64_t first, count;
};
RowRange rows_of(const core::Layout& layout) {
  if (layout.layers > 1) return {0, layout.height};
  std::int64_t last = layout.offset;
  for (int k = 0; k < layout.shape.rank(); ++k) {
    if (layout.shape[k] > 1) {
      last += (layout.shape[k] - 1) * item(layout.strides, k);
    }
  }
  const std::int64_t first = layout.offset / layout.pitch();
  return {first, last / layout.pitch() - first + 1};
}

/// The texels of a layout as they are read, without rows that hold no elements.
struct Texels {
  Texels(const core::Layout& of, const gl::ReadFormat& format)
      : layout(of),
        type(format.type),
        rows(rows_of(of)),
        texel_bytes(format.bytes_per_texel),
        row_bytes(of.width * texel_bytes),
        layer_bytes(row_bytes * rows.count) {}

  std::int64_t bytes() const { return layer_bytes * layout.layers; }

  /// Elements in C order, converted to `dtype`'s host type.
  void unpack(std::span<const std::byte> texels, core::Dialect dialect, void* out,
              DType dtype) const;

  const core::Layout& layout;
  GLenum type;
  RowRange rows;
  std::int64_t texel_bytes, row_bytes, layer_bytes;
};

void Texels::unpack(std::span<const std::byte> texels, core::Dialect dialect, void* out,
                    DType dtype) const {
  const std::size_t size = component_size(type);
  const bool as_they_are = layout.is_plain() && layout.dtype == dtype && dtype != DType::boolean &&
                           size == size_of(dtype) && dialect != core::Dialect::es100;
  // Offsets count from the first row that was read.
  const std::int64_t skipped = rows.first * layout.pitch();
  if (as_they_are && is_in_order(layout)) {
    std::memcpy(out, texels.data() + (layout.offset - skipped) * static_cast<std::int64_t>(size),
                layout.shape.numel() * size);
    return;
  }
  const auto element = core::find_encoding(dialect, layout.dtype, layout.encoding)->element;
  auto* next = static_cast<std::byte*>(out);
  const std::int64_t group = layout.slab * layout.layers;
  each_offset(layout, [&](std::int64_t e) {
    const std::int64_t t = (e - skipped) / layout.elements_per_texel;
    const std::int64_t k = e % layout.elements_per_texel;
    const std::int64_t row = t / layout.width;
    const std::int64_t y = row / group * layout.slab + row % layout.slab;
    const std::int64_t layer = row / layout.slab % layout.layers;
    const std::byte* const texel =
        texels.data() + layer * layer_bytes + y * row_bytes + t % layout.width * texel_bytes;
    const std::byte* const found = texel + k * static_cast<std::int64_t>(size);
    if (as_they_are) {
      std::memcpy(next, found, size);
    } else {
      store(next, dtype, element != nullptr ? element(texel, k) : component(found, type));
    }
    next += size_of(dtype);
  });
}

}  // namespace

void DeviceState::upload(const Storage& storage, const void* values) {
  const core::Layout& layout = storage.layout();
  const gl::FormatInfo& format = gl::info(storage.texture().key.format);
  const std::int64_t count = layout.shape.numel();
  const auto* bytes = static_cast<const std::byte*>(values);
  const std::int64_t texel = core::bytes_per_texel(format.id);
  const std::int64_t element = texel / core::lanes;
  const std::vector<std::byte> changed = converted(layout, target_.dialect, element, bytes);
  if (!changed.empty()) bytes = changed.data();
  const std::int64_t row_bytes = layout.width * texel;
  const std::int64_t total = layout.is_plain()
                                 ? count * element
                                 : core::ceil_div(count, layout.elements_per_texel) * texel;
  const gl::State::TextureBinding binding = storage.texture().binding();
  const GLenum kind = binding.kind;
  state_.bind_texture(binding);
  state_.check_upload("glBindTexture", total);  // otherwise another tensor would get the values
  const auto rows_at = [&](std::int64_t row, std::int64_t rows, std::int64_t texels,
                           const void* data) {
    const auto y = static_cast<GLint>(row % layout.height);
    const auto w = static_cast<GLsizei>(texels);
    const auto h = static_cast<GLsizei>(rows);
    if (kind == GL_TEXTURE_2D) {
      glTexSubImage2D(kind, 0, 0, y, w, h, format.format, format.type, data);
    } else {
      glTexSubImage3D(kind, 0, 0, y, static_cast<GLint>(row / layout.height), w, h, 1,
                      format.format, format.type, data);
    }
  };
  const std::int64_t full = total / row_bytes;
  for (std::int64_t row = 0; row < full;) {
    const std::int64_t rows = std::min(full - row, layout.height - row % layout.height);
    rows_at(row, rows, layout.width, bytes + row * row_bytes);
    row += rows;
  }
  if (const std::int64_t rest = total - full * row_bytes; rest > 0) {
    const std::int64_t texels = core::ceil_div(rest, texel);
    auto last = vector_of<std::byte>(texels * texel);
    std::memcpy(last.data(), bytes + full * row_bytes, rest);
    rows_at(full, 1, texels, last.data());
  }
  state_.check_upload("glTexSubImage2D", total);
  counters.bytes_uploaded += total;
}

void DeviceState::bind_for_read(PooledTexture& texture, std::int64_t layer,
                                const core::Layout& layout) {
  state_.bind_framebuffer(pool_->framebuffer(std::array{Attachment{&texture, layer}}, layout));
  if (caps_.quirks.has(gl::Quirk::clear_before_read))
    state_.clear_nothing(core::texel_type(texture.key.format));
}

void DeviceState::read_texels(const Storage& storage, std::uintptr_t to) {
  const core::Layout& layout = storage.layout();
  const gl::ReadFormat& format = caps_.read_format(storage.texture().key.format);
  const Texels texels(layout, format);
  for (std::int64_t layer = 0; layer < layout.layers; ++layer) {
    bind_for_read(storage.texture(), layer, layout);
    const auto at = to + static_cast<std::uintptr_t>(layer * texels.layer_bytes);
    glReadPixels(0, static_cast<GLint>(texels.rows.first), static_cast<GLsizei>(layout.width),
                 static_cast<GLsizei>(texels.rows.count), format.format, format.type,
                 std::bit_cast<void*>(at));
  }
  counters.bytes_read += texels.bytes();
}

void DeviceState::read(const Storage& storage, void* out, DType dtype) {
  const Texels texels(storage.layout(), caps_.read_format(storage.texture().key.format));
  auto bytes = vector_of<std::byte>(texels.bytes());
  if (texels.bytes() > gl::State::few_bytes) state_.settle();
  read_texels(storage, reinterpret_cast<std::uintptr_t>(bytes.data()));
  state_.check("glReadPixels");
  gl::check_answers();
  texels.unpack(bytes, target_.dialect, out, dtype);
}

std::unique_ptr<PendingRead> DeviceState::start_read(const Storage& storage) {
  const gl::ReadFormat& format = caps_.read_format(storage.texture().key.format);
  auto read = std::make_unique<PendingRead>(PendingRead{storage.layout(), format});
  state_.settle();
  const std::int64_t size = Texels(read->layout, format).bytes();
  if (target_.dialect == core::Dialect::es100) {  // which has neither such buffers nor fences
    read->texels = vector_of<std::byte>(size);
    read_texels(storage, reinterpret_cast<std::uintptr_t>(read->texels.data()));
    state_.check("glReadPixels");
    gl::check_answers();
    return read;
  }
  read->buffer = gl::Buffer::create();
  glBindBuffer(GL_PIXEL_PACK_BUFFER, read->buffer.id());
  glBufferData(GL_PIXEL_PACK_BUFFER, static_cast<GLsizeiptr>(size), nullptr, GL_STREAM_READ);
  state_.check("glBufferData");  // otherwise the offsets below would be addresses
  read_texels(storage, 0);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);  // after an error its deletion unbinds it
  read->fence = gl::Sync::create();
  state_.check("glReadPixels");
  return read;
}

bool DeviceState::is_done(PendingRead& read) {
  if (read.fence && gl::is_passed(read.fence)) read.fence.reset();
  return !read.fence;
}

void DeviceState::make_room(PendingRead& read) {
  if (read.buffer) read.texels = vector_of<std::byte>(Texels(read.layout, read.format).bytes());
}

void DeviceState::finish_read(std::unique_ptr<PendingRead> read, void* out, DType dtype) {
  const Texels texels(read->layout, read->format);
  if (read->buffer) {
    state_.settle();
    glBindBuffer(GL_PIXEL_PACK_BUFFER, read->buffer.id());
    gl::read_pack_buffer(read->texels);
    read->buffer.reset();  // this also unbinds it
    state_.check("glMapBufferRange");
    gl::check_answers();
  }
  texels.unpack(read->texels, target_.dialect, out, dtype);
}

bool DeviceState::is_first_texel_set(PooledTexture& texture) {
  constexpr core::Layout one{};
  std::array<float, 4> texel{};
  bind_for_read(texture, 0, one);
  glReadPixels(0, 0, 1, 1, GL_RGBA, GL_FLOAT, texel.data());
  counters.bytes_read += sizeof texel;
  return texel[0] != 0;
}

}  // namespace trigon::detail::run

// SPDX-License-Identifier: MIT
#include <trigon/image.hpp>

#include <cstdint>
#include <cstring>
#include <vector>

#include <fmt/format.h>
#include <trigon/index.hpp>
#include <trigon/logic.hpp>
#include <trigon/math.hpp>

#include "core/called.hpp"
#include "core/item.hpp"
#include "graph/named.hpp"
#include "image/png.hpp"
#include "io/out_of_memory.hpp"

namespace trigon {
namespace {

bool has_channels(const Tensor& image) { return image.ndim() == 3; }

void check_image(const Tensor& image) {
  const Shape& shape = image.shape();
  constexpr std::int64_t most = 1'000'000;  // libpng's limit
  const auto is_side = [](std::int64_t size) { return size >= 1 && size <= most; };
  const bool fits = shape.rank() == 2 || (shape.rank() == 3 && shape[2] >= 1 && shape[2] <= 4);
  if (!fits || !is_side(shape[0]) || !is_side(shape[1])) {
    core::fail(
        "bad shape: image is {}; must be (height, width), or (height, width, channels) "
        "with 1 to 4 channels, and height and width from 1 to {}",
        to_string(shape), most);
  }
  const DType dtype = image.dtype();
  if (dtype != uint8 && dtype != boolean && !is_float(dtype)) {
    core::fail("bad dtype: image is {}; must be uint8, bool, float32 or float16", name(dtype));
  }
}

Tensor to_bytes(const Tensor& image) {
  if (image.dtype() == uint8) return image;
  const Tensor x = image.astype(float32);
  const Tensor within = clip(x, 0.0, 1.0);
  return floor(where(isnan(x), 0.0, within) * 255.0 + 0.5).astype(uint8);
}

}  // namespace

void save_png(const FilePath& path, const Tensor& image) {
  const graph::Named named("save_png", {{"image", image}});
  check_image(image);
  const Shape& shape = image.shape();
  io::naming_file(path.native(), [&] {
    image::PngImage png{.width = shape[1],
                        .height = shape[0],
                        .channels = has_channels(image) ? static_cast<int>(shape[2]) : 1,
                        .data = vector_of<std::byte>(image.size())};
    {
      const core::UserCode evaluation;
      to_bytes(image).read(png.data.data(), uint8);
    }
    image::save_png(path.native(), png);
  });
}

Tensor load_png(const FilePath& path) { return load_png(path, LoadOptions{}); }

Tensor load_png(const FilePath& path, const Device& device) {
  return load_png(path, LoadOptions{.device = device});
}

Tensor load_png(const FilePath& path, const LoadOptions& options) {
  const graph::Named named("load_png");
  return io::naming_file(path.native(), [&] {
    const image::PngImage png = image::load_png(path.native());
    const Device device = options.device ? *options.device : Device::default_device();
    Shape shape{png.height, png.width};
    if (png.channels > 1) shape = Shape{png.height, png.width, png.channels};
    if (png.bits == 8) {
      const Tensor x = from_host(png.data.data(), uint8, shape, device);
      return x.astype(options.dtype.value_or(uint8));
    }
    std::vector<std::int32_t> values;
    values.reserve(png.data.size() / 2);
    for (std::size_t k = 0; k < png.data.size(); k += 2) {
      std::uint16_t value = 0;
      std::memcpy(&value, png.data.data() + k, sizeof value);
      values.push_back(value);
    }
    return from_host(values.data(), int32, shape, device).astype(options.dtype.value_or(int32));
  });
}

}  // namespace trigon

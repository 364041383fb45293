// SPDX-License-Identifier: MIT
#pragma once

#include <trigon/file_path.hpp>
#include <trigon/io.hpp>
#include <trigon/tensor.hpp>

// Pictures: PNG files and colour maps. trigon.hpp does not include this header: its functions are
// in a separate library, trigon::image, which needs libpng.
//
//   Tensor waves = sin(linspace(0, 9, 256)) * 0.5 + 0.5;  // (256,)
//   save_png("waves.png", cm::viridis(broadcast_to(waves, {64, 256})));

namespace trigon {

/// Evaluates an image and writes it as a PNG file with 8 bits per channel.
///
/// image : (height, width) for grey, or (height, width, channels) with 1 to 4 channels for grey,
///   grey and alpha, RGB or RGBA. uint8 is written unchanged. float32 and float16 are clamped to
///   [0, 1] and scaled to 0 ... 255, rounded, NaN as 0: write `image / 255` for floats from 0 to
///   255. bool becomes 0 or 255.
///
/// The file is replaced atomically: `path` holds the old content or all of the new. Raises Error
/// for another shape or dtype, for sides outside 1 ... 1,000,000 pixels, and for a file that cannot
/// be written; DeviceError when the image cannot be computed.
void save_png(const FilePath& path, const Tensor& image);

/// The image of a PNG file, uploaded to `device` or the default one. Grey images are (height,
/// width); others are (height, width, channels) with grey and alpha, RGB or RGBA.
///
/// Up to 8 bits per channel become uint8, scaled so that all bits set is 255; 16 bits become int32
/// in [0, 65535]. Palettes become colours, and a transparent colour an alpha channel. Values are
/// those of the file: gamma and colour profiles are not applied. `load_png(path, {.dtype =
/// float32}) / 255` are floats in [0, 1].
///
/// Raises Error, naming the file and the reason, for a file that cannot be read, is not PNG or is
/// damaged. Also if it is too short for its stated sizes, or a side has more than 1,000,000 pixels.
/// Raises DeviceError when the image does not fit the device.
/// Source: https://www.w3.org/TR/png-3
[[nodiscard]] Tensor load_png(const FilePath& path);
[[nodiscard]] Tensor load_png(const FilePath& path, const Device& device);
[[nodiscard]] Tensor load_png(const FilePath& path, const LoadOptions& options);

/// Colour maps with Matplotlib's names: elementwise functions, which share draws with the code
/// around them.
///
/// x : (...), float32 or float16, from 0 to 1; values outside are clamped. NaN is black, as in the
///   first three channels of Matplotlib's maps. `cm::viridis(x)` is Matplotlib's
///   `cm.viridis(x)[..., :3]`.
///
/// Returns (..., 3) float32: red, green and blue in [0, 1]. The maps are polynomials fitted to
/// Matplotlib's 256 colours and differ from them by less than 1 / 255.
///
/// Raises Error when x is neither float32 nor float16, or has eight axes.
namespace cm {

/// Dark violet, blue, green, yellow, in even steps of brightness.
/// Source: Smith, van der Walt and Firing 2015, https://bids.github.io/colormap (CC0).
[[nodiscard]] Tensor viridis(const Tensor& x);
/// Black, violet, orange, pale yellow, in even steps of brightness. Source: as viridis.
[[nodiscard]] Tensor magma(const Tensor& x);
/// Blue, light grey, red: for values on both sides of 0.5.
/// Source: Moreland 2009, Diverging Color Maps for Scientific Visualization.
[[nodiscard]] Tensor coolwarm(const Tensor& x);
/// Dark blue, green, yellow, dark red: a rainbow whose brightness has no jumps.
/// Source: Mikhailov 2019, Turbo, An Improved Rainbow Colormap (Google; its table is Apache-2.0).
[[nodiscard]] Tensor turbo(const Tensor& x);

}  // namespace cm
}  // namespace trigon

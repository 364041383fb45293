// SPDX-License-Identifier: MIT
#pragma once

#include <trigon/file_path.hpp>
#include <trigon/io.hpp>
#include <trigon/tensor.hpp>

// Pictures: PNG files and colour maps. The umbrella leaves this header out, as its functions are a
// library of their own, trigon::image, which needs libpng.
//
//   Tensor waves = sin(linspace(0, 9, 256)) * 0.5 + 0.5;  // (256,)
//   save_png("waves.png", cm::viridis(broadcast_to(waves, {64, 256})));

namespace trigon {

/// Evaluates an image and writes it as a PNG file of 8 bits a channel.
///
/// image : (height, width), which is grey, or (height, width, channels): grey, grey and alpha, RGB
///   or RGBA. uint8 is written as it is. float32 and float16 are clamped to [0, 1] and rounded to
///   255 levels, NaN as 0; of booleans true is 255.
///
/// The file is replaced at once: `path` holds the old content or all of the new. Raises Error for
/// another shape or dtype, sides of no or more than 1,000,000 pixels and a file that cannot be
/// written; DeviceError when the image cannot be computed.
void save_png(const FilePath& path, const Tensor& image);

/// The image of a PNG file, uploaded to `device` or the default one: (height, width) where it is
/// grey, else (height, width, channels) with grey and alpha, RGB or RGBA.
///
/// 8 bits a channel and fewer become uint8, with all bits set being 255; 16 bits become int32 in
/// [0, 65535]. Palettes become colours, and a transparent colour an alpha channel. Values are those
/// of the file: gamma and colour profiles are left to the reader. `load_png(path, {.dtype =
/// float32}) / 255` are floats in [0, 1].
///
/// Raises Error, naming the file and the reason, for a file that cannot be read, is not a PNG file,
/// is damaged, is too short for the sizes that it states, or has more than 1,000,000 pixels a side;
/// DeviceError when the image does not fit the device.
/// Source: https://www.w3.org/TR/png-3
[[nodiscard]] Tensor load_png(const FilePath& path);
[[nodiscard]] Tensor load_png(const FilePath& path, const Device& device);
[[nodiscard]] Tensor load_png(const FilePath& path, const LoadOptions& options);

/// Colour maps with Matplotlib's names: elementwise functions, which share draws with the code
/// around them.
///
/// x : (...), float32 or float16, from 0 to 1; values outside are clamped. NaN is black, as the
///   first three channels of Matplotlib's are. `cm::viridis(x)` is Matplotlib's
///   `cm.viridis(x)[..., :3]`.
///
/// Returns (..., 3) float32: red, green and blue in [0, 1]. Polynomials, fitted to the 256 colours
/// that Matplotlib has of each map, from which they differ by less than 1 / 255.
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

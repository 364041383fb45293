// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/layout.hpp"

namespace trigon::support {

/// The elements whose reduction an accumulator holds: one element, or those of two sets.
struct Elements {
  const Elements* first = nullptr;  ///< null in one element
  const Elements* second = nullptr;
  double position = 0;  ///< of one element, along the reduced axes
  double value = 0;
};

/// The content of one lane of a register or of a texel. No result may depend on poison: texels that
/// nothing has written, fetches from outside a texture, numbers past the range of the shader's
/// types. A value computed from poison is poison.
struct Number {
  double value = 0;  ///< of an accumulator: its number in the tuple
  bool is_poison = true;
  const Elements* elements = nullptr;  ///< of an accumulator
};
using Lanes = std::array<Number, 4>;

inline Number number(double value) { return {.value = value, .is_poison = false}; }

/// A texture on the host, whose elements are not encoded. All its texels are poison at first.
class HostTexture {
 public:
  HostTexture(const core::Target& target, const core::Layout& layout)
      : target_(target),
        width_(layout.width),
        height_(layout.height),
        layers_(layout.layers),
        groups_(layout.elements_per_texel / core::lanes),
        dtype_(layout.dtype),
        type_(core::texel_type(core::encoding_of(target, layout)->format)),
        texels_(static_cast<std::size_t>(width_ * height_ * layers_ * groups_)) {}

  std::int64_t layers() const { return layers_; }
  core::Type type() const { return type_; }
  /// Groups of four elements in a texel: one, unless it is packed.
  std::int64_t groups() const { return groups_; }
  /// Sides of the texture that the device's pool would hand out.
  std::int64_t pooled_width() const { return core::texture_side(target_, width_); }
  std::int64_t pooled_height() const { return core::texture_side(target_, height_); }

  bool contains(double x, double y, double layer) const {
    return x >= 0 && y >= 0 && layer >= 0 && x < static_cast<double>(width_) &&
           y < static_cast<double>(height_) && layer < static_cast<double>(layers_);
  }
  /// Whether a rectangle of texels lies in each layer.
  bool covers(std::int64_t x, std::int64_t y, std::int64_t w, std::int64_t h) const {
    return x >= 0 && y >= 0 && x + w <= width_ && y + h <= height_;
  }
  Lanes& at(std::int64_t x, std::int64_t y, std::int64_t layer) {
    return texels_[static_cast<std::size_t>(((layer * height_ + y) * width_ + x) * groups_)];
  }
  const Lanes& at(std::int64_t x, std::int64_t y, std::int64_t layer,
                  std::int64_t group = 0) const {
    const std::int64_t texel = (layer * height_ + y) * width_ + x;
    return texels_[static_cast<std::size_t>(texel * groups_ + group)];
  }

  /// Writes a fragment's result, as the dtype stores it.
  void store(std::int64_t x, std::int64_t y, std::int64_t layer, const Lanes& value);
  /// Turns every lane that holds no element of the layout into poison.
  void poison_tails(const core::Layout& layout);

  /// The elements of a layout in C order; accumulators are poison.
  std::vector<Number> read(const core::Layout& layout) const;
  void write(const core::Layout& layout, const std::vector<double>& values);

 private:
  core::Target target_;
  std::int64_t width_, height_, layers_, groups_;
  DType dtype_;
  core::Type type_;
  std::vector<Lanes> texels_;
};

}  // namespace trigon::support

// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <trigon/device.hpp>

#include "commands.hpp"

namespace web {

/// Draws textures of a device to the canvas of its context, which gets the size of all pictures
/// together. The device must outlive it.
class Presenter {
 public:
  explicit Presenter(trigon::Device device);
  ~Presenter();

  /// Evaluates the pictures and draws each with one draw: values from 0 to 1, or uint8; NaN is 0.
  /// The canvas shows them until the next frame. Raises Error for no pictures, and for one of more
  /// than 2^22 pixels or with a side longer than a viewport's; DeviceError as evaluations do.
  std::vector<Place> draw(std::span<const Picture> pictures);

  /// Raises DeviceError if the GPU no longer answers, since the canvas may then be empty.
  void check_answers() const;

 private:
  struct Objects;
  trigon::Device device_;
  std::unique_ptr<Objects> objects_;
};

}  // namespace web

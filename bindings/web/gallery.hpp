// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <trigon/debug.hpp>
#include <trigon/shape.hpp>
#include <trigon/tensor.hpp>

#include "simulation.hpp"

namespace simulate {

/// A simulation that is shown frame by frame and reacts to a pointer. Nothing here depends on a
/// browser.
///
///   Gallery fluid("fluid");
///   fluid.pointer(0.5, 0.5, 0.02, 0.0, true);
///   save_png("fluid.png", fluid.frame());
class Gallery {
 public:
  struct Item {
    const Entry* entry;   ///< the simulation
    const char* pointer;  ///< the effect of a pointer
    std::int64_t size;    ///< elements that take a few milliseconds; for a grid those along a side
    std::int64_t steps;   ///< of a frame
    /// Steps after which frames no longer change without the pointer; 0: they always change.
    std::int64_t still_after = 0;
  };
  static std::span<const Item> items();

  /// size : elements, for a grid those along a side; 0: the item's.
  /// Raises trigon::Error for an unknown name and a size out of range.
  explicit Gallery(std::string_view name, std::int64_t size = 0, std::int64_t seed = 1);

  const Item& item() const { return item_; }
  std::int64_t size() const { return size_; }

  /// (height, width, 3).
  trigon::Shape picture_shape() const { return run_->picture().shape(); }
  /// The picture after further steps, (height, width, 3) float32 from 0 to 1, evaluated with them.
  ///
  /// steps : 0: the item's. Raises trigon::Error for fewer than 0 or more than 10,000, and
  /// DeviceError.
  trigon::Tensor frame(std::int64_t steps = 0);

  /// The mean brightness, from 0 to 1, of `fields` x `fields` equal rectangles of the last picture:
  /// (fields, fields), the first row above. ITU-R BT.709's luma. Raises trigon::Error unless
  /// `fields` is from 1 to 256.
  trigon::Tensor brightness(std::int64_t fields) const;

  /// The pointer is at (x, y), after moving by (dx, dy): shares of the picture's sides, from its
  /// left and its top. It acts while it is pressed. Raises trigon::Error if one is not finite.
  void pointer(double x, double y, double dx, double dy, bool pressed);
  /// Enlarges everything by `factor` about (x, y). Does nothing if the simulation cannot zoom.
  /// Raises trigon::Error unless the factor is finite and larger than 0, and (x, y) finite.
  void zoom(double factor, double x = 0.5, double y = 0.5);
  /// Those of the simulation, such as feed and kill of "gray_scott".
  std::span<const Parameter> parameters() const { return simulation_->parameters(); }
  /// Gives a parameter another value from the next frame on; its plan stays. Raises trigon::Error
  /// for an unknown name and a value out of range.
  void set(std::string_view name, double value);
  /// Starts from the beginning; parameters stay.
  void reset();

  /// The plan of the next frame: the graph, the draws and their GLSL.
  std::string explain() const;
  /// The work of the last frame, including the pointer's effects before it.
  const trigon::Counters& cost() const { return cost_; }

 private:
  template <class F>
  void count(F&& work);

  const Item& item_;
  std::int64_t size_;
  std::unique_ptr<Simulation> simulation_;
  std::unique_ptr<Run> run_;
  trigon::Tensor picture_{};  ///< of the last frame
  std::int64_t still_ = 0;    ///< steps since the pointer acted
  trigon::Counters spent_{};  ///< since the last frame
  trigon::Counters cost_{};
};

}  // namespace simulate

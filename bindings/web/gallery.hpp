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

/// A simulation that is shown frame by frame and answers a pointer. A page draws it in a browser;
/// nothing here depends on one.
///
///   Gallery fluid("fluid");
///   fluid.pointer(0.5, 0.5, 0.02, 0.0, true);
///   save_png("fluid.png", fluid.frame());
class Gallery {
 public:
  struct Item {
    const Entry* entry;   ///< the simulation
    const char* pointer;  ///< the effect of a pointer
    std::int64_t size;    ///< lanes, of a grid along a side, that take a few milliseconds
    std::int64_t steps;   ///< of a frame
    /// Steps after which a frame is like the last one unless the pointer does something; 0: none.
    std::int64_t still_after = 0;
  };
  static std::span<const Item> items();

  /// size : lanes, of a grid along a side; 0: the item's.
  /// Raises trigon::Error for another name than the items' and a size out of range.
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

  /// The mean brightness, from 0 to 1, of `parts` x `parts` equal fields of the last picture:
  /// (parts, parts), the first row above. ITU-R BT.709's luma. Raises trigon::Error unless `parts`
  /// is from 1 to 256.
  trigon::Tensor brightness(std::int64_t parts) const;

  /// The pointer is at (x, y) and came there by (dx, dy): shares of the picture's sides, from its
  /// left and its top. It acts while it is pressed. Raises trigon::Error where one is not finite.
  void pointer(double x, double y, double dx, double dy, bool pressed);
  /// Everything gets `factor` times as large about (x, y); nothing where there is nothing to zoom.
  /// Raises trigon::Error unless the factor is finite and larger than 0, and (x, y) finite.
  void zoom(double factor, double x = 0.5, double y = 0.5);
  /// Starts from the beginning.
  void reset();

  /// How the next frame is computed: the graph, the draws and their GLSL.
  std::string explain() const;
  /// The work of the last frame, with what the pointer did before it.
  const trigon::Counters& cost() const { return cost_; }

 private:
  template <class F>
  void count(F&& work);

  const Item& item_;
  std::int64_t size_;
  std::unique_ptr<Simulation> simulation_;
  std::unique_ptr<Run> run_;
  trigon::Tensor picture_{};  ///< of the last frame
  std::int64_t still_ = 0;    ///< steps since the pointer did something
  trigon::Counters spent_{};  ///< since the last frame
  trigon::Counters cost_{};
};

}  // namespace simulate

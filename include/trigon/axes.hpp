// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <trigon/detail/integer.hpp>
#include <trigon/detail/nested.hpp>

namespace trigon {

/// "all axes", or the axes that are named: `sum(x)`, `sum(x, -1)`, `sum(x, {0, 2})`.
class Axes {
 public:
  Axes() = default;
  template <std::integral T>
    requires(!std::is_same_v<T, bool>)
  Axes(T axis) : axes_{detail::checked<int>("Axes", axis)}, all_(false) {}
  template <class T>
    requires(std::is_same_v<T, bool> || std::is_floating_point_v<T>)
  Axes(T) {
    static_assert(detail::never<T>,
                  "trigon: an axis is a whole number; write sum(x, 1), not sum(x, 1.0), and "
                  "sum(x, {}, true) to keep the axes");
  }
  Axes(std::initializer_list<int> axes) : axes_(axes), all_(false) {}
  Axes(std::vector<int> axes) : axes_(std::move(axes)), all_(false) {}
  bool all() const { return all_; }
  std::span<const int> list() const { return axes_; }

 private:
  std::vector<int> axes_;
  bool all_ = true;
};

}  // namespace trigon

// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <trigon/detail/integer.hpp>
#include <trigon/detail/nested.hpp>

namespace trigon {

/// All axes, or a list of axes: `sum(x)`, `sum(x, -1)`, `sum(x, {0, 2})`.
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
  // No std::initializer_list: g++ would take {.ddof = 1}, options, for the list of axis 1.
  template <std::integral A, std::integral B, std::integral... More>
    requires(!std::is_same_v<A, bool>)
  Axes(A first, B second, More... more)
      : axes_{detail::checked<int>("Axes", first), detail::checked<int>("Axes", second),
              detail::checked<int>("Axes", more)...},
        all_(false) {}
  Axes(std::vector<int> axes) : axes_(std::move(axes)), all_(false) {}
  [[nodiscard]] bool all() const { return all_; }
  [[nodiscard]] std::span<const int> list() const { return axes_; }

 private:
  std::vector<int> axes_;
  bool all_ = true;
};

}  // namespace trigon

// An overload that takes options by position and does not compile; WRITE says how to name them.
#define TRIGON_POSITIONAL_(QUALIFIER, NAME, WRITE, ...)                          \
  template <HostScalar N, class... More>                                         \
  Tensor NAME(__VA_ARGS__, N, const More&...) QUALIFIER {                        \
    static_assert(detail::never<N>, "trigon: options have names; write " WRITE); \
    return {};                                                                   \
  }

// An overload of a reduction that takes an integer in place of `keepdims` and does not compile.
#define TRIGON_INTEGER_KEEPDIMS_(QUALIFIER, NAME, ...)                            \
  template <std::integral K, class... More>                                       \
    requires(!std::is_same_v<K, bool>)                                            \
  Tensor NAME(__VA_ARGS__, K, const More&...)                                     \
  QUALIFIER {                                                                     \
    static_assert(detail::never<K>,                                               \
                  "trigon: keepdims is a bool; write sum(x, {0, 1}) for several " \
                  "axes, and sum(x, 0, true) to keep the axis");                  \
    return {};                                                                    \
  }

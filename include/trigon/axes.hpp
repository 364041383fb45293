// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <trigon/detail/integer.hpp>
#include <trigon/detail/nested.hpp>

namespace trigon {

namespace detail {

/// A vector, array or span of T.
template <class List, class T>
concept ListOf = requires(const List& list) {
  { *std::data(list) } -> std::same_as<const T&>;
  std::size(list);
};
/// A vector, array or span of integers.
template <class List>
concept IntegersOf = requires(const List& list) {
  requires std::integral<std::remove_cvref_t<decltype(*std::data(list))>>;
  requires sizeof(*std::data(list)) > 1;  // no text, no bools
  std::size(list);
};

}  // namespace detail

/// All axes, or a list of axes: `sum(x)`, `sum(x, -1)`, `sum(x, {0, 2})`.
class Axes {
 public:
  Axes() = default;
  template <std::integral T>
    requires(!std::is_same_v<T, bool>)
  Axes(T axis) : all_(false) { axes_ = {detail::checked<int>(detail::core::Called("Axes"), axis)}; }
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
      : axes_{detail::checked<int>(detail::core::Called("Axes"), first),
              detail::checked<int>(detail::core::Called("Axes"), second),
              detail::checked<int>(detail::core::Called("Axes"), more)...},
        all_(false) {}
  template <detail::IntegersOf List>
  Axes(const List& axes) : all_(false) {
    for (const auto axis : axes) {
      axes_.push_back(detail::checked<int>(detail::core::Called("Axes"), axis));
    }
  }
  /// Whether it means all axes; list() is then empty.
  [[nodiscard]] bool all() const { return all_; }
  [[nodiscard]] std::span<const int> list() const { return axes_; }

 private:
  std::vector<int> axes_;
  bool all_ = true;
};

namespace detail {

/// A list that a call refers to, from braces or a container.
template <class T>
class ListView {
 public:
  ListView(const ListView&) = delete;
  ListView& operator=(const ListView&) = delete;

  [[nodiscard]] const T* begin() const { return list_.data(); }
  [[nodiscard]] const T* end() const { return list_.data() + list_.size(); }
  [[nodiscard]] std::size_t size() const { return list_.size(); }
  [[nodiscard]] bool empty() const { return list_.empty(); }
  [[nodiscard]] const T& operator[](std::size_t k) const { return list_[k]; }

 protected:
  ListView() = default;
  ~ListView() = default;
  template <class List>
  explicit ListView(const List& list) : list_(std::data(list), std::size(list)) {}

  std::span<const T> list_;
};

}  // namespace detail

/// A parameter of several integers: `{0, 2}`, one number, or a vector, array or span of integers.
/// It refers to the list that it is made from, which must live as long as the call. Raises Error
/// for an integer that T cannot hold.
template <std::signed_integral T>
class IntegerList : public detail::ListView<T> {
 public:
  IntegerList() = default;
  template <std::integral N>
    requires(!std::is_same_v<N, bool>)
  IntegerList(N number)
      : numbers_{detail::checked<T>(detail::core::Called("IntegerList"), number)} {
    this->list_ = numbers_;
  }
  IntegerList(std::initializer_list<T> list) : detail::ListView<T>(list) {}
  template <detail::ListOf<T> List>
  IntegerList(const List& list) : detail::ListView<T>(list) {}
  /// Of other integers.
  template <detail::IntegersOf List>
    requires(!detail::ListOf<List, T>)
  IntegerList(const List& list) {
    for (const auto number : list)
      numbers_.push_back(detail::checked<T>(detail::core::Called("IntegerList"), number));
    this->list_ = numbers_;
  }

 private:
  std::vector<T> numbers_;
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

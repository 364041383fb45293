// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
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
template <class Range, class T>
concept RangeOf = requires(const Range& range) {
  requires std::same_as<std::remove_cvref_t<decltype(*std::data(range))>, T>;
  std::size(range);
};
/// An integer that is neither a bool nor a character of text.
template <class T>
concept Integer = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char> &&
                  !std::same_as<T, char8_t>;
/// A vector, array or span of integers.
template <class Range>
concept Integers = requires(const Range& range) {
  requires Integer<std::remove_cvref_t<decltype(*std::data(range))>>;
  std::size(range);
};

/// A parameter that is made from a list.
template <class T>
class List {
 public:
  [[nodiscard]] const T* begin() const { return items_.data(); }
  [[nodiscard]] const T* end() const { return items_.data() + items_.size(); }
  [[nodiscard]] std::size_t size() const { return items_.size(); }
  [[nodiscard]] bool empty() const { return items_.empty(); }
  [[nodiscard]] const T& operator[](std::size_t k) const { return items_[k]; }
  operator std::span<const T>() const { return items_; }  // libc++ 14 has none of ranges

 protected:
  List(std::vector<T> items = {}) : items_(std::move(items)) {}

  std::vector<T> items_;
};

}  // namespace detail

/// All axes, or a list of axes: `sum(x)`, `sum(x, -1)`, `sum(x, {0, 2})`.
class Axes {
 public:
  Axes() = default;
  template <detail::Integer T>
  Axes(T axis) : all_(false) {
    axes_ = {detail::checked<int>(detail::core::Called("Axes"), axis)};
  }
  template <class T>
    requires(std::is_same_v<T, bool> || std::is_floating_point_v<T>)
  Axes(T) {
    static_assert(detail::never<T>,
                  "trigon: an axis is a whole number; write sum(x, 1), not sum(x, 1.0), and "
                  "sum(x, {}, true) to keep the axes");
  }
  // No std::initializer_list: g++ would take {.ddof = 1}, options, for the list of axis 1.
  template <detail::Integer A, detail::Integer B, detail::Integer... More>
  Axes(A first, B second, More... more)
      : axes_{detail::checked<int>(detail::core::Called("Axes"), first),
              detail::checked<int>(detail::core::Called("Axes"), second),
              detail::checked<int>(detail::core::Called("Axes"), more)...},
        all_(false) {}
  template <detail::Integers Range>
  Axes(const Range& axes) : all_(false) {
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

/// A parameter of several integers: `{0, 2}`, one number, or a vector, array or span of integers.
/// Raises Error for an integer that T cannot hold.
template <std::signed_integral T>
class IntegerList : public detail::List<T> {
 public:
  IntegerList() = default;
  template <detail::Integer First, detail::Integer... More>
  IntegerList(First first, More... more) : detail::List<T>({number(first), number(more)...}) {}
  template <detail::Integers Range>
  IntegerList(const Range& range) {
    for (const auto one : range) this->items_.push_back(number(one));
  }

 private:
  static T number(auto n) { return detail::checked<T>(detail::core::Called("IntegerList"), n); }
};

}  // namespace trigon

// An overload that takes options by position and does not compile; NAME WRITE is how to name them.
#define TRIGON_POSITIONAL_(QUALIFIER, NAME, WRITE, ...)                                \
  template <HostScalar N, class... More>                                               \
  Tensor NAME(__VA_ARGS__, N, const More&...) QUALIFIER {                              \
    static_assert(detail::never<N>, "trigon: options have names; write " #NAME WRITE); \
    return {};                                                                         \
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

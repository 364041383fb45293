// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <trigon/detail/integer.hpp>
#include <trigon/detail/tensor_class.hpp>
#include <trigon/operators.hpp>
#include <trigon/scalar.hpp>

// Basic indexing: the entries of an index, and what is read and written with them.
//
// Indices that are known at run time only (Scalars, the starts of Windows, the elements of take's
// and take_along_axis's indices) follow one rule, for reads and writes and in both profiles: a
// negative one counts from the end, then each is clamped to the nearest that lies inside, since a
// shader cannot throw. Of 10 elements x[Scalar(-1)] and x[Scalar(12)] are the last one and
// x[Scalar(-12)] is the first; a Window of 4 starts at 6 at the latest. scatter_add drops an index
// out of range.

#define TRIGON_KEPT_SELECTION_                                                         \
  "trigon: a kept selection is not written: it is the value that the part had; write " \
  "x(0) = v in one expression"

namespace trigon {

/// NumPy's start:stop:step. Negative bounds count from the end; the step has either sign, but is
/// not 0: `Slice{1, 3}`, `Slice{{}, {}, -1}`.
struct Slice {
  /// An integer, or none: from the first element on, or up to the last one.
  struct Bound : std::optional<std::int64_t> {
    Bound() = default;
    Bound(std::nullopt_t) {}
    /// Raises Error for an unsigned integer from 2^63 on.
    template <std::integral T>
    Bound(const std::optional<T>& bound) {
      if (bound) *this = Bound(*bound);
    }
    template <std::convertible_to<std::int64_t> T>
      requires(!std::is_floating_point_v<T> && !std::is_same_v<T, bool>)
    Bound(const T& i) : std::optional<std::int64_t>(detail::checked<std::int64_t>("index", i)) {}
  };
  Bound start{};
  Bound stop{};
  std::int64_t step = 1;
};

/// `size` elements from a run-time integer `start`, which counts from the end if negative, and is
/// clamped into [0, n - size] for an axis of n elements.
struct Window {
  Scalar start;
  std::int64_t size;
};

/// An index entry that adds an axis of size 1: NumPy's None.
struct NewAxis {};
/// An index entry that stands for all axes without one: NumPy's `...`.
struct Ellipsis {};
inline constexpr NewAxis newaxis{};
inline constexpr Ellipsis ellipsis{};

/// One entry of a basic index: an integer, a Slice, a Window, a Scalar (from the end if negative,
/// then clamped into the axis), newaxis or ellipsis. Integers and Scalars drop their axis. Raises
/// Error for an unsigned integer from 2^63 on.
struct Index {
  enum class Kind : std::uint8_t { integer, slice, window, run_time, new_axis, other_axes };

  template <std::integral T>
  Index(T i) : kind(Kind::integer), integer(detail::checked<std::int64_t>("index", i)) {
    static_assert(!std::is_same_v<T, bool>,
                  "trigon: a bool is not an index; write x(newaxis) for an axis of size 1, or "
                  "where(condition, a, b) to choose");
  }
  Index(const Slice& s) : kind(Kind::slice), slice(s) {}
  Index(const Window& w) : kind(Kind::window), integer(w.size), start(w.start) {}
  Index(const Scalar& s) : kind(Kind::run_time), start(s) {}
  Index(NewAxis) : kind(Kind::new_axis) {}
  Index(Ellipsis) : kind(Kind::other_axes) {}
  template <std::floating_point T>
  Index(T) : kind(Kind::integer) {
    static_assert(detail::never<T>, "trigon: an index is a whole number; write x[1], not x[1.0]");
  }
  template <std::derived_from<Tensor> T>
  Index(const T&) : kind(Kind::integer) {
    static_assert(detail::never<T>,
                  "trigon: a tensor is not an index; write take(x, indices, axis) for an array of "
                  "indices, where(mask, a, b) for a mask of bools, x[Scalar(i)] for a number that "
                  "changes from run to run");
  }

  Kind kind;
  std::int64_t integer = 0;
  Slice slice{};
  Tensor start{};
};

/// A part of a tensor, from `x.at(...)`: it holds x as it is now, and never changes it.
class [[nodiscard]] SelectedPart {
 public:
  SelectedPart(Tensor x, std::vector<Index> index) : x_(std::move(x)), index_(std::move(index)) {}

  /// The part as a tensor: a view, read in place. Raises Error as index().
  [[nodiscard]] Tensor get() const;
  /// x with this part replaced by v, which broadcasts to it and is cast to x's dtype. The write is
  /// done in place if nothing else refers to x's storage when it is evaluated; otherwise x is
  /// copied first, which explain() shows. Raises Error when v does not broadcast to the part, when
  /// v is a number that x's integer dtype cannot hold, and as index().
  [[nodiscard]] Tensor set(const Tensor& v) const;
  /// x with v, which broadcasts to this part and is cast to x's dtype, added to it. A basic index
  /// names each element once; trigon::scatter_add takes indices that occur several times. Raises
  /// Error as set().
  [[nodiscard]] Tensor add(const Tensor& v) const;

 private:
  Tensor x_;
  std::vector<Index> index_;
};

/// A part of a tensor that has a name, from `x(...)`: a Tensor to read, and a place to write. It
/// takes `=`, `+=` and the like in the expression that makes it:
///
///   x(0, Slice{1, 3}) = v;   // x = x.at(0, Slice{1, 3}).set(v)
///   x(0) += v;               // x = x.at(0).set(x[0] + v)
///   x(0) = y(1);             // copies values; y(1) is read before anything is written
///
/// A write gives x a new value. NumPy's views alias, here they do not: a copy of x and whatever was
/// computed from it keep their values. The write is done in place where nothing else refers to x's
/// storage. v broadcasts to the part and is cast to x's dtype; the part's shape stays.
///
/// A Selection that is kept (`auto row = x(0)`, `std::pair(x(0), x(1))`) is the value that the part
/// had then, and `row = v` does not compile. `std::move(row) = v` writes x while x lives; later,
/// and for a copy, it raises Error. A Selection and its tensor must end in the thread that made the
/// Selection. Raises Error as index() and SelectedPart::set.
class [[nodiscard]] Selection : public Tensor {
 public:
  /// For Tensor's own use.
  Selection(Tensor& x, std::vector<Index> index);
  /// The value alone.
  Selection(const Selection& other) noexcept : Tensor(other) {}
  ~Selection();

  void operator=(const Tensor& v) && { assign(v); }
  void operator=(const Selection& v) && {
    if (this != &v) assign(static_cast<const Tensor&>(v));
  }
  template <class V>
  void operator=(const V&) & {
    static_assert(detail::never<V>, TRIGON_KEPT_SELECTION_);
  }
  template <class V = void>
  void operator=(std::initializer_list<detail::Nested>) & {
    static_assert(detail::never<V>, TRIGON_KEPT_SELECTION_);
  }

#define TRIGON_SELECTION_OPERATOR_(OP)                           \
  void operator OP##=(const Tensor& v)&& { assign(*this OP v); } \
  template <class V>                                             \
  void operator OP##=(const V&)& {                               \
    static_assert(detail::never<V>, TRIGON_KEPT_SELECTION_);     \
  }
  TRIGON_SELECTION_OPERATOR_(+)
  TRIGON_SELECTION_OPERATOR_(-)
  TRIGON_SELECTION_OPERATOR_(*)
  TRIGON_SELECTION_OPERATOR_(/)
  TRIGON_SELECTION_OPERATOR_(%)
  TRIGON_SELECTION_OPERATOR_(&)
  TRIGON_SELECTION_OPERATOR_(|)
  TRIGON_SELECTION_OPERATOR_(^)
  TRIGON_SELECTION_OPERATOR_(<<)
  TRIGON_SELECTION_OPERATOR_(>>)
#undef TRIGON_SELECTION_OPERATOR_

 private:
  friend class Tensor;
  void assign(const Tensor& v);
  // Of the selections of this thread, those of a tensor that ends write no more.
  static void forget(const Tensor* x) noexcept;

  Tensor* x_ = nullptr;  // null in a copy, and when x has ended
  std::vector<Index> index_;
  Selection* next_ = nullptr;
};

namespace detail {

/// A range of Selections, such as std::vector{x(0), x(1)}, which is no span of tensors.
template <class Range>
concept Selections = std::same_as<typename Range::value_type, Selection>;

template <Selections Range>
[[nodiscard]] std::vector<Tensor> tensors_of(const Range& selections) {
  return std::vector<Tensor>(selections.begin(), selections.end());
}

/// What `for (Tensor row : x)` goes along: x[0], x[1], ...
class RowIterator {
 public:
  using value_type = Tensor;
  using reference = Tensor;
  using pointer = void;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::input_iterator_tag;

  RowIterator(Tensor x, std::int64_t row) : x_(std::move(x)), row_(row) {}
  Tensor operator*() const { return x_[row_]; }
  RowIterator& operator++() {
    ++row_;
    return *this;
  }
  RowIterator operator++(int) {
    RowIterator before = *this;
    ++row_;
    return before;
  }
  friend bool operator==(const RowIterator& a, const RowIterator& b) { return a.row_ == b.row_; }

 private:
  Tensor x_;
  std::int64_t row_;
};

}  // namespace detail

template <std::convertible_to<Index>... I>
SelectedPart Tensor::at(const I&... index) const {
  return SelectedPart(*this, std::vector<Index>{Index(index)...});
}

template <std::convertible_to<Index>... I>
Tensor Tensor::operator()(const I&... index) const& {
  return at(index...).get();
}

template <std::convertible_to<Index>... I>
Selection Tensor::operator()(const I&... index) & {
  return Selection(*this, std::vector<Index>{Index(index)...});
}

}  // namespace trigon

#undef TRIGON_KEPT_SELECTION_

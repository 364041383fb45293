// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <trigon/detail/integer.hpp>
#include <trigon/detail/tensor_class.hpp>
#include <trigon/operators.hpp>
#include <trigon/scalar.hpp>

// Basic indexing: the entries of an index, and the parts of tensors that they read and write.
//
// Some indices are only known at run time: Scalars, starts of Windows, and the indices of take and
// take_along_axis. They follow one rule for reads and writes, in both profiles. A negative index
// counts from the end; then it is clamped to the nearest valid one, since a shader cannot throw. If
// x has 10 elements, x[Scalar(-1)] and x[Scalar(12)] are the last one, x[Scalar(-12)] is the first,
// and a Window of 4 starts at 6 at the latest. scatter_add drops indices out of range.

#define TRIGON_KEPT_SELECTION_                                                         \
  "trigon: a kept selection is not written: it is the value that the part had; write " \
  "x(0) = v in one expression"

namespace trigon {

/// NumPy's start:stop:step. Negative bounds count from the end; the step is positive or negative:
/// `Slice{1, 3}`, `Slice{{}, {}, -1}`.
struct Slice {
  /// An integer, or none for an open end of the slice.
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
    Bound(const T& i) {
      const detail::core::Called called("index");
      emplace(detail::checked<std::int64_t>(i));
    }
  };
  Bound start{};
  Bound stop{};
  std::int64_t step = 1;
};

/// `size` elements from a run-time integer `start`. A negative start counts from the end; then it
/// is clamped to [0, n - size] for an axis of n elements.
struct Window {
  Scalar start;
  std::int64_t size;
};

/// An index entry that adds an axis of size 1: NumPy's None.
struct NewAxis {};
/// An index entry for all axes that have no other entry: NumPy's `...`.
struct Ellipsis {};
inline constexpr NewAxis newaxis{};
inline constexpr Ellipsis ellipsis{};

/// One entry of a basic index: an integer, a Slice, a Window, a Scalar, newaxis or ellipsis.
/// Integers and Scalars drop their axis. A negative Scalar counts from the end; then it is clamped
/// to the axis. Raises Error for an unsigned integer from 2^63 on.
struct Index {
  enum class Kind : std::uint8_t { integer, slice, window, run_time, new_axis, other_axes };

  template <std::integral T>
  Index(T i) : kind(Kind::integer) {
    static_assert(!std::is_same_v<T, bool>,
                  "trigon: a bool is not an index; write x(newaxis) for an axis of size 1, or "
                  "where(condition, a, b) to choose");
    const detail::core::Called called("index");
    integer = detail::checked<std::int64_t>(i);
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

/// A part of a tensor, from `x.at(...)`. It holds x's present value and never changes it.
class [[nodiscard]] SelectedPart {
 public:
  SelectedPart(Tensor x, std::vector<Index> index) : x_(std::move(x)), index_(std::move(index)) {}

  /// The part as a tensor: a view, read in place. Raises Error as index().
  [[nodiscard]] Tensor get() const;
  /// x with this part replaced by v, which is broadcast to the part and cast to x's dtype. The
  /// write is in place if nothing else refers to x's storage when it is evaluated; otherwise x is
  /// copied first, which explain() shows. Raises Error when v does not broadcast to the part, when
  /// v is a number that x's integer dtype cannot hold, and as index().
  [[nodiscard]] Tensor set(const Tensor& v) const;
  /// x with v added to this part; v is broadcast to the part and cast to x's dtype. A basic index
  /// names each element once; trigon::scatter_add takes repeated indices. Raises Error as set(),
  /// and for floats v that are added to integers x, as NumPy does.
  [[nodiscard]] Tensor add(const Tensor& v) const;

 private:
  Tensor x_;
  std::vector<Index> index_;
};

/// A part of a tensor variable, from `x(...)`: a Tensor to read, and a place to write. `=`, `+=`
/// and the like work in the expression that makes it:
///
///   x(0, Slice{1, 3}) = v;   // x = x.at(0, Slice{1, 3}).set(v)
///   x(0) += v;               // x = x.at(0).set(x[0] + v)
///   x(0) = y(1);             // copies values; y(1) is read before anything is written
///
/// A write gives x a new value. Unlike NumPy's views, nothing aliases: copies of x and values
/// computed from it do not change. The write is in place if nothing else refers to x's storage. v
/// is broadcast to the part and cast to x's dtype; the part's shape stays.
///
/// A stored Selection (`auto row = x(0)`, `std::pair(x(0), x(1))`) is the value that the part had
/// then, and `row = v` does not compile. `std::move(row) = v` writes x while x lives. Afterwards,
/// and for a copy of the Selection, it raises Error. A Selection and its tensor must be destroyed
/// in the thread that made the Selection. Raises Error as index() and SelectedPart::set.
class [[nodiscard]] Selection : public Tensor {
 public:
  /// Copies only the value; the copy cannot write.
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
  Selection(Tensor& x, std::vector<Index> index);
  void assign(const Tensor& v);
  // Stops this thread's selections of x, which is being destroyed, from writing.
  static void forget(const Tensor* x) noexcept;

  Tensor* x_ = nullptr;  // null in a copy, and when x has ended
  std::vector<Index> index_;
  Selection* next_ = nullptr;
};

namespace detail {

/// A range of Selections, such as std::vector{x(0), x(1)}, which is not a span of tensors.
template <class Range>
concept Selections = std::same_as<typename Range::value_type, Selection>;

/// The iterator of `for (Tensor row : x)`: x[0], x[1], ...
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

// ---- Functions that read and write by index

/// Basic indexing, as `x.at(...).get()`: one entry for each axis from the first on; axes without an
/// entry are taken whole. Raises Error for an integer out of range, a step of 0 and a window larger
/// than its axis. Also for more entries than axes, two ellipses, and a start that is no integer.
[[nodiscard]] Tensor index(const Tensor& x, std::span<const Index> entries);

/// NumPy's take: slices of x along `axis` at integer `indices`, of shape x.shape[:axis] +
/// indices.shape + x.shape[axis+1:] and x's dtype. Without an axis they are rows, as of x[indices];
/// NumPy's take is of the flat x there, which is ravel(x).
///
/// The slices are fetched in the shader that reads the result. A negative index counts from the
/// end. An index out of range is clamped, since a shader cannot throw; with TRIGON_CHECK=1 in the
/// environment the evaluation raises Error for it. Raises Error when the axis is out of range,
/// empty or, under profile webgl1, longer than 2^24. Also when `indices` are not integers, or the
/// result would have more than eight axes.
[[nodiscard]] Tensor take(const Tensor& x, const Tensor& indices, int axis = 0);

/// NumPy's take_along_axis: element i along `axis` is x's element at indices[..., i, ...]. The
/// result has the shape of `indices`, which may differ from x's along `axis` only. Negative and too
/// large indices as in take. Raises Error when the shapes do not fit, the axis is out of range,
/// empty or, under profile webgl1, longer than 2^24, or `indices` are not integers.
[[nodiscard]] Tensor take_along_axis(const Tensor& x, const Tensor& indices, int axis);

/// x with v added at rows `indices` along `axis`: the opposite of taking, as NumPy's `add.at`.
/// Indices that occur several times add up. A device that blends adds them to x in C order of v;
/// another adds their sum to x. A driver gives the same result each time. The form follows from the
/// shapes:
/// - v has the shape of take(x, indices, axis), or is a scalar: whole slices are added
///   (`np.add.at(x, indices, v)` for axis 0, PyTorch's `index_add`);
/// - v has the shape of `indices`, whose axes but `axis` are x's: each element has its own index
///   (PyTorch's `scatter_add`, the opposite of take_along_axis).
///
/// A negative index counts from the end. An update out of range is dropped, since a shader can't
/// throw (NumPy raises, and so does the evaluation with TRIGON_CHECK=1). v is cast to x's dtype;
/// float16 is added up in float32. Four neighbours share a texel, and adding to one of them adds 0
/// to the others: a -0 there becomes 0.
///
/// Where the device adds by blending (float32 in webgl2) the work is that of v, in place if nothing
/// else refers to x. Elsewhere every element of x reads all indices along the axis, and evaluating
/// raises DeviceError when that is too much work.
///
/// x: any dtype but bool. indices: int32, uint32 or uint8. Returns x's shape and dtype.
/// Raises Error for a bool x, indices of another dtype, an axis out of range or, under profile
/// webgl1, longer than 2^24, and shapes that do not fit. Also for floats v that are added to
/// integers x, as NumPy does; a plain whole number may be.
/// Example: a histogram of ids in [0, n) is `scatter_add(zeros({n}), ids, 1.0, 0)`.
[[nodiscard]] Tensor scatter_add(const Tensor& x, const Tensor& indices, const Tensor& v, int axis);

/// NumPy's nonzero: the places where x is not 0 (NaN is not), one int32 tensor of shape (n,) for
/// each axis, in C order.
///
/// n depends on the values, so the host counts: `x != 0` is evaluated and read back, one byte per
/// element, and the indices are uploaded to x's device. No gradient flows back. Raises Error for a
/// scalar, which has no axes, and under profile webgl1 for an axis of more than 2^24 + 1 elements;
/// DeviceError when x cannot be computed.
[[nodiscard]] std::vector<Tensor> nonzero(const Tensor& x);

/// b where the bool a holds, else c, element-wise. What is not taken may be NaN.
[[nodiscard]] Tensor where(const Tensor& a, const Tensor& b, const Tensor& c);

/// NumPy's sliding_window_view: all windows into x, at every place where one fits. The result has
/// x's axes, those with a window being shorter by its size less 1, then an axis for each window.
///
/// window: sizes, one for each of `axes`; without `axes`, one for each axis of x. An axis may occur
/// several times: it then has windows of windows.
/// Raises Error for another number of windows, and for one that is negative or larger than its
/// axis. Also for an axis out of range, and when the result would have more than eight axes.
/// Example: `mean(sliding_window_view(x, 3, -1), -1)` is a moving average.
[[nodiscard]] Tensor sliding_window_view(const Tensor& x, const IntegerList<std::int64_t>& window,
                                         const IntegerList<int>& axes = {});

/// NumPy's diagonal: elements x[..., i, ..., i + offset, ...] of the two axes, as the last axis of
/// the result; the two go. Empty where the diagonal lies outside of x.
///
/// Raises Error when x has fewer than two axes, and when axis1 and axis2 are the same or out of
/// range.
[[nodiscard]] Tensor diagonal(const Tensor& x, std::int64_t offset = 0,
                              const DiagonalOptions& options = {});
TRIGON_POSITIONAL_(, diagonal, "(x, 0, {.axis1 = 1, .axis2 = 2})", const Tensor&, std::int64_t)

/// NumPy's diag: the k-th diagonal of a matrix, or a square matrix of zeros with the vector x on
/// its k-th diagonal. Raises Error for another number of axes.
[[nodiscard]] Tensor diag(const Tensor& x, std::int64_t k = 0);

}  // namespace trigon

#undef TRIGON_KEPT_SELECTION_

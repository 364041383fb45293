// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <trigon/config.hpp>
#include <trigon/dtype.hpp>
#include <trigon/error.hpp>
#include <trigon/fwd.hpp>
#include <trigon/shape.hpp>

namespace trigon {

struct Index;
class Selection;

/// A number of the host: bool, an integer or a floating-point type.
template <class T>
concept HostScalar = std::is_arithmetic_v<T>;

/// A handle to a value: a node of a lazy graph. Copies share the value.
///
/// A tensor never changes: a write (`x = x.at(0).set(v)`) makes a new one, in place where nothing
/// else refers to the old. Operations only build the graph; reading or eval() runs it. Every
/// function of tensors raises Error for an empty handle and for operands on different devices; its
/// comment names what else it checks. Evaluating raises DeviceError when the device's memory or
/// limits are exceeded.
///
///   Tensor x = tensor<float>({1, 2, 3, 4}, {2, 2});
///   std::vector<float> y = exp(x + 1.0).to_vector<float>();
class Tensor {
 public:
  /// An empty handle. Only assigning to it and has_value() do not raise Error.
  Tensor() noexcept = default;

  /// A number with Python's dtype rules: `x * 2` keeps an int32 x int32, `x * 2.0` makes it
  /// float32. It is a constant of the graph, so another value makes another plan; a Scalar does
  /// not. An op raises Error when its integer dtype cannot hold the number.
  template <HostScalar T>
  Tensor(T value) : Tensor(constant(static_cast<double>(value), weak_kind<T>())) {}

  /// For the library's own use.
  explicit Tensor(graph::NodePtr node) noexcept;
  Tensor(const Tensor& other) noexcept;
  Tensor(Tensor&& other) noexcept = default;
  Tensor& operator=(const Tensor& other) noexcept;
  Tensor& operator=(Tensor&& other) noexcept;
  ~Tensor();

  /// Sizes of the axes.
  const Shape& shape() const;
  /// Type of the elements.
  DType dtype() const;
  /// Number of axes.
  int ndim() const { return shape().rank(); }
  /// Number of elements.
  std::int64_t size() const { return shape().numel(); }
  /// The device that the value belongs to; the default device for values made of numbers alone.
  Device device() const;
  /// Whether this refers to a value: false for an empty handle.
  bool has_value() const { return node_ != nullptr; }

  /// Computes the value now and keeps it on the device, in a texture; does not wait for it (see
  /// trigon::eval). Returns *this.
  ///
  /// The texture holds every element, whatever the tensor is made of: 10^8 evaluated random numbers
  /// are 400 MB. Constants, arange and random numbers that are not evaluated take no memory, and
  /// each draw that reads them computes them for itself.
  const Tensor& eval() const;

  /// Evaluates, waits, and returns the elements in C order. T is the host type of dtype(); float16
  /// is read as float. Raises Error when T is another type, DeviceError as eval().
  template <class T>
  std::vector<T> to_vector() const;

  /// Evaluates, waits, and returns the only element. Raises Error when size() is not 1 or T is not
  /// the host type of dtype(), DeviceError as eval().
  template <class T = float>
  T item() const;

  /// Evaluates, waits, and copies the elements in C order to `out`, which has room for size()
  /// elements of `dtype`. Raises Error unless `dtype` is the tensor's (float32 for float16),
  /// DeviceError as eval(). GL: glReadPixels.
  void read(void* out, DType dtype) const;

  /// The same values as `dtype`. Floats are cut to whole numbers, values other than 0 become true.
  /// Raises Error for a number of the host that an integer dtype cannot hold.
  Tensor astype(DType dtype) const;
  /// The same values on `device`. Values on another device are evaluated and copied through the
  /// host at once, into a texture of their own. A tensor made of numbers alone, which belongs to no
  /// device, is computed there at once and kept: 10^8 random numbers are 400 MB. Raises DeviceError
  /// when either device cannot hold the values.
  Tensor to(const Device& device) const;

  /// The same elements in C order in another shape; one size may be -1, for the size that is left.
  /// Raises Error when the sizes do not hold as many elements.
  template <std::convertible_to<std::int64_t>... N>
  Tensor reshape(N... dims) const;
  Tensor reshape(std::initializer_list<std::int64_t> dims) const {
    return reshape(std::span(dims.begin(), dims.size()));
  }
  Tensor reshape(std::span<const std::int64_t> dims) const;
  Tensor reshape(const Shape& shape) const;
  /// Axes in the given order, or reversed without one. Raises Error unless every axis occurs once.
  Tensor transpose(std::span<const int> axes = {}) const;
  Tensor transpose(std::initializer_list<int> axes) const {
    return transpose(std::span(axes.begin(), axes.size()));
  }
  /// Axes reversed.
  Tensor T() const { return transpose(); }

  /// Basic indexing along the first axis: `x[2]`, `x[Slice{1, 3}]`. Raises Error as index().
  Tensor operator[](const Index& index) const;

  /// A part of the tensor by basic indexing, to read or to write: `x.at(0, Slice{2, 5}).get()`,
  /// `x = x.at(0).set(v)`.
  template <std::convertible_to<Index>... I>
  Selection at(const I&... index) const;

  /// For the library's own use.
  const graph::NodePtr& node() const;

 private:
  enum class Weak : std::uint8_t { boolean, integer, floating };

  template <HostScalar T>
  static constexpr Weak weak_kind() {
    if constexpr (std::is_same_v<T, bool>) return Weak::boolean;
    return std::is_integral_v<T> ? Weak::integer : Weak::floating;
  }
  static graph::NodePtr constant(double value, Weak kind);

  void acquire() const noexcept;
  void release() noexcept;

  graph::NodePtr node_;
};

/// A number that changes from run to run: a position, a length, a rate, a random key. Changing a
/// Scalar reuses the plan; changing a plain number builds a new one. It is used as a tensor of
/// shape (): int32 if made of an integer type, else float32.
///
/// `+`, `-`, `*`, `minimum` and `maximum` of Scalars and numbers are Scalars again, computed on the
/// host: int32 of two integers, else float32. Raises Error past the range of int32.
///
///   y = x.at(Window{Scalar(position), 4}).get() * Scalar(rate);
class Scalar {
 public:
  /// Raises Error for an integer that int32 cannot hold.
  template <HostScalar T>
  Scalar(T value) : Scalar(static_cast<double>(value), std::is_integral_v<T>) {}
  /// Of a node that holds a run-time number.
  explicit Scalar(graph::NodePtr node);

  /// Raises Error while `compile` traces a function, for a number that depends on its arguments.
  double value() const;
  operator const Tensor&() const { return tensor_; }
  /// The number as a tensor of shape ().
  const Tensor& tensor() const { return tensor_; }

  enum class Operation : std::uint8_t { add, subtract, multiply, minimum, maximum };
  /// The operation on two numbers. Raises Error past the range of int32.
  static Scalar apply(Operation operation, const Scalar& a, const Scalar& b);

  friend Scalar operator+(const Scalar& a, const Scalar& b) { return apply(Operation::add, a, b); }
  friend Scalar operator-(const Scalar& a, const Scalar& b) {
    return apply(Operation::subtract, a, b);
  }
  friend Scalar operator*(const Scalar& a, const Scalar& b) {
    return apply(Operation::multiply, a, b);
  }
  friend Scalar operator-(const Scalar& a) { return apply(Operation::multiply, a, -1); }
  friend Scalar minimum(const Scalar& a, const Scalar& b) {
    return apply(Operation::minimum, a, b);
  }
  friend Scalar maximum(const Scalar& a, const Scalar& b) {
    return apply(Operation::maximum, a, b);
  }

 private:
  Scalar(double value, bool integral);

  double value_;
  Tensor tensor_;
};

/// NumPy's start:stop:step. Negative bounds count from the end; the step has either sign, but is
/// not 0: `Slice{1, 3}`, `Slice{{}, {}, -1}`.
struct Slice {
  std::optional<std::int64_t> start{};
  std::optional<std::int64_t> stop{};
  std::int64_t step = 1;
};

/// `size` elements from a run-time integer `start`, which the device clamps into [0, n - size] for
/// an axis of n elements.
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

/// One entry of a basic index: an integer, a Slice, a Window, a Scalar (clamped into the axis),
/// newaxis or ellipsis. Integers and Scalars drop their axis.
struct Index {
  enum class Kind : std::uint8_t { integer, slice, window, run_time, new_axis, ellipsis };

  template <std::integral T>
  Index(T i) : kind(Kind::integer), integer(static_cast<std::int64_t>(i)) {}
  Index(const Slice& s) : kind(Kind::slice), slice(s) {}
  Index(const Window& w) : kind(Kind::window), integer(w.size), start(w.start) {}
  Index(const Scalar& s) : kind(Kind::run_time), start(s) {}
  Index(NewAxis) : kind(Kind::new_axis) {}
  Index(Ellipsis) : kind(Kind::ellipsis) {}

  Kind kind;
  std::int64_t integer = 0;
  Slice slice{};
  Tensor start{};
};

/// A part of a tensor, from `x.at(...)`.
class Selection {
 public:
  Selection(Tensor x, std::vector<Index> index) : x_(std::move(x)), index_(std::move(index)) {}

  /// The part as a tensor: a view, read in place. Raises Error as index().
  Tensor get() const;
  /// x with this part replaced by v, which broadcasts to it and is cast to x's dtype. The write is
  /// done in place if nothing else refers to x's storage when it is evaluated; otherwise x is
  /// copied first, which explain() shows. Raises Error when v does not broadcast to the part, when
  /// v is a number that x's integer dtype cannot hold, and as index().
  Tensor set(const Tensor& v) const;
  /// x with v, which broadcasts to this part and is cast to x's dtype, added to it. A basic index
  /// names each element once; trigon::scatter_add takes indices that occur several times. Raises
  /// Error as set().
  Tensor add(const Tensor& v) const;

 private:
  Tensor x_;
  std::vector<Index> index_;
};

/// Computes several values in one plan, so that shared work is done once.
///
/// Each root keeps its value in a texture as long as a tensor refers to it, whatever the root is
/// made of. Intermediate values that no tensor refers to are freed within the evaluation. Freed
/// textures are used again, so an evaluation that is repeated allocates nothing. It does not wait:
/// the draws are handed to the driver. Reading a value waits for it; synchronize(device) waits for
/// all.
///
/// roots : tensors of one device.
///
/// Raises Error for roots of different devices, DeviceError where memory is missing or a draw
/// failed.
void eval(std::span<const Tensor> roots);
inline void eval(std::initializer_list<Tensor> roots) {
  eval(std::span(roots.begin(), roots.size()));
}

/// A tensor of values in C order, uploaded to `device` or the default one. `values` points to
/// shape.numel() elements of the dtype (float16: two bytes each; bool: one byte each, true unless
/// 0). Raises DeviceError when the tensor does not fit the device. GL: glTexSubImage2D.
Tensor from_host(const void* values, DType dtype, const Shape& shape);
Tensor from_host(const void* values, DType dtype, const Shape& shape, const Device& device);

namespace detail {
void check_count(std::size_t count, const Shape& shape);
void check_item(const Shape& shape);
}  // namespace detail

/// A tensor of values in C order, of T's dtype, uploaded to `device` or the default one; a vector
/// if no shape is given: `tensor<float>({1, 2, 3, 4}, {2, 2})`. Raises Error when the shape does
/// not hold as many elements, DeviceError when the tensor does not fit the device.
template <class T>
Tensor tensor(std::span<const T> values, const Shape& shape) {
  detail::check_count(values.size(), shape);
  return from_host(values.data(), dtype_of<T>, shape);
}
template <class T>
Tensor tensor(std::span<const T> values, const Shape& shape, const Device& device) {
  detail::check_count(values.size(), shape);
  return from_host(values.data(), dtype_of<T>, shape, device);
}
template <class T>
Tensor tensor(const std::vector<T>& values, const Shape& shape) {
  static_assert(!std::is_same_v<T, bool>,
                "std::vector<bool> is not contiguous; use uint8_t and astype");
  return tensor<T>(std::span<const T>(values), shape);
}
template <class T>
Tensor tensor(std::initializer_list<T> values, const Shape& shape) {
  return tensor<T>(std::span(values.begin(), values.size()), shape);
}
template <class T>
Tensor tensor(std::initializer_list<T> values) {
  return tensor<T>(values, Shape{static_cast<std::int64_t>(values.size())});
}

// Elementwise operators with NumPy's broadcasting and dtypes. Those of two tensors raise Error when
// the shapes do not broadcast.

/// add(a, b): a plus b. Raises Error when the shapes do not broadcast.
Tensor operator+(const Tensor& a, const Tensor& b);
/// subtract(a, b): a minus b. Raises Error when the shapes do not broadcast.
Tensor operator-(const Tensor& a, const Tensor& b);
/// multiply(a, b): a times b. Raises Error when the shapes do not broadcast.
Tensor operator*(const Tensor& a, const Tensor& b);
/// divide(a, b): a divided by b, as float32. Raises Error when the shapes do not broadcast.
Tensor operator/(const Tensor& a, const Tensor& b);
/// remainder(a, b): Python's %, with the sign of b. Raises Error when the shapes do not broadcast.
Tensor operator%(const Tensor& a, const Tensor& b);
/// negative(x): 0 - x.
Tensor operator-(const Tensor& x);
/// equal(a, b), as bool. Raises Error when the shapes do not broadcast.
Tensor operator==(const Tensor& a, const Tensor& b);
/// not_equal(a, b), as bool. Raises Error when the shapes do not broadcast.
Tensor operator!=(const Tensor& a, const Tensor& b);
/// less(a, b), as bool. Raises Error when the shapes do not broadcast.
Tensor operator<(const Tensor& a, const Tensor& b);
/// less_equal(a, b), as bool. Raises Error when the shapes do not broadcast.
Tensor operator<=(const Tensor& a, const Tensor& b);
/// greater(a, b), as bool. Raises Error when the shapes do not broadcast.
Tensor operator>(const Tensor& a, const Tensor& b);
/// greater_equal(a, b), as bool. Raises Error when the shapes do not broadcast.
Tensor operator>=(const Tensor& a, const Tensor& b);
/// `a = a + b`, a new tensor; b may stretch a. Raises as a + b; so do -=, *= and /=.
inline Tensor& operator+=(Tensor& a, const Tensor& b) { return a = a + b; }
inline Tensor& operator-=(Tensor& a, const Tensor& b) { return a = a - b; }
inline Tensor& operator*=(Tensor& a, const Tensor& b) { return a = a * b; }
inline Tensor& operator/=(Tensor& a, const Tensor& b) { return a = a / b; }

template <class T>
std::vector<T> Tensor::to_vector() const {
  if constexpr (std::is_same_v<T, bool>) {
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(size()));
    read(bytes.data(), boolean);
    return std::vector<bool>(bytes.begin(), bytes.end());
  } else {
    std::vector<T> values(static_cast<std::size_t>(size()));
    read(values.data(), dtype_of<T>);
    return values;
  }
}

template <class T>
T Tensor::item() const {
  detail::check_item(shape());
  T value{};
  read(&value, dtype_of<T>);
  return value;
}

template <std::convertible_to<std::int64_t>... N>
Tensor Tensor::reshape(N... dims) const {
  return reshape({static_cast<std::int64_t>(dims)...});
}

template <std::convertible_to<Index>... I>
Selection Tensor::at(const I&... index) const {
  return Selection(*this, std::vector<Index>{Index(index)...});
}

}  // namespace trigon

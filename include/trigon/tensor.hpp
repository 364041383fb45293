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

template <class T>
concept HostScalar = std::is_arithmetic_v<T>;

/// A handle to a value: the node of a lazy graph. Copies share the value. A tensor never changes;
/// what looks like a write (`x = x.at(0).set(v)`) makes a new one, in place where nothing else
/// refers to the old. Building the graph checks shapes and dtypes and throws at the call; reading
/// or `eval()` runs it.
class Tensor {
 public:
  /// An empty handle; every use of it but assignment throws.
  Tensor() noexcept = default;

  /// A number that takes part in the dtype rules as Python's do: `x * 2` keeps an int32 x int32,
  /// `x * 2.0` makes it float32. It is a constant of the graph: folded, hashed by value, a uniform
  /// in the shader.
  template <HostScalar T>
  Tensor(T value) : Tensor(constant(static_cast<double>(value), weak_kind<T>())) {}

  explicit Tensor(graph::NodePtr node) noexcept;
  Tensor(const Tensor& other) noexcept;
  Tensor(Tensor&& other) noexcept = default;
  Tensor& operator=(const Tensor& other) noexcept;
  Tensor& operator=(Tensor&& other) noexcept;
  ~Tensor();

  const Shape& shape() const;
  DType dtype() const;
  int ndim() const { return shape().rank(); }
  /// Number of elements.
  std::int64_t size() const { return shape().numel(); }
  Device device() const;
  bool empty_handle() const { return node_ == nullptr; }

  /// Computes the value now and keeps it on the device, in a texture of its own; does not wait for
  /// it (see trigon::eval). Returns *this. What is made of numbers
  /// alone (constants, iota, random numbers) lives on no device: it is computed again by each
  /// reader.
  const Tensor& eval() const;

  /// The elements in C order. T is the host type of dtype(); a float16 tensor is read as float.
  /// Raises Error when T is another dtype's host type.
  template <class T>
  std::vector<T> to_vector() const;

  /// The only element. Raises Error when size() is not 1 or T does not fit dtype().
  template <class T = float>
  T item() const;

  /// Copies the elements in C order into `out`, which holds size() elements of `dtype`'s host type.
  void read(void* out, DType dtype) const;

  Tensor astype(DType dtype) const;
  /// The same values on `device`, copied through the host.
  Tensor to(const Device& device) const;

  /// One size may be -1: what is left.
  template <std::convertible_to<std::int64_t>... N>
  Tensor reshape(N... dims) const;
  Tensor reshape(std::initializer_list<std::int64_t> dims) const {
    return reshape(std::span(dims.begin(), dims.size()));
  }
  Tensor reshape(std::span<const std::int64_t> dims) const;
  Tensor reshape(const Shape& shape) const;
  /// Axes reversed, or in the order given.
  Tensor transpose(std::span<const int> axes = {}) const;
  Tensor transpose(std::initializer_list<int> axes) const {
    return transpose(std::span(axes.begin(), axes.size()));
  }
  Tensor T() const { return transpose(); }

  /// Basic indexing along the first axis: `x[2]`, `x[Slice{1, 3}]`.
  Tensor operator[](const Index& index) const;

  /// Basic indexing, to read or to write: `x.at(0, Slice{2, 5}).get()`, `x = x.at(0).set(v)`.
  template <std::convertible_to<Index>... I>
  Selection at(const I&... index) const;

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

/// A number that changes from run to run without a new plan: a position, a slice's start, a length,
/// a rate. It is read as a 0-d tensor, int32 or float32.
class Scalar {
 public:
  template <HostScalar T>
  Scalar(T value) : Scalar(static_cast<double>(value), std::is_integral_v<T>) {}

  double value() const { return value_; }
  operator const Tensor&() const { return tensor_; }
  const Tensor& tensor() const { return tensor_; }

 private:
  Scalar(double value, bool integral);

  double value_;
  Tensor tensor_;
};

/// NumPy's start:stop:step. Negative values count from the end; steps of either sign, never 0.
struct Slice {
  std::optional<std::int64_t> start{};
  std::optional<std::int64_t> stop{};
  std::int64_t step = 1;
};

/// `size` elements from a run-time `start`, which the device clamps into [0, n - size].
struct Window {
  Scalar start;
  std::int64_t size;
};

struct NewAxis {};
struct Ellipsis {};
inline constexpr NewAxis newaxis{};
inline constexpr Ellipsis ellipsis{};

/// One entry of a basic index: an integer, a Slice, a Window, a run-time integer, newaxis or
/// ellipsis.
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

  Tensor get() const;
  /// x with this part replaced by v, which broadcasts to it and is cast to x's dtype. In place iff
  /// nothing else refers to x's storage when it is evaluated; else one copy, which explain() shows.
  Tensor set(const Tensor& v) const;

 private:
  Tensor x_;
  std::vector<Index> index_;
};

/// Computes several values in one plan, so that shared work is done once.
///
/// Allocates a texture for each root and for each value between that the plan stores; textures that
/// nothing refers to any more are used again first, and at a steady state none is made. It does not
/// wait: the draws are handed to the driver. Reading a value waits for it; synchronize(device)
/// waits for all.
///
/// roots : tensors of one device.
///
/// Raises Error for roots of different devices, DeviceError where memory is missing or a draw
/// failed.
void eval(std::span<const Tensor> roots);
inline void eval(std::initializer_list<Tensor> roots) {
  eval(std::span(roots.begin(), roots.size()));
}

/// A tensor of the host's values in C order, uploaded to `device` (the default device when none is
/// given). `values` holds shape.numel() elements of dtype's host type; of a bool any byte but 0
/// is 1.
Tensor from_host(const void* values, DType dtype, const Shape& shape);
Tensor from_host(const void* values, DType dtype, const Shape& shape, const Device& device);

namespace detail {
void check_count(std::size_t count, const Shape& shape);
void check_item(const Shape& shape);
}  // namespace detail

/// `tensor<float>({1, 2, 3, 4}, {2, 2})`; without a shape a vector.
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

Tensor operator+(const Tensor& a, const Tensor& b);
Tensor operator-(const Tensor& a, const Tensor& b);
Tensor operator*(const Tensor& a, const Tensor& b);
Tensor operator/(const Tensor& a, const Tensor& b);
/// Python's %: the sign of the divisor.
Tensor operator%(const Tensor& a, const Tensor& b);
Tensor operator-(const Tensor& x);
Tensor operator==(const Tensor& a, const Tensor& b);
Tensor operator!=(const Tensor& a, const Tensor& b);
Tensor operator<(const Tensor& a, const Tensor& b);
Tensor operator<=(const Tensor& a, const Tensor& b);
Tensor operator>(const Tensor& a, const Tensor& b);
Tensor operator>=(const Tensor& a, const Tensor& b);
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

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

#include <trigon/axes.hpp>
#include <trigon/config.hpp>
#include <trigon/detail/integer.hpp>
#include <trigon/detail/nested.hpp>
#include <trigon/detail/shape_class.hpp>
#include <trigon/dtype.hpp>
#include <trigon/error.hpp>
#include <trigon/fwd.hpp>

#define TRIGON_TEMPORARY_                                                                   \
  "trigon: this would assign to a temporary, and change nothing else; write x(0) = v, not " \
  "x[0] = v, where x is a variable and not const"

namespace trigon {

/// Options of var and stddev.
struct VarOptions {
  /// Whether reduced axes stay, as axes of size 1.
  bool keepdims = false;
  /// The divisor is n - ddof for n reduced elements, or 0 if that is negative.
  int ddof = 0;
};

/// The axes of diagonal and trace.
struct DiagonalOptions {
  int axis1 = 0;
  int axis2 = 1;
};

struct Index;
class SelectedPart;
class Selection;
namespace detail {
class RowIterator;
}

/// A handle to a value: a node of a lazy graph. Copies share the value.
///
/// A tensor never changes: a write (`x = x.at(0).set(v)`) makes a new one, in place if nothing else
/// refers to the old. Operations only build the graph; reading or eval() runs it. Every function of
/// tensors raises Error for an empty handle and for operands on different devices; its comment
/// names the other checks. Evaluating raises DeviceError when the device's memory or limits are
/// exceeded.
///
///   Tensor x = tensor<float>({1, 2, 3, 4}, {2, 2});
///   std::vector<float> y = exp(x + 1.0).to_vector<float>();
class Tensor {
 public:
  /// An empty handle. Only assigning to it and has_value() do not raise Error.
  Tensor() noexcept = default;

  /// A number with Python's dtype rules: `x * 2` keeps an int32 x int32, `x * 2.0` makes it
  /// float32. It is a constant of the graph, so changing it builds a new plan; changing a Scalar
  /// does not. An op raises Error when its integer dtype cannot hold the number. An integer by
  /// itself is int32: reading, printing, stacking or reshaping `Tensor(3000000000)` raises Error.
  /// `x < 3000000000` and arithmetic with uint32 use the exact number.
  template <HostScalar T>
  Tensor(T value) : Tensor(constant(static_cast<double>(value), weak_kind<T>())) {}

  /// The values of a braced list of numbers, on the default device: int32 for integers, float32 if
  /// one is a float, bool for bools. `Tensor{3}` has shape (1,); `Tensor(3)` is a number. Raises
  /// Error for a ragged list, more than eight levels, and an integer that int32 cannot hold.
  ///
  ///   Tensor m = {{1, 2}, {3, 4}};  // (2, 2) int32
  Tensor(std::initializer_list<detail::Nested> values);

  // A vector is uploaded by tensor(), which takes a shape and a device: this does not compile.
  template <HostScalar T>
  Tensor(const std::vector<T>&) {
    static_assert(detail::never<T>,
                  "trigon: a vector is not a tensor by itself; write tensor(values), or "
                  "tensor(values, {2, 3}) with a shape");
  }
  // Numbers in parentheses could be sizes or values: this does not compile.
  template <HostScalar A, HostScalar B, HostScalar... More>
  Tensor(A, B, More...) {
    static_assert(detail::never<A>,
                  "trigon: a tensor is made by name; write zeros(2, 3) for one of this shape, "
                  "Tensor{2, 3} for one of these values");
  }

  Tensor(const Tensor& other) noexcept;
  Tensor(Tensor&& other) noexcept = default;
  Tensor& operator=(const Tensor& other) & noexcept;
  Tensor& operator=(Tensor&& other) & noexcept;
  template <class V>
  Tensor& operator=(const V&) && {
    static_assert(detail::never<V>, TRIGON_TEMPORARY_);
    return *this;
  }
  template <class V = void>
  Tensor& operator=(std::initializer_list<detail::Nested>) && {
    static_assert(detail::never<V>, TRIGON_TEMPORARY_);
    return *this;
  }
  ~Tensor();

  /// Sizes of the axes.
  [[nodiscard]] const Shape& shape() const;
  /// Type of the elements.
  [[nodiscard]] DType dtype() const;
  /// Number of axes.
  [[nodiscard]] int ndim() const;
  /// Number of elements.
  [[nodiscard]] std::int64_t size() const;
  /// The size of an axis, `x.shape()[axis]`. Raises Error when it is out of range.
  [[nodiscard]] std::int64_t size(int axis) const;
  /// The device that the value belongs to; the default device for values made only of numbers.
  [[nodiscard]] Device device() const;
  /// Whether this refers to a value: false for an empty handle.
  [[nodiscard]] bool has_value() const { return node_ != nullptr; }

  /// Computes the value now and keeps it on the device, in a texture; does not wait for it (see
  /// trigon::eval). Returns *this.
  ///
  /// The texture holds every element, whatever the tensor is made of: 10^8 evaluated random numbers
  /// are 400 MB. Constants, arange and random numbers that are not evaluated take no memory, and
  /// each draw that reads them computes them for itself.
  const Tensor& eval() const;

  /// Evaluates, waits, and returns the elements in C order.
  ///
  /// T: the host type of dtype() (float for float16), or a type that holds its values: double for
  /// numbers of any dtype; integer types, std::int64_t among them, for integers. Other types do not
  /// compile. Raises Error when T is not of that kind and for an integer that T cannot hold,
  /// DeviceError as eval().
  template <class T = float>
  [[nodiscard]] std::vector<T> to_vector() const;

  /// Evaluates, waits, and returns the only element. Raises Error when size() is not 1, and as
  /// to_vector().
  template <class T = float>
  [[nodiscard]] T item() const;

  /// Evaluates and starts to copy the elements to the host, without waiting for them: see Future.
  /// The future gets the present values, whatever is written meanwhile, and holds no device memory
  /// but its copy. In profile webgl1, and so on a WebGL 1 context, the values are read at once, and
  /// this waits for them.
  ///
  /// T: as for to_vector(). Raises Error when T is not of that kind, DeviceError as eval() and when
  /// there is no memory for the copy. GL: glReadPixels into GL_PIXEL_PACK_BUFFER, glFenceSync.
  ///
  ///   Future<float> loss = step(batch).read_async<float>();
  ///   // ... the next step, while the device computes and copies this one
  ///   std::vector<float> values = loss.get();
  template <class T>
  [[nodiscard]] Future<T> read_async() const;

  /// Evaluates, waits, and copies the elements in C order to `out`, which has room for size()
  /// elements of `dtype`. Raises Error unless `dtype` is the tensor's (float32 for float16),
  /// DeviceError as eval(). GL: glReadPixels.
  void read(void* out, DType dtype) const;

  /// The same values as `dtype`. Floats are truncated to integers; values other than 0 become true.
  /// Raises Error for a host number that an integer dtype cannot hold.
  [[nodiscard]] Tensor astype(DType dtype) const;
  /// The same values on `device`. Values on another device are evaluated at once and copied through
  /// the host into a new texture. A tensor made only of numbers belongs to no device; it is
  /// computed on `device` at once and kept: 10^8 random numbers are 400 MB. Raises DeviceError when
  /// either device cannot hold the values.
  [[nodiscard]] Tensor to(const Device& device) const;
  // Casts are made by astype: this does not compile.
  template <std::same_as<DType> D>
  [[nodiscard]] Tensor to(D) const {
    static_assert(detail::never<D>, "trigon: x.to(device) copies; write x.astype(float16) to cast");
    return {};
  }

  /// The same elements in C order in another shape; one size may be -1 and is inferred. Raises
  /// Error when the sizes do not hold as many elements.
  template <std::convertible_to<std::int64_t>... N>
  [[nodiscard]] Tensor reshape(N... dims) const;
  [[nodiscard]] Tensor reshape(const Dims& dims) const;
  /// Axes in the given order, or reversed without one. Raises Error unless every axis occurs once.
  [[nodiscard]] Tensor transpose(const IntegerList<int>& axes = {}) const;
  /// `x.transpose(1, 0)` is `x.transpose({1, 0})`.
  template <std::integral... N>
    requires(sizeof...(N) > 0)
  [[nodiscard]] Tensor transpose(N... axes) const {
    const detail::core::Called called("transpose");
    return transpose({detail::checked<int>(axes)...});
  }
  /// Axes reversed.
  [[nodiscard]] Tensor T() const { return transpose(); }

  /// Basic indexing along the first axis, to read: `x[2]`, `x[Slice{1, 3}]`. Raises Error as
  /// index().
  [[nodiscard]] Tensor operator[](const Index& index) const;
  // NumPy's x[[0, 1]] takes rows: this does not compile.
  template <class V = void>
  [[nodiscard]] Tensor operator[](std::initializer_list<std::int64_t>) const {
    static_assert(detail::never<V>,
                  "trigon: a list is not an index; write take(x, {0, 1}) for these rows, x(0, 1) "
                  "for one element, x[Slice{0, 1}] for a part");
    return {};
  }

  /// A part of the tensor by basic indexing, to read or to write: `x.at(0, Slice{2, 5}).get()`,
  /// `x = x.at(0).set(v)`.
  template <std::convertible_to<Index>... I>
  [[nodiscard]] SelectedPart at(const I&... index) const;

  /// Basic indexing: `x(0, Slice{2, 5}, ellipsis)`. A part of a variable can also be assigned,
  /// `x(0) = v`: see Selection. Raises Error as index().
  template <std::convertible_to<Index>... I>
  [[nodiscard]] Tensor operator()(const I&... index) const&;
  template <std::convertible_to<Index>... I>
  [[nodiscard]] Selection operator()(const I&... index) &;

  /// The parts along the first axis in turn, `for (Tensor row : x)`: x[0], x[1], ... of the value
  /// that x has at the start. Raises Error for a tensor without axes.
  [[nodiscard]] detail::RowIterator begin() const;
  [[nodiscard]] detail::RowIterator end() const;

  // Methods that both numpy.ndarray and torch.Tensor have: x.sum(0) is sum(x, 0). Parameters,
  // results and errors are those of the functions with these names. `std` is stddev. There is no
  // x.repeat(n), which means repeat(x, n) in NumPy and tile(x, n) in PyTorch.

  [[nodiscard]] Tensor all(const Axes& axes = {}, bool keepdims = false) const;
  [[nodiscard]] Tensor any(const Axes& axes = {}, bool keepdims = false) const;
  [[nodiscard]] Tensor argmax(std::optional<int> axis = {}, bool keepdims = false) const;
  [[nodiscard]] Tensor argmin(std::optional<int> axis = {}, bool keepdims = false) const;
  [[nodiscard]] Tensor clip(const Tensor& low, const Tensor& high) const;
  [[nodiscard]] Tensor diagonal(std::int64_t offset = 0, const DiagonalOptions& options = {}) const;
  [[nodiscard]] Tensor dot(const Tensor& other) const;
  /// ravel(x).
  [[nodiscard]] Tensor flatten() const;
  [[nodiscard]] Tensor max(const Axes& axes = {}, bool keepdims = false) const;
  [[nodiscard]] Tensor mean(const Axes& axes = {}, bool keepdims = false) const;
  [[nodiscard]] Tensor min(const Axes& axes = {}, bool keepdims = false) const;
  [[nodiscard]] std::vector<Tensor> nonzero() const;
  [[nodiscard]] Tensor prod(const Axes& axes = {}, bool keepdims = false) const;
  [[nodiscard]] Tensor ravel() const;
  [[nodiscard]] Tensor squeeze(const Axes& axes = {}) const;
  [[nodiscard]] Tensor stddev(const Axes& axes = {}, const VarOptions& options = {}) const;
  template <class = void>
  [[nodiscard]] Tensor stddev(const VarOptions& options) const {
    return stddev(Axes(), options);
  }
  [[nodiscard]] Tensor sum(const Axes& axes = {}, bool keepdims = false) const;
  [[nodiscard]] Tensor swapaxes(int a, int b) const;
  [[nodiscard]] Tensor take(const Tensor& indices, int axis) const;
  [[nodiscard]] Tensor trace(std::int64_t offset = 0, const DiagonalOptions& options = {}) const;
  [[nodiscard]] Tensor var(const Axes& axes = {}, const VarOptions& options = {}) const;
  template <class = void>
  [[nodiscard]] Tensor var(const VarOptions& options) const {
    return var(Axes(), options);
  }

#define TRIGON_REDUCTION_(NAME) TRIGON_INTEGER_KEEPDIMS_(const, NAME, const Axes&)
  TRIGON_REDUCTION_(all)
  TRIGON_REDUCTION_(any)
  TRIGON_REDUCTION_(argmax)
  TRIGON_REDUCTION_(argmin)
  TRIGON_REDUCTION_(max)
  TRIGON_REDUCTION_(mean)
  TRIGON_REDUCTION_(min)
  TRIGON_REDUCTION_(prod)
  TRIGON_REDUCTION_(sum)
#undef TRIGON_REDUCTION_
  TRIGON_POSITIONAL_(const, stddev, "(x, 0, {.keepdims = true, .ddof = 1})", const Axes&)
  TRIGON_POSITIONAL_(const, var, "(x, 0, {.keepdims = true, .ddof = 1})", const Axes&)
  TRIGON_POSITIONAL_(const, diagonal, "(x, 0, {.axis1 = 1, .axis2 = 2})", std::int64_t)
  TRIGON_POSITIONAL_(const, trace, "(x, 0, {.axis1 = 1, .axis2 = 2})", std::int64_t)

  // Elementwise functions that torch.Tensor has as methods: x.exp() is exp(x).

  [[nodiscard]] Tensor abs() const;
  [[nodiscard]] Tensor arccos() const;
  [[nodiscard]] Tensor arccosh() const;
  [[nodiscard]] Tensor arcsin() const;
  [[nodiscard]] Tensor arcsinh() const;
  [[nodiscard]] Tensor arctan() const;
  [[nodiscard]] Tensor arctanh() const;
  [[nodiscard]] Tensor bitwise_not() const;
  [[nodiscard]] Tensor ceil() const;
  [[nodiscard]] Tensor cos() const;
  [[nodiscard]] Tensor cosh() const;
  [[nodiscard]] Tensor erf() const;
  [[nodiscard]] Tensor erfinv() const;
  [[nodiscard]] Tensor exp() const;
  [[nodiscard]] Tensor exp2() const;
  [[nodiscard]] Tensor expm1() const;
  [[nodiscard]] Tensor floor() const;
  [[nodiscard]] Tensor isfinite() const;
  [[nodiscard]] Tensor isinf() const;
  [[nodiscard]] Tensor isnan() const;
  [[nodiscard]] Tensor log() const;
  [[nodiscard]] Tensor log10() const;
  [[nodiscard]] Tensor log1p() const;
  [[nodiscard]] Tensor log2() const;
  [[nodiscard]] Tensor logical_not() const;
  [[nodiscard]] Tensor negative() const;
  [[nodiscard]] Tensor reciprocal() const;
  [[nodiscard]] Tensor relu() const;
  [[nodiscard]] Tensor round() const;
  [[nodiscard]] Tensor rsqrt() const;
  [[nodiscard]] Tensor sigmoid() const;
  [[nodiscard]] Tensor sign() const;
  [[nodiscard]] Tensor signbit() const;
  [[nodiscard]] Tensor sin() const;
  [[nodiscard]] Tensor sinh() const;
  [[nodiscard]] Tensor sqrt() const;
  [[nodiscard]] Tensor square() const;
  [[nodiscard]] Tensor tan() const;
  [[nodiscard]] Tensor tanh() const;
  [[nodiscard]] Tensor trunc() const;

  /// A tensor has no truth value, only its elements have: this does not compile.
  template <std::same_as<bool> B>
  explicit operator B() const {
    static_assert(detail::never<B>,
                  "trigon: a tensor does not convert to bool; write any(x).item<bool>(), "
                  "all(x).item<bool>(), or where(condition, a, b)");
    return {};
  }
  /// Numbers are read with item(): this does not compile.
  template <HostScalar N>
    requires(!std::same_as<N, bool>)
  explicit operator N() const {
    static_assert(detail::never<N>,
                  "trigon: a tensor does not convert to a number; write x.item(), x.item<int>() or "
                  "x.item<double>() for its only element");
    return {};
  }

 private:
  friend struct detail::Internals;
  explicit Tensor(detail::graph::NodePtr node) noexcept;
  const detail::graph::NodePtr& node() const;
  template <HostScalar T>
  static constexpr NumberKind weak_kind() {
    if constexpr (std::is_same_v<T, bool>) return NumberKind::boolean;
    return std::is_integral_v<T> ? NumberKind::integer : NumberKind::floating;
  }
  static detail::graph::NodePtr constant(double value, NumberKind kind);

  template <class T>
  std::vector<T> values() const;

  void acquire() const noexcept;
  void release() noexcept;

  detail::graph::NodePtr node_;
};

template <std::convertible_to<std::int64_t>... N>
Tensor Tensor::reshape(N... dims) const {
  static_assert((!std::floating_point<N> && ...) && (!std::same_as<N, bool> && ...),
                "trigon: a size is a whole number; write x.reshape(2, 3), not x.reshape(2.0, 3)");
  const auto sizes = [&]() -> std::array<std::int64_t, sizeof...(N)> {
    const detail::core::Called called("reshape");
    return {detail::checked<std::int64_t>(dims)...};
  }
  ();
  return reshape(Dims(sizes));
}

}  // namespace trigon

#undef TRIGON_TEMPORARY_

// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trigon/axes.hpp>
#include <trigon/scalar.hpp>
#include <trigon/shape.hpp>
#include <trigon/tensor.hpp>

// Kernels of your own, for what tensor code can't say: you write GLSL of one element, the library
// writes signature, addressing, strides and the text of both profiles. The grammar is CuPy's.
//
// A parameter is `[raw | rawnd] TYPE NAME`. TYPE is float32, float16, int32, uint32, uint8, bool,
// GLSL's float, int or uint, or a capital letter that stands for the dtype of the arguments with
// that letter; numbers of the host and Scalars yield to those of tensors, among themselves to a
// float. In the body and the preamble a type is GLSL's float, int, uint or bool, and each letter is
// a name of its type: `T sum = T(0);`.
//
// Inputs broadcast, and the body sees their element. A raw input is read by its number in C order,
// `x(n)` or `x[n]`, a rawnd one by an index per axis, `x(n, m)`. An index past the input is clamped
// into it; with TRIGON_CHECK=1 it is an Error.
//
// Further names, all int, in the body of an ElementwiseKernel or Kernel, not in its preamble: `i`,
// the number of the result's element in C order; `_z_0`, `_z_1`, ..., its index along each axis, z
// being the first output; `_ind_size`, the number of elements; `_x_shape_0`, ..., the sizes of a
// raw or rawnd input x. In the map expression of a ReductionKernel they are those of the elements
// that are reduced, without `_z_0`; in post_map those of the results, without `_x_shape_0`. A body
// may declare such a name itself.
//
// A name that the body or the preamble declares hides a parameter's from there to the end of its
// block, as in GLSL. Raw inputs are functions: the preamble may call them, too. `discard` is not
// allowed. A backslash at the end of a line joins it with the next one, in both profiles.
//
// Kernels are ops. Those that name neither a raw input nor an index fuse with the elementwise code
// around them; the others are fused with what reads them, and their raw inputs are stored first. A
// Scalar as an argument makes no new program. Make a kernel once and call it often: one with the
// same texts is the same op, and ops are never freed. cost() does not count what a body fetches
// from raw inputs.
//
// Profile webgl1 has GLSL ES 1.00: loops need constant bounds, all integers are int and exact up to
// 2^24, there are no bitwise operators, and a kernel has one output. uint8 results wrap in both.
//
// With the environment variable TRIGON_CHECK=1, read when a device opens, each draw of a kernel
// that reads raw inputs or loops is done twice: the first one writes no result but a float texture
// that tells of reads past an input and of more trips than the driver runs, and is read back. This
// takes about twice as long as without, and waits for each such draw.

namespace trigon {

/// A kernel's gradient: from the gradients g of its results, its inputs (cast to the kernel's
/// dtypes and broadcast, raw ones as they are) and its results y, the gradients towards the inputs,
/// each of its input's shape; an empty Tensor for an input without one. With several results it is
/// called once for each, the other g being zeros.
using KernelGradient = std::function<std::vector<Tensor>(
    std::span<const Tensor> g, std::span<const Tensor> inputs, std::span<const Tensor> y)>;

class ElementwiseKernel;

/// What a kernel may have besides its body.
struct KernelOptions {
  std::string preamble{};     ///< GLSL functions that the body calls
  KernelGradient gradient{};  ///< none: not differentiable
  std::string
      reduce_type{};  ///< of a ReductionKernel: TYPE of a and b; the first output's if empty

  /// The gradient as a kernel: of (g..., inputs..., results...), as many of them from the first as
  /// it has inputs, with one output for each input. Its body may leave inputs out. Raises Error at
  /// the call of vjp where the numbers differ.
  ///
  ///   KernelOptions options;  // of z = exp(x), whose gradient needs no x
  ///   options.with_gradient({"T g, T x, T z", "T dx", "dx = g * z", "exp_gradient"});
  KernelOptions& with_gradient(ElementwiseKernel kernel);
};

namespace detail::custom {
struct KernelText;
}

/// A function of elements, as CuPy's ElementwiseKernel.
///
/// inputs, outputs : parameters, separated by commas. Outputs are not raw; a letter among them is
///     one of an input.
/// body : GLSL statements that set the outputs. The last semicolon may be missing.
/// name : of letters, digits and underscores, at most 200, for errors and explain().
///
/// Raises Error for a malformed parameter, an unknown type or letter, a name that is given twice,
/// reserved (i, gl_..., u_..., one that ends with _ or with _k and a number, or holds __, a keyword
/// of GLSL), or, of an output, not used by the body, and for `discard`, with its line.
///
///   ElementwiseKernel squared_difference("T x, T y", "T z", "z = (x - y) * (x - y)",
///                                        "squared_difference");
///   Tensor z = squared_difference(a, b) * 2.0;  // one draw
///   ElementwiseKernel reversed("raw T x", "T y", "y = x(_ind_size - 1 - i)", "reversed");
///   Tensor y = reversed.call({x}, x.shape())[0];
class [[nodiscard]] ElementwiseKernel {
 public:
  [[nodiscard]] ElementwiseKernel(std::string_view inputs, std::string_view outputs,
                                  std::string_view body, std::string_view name,
                                  KernelOptions options = {});

  /// The one result. Raises Error where there are several, and as call().
  template <std::convertible_to<Tensor>... T>
  [[nodiscard]] Tensor operator()(const T&... arguments) const {
    return only(call(std::vector<Tensor>{Tensor(arguments)...}));
  }
  /// All results, which share a draw, of the shape that the inputs which are not raw broadcast to,
  /// or of `shape`, to which they must broadcast.
  ///
  /// Raises Error for an input that the body leaves out, unless the kernel is a gradient, for
  /// another number of arguments, for dtypes that don't fit, for shapes that do not broadcast,
  /// without a shape where all inputs are raw, for a raw input without elements, and for a body
  /// that does not compile, with its line and the driver's words; where all arguments are numbers
  /// alone, the evaluation raises that. DeviceError for more outputs than the device attaches to a
  /// draw.
  [[nodiscard]] std::vector<Tensor> call(std::span<const Tensor> arguments,
                                         const std::optional<Shape>& shape = {}) const;
  [[nodiscard]] std::vector<Tensor> call(std::initializer_list<Tensor> arguments,
                                         const std::optional<Shape>& shape = {}) const {
    return call(std::span(arguments.begin(), arguments.size()), shape);
  }

  [[nodiscard]] int input_count() const;
  [[nodiscard]] int output_count() const;

 private:
  friend class Kernel;
  friend struct KernelOptions;
  explicit ElementwiseKernel(std::shared_ptr<const detail::custom::KernelText> text)
      : text_(std::move(text)) {}
  Tensor only(std::vector<Tensor> results) const;

  std::shared_ptr<const detail::custom::KernelText> text_;
};

/// A reduction, as CuPy's ReductionKernel: of map(inputs) by an associative and commutative
/// operation. It shares its draw with the elementwise code below and above it.
///
/// map : an expression of the inputs' elements.
/// reduce : an expression of `a` and `b`, two partial results.
/// post_map : statements that set the outputs from `a`; here `_in_ind_size` and `_out_ind_size` are
///     the numbers of elements reduced from and to.
/// identity : an expression, the result of reducing nothing.
///
/// Raises Error as ElementwiseKernel, and for an output named a or b.
///
///   ReductionKernel l2norm("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0.0", "l2norm");
///   Tensor norms = l2norm(x, 1, true);  // keepdims
class [[nodiscard]] ReductionKernel {
 public:
  [[nodiscard]] ReductionKernel(std::string_view inputs, std::string_view outputs,
                                std::string_view map, std::string_view reduce,
                                std::string_view post_map, std::string_view identity,
                                std::string_view name, const KernelOptions& options = {});

  /// The one result of one input, over `axes`. Raises Error where there are several, and as call().
  [[nodiscard]] Tensor operator()(const Tensor& x, const Axes& axes = {},
                                  bool keepdims = false) const;
  /// All results. Raises as ElementwiseKernel::call, and for axes that are out of range or given
  /// twice.
  [[nodiscard]] std::vector<Tensor> call(std::span<const Tensor> arguments, const Axes& axes = {},
                                         bool keepdims = false) const;
  [[nodiscard]] std::vector<Tensor> call(std::initializer_list<Tensor> arguments,
                                         const Axes& axes = {}, bool keepdims = false) const {
    return call(std::span(arguments.begin(), arguments.size()), axes, keepdims);
  }
  TRIGON_INTEGER_KEEPDIMS_(const, operator(), const Tensor&, const Axes&)
  TRIGON_INTEGER_KEEPDIMS_(const, call, std::span<const Tensor>, const Axes&)
  TRIGON_INTEGER_KEEPDIMS_(const, call, std::initializer_list<Tensor>, const Axes&)

 private:
  struct Parts;
  std::shared_ptr<const Parts> parts_;
};

/// A number that a Kernel's body names: int or float by the value's type. Another value makes no
/// new plan.
struct KernelUniform {
  std::string name;
  Scalar value;
};

struct KernelDesc {
  std::string name;
  /// Parameters as of an ElementwiseKernel; a name alone is rawnd, of any dtype.
  std::vector<std::string> inputs{};
  /// Parameters; a name alone has the dtype of the first input, float32 without one.
  std::vector<std::string> outputs{"out"};
  std::vector<KernelUniform> uniforms{};
  std::string body;
  std::string preamble{};
  /// Its inputs are those above and then the uniforms; so are the gradients that it returns.
  KernelGradient gradient{};
};

/// A kernel with a body of its own: it reads its inputs wherever it wants and computes one element
/// of each output. Outputs have the first input's shape unless a call says another.
///
/// Raises Error as ElementwiseKernel.
///
///   Kernel blur({.name = "blur",
///                .inputs = {"image"},
///                .uniforms = {{"radius", 2}},
///                .body = R"(
///                  float sum = 0.0, count = 0.0;
///                  for (int k = -16; k <= 16; ++k) {
///                    int column = _out_1 + k;
///                    bool inside = column >= 0 && column < _image_shape_1;
///                    if (!inside || k < -radius || k > radius) continue;
///                    sum += image(_out_0, column);
///                    count += 1.0;
///                  }
///                  out = sum / count;)"});
///   Tensor soft = blur(image);
///   Tensor softer = blur.with({{"radius", 5}})(image);  // the same program
class [[nodiscard]] Kernel {
 public:
  [[nodiscard]] explicit Kernel(KernelDesc desc);

  /// The kernel with other values of some uniforms. Raises Error for a name that is none.
  [[nodiscard]] Kernel with(const std::vector<KernelUniform>& uniforms) const;

  /// The one result. Raises Error where there are several, and as call().
  template <std::convertible_to<Tensor>... T>
  [[nodiscard]] Tensor operator()(const T&... arguments) const {
    return kernel_.only(call(std::vector<Tensor>{Tensor(arguments)...}));
  }
  /// All results. Raises as ElementwiseKernel::call.
  [[nodiscard]] std::vector<Tensor> call(std::span<const Tensor> arguments,
                                         const std::optional<Shape>& shape = {}) const;
  [[nodiscard]] std::vector<Tensor> call(std::initializer_list<Tensor> arguments,
                                         const std::optional<Shape>& shape = {}) const {
    return call(std::span(arguments.begin(), arguments.size()), shape);
  }

 private:
  ElementwiseKernel kernel_;
  std::vector<KernelUniform> uniforms_;
};

}  // namespace trigon

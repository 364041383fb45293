// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trigon/axes.hpp>
#include <trigon/detail/shape_class.hpp>
#include <trigon/scalar.hpp>
#include <trigon/tensor.hpp>

// Custom kernels, for computations that tensor code cannot express. You write GLSL for one element;
// the library adds signature, addressing and strides, in both profiles. The grammar is CuPy's.
//
// A parameter is `[raw | rawnd] TYPE NAME`. TYPE is float32, float16, int32, uint32, uint8, bool,
// GLSL's float, int or uint, or a capital letter. A letter is the dtype of the arguments declared
// with it: that of the tensors among them; with only host numbers and Scalars, a float wins. In the
// body and the preamble a type is GLSL's float, int, uint or bool, and each letter is an alias of
// its type: `T sum = T(0);`.
//
// Inputs broadcast, and their name in the body is their element. A raw input is read by position in
// C order, `x(n)` or `x[n]`, a rawnd one by one index per axis, `x(n, m)`. An index out of range is
// clamped; with TRIGON_CHECK=1 it is an Error.
//
// The body of an ElementwiseKernel or Kernel, but not its preamble, has these further names, all
// int:
//
// - `i`: the position of the result's element in C order
// - `_z_0`, `_z_1`, ...: its index along each axis, if z is the first output
// - `_ind_size`: the number of elements
// - `_x_shape_0`, ...: the sizes of a raw or rawnd input x
//
// In the map expression of a ReductionKernel they refer to the elements that are reduced, and
// `_z_0` is missing. In post_map they refer to the results, and `_x_shape_0` is missing. A body may
// redeclare such a name.
//
// A name declared in the body or the preamble hides a parameter's name until the end of its block,
// as in GLSL. Raw inputs are functions, so the preamble may call them, too. `discard` is not
// allowed. A backslash at the end of a line joins it with the next one, in both profiles.
//
// Kernels are ops. Those that use neither raw inputs nor an index fuse with the elementwise code
// around them. The others only fuse with their consumers, and their raw inputs are stored first.
// Scalars as arguments need no new program. Make a kernel once and call it often: kernels with
// equal texts are one op, and ops are never freed. cost() does not count fetches from raw inputs.
//
// Profile webgl1 has GLSL ES 1.00: loops need constant bounds, there are no bitwise operators, and
// a kernel has one output. All integers are int, exact up to 2^24. uint8 results wrap in both
// profiles.
//
// With the environment variable TRIGON_CHECK=1, read when a device opens, each draw of a kernel
// with raw inputs or loops is done twice. The first draw only reports reads out of range and loops
// with more iterations than the driver runs, in a float texture that is read back. This takes about
// twice as long and waits for each such draw.

namespace trigon {

/// A kernel's gradient: a function of the gradients g of its results, its inputs and its results y.
/// The inputs are cast to the kernel's dtypes and broadcast; raw inputs are unchanged. Returns a
/// gradient for each input, of that input's shape, or an empty Tensor if there is none. If the
/// kernel has several results, it is called once for each, with zeros as the other g.
using KernelGradient = std::function<std::vector<Tensor>(
    std::span<const Tensor> g, std::span<const Tensor> inputs, std::span<const Tensor> y)>;

class ElementwiseKernel;

/// Optional parts of a kernel.
struct KernelOptions {
  std::string preamble{};     ///< GLSL functions that the body calls
  KernelGradient gradient{};  ///< empty: not differentiable
  std::string
      reduce_type{};  ///< of a ReductionKernel: TYPE of a and b; the first output's if empty

  /// Sets the gradient to a kernel with one output for each input. Its inputs are the first of
  /// (g..., inputs..., results...), as many as it declares. Its body may leave inputs unused. vjp
  /// raises Error when the numbers do not match.
  ///
  ///   KernelOptions options;  // of z = exp(x), whose gradient needs no x
  ///   options.with_gradient({"T g, T x, T z", "T dx", "dx = g * z", "exp_gradient"});
  KernelOptions& with_gradient(ElementwiseKernel kernel);
};

namespace detail::custom {
struct KernelText;
}

/// An elementwise function, as CuPy's ElementwiseKernel.
///
/// inputs, outputs : parameters, separated by commas. Outputs cannot be raw, and their letters must
///     occur among the inputs.
/// body : GLSL statements that set the outputs. The last semicolon may be missing.
/// name : at most 200 letters, digits and underscores, for errors and explain().
///
/// Raises Error for a malformed parameter, an unknown type or letter, a repeated or reserved name,
/// an output that the body does not use, and for `discard`, with its line. Reserved are i, gl_...,
/// u_..., GLSL's keywords, and names that contain __ or end with _ or with _k and a number.
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

  /// The only result. Raises Error when there are several, and as call().
  template <std::convertible_to<Tensor>... T>
  [[nodiscard]] Tensor operator()(const T&... arguments) const {
    return only(call(std::vector<Tensor>{Tensor(arguments)...}));
  }
  /// All results, computed in one draw. Their shape is the broadcast shape of the inputs that are
  /// not raw, or `shape`, to which these must broadcast.
  ///
  /// Raises Error for an input that the body leaves unused, unless the kernel is a gradient. Also
  /// for a wrong number of arguments, dtypes that do not match and shapes that do not broadcast.
  /// Also for a missing `shape` if all inputs are raw, and for a raw input without elements. A body
  /// that does not compile raises Error with its line and the driver's message; if all arguments
  /// are made only of numbers, the evaluation raises it. Raises DeviceError for more outputs than
  /// the device can attach to a draw.
  [[nodiscard]] std::vector<Tensor> call(const TensorList& arguments,
                                         const std::optional<Shape>& shape = {}) const;

  /// Numbers of parameters.
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

/// A reduction of map(inputs) by an associative and commutative operation, as CuPy's
/// ReductionKernel. It fuses with the elementwise code before and after it.
///
/// map : an expression of the inputs' elements.
/// reduce : an expression of `a` and `b`, two partial results.
/// post_map : statements that set the outputs from `a`. `_in_ind_size` and `_out_ind_size` are the
///     numbers of elements before and after the reduction.
/// identity : an expression, the result if no elements are reduced.
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

  /// The only result for one input, reduced over `axes`. Raises Error when there are several
  /// results, and as call().
  [[nodiscard]] Tensor operator()(const Tensor& x, const Axes& axes = {},
                                  bool keepdims = false) const;
  /// All results. Raises as ElementwiseKernel::call, and for axes that are out of range or given
  /// twice.
  [[nodiscard]] std::vector<Tensor> call(const TensorList& arguments, const Axes& axes = {},
                                         bool keepdims = false) const;
  TRIGON_INTEGER_KEEPDIMS_(const, operator(), const Tensor&, const Axes&)
  TRIGON_INTEGER_KEEPDIMS_(const, call, const TensorList&, const Axes&)

 private:
  struct Sections;
  std::shared_ptr<const Sections> sections_;
};

/// A named number in a Kernel's body: int or float by the value's type. Changing the value reuses
/// the plan.
struct KernelUniform {
  std::string name;
  Scalar value;
};

/// The description of a Kernel: the body's texts, its parameters and named numbers.
struct KernelDesc {
  std::string name;
  /// Parameters as of an ElementwiseKernel. A name without a type is rawnd, of any dtype.
  std::vector<std::string> inputs{};
  /// Parameters. A name without a type has the dtype of the first input, or float32 if there is
  /// none.
  std::vector<std::string> outputs{"out"};
  std::vector<KernelUniform> uniforms{};
  std::string body;
  std::string preamble{};
  /// Its inputs, and the gradients that it returns, are those of `inputs` and then `uniforms`.
  KernelGradient gradient{};
};

/// A kernel that reads its inputs at any index and computes one element of each output. Outputs
/// have the first input's shape unless a call gives another.
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

  /// The kernel with other values of some uniforms. Raises Error for an unknown name.
  [[nodiscard]] Kernel with(const std::vector<KernelUniform>& uniforms) const;

  /// The only result. Raises Error when there are several, and as call().
  template <std::convertible_to<Tensor>... T>
  [[nodiscard]] Tensor operator()(const T&... arguments) const {
    return kernel_.only(call(std::vector<Tensor>{Tensor(arguments)...}));
  }
  /// All results. Raises as ElementwiseKernel::call.
  [[nodiscard]] std::vector<Tensor> call(const TensorList& arguments,
                                         const std::optional<Shape>& shape = {}) const;

 private:
  ElementwiseKernel kernel_;
  std::vector<KernelUniform> uniforms_;
};

}  // namespace trigon

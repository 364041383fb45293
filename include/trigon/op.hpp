// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trigon/axes.hpp>
#include <trigon/dtype.hpp>
#include <trigon/fwd.hpp>
#include <trigon/tensor.hpp>

// Each op is declared once, as a spec of its family. From it follow the function, fusion, the GLSL
// of both dialects and the gradient, and also the CPU reference, tests, benchmark and manual entry.
// extend.hpp has the macros that declare ops of your own; trigon.hpp does not include this header.
//
// GLSL texts: operands are vec4 (four elements at once); booleans are vec4 of 0.0 and 1.0. A text
// is one expression. It may use functions of glsl/*.glsl, whose names end in `_`, and the macros
// INF_ and NAN_.

namespace trigon {

namespace detail::entries {
struct Registry;
}

/// A field that a declaration can't leave out.
template <class T>
class Required {
 public:
  template <class U>
    requires std::convertible_to<U, T>
  constexpr Required(U&& value) : value_(std::forward<U>(value)) {}
  constexpr operator const T&() const { return value_; }
  [[nodiscard]] constexpr const T& get() const { return value_; }

 private:
  T value_;
};

/// The interval of random test inputs.
struct Range {
  double low;
  double high;
};

/// A distance from the correctly rounded float32 result, in units in the last place.
struct Ulp {
  double count;
};
/// The same as an absolute difference.
struct Abs {
  double value;
};
/// The largest error of an op: within either bound a result is right.
struct Tolerance {
  constexpr Tolerance(Ulp u) : ulp(u.count) {}
  constexpr Tolerance(Abs a) : absolute(a.value) {}
  constexpr Tolerance(Ulp u, Abs a) : ulp(u.count), absolute(a.value) {}
  double ulp = 0;
  double absolute = 0;
};

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored \
    "-Wshadow"  // g++ warns about `boolean`, though the enumeration is scoped
/// The dtype in which an op computes, and that of its result.
enum class Result : std::uint8_t {
  floating,  ///< operands become float32; the result is float32
  same,      ///< operands and result have the promoted dtype; bool becomes int32 unless keeps_bool
  boolean,   ///< operands are promoted to one dtype; the result is bool
};
#pragma GCC diagnostic pop

/// An element-wise op of one operand.
struct UnarySpec {
  Required<const char*> name;
  /// Expression in x.
  Required<const char*> glsl;
  /// The same for int32, uint32 and uint8 operands (ivec4, uvec4), where the text differs.
  const char* glsl_int = nullptr;
  Required<Result> result;
  bool keeps_bool = false;
  /// `ref`, rounded to float32, has the bits that every device computes. The op on constants then
  /// is a constant.
  bool folds_exactly = false;
  Required<double (*)(double x)> ref;
  /// The reference of integers where doubles are not exact: the low 32 bits of the result.
  std::uint32_t (*ref_bits)(std::uint32_t x) = nullptr;
  /// Gradient towards x from the result's gradient g and the result y. nullptr: not differentiable.
  Required<Tensor (*)(const Tensor& g, const Tensor& x, const Tensor& y)> vjp;
  Required<Range> domain;
  Required<Tolerance> tolerance;
};

/// An element-wise op of two operands, which broadcast.
struct BinarySpec {
  Required<const char*> name;
  /// Expression in a and b.
  Required<const char*> glsl;
  const char* glsl_int = nullptr;
  Required<Result> result;
  bool keeps_bool = false;
  bool integers_only = false;  ///< floats are refused; profile webgl1 has no such op
  bool uint32_only = false;    ///< with integers_only: other integers are refused, too
  /// The result only depends on which operand is greater. With a number that the other operand's
  /// dtype cannot hold, it is the same for all elements. Only for a boolean result.
  bool is_comparison = false;
  bool is_sum = false;   ///< a + b: where blending adds, its terms may be added in any order
  bool is_less = false;  ///< a < b: of a position and a number, it is the border of joined tensors
  /// The error of integers where b is a negative number, as NumPy has it. nullptr: none.
  const char* negative_b = nullptr;
  bool folds_exactly = false;  ///< as in UnarySpec
  /// The a with which the op gives b, and the b with which it gives a: bit by bit, for all floats,
  /// also for -0. The op then does not run.
  std::optional<double> identity_a{};
  std::optional<double> identity_b{};
  /// `glsl` may compute 2 ** -1, a fraction, or 1 / 0. GLSL ES 1.00, which has only floats, then
  /// truncates the results of integers.
  bool leaves_integers = false;
  /// Most iterations of loops in the functions that `glsl` calls. Some drivers stop a shader after
  /// a number of iterations, so these count in a loop around the op.
  int loop_iterations = 0;
  int loop_iterations_int = 0;  ///< the same for integers of GLSL ES 3.00
  Required<double (*)(double a, double b)> ref;
  /// The reference of integers where doubles are not exact: the low 32 bits of the result.
  std::uint32_t (*ref_bits)(std::uint32_t a, std::uint32_t b) = nullptr;
  /// Gradients towards a and b, which have been broadcast to the result's shape; an empty Tensor
  /// where there is none. nullptr: not differentiable.
  Required<std::array<Tensor, 2> (*)(const Tensor& g, const Tensor& a, const Tensor& b,
                                     const Tensor& y)>
      vjp;
  Required<Range> domain_a;
  Required<Range> domain_b;
  Required<Tolerance> tolerance;
};

/// An element-wise op of three operands, which broadcast. The result has the promoted dtype.
struct TernarySpec {
  Required<const char*> name;
  /// Expression in a, b and c.
  Required<const char*> glsl;
  const char* glsl_int = nullptr;
  /// The first operand is a bool that takes no part in promotion.
  bool condition_first = false;
  bool chooses = false;  ///< bit by bit b where a holds, otherwise c: the other one is not needed
  Required<double (*)(double a, double b, double c)> ref;
  /// Gradients as in BinarySpec.
  Required<std::array<Tensor, 3> (*)(const Tensor& g, const Tensor& a, const Tensor& b,
                                     const Tensor& c, const Tensor& y)>
      vjp;
  Required<Range> domain;
  Required<Tolerance> tolerance;
};

/// A reduction over a tuple of up to four accumulators a0.. of type T: vec4, or ivec4 / uvec4 for
/// integer inputs. Four independent reductions run in the four lanes.
struct ReduceSpec {
  Required<const char*> name;
  Required<int> accumulators;
  /// Results, at most four.
  Required<int> outputs;
  /// Statements that set a0.. to the identity. LOWEST_ and HIGHEST_ are -inf and inf, or the
  /// integer limits.
  Required<const char*> identity;
  /// Statements that set a0.. from one element: x, and i, its index along the reduced axes (as T;
  /// exact below 2^24 where T is vec4).
  Required<const char*> lift;
  /// Statements that combine a0.. with b0.. into a0..; associative; a is the earlier part.
  Required<const char*> combine;
  /// Statements that set y0.. from a0...
  Required<const char*> finish;
  Required<Result> result;
  /// The result is an int32 position.
  bool gives_index = false;
  /// A reduction of no elements raises Error, since no result would be right.
  bool needs_element = false;
  /// The first of several outputs is a shift. The gradient treats it as constant, so it is only
  /// right for results that do not depend on the shift.
  bool first_is_shift = false;
  /// Computes y[0] ... y[outputs - 1] from the reduced elements in their order.
  Required<void (*)(std::span<const double> x, double* y)> ref;
  /// The same for integers, as bits, where doubles are not exact.
  std::uint32_t (*ref_bits)(std::span<const std::uint32_t> x) = nullptr;
  /// Gradient towards x, of x's shape, from the gradients g of the results y. Each has the axes of
  /// x, 1 where reduced. g is an empty Tensor where nothing depends on the result; so is the
  /// gradient where it is 0. nullptr: not differentiable.
  Required<Tensor (*)(std::span<const Tensor> g, const Tensor& x, std::span<const Tensor> y)> vjp;
  /// vjp is also right for a reduction of the first `length` elements, if the gradient past them is
  /// then set to 0: it neither counts nor combines elements of x.
  bool vjp_with_length = false;
  Required<Range> domain;
  Required<Tolerance> tolerance;
  /// For kernels made at run time (kernel.hpp): `identity` and `combine` are expressions of one
  /// element, in a and b, of the dtype `element`. The accumulator is the element itself.
  bool per_element = false;
  DType element = DType::float32;
  const char* preamble = nullptr;
};

/// How a kernel's body reads an input.
enum class Access : std::uint8_t {
  element,  ///< its element at the result's index
  raw,      ///< x(n): by number in C order
  rawnd,    ///< x(n0, n1, ...): by one index per axis
};

/// A kernel made at run time (kernel.hpp), with its types resolved. Its texts are GLSL for one
/// element, where each type is float, int, uint or bool.
struct KernelSpec {
  /// An input or an output.
  struct Parameter {
    std::string name;
    DType dtype = DType::float32;
    Access access = Access::element;
  };
  /// The meaning of a number that the body names.
  enum class What : std::uint8_t {
    number,  ///< the result element's number in C order
    index,   ///< its index along `axis`
    size,    ///< elements of the result
    extent,  ///< size of `input` along `axis`
  };
  /// A whole number that the body names.
  struct Number {
    std::string name;
    What what = What::number;
    int axis = 0;
    int input = 0;
  };

  std::string name;
  std::vector<Parameter> inputs{};
  std::vector<Parameter> outputs{};
  std::vector<Number> numbers{};
  std::vector<std::pair<std::string, DType>> letters{};  ///< names of types
  std::string section = "body";                          ///< name of the body in errors
  std::string body{};                                    ///< statements that set the outputs
  bool is_expression = false;  ///< the body is the value of the one output
  std::string preamble{};      ///< functions that the body calls

  // Fields of the library's own kernels: elementwise ops with any number of operands and results.
  // Their body is GLSL for four elements. Parameters are vec4, ivec4 or uvec4; in GLSL ES 1.00
  // always vec4.
  /// Computes one element of each output from one of each input. nullptr: a user's kernel.
  void (*ref)(std::span<const double> inputs, std::span<double> outputs) = nullptr;
  int instructions = 0;     ///< in the functions of `glsl/` that the body calls
  int loop_iterations = 0;  ///< iterations of loops in one call in GLSL ES 1.00

  [[nodiscard]] bool is_of_user() const { return ref == nullptr; }
  /// Whether a result only depends on its inputs' elements at the same index.
  [[nodiscard]] bool is_elementwise() const {
    for (const Parameter& input : inputs) {
      if (input.access != Access::element) return false;
    }
    return numbers.empty();
  }
};

enum class Family : std::uint8_t { unary, binary, ternary, reduce, kernel };

/// A declared op.
///
/// Ops are interned by content: the family, the name and every field that affects a result or its
/// dtype (not `ref`, `domain` and `tolerance`). Ops with equal content are one op with one id, even
/// if two shared objects declare it. The registry keeps a copy of the first, which is never freed.
/// Different ops may have the same name. Kernels made at run time are ops, too.
///
/// A shared object that declares ops must stay loaded while tensors made with them are
/// differentiated: `vjp` is its code.
struct Op {
  explicit Op(const UnarySpec& spec);
  explicit Op(const BinarySpec& spec);
  explicit Op(const TernarySpec& spec);
  explicit Op(const ReduceSpec& spec);
  explicit Op(const KernelSpec& spec);
  Op(const Op&) = delete;
  Op& operator=(const Op&) = delete;

  [[nodiscard]] const UnarySpec& unary() const { return *static_cast<const UnarySpec*>(spec); }
  [[nodiscard]] const BinarySpec& binary() const { return *static_cast<const BinarySpec*>(spec); }
  [[nodiscard]] const TernarySpec& ternary() const {
    return *static_cast<const TernarySpec*>(spec);
  }
  [[nodiscard]] const ReduceSpec& reduce() const { return *static_cast<const ReduceSpec*>(spec); }
  [[nodiscard]] const KernelSpec& kernel() const { return *static_cast<const KernelSpec*>(spec); }

  /// f(spec) with the spec of a declared op, which is not a kernel. f returns the same type for all
  /// families.
  template <class F>
  [[nodiscard]] auto visit(F f) const {
    switch (family) {
      case Family::unary: return f(unary());
      case Family::binary: return f(binary());
      case Family::ternary: return f(ternary());
      case Family::reduce:
      case Family::kernel: break;
    }
    return f(reduce());
  }

  /// The registry's copy; equal ops have the same one.
  [[nodiscard]] const Op& canonical() const { return *canonical_; }

  [[nodiscard]] friend bool operator==(const Op& a, const Op& b) { return a.id == b.id; }

  const Family family;
  const std::string_view name;
  const void* const spec;
  const int id;  ///< counts from 0 in the order of declaration; differs between processes

 private:
  friend struct detail::entries::Registry;
  Op(Family family, const char* name, const void* spec, int id);
  explicit Op(const Op* canonical);

  const Op* const canonical_;
};

/// The registry's copies of all declared ops, without kernels made at run time. Sorted by name,
/// then by order of declaration.
[[nodiscard]] std::vector<const Op*> registry();

/// The registry's copy of the first declared op of that name, or nullptr.
[[nodiscard]] const Op* find_op(std::string_view name);

/// The registry's copy of the op with that id. Raises Error when no op has it.
[[nodiscard]] const Op& op_of(int id);

namespace detail {
Tensor apply(const Op& op, const Tensor& x);
Tensor apply(const Op& op, const Tensor& a, const Tensor& b);
Tensor apply(const Op& op, const Tensor& a, const Tensor& b, const Tensor& c);
/// The results, each with the kept axes; with keepdims, reduced axes stay as axes of size 1. With
/// `length`, only the first `length` entries along the one reduced axis are read.
std::vector<Tensor> reduce(const Op& op, const Tensor& x, const Axes& axes, bool keepdims,
                           const Scalar* length = nullptr);
}  // namespace detail

}  // namespace trigon

// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trigon/op.hpp>

#include "graph/node.hpp"

// The user's text of a kernel, parsed once, and its types, resolved at each call.

namespace trigon::detail::custom {

/// A parameter whose type may depend on the arguments.
struct KernelParameter {
  std::string name;
  std::string letter{};  ///< parameters with the same letter have one dtype; empty: use `dtype`
  DType dtype = DType::float32;
  Access access = Access::element;
  bool is_used = true;  ///< inputs: whether the body uses it
};

/// The ops made from a text, by dtypes of letters and ranks.
class KernelOps {
 public:
  template <class F>
  const Op& get(const std::vector<int>& key, F make) {
    const std::lock_guard lock(mutex_);
    if (const auto found = known_.find(key); found != known_.end()) return *found->second;
    const Op& op = make();
    known_.emplace(key, &op);
    return op;
  }

 private:
  std::mutex mutex_;
  std::map<std::vector<int>, const Op*> known_;
};

struct KernelText {
  std::string name;
  std::vector<KernelParameter> inputs{};
  std::vector<KernelParameter> outputs{};
  std::string section = "body";
  std::string body{};
  bool is_expression = false;
  std::string preamble{};
  std::shared_ptr<const graph::Gradient> gradient{};
  std::shared_ptr<KernelOps> ops = std::make_shared<KernelOps>();  ///< copies share them
};

/// Dtypes of letters.
using Letters = std::map<std::string, DType>;

/// The type of GLSL ES 3.00 by which a body sees a dtype.
std::string_view glsl_type(DType dtype);

/// Raises Error, for `constructor`, unless the name can be one of GLSL.
void check_kernel_name(const char* constructor, std::string_view name);

// The checks of a kernel's texts: a Called that names it must live.

/// The parameters of a list. Raises Error where one is malformed.
std::vector<KernelParameter> parse_inputs(std::string_view list);
std::vector<KernelParameter> parse_outputs(std::string_view list);

/// Raises Error for reserved names and words, names that are given twice, and letters of outputs
/// that no input has.
void check_kernel(const KernelText& text);
/// Raises Error for reserved names and words in `body`, a section of the kernel, and for types
/// declared there.
void check_words(const KernelText& text, std::string_view section, std::string_view body);
/// Raises Error unless the body uses the name. If it uses a name that nothing declares, a misspelt
/// one, the error is about that.
void check_use(const KernelText& text, std::string_view name);
/// Whether a text uses a name where it has not declared it.
bool uses(std::string_view body, std::string_view name);

// The checks of a call, which name the kernel.

/// The dtypes of letters among the inputs. Raises Error for another number of arguments and for
/// dtypes that don't fit.
Letters letters_of(const KernelText& text, std::span<const Tensor> arguments);
/// The dtype in which a parameter is computed: float32 for float16.
DType dtype_of_parameter(const KernelParameter& parameter, const Letters& letters);
/// The arguments as the kernel reads them: cast and, unless raw, broadcast to `shape`.
std::vector<Tensor> prepared(const KernelText& text, const Letters& letters,
                             std::span<const Tensor> arguments, const Shape& shape);
/// The broadcast shape of the inputs that are not raw, or `wanted`, to which they must broadcast.
Shape result_shape(const KernelText& text, std::span<const Tensor> arguments, const Shape* wanted);

/// The op for these dtypes. Raises Error when the body names an axis that does not exist.
KernelSpec resolved(const KernelText& text, const Letters& letters, std::span<const Tensor> inputs,
                    const Shape& shape);

}  // namespace trigon::detail::custom

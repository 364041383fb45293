// SPDX-License-Identifier: MIT
#include "trigon/kernel.hpp"
#include "core/list.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>

#include <fmt/format.h>

#include "core/called.hpp"
#include "core/internals.hpp"
#include "core/quote.hpp"
#include "custom/kernel_text.hpp"
#include "glsl_text/words.hpp"
#include "graph/build.hpp"
#include "graph/named.hpp"
#include "pipeline/eval.hpp"
#include "trigon/shape.hpp"

namespace trigon {
namespace {

using detail::custom::check_use;
using detail::custom::KernelParameter;
using detail::custom::KernelText;
using detail::custom::Letters;
using graph::Gradient;

std::shared_ptr<const Gradient> shared(const KernelGradient& gradient) {
  return gradient ? std::make_shared<const Gradient>(gradient) : nullptr;
}

/// The op of a kernel for these inputs. If the device is known, checks that it compiles there.
const Op& op_for(const KernelText& text, const Letters& letters, std::span<const Tensor> inputs,
                 const Shape& shape, run::DeviceState* device) {
  std::vector<int> key{shape.rank()};
  for (const auto& [letter, dtype] : letters) key.push_back(static_cast<int>(dtype));
  for (const Tensor& input : inputs) key.push_back(input.ndim());
  const Op& op = text.ops->get(
      key, [&]() -> const Op& { return Op(resolved(text, letters, inputs, shape)).canonical(); });
  const core::Called called(text.name.c_str());
  if (device != nullptr && shape.numel() > 0) {
    pipeline::try_kernel(*device, op, inputs, shape);
  }
  return op;
}

run::DeviceState* device_among(std::span<const Tensor> inputs) {
  for (const Tensor& input : inputs) {
    if (detail::Internals::node(input)->device != nullptr)
      return detail::Internals::node(input)->device.get();
  }
  return nullptr;
}

/// The results of a kernel on inputs as it reads them, without its gradient.
std::vector<Tensor> results_of(const KernelText& text, const Letters& letters,
                               std::span<const Tensor> inputs, const Shape& shape) {
  return graph::kernel(op_for(text, letters, inputs, shape, device_among(inputs)), inputs, shape);
}

/// float16 is for storage only: results are computed as float32, then rounded.
void round_halves(const KernelText& text, std::vector<Tensor>& results) {
  for (std::size_t k = 0; k < results.size(); ++k) {
    const KernelParameter& output = text.outputs[k];
    if (!output.letter.empty() || output.dtype != DType::float16) continue;
    results[k] = results[k].astype(DType::float16);
  }
}

/// The results with the user's gradient, which sees the inputs cast and broadcast.
std::vector<Tensor> with_gradient(const KernelText& text, std::vector<Tensor> results,
                                  std::span<const Tensor> inputs) {
  if (text.gradient == nullptr) return results;
  const auto rule = [gradient = text.gradient, name = text.name](std::span<const Tensor> g,
                                                                 std::span<const Tensor> x,
                                                                 std::span<const Tensor> y) {
    const graph::UserCode scope;
    std::vector<Tensor> found = (*gradient)(g, x, y);
    if (found.size() != x.size()) {
      core::fail_in(name.c_str(), "wrong number of gradients: {}; must be {}, one for each input",
                    found.size(), x.size());
    }
    for (std::size_t k = 0; k < x.size(); ++k) {
      const bool fits = !found[k].has_value() || found[k].shape() == x[k].shape();
      if (fits) continue;
      core::fail_in(name.c_str(), "wrong shape of gradient {}: {}; must be that of its input, {}",
                    k, to_string(found[k].shape()), to_string(x[k].shape()));
    }
    return found;
  };
  return graph::call(
      std::make_shared<const graph::CallRules>(graph::CallRules{.name = text.name, .vjp = rule}),
      results, inputs);
}

void join_lines(KernelText& text) {
  text.body = glsl_text::with_joined_lines(text.body);
  text.preamble = glsl_text::with_joined_lines(text.preamble);
}

void check_outputs(const KernelText& text) {
  check_kernel(text);
  if (text.is_expression) return;
  for (const KernelParameter& output : text.outputs) {
    check_use(text, output.name);
  }
}

void check_inputs(const KernelText& text) {
  for (const KernelParameter& input : text.inputs) {
    if (!input.is_used) check_use(text, input.name);
  }
}

/// Notes which inputs the body leaves unused.
void note_uses(KernelText& text) {
  for (KernelParameter& input : text.inputs) {
    input.is_used = detail::custom::uses(text.body, input.name);
    const bool is_called = input.access != Access::element;
    if (is_called && !input.is_used && detail::custom::uses(text.preamble, input.name)) {
      check_use(text, input.name);
    }
  }
}

void check_body(KernelText& text) {
  check_outputs(text);
  note_uses(text);
  check_inputs(text);
}

/// The results, computed without unused inputs; if all are unused, the first one stays.
std::vector<Tensor> results_of_used(const KernelText& text, const Letters& letters,
                                    std::span<const Tensor> inputs, const Shape& shape) {
  const auto is_used = [](const KernelParameter& input) { return input.is_used; };
  const auto count = std::count_if(text.inputs.begin(), text.inputs.end(), is_used);
  if (count == std::ssize(inputs)) return results_of(text, letters, inputs, shape);
  KernelText rest = text;
  rest.inputs.clear();
  std::vector<Tensor> used;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    if (!text.inputs[k].is_used && (count > 0 || k > 0)) continue;
    rest.inputs.push_back(text.inputs[k]);
    used.push_back(inputs[k]);
  }
  return results_of(rest, letters, used, shape);
}

std::vector<Tensor> apply(const KernelText& text, std::span<const Tensor> arguments,
                          const Shape* wanted) {
  const Letters letters = letters_of(text, arguments);
  const Shape shape = result_shape(text, arguments, wanted);
  const std::vector<Tensor> inputs = prepared(text, letters, arguments, shape);
  std::vector<Tensor> results = results_of_used(text, letters, inputs, shape);
  round_halves(text, results);
  return with_gradient(text, std::move(results), inputs);
}

}  // namespace

// ---- ElementwiseKernel --------------------------------------------------------------------------

ElementwiseKernel::ElementwiseKernel(std::string_view inputs, std::string_view outputs,
                                     std::string_view body, std::string_view name,
                                     KernelOptions options) {
  detail::custom::check_kernel_name("ElementwiseKernel", name);
  const std::string own_name(name);
  const core::Called called(own_name.c_str());
  KernelText text{.name = own_name,
                  .inputs = detail::custom::parse_inputs(inputs),
                  .outputs = detail::custom::parse_outputs(outputs),
                  .body = std::string(body),
                  .preamble = std::move(options.preamble),
                  .gradient = shared(options.gradient)};
  join_lines(text);
  check_outputs(text);
  note_uses(text);
  text_ = std::make_shared<const KernelText>(std::move(text));
}

std::vector<Tensor> ElementwiseKernel::call(const TensorList& arguments,
                                            const std::optional<Shape>& shape) const {
  {
    const core::Called called(text_->name.c_str());
    check_inputs(*text_);
  }
  return apply(*text_, arguments, shape ? &*shape : nullptr);
}

Tensor ElementwiseKernel::only(std::vector<Tensor> results) const {
  if (results.size() == 1) return std::move(results[0]);
  core::fail_in(text_->name.c_str(), "several results: {}; call() returns them", results.size());
}

int ElementwiseKernel::input_count() const { return static_cast<int>(text_->inputs.size()); }
int ElementwiseKernel::output_count() const { return static_cast<int>(text_->outputs.size()); }

KernelOptions& KernelOptions::with_gradient(ElementwiseKernel kernel) {
  gradient = [kernel = std::move(kernel)](std::span<const Tensor> g, std::span<const Tensor> inputs,
                                          std::span<const Tensor> y) {
    std::vector<Tensor> arguments(g.begin(), g.end());
    core::append(arguments, inputs);
    core::append(arguments, y);
    const auto count = static_cast<std::size_t>(kernel.input_count());
    if (arguments.size() > count) arguments.resize(count);
    return apply(*kernel.text_, arguments, nullptr);
  };
  return *this;
}

// ---- ReductionKernel ----------------------------------------------------------------------------

struct ReductionKernel::Sections {
  KernelText map;                  ///< its only output is b
  KernelText post;                 ///< its first input is a
  KernelText reduce, identity;     ///< only to check that they compile
  std::vector<std::string> sizes;  ///< those of _in_ind_size and _out_ind_size that `post` uses
  std::shared_ptr<const Gradient> gradient;
  std::shared_ptr<detail::custom::KernelOps> reductions =
      std::make_shared<detail::custom::KernelOps>();
};

namespace {

constexpr std::string_view reduced_type = "reduced";  // the letter of a and b

/// The dtype of a partial result.
DType accumulated(DType dtype) {
  return dtype == DType::boolean ? DType::boolean : info(dtype).summed;
}

const Op& reduction(const KernelText& reduce, const KernelText& identity, DType element,
                    const Letters& letters) {
  std::map<std::string, std::string> types;
  for (const auto& [letter, dtype] : letters) {
    if (letter != reduced_type) types[letter] = detail::custom::glsl_type(dtype);
  }
  const std::string identity_text = glsl_text::renamed(identity.body, types);
  const std::string combine = glsl_text::renamed(reduce.body, types);
  const std::string preamble = glsl_text::renamed(reduce.preamble, types);
  return Op(ReduceSpec{.name = reduce.name.c_str(),
                       .accumulators = 1,
                       .outputs = 1,
                       .identity = identity_text.c_str(),
                       .lift = "",
                       .combine = combine.c_str(),
                       .finish = "",
                       .result = element == DType::boolean ? Result::boolean : Result::same,
                       .ref =
                           [](std::span<const double>, double*) {
                             core::fail_in("interpret", "no reference on the CPU: it is a kernel");
                           },
                       .vjp = nullptr,
                       .domain = Range{0, 1},
                       .tolerance = Ulp{0},
                       .per_element = true,
                       .element = element,
                       .preamble = preamble.c_str()})
      .canonical();
}

}  // namespace

ReductionKernel::ReductionKernel(std::string_view inputs, std::string_view outputs,
                                 std::string_view map, std::string_view reduce,
                                 std::string_view post_map, std::string_view identity,
                                 std::string_view name, const KernelOptions& options) {
  detail::custom::check_kernel_name("ReductionKernel", name);
  const std::string own_name(name);
  const core::Called called(own_name.c_str());
  Sections sections;
  const KernelText common{.name = own_name,
                          .preamble = glsl_text::with_joined_lines(options.preamble)};
  KernelText whole = common;
  whole.inputs = detail::custom::parse_inputs(inputs);
  whole.outputs = detail::custom::parse_outputs(outputs);
  check_kernel(whole);
  for (const KernelParameter& output : whole.outputs) {
    if (output.name != "a" && output.name != "b") continue;
    core::fail("name is reserved: {}; a and b are the partial results of a reduction", output.name);
  }
  KernelParameter partial = whole.outputs[0];
  if (!options.reduce_type.empty()) {
    partial = detail::custom::parse_outputs(options.reduce_type + " a").at(0);
  }
  const auto expression = [&](std::string_view section, std::string_view body) {
    KernelText text{.name = common.name, .preamble = common.preamble};
    text.section = section;
    text.body = glsl_text::with_joined_lines(body);
    text.is_expression = true;
    text.outputs = {partial};
    text.outputs[0].name = "_result";
    return text;
  };
  sections.map = expression("map expression", map);
  sections.map.inputs = whole.inputs;
  check_body(sections.map);
  sections.reduce = expression("reduce expression", reduce);
  sections.identity = expression("identity", identity);
  check_words(whole, sections.reduce.section, sections.reduce.body);
  check_words(whole, sections.identity.section, sections.identity.body);
  for (const char* operand : {"a", "b"}) {
    sections.reduce.inputs.push_back({.name = operand, .letter = std::string(reduced_type)});
  }
  for (const auto& operand : sections.reduce.inputs) check_use(sections.reduce, operand.name);
  sections.post = {.name = common.name, .preamble = common.preamble};
  sections.post.section = "post-map expression";
  sections.post.body = glsl_text::with_joined_lines(post_map);
  sections.post.outputs = whole.outputs;
  check_words(whole, sections.post.section, sections.post.body);
  sections.post.inputs = {{.name = "a", .letter = std::string(reduced_type)}};
  for (const KernelParameter& output : whole.outputs) {
    check_use(sections.post, output.name);
  }
  for (const char* size : {"_in_ind_size", "_out_ind_size"}) {
    if (!detail::custom::uses(sections.post.body, size)) continue;
    sections.sizes.emplace_back(size);
    sections.post.inputs.push_back({.name = size, .dtype = DType::int32});
  }
  sections.gradient = shared(options.gradient);
  sections_ = std::make_shared<const Sections>(std::move(sections));
}

Tensor ReductionKernel::operator()(const Tensor& x, const Axes& axes, bool keepdims) const {
  std::vector<Tensor> results = call(std::span(&x, 1), axes, keepdims);
  if (results.size() == 1) return std::move(results[0]);
  core::fail_in(sections_->map.name.c_str(), "several results: {}; call() returns them",
                results.size());
}

std::vector<Tensor> ReductionKernel::call(const TensorList& arguments, const Axes& axes,
                                          bool keepdims) const {
  const Sections& sections = *sections_;
  const KernelText& map = sections.map;
  Letters letters = letters_of(map, arguments);
  const DType element = accumulated(dtype_of_parameter(map.outputs[0], letters));
  letters[std::string(reduced_type)] = element;
  const Shape shape = result_shape(map, arguments, nullptr);
  const std::vector<Tensor> inputs = prepared(map, letters, arguments, shape);

  const auto held = [&](const KernelText& text) {
    KernelText one = text;
    one.outputs[0].letter.clear();
    one.outputs[0].dtype = element;
    return one;
  };
  const Tensor mapped = results_of(held(map), letters, inputs, shape)[0];
  const std::vector<Tensor> pair{mapped, mapped};
  run::DeviceState* const device = device_among(pair);
  op_for(held(sections.reduce), letters, pair, shape, device);
  op_for(held(sections.identity), letters, {}, Shape{}, device);

  std::vector<int> key{static_cast<int>(element)};
  for (const auto& [letter, dtype] : letters) key.push_back(static_cast<int>(dtype));
  const Op& op = sections.reductions->get(key, [&]() -> const Op& {
    return reduction(sections.reduce, sections.identity, element, letters);
  });
  const auto reduced = [&] {
    const graph::Named named(map.name.c_str());
    return graph::reduce(op, mapped, axes, keepdims, nullptr)[0];
  };
  const Tensor kept = reduced();
  std::vector<Tensor> operands{kept};
  for (const std::string& size : sections.sizes) {
    const Shape& counted = size == "_in_ind_size" ? mapped.shape() : kept.shape();
    const core::Called called(map.name.c_str());
    const std::int64_t count = counted.numel();
    operands.push_back(
        graph::expand(graph::constant(static_cast<double>(count), DType::int32), kept.shape()));
  }
  std::vector<Tensor> results = results_of(sections.post, letters, operands, kept.shape());
  round_halves(sections.post, results);
  const KernelText named{.name = map.name, .gradient = sections.gradient};
  return with_gradient(named, std::move(results), inputs);
}

// ---- Kernel -------------------------------------------------------------------------------------

namespace {

bool is_single_word(std::string_view text) {
  return text.find_first_of(" \t\n") == std::string_view::npos;
}

std::shared_ptr<const KernelText> text_of(KernelDesc& desc) {
  detail::custom::check_kernel_name("Kernel", desc.name);
  const core::Called called(desc.name.c_str());
  KernelText text{.name = desc.name,
                  .body = std::move(desc.body),
                  .preamble = std::move(desc.preamble),
                  .gradient = shared(desc.gradient)};
  join_lines(text);
  for (const std::string& input : desc.inputs) {
    if (is_single_word(input)) {
      text.inputs.push_back({.name = input, .letter = "of " + input, .access = Access::rawnd});
      continue;
    }
    for (KernelParameter& one : detail::custom::parse_inputs(input)) {
      text.inputs.push_back(std::move(one));
    }
  }
  for (const std::string& output : desc.outputs) {
    if (!is_single_word(output)) {
      for (KernelParameter& one : detail::custom::parse_outputs(output)) {
        text.outputs.push_back(std::move(one));
      }
      continue;
    }
    KernelParameter one = text.inputs.empty() ? KernelParameter{} : text.inputs[0];
    one.name = output;
    one.access = Access::element;
    text.outputs.push_back(std::move(one));
  }
  if (text.outputs.empty()) {
    core::fail("no output: there must be one");
  }
  for (const KernelUniform& uniform : desc.uniforms) {
    text.inputs.push_back({.name = uniform.name, .dtype = uniform.value.tensor().dtype()});
  }
  check_body(text);
  return std::make_shared<const KernelText>(std::move(text));
}

/// What apply() gives. Inputs from the `first` on are uniforms: if the line that does not compile
/// uses one that is an int since its value is whole, the error says so.
std::vector<Tensor> apply_with_uniforms(const KernelText& text, std::span<const Tensor> all,
                                        std::size_t first, const Shape& shape) {
  for (std::size_t k = first; k < all.size(); ++k) {
    if (text.inputs[k].dtype != DType::int32 || !is_float(all[k].dtype())) continue;
    core::fail_in(text.name.c_str(),
                  "uniform is a float: {}; the kernel was made with a whole one, an int",
                  text.inputs[k].name);
  }
  try {
    return apply(text, all, &shape);
  } catch (const DeviceError&) {
    throw;
  } catch (const Error& error) {
    const std::string what = error.what();
    const std::size_t line = what.rfind(" | "), end = what.rfind('\n');
    if (line == what.npos || end > line) throw;
    for (std::size_t k = first; k < all.size(); ++k) {
      const std::string& name = text.inputs[k].name;
      const bool is_int = text.inputs[k].dtype == DType::int32;
      if (!is_int || !detail::custom::uses(what.substr(line + 3), name)) continue;
      throw Error(fmt::format("{}; {} is an int, as its value is whole: write float({}){}",
                              what.substr(0, end), name, name, what.substr(end)));
    }
    throw;
  }
}

}  // namespace

Kernel::Kernel(KernelDesc desc) : kernel_(text_of(desc)), uniforms_(std::move(desc.uniforms)) {}

Kernel Kernel::with(const std::vector<KernelUniform>& uniforms) const {
  Kernel other = *this;
  for (const KernelUniform& uniform : uniforms) {
    const auto found =
        std::find_if(other.uniforms_.begin(), other.uniforms_.end(),
                     [&](const KernelUniform& one) { return one.name == uniform.name; });
    if (found == other.uniforms_.end()) {
      core::fail_in(kernel_.text_->name.c_str(), "no such uniform: {}", core::quote(uniform.name));
    }
    found->value = uniform.value;
  }
  return other;
}

std::vector<Tensor> Kernel::call(const TensorList& arguments,
                                 const std::optional<Shape>& shape) const {
  const KernelText& text = *kernel_.text_;
  const std::size_t count = text.inputs.size() - uniforms_.size();
  if (arguments.size() != count) {
    std::vector<std::string_view> names;
    for (std::size_t k = 0; k < count; ++k) names.push_back(text.inputs[k].name);
    core::fail_in(text.name.c_str(), "wrong number of arguments: {}; must be {} ({})",
                  arguments.size(), count, fmt::join(names, ", "));
  }
  std::vector<Tensor> all(arguments.begin(), arguments.end());
  for (const KernelUniform& uniform : uniforms_) all.push_back(uniform.value.tensor());
  if (shape) return apply_with_uniforms(text, all, count, *shape);
  if (count > 0) {
    {
      const graph::Named named(text.name.c_str());
      graph::check_operand(text.inputs[0].name, arguments[0]);
    }
    return apply_with_uniforms(text, all, count, arguments[0].shape());
  }
  core::fail_in(text.name.c_str(),
                "no shape: it has no input; pass the shape of the result to call()");
}

}  // namespace trigon

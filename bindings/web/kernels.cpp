// SPDX-License-Identifier: MIT
#include <utility>

#include <trigon/kernel.hpp>

#include "recorded.hpp"

// Kernels that a page writes: requests make them, and calls run them.

namespace web {
namespace {

using trigon::KernelGradient;
using trigon::KernelUniform;
using trigon::Tensor;
using Values = std::vector<Value>;

std::string text(Source& source, const char* function, const char* name, const Json& value) {
  return Type<std::string>::read({source, function, name, value});
}

Leaves inputs_of(Source& source, const char* function, const Json& list) {
  return Type<Leaves>::read({source, function, "inputs", list});
}

std::optional<trigon::Shape> shape_of(Source& source, const char* function, const Json& shape) {
  return Type<std::optional<trigon::Shape>>::read({source, function, "shape", shape});
}

// A rule of the gradients, the inputs and the results, as a page has recorded it.
KernelGradient gradient_of(Source& source, const Json& rule) {
  if (rule.is_null()) return {};
  return [f = Recorded(rule, source)](auto g, auto inputs, auto y) {
    Leaves all(g.begin(), g.end());
    all.insert(all.end(), inputs.begin(), inputs.end());
    all.insert(all.end(), y.begin(), y.end());
    return f(all);
  };
}

std::vector<KernelUniform> uniforms_of(Source& source, const Json& pairs) {
  std::vector<KernelUniform> uniforms;
  for (const Json& one : pairs) {
    const auto name = one.at(0).get<std::string>();
    uniforms.push_back({name, Type<trigon::Scalar>::read({source, "Kernel", name, one.at(1)})});
  }
  return uniforms;
}

std::vector<std::string> texts(Source& source, const char* name, const Json& list) {
  std::vector<std::string> found;
  for (const Json& one : list) found.push_back(text(source, "Kernel", name, one));
  return found;
}

}  // namespace

// [inputs, outputs, body, name, preamble, gradient] -> a function of [inputs, shape].
Values elementwise_kernel(Source& source, const Json& given) {
  const char* own = "ElementwiseKernel";
  trigon::KernelOptions options{.preamble = text(source, own, "preamble", given.at(4)),
                                .gradient = gradient_of(source, given.at(5))};
  const trigon::ElementwiseKernel kernel(
      text(source, own, "inputs", given.at(0)), text(source, own, "outputs", given.at(1)),
      text(source, own, "body", given.at(2)), text(source, own, "name", given.at(3)),
      std::move(options));
  return {callable([kernel, own](Source& inner, const Json& call) {
    return kernel.call(inputs_of(inner, own, call.at(0)), shape_of(inner, own, call.at(1)));
  })};
}

// [inputs, outputs, map, reduce, post_map, identity, name, preamble, reduce_type, gradient] -> a
// function of [inputs, axes, keepdims].
Values reduction_kernel(Source& source, const Json& given) {
  const char* own = "ReductionKernel";
  const trigon::KernelOptions options{.preamble = text(source, own, "preamble", given.at(7)),
                                      .gradient = gradient_of(source, given.at(9)),
                                      .reduce_type = text(source, own, "reduce_type", given.at(8))};
  const trigon::ReductionKernel kernel(
      text(source, own, "inputs", given.at(0)), text(source, own, "outputs", given.at(1)),
      text(source, own, "map", given.at(2)), text(source, own, "reduce", given.at(3)),
      text(source, own, "post_map", given.at(4)), text(source, own, "identity", given.at(5)),
      text(source, own, "name", given.at(6)), options);
  return {callable([kernel, own](Source& inner, const Json& call) {
    return kernel.call(inputs_of(inner, own, call.at(0)),
                       Type<trigon::Axes>::read({inner, own, "axis", call.at(1)}),
                       Type<bool>::read({inner, own, "keepdims", call.at(2)}));
  })};
}

// [name, inputs, outputs, uniforms, body, preamble, gradient] -> a function of [inputs, shape,
// uniforms].
Values kernel(Source& source, const Json& given) {
  const char* own = "Kernel";
  const trigon::Kernel kernel({.name = text(source, own, "name", given.at(0)),
                               .inputs = texts(source, "inputs", given.at(1)),
                               .outputs = texts(source, "outputs", given.at(2)),
                               .uniforms = uniforms_of(source, given.at(3)),
                               .body = text(source, own, "body", given.at(4)),
                               .preamble = text(source, own, "preamble", given.at(5)),
                               .gradient = gradient_of(source, given.at(6))});
  return {callable([kernel, own](Source& inner, const Json& call) {
    return kernel.with(uniforms_of(inner, call.at(2)))
        .call(inputs_of(inner, own, call.at(0)), shape_of(inner, own, call.at(1)));
  })};
}

}  // namespace web

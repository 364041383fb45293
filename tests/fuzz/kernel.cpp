// SPDX-License-Identifier: MIT
#include <trigon/kernel.hpp>
#include <trigon/trigon.hpp>

#include "glsl_text/words.hpp"
#include "target.hpp"

// Users' texts of kernels. Lines: a byte that chooses the class, the name, the inputs, the outputs,
// the map and reduction, then the preamble up to a line with "---", then the body.

namespace trigon::fuzz {
namespace {

void call_reduction(std::string_view name, std::string_view inputs, std::string_view outputs,
                    std::string_view map, std::string_view preamble, std::string_view body) {
  const ReductionKernel kernel(inputs, outputs, map, "a + b", body, "0", name,
                               {.preamble = std::string(preamble)});
  static_cast<void>(kernel.call({ones({2, 3})}, 1));
}

void call_elementwise(std::string_view name, std::string_view inputs, std::string_view outputs,
                      std::string_view preamble, std::string_view body) {
  const ElementwiseKernel kernel(inputs, outputs, body, name, {.preamble = std::string(preamble)});
  const Tensor arguments[] = {ones({2, 3}), iota(3), Tensor(2.0), ones({1}, uint32)};
  const auto count = static_cast<std::size_t>(std::min(kernel.input_count(), 4));
  static_cast<void>(kernel.call(std::span(arguments).first(count), Shape{2, 3}));
}

void call_kernel(std::string_view name, std::string_view inputs, std::string_view outputs,
                 std::string_view uniform, std::string_view preamble, std::string_view body) {
  KernelDesc desc{.name = std::string(name), .body = std::string(body)};
  desc.inputs = {std::string(inputs)};
  desc.outputs = {std::string(outputs)};
  if (!uniform.empty()) desc.uniforms = {{std::string(uniform), 2}};
  desc.preamble = preamble;
  static_cast<void>(Kernel(desc).call({ones({2, 3})}));
}

void read_words(std::string_view text) {
  for (const glsl_text::Word& word : glsl_text::words_of(text)) {
    require(word.at + word.text.size() <= text.size(), "words lie in the text");
    require(glsl_text::line_of(text, word.at) >= 1, "lines count from 1");
  }
  glsl_text::renamed(text, {{"x", "y"}});
  glsl_text::with_calls(text, {"x", "y"});
  glsl_text::with_each_iteration(text, "count();");
  glsl_text::names_defined_in(text);
  glsl_text::macros_defined_in(text);
}

}  // namespace

void run(Bytes bytes) {
  Reader reader(bytes);
  const int kind = reader.below(3);
  const std::string_view name = reader.line(), inputs = reader.line(), outputs = reader.line(),
                         extra = reader.line(), rest = reader.rest();
  constexpr std::string_view separator = "\n---\n";
  const std::size_t at = rest.find(separator);
  const bool is_split = at != std::string_view::npos;
  const std::string_view preamble = is_split ? rest.substr(0, at) : std::string_view{};
  const std::string_view body = is_split ? rest.substr(at + separator.size()) : rest;
  read_words(body);
  read_words(preamble);
  allow_errors([&] {
    if (kind == 0) call_elementwise(name, inputs, outputs, preamble, body);
    if (kind == 1) call_reduction(name, inputs, outputs, extra, preamble, body);
    if (kind == 2) call_kernel(name, inputs, outputs, extra, preamble, body);
  });
}

}  // namespace trigon::fuzz

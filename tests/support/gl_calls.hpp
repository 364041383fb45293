// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <trigon/tensor.hpp>

#include "support/gpt_step.hpp"
#include "support/null_gl.hpp"
#include "support/values.hpp"

// Helpers of tests with a GL that draws nothing.

namespace trigon::support {

using GlCalls = std::map<std::string, null_gl::Calls>;

inline GlCalls calls_of(const std::function<void()>& work) {
  null_gl::reset();
  work();
  return null_gl::calls();
}

/// Those of the last of a few runs.
inline GlCalls steady_calls_of(const std::function<void()>& work) {
  for (int k = 0; k < 12; ++k) work();
  return calls_of(work);
}

inline std::int64_t made(const GlCalls& calls, const std::string& name) {
  const auto found = calls.find(name);
  return found == calls.end() ? 0 : found->second.made;
}

/// The arguments of `gpt_step`.
struct GptInputs {
  explicit GptInputs(const GptSize& size)
      : parameters(gpt_parameters(size, [](const Shape& shape) { return filled(shape); })),
        ids(tensor<std::int32_t>(
            std::vector<std::int32_t>(static_cast<std::size_t>(size.batch * size.length), 3),
            {size.batch, size.length})),
        targets(filled({size.batch, size.length, size.vocabulary})) {}

  std::vector<Tensor> parameters;
  Tensor ids;
  Tensor targets;
};

}  // namespace trigon::support

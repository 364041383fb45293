// SPDX-License-Identifier: MIT
#include "kernel/compiled.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include <trigon/op.hpp>

#include "core/math.hpp"
#include "glsl_text/glsl_weight.hpp"

namespace trigon::detail::kernel {
namespace {

// In instructions of a kernel, measured on llvmpipe over all ops: a fetch is much code, while code
// in functions compiles faster than code between instructions.
constexpr std::int64_t of_a_fetch = 5;
constexpr std::int64_t of_a_decoding = 1;
constexpr std::int64_t operators_of_an_instruction = 8;

std::string text_of(const Op& op, const Instr& instr) {
  switch (op.family) {
    case Family::unary: return op.unary().glsl.get();
    case Family::binary: return op.binary().glsl.get();
    case Family::ternary: return op.ternary().glsl.get();
    case Family::kernel: return op.kernel().body + op.kernel().preamble;
    case Family::reduce: break;
  }
  const ReduceSpec& reduce = op.reduce();
  const char* text = instr.is<Lift>()      ? reduce.lift.get()
                     : instr.is<Combine>() ? reduce.combine.get()
                                           : reduce.finish.get();
  return text == nullptr ? "" : text;
}

/// Weighed once for each op and kind of operand.
glsl_text::GlslWeight weight_of(int id, const Instr& instr, bool ints) {
  static std::mutex mutex;
  static std::map<std::pair<int, std::size_t>, glsl_text::GlslWeight> known;
  const std::pair key(id, instr.operation.index() * 2 + (ints ? 1 : 0));
  const std::scoped_lock lock(mutex);
  if (const auto at = known.find(key); at != known.end()) return at->second;
  return known.emplace(key, glsl_text::glsl_weight(text_of(op_of(id), instr), ints)).first->second;
}

/// Number of different uniforms read by name. Tables are read from memory by an index.
std::int64_t floats_of(const Kernel& kernel) {
  std::set<std::int32_t> uniforms;
  for (const Instr& instr : kernel.code) {
    each<FloatUniform>(instr, [&uniforms](FloatUniform uniform) { uniforms.insert(uniform); });
  }
  return std::ssize(uniforms);
}

}  // namespace

core::Compiled compiled(const Kernel& kernel) {
  core::Compiled sum{.floats = floats_of(kernel)};
  sum.loops = std::count_if(kernel.blocks.begin() + 1, kernel.blocks.end(),
                            [](const Block& block) { return block.runs == Runs::trips; });
  using core::lanes;
  std::int64_t quarters = 0;
  for (const Instr& instr : kernel.code) {
    if (const auto* load = instr.as<Load>()) {
      const std::int64_t each = of_a_fetch + (load->encoding >= 0 ? of_a_decoding : 0);
      quarters += lanes * each * (load->fetch == Fetch::lanes ? lanes : 1);
    } else if (const OpNumber op = op_number(instr); op >= 0) {
      const Operand first = first_operand(instr);
      const bool ints = first >= 0 && kernel[first].type != core::Type::f;
      const glsl_text::GlslWeight weight = weight_of(op, instr, ints);
      quarters += lanes * core::ceil_div(weight.operators, operators_of_an_instruction);
      sum.loops += weight.loops;
    } else if (instr.is_index()) {
      quarters += instr.lane == Lane::vector ? lanes : 1;
    } else {
      quarters += lanes;
    }
  }
  sum.operations = core::ceil_div(quarters, lanes);
  return sum;
}

}  // namespace trigon::detail::kernel

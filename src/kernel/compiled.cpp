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
constexpr std::int64_t operators_of_an_instruction = 8;

std::string text_of(const Op& op, Code code) {
  switch (op.family) {
    case Family::unary: return op.unary().glsl.get();
    case Family::binary: return op.binary().glsl.get();
    case Family::ternary: return op.ternary().glsl.get();
    case Family::kernel: return op.kernel().body + op.kernel().preamble;
    case Family::reduce: break;
  }
  const ReduceSpec& reduce = op.reduce();
  const char* text = code == Code::lift      ? reduce.lift.get()
                     : code == Code::combine ? reduce.combine.get()
                                             : reduce.finish.get();
  return text == nullptr ? "" : text;
}

/// Weighed once for each op and kind of operand.
glsl_text::GlslWeight weight_of(int id, Code code, bool ints) {
  static std::mutex mutex;
  static std::map<std::pair<int, int>, glsl_text::GlslWeight> known;
  const std::pair key(id, static_cast<int>(code) * 2 + (ints ? 1 : 0));
  const std::scoped_lock lock(mutex);
  if (const auto at = known.find(key); at != known.end()) return at->second;
  return known.emplace(key, glsl_text::glsl_weight(text_of(op_of(id), code), ints)).first->second;
}

/// Number of different uniforms read by name. Tables are read from memory by an index.
std::int64_t floats_of(const Kernel& kernel) {
  std::set<std::int32_t> slots;
  for (const Instr& instr : kernel.code) {
    const bool reads = instr.code == Code::uniform || instr.code == Code::texel_coordinate;
    for (const std::int32_t slot : instr.ints) {
      if (reads && slot >= 0) slots.insert(slot);
    }
  }
  return std::ssize(slots);
}

}  // namespace

core::Compiled compiled(const Kernel& kernel) {
  core::Compiled sum{.floats = floats_of(kernel)};
  sum.loops = std::count_if(kernel.blocks.begin() + 1, kernel.blocks.end(),
                            [](const Block& block) { return block.runs == Runs::trips; });
  std::int64_t quarters = 0;
  for (const Instr& instr : kernel.code) {
    constexpr std::int64_t lanes = 4;
    if (instr.code == Code::load) {
      const bool each = static_cast<Fetch>(instr.mode) == Fetch::lanes;
      quarters += lanes * of_a_fetch * (each ? 4 : 1);
    } else if (instr.op >= 0 && instr.code != Code::extract) {
      const bool ints =
          !instr.args.empty() && instr.args[0] >= 0 && kernel[instr.args[0]].type != core::Type::f;
      const glsl_text::GlslWeight weight = weight_of(instr.op, instr.code, ints);
      quarters += lanes * core::ceil_div(weight.operators, operators_of_an_instruction);
      sum.loops += weight.loops;
    } else if (instr.code <= last_index_code) {
      quarters += instr.lane == Lane::vector ? lanes : 1;
    } else {
      quarters += lanes;
    }
  }
  sum.operations = (quarters + 3) / 4;
  return sum;
}

}  // namespace trigon::detail::kernel

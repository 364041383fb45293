// SPDX-License-Identifier: MIT
#include "emit/emit.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "core/item.hpp"
#include "emit/dialect.hpp"
#include "emit/functions.hpp"
#include "emit/levels.hpp"
#include "emit/library.hpp"

namespace trigon::detail::emit {
namespace {

using core::Type;
using kernel::Code;
using kernel::Fetch;
using kernel::Instr;
using kernel::Kernel;
using kernel::Lane;

constexpr std::array<char, 4> lane_names{'x', 'y', 'z', 'w'};

class Emitter {
 public:
  explicit Emitter(const Kernel& kernel)
      : kernel_(kernel), dialect_(kernel), functions_(kernel.check), levels_(levels_of(kernel)) {
    std::int32_t carried = 0;
    for (const kernel::Block& block : kernel.blocks) {
      first_carried_.push_back(carried);
      carried += static_cast<std::int32_t>(block.carried.size());
    }
  }

  Source run(std::size_t guards) {
    for (std::size_t k = 0; k < kernel_.code.size(); ++k) {
      block_ = kernel_.code[k].block;
      statements_.push_back(statement(static_cast<std::int32_t>(k)));
    }
    std::string main = "void main() {\n" + block(0);
    if (kernel_.check) main += fmt::format("  {} = checked_();\n", dialect_.output(0));
    for (std::size_t k = 0; !kernel_.check && k < kernel_.outputs.size(); ++k) {
      main += fmt::format("  {} = {};\n", dialect_.output(k), value(kernel_.outputs[k].value));
    }
    main += "}\n";
    const std::string functions = functions_.text();
    return {dialect_.vertex(guards),
            dialect_.prologue(kernel_) + library_for(functions + main) + functions + main};
  }

 private:
  const Instr& at(std::int32_t id) const { return kernel_[id]; }
  bool is_vector(std::int32_t id) const { return at(id).lane == Lane::vector; }

  std::string carried(std::int32_t block, std::int32_t number) const {
    return fmt::format("c{}", item(first_carried_, block) + number);
  }
  std::string value(std::int32_t id) const {
    const Instr& instr = at(id);
    if (instr.code == Code::extract) return fmt::format("v{}_{}", instr.args[0], instr.mode);
    if (instr.code == Code::carried || instr.code == Code::result) {
      return carried(instr.inner, instr.mode);
    }
    return fmt::format("v{}", id);
  }

  /// An index of any kind as four lanes.
  std::string lanes(std::int32_t id) const {
    switch (at(id).lane) {
      case Lane::uniform: return fmt::format("{}(v{})", dialect_.lanes_type(), id);
      case Lane::consecutive:
        return fmt::format("({}(v{}) + {})", dialect_.lanes_type(), id, dialect_.lane_steps());
      default: return fmt::format("v{}", id);
    }
  }
  std::string index(std::int32_t id, bool vector) const {
    return vector ? lanes(id) : fmt::format("v{}", id);
  }

  /// A local within loops, since some drivers read a uniform again in every trip.
  std::string int_uniform(std::int32_t slot) {
    if (block_ == 0) return uniform_text(slot);
    hoisted_[outermost(block_)].insert(slot);
    return fmt::format("n{}", slot);
  }
  /// The outermost loop around a block.
  std::int32_t outermost(std::int32_t block) const {
    for (;;) {
      const std::int32_t parent = item(kernel_.blocks, block).parent;
      if (parent == 0) return block;
      block = parent;
    }
  }
  static std::string uniform_text(std::int32_t slot) {
    return fmt::format("u_i[{}].{}", slot / 4, item(lane_names, slot % 4));
  }
  std::string float_uniform(std::int32_t slot) const {
    return fmt::format("u_f[{}].{}", slot / 4, item(lane_names, slot % 4));
  }

  /// The instructions of a block by level, each level followed by the loops that depend on it.
  std::string block(std::int32_t number) {
    std::vector<std::string> parts;
    const auto part = [&parts](std::int32_t level) -> std::string& {
      while (std::ssize(parts) <= level) parts.emplace_back();
      return item(parts, level);
    };
    for (std::size_t k = 0; k < kernel_.code.size(); ++k) {
      if (kernel_.code[k].block == number) part(levels_.code[k]) += statements_[k];
    }
    std::vector<std::int32_t> loops;
    for (std::size_t k = 1; k < kernel_.blocks.size(); ++k) {
      if (kernel_.blocks[k].parent == number) loops.push_back(static_cast<std::int32_t>(k));
    }
    // In the order of their text, since the first one declares what they share.
    const auto level = [this](std::int32_t k) { return item(levels_.blocks, k); };
    std::stable_sort(loops.begin(), loops.end(),
                     [&](std::int32_t x, std::int32_t y) { return level(x) < level(y); });
    for (std::int32_t k : loops) part(level(k)) += loop(k);
    std::string text;
    for (const std::string& one : parts) text += one;
    return text;
  }

  std::string loop(std::int32_t number) {
    const kernel::Block& loop = item(kernel_.blocks, number);
    std::string text;
    for (const std::int32_t slot : hoisted_[number]) {
      if (!declared_.insert(slot).second) continue;
      text += fmt::format("  {} n{} = {};\n", dialect_.index_type(), slot, uniform_text(slot));
    }
    for (std::size_t k = 0; k < loop.carried.size(); ++k) {
      const std::int32_t first = loop.carried[k][0];
      text += fmt::format("  {} {} = {};\n", dialect_.register_type(at(first).type),
                          carried(number, static_cast<std::int32_t>(k)), value(first));
    }
    if (loop.runs == kernel::Runs::trips) {
      text += dialect_.loop(value(loop.trips), number);
      if (kernel_.check) text += "  trips_ += 1.0;\n";
    } else {
      const std::string_view is = loop.runs == kernel::Runs::if_set ? "!=" : "==";
      text += fmt::format("  if ({}.x {} 0.0) {{\n", value(loop.trips), is);
    }
    return text + block(number) + next_trip(number) + "  }\n";
  }

  /// Sets the carried values for the next trip, and ends the loop if no trip is needed.
  std::string next_trip(std::int32_t number) const {
    const kernel::Block& loop = item(kernel_.blocks, number);
    std::string kept, text;
    if (loop.goes_on >= 0) {
      kept = fmt::format("  if ({} == vec4(0.0)) break;\n", value(loop.goes_on));
    }
    for (std::size_t k = 0; k < loop.carried.size(); ++k) {
      const std::string to = carried(number, static_cast<std::int32_t>(k));
      const std::int32_t next = loop.carried[k][1];
      std::string from = value(next);
      if (from == to) continue;
      // Keeps another carried value that would be overwritten before it is read.
      if (at(next).code == Code::carried && at(next).inner == number &&
          at(next).mode < static_cast<int>(k)) {
        kept += fmt::format("  {} {}_ = {};\n", dialect_.register_type(at(next).type), from, from);
        from += "_";
      }
      text += fmt::format("  {} = {};\n", to, from);
    }
    return kept + text;
  }

  std::string statement(std::int32_t id) {
    const Instr& instr = at(id);
    switch (instr.code) {
      case Code::extract:
      case Code::carried:
      case Code::result: return "";
      case Code::lift:
      case Code::combine:
      case Code::finish: return reduce_call(id, instr);
      case Code::raw: return "";
      case Code::call: return kernel_call(id, instr);
      default: break;
    }
    const bool is_index = instr.code <= kernel::last_index_code;
    std::string_view type;
    if (is_index) {
      type = instr.lane == Lane::vector ? dialect_.lanes_type() : dialect_.index_type();
      return fmt::format("  {} v{} = {};\n", type, id, index_expression(instr));
    }
    if (instr.code == Code::texel_coordinate) return texel_coordinate(id, instr);
    return fmt::format("  {} v{} = {};\n", dialect_.register_type(instr.type), id,
                       value_expression(instr));
  }

  std::string index_expression(const Instr& instr) {
    const bool vector = instr.lane == Lane::vector;
    const auto arg = [&](std::size_t k) { return index(instr.args[k], vector); };
    switch (instr.code) {
      case Code::frag_x: return dialect_.fragment_column();
      case Code::frag_x4: {
        const std::string four = dialect_.number(4);
        if (instr.mode == 0) return fmt::format("{} * {}", four, dialect_.fragment_column());
        return fmt::format("{} * ({} - {})", four, dialect_.fragment_column(),
                           int_uniform(instr.ints[0]));
      }
      case Code::frag_y:
        if (instr.mode == 0) return dialect_.fragment_row();
        return fmt::format("{} {} {}", dialect_.fragment_row(), instr.mode == 1 ? '-' : '+',
                           int_uniform(instr.ints[0]));
      case Code::counter: return dialect_.trip(instr.inner);
      case Code::counter4:
        return fmt::format("{} * {}", dialect_.number(4), dialect_.trip(instr.inner));
      case Code::lanes: return dialect_.number(0);
      case Code::pair_x: return dialect_.fragment_column() + " >> 1";
      case Code::pair_y: return dialect_.fragment_row() + " >> 1";
      case Code::member_x: return dialect_.fragment_column() + " & 1";
      case Code::member_y: return dialect_.fragment_row() + " & 1";
      case Code::part: return dialect_.part();
      case Code::scalar: return int_uniform(instr.ints[0]);
      case Code::affine: return affine(instr, vector);
      case Code::quotient:
        return fmt::format("{}({}, {})", instr.mode == 1 ? "div_small_" : "div_", arg(0),
                           int_uniform(instr.ints[0]));
      case Code::remainder:
        return fmt::format("{} - {} * {}", arg(0), arg(1), int_uniform(instr.ints[0]));
      case Code::clamp_index: {
        const std::int32_t source = instr.args[0];
        return fmt::format("clamp_index_({}, {})",
                           dialect_.to_index(value(source), at(source).type, vector),
                           int_uniform(instr.ints[0]));
      }
      case Code::trips_if:
        return fmt::format("v{} < {} ? v{} : {}", instr.args[1], int_uniform(instr.ints[0]),
                           instr.args[0], dialect_.number(0));
      default: return "";
    }
  }

  std::string affine(const Instr& instr, bool vector) {
    std::string sum;
    for (std::size_t k = 0; k < instr.args.size(); ++k) {
      if (k > 0) sum += " + ";
      sum += index(instr.args[k], vector);
      if (instr.ints[k] >= 0) sum += " * " + int_uniform(instr.ints[k]);
    }
    const std::int32_t constant = instr.ints.back();
    if (constant >= 0) sum += (sum.empty() ? "" : " + ") + int_uniform(constant);
    if (sum.empty()) sum = dialect_.number(0);
    return instr.args.empty() && vector ? fmt::format("{}({})", dialect_.lanes_type(), sum) : sum;
  }

  std::string texel_coordinate(std::int32_t id, const Instr& instr) const {
    const bool vector = instr.lane == Lane::vector;
    const std::string inverse = instr.ints.empty() ? "" : float_uniform(instr.ints[0]);
    const std::string source = index(instr.args[0], vector);
    const bool sampled = !instr.ints.empty();
    std::string_view type = sampled ? (vector ? "vec4" : "float") : (vector ? "ivec4" : "int");
    return fmt::format("  {} v{} = {};\n", type, id,
                       instr.mode == 0 ? dialect_.column(source, inverse, vector)
                                       : dialect_.row(source, inverse, vector));
  }

  std::string lane_of(std::int32_t id, std::size_t lane) const {
    if (id < 0) return "";
    const Instr& instr = at(id);
    if (instr.lane == Lane::vector) return fmt::format("v{}.{}", id, lane_names[lane]);
    if (instr.lane == Lane::uniform || lane == 0) return fmt::format("v{}", id);
    return fmt::format("(v{} + {})", id, dialect_.number(static_cast<std::int64_t>(lane)));
  }

  std::string load(const Instr& instr) const {
    const auto texel = [&](std::size_t lane) {
      return dialect_.fetch(instr.input, lane_of(instr.args[0], lane), lane_of(instr.args[1], lane),
                            lane_of(instr.args[2], lane));
    };
    const auto element = [&](std::size_t lane) {
      if (instr.component >= 0) {
        return fmt::format("{}.{}", texel(lane), item(lane_names, instr.component));
      }
      return fmt::format("pick_({}, {})", texel(lane),
                         dialect_.component(lane_of(instr.args[3], lane)));
    };
    const std::string_view type = dialect_.register_type(instr.type);
    switch (static_cast<Fetch>(instr.mode)) {
      case Fetch::row: return texel(0);
      case Fetch::splat: return fmt::format("{}({})", type, element(0));
      default:
        return fmt::format("{}({}, {}, {}, {})", type, element(0), element(1), element(2),
                           element(3));
    }
  }

  std::string inside(const Instr& instr) {
    const bool vector = instr.lane != Lane::uniform;
    const std::string x = index(instr.args[0], vector);
    const std::string zero = dialect_.number(0);
    const std::string_view lanes = dialect_.lanes_type();
    std::string low, high;
    if ((instr.mode & 2) != 0) high = int_uniform(instr.ints[0]);
    if (!vector) {
      if (instr.mode == 4) return fmt::format("vec4({} == {} ? 1.0 : 0.0)", x, zero);
      low = (instr.mode & 1) != 0 ? fmt::format("{} >= {}", x, zero) : "true";
      high = high.empty() ? "true" : fmt::format("{} < {}", x, high);
      return fmt::format("vec4({} && {} ? 1.0 : 0.0)", low, high);
    }
    if (instr.mode == 4) return fmt::format("vec4(equal({}, {}({})))", x, lanes, zero);
    if ((instr.mode & 1) != 0)
      low = fmt::format("vec4(greaterThanEqual({}, {}({})))", x, lanes, zero);
    if (!high.empty()) high = fmt::format("vec4(lessThan({}, {}({})))", x, lanes, high);
    return low.empty() ? high : high.empty() ? low : low + " * " + high;
  }

  std::string value_expression(const Instr& instr) {
    switch (instr.code) {
      case Code::load: return load(instr);
      case Code::uniform: return fmt::format("vec4({})", float_uniform(instr.ints[0]));
      case Code::table: {
        const Instr& number = at(instr.args[0]);
        const std::string_view of = instr.type == Type::f ? "u_f" : "u_i";
        const std::int32_t vector = instr.ints[0] / 4;
        return fmt::format("{}({})", dialect_.register_type(instr.type),
                           number.code == Code::counter
                               ? dialect_.counted(of, vector, number.inner)
                               : dialect_.element(of, vector, index(instr.args[0], false)));
      }
      case Code::index: {
        const std::string all = lanes(instr.args[0]);
        const std::string_view type = dialect_.register_type(instr.type);
        return type == dialect_.lanes_type() ? all : fmt::format("{}({})", type, all);
      }
      case Code::inside: return inside(instr);
      case Code::select:
        return fmt::format("select_({}, {}, {})", value(instr.args[0]), value(instr.args[1]),
                           value(instr.args[2]));
      case Code::apply: return apply(instr);
      default: return lanes_expression(instr);
    }
  }

  /// Instructions that move, pack and multiply lanes.
  std::string lanes_expression(const Instr& instr) {
    const auto arg = [&](std::size_t k) { return value(instr.args[k]); };
    const auto lane = item(lane_names, instr.mode & 3);
    switch (instr.code) {
      case Code::both: return fmt::format("{} * {}", arg(0), arg(1));
      case Code::convert:
        return dialect_.convert(arg(0), at(instr.args[0]).type, instr.type,
                                static_cast<kernel::Conversion>(instr.mode));
      case Code::swizzle: {
        static constexpr std::array orders{"xxxx", "yyyy", "zzzz", "wwww", "yxwz", "zwxy"};
        static_assert(orders.size() == core::rows_through(kernel::Swizzle::zwxy));
        return fmt::format("{}.{}", arg(0), item(orders, instr.mode));
      }
      case Code::pack: return packed(instr);
      case Code::column:
        return fmt::format("{}({}.{}, {}.{}, {}.{}, {}.{})", dialect_.register_type(instr.type),
                           arg(0), lane, arg(1), lane, arg(2), lane, arg(3), lane);
      case Code::shift: {
        static constexpr std::array<std::array<const char*, 2>, 4> parts{
            {{"xyzw", ""}, {"yzw", "x"}, {"zw", "xy"}, {"w", "xyz"}}};
        const auto& [low, high] = item(parts, instr.mode);
        return fmt::format("{}({}.{}, {}.{})", dialect_.register_type(instr.type), arg(0), low,
                           arg(1), high);
      }
      case Code::keep: return fmt::format("{}.{} != 0.0 ? {} : vec4(0.0)", arg(0), lane, arg(1));
      case Code::rows:
        return fmt::format("{0} + {1}.x * {2} + {1}.y * {3} + {1}.z * {4} + {1}.w * {5}", arg(0),
                           arg(1), arg(2), arg(3), arg(4), arg(5));
      case Code::dots:
        return fmt::format("{0} + vec4(dot({1}, {2}), dot({1}, {3}), dot({1}, {4}), dot({1}, {5}))",
                           arg(0), arg(1), arg(2), arg(3), arg(4), arg(5));
      case Code::exchange:
        return fmt::format("pair_{}_({}, {})", instr.mode == 0 ? 'x' : 'y', arg(0), arg(1));
      case Code::neighbour:
        return fmt::format("neighbour_{}_({})", instr.mode == 0 ? 'x' : 'y', arg(0));
      default: return "";
    }
  }

  /// Lane 0 of up to four values; the remaining lanes are 0.
  std::string packed(const Instr& instr) const {
    static constexpr std::array<const char*, 3> zeros{"0.0", "0", "0u"};
    std::string list;
    for (std::size_t k = 0; k < 4; ++k) {
      if (k > 0) list += ", ";
      list += k < instr.args.size() ? value(instr.args[k]) + ".x" : item(zeros, instr.type);
    }
    return fmt::format("{}({})", dialect_.register_type(instr.type), list);
  }

  std::string apply(const Instr& instr) {
    const Type type = at(instr.args.back()).type;
    std::string call = functions_.elementwise(op_of(instr.op), type, instr.type) + "(";
    for (std::size_t k = 0; k < instr.args.size(); ++k) {
      call += (k > 0 ? ", " : "") + value(instr.args[k]);
    }
    return call + ")";
  }

  std::string kernel_call(std::int32_t id, const Instr& instr) {
    const Body body = body_of(instr);
    const KernelSpec& spec = body.op->kernel();
    std::string text, call;
    for (std::size_t k = 0; k < instr.args.size(); ++k) {
      if (k < body.accesses.size() && body.accesses[k] >= 0) continue;
      call += (call.empty() ? "" : ", ") + value(instr.args[k]);
    }
    for (std::size_t k = 0; k < spec.outputs.size(); ++k) {
      text += fmt::format("  {} v{}_{};\n", dialect_.lanes_of(spec.outputs[k].dtype), id, k);
      call += fmt::format("{}v{}_{}", call.empty() ? "" : ", ", id, k);
    }
    return text + fmt::format("  {}({});\n", functions_.kernel(body, kernel_, dialect_), call);
  }

  std::string reduce_call(std::int32_t id, const Instr& instr) {
    const Op& op = op_of(instr.op);
    const ReduceSpec& spec = op.reduce();
    const std::string_view type = dialect_.register_type(instr.type);
    const int count = instr.code == Code::finish ? spec.outputs.get() : spec.accumulators.get();
    std::string text, call;
    for (int k = 0; k < count; ++k) {
      // A combination starts with the first half of its arguments, in place.
      const bool first = instr.code == Code::combine;
      text += first ? fmt::format("  {} v{}_{} = {};\n", type, id, k, value(item(instr.args, k)))
                    : fmt::format("  {} v{}_{};\n", type, id, k);
    }
    const auto comma = [&](const std::string& one) { call += (call.empty() ? "" : ", ") + one; };
    if (instr.code == Code::combine) {
      for (int k = 0; k < count; ++k) comma(fmt::format("v{}_{}", id, k));
    }
    const int skip = instr.code == Code::combine ? count : 0;
    for (int k = skip; k < std::ssize(instr.args); ++k) comma(value(item(instr.args, k)));
    if (instr.code != Code::combine) {
      for (int k = 0; k < count; ++k) comma(fmt::format("v{}_{}", id, k));
    }
    const bool identity = instr.code == Code::lift && instr.args.empty();
    const bool masked = instr.code == Code::combine && std::ssize(instr.args) > 2 * skip;
    return text + fmt::format("  {}({});\n",
                              functions_.reduce(op, instr.code, identity, instr.type, masked),
                              call);
  }

  const Kernel& kernel_;
  Dialect dialect_;
  Functions functions_;
  Levels levels_;
  std::vector<std::int32_t> first_carried_;  ///< of each block, among all carried values
  std::int32_t block_ = 0;                   ///< of the instruction being written
  std::vector<std::string> statements_;      ///< of the instructions
  /// Integer uniforms that are locals within a loop, by the outermost loop; those declared so far.
  std::map<std::int32_t, std::set<std::int32_t>> hoisted_;
  std::set<std::int32_t> declared_;
};

}  // namespace

Source emit(const Kernel& kernel, std::size_t guards) { return Emitter(kernel).run(guards); }

}  // namespace trigon::detail::emit

// SPDX-License-Identifier: MIT
#include "emit/emit.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "core/item.hpp"
#include "core/list.hpp"
#include "emit/dialect.hpp"
#include "emit/functions.hpp"
#include "emit/levels.hpp"
#include "emit/library.hpp"
#include "kernel/by_operation.hpp"

namespace trigon::detail::emit {
namespace {

using core::Type;
using kernel::by_operation;
using kernel::Fetch;
using kernel::Instr;
using kernel::Kernel;
using kernel::Lane;
using kernel::Operand;

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
    const std::string functions = functions_.text();
    return {dialect_.vertex(guards),
            dialect_.prologue(kernel_) + library_for(functions + main) + functions + main + "}\n"};
  }

 private:
  const Instr& at(std::int32_t id) const { return kernel_[id]; }
  bool is_vector(std::int32_t id) const { return at(id).lane == Lane::vector; }

  std::string carried(std::int32_t block, std::int32_t number) const {
    return fmt::format("c{}", item(first_carried_, block) + number);
  }
  static std::string component(std::int32_t tuple, std::int32_t number) {
    return fmt::format("v{}_{}", tuple, number);
  }
  std::string value(std::int32_t id) const {
    const Instr& instr = at(id);
    if (const auto* extract = instr.as<kernel::Extract>()) {
      return component(extract->tuple, extract->number);
    }
    if (const auto* one = carried_value(instr)) return carried(one->block, one->number);
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
  std::string int_uniform(std::int32_t index) {
    if (block_ == 0) return uniform_text(index);
    hoisted_[outermost(block_)].insert(index);
    return fmt::format("n{}", index);
  }
  /// The outermost loop around a block.
  std::int32_t outermost(std::int32_t block) const {
    for (;;) {
      const std::int32_t parent = item(kernel_.blocks, block).parent;
      if (parent == 0) return block;
      block = parent;
    }
  }
  static std::string uniform_text(std::int32_t index) {
    return fmt::format("u_i[{}].{}", index / 4, item(lane_names, index % 4));
  }
  std::string float_uniform(std::int32_t index) const {
    return fmt::format("u_f[{}].{}", index / 4, item(lane_names, index % 4));
  }

  /// The instructions of a block by level, each level followed by the loops that depend on it.
  std::string block(std::int32_t number) {
    std::vector<std::string> texts;
    const auto text_at = [&texts](std::int32_t level) -> std::string& {
      while (std::ssize(texts) <= level) texts.emplace_back();
      return item(texts, level);
    };
    for (std::size_t k = 0; k < kernel_.code.size(); ++k) {
      if (kernel_.code[k].block == number) text_at(levels_.code[k]) += statements_[k];
    }
    std::vector<std::int32_t> loops;
    for (std::size_t k = 1; k < kernel_.blocks.size(); ++k) {
      if (kernel_.blocks[k].parent == number) loops.push_back(static_cast<std::int32_t>(k));
    }
    // In the order of their text, since the first one declares what they share.
    const auto level = [this](std::int32_t k) { return item(levels_.blocks, k); };
    std::stable_sort(loops.begin(), loops.end(),
                     [&](std::int32_t x, std::int32_t y) { return level(x) < level(y); });
    for (std::int32_t k : loops) text_at(level(k)) += loop(k);
    std::string text;
    for (const std::string& one : texts) text += one;
    return text;
  }

  std::string loop(std::int32_t number) {
    const kernel::Block& loop = item(kernel_.blocks, number);
    std::string text;
    for (const std::int32_t index : hoisted_[number]) {
      if (!declared_.insert(index).second) continue;
      text += fmt::format("  {} n{} = {};\n", dialect_.index_type(), index, uniform_text(index));
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
    if (loop.goes_on >= 0)
      kept = fmt::format("  if ({} == vec4(0.0)) break;\n", value(loop.goes_on));
    for (std::size_t k = 0; k < loop.carried.size(); ++k) {
      const std::string to = carried(number, static_cast<std::int32_t>(k));
      const std::int32_t next = loop.carried[k][1];
      std::string from = value(next);
      if (from == to) continue;
      // Keeps another carried value that would be overwritten before it is read.
      const auto* other = at(next).as<kernel::Carried>();
      if (other != nullptr && other->of.block == number &&
          other->of.number < static_cast<std::int32_t>(k)) {
        const auto type = dialect_.register_type(at(next).type);
        const std::string copy = fmt::format("  {} {}_ = {};\n", type, from, from);
        if (kept.find(copy) == std::string::npos) kept += copy;  // several may take it
        from += "_";
      }
      text += fmt::format("  {} = {};\n", to, from);
    }
    return kept + text;
  }

  std::string statement(std::int32_t id) {
    const Instr& instr = at(id);
    if (instr.is_index()) {
      const std::string_view type =
          instr.lane == Lane::vector ? dialect_.lanes_type() : dialect_.index_type();
      return fmt::format("  {} v{} = {};\n", type, id, index_expression(instr));
    }
    const bool is_text = !instr.is<kernel::Extract>() && !instr.is<kernel::Raw>();
    if (!is_text || carried_value(instr) != nullptr) return "";
    return by_operation(
        instr, [&](const kernel::Call& call) { return kernel_call(id, call); },
        [&](const kernel::Lift& lift) {
          if (lift.value < 0) return reduce_call(id, instr, ReduceStep::identity, {});
          return reduce_call(id, instr, ReduceStep::lift, std::array{lift.value, lift.position});
        },
        [&](const kernel::Combine& combine) { return combine_call(id, instr.type, combine); },
        [&](const kernel::Finish& finish) {
          return reduce_call(id, instr, ReduceStep::finish, finish.accumulators);
        },
        [&](const kernel::TexelCoordinate& one) { return coordinate(id, instr.lane, one); },
        [&](const auto&) {
          return fmt::format("  {} v{} = {};\n", dialect_.register_type(instr.type), id,
                             value_expression(instr));
        });
  }

  std::string index_expression(const Instr& instr) {
    const bool vector = instr.lane == Lane::vector;
    const std::string column = dialect_.fragment_column(), row = dialect_.fragment_row();
    const std::string four = dialect_.number(4);
    return by_operation(
        instr, [&](const kernel::FragColumn&) { return column; },
        [&](const kernel::FragColumn4& at) {
          if (at.begin < 0) return fmt::format("{} * {}", four, column);
          return fmt::format("{} * ({} - {})", four, column, int_uniform(at.begin));
        },
        [&](const kernel::FragRow& at) {
          if (at.begin >= 0) return fmt::format("{} - {}", row, int_uniform(at.begin));
          if (at.rows_before < 0) return row;
          return fmt::format("{} + {}", row, int_uniform(at.rows_before));
        },
        [&](const kernel::Counter& trips) { return dialect_.trip(trips.block); },
        [&](const kernel::Counter4& trips) { return four + " * " + dialect_.trip(trips.block); },
        [&](const kernel::LaneNumber&) { return dialect_.number(0); },
        [&](const kernel::QuadColumn&) { return column + " >> 1"; },
        [&](const kernel::QuadRow&) { return row + " >> 1"; },
        [&](const kernel::MemberColumn&) { return column + " & 1"; },
        [&](const kernel::MemberRow&) { return row + " & 1"; },
        [&](const kernel::OverlayNumber&) { return Dialect::overlay(); },
        [&](const kernel::IntScalar& scalar) { return int_uniform(scalar.value); },
        [&](const kernel::Sum& sum) { return affine(sum, vector); },
        [&](const kernel::Quotient& of) {
          return fmt::format("{}({}, {})", of.is_small ? "div_small_" : "div_",
                             index(of.dividend, vector), int_uniform(of.divisor));
        },
        [&](const kernel::Remainder& of) {
          return fmt::format("{} - {} * {}", index(of.dividend, vector), index(of.quotient, vector),
                             int_uniform(of.divisor));
        },
        [&](const kernel::ClampIndex& of) {
          return fmt::format("clamp_index_({}, {})",
                             dialect_.to_index(value(of.value), at(of.value).type, vector),
                             int_uniform(of.size));
        },
        [&](const kernel::TripsIf& of) {
          return fmt::format("v{} < {} ? v{} : {}", int{of.index}, int_uniform(of.end),
                             int{of.trips}, dialect_.number(0));
        },
        []<class T>(const T&) requires(!kernel::IndexOperation<T>) { return std::string(); });
  }

  std::string affine(const kernel::Sum& of, bool vector) {
    std::string sum;
    for (const auto& [value, factor] : of.terms) {
      if (!sum.empty()) sum += " + ";
      sum += index(value, vector);
      if (factor >= 0) sum += " * " + int_uniform(factor);
    }
    if (of.constant >= 0) sum += (sum.empty() ? "" : " + ") + int_uniform(of.constant);
    if (sum.empty()) sum = dialect_.number(0);
    return of.terms.empty() && vector ? fmt::format("{}({})", dialect_.lanes_type(), sum) : sum;
  }

  std::string coordinate(std::int32_t id, Lane lane, const kernel::TexelCoordinate& of) const {
    const bool vector = lane == Lane::vector;
    const bool sampled = of.inverse >= 0;
    const std::string inverse = sampled ? float_uniform(of.inverse) : "";
    const std::string source = index(of.index, vector);
    std::string_view type = sampled ? (vector ? "vec4" : "float") : (vector ? "ivec4" : "int");
    return fmt::format("  {} v{} = {};\n", type, id,
                       of.is_row ? dialect_.row(source, inverse, vector)
                                 : dialect_.column(source, inverse, vector, of.elements_per_texel));
  }

  std::string lane_of(std::int32_t id, std::size_t lane) const {
    if (id < 0) return "";
    const Instr& instr = at(id);
    if (instr.lane == Lane::vector) return fmt::format("v{}.{}", id, lane_names[lane]);
    if (instr.lane == Lane::uniform || lane == 0) return fmt::format("v{}", id);
    return fmt::format("(v{} + {})", id, dialect_.number(static_cast<std::int64_t>(lane)));
  }

  std::string load(const kernel::Load& load, std::string_view type) const {
    const auto texel = [&](std::size_t lane) {
      const std::string found = dialect_.fetch(load.input, lane_of(load.x, lane),
                                               lane_of(load.y, lane), lane_of(load.layer, lane));
      return dialect_.decoded(found, load.encoding, lane_of(load.offset, lane));
    };
    const auto element = [&](std::size_t lane) {
      if (load.component >= 0)
        return fmt::format("{}.{}", texel(lane), item(lane_names, load.component));
      return fmt::format("pick_({}, {})", texel(lane),
                         dialect_.component(lane_of(load.offset, lane)));
    };
    switch (load.fetch) {
      case Fetch::row: return texel(0);
      case Fetch::splat: return fmt::format("{}({})", type, element(0));
      default:
        return fmt::format("{}({}, {}, {}, {})", type, element(0), element(1), element(2),
                           element(3));
    }
  }

  std::string inside(const kernel::Inside& of, bool vector) {
    const std::string x = index(of.index, vector), zero = dialect_.number(0);
    const std::string_view lanes = dialect_.lanes_type();
    std::string low, high = of.end >= 0 ? int_uniform(of.end) : "";
    if (!vector) {
      low = of.from_zero ? fmt::format("{} >= {}", x, zero) : "true";
      high = high.empty() ? "true" : fmt::format("{} < {}", x, high);
      return fmt::format("vec4({} && {} ? 1.0 : 0.0)", low, high);
    }
    if (of.from_zero) low = fmt::format("vec4(greaterThanEqual({}, {}({})))", x, lanes, zero);
    if (!high.empty()) high = fmt::format("vec4(lessThan({}, {}({})))", x, lanes, high);
    return low.empty() ? high : high.empty() ? low : low + " * " + high;
  }

  std::string is_zero(const kernel::IsZero& of, bool vector) const {
    const std::string x = index(of.index, vector), zero = dialect_.number(0);
    if (!vector) return fmt::format("vec4({} == {} ? 1.0 : 0.0)", x, zero);
    return fmt::format("vec4(equal({}, {}({})))", x, dialect_.lanes_type(), zero);
  }

  std::string table(const kernel::Table& of, Type type) const {
    const auto* counter = at(of.index).as<kernel::Counter>();
    const std::string_view from = type == Type::f ? "u_f" : "u_i";
    return fmt::format("{}({})", dialect_.register_type(type),
                       counter != nullptr
                           ? dialect_.counted(from, of.first / 4, counter->block)
                           : dialect_.element(from, of.first / 4, index(of.index, false)));
  }

  std::string value_expression(const Instr& instr) {
    const bool vector = instr.lane != Lane::uniform;
    const std::string_view type = dialect_.register_type(instr.type);
    return by_operation(
        instr, [&](const kernel::Load& of) { return load(of, type); },
        [&](const kernel::Uniform& of) { return "vec4(" + float_uniform(of.value) + ")"; },
        [&](const kernel::Table& of) { return table(of, instr.type); },
        [&](const kernel::IndexValue& of) {
          const std::string all = lanes(of.index);
          return type == dialect_.lanes_type() ? all : fmt::format("{}({})", type, all);
        },
        [&](const kernel::Inside& of) { return inside(of, vector); },
        [&](const kernel::IsZero& of) { return is_zero(of, vector); },
        [&](const kernel::Select& of) {
          return fmt::format("select_({}, {}, {})", value(of.mask), value(of.yes), value(of.no));
        },
        [&](const kernel::Apply& of) { return apply(of, instr.type); },
        [&](const kernel::Both& of) { return fmt::format("{} * {}", value(of.a), value(of.b)); },
        [&](const kernel::Convert& of) {
          return dialect_.convert(value(of.value), at(of.value).type, instr.type, of.how);
        },
        [&](const kernel::Product& of) { return product(of); },
        [&]<kernel::LaneOperation T>(const T&) { return lanes_expression(instr); },
        []<class T>(const T&) requires(kernel::IndexOperation<T> || kernel::NamedOperation<T>) {
          return std::string();
        });
  }

  /// Instructions that move, pack and multiply lanes.
  std::string lanes_expression(const Instr& instr) const {
    const std::string_view type = dialect_.register_type(instr.type);
    const auto pair = [](kernel::Pair one) { return one == kernel::Pair::horizontal ? 'x' : 'y'; };
    return by_operation(
        instr,
        [&](const kernel::Reorder& of) {
          static constexpr std::array orders{"xxxx", "yyyy", "zzzz", "wwww", "yxwz", "zwxy"};
          static_assert(orders.size() == core::rows_through(kernel::Swizzle::zwxy));
          return fmt::format("{}.{}", value(of.value), item(orders, of.order));
        },
        [&](const kernel::Pack& of) { return packed(of, instr.type); },
        [&](const kernel::Column& of) {
          std::string list;
          for (const Operand texel : of.texels) {
            core::append_text(list, value(texel) + "." + item(lane_names, of.lane));
          }
          return fmt::format("{}({})", type, list);
        },
        [&](const kernel::Shift& of) {
          static constexpr std::array<std::array<const char*, 2>, 4> halves{
              {{"xyzw", ""}, {"yzw", "x"}, {"zw", "xy"}, {"w", "xyz"}}};
          const auto& [low, high] = item(halves, of.by);
          return fmt::format("{}({}.{}, {}.{})", type, value(of.low), low, value(of.high), high);
        },
        [&](const kernel::Keep& of) {
          return fmt::format("{}.{} != 0.0 ? {} : vec4(0.0)", value(of.mask),
                             item(lane_names, of.lane), value(of.value));
        },
        [&](const kernel::Exchange& of) {
          return fmt::format("pair_{}_({}, {})", pair(of.pair), value(of.first), value(of.second));
        },
        [&](const kernel::Neighbour& of) {
          return fmt::format("neighbour_{}_({})", pair(of.pair), value(of.value));
        },
        []<class T>(const T&) requires(!kernel::LaneOperation<T>) { return std::string(); });
  }

  std::string product(const kernel::Product& of) const {
    const auto right = [&](std::size_t k) { return value(of.right[k]); };
    const std::string sum = value(of.sum), left = value(of.left);
    if (of.form == kernel::Product::Form::rows) {
      return fmt::format("{0} + {1}.x * {2} + {1}.y * {3} + {1}.z * {4} + {1}.w * {5}", sum, left,
                         right(0), right(1), right(2), right(3));
    }
    return fmt::format("{0} + vec4(dot({1}, {2}), dot({1}, {3}), dot({1}, {4}), dot({1}, {5}))",
                       sum, left, right(0), right(1), right(2), right(3));
  }

  /// Lane 0 of up to four values; the remaining lanes are 0.
  std::string packed(const kernel::Pack& of, Type type) const {
    static constexpr std::array<const char*, 3> zeros{"0.0", "0", "0u"};
    std::string list;
    for (const Operand one : of.values) {
      if (!list.empty()) list += ", ";
      list += one >= 0 ? value(one) + ".x" : item(zeros, type);
    }
    return fmt::format("{}({})", dialect_.register_type(type), list);
  }

  std::string apply(const kernel::Apply& of, Type result) {
    const Type type = at(of.operands[of.count() - 1]).type;
    std::string list;
    for (std::size_t k = 0; k < of.count(); ++k)
      list += (k > 0 ? ", " : "") + value(of.operands[k]);
    return fmt::format("{}({})", functions_.elementwise(op_of(of.op), type, result), list);
  }

  std::string kernel_call(std::int32_t id, const kernel::Call& of) {
    const Body body = body_of(of);
    const KernelSpec& spec = body.op->kernel();
    std::string text, list;
    for (std::size_t k = 0; k < of.arguments.size(); ++k) {
      const bool is_raw = k < body.accesses.size() && body.accesses[k] >= 0;
      if (!is_raw) core::append_text(list, value(of.arguments[k]));
    }
    if (of.mask >= 0) core::append_text(list, value(of.mask));
    for (std::size_t k = 0; k < spec.outputs.size(); ++k) {
      text += fmt::format("  {} v{}_{};\n", dialect_.lanes_of(spec.outputs[k].dtype), id, k);
      core::append_text(list, fmt::format("v{}_{}", id, k));
    }
    return text + fmt::format("  {}({});\n", functions_.kernel(body, kernel_, dialect_), list);
  }

  /// Declares the components of a tuple, and calls the function of a reduction that sets them.
  std::string reduce_call(std::int32_t id, const Instr& instr, ReduceStep step,
                          std::span<const Operand> operands) {
    const Op& op = op_of(op_number(instr));
    const ReduceSpec& spec = op.reduce();
    const int count = step == ReduceStep::finish ? spec.outputs : spec.accumulators;
    std::string text, list;
    for (const Operand one : operands) list += value(one) + ", ";
    for (int k = 0; k < count; ++k) {
      text += fmt::format("  {} {};\n", dialect_.register_type(instr.type), component(id, k));
    }
    return text + fmt::format("  {}({}{});\n", functions_.reduce(op, step, instr.type), list,
                              components(id, count));
  }

  /// A combination starts with the first tuple, in place.
  std::string combine_call(std::int32_t id, Type type, const kernel::Combine& of) {
    const Op& op = op_of(of.op);
    const int count = op.reduce().accumulators;
    std::string text, list = components(id, count);
    for (int k = 0; k < count; ++k) {
      text += fmt::format("  {} {} = {};\n", dialect_.register_type(type), component(id, k),
                          value(item(of.accumulators, k)));
      list += ", " + value(item(of.accumulators, count + k));
    }
    if (of.mask >= 0) list += ", " + value(of.mask);
    const std::string name = functions_.reduce(op, ReduceStep::combine, type, of.mask >= 0);
    return text + fmt::format("  {}({});\n", name, list);
  }

  static std::string components(std::int32_t id, int count) {
    std::string list;
    for (int k = 0; k < count; ++k) list += (k > 0 ? ", " : "") + component(id, k);
    return list;
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

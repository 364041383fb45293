// SPDX-License-Identifier: MIT
#include "emit/emit.hpp"

#include <array>
#include <set>

#include <fmt/format.h>

#include "emit/dialect.hpp"
#include "emit/functions.hpp"
#include "emit/library.hpp"

namespace trigon::emit {
namespace {

using plan::Code;
using plan::Fetch;
using plan::Instr;
using plan::Kernel;
using plan::Lane;
using plan::Type;

constexpr std::array<char, 4> lane_names{'x', 'y', 'z', 'w'};

class Emitter {
 public:
  explicit Emitter(const Kernel& kernel) : kernel_(kernel), dialect_(kernel.target) {}

  Source run() {
    std::array<std::string, 3> parts;
    for (std::size_t k = 0; k < kernel_.code.size(); ++k) {
      const Instr& instr = kernel_.code[k];
      in_loop_ = instr.depth == plan::Depth::loop;
      std::string& part = parts[static_cast<std::size_t>(instr.depth)];
      part += statement(static_cast<std::int32_t>(k));
    }
    std::string main = "void main() {\n" + parts[0];
    if (kernel_.trips >= 0) main += loop(parts[1]);
    main += parts[2];
    for (std::size_t k = 0; k < kernel_.outputs.size(); ++k) {
      main += fmt::format("  {} = {};\n", dialect_.output(k), value(kernel_.outputs[k]));
    }
    main += "}\n";
    const std::string functions = functions_.text();
    return {dialect_.vertex(),
            dialect_.prologue(kernel_) + library_for(functions + main) + functions + main};
  }

 private:
  const Instr& at(std::int32_t id) const { return kernel_.code[static_cast<std::size_t>(id)]; }
  bool is_vector(std::int32_t id) const { return at(id).lane == Lane::vector; }

  std::string value(std::int32_t id) const {
    const Instr& instr = at(id);
    if (instr.code == Code::extract) return fmt::format("v{}_{}", instr.args[0], instr.mode);
    if (instr.code == Code::carried || instr.code == Code::result)
      return fmt::format("c{}", instr.mode);
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

  /// Inside the loop a local: some drivers read a uniform again at every trip.
  std::string int_uniform(std::int32_t slot) {
    if (in_loop_) {
      hoisted_.insert(slot);
      return fmt::format("n{}", slot);
    }
    return uniform_text(slot);
  }
  static std::string uniform_text(std::int32_t slot) {
    return fmt::format("u_i[{}].{}", slot / 4, lane_names[static_cast<std::size_t>(slot % 4)]);
  }
  std::string float_uniform(std::int32_t slot) const {
    return fmt::format("u_f[{}].{}", slot / 4, lane_names[static_cast<std::size_t>(slot % 4)]);
  }

  std::string loop(const std::string& body) const {
    std::string text;
    for (const std::int32_t slot : hoisted_) {
      text += fmt::format("  {} n{} = {};\n", dialect_.index_type(), slot, uniform_text(slot));
    }
    for (std::size_t k = 0; k < kernel_.carried.size(); ++k) {
      const std::int32_t first = kernel_.carried[k][0];
      text +=
          fmt::format("  {} c{} = {};\n", dialect_.register_type(at(first).type), k, value(first));
    }
    text += dialect_.loop(value(kernel_.trips)) + body;
    for (std::size_t k = 0; k < kernel_.carried.size(); ++k) {
      text += fmt::format("  c{} = {};\n", k, value(kernel_.carried[k][1]));
    }
    return text + "  }\n";
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
      default: break;
    }
    const bool is_index = instr.code <= Code::trips_if;
    std::string_view type;
    if (is_index) {
      type = instr.lane == Lane::vector ? dialect_.lanes_type() : dialect_.index_type();
      return fmt::format("  {} v{} = {};\n", type, id, index_expression(instr));
    }
    if (instr.code == Code::place) return place(id, instr);
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
      case Code::counter: return "t";
      case Code::counter4: return fmt::format("{} * t", dialect_.number(4));
      case Code::lanes: return dialect_.number(0);
      case Code::pair_x: return dialect_.fragment_column() + " >> 1";
      case Code::pair_y: return dialect_.fragment_row() + " >> 1";
      case Code::member_x: return dialect_.fragment_column() + " & 1";
      case Code::member_y: return dialect_.fragment_row() + " & 1";
      case Code::scalar: return int_uniform(instr.ints[0]);
      case Code::affine: return affine(instr, vector);
      case Code::quotient:
        return fmt::format("{}({}, {})", instr.mode == 1 ? "div_small_" : "div_", arg(0),
                           int_uniform(instr.ints[0]));
      case Code::remainder:
        return fmt::format("{} - {} * {}", arg(0), arg(1), int_uniform(instr.ints[0]));
      case Code::gather: {
        const std::int32_t source = instr.args[0];
        return fmt::format("gather_({}, {})",
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

  std::string place(std::int32_t id, const Instr& instr) const {
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
        return fmt::format("{}.{}", texel(lane),
                           lane_names[static_cast<std::size_t>(instr.component)]);
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
      default: return replaced(instr);
    }
  }

  std::string apply(const Instr& instr) {
    const Type type = at(instr.args.back()).type;
    std::string call = functions_.elementwise(*instr.op, type, instr.type) + "(";
    for (std::size_t k = 0; k < instr.args.size(); ++k) {
      call += (k > 0 ? ", " : "") + value(instr.args[k]);
    }
    return call + ")";
  }

  std::string replaced(const Instr& instr) const {
    std::string result;
    for (const char* c = instr.text; *c != '\0'; ++c) {
      if (*c == '$') {
        result += value(instr.args[static_cast<std::size_t>(*++c - '0')]);
      } else {
        result += *c;
      }
    }
    return result;
  }

  std::string reduce_call(std::int32_t id, const Instr& instr) {
    const ReduceSpec& spec = instr.op->reduce();
    const std::string_view type = dialect_.register_type(instr.type);
    const int count = instr.code == Code::finish ? spec.outputs.get() : spec.accumulators.get();
    std::string text, call;
    for (int k = 0; k < count; ++k) {
      // A combination starts from its first half of arguments, in place.
      const bool first = instr.code == Code::combine;
      text += first ? fmt::format("  {} v{}_{} = {};\n", type, id, k,
                                  value(instr.args[static_cast<std::size_t>(k)]))
                    : fmt::format("  {} v{}_{};\n", type, id, k);
    }
    const auto comma = [&](const std::string& item) { call += (call.empty() ? "" : ", ") + item; };
    const std::size_t skip = instr.code == Code::combine ? static_cast<std::size_t>(count) : 0;
    if (instr.code == Code::combine) {
      for (int k = 0; k < count; ++k) comma(fmt::format("v{}_{}", id, k));
    }
    for (std::size_t k = skip; k < instr.args.size(); ++k) comma(value(instr.args[k]));
    if (instr.code != Code::combine) {
      for (int k = 0; k < count; ++k) comma(fmt::format("v{}_{}", id, k));
    }
    const bool identity = instr.code == Code::lift && instr.args.empty();
    return text + fmt::format("  {}({});\n",
                              functions_.reduce(*instr.op, instr.code, identity, instr.type), call);
  }

  const Kernel& kernel_;
  Dialect dialect_;
  Functions functions_;
  bool in_loop_ = false;
  std::set<std::int32_t> hoisted_;  ///< integer uniforms that the loop reads
};

}  // namespace

Source emit(const Kernel& kernel) { return Emitter(kernel).run(); }

}  // namespace trigon::emit

// SPDX-License-Identifier: MIT
#include "table/chapters.hpp"

#include <map>
#include <utility>

#include <trigon/extend.hpp>

namespace trigon::detail::table {
namespace {

std::vector<Tensor> call_op(const Given& given) {
  std::vector<Tensor> x;
  for (std::size_t k = 0; k < given.row.parameters.size(); ++k) {
    x.push_back(Type<Tensor>::read(given[k]));
  }
  const Op& op = *given.row.op;
  if (x.size() == 1) return {detail::apply(op, x[0])};
  if (x.size() == 2) return {detail::apply(op, x[0], x[1])};
  return {detail::apply(op, x[0], x[1], x[2])};
}

// The registry has elementwise ops, so name, number of operands and spec suffice for a row.
Row row_of_op(const Op& op) {
  static const std::map<std::string_view, const char*> named{{"where", "where(condition, x, y)"},
                                                             {"clip", "clip(x, min, max)"}};
  constexpr const char* types[] = {"Tensor", "Tensor", "Tensor"};
  const std::string name(op.name);
  const bool is_unary = op.family == Family::unary, is_ternary = op.family == Family::ternary;
  const auto found = named.find(name);
  const std::string operands = is_unary ? "(x)" : is_ternary ? "(a, b, c)" : "(a, b)";
  const std::string signature = found == named.end() ? name + operands : found->second;
  const std::size_t operand_count = is_unary ? 1 : is_ternary ? 3 : 2;
  Row one = make_row(signature, std::span(types).first(operand_count), 1, call_op, {});
  one.op = &op;
  return one;
}

#ifdef TRIGON_TABLE_OF_CALLS
Facts facts_of(const Op&) { return {}; }
#else
// The function of the same name in NumPy, except for names that only PyTorch or SciPy has.
std::string counterpart(const std::string& name) {
  static const std::map<std::string, std::string> others{
      {"clip", "np.clip, torch.clamp"},
      {"divide", "np.divide, torch.div"},
      {"erf", "scipy.special.erf"},
      {"erfinv", "scipy.special.erfinv"},
      {"multiply", "np.multiply, torch.mul"},
      {"negative", "np.negative, torch.neg"},
      {"relu", "torch.relu"},
      {"rsqrt", "torch.rsqrt"},
      {"sigmoid", "torch.sigmoid"},
      {"softplus", "torch.nn.functional.softplus"},
      {"subtract", "np.subtract, torch.sub"}};
  const auto found = others.find(name);
  return found == others.end() ? "np." + name : found->second;
}

const char* example_of(const Op& op) {
  if (op.family == Family::unary) return "f(2,3)";
  if (op.family == Family::ternary) return "f(2,3), f(), f(3)";
  if (op.binary().uint32_only) return "u(2,3), u(2,3)";
  return op.binary().integers_only ? "i(2,3), i(2,3)" : "f(2,3), f(2,3)";
}

Domain domain_of(const char* parameter, const Range& range) {
  return {.parameter = parameter, .low = range.low, .high = range.high};
}

std::vector<Domain> domains_of(const Op& op) {
  switch (op.family) {
    case Family::unary: return {domain_of("x", op.unary().domain)};
    case Family::binary:
      return {domain_of("a", op.binary().domain_a), domain_of("b", op.binary().domain_b)};
    default: return {domain_of("", op.ternary().domain)};
  }
}

// The facts that follow from an op's spec.
Facts facts_of(const Op& op) {
  Facts facts =
      TRIGON_FACTS(.like = counterpart(std::string(op.name)), .examples = {example_of(op)});
  constexpr const char* wrong = "shapes do not broadcast";
  if (op.family == Family::ternary) facts.refused = {{"f(2,3), f(3), f(4)", wrong}};
  if (op.family == Family::binary) {
    const bool is_uint = op.binary().uint32_only, is_integer = op.binary().integers_only;
    facts.refused = {{is_uint      ? "u(2,3), u(4)"
                      : is_integer ? "i(2,3), i(4)"
                                   : "f(2,3), f(4)",
                      wrong}};
    if (is_integer) facts.refused.push_back({"f(2,3), f(2,3)", "operands must be integers"});
  }
  const bool has_gradient = op.visit([](const auto& spec) { return spec.vjp.get() != nullptr; });
  if (!has_gradient) return facts;
  facts.gradient = domains_of(op);
  facts.kinks = "it is not smooth";
  return facts;
}
#endif

}  // namespace

std::vector<Row> rows_of_math() {
  std::vector<Row> rows;
  for (const Op* op : registry()) {
    if (op->family == Family::reduce || op->family == Family::kernel) continue;
    if (op->name == "barrier") continue;  // a part of checkpoint
    rows.push_back(row_of_op(*op));
    rows.back().facts = facts_of(*op);
  }
  for (Row& one : std::vector<Row>{
           row(
               "bitwise_not(x)", [](T x) { return trigon::bitwise_not(x); },
               TRIGON_FACTS(.like = "np.bitwise_not", .examples = {"i(2,3)"},
               .refused = {{"f(2,3)", "operand must be an integer"}})),
           row(
               "nan_to_num(x, nan=0, posinf=null, neginf=null)",
               [](T x, double nan, Maybe<double> high, Maybe<double> low) {
                 return trigon::nan_to_num(x, {.nan = nan, .posinf = high, .neginf = low});
               },
               TRIGON_FACTS(.like = "np.nan_to_num", .examples = {"f(2,3)"},
               .gradient = everywhere)),
           row(
               "heaviside(x, at_zero)",
               [](T x, T at_zero) { return trigon::heaviside(x, at_zero); },
               TRIGON_FACTS(.like = "np.heaviside", .examples = {"f(2,3), f(2,3)"},
               .refused = {{"f(2,3), f(4)", "shapes do not broadcast"}},
               .gradient = {{"at_zero"}})),
           row(
               "sinc(x)", [](T x) { return trigon::sinc(x); },
               TRIGON_FACTS(.like = "np.sinc", .examples = {"f(2,3)"}, .gradient = everywhere)),
           row(
               "xlogy(x, y)", [](T x, T y) { return trigon::xlogy(x, y); },
               TRIGON_FACTS(.like = "scipy.special.xlogy", .examples = {"f(2,3), f(2,3)"},
               .refused = {{"f(2,3), f(4)", "shapes do not broadcast"}},
               .gradient = {{"x", 0}, {"y", 0}})),
           row(
               "logit(x)", [](T x) { return trigon::logit(x); },
               TRIGON_FACTS(.like = "scipy.special.logit", .examples = {"f(2,3)"},
               .gradient = {{"x", 0, 1}})),
           row(
               "divmod(a, b)", [](T a, T b) { return trigon::divmod(a, b); },
               TRIGON_FACTS(.like = "np.divmod", .examples = {"f(2,3), f(2,3)"},
               .refused = {{"f(2,3), f(4)", "shapes do not broadcast"}}, .gradient = everywhere,
               .kinks = "a / b is whole")),
       }) {
    rows.push_back(std::move(one));
  }
  return rows;
}

}  // namespace trigon::detail::table

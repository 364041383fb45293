// SPDX-License-Identifier: MIT
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <trigon/trigon.hpp>

#include "recorded.hpp"

// The functions of functions, on leaves: the page lists the leaves of trees and puts them back.

namespace web {
namespace {

using trigon::Scalar;
using trigon::Tensor;
using Values = std::vector<Value>;

Argument argument(Source& source, const char* function, const char* name, const Json& value) {
  return {source, function, name, value};
}

Leaves leaves(Source& source, const char* function, const Json& list) {
  return Type<Leaves>::read(argument(source, function, "arguments", list));
}

// The arguments to differentiate with respect to, as one list; `counts` has the number of leaves of
// each. The library only knows the list, and the page's user the arguments.
Leaves differentiated(Source& source, const char* function, const Json& list, const Json& counts) {
  Leaves all = leaves(source, function, list);
  std::size_t end = 0;
  for (std::size_t argument = 0; argument < counts.size(); ++argument) {
    const std::size_t first = end;
    end += counts.at(argument).get<std::size_t>();
    for (std::size_t k = first; k < end; ++k) {
      if (all.at(k).dtype() == trigon::float32) continue;
      throw trigon::Error(fmt::format(
          "trigon::{}: argument {} is not float32: {} is {}; cast it with astype, or let the "
          "function capture it",
          function, argument, end - first == 1 ? "it" : fmt::format("its leaf {}", k - first),
          name(all[k].dtype())));
    }
  }
  return all;
}

void append(Values& values, Leaves more) {
  for (Tensor& one : more) values.emplace_back(std::move(one));
}

Leaves joined(Leaves first, const Leaves& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

Leaves slice(const Leaves& all, std::size_t from, std::size_t to) {
  return Leaves(all.begin() + static_cast<std::ptrdiff_t>(from),
                all.begin() + static_cast<std::ptrdiff_t>(to));
}

/// f of one loss and further results, as value_and_grad(f, has_aux) takes it.
auto loss_and_aux(const Recorded& f) {
  return [f](const Leaves& x) {
    Leaves results = f(x);
    Tensor loss = results.at(0);
    results.erase(results.begin());
    return std::pair(std::move(loss), std::move(results));
  };
}

// [f, leaves, counts] -> the value, what f returns besides, and the gradients.
Values value_and_grad(Source& source, const Json& given) {
  const Recorded f(given.at(0), source);
  auto all = trigon::value_and_grad(loss_and_aux(f), trigon::has_aux)(
      differentiated(source, "value_and_grad", given.at(1), given.at(2)));
  Values values{std::move(all.value)};
  append(values, std::move(all.aux));
  append(values, std::move(all.gradients));
  return values;
}

// The same without the value.
Values grad(Source& source, const Json& given) {
  const Recorded f(given.at(0), source);
  auto all = trigon::grad(
      loss_and_aux(f), trigon::has_aux)(differentiated(source, "grad", given.at(1), given.at(2)));
  Values values;
  append(values, std::move(all.aux));
  append(values, std::move(all.gradients));
  return values;
}

// [f, leaves, counts] -> the value and the pullback, a function of [dy].
Values vjp(Source& source, const Json& given) {
  const Recorded f(given.at(0), source);
  auto at = trigon::vjp([&](const Leaves& x) { return f(x).at(0); },
                        differentiated(source, "vjp", given.at(1), given.at(2)));
  return {std::move(at.value),
          callable([pullback = std::move(at.pullback)](Source& inner, const Json& arguments) {
            return pullback(Type<Tensor>::read(argument(inner, "vjp", "dy", arguments.at(0))));
          })};
}

// [f, leaves, directions] -> the values, then their tangents.
Values jvp(Source& source, const Json& given) {
  const Recorded f(given.at(0), source);
  auto at =
      trigon::jvp([f](const Leaves& x) { return f(x); },
                  differentiated(source, "jvp", given.at(1), Json::array({given.at(1).size()})),
                  leaves(source, "jvp", given.at(2)));
  Values values;
  append(values, std::move(at.value));
  append(values, std::move(at.tangent));
  return values;
}

// [f, leaves, the axis of each leaf or null, the axis of each result] -> the results.
Values vmap(Source& source, const Json& given) {
  const Recorded f(given.at(0), source);
  const auto axes = [&](const char* name, const Json& list) {
    std::vector<std::optional<int>> all;
    for (const Json& one : list) {
      all.push_back(Type<std::optional<int>>::read(argument(source, "vmap", name, one)));
    }
    return all;
  };
  Values values;
  append(values, trigon::detail::differentiated::vmap_of(
                     [f](const Leaves& x) { return f(x); }, leaves(source, "vmap", given.at(1)),
                     axes("in_axes", given.at(2)), axes("out_axes", given.at(3))));
  return values;
}

// [f, leaves] -> the values.
Values checkpoint(Source& source, const Json& given) {
  const Recorded f(given.at(0), source);
  Values values;
  append(values, trigon::checkpoint([f](const Leaves& x) { return f(x); })(
                     leaves(source, "checkpoint", given.at(1))));
  return values;
}

// [f, rule, arguments]; the rule takes the results' gradients, the arguments and the results.
Values custom_vjp(Source& source, const Json& given) {
  const Recorded f(given.at(0), source), rule(given.at(1), source);
  const auto with_rule =
      trigon::custom_vjp([f](const Leaves& x) { return f(x); },
                         [rule](const Leaves& dy, const Leaves& x, const Leaves& y) {
                           return rule(joined(joined(dy, x), y));
                         });
  Values values;
  append(values, with_rule(leaves(source, "custom_vjp", given.at(2))));
  return values;
}

// [f] -> a function of [tensors, scalars, numbers of the tensors that it may overwrite].
Values compile(Source& source, const Json& given) {
  const Recorded f(given.at(0), source);
  auto compiled = trigon::compile([f](Leaves x, const std::vector<Scalar>& numbers) {
    for (const Scalar& one : numbers) x.push_back(one.tensor());
    return f(std::exchange(x, {}));
  });
  return {callable([compiled](Source& inner, const Json& arguments) {
    std::vector<Scalar> numbers;
    for (const Json& one : arguments.at(1)) {
      numbers.push_back(Type<Scalar>::read(argument(inner, "compile", "a number", one)));
    }
    Leaves x;
    for (const Json& one : arguments.at(0)) {
      const auto id = one.at("tensor").get<std::int64_t>();
      x.push_back(one.value("donated", false) ? inner.take(id) : inner.keep(id));
    }
    return compiled(std::move(x), std::move(numbers));
  })};
}

trigon::LoopBound bound(const Argument& given) {
  if (given.value.is_object()) return Type<Tensor>::read(given);
  return Type<std::int64_t>::read(given);
}

trigon::LoopOptions loop_options(Source& source, const char* function, const Json& checkpoint) {
  return {.checkpoint =
              Type<std::int64_t>::read(argument(source, function, "checkpoint", checkpoint))};
}

// [lower, upper, body, state, checkpoint] -> the last state.
Values fori_loop(Source& source, const Json& given) {
  const Recorded body(given.at(2), source);
  const auto lower = bound(argument(source, "fori_loop", "lower", given.at(0)));
  const auto upper = bound(argument(source, "fori_loop", "upper", given.at(1)));
  Values values;
  append(values, trigon::fori_loop(
                     lower, upper,
                     [&](const Tensor& i, const Leaves& state) { return body(joined({i}, state)); },
                     leaves(source, "fori_loop", given.at(3)),
                     loop_options(source, "fori_loop", given.at(4))));
  return values;
}

// [f, state, xs, checkpoint] -> the last state and the stacked outputs.
Values scan(Source& source, const Json& given) {
  const Recorded f(given.at(0), source);
  auto found = trigon::scan(
      [&](const Leaves& state, const Leaves& x) {
        const Leaves all = f(joined(state, x));
        return std::pair(slice(all, 0, state.size()), slice(all, state.size(), all.size()));
      },
      leaves(source, "scan", given.at(1)), leaves(source, "scan", given.at(2)),
      loop_options(source, "scan", given.at(3)));
  Values values;
  append(values, std::move(found.state));
  append(values, std::move(found.outputs));
  return values;
}

// [condition, body, state, max_iterations, checkpoint] -> the last state.
Values while_loop(Source& source, const Json& given) {
  const Recorded condition(given.at(0), source), body(given.at(1), source);
  const auto most = Type<std::optional<std::int64_t>>::read(
      argument(source, "while_loop", "max_iterations", given.at(3)));
  Values values;
  append(values, trigon::while_loop([&](const Leaves& state) { return condition(state).at(0); },
                                    [&](const Leaves& state) { return body(state); },
                                    leaves(source, "while_loop", given.at(2)),
                                    most.value_or(std::numeric_limits<std::int64_t>::max()),
                                    loop_options(source, "while_loop", given.at(4))));
  return values;
}

// [predicate, yes, no, arguments] -> the results.
Values cond(Source& source, const Json& given) {
  const Recorded yes(given.at(1), source), no(given.at(2), source);
  Values values;
  append(values, trigon::cond(
                     Type<Tensor>::read(argument(source, "cond", "predicate", given.at(0))),
                     [&](const Leaves& x) { return yes(x); },
                     [&](const Leaves& x) { return no(x); }, leaves(source, "cond", given.at(3))));
  return values;
}

}  // namespace

const std::map<std::string, Transform, std::less<>>& transforms() {
  static const std::map<std::string, Transform, std::less<>> all{
      {"grad", grad},
      {"value_and_grad", value_and_grad},
      {"vjp", vjp},
      {"custom_vjp", custom_vjp},
      {"jvp", jvp},
      {"vmap", vmap},
      {"checkpoint", checkpoint},
      {"compile", compile},
      {"fori_loop", fori_loop},
      {"scan", scan},
      {"while_loop", while_loop},
      {"cond", cond},
      {"ElementwiseKernel", elementwise_kernel},
      {"ReductionKernel", reduction_kernel},
      {"Kernel", kernel},
  };
  return all;
}

}  // namespace web

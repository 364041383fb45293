// SPDX-License-Identifier: MIT
// Random programs in C++: their calls are made on Tensors, by the table's rows and the
// public functions of functions. Nothing of bindings/web takes part. The module of these tests has
// this file beside the shipped module's sources.
#include <emscripten/emscripten.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <trigon/trigon.hpp>

#include "table/table.hpp"

namespace trigon::programs {
namespace {

using detail::table::Json;
using detail::table::Row;
using detail::table::TensorSource;
using detail::table::Type;
using Leaves = std::vector<Tensor>;

/// The values of a program, or of a function's call inside it.
class Values final : public TensorSource {
 public:
  explicit Values(const Values* outer = nullptr) : outer_(outer) {}
  Tensor get(std::int64_t id) const override {
    for (const Values* one = this; one != nullptr; one = one->outer_) {
      if (const auto found = one->own_.find(id); found != one->own_.end()) return found->second;
    }
    throw std::logic_error("a program reads value " + std::to_string(id) + ", which it lacks");
  }
  void put(std::int64_t id, Tensor value) { own_.insert_or_assign(id, std::move(value)); }
  /// The tensor, which nothing else here holds any more.
  Tensor take(std::int64_t id) {
    Tensor value = get(id);
    own_.erase(id);
    return value;
  }
  void drop(std::int64_t id) { own_.erase(id); }

 private:
  const Values* outer_;
  std::map<std::int64_t, Tensor> own_{};
};

using Function = std::function<Leaves(Leaves tensors, std::vector<Scalar> numbers)>;

/// What all steps of a program share.
struct Context {
  Values leaves{};
  std::vector<Function> functions{};  ///< compiled
  Json number = 0;                    ///< of the present frame
};

Json sizes_of(const Tensor& x) {
  Json sizes = Json::array();
  for (const std::int64_t size : x.shape()) sizes.push_back(size);
  return sizes;
}

Leaves perform(Context& context, Values& values, const Json& step);

/// A call of a body: {"parameters": [ids], "steps": [...], "results": [arguments]}.
Leaves call_body(Context& context, const Values& outer, const Json& body, const Leaves& arguments) {
  Values values(&outer);
  std::size_t k = 0;
  for (const Json& id : body.at("parameters")) values.put(id, arguments.at(k++));
  for (const Json& step : body.at("steps")) perform(context, values, step);
  Leaves results;
  for (const Json& one : body.at("results")) {
    results.push_back(Type<Tensor>::read({values, "a body", "a result", one}));
  }
  return results;
}

/// The calls of one step.
class Step {
 public:
  Step(Context& context, Values& values, const Json& step)
      : context_(context), values_(values), step_(step) {}

  Leaves perform() {
    using Method = Leaves (Step::*)();
    static const std::map<std::string, Method> methods{{"call", &Step::row},
                                                       {"compiled", &Step::compiled},
                                                       {"eval", &Step::eval},
                                                       {"grad", &Step::grad},
                                                       {"value_and_grad", &Step::value_and_grad},
                                                       {"vjp", &Step::vjp},
                                                       {"custom_vjp", &Step::custom_vjp},
                                                       {"fori_loop", &Step::fori_loop},
                                                       {"while_loop", &Step::while_loop},
                                                       {"scan", &Step::scan},
                                                       {"cond", &Step::cond}};
    return (this->*methods.at(step_.at("op").get<std::string>()))();
  }

 private:
  Tensor tensor(const Json& value) const {
    return Type<Tensor>::read({values_, "a program", "a value", value});
  }
  Leaves tensors(const char* key) const {
    Leaves all;
    for (const Json& one : step_.at(key)) all.push_back(tensor(one));
    return all;
  }
  Leaves body(const char* key, const Leaves& arguments) const {
    return call_body(context_, values_, step_.at(key), arguments);
  }
  auto function(const char* key) const {
    return [this, key](const Leaves& x) { return body(key, x); };
  }

  // The frame's number in place of {"frame": true}.
  Json in_frame(const Json& value) const {
    if (value.is_object() && value.contains("frame")) return context_.number;
    Json all = value;
    if (value.is_structured()) {
      for (Json& one : all) one = in_frame(one);
    }
    return all;
  }

  Leaves row() {
    const std::string name = step_.at("name");
    for (const Row* one : detail::table::rows()) {
      if (one->name != name) continue;
      Json arguments = in_frame(step_.at("args"));
      if (arguments.size() > one->parameters.size()) throw std::logic_error(name + ": too many");
      for (std::size_t k = arguments.size(); k < one->parameters.size(); ++k) {
        const detail::table::Parameter& parameter = one->parameters[k];
        const Json& named = step_.at("named");
        const auto given = named.find(parameter.name);
        arguments.push_back(given != named.end() ? in_frame(*given) : parameter.by_default.value());
      }
      return one->call(values_, arguments);
    }
    throw std::logic_error("there is no row " + name);
  }

  Leaves eval() {
    for (const Tensor& one : tensors("args")) one.eval();
    return {};
  }

  Leaves compiled() {
    Leaves x;
    std::vector<Scalar> numbers;
    for (const Json& given : step_.at("args")) {
      const Json one = in_frame(given);
      if (one.contains("scalar")) {
        numbers.push_back(Type<Scalar>::read({values_, "a program", "a number", one}));
      } else {
        const std::int64_t id = one.at("tensor");
        x.push_back(one.contains("donated") ? values_.take(id) : values_.get(id));
      }
    }
    return context_.functions.at(step_.at("function"))(std::exchange(x, {}), std::move(numbers));
  }

  // Of one argument or of several, as a list; of a loss alone, or with further results.
  Leaves grad() {
    Leaves results;
    if (step_.at("has_aux")) {
      auto found = trigon::grad(loss_and_aux(), has_aux)(tensors("args"));
      results = std::move(found.aux);
      append(results, std::move(found.gradients));
    } else {
      results = trigon::grad(loss())(tensors("args"));
    }
    return results;
  }
  Leaves value_and_grad() {
    Leaves results;
    if (step_.at("has_aux")) {
      auto [value, aux, gradients] =
          trigon::value_and_grad(loss_and_aux(), has_aux)(tensors("args"));
      results.push_back(std::move(value));
      append(results, std::move(aux));
      append(results, std::move(gradients));
    } else {
      auto [value, gradients] = trigon::value_and_grad(loss())(tensors("args"));
      results.push_back(std::move(value));
      append(results, std::move(gradients));
    }
    return results;
  }
  std::function<Tensor(const Leaves&)> loss() const {
    return [this](const Leaves& x) { return body("body", x).at(0); };
  }
  std::function<std::pair<Tensor, Leaves>(const Leaves&)> loss_and_aux() const {
    return [this](const Leaves& x) {
      Leaves all = body("body", x);
      return std::pair(all.at(0), Leaves(all.begin() + 1, all.end()));
    };
  }

  Leaves vjp() {
    auto [value, pullback] = trigon::vjp(loss(), tensors("args"));
    Leaves results{value};
    append(results, pullback(tensor(step_.at("dy"))));
    return results;
  }

  Leaves custom_vjp() {
    // It is called later, and reads no values but its arguments and leaves.
    const auto rule = [&context = context_, &code = step_.at("rule")](
                          const Leaves& dy, const Leaves& x, const Leaves& y) {
      Leaves all = dy;
      append(all, x);
      append(all, y);
      return call_body(context, context.leaves, code, all);
    };
    return trigon::custom_vjp(function("body"), rule)(tensors("args"));
  }

  LoopBound bound(const char* key) const {
    const Json value = in_frame(step_.at(key));
    if (value.contains("scalar")) {
      return Type<Scalar>::read({values_, "fori_loop", key, value});
    }
    if (value.is_object()) return tensor(value);
    return value.get<std::int64_t>();
  }
  Leaves fori_loop() {
    return trigon::fori_loop(
        bound("lower"), bound("upper"),
        [&](const Tensor& i, const Leaves& state) {
          Leaves all{i};
          append(all, state);
          return body("body", all);
        },
        tensors("args"));
  }
  Leaves while_loop() {
    const auto holds = [&](const Leaves& state) { return body("condition", state).at(0); };
    const Json& most = step_.at("max_iterations");
    if (most.is_null()) return trigon::while_loop(holds, function("body"), tensors("args"));
    return trigon::while_loop(holds, function("body"), tensors("args"), most.get<std::int64_t>());
  }
  Leaves scan() {
    auto [state, outputs] = trigon::scan(
        [&](const Leaves& before, const Leaves& x) {
          Leaves all = before;
          append(all, x);
          all = body("body", all);
          const auto middle = all.begin() + static_cast<std::ptrdiff_t>(before.size());
          return std::pair(Leaves(all.begin(), middle), Leaves(middle, all.end()));
        },
        tensors("args"), tensors("xs"));
    append(state, std::move(outputs));
    return state;
  }
  Leaves cond() {
    return trigon::cond(tensor(step_.at("predicate")), function("yes"), function("no"),
                        tensors("args"));
  }

  static void append(Leaves& to, Leaves more) {
    for (Tensor& one : more) to.push_back(std::move(one));
  }

  Context& context_;
  Values& values_;
  const Json& step_;
};

Leaves perform(Context& context, Values& values, const Json& step) {
  Leaves results = Step(context, values, step).perform();
  const Json& out = step.at("out");
  for (std::size_t k = 0; k < std::min(out.size(), results.size()); ++k) {
    values.put(out[k], results[k]);
  }
  return results;
}

Tensor leaf(const Json& json) {
  const Values none;
  const auto dtype = Type<DType>::read({none, "leaf", "dtype", json.at("dtype")});
  const auto shape = Type<Shape>::read({none, "leaf", "shape", json.at("shape")});
  // Words are the bits of float32, also for float16, and otherwise the values.
  std::vector<std::uint32_t> words = json.at("words");
  if (size_of(dtype) == 1) {
    const std::vector<std::uint8_t> bytes(words.begin(), words.end());
    return from_host(bytes.data(), dtype, shape);
  }
  if (dtype != float16) return from_host(words.data(), dtype, shape);
  return from_host(words.data(), float32, shape).astype(float16);
}

// {"body", "scalars": whether each parameter is a Scalar}
Function function_of(Context& context, const Json& json, bool is_compiled) {
  const auto f = [&context, &json](Leaves x, const std::vector<Scalar>& numbers) {
    Leaves all;
    std::size_t tensors = 0, scalars = 0;
    for (const Json& is_scalar : json.at("scalars")) {
      all.push_back(is_scalar ? numbers.at(scalars++).tensor() : std::move(x.at(tensors++)));
    }
    return call_body(context, context.leaves, json.at("body"), std::exchange(all, {}));
  };
  if (is_compiled) return trigon::compile(f);
  return f;
}

void add_ids(const Json& json, std::vector<std::int64_t>& ids) {
  if (json.is_object() && json.contains("tensor")) ids.push_back(json["tensor"]);
  if (!json.is_structured()) return;
  for (const Json& one : json) add_ids(one, ids);
}

// Values end after their last reader, as temporaries of C++ do.
std::vector<std::vector<std::int64_t>> ends_of(const Json& program) {
  std::map<std::int64_t, std::size_t> last;
  const Json& steps = program.at("steps");
  for (std::size_t k = 0; k < steps.size(); ++k) {
    std::vector<std::int64_t> ids = steps[k].at("out");
    add_ids(steps[k], ids);
    for (const std::int64_t id : ids) last[id] = k;
  }
  std::vector<std::int64_t> results;
  add_ids(program.at("results"), results);
  for (const std::int64_t id : results) last.erase(id);
  std::vector<std::vector<std::int64_t>> ends(steps.size());
  for (const auto& [id, k] : last) ends[k].push_back(id);
  return ends;
}

Json bits_of(const Tensor& x) {
  const DType dtype = info(x.dtype()).computed;
  std::vector<std::uint32_t> words(static_cast<std::size_t>(x.size()));
  if (size_of(dtype) == 1) {
    std::vector<std::uint8_t> bytes(words.size());
    x.read(bytes.data(), dtype);
    words.assign(bytes.begin(), bytes.end());
  } else {
    x.read(words.data(), dtype);
  }
  return {{"dtype", name(x.dtype())}, {"shape", sizes_of(x)}, {"words", std::move(words)}};
}

Json run_frame(Context& context, const Json& program) {
  try {
    Values values(&context.leaves);
    const auto ends = ends_of(program);
    std::size_t k = 0;
    for (const Json& step : program.at("steps")) {
      perform(context, values, step);
      for (const std::int64_t id : ends[k]) values.drop(id);
      ++k;
    }
    Leaves results;
    for (const Json& one : program.at("results")) results.push_back(values.get(one.at("tensor")));
    if (program.at("is_together")) eval(results);
    Json all = Json::array();
    for (const Tensor& one : results) all.push_back(bits_of(one));
    return {{"results", std::move(all)}};
  } catch (const Error& error) {
    return {{"error", error.what()}};
  }
}

// What the last step gives: {"made": dtypes and shapes}, or {"error"} of any step.
Json describe(Context& context, const Json& program) {
  try {
    Values values(&context.leaves);
    Leaves results;
    for (const Json& step : program.at("steps")) results = perform(context, values, step);
    Json made = Json::array();
    for (const Tensor& one : results) {
      made.push_back({{"dtype", name(one.dtype())}, {"shape", sizes_of(one)}});
    }
    return {{"made", std::move(made)}};
  } catch (const Error& error) {
    return {{"error", error.what()}};
  }
}

// {"frames": [{"results"} or {"error"}]}, or what the last step of a program without frames gives.
Json run(const Json& program) {
  // While a program is made, its leaves are asked for again and again.
  static auto* const known = new std::map<std::string, Tensor>();
  Context context;
  if (!program.at("frames").empty()) known->clear();
  for (const Json& one : program.at("leaves")) {
    Tensor& made = (*known)[one.dump()];
    if (!made.has_value()) made = leaf(one);
    context.leaves.put(one.at("id"), made);
  }
  if (!program.at("frames").empty()) known->clear();
  const Json& frames = program.at("frames");
  for (const Json& one : program.at("functions")) {
    context.functions.push_back(function_of(context, one, !frames.empty()));
  }
  if (frames.empty()) {
    context.number = program.at("number");
    return describe(context, program);
  }
  Json all = Json::array();
  for (const Json& number : frames) {
    context.number = number;
    all.push_back(run_frame(context, program));
  }
  return {{"frames", std::move(all)}};
}

Json describe_rows() {
  Json rows = Json::array();
  for (const Row* row : detail::table::rows()) {
    if (row->function == nullptr) continue;
    Json parameters = Json::array();
    for (const detail::table::Parameter& one : row->parameters) {
      parameters.push_back({{"name", one.name}, {"type", one.type}});
      if (one.by_default) parameters.back()["default"] = *one.by_default;
    }
    rows.push_back({{"name", row->name}, {"count", row->count}, {"parameters", parameters}});
  }
  return rows;
}

}  // namespace
}  // namespace trigon::programs

/// Answers a request {"program"} as run() does, or {"rows"} with the table, in the form of
/// trigon_request(): a text that lives until the next call.
extern "C" EMSCRIPTEN_KEEPALIVE const char* trigon_program(const char* text) {
  using trigon::detail::table::Json;
  static std::string* const answer = new std::string();
  try {
    const Json asked = Json::parse(text);
    *answer = Json{{"result", asked.contains("rows") ? trigon::programs::describe_rows()
                                                     : trigon::programs::run(asked.at("program"))}}
                  .dump();
  } catch (const std::exception& error) {
    *answer = Json{{"error", {{"name", "Fault"}, {"message", error.what()}}}}.dump();
  }
  return answer->c_str();
}

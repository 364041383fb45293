// SPDX-License-Identifier: MIT
#include "recorded.hpp"

#include <fmt/format.h>

#include <new>
#include <optional>
#include <utility>

#include <trigon/error.hpp>

namespace web {

using trigon::Tensor;

Tensor Source::get(std::int64_t id) const {
  Value found = value(id);
  if (Tensor* tensor = std::get_if<Tensor>(&found)) return std::move(*tensor);
  throw trigon::Error(fmt::format("trigon: {} is a function; must be a tensor", id));
}

std::shared_ptr<const Callable> Source::function(std::int64_t id) const {
  Value found = value(id);
  if (auto* one = std::get_if<std::shared_ptr<const Callable>>(&found)) return std::move(*one);
  throw trigon::Error(fmt::format("trigon: {} is a tensor; must be a function", id));
}

Failure current_failure() {
  try {
    throw;
  } catch (const Failure& failure) {
    return failure;
  } catch (const trigon::DeviceError& error) {
    return {"DeviceError", error.what()};
  } catch (const std::bad_alloc&) {
    return {"", "trigon: the Worker has no memory left"};
  } catch (const std::exception& error) {
    return {"", error.what()};
  }
}

namespace {

using Ids = std::vector<std::int64_t>;

struct Call {
  Json json;
  Ids out;
};

/// The values of a replay.
class Frame final : public Source {
 public:
  explicit Frame(const std::map<std::int64_t, Value>& captures) : captures_(captures) {}

  void put(std::int64_t id, Value one) { own_.insert_or_assign(id, std::move(one)); }

  Value value(std::int64_t id) const override {
    for (const auto* values : {&own_, &captures_}) {
      if (const auto found = values->find(id); found != values->end()) return found->second;
    }
    throw trigon::Error(fmt::format("trigon: there is no tensor {} in the function", id));
  }

  void run(const Call& call) {
    try {
      std::vector<Value> results = perform(*this, call.json, call.out.size());
      for (std::size_t k = 0; k < results.size(); ++k) put(call.out[k], std::move(results[k]));
    } catch (...) {
      Failure failure = current_failure();
      if (failure.origin == 0 && !call.out.empty()) failure.origin = call.out[0];
      throw failure;
    }
  }

 private:
  const std::map<std::int64_t, Value>& captures_;
  std::map<std::int64_t, Value> own_{};
};

}  // namespace

struct Recorded::Body {
  Ids parameters;
  std::vector<std::optional<std::int64_t>> results;
  std::vector<Call> calls;
  std::map<std::int64_t, Value> captures;
};

Recorded::Recorded(const Json& argument, Source& outer) {
  const Json& json = argument.at("body");
  Body body;
  body.parameters = json.at("parameters").get<Ids>();
  for (const Json& id : json.at("results")) {
    body.results.push_back(id.is_null() ? std::nullopt : std::optional(id.get<std::int64_t>()));
  }
  for (const Json& call : json.at("calls")) body.calls.push_back({call, call.at("out").get<Ids>()});
  for (const std::int64_t id : json.at("captures").get<Ids>()) {
    body.captures.emplace(id, outer.value(id));
  }
  body_ = std::make_shared<const Body>(std::move(body));
}

Leaves Recorded::operator()(const Leaves& arguments) const {
  const Body& body = *body_;
  if (arguments.size() != body.parameters.size()) {
    throw trigon::Error(fmt::format("trigon: a function of {} tensors is called with {}",
                                    body.parameters.size(), arguments.size()));
  }
  Frame frame(body.captures);
  for (std::size_t k = 0; k < arguments.size(); ++k) frame.put(body.parameters[k], arguments[k]);
  for (const Call& call : body.calls) frame.run(call);
  Leaves results;
  for (const auto& id : body.results) results.push_back(id ? frame.get(*id) : Tensor());
  return results;
}

std::vector<Value> perform(Source& source, const Json& call, std::size_t count) {
  const Json& arguments = call.at("args");
  std::vector<Value> results;
  std::string name = call.value("name", "");
  const auto tensors = [&](Leaves leaves) {
    for (Tensor& one : leaves) results.emplace_back(std::move(one));
  };
  if (const auto function = call.find("function"); function != call.end()) {
    tensors((*source.function(function->get<std::int64_t>()))(source, arguments));
    name = "a function";
  } else if (const auto found = transforms().find(name); found != transforms().end()) {
    results = found->second(source, arguments);
  } else {
    tensors(row_of(name).call(source, arguments));
  }
  if (results.size() != count) {
    throw trigon::Error(
        fmt::format("trigon::{}: it gives {} results, not {}", name, results.size(), count));
  }
  return results;
}

}  // namespace web

// SPDX-License-Identifier: MIT
#include "numbers.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "table.hpp"
#include "table/arguments.hpp"

namespace web {
namespace {

using trigon::detail::table::is_tensor;

constexpr std::size_t most_places = 4096;

std::uint64_t mixed(std::uint64_t seed, std::uint64_t value) {
  return (seed ^ value) * 0x9e3779b97f4a7c15ULL + (seed >> 29);
}

// The positions of an elementwise function's numbers, which may be Scalars: all of its tensors are
// float32, or a condition.
std::vector<std::size_t> numbers_in(const Handles& handles, const Json& call) {
  const std::string& name = call.at("name").get_ref<const std::string&>();
  const trigon::Op* op = row_of(name).op;
  if (op == nullptr) return {};
  const Json& arguments = call.at("args");
  std::vector<std::size_t> numbers;
  bool has_float = false;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    if (arguments[k].is_number()) {
      const double value = arguments[k].get<double>();
      // A whole power is a product, whose plan needs the exponent.
      const bool is_fixed = name == "power" && k == 1 && value == std::trunc(value);
      if (!is_fixed) numbers.push_back(k);
      continue;
    }
    if (!is_tensor(arguments[k])) return {};
    const bool is_float = handles.is_float32(arguments[k]["tensor"].get<std::int64_t>());
    if (!is_float && !(name == "where" && k == 0)) return {};
    has_float = has_float || is_float;
  }
  return has_float ? numbers : std::vector<std::size_t>();
}

}  // namespace

std::optional<Json> ChangingNumbers::call(const Handles& handles, const Json& call,
                                          std::uint64_t& place) {
  const Json& arguments = call.at("args");
  const std::vector<std::size_t> numbers = numbers_in(handles, call);
  place = std::hash<Json>()(call.at("name"));
  const std::function<void(const Json&)> add = [&](const Json& value) {
    if (is_tensor(value)) {
      place = mixed(place, handles.place(value["tensor"].get<std::int64_t>()));
    } else if (value.is_array()) {
      for (const Json& one : value) add(one);
      place = mixed(place, value.size());
    } else {
      place = mixed(place, std::hash<Json>()(value));
    }
  };
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    if (std::find(numbers.begin(), numbers.end(), k) == numbers.end()) add(arguments[k]);
    place = mixed(place, k);
  }
  std::optional<Json> changed;
  for (const std::size_t k : numbers) {
    if (seen_.size() >= most_places) seen_.clear();
    const double value = arguments[k].get<double>();
    const auto [at, is_new] = seen_.try_emplace(mixed(place, k), Seen{value});
    at->second.changes = at->second.changes || at->second.value != value;
    if (!at->second.changes) continue;
    if (!changed) changed = call;
    (*changed)["args"][k] = {{"scalar", arguments[k]}};
  }
  return changed;
}

}  // namespace web

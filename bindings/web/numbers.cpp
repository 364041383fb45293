// SPDX-License-Identifier: MIT
#include "numbers.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <string_view>

namespace web {
namespace {

constexpr std::size_t most_places = 4096;

constexpr std::array<std::string_view, 6> arithmetic{"add",    "subtract", "multiply",
                                                     "divide", "maximum",  "minimum"};

std::uint64_t mixed(std::uint64_t seed, std::uint64_t value) {
  return (seed ^ value) * 0x9e3779b97f4a7c15ULL + (seed >> 29);
}

bool is_tensor(const Json& value) { return value.is_object() && value.contains("tensor"); }

// The number's position among the two operands, or -1.
int number_in(const Handles& handles, const std::string& name, const Json& arguments) {
  const bool is_arithmetic =
      std::find(arithmetic.begin(), arithmetic.end(), name) != arithmetic.end();
  if (!is_arithmetic || arguments.size() != 2) return -1;
  for (const int k : {0, 1}) {
    const Json& other = arguments[static_cast<std::size_t>(1 - k)];
    if (!arguments[static_cast<std::size_t>(k)].is_number() || !is_tensor(other)) continue;
    return handles.is_float32(other["tensor"].get<std::int64_t>()) ? k : -1;
  }
  return -1;
}

}  // namespace

std::optional<Json> ChangingNumbers::call(const Handles& handles, const Json& call,
                                          std::uint64_t& place) {
  const std::string& name = call.at("name").get_ref<const std::string&>();
  const Json& arguments = call.at("args");
  const int changing = number_in(handles, name, arguments);
  place = std::hash<std::string>()(name);
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
    if (static_cast<int>(k) != changing) add(arguments[k]);
    place = mixed(place, k);
  }
  if (changing < 0) return {};
  if (seen_.size() >= most_places) seen_.clear();
  const Json& number = arguments[static_cast<std::size_t>(changing)];
  const double value = number.get<double>();
  const auto [at, is_new] = seen_.try_emplace(place, Seen{value});
  at->second.changes = at->second.changes || at->second.value != value;
  if (!at->second.changes) return {};
  Json changed = call;
  changed["args"][static_cast<std::size_t>(changing)] = {{"scalar", number}};
  return changed;
}

}  // namespace web

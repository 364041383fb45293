// SPDX-License-Identifier: MIT
#include "table/row.hpp"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace trigon::detail::table {

std::string gradient_text(const Facts& facts) {
  if (facts.gradient.empty()) return "none";
  std::string text;
  for (const auto& [parameter, low, high] : facts.gradient) {
    if (!text.empty()) text += ", ";
    const bool is_above = std::isfinite(low), is_below = std::isfinite(high);
    const std::string name = *parameter == '\0' ? "x" : parameter;
    if (!is_above && !is_below) {
      text += *parameter == '\0' ? "everywhere" : name + ": everywhere";
    } else {
      text += is_above ? fmt::format("{:g} < {}", low, name) : name;
      if (is_below) text += fmt::format(" < {:g}", high);
    }
  }
  if (*facts.kinks != '\0') text += fmt::format(" except where {}", facts.kinks);
  return text;
}

namespace {

Row parse_signature(std::string_view signature, std::span<const char* const> types, int count) {
  Row row;
  const std::size_t open = signature.find('(');
  const std::size_t close = signature.rfind(')');
  row.name = signature.substr(0, open);
  row.count = count;
  if (const std::size_t arrow = signature.find("-> ", close); arrow != signature.npos) {
    const std::string_view by = signature.substr(arrow + 3);
    row.count = by == "?" ? Json(nullptr) : Json(by);
  }
  std::string_view rest = signature.substr(open + 1, close - open - 1);
  while (!rest.empty()) {
    std::size_t end = rest.find(", ");
    while (end != rest.npos && rest.find('[') < end && rest.find(']') > end) {
      end = rest.find(", ", rest.find(']'));  // within a list
    }
    const std::string_view one = rest.substr(0, end);
    rest = end == rest.npos ? std::string_view() : rest.substr(end + 2);
    const std::size_t equals = one.find('=');
    const std::size_t k = row.parameters.size();
    Parameter parameter{.name = std::string(one.substr(0, equals)),
                        .type = k < types.size() ? types[k] : ""};
    if (equals != one.npos) parameter.by_default = Json::parse(one.substr(equals + 1));
    row.parameters.push_back(std::move(parameter));
  }
  return row;
}

}  // namespace

Row make_row(std::string_view signature, std::span<const char* const> types, int count, Call call,
             const Facts& facts) {
  Row row = parse_signature(signature, types, count);
  if (row.parameters.size() != types.size()) {
    throw std::logic_error(row.name + ": a row names each argument of its call");
  }
  row.function = call;
  row.facts = facts;
  return row;
}

Row no_call(std::string_view signature, const Facts& facts) {
  Row row = parse_signature(signature, {}, 1);
  row.facts = facts;
  return row;
}

std::vector<Tensor> Row::call(const TensorSource& tensors, const Json& arguments) const {
  return function({*this, tensors, arguments});
}

}  // namespace trigon::detail::table

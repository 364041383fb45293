// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/half.hpp"
#include "tensor/print.hpp"

// Arrays print as NumPy prints them. tests/data/README.md describes the cases.

namespace trigon {
namespace {

using nlohmann::json;

DType dtype_of(const std::string& text) {
  for (const DType dtype : {float32, float16, int32, uint32, uint8, boolean}) {
    if (to_string(dtype) == text) return dtype;
  }
  throw std::runtime_error("no dtype " + text);
}

double value_of(DType dtype, std::uint32_t bits) {
  if (dtype == float32) return std::bit_cast<float>(bits);
  if (dtype == float16) return core::half_to_float(static_cast<std::uint16_t>(bits));
  if (dtype == int32) return static_cast<std::int32_t>(bits);
  return bits;
}

std::vector<double> values_of(DType dtype, const std::string& digits) {
  const std::size_t width = dtype == uint8 || dtype == boolean ? 2 : dtype == float16 ? 4 : 8;
  std::vector<double> values;
  for (std::size_t at = 0; at < digits.size(); at += width) {
    const unsigned long bits = std::stoul(digits.substr(at, width), nullptr, 16);
    values.push_back(value_of(dtype, static_cast<std::uint32_t>(bits)));
  }
  return values;
}

PrintOptions options_of(const json& given) {
  static const std::map<std::string, FloatMode> modes = {{"fixed", FloatMode::fixed},
                                                         {"unique", FloatMode::unique},
                                                         {"maxprec_equal", FloatMode::equal}};
  static const std::map<std::string, PrintSign> signs = {{"+", PrintSign::always},
                                                         {" ", PrintSign::space}};
  PrintOptions options;
  for (const auto& [name, value] : given.items()) {
    if (name == "precision") options.precision = value;
    if (name == "suppress") options.suppress = value;
    if (name == "linewidth") options.linewidth = value;
    if (name == "floatmode") options.floatmode = modes.at(value);
    if (name == "sign") options.sign = signs.at(value);
  }
  return options;
}

TEST(PrintNumPy, WritesFiveThousandRandomArraysAlike) {
  std::ifstream file(std::string(TRIGON_TEST_DATA) + "/print/cases.json");
  const json cases = json::parse(file);
  ASSERT_EQ(cases.size(), 5000U);
  int different = 0;
  for (const json& each : cases) {
    const DType dtype = dtype_of(each["dtype"]);
    const Shape shape(each["shape"].get<std::vector<std::int64_t>>());
    const PrintOptions options = options_of(each.value("options", json::object()));
    const std::vector<double> values = values_of(dtype, each["bits"]);
    const std::string text =
        detail::tensor::array_text({.shape = shape,
                                    .dtype = dtype,
                                    .summarise = detail::tensor::is_summarised(shape, options),
                                    .values = values},
                                   options);
    const std::string want = each["text"];
    if (text == want || ++different > 10) continue;
    ADD_FAILURE() << each.dump() << "\n" << text << "\nin place of\n" << want;
  }
  EXPECT_EQ(different, 0);
}

}  // namespace
}  // namespace trigon

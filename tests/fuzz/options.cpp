// SPDX-License-Identifier: MIT
#include "options.hpp"

#include "target.hpp"

// A command line of GPT-2, one argument per line.

void trigon::fuzz::run(Bytes bytes) {
  std::string text(text_of(bytes));
  std::replace(text.begin(), text.end(), '\0', '0');  // no argument can contain it
  Reader reader({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  std::vector<std::string> arguments = {"gpt2"};
  while (!reader.empty()) arguments.emplace_back(reader.line());
  std::vector<const char*> argv;
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  argv.push_back(nullptr);
  try {
    const auto options = gpt2::parse_options(static_cast<int>(arguments.size()), argv.data());
    require(options.sampling.temperature >= 0, "temperatures are not negative");
    require(options.sampling.top_p >= 0 && options.sampling.top_p <= 1, "top-p is in [0, 1]");
  } catch (const gpt2::UsageError&) {
  }
}

// SPDX-License-Identifier: MIT
#include <cstdio>
#include <exception>
#include <string_view>

#include <fmt/format.h>

#include "options.hpp"
#include "program.hpp"

namespace {

int fail(std::string_view what, int status) {
  // Errors of the sample begin with its name.
  fmt::print(stderr, "{}{}\n", what.starts_with("gpt2:") ? "" : "gpt2: ", what);
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    gpt2::run(gpt2::parse_options(argc, argv));
    return 0;
  } catch (const gpt2::UsageError& error) {
    const int status = fail(error.what(), 2);
    fmt::print(stderr, "  hint: gpt2 --help lists the options\n");
    return status;
  } catch (const std::exception& error) {
    return fail(error.what(), 1);
  }
}

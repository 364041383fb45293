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
  fmt::print(stderr, "{}{}\n", what.starts_with("simulate:") ? "" : "simulate: ", what);
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    simulate::run(simulate::parse_options(argc, argv));
    return 0;
  } catch (const simulate::UsageError& error) {
    const int status = fail(error.what(), 2);
    fmt::print(stderr, "  hint: simulate --help lists the options\n");
    return status;
  } catch (const std::exception& error) {
    return fail(error.what(), 1);
  }
}

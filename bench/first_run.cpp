// SPDX-License-Identifier: MIT
// The first evaluation of everyday programs, which is mostly compile time. Prints processor time,
// beside that of the first `a + b` of (64, 64) in the same process. Switches Mesa's shader cache
// off.
#include <fmt/format.h>
#include <time.h>

#include <cstddef>
#include <cstdlib>
#include <string>
#include <vector>

#include <trigon/trigon.hpp>

#include "common.hpp"
#include "support/first_runs.hpp"

namespace {

using bench::Bench;
using trigon::Tensor;
using trigon::support::FirstRun;
using trigon::support::Leaf;
using trigon::support::Roots;

constexpr const char* matrices = "(64, 64)";

/// Milliseconds that all threads of the process have computed for.
double processor_ms() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

double evaluate_ms(const Bench& bench, const Roots& roots) {
  trigon::synchronize(bench.device());
  const double begin = processor_ms();
  trigon::eval(roots);
  trigon::synchronize(bench.device());
  return processor_ms() - begin;
}

bool same_values(const Roots& a, const Roots& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (a[k].to_vector<double>() != b[k].to_vector<double>()) return false;
  }
  return true;
}

/// Builds and evaluates the roots twice. Returns the milliseconds of the first time. `unit`: the
/// milliseconds of the first `a + b`, or 0 for `a + b` itself.
double measure(Bench& bench, const std::string& name, const std::string& shape, const Roots& roots,
               const Roots& again, double unit = 0) {
  const trigon::Counters before = trigon::counters(bench.device());
  const double ms = evaluate_ms(bench, roots);
  const trigon::Counters work = trigon::counters(bench.device()) - before;
  const double second_ms = evaluate_ms(bench, again);
  if (!same_values(roots, again)) bench.wrong(name);
  bench.add({name,
             shape,
             "first evaluation",
             ms,
             {{"u", unit == 0 ? 1 : ms / unit},
              {"programs", static_cast<double>(work.programs_compiled)},
              {"draws", static_cast<double>(work.draws)},
              {"second_ms", second_ms}}});
  return ms;
}

void first_runs(Bench& bench) {
  const Leaf leaf = [](const trigon::Shape& shape) {
    return trigon::random::uniform(5, shape, 0.0, 1.0).eval();
  };
  // Uploaded, so that nothing was compiled before.
  const Tensor a = trigon::tensor<float>(bench::numbers(4096, 1), {64, 64});
  const Tensor b = trigon::tensor<float>(bench::numbers(4096, 2), {64, 64});
  const double unit = measure(bench, "a + b", matrices, {a + b}, {a + b});
  const auto add = [&](const FirstRun& run, const std::string& shape) {
    if (!bench.wanted(run.name, shape)) return;
    run.make(leaf);  // the programs of the leaves are compiled
    measure(bench, run.name, shape, run.make(leaf), run.make(leaf), unit);
  };
  const auto product = [](const Leaf& make) -> Roots {
    return {matmul(make({64, 64}), make({64, 64}))};
  };
  const auto softmax = [](const Leaf& make) -> Roots {
    return {trigon::nn::softmax(make({64, 64}))};
  };
  add({"matmul", product}, matrices);
  add({"softmax", softmax}, matrices);
  for (const FirstRun& run : trigon::support::first_runs()) add(run, "");
}

}  // namespace

int main(int argc, char** argv) {
  setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
  Bench bench("first_run", "The first evaluation of everyday programs, shader cache off",
              {"u", "programs", "draws", "second_ms"});
  if (const auto code = bench.start(argc, argv)) return *code;
  try {
    first_runs(bench);
  } catch (const trigon::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
  return bench.exit_code();
}

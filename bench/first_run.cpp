// SPDX-License-Identifier: MIT
// The first evaluation of everyday programs, which is mostly the time of compiling them: processor
// time, beside that of the first `a + b` of (64, 64) in the same process. Switches Mesa's shader
// cache off.
#include <time.h>

#include <cstdlib>
#include <vector>

#include <trigon/trigon.hpp>

#include "common.hpp"
#include "support/first_runs.hpp"

namespace {

using trigon::Tensor;

/// Milliseconds that all threads of the process have computed for.
double processor_ms() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

double first_ms(const bench::Bench& bench, const std::vector<Tensor>& roots) {
  trigon::synchronize(bench.device());
  const double begin = processor_ms();
  trigon::eval(roots);
  trigon::synchronize(bench.device());
  return processor_ms() - begin;
}

}  // namespace

int main(int argc, char** argv) {
  setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
  bench::Bench bench("first_run", "The first evaluation of everyday programs, shader cache off",
                     {"u", "programs", "draws", "second_ms"});
  if (const auto code = bench.start(argc, argv)) return *code;
  const auto leaf = [](const trigon::Shape& shape) {
    return trigon::random::uniform(5, shape, 0.0, 1.0).eval();
  };
  // Uploaded, so that nothing was compiled before.
  const Tensor a = trigon::tensor<float>(bench::numbers(4096, 1), {64, 64});
  const Tensor b = trigon::tensor<float>(bench::numbers(4096, 2), {64, 64});
  const double unit = first_ms(bench, {a + b});
  bench.add({"a + b", "(64, 64)", "first evaluation", unit, {{"u", 1}}});
  for (const trigon::support::FirstRun& run : trigon::support::first_runs()) {
    if (!bench.wanted(run.name)) continue;
    run.make(leaf);  // the programs of the leaves are compiled
    const std::vector<Tensor> roots = run.make(leaf), again = run.make(leaf);
    const trigon::Counters before = trigon::counters(bench.device());
    const double ms = first_ms(bench, roots);
    const trigon::Counters work = trigon::counters(bench.device()) - before;
    bench.add({run.name,
               "",
               "first evaluation",
               ms,
               {{"u", ms / unit},
                {"programs", static_cast<double>(work.programs_compiled)},
                {"draws", static_cast<double>(work.draws)},
                {"second_ms", first_ms(bench, again)}}});
  }
  return bench.exit_code();
}

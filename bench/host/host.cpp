// SPDX-License-Identifier: MIT
// The host's work for an evaluation: the times of its stages and its GL calls, with a GL that draws
// nothing in place of a driver. Times are the thread's processor time, so other load does not
// count.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <trigon/trigon.hpp>
#include <utility>
#include <vector>

#include "../common.hpp"
#include "graph/collect.hpp"
#include "graph/node.hpp"
#include "pipeline/describe.hpp"
#include "pipeline/make_plan.hpp"
#include "run/device_state.hpp"
#include "support/gpt_step.hpp"
#include "support/null_gl.hpp"
#ifdef TRIGON_WITH_GPT2
#include "core/internals.hpp"
#include "model.hpp"
#endif

namespace {

using bench::Bench;
using trigon::Tensor;
namespace null_gl = trigon::null_gl;
using Clock = null_gl::ThreadClock;
using CallsByName = std::map<std::string, null_gl::Calls>;

double ms_between(Clock::time_point a, Clock::time_point b) {
  return std::chrono::duration<double, std::milli>(b - a).count();
}

// Milliseconds of the stages of one evaluation.
struct Stages {
  double build = 0;   ///< building the graph, including its gradient
  double before = 0;  ///< from the entry to the first draw: collect, key, the plan's lookup, bind
  double draw = 0;    ///< from the first draw to the end: draws, results, the read
  double all() const { return build + before + draw; }
  double evaluation() const { return before + draw; }
};

// The stages of `work`, which builds and evaluates once. The GL library of this program records the
// times of the entry and of the first draw.
Stages time_stages(const std::function<void()>& work) {
  null_gl::reset();
  const Clock::time_point start = Clock::now();
  work();
  const Clock::time_point end = Clock::now();
  const null_gl::Times times = null_gl::times();
  return {ms_between(start, times.entered), ms_between(times.entered, times.first_draw),
          ms_between(times.first_draw, end)};
}

void report(const Bench& bench, const std::string& name, const std::string& shape,
            const std::string& variant, std::vector<double> ms) {
  std::sort(ms.begin(), ms.end());
  bench.add({name, shape, variant, ms.front(), {{"median_ms", ms[ms.size() / 2]}}});
}

void report_stages(const Bench& bench, const std::string& name, const std::string& shape,
                   const std::vector<Stages>& runs) {
  const auto column = [&](const std::string& variant, const auto& share) {
    std::vector<double> ms;
    for (const Stages& run : runs) ms.push_back(share(run));
    report(bench, name, shape, variant, std::move(ms));
  };
  column("build", [](const Stages& s) { return s.build; });
  column("collect, key, find plan, bind", [](const Stages& s) { return s.before; });
  column("draw, publish, read", [](const Stages& s) { return s.draw; });
  column("evaluation", [](const Stages& s) { return s.evaluation(); });
  column("all", [](const Stages& s) { return s.all(); });
}

// Reports calls of a compiled function, which build no graph.
void report_compiled(const Bench& bench, const std::string& name, const std::string& shape,
                     const std::vector<Stages>& runs) {
  const auto column = [&](const std::string& variant, const auto& share) {
    std::vector<double> ms;
    for (const Stages& run : runs) ms.push_back(share(run));
    report(bench, name, shape, variant, std::move(ms));
  };
  column("find trace, bind", [](const Stages& s) { return s.build + s.before; });
  column("draw, results, read", [](const Stages& s) { return s.draw; });
  column("all", [](const Stages& s) { return s.all(); });
}

// GL calls of one evaluation in its steady state.
void report_calls(const std::string& name, bool json, const CallsByName& calls) {
  const null_gl::Calls total = null_gl::total(calls);
  if (json) {
    nlohmann::ordered_json line{
        {"bench", name}, {"calls", total.made}, {"redundant", total.redundant}};
    for (const auto& [call, one] : calls) line["by_name"][call] = {one.made, one.redundant};
    fmt::print("{}\n", line.dump());
    return;
  }
  fmt::print("\n{}: GL calls\n{:<34} {:>10} {:>10}\n", name, "", "made", "redundant");
  for (const auto& [call, one] : calls) {
    fmt::print("{:<34} {:>10} {:>10}\n", call, one.made, one.redundant);
  }
  fmt::print("{:<34} {:>10} {:>10}\n\n", "all gl and eglMakeCurrent", total.made, total.redundant);
}

// ---- The training step -------------------------------------------------------------------------

Tensor counted_up(const trigon::Shape& shape) {
  return trigon::tensor<float>(bench::numbers(static_cast<std::size_t>(shape.numel()), 1), shape);
}

Tensor some_ids(const trigon::support::GptSize& size) {
  const std::vector<std::int32_t> tokens(static_cast<std::size_t>(size.batch * size.length), 3);
  return trigon::tensor<std::int32_t>(tokens, {size.batch, size.length});
}

void measure_training(const Bench& bench, bool json, int rounds) {
  using namespace trigon::support;
  const char* const name = "training step";
  const GptSize size;
  const std::string shape = fmt::format("{}x{}", size.layers, size.width);
  std::vector<Tensor> parameters = gpt_parameters(size, counted_up);
  const Tensor ids = some_ids(size);
  const Tensor targets = counted_up({size.batch, size.length, size.vocabulary});
  const auto step = [&] {
    const std::vector<Tensor> roots = gpt_step(size, parameters, ids, targets, 0.125);
    trigon::eval(roots);
    parameters.assign(roots.begin() + 1, roots.end());
  };
  for (int k = 0; k < 3; ++k) step();
  std::vector<Stages> runs;
  for (int k = 0; k < rounds; ++k) runs.push_back(time_stages(step));
  const CallsByName calls = null_gl::calls();

  std::vector<double> collect_ms, key_ms;
  const std::vector<Tensor> roots = gpt_step(size, parameters, ids, targets, 0.125);
  std::vector<trigon::detail::graph::NodePtr> nodes;
  for (const Tensor& root : roots) nodes.push_back(trigon::detail::Internals::node(root));
  std::size_t words = 0;
  for (int k = 0; k < rounds; ++k) {
    const Clock::time_point start = Clock::now();
    const trigon::detail::graph::Collected graph =
        trigon::detail::graph::collect(nodes, trigon::detail::pipeline::leaf_storage);
    const Clock::time_point collected = Clock::now();
    words += trigon::detail::graph::plan_key(graph).size();
    key_ms.push_back(ms_between(collected, Clock::now()));
    collect_ms.push_back(ms_between(start, collected));
  }
  report_stages(bench, name, shape, runs);
  report(bench, name, shape, "collect alone", std::move(collect_ms));
  report(bench, name, shape,
         fmt::format("key alone, {} words", words / static_cast<std::size_t>(rounds)),
         std::move(key_ms));
  report_calls(name, json, calls);
}

void measure_compiled_training(const Bench& bench, bool json, int rounds) {
  using namespace trigon::support;
  const char* const name = "training step, compiled";
  const GptSize size;
  std::vector<Tensor> parameters = gpt_parameters(size, counted_up);
  const Tensor ids = some_ids(size);
  const Tensor targets = counted_up({size.batch, size.length, size.vocabulary});
  const auto compiled = trigon::compile([size](const std::vector<Tensor>& p, const Tensor& tokens,
                                               const Tensor& expected, const trigon::Scalar& rate) {
    const std::vector<Tensor> roots = gpt_step(size, p, tokens, expected, rate);
    return std::pair(roots[0], std::vector<Tensor>(roots.begin() + 1, roots.end()));
  });
  const auto step = [&] {
    parameters = compiled(std::move(parameters), ids, targets, trigon::Scalar(0.125)).second;
  };
  for (int k = 0; k < 3; ++k) step();
  std::vector<Stages> runs;
  for (int k = 0; k < rounds; ++k) runs.push_back(time_stages(step));
  report_compiled(bench, name, fmt::format("{}x{}", size.layers, size.width), runs);
  report_calls(name, json, null_gl::calls());
}

// The cost of a new graph before its first draw: the training step's plan, with 12 and with 48
// layers.
void measure_planning(const Bench& bench, int rounds) {
  using namespace trigon::support;
  const trigon::detail::run::DeviceState& device =
      *trigon::detail::Internals::state(bench.device());
  double ms_of_12 = 0;
  for (const std::int64_t layers : {12, 48}) {
    const GptSize size{.layers = layers};
    const Tensor targets = counted_up({size.batch, size.length, size.vocabulary});
    const std::vector<Tensor> roots =
        gpt_step(size, gpt_parameters(size, counted_up), some_ids(size), targets, 0.125);
    std::vector<trigon::detail::graph::NodePtr> nodes;
    for (const Tensor& root : roots) nodes.push_back(trigon::detail::Internals::node(root));
    const trigon::detail::graph::Collected graph =
        trigon::detail::graph::collect(nodes, trigon::detail::pipeline::leaf_storage);
    std::vector<double> ms;
    std::size_t bytes = 0;
    for (int k = 0; k < rounds; ++k) {
      const Clock::time_point start = Clock::now();
      const trigon::detail::plan::Plan plan =
          trigon::detail::pipeline::make_plan(graph, device.target(), device.costs());
      ms.push_back(ms_between(start, Clock::now()));
      bytes = plan.host_bytes();
    }
    std::sort(ms.begin(), ms.end());
    if (layers == 12) ms_of_12 = ms.front();
    const auto count = static_cast<double>(graph.entries.size());
    bench.add({"planning",
               fmt::format("{}x{}", layers, size.width),
               fmt::format("{} nodes, a plan of {} KB", graph.entries.size(), bytes / 1000),
               ms.front(),
               {{"median_ms", ms[ms.size() / 2]},
                {"us_a_node", ms.front() * 1e3 / count},
                {"to_12_layers", ms.front() / ms_of_12}}});
  }
}

// ---- GPT-2 -------------------------------------------------------------------------------------

#ifdef TRIGON_WITH_GPT2
void measure_token(const Bench& bench, bool json, int rounds, bool compiled) {
  const char* const name = compiled ? "GPT-2 token, compiled" : "GPT-2 token";
  const auto model = gpt2::Model::load(GPT2_MODEL_DIR, bench.device());
  gpt2::Session session = model.start();
  std::int32_t id = 1;
  const auto token = [&] {
    if (!compiled) session.rewind();  // the compiled step continues a text
    id = session.greedy(std::span(&id, 1));
  };
  for (int k = 0; k < 3; ++k) token();
  std::vector<Stages> runs;
  for (int k = 0; k < rounds; ++k) runs.push_back(time_stages(token));
  const gpt2::Config& c = model.config();
  const std::string shape = fmt::format("{}x{}", c.n_layer, c.n_embd);
  compiled ? report_compiled(bench, name, shape, runs) : report_stages(bench, name, shape, runs);
  report_calls(name, json, null_gl::calls());
}
#endif

}  // namespace

int main(int argc, char** argv) {
  Bench bench("host", "Times the host's part of evaluations and counts their GL calls",
              {"median_ms", "us_a_node", "to_12_layers"});
  int rounds = 50;
  bench.options().add_option("--rounds", rounds, "Evaluations of each")->type_name("N");
  if (const auto code = bench.start(argc, argv)) return *code;
  try {
    const bool json = bench.options().count("--json") > 0;
    if (bench.wanted("training step")) measure_training(bench, json, rounds);
    if (bench.wanted("training step, compiled")) measure_compiled_training(bench, json, rounds);
    if (bench.wanted("planning")) measure_planning(bench, rounds);
#ifdef TRIGON_WITH_GPT2
    if (bench.wanted("GPT-2 token")) measure_token(bench, json, rounds, false);
    if (bench.wanted("GPT-2 token, compiled")) measure_token(bench, json, rounds, true);
#endif
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
  return bench.exit_code();
}

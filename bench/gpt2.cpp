// SPDX-License-Identifier: MIT
// GPT-2: the bundled model and one of GPT-2 small's shape with random weights, against the rate at
// which the device fetches texels.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <trigon/trigon.hpp>

#include "common.hpp"
#include "common_raw.hpp"
#include "core/internals.hpp"
#include "graph/node.hpp"
#include "model.hpp"
#include "run/device_state.hpp"

namespace {

using bench::Bench;
using bench::Fetch;
using gpt2::Session;
using gpt2::Weights;
using trigon::Shape;
using trigon::Tensor;
using trigon::detail::run::DeviceState;
using Ids = std::vector<std::int32_t>;

constexpr std::int64_t prefill_ids = 64;
constexpr int decode_ids = 32;

// ---- a model of random numbers

class Maker {
 public:
  Tensor operator()(const Shape& shape, double mean = 0, double deviation = 0.02) {
    return (trigon::random::normal(++key_, shape, 0.0, deviation) + base(mean)).eval();
  }
  gpt2::Linear linear(std::int64_t in, std::int64_t out) {
    return {(*this)({out, in}), (*this)({out})};
  }
  gpt2::LayerNorm norm(std::int64_t width) { return {(*this)({width}, 1.0), (*this)({width})}; }

 private:
  // Uploaded, since a value that depends on no device is not kept on one.
  static Tensor base(double mean) { return trigon::tensor<float>({static_cast<float>(mean)}); }

  int key_ = 0;
};

Weights small_shape() {
  constexpr std::string_view json = R"({"model_type": "gpt2", "activation_function": "gelu_new",
    "vocab_size": 50257, "n_positions": 1024, "n_embd": 768, "n_layer": 12, "n_head": 12})";
  Weights w;
  w.config = gpt2::Config::parse(json, "GPT-2 small");
  const gpt2::Config& c = w.config;
  Maker make;
  w.wte = make({c.vocab_size, c.n_embd});
  w.wpe = make({c.n_positions, c.n_embd});
  for (std::int64_t k = 0; k < c.n_layer; ++k) {
    w.blocks.push_back({.ln_1 = make.norm(c.n_embd),
                        .attn_qkv = make.linear(c.n_embd, 3 * c.n_embd),
                        .attn_proj = make.linear(c.n_embd, c.n_embd),
                        .ln_2 = make.norm(c.n_embd),
                        .mlp_fc = make.linear(c.n_embd, c.n_inner),
                        .mlp_proj = make.linear(c.n_inner, c.n_embd)});
  }
  w.ln_f = make.norm(c.n_embd);
  w.head = w.wte;
  return w;
}

// ---- the fetch bound

// Each fragment adds up u_n texels of a row, or of a column, of those below u_x.x; the texture is
// read once in all.
constexpr std::string_view along_rows = R"(
void main() {
  int first = int(gl_FragCoord.x) * u_n, y = int(gl_FragCoord.y);
  int count = min(u_n, int(u_x.x) - first);
  vec4 sum = vec4(0.0);
  for (int k = 0; k < count; ++k) sum += fetch_a(first + k, y);
  result = sum;
}
)";
constexpr std::string_view down_columns = R"(
void main() {
  int x = int(gl_FragCoord.x), first = int(gl_FragCoord.y) * u_n;
  int count = min(u_n, int(u_x.x) - first);
  vec4 sum = vec4(0.0);
  for (int k = 0; k < count; ++k) sum += fetch_a(x, first + k);
  result = sum;
}
)";

struct FetchWay {
  std::string name;
  bench::RawPass pass;
};

// About 64 fetches per fragment, and a multiple of four fragments, so that no lane of a SIMD driver
// is idle.
int run_length(int texels) {
  const int fragments = std::max(4, (texels + 63) / 64 / 4 * 4);
  return (texels + fragments - 1) / fragments;
}

std::vector<FetchWay> fetch_ways(const trigon::detail::run::Storage& storage) {
  const auto& key = storage.texture().key;
  const bench::RawInput texture{storage.texture().texture.id(), static_cast<int>(key.width),
                                static_cast<int>(key.height)};
  const int w = static_cast<int>(storage.layout().width);
  const int h = static_cast<int>(storage.layout().height);
  const int across = run_length(w), down = run_length(h);
  std::vector<FetchWay> ways;
  for (const Fetch fetch : bench::fetches) {
    ways.push_back(
        {fmt::format("along rows, {}", name(fetch)),
         bench::RawPass(along_rows, fetch, {texture}, GL_RGBA32F, (w + across - 1) / across, h)});
    ways.back().pass.set(across, {static_cast<float>(w)});
    ways.push_back(
        {fmt::format("down columns, {}", name(fetch)),
         bench::RawPass(down_columns, fetch, {texture}, GL_RGBA32F, w, (h + down - 1) / down)});
    ways.back().pass.set(down, {static_cast<float>(h)});
  }
  return ways;
}

// The sum of all fetched texels. All orders of fragments must agree on it.
double total(const FetchWay& way) {
  double sum = 0;
  for (const float v : way.pass.read()) sum += v;
  return sum;
}

// ---- the draw bound

// Draws of a few texels, each reading the result of the one before: the driver's fixed cost of a
// draw.
class DrawChain {
 public:
  explicit DrawChain(std::int64_t draws) : draws_(draws) {
    for (int k = 0; k < 2; ++k) {
      passes_.emplace_back(
          "void main() { result = fetch_a(int(gl_FragCoord.x), int(gl_FragCoord.y)) + 1.0; }",
          Fetch::texel_fetch, std::vector{input(start_)}, GL_RGBA32F, side, side);
    }
  }
  void run() {
    passes_[0].read_from(input(start_));
    passes_[1].read_from(passes_[0].target());
    for (std::int64_t k = 0; k < draws_; ++k) {
      passes_[static_cast<std::size_t>(k % 2)].draw();
      passes_[0].read_from(passes_[1].target());
    }
    glFinish();
  }
  // Every draw adds 1 to what was 0.
  bool right() const {
    const auto last = static_cast<std::size_t>((draws_ + 1) % 2);
    return passes_[last].read()[0] == static_cast<float>(draws_);
  }

 private:
  static constexpr int side = 4;

  std::int64_t draws_;
  std::vector<float> zeros_ = std::vector<float>(std::size_t{side * side * 4});
  bench::RawTexture start_ = bench::raw_texture(GL_RGBA32F, side, side, zeros_);
  std::vector<bench::RawPass> passes_;
};

// ---- the model

struct Subject {
  const char* name;
  gpt2::Config config;
  std::function<Session()> start;
  Tensor texture;  // of the head's shape
};

struct Work {
  double block_weights = 0;  // of all linear layers of the blocks
  double head_weights = 0;
  double small_weights = 0;  // biases and norms
  std::int64_t width = 0, layers = 0;

  double decode_bytes() const { return 4 * (block_weights + head_weights + small_weights); }
  // `past` ids before `count` new ones; the head only runs for the last.
  double flop(std::int64_t past, std::int64_t count) const {
    double attention = 0;
    for (std::int64_t k = 0; k < count; ++k) {
      attention += 4.0 * static_cast<double>((past + k + 1) * width * layers);
    }
    return 2 * (block_weights * static_cast<double>(count) + head_weights) + attention;
  }
};

Work work_of(const gpt2::Config& c) {
  const auto n = [](std::int64_t count) { return static_cast<double>(count); };
  return {.block_weights = n(c.n_layer * (4 * c.n_embd * c.n_embd + 2 * c.n_embd * c.n_inner)),
          .head_weights = n(c.vocab_size * c.n_embd),
          .small_weights = n(c.n_layer * (9 * c.n_embd + c.n_inner) + 2 * c.n_embd),
          .width = c.n_embd,
          .layers = c.n_layer};
}

Ids some_ids(const gpt2::Config& c) {
  Ids ids;
  for (std::int64_t k = 0; k < prefill_ids; ++k) {
    ids.push_back(static_cast<std::int32_t>(k * 7919 % c.vocab_size));
  }
  return ids;
}

// Passing the last ids one by one must give the same logits as all ids at once.
bool cached_is_uncached(const Subject& subject) {
  const Ids ids = some_ids(subject.config);
  Session whole = subject.start(), stepped = subject.start();
  const std::vector<float> expected = whole.forward(ids).to_vector<float>();
  const std::span<const std::int32_t> all(ids);
  stepped.forward(all.first(ids.size() - 3));
  std::vector<float> found;
  for (std::size_t k = ids.size() - 3; k < ids.size(); ++k) {
    found = stepped.forward(all.subspan(k, 1)).to_vector<float>();
  }
  double largest = 0, error = 0;
  for (std::size_t k = 0; k < expected.size(); ++k) {
    largest = std::max<double>(largest, std::abs(expected[k]));
    error = std::max<double>(error, std::abs(found[k] - expected[k]));
    if (!std::isfinite(found[k])) return false;
  }
  return largest > 0 && error <= 1e-3 * largest;
}

// The ids that the reference chose for the same prompt.
bool is_golden(Session session, const std::string& folder) {
  std::ifstream file(folder + "/golden.json");
  const auto text = nlohmann::json::parse(file)[0];
  const Ids prompt = text["ids"].get<Ids>(), expected = text["greedy"].get<Ids>();
  std::int32_t id = session.greedy(prompt);
  for (std::size_t k = prompt.size(); k < expected.size(); ++k) {
    if (id != expected[k]) return false;
    id = session.greedy(std::span(&id, 1));
  }
  return true;
}

struct Times {
  double prefill_ms, decode_ms;  // decode_ms: one id, on average
  double chain_ms;
  std::vector<double> way_ms;
};

std::int64_t draws_of_a_token(const trigon::Device& device, Session& session, const Ids& ids) {
  std::int32_t id = session.greedy(ids);
  const std::int64_t before = trigon::counters(device).draws;
  session.greedy(std::span(&id, 1));
  const std::int64_t draws = trigon::counters(device).draws - before;
  session.rewind();
  return draws;
}

// The passes and the fetches take turns.
Times take_times(const trigon::Device& device, Session& session, const Ids& ids, DrawChain& chain,
                 const std::vector<FetchWay>& ways) {
  std::int32_t id = 0;
  std::vector<std::function<void()>> works;
  works.emplace_back([&] {
    session.rewind();
    id = session.greedy(ids);
  });
  works.emplace_back([&] {
    for (int k = 0; k < decode_ids; ++k) id = session.greedy(std::span(&id, 1));
  });
  works.emplace_back([&] {
    const bench::RawEntry entry(*trigon::detail::Internals::state(device));
    chain.run();
  });
  for (const FetchWay& way : ways) {
    works.emplace_back([&] {
      const bench::RawEntry entry(*trigon::detail::Internals::state(device));
      way.pass.run();
    });
  }
  std::vector<double> ms = bench::best_ms(works, 5, 30);
  return {ms[0], ms[1] / decode_ids, ms[2], {ms.begin() + 3, ms.end()}};
}

// The fetch bound's rate in texels a millisecond.
double report_ways(Bench& bench, const std::string& shape, double texels,
                   const std::vector<FetchWay>& ways, const std::vector<double>& ms) {
  double best = 0;
  for (std::size_t k = 0; k < ways.size(); ++k) {
    const double rate = texels / ms[k];
    best = std::max(best, rate);
    bench.add({"fetch bound",
               shape,
               ways[k].name,
               ms[k],
               {{"gtexels", rate * 1e-6}, {"gbs", rate * 16e-6}}});
  }
  return best;
}

void check_ways(Bench& bench, const std::vector<FetchWay>& ways, double texels) {
  for (const FetchWay& way : ways) way.pass.run();
  const double expected = total(ways[0]);
  for (const FetchWay& way : ways) {
    if (!(std::abs(total(way) - expected) <= 1e-4 * texels)) bench.wrong(way.name);
  }
}

void report_passes(Bench& bench, const Subject& subject, const std::string& shape,
                   const Times& times, double rate) {
  const Work work = work_of(subject.config);
  bench.add({subject.name,
             shape,
             fmt::format("prefill of {}", prefill_ids),
             times.prefill_ms,
             {{"tokens_per_s", 1e3 * prefill_ids / times.prefill_ms},
              {"gflops", work.flop(0, prefill_ids) / times.prefill_ms * 1e-6}}});
  const double texels = work.decode_bytes() / 16;
  bench.add({subject.name,
             shape,
             fmt::format("decode of {}, each", decode_ids),
             times.decode_ms,
             {{"tokens_per_s", 1e3 / times.decode_ms},
              {"gflops", work.flop(prefill_ids + decode_ids / 2, 1) / times.decode_ms * 1e-6},
              {"gtexels", texels / times.decode_ms * 1e-6},
              {"gbs", texels / times.decode_ms * 16e-6},
              {"share_of_bound", texels / rate / times.decode_ms}}});
}

void measure(Bench& bench, const Subject& subject) {
  const trigon::Device& device = bench.device();
  const gpt2::Config& c = subject.config;
  const std::string shape = fmt::format("{}x{}, V {}", c.n_layer, c.n_embd, c.vocab_size);
  if (!cached_is_uncached(subject)) {
    bench.wrong(fmt::format("{}: logits with the cache differ from those without", subject.name));
  }
  const trigon::detail::run::Storage& head =
      *trigon::detail::Internals::node(subject.texture)->storage;
  if (head.layout().layers != 1) {
    throw trigon::Error(fmt::format("gpt2: {}: the head fills {} layers; it must fill one",
                                    subject.name, head.layout().layers));
  }
  const double texels = static_cast<double>(head.layout().width * head.layout().height);
  std::vector<FetchWay> ways;
  {
    const bench::RawEntry entry(*trigon::detail::Internals::state(device));
    ways = fetch_ways(head);
    check_ways(bench, ways, texels);
  }
  Session session = subject.start();
  std::optional<DrawChain> chain;
  const std::int64_t draws = draws_of_a_token(device, session, some_ids(c));
  {
    const bench::RawEntry entry(*trigon::detail::Internals::state(device));
    chain.emplace(draws);
    chain->run();
    if (!chain->right()) bench.wrong(fmt::format("{}: chained draws", subject.name));
  }
  const Times times = take_times(device, session, some_ids(c), *chain, ways);
  const double rate = report_ways(bench, shape, texels, ways, times.way_ms);
  bench.add({"draw bound", shape, fmt::format("{} chained draws", draws), times.chain_ms, {}});
  report_passes(bench, subject, shape, times, rate);
  const bench::RawEntry entry(*trigon::detail::Internals::state(device));
  ways.clear();
  chain.reset();
}

}  // namespace

int main(int argc, char** argv) {
  Bench bench("gpt2", "Times GPT-2: prefill and decode, against the device's rate of fetches",
              {"tokens_per_s", "gflops", "gtexels", "gbs", "share_of_bound"});
  std::string folder = GPT2_MODEL_DIR;
  bench.options().add_option("--model", folder, "The bundled model's folder")->type_name("DIR");
  if (const auto code = bench.start(argc, argv)) return *code;
  const trigon::Device& device = bench.device();
  try {
    if (const char* name = "bundled model"; bench.wanted(name)) {
      const auto model = gpt2::Model::load(folder, device);
      const gpt2::Config& c = model.config();
      if (!is_golden(model.start(), folder))
        bench.wrong("bundled model: the ids are not the golden ones");
      measure(bench, {name, c, [=] { return model.start(); }, Maker()({c.vocab_size, c.n_embd})});
    }
    if (const char* name = "GPT-2 small's shape"; bench.wanted(name)) {
      const auto weights = std::make_shared<const Weights>(small_shape());
      measure(bench,
              {name, weights->config, [=] { return Session(weights, device); }, weights->head});
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
  return bench.exit_code();
}

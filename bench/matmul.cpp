// SPDX-License-Identifier: MIT
// Matrix products: the library's against hand-written shaders of other kinds, and against the rate
// of a shader that only multiplies and adds.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <optional>
#include <sstream>
#include <trigon/trigon.hpp>

#include "common.hpp"
#include "common_raw.hpp"
#include "core/internals.hpp"
#include "run/device_state.hpp"

namespace {

using bench::Entry;
using bench::Fetch;
using bench::RawPass;
using trigon::Tensor;
using trigon::detail::run::DeviceState;

// One value a texel, one value a fragment: a (M, K), b (K, N).
constexpr std::string_view naive_shader = R"(
void main() {
  int x = int(gl_FragCoord.x), y = int(gl_FragCoord.y);
  float sum = 0.0;
  for (int k = 0; k < u_n; ++k) sum += fetch_a(k, y).x * fetch_b(x, k).x;
  result = vec4(sum);
}
)";

// A texel holds a 2 x 2 block, lanes by rows; one block a fragment.
constexpr std::string_view blocks_shader = R"(
void main() {
  int x = int(gl_FragCoord.x), y = int(gl_FragCoord.y);
  vec4 sum = vec4(0.0);
  for (int k = 0; k < u_n; ++k) {
    vec4 a = fetch_a(k, y);
    vec4 b = fetch_b(x, k);
    sum += a.xxzz * b.xyxy + a.yyww * b.zwzw;
  }
  result = sum;
}
)";

constexpr const char* ceiling_name = "ceiling: 8 vec4 multiply-adds";
constexpr int ceiling_side = 256;
constexpr int ceiling_iterations = 256;
constexpr int ceiling_steps = 4;  // of eight vec4 each, in one iteration

struct Size {
  int m, k, n;
  std::string text() const { return fmt::format("{}x{}x{}", m, k, n); }
  double flop() const { return 2.0 * m * k * n; }
};

struct Problem {
  Size size;
  std::vector<float> a, b;  // (M, K), (K, N)

  // Spread over the result, including its corners.
  bool right(const std::vector<float>& c) const {
    const int rows = std::min(size.m, 9);
    const int columns = std::min(size.n, 33);
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < columns; ++j) {
        const int y = rows == 1 ? 0 : i * (size.m - 1) / (rows - 1);
        const int x = columns == 1 ? 0 : j * (size.n - 1) / (columns - 1);
        if (!right_at(c, y, x)) return false;
      }
    }
    return true;
  }

  bool right_at(const std::vector<float>& c, int y, int x) const {
    double sum = 0;
    for (int k = 0; k < size.k; ++k) {
      sum += static_cast<double>(a[static_cast<std::size_t>(y) * size.k + k]) *
             b[static_cast<std::size_t>(k) * size.n + x];
    }
    const double found = c[static_cast<std::size_t>(y) * size.n + x];
    return std::abs(found - sum) <= 1e-6 + 2e-7 * size.k;
  }
};

int half(int n) { return (n + 1) / 2; }

std::vector<float> to_blocks(const std::vector<float>& x, int rows, int columns) {
  const int width = half(columns);
  std::vector<float> blocks(static_cast<std::size_t>(width) * half(rows) * 4);
  for (int y = 0; y < rows; ++y) {
    for (int c = 0; c < columns; ++c) {
      const std::size_t texel = static_cast<std::size_t>(y / 2) * width + c / 2;
      blocks[texel * 4 + y % 2 * 2 + c % 2] = x[static_cast<std::size_t>(y) * columns + c];
    }
  }
  return blocks;
}

std::vector<float> from_blocks(const std::vector<float>& blocks, int rows, int columns) {
  const int width = half(columns);
  std::vector<float> x(static_cast<std::size_t>(rows) * columns);
  for (int y = 0; y < rows; ++y) {
    for (int c = 0; c < columns; ++c) {
      const std::size_t texel = static_cast<std::size_t>(y / 2) * width + c / 2;
      x[static_cast<std::size_t>(y) * columns + c] = blocks[texel * 4 + y % 2 * 2 + c % 2];
    }
  }
  return x;
}

// A hand-written product with both ways to fetch.
struct Baseline {
  bench::RawTexture a, b;
  std::vector<RawPass> passes;  // in the order of bench::fetches
};

Baseline naive(const Problem& p) {
  const Size s = p.size;
  Baseline base{
      bench::raw_texture(GL_R32F, s.k, s.m, p.a), bench::raw_texture(GL_R32F, s.n, s.k, p.b), {}};
  for (const Fetch fetch : bench::fetches) {
    base.passes.emplace_back(naive_shader, fetch, std::vector{input(base.a), input(base.b)},
                             GL_R32F, s.n, s.m);
    base.passes.back().set(s.k);
  }
  return base;
}

Baseline blocks(const Problem& p) {
  const Size s = p.size;
  Baseline base{bench::raw_texture(GL_RGBA32F, half(s.k), half(s.m), to_blocks(p.a, s.m, s.k)),
                bench::raw_texture(GL_RGBA32F, half(s.n), half(s.k), to_blocks(p.b, s.k, s.n)),
                {}};
  for (const Fetch fetch : bench::fetches) {
    base.passes.emplace_back(blocks_shader, fetch, std::vector{input(base.a), input(base.b)},
                             GL_RGBA32F, half(s.n), half(s.m));
    base.passes.back().set(half(s.k));
  }
  return base;
}

std::string ceiling_shader() {
  std::string text = "void main() {\n";
  for (int i = 0; i < 8; ++i) {
    text += fmt::format("  vec4 c{0} = vec4(gl_FragCoord.x + {0}.0);\n", i);
  }
  text += "  for (int k = 0; k < u_n; ++k) {\n";
  for (int step = 0; step < ceiling_steps; ++step) {
    for (int i = 0; i < 8; ++i) text += fmt::format("    c{0} = c{0} * u_x.x + u_x.yzyz;\n", i);
  }
  return text + "  }\n  result = c0 + c1 + c2 + c3 + c4 + c5 + c6 + c7;\n}\n";
}

constexpr double ceiling_flop =
    2.0 * 4 * 8 * ceiling_steps * ceiling_iterations * ceiling_side * ceiling_side;

// Needs a current context.
RawPass ceiling_pass(bench::Bench& bench) {
  RawPass pass(ceiling_shader(), Fetch::texel_fetch, {}, GL_RGBA32F, ceiling_side, ceiling_side);
  pass.set(ceiling_iterations, {0.999f, 0.25f, -0.5f, 0.0f});
  pass.run();
  const std::vector<float> found = pass.read();
  for (std::size_t lane = 0; lane < 4; ++lane) {
    double sum = 0;
    for (int i = 0; i < 8; ++i) {
      double c = ceiling_side - 0.5 + i;
      for (int k = 0; k < ceiling_iterations * ceiling_steps; ++k) {
        c = c * static_cast<double>(0.999f) + (lane % 2 == 0 ? 0.25 : -0.5);
      }
      sum += c;
    }
    const double last = found[found.size() - 4 + lane];
    if (!(std::abs(last - sum) <= 1e-3 * std::abs(sum))) {
      bench.wrong(fmt::format("ceiling: {} in place of {}", last, sum));
    }
  }
  return pass;
}

std::vector<Size> parse_sizes(const std::string& text) {
  std::vector<Size> sizes;
  std::istringstream list(text);
  for (std::string one; std::getline(list, one, ',');) {
    Size s{};
    char rest = 0;
    if (std::sscanf(one.c_str(), "%dx%dx%d%c", &s.m, &s.k, &s.n, &rest) != 3) {
      if (std::sscanf(one.c_str(), "%d%c", &s.m, &rest) != 1) s.m = 0;
      s.k = s.n = s.m;
    }
    if (s.m < 1 || s.k < 1 || s.n < 1) {
      throw trigon::Error(fmt::format(
          "matmul: bad size: {}; --sizes takes 1024 or MxKxN, separated by commas", one));
    }
    sizes.push_back(s);
  }
  return sizes;
}

// The library's product through its public interface: a new graph each time, as users build it.
struct Own {
  const char* variant;
  std::function<Tensor()> product;
};

std::vector<Own> own_products(const Problem& p) {
  const Size s = p.size;
  const Tensor a = trigon::tensor<float>(p.a, {s.m, s.k});
  const Tensor b = trigon::tensor<float>(p.b, {s.k, s.n});
  const Tensor turned = b.T().eval();
  return {{"trigon, b (K, N)", [=] { return matmul(a, b); }},
          {"trigon, b (N, K), K contiguous",
           [=, bt = trigon::tensor<float>(turned.to_vector<float>(), {s.n, s.k})] {
             return matmul(a, bt.T());
           }}};
}

// Pieces of work that are timed in turns.
struct Contest {
  std::vector<std::string> variants;
  std::vector<std::function<void()>> works;
};

void enter(Contest& contest, DeviceState& state, std::string variant, const RawPass& pass) {
  contest.variants.push_back(std::move(variant));
  contest.works.emplace_back([&state, &pass] {
    const bench::RawEntry entry(state);
    pass.run();
  });
}

void enter(bench::Bench& bench, Contest& contest, const Problem& p, const char* what,
           const Baseline& base, bool in_blocks) {
  DeviceState& state = *trigon::detail::Internals::state(bench.device());
  for (std::size_t k = 0; k < base.passes.size(); ++k) {
    const RawPass& pass = base.passes[k];
    std::vector<float> found;
    {
      const bench::RawEntry entry(state);
      pass.run();
      found = pass.read();
    }
    if (in_blocks) found = from_blocks(found, p.size.m, p.size.n);
    const std::string variant = fmt::format("{}, {}", what, name(bench::fetches[k]));
    if (!p.right(found)) bench.wrong(fmt::format("{}, {}", p.size.text(), variant));
    enter(contest, state, variant, pass);
  }
}

void enter(bench::Bench& bench, Contest& contest, const Problem& p, const Own& own) {
  if (!p.right(own.product().to_vector<float>())) {
    bench.wrong(fmt::format("{}, {}", p.size.text(), own.variant));
  }
  contest.variants.emplace_back(own.variant);
  contest.works.emplace_back([&bench, product = own.product] {
    product().eval();
    trigon::synchronize(bench.device());
  });
}

struct Marks {
  double ceiling_gflops, naive_ms, blocks_ms;
};

void report(const bench::Bench& bench, const Size& size, const Contest& contest,
            const std::vector<double>& ms, const Marks& marks) {
  for (std::size_t k = 0; k < ms.size(); ++k) {
    const bool ceiling = contest.variants[k] == ceiling_name;
    const double gflops = (ceiling ? ceiling_flop : size.flop()) / ms[k] * 1e-6;
    Entry line{"matmul", size.text(), contest.variants[k], ms[k], {{"gflops", gflops}}};
    line.figures.emplace_back("share_of_bound", gflops / marks.ceiling_gflops);
    if (!ceiling) {
      line.figures.emplace_back("ratio_to_naive", marks.naive_ms / ms[k]);
      line.figures.emplace_back("ratio_to_2x2", marks.blocks_ms / ms[k]);
    }
    bench.add(line);
  }
}

void measure(bench::Bench& bench, const Size& size) {
  const auto count = [](int rows, int columns) {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  };
  const Problem p{size, bench::numbers(count(size.m, size.k), 1),
                  bench::numbers(count(size.k, size.n), 2)};
  DeviceState& state = *trigon::detail::Internals::state(bench.device());
  std::optional<Baseline> slow, packed;
  std::optional<RawPass> ceiling;
  {
    const bench::RawEntry entry(state);
    slow = naive(p);
    packed = blocks(p);
    ceiling = ceiling_pass(bench);
  }
  Contest first, second;  // the naive one is too slow to take part in every round
  enter(bench, first, p, "one value a texel", *slow, false);
  enter(bench, second, p, "2x2 blocks", *packed, true);
  for (const Own& own : own_products(p)) enter(bench, second, p, own);
  enter(second, state, ceiling_name, *ceiling);
  const std::vector<double> first_ms = bench::best_ms(first.works, 3, 10);
  const std::vector<double> second_ms = bench::best_ms(second.works, 15, 12);
  {
    const bench::RawEntry entry(state);
    slow.reset();
    packed.reset();
    ceiling.reset();
  }
  const Marks marks{ceiling_flop / second_ms.back() * 1e-6, std::min(first_ms[0], first_ms[1]),
                    std::min(second_ms[0], second_ms[1])};
  report(bench, size, first, first_ms, marks);
  report(bench, size, second, second_ms, marks);
}

}  // namespace

int main(int argc, char** argv) {
  bench::Bench bench("matmul",
                     "Times matrix products against hand-written shaders and the multiply-add rate",
                     {"gflops", "share_of_bound", "ratio_to_naive", "ratio_to_2x2"});
  std::string sizes = "256,512,1024,1000x999x1001";
  bench.options()
      .add_option("--sizes", sizes, "N or MxKxN, separated by commas")
      ->capture_default_str()
      ->type_name("LIST");
  if (const auto code = bench.start(argc, argv)) return *code;
  try {
    for (const Size& size : parse_sizes(sizes)) {
      if (bench.wanted("matmul", size.text())) measure(bench, size);
    }
  } catch (const trigon::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
  return bench.exit_code();
}

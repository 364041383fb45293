// SPDX-License-Identifier: MIT
#include "support/loop_cases.hpp"

#include <iterator>
#include <optional>
#include <tuple>

namespace trigon::support {
namespace {

using Form = const LoopForm&;
using Tensors = std::vector<Tensor>;
using Two = std::pair<Tensor, Tensor>;

Tensors items(const Two& s) { return {s.first, s.second}; }

// x[(k + shift) mod n] along the axis.
Tensor roll(const Tensor& x, std::int64_t shift, int axis) {
  const std::int64_t n = x.shape()[axis];
  const std::int64_t k = (shift % n + n) % n;
  const auto slice_of = [&](const Slice& slice) {
    std::vector<Index> index(static_cast<std::size_t>(axis), Slice{});
    index.emplace_back(slice);
    return trigon::index(x, index);
  };
  return concatenate({slice_of({k, {}}), slice_of({{}, k})}, axis);
}

// ---- Element by element

Tensors scale_and_add(Form form) {
  const auto body = [](const Tensor&, const Tensor& x) { return x * 0.9 + 0.1; };
  return {form.fori(0, 20, body, form.noise({37}, 1))};
}

Tensors step_in_arithmetic(Form form) {
  const auto body = [](const Tensor& i, const Tensor& x) {
    return total({x * 0.5, i.astype(float32)});
  };
  return {form.fori(3, 15, body, form.noise({5, 7}, 2))};
}

struct Mandelbrot {
  Tensor re, im, count;
};

Tensors mandelbrot(Form form) {
  // Far enough from the border of the set that rounding does not grow in 30 steps.
  const Tensor x = total({form.noise({12, 9}, 3) * 0.1, 0.6 * (iota(9) % 4).astype(float32)}) - 0.5;
  const Tensor y = form.noise({12, 9}, 4) * 0.1;
  const auto body = [&](const Tensor&, const Mandelbrot& s) {
    const Tensor re_2 = s.re * s.re, im_2 = s.im * s.im;
    const Tensor inside = re_2 + im_2 < 4.0;
    return Mandelbrot{where(inside, re_2 - im_2 + x, s.re),
                      where(inside, 2.0 * s.re * s.im + y, s.im), s.count + inside.astype(int32)};
  };
  const Mandelbrot last =
      form.fori(0, 30, body, Mandelbrot{zeros({12, 9}), zeros({12, 9}), zeros({12, 9}, int32)});
  return {last.re, last.im, last.count};
}

Tensors leapfrog(Form form) {
  const auto body = [](const Tensor&, std::vector<Tensor> s) {
    s[1] = s[1] - 0.1 * s[0];
    s[0] = s[0] + 0.1 * s[1];
    return s;
  };
  return form.fori(0, 40, body, Tensors{form.noise({33}, 5), form.noise({33}, 6)});
}

Tensors swapped(Form form) {
  const auto body = [](const Tensor&, const Two& s) { return Two{s.second, s.first * 0.5}; };
  return items(form.fori(0, 7, body, Two{form.noise({10}, 7), form.noise({10}, 8)}));
}

Tensors fibonacci(Form form) {
  const auto body = [](const Tensor&, const Two& s) { return Two{s.second, s.first + s.second}; };
  return items(form.fori(0, 40, body, Two{form.below(3, {6}, 1), form.below(3, {6}, 2)}));
}

Tensors unchanged_carry(Form form) {
  const auto body = [](const Tensor&, const Two& s) { return Two{s.first * s.second, s.second}; };
  return items(form.fori(0, 6, body, Two{form.noise({14}, 9), form.noise({14}, 10)}));
}

Tensors constant_carry(Form form) {
  const Tensor other = form.noise({14}, 11);
  const auto body = [&](const Tensor&, const std::tuple<Tensor, Tensor, Tensor>& s) {
    const auto& [x, y, z] = s;
    return std::tuple{x + y + z, ones({14}), other};
  };
  const auto [x, y, z] =
      form.fori(0, 6, body, std::tuple{form.noise({14}, 12), zeros({14}), form.noise({14}, 13)});
  return {x, y, z};
}

Tensors invariant_code(Form form) {
  const Tensor w = form.noise({1, 16}, 14);
  const auto body = [&](const Tensor&, const Tensor& x) {
    return total({x * exp(w) * 0.3, tanh(w)});
  };
  return {form.fori(0, 9, body, form.noise({8, 16}, 15))};
}

struct Mixed {
  Tensor f, i, u, b, h;
};

Tensors mixed_dtypes(Form form) {
  const auto body = [](const Tensor& step, const Mixed& s) {
    const Tensor more = s.f * 1.25, less = s.f - 0.5;
    return Mixed{where(s.b, more, less), s.i * 3 + step, s.u + 7, logical_xor(s.b, s.i % 2 == 0),
                 (s.h * 0.5 + s.f).astype(float16)};
  };
  const Mixed last = form.fori(0, 11, body,
                               Mixed{form.noise({19}, 16), form.below(9, {19}, 3),
                                     form.stored(form.below(250, {19}, 4).astype(uint8)),
                                     form.stored(form.below(2, {19}, 5).astype(boolean)),
                                     form.stored(form.noise({19}, 17).astype(float16))});
  return {last.f, last.i, last.u, last.b, last.h};
}

Tensors branches(Form form) {
  const auto body = [](const Tensor& i, const Tensor& x) {
    const Tensor a = cond(
        x > 0.0, [](const Tensor& v) { return v * 0.5; }, [](const Tensor& v) { return v + 1.0; },
        x);
    return cond(
        i % 3 == 0, [](const Tensor& v) { return -v; }, [](const Tensor& v) { return v + 0.25; },
        a);
  };
  return {form.fori(0, 13, body, form.noise({21}, 18))};
}

Tensors long_branches(Form form) {
  const Tensor w = form.noise({21}, 40);
  const auto yes = [&](const Tensor& v) {
    const Tensor wave = sin(v * 3.0), bell = exp(-v * v);
    return total({wave * bell, cos(w) * 0.5});
  };
  const auto no = [](const Tensor& v) {
    const Tensor cube = v * v * v, half = v * v * 0.5;
    return total({tanh(cube - half), -sqrt(abs(v))});
  };
  const auto body = [&](const Tensor& i, const Two& s) {
    const auto often = [&](const Tensor& v) {
      const Tensor chosen = cond(i < 4, yes, no, v);
      return chosen * cos(v * 2.0);
    };
    const auto grow = [](const Tensor& v) { return v + 0.125; };
    return Two{cond(s.second < 1.0, often, no, s.first), cond(i == 6, no, grow, s.second)};
  };
  return items(form.fori(0, 9, body, Two{form.noise({21}, 41), full({}, 0.75)}));
}

// ---- Small trailing axes

Tensors small_matmul(Form form) {
  const Tensor w = form.noise({4, 4}, 19);
  const auto body = [&](const Tensor&, const Tensor& x) { return tanh(matmul(x, w)); };
  return {form.fori(0, 12, body, form.noise({30, 4}, 20))};
}

Tensors small_softmax(Form form) {
  const auto body = [](const Tensor&, const Tensor& x) {
    return total({nn::softmax(x * 2.0), x * 0.5});
  };
  return {form.fori(0, 8, body, form.noise({9, 5}, 21))};
}

Tensors small_argmax(Form form) {
  const auto body = [](const Tensor&, const Two& s) {
    const Tensor best = argmax(s.first, 1);  // (9,)
    const Tensor column = expand_dims(best, 1), row = expand_dims(iota(5), 0);
    const Tensor hit = column == row;  // (9, 5)
    const Tensor less = s.first - 0.5, scaled = s.first * 0.99;
    return Two{where(hit, less, scaled), s.second + best};
  };
  return items(form.fori(0, 10, body, Two{form.noise({9, 5}, 22), zeros({9}, int32)}));
}

Tensors small_gather(Form form) {
  const auto body = [](const Tensor& i, const Two& s) {
    const Tensor at = expand_dims((s.second + i) % 6, 1);              // (11, 1)
    const Tensor found = squeeze(take_along_axis(s.first, at, 1), 1);  // (11,)
    return Two{total({s.first * 0.9, expand_dims(found, 1) * 0.1}),
               s.second + (found > 0.0).astype(int32) + 1};
  };
  return items(form.fori(0, 10, body, Two{form.noise({11, 6}, 23), zeros({11}, int32)}));
}

Tensors policies(Form form) {
  const Tensor weights = form.noise({25, 6 * 4 + 4 * 3}, 24);  // (elements, weights)
  const Tensor first = weights.at(ellipsis, Slice{0, 24}).get().reshape(25, 6, 4);
  const Tensor second = weights.at(ellipsis, Slice{24, 36}).get().reshape(25, 4, 3);
  const auto body = [&](const Tensor&, const Two& s) {
    const Tensor hidden = tanh(matmul(expand_dims(s.first, 1), first));  // (25, 1, 4)
    const Tensor action = argmax(matmul(hidden, second), 2);             // (25, 1)
    const Tensor force = action.astype(float32) - 1.0;
    return Two{sin(s.first * 1.1 + force), s.second + squeeze(force, 1)};
  };
  return items(form.fori(0, 15, body, Two{form.noise({25, 6}, 25), zeros({25})}));
}

// ---- Tables

Tensors table_of_each_element(Form form) {
  const Tensor table = form.noise({12, 10}, 26);
  const auto body = [&](const Tensor& i, const Tensor& x) {
    return total({x * 0.7, take(table, i, 1)});
  };
  return {form.fori(0, 10, body, form.noise({12}, 27))};
}

Tensors table_by_step(Form form) {
  const Tensor table = form.noise({10, 3}, 28);
  const auto body = [&](const Tensor& i, const Tensor& x) {
    return total({x * 0.7, take(table, i, 0)});
  };
  return {form.fori(2, 9, body, form.noise({12, 3}, 29))};
}

Tensors table_by_element(Form form) {
  const Tensor next = form.below(16, {16}, 6);
  const Tensor gain = form.noise({16}, 30);
  const auto body = [&](const Tensor&, const Two& s) {
    return Two{take(next, s.first), s.second + take(gain, s.first)};
  };
  return items(form.fori(0, 9, body, Two{form.below(16, {23}, 7), zeros({23})}));
}

// ---- Random numbers

Tensors random_walk(Form form) {
  const auto body = [](const Tensor& i, const Tensor& x) {
    return x + (random::uniform(random::fold_in(1, i), {50}) - 0.5);
  };
  return {form.fori(0, 25, body, zeros({50}))};
}

Tensors monte_carlo_pi(Form form) {
  const auto body = [](const Tensor& i, const Tensor& hits) {
    const Tensor x = random::uniform(random::fold_in(2, i), {40});
    const Tensor y = random::uniform(random::fold_in(3, i), {40});
    return hits + (total({x * x, y * y}) < 1.0).astype(int32);
  };
  return {form.fori(0, 50, body, zeros({40}, int32))};
}

// Each row has a stream of its own.
Tensors key_of_each_row(Form form) {
  const Tensor seeds = expand_dims(form.below(1000, {9}, 10), 1);  // (9, 1)
  const auto body = [&](const Tensor& i, const Tensor& x) {
    return total({x * 0.5, random::normal(random::fold_in(seeds, i), {9, 4})});
  };
  return {form.fori(0, 6, body, zeros({9, 4}))};
}

Tensors fixed_key(Form form) {
  const auto body = [](const Tensor&, const Tensor& x) {
    return total({x * 0.5, random::uniform(5, {17})});
  };
  return {form.fori(0, 6, body, form.noise({17}, 31))};
}

// ---- Elements that read each other

Tensors normalised(Form form) {
  const auto body = [](const Tensor&, const Tensor& x) { return x / sum(abs(x)) * 1.5 + 0.01; };
  return {form.fori(0, 8, body, form.noise({40}, 37))};
}

Tensors shuffled(Form form) {
  const Tensor order = form.below(20, {20}, 8);
  const auto body = [&](const Tensor&, const Tensor& x) { return take(x, order) * 0.9 + 0.1; };
  return {form.fori(0, 8, body, form.noise({20}, 38))};
}

Tensors power_iteration(Form form) {
  const Tensor a = form.noise({12, 12}, 39);
  const auto body = [&](const Tensor&, const Tensor& x) {
    const Tensor y = matmul(a, x);
    return y / (norm(y) + 0.001);
  };
  return {form.fori(0, 8, body, form.noise({12, 1}, 40))};
}

Tensors heat_1d(Form form) {
  const auto body = [](const Tensor&, const Tensor& x) {
    return x + 0.2 * total({roll(x, 1, 0), roll(x, -1, 0), -2.0 * x});
  };
  return {form.fori(0, 12, body, form.noise({32}, 41))};
}

Tensors life(Form form) {
  const auto body = [](const Tensor&, const Tensor& alive) {
    const Tensor x = alive.astype(int32);
    const Tensor rows = total({roll(x, 1, 0), x, roll(x, -1, 0)});
    const Tensor near = total({roll(rows, 1, 1), rows, roll(rows, -1, 1)}) - x;
    const Tensor is_born = near == 3;
    return logical_or(is_born, logical_and(alive, near == 2));
  };
  return {form.fori(0, 6, body, form.stored(form.below(2, {16, 12}, 9).astype(boolean)))};
}

Tensors scattered(Form form) {
  const auto body = [](const Tensor& i, const Tensor& x) {
    const Tensor row = reshape(i % 5, {1});
    return scatter_add(x, row, expand_dims(sum(x, 0), 0) * 0.1 + 1.0, 0);
  };
  return {form.fori(0, 7, body, form.noise({5, 3}, 42))};
}

// ---- Nested, zero iterations, several

Tensors nested(Form form) {
  const Tensor w = form.noise({10}, 43);
  const auto body = [&](const Tensor& i, const Tensor& x) {
    const auto inner = [&](const Tensor& j, const Tensor& y) {
      return total({y * 0.5, w * (i * 10 + j).astype(float32), x * 0.1});
    };
    return form.fori(0, 4, inner, x * 2.0);
  };
  return {form.fori(0, 5, body, form.noise({10}, 44))};
}

Tensors newton_in_loop(Form form) {
  const Tensor w = form.noise({13, 5}, 60);
  const auto body = [&](const Tensor& i, const Two& s) {
    const Tensor goal = total({s.first * 0.5, w, i.astype(float32) * 0.1});
    const auto newton = [&](const Tensor&, const Tensor& x) {
      const Tensor error = x + sin(x) * 0.5 - goal;
      return x - error / (cos(x) * 0.5 + 1.0);
    };
    const Tensor root = form.fori(0, 6, newton, s.second);
    return Two{root, total({root * 0.5, s.first * 0.1})};
  };
  return items(form.fori(0, 12, body, Two{form.noise({13, 5}, 61), form.noise({13, 5}, 62)}));
}

Tensors while_in_loop(Form form) {
  const auto body = [&](const Tensor&, const Two& s) {
    const auto holds = [](const Two& t) { return t.first < 2.0; };
    const auto grow = [](const Two& t) { return Two{t.first * 1.5 + 0.25, t.second + 1.0}; };
    const Two first{abs(s.first) + 0.1, s.second};
    const Two last = form.is_unrolled ? form.while_loop(holds, grow, first, 9)
                                      : while_loop(holds, grow, first, 9);
    return Two{last.first * 0.3 - 0.5, last.second};
  };
  return items(form.fori(0, 7, body, Two{form.noise({22}, 63), zeros({22})}));
}

Tensors three_deep(Form form) {
  const Tensor w = form.noise({4, 4}, 64);
  const auto body = [&](const Tensor& i, const Tensor& x) {
    const auto inner = [&](const Tensor& j, const Tensor& y) {
      const auto innermost = [&](const Tensor& k, const Tensor& z) {
        return total({tanh(matmul(z, w)), y * 0.1, (i + j * k).astype(float32) * 0.01});
      };
      return form.fori(0, 3, innermost, y + x * 0.1);
    };
    return form.fori(0, 4, inner, x);
  };
  return {form.fori(0, 3, body, form.noise({9, 4}, 65))};
}

Tensors loops_in_branches(Form form) {
  const auto body = [&](const Tensor& i, const Tensor& x) {
    const auto turn = [&](const Tensor&, const Tensor& y) {
      return total({sin(y) * 0.5, x * 0.25});
    };
    const Tensor turned = form.fori(0, 5, turn, x);
    const auto yes = [&](const Tensor& v) { return form.fori(0, 4, turn, v) + turned; };
    const auto no = [&](const Tensor& v) { return form.fori(0, 2, turn, -v) * turned; };
    return total({cond(i % 2 == 0, yes, no, x), cond(i < 3, no, yes, turned)});
  };
  return {form.fori(0, 6, body, form.noise({15}, 66))};
}

Tensors zero_iterations(Form form) {
  const auto body = [](const Tensor&, const Tensor& x) { return x + 1.0; };
  return {form.fori(4, 4, body, form.noise({6}, 47))};
}

Tensors two_equal_loops(Form form) {
  const auto body = [](const Tensor&, const Tensor& x) { return sin(x) + 0.5; };
  const Tensor a = form.fori(0, 5, body, form.noise({18}, 48));
  const Tensor b = form.fori(0, 5, body, form.noise({18}, 49));
  return {a, b, a - b};
}

Tensors one_result_read(Form form) {
  const auto body = [](const Tensor&, const std::tuple<Tensor, Tensor, Tensor>& s) {
    const auto& [x, y, z] = s;
    return std::tuple{x + y, y * 0.9, z + x};
  };
  const auto last = form.fori(
      0, 9, body, std::tuple{form.noise({18}, 50), form.noise({18}, 51), form.noise({18}, 52)});
  return {std::get<0>(last)};
}

Tensors loop_over_loop(Form form) {
  const auto body = [](const Tensor&, const Tensor& x) { return cos(x) * 0.8; };
  const Tensor first = form.fori(0, 5, body, form.noise({18}, 53));
  const auto grow = [&](const Tensor&, const Tensor& x) { return total({x * 0.5, exp(first)}); };
  return {form.fori(0, 5, grow, first + 1.0)};
}

// ---- While

Tensors collatz(Form form) {
  const auto holds = [](const Two& s) { return s.first > 1; };
  const auto body = [](const Two& s) {
    const Tensor half = floor_divide(s.first, 2), more = s.first * 3 + 1;
    return Two{where(s.first % 2 == 0, half, more), s.second + 1};
  };
  const Two init{form.stored(iota(25) + 1), zeros({25}, int32)};
  return items(form.while_loop(holds, body, init, 30));
}

Tensors while_of_rows(Form form) {
  const auto holds = [](const Tensor& x) { return sum(abs(x), 1) > 1.0; };
  const auto body = [](const Tensor& x) { return x * 0.7; };
  return {form.while_loop(holds, body, form.noise({14, 6}, 54) * 4.0, 12)};
}

Tensors while_of_all(Form form) {
  const auto holds = [](const Two& s) { return max(s.first) > 0.1; };
  const auto body = [](const Two& s) { return Two{s.first * 0.6, s.second + 1}; };
  const Two init{abs(form.noise({14}, 55)), zeros({}, int32)};
  return items(form.while_loop(holds, body, init, 8));
}

Tensors while_never(Form form) {
  const auto holds = [](const Tensor& x) { return x > 2.0; };
  const auto body = [](const Tensor& x) { return x + 1.0; };
  return {form.while_loop(holds, body, form.noise({9}, 56), 2)};
}

constexpr LoopCase all_cases[] = {
    {"scale_and_add", scale_and_add},
    {"step_in_arithmetic", step_in_arithmetic},
    {"mandelbrot", mandelbrot},
    {"leapfrog", leapfrog},
    {"swapped", swapped},
    {"fibonacci", fibonacci},
    {"unchanged_carry", unchanged_carry},
    {"constant_carry", constant_carry},
    {"invariant_code", invariant_code},
    {"mixed_dtypes", mixed_dtypes},
    {"branches", branches},
    {"long_branches", long_branches},
    {"small_matmul", small_matmul},
    {"small_softmax", small_softmax},
    {"small_argmax", small_argmax},
    {"small_gather", small_gather},
    {"policies", policies},
    {"table_of_each_element", table_of_each_element},
    {"table_by_step", table_by_step},
    {"table_by_element", table_by_element},
    {"random_walk", random_walk},
    {"monte_carlo_pi", monte_carlo_pi},
    {"key_of_each_row", key_of_each_row},
    {"fixed_key", fixed_key},
    {"normalised", normalised},
    {"shuffled", shuffled},
    {"power_iteration", power_iteration},
    {"heat_1d", heat_1d},
    {"life", life},
    {"scattered", scattered},
    {"nested", nested},
    {"newton_in_loop", newton_in_loop},
    {"while_in_loop", while_in_loop},
    {"three_deep", three_deep},
    {"loops_in_branches", loops_in_branches},
    {"zero_iterations", zero_iterations},
    {"two_equal_loops", two_equal_loops},
    {"one_result_read", one_result_read},
    {"loop_over_loop", loop_over_loop},
    {"collatz", collatz},
    {"while_of_rows", while_of_rows},
    {"while_of_all", while_of_all},
    {"while_never", while_never},
};

}  // namespace

std::span<const LoopCase> loop_cases() {
  static const std::vector<LoopCase> all = [] {
    std::vector<LoopCase> cases(std::begin(all_cases), std::end(all_cases));
    for (const std::span<const LoopCase> more : {scan_cases(), stencil_cases()}) {
      cases.insert(cases.end(), more.begin(), more.end());
    }
    return cases;
  }();
  return all;
}

}  // namespace trigon::support

// SPDX-License-Identifier: MIT
#include <tuple>

#include "support/loop_cases.hpp"

namespace trigon::support {
namespace {

using Form = const LoopForm&;
using Tensors = std::vector<Tensor>;
using Two = std::pair<Tensor, Tensor>;

Tensors cumulative_sum(Form form) {
  const auto f = [](const Tensor& s, const Tensor& x) { return Two{s + x, s + x}; };
  const Tensor zero = zeros({}), xs = form.noise({24}, 32);
  const auto [last, ys] = form.scan(f, zero, xs);
  return {last, ys};
}

Tensors scan_of_elements(Form form) {
  const auto f = [](const Two& s, const Two& x) {
    const Two next{s.first * 0.8 + x.first, maximum(s.second, x.second)};
    return std::pair(next, Tensors{next.first * 2.0, next.second > 0.5});
  };
  const Two init{zeros({13}), form.noise({13}, 33)};
  const Two xs{form.noise({9, 13}, 34), form.noise({9, 1}, 35)};
  const auto [last, ys] = form.scan(f, init, xs);
  return {last.first, last.second, ys[0], ys[1]};
}

Tensors scan_without_carries(Form form) {
  const auto f = [](const std::tuple<>&, const Tensor& x) {
    return std::pair(std::tuple<>(), nn::softmax(x));
  };
  return {form.scan(f, std::tuple<>(), form.noise({5, 4, 3}, 36)).outputs};
}

// Carries and outputs over (T, elements...), each step with its own slice and one captured tensor.
Tensors scan_over(Form form, std::int64_t iterations, const Shape& elements, double seed) {
  Shape shape = elements;
  shape.insert(0, iterations);
  const Tensor gain = form.noise(elements, seed);
  const auto f = [&](const Tensor& s, const Tensor& x) {
    const Tensor next = total({s * 0.9, x * gain});
    return Two{next, next * 2.0 - s};
  };
  const Tensor init = form.noise(elements, seed + 1), xs = form.noise(shape, seed + 2);
  const auto [last, ys] = form.scan(f, init, xs);
  return {last, ys};
}
Tensors scan_of_one_step(Form form) { return scan_over(form, 1, {5}, 57); }
Tensors scan_of_six_steps(Form form) { return scan_over(form, 6, {5, 3}, 60); }
Tensors scan_of_seven_steps(Form form) { return scan_over(form, 7, {8}, 63); }
Tensors scan_of_eight_steps(Form form) { return scan_over(form, 8, {3, 2, 5}, 66); }
Tensors scan_of_many_steps(Form form) { return scan_over(form, 61, {6}, 69); }
Tensors scan_of_one_element(Form form) { return scan_over(form, 16, {}, 72); }

// One alone of the results of a scan, and a carry that only another result needs.
ScanResult<std::tuple<Tensor, Tensor, Tensor>, Two> three_carries(Form form) {
  const auto f = [](const std::tuple<Tensor, Tensor, Tensor>& s, const Tensor& x) {
    const auto& [a, b, c] = s;
    return std::pair{std::tuple{a * 0.5 + x, b + a, c - b * 0.25}, Two{b * 2.0, c + a}};
  };
  const std::tuple init{form.noise({10}, 75), form.noise({10}, 76), form.noise({10}, 77)};
  return form.scan(f, init, form.noise({20, 10}, 78));
}
Tensors scan_without_the_last(Form form) { return {three_carries(form).outputs.first}; }
Tensors scan_without_outputs(Form form) { return {std::get<1>(three_carries(form).state)}; }
Tensors scan_of_all(Form form) {
  const auto [last, ys] = three_carries(form);
  return {std::get<0>(last), std::get<2>(last), ys.first, ys.second};
}

// Outputs with several values an element, and of other dtypes.
Tensors scan_of_values(Form form) {
  const Tensor w = form.noise({3, 2}, 79);
  const auto f = [&](const Tensor& s, const Tensor& x) {
    const Tensor next = tanh(total({s * 1.1, expand_dims(x, 1)}));  // (9, 3)
    return Two{next, matmul(next, w)};                              // (9, 2)
  };
  const Tensor init = form.noise({9, 3}, 80), xs = form.noise({11, 9}, 81);
  const auto [last, ys] = form.scan(f, init, xs);
  return {last, ys};
}
Tensors scan_of_wide_values(Form form) {
  const auto f = [](const Tensor& s, const Tensor& x) {
    const Tensor next = s * 0.5 + x;
    return Two{next, nn::softmax(next)};
  };
  const Tensor init = form.noise({4, 6}, 82), xs = form.noise({5, 4, 6}, 83);
  const auto [last, ys] = form.scan(f, init, xs);
  return {last, ys};
}
Tensors scan_of_dtypes(Form form) {
  const auto f = [](const Tensor& s, const Tensor& x) {
    const Tensor next = total({s * 0.75, x.astype(float32)});
    return std::pair(
        next, Tensors{(next * 3.0).astype(int32), next > 0.0, (next * 0.3).astype(float16), x + 1});
  };
  const Tensor init = form.noise({7}, 84), xs = form.below(9, {9, 7}, 11);
  const auto [last, ys] = form.scan(f, init, xs);
  return {last, ys[0], ys[1], ys[2], ys[3]};
}
// The numbers of the steps, and outputs that no element differs in.
Tensors scan_of_steps(Form form) {
  const auto f = [](const Two& s, const Tensor& x) {
    return std::pair{Two{s.first + x, s.second + 1}, Tensors{s.first * x, s.second}};
  };
  const Two init{form.noise({6}, 85), zeros({}, int32)};
  const auto [last, ys] = form.scan(f, init, form.noise({10, 6}, 86));
  return {last.first, last.second, ys[0], ys[1]};
}

// Later code reads the outputs, in other shapes and in parts.
Tensors scan_read(Form form) {
  const auto ys = scan_over(form, 15, {7, 2}, 87)[1];  // (15, 7, 2)
  const Tensor rows = reshape(ys, {15, 14}), w = form.noise({14, 3}, 90);
  return {exp(ys) + 1.0,
          sum(ys, 0),
          sum(ys, 2),
          ys[3] * 2.0,
          ys[14],
          rows,
          reshape(ys, {70, 3}),
          transpose(ys, {2, 1, 0}),
          ys[Slice{2, {}, 3}],
          matmul(rows, w)};
}
Tensors scan_of_a_scan(Form form) {
  const auto f = [](const Tensor& s, const Tensor& x) { return Two{s * 0.7 + x, s - x}; };
  const Tensor init = form.noise({9}, 91), xs = form.noise({17, 9}, 92);
  const Tensor first = form.scan(f, init, xs).outputs;
  const auto [last, ys] = form.scan(f, sum(first, 0), first);
  return {last, ys};
}

Tensors scan_in_loop(Form form) {
  const Tensor xs = form.noise({6, 8}, 45);
  const auto body = [&](const Tensor&, const Tensor& x) {
    const auto f = [&](const Tensor& s, const Tensor& y) { return Two{s * 0.9 + y, s + x}; };
    const auto [last, ys] = form.scan(f, x, xs);
    return total({last * 0.5, max(ys, 0)});
  };
  return {form.fori(0, 3, body, form.noise({8}, 46))};
}

// Every fourth state of a loop, and what it became.
Tensors scan_of_a_loop(Form form) {
  const auto step = [](const Tensor&, const Tensor& y) { return y + sin(y) * 0.1; };
  const auto f = [&](const Tensor& s, const Tensor& x) {
    return std::pair(form.fori(0, 4, step, s) * x, s);
  };
  const Tensor init = form.noise({14}, 93), xs = form.noise({10, 14}, 94);
  const auto [last, kept] = form.scan(f, init, xs);
  return {last, kept};
}

// Many values for each element, which start as numbers: the first draw has them for free, further
// draws load them.
Tensors scan_of_many_values(Form form) {
  const auto f = [](const std::tuple<Tensor, Tensor, Tensor>& s, const Tensor& x) {
    const auto& [a, b, c] = s;
    const Tensor next = a * 0.5 + b + x;
    return std::pair{std::tuple{next, b + c * 0.1 + 0.01, c - a * 0.2}, sum(next, 1)};
  };
  const std::tuple first{zeros({40, 7}), zeros({40, 7}), zeros({40, 7})};
  const auto [last, ys] = form.scan(f, first, form.noise({20, 40, 1}, 90));
  return {std::get<0>(last), std::get<1>(last), std::get<2>(last), ys};
}

constexpr LoopCase all_cases[] = {
    {"cumulative_sum", cumulative_sum},
    {"scan_of_elements", scan_of_elements},
    {"scan_without_carries", scan_without_carries},
    {"scan_of_one_step", scan_of_one_step},
    {"scan_of_six_steps", scan_of_six_steps},
    {"scan_of_seven_steps", scan_of_seven_steps},
    {"scan_of_eight_steps", scan_of_eight_steps},
    {"scan_of_many_steps", scan_of_many_steps},
    {"scan_of_one_element", scan_of_one_element},
    {"scan_without_the_last", scan_without_the_last},
    {"scan_without_outputs", scan_without_outputs},
    {"scan_of_all", scan_of_all},
    {"scan_of_values", scan_of_values},
    {"scan_of_wide_values", scan_of_wide_values},
    {"scan_of_dtypes", scan_of_dtypes},
    {"scan_of_steps", scan_of_steps},
    {"scan_read", scan_read},
    {"scan_of_a_scan", scan_of_a_scan},
    {"scan_in_loop", scan_in_loop},
    {"scan_of_a_loop", scan_of_a_loop},
    {"scan_of_many_values", scan_of_many_values},
};

}  // namespace

std::span<const LoopCase> scan_cases() { return all_cases; }

}  // namespace trigon::support

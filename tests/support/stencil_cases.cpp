// SPDX-License-Identifier: MIT
#include "support/loop_cases.hpp"

// Loops whose steps read neighbours, with borders and dtypes of all kinds.

namespace trigon::support {
namespace {

using Form = const LoopForm&;
using Tensors = std::vector<Tensor>;
using Two = std::pair<Tensor, Tensor>;

/// Each element's neighbour at `offset` along the axis; beyond the border it is `outside`.
Tensor near(const Tensor& x, std::int64_t offset, int axis, double outside = 0) {
  const auto at = static_cast<std::size_t>(axis);
  std::vector<PadWidth> widths(static_cast<std::size_t>(x.ndim()));
  widths[at] = {1, 1};
  std::vector<Index> index(widths.size(), Slice{});
  index[at] = Slice{1 + offset, 1 + offset + x.shape()[axis]};
  return trigon::index(pad(x, widths, outside), index);
}

/// The same with the border's element beyond the border.
Tensor clamped(const Tensor& x, std::int64_t offset) {
  const std::int64_t n = x.shape()[0];
  const Tensor joined = concatenate({x[Slice{0, 1}], x, x[Slice{n - 1, {}}]}, 0);
  return joined[Slice{1 + offset, 1 + offset + n}];
}

/// The same around a ring.
Tensor around(const Tensor& x, std::int64_t offset) {
  const std::int64_t n = x.shape()[0];
  const std::int64_t k = (offset + n) % n;
  return concatenate({x[Slice{k, {}}], x[Slice{0, k}]}, 0);
}

Tensor spread(const Tensor& x) {
  Tensor sum = x * (1 - 0.2 * static_cast<double>(x.ndim()));
  for (int axis = 0; axis < x.ndim(); ++axis) {
    sum = sum + 0.1 * total({near(x, -1, axis, 0.5), near(x, 1, axis, 0.5)});
  }
  return sum;
}

Tensors heat(Form form, std::int64_t steps, const Shape& shape) {
  const auto body = [](const Tensor&, const Tensor& x) { return spread(x); };
  return {form.fori(0, steps, body, form.noise(shape, 100))};
}

Tensors one_step(Form form) { return heat(form, 1, {70}); }
Tensors two_steps(Form form) { return heat(form, 2, {70}); }
Tensors three_steps(Form form) { return heat(form, 3, {70}); }
Tensors four_steps(Form form) { return heat(form, 4, {70}); }
Tensors five_steps(Form form) { return heat(form, 5, {70}); }
Tensors one_element(Form form) { return heat(form, 6, {1}); }
Tensors five_elements(Form form) { return heat(form, 6, {5}); }
Tensors plane_of_one_column(Form form) { return heat(form, 6, {67, 1}); }
Tensors plane_of_one_row(Form form) { return heat(form, 6, {1, 66}); }
Tensors plane(Form form) { return heat(form, 7, {9, 11}); }
Tensors volume(Form form) { return heat(form, 5, {3, 5, 6}); }

Tensors clamped_line(Form form) {
  const auto body = [](const Tensor&, const Tensor& x) {
    return total({0.5 * x, 0.3 * clamped(x, -1), 0.2 * clamped(x, 1)});
  };
  return {form.fori(0, 6, body, form.noise({73}, 101)),
          form.fori(0, 6, body, form.noise({13, 6}, 102))};
}

Tensors ring(Form form) {
  const auto body = [](const Tensor&, const Tensor& x) {
    return total({0.5 * x, 0.3 * around(x, -1), -0.2 * around(x, 1)});
  };
  return {form.fori(0, 6, body, form.noise({69}, 103)),
          form.fori(0, 6, body, form.noise({80}, 104)),
          form.fori(0, 4, body, form.noise({12, 7}, 105))};
}

Tensors wave(Form form) {
  const auto body = [](const Tensor&, const Two& s) {
    const Tensor sides = total({near(s.first, -1, 0), near(s.first, 1, 0)});
    const Tensor speed = s.second + 0.2 * (sides - s.first);
    return Two{s.first + 0.1 * speed, speed};
  };
  const Two last = form.fori(0, 9, body, Two{form.noise({81}, 106), zeros({81})});
  return {last.first, last.second};
}

Tensors two_kinds(Form form) {
  const auto body = [](const Tensor&, const Two& s) {
    const Tensor reaction = 0.1 * s.first * s.second * s.second;
    return Two{spread(s.first) - reaction, spread(s.second) + reaction};
  };
  const Two last = form.fori(0, 5, body, Two{form.noise({6, 12}, 107), form.noise({6, 12}, 108)});
  return {last.first, last.second};
}

// The places of the carries change, and one of them is not read at neighbours.
Tensors trading(Form form) {
  const auto body = [](const Tensor&, const std::tuple<Tensor, Tensor, Tensor>& s) {
    const auto& [x, y, z] = s;
    return std::tuple{y, near(x, 1, 0) * 0.5, z + x};
  };
  const auto [x, y, z] =
      form.fori(0, 7, body, std::tuple{form.noise({90}, 109), form.noise({90}, 110), zeros({90})});
  return {x, y, z};
}

// The step's number and a tensor from outside take part.
Tensors driven(Form form) {
  const Tensor source = form.noise({72}, 111);
  const auto body = [&](const Tensor& i, const Tensor& x) {
    const Tensor beside = near(source, 1, 0), at = i.astype(float32);
    return total({spread(x), beside * at * 0.1});
  };
  return {form.fori(3, 10, body, form.noise({72}, 112))};
}

// Every other step undoes the one before.
Tensors flipped(Form form) {
  const auto body = [](const Tensor&, const Tensor& x) { return x[Slice{{}, {}, -1}]; };
  return {form.fori(0, 5, body, form.noise({75}, 114))};
}

Tensors automaton(Form form) {
  const auto body = [](const Tensor& i, const Tensor& x) {
    return total({near(x, -1, 0, 3) * 5, x * 3, near(x, 1, 0, 1), i}) % 1009;
  };
  return {form.fori(0, 9, body, form.below(1009, {74}, 11))};
}

// Each step is rounded to halves, and wrapped to bytes.
Tensors halves_of_neighbours(Form form) {
  const auto body = [](const Tensor&, const Tensor& x) {
    return total({near(x, -1, 0) * 0.3, x * 0.35, near(x, 1, 0) * 0.3}).astype(float16);
  };
  // Here no cast rounds the number beyond the border.
  const auto shift = [](const Tensor&, const Tensor& x) { return near(x, 1, 0, 0.3); };
  const Tensor x = form.stored(form.noise({78}, 113).astype(float16));
  return {form.fori(0, 8, body, x), form.fori(0, 4, shift, x)};
}
Tensors bytes_of_neighbours(Form form) {
  const auto body = [](const Tensor&, const Tensor& x) {
    return total({near(x, -1, 0) * 3, x, near(x, 1, 0) * 7});
  };
  return {form.fori(0, 8, body, form.stored(form.below(250, {78}, 12).astype(uint8)))};
}

Tensors mask_of_neighbours(Form form) {
  const auto body = [](const Tensor&, const Tensor& x) {
    const Tensor left = near(x, -1, 0);
    return logical_xor(left, logical_or(x, near(x, 1, 0, 1)));
  };
  return {form.fori(0, 7, body, form.stored(form.below(2, {71}, 13).astype(boolean)))};
}

constexpr LoopCase all_cases[] = {
    {"one_step", one_step},
    {"two_steps", two_steps},
    {"three_steps", three_steps},
    {"four_steps", four_steps},
    {"five_steps", five_steps},
    {"one_element", one_element},
    {"five_elements", five_elements},
    {"plane_of_one_column", plane_of_one_column},
    {"plane_of_one_row", plane_of_one_row},
    {"plane", plane},
    {"volume", volume},
    {"clamped_line", clamped_line},
    {"ring", ring},
    {"wave", wave},
    {"two_kinds", two_kinds},
    {"trading", trading},
    {"driven", driven},
    {"flipped", flipped},
    {"automaton", automaton},
    {"halves_of_neighbours", halves_of_neighbours},
    {"bytes_of_neighbours", bytes_of_neighbours},
    {"mask_of_neighbours", mask_of_neighbours},
};

}  // namespace

std::span<const LoopCase> stencil_cases() { return all_cases; }

}  // namespace trigon::support

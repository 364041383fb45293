// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <trigon/trigon.hpp>

#include "support/gl_calls.hpp"
#include "support/gpt_step.hpp"
#include "support/null_gl.hpp"
#include "support/random_runs.hpp"
#include "support/values.hpp"

// From the third step on a loop makes no object of GL, with a GL that draws nothing.

namespace trigon {
namespace {

using support::filled;
using Tensors = std::vector<Tensor>;

/// The objects of GL that work() makes, by the call that makes them; "" if none.
std::string objects_made(const std::function<void()>& work) {
  std::string text;
  for (const auto& [name, calls] : support::calls_of(work)) {
    const bool makes = name.starts_with("glGen") || name.starts_with("glCreate") ||
                       name.starts_with("glTexStorage") || name.starts_with("glTexImage");
    if (makes) text += name + ": " + std::to_string(calls.made) + "; ";
  }
  return text;
}

/// Checks that the third and all later steps make nothing. If plans may differ up to the fourth
/// step: that all steps after the second one with the last new plan make nothing.
void expect_steady(const std::function<void()>& step, int steps = 10,
                   bool plans_may_differ = false) {
  for (int k = 1, first = 3; k <= steps; ++k) {
    const std::int64_t plans = counters().plans_made;
    const std::string made = objects_made(step);
    if (plans_may_differ && k <= 4 && counters().plans_made > plans) first = std::max(first, k + 1);
    if (k >= first) {
      EXPECT_EQ(made, "") << "step " << k;
    }
  }
}

/// Loshchilov and Hutter, "Decoupled Weight Decay Regularization", algorithm 2.
Tensors adam_w(const Tensor& p, const Tensor& m, const Tensor& v, const Tensor& g,
               const Scalar& rate, const Scalar& first, const Scalar& second) {
  const Tensor m1 = m * 0.9 + g * 0.1;
  const Tensor v1 = v * 0.999 + g * g * 0.001;
  const Tensor by = m1 / first / (sqrt(v1 / second) + 1e-8) + p * 0.01;
  return {p - by * rate, m1, v1};
}

using Triple = std::pair<Tensor, std::pair<Tensors, std::pair<Tensors, Tensors>>>;

TEST(SteadyState, OfACompiledAdamStepOfAGpt) {
  const support::GptSize size{.layers = 6, .width = 192};
  support::GptInputs in(size);
  Tensors m, v;
  for (const Tensor& x : in.parameters) {
    m.push_back(filled(x.shape(), 0));
    v.push_back(filled(x.shape(), 0));
  }
  const auto step = compile([size](const Tensors& p, const Tensors& p_m, const Tensors& p_v,
                                   const Tensor& ids, const Tensor& targets, const Scalar& rate,
                                   const Scalar& by_m, const Scalar& by_v) {
    const auto loss = [&](const Tensors& q) { return support::gpt_loss(size, q, ids, targets); };
    const auto [value, gradients] = value_and_grad(loss)(p);
    Tensors p1, m1, v1;
    for (std::size_t k = 0; k < p.size(); ++k) {
      const Tensors next = adam_w(p[k], p_m[k], p_v[k], gradients[k], rate, by_m, by_v);
      p1.push_back(next[0]), m1.push_back(next[1]), v1.push_back(next[2]);
    }
    return Triple(value, {p1, {m1, v1}});
  });
  double first = 1, second = 1;
  expect_steady([&] {
    first *= 0.9;
    second *= 0.999;
    Triple next = step(std::move(in.parameters), std::move(m), std::move(v), in.ids, in.targets,
                       Scalar(1e-3), Scalar(1 - first), Scalar(1 - second));
    static_cast<void>(next.first.item());
    in.parameters = std::move(next.second.first);
    m = std::move(next.second.second.first);
    v = std::move(next.second.second.second);
  });
}

/// x (N, H, W, C), w (9 C or C, O): a convolution over windows of size 3 or 1.
Tensor convolution(const Tensor& x, const Tensor& w, std::int64_t size, std::int64_t stride) {
  Tensor padded = x;
  if (size > 1) padded = pad(x, {{0, 0}, {1, 1}, {1, 1}, {0, 0}});
  const Tensor seen = sliding_window_view(padded, {size, size}, {1, 2});  // (N, H, W, C, 3, 3)
  const Tensor used = seen.at(Slice{}, Slice{.step = stride}, Slice{.step = stride}).get();
  const std::int64_t n = used.shape()[0], h = used.shape()[1], columns = used.shape()[2];
  return matmul(used.reshape(n, h, columns, -1), w);
}

Tensor batch_norm(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  const Tensor centred = x - mean(x, {0, 1, 2}, true);
  return centred / sqrt(mean(centred * centred, {0, 1, 2}, true) + 1e-5) * weight + bias;
}

/// He and others, "Deep Residual Learning for Image Recognition", with the stem for 32 x 32.
struct ResNet {
  static constexpr std::int64_t widths[] = {64, 128, 256, 512};

  static Tensors parameters() {
    Tensors p;
    const auto add = [&](std::int64_t size, std::int64_t from, std::int64_t to) {
      p.push_back(filled({size * size * from, to}, 0.01F));
      p.push_back(filled({to}));
      p.push_back(filled({to}, 0));
    };
    add(3, 3, 64);
    std::int64_t from = 64;
    for (const std::int64_t to : widths) {
      for (int block = 0; block < 2; ++block) {
        add(3, from, to), add(3, to, to);
        if (from != to) add(1, from, to);
        from = to;
      }
    }
    p.push_back(filled({512, 10}, 0.01F));
    return p;
  }

  static Tensor loss(const Tensors& p, const Tensor& images, const Tensor& labels) {
    std::size_t next = 0;
    const auto layer = [&](const Tensor& x, std::int64_t size, std::int64_t stride) {
      next += 3;
      return batch_norm(convolution(x, p[next - 3], size, stride), p[next - 2], p[next - 1]);
    };
    Tensor x = maximum(layer(images, 3, 1), 0.0);
    std::int64_t from = 64;
    for (const std::int64_t to : widths) {
      for (int block = 0; block < 2; ++block) {
        const std::int64_t stride = from != to ? 2 : 1;
        const Tensor inner = layer(maximum(layer(x, 3, stride), 0.0), 3, 1);
        x = maximum(inner + (from != to ? layer(x, 1, stride) : x), 0.0);
        from = to;
      }
    }
    return nn::cross_entropy(matmul(mean(x, {1, 2}), p[next]), labels);
  }
};

Tensor labels_of(std::int64_t count) {
  return tensor<std::int32_t>(std::vector<std::int32_t>(static_cast<std::size_t>(count), 3),
                              {count});
}

TEST(SteadyState, OfACompiledStepOfAResNet) {
  const auto step =
      compile([](const Tensors& p, const Tensor& images, const Tensor& labels, const Scalar& rate) {
        const auto loss = [&](const Tensors& q) { return ResNet::loss(q, images, labels); };
        const auto [value, gradients] = value_and_grad(loss)(p);
        Tensors next;
        for (std::size_t k = 0; k < p.size(); ++k) next.push_back(p[k] - gradients[k] * rate);
        return std::pair(value, next);
      });
  Tensors parameters = ResNet::parameters();
  expect_steady([&] {
    const Tensor images = filled({64, 32, 32, 3});
    auto [value, next] = step(std::move(parameters), images, labels_of(64), Scalar(1e-2));
    static_cast<void>(value.item());
    parameters = std::move(next);
  });
}

// ---- Plain loops --------------------------------------------------------------------------------

Tensor mlp_loss(const Tensors& p, const Tensor& x, const Tensor& labels) {
  const Tensor inner = tanh(matmul(x, p[0]) + p[1]);
  return nn::cross_entropy(matmul(tanh(matmul(inner, p[2]) + p[3]), p[4]) + p[5], labels);
}

Tensors mlp_parameters() {
  Tensors p;
  for (const Shape& shape :
       {Shape{30, 40}, Shape{40}, Shape{40, 40}, Shape{40}, Shape{40, 10}, Shape{10}}) {
    p.push_back(random::normal(random::Key(7), shape));
  }
  return p;
}

TEST(SteadyState, OfAPlainTrainingLoop) {
  Tensors p = mlp_parameters(), m;
  for (const Tensor& x : p) m.push_back(zeros_like(x));
  expect_steady([&] {
    const Tensor x = filled({64, 30}), labels = labels_of(64);
    const auto [loss, gradients] =
        value_and_grad([&](const Tensors& q) { return mlp_loss(q, x, labels); })(p);
    Tensors roots = {loss};
    for (std::size_t k = 0; k < p.size(); ++k) {
      m[k] = m[k] * 0.9 + gradients[k];
      p[k] = p[k] - m[k] * 0.01;
      roots.push_back(m[k]), roots.push_back(p[k]);
    }
    eval(roots);
    static_cast<void>(loss.item());
  });
}

// The loss, the gradients and the parameters are evaluated separately.
TEST(SteadyState, OfAPlainTrainingLoopOfSeveralEvaluations) {
  Tensors p = mlp_parameters();
  expect_steady([&] {
    const Tensor x = filled({64, 30}), labels = labels_of(64);
    auto [loss, gradients] =
        value_and_grad([&](const Tensors& q) { return mlp_loss(q, x, labels); })(p);
    static_cast<void>(loss.item());
    eval(gradients);
    for (std::size_t k = 0; k < p.size(); ++k) {
      p[k] = p[k] - gradients[k] * 0.01;
      p[k].eval();
    }
    static_cast<void>(mlp_loss(p, x, labels).item());
  });
}

// ---- Random programs ----------------------------------------------------------------------------

/// A random function that maps a state, an input and a number to the next state.
class RandomStep {
 public:
  explicit RandomStep(std::uint32_t seed) : random_(seed) {
    const std::vector<Shape> shapes{{6, 5}, {6, 5}, {40, 30}, {7}, {130, 3, 5}, {}, {64, 64}};
    const int count = 2 + random_.below(5);
    for (int k = 0; k < count; ++k) {
      shapes_.push_back(shapes[static_cast<std::size_t>(random_.below(7))]);
    }
    input_ = shapes_[0].rank() > 0 ? shapes_[0] : Shape{9};
    steps_ = 3 + random_.below(20);
    seed_ = static_cast<std::uint32_t>(random_.below(1 << 30));
  }

  const Shape& input() const { return input_; }
  Tensors state(bool is_lazy) const {
    Tensors state;
    for (const Shape& shape : shapes_) {
      state.push_back(is_lazy ? random::normal(random::Key(3), shape) : filled(shape));
    }
    return state;
  }

  /// The next state, and last a number.
  Tensors operator()(const Tensors& state, const Tensor& input, const Scalar& number) const {
    support::Random random(seed_);
    Tensors values = state;
    values.push_back(input);
    const auto any = [&] {
      return values[static_cast<std::size_t>(random.below(static_cast<int>(values.size())))];
    };
    for (int k = 0; k < steps_; ++k) {
      const Tensor a = any(), b = any();
      values.push_back(operation(random.below(9), a, b, number));
    }
    Tensors next;
    for (const Shape& shape : shapes_) {
      Tensor sum = any() * 0.5;
      if (sum.shape() != shape) sum = broadcast_to(mean(sum), shape);
      for (int k = 0; k < 4; ++k) {
        const Tensor x = any();
        sum = sum + (x.shape() == shape ? x : mean(x)) * number;
      }
      // A view of the state would live for two steps, and need a third texture.
      next.push_back(random.chance(0.2) ? tanh(any_of(values, shape, sum)) : sum);
    }
    next.push_back(mean(any()) + mean(any()));
    return next;
  }

 private:
  static Tensor any_of(const Tensors& values, const Shape& shape, const Tensor& otherwise) {
    for (auto at = values.rbegin(); at != values.rend(); ++at) {
      if (at->shape() == shape) return *at;
    }
    return otherwise;
  }

  static Tensor operation(int which, const Tensor& a, const Tensor& b, const Scalar& number) {
    const Tensor like = a.shape() == b.shape() ? b : mean(b);
    if (a.ndim() == 0) return tanh(a + mean(b));
    switch (which) {
      case 0: return a * 0.5 + like;
      case 1: return tanh(a) * number - like;
      case 2: return nn::softmax(a) + like;
      case 3: return a - sum(a, {-1}, true) * 0.1;
      case 4: return flip(a, {0});
      case 5: {
        Tensor x = a;
        x = x.at(1).set(mean(b));
        return x;
      }
      case 6: {
        if (a.ndim() != 2) return a + like;
        return matmul(a, matmul(a.transpose(), a)) * 0.01;
      }
      case 7:
        return fori_loop(
                   0, 5,
                   [&](const Tensor& k, const std::pair<Tensor, Tensor>& x) {
                     return std::pair(x.second + k.astype(float32), x.first * 0.5 + mean(x.second));
                   },
                   std::pair(a, a + like))
            .first;
      default:
        return scan([](const Tensor& c, const Tensor& row) { return std::pair(c * 0.5 + row, c); },
                    mean(like) + zeros_like(a.at(0).get()), a)
            .outputs;
    }
  }

  support::Random random_;
  std::vector<Shape> shapes_;
  Shape input_;
  int steps_ = 0;
  std::uint32_t seed_ = 0;
};

/// A new device is the default one meanwhile.
class NewDevice {
 public:
  NewDevice() { Device::set_default(Device()); }
  NewDevice(const NewDevice&) = delete;
  NewDevice& operator=(const NewDevice&) = delete;
  ~NewDevice() { Device::set_default(before_); }

 private:
  Device before_ = Device::default_device();
};

enum class How { compiled, compiled_from_held, plain, plain_in_steps };

void expect_steady(std::uint32_t seed, How how, bool is_lazy) {
  SCOPED_TRACE(testing::Message() << "seed " << seed << ", how " << static_cast<int>(how)
                                  << (is_lazy ? ", lazy" : ""));
  const NewDevice device;
  const RandomStep f(seed);
  const auto compiled = compile(
      [&](const Tensors& state, const Tensor& x, const Scalar& by) { return f(state, x, by); });
  Tensors state = f.state(is_lazy);
  Tensor input = filled(f.input());
  expect_steady(
      [&] {
        if (seed % 3 > 0) input = filled(f.input());
        Tensors next;
        if (how == How::compiled) {
          next = compiled(std::move(state), input, Scalar(0.1));
        } else if (how == How::compiled_from_held) {
          next = compiled(state, input, Scalar(0.1));
        } else {
          next = f(state, input, Scalar(0.1));
          if (how == How::plain_in_steps) next.back().eval();
          if (seed % 2 == 0) state.clear();
          eval(next);
        }
        static_cast<void>(next.back().item());
        if (seed % 5 == 0) static_cast<void>(next.front().to_vector<float>());
        next.pop_back();
        state = std::move(next);
      },
      8, true);
}

// With seeds 0 to 399, 7 of 3,200 programs make up to two framebuffers in their third step. None
// makes anything from the fourth step on.
TEST(SteadyState, OfRandomSteps) {
  for (std::uint32_t seed = 0; seed < support::random_seeds(60); ++seed) {
    for (const How how :
         {How::compiled, How::compiled_from_held, How::plain, How::plain_in_steps}) {
      expect_steady(seed, how, false);
      expect_steady(seed, how, true);
    }
  }
}

// ---- The cap ------------------------------------------------------------------------------------

TEST(SteadyState, OfACapOfNoBytes) {
  ::setenv("TRIGON_POOL_BYTES", "0", 1);
  const NewDevice device;
  ::unsetenv("TRIGON_POOL_BYTES");
  const auto train = compile([](const Tensors& p, const Tensor& x, const Tensor& labels) {
    const auto loss = [&](const Tensors& q) { return mlp_loss(q, x, labels); };
    const auto [value, gradients] = value_and_grad(loss)(p);
    Tensors next;
    for (std::size_t k = 0; k < p.size(); ++k) next.push_back(p[k] - gradients[k] * 0.01);
    return std::pair(value, next);
  });
  Tensors p = mlp_parameters();
  const Tensor x = filled({64, 30}), labels = labels_of(64);
  const auto step = [&] {
    auto [value, next] = train(std::move(p), x, labels);
    p = std::move(next);
    static_cast<void>(value.item());
  };
  expect_steady(step);
  // The run of another plan replaces them: only its textures stay, with x, the labels and p.
  null_gl::reset();
  const std::int64_t created = counters().textures_created;
  EXPECT_EQ(sum(filled({5})).item(), 0);
  EXPECT_LE(counters().textures_created - created, 3);
  EXPECT_GE(null_gl::calls()["glDeleteTextures"].made, 10);
  EXPECT_NE(objects_made(step), "");
}

}  // namespace
}  // namespace trigon

// SPDX-License-Identifier: MIT
#include "acrobot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include <trigon/trigon.hpp>

#include "environment.hpp"
#include "picture.hpp"

namespace simulate {
namespace {

using trigon::Tensor;
using Motion = Acrobot::Motion;

constexpr double pi = 3.14159265358979;
constexpr double gravity = 9.8;
constexpr double fastest1 = 4.0 * pi;
constexpr double fastest2 = 9.0 * pi;
constexpr Colour grey = {90, 94, 108};

// The links have 1 m, 1 kg and a moment of inertia of 1; their centres of mass are in the middle.
Motion change(const Motion& m, const Tensor& torque) {
  const Tensor c = cos(m.angle2);
  const Tensor s = 0.5 * sin(m.angle2);
  const Tensor d1 = c + 3.5;
  const Tensor d2 = 0.5 * c + 1.25;
  const Tensor phi2 = 0.5 * gravity * sin(m.angle1 + m.angle2);
  const Tensor weight = 1.5 * gravity * sin(m.angle1);
  const Tensor outward1 = s * square(m.spin1);
  const Tensor outward2 = s * square(m.spin2);
  const Tensor sideways = 2.0 * s * m.spin2 * m.spin1;
  const Tensor phi1 = weight + phi2 - outward2 - sideways;
  const Tensor passed_on = d2 / d1 * phi1;
  const Tensor pull = torque + passed_on - outward1 - phi2;
  const Tensor gain2 = pull / (1.25 - square(d2) / d1);
  return {m.spin1, m.spin2, -(d2 * gain2 + phi1) / d1, gain2};
}

Motion after(const Motion& m, const Motion& change, double time) {
  return trigon::tree_map([&](const Tensor& x, const Tensor& d) { return x + d * time; }, m,
                          change);
}

Motion runge_kutta(const Motion& m, const Tensor& torque, double dt) {
  const Motion k1 = change(m, torque);
  const Motion k2 = change(after(m, k1, 0.5 * dt), torque);
  const Motion k3 = change(after(m, k2, 0.5 * dt), torque);
  const Motion k4 = change(after(m, k3, dt), torque);
  const Motion sum = trigon::tree_map(
      [](const Tensor& a, const Tensor& b, const Tensor& c, const Tensor& d) {
        const Tensor two_b = 2.0 * b;
        const Tensor two_c = 2.0 * c;
        return a + two_b + two_c + d;
      },
      k1, k2, k3, k4);
  return after(m, sum, dt / 6.0);
}

// Into [-pi, pi).
Tensor wrapped(const Tensor& angle) { return angle - 2.0 * pi * floor((angle + pi) * (0.5 / pi)); }

constexpr const char* preamble = R"(
  vec4 change(vec4 m, float torque) {
    float c = cos(m.y), s = 0.5 * sin(m.y);
    float d1 = c + 3.5, d2 = 0.5 * c + 1.25;
    float phi2 = 4.9 * sin(m.x + m.y);
    float phi1 = 14.7 * sin(m.x) + phi2 - s * m.w * m.w - 2.0 * s * m.w * m.z;
    float gain = (torque + d2 / d1 * phi1 - s * m.z * m.z - phi2) / (1.25 - d2 * d2 / d1);
    return vec4(m.zw, -(d2 * gain + phi1) / d1, gain);
  })";

// One kernel each for Euler's method and for Runge and Kutta's. A branch between them would run
// both on some drivers.
constexpr const char* moved_euler = R"(
  vec4 moved(vec4 m, float torque, float dt) { return m + change(m, torque) * dt; })";
constexpr const char* moved_rk4 = R"(
  vec4 moved(vec4 m, float torque, float dt) {
    vec4 k1 = change(m, torque);
    vec4 k2 = change(m + k1 * (0.5 * dt), torque);
    vec4 k3 = change(m + k2 * (0.5 * dt), torque);
    vec4 k4 = change(m + k3 * dt, torque);
    return m + (k1 + 2.0 * k2 + 2.0 * k3 + k4) * (dt / 6.0);
  })";

constexpr const char* after_policy = R"(
      float torque = outcome[1] > outcome[0] ? 0.0 : -1.0;
      if (outcome[2] > max(outcome[0], outcome[1])) torque = 1.0;
      m = moved(m, torque, dt);
      m.xy -= 6.2831853 * floor((m.xy + 3.14159265) * 0.15915494);
      m.zw = clamp(m.zw, vec2(-12.566371, -28.274334), vec2(12.566371, 28.274334));
      score -= 1.0;
    }
    angle1 = m.x;
    angle2 = m.y;
    spin1 = m.z;
    spin2 = m.w;)";

std::string acrobot_body() {
  return weights_glsl(Acrobot::layers) + R"(
    vec4 m = vec4(a1, a2, s1, s2);
    score = before;
    for (int t = 0; t < steps; ++t) {
      if (-cos(m.x) - cos(m.x + m.y) > 1.0) break;
      float seen[6];
      seen[0] = cos(m.x);
      seen[1] = sin(m.x);
      seen[2] = cos(m.y);
      seen[3] = sin(m.y);
      seen[4] = m.z;
      seen[5] = m.w;)" +
         policy_glsl(Acrobot::layers) + after_policy;
}

trigon::Kernel kernel(const std::string& name, const std::string& moved) {
  return trigon::Kernel(
      {.name = name,
       .inputs = {"raw float32 A", "raw float32 B", "raw float32 C", "raw float32 D", "float32 a1",
                  "float32 a2", "float32 s1", "float32 s2", "float32 before"},
       .outputs = {"float32 angle1", "float32 angle2", "float32 spin1", "float32 spin2",
                   "float32 score"},
       .uniforms = {{"steps", 1}, {"dt", 1.0}},
       .body = acrobot_body(),
       .preamble = preamble + moved});
}

}  // namespace

Acrobot::State Acrobot::start(std::int64_t elements, std::int64_t seed) const {
  const auto near_zero = [&](int k) {
    return trigon::random::uniform(trigon::Scalar(4 * seed + k), {elements}, -0.1, 0.1);
  };
  State s{{near_zero(0), near_zero(1), near_zero(2), near_zero(3)}, trigon::zeros({elements})};
  trigon::eval(trigon::tree_leaves(s));
  return s;
}

Tensor Acrobot::observe(const State& s) const {
  const Motion& m = s.motion;
  return trigon::stack(
      {cos(m.angle1), sin(m.angle1), cos(m.angle2), sin(m.angle2), m.spin1, m.spin2}, 1);
}

Acrobot::State Acrobot::act(const State& s, const Tensor& action) const {
  const Tensor torque = action.astype(trigon::float32) - 1.0;
  const double dt = time_step();
  const Motion m =
      euler ? after(s.motion, change(s.motion, torque), dt) : runge_kutta(s.motion, torque, dt);
  return {{wrapped(m.angle1), wrapped(m.angle2), clip(m.spin1, -fastest1, fastest1),
           clip(m.spin2, -fastest2, fastest2)},
          s.score - 1.0};
}

// Until the tip is 1 m above the fixed point.
Tensor Acrobot::goes_on(const State& s) const {
  const Motion& m = s.motion;
  const Tensor elbow = -cos(m.angle1);
  return elbow - cos(m.angle1 + m.angle2) <= 1.0;
}

Acrobot::State Acrobot::by_hand(const State& s, const Policy& policy, std::int64_t steps) const {
  static const trigon::Kernel by_euler = kernel("acrobot_euler", moved_euler);
  static const trigon::Kernel by_rk4 = kernel("acrobot_rk4", moved_rk4);
  const Motion& m = s.motion;
  const std::vector<Tensor> r = (euler ? by_euler : by_rk4)
                                    .with({{"steps", steps}, {"dt", time_step()}})
                                    .call({policy.in, policy.in_bias, policy.out, policy.out_bias,
                                           m.angle1, m.angle2, m.spin1, m.spin2, s.score},
                                          s.score.shape());
  return {{r[0], r[1], r[2], r[3]}, r[4]};
}

std::vector<Value> Acrobot::values(const State& s) const {
  return {{"angle1", s.motion.angle1},
          {"angle2", s.motion.angle2},
          {"spin1", s.motion.spin1},
          {"spin2", s.motion.spin2},
          {"score", s.score}};
}

Tensor Acrobot::picture(const State& s) const {
  constexpr int side = 480;
  constexpr double middle = side / 2.0;
  constexpr double link = 100.0;  // pixels
  constexpr std::size_t shown = 200;
  Image image(side, side, {6, 7, 14});
  for (int x = 0; x < side; x += 6) add_light(image, x, static_cast<int>(middle - link), grey);
  const std::vector<float> angle1 = s.motion.angle1.to_vector<float>();
  const std::vector<float> angle2 = s.motion.angle2.to_vector<float>();
  for (std::size_t k = 0; k < std::min(shown, angle1.size()); ++k) {
    const double sum = static_cast<double>(angle1[k]) + angle2[k];
    const double elbow_x = middle + link * std::sin(angle1[k]);
    const double elbow_y = middle + link * std::cos(angle1[k]);
    const double tip_x = elbow_x + link * std::sin(sum);
    const double tip_y = elbow_y + link * std::cos(sum);
    const Colour light = tip_y < middle - link ? Colour{70, 48, 14} : Colour{10, 22, 44};
    add_line(image, middle, middle, elbow_x, elbow_y, light);
    add_line(image, elbow_x, elbow_y, tip_x, tip_y, light);
    add_light(image, static_cast<int>(tip_x), static_cast<int>(tip_y), {120, 120, 120});
  }
  return to_tensor(image);
}

std::unique_ptr<Simulation> make_acrobot(const Settings& settings) {
  return std::make_unique<Looped<Environment<Acrobot>>>(
      make_environment(Acrobot{settings.euler}, settings.elements, settings.seed), settings.report);
}

}  // namespace simulate

// SPDX-License-Identifier: MIT
#include "n_body.hpp"

#include <algorithm>
#include <cmath>
#include <glm/glm.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <random>

#include <trigon/glm.hpp>
#include <trigon/trigon.hpp>

#include "looped.hpp"

namespace simulate {
namespace {

using trigon::Scalar;
using trigon::Tensor;

struct Body {
  glm::vec3 place, velocity;
};

// A disc that turns about its middle, where half of its mass is assumed to be.
Body star(std::mt19937& random, float galaxy) {
  const auto number = [&] { return static_cast<float>(random() / 4294967296.0); };
  const float radius = 0.1F + 0.7F * std::sqrt(number());
  const float angle = 6.2831853F * number();
  const glm::vec3 out(std::cos(angle), std::sin(angle), 0.0F);
  const glm::vec3 along(-out.y, out.x, 0.0F);
  const glm::vec3 middle(galaxy * 0.9F, galaxy * 0.25F, galaxy * 0.15F);
  const float speed = std::sqrt(0.4F * radius / (radius * radius + 0.1F));
  const glm::vec3 drift(-galaxy * 0.25F, 0.0F, 0.0F);
  return {middle + radius * out + glm::vec3(0.0F, 0.0F, 0.05F * (number() - 0.5F)),
          drift + speed * along};
}

glm::mat4 screen_of(const NBody::Camera& camera) {
  const float turn = static_cast<float>(camera.turn);
  const float height = static_cast<float>(camera.height);
  const glm::vec3 eye = static_cast<float>(camera.distance) *
                        glm::vec3(-std::sin(turn) * std::cos(height),
                                  -std::cos(turn) * std::cos(height), std::sin(height));
  const glm::mat4 view = glm::lookAt(eye, glm::vec3(0.0F), glm::vec3(0.0F, 0.0F, 1.0F));
  return glm::perspective(glm::radians(50.0F), 1.0F, 0.1F, 20.0F) * view;
}

}  // namespace

NBody::NBody(std::int64_t bodies, std::int64_t seed) : mass(1.0 / static_cast<double>(bodies)) {
  std::mt19937 random(static_cast<std::uint32_t>(seed));
  std::vector<glm::vec3> places;
  std::vector<glm::vec3> velocities;
  for (std::int64_t k = 0; k < bodies; ++k) {
    const Body body = star(random, k % 2 == 0 ? 1.0F : -1.0F);
    places.push_back(body.place);
    velocities.push_back(body.velocity);
  }
  const Tensor p = trigon::to_tensor(std::span<const glm::vec3>(places)).T();
  const Tensor v = trigon::to_tensor(std::span<const glm::vec3>(velocities)).T();
  initial = {p[0], p[1], p[2], v[0], v[1], v[2], {}};
  trigon::eval(trigon::tree_leaves(initial));
}

NBody::State NBody::next(const State& s, const Tensor&) const {
  const auto away = [](const Tensor& x) { return x - expand_dims(x, 1); };  // (bodies, bodies)
  const Tensor dx = away(s.x);
  const Tensor dy = away(s.y);
  const Tensor dz = away(s.z);
  Tensor distance = dx * dx;
  for (const Tensor& d : {dy, dz}) distance = distance + d * d;
  const Tensor inverse = rsqrt(distance + softening * softening);
  const Tensor pull = inverse * inverse * inverse * (mass * time_step);
  const Tensor vx = s.vx + sum(dx * pull, 1);
  const Tensor vy = s.vy + sum(dy * pull, 1);
  const Tensor vz = s.vz + sum(dz * pull, 1);
  return {s.x + vx * time_step, s.y + vy * time_step, s.z + vz * time_step, vx, vy, vz, s.camera};
}

// One step per call, since all bodies must have moved before one reads the places.
NBody::State NBody::by_hand(State s, std::int64_t, std::int64_t steps) const {
  static const trigon::Kernel kernel(
      {.name = "n_body",
       .inputs = {"raw float32 x", "raw float32 y", "raw float32 z", "float32 vx", "float32 vy",
                  "float32 vz"},
       .outputs = {"float32 px", "float32 py", "float32 pz", "float32 wx", "float32 wy",
                   "float32 wz"},
       .uniforms = {{"pull", 1.0}, {"dt", time_step}, {"soft", softening * softening}},
       .body = R"(
        float ax = 0.0, ay = 0.0, az = 0.0;
        float hx = x(i), hy = y(i), hz = z(i);
        for (int k = 0; k < _x_shape_0; ++k) {
          float dx = x(k) - hx, dy = y(k) - hy, dz = z(k) - hz;
          float r = inversesqrt(dx * dx + dy * dy + dz * dz + soft);
          float a = r * r * r * pull;
          ax += dx * a;
          ay += dy * a;
          az += dz * a;
        }
        wx = vx + ax;
        wy = vy + ay;
        wz = vz + az;
        px = hx + wx * dt;
        py = hy + wy * dt;
        pz = hz + wz * dt;)"});
  const trigon::Kernel one = kernel.with({{"pull", mass * time_step}});
  for (std::int64_t k = 0; k < steps; ++k) {
    const std::vector<Tensor> r = one.call({s.x, s.y, s.z, s.vx, s.vy, s.vz}, s.x.shape());
    trigon::eval(r);
    s = {r[0], r[1], r[2], r[3], r[4], r[5], s.camera};
  }
  return s;
}

std::vector<Value> NBody::values(const State& s) const {
  return {{"x", s.x}, {"y", s.y}, {"z", s.z}};
}

Tensor NBody::picture(const State& s) const {
  const glm::mat4 screen = screen_of(s.camera);
  const auto row = [&](int k) {
    const Tensor x = s.x * Scalar(screen[0][k]);
    const Tensor y = s.y * Scalar(screen[1][k]);
    const Tensor z = s.z * Scalar(screen[2][k]);
    return x + y + z + Scalar(screen[3][k]);
  };
  constexpr double nearest = 0.1;
  const Tensor distance = row(3);  // along the view; negative behind the camera
  // Stars behind the camera are moved far away from all pixels.
  const Tensor depth = where(distance > nearest, distance, 1e9);
  const Tensor place = trigon::linspace(-1.0, 1.0, pixels);
  // (bodies, pixels): the light of each star in each column or row. Its product over both gives
  // bright stars the cross that telescopes show.
  const auto falloff = [&](const Tensor& centre) {
    const Tensor point = place * expand_dims(depth, 1);
    const Tensor away = point - expand_dims(centre, 1);
    return 1.0 / (1.0 + square(away * (1.0 / 0.013)));
  };
  const Tensor across = falloff(row(0));
  const Tensor down = falloff(-row(1));
  const auto light = [&](std::int64_t galaxy) {  // (pixels, pixels)
    const trigon::Slice half{galaxy, {}, 2};
    const Tensor rows = down.at(half).get().T();
    return matmul(rows, across.at(half).get());
  };
  const Tensor gold = light(0);
  const Tensor blue = light(1);
  const auto channel = [&](double of_gold, double of_blue, double dark) {
    const Tensor golden = of_gold * gold;
    return 1.0 - (1.0 - dark) * exp(-(golden + of_blue * blue));
  };
  return trigon::stack(
      {channel(1.6, 0.35, 0.02), channel(1.0, 0.7, 0.025), channel(0.35, 1.6, 0.05)}, -1);
}

NBody::State NBody::touched(State s, const Touch& touch, std::int64_t) const {
  s.camera.turn += 3.0 * touch.dx;
  s.camera.height = std::clamp(s.camera.height + 3.0 * touch.dy, -1.5, 1.5);
  return s;
}

NBody::State NBody::zoomed(State s, const Zoom& zoom) const {
  s.camera.distance = std::clamp(s.camera.distance / zoom.factor, 0.5, 12.0);
  return s;
}

std::unique_ptr<Simulation> make_n_body(const Settings& settings) {
  return std::make_unique<Looped<NBody>>(NBody(settings.elements, settings.seed), settings.report);
}

}  // namespace simulate

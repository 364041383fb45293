// SPDX-License-Identifier: MIT
#include "n_body.hpp"

#include <cmath>
#include <glm/glm.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <random>

#include <trigon/glm.hpp>
#include <trigon/trigon.hpp>

#include "looped.hpp"

namespace simulate {
namespace {

using trigon::Tensor;

struct Body {
  glm::vec3 place, velocity;
};

// A disc that turns about its middle, where half of its mass is thought to be.
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

glm::mat4 camera() {
  const glm::mat4 view =
      glm::lookAt(glm::vec3(0.0F, -2.6F, 2.4F), glm::vec3(0.0F), glm::vec3(0.0F, 0.0F, 1.0F));
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
  initial = {p[0], p[1], p[2], v[0], v[1], v[2]};
  trigon::eval(trigon::tree_leaves(initial));
}

NBody::State NBody::next(const State& s, const Tensor&) const {
  const auto away = [](const Tensor& x) { return x - expand_dims(x, 1); };  // (bodies, bodies)
  const Tensor dx = away(s.x);
  const Tensor dy = away(s.y);
  const Tensor dz = away(s.z);
  const Tensor inverse = rsqrt(dx * dx + dy * dy + dz * dz + softening * softening);
  const Tensor pull = inverse * inverse * inverse * (mass * time_step);
  const Tensor vx = s.vx + sum(dx * pull, 1);
  const Tensor vy = s.vy + sum(dy * pull, 1);
  const Tensor vz = s.vz + sum(dz * pull, 1);
  return {s.x + vx * time_step, s.y + vy * time_step, s.z + vz * time_step, vx, vy, vz};
}

// A step a call: all bodies must have moved before any of them reads the places.
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
    s = {r[0], r[1], r[2], r[3], r[4], r[5]};
  }
  return s;
}

std::vector<Value> NBody::values(const State& s) const {
  return {{"x", s.x}, {"y", s.y}, {"z", s.z}};
}

Image NBody::picture(const State& s) const {
  constexpr int side = 720;
  Image image(side, side, {6, 7, 14});
  const glm::mat4 to_screen = camera();
  const std::vector<glm::vec3> places =
      trigon::to_vectors<glm::vec3>(trigon::stack({s.x, s.y, s.z}, 1));
  for (std::size_t k = 0; k < places.size(); ++k) {
    const glm::vec4 p = to_screen * glm::vec4(places[k], 1.0F);
    if (p.w <= 0.0F) continue;
    const int x = static_cast<int>((0.5F + 0.5F * p.x / p.w) * side);
    const int y = static_cast<int>((0.5F - 0.5F * p.y / p.w) * side);
    const Colour light = k % 2 == 0 ? Colour{255, 190, 110} : Colour{120, 170, 255};
    const Colour faint = {static_cast<std::uint8_t>(light[0] / 3),
                          static_cast<std::uint8_t>(light[1] / 3),
                          static_cast<std::uint8_t>(light[2] / 3)};
    add_light(image, x, y, light);
    for (const int d : {-1, 1}) {
      add_light(image, x + d, y, faint);
      add_light(image, x, y + d, faint);
    }
  }
  return image;
}

std::unique_ptr<Simulation> make_n_body(const Settings& settings) {
  return std::make_unique<Looped<NBody>>(NBody(settings.lanes, settings.seed), settings.report);
}

}  // namespace simulate

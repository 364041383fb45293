// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "core/called.hpp"
#include "core/item.hpp"
#include "emit/bodies.hpp"
#include "glsl_text/words.hpp"
#include "run/device_state.hpp"

// TRIGON_CHECK=1: errors of users' kernels, found in a separate draw.

namespace trigon::detail::run {
namespace {

/// The four numbers that a fragment wrote; glsl/check.glsl explains them.
using Finding = std::array<float, 4>;

const KernelSpec& kernel_of(const std::vector<emit::Body>& bodies, float number) {
  return bodies.at(static_cast<int>(number) - 1).op->kernel();
}

void check_index(const std::vector<emit::Body>& bodies, const Finding& found) {
  if (found[0] == 0) return;
  const KernelSpec& spec = kernel_of(bodies, found[0]);
  const auto place = static_cast<int>(found[1]);
  const KernelSpec::Parameter& input = spec.inputs.at(place / 8);
  const std::string axis =
      input.access == Access::raw ? "" : fmt::format(" along axis {}", place % 8);
  core::fail_in(spec.name.c_str(), "read past an input: {} at {}{}; must be in [0, {})", input.name,
                found[2], axis, found[3]);
}

void check_iterations(const std::vector<emit::Body>& bodies,
                      const std::vector<const Op*>& reductions, const Finding& found,
                      std::int64_t most) {
  if (found[0] != 0 || found[2] <= static_cast<float>(most)) return;
  std::string name = "eval";
  if (const auto number = static_cast<std::size_t>(found[1]); number >= emit::first_reduction) {
    name = reductions.at(number - emit::first_reduction)->name;
  } else if (number > 0) {
    name = kernel_of(bodies, found[1]).name;
  }
  core::fail_in(name.c_str(),
                "too many iterations of its loops: {} in one draw; the driver ends loops after {}",
                found[2], most);
}

bool has_loop_or_raw_input(const emit::Body& body) {
  const KernelSpec& spec = body.op->kernel();
  const bool raw = std::any_of(body.accesses.begin(), body.accesses.end(),
                               [](std::int32_t access) { return access >= 0; });
  return raw || glsl_text::has_loop(spec.body) || !spec.preamble.empty();
}

bool loops(const Op* reduction) { return glsl_text::has_loop(reduction->reduce().preamble); }

core::Layout texels(std::int64_t width, std::int64_t height) {
  const std::int64_t pitch = width * core::lanes;
  return {.dtype = DType::float32,
          .shape = {height, pitch},
          .strides = {pitch, 1},
          .width = width,
          .height = height};
}

}  // namespace

void DeviceState::check(const plan::Step& checked, const SlotTextures& textures,
                        std::span<const double> scalars) {
  const std::vector<emit::Body> bodies = emit::bodies_in(*checked.kernel);
  const std::vector<const Op*> reductions = emit::reductions_in(*checked.kernel);
  if (std::none_of(bodies.begin(), bodies.end(), has_loop_or_raw_input) &&
      std::none_of(reductions.begin(), reductions.end(), loops)) {
    return;
  }
  plan::Step step = checked;
  step.overlays = 1;  // findings must not be added up
  kernel::Kernel kernel = *step.kernel;
  kernel.check = true;
  kernel.outputs.resize(1);
  kernel.outputs[0].type = core::Type::f;
  kernel.hash = content_hash(kernel);
  Program& program = programs_->get(
      {std::make_shared<const kernel::Kernel>(std::move(kernel)), step.guards.size()});
  const std::int64_t x = value_of(step.x, scalars);
  const std::int64_t y = value_of(step.y, scalars);
  const core::Layout layout = texels(x + step.w, y + step.h);
  // Acquired before the inputs are bound, since creating a texture replaces a binding.
  auto texture = pool_->acquire(layout, false);
  use(program, step, textures, scalars);
  auto found = vector_of<Finding>(step.w * step.h);
  for (std::int64_t k = 0; k < step.draws; ++k) {
    attachments_.assign(1, {texture.get(), 0});
    if (!step.guards.empty()) {
      // A skipped draw finds nothing.
      state_.bind_framebuffer(pool_->framebuffer(attachments_, layout));
      glClearColor(0, 0, 0, 0);
      glClear(GL_COLOR_BUFFER_BIT);
    }
    draw_layers(program, step, scalars, k, layout);
    glReadPixels(static_cast<GLint>(x), static_cast<GLint>(y), static_cast<GLsizei>(step.w),
                 static_cast<GLsizei>(step.h), GL_RGBA, GL_FLOAT, found.data());
    state_.check("glReadPixels");
    for (const Finding& one : found) check_index(bodies, one);
    for (const Finding& one : found) check_iterations(bodies, reductions, one, target_.trip_limit);
  }
  pool_->recycle(std::move(texture));
}

}  // namespace trigon::detail::run

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <vector>

#include "core/hash.hpp"
#include "core/item.hpp"
#include "gl/fence.hpp"
#include "run/device_state.hpp"
#include "run/slot_textures.hpp"

namespace trigon::detail::run {
namespace {

// Draws between marks in the queue; each new mark waits for the one before.
constexpr std::int64_t draws_per_fence = 256;

float value_of(const kernel::FloatExpr& expr, std::span<const double> scalars) {
  return static_cast<float>(expr.scalar < 0 ? expr.value : item(scalars, expr.scalar));
}

/// Sets all texels of the bound attachments to -0, to which any value can be added exactly.
void clear(std::size_t attachments) {
  constexpr std::array<float, 4> zero{-0.0F, -0.0F, -0.0F, -0.0F};
  for (std::size_t k = 0; k < attachments; ++k) {
    glClearBufferfv(GL_COLOR, static_cast<GLint>(k), zero.data());
  }
}

}  // namespace

void DeviceState::run(const plan::Plan& plan, std::vector<std::shared_ptr<Storage>>& slots,
                      std::span<const double> scalars, std::size_t& drawn) {
  if (plan.steps.empty()) return;
  SlotTextures textures(*this, *pool_, plan, slots, places_);
  // If only the first binding fails, its draw then has no target, rather than an earlier tensor's.
  state_.bind_framebuffer(0);
  state_.bind_vertex_array(vertex_array_.id());
  state_.set_blend(false);
  scalars_.assign(scalars.begin(), scalars.end());
  running_ = &plan;
  // Counters of loops follow the graph's scalars.
  while (std::ssize(scalars_) < plan.scalars) scalars_.push_back(0);
  for (const plan::Step& step : plan.steps) {
    run(step, textures);
    ++drawn;
    textures.drop(step.last_use);
  }
  // Drivers that work in their own thread report late, so errors are asked for only once.
  state_.check_draws(counters.programs_compiled + counters.program_formats +
                         counters.textures_created + counters.framebuffers_created,
                     pool_->is_first_run());
  pool_->try_to([&] { textures.prepare_next(plan); });
}

void DeviceState::run(const plan::Step& step, SlotTextures& textures) {
  if (!step.is_repeat()) {
    textures.create(step.outputs);
    return step.points ? draw_points(step, textures, scalars_) : draw(step, textures, scalars_);
  }
  // The recursion is as deep as the user's loops are nested.
  const std::int64_t repeats = value_of(step.repeats, scalars_);
  const auto set = [this](std::int32_t scalar, std::int64_t value) {
    if (scalar >= 0) item(scalars_, scalar) = static_cast<double>(value);
  };
  for (std::int64_t done = 0; done < repeats; done += step.chunk) {
    if (step.until >= 0 && !is_first_texel_set(textures[step.until])) break;
    set(step.counter, done);
    set(step.count, std::min(step.chunk, repeats - done));
    for (const plan::Step& inner : step.body) run(inner, textures);
    for (const auto& [a, b] : step.trades) textures.trade(a, b);
  }
}

/// Sets the uniforms of a step's vertex stage: see emit::guard_functions.
void DeviceState::set_guards(Program& program, const plan::Step& step,
                             std::span<const double> scalars) {
  floats_.clear();
  for (const plan::Guard& guard : step.guards) {
    const std::int64_t element = value_of(guard.element, scalars);
    const std::int64_t texel = element / core::lanes;  // of a plain texture
    const auto middle = [](std::int64_t at, std::int64_t side) {
      return static_cast<float>((static_cast<double>(at) + 0.5) / static_cast<double>(side));
    };
    floats_.push_back(middle(texel % guard.width, guard.sides[0]));
    floats_.push_back(middle(texel / guard.width, guard.sides[1]));
    floats_.push_back(static_cast<float>(element % core::lanes));
    floats_.push_back(guard.holds ? 1.0F : 0.0F);
  }
  counters.uniform_bytes += program.set_guards(floats_);
}

bool DeviceState::note_formats(Program& program, const plan::Step& step,
                               const SlotTextures& textures) {
  std::uint64_t formats = step.outputs.size();
  const auto add = [&](std::int32_t slot) {
    formats = core::mix(formats, textures[slot].key.format);
  };
  for (const plan::StepOutput& output : step.outputs) add(output.slot);
  for (std::int32_t slot : step.inputs) add(slot);
  const bool is_new = program.add_formats(formats);
  if (is_new) ++counters.program_formats;
  return is_new;
}

Program& DeviceState::program_of(const plan::Step& step) {
  const ProgramCache::Key own{step.kernel, step.guards.size()};
  if (Program* known = programs_->find_program(own)) return *known;
  std::vector<ProgramCache::Key> all;
  std::size_t place = 0;
  const auto add = [&](const auto& self, const std::vector<plan::Step>& steps) -> void {
    for (const plan::Step& one : steps) {
      if (&one == &step) place = all.size();
      if (one.kernel != nullptr) all.push_back({one.kernel, one.guards.size()});
      self(self, one.body);
    }
  };
  add(add, running_->steps);
  // Programs of earlier steps are needed last.
  std::rotate(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(place), all.end());
  programs_->compile(all);
  return programs_->get(own);
}

void DeviceState::set_ints(const plan::Step& step, std::span<const double> scalars,
                           std::int64_t first_row) {
  ints_.clear();
  for (const auto& expr : step.ints) {
    ints_.push_back(static_cast<std::int32_t>(value_of(expr, scalars, first_row)));
  }
}

void DeviceState::draw(const plan::Step& step, const SlotTextures& textures,
                       std::span<const double> scalars) {
  // The vertex stage reads textures that decide whether the draw is skipped.
  const bool reads_early = caps_.quirks.has(gl::Quirk::finish_before_points);
  if (!step.guards.empty() && reads_early) finish();  // which may bind textures
  if (target_.check) check(step, textures, scalars);
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = debug_level_ > 0 ? Clock::now() : Clock::time_point{};
  Program& program = program_of(step);
  const bool is_new = note_formats(program, step, textures);
  use(program, step, textures, scalars);
  for (std::int64_t k = 0; k < step.draws; ++k) {
    attachments_.clear();
    for (const plan::StepOutput& output : step.outputs) {
      const std::int64_t first = value_of(output.first_layer, scalars) + k * output.attachments;
      for (std::int64_t layer = 0; layer < output.attachments; ++layer) {
        attachments_.push_back({&textures[output.slot], first + layer});
      }
    }
    draw_layers(program, step, scalars, k, step.outputs[0].layout);
    if (debug_level_ == 0 || !is_new || k > 0) continue;
    const std::chrono::duration<double, std::milli> time = Clock::now() - begin;
    compiled_.push_back({step.label, time.count()});
  }
  end_draws();
}

void DeviceState::use(Program& program, const plan::Step& step, const SlotTextures& textures,
                      std::span<const double> scalars) {
  state_.use_program(program.id());
  std::array<gl::State::TextureBinding, gl::State::units> bindings;
  const std::size_t inputs = step.inputs.size();
  for (std::size_t k = 0; k < inputs; ++k) bindings[k] = textures[step.inputs[k]].binding();
  for (std::size_t k = 0; k < step.guards.size(); ++k) {
    bindings[inputs + k] = textures[step.guards[k].slot].binding();
  }
  state_.bind_textures(std::span(bindings).first(inputs + step.guards.size()));
  if (!step.guards.empty()) set_guards(program, step, scalars);
  floats_.clear();
  for (const auto& expr : step.floats) floats_.push_back(value_of(expr, scalars));
}

/// Draw number k of a step into the attachments. `layout`: the first one's, for errors.
void DeviceState::draw_layers(Program& program, const plan::Step& step,
                              std::span<const double> scalars, std::int64_t k,
                              const core::Layout& layout) {
  const plan::StepOutput& first = step.outputs[0];
  set_ints(step, scalars, k * first.attachments * first.layout.height);
  counters.uniform_bytes += program.set(ints_, floats_);
  state_.bind_framebuffer(pool_->framebuffer(attachments_, layout));
  const auto x = static_cast<GLint>(value_of(step.x, scalars));
  const auto y = static_cast<GLint>(value_of(step.y, scalars));
  const auto w = static_cast<GLsizei>(step.w);
  const auto h = static_cast<GLsizei>(step.h);
  state_.set_viewport(x, y, w, h);
  counters.uniform_bytes += program.set_view(
      {static_cast<float>(x), static_cast<float>(y), static_cast<float>(w), static_cast<float>(h)});
  if (step.overlays > 1) {
    clear(attachments_.size());
    state_.set_blend(true);
  }
  glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(3 * step.overlays));
  ++counters.draws;
  ++draws_since_fence_;
}

/// Adds a step's points to its output, layer by layer: points of other layers are clipped. They are
/// blended in order, so a driver always gives the same sums.
/// GL: glFinish (quirk finish_before_points), glDrawArrays with GL_POINTS.
void DeviceState::draw_points(const plan::Step& step, const SlotTextures& textures,
                              std::span<const double> scalars) {
  const plan::StepOutput& output = step.outputs[0];
  Program& program = programs_->get(step.points->program, step.guards.size());
  note_formats(program, step, textures);
  if (caps_.quirks.has(gl::Quirk::finish_before_points)) finish();  // which may bind textures
  use(program, step, textures, scalars);
  state_.set_blend(true);
  for (std::int64_t layer = 0; layer < step.draws; ++layer) {
    set_ints(step, scalars, layer * output.layout.height);
    counters.uniform_bytes += program.set(ints_, {});
    attachments_.clear();
    attachments_.push_back({&textures[output.slot], layer});
    state_.bind_framebuffer(pool_->framebuffer(attachments_, output.layout));
    state_.set_viewport(0, 0, static_cast<GLsizei>(step.w), static_cast<GLsizei>(step.h));
    glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(step.points->count));
    ++counters.draws;
    ++draws_since_fence_;
  }
  end_draws();
}

void DeviceState::end_draws() {
  state_.set_blend(false);
#ifndef NDEBUG
  if (!caps_.quirks.has(gl::Quirk::check_at_reads)) state_.check("glDrawArrays");
#endif
  // In a browser nobody can wait for a fence, and the browser itself slows down callers far ahead.
  if (gl::in_browser || draws_since_fence_ < draws_per_fence) return;
  draws_since_fence_ = 0;
  if (far_) gl::wait(far_);
  far_ = std::move(near_);
  near_ = gl::Sync::create();
}

}  // namespace trigon::detail::run

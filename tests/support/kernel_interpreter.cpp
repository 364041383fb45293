// SPDX-License-Identifier: MIT
#include "support/kernel_interpreter.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <utility>

#include "support/fragment.hpp"
#include "support/host_points.hpp"

namespace trigon::support {
namespace {

using kernel::IntExpr;
using plan::Step;

HostTexture& texture_in(const HostTextures& slots, std::int32_t slot) {
  const auto& texture = slots.at(static_cast<std::size_t>(slot));
  if (texture == nullptr) throw std::logic_error("a step reads or writes an empty slot");
  return *texture;
}

/// The textures of a step's inputs, after checks of GL's rules for them.
std::vector<const HostTexture*> inputs_of(const Step& step, const HostTextures& slots) {
  std::vector<const HostTexture*> inputs;
  const std::vector<kernel::KernelInput> declared = declared_inputs(step);
  for (std::size_t k = 0; k < step.inputs.size(); ++k) {
    const HostTexture& texture = texture_in(slots, step.inputs[k]);
    const kernel::KernelInput& input = declared.at(k);
    if (input.type != texture.type() || input.layered != (texture.layers() > 1)) {
      throw std::logic_error("a sampler does not fit its texture");
    }
    for (const plan::StepOutput& output : step.outputs) {
      if (&texture_in(slots, output.slot) == &texture) {
        throw std::logic_error("a texture is read and written by one draw");
      }
    }
    inputs.push_back(&texture);
  }
  return inputs;
}

struct Attachment {
  HostTexture* texture;
  std::int64_t layer;
};

std::vector<Attachment> attachments_of(const Step& step, const HostTextures& slots,
                                       std::span<const double> scalars, std::int64_t draw) {
  std::vector<Attachment> attachments;
  for (const plan::StepOutput& output : step.outputs) {
    HostTexture& texture = texture_in(slots, output.slot);
    const std::int64_t first = value_of(output.first_layer, scalars) + draw * output.attachments;
    for (std::int64_t k = 0; k < output.attachments; ++k) {
      const std::size_t number = attachments.size();
      const std::int64_t layer = first + k;
      if (number >= step.kernel->outputs.size() || layer >= texture.layers() ||
          step.kernel->outputs[number].type != texture.type()) {
        throw std::logic_error("an attachment does not fit its output");
      }
      attachments.push_back({&texture, layer});
    }
  }
  if (attachments.size() != step.kernel->outputs.size()) {
    throw std::logic_error("outputs without an attachment");
  }
  return attachments;
}

/// The texels that a draw covers.
struct Viewport {
  std::int64_t x, y, w, h;

  bool contains(std::int64_t column, std::int64_t row) const {
    return column >= x && column < x + w && row >= y && row < y + h;
  }
};

Lanes sum(const Lanes& a, const Lanes& b) {
  Lanes both;
  for (std::size_t lane = 0; lane < both.size(); ++lane) {
    if (a[lane].is_poison || b[lane].is_poison) continue;
    both[lane] = number(a[lane].value + b[lane].value);
  }
  return both;
}

/// Writes the results of the quad's fragments within the viewport, or adds them if `adds`.
void store(Quad& quad, std::int64_t left, std::int64_t low, const Viewport& viewport,
           const kernel::Kernel& kernel, const std::vector<Attachment>& attachments, bool adds) {
  for (std::int64_t member = 0; member < 4; ++member) {
    const std::int64_t x = left + member % 2;
    const std::int64_t y = low + member / 2;
    if (!viewport.contains(x, y)) continue;
    for (std::size_t k = 0; k < attachments.size(); ++k) {
      const auto& [texture, layer] = attachments[k];
      const Lanes& texel = quad.at(x, y).value(kernel.outputs[k].value);
      texture->store(x, y, layer, adds ? sum(texture->at(x, y, layer), texel) : texel);
    }
  }
}

/// Whether a draw's guards hold.
bool is_taken(const Step& step, const HostTextures& slots, std::span<const double> scalars) {
  bool taken = true;
  for (const plan::Guard& guard : step.guards) {
    const HostTexture& texture = texture_in(slots, guard.slot);
    for (const plan::StepOutput& output : step.outputs) {
      if (&texture_in(slots, output.slot) == &texture) {
        throw std::logic_error("a guard is written by its draw");
      }
    }
    const std::int64_t element = value_of(guard.element, scalars);
    const std::int64_t texel = element / 4;
    if (element < 0 || texture.layers() > 1 ||
        !texture.covers(texel % guard.width, texel / guard.width, 1, 1)) {
      throw std::logic_error("a guard lies past its texture");
    }
    const Lanes& lanes = texture.at(texel % guard.width, texel / guard.width, 0);
    const Number& one = lanes[static_cast<std::size_t>(element % 4)];
    // A predicate that is unknown, because another cond has skipped it, may decide either way.
    taken = taken && !one.is_poison && (one.value != 0) == guard.holds;
  }
  return taken;
}

}  // namespace

std::vector<kernel::KernelInput> declared_inputs(const Step& step) {
  if (!step.points) return step.kernel->inputs;
  const kernel::PointsProgram& program = step.points->program;
  return {{core::Type::f, program.layered_values}, {program.index, program.layered_indices}};
}

void KernelInterpreter::draw(const Step& step, const HostTextures& slots,
                             std::span<const double> scalars) {
  if (step.overlays > 1 && !target_.float_blend) {
    throw std::logic_error("overlays are not blended onto this target");
  }
  DrawContext context{*this, step, inputs_of(step, slots), {}, {}};
  for (const kernel::FloatExpr& expr : step.floats) {
    context.floats.push_back(static_cast<float>(
        expr.scalar < 0 ? expr.value : scalars[static_cast<std::size_t>(expr.scalar)]));
  }
  const Viewport viewport{value_of(step.x, scalars, 0), value_of(step.y, scalars, 0), step.w,
                          step.h};
  const plan::StepOutput& first = step.outputs.at(0);
  Quad quad(context);
  for (std::int64_t k = 0; k < step.draws; ++k) {
    const std::int64_t first_row = k * first.attachments * first.layout.height;
    context.ints.clear();
    for (const IntExpr& expr : step.ints) {
      context.ints.push_back(static_cast<double>(value_of(expr, scalars, first_row)));
    }
    const std::vector<Attachment> attachments = attachments_of(step, slots, scalars, k);
    for (const Attachment& attachment : attachments) {
      if (!attachment.texture->covers(viewport.x, viewport.y, viewport.w, viewport.h)) {
        throw std::logic_error("a viewport reaches past its texture");
      }
    }
    for (std::int64_t y = viewport.y & ~std::int64_t{1}; y < viewport.y + viewport.h; y += 2) {
      for (std::int64_t x = viewport.x & ~std::int64_t{1}; x < viewport.x + viewport.w; x += 2) {
        for (context.overlay = 0; context.overlay < step.overlays; ++context.overlay) {
          quad.move_to(x, y);
          store(quad, x, y, viewport, *step.kernel, attachments, context.overlay > 0);
        }
      }
    }
  }
}

void KernelInterpreter::draw_points(const Step& step, const HostTextures& slots,
                                    std::span<const double> scalars) {
  const plan::StepOutput& output = step.outputs.at(0);
  HostTexture& target = texture_in(slots, output.slot);
  if (!target_.float_blend || !output.in_place || step.outputs.size() != 1 ||
      target.type() != core::Type::f) {
    throw std::logic_error("points are not blended onto this target");
  }
  const std::vector<const HostTexture*> inputs = inputs_of(step, slots);
  for (std::int64_t layer = 0; layer < step.draws; ++layer) {
    std::vector<std::int64_t> ints;
    for (const IntExpr& expr : step.ints) {
      ints.push_back(value_of(expr, scalars, layer * output.layout.height));
    }
    add_points(step, ints, *inputs.at(0), *inputs.at(1), target, layer);
  }
}

void KernelInterpreter::run(const Step& step, HostTextures& slots, std::vector<double>& scalars) {
  if (step.is_repeat()) {
    const std::int64_t repeats = value_of(step.repeats, scalars, 0);
    const auto set = [&](std::int32_t scalar, std::int64_t value) {
      if (scalar >= 0) scalars.at(static_cast<std::size_t>(scalar)) = static_cast<double>(value);
    };
    for (std::int64_t done = 0; done < repeats; done += step.chunk) {
      if (step.until >= 0 && texture_in(slots, step.until).at(0, 0, 0).at(0).value == 0) break;
      set(step.counter, done);
      set(step.count, std::min(step.chunk, repeats - done));
      for (const Step& inner : step.body) run(inner, slots, scalars);
      for (const auto& [a, b] : step.trades) {
        std::swap(slots.at(static_cast<std::size_t>(a)), slots.at(static_cast<std::size_t>(b)));
      }
    }
    return;
  }
  for (const plan::StepOutput& output : step.outputs) {
    if (output.in_place) continue;
    slots.at(static_cast<std::size_t>(output.slot)) =
        std::make_shared<HostTexture>(target_, output.layout);
  }
  if (std::ssize(step.guards) > target_.vertex_samplers) {
    throw std::logic_error("more guards than samplers");
  }
  if (!is_taken(step, slots, scalars)) return;
  if (step.points) return draw_points(step, slots, scalars);
  draw(step, slots, scalars);
  // Past its elements a texture may hold anything.
  for (const plan::StepOutput& output : step.outputs) {
    if (!output.in_place) texture_in(slots, output.slot).poison_tails(output.layout);
  }
}

void KernelInterpreter::run(const plan::Plan& plan, HostTextures& slots,
                            std::vector<double> scalars) {
  slots.resize(static_cast<std::size_t>(plan.slots));
  scalars.resize(std::max(scalars.size(), static_cast<std::size_t>(plan.scalars)));
  for (const Step& step : plan.steps) {
    run(step, slots, scalars);
    for (std::int32_t slot : step.last_use) slots.at(static_cast<std::size_t>(slot)).reset();
  }
}

}  // namespace trigon::support

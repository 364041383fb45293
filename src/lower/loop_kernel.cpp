// SPDX-License-Identifier: MIT
#include "lower/loop_kernel.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/walk.hpp"
#include "entries/entries.hpp"

namespace trigon::detail::lower {

LoopKernel::LoopKernel(Values& outside, const ir::Graph::Entry& loop, const LoopRun& run,
                       core::Indices element)
    : loop_(loop),
      numbers_(loop_attrs(loop)),
      run_(run),
      b_(outside.builder()),
      element_(std::move(element)),
      outside_(outside),
      block_(b_.open_block(outside.block())),
      counter_(b_.counter(block_, run.most)),
      no_places_(loop.body->entries.size()),
      body_scene_{*loop.body, outside.scene().target, outside.scene().costs, no_places_},
      body_(b_, body_scene_) {
  body_.enter(
      {.block = block_,
       .trip = trips(),
       .parameter = [this](const ir::Graph::Entry& parameter,
                           const core::Indices& index) { return value_of(parameter, index); },
       .loop = [this](const ir::Graph::Entry& output,
                      const core::Indices& index) { return inner_result(output, index); },
       .rolls = [this](std::int32_t reduction) { return rolls(reduction); }});
}

void LoopKernel::build(const std::vector<std::int64_t>& results) {
  // A high limit, since all steps gain, and a policy's tables take some instructions per weight.
  b_.set_most_instructions(6000);
  for (std::int64_t j = 0; j < numbers_.carries; ++j) {
    first_.push_back(static_cast<std::int32_t>(carried_.size()));
    if (!is_needed(j)) continue;
    each_value(j, [&](const core::Indices& index) {
      carried_.push_back(same_lanes(b_.carry(block_, before(j, index))));
    });
  }
  const std::int32_t goes_on = last_ ? b_.inside(*last_ + counter_ * -1, run_.most) : condition();
  for (std::int64_t j = 0; j < numbers_.carries; ++j) {
    if (!is_needed(j)) continue;
    each_value(j, [&](const core::Indices& index) {
      std::int32_t value = body_.value(item(loop_.body->results, j), index);
      const DType dtype = (*loop_.body)[item(loop_.body->results, j)].dtype;
      if (dtype == DType::float16)
        value = b_.convert(value, core::Type::f, kernel::Conversion::half);
      next_.push_back(value);
    });
  }
  first_.resize(loop_.body->results.size(), -1);
  for (std::int64_t j : results) {
    if (j >= numbers_.carries) keep_outputs(j, goes_on);
  }
  for (std::size_t k = 0; k < next_.size(); ++k) {
    b_.set_carried(block_, static_cast<std::int32_t>(k), next_[k]);
  }
  b_.set_trips(block_, b_.scalar(run_.trips), run_.most);
  if (goes_on >= 0) b_.set_goes_on(block_, goes_on);
}

std::int32_t LoopKernel::result(std::int64_t carry, const core::Indices& index) {
  auto all = vector_of<core::Affine>(result_shape(carry).rank());
  std::copy(index.begin(), index.end(), all.end() - static_cast<std::ptrdiff_t>(index.size()));
  return chosen(carry, all,
                [&](std::int32_t number) { return same_lanes(b_.result(block_, number)); });
}

std::int32_t LoopKernel::output(std::int64_t j, std::int64_t step, std::int64_t value) {
  const std::int64_t several = values_per_element(run_.batch, result_shape(j)).numel();
  const std::int64_t number = item(first_, j) + step * several + value;
  return same_lanes(b_.result(block_, static_cast<std::int32_t>(number)));
}

void LoopKernel::keep_outputs(std::int64_t j, std::int32_t goes_on) {
  std::vector<std::int32_t> values;
  each_value(j, [&](const core::Indices& index) {
    values.push_back(body_.value(item(loop_.body->results, j), index));
  });
  item(first_, j) = static_cast<std::int32_t>(carried_.size());
  const std::int32_t zero = b_.constant(0);
  for (std::int64_t step = 0; step < run_.steps; ++step) {
    for (const std::int32_t value : values) {
      const core::Type type = b_.type(value);
      const std::int32_t first = type == core::Type::f ? zero : b_.convert(zero, type);
      carried_.push_back(same_lanes(b_.carry(block_, first)));
      if (step > 0) next_.push_back(carried_.back());
    }
  }
  const auto last = carried_.end() - std::ssize(values);
  for (std::ptrdiff_t k = 0; k < std::ssize(values); ++k) {
    next_.push_back(b_.select(goes_on, item(values, k), last[k]));
  }
}

const Shape& LoopKernel::result_shape(std::int64_t j) const {
  return (*loop_.body)[item(loop_.body->results, j)].shape;
}

int LoopKernel::batch_axes(const Shape& shape) const {
  return has_batch(run_.batch, shape) ? run_.batch.axes : 0;
}

std::int32_t LoopKernel::same_lanes(std::int32_t carried) {
  const bool one = std::all_of(element_.begin(), element_.end(), [this](const core::Affine& index) {
    return b_.lane(index) == kernel::Lane::uniform;
  });
  if (last_ && b_.lane(*last_) != kernel::Lane::uniform) return carried;
  return one && !element_.empty() ? b_.swizzle(carried, kernel::Swizzle::xxxx) : carried;
}

template <class F>
void LoopKernel::each_value(std::int64_t j, F f) {
  const Shape& shape = result_shape(j);
  const Shape rest = values_per_element(run_.batch, shape);
  const int batch = batch_axes(shape);
  auto index = vector_of<core::Affine>(shape.rank());
  for (int axis = 0; axis < batch; ++axis) item(index, axis) = item(element_, axis);
  for (std::int64_t k = 0; k < rest.numel(); ++k) {
    std::int64_t left = k;
    for (int axis = rest.rank(); axis-- > 0; left /= rest[axis]) {
      item(index, batch + axis) = {{}, left % rest[axis]};
    }
    f(index);
  }
}

template <class F>
std::int32_t LoopKernel::chosen(std::int64_t carry, const core::Indices& index, F of) {
  const Shape& shape = result_shape(carry);
  const int batch = batch_axes(shape);
  std::int64_t first = item(first_, carry);
  Shape open;
  std::vector<std::int32_t> open_index;
  std::vector<std::int64_t> open_stride;
  std::int64_t stride = 1;
  for (int axis = shape.rank(); axis-- > batch; stride *= shape[axis]) {
    const core::Affine& at = item(index, axis);
    if (shape[axis] == 1) continue;
    if (at.terms.empty()) {
      // A value past the ends is never used.
      first += std::clamp<std::int64_t>(at.constant, 0, shape[axis] - 1) * stride;
      continue;
    }
    open.push_back(shape[axis]);
    open_index.push_back(b_.materialise(at));
    open_stride.push_back(stride);
  }
  std::int32_t value = of(static_cast<std::int32_t>(first));
  for (std::int64_t k = 1; k < open.numel() && open.rank() > 0; ++k) {
    std::int64_t left = k, number = first;
    std::int32_t mask = -1;
    for (int axis = open.rank(); axis-- > 0; left /= open[axis]) {
      const std::int64_t at = left % open[axis];
      number += at * item(open_stride, axis);
      mask = b_.both(mask, is_equal(item(open_index, axis), at));
    }
    value = b_.select(mask, of(static_cast<std::int32_t>(number)), value);
  }
  return value;
}

std::int32_t LoopKernel::is_equal(std::int32_t index, std::int64_t number) {
  return b_.is_zero(b_.variable(index) + -number);
}

std::int32_t LoopKernel::value_of(const ir::Graph::Entry& parameter, const core::Indices& index) {
  const std::int64_t input = parameter.as<ir::ParameterAttrs>().input;
  if (input < 0) return step();
  if (numbers_.is_carry(input)) {
    local_ = local_ && is_own(parameter.shape, index);
    return chosen(input, index, [&](std::int32_t k) { return item(carried_, k); });
  }
  if (numbers_.is_sliced(input)) {
    core::Indices row{trips()};
    row.insert(row.end(), index.begin(), index.end());
    return outside_.value(item(loop_.inputs, input), std::move(row));
  }
  return outside_.value(item(loop_.inputs, input), index);
}

bool LoopKernel::is_own(const Shape& shape, const core::Indices& index) const {
  for (int axis = 0; axis < batch_axes(shape); ++axis) {
    if (shape[axis] != 1 && !(item(index, axis) == item(element_, axis))) return false;
  }
  return true;
}

bool LoopKernel::is_local() const {
  return local_ && std::all_of(inner_.begin(), inner_.end(),
                               [](const auto& inner) { return inner->kernel->is_local(); });
}

std::int32_t LoopKernel::inner_result(const ir::Graph::Entry& output, const core::Indices& index) {
  const ir::Graph::Entry& loop = (*loop_.body)[output.inputs[0]];
  const std::int64_t trips = loop_attrs(loop).iterations;
  const std::int64_t number = output.as<ir::OutputAttrs>().number;
  local_ = local_ && is_own(output.shape, index);
  const auto past_batch = index.begin() + batch_axes(output.shape);
  const core::Indices values(past_batch, index.end());
  for (const auto& known : inner_) {
    // A loop that stands in a branch has no values outside it.
    const LoopKernel& kernel = *known->kernel;
    if (known->loop != &loop || !b_.holds(kernel.carried_[0], known->scope)) continue;
    return known->kernel->result(number, values);
  }
  inner_.push_back(
      std::make_unique<Inner>(Inner{&loop,
                                    {.batch = run_.batch,
                                     .trips = {.base = trips},
                                     .most = trips,
                                     .needed = std::vector<bool>(loop.body->results.size(), true),
                                     .rolls = run_.rolls},
                                    b_.scope()}));
  Inner& inner = *inner_.back();
  inner.kernel = std::make_unique<LoopKernel>(body_, loop, inner.run, element_);
  LoopKernel& kernel = *inner.kernel;
  kernel.build({});
  return kernel.result(number, values);
}

bool LoopKernel::rolls(std::int32_t reduction) const {
  if (!run_.rolls) return false;
  const ir::Graph& body = *loop_.body;
  core::Walk<std::int32_t> walk({reduction});
  for (const std::int32_t k : walk) {
    const ir::Graph::Entry& entry = body[k];
    if (entry.kind == ir::Kind::loop) return false;
    const bool is_carry = entry.kind == ir::Kind::parameter &&
                          numbers_.is_carry(entry.as<ir::ParameterAttrs>().input);
    if (is_carry && values_per_element(run_.batch, entry.shape).numel() > 1) return false;
    walk.add(entry.inputs);
  }
  return true;
}

core::Affine LoopKernel::trips() {
  return run_.begin.scalar >= 0 ? counter_ + b_.scalar(run_.begin) : counter_;
}

std::int32_t LoopKernel::step() {
  std::int32_t sum = as_value(trips());
  constexpr std::int64_t far = std::numeric_limits<std::int32_t>::max();
  const auto add = [&](const kernel::IntExpr& number) {
    sum = b_.apply(entries::named<"add">(), b_.type(sum), {sum, as_value(b_.scalar(number))});
  };
  if (numbers_.first != 0) add({.base = numbers_.first, .scale = 0});
  if (numbers_.first_scalar.is_given()) {
    add({.scalar = numbers_.first_scalar.number, .low = -far - 1, .high = far});
  }
  return sum;
}

std::int32_t LoopKernel::as_value(const core::Affine& index) {
  return b_.add(kernel::IndexValue{b_.materialise(index)},
                core::register_type(b_.target(), DType::int32));
}

std::int32_t LoopKernel::before(std::int64_t j, const core::Indices& index) {
  const std::int32_t input = item(loop_.inputs, j);
  if (run_.before.empty()) return outside_.value(input, index);
  return outside_.loaded(outside_.scene().at(input), item(run_.before, j), index);
}

std::int32_t LoopKernel::condition() {
  if (!numbers_.has_condition) return -1;
  const std::int32_t entry = item(loop_.body->results, numbers_.condition());
  const Shape& shape = (*loop_.body)[entry].shape;
  auto index = vector_of<core::Affine>(shape.rank());
  for (int axis = 0; axis < batch_axes(shape); ++axis) {
    if (shape[axis] != 1) item(index, axis) = item(element_, axis);
  }
  std::int32_t elements = -1;
  for (int axis = 0; axis < run_.batch.axes; ++axis) {
    const std::int64_t size = run_.batch.shape[axis];
    if (item(element_, axis).terms.empty()) continue;
    elements = b_.both(elements, b_.is_element(item(element_, axis), size));
  }
  return b_.both(body_.value(entry, index), elements);
}

}  // namespace trigon::detail::lower

// SPDX-License-Identifier: MIT
#include <optional>
#include <stdexcept>

#include "core/item.hpp"
#include "glsl_text/words.hpp"
#include "lower/domain.hpp"
#include "lower/values.hpp"

// Values that users' kernels compute.

namespace trigon::detail::lower {

std::int32_t Values::raw_input(std::int32_t entry, bool by_number) {
  if (const Place& place = place_of(scene_, copies_, entry); place.slot >= 0) {
    return b_.raw(b_.input(place.slot, place.layout), place.layout, by_number);
  }
  const ir::Graph::Entry& view = scene_.at(entry);
  if (view.kind == ir::Kind::view) {
    const Place& base = place_of(scene_, copies_, view.inputs[0]);
    const std::optional<core::Layout> layout =
        base.slot >= 0 ? layout_through(view, base.layout) : std::nullopt;
    if (layout) return b_.raw(b_.input(base.slot, base.layout), *layout, by_number);
  }
  throw std::logic_error("trigon::lower: a raw input of a kernel is not stored");
}

std::int32_t Values::kernel_number(const ir::Graph::Entry& entry, const KernelSpec::Number& number,
                                   const core::Indices& index) {
  const auto constant = [&](std::int64_t value) {
    return b_.scalar({.base = value, .scale = 0, .low = 0, .high = 0});
  };
  switch (number.what) {
    case KernelSpec::What::number:
      return index_value(core::linear(entry.shape, index), DType::int32);
    case KernelSpec::What::index: return index_value(item(index, number.axis), DType::int32);
    case KernelSpec::What::size: return index_value(constant(entry.shape.numel()), DType::int32);
    case KernelSpec::What::extent: break;
  }
  const Shape& shape = scene_.at(item(entry.inputs, number.input)).shape;
  return index_value(constant(shape[number.axis]), DType::int32);
}

std::int32_t Values::kernel_call(const ir::Graph::Entry& entry, const core::Indices& index) {
  for (const Call& call : calls_) {
    const bool same = call.entry->op == entry.op && call.entry->inputs == entry.inputs &&
                      call.entry->shape == entry.shape;
    const auto [id, scope] = call.found;
    if (same && call.index == index && b_.holds(id, scope)) return id;
  }
  const KernelSpec& spec = entry.op->kernel();
  kernel::Call call{.op = entry.op->id};
  for (std::size_t k = 0; k < spec.inputs.size(); ++k) {
    const Access access = spec.inputs[k].access;
    call.arguments.push_back(access == Access::element
                                 ? value(entry.inputs[k], index)
                                 : raw_input(entry.inputs[k], access == Access::raw));
  }
  for (const KernelSpec::Number& number : spec.numbers) {
    call.arguments.push_back(kernel_number(entry, number, index));
  }
  // Lanes past the last element hold arbitrary values; on those a user's loop might never end, so
  // they are masked.
  const bool ends =
      b_.target().check || glsl_text::has_loop(spec.body) || glsl_text::has_loop(spec.preamble);
  if (ends && spec.is_of_user()) {
    for (std::size_t k = 0; k < index.size(); ++k) {
      if (index[k].terms.empty()) continue;
      call.mask = b_.both(call.mask, b_.is_element(index[k], entry.shape[static_cast<int>(k)]));
    }
  }
  const std::int32_t id = b_.add(std::move(call), core::Type::f);
  calls_.push_back({&entry, index, {id, b_.scope()}});
  return id;
}

std::int32_t Values::kernel(const ir::Graph::Entry& entry, const core::Indices& index) {
  const std::int32_t results = kernel_call(entry, index);
  const std::int32_t output = entry.as<core::ApplyAttrs>().output;
  const std::int32_t id =
      b_.add(kernel::Extract{results, output}, core::register_type(b_.target(), entry.dtype));
  return entry.dtype == DType::uint8 ? b_.convert(id, b_.type(id), kernel::Conversion::byte) : id;
}

}  // namespace trigon::detail::lower

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "core/called.hpp"
#include "core/layout.hpp"
#include "graph/node.hpp"
#include "lower/domain.hpp"
#include "pipeline/eval.hpp"
#include "run/device_state.hpp"

namespace trigon::detail::pipeline {
namespace {

using ir::Graph;
using lower::Place;

/// A small shape with as many axes: the text depends on no size other than 1, and inputs that are
/// never stored may be larger than a device's textures.
Shape small(const Shape& shape) {
  Shape result;
  for (const std::int64_t size : shape) result.push_back(std::min<std::int64_t>(size, 2));
  return result;
}

/// A graph of only the kernel, over leaves of the inputs' shapes and dtypes.
Graph graph_of(const Op& op, std::span<const Tensor> inputs, const Shape& shape) {
  Graph graph;
  std::vector<std::int32_t> operands;
  for (const Tensor& input : inputs) {
    operands.push_back(graph.size());
    graph.entries.push_back({.dtype = input.dtype(), .shape = small(input.shape())});
  }
  const KernelSpec& spec = op.kernel();
  graph.entries.push_back({.kind = spec.is_elementwise() ? ir::Kind::map : ir::Kind::kernel,
                           .dtype = spec.outputs[0].dtype,
                           .shape = small(shape),
                           .op = &op.canonical(),
                           .attrs = core::ApplyAttrs{},
                           .inputs = std::move(operands)});
  return graph;
}

}  // namespace

void try_kernel(run::DeviceState& device, const Op& op, std::span<const Tensor> inputs,
                const Shape& shape) {
  const core::Target& target = device.target();
  const auto outputs = static_cast<std::int64_t>(op.kernel().outputs.size());
  if (outputs > target.draw_buffers) {
    core::fail_on_device(op.name,
                         "too many outputs: {}; a draw on this device has at "
                         "most {}",
                         outputs, target.draw_buffers);
  }
  std::vector<int> key{op.id};
  for (const Tensor& input : inputs) key.push_back(input.ndim());
  const run::DeviceState::Lock lock(device);
  if (device.tried_kernels.contains(key)) return;

  const Graph graph = graph_of(op, inputs, shape);
  std::vector<Place> places(graph.entries.size());
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    const auto slot = static_cast<std::int32_t>(k);
    places[k] = {slot, core::flat_layout(target, inputs[k].dtype(), graph.entries[k].shape)};
  }
  const lower::Scene scene{graph, target, device.costs(), places};
  kernel::KernelBuilder builder(target);
  lower::Values values(builder, scene);
  const Shape& result = graph.entries.back().shape;
  const core::Layout layout = core::flat_layout(target, op.kernel().outputs[0].dtype, result);
  const lower::Fragment at = lower::fragment(builder, layout, layout.layers);
  const core::Indices index = lower::index_of(builder, at, layout, result, lower::Rows::flat);
  lower::store(builder, {values.value(graph.size() - 1, index)}, layout.dtype);
  kernel::Bound bound;
  builder.finish(bound);
  const run::DeviceState::Entry entry(device);
  device.gl_state().settle();
  run::compile_fragment(*bound.kernel);
  device.tried_kernels.insert(std::move(key));
}

}  // namespace trigon::detail::pipeline

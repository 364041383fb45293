// SPDX-License-Identifier: MIT
#include <trigon/detail/memory.hpp>
#include <trigon/device.hpp>
#include <trigon/error.hpp>

#include "graph/build.hpp"
#include "pipeline/eval.hpp"
#include "pipeline/values.hpp"

// Replaces src/pipeline, src/run and their dependencies: graphs are built, never evaluated, so that
// targets compile a third of the library and no GL.

namespace trigon {
namespace {

[[noreturn]] void refuse() { throw DeviceError("trigon::Device: there is none"); }

}  // namespace

Device& Device::default_device() { refuse(); }

double Device::max_exact_integer() const { return 4'294'967'295; }

void detail::empty_pool(const Wanted&) noexcept {}

void detail::refuse_memory(const Wanted&) { throw Error("trigon: no memory left on the host"); }

namespace detail::pipeline {

void evaluate(std::span<const graph::NodePtr>) { refuse(); }

std::shared_ptr<run::Storage> value_on(run::DeviceState&, const graph::NodePtr&) { refuse(); }

void read_node(const graph::NodePtr&, void*, DType) { refuse(); }

graph::NodePtr upload(const void*, DType, const Shape&, const Device&) { refuse(); }

void try_kernel(run::DeviceState&, const Op&, std::span<const Tensor>, const Shape&) {}

}  // namespace detail::pipeline
}  // namespace trigon

// SPDX-License-Identifier: MIT
#include <trigon/future.hpp>

#include <tuple>
#include <utility>

#include <trigon/detail/memory.hpp>
#include <trigon/tensor.hpp>

#include "core/called.hpp"
#include "core/internals.hpp"
#include "gl/context.hpp"
#include "pipeline/eval.hpp"
#include "run/device_state.hpp"

namespace trigon::detail {

struct PendingValues::Impl {
  std::shared_ptr<run::DeviceState> device;
  std::unique_ptr<run::PendingRead> read;  ///< null if there are no elements
  DType dtype;
  Shape shape;

  ~Impl() {
    if (read != nullptr) device->discard(std::move(read));
  }
};

PendingValues::PendingValues() noexcept = default;
PendingValues::PendingValues(PendingValues&&) noexcept = default;
PendingValues& PendingValues::operator=(PendingValues&&) noexcept = default;
PendingValues::~PendingValues() = default;

PendingValues PendingValues::start(const graph::NodePtr& node) {
  PendingValues values;
  {
    const Tensor x = Internals::tensor(node);
    values.impl_.reset(new Impl{nullptr, nullptr, x.dtype(), x.shape()});
  }
  std::tie(values.impl_->device, values.impl_->read) = pipeline::start_read(node);
  return values;
}

PendingValues::Impl& PendingValues::impl() const {
  if (impl_ == nullptr) {
    core::fail(
        "no values: the future is empty, or its values were taken by get(); assign one of "
        "read_async first");
  }
  return *impl_;
}

bool PendingValues::ready() {
  const core::Called called("Future::ready");
  const Impl& values = impl();
  if (values.read == nullptr) return true;
  const run::DeviceState::Entry entry(*values.device);
  return values.device->is_done(*values.read);
}

HostReader PendingValues::reader() {
  const Impl& values = impl();
  const auto take = [this](void* out, DType host) {
    if (impl_->read == nullptr) {
      impl_.reset();
      return;
    }
    const std::shared_ptr<run::DeviceState> device = impl_->device;  // outlives the entry
    const run::DeviceState::Entry entry(*device);
    if (gl::in_browser && !device->is_done(*impl_->read)) {
      core::fail(
          "not ready: the GPU has not done the work yet, and a browser lets no one wait for it; "
          "get() needs ready() to be true\n  hint: ask ready() in a later task of the event loop");
    }
    // Makes room before the values are taken: if memory runs out here, get() can be repeated.
    with_memory({impl_->dtype, impl_->shape, device.get()},
                [&] { device->make_room(*impl_->read); });
    const std::unique_ptr<Impl> taken = std::move(impl_);
    device->finish_read(std::move(taken->read), out, host);
  };
  return {values.shape.numel(), values.dtype, take};
}

}  // namespace trigon::detail

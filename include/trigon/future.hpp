// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <trigon/values.hpp>

namespace trigon {

namespace detail {

/// The state of a Future, independent of its type.
class PendingValues {
 public:
  PendingValues() noexcept;
  PendingValues(PendingValues&&) noexcept;
  PendingValues& operator=(PendingValues&&) noexcept;
  ~PendingValues();

  /// Evaluates a node and starts to read it.
  static PendingValues start(const detail::graph::NodePtr& node);

  bool has_value() const noexcept { return impl_ != nullptr; }
  bool ready();
  /// Copies the elements. They can be read only once.
  HostReader reader();

 private:
  struct Impl;
  Impl& impl() const;

  std::unique_ptr<Impl> impl_;
};

}  // namespace detail

/// Values on their way from the device to the host, from Tensor::read_async(). Move-only. Several
/// may be pending at once; get them in any order and on any thread. A future keeps its device
/// alive. It may be dropped without get().
///
/// A browser cannot wait for the GPU and sees its progress only between two tasks of the event
/// loop. So call ready() once per task, with `setTimeout`, a MessageChannel or
/// requestAnimationFrame in between; its answer does not change within a task.
///
///   Future<float> y = x.read_async<float>();
///   while (!y.ready()) draw_progress();
///   std::vector<float> values = y.get();
template <class T>
class [[nodiscard]] Future {
 public:
  /// A future without values. Everything but assigning to it and has_value() raises Error.
  Future() noexcept = default;

  /// Whether there are values to get: false before a future is assigned and after get().
  [[nodiscard]] bool has_value() const noexcept { return values_.has_value(); }

  /// Whether get() would return at once. Never waits. Raises Error without values, DeviceError in
  /// the child of a fork and when the context is lost. GL: glClientWaitSync with timeout 0.
  [[nodiscard]] bool ready() { return values_.ready(); }

  /// The elements in C order, once. Waits for the device if necessary; a browser cannot wait, so
  /// there this raises Error until ready() is true. has_value() is false afterwards, even if the
  /// read fails. If the device cannot be entered or memory runs out before the read, the future is
  /// unchanged.
  ///
  /// Raises Error without values and for an integer that T cannot hold, DeviceError as ready(). GL:
  /// glMapBufferRange; WebGL: getBufferSubData.
  [[nodiscard]] std::vector<T> get() {
    const detail::core::Called called("Future::get");
    return detail::read_as<T>(values_.reader());
  }

 private:
  friend class Tensor;
  explicit Future(detail::PendingValues values) : values_(std::move(values)) {}

  detail::PendingValues values_;
};

template <class T>
Future<T> Tensor::read_async() const {
  const detail::core::Called called("Tensor::read_async");
  detail::check_read<T>(dtype());
  return Future<T>(detail::PendingValues::start(node_));
}

}  // namespace trigon

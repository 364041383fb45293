// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <trigon/values.hpp>

namespace trigon {

namespace detail {

/// What a Future holds, whatever its type.
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
  /// Copies the elements, which are not here any more afterwards.
  HostReader reader();

 private:
  struct Impl;
  Impl& impl_for(const char* member) const;

  std::unique_ptr<Impl> impl_;
};

}  // namespace detail

/// Values on their way from the device to the host, as Tensor::read_async() starts them. Move-only.
/// Several may be on their way at once, and they may be got in any order and on any thread. A
/// future keeps its device alive; a dropped one is forgotten.
///
/// In a browser no one can wait for the GPU, and what it has finished shows between two tasks of
/// the event loop alone. So ready() is asked once a task, with `setTimeout`, a MessageChannel or
/// requestAnimationFrame between; within one task it stays as it is.
///
///   Future<float> y = x.read_async<float>();
///   while (!y.ready()) draw_progress();
///   std::vector<float> values = y.get();
template <class T>
class [[nodiscard]] Future {
 public:
  /// One without values: only assigning to it and has_value() do not raise Error.
  Future() noexcept = default;

  /// Whether there are values to get: not before a future is assigned, and not after get().
  [[nodiscard]] bool has_value() const noexcept { return values_.has_value(); }

  /// Whether get() would return at once. Never waits. Raises Error without values; DeviceError in
  /// the child of a fork, and when the context is lost. GL: glClientWaitSync with timeout 0.
  [[nodiscard]] bool ready() { return values_.ready(); }

  /// The elements in C order, once. Waits for the device where it has to; a browser cannot, and
  /// raises Error before ready() is true. has_value() is false afterwards, also after an error of
  /// the read itself; where the device cannot be entered or memory ends before it, the future is as
  /// before. Raises Error without values and for an integer that T cannot hold, DeviceError as
  /// ready(). GL: glMapBufferRange; WebGL: getBufferSubData.
  [[nodiscard]] std::vector<T> get() { return detail::read_as<T>("Future::get", values_.reader()); }

 private:
  friend class Tensor;
  explicit Future(detail::PendingValues values) : values_(std::move(values)) {}

  detail::PendingValues values_;
};

template <class T>
Future<T> Tensor::read_async() const {
  const detail::graph::NodePtr& node = node_for("Tensor::read_async");
  detail::check_read<T>("Tensor::read_async", dtype());
  return Future<T>(detail::PendingValues::start(node));
}

}  // namespace trigon

// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <trigon/config.hpp>

namespace trigon {

namespace detail {
struct Internals;
}
namespace detail::run {
class DeviceState;
}

/// The device to open, and its profile.
struct DeviceOptions {
  /// Position in list_devices(); -1 takes the first device that works.
  int index = -1;
  /// The execution model to keep to.
  Profile profile = Profile::webgl2;
};

/// A GPU, or Mesa's llvmpipe, with a separate GL context. Copies refer to the same device.
///
/// A tensor belongs to one device; an op on tensors of two devices raises Error. Any thread may use
/// a device; it runs one evaluation at a time. Several devices run in parallel, but on llvmpipe one
/// device works at a time: concurrent contexts crash the driver.
///
///   Device device({.profile = Profile::webgl1});
///   Tensor x = tensor<float>({1, 2, 3}, {3}).to(device);
class [[nodiscard]] Device {
 public:
  /// Opens a device through EGL (its device platform, then surfaceless, then GBM), or through WebGL
  /// in a browser. Raises DeviceError with the reason why each way failed, when the device has no
  /// float render target, and for a malformed TRIGON_LIMITS, TRIGON_QUIRKS or TRIGON_POOL_BYTES.
  [[nodiscard]] explicit Device(const DeviceOptions& options = {});

  /// The device of tensors that name none. It is opened at the first use and never destroyed. The
  /// environment variable TRIGON_PROFILE gives its profile (default webgl2), TRIGON_DEVICE its
  /// index (default -1). Raises DeviceError when it does not open or a variable is malformed.
  static Device& default_device();
  /// Makes `device` the default from now on; tensors stay where they are.
  static void set_default(const Device& device);

  /// The execution model that it uses.
  [[nodiscard]] Profile profile() const;
  /// The largest n such that all integers up to n are exact: 2^32 - 1, or 2^24 in profile webgl1,
  /// where integers are floats.
  [[nodiscard]] double max_exact_integer() const;
  /// The driver's name: GL_RENDERER.
  [[nodiscard]] const std::string& name() const;

  [[nodiscard]] friend bool operator==(const Device& a, const Device& b) {
    return a.state_ == b.state_;
  }

 private:
  friend struct detail::Internals;
  explicit Device(std::shared_ptr<detail::run::DeviceState> state) : state_(std::move(state)) {}

  std::shared_ptr<detail::run::DeviceState> state_;
};

/// Enters a device for its scope: this thread's evaluations and reads inside it bind the context
/// only once. Other threads wait for the end of the scope before they use the device. The caller's
/// context is bound again at the end. Guards nest. GL: eglMakeCurrent, at both ends.
///
/// Two threads that take guards of two devices in different orders deadlock: always take them in
/// the same order. A copy from another device inside a guard enters that device, too.
///
/// The device's context is current inside the scope, and Trigon remembers its bindings there. After
/// your own GL calls, call `forget_state()`; restore all other state yourself.
///
///     const DeviceGuard guard(device);
///     state = step(std::move(state));
///     const float loss = state.loss.item();
class [[nodiscard]] DeviceGuard {
 public:
  /// Raises DeviceError when the context cannot be bound.
  [[nodiscard]] explicit DeviceGuard(const Device& device);
  ~DeviceGuard();
  /// Makes the next draws set program, framebuffer, vertex array, textures, texture unit, viewport
  /// and blending again. Call it after changing any of these in the device's context. Makes no GL
  /// call.
  ///
  ///     const DeviceGuard guard(device);
  ///     glUseProgram(program);  // and your own draws
  ///     guard.forget_state();
  ///     y.eval();
  void forget_state() const;
  DeviceGuard(const DeviceGuard&) = delete;
  DeviceGuard& operator=(const DeviceGuard&) = delete;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Waits until the device has finished all draws. Evaluation does not wait: it returns once its
/// draws are submitted, and reading a tensor waits only for the draws that it depends on. Use it
/// around timed code, or before others use memory that a device shares.
///
/// device : the device; the default one when none is named.
///
/// Raises DeviceError when a draw failed. GL: glFinish.
///
///     eval(y);                // returns early
///     synchronize(device);    // y is computed
void synchronize(const Device& device);
void synchronize();

/// One line for each device that EGL lists, in the order of DeviceOptions::index. Empty in
/// browsers.
[[nodiscard]] std::vector<std::string> list_devices();

}  // namespace trigon

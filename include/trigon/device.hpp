// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <trigon/config.hpp>

namespace trigon {

namespace run {
class DeviceState;
}

/// What to open.
struct DeviceOptions {
  /// Which of list_devices(), or -1: the first that works.
  int index = -1;
  Profile profile = Profile::webgl2;
};

/// A GPU (or Mesa's llvmpipe) with a context of its own. Copies refer to the same device. Tensors
/// belong to one device; mixing them throws. Devices run in parallel, one evaluation at a time
/// each; on llvmpipe, which would crash, one device at a time.
class Device {
 public:
  /// Raises DeviceError, with the reason why each way failed, when there is no EGL display or no
  /// float render target. EGL: device platform, then surfaceless, then GBM.
  explicit Device(const DeviceOptions& options = {});
  explicit Device(std::shared_ptr<run::DeviceState> state) : state_(std::move(state)) {}

  /// The device that tensors are made on when none is named: opened at the first use, with the
  /// profile that TRIGON_PROFILE names (webgl2) and the index of TRIGON_DEVICE; never destroyed.
  static Device& default_device();
  /// Makes `device` the default from now on.
  static void set_default(const Device& device);

  Profile profile() const;
  /// The driver's GL_RENDERER.
  const std::string& name() const;

  const std::shared_ptr<run::DeviceState>& state() const { return state_; }
  friend bool operator==(const Device& a, const Device& b) { return a.state_ == b.state_; }

 private:
  std::shared_ptr<run::DeviceState> state_;
};

/// Waits until the device has done all draws that it was given. Evaluation does not wait: it
/// returns when its draws are handed over, and reading a tensor waits for what that tensor needs.
/// Use it around what is timed, or before memory that a device shares is given to others.
///
/// device : the device; the default one when none is named.
///
/// Raises DeviceError where a draw failed. GL: glFinish.
///
///     eval(y);                // returns early
///     synchronize(device);    // y is computed
void synchronize(const Device& device);
void synchronize();

/// One line a device that EGL lists, in the order of DeviceOptions::index.
std::vector<std::string> list_devices();

}  // namespace trigon

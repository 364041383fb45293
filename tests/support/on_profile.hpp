// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <vector>

#include <trigon/device.hpp>

namespace trigon::support {

/// While it lives, the default device is one of this profile. Those of one profile may be nested.
class OnProfile {
 public:
  explicit OnProfile(Profile profile) {
    if (before_.profile() == profile) return;
    static const Device other{{.profile = profile}};
    Device::set_default(other);
    changed_ = true;
  }
  ~OnProfile() {
    if (changed_) Device::set_default(before_);
  }
  OnProfile(const OnProfile&) = delete;
  OnProfile& operator=(const OnProfile&) = delete;

 private:
  Device before_ = Device::default_device();
  bool changed_ = false;
};

/// For tests of a feature that profile webgl1 lacks: they run on webgl2 even if TRIGON_PROFILE is
/// webgl1.
class OnWebGL2 : public OnProfile {
 public:
  /// `feature`: its name.
  explicit OnWebGL2([[maybe_unused]] const char* feature) : OnProfile(Profile::webgl2) {}
};

/// A device of that profile on which TRIGON_CHECK=1 holds.
inline const Device& checking_device(Profile profile) {
  static const std::vector<Device> devices = [] {
    setenv("TRIGON_CHECK", "1", 1);
    std::vector<Device> opened{Device({.profile = Profile::webgl2}),
                               Device({.profile = Profile::webgl1})};
    unsetenv("TRIGON_CHECK");
    return opened;
  }();
  return devices[profile == Profile::webgl2 ? 0 : 1];
}

}  // namespace trigon::support

// SPDX-License-Identifier: MIT
#include "gl/egl/gbm.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace trigon::detail::gl {
namespace {

using CreateDevice = void* (*)(int);

GbmNode open_node(const std::string& path, CreateDevice create) {
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) return {path, nullptr, std::strerror(errno)};
  void* device = create(file);
  if (device) return {path, device, ""};
  ::close(file);
  return {path, nullptr, "gbm_create_device failed"};
}

std::pair<std::vector<GbmNode>, std::string> open_nodes() {
  // The kernel numbers render nodes from 128 to 191.
  std::vector<std::string> paths;
  for (int minor = 128; minor < 192; ++minor) {
    std::string path = fmt::format("/dev/dri/renderD{}", minor);
    if (::access(path.c_str(), F_OK) == 0) paths.push_back(std::move(path));
  }
  if (paths.empty()) return {{}, "no /dev/dri/renderD128"};
  void* library = ::dlopen("libgbm.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) return {{}, "no libgbm.so.1"};
  const auto create = reinterpret_cast<CreateDevice>(::dlsym(library, "gbm_create_device"));
  if (!create) return {{}, "no gbm_create_device in libgbm.so.1"};
  std::vector<GbmNode> nodes;
  nodes.reserve(paths.size());
  for (const std::string& path : paths) nodes.push_back(open_node(path, create));
  return {std::move(nodes), ""};
}

}  // namespace

std::pair<std::vector<GbmNode>, std::string> gbm_nodes() {
  static const auto nodes = open_nodes();
  return nodes;
}

}  // namespace trigon::detail::gl

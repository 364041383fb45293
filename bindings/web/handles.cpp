// SPDX-License-Identifier: MIT
#include "handles.hpp"

#include <fmt/format.h>

#include <new>
#include <utility>

#include <trigon/error.hpp>

#include "core/internals.hpp"
#include "graph/node.hpp"

namespace web {

using trigon::Tensor;

Failure current_failure() {
  try {
    throw;
  } catch (const Failure& failure) {
    return failure;
  } catch (const trigon::DeviceError& error) {
    return {"DeviceError", error.what()};
  } catch (const std::bad_alloc&) {
    return {"", "trigon: the Worker has no memory left"};
  } catch (const std::exception& error) {
    return {"", error.what()};
  }
}

Handles::~Handles() {
  for (auto& [id, entry] : entries_) let_go(entry);
}

void Handles::let_go(Entry& entry) {
  if (entry.node) entry.node->observers.fetch_sub(1);
}

void Handles::put(std::int64_t id, Tensor tensor) {
  free(id);
  Entry& entry = entries_[id];
  entry.node = trigon::detail::Internals::node(tensor);
  entry.node->observers.fetch_add(1);
  // A node that already has a value cannot be computed again.
  const bool has_value = entry.node->storage != nullptr || entry.node->inputs.empty();
  if (has_value) entry.kept = std::move(tensor);
}

void Handles::put(std::int64_t id, Failure failure) {
  free(id);
  entries_[id].failure = std::move(failure);
}

const Handles::Entry& Handles::entry(std::int64_t id) const {
  const auto found = entries_.find(id);
  if (found == entries_.end()) {
    throw trigon::Error(fmt::format("trigon: there is no tensor {}: it was disposed of", id));
  }
  if (!found->second.node) throw found->second.failure;
  return found->second;
}

Tensor Handles::get(std::int64_t id) const {
  return trigon::detail::Internals::tensor(entry(id).node);
}

Tensor Handles::keep(std::int64_t id) {
  Tensor tensor = get(id);
  entries_[id].kept = tensor;
  return tensor;
}

void Handles::settle() {
  for (auto& [id, entry] : entries_) {
    if (entry.node && entry.node->storage && !entry.kept.has_value()) {
      entry.kept = trigon::detail::Internals::tensor(entry.node);
    }
  }
}

void Handles::rename(std::int64_t from, std::int64_t to) {
  auto moved = entries_.extract(from);
  if (moved.empty()) return;
  free(to);
  moved.key() = to;
  entries_.insert(std::move(moved));
}

void Handles::free(std::int64_t id) {
  const auto found = entries_.find(id);
  if (found == entries_.end()) return;
  let_go(found->second);
  entries_.erase(found);
}

std::int64_t Handles::add(Tensor tensor) {
  put(--last_, std::move(tensor));
  return last_;
}

}  // namespace web

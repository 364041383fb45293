// SPDX-License-Identifier: MIT
#include "handles.hpp"

#include <fmt/format.h>

#include <utility>

#include <trigon/error.hpp>

#include "core/internals.hpp"
#include "graph/node.hpp"

namespace web {

using trigon::Tensor;

Handles::~Handles() {
  for (auto& [id, entry] : entries_) let_go(entry);
}

void Handles::let_go(Entry& entry) {
  if (entry.node) entry.node->observers.fetch_sub(1);
}

void Handles::put(std::int64_t id, Value value, std::uint64_t place) {
  free(id);
  Entry& entry = entries_[id];
  entry.place = place;
  if (auto* function = std::get_if<std::shared_ptr<const Callable>>(&value)) {
    entry.function = std::move(*function);
    return;
  }
  Tensor& tensor = std::get<Tensor>(value);
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
  if (!found->second.node && !found->second.function) throw found->second.failure;
  return found->second;
}

Value Handles::value(std::int64_t id) const {
  const Entry& found = entry(id);
  if (found.function) return found.function;
  return trigon::detail::Internals::tensor(found.node);
}

std::uint64_t Handles::place(std::int64_t id) const {
  const auto found = entries_.find(id);
  if (found == entries_.end() || !found->second.node) return 0;
  const auto& node = *found->second.node;
  if (node.storage == nullptr && found->second.place != 0) return found->second.place;
  std::uint64_t hash = static_cast<std::uint64_t>(node.dtype) + 1;
  for (const std::int64_t size : node.shape)
    hash = hash * 1'000'003 + static_cast<std::uint64_t>(size);
  return hash;
}

bool Handles::is_float32(std::int64_t id) const {
  const auto found = entries_.find(id);
  return found != entries_.end() && found->second.node &&
         found->second.node->dtype == trigon::DType::float32;
}

Tensor Handles::take(std::int64_t id) {
  Tensor tensor = get(id);
  free(id);
  return tensor;
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

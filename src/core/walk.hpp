// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <iterator>
#include <set>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/rooms.hpp"

namespace trigon::detail::core {

/// A depth-first walk through a graph that visits each item once, the last found one first. The
/// loop's body adds the neighbours of an item; an item without a call of `add` ends its path.
///
///   Walk<std::int32_t> walk({root});
///   for (const std::int32_t k : walk) walk.add(graph[k].inputs);
template <class T>
class Walk {
 public:
  /// `seen`: items that are not visited.
  explicit Walk(std::vector<T> first, std::set<T> seen = {})
      : open_(std::move(first)), seen_(std::move(seen)) {}

  void add(const T& one) { open_.push_back(one); }
  template <class Items>
    requires requires(const Items& items) { items.begin(); }
  void add(const Items& items) { open_.insert(open_.end(), items.begin(), items.end()); }

  /// Those visited so far.
  const std::set<T>& seen() const { return seen_; }

  class Iterator {
   public:
    explicit Iterator(Walk& walk) : walk_(walk) { ++*this; }
    const T& operator*() const { return walk_.item_; }
    Iterator& operator++() {
      is_at_end_ = !walk_.next();
      return *this;
    }
    bool operator==(std::default_sentinel_t) const { return is_at_end_; }

   private:
    Walk& walk_;
    bool is_at_end_ = false;
  };
  Iterator begin() { return Iterator(*this); }
  static std::default_sentinel_t end() { return {}; }

 private:
  bool next() {
    while (!open_.empty()) {
      item_ = std::move(open_.back());
      open_.pop_back();
      if (seen_.insert(item_).second) return true;
    }
    return false;
  }

  std::vector<T> open_;
  std::set<T> seen_;
  T item_{};
};

/// Calls `leave(item, below)` for each item below `root`, then for `root`: each after those that it
/// leads to. `enter(item)` gives those, as an optional container; none if the item has been left.
template <class T, class Enter, class Leave>
void walk_up(T root, const Enter& enter, const Leave& leave) {
  using Below = typename std::invoke_result_t<const Enter&, const T&>::value_type;
  struct Frame {
    T item;
    Below below;
    std::size_t next = 0;
  };
  std::vector<Frame> open;
  const auto push = [&](T item) {
    if (auto below = enter(item)) open.push_back({std::move(item), *std::move(below)});
  };
  for (push(std::move(root)); !open.empty();) {
    Frame& top = open.back();
    if (top.next < top.below.size()) {
      push(top.below[top.next++]);
      continue;
    }
    Frame done = std::move(top);
    open.pop_back();
    leave(std::move(done.item), std::move(done.below));
  }
}

}  // namespace trigon::detail::core

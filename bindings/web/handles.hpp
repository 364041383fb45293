// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include <trigon/tensor.hpp>

#include "recorded.hpp"

namespace web {

/// The page's tensors and functions by its numbers.
///
/// A page holds a handle for each intermediate value; C++ code does not. So a handle does not ask
/// for the value of a tensor that is not computed yet. An evaluation of its readers computes it
/// with them and does not store it for the page.
class Handles final : public Source {
 public:
  Handles() = default;
  ~Handles() override;

  /// `place`: see numbers.hpp.
  void put(std::int64_t id, Value value, std::uint64_t place = 0);
  void put(std::int64_t id, Failure failure);
  /// Throws the Failure of its call, if that failed; raises Error for an unknown number.
  Value value(std::int64_t id) const override;
  trigon::Tensor keep(std::int64_t id) override;
  /// Call after an evaluation. Keeps values that it computed for several readers, since it may have
  /// dropped the inputs from which they could be computed again.
  void settle();
  /// The tensor, whose number is free from now on.
  trigon::Tensor take(std::int64_t id) override;
  void rename(std::int64_t from, std::int64_t to);
  void free(std::int64_t id);
  /// Puts tensors under new numbers, below 0.
  std::int64_t add(trigon::Tensor tensor);
  /// The place of the call that made a tensor without a value, or a number for its dtype and
  /// shape. Of other numbers 0.
  std::uint64_t place(std::int64_t id) const;
  bool is_float32(std::int64_t id) const;
  std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    trigon::detail::graph::NodePtr node{};  ///< null for a function or a failure
    std::shared_ptr<const Callable> function{};
    trigon::Tensor kept{};  ///< of the node, if its value is kept
    Failure failure{};
    std::uint64_t place = 0;
  };
  const Entry& entry(std::int64_t id) const;
  void let_go(Entry& entry);

  std::map<std::int64_t, Entry> entries_;
  std::int64_t last_ = 0;  ///< of those below 0
};

}  // namespace web

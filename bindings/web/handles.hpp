// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <string>

#include <trigon/tensor.hpp>

#include "table/arguments.hpp"

namespace web {

/// Raised with the text of a failed call, for reading a value that the call should have made.
struct Failure {
  std::string name;  ///< "DeviceError", or "" for an Error
  std::string text;
};

/// The text of the current exception. Call it in a handler.
Failure current_failure();

/// The page's tensors by its numbers.
///
/// A page holds a handle for each intermediate value; C++ code does not. So a handle does not ask
/// for the value of a tensor that is not computed yet. An evaluation of its readers computes it
/// with them and does not store it for the page.
class Handles final : public trigon::detail::table::TensorSource {
 public:
  Handles() = default;
  ~Handles() override;

  void put(std::int64_t id, trigon::Tensor tensor);
  void put(std::int64_t id, Failure failure);
  /// The tensor. Throws the Failure of its call, if that failed; raises Error for an unknown
  /// number.
  trigon::Tensor get(std::int64_t id) const override;
  /// The same; from now on its value is kept once it is computed.
  trigon::Tensor keep(std::int64_t id);
  /// Call after an evaluation. Keeps values that it computed for several readers, since it may have
  /// dropped the inputs from which they could be computed again.
  void settle();
  void rename(std::int64_t from, std::int64_t to);
  void free(std::int64_t id);
  /// Puts tensors under new numbers, below 0.
  std::int64_t add(trigon::Tensor tensor);
  std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    trigon::detail::graph::NodePtr node;  ///< null for a failure
    trigon::Tensor kept{};                ///< of the node, if its value is kept
    Failure failure{};
  };
  const Entry& entry(std::int64_t id) const;
  void let_go(Entry& entry);

  std::map<std::int64_t, Entry> entries_;
  std::int64_t last_ = 0;  ///< of those below 0
};

}  // namespace web

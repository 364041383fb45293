// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "plan/canonical.hpp"
#include "plan/kernel_builder.hpp"

namespace trigon::plan {

/// Where the values of nodes lie once computed: a slot and its layout, by node number; slot -1: not
/// stored.
struct Stored {
  std::int32_t slot = -1;
  Layout layout{};
};

/// Turns a node at an index into instructions: walks from it through elementwise ops and views down
/// to what is stored, so that everything on the way is computed in registers.
class Fuser {
 public:
  Fuser(KernelBuilder& builder, const Graph& graph, const std::vector<Stored>& stored)
      : b_(builder), graph_(graph), stored_(stored) {}

  /// The value of `node` at `index`, one entry an axis.
  std::int32_t value(std::int32_t node, std::vector<Affine> index);

  /// The offset at which `index` of a chain of views over a stored node lies; false when it is no
  /// such chain.
  bool offset(std::int32_t node, std::vector<Affine> index, std::int32_t& base, Affine& e);

  /// From now on `node` has this value, whatever the index.
  void set(std::int32_t node, std::int32_t value) { fixed_[node] = value; }

 private:
  std::int32_t compute(std::int32_t node, std::vector<Affine>& index);
  std::int32_t number(const Graph::Entry& entry, std::int32_t node);
  std::int32_t map(const Graph::Entry& entry, const std::vector<Affine>& index);
  std::int32_t cast(std::int32_t value, DType from, DType to);
  std::int32_t pad(const Graph::Entry& entry, const std::vector<Affine>& index);
  std::int32_t write(const Graph::Entry& entry, const std::vector<Affine>& index);
  std::int32_t index_value(const Affine& index, DType dtype);
  std::int32_t typed_constant(double value, DType dtype);
  Affine scalar(std::int32_t node, std::int64_t high);
  /// The node that a view shows, its index rewritten; -1 when `node` is no view.
  std::int32_t through_view(std::int32_t node, std::vector<Affine>& index);
  void through_slice(const Graph::Entry& entry, std::vector<Affine>& index);
  void through_take(const Graph::Entry& entry, std::vector<Affine>& index);

  struct Key {
    std::int32_t node;
    std::vector<Affine> index;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };

  KernelBuilder& b_;
  const Graph& graph_;
  const std::vector<Stored>& stored_;
  std::unordered_map<std::int32_t, std::int32_t> fixed_;
  std::unordered_map<Key, std::int32_t, Hash> known_;
  std::map<std::pair<std::int32_t, std::int64_t>, Affine> scalars_;
};

/// The C-order number of an index in a shape.
Affine linear(const Shape& shape, const std::vector<Affine>& index);

/// The run-time number that scalar `node` has in the plan.
std::int32_t scalar_number(const Graph& graph, std::int32_t node);

}  // namespace trigon::plan

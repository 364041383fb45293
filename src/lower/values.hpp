// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kernel/builder.hpp"
#include "lower/lower.hpp"

namespace trigon::detail::lower {

/// Turns an entry at an index into instructions. Walks from it through unstored elementwise ops,
/// views and reductions down to loaded entries, and computes everything on the way in registers.
class Values {
 public:
  Values(kernel::KernelBuilder& builder, const Scene& scene, const Copies& copies = {})
      : b_(builder), scene_(scene), copies_(copies) {}

  /// The value of an entry at `index`, one index per axis.
  std::int32_t value(std::int32_t entry, core::Indices index);

  /// The value of an entry, loaded from that place.
  std::int32_t loaded(const ir::Graph::Entry& entry, const Place& place,
                      const core::Indices& index);

  /// A loop's body, which is the scene's graph: its block, the loop's finished trips, and the
  /// values of its parameters and of loops within it at an index. Short reductions and products are
  /// unrolled.
  struct Inside {
    std::int32_t block;
    core::Affine trip;
    std::function<std::int32_t(const ir::Graph::Entry& parameter, const core::Indices& index)>
        parameter;
    /// The value of an output of a loop within the body.
    std::function<std::int32_t(const ir::Graph::Entry& output, const core::Indices& index)> loop;
    /// Whether a short reduction nevertheless becomes a loop.
    std::function<bool(std::int32_t reduction)> rolls;
  };
  void enter(Inside inside) { inside_ = std::move(inside); }
  bool rolls(std::int32_t reduction) const { return inside_.rolls(reduction); }
  /// The outermost block in which loops of reductions may stand.
  std::int32_t block() const { return inside_.block; }

  /// From now on the entry has this value, at any index.
  void set(std::int32_t entry, std::int32_t value) { fixed_[entry] = value; }
  /// Fragments of a quad that compute the same rows: they share the reductions of these.
  struct Quad {
    std::int64_t columns = 1, rows = 1;
    std::int64_t size() const { return columns * rows; }
  };
  void share(const Quad& quad) { quad_ = quad; }
  const Quad& quad() const { return quad_; }
  const Scene& scene() const { return scene_; }
  kernel::KernelBuilder& builder() { return b_; }

 private:
  std::int32_t compute(std::int32_t entry, core::Indices& index);
  std::int32_t number(const ir::Graph::Entry& entry);
  std::int32_t map(const ir::Graph::Entry& entry, const core::Indices& index);
  std::int32_t branch(const ir::Graph::Entry& entry, const core::Indices& index);
  std::int32_t side(const ir::Graph::Entry& entry, const core::Indices& index, kernel::Runs runs,
                    std::int32_t before);
  std::set<std::int32_t> at_same_index(std::int32_t root) const;
  bool is_worth_a_branch(std::int32_t side, const std::set<std::int32_t>& shared) const;
  /// The entry below views, and the index there.
  const ir::Graph::Entry& below_views(std::int32_t entry, core::Indices& index);
  struct Compared {
    core::Affine position;
    double number;
  };
  std::optional<Compared> compared(const ir::Graph::Entry& mask, const core::Indices& index);
  std::optional<bool> known_mask(std::int32_t entry, core::Indices index);
  std::int32_t wide_mask(const ir::Graph::Entry& mask, const core::Indices& index);
  std::int32_t kernel(const ir::Graph::Entry& entry, const core::Indices& index);
  std::int32_t kernel_call(const ir::Graph::Entry& entry, const core::Indices& index);
  std::int32_t raw_input(std::int32_t entry, bool by_number);
  std::int32_t kernel_number(const ir::Graph::Entry& entry, const KernelSpec::Number& number,
                             const core::Indices& index);
  std::int32_t cast(std::int32_t value, DType from, DType to);
  std::int32_t integer_of(std::int32_t id, const Op& op, DType dtype);
  std::int32_t wrapped(std::int32_t id, DType dtype);
  std::int32_t pad(const ir::Graph::Entry& entry, const core::Indices& index);
  std::int32_t write(const ir::Graph::Entry& entry, const core::Indices& index);
  std::int32_t reduction(std::int32_t entry, const core::Indices& index);
  std::int32_t product(const ir::Graph::Entry& entry, const core::Indices& index);
  std::int32_t index_value(const core::Affine& index, DType dtype);
  std::int32_t typed_constant(double value, DType dtype);
  core::Affine scalar(std::int64_t number, std::int64_t high, std::int64_t size);
  core::Affine trip(std::int64_t high);
  std::int32_t table(const ir::Graph::Entry& entry, const core::Affine& index);
  void through_view(const ir::Graph::Entry& entry, core::Indices& index);
  void through_take(const ir::Graph::Entry& entry, core::Indices& index);
  void through_take_along(const ir::Graph::Entry& entry, core::Indices& index);
  struct Key {
    std::int32_t entry;
    core::Indices index;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };
  /// Instructions, and the builder's scope in which they were built.
  template <class T>
  struct Known {
    T ids;
    std::int32_t scope;
  };

  kernel::KernelBuilder& b_;
  const Scene& scene_;
  std::unordered_map<std::int32_t, std::int32_t> fixed_;
  const Copies copies_;
  std::unordered_map<Key, Known<std::int32_t>, Hash> known_;
  std::unordered_map<Key, Known<std::vector<std::int32_t>>, Hash> tuples_;  ///< of reductions
  /// Kernels called at an index: each output is an entry, but one call computes all outputs.
  struct Call {
    const ir::Graph::Entry* entry;
    core::Indices index;
    Known<std::int32_t> found;
  };
  std::vector<Call> calls_;
  Quad quad_;
  Inside inside_{};
  std::map<std::array<std::int64_t, 3>, core::Affine> scalars_;
};

}  // namespace trigon::detail::lower

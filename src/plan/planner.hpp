// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "plan/canonical.hpp"
#include "plan/fuse.hpp"
#include "plan/kernel_builder.hpp"
#include "plan/schedule.hpp"

namespace trigon::plan {

/// Plans one boundary after the other into steps. One kind of kernel a file: elementwise.cpp,
/// reduction.cpp, contraction.cpp, write.cpp.
class Planner {
 public:
  Planner(const Graph& graph, const Target& target);
  Plan run();

 private:
  using Indices = std::vector<Affine>;

  const Graph::Entry& at(std::int32_t k) const { return graph_[k]; }
  const graph::Node& node(std::int32_t k) const { return *graph_[k].node; }
  Stored& stored(std::int32_t k) { return stored_[static_cast<std::size_t>(k)]; }
  bool boundary(std::int32_t k) const { return schedule_.boundary[static_cast<std::size_t>(k)]; }

  void plan_boundary(std::int32_t root);
  void plan_kernel(std::int32_t root);

  // Elementwise.
  Step elementwise(std::int32_t root, bool padded);
  void plan_elementwise(std::int32_t root);
  /// Computes a node into rows that start a texel, where its readers find it from now on. Returns
  /// where it was.
  Stored store_padded(std::int32_t k, const char* why);
  void adopt_geometry(std::int32_t root, Layout& layout) const;

  // Reductions.
  struct Reduction {
    const Op* op;
    Type type;             ///< of the accumulators
    Shape kept;            ///< without axes of size 1
    std::int64_t count;    ///< elements reduced
    bool across_lanes;     ///< the reduced axis lies in the lanes of the source's texels
    bool partial = false;  ///< the source holds accumulators of an earlier stage
    std::optional<std::int32_t> length{};  ///< a scalar node: only so many elements
    /// The source's accumulators or its one value at a kept index and a reduced index.
    std::function<std::vector<std::int32_t>(KernelBuilder&, const Indices& kept, const Affine& k)>
        source{};
  };
  void plan_reduction(std::int32_t root, std::int32_t core);
  /// The stages of a reduction; the last computes `root`, whose kernel holds `core`'s result.
  void plan_stages(Reduction work, std::int32_t root, std::int32_t core);
  std::int64_t stages_split(const Reduction& work) const;
  std::vector<std::int32_t> reduce_kernel(KernelBuilder& b, const Reduction& work,
                                          const Indices& kept, const Affine& first,
                                          std::int64_t trips, bool all_read);
  void plan_partial(Reduction& work, std::int64_t split);
  void plan_last(const Reduction& work, std::int32_t root, std::int32_t core);
  bool across_lanes(const graph::Node& reduce, std::int32_t source);

  // Contractions.
  struct Contraction {
    std::int32_t a, b;
    Shape shape;  ///< (B..., M, N)
    std::int64_t inner;
    std::int64_t rows;       ///< of the block that a fragment computes
    bool dots;               ///< b's inner axis lies in the lanes
    std::int64_t split = 1;  ///< parts of the inner axis, the first axis of the result
    /// Fragments of a quad that share the inner axis: each multiplies every so manieth texel of it
    /// for the columns of all, and what it has of the others' columns it gives to them.
    std::int64_t team_x = 1, team_y = 1;
    std::int64_t team() const { return team_x * team_y; }
    std::int32_t length = -1, columns = -1;  ///< scalar nodes
  };
  void plan_contraction(std::int32_t root, std::int32_t core);
  /// A texel's columns: its lanes, and the first of them.
  struct Column {
    Affine lanes, first;
  };
  void plan_parts(Contraction& work, std::int32_t root, std::int32_t core);
  Layout place_block(Contraction& work, DType dtype, const Shape& shape) const;
  Column inner_steps(KernelBuilder& b, const Contraction& work, const Affine& first,
                     std::int64_t trips);
  std::vector<Column> team_columns(KernelBuilder& b, const Contraction& work, const Layout& layout,
                                   const Column& own);
  std::int32_t row_sum(KernelBuilder& b, const Contraction& work, std::size_t row);
  Step contract_kernel(const Contraction& work, const Layout& layout, std::int32_t root,
                       std::int32_t core);
  std::int32_t accumulate(KernelBuilder& b, Fuser& fuser, const Contraction& work,
                          const std::vector<Indices>& rows, const std::vector<Column>& columns,
                          const Affine& first, std::int64_t trips);
  bool lanes_along(std::int32_t operand, int axis);
  std::vector<std::int32_t> block_values(KernelBuilder& b, Fuser& fuser, const Contraction& work,
                                         const Indices& batch, const Column& column,
                                         const Affine& k4, const Affine& k1, std::int32_t mask);

  // Writes.
  void plan_write(std::int32_t root);
  bool write_in_place(std::int32_t root);
  bool readers_left(std::int32_t source, std::int32_t writer) const;

  // Steps.
  std::int32_t new_slot() { return plan_.slots++; }
  void emit_step(Step step, std::int32_t root, const char* kind);
  Step start_step(const Layout& layout, std::int64_t attachments) const;
  void store_values(KernelBuilder& b, const std::vector<std::int32_t>& values, DType dtype);
  void fill_last_use();

  const Graph& graph_;
  const Target& target_;
  Schedule schedule_;
  std::vector<Stored> stored_;
  std::vector<bool> planned_;
  struct Copy {
    std::int32_t node;
    Stored before;
  };
  std::vector<Copy> copies_;  ///< by store_padded, to be undone with the step that wanted them
  Plan plan_;
};

/// Indices of the axes of size 1 are 0, the others those of `index` in order.
std::vector<Affine> spread_index(const Shape& shape, const std::vector<Affine>& index);
Shape without_ones(const Shape& shape);
/// The layout of the same elements seen as `shape`, which differs by axes of size 1 only.
Layout with_shape(const Layout& layout, const Shape& shape);
/// Texel column and row of the fragment; for tall outputs the row counts the layers below.
struct Fragment {
  Affine x, x4, y;
};
Fragment fragment(KernelBuilder& b, const Layout& layout, Step& step);

}  // namespace trigon::plan

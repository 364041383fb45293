// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "lower/lower.hpp"
#include "lower/values.hpp"

// The elements of a target that a fragment computes, for all kinds of kernels.

namespace trigon::detail::lower {

/// Texel column and row of the fragment; for tall outputs the row counts the layers below.
struct Fragment {
  core::Affine x, x4, y;
};
/// `draws`: draws of the step, each into other layers.
Fragment fragment(kernel::KernelBuilder& b, const core::Layout& layout, std::int64_t draws);

/// How the elements of a tensor without axes of size 1 follow each other in texture rows.
enum class Rows : std::uint8_t {
  flat,    ///< without gaps
  padded,  ///< each row of the last axis starts a texel
  texels,  ///< one element per texel
};
/// The index of a fragment's elements in a target of that layout.
core::Indices index_of(kernel::KernelBuilder& b, const Fragment& at, const core::Layout& layout,
                       const Shape& shape, Rows rows);
/// Splits offset e of a padded layout into the row of the last axis and the position in that row.
kernel::KernelBuilder::Split row_of(kernel::KernelBuilder& b, const core::Affine& e,
                                    const core::Layout& layout, const Shape& shape);

/// The number of the fragment in its quad of columns x rows, row by row.
core::Affine member_of(kernel::KernelBuilder& b, std::int64_t columns, std::int64_t rows);

/// A step over the whole of a target.
plan::Step start_step(const core::Layout& layout, std::int64_t attachments);
/// Adds the values of one output, one per attachment.
void store(kernel::KernelBuilder& b, const std::vector<std::int32_t>& values, DType dtype);
/// Finishes the kernel into the step; false if it exceeds the target.
bool finish(kernel::KernelBuilder& b, plan::Step& step);
/// Estimated times of a draw, and of steps; those of a loop count as often as it is known to run.
double nanoseconds_of(const plan::Step& draw, const core::Costs& costs);
double nanoseconds_of(const std::vector<plan::Step>& steps, const core::Costs& costs);
/// Estimated time to compile the programs of steps, each once.
double compile_nanoseconds_of(const std::vector<plan::Step>& steps, const core::Costs& costs);
/// Both together, over all runs that share these programs.
double total_nanoseconds_of(const std::vector<plan::Step>& steps, const core::Costs& costs);
/// If programs compile within this many nanoseconds, another plan is not worth trying.
inline constexpr double quick_to_compile = 130e6;
/// "matmul (2, 3) float32"
std::string label(std::string_view kind, const ir::Graph::Entry& entry);
/// Adds the step with its outputs, in new slots, as the values of `entries`.
void add_step(Draft& draft, plan::Step step, const std::vector<std::int32_t>& entries,
              const std::vector<plan::StepOutput>& outputs);

/// The layout of a view of texels with layout `base`, with no element moved. None if strides cannot
/// describe it.
std::optional<core::Layout> layout_through(const ir::Graph::Entry& view, const core::Layout& base);

/// Whether four neighbours of an entry along `axis` lie in one texel, in the order of the lanes, at
/// all other indices.
bool lanes_along(const Scene& scene, const Copies& copies, std::int32_t entry, int axis);

}  // namespace trigon::detail::lower

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "lower/lower.hpp"
#include "lower/values.hpp"

// The elements of a target under a fragment: what all kinds of kernels share.

namespace trigon::detail::lower {

/// Texel column and row of the fragment; for tall outputs the row counts the layers below.
struct Fragment {
  core::Affine x, x4, y;
};
/// `draws`: of the step, each of which draws other layers.
Fragment fragment(kernel::KernelBuilder& b, const core::Layout& layout, std::int64_t draws);

/// How the elements of a tensor without axes of size 1 follow each other in texture rows.
enum class Rows : std::uint8_t {
  flat,    ///< without gaps
  padded,  ///< each row of the last axis starts a texel
  texels,  ///< one element a texel
};
/// The index of a fragment's elements in a target of that layout.
core::Indices index_of(kernel::KernelBuilder& b, const Fragment& at, const core::Layout& layout,
                       const Shape& shape, Rows rows);
/// The rows of a padded layout's last axis and the place in them, of offset e.
kernel::KernelBuilder::Split row_of(kernel::KernelBuilder& b, const core::Affine& e,
                                    const Shape& shape);

/// The number of the fragment in its quad of columns x rows, by rows.
core::Affine member_of(kernel::KernelBuilder& b, std::int64_t columns, std::int64_t rows);

/// A step over the whole of a target.
plan::Step start_step(const core::Layout& layout, std::int64_t attachments);
/// Adds `values`, one an attachment, as those of one output.
void store(kernel::KernelBuilder& b, const std::vector<std::int32_t>& values, DType dtype);
/// Finishes the kernel into the step; false past the caps.
bool finish(kernel::KernelBuilder& b, plan::Step& step);
/// Estimated times of a draw, and of steps, those of a loop as often as it is known to run.
double nanoseconds_of(const plan::Step& draw, const core::Costs& costs);
double nanoseconds_of(const std::vector<plan::Step>& steps, const core::Costs& costs);
/// What a driver takes to compile the programs of steps, each once.
double compile_nanoseconds_of(const std::vector<plan::Step>& steps, const core::Costs& costs);
/// Both: what the steps cost in all runs that share their programs.
double total_nanoseconds_of(const std::vector<plan::Step>& steps, const core::Costs& costs);
/// Programs that are compiled in so many nanoseconds are not worth another plan.
inline constexpr double quick_to_compile = 130e6;
/// "matmul (2, 3) float32"
std::string label(std::string_view kind, const ir::Graph::Entry& entry);
/// Adds the step with its outputs, in new slots, as the values of `entries`.
void add_step(Draft& draft, plan::Step step, const std::vector<std::int32_t>& entries,
              const std::vector<plan::StepOutput>& outputs);

/// The layout of a view over texels of that layout: its elements where they lie. None where they
/// follow no strides.
std::optional<core::Layout> layout_through(const ir::Graph::Entry& view, const core::Layout& base);

/// Whether four neighbours of an entry along `axis` are one texel, whatever its other indices.
bool lanes_along(const Scene& scene, const Copies& copies, std::int32_t entry, int axis);

}  // namespace trigon::detail::lower

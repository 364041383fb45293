// SPDX-License-Identifier: MIT
#include "pipeline/reasons.hpp"

#include <array>

#include <fmt/format.h>

#include "core/item.hpp"

namespace trigon::detail::pipeline {
namespace {

/// Texts by the number of their enumerator; {} is the name of the kind.
constexpr std::array reasons = {
    "",
    "asked for",
    "it changes a stored tensor",
    "the result of a {}",
    "the result of a reduction or product",
    "a product reads whole texels of it",
    "the points of a scatter read it",
    "a cond skips draws by it",
    "a custom kernel reads it at places of its own",
    "to compute it wherever it is read would cost more",
    "too much work to repeat wherever it is read",
    "recomputing it would take too long to compile",
    "a loop reads it in each iteration",
    "a piece of a long concatenation: the kernel of all would take too long to compile",
    "cut here: its reader's kernel would be too long",
    "cut here: its reader would read too many textures",
    "cut here: the values beside it are",
    "cut here: its reader's kernel passed the device's limits",
};
static_assert(reasons.size() == core::rows_through(schedule::Reason::too_large));

constexpr std::array joins = {
    "",
    "in this draw as it has the same elements",
    "in this draw as it goes on from values above at its own index",
};
static_assert(joins.size() == core::rows_through(schedule::Join::below));

constexpr std::array separations = {
    "no earlier draw that could wait for it has the same elements",
    "a write, a scatter or a loop has a draw of its own",
    "a product has a draw of its own",
    "its loop reads results of other draws, which must be complete",
    "it reads the result of a write, a scatter or a loop, which has a draw of its own",
    "it reads results of several draws",
    "it has other elements than the draw whose results it reads",
    "it reads results of another draw at other indices than its own",
    "the device's draws have too few targets to share one",
    "together with the product it would slow that down by more than a draw",
    "together with an earlier draw it would read too many textures",
    "together with an earlier draw its kernel would be too long",
    "another cond skips it, or another side of one needs it",
    "together with an earlier draw it would keep too much memory",
    "a kernel for all of it passed the device's limits",
};
static_assert(separations.size() == core::rows_through(schedule::SplitReason::too_large));

}  // namespace

std::string text_of(schedule::Reason reason, ir::Kind kind) {
  if (kind == ir::Kind::output) kind = ir::Kind::loop;
  return fmt::format(fmt::runtime(item(reasons, reason)), name(kind));
}
const char* text_of(schedule::Join join) { return item(joins, join); }
const char* text_of(schedule::SplitReason split_reason) { return item(separations, split_reason); }

std::string text_of(const std::vector<plan::Guard>& guards) {
  std::string text;
  for (const plan::Guard& guard : guards) {
    text += fmt::format("{}t{} is {}", text.empty() ? "" : " and ", guard.slot,
                        guard.holds ? "set" : "not");
  }
  return text;
}

}  // namespace trigon::detail::pipeline

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/affine.hpp"
#include "core/item.hpp"
#include "core/number_table.hpp"
#include "core/target.hpp"
#include "kernel/kernel.hpp"

namespace trigon::detail::kernel {

/// The instructions, loops and branches of a Kernel. Equal instructions become one. Each stands in
/// the outermost block that its operands allow, or in an open branch.
class CodeBuilder {
 public:
  explicit CodeBuilder(const core::Target& target);

  /// Adds an instruction, in the deepest block of its operands. `lane`: for an index or an address;
  /// a value differs between the lanes if one of its operands does.
  std::int32_t add(Operation operation, core::Type type, Lane lane = Lane::uniform);
  /// The number of the integer uniform with this value.
  std::int32_t int_uniform(const IntExpr& value);
  /// The register type of an instruction's value.
  core::Type type(std::int32_t id) const { return kernel_[id].type; }
  const core::Target& target() const { return target_; }
  /// Kernels with more instructions than this are too large, since they would take long to compile.
  /// Default: 1,500.
  void set_most_instructions(std::size_t most) { most_instructions_ = most; }
  /// Whether finish() will return false, so that more instructions are useless.
  bool is_too_large() const { return too_large_; }

  // ---- Loops ----

  /// A new loop within the block `outer`.
  std::int32_t open_block(std::int32_t outer);
  /// `trips`: the instruction of an index of an outer block; at most `most`.
  void set_trips(std::int32_t block, std::int32_t trips, std::int64_t most);
  /// Ends the loop once the mask, computed within it, is 0 in all lanes. Carried values stay as
  /// they were before that trip.
  void set_goes_on(std::int32_t block, std::int32_t mask) {
    item(kernel_.blocks, block).goes_on = mask;
  }
  /// A value that the loop carries from trip to trip, as seen within a trip; `before` in the first
  /// one. The carried values of a loop are numbered from 0 in the order of these calls.
  std::int32_t carry(std::int32_t block, std::int32_t before);
  /// Sets its value for the next trip.
  void set_carried(std::int32_t block, std::int32_t number, std::int32_t at_end);
  /// A carried value after the loop, or the value of a branch.
  std::int32_t result(std::int32_t block, std::int32_t number);

  // ---- Branches ----

  /// A new branch within the block `outer`, which runs if lane 0 of the mask is set, or if it is
  /// not. Until it is closed, new instructions stand in it. Those that do not depend on the loop
  /// around it stand before that loop.
  std::int32_t open_branch(std::int32_t outer, std::int32_t mask, Runs runs);
  /// The value after the branch: `value`, computed within it, if it ran, otherwise `before`.
  std::int32_t close_branch(std::int32_t value, std::int32_t before);
  /// Whether an instruction may be used here: it stands in no closed branch.
  bool is_visible(std::int32_t id) const;

  /// Adds a target of the draw.
  void output(std::int32_t value, core::Type type);

 protected:
  /// Facts about an index instruction.
  struct Info {
    std::int64_t low = 0, high = 0;  ///< both included
    bool aligned = false;
    core::Affine of{};          ///< the dividend of a quotient; the sum of a Sum
    std::int64_t divisor = 0;   ///< of a quotient or remainder
    std::int32_t partner = -1;  ///< of a quotient: the remainder
    bool is_quotient = false;
    std::int32_t scope = 0;  ///< the range holds in this scope
  };

  std::int32_t push(Instr instr, Info info);
  std::int32_t deeper(std::int32_t a, std::int32_t b) const;

  core::Target target_;
  Kernel kernel_;
  bool too_large_ = false;
  std::vector<Info> info_;                   ///< of each instruction
  std::vector<std::int64_t> most_trips_{1};  ///< of each block
  std::vector<IntExpr> ints_;

 private:
  /// The equal instruction, or -1.
  std::int32_t find(std::uint64_t hash, const Instr& instr) const;
  std::int32_t push_new(std::uint64_t hash, Instr instr, Info info);
  /// The open branches that may hold an instruction of this block, outermost first.
  std::vector<std::int32_t> branches_for(const Instr& instr) const;

  std::size_t most_instructions_ = 1500;
  std::vector<std::int32_t> depths_{0};
  std::vector<std::int32_t> loops_{0};  ///< of each block: the loop around it, or itself
  std::vector<std::int32_t> branches_;  ///< the open ones
  std::vector<bool> is_closed_{false};  ///< of each block: whether it is a closed branch
  core::NumberTable known_;
};

}  // namespace trigon::detail::kernel

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include <trigon/op.hpp>
#include <trigon/ops/binary.hpp>
#include <trigon/ops/bitwise.hpp>
#include <trigon/ops/logic.hpp>
#include <trigon/ops/reduce.hpp>
#include <trigon/ops/trigonometric.hpp>
#include <trigon/ops/unary.hpp>

namespace trigon {
namespace {

// A local static: ops of any translation unit may register before this one's statics are built.
std::vector<const Op*>& ops() {
  static std::vector<const Op*> all;
  return all;
}

bool before(const Op* op, std::string_view name) { return op->name < name; }

void add(const Op& op) {
  auto& all = ops();
  all.insert(std::lower_bound(all.begin(), all.end(), op.name, before), &op);
}

}  // namespace

Op::Op(const UnarySpec& s) : family(Family::unary), name(s.name.get()), spec(&s) { add(*this); }
Op::Op(const BinarySpec& s) : family(Family::binary), name(s.name.get()), spec(&s) { add(*this); }
Op::Op(const TernarySpec& s) : family(Family::ternary), name(s.name.get()), spec(&s) { add(*this); }
Op::Op(const ReduceSpec& s) : family(Family::reduce), name(s.name.get()), spec(&s) { add(*this); }

std::span<const Op* const> registry() { return ops(); }

const Op* find_op(std::string_view name) {
  const auto& all = ops();
  const auto found = std::lower_bound(all.begin(), all.end(), name, before);
  return found != all.end() && (*found)->name == name ? *found : nullptr;
}

}  // namespace trigon

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "core/called.hpp"
#include "core/item.hpp"
#include "core/rooms.hpp"
#include "entries/entries.hpp"
#include "trigon/op.hpp"

namespace trigon {
namespace {

// ---- Content ----

void append(std::string& content, const char* text) {
  content += text == nullptr ? "0" : fmt::format("{}:{}", std::string_view(text).size(), text);
}
void append(std::string& content, int number) { content += fmt::format("{},", number); }
void append(std::string& content, Result result) { append(content, static_cast<int>(result)); }
void append(std::string& content, const std::optional<double>& number) {
  content += number ? fmt::format("{},", std::bit_cast<std::uint64_t>(*number)) : "-,";
}

template <class... Fields>
std::string joined(const Fields&... fields) {
  std::string content;
  (append(content, fields), ...);
  return content;
}

// The bindings name every field of a spec, so a new field must be handled here before it compiles.
std::string content_of(const UnarySpec& spec) {
  const auto& [name, glsl, glsl_int, result, keeps_bool, folds_exactly, ref, ref_bits, vjp, domain,
               tolerance] = spec;
  return joined(name.get(), glsl.get(), glsl_int, result.get(), keeps_bool, folds_exactly,
                vjp.get() != nullptr);
}

std::string content_of(const BinarySpec& spec) {
  const auto& [name, glsl, glsl_int, result, keeps_bool, integers_only, uint32_only, is_comparison,
               is_sum, is_less, negative_b, folds_exactly, identity_a, identity_b, leaves_integers,
               loop_iterations, loop_iterations_int, ref, ref_bits, vjp, domain_a, domain_b,
               tolerance] = spec;
  return joined(name.get(), glsl.get(), glsl_int, result.get(), keeps_bool, integers_only,
                uint32_only, is_comparison, is_sum, is_less, negative_b, folds_exactly, identity_a,
                identity_b, leaves_integers, loop_iterations, loop_iterations_int,
                vjp.get() != nullptr);
}

std::string content_of(const TernarySpec& spec) {
  const auto& [name, glsl, glsl_int, condition_first, chooses, ref, vjp, domain, tolerance] = spec;
  return joined(name.get(), glsl.get(), glsl_int, condition_first, chooses, vjp.get() != nullptr);
}

std::string content_of(const ReduceSpec& spec) {
  const auto& [name, accumulators, outputs, identity, lift, combine, finish, result, gives_index,
               needs_element, first_is_shift, ref, ref_bits, vjp, vjp_with_length, domain,
               tolerance, per_element, element, preamble] = spec;
  return joined(name.get(), accumulators.get(), outputs.get(), identity.get(), lift.get(),
                combine.get(), finish.get(), result.get(), gives_index, needs_element,
                first_is_shift, vjp.get() != nullptr, vjp_with_length, per_element,
                static_cast<int>(element), preamble);
}

std::string content_of(const KernelSpec& spec) {
  const auto& [name, inputs, outputs, numbers, letters, section, body, is_expression, preamble, ref,
               instructions, loop_iterations] = spec;
  std::string content = joined(name.c_str(), section.c_str(), body.c_str(), is_expression,
                               preamble.c_str(), ref != nullptr, instructions, loop_iterations);
  for (const auto* parameters : {&inputs, &outputs}) {
    content += fmt::format("{};", parameters->size());
    for (const auto& [parameter, dtype, access] : *parameters) {
      content += joined(parameter.c_str(), static_cast<int>(dtype), static_cast<int>(access));
    }
  }
  for (const auto& [number, what, axis, input] : numbers) {
    content += joined(number.c_str(), static_cast<int>(what), axis, input);
  }
  for (const auto& [letter, dtype] : letters) {
    content += joined(letter.c_str(), static_cast<int>(dtype));
  }
  return content;
}

template <class Spec>
const char* name_of(const Spec& spec) {
  return spec.name.get();
}
const char* name_of(const KernelSpec& spec) { return spec.name.c_str(); }

template <class Spec>
bool is_declared(const Spec&) {
  return true;
}
bool is_declared(const ReduceSpec& spec) { return !spec.per_element; }
bool is_declared(const KernelSpec&) { return false; }

}  // namespace

// ---- Registry -----------------------------------------------------------------------------------

namespace detail::entries {

struct Registry {
  Registry();

  /// The op of equal content, which is made where there is none. The mutex is held.
  template <class Spec>
  const Op* intern(Family family, const Spec& spec);
  template <class Spec>
  void intern_all(Family family, std::span<const Spec> specs);

  std::mutex mutex;
  std::vector<const Op*> by_id;
  std::vector<const Op*> by_name;
  std::unordered_map<std::string, const Op*> by_content;

 private:
  // A spec's texts end with the shared object that declared it, so copies keep their own.
  const char* kept(const char* text);
  template <class Spec>
  void keep_texts(Spec& spec);
  void keep_texts(BinarySpec& spec);
  void keep_texts(ReduceSpec& spec);
  void keep_texts(KernelSpec&) {}

  std::deque<std::string> texts_;
};

// The library's own ops come first, whatever the program declares before its statics exist.
Registry::Registry() {
  for (const Chapter& chapter :
       {logic(), math(), arithmetic(), bitwise(), reductions(), trigonometric()}) {
    intern_all(Family::unary, chapter.unary);
    intern_all(Family::binary, chapter.binary);
    intern_all(Family::ternary, chapter.ternary);
    intern_all(Family::reduce, chapter.reduce);
  }
}

template <class Spec>
void Registry::intern_all(Family family, std::span<const Spec> specs) {
  for (const Spec& spec : specs) intern(family, spec);
}

template <class Spec>
const Op* Registry::intern(Family family, const Spec& spec) {
  const std::string content = fmt::format("{}:{}", static_cast<int>(family), content_of(spec));
  const Op*& found = by_content[content];
  if (found != nullptr) return found;
  auto copy = std::make_unique<Spec>(spec);
  keep_texts(*copy);
  const bool declared = is_declared(*copy);
  const char* name = name_of(*copy);
  found = new Op(family, name, copy.release(), static_cast<int>(by_id.size()));
  by_id.push_back(found);
  if (!declared) return found;
  const auto place =
      std::upper_bound(by_name.begin(), by_name.end(), found->name,
                       [](std::string_view before, const Op* op) { return before < op->name; });
  by_name.insert(place, found);
  return found;
}

const char* Registry::kept(const char* text) {
  return text == nullptr ? nullptr : texts_.emplace_back(text).c_str();
}

template <class Spec>
void Registry::keep_texts(Spec& spec) {
  spec.name = kept(spec.name.get());
  spec.glsl = kept(spec.glsl.get());
  spec.glsl_int = kept(spec.glsl_int);
}

void Registry::keep_texts(BinarySpec& spec) {
  keep_texts<BinarySpec>(spec);
  spec.negative_b = kept(spec.negative_b);
}

void Registry::keep_texts(ReduceSpec& spec) {
  spec.name = kept(spec.name.get());
  spec.identity = kept(spec.identity.get());
  spec.lift = kept(spec.lift.get());
  spec.combine = kept(spec.combine.get());
  spec.finish = kept(spec.finish.get());
  spec.preamble = kept(spec.preamble);
}

namespace {

// Created at the first use, since ops of any file may register before this file's statics exist.
// Never destroyed, since handles may outlive them.
Registry& the_registry() {
  static Registry& all = *new Registry;
  return all;
}

template <class Spec>
const Op* declare(Family family, const Spec& spec) {
  Registry& all = the_registry();
  const std::lock_guard lock(all.mutex);
  return all.intern(family, spec);
}

}  // namespace

const Op& own_op(const char* name) {
  const Op* const op = find_op(name);
  if (op == nullptr) throw std::logic_error(fmt::format("trigon: no op is named {}", name));
  return *op;
}

}  // namespace detail::entries

using entries::the_registry;

// ---- Ops ----------------------------------------------------------------------------------------

Op::Op(Family f, const char* n, const void* s, int i)
    : family(f), name(n), spec(s), id(i), canonical_(this) {}

Op::Op(const Op* op)
    : family(op->family), name(op->name), spec(op->spec), id(op->id), canonical_(op) {}

Op::Op(const UnarySpec& s) : Op(entries::declare(Family::unary, s)) {}
Op::Op(const BinarySpec& s) : Op(entries::declare(Family::binary, s)) {}
Op::Op(const TernarySpec& s) : Op(entries::declare(Family::ternary, s)) {}
Op::Op(const ReduceSpec& s) : Op(entries::declare(Family::reduce, s)) {}
Op::Op(const KernelSpec& s) : Op(entries::declare(Family::kernel, s)) {}

// ---- Look-up ------------------------------------------------------------------------------------

std::vector<const Op*> registry() {
  entries::Registry& all = the_registry();
  const std::lock_guard lock(all.mutex);
  return all.by_name;
}

const Op* find_op(std::string_view name) {
  entries::Registry& all = the_registry();
  const std::lock_guard lock(all.mutex);
  const auto found =
      std::lower_bound(all.by_name.begin(), all.by_name.end(), name,
                       [](const Op* op, std::string_view wanted) { return op->name < wanted; });
  return found != all.by_name.end() && (*found)->name == name ? *found : nullptr;
}

const Op& op_of(int id) {
  entries::Registry& all = the_registry();
  const std::lock_guard lock(all.mutex);
  const auto count = static_cast<int>(all.by_id.size());
  if (id < 0 || id >= count) {
    core::fail_in("op_of", "no such op: id is {}; must be in [0, {})", id, count);
  }
  return *item(all.by_id, id);
}

}  // namespace trigon

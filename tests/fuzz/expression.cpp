// SPDX-License-Identifier: MIT
#include <trigon/trigon.hpp>

#include "table/example.hpp"
#include "table/table.hpp"
#include "target.hpp"

// Graphs of public functions with hostile arguments. Two bytes choose a row of the table; its
// tensors come from a stack, to which its results are added.

namespace trigon::fuzz {
namespace {

using detail::table::Json;
using detail::table::Parameter;
using detail::table::Row;

const std::vector<const Row*>& callable_rows() {
  static const std::vector<const Row*> all = [] {
    std::vector<const Row*> list = detail::table::rows();
    std::erase_if(list, [](const Row* row) { return !row->function || row->facts.reads; });
    return list;
  }();
  return all;
}

class Machine {
 public:
  explicit Machine(Bytes bytes) : reader_(bytes) {}

  void step() {
    if (values_.size() > 8) values_.erase(values_.begin(), values_.end() - 8);
    const auto& rows = callable_rows();
    const std::size_t chosen = static_cast<std::size_t>(reader_.byte()) * 256 + reader_.byte();
    const Row& row = *rows[chosen % rows.size()];
    Json arguments = Json::array();
    for (const Parameter& one : row.parameters) arguments.push_back(argument(row, one));
    for (const Tensor& next : call(row, {.arguments = arguments}, values_)) {
      require(next.size() >= 0 && next.ndim() <= Shape::max_rank, "a tensor has a size");
      results_.push_back(next);
    }
    values_.insert(values_.end(), results_.begin(), results_.end());
    results_.clear();
  }
  bool is_done() const { return reader_.empty(); }

 private:
  Json argument(const Row& row, const Parameter& one) {
    if (one.by_default && reader_.below(2) == 0) return *one.by_default;
    if (row.count == one.name) return reader_.below(100) - 2;  // number of resulting tensors
    if (one.type == "Tensor" || one.type == "Scalar") return tensor();
    if (one.type == "Tensor[]") return list([&] { return tensor(); });
    if (one.type == "Index[]") return list([&] { return entry(); });
    if (one.type == "Key") return reader_.below(2) == 0 ? Json(number()) : tensor();
    if (one.type == "boolean") return reader_.below(2) == 0;
    if (one.type == "DType") return dtype_table[static_cast<std::size_t>(reader_.below(6))].name;
    if (one.type == "string" || one.type.starts_with('\'')) return word();
    const int form = one.type == "number" ? 0 : reader_.below(3);
    if (form == 0 && one.type != "number[]") return number();
    if (form == 1 && one.type.find("[][]") != std::string::npos) {
      return list([&] { return list([&] { return number(); }); });
    }
    return list([&] { return number(); });
  }
  template <class F>
  Json list(F make) {
    Json all = Json::array();
    for (int k = reader_.below(5); k > 0; --k) all.push_back(make());
    return all;
  }
  Json tensor() {
    if (values_.empty() || reader_.below(8) == 0) return number();
    return {{"tensor", reader_.below(static_cast<int>(values_.size()))}};
  }
  Json entry() {
    switch (reader_.below(5)) {
      case 0: return nullptr;
      case 1: return "...";
      case 3: return {{"start", tensor()}, {"size", number()}};
      case 2: return {{"start", number()}, {"stop", number()}, {"step", number()}};
      default: return number();
    }
  }
  /// The words that functions accept, including einsum's letters.
  Json word() {
    constexpr const char* words[] = {"none",      "tanh",    "mean",      "sum",   "edge",
                                     "wrap",      "reflect", "symmetric", "xy",    "ij",
                                     "ij,jk->ik", "ij->",    "...i,i",    "iji->j"};
    return words[reader_.below(static_cast<int>(std::size(words)))];
  }
  std::int64_t number() { return reader_.number(); }

  Reader reader_;
  std::vector<Tensor> values_, results_;
};

}  // namespace

void run(Bytes bytes) {
  Machine machine(bytes);
  for (int steps = 0; steps < 40 && !machine.is_done(); ++steps) {
    allow_errors([&] { machine.step(); });
  }
}

}  // namespace trigon::fuzz

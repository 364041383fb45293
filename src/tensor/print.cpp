// SPDX-License-Identifier: MIT
#include "tensor/print.hpp"

#include <array>
#include <mutex>
#include <ostream>
#include <utility>
#include <vector>

#include "core/called.hpp"
#include "graph/named.hpp"
#include "tensor/print_number.hpp"
#include "trigon/index.hpp"
#include "trigon/join.hpp"

namespace trigon {
namespace {

/// The layout of NumPy's _formatArray with separator " " and prefix "".
class ArrayText {
 public:
  ArrayText(const detail::tensor::PrintedArray& array, const PrintOptions& options)
      : array_(array),
        options_(options),
        format_(detail::tensor::number_format(array.values, array.dtype, options)) {}

  /// The text of the axes from `axis` on, starting at the next element; each line starts with
  /// `indent`.
  std::string axes(int axis, const std::string& indent, int width) {
    const bool last = axis + 1 == array_.shape.rank();
    const std::int64_t size = array_.shape[axis];
    const bool cut = array_.summarise && 2 * options_.edgeitems < size;
    const std::int64_t leading = cut ? options_.edgeitems : 0;
    const std::int64_t shown = cut ? 2 * options_.edgeitems : size;
    const std::string text = last ? row(indent, width, leading, shown, cut)
                                  : rows(axis, indent, width, leading, shown, cut);
    return "[" + text.substr(indent.size()) + "]";
  }

 private:
  std::string row(const std::string& indent, int width, std::int64_t leading, std::int64_t shown,
                  bool cut) {
    std::string text;
    std::string line = indent;
    const auto extend = [&](const std::string& word) {
      const bool wrap =
          static_cast<int>(line.size() + word.size()) > width - 1 && line.size() > indent.size();
      if (wrap) {
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
        line = indent;
      }
      line += word;
    };
    for (std::int64_t k = 0; k < shown; ++k) {
      if (cut && k == leading) {
        extend("...");
        line += ' ';
      }
      extend(format_(array_.values[next_++]));
      if (k + 1 < shown) line += ' ';
    }
    // Without edge items only the dots are left.
    if (cut && shown == 0) extend("...");
    return text + line;
  }

  std::string rows(int axis, const std::string& indent, int width, std::int64_t leading,
                   std::int64_t shown, bool cut) {
    const auto gap = static_cast<std::size_t>(array_.shape.rank() - axis - 1);
    const std::string end(gap, '\n');
    std::string text;
    for (std::int64_t k = 0; k < shown; ++k) {
      if (cut && k == leading) text.append(indent).append("...").append(end);
      text.append(indent).append(axes(axis + 1, indent + " ", width - 1));
      if (k + 1 < shown) text += end;
    }
    if (cut && shown == 0) text.append(indent).append("...");
    return text;
  }

  const detail::tensor::PrintedArray& array_;
  const PrintOptions& options_;
  detail::tensor::NumberFormat format_;
  std::size_t next_ = 0;
};

/// The first and last elements along each axis that a summary cuts.
Tensor edges_of(Tensor x, std::int64_t edgeitems) {
  for (int axis = 0; axis < x.ndim(); ++axis) {
    if (x.shape()[axis] <= 2 * edgeitems) continue;
    std::vector<Index> first(static_cast<std::size_t>(axis), Index(Slice{}));
    std::vector<Index> last = first;
    first.emplace_back(Slice{0, edgeitems});
    last.emplace_back(Slice{x.shape()[axis] - edgeitems, x.shape()[axis]});
    x = concatenate({index(x, first), index(x, last)}, axis);
  }
  return x;
}

struct Options {
  std::mutex mutex;
  PrintOptions value;
};

Options& the_options() {
  static Options options;
  return options;
}

void check(const PrintOptions& options) {
  const std::array<std::pair<const char*, std::int64_t>, 4> counts = {
      {{"precision", options.precision},
       {"threshold", options.threshold},
       {"edgeitems", options.edgeitems},
       {"linewidth", options.linewidth}}};
  for (const auto& [name, value] : counts) {
    if (value >= 0) continue;
    core::fail_in("PrintOptions", "negative {0}: {0} is {1}; must be 0 or more", name, value);
  }
}

}  // namespace

bool detail::tensor::is_summarised(const Shape& shape, const PrintOptions& options) {
  return shape.numel() > options.threshold;
}

std::string detail::tensor::array_text(const detail::tensor::PrintedArray& array,
                                       const PrintOptions& options) {
  if (array.shape.numel() == 0) return "[]";
  if (array.shape.rank() == 0) return detail::tensor::scalar_text(array.values[0], array.dtype);
  return ArrayText(array, options).axes(0, " ", options.linewidth);
}

std::string detail::text_of(const Tensor& x, const PrintOptions& options) {
  {
    const graph::Named named("to_string");
    graph::check_operand("x", x);
    static_cast<void>(x.size());  // raises Error from 2^63 on
  }
  check(options);
  detail::tensor::PrintedArray array{.shape = x.shape(),
                                     .dtype = x.dtype(),
                                     .summarise = detail::tensor::is_summarised(x.shape(), options),
                                     .values = {}};
  const Tensor shown = array.summarise ? edges_of(x.eval(), options.edgeitems) : x;
  std::vector<double> values;
  if (x.dtype() == boolean) {
    const std::vector<bool> read = shown.to_vector<bool>();
    values.assign(read.begin(), read.end());
  } else if (shown.size() > 0) {
    values = shown.to_vector<double>();
  }
  array.values = values;
  return detail::tensor::array_text(array, options);
}

void set_print_options(const PrintOptions& options) {
  check(options);
  Options& own = the_options();
  const std::lock_guard lock(own.mutex);
  own.value = options;
}

PrintOptions print_options() {
  Options& own = the_options();
  const std::lock_guard lock(own.mutex);
  return own.value;
}

std::string to_string(DType dtype) { return std::string(name(dtype)); }

std::ostream& operator<<(std::ostream& stream, const Tensor& x) { return stream << to_string(x); }
std::ostream& detail::print(std::ostream& stream, const Shape& shape) {
  return stream << to_string(shape);
}
std::ostream& operator<<(std::ostream& stream, DType dtype) { return stream << name(dtype); }

}  // namespace trigon

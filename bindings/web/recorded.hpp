// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <trigon/tensor.hpp>

#include "table.hpp"

// Functions that a page has recorded. A page runs a function once, on handles; its calls travel
// here as one body, which is replayed wherever the library calls the function.

namespace web {

using Leaves = std::vector<trigon::Tensor>;

class Source;

/// What `compile`, `vjp` or a kernel's constructor has made, and a page calls by its number.
using Callable = std::function<Leaves(Source& source, const Json& arguments)>;

/// A result of a call.
using Value = std::variant<trigon::Tensor, std::shared_ptr<const Callable>>;

inline Value callable(Callable call) { return std::make_shared<const Callable>(std::move(call)); }

/// Tensors and functions by number.
class Source : public trigon::detail::table::TensorSource {
 public:
  /// Raises Error for an unknown number.
  virtual Value value(std::int64_t id) const = 0;
  trigon::Tensor get(std::int64_t id) const override;
  /// Raises Error if it is no function.
  std::shared_ptr<const Callable> function(std::int64_t id) const;
  /// The tensor, whose value is kept once it is computed.
  virtual trigon::Tensor keep(std::int64_t id) { return get(id); }
  /// The tensor, for a reader that may overwrite it.
  virtual trigon::Tensor take(std::int64_t id) { return get(id); }
};

/// Raised in place of the exception of a failed call.
struct Failure {
  std::string name;  ///< "DeviceError", or "" for an Error
  std::string text;
  std::int64_t origin = 0;  ///< the first result of the call that failed; 0 if there is none
};

/// The current exception as a failure. Call it in a handler.
Failure current_failure();

/// A function of tensors that a page has recorded.
///
/// Its body is JSON: {"parameters": [numbers], "captures": [numbers], "calls": [calls], "results":
/// [numbers]}. A call is {"name", "args", "out"} as in a request; with "function", a number, in
/// place of "name" it is a call of that function. A result of null is an empty handle.
class Recorded {
 public:
  /// Takes the captures from `outer`. Raises Error for a body of another form.
  Recorded(const Json& body, Source& outer);
  /// Replays the calls. Raises a Failure, whose origin is the call that failed.
  Leaves operator()(const Leaves& arguments) const;

 private:
  struct Body;
  std::shared_ptr<const Body> body_;
};

/// The results of a call, of which there are `count`. Raises Error for an unknown name, a wrong
/// count, and as the function does.
std::vector<Value> perform(Source& source, const Json& call, std::size_t count);

/// A function that takes or makes functions: results from the arguments of a call.
using Transform = std::function<std::vector<Value>(Source& source, const Json& arguments)>;

// These are in kernels.cpp; all others are in transforms.cpp.
std::vector<Value> elementwise_kernel(Source& source, const Json& arguments);
std::vector<Value> reduction_kernel(Source& source, const Json& arguments);
std::vector<Value> kernel(Source& source, const Json& arguments);

const std::map<std::string, Transform, std::less<>>& transforms();

}  // namespace web

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graph/node.hpp"

// A function that is being traced: the Scalars that depend on its arguments, and the checks for
// each change of them. A trace belongs to the thread that runs the function.

namespace trigon::detail::graph {

/// A step in computing a trace's Scalars from its arguments. `a` and `b` are the numbers of earlier
/// steps.
struct ScalarStep {
  enum class Code : std::uint8_t {
    argument,
    number,
    add,
    subtract,
    multiply,
    divide,
    minimum,
    maximum
  };

  Code code;
  DType dtype;
  std::int32_t a = -1;  ///< arguments: its number
  std::int32_t b = -1;
  double value = 0;  ///< numbers: its value
};

/// The text of an Error about a whole number.
using Message = std::function<std::string(std::int64_t value)>;

/// Runs at each evaluation: the Scalar of step `scalar` must lie in [low, high].
struct RangeCheck {
  std::int32_t scalar;
  std::int64_t low, high;
  const char* function;  ///< that the user called
  Message message;       ///< of the Error otherwise

  void run(std::int64_t value) const;
};

struct ScalarProgram {
  std::vector<ScalarStep> steps;
  std::vector<RangeCheck> checks;

  /// The value of each step. Raises Error when a check fails or an integer overflows int32.
  std::vector<double> run(std::span<const double> arguments) const;
};

/// Exists while a function is traced on this thread.
class Trace {
 public:
  Trace();
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  /// Call when the function has returned.
  void stop();

  /// This thread's trace, or null.
  static Trace* current();

  std::uint64_t id() const { return id_; }
  /// Nodes with a smaller id are older than the trace.
  std::uint64_t first_id() const { return first_id_; }
  const ScalarProgram& program() const { return program_; }

  /// Argument number `argument`: a Scalar that is `value` in this call.
  NodePtr add_argument(std::int32_t argument, double value, DType dtype);
  /// The step of a Scalar; one that does not depend on the arguments becomes a number.
  std::int32_t step_of(const Node& scalar);
  /// A Scalar computed by `step`, which is `value` in this call.
  NodePtr add_step(const ScalarStep& step, double value);
  void add_check(RangeCheck check) { program_.checks.push_back(std::move(check)); }

 private:
  std::uint64_t id_;
  std::uint64_t first_id_;
  ScalarProgram program_;
};

/// Whether the scalar node changes from call to call of the function that is traced here.
bool depends_on_arguments(const Node& scalar);

/// The result of an operation on two numbers, rounded to `dtype`. Raises Error outside the range of
/// int32.
double compute(ScalarStep::Code code, DType dtype, double a, double b);

/// Raises Error with `message` if the whole number `scalar` is outside [low, high]: now and at each
/// later call of a traced function. The error names the present call.
void check_range(const Node& scalar, std::int64_t low, std::int64_t high, Message message);

/// Raises Error if this thread is tracing a function and one of the nodes has no value yet.
void refuse_while_tracing(std::span<const NodePtr> nodes);

/// Exists while the body of a loop is called on this thread.
class InBody {
 public:
  explicit InBody(LoopKind kind);
  ~InBody();
  InBody(const InBody&) = delete;
  InBody& operator=(const InBody&) = delete;

  /// The kind of the innermost loop, if any.
  static std::optional<LoopKind> kind();

 private:
  std::optional<LoopKind> outer_;
};

/// Compiled functions called on this thread while one of these exists run as plain functions.
class Inlining {
 public:
  Inlining();
  ~Inlining();
  Inlining(const Inlining&) = delete;
  Inlining& operator=(const Inlining&) = delete;

  static bool active();
};

}  // namespace trigon::detail::graph

// SPDX-License-Identifier: MIT
#include "trigon/compile.hpp"

#include <algorithm>
#include <list>
#include <mutex>
#include <new>
#include <optional>
#include <unordered_map>
#include <utility>

#include "core/called.hpp"
#include "core/internals.hpp"
#include "core/item.hpp"
#include "core/list.hpp"
#include "core/pointer_map.hpp"
#include "graph/build.hpp"
#include "graph/collect.hpp"
#include "pipeline/eval.hpp"
#include "pipeline/traced.hpp"
#include "pipeline/values.hpp"
#include "run/device_state.hpp"
#include "transform/index_checks.hpp"
#include "trigon/create.hpp"
#include "trigon/detail/memory.hpp"
#include "trigon/error.hpp"
#include "trigon/index.hpp"

namespace trigon::detail {
namespace pipeline {
namespace {

using graph::NodePtr;
using run::DeviceState;
using Key = std::vector<std::uint64_t>;

constexpr std::size_t most_traces = 64;

/// The arguments of a call.
struct Arguments {
  std::vector<Tensor> tensors;
  std::vector<double> scalars;
  Key words;  ///< structure, numbers, dtypes of scalars
  /// Whether none belongs to a device, since all are made only of numbers. The call then runs on
  /// the device of the values that f captured.
  bool are_free = false;
  // Set once they are evaluated:
  std::vector<StoragePtr> storages;  ///< null: no elements
  std::vector<bool> owned;
  Key key;  ///< identifies the kind of call
};

/// TRIGON_CHECK=1: finds indices out of range before a call.
struct TracedChecks {
  Traced traced;  ///< its roots: whether any index is wrong, then `wrong` of each check
  std::vector<transform::IndexCheck> checks;  ///< without their tensors
  std::vector<std::pair<DType, Shape>> types;
};

struct CompiledTrace {
  /// A result: root `index`, or the argument `index`.
  struct Result {
    bool is_argument;
    std::size_t index;
  };
  /// The type of a root's tensor.
  struct Root {
    DType dtype;
    Shape shape;
  };
  struct Number {
    std::int32_t step;  ///< of the program; -1: `value`
    double value;
    DType dtype;
  };
  std::shared_ptr<DeviceState> device;  ///< kept alive so that no other device gets its address
  Traced traced;
  std::optional<TracedChecks> checks;
  std::vector<Result> results;
  std::vector<Root> roots;
  std::vector<Number> numbers;
  std::shared_ptr<const void> like;  ///< the result's tree, with arbitrary tensors
};

Tensor leaf(const std::shared_ptr<DeviceState>& device, DType dtype, const Shape& shape,
            StoragePtr storage) {
  if (storage == nullptr) return zeros(shape, dtype);
  const auto node = std::make_shared<graph::Node>(graph::Kind::leaf, dtype, shape);
  node->device = device;
  node->storage = std::move(storage);
  return Internals::tensor(node);
}

bool has_elements(const Tensor& x) {
  const core::Called called("compile");
  return x.shape().numel() > 0;  // raises Error from 2^63 on
}

/// Whether a tensor has its value on the device. A value made only of numbers moves to the device
/// that reads it.
bool is_ready(const DeviceState& device, const Tensor& x) {
  const StoragePtr& storage = Internals::node(x)->storage;
  if (storage != nullptr) return &storage->device() == &device;
  return !has_elements(x);
}

std::vector<NodePtr> without_value(const DeviceState& device, const Arguments& arguments) {
  std::vector<NodePtr> nodes;
  for (const Tensor& x : arguments.tensors) {
    if (!is_ready(device, x)) nodes.push_back(Internals::node(x));
  }
  return nodes;
}

std::shared_ptr<DeviceState> device_of_all(const std::vector<NodePtr>& nodes) {
  const core::Called called("compile");
  return device_of(nodes);
}

/// The arguments' device. Free arguments may later move to another one.
std::shared_ptr<DeviceState> device_of_arguments(Arguments& arguments) {
  std::vector<NodePtr> nodes;
  nodes.reserve(arguments.tensors.size());
  for (const Tensor& x : arguments.tensors) nodes.push_back(Internals::node(x));
  arguments.are_free = std::none_of(nodes.begin(), nodes.end(),
                                    [](const NodePtr& node) { return node->device != nullptr; });
  return device_of_all(nodes);
}

void append_shape(Key& key, const graph::Node& node, bool owned) {
  key.push_back(static_cast<std::uint64_t>(node.dtype) | static_cast<std::uint64_t>(owned) << 8 |
                static_cast<std::uint64_t>(node.shape.rank()) << 16);
  for (std::int64_t dim : node.shape) key.push_back(static_cast<std::uint64_t>(dim));
}

/// Notes shape, dtype, layout, aliasing and ownership of each argument. All have values by then.
void fill_key(const DeviceState& device, Arguments& arguments) {
  const std::size_t count = arguments.tensors.size();
  core::PointerMap first;  // the first argument with a texture
  Key& key = arguments.key;
  key.reserve(arguments.words.size() + 1 + 16 * count);
  key = arguments.words;
  key.push_back(reinterpret_cast<std::uintptr_t>(&device));
  arguments.owned.clear();
  arguments.owned.reserve(count);
  arguments.storages.clear();
  arguments.storages.reserve(count);
  for (std::size_t k = 0; k < count; ++k) {
    const graph::Node& node = *Internals::node(arguments.tensors[k]);
    const StoragePtr& storage = node.storage;
    // An observer counts, too, since it may look at the value after the call.
    const bool owned = node.handles.load() == 1 && node.references() == 1 &&
                       storage.use_count() == 1 && storage->owns_texture();
    append_shape(key, node, owned);
    if (storage != nullptr) {
      graph::append_layout(key, storage->layout());
      first.insert(&storage->texture(), static_cast<std::int32_t>(k));
      key.push_back(static_cast<std::uint64_t>(first.find(&storage->texture())));
    }
    arguments.owned.push_back(owned);
    arguments.storages.push_back(storage);
  }
}

/// Evaluates arguments without a value on the device, and fills the key.
void evaluate_arguments(DeviceState& device, Arguments& arguments) {
  for (;;) {
    std::vector<NodePtr> open;
    {
      const DeviceState::Lock lock(device);
      const auto values = lock_values();
      open = without_value(device, arguments);
      if (open.empty()) return fill_key(device, arguments);
    }
    // Without the lock: values may have to come from another device, which then needs its lock.
    evaluate(device, open);
  }
}

/// The key under which free arguments find the device of their last trace.
Key key_of_home(const Arguments& arguments) {
  Key key = arguments.words;
  key.push_back(0);  // in place of other keys' device
  for (const Tensor& x : arguments.tensors) append_shape(key, *Internals::node(x), false);
  return key;
}

/// The placeholders of a trace, which replace the arguments.
struct Placeholders {
  std::vector<NodePtr> nodes;

  Placeholders(const tree::Parts& parts, const Arguments& arguments,
               const std::shared_ptr<DeviceState>& device, graph::Trace& trace) {
    for (std::size_t k = 0; k < parts.tensors.size(); ++k) {
      const Tensor& x = arguments.tensors[k];
      if (has_elements(x)) {
        auto node = std::make_shared<graph::Node>(graph::Kind::leaf, x.dtype(), x.shape());
        if (!arguments.are_free) node->device = device;
        nodes.push_back(std::move(node));
      } else {
        nodes.push_back(Internals::node(zeros(x.shape(), x.dtype())));
      }
      *parts.tensors[k] = Internals::tensor(nodes.back());
    }
    for (std::size_t k = 0; k < parts.scalars.size(); ++k) {
      const Scalar& scalar = *parts.scalars[k];
      *parts.scalars[k] = Internals::scalar(trace.add_argument(
          static_cast<std::int32_t>(k), scalar.value(), scalar.tensor().dtype()));
    }
  }
};

/// Separates results into arguments and roots, and lists each root once.
std::vector<NodePtr> sort_results(CompiledTrace& made, const tree::Parts& results,
                                  const Placeholders& placeholders) {
  std::unordered_map<const graph::Node*, std::size_t> argument_of, root_of;
  for (std::size_t k = 0; k < placeholders.nodes.size(); ++k) {
    argument_of.emplace(placeholders.nodes[k].get(), k);
  }
  std::vector<NodePtr> roots;
  for (Tensor* result : results.tensors) {
    const NodePtr node = Internals::node(*result);
    if (const auto found = argument_of.find(node.get()); found != argument_of.end()) {
      made.results.push_back({true, found->second});
      continue;
    }
    const auto [place, is_new] = root_of.emplace(node.get(), roots.size());
    made.results.push_back({false, place->second});
    if (!is_new) continue;
    roots.push_back(node);
    made.roots.push_back({node->dtype, node->shape});
  }
  return roots;
}

/// The checks of f's results, if there are any. Afterwards the graph no longer contains them.
std::optional<TracedChecks> trace_checks(DeviceState& device, std::span<const NodePtr> roots,
                                         std::vector<TracedArgument> leaves,
                                         const graph::Trace& recording) {
  if (!device.target().check) return std::nullopt;
  TracedChecks made{.traced = {}, .checks = transform::index_checks(roots), .types = {}};
  if (made.checks.empty()) return std::nullopt;
  for (TracedArgument& leaf : leaves) leaf.is_owned = false;  // the call itself needs it
  std::vector<NodePtr> nodes{Internals::node(transform::any_wrong(made.checks))};
  for (transform::IndexCheck& check : made.checks) {
    made.types.emplace_back(check.wrong.dtype(), check.wrong.shape());
    nodes.push_back(Internals::node(check.wrong));
    check.wrong = Tensor();
  }
  made.traced = make_traced(device, nodes, leaves, recording);
  return made;
}

/// Traces f. The arguments are on the device; free ones move to the device of the captured values.
std::shared_ptr<const CompiledTrace> trace(const std::shared_ptr<DeviceState>& device,
                                           const tree::Parts& parts, Arguments& arguments,
                                           const TraceCache::Function& f) {
  auto made = std::make_shared<CompiledTrace>();
  TraceCache::Result returned;
  const tree::Parts& results = returned.parts;
  std::vector<NodePtr> roots;
  std::vector<TracedArgument> leaves;
  graph::Trace recording;
  {
    Placeholders placeholders(parts, arguments, device, recording);
    returned = f();
    roots = sort_results(*made, results, placeholders);
    for (Scalar* scalar : results.scalars) {
      const graph::Node& node = *Internals::node(scalar->tensor());
      const bool depends = graph::depends_on_arguments(node);
      made->numbers.push_back({depends ? node.trace_step : -1, node.value, node.dtype});
    }
    recording.stop();
    const bool is_anywhere = std::none_of(
        roots.begin(), roots.end(), [](const NodePtr& root) { return root->device != nullptr; });
    made->device = is_anywhere ? device : device_of_all(roots);
    if (made->device != device) evaluate_arguments(*made->device, arguments);
    for (std::size_t k = 0; k < placeholders.nodes.size(); ++k) {
      // A placeholder that f leaked has the value of this call.
      placeholders.nodes[k]->storage = arguments.storages[k];
      leaves.push_back({placeholders.nodes[k].get(), arguments.owned[k]});
    }
  }
  // Until the plan is made, the tree keeps a tensor in each root's place, and the arguments among
  // the results, which must not be overwritten.
  for (std::size_t k = 0; k < results.tensors.size(); ++k) {
    if (!made->results[k].is_argument) *results.tensors[k] = Tensor(0);
  }
  made->checks = trace_checks(*made->device, roots, leaves, recording);
  made->traced = make_traced(*made->device, roots, leaves, recording);
  // Releases the graph.
  for (Tensor* result : results.tensors) *result = Tensor(0);
  for (Scalar* scalar : results.scalars) *scalar = Scalar(0);
  made->like = std::move(returned.tree);
  return made;
}

/// Empties the pool for the next call, and raises Error that names the largest result.
[[noreturn]] void refuse_call(const CompiledTrace& known) {
  const auto by_size = [](const CompiledTrace::Root& a, const CompiledTrace::Root& b) {
    return a.shape.numel() < b.shape.numel();
  };
  const auto& [dtype, shape] = *std::max_element(known.roots.begin(), known.roots.end(), by_size);
  const Wanted wanted{.dtype = dtype, .shape = shape, .device = known.device.get()};
  const core::Called called("compile");
  empty_pool(wanted);
  refuse_memory(wanted);
}

/// Raises Error for an index out of range. Needs an Entry.
void run_checks(const CompiledTrace& known, const std::vector<StoragePtr>& arguments,
                std::span<const double> steps) {
  if (!known.checks) return;
  const auto& [traced, checks, types] = *known.checks;
  std::vector<StoragePtr> storages = run_traced(*known.device, traced, arguments, steps);
  if (!leaf(known.device, boolean, {}, std::move(storages[0])).item<bool>()) return;
  for (std::size_t k = 0; k < checks.size(); ++k) {
    transform::IndexCheck check = checks[k];
    check.wrong = leaf(known.device, types[k].first, types[k].second, std::move(storages[k + 1]));
    transform::refuse_wrong(check);
  }
}

CallResult run_trace(const CompiledTrace& known, Arguments arguments) {
  const std::vector<double> steps = known.traced.program.run(arguments.scalars);
  CallResult call{.like = known.like, .tensors = {}, .scalars = {}};
  call.tensors.resize(known.results.size());
  for (std::size_t k = 0; k < known.results.size(); ++k) {
    const auto& [is_argument, index] = known.results[k];
    if (is_argument) call.tensors[k] = arguments.tensors[index];
  }
  arguments.tensors.clear();
  const DeviceState::Entry entry(*known.device);
  std::vector<StoragePtr> storages;
  try {
    run_checks(known, arguments.storages, steps);
    storages = run_traced(*known.device, known.traced, std::move(arguments.storages), steps);
  } catch (const std::bad_alloc&) {
    // Arguments that were handed over may be lost, so the call cannot be repeated.
    if (known.roots.empty()) throw;
    refuse_call(known);
  }
  std::vector<Tensor> roots;
  for (std::size_t k = 0; k < storages.size(); ++k) {
    const auto& [dtype, shape] = known.roots[k];
    roots.push_back(leaf(known.device, dtype, shape, std::move(storages[k])));
  }
  for (std::size_t k = 0; k < known.results.size(); ++k) {
    const auto& [is_argument, index] = known.results[k];
    if (!is_argument) call.tensors[k] = roots[index];
  }
  for (const auto& [step, value, dtype] : known.numbers) {
    const double number = step < 0 ? value : item(steps, step);
    call.scalars.push_back(Internals::scalar(graph::scalar(number, dtype)));
  }
  return call;
}

}  // namespace
}  // namespace pipeline

bool is_inlined() { return graph::Inlining::active(); }

struct TraceCache::State {
  struct Entry {
    pipeline::Key key;
    std::shared_ptr<const pipeline::CompiledTrace> trace;
  };
  std::mutex mutex;
  std::list<Entry> entries;  ///< the most recently used first

  std::shared_ptr<const pipeline::CompiledTrace> find(const pipeline::Key& key) {
    const std::lock_guard lock(mutex);
    for (auto at = entries.begin(); at != entries.end(); ++at) {
      if (at->key != key) continue;
      entries.splice(entries.begin(), entries, at);
      return at->trace;
    }
    return nullptr;
  }

  void add(pipeline::Key key, std::shared_ptr<const pipeline::CompiledTrace> trace) {
    std::list<Entry> dropped;  // destroyed after the lock is released
    const std::lock_guard lock(mutex);
    entries.push_front({std::move(key), std::move(trace)});
    if (entries.size() > pipeline::most_traces) {
      dropped.splice(dropped.begin(), entries, std::prev(entries.end()));
    }
  }
};

TraceCache::TraceCache() : state_(std::make_unique<State>()) {}
TraceCache::~TraceCache() = default;

CallResult TraceCache::call(tree::Parts& parts, const Function& f) {
  pipeline::Arguments arguments;
  arguments.words = std::move(parts.structure);
  core::append(arguments.words, parts.numbers);
  arguments.tensors.reserve(parts.tensors.size());
  for (Tensor* x : parts.tensors) arguments.tensors.push_back(std::move(*x));
  for (Scalar* x : parts.scalars) {
    arguments.scalars.push_back(x->value());
    arguments.words.push_back(static_cast<std::uint64_t>(x->tensor().dtype()));
  }
  auto device = device_of_arguments(arguments);
  pipeline::Key home;
  if (arguments.are_free) {
    home = key_of_home(arguments);
    if (const auto last = state_->find(home)) device = last->device;
  }
  evaluate_arguments(*device, arguments);
  auto known = state_->find(arguments.key);
  if (known == nullptr) {
    known = trace(device, parts, arguments, f);
    if (known->device != device) state_->add(std::move(home), known);
    state_->add(arguments.key, known);
  }
  return run_trace(*known, std::move(arguments));
}

}  // namespace trigon::detail

// SPDX-License-Identifier: MIT
#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "core/called.hpp"
#include "graph/build.hpp"
#include "graph/named.hpp"
#include "trigon/custom_vjp.hpp"

namespace trigon::detail::differentiated {
namespace {

/// The gradients that a rule found, without those of integers, which have none.
Leaves checked(Leaves found, std::span<const Tensor> arguments) {
  if (found.size() != arguments.size()) {
    core::fail_in("custom_vjp", "wrong number of gradients: {}; must be {}, one for each leaf",
                  found.size(), arguments.size());
  }
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    if (!found[k].has_value()) continue;
    if (!is_float(arguments[k].dtype())) {
      found[k] = Tensor();
      continue;
    }
    if (found[k].shape() == arguments[k].shape()) continue;
    core::fail_in("custom_vjp",
                  "wrong shape of gradient {}: {}; must be that of its leaf of the arguments, {}",
                  k, to_string(found[k].shape()), to_string(arguments[k].shape()));
  }
  return found;
}

}  // namespace

Leaves with_rule(const Leaves& values, const Leaves& arguments, LeafRule rule) {
  const core::Called called("custom_vjp");
  auto rules = std::make_shared<graph::CallRules>(graph::CallRules{.name = "custom_vjp"});
  rules->vjp = [rule = std::move(rule)](std::span<const Tensor> g, std::span<const Tensor> x,
                                        std::span<const Tensor> y) {
    const graph::UserCode scope;
    return checked(rule({g.begin(), g.end()}, {x.begin(), x.end()}, {y.begin(), y.end()}), x);
  };
  return graph::call(std::move(rules), values, arguments);
}

}  // namespace trigon::detail::differentiated

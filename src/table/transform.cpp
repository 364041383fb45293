// SPDX-License-Identifier: MIT
#include "table/chapters.hpp"

namespace trigon::detail::table {
namespace {

[[maybe_unused]] constexpr const char* code = "the page has its own, which records functions";

[[maybe_unused]] constexpr const char* composed = "jvp, vjp and vmap give it";

}  // namespace

std::vector<Row> rows_of_transform() {
  return {
#ifndef TRIGON_TABLE_OF_CALLS
      no_call("grad(f, x=null, more=null)", TRIGON_FACTS(.like = "jax.grad", .left_out = code)),
      no_call("value_and_grad(f, x=null, more=null)",
              TRIGON_FACTS(.like = "jax.value_and_grad", .left_out = code)),
      no_call("vjp(f, x, more=null)", TRIGON_FACTS(.like = "jax.vjp", .left_out = code)),
      no_call("custom_vjp(f, rule)", TRIGON_FACTS(.like = "jax.custom_vjp", .left_out = code)),
      no_call("jvp(f, x, dx)", TRIGON_FACTS(.like = "jax.jvp", .left_out = code)),
      no_call("linearize(f, x)", TRIGON_FACTS(.like = "jax.linearize", .left_out = composed)),
      no_call("jacfwd(f)", TRIGON_FACTS(.like = "jax.jacfwd", .left_out = composed)),
      no_call("jacrev(f)", TRIGON_FACTS(.like = "jax.jacrev", .left_out = composed)),
      no_call("hessian(f)", TRIGON_FACTS(.like = "jax.hessian", .left_out = composed)),
      no_call("custom_jvp(f, rule)",
              TRIGON_FACTS(.like = "jax.custom_jvp",
                           .left_out = "custom_vjp gives a function both derivatives")),
      no_call("vmap(f, in_axes=null, out_axes=null)",
              TRIGON_FACTS(.like = "jax.vmap", .left_out = code)),
      no_call("checkpoint(f)", TRIGON_FACTS(.like = "jax.checkpoint", .left_out = code)),
      no_call("compile(f)", TRIGON_FACTS(.like = "jax.jit", .left_out = code)),
      no_call("fori_loop(lower, upper, body, init, options=null)",
              TRIGON_FACTS(.like = "jax.lax.fori_loop", .left_out = code)),
      no_call("while_loop(condition, body, init, max_iterations=null, options=null)",
              TRIGON_FACTS(.like = "jax.lax.while_loop", .left_out = code)),
      no_call("scan(f, init, xs, options=null)",
              TRIGON_FACTS(.like = "jax.lax.scan", .left_out = code)),
      no_call("cond(predicate, yes, no, args=null)",
              TRIGON_FACTS(.like = "jax.lax.cond", .left_out = code)),
      no_call("tree_map(f, tree, more=null)",
              TRIGON_FACTS(.like = "jax.tree.map", .left_out = code)),
      no_call("tree_leaves(tree)", TRIGON_FACTS(.like = "jax.tree.leaves", .left_out = code)),
      no_call("tree_unflatten(like, leaves)",
              TRIGON_FACTS(.like = "jax.tree.unflatten", .left_out = code)),
#endif
      row(
          "stop_gradient(x)", [](T x) { return trigon::stop_gradient(x); },
          TRIGON_FACTS(.like = "jax.lax.stop_gradient", .examples = {"f(2,3)"})),
  };
}

}  // namespace trigon::detail::table

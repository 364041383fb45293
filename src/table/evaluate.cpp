// SPDX-License-Identifier: MIT
#include "table/chapters.hpp"

namespace trigon::detail::table {
namespace {

[[maybe_unused]] constexpr const char* own =
    "the page has its own: eval(), data(), item(), shape(), dtype(), explain()";

}  // namespace

std::vector<Row> rows_of_evaluate() {
  return {
      no_call("eval(roots)", TRIGON_FACTS(.like = "jax.block_until_ready", .left_out = own)),
      no_call("explain(roots)", TRIGON_FACTS(.left_out = own)),
      no_call("cost(roots)", TRIGON_FACTS(.left_out = own)),
      no_call("counters(device=null)", TRIGON_FACTS(.left_out = own)),
      no_call("to_string(x, options=null)",
              TRIGON_FACTS(.like = "np.array2string", .left_out = own)),
      no_call("set_print_options(options)",
              TRIGON_FACTS(.like = "np.set_printoptions", .left_out = own)),
      no_call("print_options()", TRIGON_FACTS(.like = "np.get_printoptions", .left_out = own)),
      no_call("from_host(values, dtype, shape, device=null)", TRIGON_FACTS(.left_out = own)),
      no_call("to_tensor(value)", TRIGON_FACTS(.left_out = host)),
      no_call("to_vectors(x)", TRIGON_FACTS(.left_out = host)),
      no_call("synchronize(device=null)",
              TRIGON_FACTS(.like = "torch.cuda.synchronize", .left_out = own)),
      no_call("list_devices()", TRIGON_FACTS(.like = "jax.devices", .left_out = host)),
      no_call("registry()", TRIGON_FACTS(.left_out = host)),
      no_call("find_op(name)", TRIGON_FACTS(.left_out = host)),
      no_call("op_of(id)", TRIGON_FACTS(.left_out = host)),
      no_call("reduce(op, x, axes=null, keepdims=false)", TRIGON_FACTS(.left_out = host)),
  };
}

}  // namespace trigon::detail::table

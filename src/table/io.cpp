// SPDX-License-Identifier: MIT
#include "table/chapters.hpp"

namespace trigon::detail::table {
namespace {

[[maybe_unused]] constexpr const char* files =
    "a page has no files; its load_npy and load_safetensors take addresses and bytes";

}  // namespace

std::vector<Row> rows_of_io() {
  return {
      no_call("load_npy(path, options=null)", TRIGON_FACTS(.like = "np.load", .left_out = files)),
      no_call("save_npy(path, x)", TRIGON_FACTS(.like = "np.save", .left_out = files)),
      no_call("save_safetensors(path, tensors)",
              TRIGON_FACTS(.like = "safetensors.numpy.save_file", .left_out = files)),
#ifdef TRIGON_TABLE_IMAGE
      no_call("load_png(path, options=null)",
              TRIGON_FACTS(.like = "imageio.imread", .left_out = files)),
      no_call("save_png(path, image)", TRIGON_FACTS(.like = "imageio.imwrite", .left_out = files)),
#endif
  };
}

}  // namespace trigon::detail::table

// SPDX-License-Identifier: MIT
#include "table/chapters.hpp"

#ifdef TRIGON_TABLE_IMAGE
#include <trigon/image.hpp>
#endif

namespace trigon::detail::table {

std::vector<Row> rows_of_image() {
#ifdef TRIGON_TABLE_IMAGE
  return {
      row(
          "cm::viridis(x)", [](T x) { return cm::viridis(x); },
          TRIGON_FACTS(.like = "matplotlib.cm.viridis", .examples = {"f(2,3)"},
                       .gradient = {{"x", 0, 1}})),
      row(
          "cm::magma(x)", [](T x) { return cm::magma(x); },
          TRIGON_FACTS(.like = "matplotlib.cm.magma", .examples = {"f(2,3)"},
                       .gradient = {{"x", 0, 1}})),
      row(
          "cm::coolwarm(x)", [](T x) { return cm::coolwarm(x); },
          TRIGON_FACTS(.like = "matplotlib.cm.coolwarm", .examples = {"f(2,3)"},
                       .gradient = {{"x", 0, 1}}, .kinks = "x is 0.5")),
      row(
          "cm::turbo(x)", [](T x) { return cm::turbo(x); },
          TRIGON_FACTS(.like = "matplotlib.cm.turbo", .examples = {"f(2,3)"},
                       .gradient = {{"x", 0, 1}})),
  };
#else
  return {};
#endif
}

}  // namespace trigon::detail::table

// SPDX-License-Identifier: MIT
#include "table/table.hpp"

#include "table/chapters.hpp"

namespace trigon::detail::table {

const std::vector<Chapter>& chapters() {
  static const std::vector<Chapter> all{
      {"Mathematical functions", rows_of_math()},
      {"Reductions", rows_of_reduce()},
      {"Creation", rows_of_create()},
      {"Shapes", rows_of_shape()},
      {"Joining and splitting", rows_of_join()},
      {"Indexing", rows_of_index()},
      {"Linear algebra", rows_of_linalg()},
      {"Logic", rows_of_logic()},
      {"Random numbers", rows_of_random()},
      {"Networks", rows_of_nn()},
      {"Images", rows_of_image()},
      {"Functions of functions", rows_of_transform()},
#ifndef TRIGON_TABLE_OF_CALLS
      {"Files", rows_of_io()},
      {"Evaluation and values", rows_of_evaluate()},
      {"Dtypes and shapes", rows_of_dtype()},
      {"Names of the array API", rows_of_alias()},
#endif
  };
  return all;
}

const std::vector<const Row*>& rows() {
  static const std::vector<const Row*> all = [] {
    std::vector<const Row*> list;
    for (const Chapter& chapter : chapters()) {
      for (const Row& one : chapter.rows) list.push_back(&one);
    }
    return list;
  }();
  return all;
}

}  // namespace trigon::detail::table

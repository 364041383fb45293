// SPDX-License-Identifier: MIT
#include "trigon/dtype.hpp"

namespace trigon {
namespace {

// Position in the order of promotion. float16 computes as float32, so both share the last place.
int promotion_rank(DType dtype) {
  switch (dtype) {
    case DType::boolean: return 0;
    case DType::uint8: return 1;
    case DType::uint32: return 2;
    case DType::int32: return 3;
    case DType::float16:
    case DType::float32: return 4;
  }
  return 4;
}

}  // namespace

std::string_view name(DType dtype) {
  switch (dtype) {
    case DType::float32: return "float32";
    case DType::float16: return "float16";
    case DType::int32: return "int32";
    case DType::uint32: return "uint32";
    case DType::uint8: return "uint8";
    case DType::boolean: return "bool";
  }
  return "invalid";
}

std::size_t size_of(DType dtype) {
  switch (dtype) {
    case DType::float32:
    case DType::int32:
    case DType::uint32: return 4;
    case DType::float16: return 2;
    case DType::uint8:
    case DType::boolean: return 1;
  }
  return 0;
}

DType promote(DType a, DType b) {
  const DType wider = promotion_rank(a) >= promotion_rank(b) ? a : b;
  return wider == DType::float16 ? DType::float32 : wider;
}

}  // namespace trigon

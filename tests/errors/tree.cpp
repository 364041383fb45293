// SPDX-License-Identifier: MIT
// Each CASE must fail to compile with the sentence beside it in tests/CMakeLists.txt.
#include <trigon/index.hpp>
#include <trigon/tree.hpp>

using trigon::Tensor;

struct Array {
  Tensor a[2];
};
struct Base {
  Tensor a;
};
struct Derived : Base {
  Tensor b;
};
struct Empty {};
struct TooMany {
  Tensor a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q;
};
struct Pointer {
  Tensor* a;
};
struct Selected {
  trigon::Selection a;
};

#if CASE == 0
using Tree = std::vector<Base>;  // compiles
#elif CASE == 1
using Tree = Array;
#elif CASE == 2
using Tree = Derived;
#elif CASE == 3
using Tree = std::vector<Empty>;
#elif CASE == 4
using Tree = TooMany;
#elif CASE == 5
using Tree = Pointer;
#elif CASE == 6
using Tree = Selected;
#endif

std::vector<Tensor> leaves(const Tree& tree) { return trigon::tree_leaves(tree); }

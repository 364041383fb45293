// SPDX-License-Identifier: MIT
#include "reroll/pieces.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <trigon/trigon.hpp>

#include "support/rolls.hpp"

// Long joins: rows that do the same become one, others are joined in pieces.

namespace trigon {
namespace {

using Rows = std::vector<Tensor>;

/// The joins after the pass: choices between two sides, and pieces.
struct Made {
  int choices = 0;
  std::size_t pieces = 0;
  bool is_changed = false;
};
Made made_of(const Program& program, const Target& target = core::llvmpipe()) {
  const Tensors roots = program(planned_leaf);
  const graph::Collected collected = graph_of(roots, target);
  const Graph graph = pipeline::canonical_graph(collected, target);
  const std::optional<Graph> pieces = reroll::in_pieces(graph, collected, target);
  Made made{.is_changed = pieces.has_value()};
  if (!pieces) return made;
  made.pieces = pieces->pieces.size();
  for (const Graph::Entry& entry : pieces->entries) {
    made.choices += entry.kind == Kind::map && entry.op->name == std::string("where") ? 1 : 0;
  }
  return made;
}

/// The values are those of a plan for which compiling costs nothing, to the bit.
void expect_same_values(const Program& program) {
  core::Costs slow = core::llvmpipe_costs, free = core::llvmpipe_costs;
  slow.compile_operation *= 100;
  free.compile_program = free.compile_operation = free.compile_square = 0;
  free.compile_floats = free.compile_loops = 0;
  for (const Target& target :
       {core::llvmpipe(), core::llvmpipe_webgl1(), core::h200(), core::webgl1_minimum()}) {
    expect_equal(values_on(program, target, slow), values_on(program, target, free));
  }
}

void expect_one(const Program& program) {
  const Made made = made_of(program);
  EXPECT_TRUE(made.is_changed);
  EXPECT_EQ(made.choices, 0);
  EXPECT_EQ(made.pieces, 0U);
  expect_same_values(program);
}

TEST(Pieces, RowsThatDoTheSameAreOne) {
  expect_one([](const Leaf& leaf) {
    const Tensor x = leaf({20, 6}, float32);
    Rows rows;
    for (int k = 0; k < 20; ++k) rows.push_back(abs(x[k] * 0.5) + k);
    return Tensors{stack(rows)};
  });
}

TEST(Pieces, NumbersOfRowsAreListed) {
  expect_one([](const Leaf& leaf) {
    const Tensor x = leaf({20, 5}, float32), n = leaf({20}, int32);
    Rows rows, numbers;
    for (int k = 0; k < 20; ++k) {
      rows.push_back(x[k] * std::sin(k) + x[0]);
      numbers.push_back(n[k] * (k * k) + (k > 7 ? 3 : 5));
    }
    return Tensors{stack(rows), stack(numbers)};
  });
}

TEST(Pieces, ScalarsOfRowsAreListed) {
  expect_one([](const Leaf& leaf) {
    const Tensor x = leaf({12, 5}, float32);
    Rows rows;
    for (int k = 0; k < 12; ++k) rows.push_back(x[k] * Scalar(1.5 * k * k));
    return Tensors{stack(rows)};
  });
}

TEST(Pieces, SeveralRowsAlongAnyAxis) {
  for (const int axis : {0, 1, 2}) {
    expect_one([axis](const Leaf& leaf) {
      const Tensor x = leaf({30, 3, 5}, float32);
      Rows joined;
      for (int k = 0; k < 10; ++k) {
        const Tensor one = x[Slice{29 - 3 * k - 1, 29 - 3 * k + 1}];
        joined.push_back(maximum(one, 0.25 * k) * flip(one, 1) - 1.0);
      }
      return Tensors{concatenate(joined, axis)};
    });
  }
}

TEST(Pieces, JoinsWithinJoinsAreOne) {
  expect_one([](const Leaf& leaf) {
    const Tensor x = leaf({24, 4}, float32);
    Rows joined;
    for (int k = 0; k < 12; ++k) {
      const Tensor row = x[k].reshape(2, 2).transpose(1, 0).reshape(4);
      joined.push_back(pad(row, {{1, 2}}) + pad(x[23 - k], {{0, 3}}) * (k + 2));
    }
    return Tensors{stack(joined, 1)};
  });
}

TEST(Pieces, InnerJoinsMayShareAMember) {
  expect_same_values([](const Leaf& leaf) {
    const Tensor shared = exp(leaf({4}, float32));
    Rows first{shared}, second{shared};
    for (int k = 1; k < 24; ++k) {
      const Tensor x = leaf({4}, float32);
      first.push_back(k % 2 == 1 ? sin(x) : exp(x));
      second.push_back(k % 3 == 0 ? tanh(x) : cos(x));
    }
    return Tensors{concatenate({concatenate(first), concatenate(second)})};
  });
}

TEST(Pieces, EqualRowsAreOne) {
  expect_one([](const Leaf& leaf) {
    return Tensors{concatenate(Rows(11, leaf({2, 3}, float32) * 2.0))};
  });
}

TEST(Pieces, AppendedRowsAreOneJoin) {
  const Program program = [](const Leaf& leaf) {
    const Tensor x = leaf({40, 6}, float32);
    Tensor y = leaf({2, 6}, float32);
    for (int k = 0; k < 40; ++k) y = concatenate({y, x[Slice{k, k + 1}] * 0.5 + k});
    return Tensors{y};
  };
  const Made made = made_of(program);
  EXPECT_EQ(made.choices, 1);
  EXPECT_EQ(made.pieces, 0U);
  expect_same_values(program);
}

TEST(Pieces, OtherRowsAreJoinedInEqualPieces) {
  for (const int count : {10, 16, 17, 31, 32, 40, 300}) {
    const Program program = [count](const Leaf& leaf) {
      Rows rows, pairs;
      for (int k = 0; k < count; ++k) rows.push_back(leaf({3}, float32));
      for (int k = 0; k < count; ++k) pairs.push_back(leaf({1 + k % 3, 2}, int32) * 3);
      return Tensors{stack(rows), concatenate(pairs)};
    };
    SCOPED_TRACE(count);
    const Made made = made_of(program);
    EXPECT_TRUE(made.is_changed);
    // 17 are a piece and a row; 300 are 19 pieces, which are one of 16 and one that overlaps it.
    const std::size_t pieces = count <= 16    ? 0
                               : count == 17  ? 1
                               : count == 300 ? 21
                                              : (count + 15) / 16;
    EXPECT_EQ(made.pieces, 2 * pieces);
    expect_same_values(program);
  }
}

TEST(Pieces, HaveOneKernel) {
  Rows rows;
  for (int k = 0; k < 200; ++k) rows.push_back(host_leaf({64}));
  const plan::Plan plan = plan_of(stack(rows), core::llvmpipe());
  EXPECT_EQ(draws(plan), 14);
  EXPECT_EQ(programs(plan), 2U);
}

TEST(Pieces, MixWhatIsAlikeAndWhatIsNot) {
  const Program program = [](const Leaf& leaf) {
    const Tensor x = leaf({30, 4}, float32);
    Rows rows;
    for (int k = 0; k < 30; ++k) {
      rows.push_back(k % 11 == 5 ? leaf({4}, float32) : k < 15 ? x[k] + 1.0 : x[k] * x[29 - k]);
    }
    // Rows at unequal distances stay separate.
    for (const int k : {3, 1, 4, 15, 9}) rows.push_back(x[k] * 0.5);
    return Tensors{stack(rows)};
  };
  EXPECT_EQ(made_of(program).pieces, 0U);
  expect_same_values(program);
}

TEST(Pieces, OfAllTypes) {
  for (const DType dtype : {float32, float16, int32, uint32, uint8, boolean}) {
    expect_same_values([dtype](const Leaf& leaf) {
      const Tensor x = leaf({20, 5}, dtype);
      Rows rows, others;
      for (int k = 0; k < 20; ++k) rows.push_back(where(x[k] == x[19 - k], x[k], x[0]));
      for (int k = 0; k < 20; ++k) others.push_back(leaf({5}, dtype));
      return Tensors{stack(rows), stack(others, 1)};
    });
  }
}

TEST(Pieces, ShareWhatTheyRead) {
  const Program program = [](const Leaf& leaf) {
    const Tensor x = leaf({20, 5}, float32);
    const Tensor all = sum(x, 0);
    Rows rows;
    for (int k = 0; k < 20; ++k) rows.push_back(x[k] - all + sum(x[k] * all));
    const Tensor y = stack(rows);
    return Tensors{y, y[3] * 2.0, rows[4]};
  };
  expect_same_values(program);
}

// A loop gives all its results at once, so one that a tensor holds costs nothing more.
TEST(Pieces, KeepResultsOfLoopsThatAreHeld) {
  Tensor momentum;
  const Program program = [&](const Leaf& leaf) {
    Tensor x = leaf({20, 6}, float32);
    const Tensor y = leaf({20, 6}, float32);
    momentum = leaf({20, 6}, float32);
    for (int step = 0; step < 50; ++step) {
      momentum = momentum * 0.5 + y;
      x = x + momentum;
    }
    Rows rows;
    for (int k = 0; k < 20; ++k) rows.push_back(abs(y[k] * 0.5) + k);
    return Tensors{x, stack(rows)};
  };
  const Target target = small_draws();
  const Tensors roots = program(planned_leaf);
  const graph::Collected collected = graph_of(roots, target);
  const Graph graph = pipeline::canonical_graph(collected, target);
  const std::optional<Graph> pieces = reroll::in_pieces(graph, collected, target);
  ASSERT_TRUE(pieces.has_value());
  const auto results = [](const Graph& of) {
    return std::count_if(of.entries.begin(), of.entries.end(),
                         [](const Graph::Entry& entry) { return entry.kind == Kind::output; });
  };
  EXPECT_EQ(results(graph), 2);
  EXPECT_EQ(results(*pieces), 2);
}

TEST(Pieces, LeaveOtherChoicesAlone) {
  const auto is_changed = [](const Program& program) { return made_of(program).is_changed; };
  EXPECT_FALSE(is_changed([](const Leaf& leaf) {
    Rows joined;
    for (int k = 0; k < 8; ++k) joined.push_back(leaf({3}, float32));
    return Tensors{stack(joined)};
  })) << "few rows";
  EXPECT_FALSE(is_changed([](const Leaf& leaf) {
    Tensor y = leaf({40}, float32);
    for (int k = 1; k < 40; ++k) y = where(arange(40) < k, y, leaf({40}, float32));
    return Tensors{y};
  })) << "sides that are no rows";
  EXPECT_FALSE(is_changed([](const Leaf& leaf) {
    Tensor y = leaf({2, 2}, float32);
    for (int k = 0; k < 16; ++k) {
      Shape shape = y.shape();
      shape[k % 2] = 1;
      y = concatenate({y, leaf(shape, float32)}, k % 2);
    }
    return Tensors{y};
  })) << "rows along two axes";
  const Program prefixes = [](const Leaf& leaf) {
    Tensor y = leaf({1, 3}, float32);
    Tensors all;
    for (int k = 0; k < 12; ++k) {
      y = concatenate({y, leaf({1, 3}, float32)});
      all.push_back(y);
    }
    return all;
  };
  EXPECT_FALSE(is_changed(prefixes)) << "joins that are asked for";
}

}  // namespace
}  // namespace trigon

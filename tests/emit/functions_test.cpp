// SPDX-License-Identifier: MIT
#include "emit/functions.hpp"

#include <gtest/gtest.h>

#include <string>

#include <trigon/extend.hpp>

namespace trigon::detail::emit {
namespace {

using core::Type;

TEST(Functions, WriteAnOpOnce) {
  Functions functions;
  EXPECT_EQ(functions.elementwise(*find_op("exp"), Type::f, Type::f), "op_exp_f");
  const std::string text = functions.text();
  EXPECT_EQ(functions.elementwise(Op(find_op("exp")->unary()), Type::f, Type::f), "op_exp_f");
  EXPECT_EQ(functions.text(), text);
}

TEST(Functions, KeepOpsOfOneName) {
  UnarySpec spec = find_op("exp")->unary();
  spec.glsl = "exp_(x) + 0.0";
  const Op other(spec);
  Functions functions;
  EXPECT_EQ(functions.elementwise(*find_op("exp"), Type::f, Type::f), "op_exp_f");
  EXPECT_EQ(functions.elementwise(other, Type::f, Type::f), "op2_exp_f");
  EXPECT_EQ(functions.elementwise(*find_op("exp"), Type::f, Type::f), "op_exp_f");
  EXPECT_EQ(functions.text(),
            "vec4 op_exp_f(vec4 x) { return exp_(x); }\n"
            "vec4 op2_exp_f(vec4 x) { return exp_(x) + 0.0; }\n");
}

TEST(Functions, KeepReductionsOfOneName) {
  ReduceSpec spec = find_op("sum")->reduce();
  spec.finish = "y0 = -a0;";
  const Op other(spec);
  Functions functions;
  EXPECT_EQ(functions.reduce(*find_op("sum"), ReduceStep::finish, Type::f), "op_sum_finish_f");
  EXPECT_EQ(functions.reduce(other, ReduceStep::finish, Type::f), "op2_sum_finish_f");
  EXPECT_NE(functions.text().find("y0 = -a0;"), std::string::npos);
}

}  // namespace
}  // namespace trigon::detail::emit

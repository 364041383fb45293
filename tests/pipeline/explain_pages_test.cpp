// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include <trigon/trigon.hpp>

#include "emit/emit.hpp"
#include "pipeline/describe.hpp"
#include "pipeline/plan_record.hpp"
#include "support/explained.hpp"
#include "support/plans.hpp"

// The texts of explain() in pages.

namespace trigon {
namespace {

std::string page_of(const std::string& name) {
  std::ifstream file(TRIGON_SOURCE_DIR "/" + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(ExplainPages, IsAsThePageOfThePlannerShows) {
  const std::string page = page_of("docs/planner.md");
  const Tensor a = host_leaf({64, 64}), b = host_leaf({64, 64});
  const std::string text = draws_of({nn::softmax(a + b)});
  EXPECT_NE(page.find("\n```\n" + text + "```\n"), std::string::npos) << text;
}

TEST(ExplainPages, IsAsTheGuideToTheSourcesShows) {
  const std::string page = page_of("src/README.md");
  const Tensor a = host_leaf({64, 64}), b = host_leaf({64});
  const Tensor y = sum(exp(a * 1.0 + b), 1);
  const core::Target target = core::llvmpipe();
  const graph::Collected graph = graph_of(std::span(&y, 1), target);
  for (const std::string& text : {pipeline::describe_graph(graph), draws_of({y})}) {
    EXPECT_NE(page.find("\n```\n" + text + "```\n"), std::string::npos) << text;
  }
  // Its GLSL, whose comments are the page's, up to where the page shortens it.
  const plan::Plan plan = pipeline::make_plan(graph, target, costs_of(target));
  const std::string glsl = emit::emit(*plan.steps[0].kernel).fragment;
  std::istringstream lines(page.substr(page.find("void main() {\n")));
  std::string shown;
  for (std::string line; std::getline(lines, line) && line != "  ...";) {
    shown += line.substr(0, line.find_last_not_of(' ', line.find("//") - 1) + 1) + "\n";
  }
  EXPECT_EQ(glsl.substr(glsl.find("void main() {\n"), shown.size()), shown);
}

}  // namespace
}  // namespace trigon

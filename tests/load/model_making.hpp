// Models made from the text of `set:`, as a system file has it.
#pragma once

#include <gtest/gtest.h>

#include "seam/formats/yaml.hpp"
#include "seam/load/model_catalog.hpp"
#include "seam/load/system_values.hpp"

namespace seam::load {

struct Making {
  std::optional<models::Model> model;
  base::Problems problems;

  /// The only problem's text and how to mend it.
  std::string problem() const {
    if (problems.size() != 1) return "problems: " + problems.text();
    return problems.all().front().what + " | " + problems.all().front().mend;
  }
  int column() const { return problems.empty() ? 0 : problems.all().front().where.column; }
};

/// `set` is one line of YAML in braces; the model stands in line 1 of "system.yaml".
inline Making make(const std::string& model, const std::string& set = "{}",
                   const MakeContext& context = {0.01, {".", {}}}) {
  Making making;
  system::Subsystem subsystem;
  subsystem.name = "it";
  subsystem.origin = system::BuiltInModel{model};
  const auto tree = formats::read_yaml(set, "system.yaml", making.problems);
  if (tree) {
    subsystem.where = tree->where;
    subsystem.set = read_settings(*tree, "set", making.problems);
  }
  EXPECT_TRUE(making.problems.empty()) << making.problems.text();
  making.model = make_model(subsystem, context, making.problems);
  EXPECT_EQ(making.model.has_value(), making.problems.empty());
  return making;
}

/// The output of a model without states for these inputs.
inline double static_output(const models::Model& model, std::vector<double> u) {
  std::vector<double> y(1);
  model.ode->outputs(0.0, {}, u, y);
  return y[0];
}

inline ode::Jacobians matrices(const models::Model& model) {
  ode::Jacobians J;
  model.ode->jacobians(0.0, std::vector<double>(model.x0.size()), std::vector<double>(model.inputs.size()), J);
  return J;
}

inline std::vector<std::string> names(const std::vector<models::Port>& ports) {
  std::vector<std::string> result;
  for (const models::Port& port : ports) result.push_back(port.name);
  return result;
}

}  // namespace seam::load

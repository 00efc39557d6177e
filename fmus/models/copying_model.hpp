// One input and one output of every type of its version; outputs copy inputs at the end of a step.
#pragma once

#include <utility>

#include "fmus/framework/model.hpp"

namespace seam::fmus {

class CopyingModel : public Model {
 public:
  using Model::Model;

  void evaluate() override { copy(); }
  StepReport step(double t, double h) override;

 protected:
  void add_copies();
  void copy();

 private:
  void add_copy(const std::string& name, Type type, Variability variability, const std::string& start);

  std::vector<std::pair<int, int>> copies_;  ///< input, output
};

}  // namespace seam::fmus

#include "seam/models/state_space.hpp"

#include "seam/base/error.hpp"
#include "seam/models/linear_ode.hpp"

namespace seam::models {

std::vector<std::string> numbered(const std::string& base, int count) {
  if (count == 1) return {base};
  std::vector<std::string> names;
  for (int i = 1; i <= count; ++i) names.push_back(base + std::to_string(i));
  return names;
}

std::vector<Port> ports(const std::vector<std::string>& names, const std::string& unit) {
  std::vector<Port> result;
  for (const std::string& name : names) result.push_back({name, unit, std::nullopt});
  return result;
}

Model state_space(const lti::StateSpace& system, std::vector<double> x0, const std::vector<std::string>& inputs,
                  const std::vector<std::string>& outputs) {
  Model model;
  model.inputs = ports(inputs);
  model.outputs = ports(outputs);
  model.state_names = numbered("x", static_cast<int>(system.states()));
  model.x0 = std::move(x0);
  model.ode = std::make_unique<LinearOde>(system);
  return model;
}

// With den = s^n + a_1 s^(n-1) + … + a_n and num = b_0 s^n + … + b_n: D = b_0, and c_i = b_i - a_i b_0 read the chain
// x_1' = x_2, …, x_n' = -a_n x_1 - … - a_1 x_n + u from its end (Kailath, Linear Systems, 2.2).
Model transfer_function(const std::vector<double>& num, const std::vector<double>& den) {
  if (den.empty() || den.front() == 0.0 || num.size() > den.size()) {
    throw base::Error(base::Failure::internal,
                      "a transfer function needs a denominator of at least its numerator's degree");
  }
  const auto n = static_cast<Eigen::Index>(den.size()) - 1;
  const auto missing = static_cast<Eigen::Index>(den.size() - num.size());
  const auto a = [&](Eigen::Index i) { return den[static_cast<std::size_t>(i)] / den.front(); };
  const auto b = [&](Eigen::Index i) {
    return i < missing ? 0.0 : num[static_cast<std::size_t>(i - missing)] / den.front();
  };
  lti::StateSpace system{lti::Matrix::Zero(n, n), lti::Matrix::Zero(n, 1), lti::Matrix::Zero(1, n),
                         lti::Matrix::Constant(1, 1, b(0))};
  for (Eigen::Index i = 0; i < n; ++i) {
    if (i + 1 < n) system.A(i, i + 1) = 1.0;
    system.A(n - 1, i) = -a(n - i);
    system.C(0, i) = b(n - i) - a(n - i) * b(0);
  }
  if (n > 0) system.B(n - 1, 0) = 1.0;
  return state_space(system, std::vector<double>(static_cast<std::size_t>(n), 0.0), {"u"}, {"y"});
}

}  // namespace seam::models

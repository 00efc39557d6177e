#include "seam/models/blocks.hpp"

#include <algorithm>

#include "seam/models/state_space.hpp"

namespace seam::models {
namespace {

class LimiterOde final : public StaticOde {
 public:
  LimiterOde(double low, double high) : low_(low), high_(high) {}

 private:
  double value(double u) const override { return std::clamp(u, low_, high_); }
  double slope(double u) const override { return u >= low_ && u <= high_ ? 1.0 : 0.0; }

  double low_, high_;
};

/// By Horner's rule.
class PolynomialOde final : public StaticOde {
 public:
  explicit PolynomialOde(std::vector<double> coefficients) : coefficients_(std::move(coefficients)) {}

 private:
  double value(double u) const override {
    double sum = 0.0;
    for (std::size_t i = coefficients_.size(); i-- > 0;) sum = sum * u + coefficients_[i];
    return sum;
  }
  double slope(double u) const override {
    double sum = 0.0;
    for (std::size_t i = coefficients_.size(); i-- > 1;) sum = sum * u + static_cast<double>(i) * coefficients_[i];
    return sum;
  }

  std::vector<double> coefficients_;
};

class TableOde final : public StaticOde {
 public:
  explicit TableOde(Piecewise curve) : curve_(std::move(curve)) {}

 private:
  double value(double u) const override { return curve_.value(u); }
  double slope(double u) const override { return curve_.slope(u); }

  Piecewise curve_;
};

}  // namespace

Model static_model(std::unique_ptr<StaticOde> ode, const std::string& unit) {
  Model model;
  model.inputs = ports({"u"}, unit);
  model.outputs = ports({"y"}, unit);
  model.ode = std::move(ode);
  return model;
}

Model gain(double k) { return sum({k}); }

Model sum(const std::vector<double>& gains) {
  const auto inputs = static_cast<Eigen::Index>(gains.size());
  lti::StateSpace system{lti::Matrix(0, 0), lti::Matrix(0, inputs), lti::Matrix(1, 0), lti::Matrix(1, inputs)};
  for (Eigen::Index i = 0; i < inputs; ++i) system.D(0, i) = gains[static_cast<std::size_t>(i)];
  return state_space(system, {}, numbered("u", static_cast<int>(inputs)), {"y"});
}

Model polynomial(std::vector<double> coefficients) {
  return static_model(std::make_unique<PolynomialOde>(std::move(coefficients)), {});
}

Model limiter(double low, double high, const std::string& unit) {
  return static_model(std::make_unique<LimiterOde>(low, high), unit);
}

Model table(Piecewise curve) { return static_model(std::make_unique<TableOde>(std::move(curve)), {}); }

}  // namespace seam::models

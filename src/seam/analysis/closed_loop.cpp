#include "seam/analysis/closed_loop.hpp"

namespace seam::analysis {

using lti::Complex;
using lti::ComplexMatrix;

ClosedLoop::ClosedLoop(const LinearParts& linear, lti::Matrix excitation)
    : linear_(linear),
      excitation_(std::move(excitation)),
      responses_(linear.parts.size()),
      solver_(linear.wiring.K.cols()) {
  for (std::size_t m = 0; m < linear.parts.size(); ++m) {
    const lti::StateSpace& part = linear.parts[m];
    lti::StateSpace dynamic = part;
    dynamic.D.setZero();
    members_.emplace_back(dynamic, lti::TimeDomain::continuous);
    responses_[m].direct = &part.D;
    for (Eigen::Index i = 0; i < part.inputs(); ++i) {
      member_of_input_.push_back(m);
      const Eigen::Index row = linear.wiring.first_input[m] + i;
      for (Eigen::Index output = 0; output < linear.wiring.K.cols(); ++output) {
        if (linear.wiring.K(row, output) != 0.0) links_.push_back({m, i, output, linear.wiring.K(row, output)});
      }
    }
  }
}

void ClosedLoop::respond(double w) {
  for (std::size_t m = 0; m < members_.size(); ++m) responses_[m].dynamic = members_[m].at(w);
}

const std::vector<lti::Term>& ClosedLoop::equations(const std::vector<HoldResponse>& factors) {
  terms_.clear();
  for (Eigen::Index i = 0; i < linear_.wiring.K.cols(); ++i) terms_.push_back({i, i, 1.0});
  for (const Link& link : links_) {
    const Response& response = responses_[link.member];
    const HoldResponse& factor =
        factors[static_cast<std::size_t>(linear_.wiring.first_input[link.member] + link.input)];
    for (Eigen::Index i = 0; i < response.direct->rows(); ++i) {
      const Complex answer =
          response.dynamic(i, link.input) * factor.over_step + (*response.direct)(i, link.input) * factor.at_end;
      terms_.push_back({linear_.wiring.first_output[link.member] + i, link.output, -answer * link.gain});
    }
  }
  return terms_;
}

ComplexMatrix ClosedLoop::excited() const {
  ComplexMatrix result = ComplexMatrix::Zero(linear_.wiring.K.cols(), excitation_.cols());
  for (std::size_t m = 0; m < responses_.size(); ++m) {
    const lti::Matrix& direct = *responses_[m].direct;
    if (direct.size() == 0) continue;
    const auto at_inputs = excitation_.middleRows(linear_.wiring.first_input[m], direct.cols());
    if (at_inputs.isZero(0.0)) continue;
    result.middleRows(linear_.wiring.first_output[m], direct.rows()) = responses_[m].whole() * at_inputs;
  }
  return result;
}

ComplexMatrix ClosedLoop::disturbances(const std::vector<HeldInput>& held) const {
  ComplexMatrix result = ComplexMatrix::Zero(linear_.wiring.K.cols(), static_cast<Eigen::Index>(held.size()));
  for (std::size_t i = 0; i < held.size(); ++i) {
    const std::size_t m = member_of_input_[static_cast<std::size_t>(held[i].input)];
    const Eigen::Index own = held[i].input - linear_.wiring.first_input[m];
    const HoldResponse& factor = held[i].response;
    result.col(static_cast<Eigen::Index>(i)).segment(linear_.wiring.first_output[m], responses_[m].direct->rows()) =
        responses_[m].dynamic.col(own) * (factor.over_step - 1.0) +
        responses_[m].direct->col(own) * (factor.at_end - 1.0);
  }
  return result;
}

LoopErrors ClosedLoop::at(double w, const std::vector<HeldInput>& held) {
  respond(w);
  std::vector<HoldResponse> factors(member_of_input_.size(), {1.0, 1.0});
  const ComplexMatrix excited_outputs = excited();
  const Eigen::Index excitations = excitation_.cols(), connections = static_cast<Eigen::Index>(held.size());
  ComplexMatrix right(excited_outputs.rows(), excitations + connections);
  right << excited_outputs, disturbances(held);
  const ComplexMatrix unheld = solver_.solve(equations(factors), right);
  LoopErrors result;
  result.exact = unheld.leftCols(excitations);

  // One input alone is a change of rank one (Sherman and Morrison): c (K y) / (1 - K c).
  result.alone.resize(unheld.rows(), connections);
  for (Eigen::Index i = 0; i < connections; ++i) {
    const auto change = unheld.col(excitations + i);
    const Eigen::Index input = held[static_cast<std::size_t>(i)].input;
    ComplexMatrix arriving = ComplexMatrix::Zero(1, excitations);
    Complex fed_back{};
    for (Eigen::Index output = 0; output < linear_.wiring.K.cols(); ++output) {
      const double gain = linear_.wiring.K(input, output);
      if (gain == 0.0) continue;
      arriving += gain * result.exact.row(output);
      fed_back += gain * change(output);
    }
    result.alone.col(i) = change.cwiseAbs2() * (arriving.squaredNorm() / std::norm(1.0 - fed_back));
  }
  for (const HeldInput& one : held) factors[static_cast<std::size_t>(one.input)] = one.response;
  result.error = solver_.solve(equations(factors), excited_outputs) - result.exact;
  return result;
}

}  // namespace seam::analysis

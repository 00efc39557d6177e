#include "seam/analysis/closed_loop.hpp"

namespace seam::analysis {

using lti::Complex;
using lti::ComplexMatrix;

ClosedLoop::ClosedLoop(const LinearParts& linear, lti::Matrix excitation)
    : linear_(linear), excitation_(std::move(excitation)), responses_(linear.parts.size()), solver_(0) {
  for (std::size_t m = 0; m < linear.parts.size(); ++m) {
    const lti::StateSpace& part = linear.parts[m];
    members_.emplace_back(part, lti::TimeDomain::continuous);
    for (Eigen::Index i = 0; i < part.inputs(); ++i) {
      member_of_input_.push_back(m);
      const Eigen::Index row = linear.wiring.first_input[m] + i;
      const std::size_t before = links_.size();
      for (Eigen::Index output = 0; output < linear.wiring.K.cols(); ++output) {
        const double gain = linear.wiring.K(row, output);
        if (gain != 0.0) links_.push_back({m, i, output, gain, unknowns_});
      }
      if (links_.size() > before) ++unknowns_;
    }
  }
  solver_ = lti::SparseSolver(unknowns_);
}

void ClosedLoop::go_to(double w) {
  for (std::size_t m = 0; m < members_.size(); ++m) responses_[m] = members_[m].at(w);
  exact_ = closed(beside(excited()));
}

ClosedLoop::Beside ClosedLoop::beside(ComplexMatrix outputs) const {
  ComplexMatrix heard = ComplexMatrix::Zero(outputs.rows(), unknowns_);
  for (const Link& link : links_) heard.col(link.unknown) += link.gain * outputs.col(link.output);
  return {std::move(outputs), heard.transpose()};
}

ComplexMatrix ClosedLoop::closed(const Beside& beside) {
  std::vector<std::vector<const Link*>> hearing(static_cast<std::size_t>(beside.outputs.cols()));  // by what they hear
  for (const Link& link : links_) hearing[static_cast<std::size_t>(link.output)].push_back(&link);
  std::vector<lti::Term> terms;
  for (Eigen::Index i = 0; i < unknowns_; ++i) terms.push_back({i, i, 1.0});
  const auto each_input = [&](const auto& visit) {
    for (std::size_t i = 0; i < links_.size(); ++i) {
      const Link& link = links_[i];
      if (i > 0 && links_[i - 1].unknown == link.unknown) continue;
      const Eigen::Index first = linear_.wiring.first_output[link.member];
      visit(link.unknown, first, responses_[link.member].col(link.input));
    }
  };
  each_input([&](Eigen::Index unknown, Eigen::Index first, const auto& answers) {
    for (Eigen::Index i = 0; i < answers.size(); ++i) {
      for (const Link* link : hearing[static_cast<std::size_t>(first + i)])
        terms.push_back({link->unknown, unknown, -link->gain * answers(i)});
    }
  });
  const ComplexMatrix inputs = solver_.solve(terms, beside.heard).transpose();
  ComplexMatrix outputs = beside.outputs;
  each_input([&](Eigen::Index unknown, Eigen::Index first, const auto& answers) {
    for (Eigen::Index i = 0; i < answers.size(); ++i) {
      if (answers(i) != Complex{}) outputs.col(first + i) += answers(i) * inputs.col(unknown);
    }
  });
  return outputs;
}

ComplexMatrix ClosedLoop::excited() const {
  ComplexMatrix result = ComplexMatrix::Zero(excitation_.cols(), linear_.wiring.K.cols());
  for (std::size_t m = 0; m < responses_.size(); ++m) {
    if (responses_[m].size() == 0) continue;
    const auto at_inputs = excitation_.middleRows(linear_.wiring.first_input[m], responses_[m].cols());
    if (at_inputs.isZero(0.0)) continue;
    result.middleCols(linear_.wiring.first_output[m], responses_[m].rows()) = (responses_[m] * at_inputs).transpose();
  }
  return result;
}

// One input alone is a change of rank one (Sherman and Morrison): c (K y) / (1 - K c).
lti::Matrix ClosedLoop::alone(const std::vector<Eigen::Index>& inputs, const ComplexMatrix& answers) {
  ComplexMatrix wrong = answers;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::size_t m = member_of_input_[static_cast<std::size_t>(inputs[i])];
    wrong.row(static_cast<Eigen::Index>(i)).segment(linear_.wiring.first_output[m], responses_[m].rows()) -=
        responses_[m].col(inputs[i] - linear_.wiring.first_input[m]).transpose();
  }
  const ComplexMatrix changes = closed(beside(std::move(wrong))).transpose();
  lti::Matrix result(changes.rows(), changes.cols());
  for (Eigen::Index i = 0; i < changes.cols(); ++i) {
    const Eigen::Index input = inputs[static_cast<std::size_t>(i)];
    Eigen::VectorXcd arriving = Eigen::VectorXcd::Zero(excitation_.cols());
    Complex fed_back{};
    for (const Link& link : links_) {
      if (linear_.wiring.first_input[link.member] + link.input != input) continue;
      arriving += link.gain * exact_.col(link.output);
      fed_back += link.gain * changes(link.output, i);
    }
    result.col(i) = changes.col(i).cwiseAbs2() * (arriving.squaredNorm() / std::norm(1.0 - fed_back));
  }
  return result;
}

}  // namespace seam::analysis

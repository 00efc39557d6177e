#include "seam/analysis/closed_loop.hpp"

#include "seam/lti/interconnect.hpp"

namespace seam::analysis {

using lti::Complex;
using lti::ComplexMatrix;

ClosedLoop::ClosedLoop(const lti::StateSpace& whole, const LinearParts& linear)
    : linear_(&linear), whole_(whole, lti::TimeDomain::continuous, lti::FrequencyResponse::Solving::by_size) {
  for (const lti::StateSpace& part : linear.parts) members_.emplace_back(part, lti::TimeDomain::continuous);
}

std::optional<ClosedLoop> ClosedLoop::of(const LinearParts& linear, const lti::Matrix& excitation,
                                         const std::vector<assembly::Wire>& wires) {
  const auto count = static_cast<Eigen::Index>(wires.size());
  lti::Matrix E = lti::Matrix::Zero(excitation.rows(), excitation.cols() + count);
  E.leftCols(excitation.cols()) = excitation;
  std::vector<Link> links;
  for (Eigen::Index i = 0; i < count; ++i) {
    const assembly::Wire& wire = wires[static_cast<std::size_t>(i)];
    const auto sink = static_cast<std::size_t>(wire.to);
    E(linear.wiring.first_input[sink] + wire.input, excitation.cols() + i) = 1.0;
    links.push_back(
        {sink, wire.input, linear.wiring.first_output[static_cast<std::size_t>(wire.from)] + wire.output, wire.gain});
  }
  const auto whole = lti::interconnect(linear.parts, linear.wiring.K, E);
  if (!whole) return std::nullopt;
  ClosedLoop result(*whole, linear);
  result.links_ = std::move(links);
  return result;
}

// One input alone is a change of rank one (Sherman and Morrison): c (K y) / (1 - K c).
lti::Matrix ClosedLoop::alone(double w, const ComplexMatrix& exact, const ComplexMatrix& answers) const {
  const auto count = static_cast<Eigen::Index>(links_.size()), excitations = exact.cols() - count;
  ComplexMatrix changes = answers;
  for (Eigen::Index i = 0; i < count; ++i) {
    const Link& link = links_[static_cast<std::size_t>(i)];
    const ComplexMatrix own = members_[link.member].at(w);
    changes.col(i).segment(linear_->wiring.first_output[link.member], own.rows()) -= own.col(link.input);
  }
  ComplexMatrix heard(count, count);
  for (Eigen::Index j = 0; j < count; ++j) {
    const Link& link = links_[static_cast<std::size_t>(j)];
    heard.row(j) = link.gain * changes.row(link.output);
  }
  changes += exact.rightCols(count) * heard;
  lti::Matrix result(changes.rows(), count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const Link& link = links_[static_cast<std::size_t>(i)];
    const double arriving = link.gain * link.gain * exact.row(link.output).head(excitations).squaredNorm();
    result.col(i) = changes.col(i).cwiseAbs2() * (arriving / std::norm(1.0 - link.gain * changes(link.output, i)));
  }
  return result;
}

}  // namespace seam::analysis

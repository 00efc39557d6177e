#include "seam/coupling/corrector/observer_maker.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <numeric>

#include "seam/coupling/corrector/context.hpp"
#include "seam/lti/subspaces.hpp"

namespace seam::coupling {

using Eigen::Index;
using lti::Matrix;
using lti::Vector;

namespace {

/// Of the inputs of its equations.
std::vector<int> ports_of(const CorrectedLane& lane) {
  std::vector<int> ports = lane.input_ports;
  if (lane.equations) ports.insert(ports.end(), lane.equations->others.begin(), lane.equations->others.end());
  return ports;
}

}  // namespace

bool is_driven(const CorrectedLane& lane, int port) {
  return std::find(lane.driven_ports.begin(), lane.driven_ports.end(), port) != lane.driven_ports.end();
}

lti::PolynomialStep ObserverMaker::moved(const CorrectedLane& lane, const lti::StateSpace& system,
                                         PartOfStep part) const {
  const Lane& own_lane = own(lane);
  lti::PolynomialStep result = applied_part(system, lane, step_of(lane), own_lane.degree, part);
  if (!follows_signals(lane)) return result;
  const lti::PolynomialStep moving = moving_part(system, step_of(lane), own_lane.degree, part);
  const std::vector<int> ports = ports_of(lane);
  for (std::size_t k = 0; k < result.G.size(); ++k) {
    for (std::size_t i = 0; i < ports.size(); ++i) {
      if (is_driven(lane, ports[i])) result.G[k].col(static_cast<Index>(i)) = moving.G[k].col(static_cast<Index>(i));
    }
  }
  return result;
}

/// Known signals move inside a call, too, where the subsystem does not sample them.
bool ObserverMaker::follows_signals(const CorrectedLane& lane) const {
  return lane.equations && !lane.driven_ports.empty() && own(lane).subsystem->capabilities().takes_polynomials;
}

/// From the inputs of its equations to all real inputs, power after power.
Matrix ObserverMaker::of_all_inputs(const CorrectedLane& lane, const std::vector<Matrix>& powers_of_inputs) const {
  const Lane& own_lane = own(lane);
  const std::vector<int> ports = ports_of(lane);
  Matrix result = Matrix::Zero(powers_of_inputs.front().rows(), Index{own_lane.degree + 1} * own_lane.inputs);
  for (int k = 0; lane.equations && k <= own_lane.degree; ++k) {
    for (std::size_t i = 0; i < ports.size(); ++i)
      result.col(Index{k} * own_lane.inputs + ports[i]) =
          powers_of_inputs[static_cast<std::size_t>(k)].col(static_cast<Index>(i));
  }
  return result;
}

/// Feed-through of the inputs as they are at the end of a part.
std::vector<Matrix> ObserverMaker::feedthrough(const CorrectedLane& lane, const lti::StateSpace& system,
                                               PartOfStep part) const {
  const double end = static_cast<double>(part.number + 1) / part.of;
  const std::vector<int> ports = ports_of(lane);
  std::vector<Matrix> result;
  for (int k = 0; k <= own(lane).degree; ++k) {
    result.push_back(applied_at_end(lane, k, part) * system.D);
    for (std::size_t i = 0; follows_signals(lane) && i < ports.size(); ++i) {
      if (is_driven(lane, ports[i]))
        result.back().col(static_cast<Index>(i)) = std::pow(end, k) * system.D.col(static_cast<Index>(i));
    }
  }
  return result;
}

bool ObserverMaker::put(const CorrectedLane& lane, lti::PredictedPart& part) {
  const lti::StateSpace& system = part.system;
  const double step = step_of(lane);
  const Index n = system.states(), p = system.outputs();
  part.log_unit = p > 0 ? of_all_.log_sizes.segment(lane.first_output, p).maxCoeff() : 0.0;
  const Vector of_outputs = (of_all_.log_sizes.array() - part.log_unit).exp();
  Vector inputs = Vector::Zero(lane.inputs);  // sums of what is connected: sizes elsewhere may leave all bounds
  for (Index i = 0; i < inputs.size(); ++i) {
    const auto gains = of_all_.wiring.L.row(lane.first_input + i);
    for (Index j = 0; j < gains.size(); ++j) inputs(i) += gains(j) == 0.0 ? 0.0 : std::abs(gains(j)) * of_outputs(j);
  }
  const Vector sizes = of_outputs.segment(lane.first_output, p);
  const auto observer = lti::make_observer({system, inputs, sizes, step});
  const auto at_looks = lti::make_observer({system, inputs, sizes, step / lane.looks});
  if (!observer || !at_looks) return false;
  part.metric = observer->metric;
  part.drive = observer->drive;
  ObserverPlaces& at = result_.observers.emplace_back();
  at.A = models_.put(moved(lane, system, {0, lane.looks}).Ad);
  at.C = models_.put(system.C);
  at.G = models_.size();
  for (int look = 0; look < lane.looks; ++look)
    models_.put(of_all_inputs(lane, moved(lane, system, {look, lane.looks}).G));
  at.D = models_.size();
  for (int look = 0; look < lane.looks; ++look)
    models_.put(of_all_inputs(lane, feedthrough(lane, system, {look, lane.looks})));
  at.gain = models_.put(at_looks->gain);
  at.residual = models_.put(Matrix::Identity(p, p) - system.C * at_looks->gain);
  const lti::PolynomialStep driven = lti::discretise({system.A, observer->drive, {}, {}}, step, 1);
  at.drive = models_.put(system.C * driven.G[0]);
  models_.put(system.C * driven.G[1]);
  stepped_.push_back({system, at_looks->gain, &lane, own(lane).degree});
  constexpr double hardly_shown = 1e-6;
  const Matrix back = n > 0 ? Matrix(observer->metric.inverse()) : Matrix(0, 0);
  const Matrix in_sizes = sizes.cwiseInverse().asDiagonal();
  at.start = models_.put(back * lti::pseudo_inverse(in_sizes * system.C * back, hardly_shown) * in_sizes);
  put_sums(lane, system);
  return true;
}

/// Sums of what a lane gives, and the mean of its outputs over a part of its step: their integrals as states.
void ObserverMaker::put_sums(const CorrectedLane& lane, const lti::StateSpace& system) {
  ObserverPlaces& at = result_.observers.back();
  const Correction& c = *layout_.correction;
  at.first_sum = static_cast<int>(result_.sums.size());
  for (std::size_t w = 0; w < c.wires.size(); ++w) {
    const CorrectedWire& wire = c.wires[w];
    const CorrectedLane& sink = c.lanes[static_cast<std::size_t>(wire.sink)];
    const bool is_own = wire.output >= lane.first_output && wire.output < lane.first_output + lane.outputs;
    if (wire.keeps_sum && is_own) result_.sums.push_back({static_cast<int>(w), std::lcm(lane.multiple, sink.multiple)});
  }
  at.sums = static_cast<int>(result_.sums.size()) - at.first_sum;
  if (at.sums == 0) return;
  const Index n = system.states(), p = system.outputs();
  lti::StateSpace with_integrals{Matrix::Zero(n + p, n + p), Matrix(n + p, system.inputs()), {}, {}};
  const double length = step_of(lane) / lane.looks;
  with_integrals.A.topLeftCorner(n, n) = system.A;
  with_integrals.A.bottomLeftCorner(p, n) = system.C / length;
  with_integrals.B << system.B, system.D / length;
  at.mean = models_.put(moved(lane, with_integrals, {0, lane.looks}).Ad.bottomLeftCorner(p, n));
  for (int look = 0; look < lane.looks; ++look)
    models_.put(of_all_inputs(lane, moved(lane, with_integrals, {look, lane.looks}).G).bottomRows(p));
}

double stamp_of(const CorrectedLane& lane, int output) {
  if (!lane.equations || lane.inputs == 0) return 0.0;
  const bool answers = !lane.equations->system.D.row(output - lane.first_output).leftCols(lane.inputs).isZero(0.0);
  const int constants = lane.calls > 0 ? lane.calls : lane.written == 1 ? 1 : 0;
  return answers && constants > 0 ? 0.5 / constants : 0.0;
}

}  // namespace seam::coupling

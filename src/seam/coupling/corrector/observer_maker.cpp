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

ObserverMaker::Moved ObserverMaker::moved(const CorrectedLane& lane, const lti::StateSpace& system) const {
  const Lane& own_lane = own(lane);
  const lti::PolynomialStep step = applied_step(system, lane, step_of(lane), own_lane.degree);
  Moved result{step.Ad, Matrix::Zero(system.states(), Index{own_lane.degree + 1} * own_lane.inputs)};
  if (!lane.equations) return result;
  // known signals move inside a call, too, where the subsystem does not sample them
  const bool follows = !lane.driven_ports.empty() && own_lane.subsystem->capabilities().takes_polynomials;
  const lti::PolynomialStep moving =
      follows ? lti::discretise(system, step_of(lane), own_lane.degree) : lti::PolynomialStep{};
  const std::vector<int> ports = ports_of(lane);
  for (int k = 0; k <= own_lane.degree; ++k) {
    for (std::size_t i = 0; i < ports.size(); ++i) {
      const bool moves = follows && is_driven(lane, ports[i]);
      result.G.col(Index{k} * own_lane.inputs + ports[i]) =
          (moves ? moving : step).G[static_cast<std::size_t>(k)].col(static_cast<Index>(i));
    }
  }
  return result;
}

/// The observer of a lane, with its places; what the prediction needs of it goes to `part`.
bool ObserverMaker::put(const CorrectedLane& lane, lti::PredictedPart& part) {
  const lti::StateSpace& system = part.system;
  const Lane& own_lane = own(lane);
  const double step = step_of(lane);
  const Vector inputs = of_all_.wiring.L.middleRows(lane.first_input, lane.inputs).cwiseAbs() * of_all_.sizes;
  const auto observer =
      lti::make_observer({system, inputs, of_all_.sizes.segment(lane.first_output, lane.outputs), step});
  if (!observer) return false;
  part.metric = observer->metric;
  part.drive = observer->drive;
  const Moved full = moved(lane, system);
  const Index n = system.states(), p = system.outputs();
  Matrix D = Matrix::Zero(p, full.G.cols());
  const std::vector<int> ports = ports_of(lane);
  for (int k = 0; lane.equations && k <= own_lane.degree; ++k) {
    for (std::size_t i = 0; i < ports.size(); ++i) {
      const bool moves = is_driven(lane, ports[i]) && own_lane.subsystem->capabilities().takes_polynomials;
      D.col(Index{k} * own_lane.inputs + ports[i]) = (moves ? 1.0 : lane.end[k]) * system.D.col(static_cast<Index>(i));
    }
  }
  ObserverPlaces& at = result_.observers.emplace_back();
  at.A = models_.put(full.A);
  at.G = models_.put(full.G);
  at.C = models_.put(system.C);
  at.D = models_.put(D);
  at.gain = models_.put(observer->gain);
  at.residual = models_.put(Matrix::Identity(p, p) - system.C * observer->gain);
  const lti::PolynomialStep driven = lti::discretise({system.A, observer->drive, {}, {}}, step, 1);
  at.drive = models_.put(system.C * driven.G[0]);
  models_.put(system.C * driven.G[1]);
  stepped_.push_back({system, *observer, &lane, own_lane.degree});
  constexpr double hardly_shown = 1e-6;
  const Matrix back = n > 0 ? Matrix(observer->metric.inverse()) : Matrix(0, 0);
  const Matrix shown = of_all_.sizes.segment(lane.first_output, p).cwiseInverse().asDiagonal() * system.C * back;
  at.start = models_.put(back * lti::pseudo_inverse(shown, hardly_shown) *
                         of_all_.sizes.segment(lane.first_output, p).cwiseInverse().asDiagonal());
  put_sums(lane, system);
  return true;
}

/// Sums of what a lane gives, and the mean of its outputs over a step: their integrals as states.
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
  with_integrals.A.topLeftCorner(n, n) = system.A;
  with_integrals.A.bottomLeftCorner(p, n) = system.C / step_of(lane);
  with_integrals.B << system.B, system.D / step_of(lane);
  const Moved full = moved(lane, with_integrals);
  at.mean = models_.put(full.A.bottomLeftCorner(p, n));
  models_.put(full.G.bottomRows(p));
}

double stamp_of(const CorrectedLane& lane, int output) {
  if (!lane.equations || lane.inputs == 0) return 0.0;
  const bool answers = !lane.equations->system.D.row(output - lane.first_output).leftCols(lane.inputs).isZero(0.0);
  const int constants = lane.calls > 0 ? lane.calls : lane.written == 1 ? 1 : 0;
  return answers && constants > 0 ? 0.5 / constants : 0.0;
}

}  // namespace seam::coupling

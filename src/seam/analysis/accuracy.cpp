#include "seam/analysis/accuracy.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "seam/analysis/filtered_path.hpp"
#include "seam/coupling/catalog.hpp"
#include "seam/lti/eigenvalues.hpp"
#include "seam/lti/interconnect.hpp"
#include "seam/lti/solve.hpp"

namespace seam::analysis {
namespace {

using lti::Complex;
using lti::ComplexMatrix;
constexpr double two_pi = 2.0 * std::numbers::pi;

/// One wire as the frequency domain sees it.
struct Hold {
  Eigen::Index input = 0;  ///< over all members
  int connection = -1;
  double step = 0.0;  ///< s, of the sink
  Reading reading;
  std::vector<coupling::SampleTiming> phases;
  std::vector<std::unique_ptr<coupling::Receiver>> receivers;
  std::optional<FilteredPath> filtered;  ///< of a coupling with filters on both sides
  double interval = 0.0;                 ///< s, between its samples
  bool fresh = false;                    ///< direct feed-through is evaluated again

  /// Mean over the phases.
  HoldResponse at(double w) const {
    HoldResponse mean;
    if (filtered) mean = filtered->at(w * interval);
    for (std::size_t i = 0; i < phases.size(); ++i) {
      const HoldResponse one = hold_response(*receivers[i], phases[i], w * step, reading);
      mean.over_step += one.over_step / static_cast<double>(phases.size());
      mean.at_end += one.at_end / static_cast<double>(phases.size());
    }
    if (fresh) mean.at_end = 1.0;
    return mean;
  }
};

/// Ages of the newest sample in the sink's steps: they grow where the source is slower, and lie ahead where it stepped
/// first.
std::vector<coupling::SampleTiming> timings(const coupling::Lane& source, const coupling::Lane& sink,
                                            const system::Coupling& coupling) {
  const double ratio = static_cast<double>(source.multiple) / sink.multiple;
  const double ahead = source.turn < sink.turn ? std::max(1.0, ratio) : 0.0;
  const bool fine = coupling.samples == system::Samples::micro;
  const double spacing = fine ? ratio / source.segments : ratio;
  std::vector<coupling::SampleTiming> result;
  for (int k = 0; k < std::max(1, static_cast<int>(std::lround(ratio))); ++k)
    result.push_back({static_cast<double>(k) - ahead, spacing, fine ? source.segments : 1});
  return result;
}

std::vector<Hold> holds_of(const coupling::Program& program, const LinearParts& linear, const system::Plan& plan) {
  std::vector<Hold> holds;
  const auto lane_of = [&](int member) -> const coupling::Lane& {
    return *std::find_if(program.lanes.begin(), program.lanes.end(),
                         [&](const coupling::Lane& lane) { return lane.member == member; });
  };
  for (const assembly::Wire& wire : program.assembly->wires) {
    const coupling::Lane &source = lane_of(wire.from), &sink = lane_of(wire.to);
    const system::Coupling& coupling = plan.connections[static_cast<std::size_t>(wire.connection)];
    Hold hold;
    hold.input = linear.wiring.first_input[static_cast<std::size_t>(wire.to)] + wire.input;
    hold.connection = wire.connection;
    hold.step = sink.multiple * plan.step;
    hold.reading.constant_parts = sink.crossing == coupling::Crossing::constant_segments ? sink.segments : 0;
    hold.phases = timings(source, sink, coupling);
    if (coupling::has_filters(coupling)) {
      const int longest = std::max(source.multiple, sink.multiple);
      const MicroSteps steps{source.segments * longest / source.multiple, sink.segments * longest / sink.multiple};
      hold.filtered.emplace(coupling, steps,
                            hold.reading.constant_parts > 0 ? FilteredPath::Sink::stepped : FilteredPath::Sink::signal);
      hold.interval = longest * plan.step;
      hold.phases.clear();
    }
    for (const coupling::SampleTiming& timing : hold.phases)
      hold.receivers.push_back(coupling::make_receiver(coupling, timing));
    hold.fresh = plan.subsystems[static_cast<std::size_t>(wire.to)].feedthrough == system::Feedthrough::fresh;
    holds.push_back(std::move(hold));
  }
  return holds;
}

/// All members side by side at one frequency: y = (G diag(over_step) + D diag(at_end)) u with u = K y, and the
/// excitation beside it, which no hold disturbs.
class ClosedLoop {
 public:
  ClosedLoop(const LinearParts& linear, lti::Matrix excitation) : linear_(linear), excitation_(std::move(excitation)) {
    for (const lti::StateSpace& part : linear.parts) {
      lti::StateSpace dynamic = part;
      dynamic.D.setZero();
      responses_.emplace_back(dynamic, lti::TimeDomain::continuous);
    }
  }

  void move_to(double w) {
    const lti::Matrix& K = linear_.wiring.K;
    G_ = ComplexMatrix::Zero(K.cols(), K.rows());
    D_ = G_;
    for (std::size_t m = 0; m < linear_.parts.size(); ++m) {
      const lti::StateSpace& part = linear_.parts[m];
      if (part.inputs() == 0 || part.outputs() == 0) continue;
      const Eigen::Index row = linear_.wiring.first_output[m], column = linear_.wiring.first_input[m];
      G_.block(row, column, part.outputs(), part.inputs()) = responses_[m].at(w);
      D_.block(row, column, part.outputs(), part.inputs()) = part.D.cast<Complex>();
    }
    ComplexMatrix loop = -(G_ + D_) * K.cast<Complex>();
    loop.diagonal().array() += 1.0;
    inverse_ = lti::solve(loop, ComplexMatrix::Identity(loop.rows(), loop.cols()));
    exact_ = inverse_ * ((G_ + D_) * excitation_.cast<Complex>());
  }

  /// Outputs for each excitation; `factors` hold over_step and at_end of every input.
  ComplexMatrix outputs(const ComplexMatrix& factors) const {
    const ComplexMatrix held =
        G_ * factors.col(0).asDiagonal().toDenseMatrix() + D_ * factors.col(1).asDiagonal().toDenseMatrix();
    ComplexMatrix loop = -held * linear_.wiring.K.cast<Complex>();
    loop.diagonal().array() += 1.0;
    return lti::solve(loop, (G_ + D_) * excitation_.cast<Complex>());
  }

  /// Errors of the outputs if one input alone is held: a change of rank one (Sherman and Morrison).
  ComplexMatrix errors_of_one(Eigen::Index input, const HoldResponse& response) const {
    const ComplexMatrix K = linear_.wiring.K.row(input).cast<Complex>();
    const ComplexMatrix change =
        inverse_ * (G_.col(input) * (response.over_step - 1.0) + D_.col(input) * (response.at_end - 1.0));
    return change * (K * exact_) / (1.0 - (K * change)(0, 0));
  }
  const ComplexMatrix& exact() const { return exact_; }

 private:
  const LinearParts& linear_;
  lti::Matrix excitation_;
  std::vector<lti::FrequencyResponse> responses_;
  ComplexMatrix G_, D_, inverse_, exact_;
};

/// Frequencies of the band: evenly spaced, and closely around every resonance.
std::vector<double> frequencies_in(const Band& band, const std::vector<Complex>& poles) {
  std::vector<double> points;
  constexpr int even = 200;
  const double width = band.to - band.from;
  for (int i = 0; i <= even; ++i) points.push_back(band.from + width * i / even);
  for (const Complex& pole : poles) {
    const double centre = std::abs(pole.imag()) / two_pi, half = std::abs(pole.real()) / two_pi;
    if (pole.imag() <= 0.0 || half > 0.2 * width) continue;
    for (int i = -12; i <= 12; ++i) {
      const double f = centre + half * std::copysign(std::expm1(0.25 * std::abs(i)), static_cast<double>(i));
      if (f > band.from && f < band.to) points.push_back(f);
    }
  }
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  if (points.front() == 0.0) points.front() = 1e-6 * band.to;  // an integrator has no answer to a constant
  return points;
}

/// Integrals over the band of squared errors and squared outputs, by the trapezoidal rule.
class Power {
 public:
  Power(Eigen::Index outputs, std::size_t cases) : output_(outputs), errors_(cases, Eigen::VectorXd::Zero(outputs)) {
    output_.setZero();
  }
  void add(double weight, const ComplexMatrix& exact) { output_ += weight * exact.rowwise().squaredNorm(); }
  void add_error(double weight, std::size_t which, const ComplexMatrix& error) {
    errors_[which] += weight * error.rowwise().squaredNorm();
  }
  double relative(std::size_t which, Eigen::Index output) const {
    return output_(output) > 0.0 ? std::sqrt(errors_[which](output) / output_(output)) : 0.0;
  }
  double worst(std::size_t which) const {
    double largest = 0.0;
    for (Eigen::Index i = 0; i < output_.size(); ++i) largest = std::max(largest, relative(which, i));
    return largest;
  }

 private:
  Eigen::VectorXd output_;
  std::vector<Eigen::VectorXd> errors_;
};

void sort_by_error(std::vector<NamedError>& errors) {
  std::stable_sort(errors.begin(), errors.end(),
                   [](const NamedError& a, const NamedError& b) { return a.error > b.error; });
}

/// Whether a known signal moves anything: what it does to a subsystem that was only probed at its other inputs is not
/// in the model.
bool signals_move(const LinearParts& linear) {
  for (std::size_t m = 0; m < linear.parts.size(); ++m) {
    const lti::StateSpace& part = linear.parts[m];
    for (Eigen::Index i = 0; i < part.inputs(); ++i) {
      const bool answers = !part.B.col(i).isZero(0.0) || !part.D.col(i).isZero(0.0);
      if (answers && !linear.wiring.E.row(linear.wiring.first_input[m] + i).isZero(0.0)) return true;
    }
  }
  return false;
}

/// Known signals where there are any, else every input that is connected.
lti::Matrix excitation_of(const LinearParts& linear, const std::vector<Hold>& holds, std::string& words) {
  if (!linear.wiring.signals.empty() && signals_move(linear)) {
    words = "at the inputs that follow known signals";
    return linear.wiring.E;
  }
  words = "at every connected input";
  lti::Matrix E = lti::Matrix::Zero(linear.wiring.K.rows(), static_cast<Eigen::Index>(holds.size()));
  for (std::size_t i = 0; i < holds.size(); ++i) E(holds[i].input, static_cast<Eigen::Index>(i)) = 1.0;
  return E;
}

/// The prediction on its way through the frequencies.
struct Sweep {
  std::vector<Hold> holds;
  ClosedLoop loop;
  Power power;  ///< case 0: all connections held; 1 + i: connection i alone

  ErrorPoint visit(double f, double weight) {
    loop.move_to(two_pi * f);
    const ComplexMatrix& exact = loop.exact();
    power.add(weight, exact);
    ComplexMatrix all = ComplexMatrix::Ones(inputs, 2);
    ErrorPoint point;
    point.frequency = f;
    for (std::size_t i = 0; i < holds.size(); ++i) {
      const HoldResponse response = holds[i].at(two_pi * f);
      point.of_inputs = std::max(point.of_inputs, std::abs(response.over_step - 1.0));
      all(holds[i].input, 0) = response.over_step;
      all(holds[i].input, 1) = response.at_end;
      power.add_error(weight, 1 + i, loop.errors_of_one(holds[i].input, response));
    }
    const ComplexMatrix error = loop.outputs(all) - exact;
    power.add_error(weight, 0, error);
    for (Eigen::Index row = 0; row < exact.rows(); ++row) {
      const double size = exact.row(row).norm();
      point.of_outputs.push_back(size > 0.0 ? error.row(row).norm() / size : 0.0);
    }
    return point;
  }
  Eigen::Index inputs = 0;
};

}  // namespace

Accuracy predict_accuracy(const coupling::Program& program, const LinearParts& linear, const system::Plan& plan,
                          const Band& band) {
  const assembly::Assembly& assembly = *program.assembly;
  Accuracy result;
  result.band = band;
  for (const assembly::Member& member : assembly.members) {
    for (const system::Port& port : member.outputs) result.output_names.push_back(member.name + "." + port.name);
  }
  std::vector<Hold> holds = holds_of(program, linear, plan);
  const lti::Matrix excitation = excitation_of(linear, holds, result.excitation);
  const std::size_t cases = 1 + holds.size();
  Sweep sweep{std::move(holds), ClosedLoop(linear, excitation), Power(linear.wiring.K.cols(), cases),
              linear.wiring.K.rows()};
  std::vector<Complex> poles;
  if (const auto whole = lti::interconnect(linear.parts, linear.wiring.K, linear.wiring.E))
    poles = lti::eigenvalues(whole->A);
  const std::vector<double> points = frequencies_in(band, poles);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double left = i > 0 ? points[i] - points[i - 1] : 0.0;
    const double right = i + 1 < points.size() ? points[i + 1] - points[i] : 0.0;
    result.curve.push_back(sweep.visit(points[i], points.size() == 1 ? 1.0 : 0.5 * (left + right)));
  }
  for (std::size_t i = 0; i < result.output_names.size(); ++i)
    result.outputs.push_back({result.output_names[i], sweep.power.relative(0, static_cast<Eigen::Index>(i))});
  for (std::size_t i = 0; i < sweep.holds.size(); ++i)
    result.connections.push_back({assembly.sink_name(assembly.wires[i]), sweep.power.worst(1 + i)});
  sort_by_error(result.outputs);
  sort_by_error(result.connections);
  return result;
}

std::optional<Band> band_of_motion(const std::vector<Complex>& poles, double macro_step) {
  double slowest = std::numeric_limits<double>::infinity(), fastest = 0.0;
  for (const Complex& pole : poles) {
    if (pole.imag() <= 1e-9 * std::abs(pole)) continue;
    slowest = std::min(slowest, std::abs(pole) / two_pi);
    fastest = std::max(fastest, std::abs(pole) / two_pi);
  }
  if (fastest == 0.0) return std::nullopt;
  return Band{0.1 * std::min(slowest, 0.5 / macro_step), std::min(1.2 * fastest, 0.5 / macro_step)};
}

}  // namespace seam::analysis

#include "seam/analysis/accuracy.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "seam/analysis/closed_loop.hpp"
#include "seam/analysis/filtered_path.hpp"
#include "seam/coupling/catalog.hpp"
#include "seam/lti/eigenvalues.hpp"
#include "seam/lti/interconnect.hpp"

namespace seam::analysis {
namespace {

using lti::Complex;
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

struct Resonance {
  double centre = 0.0, half_width = 0.0;  ///< Hz
};

/// Evenly, and closely around every resonance.
std::vector<double> points_around(const Band& band, const std::vector<Resonance>& resonances) {
  std::vector<double> points;
  constexpr int even = 200;
  for (int i = 0; i <= even; ++i) points.push_back(band.from + (band.to - band.from) * i / even);
  for (const Resonance& at : resonances) {
    for (int i = -12; i <= 12; ++i) {
      const double f =
          at.centre + at.half_width * std::copysign(std::expm1(0.25 * std::abs(i)), static_cast<double>(i));
      if (f > band.from && f < band.to) points.push_back(f);
    }
  }
  std::sort(points.begin(), points.end());
  return points;
}

/// Frequencies of the band, no two of them closer than the resonances near them ask for: many resonances lie together.
std::vector<double> frequencies_in(const Band& band, const std::vector<Complex>& poles) {
  std::vector<Resonance> resonances;
  for (const Complex& pole : poles) {
    const Resonance one{std::abs(pole.imag()) / two_pi, std::abs(pole.real()) / two_pi};
    if (pole.imag() > 0.0 && one.half_width <= 0.2 * (band.to - band.from)) resonances.push_back(one);
  }
  const auto resolution = [&](double f) {
    double finest = std::numeric_limits<double>::infinity();
    for (const Resonance& at : resonances)
      finest = std::min(finest, 0.05 * std::max(at.half_width, std::abs(f - at.centre)));
    return std::isfinite(finest) ? finest : 0.0;
  };
  std::vector<double> points;
  for (const double f : points_around(band, resonances)) {
    if (points.empty() || f == band.to || f - points.back() > resolution(f)) points.push_back(f);
  }
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
  void add(double weight, const Eigen::VectorXd& squares) { output_ += weight * squares; }
  void add_error(double weight, std::size_t which, const Eigen::VectorXd& squares) {
    errors_[which] += weight * squares;
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
    ErrorPoint point;
    point.frequency = f;
    std::vector<HeldInput> held;
    for (const Hold& hold : holds) {
      held.push_back({hold.input, hold.at(two_pi * f)});
      point.of_inputs = std::max(point.of_inputs, std::abs(held.back().response.over_step - 1.0));
    }
    const LoopErrors found = loop.at(two_pi * f, held);
    const Eigen::VectorXd sizes = found.exact.rowwise().squaredNorm(), errors = found.error.rowwise().squaredNorm();
    power.add(weight, sizes);
    power.add_error(weight, 0, errors);
    for (std::size_t i = 0; i < holds.size(); ++i)
      power.add_error(weight, 1 + i, found.alone.col(static_cast<Eigen::Index>(i)));
    for (Eigen::Index row = 0; row < sizes.size(); ++row)
      point.of_outputs.push_back(sizes(row) > 0.0 ? std::sqrt(errors(row) / sizes(row)) : 0.0);
    return point;
  }
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
  Sweep sweep{std::move(holds), ClosedLoop(linear, excitation), Power(linear.wiring.K.cols(), cases)};
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

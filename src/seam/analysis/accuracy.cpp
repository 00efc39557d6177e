#include "seam/analysis/accuracy.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "seam/analysis/closed_loop.hpp"
#include "seam/analysis/opened_connections.hpp"
#include "seam/analysis/steady_answers.hpp"
#include "seam/base/in_parallel.hpp"

namespace seam::analysis {
namespace {

using lti::Complex;
constexpr double two_pi = 2.0 * std::numbers::pi;

struct Resonance {
  double centre = 0.0, half_width = 0.0;  ///< Hz
};

/// How many frequencies are looked at: of large systems, where each is dear, fewer.
struct Density {
  int even = 200;                                           ///< over the band
  int to_each_side = 12;                                    ///< of a resonance, to the same distance
  double resolution() const { return 0.6 / to_each_side; }  ///< of half widths
};
Density density_for(const LinearParts& linear) {
  const Eigen::Index outputs = linear.wiring.K.cols();
  return outputs <= 30 ? Density{} : outputs <= 100 ? Density{60, 5} : Density{40, 4};
}

/// Evenly, and closely around every resonance.
std::vector<double> points_around(const Band& band, const std::vector<Resonance>& resonances, const Density& density) {
  std::vector<double> points;
  for (int i = 0; i <= density.even; ++i) points.push_back(band.from + (band.to - band.from) * i / density.even);
  for (const Resonance& at : resonances) {
    for (int i = -density.to_each_side; i <= density.to_each_side; ++i) {
      const double f = at.centre + at.half_width * std::copysign(std::expm1(3.0 * std::abs(i) / density.to_each_side),
                                                                 static_cast<double>(i));
      if (f > band.from && f < band.to) points.push_back(f);
    }
  }
  std::sort(points.begin(), points.end());
  return points;
}

/// Frequencies of the band, no two of them closer than the resonances near them ask for: many resonances lie together.
std::vector<double> frequencies_in(const Band& band, const std::vector<Complex>& poles, const Density& density) {
  std::vector<Resonance> resonances;
  for (const Complex& pole : poles) {
    const Resonance one{std::abs(pole.imag()) / two_pi, std::abs(pole.real()) / two_pi};
    if (pole.imag() > 0.0 && one.half_width <= 0.2 * (band.to - band.from)) resonances.push_back(one);
  }
  const auto resolution = [&](double f) {
    double finest = std::numeric_limits<double>::infinity();
    for (const Resonance& at : resonances)
      finest = std::min(finest, density.resolution() * std::max(at.half_width, std::abs(f - at.centre)));
    return std::isfinite(finest) ? finest : 0.0;
  };
  std::vector<double> points;
  for (const double f : points_around(band, resonances, density)) {
    if (points.empty() || f == band.to || f - points.back() > resolution(f)) points.push_back(f);
  }
  points.erase(std::unique(points.begin(), points.end()), points.end());
  if (points.front() == 0.0) points.front() = 1e-6 * band.to;  // an integrator has no answer to a constant
  return points;
}

/// From squares; NaN if there is nothing to compare with.
double relative(double error, double size) {
  return size > 0.0 ? std::sqrt(error / size) : std::numeric_limits<double>::quiet_NaN();
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
  void add(const Power& other) {
    output_ += other.output_;
    for (std::size_t i = 0; i < errors_.size(); ++i) errors_[i] += other.errors_[i];
  }
  double relative(std::size_t which, Eigen::Index output) const {
    return analysis::relative(errors_[which](output), output_(output));
  }
  double worst(std::size_t which) const {
    double largest = std::numeric_limits<double>::quiet_NaN();
    for (Eigen::Index i = 0; i < output_.size(); ++i) largest = std::fmax(largest, relative(which, i));
    return largest;
  }

 private:
  Eigen::VectorXd output_;
  std::vector<Eigen::VectorXd> errors_;
};

void sort_by_error(std::vector<NamedError>& errors) {
  const auto size = [](const NamedError& one) {  // what rounding alone tells apart keeps its order
    return std::isnan(one.error) ? -1.0F : static_cast<float>(one.error);
  };
  std::stable_sort(errors.begin(), errors.end(),
                   [&](const NamedError& a, const NamedError& b) { return size(a) > size(b); });
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

/// What is assumed to move the coupled system.
struct Assumed {
  std::vector<Excitation> excitations;
  lti::Matrix at_inputs;  ///< of the coupled equations; a column an excitation
  Entrance entrance = Entrance::as_known_signals;
  std::string words;
};

/// One excitation a known signal, wherever it goes.
Assumed known_signals(const assembly::Assembly& assembly, const Interconnection& wiring) {
  Assumed result{
      {}, lti::Matrix(wiring.K.rows(), 0), Entrance::as_known_signals, "at the inputs that follow known signals"};
  std::vector<std::pair<int, int>> sources;
  for (const system::Connection& connection : assembly.connections) {
    const auto [from, port] = std::pair(connection.from.subsystem, connection.from.port);
    const assembly::Member& source = assembly.members[static_cast<std::size_t>(from)];
    if (source.signals.empty()) continue;
    const auto number = std::find(sources.begin(), sources.end(), std::pair(from, port)) - sources.begin();
    if (number == result.at_inputs.cols()) {
      sources.emplace_back(from, port);
      result.at_inputs.conservativeResize(Eigen::NoChange, number + 1);
      result.at_inputs.col(number).setZero();
      result.excitations.emplace_back();
      if (source.subsystem) result.excitations.back().places.push_back({from, port, 1.0});  // it is sampled
    }
    const int sink = connection.to.subsystem, input = connection.to.port;
    result.at_inputs(wiring.first_input[static_cast<std::size_t>(sink)] + input, number) = connection.gain;
    if (!source.subsystem)
      result.excitations[static_cast<std::size_t>(number)].places.push_back({sink, input, connection.gain});
  }
  return result;
}

/// Known signals where there are any, else every input that is connected.
Assumed assumed_excitation(const assembly::Assembly& assembly, const LinearParts& linear) {
  if (!linear.wiring.signals.empty() && signals_move(linear)) return known_signals(assembly, linear.wiring);
  Assumed result{{},
                 lti::Matrix::Zero(linear.wiring.K.rows(), static_cast<Eigen::Index>(assembly.wires.size())),
                 Entrance::exactly,
                 "at every connected input"};
  for (const assembly::Wire& wire : assembly.wires) {
    const auto column = static_cast<Eigen::Index>(result.excitations.size());
    result.at_inputs(linear.wiring.first_input[static_cast<std::size_t>(wire.to)] + wire.input, column) = 1.0;
    result.excitations.push_back({{{wire.to, wire.input, 1.0}}});
  }
  return result;
}

/// Points of the trapezoidal rule.
struct Frequency {
  double hertz = 0.0, weight = 0.0;
};

std::vector<Frequency> weighted(const std::vector<double>& points) {
  std::vector<Frequency> result;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double left = i > 0 ? points[i] - points[i - 1] : 0.0;
    const double right = i + 1 < points.size() ? points[i + 1] - points[i] : 0.0;
    result.push_back({points[i], points.size() == 1 ? 1.0 : 0.5 * (left + right)});
  }
  return result;
}

/// Squares of what is wrong with each output, a row of `wrong` an arrival: in the mean over its arrivals and added over
/// all excitations.
Eigen::VectorXd squares_of(const lti::ComplexMatrix& wrong, const SteadyAnswers& answers,
                           const Interconnection& wiring) {
  Eigen::VectorXd sums = Eigen::VectorXd::Zero(wiring.K.cols()), counts = sums;
  for (Eigen::Index row = 0; row < wrong.rows(); ++row) {
    const Arrival& arrival = answers.arrivals()[static_cast<std::size_t>(row)];
    const Eigen::Index output = wiring.first_output[static_cast<std::size_t>(arrival.member)] + arrival.output;
    sums(output) += wrong.row(row).squaredNorm();
    counts(output) += 1.0;
  }
  return sums.cwiseQuotient(counts.cwiseMax(1.0));
}

Eigen::VectorXd squared_errors(const SteadyAnswers& answers, double w, const lti::ComplexMatrix& exact,
                               const Interconnection& wiring) {
  lti::ComplexMatrix wrong = answers.at(w);
  for (Eigen::Index row = 0; row < wrong.rows(); ++row) {
    const Arrival& arrival = answers.arrivals()[static_cast<std::size_t>(row)];
    const Eigen::Index output = wiring.first_output[static_cast<std::size_t>(arrival.member)] + arrival.output;
    wrong.row(row) -= exact.row(output).head(wrong.cols());
  }
  return squares_of(wrong, answers, wiring);
}

/// What the coupling makes of what is assumed to move it, beside what the equations do, and where to look.
struct Prediction {
  Assumed assumed;
  SteadyAnswers answers;
  ClosedLoop loop;
  std::vector<Frequency> frequencies;
};
std::optional<Prediction> prepare(const coupling::Program& program, const LinearParts& linear,
                                  const std::vector<assembly::Wire>& wires, const Motion& motion, std::string& reason) {
  if (program.correction && program.correction->shape.chooses_order) {
    reason = "the corrector chooses the order of its extrapolation while it runs";
    return std::nullopt;
  }
  Assumed assumed = assumed_excitation(*program.assembly, linear);
  auto loop = ClosedLoop::of(linear, assumed.at_inputs, wires);
  if (!loop) {
    reason = "the direct feed-through of the outputs forms a loop without a unique solution";
    return std::nullopt;
  }
  auto answers = SteadyAnswers::find(program, assumed.excitations, assumed.entrance, motion.band.to, reason);
  if (!answers) return std::nullopt;
  std::vector<Complex> poles = answers->poles();  // resonances are not where the equations have them
  poles.insert(poles.end(), motion.poles.begin(), motion.poles.end());
  return Prediction{std::move(assumed), std::move(*answers), std::move(*loop),
                    weighted(frequencies_in(motion.band, poles, density_for(linear)))};
}

/// Visits frequencies on all processors. Those of a part are added up one after another, and then the parts: however
/// many processors there are, the sums are the same.
using Visit = std::function<void(std::size_t frequency, const lti::ComplexMatrix& exact, Power& power)>;
Power sum_over(const Prediction& prediction, const Power& nothing, const Visit& visit) {
  constexpr std::size_t part_size = 8;
  const std::vector<Frequency>& frequencies = prediction.frequencies;
  const Eigen::Index excitations = prediction.assumed.at_inputs.cols();
  std::vector<Power> parts((frequencies.size() + part_size - 1) / part_size, nothing);
  base::in_parallel(parts.size(), [&](std::size_t part) {
    for (std::size_t i = part * part_size; i < std::min((part + 1) * part_size, frequencies.size()); ++i) {
      const lti::ComplexMatrix exact = prediction.loop.at(two_pi * frequencies[i].hertz);
      parts[part].add(frequencies[i].weight, exact.leftCols(excitations).rowwise().squaredNorm());
      visit(i, exact, parts[part]);
    }
  });
  Power sum = nothing;
  for (const Power& part : parts) sum.add(part);
  return sum;
}

/// Names of all outputs, and which of them are known ahead of time: nothing is wrong with those.
struct OutputList {
  std::vector<std::string> names;
  std::vector<std::size_t> signals;
};
OutputList outputs_of(const assembly::Assembly& assembly) {
  OutputList result;
  for (const assembly::Member& member : assembly.members) {
    for (const system::Port& port : member.outputs) {
      if (!member.signals.empty()) result.signals.push_back(result.names.size());
      result.names.push_back(member.name + "." + port.name);
    }
  }
  return result;
}

}  // namespace

std::optional<Accuracy> predict_accuracy(const HeldPlan& held, const LinearParts& linear, const Motion& motion,
                                         std::string& reason) {
  const assembly::Assembly& assembly = *held.program.assembly;
  const auto prediction = prepare(held.program, linear, assembly.wires, motion, reason);
  if (!prediction) return std::nullopt;
  const OutputList outputs = outputs_of(assembly);
  const auto opened = OpenedConnections::of(held.program, held.plan, linear);
  const auto each_alone = opened ? opened->find(motion.band.to) : std::nullopt;
  const std::size_t wires = each_alone ? assembly.wires.size() : 0;
  Accuracy result{motion.band, prediction->assumed.words, {}, {}, {}, outputs.names};
  result.curve.resize(prediction->frequencies.size());
  const auto visit = [&](std::size_t i, const lti::ComplexMatrix& exact, Power& power) {
    const auto [f, weight] = prediction->frequencies[i];
    const Eigen::VectorXd sizes = exact.leftCols(prediction->assumed.at_inputs.cols()).rowwise().squaredNorm();
    const Eigen::VectorXd errors = squared_errors(prediction->answers, two_pi * f, exact, linear.wiring);
    power.add_error(weight, 0, errors);
    ErrorPoint& point = result.curve[i];
    point.frequency = f;
    for (Eigen::Index row = 0; row < sizes.size(); ++row) point.of_outputs.push_back(relative(errors(row), sizes(row)));
    for (const std::size_t known : outputs.signals) point.of_outputs[known] = 0.0;
    if (wires == 0) return;
    const OpenedConnections::Answers each = opened->sorted(*each_alone, each_alone->at(two_pi * f));
    point.of_inputs = (Complex(0.0, two_pi * f) * each.integrals.array() - 1.0).abs().maxCoeff();
    const lti::Matrix alone = prediction->loop.alone(two_pi * f, exact, each.outputs);
    for (std::size_t wire = 0; wire < wires; ++wire)
      power.add_error(weight, 1 + wire, alone.col(static_cast<Eigen::Index>(wire)));
  };
  // case 0: all connections as they are; 1 + i: connection i alone
  const Power power = sum_over(*prediction, Power(linear.wiring.K.cols(), 1 + wires), visit);
  if (std::isnan(power.worst(0))) {
    reason = "nothing that is known of the outputs moves";
    return std::nullopt;
  }
  for (std::size_t i = 0; i < outputs.names.size(); ++i)
    result.outputs.push_back({outputs.names[i], power.relative(0, static_cast<Eigen::Index>(i))});
  for (const std::size_t known : outputs.signals) result.outputs[known].error = 0.0;
  for (std::size_t i = 0; i < wires; ++i)
    result.connections.push_back({assembly.sink_name(assembly.wires[i]), power.worst(1 + i)});
  sort_by_error(result.outputs);
  sort_by_error(result.connections);
  return result;
}

std::optional<double> predict_worst_error(const coupling::Program& program, const LinearParts& linear,
                                          const Motion& motion) {
  std::string unheard;
  const auto prediction = prepare(program, linear, {}, motion, unheard);
  if (!prediction) return std::nullopt;
  const auto visit = [&](std::size_t i, const lti::ComplexMatrix& exact, Power& power) {
    const auto [f, weight] = prediction->frequencies[i];
    power.add_error(weight, 0, squared_errors(prediction->answers, two_pi * f, exact, linear.wiring));
  };
  const double worst = sum_over(*prediction, Power(linear.wiring.K.cols(), 1), visit).worst(0);
  return std::isnan(worst) ? std::nullopt : std::optional(worst);
}

std::optional<double> predict_worst_difference(const coupling::Program& program, const coupling::Program& other,
                                               const LinearParts& linear, const Motion& motion) {
  std::string unheard;
  const auto prediction = prepare(program, linear, {}, motion, unheard);
  if (!prediction) return std::nullopt;
  const Assumed& assumed = prediction->assumed;
  const auto others = SteadyAnswers::find(other, assumed.excitations, assumed.entrance, motion.band.to, unheard);
  if (!others) return std::nullopt;
  const auto visit = [&](std::size_t i, const lti::ComplexMatrix&, Power& power) {
    const double w = two_pi * prediction->frequencies[i].hertz;
    const lti::ComplexMatrix apart = prediction->answers.at(w) - others->at(w);
    power.add_error(prediction->frequencies[i].weight, 0, squares_of(apart, prediction->answers, linear.wiring));
  };
  const double worst = sum_over(*prediction, Power(linear.wiring.K.cols(), 1), visit).worst(0);
  return std::isnan(worst) ? std::nullopt : std::optional(worst);
}

std::optional<Band> band_of_motion(const std::vector<Complex>& poles) {
  // what rounding makes of poles at zero: of two of them an oscillation by its root
  constexpr double rounded_zero = 1e-13, rounded_pair = 1e-7;
  double slowest = std::numeric_limits<double>::infinity(), fastest = 0.0, decay = slowest, largest = 0.0;
  for (const Complex& pole : poles) largest = std::max(largest, std::abs(pole));
  for (const Complex& pole : poles) {
    const double frequency = std::abs(pole) / two_pi;
    if (std::abs(pole) <= (pole.imag() == 0.0 ? rounded_zero : rounded_pair) * largest) continue;
    if (pole.imag() > 1e-9 * std::abs(pole)) {
      slowest = std::min(slowest, frequency);
      fastest = std::max(fastest, frequency);
    } else if (pole.imag() == 0.0 && frequency > 0.0) {
      decay = std::min(decay, frequency);
    }
  }
  if (fastest > 0.0) return Band{0.1 * slowest, 1.2 * fastest};
  if (std::isfinite(decay)) return Band{0.1 * decay, 3.0 * decay};
  return std::nullopt;
}

Band below_nyquist(const Band& band, double macro_step) {
  const double nyquist = 0.5 / macro_step;
  return {std::min(band.from, 0.1 * nyquist), std::min(band.to, nyquist)};
}

}  // namespace seam::analysis

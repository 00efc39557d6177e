#include "seam/analysis/connection_loop.hpp"

#include <cmath>
#include <numbers>
#include <utility>

#include "seam/analysis/transition.hpp"
#include "seam/lti/frequency_response.hpp"

namespace seam::analysis {
namespace {

using Complex = std::complex<double>;
constexpr double pi = std::numbers::pi;

/// Cuts a wire for as long as it lives.
class Cut {
 public:
  Cut(assembly::Assembly& assembly, int wire) : assembly_(assembly), wire_(wire), gain_(std::exchange(gain(), 0.0)) {}
  ~Cut() { gain() = gain_; }
  Cut(const Cut&) = delete;
  Cut& operator=(const Cut&) = delete;

 private:
  double& gain() { return assembly_.wires[static_cast<std::size_t>(wire_)].gain; }  // a start moves the wires

  assembly::Assembly& assembly_;
  int wire_;
  double gain_;
};

std::optional<lti::Matrix> without(assembly::Assembly& assembly, const system::Plan& plan, int wire,
                                   std::string& reason) {
  const Cut cut(assembly, wire);
  base::Problems problems;
  const auto program = coupling::compile(assembly, plan, {.use = coupling::Use::probing}, problems);
  if (!program) {
    reason = problems.text();
    return std::nullopt;
  }
  auto step = transition(*program, coupling::start(*program), reason);
  if (!step) return std::nullopt;
  return std::move(step->matrix);
}

/// The loop over the angle of a sample, with what margins look for.
class Curve {
 public:
  explicit Curve(const lti::StateSpace& loop) : response_(loop, lti::TimeDomain::discrete) {}
  Complex at(double angle) const { return response_.at(angle)(0, 0); }

  /// Where `quantity` of L changes its sign between two angles that it does so between.
  template <class Quantity>
  double passage(double low, double high, const Quantity& quantity) const {
    const bool rising = quantity(at(low)) < 0.0;
    for (int i = 0; i < 60 && high - low > 1e-13 * high; ++i) {
      const double middle = 0.5 * (low + high);
      ((quantity(at(middle)) < 0.0) == rising ? low : high) = middle;
    }
    return 0.5 * (low + high);
  }

 private:
  lti::FrequencyResponse response_;
};

/// Angles at which the loop is looked at: by decades towards 0, evenly towards pi.
std::vector<double> angles() {
  std::vector<double> result;
  for (int i = 0; i < 400; ++i) result.push_back(pi * 1e-5 * std::pow(1e4, i / 400.0));
  for (int i = 0; i <= 1600; ++i) result.push_back(pi * (0.1 + 0.9 * i / 1600.0));
  return result;
}

double hertz(double angle, double period) { return angle / (2.0 * pi * period); }

void note_gain(double value, double angle, double period, Margins& margins) {
  if (!(value > 0.0)) return;
  const double factor = 1.0 / value;
  if (factor > 1.0 && (!margins.gain_up || factor < *margins.gain_up)) {
    margins.gain_up = factor;
    margins.gain_up_frequency = hertz(angle, period);
  }
  if (factor < 1.0 && (!margins.gain_down || factor > *margins.gain_down)) {
    margins.gain_down = factor;
    margins.gain_down_frequency = hertz(angle, period);
  }
}

void note_delay(Complex value, double angle, double period, Margins& margins) {
  double turn = std::arg(value);  // by how much L may still turn until it points at +1
  if (turn <= 0.0) turn += 2.0 * pi;
  const double delay = turn / angle * period;
  if (margins.delay && delay >= *margins.delay) return;
  margins.delay = delay;
  margins.delay_frequency = hertz(angle, period);
}

}  // namespace

std::optional<ConnectionLoop> open_connection(assembly::Assembly& assembly, const system::Plan& plan, int wire,
                                              const lti::Matrix& whole, std::string& reason) {
  if (!plan.corrector.name.empty()) {
    reason = "a corrector knows the gain of every connection, so one of them alone cannot change";
    return std::nullopt;
  }
  const auto cut = without(assembly, plan, wire, reason);
  if (!cut) return std::nullopt;
  const assembly::Wire& ends = assembly.wires[static_cast<std::size_t>(wire)];
  ConnectionLoop result;
  result.wire = wire;
  result.connection = assembly.source_name(ends) + " -> " + assembly.sink_name(ends);
  result.period = plan.step;
  for (const system::SubsystemPlan& subsystem : plan.subsystems)  // all steps are multiples of one another
    result.period = std::max(result.period, subsystem.multiple * plan.step);
  result.through = whole - *cut;
  Eigen::Index row = 0;
  const double largest = result.through.rowwise().norm().maxCoeff(&row);
  if (largest == 0.0) {
    reason = "nothing goes through " + result.connection;
    return std::nullopt;
  }
  // One sample a period: the step is M0 + b c, b where the sample goes, c where it comes from.
  const lti::Matrix c = result.through.row(row);
  const lti::Matrix b = result.through * c.transpose() / c.squaredNorm();
  if ((result.through - b * c).norm() > 1e-9 * result.through.norm()) {
    reason = result.connection + " brings several samples in a period";
    return std::nullopt;
  }
  result.loop = {*cut, b, c, lti::Matrix::Zero(1, 1)};
  return result;
}

Margins margins(const ConnectionLoop& loop) {
  const Curve curve(loop.loop);
  Margins result;
  const auto imaginary = [](Complex value) { return value.imag(); };
  const auto beyond_one = [](Complex value) { return std::norm(value) - 1.0; };
  const std::vector<double> points = angles();
  double before = points.front();
  Complex value_before = curve.at(before);
  if (const Complex still = curve.at(0.0); std::abs(still) < 1e9)  // not on a pole of the open loop
    note_gain(still.real(), 0.0, loop.period, result);
  for (const double angle : points) {
    const Complex value = curve.at(angle);
    if (value.imag() * value_before.imag() < 0.0) {
      const double at = curve.passage(before, angle, imaginary);
      note_gain(curve.at(at).real(), at, loop.period, result);
    }
    if (beyond_one(value) * beyond_one(value_before) < 0.0) {
      const double at = curve.passage(before, angle, beyond_one);
      note_delay(curve.at(at), at, loop.period, result);
    }
    before = angle;
    value_before = value;
  }
  note_gain(value_before.real(), pi, loop.period, result);
  return result;
}

std::vector<NyquistPoint> nyquist_curve(const ConnectionLoop& loop, int points) {
  const Curve curve(loop.loop);
  std::vector<NyquistPoint> result;
  for (int i = 0; i < points; ++i) {
    const double angle = pi * std::pow(10.0, -3.0 + 3.0 * i / (points - 1.0));
    result.push_back({hertz(angle, loop.period), curve.at(angle)});
  }
  return result;
}

}  // namespace seam::analysis

#include "seam/analysis/connection_loop.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <numeric>
#include <utility>

#include "seam/analysis/transition.hpp"
#include "seam/lti/modes.hpp"

namespace seam::analysis {
namespace {

using Complex = std::complex<double>;
constexpr double pi = std::numbers::pi;

/// Cuts wires for as long as it lives.
class Cut {
 public:
  Cut(assembly::Assembly& assembly, const std::vector<std::size_t>& wires) : assembly_(assembly) {
    for (const std::size_t wire : wires) gains_.emplace_back(wire, std::exchange(assembly_.wires[wire].gain, 0.0));
  }
  ~Cut() {
    for (const auto& [wire, gain] : gains_) assembly_.wires[wire].gain = gain;  // by number: a start moves the wires
  }
  Cut(const Cut&) = delete;
  Cut& operator=(const Cut&) = delete;

 private:
  assembly::Assembly& assembly_;
  std::vector<std::pair<std::size_t, double>> gains_;
};

/// What each wire adds to the step: rows of a matrix.
struct Through {
  std::vector<Eigen::Index> rows;  ///< those that are not zero
  lti::Matrix values;
};

/// Takes wires out of the step.
class Opener {
 public:
  Opener(assembly::Assembly& assembly, const system::Plan& plan, const lti::Matrix& whole)
      : assembly_(assembly), plan_(plan), whole_(whole), sizes_(whole.rowwise().norm()) {}

  /// What goes through these wires together; none, with the reason, if the step without them is not known.
  std::optional<lti::Matrix> through(const std::vector<std::size_t>& wires, std::string& reason) const {
    const Cut cut(assembly_, wires);
    base::Problems problems;
    coupling::CompileOptions options;
    options.use = coupling::Use::probing;
    const auto program = coupling::compile(assembly_, plan_, options, problems);
    if (!program) {
      reason = problems.text();
      return std::nullopt;
    }
    const auto step = transition(*program, coupling::start(*program), reason);
    if (!step) return std::nullopt;
    return whole_ - step->matrix;
  }

  Through rows_of(const lti::Matrix& all, const std::vector<Eigen::Index>& rows) const {
    Through result{rows, lti::Matrix(static_cast<Eigen::Index>(rows.size()), all.cols())};
    for (std::size_t i = 0; i < rows.size(); ++i) result.values.row(static_cast<Eigen::Index>(i)) = all.row(rows[i]);
    return result;
  }

  /// Few cuts for many wires, where every row of the step is fed by one wire at most: each cut takes those whose number
  /// has, or has not, a certain binary digit. None if some row is fed by several, as under Gauss-Seidel.
  std::optional<std::vector<Through>> all_at_once() const;

 private:
  enum class Share { none, all, part };
  Share share(const lti::Matrix& some, const lti::Matrix& all, Eigen::Index row) const {
    const double rounding = 1e-12 * sizes_(row);
    if (some.row(row).norm() <= rounding) return Share::none;
    return (some.row(row) - all.row(row)).norm() <= rounding ? Share::all : Share::part;
  }

  assembly::Assembly& assembly_;
  const system::Plan& plan_;
  const lti::Matrix& whole_;
  lti::Vector sizes_;
};

std::optional<std::vector<Through>> Opener::all_at_once() const {
  const std::size_t count = assembly_.wires.size();
  std::vector<std::size_t> wires(count);
  std::iota(wires.begin(), wires.end(), std::size_t{0});
  std::string unheard;
  const auto all = through(wires, unheard);
  if (!all) return std::nullopt;
  std::vector<Eigen::Index> fed;
  for (Eigen::Index row = 0; row < all->rows(); ++row) {
    if (share(*all, *all, row) == Share::all) fed.push_back(row);
  }
  std::vector<std::size_t> feeders(fed.size(), 0);
  for (std::size_t digit = 1; digit < count; digit *= 2) {
    for (const bool has : {true, false}) {
      std::vector<std::size_t> taken;
      std::copy_if(wires.begin(), wires.end(), std::back_inserter(taken),
                   [&](std::size_t wire) { return ((wire & digit) != 0) == has; });
      const auto some = through(taken, unheard);
      if (!some) return std::nullopt;
      for (std::size_t i = 0; i < fed.size(); ++i) {
        const Share found = share(*some, *all, fed[i]);
        if (has && found == Share::all) feeders[i] |= digit;
        if (found != (((feeders[i] & digit) != 0) == has ? Share::all : Share::none)) return std::nullopt;
      }
    }
  }
  std::vector<std::vector<Eigen::Index>> rows(count);
  for (std::size_t i = 0; i < fed.size(); ++i) {
    if (feeders[i] >= count) return std::nullopt;
    rows[feeders[i]].push_back(fed[i]);
  }
  std::vector<Through> result;
  for (const auto& own : rows) result.push_back(rows_of(*all, own));
  return result;
}

/// One sample a period: what goes through is b c, b where the sample goes, c where it comes from.
void factor(const Through& through, Eigen::Index size, ConnectionLoop& loop) {
  Eigen::Index row = 0;
  const double largest = through.rows.empty() ? 0.0 : through.values.rowwise().norm().maxCoeff(&row);
  if (largest == 0.0) {
    loop.reason = "nothing goes through " + loop.connection;
    return;
  }
  loop.from = through.values.row(row).transpose();
  const lti::Vector b = through.values * loop.from / loop.from.squaredNorm();
  if ((through.values - b * loop.from.transpose()).norm() > 1e-9 * through.values.norm()) {
    loop.reason = loop.connection + " brings several samples in a period";
    return;
  }
  loop.into = lti::Vector::Zero(size);
  for (std::size_t i = 0; i < through.rows.size(); ++i) loop.into(through.rows[i]) = b(static_cast<Eigen::Index>(i));
}

/// Where `quantity` of L changes its sign between two angles that it does so between.
template <class Quantity>
double passage(const LoopCurve& curve, double low, double high, const Quantity& quantity) {
  const bool rising = quantity(curve(low)) < 0.0;
  for (int i = 0; i < 60 && high - low > 1e-13 * high; ++i) {
    const double middle = 0.5 * (low + high);
    ((quantity(curve(middle)) < 0.0) == rising ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

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

/// Without modes that stand still and that the connection neither moves nor sees: at rest only rounding would be left
/// of them, divided by nothing. Their vectors are any basis, so their parts count together.
lti::ModalSystem without_unseen_rest(lti::ModalSystem one) {
  const auto stands = [&](Eigen::Index i) { return std::abs(one.poles(i) - 1.0) <= 1e-9; };
  Complex at_rest{};
  double largest = 0.0;
  for (Eigen::Index i = 0; i < one.poles.size(); ++i) {
    const Complex part = one.C(0, i) * one.B(i, 0);
    if (stands(i)) at_rest += part;
    largest = std::max(largest, std::abs(part));
  }
  for (Eigen::Index i = 0; i < one.poles.size() && std::abs(at_rest) <= 1e-9 * largest; ++i) {
    if (stands(i)) one.B(i, 0) = 0.0;
  }
  return one;
}

}  // namespace

std::vector<ConnectionLoop> open_connections(assembly::Assembly& assembly, const system::Plan& plan,
                                             const lti::Matrix& whole) {
  double period = plan.step;
  for (const system::SubsystemPlan& subsystem : plan.subsystems)  // all steps are multiples of one another
    period = std::max(period, subsystem.multiple * plan.step);
  const Opener opener(assembly, plan, whole);
  const bool corrected = !plan.corrector.name.empty();
  constexpr std::size_t few = 12;  // wires that are not cut more often one by one
  std::optional<std::vector<Through>> known;
  if (!corrected && assembly.wires.size() > few) known = opener.all_at_once();
  std::vector<Eigen::Index> every(static_cast<std::size_t>(whole.rows()));
  std::iota(every.begin(), every.end(), Eigen::Index{0});
  std::vector<ConnectionLoop> result;
  for (std::size_t wire = 0; wire < assembly.wires.size(); ++wire) {
    const assembly::Wire ends = assembly.wires[wire];
    ConnectionLoop loop{assembly.source_name(ends) + " -> " + assembly.sink_name(ends), period, {}, {}, {}};
    if (corrected) {
      loop.reason = "a corrector knows the gain of every connection, so one of them alone cannot change";
    } else if (known) {
      factor((*known)[wire], whole.rows(), loop);
    } else if (const auto through = opener.through({wire}, loop.reason)) {
      factor({every, *through}, whole.rows(), loop);
    }
    result.push_back(std::move(loop));
  }
  return result;
}

lti::StateSpace ConnectionLoop::loop(const lti::Matrix& whole) const {
  lti::Matrix without = whole;
  for (Eigen::Index row = 0; row < into.size(); ++row) {
    if (into(row) == 0.0) continue;
    for (Eigen::Index column = 0; column < from.size(); ++column) {
      const double through = into(row) * from(column), left = whole(row, column) - through;
      // Rounding in the place of a zero would be balanced against whole columns.
      without(row, column) = std::abs(left) <= 1e-14 * std::abs(through) ? 0.0 : left;
    }
  }
  return {without, into, from.transpose(), lti::Matrix::Zero(1, 1)};
}

LoopCurve curve_of(const lti::StateSpace& loop) {
  const auto response = std::make_shared<lti::FrequencyResponse>(loop, lti::TimeDomain::discrete);
  return [response](double angle) { return response->at(angle)(0, 0); };
}

// With the connection closed, from^T (z I - M)^-1 into = G, and L = G/(1 + G): one set of modes serves all connections.
std::vector<LoopCurve> curves_of(const std::vector<ConnectionLoop>& loops, const lti::Matrix& whole) {
  constexpr Eigen::Index large = 60;
  constexpr double faded = 0.3;
  std::vector<LoopCurve> result;
  const auto count = static_cast<Eigen::Index>(loops.size());
  std::optional<lti::ModalSystem> modes;
  if (whole.rows() >= large) {
    lti::StateSpace all{whole, lti::Matrix(whole.rows(), count), lti::Matrix(count, whole.rows()),
                        lti::Matrix::Zero(count, count)};
    for (Eigen::Index i = 0; i < count; ++i) {
      all.B.col(i) = loops[static_cast<std::size_t>(i)].into;
      all.C.row(i) = loops[static_cast<std::size_t>(i)].from.transpose();
    }
    modes = lti::modal_system(all, faded);
  }
  for (Eigen::Index i = 0; i < count; ++i) {
    if (!modes) {
      result.push_back(curve_of(loops[static_cast<std::size_t>(i)].loop(whole)));
      continue;
    }
    result.push_back([own = without_unseen_rest(modes->part({i}, {i}))](double angle) {
      return 1.0 - 1.0 / (1.0 + own.at(std::polar(1.0, angle))(0, 0));
    });
  }
  return result;
}

Margins margins(const LoopCurve& curve, double period) {
  Margins result;
  const auto imaginary = [](Complex value) { return value.imag(); };
  const auto beyond_one = [](Complex value) { return std::norm(value) - 1.0; };
  const std::vector<double> points = angles();
  double before = points.front();
  Complex value_before = curve(before);
  if (const Complex still = curve(0.0); std::abs(still) < 1e9)  // not on a pole of the open loop
    note_gain(still.real(), 0.0, period, result);
  for (const double angle : points) {
    const Complex value = curve(angle);
    if (value.imag() * value_before.imag() < 0.0) {
      const double at = passage(curve, before, angle, imaginary);
      note_gain(curve(at).real(), at, period, result);
    }
    if (beyond_one(value) * beyond_one(value_before) < 0.0) {
      const double at = passage(curve, before, angle, beyond_one);
      note_delay(curve(at), at, period, result);
    }
    before = angle;
    value_before = value;
  }
  note_gain(value_before.real(), pi, period, result);
  return result;
}

std::vector<NyquistPoint> nyquist_curve(const LoopCurve& curve, double period, int points) {
  std::vector<NyquistPoint> result;
  for (int i = 0; i < points; ++i) {
    const double angle = pi * std::pow(10.0, -3.0 + 3.0 * i / (points - 1.0));
    result.push_back({hertz(angle, period), curve(angle)});
  }
  return result;
}

}  // namespace seam::analysis

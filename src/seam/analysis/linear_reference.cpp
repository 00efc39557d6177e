#include "seam/analysis/linear_reference.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "seam/lti/balance.hpp"
#include "seam/lti/exponential.hpp"

namespace seam::analysis {
namespace {

// Gauss-Legendre on [0, 1]: exact for polynomials of degree 11.
constexpr std::array<double, 6> node = {0.033765242898423986, 0.16939530676686774, 0.38069040695840155,
                                        0.61930959304159845,  0.83060469323313226, 0.96623475710157601};
constexpr std::array<double, 6> weight = {0.085662246189585173, 0.18038078652406930, 0.23395696728634552,
                                          0.23395696728634552,  0.18038078652406930, 0.085662246189585173};

}  // namespace

LinearReference::LinearReference(const assembly::Assembly& assembly, Interconnection wiring, lti::StateSpace system,
                                 lti::Vector x0, double t0)
    : assembly_(assembly), wiring_(std::move(wiring)), system_(std::move(system)), x_(std::move(x0)), t_(t0) {
  if (system_.states() > 0) speed_ = lti::balance(system_.A).matrix.cwiseAbs().rowwise().sum().maxCoeff();
  for (const assembly::Member& member : assembly_.members) {
    ports_.inputs.emplace_back(member.inputs.size());
    ports_.outputs.emplace_back(member.outputs.size());
  }
  write_ports();
}

/// w: the known signals, then the 1 that carries constants.
lti::Vector LinearReference::signals_at(double t) const {
  lti::Vector w(system_.inputs());
  for (std::size_t i = 0; i < wiring_.signals.size(); ++i) {
    const assembly::Drive& drive = wiring_.signals[i];
    w(static_cast<Eigen::Index>(i)) = drive.factor * drive.signal->at(t) + drive.offset;
  }
  w(w.size() - 1) = 1.0;
  return w;
}

LinearReference::Step LinearReference::make_step(double length) const {
  Step step{length, lti::exponential(system_.A * length), {}};
  for (std::size_t i = 0; i < node.size(); ++i) {
    step.node.push_back(weight[i] * length * lti::exponential(system_.A * (length * (1.0 - node[i]))) * system_.B);
  }
  return step;
}

const LinearReference::Step& LinearReference::step_of(double length) {
  for (const Step& known : steps_) {
    if (std::abs(known.length - length) <= 1e-12 * length) return known;
  }
  constexpr std::size_t most = 8;  // the grid's own step and a few beside corners
  if (steps_.size() >= most) steps_.pop_back();
  steps_.push_back(make_step(length));
  return steps_.back();
}

/// No signal has a corner inside. Parts are short against the fastest time constant, so that Gauss' rule sees a smooth
/// integrand.
void LinearReference::advance_smooth(double from, double to) {
  const double wanted = std::ceil(speed_ * (to - from));
  const int parts = static_cast<int>(std::clamp(wanted, 4.0, 1e5));
  const Step& step = step_of((to - from) / parts);
  for (int part = 0; part < parts; ++part) {
    const double begin = from + (to - from) * part / parts;
    lti::Vector next = step.Ad * x_;
    for (std::size_t i = 0; i < node.size(); ++i) next += step.node[i] * signals_at(begin + node[i] * step.length);
    x_ = next;
  }
}

void LinearReference::advance_to(double t) {
  const double tiny = 1e-12 * std::max(std::abs(t), t - t_);
  while (t - t_ > tiny) {
    double corner = std::numeric_limits<double>::infinity();
    for (const assembly::Drive& drive : wiring_.signals)
      corner = std::min(corner, drive.signal->next_corner(t_ + tiny));
    const double until = corner < t - tiny ? corner : t;
    advance_smooth(t_, until);
    t_ = until;
  }
  t_ = t;
  write_ports();
}

void LinearReference::write_ports() {
  const lti::Vector w = signals_at(t_);
  const lti::Vector y = system_.C * x_ + system_.D * w;
  const lti::Vector u = wiring_.K * y + wiring_.E * w.head(wiring_.E.cols()) + wiring_.constant;
  for (std::size_t m = 0; m < assembly_.members.size(); ++m) {
    const assembly::Member& member = assembly_.members[m];
    for (std::size_t i = 0; i < member.inputs.size(); ++i)
      ports_.inputs[m][i] = u(wiring_.first_input[m] + static_cast<int>(i));
    for (std::size_t i = 0; i < member.outputs.size(); ++i) {
      ports_.outputs[m][i] =
          member.signals.empty() ? y(wiring_.first_output[m] + static_cast<int>(i)) : member.signals[i]->at(t_);
    }
  }
}

}  // namespace seam::analysis

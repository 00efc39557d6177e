#include "seam/analysis/monolithic_ode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "seam/base/error.hpp"
#include "seam/lti/solve.hpp"

namespace seam::analysis {

using ode::In;
using ode::Out;

MonolithicOde::MonolithicOde(const assembly::Assembly& assembly, Interconnection wiring,
                             std::vector<const ode::Ode*> equations)
    : assembly_(assembly),
      wiring_(std::move(wiring)),
      equations_(std::move(equations)),
      u_(wiring_.constant),
      y_(lti::Vector::Zero(wiring_.K.cols())) {
  for (const ode::Ode* own : equations_) {
    first_state_.push_back(states_);
    if (own) states_ += own->sizes().states;
  }
}

ode::Ode::Sizes MonolithicOde::sizes() const {
  return {states_, static_cast<int>(wiring_.signals.size()), static_cast<int>(wiring_.K.cols())};
}

In MonolithicOde::states_of(std::size_t member, In x) const {
  return x.subspan(static_cast<std::size_t>(first_state_[member]),
                   static_cast<std::size_t>(equations_[member]->sizes().states));
}

In MonolithicOde::inputs_of(std::size_t member) const {
  return {u_.data() + wiring_.first_input[member], assembly_.members[member].inputs.size()};
}

void MonolithicOde::evaluate(double t, In x) const {
  for (std::size_t m = 0; m < assembly_.members.size(); ++m) {
    const assembly::Member& member = assembly_.members[m];
    if (!equations_[m]) continue;
    equations_[m]->outputs(t, states_of(m, x), inputs_of(m),
                           {y_.data() + wiring_.first_output[m], member.outputs.size()});
  }
}

/// For loops of direct feed-through: u - K g(u) - from_signals = 0, Jacobian by differences.
void MonolithicOde::newton(double t, In x, const lti::Vector& from_signals) const {
  constexpr int most_iterations = 50;
  const auto residual = [&] {
    evaluate(t, x);
    return lti::Vector(u_ - wiring_.K * y_ - from_signals);
  };
  lti::Vector r = residual();
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    lti::Matrix jacobian(u_.size(), u_.size());
    for (Eigen::Index i = 0; i < u_.size(); ++i) {
      const double kept = u_(i);
      const double delta = 1e-7 * std::max(1.0, std::abs(kept));
      u_(i) = kept + delta;
      jacobian.col(i) = (residual() - r) / delta;
      u_(i) = kept;
    }
    const auto change = lti::solve(jacobian, r);
    if (!change) break;
    u_ -= *change;
    r = residual();
    if (change->cwiseAbs().maxCoeff() <= 1e-13 * std::max(1.0, u_.cwiseAbs().maxCoeff())) return;
  }
  if (r.cwiseAbs().maxCoeff() <= 1e-9 * std::max(1.0, u_.cwiseAbs().maxCoeff())) return;
  throw base::Error(base::Failure::subsystem,
                    fmt::format("the loop of direct feed-through has no solution at t = {} s", t));
}

const lti::Vector& MonolithicOde::inputs_at(double t, In x, In w) const {
  lti::Vector from_signals = wiring_.constant;
  for (std::size_t s = 0; s < wiring_.signals.size(); ++s) from_signals(wiring_.signals[s].input) += w[s];
  // Without a loop, values travel through at most as many members as there are.
  for (std::size_t sweep = 0; sweep <= assembly_.members.size(); ++sweep) {
    evaluate(t, x);
    const lti::Vector next = wiring_.K * y_ + from_signals;
    const bool settled = next == u_;
    u_ = next;
    if (settled) return u_;
  }
  newton(t, x, from_signals);
  return u_;
}

void MonolithicOde::derivatives(double t, In x, In w, Out dx) const {
  inputs_at(t, x, w);
  for (std::size_t m = 0; m < assembly_.members.size(); ++m) {
    if (!equations_[m]) continue;
    equations_[m]->derivatives(
        t, states_of(m, x), inputs_of(m),
        dx.subspan(static_cast<std::size_t>(first_state_[m]), static_cast<std::size_t>(equations_[m]->sizes().states)));
  }
}

void MonolithicOde::outputs(double t, In x, In w, Out y) const {
  inputs_at(t, x, w);
  evaluate(t, x);
  std::copy_n(y_.data(), y_.size(), y.begin());
}

bool MonolithicOde::hold(std::size_t member, int input, double value) {
  double& kept = wiring_.constant(wiring_.first_input[member] + input);
  const bool changed = kept != value;
  kept = value;
  return changed;
}

void MonolithicOde::write_ports(double t, In y, assembly::PortValues& ports) const {
  for (std::size_t m = 0; m < assembly_.members.size(); ++m) {
    const assembly::Member& member = assembly_.members[m];
    const In u = inputs_of(m);
    std::copy(u.begin(), u.end(), ports.inputs[m].begin());
    for (std::size_t i = 0; i < member.outputs.size(); ++i) {
      ports.outputs[m][i] =
          member.signals.empty() ? y[static_cast<std::size_t>(wiring_.first_output[m]) + i] : member.signals[i]->at(t);
    }
  }
}

}  // namespace seam::analysis

#include "support/random_coupling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "seam/lti/eigenvalues.hpp"

namespace seam::testing {
namespace {

constexpr int inputs = 2, outputs = 3, fmu_states = 4;

lti::StateSpace silent(int states) {
  return {lti::Matrix::Zero(states, states), lti::Matrix::Zero(states, inputs), lti::Matrix::Zero(outputs, states),
          lti::Matrix::Zero(outputs, inputs)};
}

/// A mass whose displacement and velocity are y2 and y3.
lti::StateSpace moving_mass(double m, double k, double d, int states = 2) {
  lti::StateSpace mass = silent(states);
  mass.A(0, 1) = 1.0;
  mass.A(1, 0) = -k / m;
  mass.A(1, 1) = -d / m;
  mass.C(1, 0) = mass.C(2, 1) = 1.0;
  return mass;
}

std::string rows(const lti::Matrix& matrix) {
  std::string text = "[";
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    text += i ? ", [" : "[";
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) text += fmt::format("{}{:.17g}", j ? ", " : "", matrix(i, j));
    text += "]";
  }
  return text + "]";
}

/// "A11: 1, A12: 2, …", with zeros up to the size that the FMU has.
std::string entries(const char* name, const lti::Matrix& matrix, int height, int width) {
  std::string text;
  for (int i = 0; i < height; ++i) {
    for (int j = 0; j < width; ++j) {
      const bool there = i < matrix.rows() && j < matrix.cols();
      text +=
          fmt::format("{}{}{}{}: {:.17g}", text.empty() ? "" : ", ", name, i + 1, j + 1, there ? matrix(i, j) : 0.0);
    }
  }
  return text;
}

std::string link(const std::string& from, const std::string& to, double gain = 1.0) {
  return fmt::format("{{from: {}, to: {}, gain: {:.17g}}}", from, to, gain);
}

bool is_fed(const RandomCoupling& coupling, const std::string& input) {
  return std::any_of(coupling.connections.begin(), coupling.connections.end(),
                     [&](const std::string& text) { return text.find("to: " + input) != std::string::npos; });
}

std::string system_text(const RandomCoupling& coupling, const std::string& subsystems) {
  std::string text = "seam: 1\nsubsystems:\n" + subsystems + "connections:\n";
  for (const std::string& connection : coupling.connections) text += "  - " + connection + "\n";
  return text + fmt::format("experiment: {{stop: {0:.17g}}}\nplan: {{step: {1:.17g}, coupling: {2}, schedule: {3}}}\n",
                            1000.0 * coupling.step, coupling.step, coupling.coupling, coupling.schedule);
}

}  // namespace

const char* word(CouplingKind kind) {
  switch (kind) {
    case CouplingKind::force_displacement:
      return "force-displacement";
    case CouplingKind::displacement:
      return "displacement-displacement";
    case CouplingKind::velocity:
      return "velocity";
    case CouplingKind::control:
      return "control loops";
    case CouplingKind::filters:
      break;
  }
  return "filters";
}

std::string RandomCoupling::native(Solver solver) const {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const lti::StateSpace& part = parts[i];
    const bool one = !is_fed(*this, fmt::format("p{}.u2", i));  // a native input must be connected
    text += fmt::format(
        "  p{}: {{model: state-space, {}set: {{A: {}, B: {}, C: {}, D: {}, inputs: [{}], outputs: [y1, y2, y3]}}}}\n",
        i, solver == Solver::exact ? "" : "solver: rk4, input_signal: stepped, ", rows(part.A),
        rows(part.B.leftCols(one ? 1 : 2)), rows(part.C), rows(part.D.leftCols(one ? 1 : 2)), one ? "u1" : "u1, u2");
  }
  return system_text(*this, text);
}

std::string RandomCoupling::of_fmus(const std::vector<std::string>& files) const {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const lti::StateSpace& part = parts[i];
    text += fmt::format("  p{}: {{fmu: {}, set: {{{}, {}, {}, {}}}}}\n", i, files[i],
                        entries("A", part.A, fmu_states, fmu_states), entries("B", part.B, fmu_states, inputs),
                        entries("C", part.C, outputs, fmu_states), entries("D", part.D, 1, inputs));
  }
  return system_text(*this, text);
}

double RandomCouplings::spread(double low, double high) { return std::exp(uniform(std::log(low), std::log(high))); }

RandomCouplings::Spring RandomCouplings::spring() {
  const double k = spread(1.0, 100.0);
  return {k, k * spread(1e-3, 1e-1)};
}

RandomCouplings::Spring RandomCouplings::ground() { return {spread(1.0, 100.0), spread(0.01, 1.0)}; }

lti::StateSpace RandomCouplings::mass(int forces) {
  const double m = spread(0.05, 2.0);
  Spring own = ground();
  if (chance(0.2)) own.k = 0.0;
  lti::StateSpace result = moving_mass(m, own.k, own.d);
  for (int i = 0; i < forces; ++i) result.B(1, i) = 1.0 / m;
  return result;
}

/// Takes the displacement of every partner, and its velocity, too, if there is only one.
lti::StateSpace RandomCouplings::mass_on_springs(const std::vector<Spring>& couplings) {
  const double m = spread(0.05, 2.0);
  const Spring own = ground();
  double k = own.k, d = own.d;
  for (const Spring& coupling : couplings) {
    k += coupling.k;
    d += coupling.d;
  }
  lti::StateSpace result = moving_mass(m, k, d);
  for (std::size_t i = 0; i < couplings.size(); ++i) result.B(1, static_cast<Eigen::Index>(i)) = couplings[i].k / m;
  if (couplings.size() == 1) result.B(1, 1) = couplings.front().d / m;
  return result;
}

/// F = k (x - u1) + d (v - u2) is y1.
lti::StateSpace RandomCouplings::owner_of_spring() {
  const Spring coupling = spring();
  lti::StateSpace result = mass_on_springs({coupling});
  result.C(0, 0) = coupling.k;
  result.C(0, 1) = coupling.d;
  result.D(0, 0) = -coupling.k;
  result.D(0, 1) = -coupling.d;
  return result;
}

/// The same, but the partner's displacement is integrated from its velocity u1.
lti::StateSpace RandomCouplings::owner_by_velocity() {
  const double m = spread(0.05, 2.0);
  const Spring own = ground(), coupling = spring();
  lti::StateSpace result = moving_mass(m, own.k + coupling.k, own.d + coupling.d, 3);
  result.A(1, 2) = coupling.k / m;
  result.B(1, 0) = coupling.d / m;
  result.B(2, 0) = 1.0;
  result.C.row(0) << coupling.k, coupling.d, -coupling.k;
  result.D(0, 0) = -coupling.d;
  return result;
}

/// A spring and damper between the velocities u1 and u2.
lti::StateSpace RandomCouplings::spring_by_velocities() {
  const Spring coupling = spring();
  lti::StateSpace result = silent(1);
  result.B << 1.0, -1.0;
  result.C(0, 0) = coupling.k;
  result.D.row(0) << coupling.d, -coupling.d;
  return result;
}

/// PID with a filtered derivative; u1 is the deviation.
lti::StateSpace RandomCouplings::controller() {
  const double kp = spread(0.3, 30.0), ki = spread(0.1, 10.0);
  const double kd = chance(0.6) ? spread(0.03, 1.0) : 0.0, filter_time = spread(0.02, 0.2);
  lti::StateSpace result = silent(2);
  result.B(0, 0) = 1.0;
  result.A(1, 1) = -1.0 / filter_time;
  result.B(1, 0) = 1.0 / filter_time;
  result.C.row(0) << ki, -kd / filter_time;
  result.D(0, 0) = kp + kd / filter_time;
  return result;
}

/// Low pass of first or second order with its output at y2.
lti::StateSpace RandomCouplings::filter(double gain) {
  const double w = spread(2.0, 30.0), damping = uniform(0.15, 1.0);
  if (chance(0.4)) {
    lti::StateSpace result = silent(1);
    result.A(0, 0) = -w;
    result.B(0, 0) = gain * w;
    result.C(1, 0) = 1.0;
    return result;
  }
  lti::StateSpace result = moving_mass(1.0, w * w, 2.0 * damping * w);
  result.B(1, 0) = gain * w * w;
  return result;
}

void RandomCouplings::force_displacement(RandomCoupling& coupling, int count) {
  coupling.parts = {owner_of_spring(), mass(count - 1)};
  coupling.connections = {link("p0.y1", "p1.u1"), link("p1.y2", "p0.u1"), link("p1.y3", "p0.u2")};
  if (count == 2) return;
  coupling.parts.push_back(owner_of_spring());
  for (const std::string& more : {link("p2.y1", "p1.u2"), link("p1.y2", "p2.u1"), link("p1.y3", "p2.u2")})
    coupling.connections.push_back(more);
}

void RandomCouplings::displacement(RandomCoupling& coupling, int count) {
  Spring first = spring();
  if (count == 2) {
    coupling.parts = {mass_on_springs({first}), mass_on_springs({first})};
    coupling.connections = {link("p0.y2", "p1.u1"), link("p0.y3", "p1.u2"), link("p1.y2", "p0.u1"),
                            link("p1.y3", "p0.u2")};
    return;
  }
  Spring second = spring();
  first.d = second.d = 0.0;  // the mass between has no inputs left for velocities
  coupling.parts = {mass_on_springs({first}), mass_on_springs({first, second}), mass_on_springs({second})};
  coupling.connections = {link("p0.y2", "p1.u1"), link("p1.y2", "p0.u1"), link("p2.y2", "p1.u2"),
                          link("p1.y2", "p2.u1")};
}

void RandomCouplings::velocity(RandomCoupling& coupling, int count) {
  if (count == 2) {
    coupling.parts = {owner_by_velocity(), mass(1)};
    coupling.connections = {link("p0.y1", "p1.u1"), link("p1.y3", "p0.u1")};
    return;
  }
  coupling.parts = {mass(1), spring_by_velocities(), mass(1)};
  coupling.connections = {link("p0.y3", "p1.u1"), link("p2.y3", "p1.u2"), link("p1.y1", "p0.u1", -1.0),
                          link("p1.y1", "p2.u1")};
}

void RandomCouplings::control(RandomCoupling& coupling, int count) {
  coupling.parts = {controller(), mass(1)};
  if (count == 2) {
    if (chance(0.5)) coupling.parts[1] = filter(spread(0.3, 3.0));
    coupling.connections = {link("p0.y1", "p1.u1"), link("p1.y2", "p0.u1", -1.0)};
    return;
  }
  coupling.parts.push_back(filter(1.0));
  coupling.connections = {link("p0.y1", "p2.u1"), link("p2.y2", "p1.u1"), link("p1.y2", "p0.u1", -1.0)};
}

void RandomCouplings::filters(RandomCoupling& coupling, int count) {
  for (int i = 0; i < count; ++i) {
    coupling.parts.push_back(filter(spread(0.5, 2.0) * (chance(0.5) ? 1.0 : -1.0)));
    coupling.connections.push_back(link(fmt::format("p{}.y2", i), fmt::format("p{}.u1", (i + 1) % count)));
  }
  // The first one may look ahead: a lead, which feeds through.
  if (!chance(0.5)) return;
  coupling.parts[0].C.row(0) = coupling.parts[0].C.row(1);
  coupling.parts[0].D(0, 0) = uniform(-0.5, 0.5);
  coupling.connections[0] = link("p0.y1", "p1.u1");
}

RandomCoupling RandomCouplings::next() {
  RandomCoupling result;
  result.kind = all_kinds[static_cast<std::size_t>(made_++) % std::size(all_kinds)];
  const int count = chance(0.5) ? 2 : 3;
  switch (result.kind) {
    case CouplingKind::force_displacement:
      force_displacement(result, count);
      break;
    case CouplingKind::displacement:
      displacement(result, count);
      break;
    case CouplingKind::velocity:
      velocity(result, count);
      break;
    case CouplingKind::control:
      control(result, count);
      break;
    case CouplingKind::filters:
      filters(result, count);
      break;
  }
  double fastest = 0.0;
  for (const lti::StateSpace& part : result.parts) {
    for (const auto& pole : lti::eigenvalues(part.A)) fastest = std::max(fastest, std::abs(pole));
  }
  result.step = spread(0.05, 1.5) / fastest;
  const double way = uniform(0.0, 1.0);
  result.coupling = way < 0.5 ? "zoh" : way < 0.8 ? "foh" : "soh";
  result.schedule = chance(0.7) ? "jacobi" : "gauss-seidel";
  return result;
}

}  // namespace seam::testing

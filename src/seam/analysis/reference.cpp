#include "seam/analysis/reference.hpp"

#include <algorithm>

#include "seam/analysis/event_reference.hpp"
#include "seam/analysis/linear_reference.hpp"
#include "seam/analysis/monolithic_ode.hpp"
#include "seam/lti/interconnect.hpp"
#include "seam/ode/cvode.hpp"

namespace seam::analysis {
namespace {

using assembly::Assembly;
using assembly::Member;

/// Any equations, integrated together by CVODE with tight tolerances.
class IntegratedReference final : public Reference {
 public:
  IntegratedReference(const Assembly& assembly, const Interconnection& wiring, std::vector<double> x0, double t0)
      : wiring_(wiring),
        ode_(assembly, wiring, equations_of(assembly)),
        solver_(ode_, {1e-10, 1e-12}),
        x_(std::move(x0)),
        t_(t0) {
    for (std::size_t s = 0; s < wiring_.signals.size(); ++s) {
      const assembly::Drive& drive = wiring_.signals[s];
      driven_.push_back({static_cast<int>(s), drive.signal.get(), drive.factor, drive.offset});
    }
    w_.resize(driven_.size());
    for (const Member& member : assembly.members) {
      ports_.inputs.emplace_back(member.inputs.size());
      ports_.outputs.emplace_back(member.outputs.size());
    }
    write_ports();
  }

  void advance_to(double t) override {
    const ode::InputSignal input{{w_.data(), 0, static_cast<int>(w_.size())}, driven_, t_, t - t_};
    if (t > t_) solver_.advance(t_, t - t_, input, x_);
    t_ = t;
    write_ports();
  }
  const assembly::PortValues& ports() const override { return ports_; }
  std::span<const double> states() const override { return x_; }
  std::string method() const override { return "CVODE, relative tolerance 1e-10"; }

 private:
  void write_ports() {
    for (std::size_t s = 0; s < driven_.size(); ++s)
      w_[s] = driven_[s].factor * driven_[s].signal->at(t_) + driven_[s].offset;
    std::vector<double> y(static_cast<std::size_t>(ode_.sizes().outputs));
    ode_.outputs(t_, x_, w_, y);
    ode_.write_ports(t_, y, ports_);
  }
  static std::vector<const ode::Ode*> equations_of(const Assembly& assembly) {
    std::vector<const ode::Ode*> equations;
    for (const Member& member : assembly.members) equations.push_back(member.equations.get());
    return equations;
  }

  Interconnection wiring_;
  MonolithicOde ode_;
  ode::CvodeSolver solver_;
  std::vector<double> x_, w_;
  double t_;
  std::vector<ode::DrivenInput> driven_;
  assembly::PortValues ports_;
};

/// The linear system with one more external input that is always 1 and carries start values and offsets.
std::optional<lti::StateSpace> linear_system(Assembly& assembly, const Interconnection& wiring) {
  std::vector<lti::StateSpace> parts;
  for (Member& member : assembly.members) {
    const auto outputs = static_cast<Eigen::Index>(member.outputs.size());
    if (!member.equations) {
      parts.push_back({lti::Matrix(0, 0), lti::Matrix(0, 0), lti::Matrix(outputs, 0), lti::Matrix(outputs, 0)});
      continue;
    }
    const std::vector<double> zero(member.inputs.size());
    const auto linear = assembly::linearised(*member.subsystem, 0.0, zero);
    if (!linear || linear->origin != assembly::LinearModel::Origin::exact) return std::nullopt;
    parts.push_back(linear->matrices);
  }
  lti::Matrix E(wiring.E.rows(), wiring.E.cols() + 1);
  E << wiring.E, wiring.constant;
  return lti::interconnect(parts, wiring.K, E);
}

}  // namespace

namespace {

/// Why a member cannot take part; empty if it can.
std::string why_not(const Member& member) {
  if (!member.signals.empty() || member.subsystem->capabilities().shows_equations) return {};
  if (!member.equations)
    return "\"" + member.name +
           "\" is an FMU for co-simulation, which does not show its equations; interface: me lets it take part, if it "
           "offers model exchange";
  if (member.equations->nature() != ode::Ode::Nature::discrete) return {};
  return "the equations of \"" + member.name +
         "\" are not differential equations that could be solved together with the others";
}

}  // namespace

std::unique_ptr<Reference> make_reference(Assembly& assembly, double t0, std::string& reason) {
  bool jumps = false;
  for (const Member& member : assembly.members) {
    reason = why_not(member);
    if (!reason.empty()) return nullptr;
    jumps = jumps || (member.signals.empty() && member.subsystem->capabilities().shows_equations);
  }
  if (jumps) {
    reason = why_no_event_reference(assembly);
    return reason.empty() ? make_event_reference(assembly, t0) : nullptr;
  }
  std::vector<double> x0;
  for (Member& member : assembly.members) {
    if (!member.signals.empty()) continue;
    member.subsystem->initialise(t0);
    const auto x = member.subsystem->states();
    x0.insert(x0.end(), x.begin(), x.end());
  }
  const Interconnection wiring = interconnection(assembly);
  if (const auto system = linear_system(assembly, wiring)) {
    const lti::Vector x = Eigen::Map<const lti::Vector>(x0.data(), static_cast<Eigen::Index>(x0.size()));
    return std::make_unique<LinearReference>(assembly, wiring, *system, x, t0);
  }
  return std::make_unique<IntegratedReference>(assembly, wiring, std::move(x0), t0);
}

}  // namespace seam::analysis

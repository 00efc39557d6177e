#include "seam/analysis/monolithic_ode.hpp"

#include <algorithm>
#include <optional>

#include "seam/base/error.hpp"

namespace seam::analysis {

using ode::In;
using ode::Out;

namespace {

std::size_t at(int number) { return static_cast<std::size_t>(number); }

}  // namespace

/// The equations of all members at (t, x).
class MonolithicOde::Equations final : public assembly::PortEquations {
 public:
  Equations(const assembly::Assembly& assembly, std::vector<const ode::Ode*> equations)
      : assembly_(assembly), equations_(std::move(equations)) {
    for (const ode::Ode* own : equations_) {
      first_state_.push_back(states_);
      if (own) states_ += own->sizes().states;
    }
  }

  void move_to(double t, In x) {
    t_ = t;
    x_ = x;
  }
  int state_count() const { return states_; }
  In states_of(std::size_t member, In x) const {
    return x.subspan(at(first_state_[member]), at(equations_[member]->sizes().states));
  }
  const ode::Ode* of(std::size_t member) const { return equations_[member]; }
  const assembly::Assembly& assembly() const { return assembly_; }

  bool takes_part(int member) const override { return of(at(member)) != nullptr; }
  bool depends(int member, int output, int input) const override {
    return of(at(member))->feeds_through(output, input);
  }
  void evaluate(int member, assembly::PortValues& ports) override {
    const std::size_t m = at(member);
    of(m)->outputs(t_, states_of(m, x_), ports.inputs[m], ports.outputs[m]);
  }
  std::optional<lti::Matrix> derivatives(int member, const assembly::PortValues& ports) override {
    const std::size_t m = at(member);
    const bool analytic = of(m)->nature() == Nature::linear || of(m)->jacobian_source() == JacobianSource::analytic;
    if (!analytic) return std::nullopt;
    of(m)->jacobians(t_, states_of(m, x_), ports.inputs[m], jacobians_);
    const auto [states, inputs, outputs] = of(m)->sizes();
    lti::Matrix D(outputs, inputs);
    for (int i = 0; i < outputs; ++i) {
      for (int j = 0; j < inputs; ++j) D(i, j) = jacobians_.D[at(i * inputs + j)];
    }
    return D;
  }
  bool can_do_without(int) const override { return false; }

 private:
  const assembly::Assembly& assembly_;
  std::vector<const ode::Ode*> equations_;
  std::vector<int> first_state_;
  int states_ = 0;
  double t_ = 0.0;
  In x_;
  ode::Jacobians jacobians_;
};

MonolithicOde::MonolithicOde(const assembly::Assembly& assembly, Interconnection wiring,
                             std::vector<const ode::Ode*> equations)
    : wiring_(std::move(wiring)), equations_(std::make_unique<Equations>(assembly, std::move(equations))) {
  states_ = equations_->state_count();
  solver_ = std::make_unique<assembly::PortSolver>(assembly, *equations_);
  for (std::size_t m = 0; m < assembly.members.size(); ++m) {
    const double* constant = wiring_.constant.data() + wiring_.first_input[m];
    ports_.inputs.emplace_back(constant, constant + assembly.members[m].inputs.size());
    ports_.outputs.emplace_back(assembly.members[m].outputs.size());
  }
}

MonolithicOde::~MonolithicOde() = default;

ode::Ode::Sizes MonolithicOde::sizes() const {
  return {states_, static_cast<int>(wiring_.signals.size()), static_cast<int>(wiring_.K.cols())};
}

In MonolithicOde::states_of(std::size_t member, In x) const { return equations_->states_of(member, x); }

In MonolithicOde::inputs_of(std::size_t member) const { return ports_.inputs[member]; }

const std::vector<std::vector<double>>& MonolithicOde::inputs_at(double t, In x, In w) const {
  for (std::size_t s = 0; s < wiring_.signals.size(); ++s) {
    const int input = wiring_.signals[s].input;
    const auto next = std::upper_bound(wiring_.first_input.begin(), wiring_.first_input.end(), input);
    const auto member = static_cast<std::size_t>(next - wiring_.first_input.begin()) - 1;
    ports_.inputs[member][at(input - wiring_.first_input[member])] = w[s];
  }
  equations_->move_to(t, x);
  const std::vector<assembly::LoopFailure> failures = solver_->solve(ports_);
  if (!failures.empty())
    throw base::Error(base::Failure::subsystem, assembly::explanation(equations_->assembly(), failures.front(), t));
  return ports_.inputs;
}

void MonolithicOde::derivatives(double t, In x, In w, Out dx) const {
  inputs_at(t, x, w);
  for (std::size_t m = 0; m < ports_.inputs.size(); ++m) {
    if (!equations_->of(m)) continue;
    const In own = states_of(m, x);
    equations_->of(m)->derivatives(t, own, inputs_of(m),
                                   dx.subspan(static_cast<std::size_t>(own.data() - x.data()), own.size()));
  }
}

void MonolithicOde::outputs(double t, In x, In w, Out y) const {
  inputs_at(t, x, w);
  auto next = y.begin();
  for (const std::vector<double>& own : ports_.outputs) next = std::copy(own.begin(), own.end(), next);
}

bool MonolithicOde::hold(std::size_t member, int input, double value) {
  double& kept = ports_.inputs[member][at(input)];
  const bool changed = kept != value;
  kept = value;
  return changed;
}

void MonolithicOde::write_ports(double t, In y, assembly::PortValues& ports) const {
  for (std::size_t m = 0; m < ports_.inputs.size(); ++m) {
    const assembly::Member& member = equations_->assembly().members[m];
    ports.inputs[m] = ports_.inputs[m];
    for (std::size_t i = 0; i < member.outputs.size(); ++i) {
      ports.outputs[m][i] = member.signals.empty() ? y[at(wiring_.first_output[m]) + i] : member.signals[i]->at(t);
    }
  }
}

}  // namespace seam::analysis

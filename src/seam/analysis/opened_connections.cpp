#include "seam/analysis/opened_connections.hpp"

#include "seam/analysis/stand_in.hpp"
#include "seam/assembly/sampled_signal.hpp"
#include "seam/coupling/catalog.hpp"

namespace seam::analysis {
namespace {

class Rest final : public ode::TimeSignal {
 public:
  double at(double) const override { return 0.0; }
};

/// Sends one tone for each connection that leaves the member.
assembly::Member sender(const assembly::Assembly& original, int member, std::vector<Excitation>& tones) {
  assembly::Member result;
  const assembly::Member& own = original.members[static_cast<std::size_t>(member)];
  std::vector<system::Port> outputs;
  result.name = own.name;
  for (std::size_t i = 0; i < original.wires.size(); ++i) {
    if (original.wires[i].from != member) continue;
    tones[i].places = {{member, static_cast<int>(outputs.size()), 1.0}};
    outputs.push_back(own.outputs[static_cast<std::size_t>(original.wires[i].output)]);
  }
  result.outputs = std::move(outputs);
  if (!result.outputs.empty())
    result.subsystem = std::make_unique<assembly::SampledSignal>(
        std::vector<std::shared_ptr<const ode::TimeSignal>>(result.outputs.size(), std::make_shared<Rest>()));
  return result;
}

/// The member beside integrators of its inputs.
lti::StateSpace with_integrators(const lti::StateSpace& part) {
  const Eigen::Index n = part.states(), m = part.inputs(), p = part.outputs();
  lti::StateSpace result{lti::Matrix::Zero(n + m, n + m), lti::Matrix(n + m, m), lti::Matrix::Zero(p + m, n + m),
                         lti::Matrix::Zero(p + m, m)};
  result.A.topLeftCorner(n, n) = part.A;
  result.B << part.B, lti::Matrix::Identity(m, m);
  result.C.topLeftCorner(p, n) = part.C;
  result.C.bottomRightCorner(m, m).setIdentity();
  result.D.topRows(p) = part.D;
  return result;
}

assembly::Member listener(const assembly::Member& own, const lti::StateSpace& part, double step) {
  assembly::Member result;
  result.name = own.name;
  if (!own.subsystem || part.inputs() == 0) return result;
  SubsystemModel model;
  model.name = own.name;
  std::vector<system::Port> inputs, outputs;
  for (Eigen::Index i = 0; i < part.inputs(); ++i) {
    inputs.push_back(own.inputs[static_cast<std::size_t>(i)]);
    model.inputs.push_back(inputs.back().name);
  }
  for (Eigen::Index i = 0; i < part.outputs(); ++i) {
    outputs.push_back(own.outputs[static_cast<std::size_t>(i)]);
    model.outputs.push_back(outputs.back().name);
  }
  outputs.resize(static_cast<std::size_t>(part.outputs() + part.inputs()));
  result.inputs = std::move(inputs);
  result.outputs = std::move(outputs);
  model.equations = with_integrators(part);
  model.map = step_map(*model.equations, step, 0);
  result.subsystem = std::make_unique<StandIn>(std::move(model), *own.subsystem);
  return result;
}

/// Senders, then listeners.
system::Plan doubled(system::Plan plan) {
  const auto count = static_cast<int>(plan.subsystems.size());
  plan.subsystems.insert(plan.subsystems.end(), plan.subsystems.begin(), plan.subsystems.begin() + count);
  std::vector<int> order;
  for (const int member : plan.order) order.insert(order.end(), {member, count + member});
  plan.order = std::move(order);
  return plan;
}

}  // namespace

std::optional<OpenedConnections> OpenedConnections::of(const coupling::Program& program, const system::Plan& plan,
                                                       const LinearParts& linear) {
  if (program.correction) return std::nullopt;
  OpenedConnections result;
  result.wiring_ = &linear.wiring;
  result.assembly_ = std::make_unique<assembly::Assembly>();
  const assembly::Assembly& original = *program.assembly;
  assembly::Assembly& opened = *result.assembly_;
  opened.connections = original.connections;
  result.tones_.resize(original.wires.size());
  result.members_ = static_cast<int>(original.members.size());
  for (int m = 0; m < result.members_; ++m) opened.members.push_back(sender(original, m, result.tones_));
  for (std::size_t m = 0; m < original.members.size(); ++m) {
    opened.members.push_back(listener(original.members[m], linear.parts[m], plan.step));
    result.outputs_.push_back(linear.parts[m].outputs());
    result.multiples_.push_back(plan.subsystems[m].multiple);
  }
  for (std::size_t i = 0; i < original.wires.size(); ++i) {
    const assembly::Wire& wire = original.wires[i];
    opened.wires.push_back({wire.connection, wire.from, result.tones_[i].places.front().number,
                            wire.to + result.members_, wire.input, 1.0, 0.0});
  }
  coupling::CompileOptions options;
  options.start = program.grid.start;
  options.use = coupling::Use::probing;
  base::Problems problems;
  auto compiled = coupling::compile(opened, doubled(coupling::linearised(plan)), options, problems);
  if (!compiled) return std::nullopt;
  result.program_ = std::move(*compiled);
  return result;
}

std::optional<SteadyAnswers> OpenedConnections::find(double highest) const {
  std::string unheard;
  return SteadyAnswers::find(program_, tones_, Entrance::as_known_signals, highest, unheard);
}

OpenedConnections::Answers OpenedConnections::sorted(const SteadyAnswers& found,
                                                     const lti::ComplexMatrix& at_tone) const {
  const auto wires = static_cast<Eigen::Index>(tones_.size());
  Answers result{lti::ComplexMatrix::Zero(wiring_->K.cols(), wires), Eigen::VectorXcd::Zero(wires)};
  for (Eigen::Index row = 0; row < at_tone.rows(); ++row) {
    const Arrival& arrival = found.arrivals()[static_cast<std::size_t>(row)];
    const auto member = static_cast<std::size_t>(arrival.member - members_);
    if (arrival.member < members_) continue;
    const double share = static_cast<double>(multiples_[member]) / static_cast<double>(program_.hyper_period());
    const Eigen::Index integrator = arrival.output - outputs_[member];
    if (integrator < 0) {
      result.outputs.row(wiring_->first_output[member] + arrival.output) += share * at_tone.row(row);
      continue;
    }
    for (Eigen::Index wire = 0; wire < wires; ++wire) {
      const assembly::Wire& ends = assembly_->wires[static_cast<std::size_t>(wire)];
      if (ends.to == arrival.member && ends.input == integrator) result.integrals(wire) += share * at_tone(row, wire);
    }
  }
  return result;
}

}  // namespace seam::analysis

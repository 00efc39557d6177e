#include "seam/engine/predict/operating_point.hpp"

#include <fmt/format.h>

#include "seam/base/error.hpp"
#include "seam/coupling/advance.hpp"

namespace seam::engine {

using analysis::Linearity;
using analysis::ModelSource;
using analysis::SubsystemModel;
using base::Outcome;
using coupling::Lane;

std::vector<double> OperatingPoint::inputs_of(const Lane& lane) const {
  std::vector<double> values;
  for (int i = 0; i < lane.inputs; ++i)
    values.push_back(memory.values[static_cast<std::size_t>(live.program.input_place(lane.member, i))]);
  for (const assembly::Drive& drive : member(lane).drives) {
    if (drive.input < lane.inputs)
      values[static_cast<std::size_t>(drive.input)] = drive.factor * drive.signal->at(time()) + drive.offset;
  }
  return values;
}

std::vector<int> OperatingPoint::driven_inputs_of(const Lane& lane) const {
  std::vector<int> inputs;
  for (const assembly::Drive& drive : member(lane).drives) {
    if (drive.input < lane.inputs && lane.subsystem->facets().tuning) inputs.push_back(drive.input);
  }
  return inputs;
}

Calls OperatingPoint::calls_of(const Lane& lane) const {
  const double step = lane.multiple * program().grid.step;
  if (lane.crossing == coupling::Crossing::whole) return {step, 1, lane.degree};
  return {step / lane.segments, lane.segments,
          lane.crossing == coupling::Crossing::constant_segments ? 0 : lane.degree};
}

OperatingPoint reach(const System& system, const LinearModelRequest& request) {
  LiveOptions options{Horizon::none};
  if (!request.time) options.use = coupling::Use::probing;
  if (request.time && system.description.experiment.stop) options.horizon = Horizon::experiment;
  options.fmus.stop = load::FmuOptions::Stop::open;  // probes may go further
  if (request.ports == LinearModelRequest::Ports::all) options.fmus.inputs = load::FmuOptions::Inputs::all;
  options.evaluations = coupling::Evaluations::wherever_possible;
  OperatingPoint at{make_live(system, options), {}};
  at.memory = coupling::start(at.program());
  if (!request.time) return at;
  const base::Tick period = at.program().hyper_period();
  const base::Tick whole = base::first_tick_from(at.program().grid, *request.time);
  const coupling::Advance run = coupling::advance(at.program(), at.memory, (whole + period - 1) / period * period);
  if (run.outcome == base::Outcome::accepted) return at;
  std::string who = "a value that diverged";
  if (run.member >= 0) {
    const assembly::Member& member = at.live.assembly->members[static_cast<std::size_t>(run.member)];
    const std::string complaint = member.subsystem ? member.subsystem->complaint() : "";
    who = member.name + (complaint.empty() ? "" : " (" + complaint + ")");
  }
  throw base::Error(base::Failure::subsystem,
                    fmt::format("the operating point at {} s was not reached: {} ended the run at {} s", *request.time,
                                who, at.time()));
}

namespace {

void know_native(const OperatingPoint& at, const Lane& lane, const std::optional<assembly::LinearModel>& linear,
                 SubsystemModel& model) {
  const Calls calls = at.calls_of(lane);
  std::vector<double> polynomial = at.inputs_of(lane);
  polynomial.resize(polynomial.size() * static_cast<std::size_t>(calls.degree + 1));
  model.map = analysis::step_map(*lane.subsystem, {{at.time(), calls.length}, calls.degree, polynomial}, lane.outputs);
  model.source = ModelSource::exact;
  const bool exact =
      linear ? linear->origin == assembly::LinearModel::Origin::exact : lane.subsystem->capabilities().affine;
  model.linearity = exact ? Linearity::linear : Linearity::at_this_point;
  model.how = exact ? "exact: its equations are linear" : "exact: the derivatives of its equations at this point";
  if (exact) return;
  const assembly::Snapshot kept = lane.subsystem->save();
  std::vector<double> outputs(static_cast<std::size_t>(lane.outputs));
  const assembly::Step step{at.time(), calls.length};
  if (lane.step.advance(step, {polynomial.data(), calls.degree, lane.inputs}, outputs) == Outcome::accepted) {
    if (const auto later = assembly::linearised(*lane.subsystem, at.time() + calls.length, at.inputs_of(lane)))
      model.after_step = later->matrices;
  }
  lane.subsystem->restore(kept);
}

void know_exchange(const OperatingPoint& at, const Lane& lane, SubsystemModel& model) {
  const bool told = model.equations.has_value();
  if (!told)
    model.equations = analysis::differenced_equations(*lane.subsystem, at.time(), at.inputs_of(lane), lane.outputs);
  if (!model.equations) {
    model.how = "its equations cannot be evaluated at this point";
    return;
  }
  if (analysis::has_state_events(*lane.subsystem)) model.warnings.emplace_back("its events are not in the model");
  model.source = ModelSource::exact;
  model.linearity = Linearity::at_this_point;
  model.how = told ? "exact: the derivatives of its equations, as the FMU tells them"
                   : "exact: differences of its equations, since the FMU does not tell their derivatives";
}

}  // namespace

SubsystemModel known_model(const System& system, const OperatingPoint& at, const Lane& lane) {
  const assembly::Member& member = at.member(lane);
  const system::Subsystem& described = system.description.subsystems[static_cast<std::size_t>(lane.member)];
  SubsystemModel model;
  model.name = member.name;
  model.time = at.time();
  for (int i = 0; i < lane.inputs; ++i) model.inputs.push_back(member.inputs[static_cast<std::size_t>(i)].name);
  for (int i = 0; i < lane.outputs; ++i) model.outputs.push_back(member.outputs[static_cast<std::size_t>(i)].name);
  const auto linear = assembly::linearised(*lane.subsystem, at.time(), at.inputs_of(lane));
  if (linear) model.equations = linear->matrices;

  if (!described.fmu()) {
    know_native(at, lane, linear, model);
  } else if (described.fmu()->interface == system::FmuInterface::model_exchange) {
    know_exchange(at, lane, model);
  } else if (linear) {
    model.source = ModelSource::derivatives;
    model.linearity = Linearity::at_this_point;
    model.how = "derivatives: as the FMU tells them; they describe its model, not the solver inside it";
  }
  if (model.equations && !model.map) {
    const Calls calls = at.calls_of(lane);
    model.map = analysis::step_map(*model.equations, calls.length, calls.degree);
  }
  const auto names = lane.subsystem->state_names();
  if (model.equations && names.size() == static_cast<std::size_t>(model.equations->states()))
    model.states.assign(names.begin(), names.end());
  return model;
}

}  // namespace seam::engine

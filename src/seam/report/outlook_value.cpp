#include <cmath>

#include "seam/analysis/complete_compensators.hpp"
#include "seam/report/analysis_report.hpp"
#include "seam/report/outlook_report.hpp"
#include "seam/report/plan_words.hpp"

namespace seam::report {
namespace {

using engine::Outlook;
using formats::Value;

Value number(const std::optional<double>& value) { return value && std::isfinite(*value) ? Value(*value) : Value(); }
const char* word(system::Feedthrough way) { return way == system::Feedthrough::held ? "held" : "fresh"; }

const char* word(Outlook::Verdict verdict) {
  switch (verdict) {
    case Outlook::Verdict::stable:
      return "stable";
    case Outlook::Verdict::marginal:
      return "marginal";
    case Outlook::Verdict::unstable:
      return "unstable";
    case Outlook::Verdict::not_known:
      break;
  }
  return "not known";
}

Value steps_value(const analysis::StableSteps& steps) {
  Value intervals = Value::array();
  for (const auto& interval : steps.intervals) intervals.push(Value::array({Value(interval.from), Value(interval.to)}));
  return Value::object({{"intervals", std::move(intervals)},
                        {"first_loss", steps.throughout() ? Value() : number(steps.first_loss())},
                        {"examined", Value::array({Value(steps.examined.from), Value(steps.examined.to)})}});
}

Value methods_value(const Outlook& outlook) {
  Value list = Value::array();
  for (const engine::MethodOutlook& method : outlook.methods) {
    list.push(Value::object({{"coupling", method.coupling},
                             {"feedthrough", word(method.feedthrough)},
                             {"of_the_plan", method.of_the_plan},
                             {"spectral_radius", number(method.radius)},
                             {"stable_steps", method.steps ? steps_value(*method.steps) : Value()},
                             {"expected_error", number(method.error)},
                             {"impossible", method.impossible.empty() ? Value() : Value(method.impossible)}}));
  }
  return list;
}

Value connections_value(const Outlook& outlook) {
  Value list = Value::array();
  for (const engine::ConnectionOutlook& connection : outlook.connections) {
    Value nyquist = Value::array();
    for (const auto& point : connection.nyquist)
      nyquist.push(Value::array({Value(point.frequency), Value(point.value.real()), Value(point.value.imag())}));
    Value entry = Value::object({{"connection", connection.connection}, {"sensitivity", connection.sensitivity}});
    if (connection.margins) {
      entry.add("gain_up", number(connection.margins->gain_up));
      entry.add("gain_down", number(connection.margins->gain_down));
      entry.add("delay", number(connection.margins->delay));
    } else {
      entry.add("no_margins", connection.reason);
    }
    entry.add("nyquist", std::move(nyquist));
    list.push(std::move(entry));
  }
  return list;
}

Value loops_value(const Outlook& outlook) {
  Value list = Value::array();
  for (const analysis::Loop& loop : outlook.loops) {
    list.push(Value::object({{"cut_at", loop.name},
                             {"norm", number(loop.peak.norm)},
                             {"norm_frequency", loop.peak.frequency},
                             {"in_band", loop.in_band},
                             {"in_band_frequency", loop.in_band_frequency}}));
  }
  return list;
}

const char* word(lti::Passivity::Verdict verdict) {
  switch (verdict) {
    case lti::Passivity::Verdict::passive:
      return "passive";
    case lti::Passivity::Verdict::lost:
      return "lost";
    case lti::Passivity::Verdict::unstable:
      break;
  }
  return "unstable";
}

Value ports_value(const Outlook& outlook) {
  Value list = Value::array();
  for (const analysis::PortPassivity& port : outlook.ports) {
    Value entry = Value::object({{"bond", port.bond}, {"subsystem", port.subsystem}});
    if (port.passivity) {
      entry.add("passivity", word(port.passivity->verdict));
      entry.add("least", number(port.passivity->least));
      entry.add("frequency", number(port.passivity->frequency));
    } else {
      entry.add("not_told", port.reason);
    }
    list.push(std::move(entry));
  }
  return list;
}

Value named(const std::vector<analysis::NamedError>& errors) {
  Value list = Value::array();
  for (const analysis::NamedError& error : errors)
    list.push(Value::object({{"name", error.name}, {"expected_error", error.error}}));
  return list;
}

Value accuracy_value(const Outlook& outlook) {
  if (!outlook.accuracy) return Value();
  const analysis::Accuracy& accuracy = *outlook.accuracy;
  Value curve = Value::array();
  for (const analysis::ErrorPoint& point : accuracy.curve) {
    Value outputs = Value::array();
    for (const double error : point.of_outputs) outputs.push(Value(error));
    curve.push(Value::object(
        {{"frequency", point.frequency}, {"of_inputs", point.of_inputs}, {"of_outputs", std::move(outputs)}}));
  }
  return Value::object({{"band", Value::array({Value(accuracy.band.from), Value(accuracy.band.to)})},
                        {"excitation", accuracy.excitation},
                        {"outputs", named(accuracy.outputs)},
                        {"connections", named(accuracy.connections)},
                        {"output_names", Value::array(accuracy.output_names)},
                        {"curve", std::move(curve)}});
}

Value models_value(const Outlook& outlook) {
  Value list = Value::array();
  for (const analysis::SubsystemModel& model : outlook.models) {
    Value entry = Value::object({{"subsystem", model.name},
                                 {"source", analysis::word(model.source)},
                                 {"linearity", analysis::word(model.linearity)},
                                 {"how", model.how},
                                 {"warnings", Value::array(model.warnings)}});
    if (model.quality) {
      entry.add("prediction_error", model.quality->prediction_error);
      entry.add("samples", model.quality->samples);
    }
    list.push(std::move(entry));
  }
  return list;
}

Value recommendation_value(const Outlook& outlook) {
  if (!outlook.recommendation) return Value();
  const engine::Recommendation& advice = *outlook.recommendation;
  return Value::object({{"coupling", advice.coupling},
                        {"feedthrough", word(advice.feedthrough)},
                        {"step", advice.step},
                        {"why", advice.why},
                        {"keeps_the_plan", advice.keeps_the_plan}});
}

Value compensators_value(const engine::System& system) {
  Value list = Value::array();
  for (const analysis::PlannedCompensator& found : analysis::planned_compensators(system.description, system.plan)) {
    const analysis::CompensatorReport& report = found.report;
    list.push(
        Value::object({{"sink", system.description.connections[static_cast<std::size_t>(found.connection)].to.text},
                       {"weighted_error", report.error.norm},
                       {"flatness", report.flatness},
                       {"static_gain", report.at_rest},
                       {"gain_of_jumps", report.at_jumps},
                       {"worst_pole", report.worst_pole}}));
  }
  return list;
}

}  // namespace

Value outlook_value(const engine::System& system, const Outlook& outlook) {
  Value value;
  if (outlook.stability) {
    value = analysis_value(system, *outlook.stability, word(outlook.verdict()));
  } else {
    value.add("name", system.description.name);
    value.add("macro_step", system.plan.step);
    value.add("verdict", "not known");
    value.add("stable", false);
  }
  value.add("uncertainty", number(outlook.uncertainty));
  value.add("unknown", Value::array(outlook.unknown));
  value.add("models", models_value(outlook));
  Value participants = Value::array();
  for (const analysis::Participant& participant : outlook.participants)
    participants.push(Value::object({{"subsystem", participant.subsystem}, {"share", participant.share}}));
  value.add("participants", std::move(participants));
  value.add("methods", methods_value(outlook));
  value.add("accuracy", accuracy_value(outlook));
  value.add("connections", connections_value(outlook));
  value.add("compensators", compensators_value(system));
  value.add("loops", loops_value(outlook));
  value.add("bonds", ports_value(outlook));
  value.add("recommendation", recommendation_value(outlook));
  Value sweep = Value::array();
  for (const engine::SweepPoint& point : outlook.sweep)
    sweep.push(Value::object(
        {{"step", point.step}, {"spectral_radius", number(point.radius)}, {"expected_error", number(point.error)}}));
  value.add("sweep", std::move(sweep));
  value.add("operating_point", number(outlook.time));
  Value later = Value::array();
  for (const engine::LaterPoint& point : outlook.later)
    later.push(Value::object({{"time", point.time}, {"spectral_radius", number(point.radius)}}));
  value.add("later", std::move(later));
  return value;
}

Value tuned_value(const engine::Tuned& tuned, const std::string& file) {
  return Value::object({{"coupling", tuned.coupling},
                        {"feedthrough", word(tuned.feedthrough)},
                        {"step", tuned.step},
                        {"expected_error", tuned.error},
                        {"expected_error_before", number(tuned.error_before)},
                        {"spectral_radius", tuned.radius},
                        {"largest_stable_step", number(tuned.largest_step)},
                        {"plan_file", file}});
}

}  // namespace seam::report

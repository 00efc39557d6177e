#include <cmath>

#include "seam/analysis/complete_compensators.hpp"
#include "seam/base/words.hpp"
#include "seam/engine/predict/held_feedthrough.hpp"
#include "seam/report/analysis_report.hpp"
#include "seam/report/plan_words.hpp"

namespace seam::report {
namespace {

using engine::Outlook;
using formats::Value;

Value number(const std::optional<double>& value) { return value && std::isfinite(*value) ? Value(*value) : Value(); }
Value pair(double from, double to) { return Value::array({Value(from), Value(to)}); }

constexpr base::Word<Outlook::Verdict> verdicts[]{{Outlook::Verdict::stable, "stable"},
                                                  {Outlook::Verdict::marginal, "marginal"},
                                                  {Outlook::Verdict::unstable, "unstable"},
                                                  {Outlook::Verdict::not_known, "not known"}};
constexpr base::Word<lti::Passivity::Verdict> passivities[]{{lti::Passivity::Verdict::passive, "passive"},
                                                            {lti::Passivity::Verdict::lost, "lost"},
                                                            {lti::Passivity::Verdict::unstable, "unstable"}};

Value steps_value(const analysis::StableSteps& steps) {
  return Value::object({{"intervals", Value::list(steps.intervals, [](const auto& i) { return pair(i.from, i.to); })},
                        {"first_loss", steps.throughout() ? Value() : number(steps.first_loss())},
                        {"examined", pair(steps.examined.from, steps.examined.to)},
                        {"searched_to", number(steps.searched_to)}});
}

Value methods_value(const Outlook& outlook) {
  return Value::list(outlook.methods, [](const engine::MethodOutlook& method) {
    return Value::object({{"coupling", method.coupling},
                          {"feedthrough", word(method.feedthrough)},
                          {"of_the_plan", method.of_the_plan},
                          {"spectral_radius", number(method.radius)},
                          {"stable_steps", method.steps ? steps_value(*method.steps) : Value()},
                          {"expected_error", number(method.error)},
                          {"impossible", method.impossible.empty() ? Value() : Value(method.impossible)}});
  });
}

Value connections_value(const Outlook& outlook) {
  return Value::list(outlook.connections, [](const engine::ConnectionOutlook& connection) {
    Value entry = Value::object({{"connection", connection.connection}, {"sensitivity", connection.sensitivity}});
    if (connection.margins) {
      entry.add("gain_up", number(connection.margins->gain_up));
      entry.add("gain_down", number(connection.margins->gain_down));
      entry.add("delay", number(connection.margins->delay));
    } else {
      entry.add("no_margins", connection.reason);
    }
    entry.add("nyquist", Value::list(connection.nyquist, [](const auto& point) {
                return Value::array({Value(point.frequency), Value(point.value.real()), Value(point.value.imag())});
              }));
    return entry;
  });
}

Value loops_value(const Outlook& outlook) {
  return Value::list(outlook.loops, [](const analysis::Loop& loop) {
    return Value::object({{"cut_at", loop.name},
                          {"norm", number(loop.peak.norm)},
                          {"norm_frequency", loop.peak.frequency},
                          {"in_band", loop.in_band},
                          {"in_band_frequency", loop.in_band_frequency}});
  });
}

Value ports_value(const Outlook& outlook) {
  return Value::list(outlook.ports, [](const analysis::PortPassivity& port) {
    Value entry = Value::object({{"bond", port.bond}, {"subsystem", port.subsystem}});
    if (port.passivity) {
      entry.add("passivity", base::to_word(passivities, port.passivity->verdict));
      entry.add("least", number(port.passivity->least));
      entry.add("frequency", number(port.passivity->frequency));
    } else {
      entry.add("not_told", port.reason);
    }
    return entry;
  });
}

Value named(const std::vector<analysis::NamedError>& errors) {
  return Value::list(errors, [](const analysis::NamedError& error) {
    return Value::object({{"name", error.name}, {"expected_error", number(error.error)}});
  });
}

Value accuracy_value(const Outlook& outlook) {
  if (!outlook.accuracy) return Value();
  const analysis::Accuracy& accuracy = *outlook.accuracy;
  const auto point_value = [](const analysis::ErrorPoint& point) {
    return Value::object({{"frequency", point.frequency},
                          {"of_inputs", point.of_inputs},
                          {"of_outputs", Value::list(point.of_outputs, [](double one) { return number(one); })}});
  };
  return Value::object({{"band", pair(accuracy.band.from, accuracy.band.to)},
                        {"excitation", accuracy.excitation},
                        {"outputs", named(accuracy.outputs)},
                        {"connections", named(accuracy.connections)},
                        {"of_solvers", accuracy.of_solvers ? Value(*accuracy.of_solvers) : Value()},
                        {"output_names", Value::array(accuracy.output_names)},
                        {"curve", Value::list(accuracy.curve, point_value)}});
}

Value models_value(const Outlook& outlook) {
  return Value::list(outlook.models, [](const analysis::SubsystemModel& model) {
    Value entry = Value::object({{"subsystem", model.name},
                                 {"source", analysis::word(model.source)},
                                 {"linearity", analysis::word(model.linearity)},
                                 {"how", model.how},
                                 {"warnings", Value::array(model.warnings)}});
    if (model.quality) {
      entry.add("prediction_error", model.quality->prediction_error);
      entry.add("samples", model.quality->samples);
    }
    return entry;
  });
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

Value held_value(const engine::System& system, const Outlook& outlook) {
  return Value::list(engine::held_feedthrough(system, outlook).ports, [](const engine::HeldPort& port) {
    return Value::object({{"output", port.output},
                          {"follows", Value::array(port.inputs)},
                          {"gain", port.gain},
                          {"better", Value::array(port.ways)}});
  });
}

Value compensators_value(const engine::System& system) {
  const auto compensator_value = [&](const analysis::PlannedCompensator& found) {
    const analysis::CompensatorReport& report = found.report;
    return Value::object({{"sink", system.description.connections[static_cast<std::size_t>(found.connection)].to.text},
                          {"weighted_error", report.error.norm},
                          {"flatness", report.flatness},
                          {"static_gain", report.at_rest},
                          {"gain_of_jumps", report.at_jumps},
                          {"worst_pole", report.worst_pole}});
  };
  return Value::list(analysis::planned_compensators(system.description, system.plan), compensator_value);
}

}  // namespace

Value outlook_value(const engine::System& system, const Outlook& outlook) {
  Value value;
  if (outlook.stability) {
    value = analysis_value(system, *outlook.stability, base::to_word(verdicts, outlook.verdict()));
  } else {
    value.add("name", system.description.name);
    value.add("macro_step", system.plan.step);
    value.add("verdict", "not known");
    value.add("stable", false);
  }
  value.add("uncertainty", number(outlook.uncertainty));
  value.add("unknown", Value::array(outlook.unknown));
  value.add("models", models_value(outlook));
  value.add("participants", Value::list(outlook.participants, [](const analysis::Participant& participant) {
              return Value::object({{"subsystem", participant.subsystem}, {"share", participant.share}});
            }));
  value.add("methods", methods_value(outlook));
  value.add("accuracy", accuracy_value(outlook));
  value.add("held_feedthrough", held_value(system, outlook));
  value.add("connections", connections_value(outlook));
  value.add("compensators", compensators_value(system));
  value.add("loops", loops_value(outlook));
  value.add("bonds", ports_value(outlook));
  value.add("recommendation", recommendation_value(outlook));
  value.add("sweep", Value::list(outlook.sweep, [](const engine::SweepPoint& point) {
              return Value::object({{"step", point.step},
                                    {"spectral_radius", number(point.radius)},
                                    {"uncertainty", number(point.uncertainty)},
                                    {"expected_error", number(point.error)}});
            }));
  value.add("operating_point", number(outlook.time));
  value.add("later", Value::list(outlook.later, [](const engine::LaterPoint& point) {
              return Value::object({{"time", point.time}, {"spectral_radius", number(point.radius)}});
            }));
  return value;
}

Value tuned_value(const engine::Tuned& tuned, const std::string& file) {
  return Value::object({{"coupling", tuned.coupling},
                        {"feedthrough", word(tuned.feedthrough)},
                        {"step", tuned.step},
                        {"expected_error", tuned.error},
                        {"expected_error_before", number(tuned.error_before)},
                        {"spectral_radius", tuned.radius},
                        {"in_a_short_run", number(tuned.in_a_short_run)},
                        {"largest_stable_step", number(tuned.largest_step)},
                        {"plan_file", file}});
}

}  // namespace seam::report

#include "seam/report/run_report.hpp"

#include <fmt/format.h>

#include "seam/formats/json.hpp"
#include "seam/formats/text_file.hpp"
#include "seam/report/coupling_report.hpp"
#include "seam/report/plan_words.hpp"
#include "seam/report/version.hpp"

namespace seam::report {
namespace {

using formats::Value;
using stepping::Ending;

const char* ending_word(Ending ending) {
  switch (ending) {
    case Ending::completed:
      return "completed";
    case Ending::interrupted:
      return "interrupted";
    case Ending::diverged:
      return "diverged";
    case Ending::rejected:
      return "rejected";
    case Ending::ended_by_subsystem:
      return "ended by a subsystem";
    case Ending::failed:
      return "failed";
  }
  return "";
}

std::string ending_text(const engine::System& system, const engine::RunSummary& summary) {
  const stepping::RunResult& result = summary.result;
  switch (result.ending) {
    case Ending::completed:
      return {};
    case Ending::interrupted:
      return fmt::format("interrupted at {}\n", time_words(result.time));
    case Ending::diverged: {
      const std::string connection =
          summary.culprit_sink.empty() ? summary.culprit : summary.culprit + " -> " + summary.culprit_sink;
      return fmt::format(
          "error: diverged at {}: {} is not finite or has passed the growth limit\n"
          "   ask `seam analyze` whether the coupling is stable at this step; a smaller --step or another --coupling "
          "may mend it\n",
          time_words(result.time), connection);
    }
    case Ending::rejected:
    case Ending::failed: {
      const std::string kept = fmt::format("\n   results up to {} are in {}", time_words(result.time), summary.file);
      if (!summary.complaint.empty()) return "error: " + summary.complaint + kept + "\n";
      return fmt::format("error: {} did not accept the step {} -> {}{}\n", summary.culprit, time_words(result.time),
                         time_words(result.time + system.plan.step), kept);
    }
    case Ending::ended_by_subsystem:
      if (!summary.complaint.empty()) return summary.complaint + "\n";
      return fmt::format("{} asked to end the run at {}\n", summary.culprit, time_words(result.time));
  }
  return {};
}

Value events_value(const engine::RunSummary& summary) {
  Value events = Value::array();
  for (const system::Landing& landing : summary.events) {
    Value event = Value::object({{"event", landing.words}, {"asked", landing.asked}});
    const bool lasts = landing.asked_end != landing.asked;
    if (lasts) event.add("asked_end", landing.asked_end);
    if (landing.fate == system::Landing::Fate::happens) {
      event.add("landed", landing.landed);
      if (lasts) event.add("landed_end", landing.landed_end);
    }
    events.push(std::move(event));
  }
  return events;
}

std::string stem(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  const std::size_t dot = path.find_last_of('.');
  const bool has_extension = dot != std::string::npos && dot != 0 && (slash == std::string::npos || dot > slash + 1);
  return has_extension ? path.substr(0, dot) : path;
}

}  // namespace

namespace {

/// What was known before the run, in one line.
std::string forecast_text(const std::optional<analysis::Stability>& forecast) {
  if (!forecast) return {};
  return fmt::format("  the coupling is {}: spectral radius {:.8g} (seam analyze says why)\n",
                     forecast->marginal() ? "marginally stable"
                     : forecast->stable() ? "stable"
                                          : "NOT stable",
                     forecast->spectral_radius);
}

Value forecast_value(const std::optional<analysis::Stability>& forecast) {
  if (!forecast) return Value();
  const char* verdict = forecast->marginal() ? "marginal" : forecast->stable() ? "stable" : "unstable";
  return Value::object({{"verdict", verdict}, {"spectral_radius", forecast->spectral_radius}});
}

}  // namespace

std::string run_text(const engine::System& system, const engine::RunSummary& summary) {
  const stepping::RunResult& result = summary.result;
  std::string text;
  for (const std::string& notice : summary.notices) text += "notice: " + notice + "\n";
  text += ending_text(system, summary);
  text += fmt::format("{}: {} macro steps of {} with {}, feed-through {}, to t = {:.12g} s in {}\n",
                      system.description.name, result.steps, time_words(system.plan.step), coupling_words(system.plan),
                      feedthrough_words(system.plan), result.time, time_words(summary.wall_time));
  text += forecast_text(summary.forecast);
  text += fmt::format("  {} rows of {} variables in {}\n", summary.rows, summary.columns, summary.file);
  for (const engine::MicroResult& micro : summary.micro)
    text += fmt::format("  {} micro steps of {} in {}\n", micro.rows, micro.subsystem, micro.file);
  text += coupling_text(system, summary);
  if (!summary.state_complaint.empty()) text += "error: " + summary.state_complaint + "\n";
  if (!summary.final_state.empty())
    text += fmt::format("  the state at the end is in {}; go on with --initial-state {}\n", summary.final_state,
                        summary.final_state);
  return text;
}

namespace {

Value micro_value(const engine::RunSummary& summary) {
  Value all = Value::array();
  for (const engine::MicroResult& micro : summary.micro)
    all.push(Value::object({{"subsystem", micro.subsystem}, {"result", micro.file}, {"rows", micro.rows}}));
  return all;
}

/// Which software and which FMUs made the result.
Value versions_value(const engine::RunSummary& summary) {
  Value versions = Value::object({{"seam", version()}});
  Value fmus = Value::object();
  for (const engine::FmuVersion& fmu : summary.fmus) {
    Value value = Value::object({{"file", fmu.file}, {"fmi", fmu.fmi}, {"sha256", fmu.hash}});
    if (!fmu.model.empty()) value.add("model", fmu.model);
    if (!fmu.tool.empty()) value.add("tool", fmu.tool);
    fmus.add(fmu.subsystem, std::move(value));
  }
  versions.add("fmus", std::move(fmus));
  return versions;
}

/// Where the wall time went; none where nothing was measured.
Value times_value(const engine::RunTimes& times) {
  if (times.watched_steps == 0) return {};
  Value subsystems = Value::object();
  for (const auto& [name, seconds] : times.subsystems) subsystems.add(name, seconds);
  Value value = Value::object({{"measured_steps", times.watched_steps}});
  value.add("subsystems", std::move(subsystems));
  value.add("recording", times.recording ? Value(*times.recording) : Value());
  value.add("engine", times.engine);
  return value;
}

}  // namespace

Value run_value(const engine::System& system, const engine::RunSummary& summary) {
  const stepping::RunResult& result = summary.result;
  const double simulated = result.time - summary.start;
  Value value = Value::object();
  value.add("seam", version());
  value.add("versions", versions_value(summary));
  value.add("forecast", forecast_value(summary.forecast));
  value.add("name", system.description.name);
  value.add("ending", ending_word(result.ending));
  if (!summary.culprit.empty()) value.add("culprit", summary.culprit);
  if (!summary.complaint.empty()) value.add("complaint", summary.complaint);
  if (!summary.culprit_sink.empty()) value.add("culprit_sink", summary.culprit_sink);
  value.add("notices", Value::array(summary.notices));
  if (!summary.events.empty()) value.add("events", events_value(summary));
  value.add("start", summary.start);
  value.add("time", result.time);
  value.add("result", summary.file);
  if (!summary.final_state.empty()) value.add("final_state", summary.final_state);
  if (!summary.state_complaint.empty()) value.add("state_complaint", summary.state_complaint);
  value.add("rows", summary.rows);
  value.add("variables", summary.columns);
  if (!summary.micro.empty()) value.add("micro", micro_value(summary));
  value.add("macro_step", system.plan.step);
  value.add("coupling", coupling_words(system.plan));
  value.add("feedthrough", feedthrough_words(system.plan));
  value.add("macro_steps", result.steps);
  value.add("threads", summary.threads);
  value.add("wall_time", summary.wall_time);
  value.add("real_time_factor", summary.wall_time > 0.0 ? Value(simulated / summary.wall_time) : Value());
  if (!summary.bonds.empty()) value.add("bonds", energies_value(system, summary));
  if (!summary.defects.empty()) value.add("defects", defects_value(system, summary));
  value.add("times", times_value(summary.times));
  value.add("plan", plan_value(system));
  return value;
}

std::string write_summary(const engine::System& system, const engine::RunSummary& summary) {
  const std::string path = stem(summary.path.empty() ? summary.file : summary.path) + ".summary.json";
  formats::write_text(path, formats::to_json(run_value(system, summary), 2) + "\n");
  return path;
}

}  // namespace seam::report

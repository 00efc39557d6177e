#include "seam/report/run_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "seam/base/words.hpp"
#include "seam/formats/text_file.hpp"
#include "seam/report/coupling_report.hpp"
#include "seam/report/plan_words.hpp"
#include "seam/report/print.hpp"

namespace seam::report {
namespace {

using formats::Value;
using stepping::Ending;

constexpr base::Word<Ending> endings[]{
    {Ending::completed, "completed"}, {Ending::interrupted, "interrupted"},
    {Ending::diverged, "diverged"},   {Ending::rejected, "rejected"},
    {Ending::failed, "failed"},       {Ending::ended_by_subsystem, "ended by a subsystem"}};

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
      return fmt::format("error: diverged at {}: {} is not finite or has passed the growth limit\n   {}\n",
                         time_words(result.time), connection,
                         system.description.connections.empty()
                             ? "nothing is connected, so it is the model or its solver; a smaller --step may help"
                             : "ask `seam analyze` whether the coupling is stable at this step; a smaller --step or "
                               "another --coupling may help");
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
  return Value::list(summary.events, [](const system::Landing& landing) {
    Value event = Value::object({{"event", landing.words}, {"asked", landing.asked}});
    const bool lasts = landing.asked_end != landing.asked;
    if (lasts) event.add("asked_end", landing.asked_end);
    if (landing.fate == system::Landing::Fate::happens) {
      event.add("landed", landing.landed);
      if (lasts) event.add("landed_end", landing.landed_end);
    }
    return event;
  });
}

std::string stem(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  const std::size_t dot = path.find_last_of('.');
  const bool has_extension = dot != std::string::npos && dot != 0 && (slash == std::string::npos || dot > slash + 1);
  return has_extension ? path.substr(0, dot) : path;
}

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

std::string growth_text(const engine::System& system, const std::optional<stepping::Growth>& growth) {
  if (!growth) return {};
  return fmt::format("warning: {} grew from {:.3g} to {:.3g} and goes on growing: {}\n", growth->name, growth->from,
                     growth->to,
                     system.description.connections.empty()
                         ? "nothing is connected, so it is the model or its solver"
                         : "the coupling is not stable, or the system is not by itself; `seam analyze` tells which");
}

Value growth_value(const std::optional<stepping::Growth>& growth) {
  if (!growth) return Value();
  return Value::object({{"variable", growth->name}, {"from", growth->from}, {"to", growth->to}});
}

Value micro_value(const engine::RunSummary& summary) {
  return Value::list(summary.micro, [](const engine::MicroResult& micro) {
    return Value::object({{"subsystem", micro.subsystem}, {"result", micro.file}, {"rows", micro.rows}});
  });
}

/// Which software and which FMUs made the result.
Value versions_value(const engine::RunSummary& summary) {
  Value fmus = Value::object();
  for (const engine::FmuVersion& fmu : summary.fmus) {
    Value value = Value::object({{"file", fmu.file}, {"fmi", fmu.fmi}, {"sha256", fmu.hash}});
    if (!fmu.model.empty()) value.add("model", fmu.model);
    if (!fmu.tool.empty()) value.add("tool", fmu.tool);
    fmus.add(fmu.subsystem, std::move(value));
  }
  return Value::object({{"seam", version()}, {"fmus", std::move(fmus)}});
}

/// Where the wall time went; none where nothing was measured.
Value times_value(const engine::RunTimes& times) {
  if (times.watched_steps == 0) return {};
  Value subsystems = Value::object();
  for (const auto& [name, seconds] : times.subsystems) subsystems.add(name, seconds);
  return Value::object({{"measured_steps", times.watched_steps},
                        {"subsystems", std::move(subsystems)},
                        {"recording", times.recording},
                        {"engine", times.engine}});
}

std::string number(const std::optional<double>& value) { return value ? fmt::format("{:.6g}", *value) : "constant"; }

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
  text += growth_text(system, summary.growth);
  if (!summary.state_complaint.empty()) text += "error: " + summary.state_complaint + "\n";
  if (!summary.final_state.empty())
    text += fmt::format("  the state at the end is in {}; go on with --initial-state {}\n", summary.final_state,
                        summary.final_state);
  return text;
}

Value run_value(const engine::System& system, const engine::RunSummary& summary) {
  const stepping::RunResult& result = summary.result;
  const double simulated = result.time - summary.start;
  Value value = Value::object();
  value.add("seam", version());
  value.add("versions", versions_value(summary));
  value.add("forecast", forecast_value(summary.forecast));
  value.add("name", system.description.name);
  value.add("ending", base::to_word(endings, result.ending));
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
  value.add("growth", growth_value(summary.growth));
  if (system.description.record.wants(system::CouplingRecord::feedthrough))
    value.add("held_outputs", held_outputs_value(summary));
  if (!summary.defects.empty()) value.add("defects", defects_value(system, summary));
  value.add("times", times_value(summary.times));
  value.add("plan", plan_value(system));
  return value;
}

std::string write_summary(const engine::System& system, const engine::RunSummary& summary) {
  const std::string path = stem(summary.path.empty() ? summary.file : summary.path) + ".summary.json";
  formats::write_text(path, json(run_value(system, summary)));
  return path;
}

/// How the names of the reference differ. Where all of them lack what stands before the last dot, that is all there is
/// to say.
std::vector<std::string> renamed_words(const record::Comparison& comparison) {
  std::vector<std::string> words;
  std::set<std::string> owners;
  bool bare = true;
  for (const auto& error : comparison.variables) {
    if (error.name == error.reference_name) continue;
    words.push_back(error.name + " is " + error.reference_name);
    const std::size_t owner = error.name.size() - std::min(error.name.size(), error.reference_name.size());
    bare = bare && owner > 1 && error.name[owner - 1] == '.' && error.name.substr(owner) == error.reference_name;
    if (bare) owners.insert(error.name.substr(0, owner - 1));
  }
  if (!bare || words.size() < 2) return words;
  return {fmt::format("names stand without \"{}.\"", fmt::join(owners, ".\", \""))};
}

std::string comparison_text(const record::Comparison& comparison) {
  std::size_t width = 8;
  for (const auto& error : comparison.variables) width = std::max(width, error.name.size());
  std::string text = fmt::format("{:<{}}  {:>12}  {:>12}  {:>12}  {:>12}\n", "variable", width, "NRMSE range",
                                 "NRMSE std", "rms", "largest");
  for (const auto& error : comparison.variables) {
    text += fmt::format("{:<{}}  {:>12}  {:>12}  {:>12.6g}  {:>12.6g} at t = {:.9g} s\n", error.name, width,
                        number(error.nrmse_range), number(error.nrmse_deviation), error.rms, error.largest,
                        error.largest_at);
  }
  text += fmt::format("{:<{}}  {:>12}  {:>12}   (largest; rms over the variables)\n", "overall", width,
                      number(comparison.overall_range), number(comparison.overall_deviation));
  text += fmt::format("{} samples from {:.12g} s to {:.12g} s{}\n", comparison.samples, comparison.from, comparison.to,
                      comparison.interpolated ? "; the reference has other times and was interpolated linearly" : "");
  for (const auto& [names, what] :
       {std::pair{renamed_words(comparison), "in the reference"},
        {comparison.not_asked, "in both and left out by --variables"},
        {comparison.texts, "in both and not compared, since they are texts or whole numbers beyond 2^53"},
        {comparison.only_in_result, "only in the result"},
        {comparison.only_in_reference, "only in the reference"}}) {
    if (!names.empty()) text += fmt::format("{}: {}\n", what, fmt::join(names, ", "));
  }
  for (const std::string& words : comparison.ambiguous)
    text += fmt::format("not compared, since {}; --map RESULT=REFERENCE says which\n", words);
  return text;
}

Value comparison_value(const record::Comparison& comparison) {
  Value variables = Value::object();
  for (const auto& error : comparison.variables) {
    variables.add(error.name, Value::object({{"reference", error.reference_name},
                                             {"nrmse_range", error.nrmse_range},
                                             {"nrmse_deviation", error.nrmse_deviation},
                                             {"rms", error.rms},
                                             {"largest", error.largest},
                                             {"largest_at", error.largest_at}}));
  }
  return Value::object({{"variables", std::move(variables)},
                        {"nrmse_range", comparison.overall_range},
                        {"nrmse_deviation", comparison.overall_deviation},
                        {"samples", comparison.samples},
                        {"from", comparison.from},
                        {"to", comparison.to},
                        {"interpolated", comparison.interpolated},
                        {"only_in_result", Value::array(comparison.only_in_result)},
                        {"only_in_reference", Value::array(comparison.only_in_reference)},
                        {"not_asked", Value::array(comparison.not_asked)},
                        {"ambiguous", Value::array(comparison.ambiguous)},
                        {"texts", Value::array(comparison.texts)}});
}

std::string duration_words(double seconds) {
  if (seconds < 10.0) return fmt::format("{:.1f} s", seconds);
  if (seconds > 1e9) return "years";
  const auto whole = static_cast<long>(std::lround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string progress_words(const std::string& name, const stepping::Progress& progress, double elapsed) {
  const double done = progress.time - progress.start, all = progress.stop - progress.start;
  const double fraction = all > 0.0 ? std::clamp(done / all, 0.0, 1.0) : 1.0;
  constexpr std::size_t width = 20;
  const auto full = static_cast<std::size_t>(width * fraction);
  std::string words = fmt::format("{} [{}{}] {:3.0f} %  {:.6g} of {:.6g} s", name, std::string(full, '#'),
                                  std::string(width - full, '.'), 100.0 * fraction, progress.time, progress.stop);
  if (elapsed <= 0.0 || done <= 0.0) return words;
  const double rate = done / elapsed;
  return words + fmt::format(", {:.3g} times real time, {} left", rate, duration_words((all - done) / rate));
}

}  // namespace seam::report

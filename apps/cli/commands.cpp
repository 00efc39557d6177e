#include "commands.hpp"

#include <algorithm>
#include <iostream>

#include "output.hpp"
#include "seam/base/names.hpp"
#include "seam/base/problem.hpp"
#include "seam/engine/open/fmu_log.hpp"
#include "seam/engine/predict/reference.hpp"
#include "seam/engine/predict/tune.hpp"
#include "seam/engine/run/recording.hpp"
#include "seam/engine/run/run.hpp"
#include "seam/report/analysis_report.hpp"
#include "seam/report/catalog_report.hpp"
#include "seam/report/plan_words.hpp"
#include "seam/report/print.hpp"
#include "seam/report/run_report.hpp"
#include "seam/report/system_report.hpp"
#include "terminal.hpp"

namespace seam::cli {
namespace {

int exit_code(stepping::Ending ending) {
  switch (ending) {
    case stepping::Ending::completed:
    case stepping::Ending::ended_by_subsystem:
      return done;
    case stepping::Ending::interrupted:
      return interrupted_by_user;
    case stepping::Ending::diverged:
      return run_diverged;
    case stepping::Ending::rejected:
    case stepping::Ending::failed:
      return subsystem_failed;
  }
  return internal_error;
}

engine::System open_any(const Arguments& arguments) {
  const bool fmus = std::all_of(arguments.files.begin(), arguments.files.end(), names_an_fmu);
  return fmus ? engine::open_fmus({arguments.files, arguments.connect}, arguments.changes)
              : engine::open(arguments.files.front(), arguments.changes);
}

}  // namespace

int run_system(const Arguments& arguments) {
  if (arguments.files.size() > 1 && !std::all_of(arguments.files.begin(), arguments.files.end(), names_an_fmu)) {
    std::cerr << "run takes one system file, or one or more FMUs\n";
    return wrong_usage;
  }
  if (!arguments.connect.empty() && !names_an_fmu(arguments.files.front())) {
    std::cerr << "--connect is for FMUs; a system has its connections in its file\n";
    return wrong_usage;
  }
  const engine::System system = open_any(arguments);
  engine::require_libraries(system);
  if (!arguments.quiet) {
    for (const std::string& notice : system.description.notices) std::cerr << notice << "\n";
  }
  engine::RunSettings settings;
  settings.file = arguments.output;
  settings.growth_limit = arguments.growth_limit;
  settings.stop_asked = &watch_for_interrupt();
  settings.initial_state = arguments.initial_state;
  settings.final_state = arguments.final_state;
  settings.log_file = arguments.fmi_log_file;
  engine::check_files(system, settings);
  settings.fmu_logging = engine::make_fmu_logging(
      {arguments.log_fmi_calls ? engine::FmuLogRequest::Calls::written : engine::FmuLogRequest::Calls::unheard,
       arguments.fmu_log, arguments.fmi_log_file});
  ProgressBar bar(system.description.name);
  if (!arguments.quiet) settings.progress = [&bar](const stepping::Progress& progress) { bar.show(progress); };
  const engine::RunSummary summary = engine::run(system, settings);
  report::write_summary(system, summary);
  if (arguments.json) print(report::json(report::run_value(system, summary)));
  const bool well = summary.result.ending == stepping::Ending::completed && summary.state_complaint.empty();
  if (!arguments.quiet || !well) std::cerr << report::run_text(system, summary);
  const int code = exit_code(summary.result.ending);
  return code == done && !summary.state_complaint.empty() ? subsystem_failed : code;
}

int analyze_system(const Arguments& arguments) {
  engine::OutlookRequest request = engine::read_outlook_flags(arguments.outlook);
  const engine::System system = open_any(arguments);
  ProgressBar bar(system.description.name);
  request.progress = [&bar](const std::string& what, double fraction) { bar.show(what, fraction); };
  const engine::Outlook outlook = engine::look_ahead(system, request);
  const bool compares = !system.description.designs.empty() && arguments.changes.design.empty();
  const engine::DesignComparison designs =
      compares ? engine::compare_designs(arguments.files.front(), arguments.changes, request)
               : engine::DesignComparison{};
  bar.remove();
  if (arguments.json) {
    formats::Value value = report::outlook_value(system, outlook);
    if (compares) value.add("design_comparison", report::design_value(designs));
    print(report::json(value));
  } else {
    print(report::outlook_text(system, outlook) + report::design_text(designs));
  }
  if (arguments.require == "stable" && outlook.verdict() != engine::Outlook::Verdict::stable) {
    std::cerr << (outlook.verdict() == engine::Outlook::Verdict::not_known
                      ? "the coupling is required to be stable, and that is not known\n"
                      : "the coupling is required to be stable, and it is not\n");
    return requirement_not_met;
  }
  return done;
}

int tune_plan(const Arguments& arguments) {
  engine::TuneGoal goal;
  goal.outlook = engine::read_outlook_flags(arguments.outlook);
  if (arguments.target > 0.0) goal.error = arguments.target;
  const engine::System system = open_any(arguments);
  const std::string file = arguments.output.empty() ? engine::plan_file_name(system) : arguments.output;
  engine::check_no_input(system, file);
  ProgressBar bar(system.description.name);
  goal.outlook.progress = [&bar](const std::string& what, double fraction) { bar.show(what, fraction); };
  const engine::Tuned tuned = engine::tune(system, goal);
  bar.remove();
  engine::write_plan(tuned, file, arguments.force ? engine::Existing::is_replaced : engine::Existing::stays);
  if (arguments.json) print(report::json(report::tuned_value(tuned, file)));
  std::cerr << report::tuned_text(tuned, file);
  return done;
}

int solve_reference(const Arguments& arguments) {
  const engine::System system = engine::open(arguments.files.front(), arguments.changes);
  engine::RunSettings settings;
  settings.file = arguments.output;
  const std::atomic<bool>& interrupted = watch_for_interrupt();
  settings.stop_asked = &interrupted;
  ProgressBar bar(system.description.name);
  if (!arguments.quiet) settings.progress = [&bar](const stepping::Progress& progress) { bar.show(progress); };
  const engine::ReferenceSummary summary = engine::reference(system, settings, arguments.reference);
  if (arguments.json) print(report::json(report::reference_value(system, summary)));
  if (!arguments.quiet || !summary.diverged.empty()) std::cerr << report::reference_text(system, summary);
  if (!summary.diverged.empty()) return run_diverged;
  return interrupted ? interrupted_by_user : done;
}

int compare_results(const Arguments& arguments) {
  const record::Comparison comparison =
      engine::compare({arguments.files[0], arguments.files[1], arguments.changes.variables, arguments.changes.map});
  if (arguments.json) {
    print(report::json(report::comparison_value(comparison)));
  } else {
    print(report::comparison_text(comparison));
  }
  if (arguments.max_nrmse < 0.0) return done;
  if (comparison.overall_range && *comparison.overall_range <= arguments.max_nrmse) return done;
  std::cerr << "the largest range-normalised error is required to be at most " << arguments.max_nrmse
            << ", and it is not\n";
  return requirement_not_met;
}

int check_system(const Arguments& arguments) {
  if (names_an_fmu(arguments.files.front())) return check_fmu(arguments);
  engine::Changes changes = arguments.changes;
  changes.autos = engine::Changes::Autos::without_fmus;  // no stranger's code is run here
  const engine::System system = engine::open(arguments.files.front(), changes);
  const bool has_stop = system.description.experiment.stop.has_value();
  const engine::Live live = engine::make_live(system, {has_stop ? engine::Horizon::experiment : engine::Horizon::none});
  engine::select_columns(system, live.program);
  if (arguments.initialisation) {
    print(arguments.json ? report::json(report::initialisation_value(system, *live.assembly))
                         : report::initialisation_text(system, *live.assembly));
  } else if (arguments.json) {
    print(report::json(report::check_value(system)));
  } else if (arguments.print_resolved) {
    print(engine::resolved_text(system));
  } else {
    print(report::check_text(system));
  }
  return done;
}

int list_methods(const Arguments& arguments) {
  const std::string text = report::methods_text(arguments.name) + report::models_text(arguments.name);
  if (!text.empty()) {
    print((arguments.json ? report::json(report::catalog_value(arguments.name)) : text));
    return done;
  }
  std::cerr << "there is no method or model \"" << arguments.name << "\"\n   "
            << base::did_you_mean(arguments.name, report::catalog_names()) << "\n";
  return problems_in_input;
}

}  // namespace seam::cli

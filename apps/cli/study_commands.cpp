#include <iostream>

#include "commands.hpp"
#include "guard.hpp"
#include "output.hpp"
#include "seam/report/print.hpp"
#include "seam/report/study_report.hpp"
#include "terminal.hpp"

namespace seam::cli {

int run_study(const Arguments& arguments) {
  const study::Prepared prepared = study::prepare(arguments.files.front());
  if (arguments.dry_run) {
    print(arguments.json ? report::json(report::plan_of_study_value(prepared)) : report::plan_of_study_text(prepared));
    return done;
  }
  study::StudySettings settings;
  settings.file = arguments.output;
  settings.workers = arguments.workers;
  using Existing = study::StudySettings::Existing;
  if (arguments.resume) settings.existing = Existing::resumed;
  if (arguments.force) settings.existing = Existing::replaced;
  const std::atomic<bool>& interrupted = watch_for_interrupt();
  settings.stop_asked = &interrupted;
  settings.begin_worker = [&](int words) {
    watch_copy(words);
    // a thread of this process is none of its copies
    if (arguments.step_timeout > 0.0) watch_for_hang(arguments.step_timeout, Answer::text);
  };
  ProgressBar bar(prepared.study.name);
  report::StudyProgress words;
  if (!arguments.quiet)
    settings.progress = [&](std::size_t points, std::size_t all) {
      bar.show(words.text(points, all), static_cast<double>(points) / static_cast<double>(all));
    };
  const study::StudyResult result = study::run_study(prepared, settings);
  bar.remove();
  if (arguments.json) print(report::json(study::summary_value(prepared, result)));
  if (!arguments.quiet) std::cerr << report::study_text(prepared, result);
  if (!result.complete) return interrupted_by_user;
  return report::every_case_failed(result) ? subsystem_failed : done;
}

}  // namespace seam::cli

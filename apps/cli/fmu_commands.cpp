#include <filesystem>
#include <iostream>

#include "commands.hpp"
#include "output.hpp"
#include "seam/engine/open/build_fmu.hpp"
#include "seam/engine/open/new_system.hpp"
#include "seam/report/fmu_report.hpp"
#include "seam/report/print.hpp"
#include "terminal.hpp"

namespace seam::cli {

bool names_an_fmu(const std::string& file) { return file.ends_with(".fmu") || file.ends_with(".FMU"); }

int show_fmu(const Arguments& arguments) {
  const auto fmu = engine::open_fmu(arguments.files.front());
  const auto extent = arguments.all_variables ? report::Extent::all : report::Extent::first_lines;
  print(arguments.json ? report::json(report::fmu_value(fmu)) : report::fmu_text(fmu, extent));
  return done;
}

int check_fmu(const Arguments& arguments) {
  const auto fmu = engine::open_fmu(arguments.files.front());
  print(arguments.json ? report::json(report::fmu_check_value(fmu))
                       : report::fmu_check_text(fmu, report::Extent::first_lines));
  return report::fmu_has_errors(fmu) ? problems_in_input : done;
}

int new_system_file(const Arguments& arguments) {
  const std::filesystem::path file(arguments.output);
  const std::string folder = file.has_parent_path() ? file.parent_path().string() : ".";
  engine::write_new_file(arguments.output, engine::new_system_text(arguments.files, folder));
  if (arguments.json) {
    print(report::json(formats::Value::object({{"file", arguments.output}})));
  } else {
    std::cerr << "wrote " << arguments.output << "; look at the connections, then: seam run " << arguments.output
              << "\n";
  }
  return done;
}

int build_fmu(const Arguments& arguments) {
  engine::BuildRequest request;
  request.fmu = arguments.files.front();
  request.output = arguments.output;
  if (arguments.force) request.existing = engine::BuildRequest::Existing::replaced;
  request.stop_asked = &watch_for_interrupt();
  const auto built = engine::build_fmu(request);
  if (!built) return interrupted_by_user;
  if (arguments.json) print(report::json(report::build_value(*built)));
  if (!arguments.quiet) std::cerr << report::build_text(*built);
  return done;
}

}  // namespace seam::cli

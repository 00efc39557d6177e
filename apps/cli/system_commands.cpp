#include <iostream>

#include "commands.hpp"
#include "output.hpp"
#include "seam/engine/open/convert.hpp"
#include "seam/engine/run/recording.hpp"
#include "seam/report/linear_models_report.hpp"
#include "seam/report/print.hpp"
#include "seam/report/system_report.hpp"

namespace seam::cli {

int show_system(const Arguments& arguments) {
  engine::Changes changes = arguments.changes;
  changes.autos = engine::Changes::Autos::left;  // choosing would run the FMUs
  const engine::System system = engine::open(arguments.files.front(), changes);
  const auto extent = arguments.all_variables ? report::Extent::all : report::Extent::first_lines;
  if (arguments.dot) {
    print(report::system_graph(system));
  } else if (arguments.parameters) {
    print(arguments.json ? report::json(report::parameters_value(system)) : report::parameters_text(system, extent));
  } else {
    print(arguments.json ? report::json(report::system_value(system)) : report::system_text(system, extent));
  }
  return done;
}

int convert_system(const Arguments& arguments) {
  engine::ConvertRequest request;
  request.from = arguments.files.front();
  request.to = arguments.output;
  request.tool = std::string("seam ") + report::version();
  if (arguments.force) request.existing = engine::ConvertRequest::Existing::replaced;
  const engine::Converted converted = engine::convert(request, arguments.changes);
  if (arguments.json) print(report::json(report::conversion_value(converted)));
  if (!arguments.quiet) std::cerr << report::conversion_text(converted);
  return done;
}

int linearize_system(const Arguments& arguments) {
  report::check_linear_models_file(arguments.output);
  const bool is_fmu = names_an_fmu(arguments.files.front());
  const engine::System system = is_fmu ? engine::open_fmus({arguments.files, {}}, arguments.changes)
                                       : engine::open(arguments.files.front(), arguments.changes);
  if (!arguments.output.empty()) {
    engine::RunSettings settings;
    settings.file = arguments.output;
    engine::check_files(system, settings);
  }
  engine::LinearModelRequest request;
  request.subsystems = arguments.subsystems;
  if (!arguments.at.empty()) request.time = engine::operating_time(arguments.at);
  if (arguments.ports != "connected") request.ports = engine::LinearModelRequest::Ports::all;
  const auto models = engine::linear_models(system, request);
  if (!arguments.output.empty()) report::write_linear_models(arguments.output, system, models);
  if (arguments.json) {
    print(report::json(report::linear_models_value(system, models)));
  } else if (!arguments.quiet) {
    print(report::linear_models_text(system, models));
  }
  return done;
}

}  // namespace seam::cli

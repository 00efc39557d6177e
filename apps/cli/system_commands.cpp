#include <iostream>

#include "commands.hpp"
#include "output.hpp"
#include "seam/engine/convert.hpp"
#include "seam/report/print.hpp"
#include "seam/report/system_report.hpp"
#include "seam/report/version.hpp"

namespace seam::cli {

int show_system(const Arguments& arguments) {
  const engine::System system = engine::open(arguments.files.front(), arguments.changes);
  print(arguments.json ? report::json(report::system_value(system)) : report::system_text(system));
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

}  // namespace seam::cli

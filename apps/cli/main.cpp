// The edge: one place where everything that went wrong becomes a message and an exit code.
#include <exception>
#include <iostream>

#include "arguments.hpp"
#include "commands.hpp"
#include "guard.hpp"
#include "output.hpp"
#include "seam/base/error.hpp"
#include "seam/base/problem.hpp"
#include "seam/report/print.hpp"

namespace seam::cli {
namespace {

int dispatch(const Arguments& arguments) {
  switch (arguments.verb) {
    case Verb::run:
      return run_system(arguments);
    case Verb::analyze:
      return analyze_system(arguments);
    case Verb::linearize:
      return linearize_system(arguments);
    case Verb::tune:
      return tune_plan(arguments);
    case Verb::reference:
      return solve_reference(arguments);
    case Verb::compare:
      return compare_results(arguments);
    case Verb::check:
      return check_system(arguments);
    case Verb::info:
      return names_an_fmu(arguments.files.front()) ? show_fmu(arguments) : show_system(arguments);
    case Verb::convert:
      return convert_system(arguments);
    case Verb::new_system:
      return new_system_file(arguments);
    case Verb::build:
      return build_fmu(arguments);
    case Verb::study:
      return run_study(arguments);
    case Verb::methods:
      return list_methods(arguments);
    case Verb::none:
      break;
  }
  return wrong_usage;
}

int exit_code(base::Failure failure) {
  switch (failure) {
    case base::Failure::subsystem:
      return subsystem_failed;
    case base::Failure::file:
      return problems_in_input;
    case base::Failure::internal:
      return internal_error;
  }
  return internal_error;
}

/// Also a run that failed leaves one JSON object behind.
int fail(const Arguments& arguments, int code, const std::string& message, const base::Problems& problems = {}) {
  if (arguments.json) print(report::json(report::failure_value(code, message, problems)));
  std::cerr << message << (message.ends_with('\n') ? "" : "\n");
  return code;
}

/// What FMUs print is of use where there is one instance of each: these make hundreds.
Printed by_libraries(Verb verb) {
  const bool many = verb == Verb::analyze || verb == Verb::linearize || verb == Verb::tune || verb == Verb::study;
  return many ? Printed::nowhere : Printed::to_standard_error;
}

int guarded(const Arguments& arguments) {
  try {
    return dispatch(arguments);
  } catch (const base::ProblemsFound& found) {
    return fail(arguments, problems_in_input, found.problems().text(), found.problems());
  } catch (const base::Error& error) {
    return fail(arguments, exit_code(error.failure()), std::string("error: ") + error.what());
  } catch (const std::exception& error) {
    return fail(arguments, internal_error, std::string("internal error: ") + error.what());
  }
}

}  // namespace
}  // namespace seam::cli

int main(int argc, char** argv) {
  const seam::cli::Parsed parsed = seam::cli::parse(argc, argv);
  if (parsed.done) return parsed.exit_code;
  seam::cli::claim_standard_output(seam::cli::by_libraries(parsed.arguments.verb));
  const auto answer = parsed.arguments.json ? seam::cli::Answer::json : seam::cli::Answer::text;
  seam::cli::watch_for_crash(answer);
  if (parsed.arguments.step_timeout > 0.0) seam::cli::watch_for_hang(parsed.arguments.step_timeout, answer);
  const int code = seam::cli::guarded(parsed.arguments);
  seam::cli::expect_ends_of_libraries();
  return code;
}

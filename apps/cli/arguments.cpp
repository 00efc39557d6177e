#include "arguments.hpp"

#include <CLI/CLI.hpp>
#include <charconv>
#include <iostream>

#include "seam/base/names.hpp"
#include "seam/report/print.hpp"

namespace seam::cli {
namespace {

constexpr const char* footer =
    "Exit codes: 0 done, 1 problems in the input, 2 usage, 3 diverged, 4 a subsystem failed,\n"
    "5 a requirement was not met, 70 internal error, 130 interrupted.";

/// CLI11's own check lets "nan" pass.
std::string positive_number(const std::string& text) {
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && number > 0.0 ? std::string() : "\"" + text + "\" is no number greater than 0";
}

void add_system(CLI::App& verb, Arguments& arguments) {
  verb.add_option("FILE", arguments.files, "the system: a system file (YAML or JSON), an SSP or an SSD")
      ->required()
      ->expected(1);
  verb.add_option("--plan", arguments.changes.plan_file, "how to run it: a plan file, whose keys win over the system's")
      ->type_name("FILE");
  verb.add_option("--design", arguments.changes.design, "one of the designs of a system file")->type_name("NAME");
  verb.add_option("--ssd", arguments.changes.ssd, "which of several descriptions in an SSP")->type_name("NAME");
  verb.add_flag_callback(
      "--no-embedded-plan", [&arguments] { arguments.changes.embedded_plan = engine::Changes::EmbeddedPlan::ignored; },
      "ignore the plan inside an SSP");
  verb.add_option("--allow-path", arguments.changes.opened_folders,
                  "the system may name files in this folder too (may be repeated)")
      ->type_name("DIR")
      ->take_all();
  verb.add_flag_callback(
      "--strict", [&arguments] { arguments.changes.fmu_descriptions = engine::Changes::FmuDescriptions::strict; },
      "refuse what breaks a standard or leads out of a file's folder, even where a run can work around it");
  verb.add_option("--set,--start-value", arguments.changes.set,
                  "change a value: subsystem.parameter=value (may be repeated)")
      ->type_name("PATH=VALUE")
      ->take_all();
  verb.add_option("--input-file", arguments.changes.input_file,
                  "a table with a column for each input that nothing is connected to, by its name")
      ->type_name("FILE");
  verb.add_option("--map", arguments.changes.map, "a column of that table feeds this input (may be repeated)")
      ->type_name("COLUMN=INPUT")
      ->take_all();
  verb.add_option("--start,--start-time", arguments.changes.start, "start time, such as 0 or 0s")->type_name("TIME");
  verb.add_option("--stop,--stop-time", arguments.changes.stop, "stop time, such as 10 or 10s")->type_name("TIME");
  verb.add_option("--step,--step-size", arguments.changes.step,
                  "macro step, such as 1ms; auto[,target=0.01] chooses it")
      ->type_name("TIME|auto");
  verb.add_option("--tolerance,--relative-tolerance", arguments.changes.tolerance,
                  "relative tolerance for the solvers inside FMUs and of cvode")
      ->type_name("NUMBER");
  verb.add_option("--coupling", arguments.changes.coupling,
                  "coupling method of all connections, such as foh,samples=micro (see `seam methods`), or auto")
      ->type_name("NAME[,KEY=VALUE]");
  verb.add_option("--corrector", arguments.changes.corrector,
                  "how samples are mended at communication points, such as mbcorr,alpha=1 (see `seam methods`)")
      ->type_name("NAME[,KEY=VALUE]");
  verb.add_option("--schedule", arguments.changes.schedule, "who steps when, with whose samples")
      ->type_name("jacobi|gauss-seidel|auto");
  verb.add_option("--feedthrough", arguments.changes.feedthrough, "how direct feed-through is sent")
      ->type_name("held|fresh");
}

void add_json(CLI::App& verb, Arguments& arguments) {
  verb.add_flag("--json", arguments.json, "print one JSON object on standard output");
}

void add_results(CLI::App& verb, Arguments& arguments) {
  verb.add_option("--every,--output-interval", arguments.changes.every, "record every so often, a multiple of the step")
      ->type_name("TIME");
  verb.add_option("--variables,--output-variable", arguments.changes.variables,
                  "record what matches: a.y, \"a.*\", \"*.outputs\"")
      ->type_name("PATTERN")
      ->take_all();
  verb.add_option("-o,--output-file", arguments.output, "result file (.csv, .mat, .h5)")->type_name("FILE");
  verb.add_flag("-q,--quiet", arguments.quiet, "say nothing unless something is wrong");
}

void add_scenario(CLI::App& verb, Arguments& arguments) {
  verb.add_option("--scenario", arguments.changes.scenario, "events to add to those of the experiment (YAML)")
      ->type_name("FILE");
}

/// Without a limit of the user's, a call into an FMU may take a minute where it costs more than itself: in probes,
/// which ask for short steps, and in a study, where the other cases wait.
constexpr double longest_call = 60.0;
constexpr const char* ends_probing = "end the program if one call into an FMU takes longer, in seconds (default: 60)";

CLI::Option* add_timeout(CLI::App& verb, Arguments& arguments, const char* words) {
  return verb.add_option("--step-timeout", arguments.step_timeout, words)->type_name("SECONDS")->check(positive_number);
}

void add_run(CLI::App& app, Arguments& arguments) {
  CLI::App* verb = app.add_subcommand("run", "run a system file, or FMUs as they are");
  add_system(*verb, arguments);
  verb->get_option("FILE")
      ->expected(1, CLI::detail::expected_max_vector_size)
      ->description("a system file, or one or more FMUs");
  verb->add_option("--connect", arguments.connect, "connect FMUs: a.y=b.u; which of the two is the output is found out")
      ->type_name("PORT=PORT")
      ->take_all();
  add_scenario(*verb, arguments);
  verb->add_option("--threads", arguments.changes.threads, "step subsystems side by side where that gains time")
      ->type_name("N|auto|always:N");
  verb->add_option("--initial-state,--initial-fmu-state-file", arguments.initial_state,
                   "go on from a state that --final-state has saved")
      ->type_name("FILE");
  verb->add_option("--final-state,--final-fmu-state-file", arguments.final_state,
                   "save the state of the whole system at the end")
      ->type_name("FILE");
  verb->add_flag("--log-fmi-calls", arguments.log_fmi_calls, "write every call into an FMU with its arguments");
  verb->add_option("--log-fmus", arguments.fmu_log, "let the FMUs log: all, or categories of theirs by name")
      ->type_name("all|CATEGORY[,…]");
  verb->add_option("--fmi-log-file", arguments.fmi_log_file, "where both logs go (standard error if it is not given)")
      ->type_name("FILE");
  add_timeout(*verb, arguments, "end the run if one call into an FMU takes longer, in seconds");
  add_results(*verb, arguments);
  add_json(*verb, arguments);
  verb->add_option("--growth-limit", arguments.growth_limit, "a value beyond this is divergence")
      ->type_name("NUMBER")
      ->check(positive_number);
  verb->callback([&arguments] { arguments.verb = Verb::run; });
}

void add_analyze(CLI::App& app, Arguments& arguments) {
  CLI::App* verb = app.add_subcommand("analyze", "say before the run whether the coupling is stable, and how wrong");
  verb->alias("analyse");
  add_system(*verb, arguments);
  const CLI::Option* timeout = add_timeout(*verb, arguments, ends_probing);
  add_json(*verb, arguments);
  verb->add_option("--sweep", arguments.outlook.sweep, "radius and expected error over macro steps: step=1ms:10ms:10")
      ->type_name("step=FROM:TO:COUNT");
  verb->add_option("--band", arguments.outlook.band, "frequencies of the excitation whose error is expected: 0.5Hz:5Hz")
      ->type_name("FROM:TO");
  verb->add_option("--at", arguments.outlook.time, "operating point of FMUs: a time that a run reaches")
      ->type_name("TIME");
  verb->add_option("--require", arguments.require, "exit with 5 unless the coupling is: stable")
      ->check(CLI::IsMember({"stable"}));
  verb->callback([&arguments, timeout] {
    arguments.verb = Verb::analyze;
    if (timeout->count() == 0) arguments.step_timeout = longest_call;
  });
}

void add_linearize(CLI::App& app, Arguments& arguments) {
  CLI::App* verb = app.add_subcommand("linearize", "a linear model of every subsystem, and how good it is");
  verb->alias("linearise");
  add_system(*verb, arguments);
  verb->get_option("FILE")
      ->expected(1, CLI::detail::expected_max_vector_size)
      ->description("a system file, an SSP, an SSD or an FMU; then the names of subsystems, if not all are wanted");
  verb->add_option("--at", arguments.at, "operating point: the system is run to this time first")->type_name("TIME");
  verb->add_option("--ports", arguments.ports, "which ports a probe moves and looks at (default: all)")
      ->check(CLI::IsMember({"connected", "all"}));
  verb->add_option("-o,--output-file", arguments.output, "file for the models: .json or .mat")->type_name("FILE");
  verb->add_flag("-q,--quiet", arguments.quiet, "say nothing unless something is wrong");
  const CLI::Option* timeout = add_timeout(*verb, arguments, ends_probing);
  add_json(*verb, arguments);
  verb->callback([&arguments, timeout] {
    arguments.verb = Verb::linearize;
    if (timeout->count() == 0) arguments.step_timeout = longest_call;
    arguments.subsystems.assign(arguments.files.begin() + 1, arguments.files.end());
    arguments.files.resize(1);
  });
}

void add_tune(CLI::App& app, Arguments& arguments) {
  CLI::App* verb = app.add_subcommand("tune", "write the plan that reaches a goal; the system file stays as it is");
  add_system(*verb, arguments);
  verb->add_option("--target", arguments.target,
                   "expected error of the worst output (0.01: one per cent), reached with the largest step; without it "
                   "the step stays and the best method is chosen")
      ->type_name("NUMBER")
      ->check(positive_number);
  verb->add_option("--band", arguments.outlook.band, "frequencies of the excitation whose error is expected: 0.5Hz:5Hz")
      ->type_name("FROM:TO");
  verb->add_option("--at", arguments.outlook.time, "operating point of FMUs: a time that a run reaches")
      ->type_name("TIME");
  verb->add_option("-o,--output-file", arguments.output, "the plan file (default: NAME.plan.yaml)")->type_name("FILE");
  verb->add_flag("--force", arguments.force, "replace a plan file that is there already");
  const CLI::Option* timeout = add_timeout(*verb, arguments, ends_probing);
  add_json(*verb, arguments);
  verb->callback([&arguments, timeout] {
    arguments.verb = Verb::tune;
    if (timeout->count() == 0) arguments.step_timeout = longest_call;
  });
}

void add_reference(CLI::App& app, Arguments& arguments) {
  CLI::App* verb = app.add_subcommand(
      "reference", "the result without coupling error: all equations together, or ever smaller steps");
  add_system(*verb, arguments);
  add_results(*verb, arguments);
  using Solution = engine::ReferenceRequest::Solution;
  verb->add_option("--by", arguments.reference.solution,
                   "automatic: monolithic if all equations are known, else halving")
      ->transform(CLI::Transformer(std::map<std::string, Solution>{
          {"automatic", Solution::automatic}, {"monolithic", Solution::monolithic}, {"halving", Solution::halving}}))
      ->type_name("automatic|monolithic|halving");
  verb->add_option("--agree", arguments.reference.agree,
                   "halve the step until two runs are no further apart, relative to the range of a variable")
      ->type_name("NUMBER")
      ->check(positive_number)
      ->capture_default_str();
  add_timeout(*verb, arguments, "end the program if one call into an FMU takes longer, in seconds");
  add_json(*verb, arguments);
  verb->callback([&arguments] { arguments.verb = Verb::reference; });
}

void add_compare(CLI::App& app, Arguments& arguments) {
  CLI::App* verb = app.add_subcommand("compare", "how far a result is from a reference, variable by variable");
  verb->add_option("FILES", arguments.files, "RESULT.csv REFERENCE.csv")->required()->expected(2);
  verb->add_option("--variables", arguments.changes.variables, "compare only what matches")
      ->type_name("PATTERN")
      ->take_all();
  verb->add_option("--map", arguments.changes.map, "the same variable under two names, such as \"a.*=model.root.a.*\"")
      ->type_name("RESULT=REFERENCE")
      ->take_all();
  verb->add_option("--max-nrmse", arguments.max_nrmse, "exit with 5 if the largest range-normalised error is larger")
      ->check(CLI::NonNegativeNumber);
  add_json(*verb, arguments);
  verb->callback([&arguments] { arguments.verb = Verb::compare; });
}

void add_check(CLI::App& app, Arguments& arguments) {
  CLI::App* verb = app.add_subcommand("check", "find every problem of a system file without running it");
  verb->alias("validate");
  add_system(*verb, arguments);
  add_json(*verb, arguments);
  add_scenario(*verb, arguments);
  verb->add_flag("--print-resolved", arguments.print_resolved, "print the file with every default filled in");
  verb->add_flag("--initialisation", arguments.initialisation,
                 "print the order in which outputs are found at the start, and the loops among them");
  verb->callback([&arguments] { arguments.verb = Verb::check; });
}

void add_info(CLI::App& app, Arguments& arguments) {
  CLI::App* verb =
      app.add_subcommand("info", "what an FMU says of itself, or what is in a system; no FMU's code is loaded");
  add_system(*verb, arguments);
  verb->get_option("FILE")->description("an FMU, a system file, an SSP or an SSD");
  verb->add_flag("--all", arguments.all_variables, "list every variable or port, however many there are");
  CLI::Option* dot = verb->add_flag("--dot", arguments.dot, "of a system: a graph for Graphviz");
  CLI::Option* parameters = verb->add_flag("--parameters", arguments.parameters,
                                           "of a system: every parameter and start value, and where it came from");
  dot->excludes(parameters);
  add_json(*verb, arguments);
  verb->callback([&arguments] { arguments.verb = Verb::info; });
}

void add_new(CLI::App& app, Arguments& arguments) {
  CLI::App* verb =
      app.add_subcommand("new", "begin a system file for some FMUs, with the connections their names suggest");
  verb->add_option("FILES", arguments.files, "FMUs")->required();
  verb->add_option("-o,--output-file", arguments.output, "the system file to write")->type_name("FILE")->required();
  add_json(*verb, arguments);
  verb->callback([&arguments] { arguments.verb = Verb::new_system; });
}

void add_build(CLI::App& app, Arguments& arguments) {
  CLI::App* verb = app.add_subcommand("build", "compile the sources of an FMU for this platform, into a new FMU");
  verb->add_option("FILE", arguments.files, "an FMU that ships its sources")->required()->expected(1);
  verb->add_option("-o,--output-file", arguments.output, "the new FMU (default: NAME-PLATFORM.fmu beside it)")
      ->type_name("FILE");
  verb->add_flag("--force", arguments.force, "replace a file, or a library for this platform, that is there already");
  verb->add_flag("-q,--quiet", arguments.quiet, "say nothing unless something is wrong");
  add_json(*verb, arguments);
  verb->callback([&arguments] { arguments.verb = Verb::build; });
}

void add_convert(CLI::App& app, Arguments& arguments) {
  CLI::App* verb = app.add_subcommand("convert", "turn a system file into an SSP, or an SSP into a system file");
  add_system(*verb, arguments);
  verb->add_option("-o,--output-file", arguments.output, "the new file: .ssp, .yaml or .json")
      ->type_name("FILE")
      ->required();
  verb->add_flag("--force", arguments.force, "replace a file that is there already");
  verb->add_flag("-q,--quiet", arguments.quiet, "say nothing unless something is wrong");
  add_json(*verb, arguments);
  verb->callback([&arguments] { arguments.verb = Verb::convert; });
}

void add_study(CLI::App& app, Arguments& arguments) {
  CLI::App* verb =
      app.add_subcommand("study", "many cases of a system, beside a reference, and what they say together");
  verb->add_option("FILE", arguments.files, "a study file (YAML)")->required()->expected(1);
  verb->add_option("-o,--output-file", arguments.output, "one row a case: .csv, .h5 or .mat (default: NAME.csv)")
      ->type_name("FILE");
  verb->add_option("--workers", arguments.workers, "cases run side by side (default: one a core)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  verb->add_flag("--dry-run", arguments.dry_run, "say which cases there are, and run none");
  CLI::Option* resume = verb->add_flag("--resume", arguments.resume, "go on where an earlier study was left");
  verb->add_flag("--force", arguments.force, "replace a result that is there already")->excludes(resume);
  verb->add_flag("-q,--quiet", arguments.quiet, "say nothing unless something is wrong");
  const CLI::Option* timeout =
      add_timeout(*verb, arguments, "give a case up if one call into an FMU takes longer, in seconds (default: 60)");
  add_json(*verb, arguments);
  verb->callback([&arguments, timeout] {
    arguments.verb = Verb::study;
    if (timeout->count() == 0) arguments.step_timeout = longest_call;
  });
}

void add_methods(CLI::App& app, Arguments& arguments) {
  CLI::App* verb = app.add_subcommand("methods", "list coupling methods and built-in models, or explain one");
  verb->add_option("NAME", arguments.name, "a method or a model");
  add_json(*verb, arguments);
  verb->callback([&arguments] { arguments.verb = Verb::methods; });
}

}  // namespace

Parsed parse(int argc, char** argv) {
  Parsed parsed;
  CLI::App app(
      "seam couples simulators, and says before the run whether the coupling is stable and how wrong it will be.",
      "seam");
  app.set_version_flag("--version", std::string("seam ") + report::version());
  app.require_subcommand(1);
  app.footer(footer);
  add_run(app, parsed.arguments);
  add_analyze(app, parsed.arguments);
  add_linearize(app, parsed.arguments);
  add_tune(app, parsed.arguments);
  add_reference(app, parsed.arguments);
  add_compare(app, parsed.arguments);
  add_check(app, parsed.arguments);
  add_info(app, parsed.arguments);
  add_new(app, parsed.arguments);
  add_build(app, parsed.arguments);
  add_convert(app, parsed.arguments);
  add_study(app, parsed.arguments);
  add_methods(app, parsed.arguments);
  const auto all_verbs = app.get_subcommands([](const CLI::App*) { return true; });
  const auto is_meant = [&](const CLI::App* verb) { return verb->check_name(argv[1]); };
  if (argc > 1 && argv[1][0] != '-' && std::none_of(all_verbs.begin(), all_verbs.end(), is_meant)) {
    std::vector<std::string> verbs;
    for (const CLI::App* verb : all_verbs) verbs.push_back(verb->get_name());
    std::cerr << "seam cannot \"" << argv[1] << "\"; " << base::did_you_mean(argv[1], verbs)
              << "\nseam --help lists what it can\n";
    return {{}, true, 2};
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& stop) {
    parsed.done = true;
    parsed.exit_code = app.exit(stop, std::cout, std::cerr) == 0 ? 0 : 2;
  }
  return parsed;
}

}  // namespace seam::cli

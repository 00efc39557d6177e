#include "seam/coupling/corrector/entries.hpp"

#include <algorithm>

#include "seam/coupling/parameters.hpp"

namespace seam::coupling {
namespace {

using S = CorrectorSettings;

// Functions, not constants: entries may be registered before the constants of this file exist.
Choice model() {
  return {"model",
          {"auto", "exact", "derivatives", "probed"},
          "where the linear models come from: equations of our own, directional derivatives of an FMU at the end of "
          "every step, or a trial before the run"};
}
Choice learned_model() {
  Choice choice = model();
  choice.values.push_back("identified");
  choice.summary += ", or identification from inputs and outputs while the system runs";
  return choice;
}
Choice learning_start() {
  return {"start",
          {"careful", "eager"},
          "identified models: only from more samples than unknowns, and no offset before unless the inputs go on "
          "changing as they did; or as soon as there are as many"};
}
Choice residual() {
  return {"residual",
          {"cumulative", "plain", "printed"},
          "what the offset of the next input makes good: the mean errors of all steps, that of the last one as if it "
          "had had no offset, or that of the last one as it was"};
}
Choice feedthrough(std::vector<std::string> values) {
  return {"feedthrough", std::move(values), "whether the offset is mended for what feeds through directly"};
}
Choice kernel() {
  return {"kernel",
          {"zero", "ramp", "first-order"},
          "the error of an input in the step: constant, growing from 0, or the line between the true values at its "
          "ends"};
}

constexpr const char* micro_outputs = "micro_outputs";

Number whole(const std::string& name, double usual, double low, double high, const std::string& summary) {
  return {name,
          usual,
          {low, high, Range::Low::included},
          "whole: " + summary,
          "",
          "",
          Affinity::affine,
          Number::Kind::whole};
}
Number alpha() { return {"alpha", 1.0, {0.0, 2.0, Range::Low::included}, "share of the offset that is applied"}; }
std::vector<Number> model_numbers() {
  Number order = whole("order", 0.0, 1.0, 50.0, "states of identified models");
  order.usual_text = "auto";
  return {alpha(),
          whole(micro_outputs, 1.0, 1.0, 1000.0,
                "outputs a macro step that are looked at; 1 is the communication point alone"),
          order,
          whole("window", 20.0, 3.0, 1000.0, "macro steps that identified models rest on"),
          {"threshold", 0.01, {0.0, 1.0}, "relative error in foretelling above which another model is identified"}};
}
constexpr const char* held_need = "outputs with direct feed-through that are sent held, and events: local";
constexpr const char* model_need = "a linear model of every subsystem; where there is none, that part is left out";

std::string choice_of(const system::Corrector& corrector, std::string_view name) {
  return Parameters{corrector.choices, {}, {}, {}}.choice(name);
}

/// The place of a choice among these words.
template <class Enum>
Enum chosen(const system::Corrector& corrector, std::string_view name, std::initializer_list<std::string_view> words,
            Enum first) {
  const std::string value = choice_of(corrector, name);
  const auto found = std::find(words.begin(), words.end(), value);
  if (found == words.end()) return first;
  return static_cast<Enum>(static_cast<int>(first) + static_cast<int>(found - words.begin()));
}

double number_of(const system::Corrector& corrector, std::string_view name, double otherwise) {
  return Parameters{{}, corrector.numbers, {}, {}}.number(name).value_or(otherwise);
}

/// What most correctors have in common; `offset` is the name of the choice that says which offset there is.
S common_settings(const system::Corrector& corrector, const char* offset) {
  S settings;
  settings.model =
      chosen(corrector, "model", {"auto", "exact", "derivatives", "probed", "identified"}, S::Model::automatic);
  settings.offset_feedthrough =
      chosen(corrector, "feedthrough", {"corrected", "ignored"}, S::OffsetFeedthrough::corrected);
  settings.alpha = number_of(corrector, "alpha", 1.0);
  settings.offset = chosen(corrector, offset, {"none", "printed", "plain", "cumulative", "deadbeat"}, S::Offset::none);
  settings.micro_outputs = static_cast<int>(number_of(corrector, micro_outputs, 1.0));
  S::Learning& learning = settings.learning;
  learning.order = static_cast<int>(number_of(corrector, "order", learning.order));
  learning.window = static_cast<int>(number_of(corrector, "window", learning.window));
  learning.threshold = number_of(corrector, "threshold", learning.threshold);
  learning.start = chosen(corrector, "start", {"careful", "eager"}, S::Learning::Start::careful);
  return settings;
}

/// A parameter that only identification reads is a problem without it.
void check_learning(const system::MethodRequest& request, const system::Corrector& result,
                    const std::vector<std::string>& only_learning, base::Problems& problems) {
  const bool learns = choice_of(result, "model") == "identified";
  for (const system::Setting& given : request.parameters) {
    if (is_default(*find(Part::corrector, result.name), given)) continue;
    if (learns && given.name == "jacobians")
      problems.add(given.where,
                   "\"jacobians\" says where subsystems are asked for derivatives, but models are identified",
                   "leave it out");
    if (!learns && std::find(only_learning.begin(), only_learning.end(), given.name) != only_learning.end())
      problems.add(given.where, "\"" + given.name + "\" says how models are identified, but none are",
                   "add model: identified");
  }
}

/// Identified models know inputs by their means, and a deadbeat offset moves them within a step.
void choose_offset(const system::MethodRequest& request, system::Corrector& result, base::Problems& problems) {
  const auto offset = std::find_if(result.choices.begin(), result.choices.end(),
                                   [](const auto& choice) { return choice.first == "offset"; });
  if (choice_of(result, "model") != "identified" || offset->second != "deadbeat") return;
  const auto given = named(request.parameters, "offset");
  if (given == request.parameters.end())
    offset->second = "cumulative";
  else
    problems.add(given->where, "a deadbeat offset is not possible with identified models",
                 "use offset: cumulative (default with them), or none");
}

Entry corrector(const std::string& name, const std::string& summary, std::vector<Choice> choices) {
  return {Part::corrector, name, summary, std::move(choices), {held_need, model_need}};
}

Entry plc() {
  Entry entry = corrector("plc",
                          "parallel linear correction: outputs as the inputs that have just become known make them, by "
                          "what feeds through directly",
                          {model()});
  entry.settings = [](const system::Corrector& given) {
    S settings = common_settings(given, "");
    settings.outputs = S::Outputs::feedthrough;
    return settings;
  };
  return entry;
}

Entry nepce() {
  Entry entry = corrector("nepce",
                          "nearly energy-preserving coupling element: what was wrong with an input in a step is made "
                          "good by an offset in the next",
                          {residual(), feedthrough({"corrected", "ignored"}), model()});
  entry.numbers = {alpha()};
  entry.settings = [](const system::Corrector& given) { return common_settings(given, "residual"); };
  return entry;
}

Entry mbcorr() {
  Entry entry =
      corrector("mbcorr",
                "model-based corrector: outputs mended by a linear model over the step, states by an offset "
                "of the next input",
                {kernel(), residual(), feedthrough({"corrected", "ignored"}), learned_model(), learning_start()});
  entry.numbers = model_numbers();
  entry.check_corrector = [](const auto& request, auto& result, auto& problems) {
    check_learning(request, result, {micro_outputs, "order", "window", "threshold", "start"}, problems);
  };
  entry.settings = [](const system::Corrector& given) {
    S settings = common_settings(given, "residual");
    settings.outputs = S::Outputs::model;
    settings.shape = chosen(given, "kernel", {"zero", "ramp", "first-order"}, S::Shape::constant);
    return settings;
  };
  return entry;
}

Entry tracking() {
  Entry entry = corrector(
      "tracking",
      "model-based corrector that carries the error of the states on, and takes it out of them by the next input",
      {{"input", {"quadratic", "linear"}, "how the true input is supposed to move between communication points"},
       {"offset",
        {"deadbeat", "cumulative", "plain", "printed", "none"},
        "what is added to the next input so that the states of the subsystems are right, too"},
       {"jacobians",
        {"each-output", "end"},
        "where nonlinear subsystems are linearised: at each output that is looked at, or once a step, at its end"},
       feedthrough({"ignored", "corrected"}),
       learned_model(),
       learning_start()});
  entry.numbers = model_numbers();
  entry.check_corrector = [](const auto& request, auto& result, auto& problems) {
    check_learning(request, result, {"order", "window", "threshold", "start"}, problems);
    choose_offset(request, result, problems);
  };
  entry.settings = [](const system::Corrector& given) {
    S settings = common_settings(given, "offset");
    settings.outputs = S::Outputs::tracked;
    settings.shape = chosen(given, "input", {"linear", "quadratic"}, S::Shape::linear);
    settings.jacobians = chosen(given, "jacobians", {"each-output", "end"}, S::Jacobians::each_output);
    return settings;
  };
  return entry;
}

}  // namespace

std::vector<Entry> corrector_entries() { return {plc(), nepce(), mbcorr(), tracking()}; }

}  // namespace seam::coupling

#include "seam/coupling/corrector/entries.hpp"

#include <algorithm>

#include "seam/coupling/corrector/mbcorr.hpp"
#include "seam/coupling/corrector/nepce.hpp"
#include "seam/coupling/corrector/plc.hpp"
#include "seam/coupling/corrector/predictive.hpp"
#include "seam/coupling/corrector/tracking.hpp"
#include "seam/coupling/parameters.hpp"

namespace seam::coupling {
namespace {

// Functions, not constants: entries may be registered before the constants of this file exist.
Choice model_choice() {
  return {"model",
          {"auto", "exact", "derivatives", "probed"},
          "where the linear models come from: equations of our own, directional derivatives of an FMU at the end of "
          "every step, or a trial before the run"};
}
Choice predicting_model_choice() {
  return {"model",
          {"auto", "exact", "derivatives", "probed", "none"},
          "where the linear models come from: equations of our own, directional derivatives of an FMU, a trial of "
          "private instances before the run, or nowhere; auto: equations where they are linear, otherwise what "
          "foretells the trial best"};
}
Choice learned_model_choice() {
  Choice choice = model_choice();
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
Choice residual_choice() {
  return {"residual",
          {"cumulative", "plain", "printed"},
          "what the offset of the next input makes good: the mean errors of all steps, that of the last one as if it "
          "had had no offset, or that of the last one as it was"};
}
Choice feedthrough_choice(std::vector<std::string> values) {
  return {"feedthrough", std::move(values), "whether the offset is mended for what feeds through directly"};
}
Choice kernel_choice() {
  return {"kernel",
          {"zero", "ramp", "first-order"},
          "the error of an input in the step: constant, growing from 0, or the line between the true values at its "
          "ends"};
}

constexpr const char* micro_outputs = "micro_outputs";

Number whole_number(const std::string& name, double usual, double low, double high, const std::string& summary) {
  return {name,
          usual,
          {low, high, Range::Low::included},
          "whole: " + summary,
          "",
          "",
          Affinity::affine,
          Number::Kind::whole};
}
Number alpha_number() {
  return {"alpha", 1.0, {0.0, 2.0, Range::Low::included}, "share of the offset that is applied"};
}
std::vector<Number> model_numbers() {
  Number order = whole_number("order", 0.0, 1.0, 50.0, "states of identified models");
  order.usual_text = "auto";
  return {alpha_number(),
          whole_number(micro_outputs, 1.0, 1.0, 1000.0,
                       "outputs a macro step that are looked at; 1 is the communication point alone"),
          order,
          whole_number("window", 20.0, 3.0, 1000.0, "macro steps that identified models rest on"),
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

/// Where its models come from.
ModelNeeds models_of(const system::Corrector& given) {
  ModelNeeds models;
  models.source = chosen(given, "model", {"auto", "exact", "derivatives", "probed", "identified", "none"},
                         ModelNeeds::Source::automatic);
  models.jacobians = chosen(given, "jacobians", {"each-output", "end"}, ModelNeeds::Jacobians::each_output);
  ModelNeeds::Learning& learning = models.learning;
  learning.order = static_cast<int>(number_of(given, "order", learning.order));
  learning.window = static_cast<int>(number_of(given, "window", learning.window));
  learning.threshold = number_of(given, "threshold", learning.threshold);
  learning.start = chosen(given, "start", {"careful", "eager"}, ModelNeeds::Learning::Start::careful);
  return models;
}

/// The choice of that name says which residual it makes good.
ResidualOffset offset_of(const system::Corrector& given, const char* choice) {
  ResidualOffset offset;
  offset.residual = chosen(given, choice, {"printed", "plain", "cumulative"}, ResidualOffset::Residual::printed);
  offset.corrects_feedthrough = choice_of(given, "feedthrough") == "corrected";
  offset.alpha = number_of(given, "alpha", 1.0);
  return offset;
}

int looks_of(const system::Corrector& given) { return static_cast<int>(number_of(given, micro_outputs, 1.0)); }

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

Entry corrector_entry(const std::string& name, const std::string& summary, std::vector<Choice> choices) {
  return {Part::corrector, name, summary, std::move(choices), {held_need, model_need}};
}

Entry plc() {
  Entry entry =
      corrector_entry("plc",
                      "parallel linear correction: outputs as the inputs that have just become known make them, by "
                      "what feeds through directly",
                      {model_choice()});
  entry.make_corrector = [](const system::Corrector& given) { return std::make_unique<Plc>(models_of(given)); };
  return entry;
}

Entry nepce() {
  Entry entry =
      corrector_entry("nepce",
                      "nearly energy-preserving coupling element: what was wrong with an input in a step is made "
                      "good by an offset in the next",
                      {residual_choice(), feedthrough_choice({"corrected", "ignored"}), model_choice()});
  entry.numbers = {alpha_number()};
  entry.make_corrector = [](const system::Corrector& given) {
    return std::make_unique<Nepce>(models_of(given), offset_of(given, "residual"));
  };
  return entry;
}

Entry mbcorr() {
  Entry entry =
      corrector_entry("mbcorr",
                      "model-based corrector: outputs mended by a linear model over the step, states by an offset "
                      "of the next input",
                      {kernel_choice(), residual_choice(), feedthrough_choice({"corrected", "ignored"}),
                       learned_model_choice(), learning_start()});
  entry.numbers = model_numbers();
  entry.check_corrector = [](const auto& request, auto& result, auto& problems) {
    check_learning(request, result, {micro_outputs, "order", "window", "threshold", "start"}, problems);
  };
  entry.make_corrector = [](const system::Corrector& given) {
    ModelNeeds models = models_of(given);
    models.shape = chosen(given, "kernel", {"zero", "ramp", "first-order"}, Shape::constant);
    return std::make_unique<Mbcorr>(models, offset_of(given, "residual"), looks_of(given));
  };
  return entry;
}

Entry tracking() {
  Entry entry = corrector_entry(
      "tracking",
      "model-based corrector that carries the error of the states on, and takes it out of them by the next input",
      {{"input", {"quadratic", "linear"}, "how the true input is supposed to move between communication points"},
       {"offset",
        {"deadbeat", "cumulative", "plain", "printed", "none"},
        "what is added to the next input so that the states of the subsystems are right, too"},
       {"jacobians",
        {"each-output", "end"},
        "where nonlinear subsystems are linearised: at each output that is looked at, or once a step, at its end"},
       feedthrough_choice({"ignored", "corrected"}),
       learned_model_choice(),
       learning_start()});
  entry.numbers = model_numbers();
  entry.check_corrector = [](const auto& request, auto& result, auto& problems) {
    check_learning(request, result, {"order", "window", "threshold", "start"}, problems);
    choose_offset(request, result, problems);
  };
  entry.make_corrector = [](const system::Corrector& given) {
    ModelNeeds models = models_of(given);
    models.shape = chosen(given, "input", {"linear", "quadratic"}, Shape::linear);
    Tracking::NextInput next;
    const std::string offset = choice_of(given, "offset");
    if (offset == "deadbeat")
      next.deadbeat = number_of(given, "alpha", 1.0);
    else if (offset != "none")
      next.offset = offset_of(given, "offset");
    return std::make_unique<Tracking>(models, next, looks_of(given));
  };
  return entry;
}

/// Only pieces have a number.
void check_pieces(const system::MethodRequest& request, const system::Corrector& result, base::Problems& problems) {
  const std::string input = choice_of(result, "input");
  const auto given = named(request.parameters, "pieces");
  if (given == request.parameters.end() || input == "auto" || input == "pieces") return;
  problems.add(given->where, "\"pieces\" says how many constants an input has in a step, but the input is " + input,
               "use input: pieces");
}

std::optional<int> order_of(const system::Corrector& given) {
  const std::string order = choice_of(given, "extrapolation");
  return order == "auto" ? std::nullopt : std::optional(order[0] - '0');
}

Entry predictive() {
  Entry entry{
      Part::corrector,
      "predictive",
      "predicts the coupled motion of the next step from linear models, extrapolates what they do not "
      "explain of the outputs, and gives every subsystem the input that brings it to where the coupled motion ends",
      {{"input",
        {"auto", "ramp", "pieces", "hold"},
        "a constant and a slope; one constant each part of the step; one constant, as predicted for the middle "
        "of the step; auto: a ramp where the sink takes polynomials, pieces where its step can be split, "
        "otherwise one constant"},
       predicting_model_choice(),
       {"extrapolation",
        {"auto", "0", "1", "2"},
        "order in which what the models do not explain is extrapolated; auto: the one that has foretold the "
        "outputs best, 0 at the start, where all models are exact, and where subsystems have steps of their own"},
       {"kept_sums", {"auto", "none"}, "auto: what an integrator in a model is given adds up to what its source did"},
       {"observed",
        {"pieces", "end"},
        "outputs by which the states of the models are estimated: at the end of every piece of a step, or of the "
        "step alone"}},
      {"zoh on the connections that it is over", held_need,
       "a linear model of a subsystem; without one its outputs are expected to stay as they are"}};
  entry.numbers = {whole_number("pieces", 2.0, 2.0, 3.0, "constants a step, and calls of the sink in it")};
  entry.check_corrector = check_pieces;
  entry.make_corrector = [](const system::Corrector& given) {
    return std::make_unique<Predictive>(
        models_of(given).source,
        Predictive::Form{chosen(given, "input", {"auto", "ramp", "pieces", "hold"}, Predictive::Input::automatic),
                         static_cast<int>(number_of(given, "pieces", 2.0)), order_of(given),
                         choice_of(given, "kept_sums") == "auto", choice_of(given, "observed") == "pieces"});
  };
  return entry;
}

}  // namespace

std::vector<Entry> corrector_entries() { return {plc(), nepce(), mbcorr(), tracking(), predictive()}; }

}  // namespace seam::coupling

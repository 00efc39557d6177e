#include "seam/coupling/catalog.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

#include "seam/base/error.hpp"
#include "seam/coupling/emitter/compensator.hpp"
#include "seam/coupling/emitter/fine_samples.hpp"
#include "seam/coupling/receiver/hold.hpp"
#include "seam/coupling/receiver/smoother.hpp"

namespace seam::coupling {
namespace {

const Choice samples{"samples",
                     {"macro", "micro"},
                     "which samples the polynomial goes through: those of the communication points, or the last micro "
                     "steps of the source"};
const Choice weight_order{"order", {"1", "2", "3"}, "of the weight, by which the error falls with the frequency"};
const Choice solver{"solver", {"exact", "euler"}, "how the filters are followed from one micro step to the next"};
const Choice static_gain{"static_gain", {"free", "one"}, "one: a constant arrives unchanged"};
const Number jump_limit{
    "jump_limit",        "", 0.0, 1e300, "change of an output over a macro step beyond which it is sent as it is",
    Affinity::linearised};
const std::vector<Number> design_numbers = {
    {"smoother", "0.5", 0.0, 10.0, "cut-off of the smoother times the macro step"},
    {"weight", "0.01, 0.03 or 0.06 by the order", 0.0, 1.0, "cut-off of the weight times the macro step"},
    {"radius", "0.95", 0.0, 0.9999, "of the disc |1 + h lambda| for the poles of the compensator"},
    {"gain_limit", "by the closed form", 0.0, 1e9, "of what the compensator makes of jumps and noise"},
    jump_limit,
    {"gain", "found", -1e300, 1e300, "of a compensator of your own, with zero1, zero1_im, …, pole1, pole1_im, …"}};
const std::vector<Number> compensator_numbers = {
    {"weight_order", "", 0.0, 3.0, "as the coupling's order"},
    {"weight_cutoff", "", 0.0, 1.0, "as the coupling's weight"},
    {"radius", "", 0.0, 0.9999, "as the coupling's"},
    {"gain_limit", "", 0.0, 1e9, "as the coupling's"},
    {"static_gain", "", -1.0, 1.0, "1: exactly one"},
    {"micro_steps", "", 0.0, 1e9, "in a macro step, for which the compensator was found"},
    jump_limit};
const std::vector<Number> smoother_numbers = {{"order", "2", 0.0, 6.0, "of Butterworth's filter"},
                                              {"cutoff", "0.5", 0.0, 10.0, "times the macro step"}};
constexpr const char* filter_need = "a source and a sink that are called every micro step";
constexpr const char* first_order_need = "subsystems that take a signal inside a step, or are called every micro step";
const Choice model{"model",
                   {"auto", "exact", "derivatives", "probed"},
                   "where the linear models come from: equations of our own, directional derivatives of an FMU at the "
                   "end of every step, or a trial before the run"};
const Choice learned_model{"model",
                           {"auto", "exact", "derivatives", "probed", "identified"},
                           model.summary + ", or identification from inputs and outputs while the system runs"};
const Choice learning_start{"start",
                            {"careful", "eager"},
                            "identified models: only from more samples than unknowns, and no offset before unless the "
                            "inputs go on changing as they did; or as soon as there are as many"};
const Number micro_outputs{"micro_outputs",
                           "1",
                           0.0,
                           1000.0,
                           "whole: outputs a macro step that are looked at; 1 is the communication point alone",
                           Affinity::affine,
                           Number::Kind::whole};
const Number learned_order{
    "order", "auto", 0.0, 50.0, "whole: states of identified models", Affinity::affine, Number::Kind::whole};
const Number learning_window{
    "window",           "20", 2.0, 1000.0, "whole: macro steps that identified models rest on", Affinity::affine,
    Number::Kind::whole};
const Number learning_threshold{"threshold", "0.01", 0.0, 1.0,
                                "relative error in foretelling above which another model is identified"};
const Choice residual{"residual",
                      {"cumulative", "plain", "printed"},
                      "what the offset of the next input makes good: the mean errors of all steps, that of the last "
                      "one as if it had had no offset, or that of the last one as it was"};
const Choice feedthrough{
    "feedthrough", {"corrected", "ignored"}, "whether the offset is mended for what feeds through directly"};
const Choice kernel{"kernel",
                    {"zero", "ramp", "first-order"},
                    "the error of an input in the step: constant, growing from 0, or the line between the true values "
                    "at its ends"};
const Number alpha{"alpha", "1", -1e-300, 2.0, "share of the offset that is applied"};
constexpr const char* held_need = "outputs with direct feed-through that are sent held, and events: local";
constexpr const char* model_need = "a linear model of every subsystem; where there is none, that part is left out";

int order_of(const system::Coupling& coupling) {
  const Entry* entry = find(Part::receiver, coupling.receiver.name);
  if (!entry)
    throw base::Error(base::Failure::internal,
                      "the plan names a receiver that the catalog does not have: " + coupling.receiver.name);
  return entry->order - 1;
}

std::vector<Entry> couplings() {
  return {
      {Part::coupling, "zoh", "zero-order hold: the last value, constant until the next", {}, {}, Affinity::affine, 1},
      {Part::coupling,
       "foh",
       "first-order hold: the line through the last two samples",
       {samples},
       {first_order_need},
       Affinity::affine,
       2},
      {Part::coupling,
       "soh",
       "second-order hold: the parabola through the last three samples",
       {samples},
       {first_order_need},
       Affinity::affine,
       3},
      {Part::coupling,
       filter_coupling,
       "H-infinity: a compensator before the sampler and a smoother behind the hold",
       {weight_order, solver, static_gain},
       {filter_need},
       Affinity::affine,
       0,
       design_numbers},
  };
}

std::vector<Entry> emitters() {
  return {
      {Part::emitter, "last", "sends the output at the communication point", {}, {}, Affinity::affine, 0},
      {Part::emitter,
       "fine",
       "sends the outputs at the last micro steps",
       {},
       {"a source that is called every micro step"},
       Affinity::affine,
       0},
      {Part::emitter,
       "compensator",
       "sends the outputs through a filter: gain, zero1, zero1_im, …, pole1, …",
       {},
       {filter_need},
       Affinity::affine,
       0,
       compensator_numbers},
      {Part::emitter,
       "compensator-euler",
       "the same, followed by Euler's rule",
       {},
       {filter_need},
       Affinity::affine,
       0,
       compensator_numbers},
  };
}

std::vector<Entry> receivers() {
  return {
      {Part::receiver, "zoh", "holds the last value", {}, {}, Affinity::affine, 1},
      {Part::receiver,
       "foh",
       "follows the line through the last two samples",
       {},
       {first_order_need},
       Affinity::affine,
       2},
      {Part::receiver,
       "soh",
       "follows the parabola through the last three samples",
       {},
       {first_order_need},
       Affinity::affine,
       3},
      {Part::receiver,
       "smoother",
       "holds the last value and smooths it by a low-pass filter",
       {},
       {filter_need},
       Affinity::affine,
       0,
       smoother_numbers},
      {Part::receiver,
       "smoother-euler",
       "the same, followed by Euler's rule",
       {},
       {filter_need},
       Affinity::affine,
       0,
       smoother_numbers},
  };
}

std::vector<Entry> correctors() {
  return {
      {Part::corrector,
       "plc",
       "parallel linear correction: outputs as the inputs that have just become known make them, by what feeds through "
       "directly",
       {model},
       {held_need, model_need},
       Affinity::affine,
       0,
       {}},
      {Part::corrector,
       "nepce",
       "nearly energy-preserving coupling element: what was wrong with an input in a step is made good by an offset in "
       "the next",
       {residual, feedthrough, model},
       {held_need, model_need},
       Affinity::affine,
       0,
       {alpha}},
      {Part::corrector,
       "mbcorr",
       "model-based corrector: outputs mended by a linear model over the step, states by an offset of the next input",
       {kernel, residual, feedthrough, learned_model, learning_start},
       {held_need, model_need},
       Affinity::affine,
       0,
       {alpha, micro_outputs, learned_order, learning_window, learning_threshold}},
      {Part::corrector,
       "tracking",
       "model-based corrector that carries the error of the states on, and takes it out of them by the next input",
       {{"input", {"quadratic", "linear"}, "how the true input is supposed to move between communication points"},
        {"offset",
         {"deadbeat", "cumulative", "plain", "printed", "none"},
         "what is added to the next input so that the states of the subsystems are right, too"},
        {"jacobians",
         {"each-output", "end"},
         "where nonlinear subsystems are linearised: at each output that is looked at, or once a step, at its end"},
        {"feedthrough", {"ignored", "corrected"}, feedthrough.summary},
        learned_model,
        learning_start},
       {held_need, model_need},
       Affinity::affine,
       0,
       {alpha, micro_outputs, learned_order, learning_window, learning_threshold}},
  };
}

}  // namespace

const std::vector<Entry>& catalog() {
  static const std::vector<Entry> table = [] {
    std::vector<Entry> all = couplings();
    for (const auto& part : {emitters(), receivers(), correctors()}) all.insert(all.end(), part.begin(), part.end());
    return all;
  }();
  return table;
}

const Entry* find(Part part, std::string_view name) {
  for (const Entry& entry : catalog()) {
    if (entry.part == part && entry.name == name) return &entry;
  }
  return nullptr;
}

std::vector<std::string> names(Part part) {
  std::vector<std::string> result;
  for (const Entry& entry : catalog()) {
    if (entry.part == part) result.push_back(entry.name);
  }
  return result;
}

Affinity affinity(const system::Coupling& coupling) {
  const auto given = [&](const system::Method& method, const Number& known) {
    return known.affinity == Affinity::linearised && number(method, known.name);
  };
  for (const auto& [part, method] :
       {std::pair{Part::emitter, &coupling.emitter}, {Part::receiver, &coupling.receiver}}) {
    const Entry* entry = find(part, method->name);
    if (!entry) continue;
    if (entry->affinity == Affinity::linearised) return Affinity::linearised;
    for (const Number& known : entry->numbers) {
      if (given(*method, known)) return Affinity::linearised;
    }
  }
  return Affinity::affine;
}

system::Plan linearised(system::Plan plan) {
  for (system::Coupling& coupling : plan.connections) coupling = linearised(std::move(coupling));
  return plan;
}

system::Coupling linearised(system::Coupling coupling) {
  std::erase_if(coupling.emitter.parameters, [](const auto& parameter) { return parameter.first == jump_limit.name; });
  return coupling;
}

bool has_filters(const system::Coupling& coupling) { return coupling.name == filter_coupling; }

FilterSolver filter_solver(const system::Coupling& coupling) {
  return coupling.emitter.name == "compensator-euler" ? FilterSolver::euler : FilterSolver::exact;
}

bool is_plain_hold(const system::Coupling& coupling) {
  return coupling.receiver.name == "zoh" && coupling.samples == system::Samples::macro;
}

namespace {

/// A filter that is made for the same numbers as the one before is a copy of it: in a study they are the same for every
/// point, and finding them takes as long as a short run.
template <class Filter, class Numbers, class Make>
std::unique_ptr<Filter> like_the_last(const Numbers& numbers, const Make& make) {
  struct Made {
    Numbers numbers;
    Filter filter;
  };
  static thread_local std::optional<Made> last;
  if (!last || last->numbers != numbers) last.emplace(Made{numbers, make()});
  return std::make_unique<Filter>(last->filter);
}

}  // namespace

std::unique_ptr<Receiver> make_receiver(const system::Coupling& coupling, SampleTiming timing) {
  if (has_filters(coupling)) {
    const std::tuple numbers(coupling.receiver, filter_solver(coupling), timing.age, timing.sink_step,
                             timing.sink_segments);
    return like_the_last<Smoother>(numbers, [&] {
      return Smoother(lti::realise_in_sections(smoothing_filter(coupling.receiver)), timing, filter_solver(coupling));
    });
  }
  return std::make_unique<Hold>(order_of(coupling), timing);
}

std::unique_ptr<Emitter> make_emitter(const system::Coupling& coupling, double micro_step) {
  if (!has_filters(coupling)) return std::make_unique<FineSamples>(order_of(coupling) + 1);
  const auto roots = read_roots(coupling.emitter);
  if (!roots) throw base::Error(base::Failure::internal, "the plan does not have the compensator of its coupling");
  const std::tuple numbers(coupling.emitter, filter_solver(coupling), micro_step);
  return like_the_last<Compensator>(numbers, [&] {
    return Compensator(lti::realise_in_sections(*roots), micro_step, filter_solver(coupling),
                       number(coupling.emitter, jump_limit.name));
  });
}

}  // namespace seam::coupling

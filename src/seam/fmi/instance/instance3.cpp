#include "seam/fmi/instance/instance3.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "seam/fmi/instance/host_guard.hpp"
#include "seam/formats/number.hpp"

namespace seam::fmi {

void Instance3::load_functions() {
  CommonInstance::load_functions();
  library_.require(call_.enter_initialisation, "fmi3EnterInitializationMode");
  if (extras_.purpose == Purpose::stepping) library_.require(call_.do_step, "fmi3DoStep");
  const bool structural = std::any_of(description_.variables.begin(), description_.variables.end(),
                                      [](const Variable& v) { return v.causality == Causality::structural_parameter; });
  if (structural) {
    library_.require(call_.enter_configuration, "fmi3EnterConfigurationMode");
    library_.require(call_.exit_configuration, "fmi3ExitConfigurationMode");
  }
  if (interface_.provides_adjoint_derivatives) library_.require(call_.adjoint, "fmi3GetAdjointDerivative");
}

Instance3::Instance3(std::string name, const Fmu& fmu, std::shared_ptr<const Unpacked> files, Logging logging,
                     const Extras& extras)
    : CommonInstance(std::move(name), fmu, std::move(files), interface_for(extras.purpose, fmu.description),
                     std::move(logging)),
      extras_(extras) {
  load_functions();
  instantiate();
  choose_categories();
}

void Instance3::instantiate() {
  const bool steps = extras_.purpose == Purpose::stepping;
  const char* const function = steps ? "fmi3InstantiateCoSimulation" : "fmi3InstantiateModelExchange";
  FmuFunction<fmi3InstantiateCoSimulationTYPE> co_simulation;
  FmuFunction<fmi3InstantiateModelExchangeTYPE> model_exchange;
  if (steps) {
    library_.require(co_simulation, function);
  } else {
    library_.require(model_exchange, function);
  }
  const std::string resources = (std::filesystem::absolute(files_->folder()) / "resources" / "").string();
  const HostGuard guard;
  const CallScope scope(identity_.c_str());
  const bool loud = logging_.state == Logging::on;
  const bool event_mode = extras_.events != EventUse::inside;
  const bool may_return = extras_.events == EventUse::event_mode_with_early_return;
  // 4.2.2: the callback neither allocates nor throws; no early return is ever asked for.
  const fmi3IntermediateUpdateCallback on_update = [](fmi3InstanceEnvironment environment, fmi3Float64 time,
                                                      fmi3Boolean set_requested, auto, auto, auto, fmi3Boolean* early,
                                                      fmi3Float64* early_time) {
    if (early) *early = false;
    if (early_time) *early_time = time;
    if (environment && set_requested) static_cast<Instance3*>(environment)->update(time);
  };
  call_watch.now_in(function);
  handle_ = steps ? co_simulation(name_.c_str(), token_.c_str(), resources.c_str(), false, loud, event_mode, may_return,
                                  extras_.variables.data(), extras_.variables.size(), this, on_message,
                                  extras_.variables.empty() ? nullptr : on_update)
                  : model_exchange(name_.c_str(), token_.c_str(), resources.c_str(), false, loud, this, on_message);
  tell_end(function, words_of_instantiation(resources), handle_ ? "instance" : "NULL");
  if (!handle_) fail(fmt::format("could not be instantiated ({} returned no instance)", function));
}

void Instance3::on_message(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                           fmi3String message) {
  if (environment) static_cast<Instance3*>(environment)->log(severity(status), category, message ? message : "");
}

void Instance3::set_inside_step(std::span<const Reference> references, std::span<const double> values) noexcept {
  const fmi3Status status = set_reals_(handle_, references.data(), references.size(), values.data(), values.size());
  inside_step_ = std::max(inside_step_, status);
}

void Instance3::configure(const std::vector<std::pair<const Variable*, Values>>& settings) {
  if (settings.empty()) return;
  const HostGuard guard;
  const CallScope scope(identity_.c_str());
  call("fmi3EnterConfigurationMode", call_.enter_configuration);
  for (const auto& [variable, values] : settings) {
    set(*variable, values);
    words_.resize(variable->value_reference, static_cast<std::uint64_t>(values.integers.at(0)));
  }
  call("fmi3ExitConfigurationMode", call_.exit_configuration);
}

void Instance3::enter_initialisation(const Experiment& e) {
  const HostGuard guard;
  const CallScope scope(identity_.c_str());
  call_watch.now_in("fmi3EnterInitializationMode");
  finish(call_.enter_initialisation(handle_, e.tolerance.has_value(), e.tolerance.value_or(0.0), e.start,
                                    e.stop.has_value(), e.stop.value_or(0.0)),
         "fmi3EnterInitializationMode", [&](Audience) { return CallWords::experiment(e); });
  mode_ = Mode::initialising;
}

fmi3Status Instance3::call_step(double t, double h, Report& report) {
  report = {false, false, false, t + h};
  inside_step_ = fmi3OK;
  call_watch.now_in("fmi3DoStep");
  return call_.do_step(handle_, t, h, never_goes_back_, &report.event_needed, &report.terminate, &report.early,
                       &report.reached);
}

StepResult Instance3::do_step(double t, double h) {
  Report report;
  const fmi3Status status = call_step(t, h, report);
  if (is_plain(status | inside_step_) && !(report.event_needed | report.terminate | report.early)) [[likely]]
    return {base::Outcome::accepted, report.reached};
  return unusual(status, t, h, report);
}

base::Outcome Instance3::judge_step(fmi3Status status, double t, double h, const Report& report) {
  const auto words = [&](Audience audience) {
    const std::string told = audience == Audience::error || status > fmi3Warning ? "" : words_of(report);
    return words_.step(audience, t, h, history()) + told;
  };
  if (status == fmi3Discard) {  // 2.2.3: the FMU is where it was before
    tell(status, "fmi3DoStep", words);
    inside_step_ = fmi3OK;
    return base::Outcome::rejected;
  }
  finish(status, "fmi3DoStep", words);
  if (inside_step_ > fmi3Warning) require(severity(inside_step_), "fmi3SetFloat64", "inside a step");
  return base::Outcome::accepted;
}

// FMI 3.0.2, 4.2.1: fmi3True for earlyReturn and eventHandlingNeeded is forbidden here, since we allowed neither when
// we instantiated. An FMU that stops early nevertheless is sent on to the end of the step, if it can take another step
// size.
StepResult Instance3::unusual(fmi3Status status, double t, double h, Report report) {
  constexpr int most_pieces = 1000;
  const double end = t + h;
  double from = t;
  for (int piece = 0; piece < most_pieces; ++piece, status = call_step(from, end - from, report)) {
    if (judge_step(status, from, end - from, report) == base::Outcome::rejected) return {base::Outcome::rejected, from};
    if (report.terminate) return {base::Outcome::ended, report.reached};
    if (report.event_needed) note_event(report.reached);
    if (!report.early || end - report.reached <= 1e-9 * h) return {base::Outcome::accepted, report.reached};
    note_early_return(from, end, report.reached);
    from = report.reached;
  }
  fail(fmt::format("returned early {} times from the step {} s -> {} s, which was not allowed", most_pieces, t, end));
}

std::string Instance3::words_of(const Report& report) {
  std::string words;
  if (report.event_needed) words += ", eventHandlingNeeded=true";
  if (report.terminate) words += ", terminateSimulation=true";
  if (report.early) words += ", earlyReturn=true";
  return words.empty() ? words : words + ", lastSuccessfulTime=" + formats::number_text(report.reached);
}

void Instance3::note_event(double t) {
  if (event_noted_) return;
  event_noted_ = true;
  log(Severity::warning, "",
      fmt::format("signalled an event at {} s without being in a mode that has events; it is left to the FMU", t));
}

void Instance3::note_early_return(double from, double end, double reached) {
  const std::string what =
      fmt::format("returned at {} s from the step {} s -> {} s, which was not allowed", reached, from, end);
  if (!interface_.can_handle_variable_step) fail(what + "; it takes no step of another size to the end");
  if (!(reached > from)) fail(what + "; it does not get ahead");
  if (!early_return_noted_) log(Severity::warning, "", what + "; the rest of the step follows");
  early_return_noted_ = true;
}

void Instance3::adjoint(std::span<const Reference> unknowns, std::span<const Reference> knowns,
                        std::span<const double> seed, std::span<double> sensitivity) {
  require_ability(call_.adjoint, "adjoint derivatives");
  call_watch.now_in("fmi3GetAdjointDerivative");
  const fmi3Status status = call_.adjoint(handle_, unknowns.data(), unknowns.size(), knowns.data(), knowns.size(),
                                          seed.data(), seed.size(), sensitivity.data(), sensitivity.size());
  finish(status, "fmi3GetAdjointDerivative",
         [&](Audience audience) { return words_.derivative(audience, unknowns, knowns); });
}

}  // namespace seam::fmi

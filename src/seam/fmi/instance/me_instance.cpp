#include "seam/fmi/instance/me_instance.hpp"

#include <fmt/format.h>

#include <cmath>

#include "seam/formats/number.hpp"

namespace seam::fmi {
namespace {

template <class Extras>
Extras for_exchange(Extras extras) {
  extras.purpose = Purpose::exchange;
  return extras;
}

}  // namespace

template <class Api>
ExchangeInstance<Api>::ExchangeInstance(std::string name, const Fmu& fmu, std::shared_ptr<const Unpacked> files,
                                        Logging logging, const Extras& extras)
    : Api::Base(std::move(name), fmu, std::move(files), std::move(logging), for_exchange(extras)) {
  const Library& library = this->library_;
  library.require(exchange_.set_time, Api::set_time);
  library.require(exchange_.enter_event_mode, Api::enter_event_mode);
  library.require(exchange_.update, Api::update);
  library.require(exchange_.enter_continuous_time_mode, Api::enter_continuous_time_mode);
  if (wants_completed_steps()) library.require(exchange_.completed_step, Api::completed_step);
  library.find(exchange_.set_states, Api::set_states);
  library.find(exchange_.get_states, Api::get_states);
  library.find(exchange_.get_derivatives, Api::get_derivatives);
  library.find(exchange_.get_nominals, Api::get_nominals);
  library.find(exchange_.get_indicators, Api::get_indicators);
}

/// FMI 1.0 and 2 have no arrays: their descriptions know the sizes. In FMI 3 they follow structural parameters (3.2.1).
template <>
ExchangeInstance<Exchange2>::Sizes ExchangeInstance<Exchange2>::counted() {
  const ModelStructure& structure = description_.structure;
  return {structure.continuous_states.value_or(structure.derivatives.size()), structure.event_indicators};
}
template <>
ExchangeInstance<Exchange3>::Sizes ExchangeInstance<Exchange3>::counted() {
  FmuFunction<fmi3GetNumberOfContinuousStatesTYPE> count_states;
  FmuFunction<fmi3GetNumberOfEventIndicatorsTYPE> count_indicators;
  library_.require(count_states, "fmi3GetNumberOfContinuousStates");
  library_.require(count_indicators, "fmi3GetNumberOfEventIndicators");
  Sizes sizes;
  call_watch.now_in("fmi3GetNumberOfContinuousStates");
  finish(count_states(handle_, &sizes.states), "fmi3GetNumberOfContinuousStates",
         [&](Audience) { return fmt::format("count={}", sizes.states); });
  call_watch.now_in("fmi3GetNumberOfEventIndicators");
  finish(count_indicators(handle_, &sizes.indicators), "fmi3GetNumberOfEventIndicators",
         [&](Audience) { return fmt::format("count={}", sizes.indicators); });
  return sizes;
}

template <class Api>
typename ExchangeInstance<Api>::Sizes ExchangeInstance<Api>::sizes() {
  if (!sizes_) sizes_ = counted();
  return *sizes_;
}

template <class Api>
void ExchangeInstance<Api>::after(Status status, const char* function) {
  this->finish(status, function, [&](Audience) { return "at " + formats::number_text(time_) + " s"; });
}

template <class Api>
Severity ExchangeInstance<Api>::judged(Status status, const char* function) {
  if (this->severity(status) != Severity::discard) {
    after(status, function);
    return this->severity(status);
  }
  this->tell(status, function, [&](Audience) { return "at " + formats::number_text(time_) + " s"; });
  return Severity::discard;
}

template <>
ExchangeInstance<Exchange2>::Update ExchangeInstance<Exchange2>::update() {
  fmi2EventInfo said{};
  ask(Exchange2::update, exchange_.update, &said);
  Update result{said.newDiscreteStatesNeeded != fmi2False,
                {said.nominalsOfContinuousStatesChanged != fmi2False, said.terminateSimulation != fmi2False}};
  if (said.nextEventTimeDefined != fmi2False) result.report.next_event = said.nextEventTime;
  return result;
}
template <>
ExchangeInstance<Exchange3>::Update ExchangeInstance<Exchange3>::update() {
  fmi3Boolean again = false, ends = false, nominals = false, states = false, has_next = false;
  fmi3Float64 next = 0.0;
  ask(Exchange3::update, exchange_.update, &again, &ends, &nominals, &states, &has_next, &next);
  Update result{again, {nominals, ends}};
  if (has_next) result.report.next_event = next;
  return result;
}

// FMI 2.0.5 3.2.2, FMI 3.0.2 3.2.3. A wish to end stops the iteration.
template <class Api>
EventReport ExchangeInstance<Api>::settle() {
  constexpr int most_rounds = 100;
  bool nominals_changed = false;
  for (int round = 0; round < most_rounds; ++round) {
    Update said = update();
    said.report.nominals_changed = nominals_changed = nominals_changed || said.report.nominals_changed;
    if (!said.again || said.report.wants_to_end) return said.report;
  }
  this->fail(fmt::format("finds no end of the event at {} s: after {} calls of {} it wants another", time_, most_rounds,
                         this->shown(Api::update)));
}

template <class Api>
void ExchangeInstance<Api>::set_time(double t) {
  time_ = t;
  ask(Api::set_time, exchange_.set_time, t);
}

template <class Api>
void ExchangeInstance<Api>::states(std::span<double> x) {
  if (x.empty()) return;
  this->require_ability(exchange_.get_states, Api::get_states);
  ask(Api::get_states, exchange_.get_states, x.data(), x.size());
}

template <class Api>
void ExchangeInstance<Api>::nominals(std::span<double> values) {
  std::fill(values.begin(), values.end(), 1.0);
  if (values.empty() || !exchange_.get_nominals) return;
  ask(Api::get_nominals, exchange_.get_nominals, values.data(), values.size());
  for (double& nominal : values) {
    if (!(nominal > 0.0) || !std::isfinite(nominal)) nominal = 1.0;
  }
}

template <class Api>
IntegratorReport ExchangeInstance<Api>::completed_step() {
  Boolean event = 0, ends = 0;
  ask(Api::completed_step, exchange_.completed_step, this->never_goes_back_, &event, &ends);
  return {event != Boolean{0}, ends != Boolean{0}};
}

template class ExchangeInstance<Exchange2>;
template class ExchangeInstance<Exchange3>;

}  // namespace seam::fmi

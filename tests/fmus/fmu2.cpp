#include <fmi2.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "fmus/make_fmu.hpp"

namespace seam::fmus {
namespace {

void take_message(fmi2ComponentEnvironment environment, fmi2String, fmi2Status, fmi2String, fmi2String message, ...) {
  // Formats other than %s are kept as they are: a hostile one must not reach a printf.
  std::string text = message;
  if (text == "%s") {
    va_list arguments;
    va_start(arguments, message);
    text = va_arg(arguments, const char*);
    va_end(arguments);
  }
  static_cast<Fmu*>(environment)->messages.push_back(text);
}

class Fmu2 final : public Fmu {
 public:
  Fmu2(const std::string& name, const Opening& opening) : Fmu(2, name) {
    callbacks_ = {take_message, std::calloc, std::free, nullptr, static_cast<Fmu*>(this)};
    const std::string resources = "file://" + library_.folder() + "/resources";
    const bool exchanged = opening.interface == Opening::Interface::model_exchange;
    instance_ = library_.function<fmi2InstantiateTYPE>("fmi2Instantiate")(
        "instance", exchanged ? fmi2ModelExchange : fmi2CoSimulation, library_.token().c_str(), resources.c_str(),
        &callbacks_, fmi2False, fmi2True);
  }
  ~Fmu2() override { free(); }

  void free() override {
    if (instance_) library_.function<fmi2FreeInstanceTYPE>("fmi2FreeInstance")(instance_);
    instance_ = nullptr;
  }
  Result setup(Span s) override {
    return call<fmi2SetupExperimentTYPE>("SetupExperiment", s.tolerance > 0.0, s.tolerance, s.start, fmi2True, s.stop);
  }
  Result enter() override { return call<fmi2EnterInitializationModeTYPE>("EnterInitializationMode"); }
  Result leave() override { return call<fmi2ExitInitializationModeTYPE>("ExitInitializationMode"); }
  Result terminate() override { return call<fmi2TerminateTYPE>("Terminate"); }
  Result reset() override { return call<fmi2ResetTYPE>("Reset"); }
  Result step(double t, double h) override { return call<fmi2DoStepTYPE>("DoStep", t, h, fmi2True); }
  double last_time() override {
    double time = -1.0;
    call<fmi2GetRealStatusTYPE>("GetRealStatus", fmi2LastSuccessfulTime, &time);
    return time;
  }
  bool wants_end() override {
    fmi2Boolean value = fmi2False;
    call<fmi2GetBooleanStatusTYPE>("GetBooleanStatus", fmi2Terminated, &value);
    return value == fmi2True;
  }
  Result set(const std::string& name, double value) override {
    const unsigned reference = library_.reference(name);
    return call<fmi2SetRealTYPE>("SetReal", &reference, 1u, &value);
  }
  Result get(const std::string& name, double& value) override {
    const unsigned reference = library_.reference(name);
    return call<fmi2GetRealTYPE>("GetReal", &reference, 1u, &value);
  }
  Result choose(const std::string& name, int item) override {
    const unsigned reference = library_.reference(name);
    return call<fmi2SetIntegerTYPE>("SetInteger", &reference, 1u, &item);
  }
  Result get_int(const std::string& name, int& value) override {
    const unsigned reference = library_.reference(name);
    return call<fmi2GetIntegerTYPE>("GetInteger", &reference, 1u, &value);
  }
  Result set_derivative(const std::string& name, int order, double value) override {
    const unsigned reference = library_.reference(name);
    return call<fmi2SetRealInputDerivativesTYPE>("SetRealInputDerivatives", &reference, 1u, &order, &value);
  }
  Result enter_events() override { return call<fmi2EnterEventModeTYPE>("EnterEventMode"); }
  Result update(Discrete& told) override {
    fmi2EventInfo all{};
    const Result result = call<fmi2NewDiscreteStatesTYPE>("NewDiscreteStates", &all);
    told = {
        all.newDiscreteStatesNeeded != 0, all.terminateSimulation != 0, all.valuesOfContinuousStatesChanged != 0, {}};
    if (all.nextEventTimeDefined) told.next_event = all.nextEventTime;
    return result;
  }
  Result leave_events() override { return call<fmi2EnterContinuousTimeModeTYPE>("EnterContinuousTimeMode"); }
  Result set_time(double t) override { return call<fmi2SetTimeTYPE>("SetTime", t); }
  Result set_states(const std::vector<double>& values) override {
    return call<fmi2SetContinuousStatesTYPE>("SetContinuousStates", values.data(), values.size());
  }
  Result get_states(std::vector<double>& values) override {
    return call<fmi2GetContinuousStatesTYPE>("GetContinuousStates", values.data(), values.size());
  }
  Result get_derivatives(std::vector<double>& values) override {
    return call<fmi2GetDerivativesTYPE>("GetDerivatives", values.data(), values.size());
  }
  Result get_indicators(std::vector<double>& values) override {
    return call<fmi2GetEventIndicatorsTYPE>("GetEventIndicators", values.data(), values.size());
  }
  Result get_nominals(std::vector<double>& values) override {
    return call<fmi2GetNominalsOfContinuousStatesTYPE>("GetNominalsOfContinuousStates", values.data(), values.size());
  }
  Result complete_step(Wish& wish) override {
    fmi2Boolean event_mode = fmi2False, ends = fmi2False;
    const Result result =
        call<fmi2CompletedIntegratorStepTYPE>("CompletedIntegratorStep", fmi2True, &event_mode, &ends);
    wish = {event_mode == fmi2True, ends == fmi2True};
    return result;
  }
  Result save(void*& state) override { return call<fmi2GetFMUstateTYPE>("GetFMUstate", &state); }
  Result restore(void* state) override { return call<fmi2SetFMUstateTYPE>("SetFMUstate", state); }
  Result forget(void*& state) override { return call<fmi2FreeFMUstateTYPE>("FreeFMUstate", &state); }
  Result write(void* state, std::vector<char>& bytes) override {
    std::size_t size = 0;
    call<fmi2SerializedFMUstateSizeTYPE>("SerializedFMUstateSize", state, &size);
    bytes.resize(size);
    return call<fmi2SerializeFMUstateTYPE>("SerializeFMUstate", state, bytes.data(), size);
  }
  Result read(const std::vector<char>& bytes, void*& state) override {
    return call<fmi2DeSerializeFMUstateTYPE>("DeSerializeFMUstate", bytes.data(), bytes.size(), &state);
  }
  Result slope(const std::string& unknown, const std::string& known, double& value) override {
    const unsigned row = library_.reference(unknown), column = library_.reference(known);
    const double seed = 1.0;
    return call<fmi2GetDirectionalDerivativeTYPE>("GetDirectionalDerivative", &row, 1u, &column, 1u, &seed, &value);
  }

 private:
  template <typename Function, typename... Arguments>
  Result call(const std::string& name, Arguments... arguments) {
    return static_cast<Result>(library_.function<Function>("fmi2" + name)(instance_, arguments...));
  }

  fmi2CallbackFunctions callbacks_{};
};

}  // namespace

std::unique_ptr<Fmu> make_fmu2(const std::string& name, const Opening& opening) {
  return std::make_unique<Fmu2>(name, opening);
}

}  // namespace seam::fmus

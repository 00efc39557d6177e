#include <fmi3.h>

#include "fmus/make_fmu.hpp"

namespace seam::fmus {
namespace {

void take_message(fmi3InstanceEnvironment environment, fmi3Status, fmi3String, fmi3String message) {
  static_cast<Fmu*>(environment)->messages.emplace_back(message);
}

class Fmu3 final : public Fmu {
 public:
  Fmu3(const std::string& name, const Opening& opening) : Fmu(3, name), opening_(opening) {
    const std::string resources = library_.folder() + "/resources/";
    if (opening.interface == Opening::Interface::model_exchange) {
      instance_ = library_.function<fmi3InstantiateModelExchangeTYPE>("fmi3InstantiateModelExchange")(
          "instance", library_.token().c_str(), resources.c_str(), false, true, static_cast<Fmu*>(this), take_message);
      return;
    }
    std::vector<unsigned> required;
    for (const std::string& variable : opening.intermediate) required.push_back(library_.reference(variable));
    instance_ = library_.function<fmi3InstantiateCoSimulationTYPE>("fmi3InstantiateCoSimulation")(
        "instance", library_.token().c_str(), resources.c_str(), false, true, opening.event_mode, opening.early_return,
        required.data(), required.size(), static_cast<Fmu*>(this), take_message,
        opening.update ? take_update : nullptr);
  }
  ~Fmu3() override { free(); }

  void free() override {
    if (instance_) library_.function<fmi3FreeInstanceTYPE>("fmi3FreeInstance")(instance_);
    instance_ = nullptr;
  }
  Result setup(Span span) override {
    span_ = span;
    return Result::ok;
  }
  Result enter() override {
    return call<fmi3EnterInitializationModeTYPE>("EnterInitializationMode", span_.tolerance > 0.0, span_.tolerance,
                                                 span_.start, true, span_.stop);
  }
  Result leave() override { return call<fmi3ExitInitializationModeTYPE>("ExitInitializationMode"); }
  Result terminate() override { return call<fmi3TerminateTYPE>("Terminate"); }
  Result reset() override { return call<fmi3ResetTYPE>("Reset"); }
  Result step(double t, double h) override {
    return call<fmi3DoStepTYPE>("DoStep", t, h, true, &events_, &ends_, &early_, &last_time_);
  }
  double last_time() override { return last_time_; }
  bool wants_end() override { return ends_; }
  bool returned_early() override { return early_; }
  bool wants_events() override { return events_; }
  Result set(const std::string& name, double value) override {
    const unsigned reference = library_.reference(name);
    return call<fmi3SetFloat64TYPE>("SetFloat64", &reference, 1u, &value, 1u);
  }
  Result get(const std::string& name, double& value) override {
    const unsigned reference = library_.reference(name);
    return call<fmi3GetFloat64TYPE>("GetFloat64", &reference, 1u, &value, 1u);
  }
  Result choose(const std::string& name, int item) override {
    const unsigned reference = library_.reference(name);
    const std::int64_t value = item;
    return call<fmi3SetInt64TYPE>("SetInt64", &reference, 1u, &value, 1u);
  }
  Result get_int(const std::string& name, int& value) override {
    const unsigned reference = library_.reference(name);
    return call<fmi3GetInt32TYPE>("GetInt32", &reference, 1u, &value, 1u);
  }
  Result set_derivative(const std::string&, int, double) override { return Result::error; }
  Result enter_events() override { return call<fmi3EnterEventModeTYPE>("EnterEventMode"); }
  Result update(Discrete& told) override {
    bool nominals = false, next_defined = false;
    double next = 0.0;
    const Result result = call<fmi3UpdateDiscreteStatesTYPE>("UpdateDiscreteStates", &told.again, &told.ends, &nominals,
                                                             &told.states_reset, &next_defined, &next);
    told.next_event = next_defined ? std::optional(next) : std::nullopt;
    return result;
  }
  Result leave_events() override {
    if (opening_.interface == Opening::Interface::co_simulation) return call<fmi3EnterStepModeTYPE>("EnterStepMode");
    return call<fmi3EnterContinuousTimeModeTYPE>("EnterContinuousTimeMode");
  }
  Result set_time(double t) override { return call<fmi3SetTimeTYPE>("SetTime", t); }
  Result set_states(const std::vector<double>& values) override {
    return call<fmi3SetContinuousStatesTYPE>("SetContinuousStates", values.data(), values.size());
  }
  Result get_states(std::vector<double>& values) override {
    return call<fmi3GetContinuousStatesTYPE>("GetContinuousStates", values.data(), values.size());
  }
  Result get_derivatives(std::vector<double>& values) override {
    return call<fmi3GetContinuousStateDerivativesTYPE>("GetContinuousStateDerivatives", values.data(), values.size());
  }
  Result get_indicators(std::vector<double>& values) override {
    return call<fmi3GetEventIndicatorsTYPE>("GetEventIndicators", values.data(), values.size());
  }
  Result get_nominals(std::vector<double>& values) override {
    return call<fmi3GetNominalsOfContinuousStatesTYPE>("GetNominalsOfContinuousStates", values.data(), values.size());
  }
  Result complete_step(Wish& wish) override {
    return call<fmi3CompletedIntegratorStepTYPE>("CompletedIntegratorStep", true, &wish.event_mode, &wish.ends);
  }
  Result set_clock(const std::string& name, bool active) override {
    const unsigned reference = library_.reference(name);
    return call<fmi3SetClockTYPE>("SetClock", &reference, 1u, &active);
  }
  Result get_clock(const std::string& name, bool& active) override {
    const unsigned reference = library_.reference(name);
    return call<fmi3GetClockTYPE>("GetClock", &reference, 1u, &active);
  }
  Result get_interval(const std::string& name, Interval& interval) override {
    const unsigned reference = library_.reference(name);
    fmi3IntervalQualifier qualifier = fmi3IntervalNotYetKnown;
    const Result result =
        call<fmi3GetIntervalDecimalTYPE>("GetIntervalDecimal", &reference, 1u, &interval.seconds, &qualifier);
    interval.qualifier = static_cast<Qualifier>(qualifier);
    return result;
  }
  Result set_interval(const std::string& name, double seconds) override {
    const unsigned reference = library_.reference(name);
    return call<fmi3SetIntervalDecimalTYPE>("SetIntervalDecimal", &reference, 1u, &seconds);
  }
  Result get_shift(const std::string& name, double& seconds) override {
    const unsigned reference = library_.reference(name);
    return call<fmi3GetShiftDecimalTYPE>("GetShiftDecimal", &reference, 1u, &seconds);
  }
  Result set_shift(const std::string& name, double seconds) override {
    const unsigned reference = library_.reference(name);
    return call<fmi3SetShiftDecimalTYPE>("SetShiftDecimal", &reference, 1u, &seconds);
  }
  Result set_bool(const std::string& name, bool value) override {
    const unsigned reference = library_.reference(name);
    return call<fmi3SetBooleanTYPE>("SetBoolean", &reference, 1u, &value, 1u);
  }
  Result save(void*& state) override { return call<fmi3GetFMUStateTYPE>("GetFMUState", &state); }
  Result restore(void* state) override { return call<fmi3SetFMUStateTYPE>("SetFMUState", state); }
  Result forget(void*& state) override { return call<fmi3FreeFMUStateTYPE>("FreeFMUState", &state); }
  Result write(void* state, std::vector<char>& bytes) override {
    std::size_t size = 0;
    call<fmi3SerializedFMUStateSizeTYPE>("SerializedFMUStateSize", state, &size);
    bytes.resize(size);
    return call<fmi3SerializeFMUStateTYPE>("SerializeFMUState", state, reinterpret_cast<fmi3Byte*>(bytes.data()), size);
  }
  Result read(const std::vector<char>& bytes, void*& state) override {
    return call<fmi3DeserializeFMUStateTYPE>("DeserializeFMUState", reinterpret_cast<const fmi3Byte*>(bytes.data()),
                                             bytes.size(), &state);
  }
  Result slope(const std::string& unknown, const std::string& known, double& value) override {
    const unsigned row = library_.reference(unknown), column = library_.reference(known);
    const double seed = 1.0;
    return call<fmi3GetDirectionalDerivativeTYPE>("GetDirectionalDerivative", &row, 1u, &column, 1u, &seed, 1u, &value,
                                                  1u);
  }

 private:
  static void take_update(fmi3InstanceEnvironment environment, fmi3Float64 time, fmi3Boolean set_requested,
                          fmi3Boolean get_allowed, fmi3Boolean step_finished, fmi3Boolean can_return_early,
                          fmi3Boolean*, fmi3Float64*) {
    auto& fmu = static_cast<Fmu3&>(*static_cast<Fmu*>(environment));
    fmu.opening_.update(fmu, {time, set_requested, get_allowed, step_finished, can_return_early});
  }

  template <typename Function, typename... Arguments>
  Result call(const std::string& name, Arguments... arguments) {
    return static_cast<Result>(library_.function<Function>("fmi3" + name)(instance_, arguments...));
  }

  Opening opening_;
  Span span_;
  bool events_ = false, ends_ = false, early_ = false;
  double last_time_ = 0.0;
};

}  // namespace

std::unique_ptr<Fmu> make_fmu3(const std::string& name, const Opening& opening) {
  return std::make_unique<Fmu3>(name, opening);
}

std::unique_ptr<Fmu> open_fmu(int version, const std::string& name, const Opening& opening) {
  return version == 2 ? make_fmu2(name, opening) : make_fmu3(name, opening);
}

}  // namespace seam::fmus

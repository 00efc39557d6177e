#include <fmi3.h>

#include "fmus/make_fmu.hpp"

namespace seam::fmus {
namespace {

void take_message(fmi3InstanceEnvironment environment, fmi3Status, fmi3String, fmi3String message) {
  static_cast<Fmu*>(environment)->messages.emplace_back(message);
}

class Fmu3 final : public Fmu {
 public:
  explicit Fmu3(const std::string& name) : Fmu(3, name) {
    const std::string resources = library_.folder() + "/resources/";
    instance_ = library_.function<fmi3InstantiateCoSimulationTYPE>("fmi3InstantiateCoSimulation")(
        "instance", library_.token().c_str(), resources.c_str(), false, true, false, false, nullptr, 0,
        static_cast<Fmu*>(this), take_message, nullptr);
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
    bool event = false, early = false;
    return call<fmi3DoStepTYPE>("DoStep", t, h, true, &event, &ends_, &early, &last_time_);
  }
  double last_time() override { return last_time_; }
  bool wants_end() override { return ends_; }
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
  template <typename Function, typename... Arguments>
  Result call(const std::string& name, Arguments... arguments) {
    return static_cast<Result>(library_.function<Function>("fmi3" + name)(instance_, arguments...));
  }

  Span span_;
  bool ends_ = false;
  double last_time_ = 0.0;
};

}  // namespace

std::unique_ptr<Fmu> make_fmu3(const std::string& name) { return std::make_unique<Fmu3>(name); }

std::unique_ptr<Fmu> open_fmu(int version, const std::string& name) {
  return version == 2 ? make_fmu2(name) : make_fmu3(name);
}

}  // namespace seam::fmus

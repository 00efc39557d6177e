// FMUs driven as one writes it in C for just this task: no checks, no names, only the calls.
#pragma once

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "fmi2.h"
#include "fmi3.h"

namespace bench {

/// What the FMU's description says; read by seam, so that both sides drive the same thing.
struct Known {
  std::string identifier, token;
  std::uint32_t input = 0, output = 0;
  std::vector<std::pair<std::uint32_t, double>> parameters;
};

inline void* open_library(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library) return library;
  fmt::print("{}\n", dlerror());
  std::exit(1);
}

template <class Function>
void load(void* library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(library, name));
}

class ByHand2 {
 public:
  static constexpr int version = 2;

  ByHand2(const std::string& folder, const Known& known) : input_(known.input), output_(known.output) {
    void* library = open_library(folder + "/binaries/linux64/" + known.identifier + ".so");
    fmi2InstantiateTYPE* instantiate = nullptr;
    fmi2SetupExperimentTYPE* setup = nullptr;
    fmi2EnterInitializationModeTYPE* enter = nullptr;
    fmi2ExitInitializationModeTYPE* exit = nullptr;
    load(library, "fmi2Instantiate", instantiate);
    load(library, "fmi2SetupExperiment", setup);
    load(library, "fmi2EnterInitializationMode", enter);
    load(library, "fmi2ExitInitializationMode", exit);
    load(library, "fmi2SetReal", set_);
    load(library, "fmi2GetReal", get_);
    load(library, "fmi2DoStep", step_);
    static const fmi2CallbackFunctions callbacks = {quiet, std::calloc, std::free, nullptr, nullptr};
    component_ = instantiate("by_hand", fmi2CoSimulation, known.token.c_str(), "", &callbacks, fmi2False, fmi2False);
    for (const auto& [reference, value] : known.parameters) set_(component_, &reference, 1, &value);
    setup(component_, fmi2False, 0, 0, fmi2False, 0);
    enter(component_);
    exit(component_);
  }

  void set(const double& u) const { set_(component_, &input_, 1, &u); }
  void step(double t, double h) const { step_(component_, t, h, fmi2True); }
  void get(double& y) const { get_(component_, &output_, 1, &y); }

 private:
  static void quiet(fmi2ComponentEnvironment, fmi2String, fmi2Status, fmi2String, fmi2String, ...) {}

  fmi2Component component_ = nullptr;
  fmi2SetRealTYPE* set_ = nullptr;
  fmi2GetRealTYPE* get_ = nullptr;
  fmi2DoStepTYPE* step_ = nullptr;
  fmi2ValueReference input_, output_;
};

class ByHand3 {
 public:
  static constexpr int version = 3;

  ByHand3(const std::string& folder, const Known& known) : input_(known.input), output_(known.output) {
    void* library = open_library(folder + "/binaries/x86_64-linux/" + known.identifier + ".so");
    fmi3InstantiateCoSimulationTYPE* instantiate = nullptr;
    fmi3EnterInitializationModeTYPE* enter = nullptr;
    fmi3ExitInitializationModeTYPE* exit = nullptr;
    load(library, "fmi3InstantiateCoSimulation", instantiate);
    load(library, "fmi3EnterInitializationMode", enter);
    load(library, "fmi3ExitInitializationMode", exit);
    load(library, "fmi3SetFloat64", set_);
    load(library, "fmi3GetFloat64", get_);
    load(library, "fmi3DoStep", step_);
    instance_ = instantiate("by_hand", known.token.c_str(), nullptr, false, false, false, false, nullptr, 0, nullptr,
                            nullptr, nullptr);
    for (const auto& [reference, value] : known.parameters) set_(instance_, &reference, 1, &value, 1);
    enter(instance_, false, 0, 0, false, 0);
    exit(instance_);
  }

  void set(const double& u) const { set_(instance_, &input_, 1, &u, 1); }
  void step(double t, double h) const {
    bool event = false, terminate = false, early = false;
    double reached = 0.0;
    step_(instance_, t, h, true, &event, &terminate, &early, &reached);
  }
  void get(double& y) const { get_(instance_, &output_, 1, &y, 1); }

 private:
  fmi3Instance instance_ = nullptr;
  fmi3SetFloat64TYPE* set_ = nullptr;
  fmi3GetFloat64TYPE* get_ = nullptr;
  fmi3DoStepTYPE* step_ = nullptr;
  fmi3ValueReference input_, output_;
};

}  // namespace bench

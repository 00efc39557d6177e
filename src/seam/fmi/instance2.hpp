// One co-simulation instance of an FMI 2.0 FMU.
#pragma once

#include <span>

#include "fmi2.h"
#include "seam/fmi/instance.hpp"

namespace seam::fmi {

class Instance2 final : public InstanceBase {
 public:
  using Reference = fmi2ValueReference;

  /// Instantiates; the library is asked only for the functions that its capabilities need.
  Instance2(std::string name, const Fmu& fmu, std::shared_ptr<const Unpacked> files, Logging logging);
  /// Terminates if it runs, and frees.
  ~Instance2();
  Instance2(const Instance2&) = delete;
  Instance2& operator=(const Instance2&) = delete;

  void enter_initialisation(const Experiment& experiment);
  void exit_initialisation();
  void terminate();

  void set_reals(std::span<const Reference> references, const double* values);
  void get_reals(std::span<const Reference> references, double* values);
  void set(const Variable& variable, const Values& values);
  Values get(const Variable& variable);

  /// From t over h. Discarded steps are `rejected` at the time that was reached; a wish to end is `ended`.
  StepResult do_step(double t, double h);

  /// States, for FMUs that can. Free what save_state gave before the instance goes.
  void* save_state();
  void restore_state(void* state);
  void free_state(void* state);

 private:
  struct Functions {
    fmi2FreeInstanceTYPE* free_instance;
    fmi2SetupExperimentTYPE* setup_experiment;
    fmi2EnterInitializationModeTYPE* enter_initialisation;
    fmi2ExitInitializationModeTYPE* exit_initialisation;
    fmi2TerminateTYPE* terminate;
    fmi2DoStepTYPE* do_step;
    fmi2GetRealTYPE* get_real;
    fmi2SetRealTYPE* set_real;
    fmi2GetIntegerTYPE* get_integer;
    fmi2SetIntegerTYPE* set_integer;
    fmi2GetBooleanTYPE* get_boolean;
    fmi2SetBooleanTYPE* set_boolean;
    fmi2GetStringTYPE* get_string;
    fmi2SetStringTYPE* set_string;
    fmi2GetRealStatusTYPE* get_real_status;
    fmi2GetBooleanStatusTYPE* get_boolean_status;
    fmi2GetFMUstateTYPE* get_state;
    fmi2SetFMUstateTYPE* set_state;
    fmi2FreeFMUstateTYPE* free_state;
  };
  void load_functions(const ModelDescription& description, const Interface& interface);
  StepResult discarded(double t);
  static void on_message(fmi2ComponentEnvironment, fmi2String, fmi2Status, fmi2String category, fmi2String message,
                         ...);

  Functions call_{};
  fmi2CallbackFunctions callbacks_{};
  fmi2Component component_ = nullptr;
  fmi2Boolean never_goes_back_ = fmi2True;  // until a state is saved
  const ModelDescription& description_;
};

}  // namespace seam::fmi

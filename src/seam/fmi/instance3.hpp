// One co-simulation instance of an FMI 3.0 FMU.
#pragma once

#include <span>

#include "fmi3.h"
#include "seam/fmi/instance.hpp"

namespace seam::fmi {

class Instance3 final : public InstanceBase {
 public:
  using Reference = fmi3ValueReference;

  /// Instantiates without event mode and early return; the library is asked only for the functions that its
  /// capabilities need.
  Instance3(std::string name, const Fmu& fmu, std::shared_ptr<const Unpacked> files, Logging logging);
  /// Terminates if it runs, and frees.
  ~Instance3();
  Instance3(const Instance3&) = delete;
  Instance3& operator=(const Instance3&) = delete;

  /// Structural parameters, before anything else.
  void configure(const std::vector<std::pair<const Variable*, Values>>& settings);
  void enter_initialisation(const Experiment& experiment);
  void exit_initialisation();
  void terminate();

  /// All references are scalar, or the arrays lie one after the other in `values`.
  void set_reals(std::span<const Reference> references, const double* values, std::size_t count);
  void get_reals(std::span<const Reference> references, double* values, std::size_t count);
  void set_floats(std::span<const Reference> references, std::span<const float> values);
  void get_floats(std::span<const Reference> references, std::span<float> values);
  void set(const Variable& variable, const Values& values);
  Values get(const Variable& variable, std::size_t elements);

  /// From t over h. Discarded steps are `rejected`, nothing was advanced; a wish to end is `ended`.
  StepResult do_step(double t, double h);

  void* save_state();
  void restore_state(void* state);
  void free_state(void* state);

 private:
  struct Functions {
    fmi3FreeInstanceTYPE* free_instance;
    fmi3EnterInitializationModeTYPE* enter_initialisation;
    fmi3ExitInitializationModeTYPE* exit_initialisation;
    fmi3EnterConfigurationModeTYPE* enter_configuration;
    fmi3ExitConfigurationModeTYPE* exit_configuration;
    fmi3TerminateTYPE* terminate;
    fmi3DoStepTYPE* do_step;
    fmi3GetFloat64TYPE* get_float64;
    fmi3SetFloat64TYPE* set_float64;
    fmi3GetFloat32TYPE* get_float32;
    fmi3SetFloat32TYPE* set_float32;
    fmi3GetFMUStateTYPE* get_state;
    fmi3SetFMUStateTYPE* set_state;
    fmi3FreeFMUStateTYPE* free_state;
  };
  void load_functions(const ModelDescription& description, const Interface& interface);
  static void on_message(fmi3InstanceEnvironment, fmi3Status, fmi3String category, fmi3String message);
  void set_binary(const Variable& variable, const Values& values);
  Values get_binary(const Variable& variable, std::size_t elements);

  Functions call_{};
  fmi3Instance instance_ = nullptr;
  fmi3Boolean never_goes_back_ = true;  // until a state is saved
};

}  // namespace seam::fmi

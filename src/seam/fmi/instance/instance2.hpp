// One instance of an FMI 2.0 FMU, or of an FMI 1.0 FMU behind adapter1: all of it for co-simulation, and what model
// exchange has in common with that.
#pragma once

#include "fmi2.h"
#include "seam/fmi/description/purpose.hpp"
#include "seam/fmi/instance/common_instance.hpp"

namespace seam::fmi {

struct Api2 {
  using Status = fmi2Status;
  using Boolean = fmi2Boolean;
  using Byte = fmi2Byte;
  static constexpr auto free_instance = "fmi2FreeInstance";
  static constexpr auto set_debug_logging = "fmi2SetDebugLogging";
  static constexpr auto exit_initialisation = "fmi2ExitInitializationMode";
  static constexpr auto terminate = "fmi2Terminate";
  static constexpr auto get_state = "fmi2GetFMUstate";
  static constexpr auto set_state = "fmi2SetFMUstate";
  static constexpr auto free_state = "fmi2FreeFMUstate";
  static constexpr auto state_size = "fmi2SerializedFMUstateSize";
  static constexpr auto serialise = "fmi2SerializeFMUstate";
  static constexpr auto deserialise = "fmi2DeSerializeFMUstate";
  static constexpr auto set_reals = "fmi2SetReal";
  static constexpr auto get_reals = "fmi2GetReal";
  static constexpr auto directional = "fmi2GetDirectionalDerivative";
  static constexpr auto output_derivatives = "fmi2GetRealOutputDerivatives";
  static constexpr AccessNames access_names[] = {{Type::float64, get_reals, set_reals},
                                                 {Type::int32, "fmi2GetInteger", "fmi2SetInteger"},
                                                 {Type::enumeration, "fmi2GetInteger", "fmi2SetInteger"},
                                                 {Type::boolean, "fmi2GetBoolean", "fmi2SetBoolean"},
                                                 {Type::string, "fmi2GetString", "fmi2SetString"}};
  static constexpr bool has_arrays = false;
  using Enumeration = fmi2Integer;
  using BooleanCell = fmi2Boolean;
  using Directional = fmi2GetDirectionalDerivativeTYPE;
  using OutputDerivatives = fmi2GetRealOutputDerivativesTYPE;
  template <class C>
  using Setter = Status(void*, const fmi2ValueReference*, std::size_t, const C*);
  template <class C>
  using Getter = Status(void*, const fmi2ValueReference*, std::size_t, C*);
  template <class Function, class C>
  static Status transfer(const Function& function, void* handle, std::span<const std::uint32_t> references, C* values,
                         std::size_t) {
    return function(handle, references.data(), references.size(), values);
  }
};

class Instance2 : public CommonInstance<Api2> {
 public:
  using Extras = Use;
  /// What fmi2DoStep tells beside its status: nothing.
  struct Report {};
  /// Instantiates; the library is asked only for the functions that its capabilities need.
  Instance2(std::string name, const Fmu& fmu, std::shared_ptr<const Unpacked> files, Logging logging,
            const Extras& extras = {});
  ~Instance2() { end(); }
  Instance2(const Instance2&) = delete;
  Instance2& operator=(const Instance2&) = delete;

  void enter_initialisation(const Experiment& experiment);

  /// From t over h. Discarded steps are `rejected` at the time that was reached; a wish to end is `ended`.
  StepResult do_step(double t, double h);

  /// How inputs move from the start of the next step on: the derivative of each order in time. A Discard is returned,
  /// since no FMU says beforehand which orders it takes.
  Severity set_input_derivatives(std::span<const Reference> inputs, std::span<const std::int32_t> orders,
                                 std::span<const double> derivatives);

 private:
  template <class>
  friend class RealStep;
  struct Functions {
    FmuFunction<fmi2DoStepTYPE> do_step;
    FmuFunction<fmi2SetupExperimentTYPE> setup_experiment;
    FmuFunction<fmi2EnterInitializationModeTYPE> enter_initialisation;
    FmuFunction<fmi2GetRealStatusTYPE> get_real_status;
    FmuFunction<fmi2GetBooleanStatusTYPE> get_boolean_status;
    FmuFunction<fmi2SetRealInputDerivativesTYPE> input_derivatives;
  };
  void load_functions();
  fmi2Component instantiated(const std::string& resources);
  StepResult unusual(fmi2Status status, double t, double h);
  StepResult discarded(double t);
  static void on_message(fmi2ComponentEnvironment, fmi2String, fmi2Status, fmi2String category, fmi2String message,
                         ...);

  Functions call_{};
  fmi2CallbackFunctions callbacks_{};
  Purpose purpose_;
};

}  // namespace seam::fmi

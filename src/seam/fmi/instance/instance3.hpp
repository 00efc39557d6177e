// One instance of an FMI 3.0 FMU: all of it for co-simulation, and what model exchange has in common with that.
#pragma once

#include "fmi3.h"
#include "seam/fmi/description/purpose.hpp"
#include "seam/fmi/instance/common_instance.hpp"

namespace seam::fmi {

struct Api3 {
  using Status = fmi3Status;
  using Boolean = fmi3Boolean;
  using Byte = fmi3Byte;
  static constexpr auto free_instance = "fmi3FreeInstance";
  static constexpr auto set_debug_logging = "fmi3SetDebugLogging";
  static constexpr auto exit_initialisation = "fmi3ExitInitializationMode";
  static constexpr auto terminate = "fmi3Terminate";
  static constexpr auto get_state = "fmi3GetFMUState";
  static constexpr auto set_state = "fmi3SetFMUState";
  static constexpr auto free_state = "fmi3FreeFMUState";
  static constexpr auto state_size = "fmi3SerializedFMUStateSize";
  static constexpr auto serialise = "fmi3SerializeFMUState";
  static constexpr auto deserialise = "fmi3DeserializeFMUState";
};

/// What it is for, and who gives values to inputs while it steps.
struct IntermediateInputs {
  std::vector<std::uint32_t> variables;              ///< inputs that are set then; none: not asked for
  void (*update)(void* who, double time) = nullptr;  ///< must not throw; calls set_inside_step
  void* who = nullptr;
  Purpose purpose = Purpose::stepping;
  EventUse events = EventUse::inside;
};

class Instance3 : public CommonInstance<Api3> {
 public:
  using Extras = IntermediateInputs;
  /// What fmi3DoStep tells beside its status.
  struct Report {  // apart from each other: read in one go they would wait for the single bytes that the FMU wrote
    alignas(8) fmi3Boolean event_needed = false;
    alignas(8) fmi3Boolean terminate = false;
    alignas(8) fmi3Boolean early = false;
    fmi3Float64 reached = 0.0;
  };
  /// The library is asked only for the functions that its capabilities need.
  Instance3(std::string name, const Fmu& fmu, std::shared_ptr<const Unpacked> files, Logging logging,
            const Extras& extras = {});
  ~Instance3() { end(); }
  Instance3(const Instance3&) = delete;
  Instance3& operator=(const Instance3&) = delete;

  /// Structural parameters, before anything else.
  void configure(const std::vector<std::pair<const Variable*, Values>>& settings);
  void enter_initialisation(const Experiment& experiment);

  /// All references are scalar, or the arrays lie one after the other in `values`.
  void set_reals(std::span<const Reference> references, const double* values, std::size_t count);
  void get_reals(std::span<const Reference> references, double* values, std::size_t count);
  void set_floats(std::span<const Reference> references, std::span<const float> values);
  void get_floats(std::span<const Reference> references, std::span<float> values);
  /// Many variables of one type, in the list that store_of(type) names, which has the right size. No allocation after
  /// the first call, but for strings and binaries.
  void set(Type type, std::span<const Reference> references, const Values& values);
  void get(Type type, std::span<const Reference> references, Values& values);
  void set(const Variable& variable, const Values& values);
  Values get(const Variable& variable, std::size_t elements);

  /// From the update of Extras alone: no error is thrown there, do_step throws it afterwards.
  void set_inside_step(std::span<const Reference> references, std::span<const double> values) noexcept;

  /// From t over h. Discarded steps are `rejected`, nothing was advanced; a wish to end is `ended`.
  StepResult do_step(double t, double h);

  /// How the unknowns change if the knowns change by `seed`.
  void directional(std::span<const Reference> unknowns, std::span<const Reference> knowns, std::span<const double> seed,
                   std::span<double> sensitivity);
  /// The same transposed: `seed` has one number an unknown, `sensitivity` one a known.
  void adjoint(std::span<const Reference> unknowns, std::span<const Reference> knowns, std::span<const double> seed,
               std::span<double> sensitivity);
  /// Derivatives of outputs in time, after a step; order 1 to the largest that the FMU declares.
  void output_derivatives(std::span<const Reference> outputs, unsigned order, std::span<double> derivatives);

 protected:
  fmi3Status call_step(double t, double h, Report& report);
  /// After a step that was not plain: Discard is `rejected`, everything worse throws.
  base::Outcome judge_step(fmi3Status status, double t, double h, const Report& report);

 private:
  template <class>
  friend class RealStep;
  struct Functions {
    fmi3DoStepTYPE* do_step;  // these three in every step
    fmi3SetFloat64TYPE* set_reals;
    fmi3GetFloat64TYPE* get_reals;
    fmi3EnterInitializationModeTYPE* enter_initialisation;
    fmi3EnterConfigurationModeTYPE* enter_configuration;
    fmi3ExitConfigurationModeTYPE* exit_configuration;
    fmi3GetDirectionalDerivativeTYPE* directional;
    fmi3GetAdjointDerivativeTYPE* adjoint;
    fmi3GetOutputDerivativesTYPE* output_derivatives;
  };
  void load_functions();
  void load_access();
  void instantiate();
  StepResult unusual(fmi3Status status, double t, double h, Report report);
  static std::string words_of(const Report& report);
  void note_event(double t);
  void note_early_return(double from, double end, double reached);
  fmi3Status set_texts(const Access& by, std::span<const Reference> references, const std::vector<std::string>& texts);
  fmi3Status get_texts(const Access& by, std::span<const Reference> references, std::vector<std::string>& texts);
  fmi3Status set_numbers(const Access& by, std::span<const Reference> references, const Values& values);
  fmi3Status get_numbers(const Access& by, std::span<const Reference> references, Values& values);
  static void on_message(fmi3InstanceEnvironment, fmi3Status, fmi3String category, fmi3String message);
  void update(double time) noexcept {
    if (extras_.update) extras_.update(extras_.who, time);
  }

  Functions call_{};
  Extras extras_;
  fmi3Status inside_step_ = fmi3OK;  // the worst that set_inside_step met
  bool event_noted_ = false, early_return_noted_ = false;
};

}  // namespace seam::fmi

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
  static constexpr auto set_reals = "fmi3SetFloat64";
  static constexpr auto get_reals = "fmi3GetFloat64";
  static constexpr auto directional = "fmi3GetDirectionalDerivative";
  static constexpr auto output_derivatives = "fmi3GetOutputDerivatives";
  static constexpr AccessNames access_names[] = {
      {Type::float32, "fmi3GetFloat32", "fmi3SetFloat32"}, {Type::float64, get_reals, set_reals},
      {Type::int8, "fmi3GetInt8", "fmi3SetInt8"},          {Type::uint8, "fmi3GetUInt8", "fmi3SetUInt8"},
      {Type::int16, "fmi3GetInt16", "fmi3SetInt16"},       {Type::uint16, "fmi3GetUInt16", "fmi3SetUInt16"},
      {Type::int32, "fmi3GetInt32", "fmi3SetInt32"},       {Type::uint32, "fmi3GetUInt32", "fmi3SetUInt32"},
      {Type::int64, "fmi3GetInt64", "fmi3SetInt64"},       {Type::uint64, "fmi3GetUInt64", "fmi3SetUInt64"},
      {Type::enumeration, "fmi3GetInt64", "fmi3SetInt64"}, {Type::boolean, "fmi3GetBoolean", "fmi3SetBoolean"},
      {Type::string, "fmi3GetString", "fmi3SetString"},    {Type::binary, "fmi3GetBinary", "fmi3SetBinary"}};
  static constexpr bool has_arrays = true;
  using Enumeration = fmi3Int64;
  using BooleanCell = unsigned char;
  static_assert(sizeof(fmi3Boolean) == sizeof(BooleanCell));
  using Directional = fmi3GetDirectionalDerivativeTYPE;
  using OutputDerivatives = fmi3GetOutputDerivativesTYPE;
  template <class C>
  using Setter = Status(void*, const fmi3ValueReference*, std::size_t, const C*, std::size_t);
  template <class C>
  using Getter = Status(void*, const fmi3ValueReference*, std::size_t, C*, std::size_t);
  template <class Function, class C>
  static Status transfer(const Function& function, void* handle, std::span<const std::uint32_t> references, C* values,
                         std::size_t count) {
    return function(handle, references.data(), references.size(), values, count);
  }
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

  /// From the update of Extras alone: no error is thrown there, do_step throws it afterwards.
  void set_inside_step(std::span<const Reference> references, std::span<const double> values) noexcept;

  /// From t over h. Discarded steps are `rejected`, nothing was advanced; a wish to end is `ended`.
  StepResult do_step(double t, double h);

  /// directional transposed: `seed` has one number an unknown, `sensitivity` one a known.
  void adjoint(std::span<const Reference> unknowns, std::span<const Reference> knowns, std::span<const double> seed,
               std::span<double> sensitivity);

 protected:
  fmi3Status call_step(double t, double h, Report& report);
  /// After a step that was not plain: Discard is `rejected`, everything worse throws.
  base::Outcome judge_step(fmi3Status status, double t, double h, const Report& report);

 private:
  template <class>
  friend class RealStep;
  struct Functions {
    FmuFunction<fmi3DoStepTYPE> do_step;
    FmuFunction<fmi3EnterInitializationModeTYPE> enter_initialisation;
    FmuFunction<fmi3EnterConfigurationModeTYPE> enter_configuration;
    FmuFunction<fmi3ExitConfigurationModeTYPE> exit_configuration;
    FmuFunction<fmi3GetAdjointDerivativeTYPE> adjoint;
  };
  void load_functions();
  void instantiate();
  StepResult unusual(fmi3Status status, double t, double h, Report report);
  static std::string words_of(const Report& report);
  void note_event(double t);
  void note_early_return(double from, double end, double reached);
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

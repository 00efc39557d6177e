// One instance of an FMI 1.0 FMU as the calls of FMI 2 see it. Inside adapter1 only.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fmi1.h"
#include "fmi2.h"
#include "seam/fmi/description/purpose.hpp"
#include "seam/fmi/instance/fmu_function.hpp"

namespace seam::fmi::adapter1 {

template <class C>
using Setter = fmiStatus(fmiComponent, const fmiValueReference*, std::size_t, const C*);
template <class C>
using Getter = fmiStatus(fmiComponent, const fmiValueReference*, std::size_t, C*);

/// The functions that the description promises; the others are null.
struct Functions {
  FmuFunction<fmiFreeSlaveInstanceTYPE> free;
  FmuFunction<fmiTerminateSlaveTYPE> terminate;
  FmuFunction<fmiSetDebugLoggingTYPE> set_debug_logging;
  FmuFunction<Getter<fmiReal>> get_real;
  FmuFunction<Setter<fmiReal>> set_real;
  FmuFunction<Getter<fmiInteger>> get_integer;
  FmuFunction<Setter<fmiInteger>> set_integer;
  FmuFunction<Getter<fmiBoolean>> get_boolean;
  FmuFunction<Setter<fmiBoolean>> set_boolean;
  FmuFunction<Getter<fmiString>> get_string;
  FmuFunction<Setter<fmiString>> set_string;
  // co-simulation
  FmuFunction<fmiInitializeSlaveTYPE> initialize_slave;
  FmuFunction<fmiDoStepTYPE> do_step;
  FmuFunction<fmiGetRealStatusTYPE> get_real_status;
  FmuFunction<fmiSetRealInputDerivativesTYPE> input_derivatives;
  FmuFunction<fmiGetRealOutputDerivativesTYPE> output_derivatives;
  // model exchange
  FmuFunction<fmiInitializeTYPE> initialize;
  FmuFunction<fmiEventUpdateTYPE> event_update;
  FmuFunction<fmiSetTimeTYPE> set_time;
  FmuFunction<fmiCompletedIntegratorStepTYPE> completed_step;
  FmuFunction<fmiSetContinuousStatesTYPE> set_states;
  FmuFunction<fmiGetContinuousStatesTYPE> get_states;
  FmuFunction<fmiGetDerivativesTYPE> get_derivatives;
  FmuFunction<fmiGetEventIndicatorsTYPE> get_indicators;
  FmuFunction<fmiGetNominalContinuousStatesTYPE> get_nominals;
};

struct Component {
  fmiComponent own = nullptr;  ///< the FMU's
  Functions call;
  const ModelDescription* description = nullptr;
  const fmi2CallbackFunctions* callbacks = nullptr;
  std::string name;
  Purpose purpose = Purpose::stepping;
  bool moved = false;  ///< something was set since the last completed integrator step
  /// What fmiInitialize said of the event that every run begins with; none once something was set after it.
  std::unique_ptr<fmiEventInfo> first_event;
  // room for what differs between the two versions; it grows in the first calls alone
  std::vector<fmiValueReference> references;
  std::vector<fmiReal> reals;
  std::vector<fmiInteger> integers;
  std::vector<fmiBoolean> booleans;

  void touch() {
    moved = true;
    first_event.reset();
  }
  bool has_negated() const { return !description->negated.empty(); }
  /// The references that the FMU knows.
  const fmiValueReference* known(const fmi2ValueReference* given, std::size_t count) {
    if (!has_negated()) return given;
    references.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      const auto found = description->negated.find(given[i]);
      references[i] = found == description->negated.end() ? given[i] : found->second;
    }
    return references.data();
  }
  bool is_negated(fmi2ValueReference reference) const { return description->negated.contains(reference); }
  /// Changes the sign of what belongs to negated aliases.
  template <class C>
  void negate(const fmi2ValueReference* given, std::size_t count, C* values) const {
    for (std::size_t i = 0; i < count; ++i) {
      if (is_negated(given[i])) values[i] = -values[i];
    }
  }
};

}  // namespace seam::fmi::adapter1

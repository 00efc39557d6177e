// FMI 1.0 for co-simulation and model exchange. The signatures are the standard's; the build puts the modelIdentifier
// before the names.
#include <fmi1.h>

#include "fmus/framework/abilities.hpp"
#include "fmus/framework/instance.hpp"
#include "fmus/strict/rules.hpp"

using namespace seam::fmus;

#define SEAM_FMI1 extern "C" __attribute__((visibility("default")))

namespace {

/// Both kinds of callbacks begin alike.
struct Component final : Instance {
  using Instance::Instance;
  fmiCallbackLogger logger = nullptr;
  bool logging = false;
  bool moved = false;  ///< model exchange: something was set since the last completed integrator step
};

constexpr unsigned simulation = of(Interface::co_simulation);
constexpr unsigned exchange = of(Interface::model_exchange);
/// Initialization Mode is what lies between fmiInitializeSlave and the first step.
constexpr unsigned writable =
    in(Phase::instantiated) | in(Phase::initialization) | in(Phase::step) | in(Phase::continuous);
constexpr unsigned reached = in(Phase::step) | in(Phase::failed) | in(Phase::terminated);

void move(Instance& instance) { static_cast<Component&>(instance).moved = true; }

template <typename Work>
fmiStatus perform(fmiComponent handle, const Call& call, const Work& work) noexcept {
  if (!handle || (strict && !rules::alive(handle, call))) return fmiError;
  return static_cast<fmiStatus>(static_cast<Instance*>(handle)->run(call, work));
}

void connect_log(Component& component) {
  component.model().log = [&component](Status status, const std::string& message, Model::LogForm form) {
    if (!component.logger || (!component.logging && status == Status::ok)) return;
    const auto* format = form == Model::LogForm::format ? message.c_str() : "%s";
    component.logger(&component, component.name().c_str(), static_cast<fmiStatus>(status), "log", format,
                     message.c_str());
  };
}

/// What the environment hands over, as far as the model cares.
struct Offer {
  const char *call, *name, *guid;
  std::string resources;
  Interface kind;
  fmiCallbackLogger logger;
  bool logging;
};

fmiComponent make_component(const Offer& offer) {
  auto component = std::make_unique<Component>(offer.name ? offer.name : "", offer.kind, make_model(Version::fmi1));
  component->logger = offer.logger;
  component->logging = offer.logging;
  connect_log(*component);
  if (!offer.guid || !component->model().accepts(offer.guid)) {
    component->refuse(offer.call, "the guid is not that of this library");
    return nullptr;
  }
  if (!component->model().created(offer.resources)) return nullptr;
  Instance* const instance = component.release();
  if (strict) rules::born(instance);
  return instance;
}

void free_component(fmiComponent handle, const Call& call) {
  if (!handle || (strict && !rules::alive(handle, call))) return;
  auto* instance = static_cast<Instance*>(handle);
  if (strict) {
    rules::may_die(*instance, call.name);
    rules::died(instance);
  }
  delete static_cast<Component*>(instance);
}

bool callbacks_fit(const char* call, const char* name, bool given) {
  return given || rules::broken(call, name ? name : "?", "logger, allocateMemory and freeMemory must be given");
}

Status initialise(Instance& instance, const Call& call, const Experiment& experiment) {
  if (strict && !rules::may_initialise(instance, call.name, experiment)) return Status::error;
  instance.setup(experiment);
  return instance.enter_initialization();
}

fmiBoolean as_boolean(bool value) { return value ? fmiTrue : fmiFalse; }

/// Event Mode from its begin to its end: discrete states change until they stay.
Status handle_event(Instance& instance, const Call& call, fmiEventInfo& told) {
  EventReport report;
  bool reset = false;
  do {
    if (const Status status = instance.update_discrete_states(call, report); status != Status::ok) return status;
    reset = reset || report.states == EventReport::States::reset;
  } while (report.iteration == EventReport::Iteration::goes_on);
  told = {fmiTrue,
          fmiFalse,
          as_boolean(reset),
          as_boolean(report.ending == Ending::asks_to_end),
          as_boolean(report.next_event.has_value()),
          report.next_event.value_or(0.0)};
  return report.ending == Ending::asks_to_end ? Status::ok : instance.leave_events(call);
}

}  // namespace

SEAM_FMI1 const char* fmiGetVersion() { return "1.0"; }
SEAM_FMI1 const char* fmiGetTypesPlatform() { return "standard32"; }
SEAM_FMI1 const char* fmiGetModelTypesPlatform() { return "standard32"; }

SEAM_FMI1 fmiStatus fmiSetDebugLogging(fmiComponent handle, fmiBoolean on) {
  static const Call call{"fmiSetDebugLogging", in_any_phase};
  return perform(handle, call, [&](Instance& instance) {
    static_cast<Component&>(instance).logging = on != fmiFalse;
    return Status::ok;
  });
}

#define SEAM_VALUES(Kind, Value, type)                                                                      \
  SEAM_FMI1 fmiStatus fmiGet##Kind(fmiComponent handle, const fmiValueReference references[], size_t count, \
                                   Value values[]) {                                                        \
    static const Call call{"fmiGet" #Kind, initialised};                                                    \
    return perform(handle, call, [&](Instance& i) {                                                         \
      return i.get(call, Type::type, {references, count}, values, count);                                   \
    });                                                                                                     \
  }                                                                                                         \
  SEAM_FMI1 fmiStatus fmiSet##Kind(fmiComponent handle, const fmiValueReference references[], size_t count, \
                                   const Value values[]) {                                                  \
    static const Call call{"fmiSet" #Kind, writable};                                                       \
    return perform(handle, call, [&](Instance& i) {                                                         \
      move(i);                                                                                              \
      return i.set(call, Type::type, {references, count}, values, count);                                   \
    });                                                                                                     \
  }
SEAM_VALUES(Real, fmiReal, float64)
SEAM_VALUES(Integer, fmiInteger, int32)
SEAM_VALUES(Boolean, fmiBoolean, boolean)

SEAM_FMI1 fmiStatus fmiGetString(fmiComponent handle, const fmiValueReference references[], size_t count,
                                 fmiString values[]) {
  static const Call call{"fmiGetString", initialised};
  return perform(handle, call, [&](Instance& instance) {
    return instance.get_texts(call, Type::string, {references, count}, {values, count}, nullptr);
  });
}

SEAM_FMI1 fmiStatus fmiSetString(fmiComponent handle, const fmiValueReference references[], size_t count,
                                 const fmiString values[]) {
  static const Call call{"fmiSetString", writable};
  return perform(handle, call, [&](Instance& instance) {
    return instance.set_texts(call, Type::string, {references, count}, {values, count}, nullptr);
  });
}

// Co-simulation.

#define SEAM_INSTANTIATE fmiString guid, fmiString location, fmiString mime_type, fmiReal timeout, fmiBoolean visible
SEAM_FMI1 fmiComponent fmiInstantiateSlave(fmiString name, SEAM_INSTANTIATE, fmiBoolean interactive,
                                           fmiSlaveCallbacks callbacks, fmiBoolean logging) {
  static const char* const call = "fmiInstantiateSlave";
  const std::string resources = std::string(location ? location : "") + "/resources";
  if (strict) {
    if (!callbacks_fit(call, name, callbacks.logger && callbacks.allocateMemory && callbacks.freeMemory) ||
        !rules::may_instantiate(call, name, resources.c_str(), Version::fmi1)) {
      return nullptr;
    }
    if (!mime_type || std::string(mime_type) != "application/x-fmu-sharedlibrary" || timeout < 0.0 || visible ||
        interactive) {
      rules::broken(call, name, "not the mime type of a library, a negative timeout, or a window was asked for");
      return nullptr;
    }
  }
  return make_component({call, name, guid, resources, Interface::co_simulation, callbacks.logger, logging != fmiFalse});
}

SEAM_FMI1 void fmiFreeSlaveInstance(fmiComponent handle) {
  free_component(handle, {"fmiFreeSlaveInstance", in_any_phase, simulation});
}

SEAM_FMI1 fmiStatus fmiInitializeSlave(fmiComponent handle, fmiReal start, fmiBoolean stop_given, fmiReal stop) {
  static const Call call{"fmiInitializeSlave", in(Phase::instantiated), simulation};
  return perform(handle, call, [&](Instance& instance) {
    Experiment experiment;
    experiment.start = start;
    if (stop_given != fmiFalse) experiment.stop = stop;
    return initialise(instance, call, experiment);
  });
}

SEAM_FMI1 fmiStatus fmiTerminateSlave(fmiComponent handle) {
  static const Call call{"fmiTerminateSlave", reached | in(Phase::initialization), simulation};
  return perform(handle, call, [](Instance& instance) { return instance.terminate(); });
}

SEAM_FMI1 fmiStatus fmiResetSlave(fmiComponent handle) {
  static const Call call{"fmiResetSlave", in_any_phase, simulation};
  return perform(handle, call, [](Instance& instance) { return instance.reset(); });
}

SEAM_FMI1 fmiStatus fmiDoStep(fmiComponent handle, fmiReal t, fmiReal h, fmiBoolean new_step) {
  static const Call call{"fmiDoStep", in(Phase::step) | in(Phase::initialization), simulation};
  return perform(handle, call, [&](Instance& instance) {
    if (strict && new_step == fmiFalse) {
      rules::broken(call.name, instance.name(), "no step was rejected, so that this one is new");
      return Status::error;
    }
    if (instance.phase() == Phase::initialization) instance.exit_initialization();
    return instance.step(call, t, h);
  });
}

SEAM_FMI1 fmiStatus fmiCancelStep(fmiComponent handle) {
  static const Call call{"fmiCancelStep", 0, simulation};
  return perform(handle, call, [](Instance& instance) { return instance.refuse(call.name, "no step is pending"); });
}

SEAM_FMI1 fmiStatus fmiSetRealInputDerivatives(fmiComponent handle, const fmiValueReference references[], size_t count,
                                               const fmiInteger orders[], const fmiReal values[]) {
  static const Call call{"fmiSetRealInputDerivatives", abilities.input_derivatives > 0 ? writable : 0, simulation};
  return perform(handle, call, [&](Instance& instance) {
    if (abilities.input_derivatives == 0) return instance.refuse(call.name, "inputs are held");
    return instance.set_input_derivatives(call, {references, count}, orders, values);
  });
}

SEAM_FMI1 fmiStatus fmiGetRealOutputDerivatives(fmiComponent handle, const fmiValueReference references[], size_t count,
                                                const fmiInteger orders[], fmiReal values[]) {
  static const Call call{"fmiGetRealOutputDerivatives", reached, simulation};
  return perform(handle, call, [&](Instance& instance) {
    return instance.output_derivatives({references, count}, {orders, count}, values);
  });
}

SEAM_FMI1 fmiStatus fmiGetRealStatus(fmiComponent handle, fmiStatusKind kind, fmiReal* value) {
  static const Call call{"fmiGetRealStatus", reached, simulation};
  return perform(handle, call, [&](Instance& instance) {
    if (kind != fmiLastSuccessfulTime) return Status::discard;
    *value = instance.last_step().reached;
    return Status::ok;
  });
}

// Model exchange.

SEAM_FMI1 fmiComponent fmiInstantiateModel(fmiString name, fmiString guid, fmiModelCallbacks callbacks,
                                           fmiBoolean logging) {
  static const char* const call = "fmiInstantiateModel";
  if (strict && !callbacks_fit(call, name, callbacks.logger && callbacks.allocateMemory && callbacks.freeMemory))
    return nullptr;
  return make_component({call, name, guid, "", Interface::model_exchange, callbacks.logger, logging != fmiFalse});
}

SEAM_FMI1 void fmiFreeModelInstance(fmiComponent handle) {
  free_component(handle, {"fmiFreeModelInstance", in_any_phase, exchange});
}

SEAM_FMI1 fmiStatus fmiInitialize(fmiComponent handle, fmiBoolean tolerance_given, fmiReal tolerance,
                                  fmiEventInfo* told) {
  static const Call call{"fmiInitialize", in(Phase::instantiated), exchange};
  return perform(handle, call, [&](Instance& instance) {
    Experiment experiment;
    experiment.start = instance.model().memory().time;
    if (tolerance_given != fmiFalse) experiment.tolerance = tolerance;
    if (const Status status = initialise(instance, call, experiment); status != Status::ok) return status;
    instance.exit_initialization();
    static_cast<Component&>(instance).moved = false;
    return handle_event(instance, call, *told);
  });
}

SEAM_FMI1 fmiStatus fmiEventUpdate(fmiComponent handle, fmiBoolean, fmiEventInfo* told) {
  static const Call call{"fmiEventUpdate", in(Phase::continuous), exchange};
  return perform(handle, call, [&](Instance& instance) {
    // FMI 1.0 for model exchange, 2.9: an event follows a completed step
    if (strict && static_cast<Component&>(instance).moved) {
      rules::broken(instance, call, "something was set since the last completed integrator step");
      return Status::error;
    }
    if (const Status status = instance.enter_events(call); status != Status::ok) return status;
    return handle_event(instance, call, *told);
  });
}

SEAM_FMI1 fmiStatus fmiCompletedIntegratorStep(fmiComponent handle, fmiBoolean* event) {
  static const Call call{"fmiCompletedIntegratorStep", in(Phase::continuous), exchange};
  return perform(handle, call, [&](Instance& instance) {
    static_cast<Component&>(instance).moved = false;
    CompletionReport report;
    const Status status = instance.complete_step(call, report);
    *event = as_boolean(report.wish == CompletionReport::Wish::event_mode);
    return status;
  });
}

/// Before fmiInitialize it gives the start of the run.
SEAM_FMI1 fmiStatus fmiSetTime(fmiComponent handle, fmiReal t) {
  static const Call call{"fmiSetTime", in(Phase::instantiated) | in(Phase::continuous), exchange};
  return perform(handle, call, [&](Instance& instance) {
    move(instance);
    if (instance.phase() == Phase::continuous) return instance.set_time(call, t);
    instance.model().set_time(t);
    return Status::ok;
  });
}

SEAM_FMI1 fmiStatus fmiSetContinuousStates(fmiComponent handle, const fmiReal values[], size_t count) {
  static const Call call{"fmiSetContinuousStates", in(Phase::continuous), exchange};
  return perform(handle, call, [&](Instance& instance) {
    move(instance);
    return instance.set_states(call, {values, count});
  });
}

namespace {

constexpr unsigned computed = in(Phase::event) | in(Phase::continuous) | in(Phase::terminated) | in(Phase::error);

}  // namespace

#define SEAM_SHOWN(Function, places)                                                                              \
  SEAM_FMI1 fmiStatus fmiGet##Function(fmiComponent handle, fmiReal values[], size_t count) {                     \
    static const Call call{"fmiGet" #Function, computed, exchange};                                               \
    return perform(handle, call, [&](Instance& i) { return i.show(call, i.model().places(), {values, count}); }); \
  }
SEAM_SHOWN(ContinuousStates, states)
SEAM_SHOWN(Derivatives, derivatives)
SEAM_SHOWN(EventIndicators, event_indicators)

SEAM_FMI1 fmiStatus fmiGetNominalContinuousStates(fmiComponent handle, fmiReal values[], size_t count) {
  static const Call call{"fmiGetNominalContinuousStates", computed, exchange};
  return perform(handle, call, [&](Instance& instance) { return instance.get_nominals(call, {values, count}); });
}

SEAM_FMI1 fmiStatus fmiGetStateValueReferences(fmiComponent handle, fmiValueReference references[], size_t count) {
  static const Call call{"fmiGetStateValueReferences", computed, exchange};
  return perform(handle, call, [&](Instance& instance) {
    const Model& model = instance.model();
    if (count != model.states().size()) return instance.refuse(call.name, "the number of states is another");
    for (std::size_t i = 0; i < count; ++i)
      references[i] = model.variables()[static_cast<std::size_t>(model.states()[i])].reference;
    return Status::ok;
  });
}

SEAM_FMI1 fmiStatus fmiTerminate(fmiComponent handle) {
  static const Call call{"fmiTerminate", in(Phase::event) | in(Phase::continuous), exchange};
  return perform(handle, call, [](Instance& instance) { return instance.terminate(); });
}

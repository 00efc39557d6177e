// FMI 2.0: the life of an instance, and the steps of a co-simulation. The signatures are the standard's.
#include "fmus/framework/abilities.hpp"
#include "fmus/framework/fmi2_call.hpp"

using namespace seam::fmus;
using namespace seam::fmus::fmi2;

namespace {

const char* category_of(Status status) {
  switch (status) {
    case Status::ok:
      return "logEvents";
    case Status::warning:
      return "logStatusWarning";
    case Status::discard:
      return "logStatusDiscard";
    case Status::error:
      return "logStatusError";
    case Status::fatal:
      return "logStatusFatal";
  }
  return "";
}

void connect_log(Component& component) {
  component.model().log = [&component](Status status, const std::string& message, Model::LogForm form) {
    if (!component.callbacks.logger || (!component.logging && status == Status::ok)) return;
    const auto* format = form == Model::LogForm::format ? message.c_str() : "%s";
    component.callbacks.logger(component.callbacks.componentEnvironment, component.name().c_str(),
                               static_cast<fmi2Status>(status), category_of(status), format, message.c_str());
  };
}

bool callbacks_fit(const char* name, const fmi2CallbackFunctions* callbacks) {
  if (!callbacks || !callbacks->logger || !callbacks->allocateMemory || !callbacks->freeMemory) {
    return rules::broken("fmi2Instantiate", name, "logger, allocateMemory and freeMemory must be given");
  }
  return true;
}

/// What the environment hands over, as far as the model cares.
struct Offer {
  const char *name, *guid, *resources;
  Interface kind;
};

std::unique_ptr<Component> refused(const Component& component, const std::string& why) {
  component.refuse("fmi2Instantiate", why);
  if (strict) rules::broken("fmi2Instantiate", component.name(), why);
  return nullptr;
}

std::unique_ptr<Component> make_component(const Offer& offer, const fmi2CallbackFunctions* callbacks, bool logging) {
  auto component = std::make_unique<Component>(offer.name ? offer.name : "", offer.kind, make_model(Version::fmi2));
  if (callbacks) component->callbacks = *callbacks;
  component->logging = logging;
  connect_log(*component);
  const bool exchanged = offer.kind == Interface::model_exchange;
  if (exchanged && !abilities.model_exchange) return refused(*component, "this is a co-simulation FMU");
  if (!exchanged && !abilities.co_simulation) return refused(*component, "this is a model exchange FMU");
  if (!offer.guid || !component->model().accepts(offer.guid)) {
    return refused(*component, "the guid is not that of this library");
  }
  if (!component->model().created(offer.resources ? offer.resources : "")) return nullptr;
  return component;
}

}  // namespace

SEAM_FMI2 const char* fmi2GetTypesPlatform() { return "default"; }
SEAM_FMI2 const char* fmi2GetVersion() { return "2.0"; }

#define SEAM_INSTANTIATE fmi2String guid, fmi2String resources, const fmi2CallbackFunctions *callbacks
SEAM_FMI2 fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, SEAM_INSTANTIATE, fmi2Boolean,
                                        fmi2Boolean logging) {
  try {
    if (strict && !(callbacks_fit(name ? name : "", callbacks) &&
                    rules::may_instantiate("fmi2Instantiate", name, resources, Version::fmi2))) {
      return nullptr;
    }
    const auto kind = type == fmi2ModelExchange ? Interface::model_exchange : Interface::co_simulation;
    auto component = make_component({name, guid, resources, kind}, callbacks, logging != fmi2False);
    if (!component) return nullptr;
    Instance* instance = component.release();
    if (strict) rules::born(instance);
    return instance;
  } catch (...) {
    return nullptr;
  }
}

SEAM_FMI2 void fmi2FreeInstance(fmi2Component handle) {
  static const Call call{"fmi2FreeInstance", in_any_phase & ~in(Phase::configuration)};
  if (!handle || (strict && !rules::alive(handle, call))) return;
  auto* instance = static_cast<Instance*>(handle);
  if (strict) {
    rules::may_die(*instance, call.name);
    rules::died(instance);
  }
  delete static_cast<Component*>(instance);
}

SEAM_FMI2 fmi2Status fmi2SetDebugLogging(fmi2Component handle, fmi2Boolean on, size_t, const fmi2String*) {
  static const Call call{"fmi2SetDebugLogging", in_any_phase};
  return perform(handle, call, [&](Instance& instance) {
    static_cast<Component&>(instance).logging = on != fmi2False;
    return Status::ok;
  });
}

#define SEAM_EXPERIMENT fmi2Boolean tolerance_given, fmi2Real tolerance, fmi2Real start, fmi2Boolean stop_given
SEAM_FMI2 fmi2Status fmi2SetupExperiment(fmi2Component handle, SEAM_EXPERIMENT, fmi2Real stop) {
  static const Call call{"fmi2SetupExperiment", in(Phase::instantiated)};
  return perform(handle, call, [&](Instance& instance) {
    Experiment experiment;
    experiment.start = start;
    if (stop_given) experiment.stop = stop;
    if (tolerance_given) experiment.tolerance = tolerance;
    if (strict && !rules::may_initialise(instance, call.name, experiment)) return Status::error;
    return instance.setup(experiment);
  });
}

SEAM_FMI2 fmi2Status fmi2EnterInitializationMode(fmi2Component handle) {
  static const Call call{"fmi2EnterInitializationMode", in(Phase::instantiated)};
  return perform(handle, call, [](Instance& instance) {
    if (strict && !instance.model().memory().experiment.told) {
      rules::broken(call.name, instance.name(), "fmi2SetupExperiment was not called before");
      return Status::error;
    }
    return instance.enter_initialization();
  });
}

SEAM_FMI2 fmi2Status fmi2ExitInitializationMode(fmi2Component handle) {
  static const Call call{"fmi2ExitInitializationMode", in(Phase::initialization)};
  return perform(handle, call, [](Instance& instance) { return instance.exit_initialization(); });
}

SEAM_FMI2 fmi2Status fmi2Terminate(fmi2Component handle) {
  static const Call call{"fmi2Terminate", while_it_runs | in(Phase::failed)};
  return perform(handle, call, [](Instance& instance) { return instance.terminate(); });
}

SEAM_FMI2 fmi2Status fmi2Reset(fmi2Component handle) {
  static const Call call{"fmi2Reset", in_any_phase};
  return perform(handle, call, [](Instance& instance) { return instance.reset(); });
}

SEAM_FMI2 fmi2Status fmi2DoStep(fmi2Component handle, fmi2Real t, fmi2Real h, fmi2Boolean) {
  static const Call call{"fmi2DoStep", in(Phase::step), simulation};
  return perform(handle, call, [&](Instance& instance) { return instance.step(call, t, h); });
}

SEAM_FMI2 fmi2Status fmi2CancelStep(fmi2Component handle) {
  static const Call call{"fmi2CancelStep", 0, simulation};
  return perform(handle, call, [](Instance& instance) { return instance.refuse(call.name, "no step is pending"); });
}

SEAM_FMI2 fmi2Status fmi2GetStatus(fmi2Component handle, fmi2StatusKind, fmi2Status*) {
  static const Call call{"fmi2GetStatus", reached, simulation};
  return perform(handle, call, [](Instance&) { return Status::discard; });
}

SEAM_FMI2 fmi2Status fmi2GetRealStatus(fmi2Component handle, fmi2StatusKind kind, fmi2Real* value) {
  static const Call call{"fmi2GetRealStatus", reached, simulation};
  const auto work = [&](Instance& instance) {
    if (kind != fmi2LastSuccessfulTime) return Status::discard;
    *value = instance.last_step().reached;
    return Status::ok;
  };
  return perform_with(handle, call, work, value);
}

SEAM_FMI2 fmi2Status fmi2GetIntegerStatus(fmi2Component handle, fmi2StatusKind, fmi2Integer*) {
  static const Call call{"fmi2GetIntegerStatus", reached, simulation};
  return perform(handle, call, [](Instance&) { return Status::discard; });
}

SEAM_FMI2 fmi2Status fmi2GetBooleanStatus(fmi2Component handle, fmi2StatusKind kind, fmi2Boolean* value) {
  static const Call call{"fmi2GetBooleanStatus", reached, simulation};
  const auto work = [&](Instance& instance) {
    if (kind != fmi2Terminated) return Status::discard;
    *value = instance.last_step().ending == Ending::asks_to_end ? fmi2True : fmi2False;
    return Status::ok;
  };
  return perform_with(handle, call, work, value);
}

SEAM_FMI2 fmi2Status fmi2GetStringStatus(fmi2Component handle, fmi2StatusKind, fmi2String*) {
  static const Call call{"fmi2GetStringStatus", reached, simulation};
  return perform(handle, call, [](Instance&) { return Status::discard; });
}

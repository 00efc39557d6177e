// FMI 3.0 for co-simulation: the life of an instance and its steps. The signatures are the standard's.
#include "fmus/framework/fmi3_call.hpp"

using namespace seam::fmus;
using namespace seam::fmus::fmi3;

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

void connect_log(Handle& handle) {
  handle.model().log = [&handle](Status status, const std::string& message, Model::LogForm) {
    if (!handle.logger || !handle.logging) return;
    handle.logger(handle.environment, static_cast<fmi3Status>(status), category_of(status), message.c_str());
  };
}

/// What the environment hands over, as far as the model cares.
struct Offer {
  const char *name, *token, *resources;
};

std::unique_ptr<Handle> make_handle(const Offer& offer, fmi3InstanceEnvironment environment,
                                    fmi3LogMessageCallback logger, bool logging) {
  auto handle = std::make_unique<Handle>(offer.name ? offer.name : "", make_model(Version::fmi3));
  handle->environment = environment;
  handle->logger = logger;
  handle->logging = logging;
  connect_log(*handle);
  if (!offer.token || !handle->model().accepts(offer.token)) {
    handle->refuse("fmi3InstantiateCoSimulation", "the token is not that of this library");
    if (strict) rules::broken("fmi3InstantiateCoSimulation", handle->name(), "the token is not that of this library");
    return nullptr;
  }
  if (!handle->model().created(offer.resources ? offer.resources : "")) return nullptr;
  return handle;
}

bool interface_fits(const char* name, bool event_mode, std::size_t intermediate) {
  if (event_mode) return rules::broken("fmi3InstantiateCoSimulation", name, "this FMU has no event mode");
  if (intermediate > 0) {
    return rules::broken("fmi3InstantiateCoSimulation", name,
                         "no variable of this FMU takes part in intermediate updates");
  }
  return true;
}

}  // namespace

SEAM_FMI3 const char* fmi3GetVersion() { return "3.0"; }

#define SEAM_OFFER fmi3String name, fmi3String token, fmi3String resources
#define SEAM_INTERFACE fmi3Boolean event_mode, fmi3Boolean, const fmi3ValueReference *, size_t intermediate
#define SEAM_CALLBACKS fmi3InstanceEnvironment environment, fmi3LogMessageCallback logger
SEAM_FMI3 fmi3Instance fmi3InstantiateCoSimulation(SEAM_OFFER, fmi3Boolean, fmi3Boolean logging, SEAM_INTERFACE,
                                                   SEAM_CALLBACKS, fmi3IntermediateUpdateCallback) {
  try {
    if (strict && !(interface_fits(name ? name : "", event_mode, intermediate) &&
                    rules::may_instantiate("fmi3InstantiateCoSimulation", name, resources, Version::fmi3))) {
      return nullptr;
    }
    auto handle = make_handle({name, token, resources}, environment, logger, logging);
    if (!handle) return nullptr;
    Instance* instance = handle.release();
    if (strict) rules::born(instance);
    return instance;
  } catch (...) {
    return nullptr;
  }
}

SEAM_FMI3 void fmi3FreeInstance(fmi3Instance handle) {
  static const Call call{"fmi3FreeInstance", in_any_phase};
  if (!handle || (strict && !rules::alive(handle, call))) return;
  auto* instance = static_cast<Instance*>(handle);
  if (strict) {
    rules::may_die(*instance, call.name);
    rules::died(instance);
  }
  delete static_cast<Handle*>(instance);
}

SEAM_FMI3 fmi3Status fmi3SetDebugLogging(fmi3Instance handle, fmi3Boolean on, size_t, const fmi3String*) {
  static const Call call{"fmi3SetDebugLogging", in_any_phase};
  return perform(handle, call, [&](Instance& instance) {
    static_cast<Handle&>(instance).logging = on;
    return Status::ok;
  });
}

#define SEAM_EXPERIMENT fmi3Boolean tolerance_given, fmi3Float64 tolerance, fmi3Float64 start, fmi3Boolean stop_given
SEAM_FMI3 fmi3Status fmi3EnterInitializationMode(fmi3Instance handle, SEAM_EXPERIMENT, fmi3Float64 stop) {
  static const Call call{"fmi3EnterInitializationMode", in(Phase::instantiated)};
  return perform(handle, call, [&](Instance& instance) {
    Experiment experiment;
    experiment.start = start;
    if (stop_given) experiment.stop = stop;
    if (tolerance_given) experiment.tolerance = tolerance;
    if (strict && !rules::may_initialise(instance, call.name, experiment)) return Status::error;
    instance.setup(experiment);
    return instance.enter_initialization();
  });
}

SEAM_FMI3 fmi3Status fmi3ExitInitializationMode(fmi3Instance handle) {
  static const Call call{"fmi3ExitInitializationMode", in(Phase::initialization)};
  return perform(handle, call, [](Instance& instance) { return instance.exit_initialization(); });
}

SEAM_FMI3 fmi3Status fmi3EnterConfigurationMode(fmi3Instance handle) {
  static const Call call{"fmi3EnterConfigurationMode", in(Phase::instantiated)};
  return perform(handle, call, [](Instance& instance) {
    if (strict && !rules::may_configure(instance, call.name)) return Status::error;
    instance.enter(Phase::configuration);
    return Status::ok;
  });
}

SEAM_FMI3 fmi3Status fmi3ExitConfigurationMode(fmi3Instance handle) {
  static const Call call{"fmi3ExitConfigurationMode", in(Phase::configuration)};
  return perform(handle, call, [](Instance& instance) { return instance.exit_configuration(); });
}

SEAM_FMI3 fmi3Status fmi3Terminate(fmi3Instance handle) {
  static const Call call{"fmi3Terminate", in(Phase::step)};
  return perform(handle, call, [](Instance& instance) {
    instance.enter(Phase::terminated);
    return Status::ok;
  });
}

SEAM_FMI3 fmi3Status fmi3Reset(fmi3Instance handle) {
  static const Call call{"fmi3Reset", in_any_phase};
  return perform(handle, call, [](Instance& instance) { return instance.reset(); });
}

#define SEAM_FLAGS fmi3Boolean *event_needed, fmi3Boolean *terminate, fmi3Boolean *early_return
SEAM_FMI3 fmi3Status fmi3DoStep(fmi3Instance handle, fmi3Float64 t, fmi3Float64 h, fmi3Boolean, SEAM_FLAGS,
                                fmi3Float64* last_time) {
  static const Call call{"fmi3DoStep", in(Phase::step)};
  const auto work = [&](Instance& instance) {
    if (strict && !rules::may_step(instance, call.name, t, h)) return Status::error;
    const Status status = instance.step(t, h);
    *event_needed = false;
    *terminate = instance.last_step().ending == Ending::asks_to_end;
    *early_return = false;
    *last_time = instance.last_step().reached;
    return status;
  };
  return perform_with(handle, call, work, event_needed, terminate, early_return, last_time);
}

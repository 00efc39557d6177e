// FMI 3.0: the life of an instance, and the steps of a co-simulation. The signatures are the standard's.
#include <stdexcept>

#include "fmus/framework/abilities.hpp"
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
  Interface kind;
};

const char* call_of(Interface kind) {
  return kind == Interface::model_exchange ? "fmi3InstantiateModelExchange" : "fmi3InstantiateCoSimulation";
}

std::unique_ptr<Handle> refused(const Handle& handle, const std::string& why) {
  handle.refuse(call_of(handle.kind()), why);
  if (strict) rules::broken(call_of(handle.kind()), handle.name(), why);
  return nullptr;
}

std::unique_ptr<Handle> make_handle(const Offer& offer, fmi3InstanceEnvironment environment,
                                    fmi3LogMessageCallback logger, bool logging) {
  if (strict && !rules::may_instantiate(call_of(offer.kind), offer.name, offer.resources, Version::fmi3)) {
    return nullptr;
  }
  auto handle = std::make_unique<Handle>(offer.name ? offer.name : "", offer.kind, make_model(Version::fmi3));
  handle->environment = environment;
  handle->logger = logger;
  handle->logging = logging;
  connect_log(*handle);
  const bool exchanged = offer.kind == Interface::model_exchange;
  if (exchanged && !abilities.model_exchange) return refused(*handle, "this is a co-simulation FMU");
  if (!exchanged && !abilities.co_simulation) return refused(*handle, "this is a model exchange FMU");
  if (!offer.token || !handle->model().accepts(offer.token)) {
    return refused(*handle, "the token is not that of this library");
  }
  if (!handle->model().created(offer.resources ? offer.resources : "")) return nullptr;
  return handle;
}

/// Hands over to the environment inside a step (FMI 3.0.2, 4.2.2).
void update_inside(Handle& handle, fmi3IntermediateUpdateCallback callback, const Moment& moment) {
  const bool asks = !handle.model().agreement.intermediate_inputs.empty();
  const bool accepted = moment.solution == Moment::Solution::accepted;
  fmi3Boolean early_return = false;
  fmi3Float64 early_return_time = 0.0;
  handle.enter(Phase::intermediate);
  handle.inside = {accepted};
  callback(handle.environment, moment.time, asks, accepted, accepted, false, &early_return, &early_return_time);
  if (handle.phase() != Phase::intermediate) throw std::runtime_error("a call inside the intermediate update failed");
  handle.enter(Phase::step);
}

void agree_on_updates(Handle& handle, References required, fmi3IntermediateUpdateCallback callback) {
  if (!abilities.intermediate_update || !callback) return;
  Agreement& agreement = handle.model().agreement;
  for (const fmi3ValueReference reference : required) {
    const Variable* variable = handle.model().find(Type::float64, reference);
    if (!variable || !is_signal(*variable)) continue;
    handle.required.push_back(handle.model().place(*variable));
    if (is_input(*variable)) agreement.intermediate_inputs.push_back(handle.required.back());
  }
  agreement.intermediate_update = [&handle, callback](const Moment& moment) {
    update_inside(handle, callback, moment);
  };
}

/// False: the environment wants what is not offered (FMI 3.0.2, 2.3.1).
bool agree_on_events(Handle& handle, bool event_mode, bool early_return) {
  Agreement& agreement = handle.model().agreement;
  if (event_mode && !abilities.event_mode) {
    refused(handle, "this FMU has no event mode");
    return false;
  }
  if (!event_mode && !handle.model().clocks().empty()) {
    refused(handle, "clocks need event mode");
    return false;
  }
  if (event_mode) agreement.events = Agreement::Events::reported;
  if (early_return) agreement.returns = Agreement::Returns::early;
  return true;
}

fmi3Instance given_away(std::unique_ptr<Handle> handle) {
  Instance* instance = handle.release();
  if (strict) rules::born(instance);
  return instance;
}

}  // namespace

SEAM_FMI3 const char* fmi3GetVersion() { return "3.0"; }

#define SEAM_OFFER fmi3String name, fmi3String token, fmi3String resources
#define SEAM_INTERFACE \
  fmi3Boolean event_mode, fmi3Boolean early_return, const fmi3ValueReference required[], size_t required_count
#define SEAM_CALLBACKS fmi3InstanceEnvironment environment, fmi3LogMessageCallback logger
SEAM_FMI3 fmi3Instance fmi3InstantiateCoSimulation(SEAM_OFFER, fmi3Boolean, fmi3Boolean logging, SEAM_INTERFACE,
                                                   SEAM_CALLBACKS, fmi3IntermediateUpdateCallback callback) {
  try {
    auto handle = make_handle({name, token, resources, Interface::co_simulation}, environment, logger, logging);
    if (!handle || !agree_on_events(*handle, event_mode, early_return)) return nullptr;
    const References intermediate(required, required ? required_count : 0);
    agree_on_updates(*handle, intermediate, callback);
    if (strict && handle->required.size() != intermediate.size()) {
      return refused(*handle, "no intermediate update of all these variables").release();
    }
    return given_away(std::move(handle));
  } catch (...) {
    return nullptr;
  }
}

SEAM_FMI3 fmi3Instance fmi3InstantiateModelExchange(SEAM_OFFER, fmi3Boolean, fmi3Boolean logging, SEAM_CALLBACKS) {
  try {
    auto handle = make_handle({name, token, resources, Interface::model_exchange}, environment, logger, logging);
    return handle ? given_away(std::move(handle)) : nullptr;
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
  static const Call call{"fmi3Terminate", while_it_runs};
  return perform(handle, call, [](Instance& instance) { return instance.terminate(); });
}

SEAM_FMI3 fmi3Status fmi3Reset(fmi3Instance handle) {
  static const Call call{"fmi3Reset", in_any_phase};
  return perform(handle, call, [](Instance& instance) { return instance.reset(); });
}

#define SEAM_FLAGS fmi3Boolean *event_needed, fmi3Boolean *terminate, fmi3Boolean *early_return
SEAM_FMI3 fmi3Status fmi3DoStep(fmi3Instance handle, fmi3Float64 t, fmi3Float64 h, fmi3Boolean, SEAM_FLAGS,
                                fmi3Float64* last_time) {
  static const Call call{"fmi3DoStep", in(Phase::step), simulation};
  const auto work = [&](Instance& instance) {
    const Status status = instance.step(call, t, h);
    const StepReport& report = instance.last_step();
    *event_needed = report.event == StepReport::Event::awaits_handling;
    *terminate = report.ending == Ending::asks_to_end;
    *early_return = report.arrival == StepReport::Arrival::early;
    *last_time = report.reached;
    return status;
  };
  return perform_with(handle, call, work, event_needed, terminate, early_return, last_time);
}

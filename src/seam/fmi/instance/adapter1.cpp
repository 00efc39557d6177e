#include "seam/fmi/instance/adapter1.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

#include "seam/fmi/instance/adapter1_calls.hpp"
#include "seam/fmi/instance/printf_text.hpp"

namespace seam::fmi {
namespace {

using adapter1::Component;
using adapter1::Functions;

/// Some tools leave the prefix out.
void* find(const Instantiation1& wanted, const char* name) {
  const std::string prefixed = interface_for(wanted.purpose, wanted.description).model_identifier + "_" + name;
  void* const found = wanted.library.own(prefixed.c_str());
  return found ? found : wanted.library.own(name);
}

template <class Type>
void load(const Instantiation1& wanted, FmuFunction<Type>& function, const char* name) {
  function = FmuFunction<Type>(find(wanted, name));
  if (function) return;
  wanted.library.lacks(interface_for(wanted.purpose, wanted.description).model_identifier + "_" + name);
}

bool has_type(const ModelDescription& description, Type type) {
  return std::ranges::any_of(description.variables, [type](const Variable& v) { return v.type == type; });
}

void load_values(const Instantiation1& wanted, Functions& call) {
  const ModelDescription& description = wanted.description;
  const auto access = [&]<class Get, class Set>(bool occurs, FmuFunction<Get>& get, FmuFunction<Set>& set,
                                                const char* get_name, const char* set_name) {
    if (!occurs) return;
    load(wanted, get, get_name);
    load(wanted, set, set_name);
  };
  const bool whole = has_type(description, Type::int32) || has_type(description, Type::enumeration);
  access(has_type(description, Type::float64), call.get_real, call.set_real, "fmiGetReal", "fmiSetReal");
  access(whole, call.get_integer, call.set_integer, "fmiGetInteger", "fmiSetInteger");
  access(has_type(description, Type::boolean), call.get_boolean, call.set_boolean, "fmiGetBoolean", "fmiSetBoolean");
  access(has_type(description, Type::string), call.get_string, call.set_string, "fmiGetString", "fmiSetString");
}

Functions functions_of(const Instantiation1& wanted) {
  Functions call;
  load_values(wanted, call);
  call.set_debug_logging = FmuFunction<fmiSetDebugLoggingTYPE>(find(wanted, "fmiSetDebugLogging"));
  const Interface& interface = interface_for(wanted.purpose, wanted.description);
  if (wanted.purpose == Purpose::stepping) {
    load(wanted, call.free, "fmiFreeSlaveInstance");
    load(wanted, call.terminate, "fmiTerminateSlave");
    load(wanted, call.initialize_slave, "fmiInitializeSlave");
    load(wanted, call.do_step, "fmiDoStep");
    call.get_real_status = FmuFunction<fmiGetRealStatusTYPE>(find(wanted, "fmiGetRealStatus"));
    if (interface.can_interpolate_inputs) load(wanted, call.input_derivatives, "fmiSetRealInputDerivatives");
    if (interface.max_output_derivative_order > 0) load(wanted, call.output_derivatives, "fmiGetRealOutputDerivatives");
    return call;
  }
  load(wanted, call.free, "fmiFreeModelInstance");
  load(wanted, call.terminate, "fmiTerminate");
  load(wanted, call.initialize, "fmiInitialize");
  load(wanted, call.event_update, "fmiEventUpdate");
  load(wanted, call.set_time, "fmiSetTime");
  load(wanted, call.completed_step, "fmiCompletedIntegratorStep");
  if (wanted.description.structure.continuous_states.value_or(0) > 0) {
    load(wanted, call.set_states, "fmiSetContinuousStates");
    load(wanted, call.get_states, "fmiGetContinuousStates");
    load(wanted, call.get_derivatives, "fmiGetDerivatives");
    load(wanted, call.get_nominals, "fmiGetNominalContinuousStates");
  }
  if (wanted.description.structure.event_indicators > 0) load(wanted, call.get_indicators, "fmiGetEventIndicators");
  return call;
}

/// Components that live, for the logger, which is told the FMU's pointer alone.
struct Living {
  std::mutex one_at_a_time;
  std::vector<const Component*> all;
};
Living& living() {
  static Living components;
  return components;
}
/// What speaks before it has a pointer: the component that this thread is making.
thread_local const Component* being_made = nullptr;
struct Making {
  explicit Making(const Component* component) { being_made = component; }
  ~Making() { being_made = nullptr; }
  Making(const Making&) = delete;
  Making& operator=(const Making&) = delete;
};

const Component* speaker(fmiComponent own, fmiString name) {
  if (being_made) return being_made;
  Living& components = living();
  const std::lock_guard lock(components.one_at_a_time);
  const auto is_own = [&](const Component* one) { return own && one->own == own; };
  auto found = std::ranges::find_if(components.all, is_own);
  if (found == components.all.end() && name)
    found = std::ranges::find_if(components.all, [&](const Component* one) { return one->name == name; });
  return found == components.all.end() ? nullptr : *found;
}

void on_message(fmiComponent own, fmiString instance, fmiStatus status, fmiString category, fmiString message, ...) {
  const Component* const component = speaker(own, instance);
  if (!component) return;
  std::va_list arguments;
  va_start(arguments, message);
  std::string text;
  try {
    text = printf_text(message, arguments);
  } catch (...) {  // a message that cannot be formatted is no reason to stop
  }
  va_end(arguments);
  const fmi2CallbackFunctions& callbacks = *component->callbacks;
  callbacks.logger(callbacks.componentEnvironment, instance, adapter1::as2(status), category, "%s", text.c_str());
}

void free_component(fmi2Component component) {
  const std::unique_ptr<Component> c(&adapter1::of(component));
  call_watch.now_in(c->purpose == Purpose::stepping ? "fmiFreeSlaveInstance" : "fmiFreeModelInstance");
  c->call.free(c->own);
  const std::lock_guard lock(living().one_at_a_time);
  std::erase(living().all, c.get());
}

fmiComponent instantiate(const Instantiation1& wanted) {
  const fmiBoolean logs = wanted.logs ? fmiTrue : fmiFalse;
  const std::string& guid = wanted.description.token;
  if (wanted.purpose == Purpose::exchange) {
    FmuFunction<fmiInstantiateModelTYPE> model;
    load(wanted, model, "fmiInstantiateModel");
    call_watch.now_in("fmiInstantiateModel");
    return model(wanted.name.c_str(), guid.c_str(), {on_message, std::calloc, std::free}, logs);
  }
  constexpr fmiReal no_timeout = 0.0;
  FmuFunction<fmiInstantiateSlaveTYPE> slave;
  load(wanted, slave, "fmiInstantiateSlave");
  call_watch.now_in("fmiInstantiateSlave");
  return slave(wanted.name.c_str(), guid.c_str(), wanted.location.c_str(), "application/x-fmu-sharedlibrary",
               no_timeout, fmiFalse, fmiFalse, {on_message, std::calloc, std::free, nullptr}, logs);
}

/// A function of FMI 2, what is called in its place, and what that calls; null: nothing.
struct Row {
  const char* name;
  void* function;
  const char *in_co_simulation, *in_model_exchange;
};

template <class Function>
Row row(const char* name, Function* function, const char* in_co_simulation, const char* in_model_exchange) {
  return {name, reinterpret_cast<void*>(function), in_co_simulation, in_model_exchange};
}
template <class Function>
Row row(const char* name, Function* function, const char* called = nullptr) {
  return row(name, function, called, called);
}

const std::vector<Row>& rows() {
  using namespace adapter1;
  static const std::vector<Row> all = {
      row("fmi2FreeInstance", free_component, "fmiFreeSlaveInstance", "fmiFreeModelInstance"),
      row("fmi2SetDebugLogging", set_debug_logging, "fmiSetDebugLogging"),
      row("fmi2SetupExperiment", setup_experiment, "fmiInitializeSlave", "fmiInitialize"),
      row("fmi2EnterInitializationMode", nothing_to_do),
      row("fmi2ExitInitializationMode", nothing_to_do),
      row("fmi2Terminate", adapter1::terminate, "fmiTerminateSlave", "fmiTerminate"),
      row("fmi2GetReal", get_real, "fmiGetReal"),
      row("fmi2SetReal", set_real, "fmiSetReal"),
      row("fmi2GetInteger", get_integer, "fmiGetInteger"),
      row("fmi2SetInteger", set_integer, "fmiSetInteger"),
      row("fmi2GetBoolean", get_boolean, "fmiGetBoolean"),
      row("fmi2SetBoolean", set_boolean, "fmiSetBoolean"),
      row("fmi2GetString", get_string, "fmiGetString"),
      row("fmi2SetString", set_string, "fmiSetString"),
      row("fmi2DoStep", do_step, "fmiDoStep"),
      row("fmi2GetRealStatus", get_real_status, "fmiGetRealStatus"),
      row("fmi2SetRealInputDerivatives", set_input_derivatives, "fmiSetRealInputDerivatives"),
      row("fmi2GetRealOutputDerivatives", get_output_derivatives, "fmiGetRealOutputDerivatives"),
      row("fmi2EnterEventMode", nothing_to_do),
      row("fmi2NewDiscreteStates", new_discrete_states, "fmiEventUpdate"),
      row("fmi2EnterContinuousTimeMode", nothing_to_do),
      row("fmi2CompletedIntegratorStep", completed_step, "fmiCompletedIntegratorStep"),
      row("fmi2SetTime", set_time, "fmiSetTime"),
      row("fmi2SetContinuousStates", set_states, "fmiSetContinuousStates"),
      row("fmi2GetContinuousStates", get_states, "fmiGetContinuousStates"),
      row("fmi2GetDerivatives", get_derivatives, "fmiGetDerivatives"),
      row("fmi2GetEventIndicators", get_indicators, "fmiGetEventIndicators"),
      row("fmi2GetNominalsOfContinuousStates", get_nominals, "fmiGetNominalContinuousStates")};
  return all;
}

const Row* find_row(const char* fmi2_name) {
  const auto found =
      std::ranges::find_if(rows(), [&](const Row& one) { return std::strcmp(one.name, fmi2_name) == 0; });
  return found == rows().end() ? nullptr : &*found;
}

}  // namespace

void* function_for_fmi1(const char* fmi2_name) {
  const Row* const found = find_row(fmi2_name);
  return found ? found->function : nullptr;
}

const char* name_in_fmi1(Purpose purpose, const char* fmi2_name) {
  if (std::strcmp(fmi2_name, "fmi2Instantiate") == 0)
    return purpose == Purpose::stepping ? "fmiInstantiateSlave" : "fmiInstantiateModel";
  const Row* const found = find_row(fmi2_name);
  if (!found) return nullptr;
  return purpose == Purpose::stepping ? found->in_co_simulation : found->in_model_exchange;
}

fmi2Component instantiate_fmi1(const Instantiation1& wanted) {
  auto component = std::make_unique<Component>();
  component->call = functions_of(wanted);
  component->description = &wanted.description;
  component->callbacks = &wanted.callbacks;
  component->name = wanted.name;
  component->purpose = wanted.purpose;
  {
    const Making making(component.get());
    component->own = instantiate(wanted);
  }
  if (!component->own) return nullptr;
  const std::lock_guard lock(living().one_at_a_time);
  living().all.push_back(component.get());
  return component.release();
}

}  // namespace seam::fmi

#include "seam/fmi/instance2.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "seam/fmi/call_watch.hpp"
#include "seam/fmi/file_uri.hpp"
#include "seam/fmi/host_guard.hpp"
#include "seam/fmi/printf_text.hpp"

namespace seam::fmi {
namespace {

Severity severity(fmi2Status status) {
  switch (status) {
    case fmi2OK:
      return Severity::ok;
    case fmi2Warning:
      return Severity::warning;
    case fmi2Discard:
      return Severity::discard;
    case fmi2Fatal:
      return Severity::fatal;
    default:
      return Severity::error;  // fmi2Pending cannot occur: we give no stepFinished
  }
}

bool has_type(const ModelDescription& description, std::initializer_list<Type> types) {
  return std::any_of(description.variables.begin(), description.variables.end(),
                     [&](const Variable& v) { return std::find(types.begin(), types.end(), v.type) != types.end(); });
}

}  // namespace

void Instance2::load_functions(const ModelDescription& description, const Interface& interface) {
  library_.require(call_.free_instance, "fmi2FreeInstance");
  library_.require(call_.setup_experiment, "fmi2SetupExperiment");
  library_.require(call_.enter_initialisation, "fmi2EnterInitializationMode");
  library_.require(call_.exit_initialisation, "fmi2ExitInitializationMode");
  library_.require(call_.terminate, "fmi2Terminate");
  library_.require(call_.do_step, "fmi2DoStep");
  if (has_type(description, {Type::float64})) {
    library_.require(call_.get_real, "fmi2GetReal");
    library_.require(call_.set_real, "fmi2SetReal");
  }
  if (has_type(description, {Type::int32, Type::enumeration})) {
    library_.require(call_.get_integer, "fmi2GetInteger");
    library_.require(call_.set_integer, "fmi2SetInteger");
  }
  if (has_type(description, {Type::boolean})) {
    library_.require(call_.get_boolean, "fmi2GetBoolean");
    library_.require(call_.set_boolean, "fmi2SetBoolean");
  }
  if (has_type(description, {Type::string})) {
    library_.require(call_.get_string, "fmi2GetString");
    library_.require(call_.set_string, "fmi2SetString");
  }
  if (interface.can_get_and_set_state) {
    library_.require(call_.get_state, "fmi2GetFMUstate");
    library_.require(call_.set_state, "fmi2SetFMUstate");
    library_.require(call_.free_state, "fmi2FreeFMUstate");
  }
  library_.find(call_.get_real_status, "fmi2GetRealStatus");
  library_.find(call_.get_boolean_status, "fmi2GetBooleanStatus");
}

Instance2::Instance2(std::string name, const Fmu& fmu, std::shared_ptr<const Unpacked> files, Logging logging)
    : InstanceBase(std::move(name), fmu, std::move(files), *fmu.description.co_simulation),
      description_(fmu.description) {
  load_functions(description_, *fmu.description.co_simulation);
  fmi2InstantiateTYPE* instantiate = nullptr;
  library_.require(instantiate, "fmi2Instantiate");
  callbacks_ = {on_message, std::calloc, std::free, nullptr, this};
  const std::string resources = file_uri(files_->folder() / "resources");
  const HostGuard guard;
  const Visit visit(identity_.c_str());
  call_watch.now_in("fmi2Instantiate");
  component_ = instantiate(name_.c_str(), fmi2CoSimulation, token_.c_str(), resources.c_str(), &callbacks_, fmi2False,
                           logging == Logging::on ? fmi2True : fmi2False);
  if (!component_) fail("could not be instantiated (fmi2Instantiate returned no instance)");
}

Instance2::~Instance2() {
  const HostGuard guard;
  const Visit visit(identity_.c_str());
  call_watch.now_in("fmi2FreeInstance");
  if (life_ == Life::stepping) call_.terminate(component_);
  if (component_ && life_ != Life::dead) call_.free_instance(component_);
}

void Instance2::on_message(fmi2ComponentEnvironment environment, fmi2String, fmi2Status status, fmi2String category,
                           fmi2String message, ...) {
  if (!environment) return;
  auto& self = *static_cast<Instance2*>(environment);
  std::va_list arguments;
  va_start(arguments, message);
  std::string text;
  try {
    text = expand_references(printf_text(message, arguments), [&](char type, unsigned reference) {
      const Type wanted = type == 'r'   ? Type::float64
                          : type == 'b' ? Type::boolean
                          : type == 's' ? Type::string
                                        : Type::int32;
      for (const Variable& v : self.description_.variables) {
        const bool same_type = v.type == wanted || (wanted == Type::int32 && v.type == Type::enumeration);
        if (v.value_reference == reference && same_type) return v.name;
      }
      return std::string("#") + type + std::to_string(reference) + "#";
    });
  } catch (...) {  // a message that cannot be formatted is no reason to stop
  }
  va_end(arguments);
  self.log(severity(status), category, text);
}

void Instance2::enter_initialisation(const Experiment& e) {
  const HostGuard guard;
  const Visit visit(identity_.c_str());
  call_watch.now_in("fmi2EnterInitializationMode");
  require(severity(call_.setup_experiment(component_, e.tolerance ? fmi2True : fmi2False, e.tolerance.value_or(0.0),
                                          e.start, e.stop ? fmi2True : fmi2False, e.stop.value_or(0.0))),
          "fmi2SetupExperiment");
  require(severity(call_.enter_initialisation(component_)), "fmi2EnterInitializationMode");
  life_ = Life::initialising;
}

void Instance2::exit_initialisation() {
  const HostGuard guard;
  const Visit visit(identity_.c_str());
  call_watch.now_in("fmi2ExitInitializationMode");
  require(severity(call_.exit_initialisation(component_)), "fmi2ExitInitializationMode");
  life_ = Life::stepping;
}

void Instance2::terminate() {
  if (life_ != Life::stepping) return;
  life_ = Life::terminated;
  require(severity(call_.terminate(component_)), "fmi2Terminate");
}

void Instance2::set_reals(std::span<const Reference> references, const double* values) {
  call_watch.now_in("fmi2SetReal");
  const fmi2Status status = call_.set_real(component_, references.data(), references.size(), values);
  if (status != fmi2OK) [[unlikely]]
    require(severity(status), "fmi2SetReal");
}

void Instance2::get_reals(std::span<const Reference> references, double* values) {
  call_watch.now_in("fmi2GetReal");
  const fmi2Status status = call_.get_real(component_, references.data(), references.size(), values);
  if (status != fmi2OK) [[unlikely]]
    require(severity(status), "fmi2GetReal");
}

void Instance2::set(const Variable& v, const Values& values) {
  call_watch.now_in("fmi2Set…");
  const Reference reference = v.value_reference;
  switch (v.type) {
    case Type::float64:
      require(severity(call_.set_real(component_, &reference, 1, values.reals.data())), "fmi2SetReal", v.name);
      break;
    case Type::string: {
      const fmi2String text = values.texts[0].c_str();
      require(severity(call_.set_string(component_, &reference, 1, &text)), "fmi2SetString", v.name);
      break;
    }
    case Type::boolean: {
      const fmi2Boolean boolean = values.integers[0] != 0 ? fmi2True : fmi2False;
      require(severity(call_.set_boolean(component_, &reference, 1, &boolean)), "fmi2SetBoolean", v.name);
      break;
    }
    default: {
      const auto integer = static_cast<fmi2Integer>(values.integers[0]);
      require(severity(call_.set_integer(component_, &reference, 1, &integer)), "fmi2SetInteger", v.name);
    }
  }
}

Values Instance2::get(const Variable& v) {
  call_watch.now_in("fmi2Get…");
  const Reference reference = v.value_reference;
  Values values;
  switch (v.type) {
    case Type::float64: {
      values.reals.resize(1);
      require(severity(call_.get_real(component_, &reference, 1, values.reals.data())), "fmi2GetReal", v.name);
      break;
    }
    case Type::string: {
      fmi2String text = nullptr;
      require(severity(call_.get_string(component_, &reference, 1, &text)), "fmi2GetString", v.name);
      values.texts.emplace_back(text ? text : "");
      break;
    }
    case Type::boolean: {
      fmi2Boolean boolean = fmi2False;
      require(severity(call_.get_boolean(component_, &reference, 1, &boolean)), "fmi2GetBoolean", v.name);
      values.integers.push_back(boolean != fmi2False ? 1 : 0);
      break;
    }
    default: {
      fmi2Integer integer = 0;
      require(severity(call_.get_integer(component_, &reference, 1, &integer)), "fmi2GetInteger", v.name);
      values.integers.push_back(integer);
    }
  }
  return values;
}

StepResult Instance2::do_step(double t, double h) {
  call_watch.now_in("fmi2DoStep");
  const fmi2Status status = call_.do_step(component_, t, h, never_goes_back_);
  if (status == fmi2OK || status == fmi2Warning) [[likely]]
    return {base::Outcome::accepted, t + h};
  if (status == fmi2Discard) return discarded(t);
  require(severity(status), "fmi2DoStep", fmt::format("step {} s -> {} s", t, t + h));
  return {base::Outcome::rejected, t};
}

// A discarded step may be a wish to end: ask that first, then how far it came (notes: "Life of an instance").
StepResult Instance2::discarded(double t) {
  fmi2Boolean terminated = fmi2False;
  fmi2Real reached = t;
  if (call_.get_real_status && call_.get_real_status(component_, fmi2LastSuccessfulTime, &reached) != fmi2OK)
    reached = t;
  if (call_.get_boolean_status && call_.get_boolean_status(component_, fmi2Terminated, &terminated) == fmi2OK &&
      terminated) {
    return {base::Outcome::ended, reached};
  }
  return {base::Outcome::rejected, std::isfinite(reached) ? reached : t};
}

void* Instance2::save_state() {
  fmi2FMUstate state = nullptr;
  require(severity(call_.get_state(component_, &state)), "fmi2GetFMUstate");
  never_goes_back_ = fmi2False;
  return state;
}

void Instance2::restore_state(void* state) { require(severity(call_.set_state(component_, state)), "fmi2SetFMUstate"); }

void Instance2::free_state(void* state) {
  if (life_ != Life::dead) call_.free_state(component_, &state);
}

}  // namespace seam::fmi

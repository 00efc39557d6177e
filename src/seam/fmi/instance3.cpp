#include "seam/fmi/instance3.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "seam/fmi/call_watch.hpp"
#include "seam/fmi/host_guard.hpp"

namespace seam::fmi {
namespace {

Severity severity(fmi3Status status) {
  switch (status) {
    case fmi3OK:
      return Severity::ok;
    case fmi3Warning:
      return Severity::warning;
    case fmi3Discard:
      return Severity::discard;
    case fmi3Fatal:
      return Severity::fatal;
    default:
      return Severity::error;
  }
}

bool any(const ModelDescription& description, auto condition) {
  return std::any_of(description.variables.begin(), description.variables.end(), condition);
}

/// Calls `with` with a null pointer of the C type that belongs to a numeric type.
template <class With>
auto for_c_type(Type type, With with) {
  switch (type) {
    case Type::float32:
      return with(static_cast<fmi3Float32*>(nullptr));
    case Type::int8:
      return with(static_cast<fmi3Int8*>(nullptr));
    case Type::uint8:
      return with(static_cast<fmi3UInt8*>(nullptr));
    case Type::int16:
      return with(static_cast<fmi3Int16*>(nullptr));
    case Type::uint16:
      return with(static_cast<fmi3UInt16*>(nullptr));
    case Type::int32:
      return with(static_cast<fmi3Int32*>(nullptr));
    case Type::uint32:
      return with(static_cast<fmi3UInt32*>(nullptr));
    case Type::uint64:
      return with(static_cast<fmi3UInt64*>(nullptr));
    case Type::boolean:
      return with(static_cast<fmi3Boolean*>(nullptr));
    case Type::float64:
      return with(static_cast<fmi3Float64*>(nullptr));
    default:
      return with(static_cast<fmi3Int64*>(nullptr));  // int64 and enumerations
  }
}

/// "Int32" as it stands in fmi3GetInt32; enumerations are Int64 on the wire.
std::string function_part(Type type) { return type == Type::enumeration ? "Int64" : type_word(type, Version::fmi3); }

}  // namespace

void Instance3::load_functions(const ModelDescription& description, const Interface& interface) {
  library_.require(call_.free_instance, "fmi3FreeInstance");
  library_.require(call_.enter_initialisation, "fmi3EnterInitializationMode");
  library_.require(call_.exit_initialisation, "fmi3ExitInitializationMode");
  library_.require(call_.terminate, "fmi3Terminate");
  library_.require(call_.do_step, "fmi3DoStep");
  if (any(description, [](const Variable& v) { return v.type == Type::float64; })) {
    library_.require(call_.get_float64, "fmi3GetFloat64");
    library_.require(call_.set_float64, "fmi3SetFloat64");
  }
  if (any(description, [](const Variable& v) { return v.type == Type::float32; })) {
    library_.require(call_.get_float32, "fmi3GetFloat32");
    library_.require(call_.set_float32, "fmi3SetFloat32");
  }
  if (any(description, [](const Variable& v) { return v.causality == Causality::structural_parameter; })) {
    library_.require(call_.enter_configuration, "fmi3EnterConfigurationMode");
    library_.require(call_.exit_configuration, "fmi3ExitConfigurationMode");
  }
  if (interface.can_get_and_set_state) {
    library_.require(call_.get_state, "fmi3GetFMUState");
    library_.require(call_.set_state, "fmi3SetFMUState");
    library_.require(call_.free_state, "fmi3FreeFMUState");
  }
}

Instance3::Instance3(std::string name, const Fmu& fmu, std::shared_ptr<const Unpacked> files, Logging logging)
    : InstanceBase(std::move(name), fmu, std::move(files), *fmu.description.co_simulation) {
  load_functions(fmu.description, *fmu.description.co_simulation);
  fmi3InstantiateCoSimulationTYPE* instantiate = nullptr;
  library_.require(instantiate, "fmi3InstantiateCoSimulation");
  const std::string resources = (std::filesystem::absolute(files_->folder()) / "resources" / "").string();
  const HostGuard guard;
  const Visit visit(identity_.c_str());
  call_watch.now_in("fmi3InstantiateCoSimulation");
  instance_ = instantiate(name_.c_str(), token_.c_str(), resources.c_str(), false, logging == Logging::on, false, false,
                          nullptr, 0, this, on_message, nullptr);
  if (!instance_) fail("could not be instantiated (fmi3InstantiateCoSimulation returned no instance)");
}

Instance3::~Instance3() {
  const HostGuard guard;
  const Visit visit(identity_.c_str());
  call_watch.now_in("fmi3FreeInstance");
  if (life_ == Life::stepping) call_.terminate(instance_);
  if (instance_ && life_ != Life::dead) call_.free_instance(instance_);
}

void Instance3::on_message(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                           fmi3String message) {
  if (environment) static_cast<Instance3*>(environment)->log(severity(status), category, message ? message : "");
}

void Instance3::configure(const std::vector<std::pair<const Variable*, Values>>& settings) {
  if (settings.empty()) return;
  const HostGuard guard;
  require(severity(call_.enter_configuration(instance_)), "fmi3EnterConfigurationMode");
  for (const auto& [variable, values] : settings) set(*variable, values);
  require(severity(call_.exit_configuration(instance_)), "fmi3ExitConfigurationMode");
}

void Instance3::enter_initialisation(const Experiment& e) {
  const HostGuard guard;
  const Visit visit(identity_.c_str());
  call_watch.now_in("fmi3EnterInitializationMode");
  require(severity(call_.enter_initialisation(instance_, e.tolerance.has_value(), e.tolerance.value_or(0.0), e.start,
                                              e.stop.has_value(), e.stop.value_or(0.0))),
          "fmi3EnterInitializationMode");
  life_ = Life::initialising;
}

void Instance3::exit_initialisation() {
  const HostGuard guard;
  const Visit visit(identity_.c_str());
  call_watch.now_in("fmi3ExitInitializationMode");
  require(severity(call_.exit_initialisation(instance_)), "fmi3ExitInitializationMode");
  life_ = Life::stepping;
}

void Instance3::terminate() {
  if (life_ != Life::stepping) return;
  life_ = Life::terminated;
  require(severity(call_.terminate(instance_)), "fmi3Terminate");
}

void Instance3::set_reals(std::span<const Reference> references, const double* values, std::size_t count) {
  call_watch.now_in("fmi3SetFloat64");
  const fmi3Status status = call_.set_float64(instance_, references.data(), references.size(), values, count);
  if (status != fmi3OK) [[unlikely]]
    require(severity(status), "fmi3SetFloat64");
}

void Instance3::get_reals(std::span<const Reference> references, double* values, std::size_t count) {
  call_watch.now_in("fmi3GetFloat64");
  const fmi3Status status = call_.get_float64(instance_, references.data(), references.size(), values, count);
  if (status != fmi3OK) [[unlikely]]
    require(severity(status), "fmi3GetFloat64");
}

void Instance3::set_floats(std::span<const Reference> references, std::span<const float> values) {
  require(severity(call_.set_float32(instance_, references.data(), references.size(), values.data(), values.size())),
          "fmi3SetFloat32");
}

void Instance3::get_floats(std::span<const Reference> references, std::span<float> values) {
  require(severity(call_.get_float32(instance_, references.data(), references.size(), values.data(), values.size())),
          "fmi3GetFloat32");
}

void Instance3::set_binary(const Variable& v, const Values& values) {
  const Reference reference = v.value_reference;
  if (v.type == Type::string) {
    std::vector<fmi3String> texts;
    for (const std::string& text : values.texts) texts.push_back(text.c_str());
    auto* function = reinterpret_cast<fmi3SetStringTYPE*>(library_.require("fmi3SetString"));
    require(severity(function(instance_, &reference, 1, texts.data(), texts.size())), "fmi3SetString", v.name);
    return;
  }
  std::vector<fmi3Binary> places;
  std::vector<std::size_t> sizes;
  for (const std::string& bytes : values.texts) {
    places.push_back(reinterpret_cast<fmi3Binary>(bytes.data()));
    sizes.push_back(bytes.size());
  }
  auto* function = reinterpret_cast<fmi3SetBinaryTYPE*>(library_.require("fmi3SetBinary"));
  require(severity(function(instance_, &reference, 1, sizes.data(), places.data(), places.size())), "fmi3SetBinary",
          v.name);
}

Values Instance3::get_binary(const Variable& v, std::size_t elements) {
  const Reference reference = v.value_reference;
  Values values;
  if (v.type == Type::string) {
    std::vector<fmi3String> texts(elements);
    auto* function = reinterpret_cast<fmi3GetStringTYPE*>(library_.require("fmi3GetString"));
    require(severity(function(instance_, &reference, 1, texts.data(), elements)), "fmi3GetString", v.name);
    for (const fmi3String text : texts) values.texts.emplace_back(text ? text : "");
    return values;
  }
  std::vector<fmi3Binary> places(elements);
  std::vector<std::size_t> sizes(elements);
  auto* function = reinterpret_cast<fmi3GetBinaryTYPE*>(library_.require("fmi3GetBinary"));
  require(severity(function(instance_, &reference, 1, sizes.data(), places.data(), elements)), "fmi3GetBinary", v.name);
  for (std::size_t i = 0; i < elements; ++i)
    values.texts.emplace_back(reinterpret_cast<const char*>(places[i]), places[i] ? sizes[i] : 0);
  return values;
}

void Instance3::set(const Variable& v, const Values& values) {
  call_watch.now_in("fmi3Set…");
  if (store_of(v.type) == Store::texts) return set_binary(v, values);
  const Reference reference = v.value_reference;
  const std::string name = "fmi3Set" + function_part(v.type);
  for_c_type(v.type, [&]<class C>(C*) {
    const std::size_t count = values.size(v.type);
    const auto buffer = std::make_unique<C[]>(count);
    for (std::size_t i = 0; i < count; ++i) {
      buffer[i] =
          store_of(v.type) == Store::reals ? static_cast<C>(values.reals[i]) : static_cast<C>(values.integers[i]);
    }
    using Function = fmi3Status(fmi3Instance, const fmi3ValueReference[], std::size_t, const C[], std::size_t);
    auto* function = reinterpret_cast<Function*>(library_.require(name.c_str()));
    require(severity(function(instance_, &reference, 1, buffer.get(), count)), name.c_str(), v.name);
  });
}

Values Instance3::get(const Variable& v, std::size_t elements) {
  call_watch.now_in("fmi3Get…");
  if (store_of(v.type) == Store::texts) return get_binary(v, elements);
  const Reference reference = v.value_reference;
  const std::string name = "fmi3Get" + function_part(v.type);
  Values values;
  for_c_type(v.type, [&]<class C>(C*) {
    const auto buffer = std::make_unique<C[]>(elements);
    using Function = fmi3Status(fmi3Instance, const fmi3ValueReference[], std::size_t, C[], std::size_t);
    auto* function = reinterpret_cast<Function*>(library_.require(name.c_str()));
    require(severity(function(instance_, &reference, 1, buffer.get(), elements)), name.c_str(), v.name);
    for (std::size_t i = 0; i < elements; ++i) {
      if (store_of(v.type) == Store::reals) {
        values.reals.push_back(static_cast<double>(buffer[i]));
      } else {
        values.integers.push_back(static_cast<std::int64_t>(buffer[i]));
      }
    }
  });
  return values;
}

StepResult Instance3::do_step(double t, double h) {
  fmi3Boolean event_needed = false, terminate = false, early = false;
  fmi3Float64 reached = t + h;
  call_watch.now_in("fmi3DoStep");
  const fmi3Status status =
      call_.do_step(instance_, t, h, never_goes_back_, &event_needed, &terminate, &early, &reached);
  if (status == fmi3Discard) return {base::Outcome::rejected, t};
  if (status != fmi3OK) [[unlikely]]
    require(severity(status), "fmi3DoStep", fmt::format("step {} s -> {} s", t, t + h));
  if (terminate) [[unlikely]]
    return {base::Outcome::ended, reached};
  return {base::Outcome::accepted, reached};
}

void* Instance3::save_state() {
  fmi3FMUState state = nullptr;
  require(severity(call_.get_state(instance_, &state)), "fmi3GetFMUState");
  never_goes_back_ = false;
  return state;
}

void Instance3::restore_state(void* state) { require(severity(call_.set_state(instance_, state)), "fmi3SetFMUState"); }

void Instance3::free_state(void* state) {
  if (life_ != Life::dead) call_.free_state(instance_, &state);
}

}  // namespace seam::fmi

// FMI 2.0: values of all types.
#include "seam/fmi/instance/instance2.hpp"

namespace seam::fmi {

void Instance2::load_access() {
  find_access(Type::float64, "fmi2GetReal", "fmi2SetReal");
  find_access(Type::int32, "fmi2GetInteger", "fmi2SetInteger");
  find_access(Type::enumeration, "fmi2GetInteger", "fmi2SetInteger");
  find_access(Type::boolean, "fmi2GetBoolean", "fmi2SetBoolean");
  find_access(Type::string, "fmi2GetString", "fmi2SetString");
  if (!has(Type::float64)) return;
  call_.set_reals = as<fmi2SetRealTYPE>(access(Type::float64).set);
  call_.get_reals = as<fmi2GetRealTYPE>(access(Type::float64).get);
}

void Instance2::set_reals(std::span<const Reference> references, const double* values) {
  call_watch.now_in("fmi2SetReal");
  const fmi2Status status = call_.set_reals(handle_, references.data(), references.size(), values);
  if (!is_plain(status)) [[unlikely]]
    finish_set_reals(status, references, {values, references.size()});
}

void Instance2::get_reals(std::span<const Reference> references, double* values) {
  call_watch.now_in("fmi2GetReal");
  const fmi2Status status = call_.get_reals(handle_, references.data(), references.size(), values);
  if (!is_plain(status)) [[unlikely]]
    finish_get_reals(status, references, {values, references.size()});
}

void Instance2::set(Type type, std::span<const Reference> references, const Values& values) {
  if (references.empty()) return;
  require_sizes(references.size(), values.size(type));
  const Access& by = access(type);
  if (type == Type::float64) return set_reals(references, values.reals.data());
  call_watch.now_in(by.set_name);
  fmi2Status status = fmi2OK;
  if (type == Type::string) {
    const auto* texts = buffer_.put_texts(values.texts);
    status = as<fmi2SetStringTYPE>(by.set)(handle_, references.data(), references.size(), texts);
  } else if (type == Type::boolean) {
    const auto* booleans = buffer_.put_booleans<fmi2Boolean>(values.integers);
    status = as<fmi2SetBooleanTYPE>(by.set)(handle_, references.data(), references.size(), booleans);
  } else {
    require_fit<fmi2Integer>(type, references, values.integers);
    const auto* integers = buffer_.put<fmi2Integer>(values.integers);
    status = as<fmi2SetIntegerTYPE>(by.set)(handle_, references.data(), references.size(), integers);
  }
  finish(status, by.set_name, [&](Audience audience) { return words_.values(audience, type, references, values); });
}

void Instance2::get(Type type, std::span<const Reference> references, Values& values) {
  if (references.empty()) return;
  require_sizes(references.size(), values.size(type));
  const Access& by = access(type);
  if (type == Type::float64) return get_reals(references, values.reals.data());
  call_watch.now_in(by.get_name);
  const std::size_t count = references.size();
  fmi2Status status = fmi2OK;
  if (type == Type::string) {
    status = as<fmi2GetStringTYPE>(by.get)(handle_, references.data(), count, buffer_.room_for_texts(count));
    if (status <= fmi2Warning) buffer_.take_strings(values.texts);
  } else if (type == Type::boolean) {
    status = as<fmi2GetBooleanTYPE>(by.get)(handle_, references.data(), count, buffer_.room<fmi2Boolean>(count));
    if (status <= fmi2Warning) buffer_.take_booleans<fmi2Boolean>(values.integers);
  } else {
    status = as<fmi2GetIntegerTYPE>(by.get)(handle_, references.data(), count, buffer_.room<fmi2Integer>(count));
    if (status <= fmi2Warning) buffer_.take<fmi2Integer>(values.integers);
  }
  finish(status, by.get_name, [&](Audience audience) { return words_.read(audience, type, references, values); });
}

void Instance2::set(const Variable& v, const Values& values) { set(v.type, {&v.value_reference, 1}, values); }

Values Instance2::get(const Variable& v) {
  Values values = room_for(v.type, 1);
  get(v.type, {&v.value_reference, 1}, values);
  return values;
}

}  // namespace seam::fmi

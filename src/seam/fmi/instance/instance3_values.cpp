// FMI 3.0: values of all types but clocks.
#include <type_traits>

#include "seam/fmi/instance/instance3.hpp"

namespace seam::fmi {
namespace {

/// Calls `with` with a null pointer of the C type that belongs to a numeric type; enumerations are Int64.
template <class With>
fmi3Status for_c_type(Type type, With with) {
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
    default:
      return with(static_cast<fmi3Int64*>(nullptr));
  }
}

// Booleans cross as bytes: a stranger's true may be more than 1, which our bool must not see.
static_assert(sizeof(fmi3Boolean) == 1);

template <class C>
using Setter = fmi3Status(fmi3Instance, const fmi3ValueReference*, std::size_t, const C*, std::size_t);
template <class C>
using Getter = fmi3Status(fmi3Instance, const fmi3ValueReference*, std::size_t, C*, std::size_t);

}  // namespace

void Instance3::load_access() {
  find_access(Type::float32, "fmi3GetFloat32", "fmi3SetFloat32");
  find_access(Type::float64, "fmi3GetFloat64", "fmi3SetFloat64");
  find_access(Type::int8, "fmi3GetInt8", "fmi3SetInt8");
  find_access(Type::uint8, "fmi3GetUInt8", "fmi3SetUInt8");
  find_access(Type::int16, "fmi3GetInt16", "fmi3SetInt16");
  find_access(Type::uint16, "fmi3GetUInt16", "fmi3SetUInt16");
  find_access(Type::int32, "fmi3GetInt32", "fmi3SetInt32");
  find_access(Type::uint32, "fmi3GetUInt32", "fmi3SetUInt32");
  find_access(Type::int64, "fmi3GetInt64", "fmi3SetInt64");
  find_access(Type::uint64, "fmi3GetUInt64", "fmi3SetUInt64");
  find_access(Type::enumeration, "fmi3GetInt64", "fmi3SetInt64");
  find_access(Type::boolean, "fmi3GetBoolean", "fmi3SetBoolean");
  find_access(Type::string, "fmi3GetString", "fmi3SetString");
  find_access(Type::binary, "fmi3GetBinary", "fmi3SetBinary");
  if (!has(Type::float64)) return;
  call_.set_reals = as<fmi3SetFloat64TYPE>(access(Type::float64).set);
  call_.get_reals = as<fmi3GetFloat64TYPE>(access(Type::float64).get);
}

void Instance3::set_reals(std::span<const Reference> references, const double* values, std::size_t count) {
  call_watch.now_in("fmi3SetFloat64");
  const fmi3Status status = call_.set_reals(handle_, references.data(), references.size(), values, count);
  if (!is_plain(status)) [[unlikely]]
    finish_set_reals(status, references, {values, count});
}

void Instance3::get_reals(std::span<const Reference> references, double* values, std::size_t count) {
  call_watch.now_in("fmi3GetFloat64");
  const fmi3Status status = call_.get_reals(handle_, references.data(), references.size(), values, count);
  if (!is_plain(status)) [[unlikely]]
    finish_get_reals(status, references, {values, count});
}

void Instance3::set_floats(std::span<const Reference> references, std::span<const float> values) {
  const Access& by = access(Type::float32);
  call_watch.now_in(by.set_name);
  const fmi3Status status =
      as<fmi3SetFloat32TYPE>(by.set)(handle_, references.data(), references.size(), values.data(), values.size());
  finish(status, by.set_name, [&](Audience audience) {
    return words_.values(audience, Type::float32, references, {{values.begin(), values.end()}, {}, {}});
  });
}

void Instance3::get_floats(std::span<const Reference> references, std::span<float> values) {
  const Access& by = access(Type::float32);
  call_watch.now_in(by.get_name);
  const fmi3Status status =
      as<fmi3GetFloat32TYPE>(by.get)(handle_, references.data(), references.size(), values.data(), values.size());
  finish(status, by.get_name, [&](Audience audience) {
    return words_.read(audience, Type::float32, references, {{values.begin(), values.end()}, {}, {}});
  });
}

fmi3Status Instance3::set_texts(const Access& by, std::span<const Reference> references,
                                const std::vector<std::string>& texts) {
  const auto* given = buffer_.put_texts(texts);
  if (by.type == Type::string)
    return as<fmi3SetStringTYPE>(by.set)(handle_, references.data(), references.size(), given, texts.size());
  const auto* bytes = reinterpret_cast<const fmi3Binary*>(given);
  return as<fmi3SetBinaryTYPE>(by.set)(handle_, references.data(), references.size(), buffer_.sizes(), bytes,
                                       texts.size());
}

fmi3Status Instance3::get_texts(const Access& by, std::span<const Reference> references,
                                std::vector<std::string>& texts) {
  const char** into = buffer_.room_for_texts(texts.size());
  if (by.type == Type::string) {
    const fmi3Status status =
        as<fmi3GetStringTYPE>(by.get)(handle_, references.data(), references.size(), into, texts.size());
    if (status <= fmi3Warning) buffer_.take_strings(texts);
    return status;
  }
  auto* bytes = reinterpret_cast<fmi3Binary*>(into);
  const fmi3Status status = as<fmi3GetBinaryTYPE>(by.get)(handle_, references.data(), references.size(),
                                                          buffer_.sizes(), bytes, texts.size());
  if (status <= fmi3Warning) buffer_.take_binaries(texts);
  return status;
}

fmi3Status Instance3::set_numbers(const Access& by, std::span<const Reference> references, const Values& values) {
  return for_c_type(by.type, [&]<class C>(C*) {
    auto* const call = as<Setter<C>>(by.set);
    const std::size_t count = values.size(by.type);
    const C* given = nullptr;
    if constexpr (std::is_same_v<C, fmi3Boolean>) {
      given = reinterpret_cast<const C*>(buffer_.put_booleans<unsigned char>(values.integers));
    } else if constexpr (std::is_floating_point_v<C>) {
      given = buffer_.put<C>(values.reals);
    } else {
      require_fit<C>(by.type, references, values.integers);
      given = buffer_.put<C>(values.integers);
    }
    return call(handle_, references.data(), references.size(), given, count);
  });
}

fmi3Status Instance3::get_numbers(const Access& by, std::span<const Reference> references, Values& values) {
  return for_c_type(by.type, [&]<class C>(C*) {
    auto* const call = as<Getter<C>>(by.get);
    const std::size_t count = values.size(by.type);
    const fmi3Status status = call(handle_, references.data(), references.size(), buffer_.room<C>(count), count);
    if (status > fmi3Warning) return status;
    if constexpr (std::is_same_v<C, fmi3Boolean>) {
      buffer_.take_booleans<unsigned char>(values.integers);
    } else if constexpr (std::is_floating_point_v<C>) {
      buffer_.take<C>(values.reals);
    } else {
      buffer_.take<C>(values.integers);
    }
    return status;
  });
}

void Instance3::set(Type type, std::span<const Reference> references, const Values& values) {
  if (references.empty()) return;
  const Access& by = access(type);
  if (type == Type::float64) return set_reals(references, values.reals.data(), values.reals.size());
  call_watch.now_in(by.set_name);
  const fmi3Status status =
      store_of(type) == Store::texts ? set_texts(by, references, values.texts) : set_numbers(by, references, values);
  finish(status, by.set_name, [&](Audience audience) { return words_.values(audience, type, references, values); });
}

void Instance3::get(Type type, std::span<const Reference> references, Values& values) {
  if (references.empty()) return;
  const Access& by = access(type);
  if (type == Type::float64) return get_reals(references, values.reals.data(), values.reals.size());
  call_watch.now_in(by.get_name);
  const fmi3Status status =
      store_of(type) == Store::texts ? get_texts(by, references, values.texts) : get_numbers(by, references, values);
  finish(status, by.get_name, [&](Audience audience) { return words_.read(audience, type, references, values); });
}

void Instance3::set(const Variable& v, const Values& values) { set(v.type, {&v.value_reference, 1}, values); }

Values Instance3::get(const Variable& v, std::size_t elements) {
  Values values = room_for(v.type, elements);
  get(v.type, {&v.value_reference, 1}, values);
  return values;
}

}  // namespace seam::fmi

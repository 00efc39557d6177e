#include "fmus/models/copying_model.hpp"

namespace seam::fmus {

void CopyingModel::add_copy(const std::string& name, Type type, Variability variability, const std::string& start) {
  Variable from = input(name + "_in", 0.0, "");
  from.type = type;
  from.variability = variability;
  from.start = start;
  if (type == Type::enumeration) from.items = {"off", "on", "automatic"};
  Variable to = output(name + "_out", "");
  to.type = type;
  to.variability = variability;
  to.items = from.items;
  const int in = add(std::move(from));
  to.depends_on = {in};
  copies_.emplace_back(in, add(std::move(to)));
}

void CopyingModel::add_copies() {
  const bool second = version() != Version::fmi3;
  const auto discrete = Variability::discrete;
  add_copy(second ? "real" : "float64", Type::float64, Variability::continuous, "1.5");
  add_copy("discrete", Type::float64, discrete, "-2.5");
  add_copy(second ? "integer" : "int32", Type::int32, discrete, "-7");
  add_copy("boolean", Type::boolean, discrete, "true");
  add_copy("string", Type::string, discrete, "a <text> & \"more\"");
  add_copy("enumeration", Type::enumeration, discrete, "2");
  if (second) return;
  add_copy("float32", Type::float32, Variability::continuous, "0.25");
  add_copy("int8", Type::int8, discrete, "-128");
  add_copy("uint8", Type::uint8, discrete, "255");
  add_copy("int16", Type::int16, discrete, "-32768");
  add_copy("uint16", Type::uint16, discrete, "65535");
  add_copy("uint32", Type::uint32, discrete, "4294967295");
  add_copy("int64", Type::int64, discrete, "-9223372036854775808");
  add_copy("uint64", Type::uint64, discrete, "18446744073709551615");
  add_copy("binary", Type::binary, discrete, "00ff10");
}

void CopyingModel::copy() {
  for (const auto& [from, to] : copies_) {
    const Type type = variables()[static_cast<std::size_t>(from)].type;
    if (is_real(type)) {
      real(to) = real(from);
    } else if (is_text(type)) {
      text(to) = text(from);
    } else {
      integer(to) = integer(from);
    }
  }
}

StepReport CopyingModel::step(double t, double h) {
  set_time(t + h);
  copy();
  return {.reached = t + h};
}

}  // namespace seam::fmus

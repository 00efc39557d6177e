// A corrector as the user asked for it, made complete; and how it is said again.
#include "seam/coupling/parameters.hpp"

namespace seam::coupling {

system::Corrector complete_corrector(const system::MethodRequest& request, base::Problems& problems) {
  system::Corrector result;
  result.where = request.where;
  if (request.name == "none") {
    for (const system::Setting& given : request.parameters)
      problems.add(given.where, "\"none\" has no parameter \"" + given.name + "\"");
    return result;
  }
  const Entry* entry = look_up(Part::corrector, request, problems);
  if (!entry) return result;
  result.name = entry->name;
  Parameters parameters = read_parameters(*entry, request, problems);
  result.choices = std::move(parameters.choices);
  result.numbers = std::move(parameters.numbers);
  for (const system::Setting& given : request.parameters) {
    if (given.name != over_word) continue;
    for (const system::Value& item : given.value.items) result.over.push_back(item.text);
    if (given.value.kind != system::Value::Kind::list) result.over = {given.value.text};
  }
  if (entry->check_corrector) entry->check_corrector(request, result, problems);
  return result;
}

std::string describe(const system::Corrector& corrector) {
  const Entry* entry = find(Part::corrector, corrector.name);
  if (!entry) return "none";
  std::string text =
      corrector.name + changed_choices(*entry, corrector.choices) + changed_numbers(*entry, corrector.numbers);
  for (const std::string& pattern : corrector.over) text += ",over=" + pattern;
  return text;
}

}  // namespace seam::coupling

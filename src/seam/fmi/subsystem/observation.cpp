#include "seam/fmi/subsystem/observation.hpp"

#include <algorithm>
#include <set>

namespace seam::fmi {
namespace {

using assembly::Observable;

struct Element {
  const Variable* variable = nullptr;
  std::size_t number = 0;  ///< in the variable
};

Observable::Group group_of(Causality causality) {
  if (causality == Causality::input) return Observable::Group::input;
  if (causality == Causality::output) return Observable::Group::output;
  return causality == Causality::local ? Observable::Group::local : Observable::Group::parameter;
}

bool is_listed(const Variable& v) { return v.causality != Causality::independent; }

/// The elements behind numbers in the list of observables.
std::vector<Element> elements_behind(const std::vector<int>& numbers, const ModelDescription& description,
                                     const Structure& structure) {
  std::vector<Element> all;
  if (numbers.empty()) return all;
  for (const Variable& v : description.variables) {
    if (!is_listed(v)) continue;
    for (std::size_t e = 0; e < element_count(description, v, structure).value_or(0); ++e) all.push_back({&v, e});
  }
  std::vector<Element> chosen;
  for (const int number : numbers) chosen.push_back(all[static_cast<std::size_t>(number)]);
  return chosen;
}

/// Variables whose elements are read as a whole, and which of these elements were chosen.
struct Whole {
  std::vector<PortVariable> variables = {};
  std::size_t size = 0;
  std::vector<std::size_t> picked = {};
  bool is_all() const {
    for (std::size_t i = 0; i < picked.size(); ++i) {
      if (picked[i] != i) return false;
    }
    return picked.size() == size;
  }
};

}  // namespace

std::vector<Observable> observables_of(const ModelDescription& description, const Structure& structure) {
  std::set<std::size_t> states, derivatives;
  for (const Unknown& unknown : description.structure.derivatives) {
    derivatives.insert(unknown.variable);
    if (const auto state = description.variables[unknown.variable].derivative_of) states.insert(*state);
  }
  std::vector<Observable> all;
  for (std::size_t i = 0; i < description.variables.size(); ++i) {
    const Variable& v = description.variables[i];
    if (!is_listed(v)) continue;
    for (system::Port& port : elements_of(description, structure, v)) {
      Observable& one = all.emplace_back();
      one.port = std::move(port);
      one.group = group_of(v.causality);
      one.is_state = states.contains(i);
      one.is_derivative = derivatives.contains(i);
      if (!can_be_observed(v)) one.why_not = "is there while its clock ticks alone";
    }
  }
  return all;
}

Observation::Observation(const ModelDescription& description, const Structure& structure, const Ports& ports,
                         const std::vector<int>& outputs, const std::vector<int>& variables) {
  std::vector<Element> chosen;
  for (const int output : outputs) {
    const auto last =
        std::upper_bound(ports.output_variables.begin(), ports.output_variables.end(), static_cast<std::size_t>(output),
                         [](std::size_t flat, const PortVariable& v) { return flat < v.first; });
    const PortVariable& owner = *(last - 1);
    chosen.push_back({owner.variable, static_cast<std::size_t>(output) - owner.first});
  }
  const std::vector<Element> behind = elements_behind(variables, description, structure);
  chosen.insert(chosen.end(), behind.begin(), behind.end());
  Whole reals, discrete;
  constexpr auto unseen = static_cast<std::size_t>(-1);
  std::vector<std::size_t> first(description.variables.size(), unseen);  // of each variable that was met
  for (const Element& element : chosen) {
    Whole& whole = store_of(element.variable->type) == Store::reals ? reals : discrete;
    std::size_t& begin = first[static_cast<std::size_t>(element.variable - description.variables.data())];
    if (begin == unseen) {
      begin = whole.size;
      const std::size_t elements = element_count(description, *element.variable, structure).value_or(0);
      whole.variables.push_back({element.variable, whole.size, elements});
      whole.size += elements;
    }
    whole.picked.push_back(begin + element.number);
  }
  for (PortVariable& v : discrete.variables) v.first += reals.size;  // flat ports list reals first
  are_whole_ = reals.is_all() && discrete.is_all();
  picked_reals_ = std::move(reals.picked);
  picked_discrete_ = std::move(discrete.picked);
  reals_.resize(reals.size);
  discrete_values_.resize(discrete.size);
  std::vector<PortVariable> all = std::move(reals.variables);
  all.insert(all.end(), discrete.variables.begin(), discrete.variables.end());
  batches_ = PortBatches(all, reals.size, nullptr);
}

}  // namespace seam::fmi

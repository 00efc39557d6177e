#include "seam/fmi/subsystem/observation.hpp"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <set>

namespace seam::fmi {
namespace {

using assembly::Observable;

Observable::Group group_of(Causality causality) {
  if (causality == Causality::input) return Observable::Group::input;
  if (causality == Causality::output) return Observable::Group::output;
  return causality == Causality::local ? Observable::Group::local : Observable::Group::parameter;
}

bool is_listed(const Variable& v) { return v.causality != Causality::independent; }

/// Under how many names a variable is listed.
std::size_t names_of(const Variable& v) { return 1 + v.aliases.size(); }

}  // namespace

std::vector<Observable> observables_of(const ModelDescription& description, const Structure& structure) {
  std::set<std::size_t> states, derivatives;
  for (const Unknown& unknown : description.structure.derivatives) {
    derivatives.insert(unknown.variable);
    if (const auto state = description.variables[unknown.variable].derivative_of) states.insert(*state);
  }
  std::vector<Observable> all;
  const auto add = [&](const Variable& v, Observable one) {
    one.group = group_of(v.causality);
    if (!can_be_observed(v)) one.why_not = "is there while its clock ticks alone";
    for (system::Port& port : elements_of(description, structure, v)) {
      one.port = std::move(port);
      all.push_back(one);
    }
  };
  for (std::size_t i = 0; i < description.variables.size(); ++i) {
    const Variable& v = description.variables[i];
    if (!is_listed(v)) continue;
    add(v, {.port = {}, .is_state = states.contains(i), .is_derivative = derivatives.contains(i)});
    for (const std::string& alias : v.aliases) {
      Variable other = v;
      other.name = alias;
      add(other, {.port = {}, .is_alias = true});
    }
  }
  return all;
}

void Observation::Picked::add(std::size_t element) {
  if (is_all_ && element == count_) {
    ++count_;
    return;
  }
  if (is_all_) {
    elements_.resize(count_);
    std::iota(elements_.begin(), elements_.end(), std::size_t{0});
    is_all_ = false;
  }
  elements_.push_back(element);
}

void Observation::choose(const PortVariable& variable, std::size_t element) {
  Picked& picked = store_of(variable.type) == Store::reals ? reals_ : discrete_;
  if (picked.last != variable.variable) {
    picked.last = variable.variable;
    picked.first = picked.size;
    picked.size += variable.elements;
    PortVariable whole = variable;
    whole.first = picked.first;
    batches_.add(whole);
  }
  picked.add(picked.first + element);
}

Observation::Observation(const ModelDescription& description, const Structure& structure, const Ports& ports,
                         const std::vector<int>& outputs, const std::vector<int>& variables) {
  batches_.doubles.reserve(outputs.size());
  auto owner = ports.output_variables.begin();
  for (const int output : outputs) {
    const auto flat = static_cast<std::size_t>(output);
    while (flat >= owner->first + owner->elements) ++owner;
    choose(*owner, flat - owner->first);
  }
  std::size_t first = 0;  // number of an element in the list of observables
  auto number = variables.begin();
  for (const Variable& v : description.variables) {
    if (number == variables.end()) break;
    if (!is_listed(v)) continue;
    const std::size_t elements = element_count(description, v, structure).value_or(0);
    const std::size_t end = first + names_of(v) * elements;
    for (; number != variables.end() && static_cast<std::size_t>(*number) < end; ++number)
      choose({&v, 0, elements}, (static_cast<std::size_t>(*number) - first) % elements);
    first = end;
  }
  batches_.finish();
  are_whole_ = reals_.is_whole() && discrete_.is_whole();
  if (are_whole_) return;
  real_values_.resize(reals_.size);
  discrete_values_.resize(discrete_.size);
}

Observation observation_of(const ModelDescription& description, const Structure& structure,
                           const std::shared_ptr<const Ports>& ports, const Choice& choice) {
  struct Made {
    std::weak_ptr<const Ports> ports;
    std::vector<int> outputs, variables;
    Observation observation;
  };
  static std::mutex mutex;
  static Made last;
  const std::lock_guard lock(mutex);
  if (last.ports.lock() == ports && last.outputs == choice.outputs && last.variables == choice.variables)
    return last.observation;
  last = {ports, choice.outputs, choice.variables,
          Observation(description, structure, *ports, choice.outputs, choice.variables)};
  return last.observation;
}

}  // namespace seam::fmi

#include "seam/coupling/catalog.hpp"

#include <algorithm>

#include "seam/base/error.hpp"
#include "seam/coupling/corrector/entries.hpp"
#include "seam/coupling/emitter/fine_samples.hpp"
#include "seam/coupling/filter_coupling.hpp"
#include "seam/coupling/receiver/hold.hpp"

namespace seam::coupling {
namespace {

// Functions, not constants: entries may be registered before the constants of this file exist.
Choice samples_choice() {
  return {
      "samples",
      {"macro", "micro"},
      "which samples the polynomial goes through: those of the communication points, or the last micro steps of the "
      "source"};
}
constexpr const char* first_order_need = "subsystems that take a signal inside a step, or are called every micro step";

/// A Lagrange hold, as a coupling and as a receiver.
Entry lagrange_hold(Part part, const std::string& name, int degree, const std::string& summary) {
  Entry entry{part, name, summary, {}, {}, Affinity::affine, degree + 1};
  if (degree > 0) entry.needs = {first_order_need};
  if (part == Part::coupling) {
    if (degree > 0) entry.choices = {samples_choice()};
    return entry;
  }
  entry.coupling = name;
  entry.is_plain_hold = degree == 0;
  entry.make_receiver = [degree](const system::Method&, const SampleTiming& timing) {
    return std::make_unique<Hold>(degree, timing);
  };
  return entry;
}

Entry fine_samples_entry() {
  Entry entry{Part::emitter,
              "fine",
              "sends the outputs at the last micro steps",
              {},
              {"a source that is called every micro step"}};
  entry.samples = system::Samples::micro;
  entry.make_emitter = [](const system::Method&, const OutputTiming& timing) {
    return std::make_unique<FineSamples>(timing.samples);
  };
  return entry;
}

/// The first coupling is the default.
std::deque<Entry> built_in() {
  std::vector<Entry> all = {
      lagrange_hold(Part::coupling, "zoh", 0, "zero-order hold: the last value, constant until the next"),
      lagrange_hold(Part::coupling, "foh", 1, "first-order hold: the line through the last two samples"),
      lagrange_hold(Part::coupling, "soh", 2, "second-order hold: the parabola through the last three samples"),
      {Part::emitter, "last", "sends the output at the communication point"},
      fine_samples_entry(),
      lagrange_hold(Part::receiver, "zoh", 0, "holds the last value"),
      lagrange_hold(Part::receiver, "foh", 1, "follows the line through the last two samples"),
      lagrange_hold(Part::receiver, "soh", 2, "follows the parabola through the last three samples"),
  };
  for (const auto& more : {filter_entries(), corrector_entries()}) all.insert(all.end(), more.begin(), more.end());
  std::stable_sort(all.begin(), all.end(), [](const Entry& one, const Entry& other) { return one.part < other.part; });
  return {all.begin(), all.end()};
}

std::deque<Entry>& table() {
  static std::deque<Entry> entries = built_in();
  return entries;
}

/// The entry of a complete plan.
const Entry& entry_of(Part part, const std::string& name) {
  if (const Entry* entry = find(part, name)) return *entry;
  throw base::Error(base::Failure::internal, "the plan names a method that the catalog does not have: " + name);
}

}  // namespace

const std::deque<Entry>& catalog() { return table(); }

void register_entry(Entry entry) {
  if (find(entry.part, entry.name))
    throw base::Error(base::Failure::internal, "the catalog has an entry of this name already: " + entry.name);
  table().push_back(std::move(entry));
}

void register_hold(Entry receiver) {
  receiver.part = Part::receiver;
  receiver.coupling = receiver.name;
  Entry whole{Part::coupling, receiver.name,     receiver.summary, {samples_choice()},
              receiver.needs, receiver.affinity, receiver.order,   receiver.numbers};
  register_entry(std::move(receiver));
  register_entry(std::move(whole));
}

const Entry* find(Part part, std::string_view name) {
  for (const Entry& entry : catalog()) {
    if (entry.part == part && entry.name == name) return &entry;
  }
  return nullptr;
}

std::vector<std::string> names(Part part) {
  std::vector<std::string> result;
  for (const Entry& entry : catalog()) {
    if (entry.part == part) result.push_back(entry.name);
  }
  return result;
}

namespace {

/// What the entry says of a number that the method has.
bool is_linearised(const Entry& entry, const std::string& name) {
  return std::any_of(entry.numbers.begin(), entry.numbers.end(),
                     [&](const Number& known) { return known.affinity == Affinity::linearised && known.name == name; });
}

}  // namespace

Affinity affinity(const system::Coupling& coupling) {
  for (const auto& [part, method] :
       {std::pair{Part::emitter, &coupling.emitter}, {Part::receiver, &coupling.receiver}}) {
    const Entry* entry = find(part, method->name);
    if (!entry) continue;
    if (entry->affinity == Affinity::linearised) return Affinity::linearised;
    for (const auto& parameter : method->parameters) {
      if (is_linearised(*entry, parameter.first)) return Affinity::linearised;
    }
  }
  return Affinity::affine;
}

Affinity affinity(const system::Corrector& corrector) {
  const Entry* entry = find(Part::corrector, corrector.name);
  return entry ? entry->affinity : Affinity::affine;
}

system::Plan linearised(system::Plan plan) {
  for (system::Coupling& coupling : plan.connections) coupling = linearised(std::move(coupling));
  return plan;
}

system::Coupling linearised(system::Coupling coupling) {
  for (const auto& [part, method] :
       {std::pair{Part::emitter, &coupling.emitter}, {Part::receiver, &coupling.receiver}}) {
    const Entry* entry = find(part, method->name);
    if (entry)
      std::erase_if(method->parameters, [&](const auto& parameter) { return is_linearised(*entry, parameter.first); });
  }
  return coupling;
}

bool has_filters(const system::Coupling& coupling) {
  const Entry* entry = find(Part::receiver, coupling.receiver.name);
  return entry && entry->pace == Pace::micro_steps;
}

bool is_plain_hold(const system::Coupling& coupling) {
  return !sends_by_emitter(coupling) && entry_of(Part::receiver, coupling.receiver.name).is_plain_hold;
}

bool sends_by_emitter(const system::Coupling& coupling) {
  return static_cast<bool>(entry_of(Part::emitter, coupling.emitter.name).make_emitter);
}

std::unique_ptr<Receiver> make_receiver(const system::Coupling& coupling, const SampleTiming& timing) {
  return entry_of(Part::receiver, coupling.receiver.name).make_receiver(coupling.receiver, timing);
}

std::unique_ptr<Emitter> make_emitter(const system::Coupling& coupling, double micro_step) {
  OutputTiming timing{micro_step};
  if (coupling.samples == system::Samples::micro) timing.samples = make_receiver(coupling, {})->shape().history;
  return entry_of(Part::emitter, coupling.emitter.name).make_emitter(coupling.emitter, timing);
}

std::unique_ptr<Corrector> make_corrector(const system::Corrector& corrector) {
  return entry_of(Part::corrector, corrector.name).make_corrector(corrector);
}

}  // namespace seam::coupling

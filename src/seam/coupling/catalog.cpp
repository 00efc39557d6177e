#include "seam/coupling/catalog.hpp"

#include <algorithm>

#include "seam/base/error.hpp"
#include "seam/base/names.hpp"
#include "seam/coupling/emitter/fine_samples.hpp"
#include "seam/coupling/receiver/hold.hpp"

namespace seam::coupling {
namespace {

const Choice samples{"samples",
                     {"macro", "micro"},
                     "which samples the polynomial goes through: those of the communication points, or the last micro "
                     "steps of the source"};
constexpr const char* first_order_need = "subsystems that take a signal inside a step, or are called every micro step";

const Entry* find(Part part, std::string_view name) {
  for (const Entry& entry : catalog()) {
    if (entry.part == part && entry.name == name) return &entry;
  }
  return nullptr;
}

int order_of(const system::Coupling& coupling) {
  const Entry* entry = find(Part::receiver, coupling.receiver.name);
  if (!entry)
    throw base::Error(base::Failure::internal,
                      "the plan names a receiver that the catalog does not have: " + coupling.receiver.name);
  return entry->order - 1;
}

const Entry* look_up(Part part, const system::MethodRequest& request, const char* kind, base::Problems& problems) {
  const Entry* entry = find(part, request.name);
  if (!entry) {
    problems.add(request.where, std::string("there is no ") + kind + " \"" + request.name + "\"",
                 base::did_you_mean(request.name, names(part)));
  }
  return entry;
}

/// Checks the parameters the user gave against the entry's choices; the value of each choice is left in `chosen`.
void read_choices(const Entry& entry, const system::MethodRequest& request, std::string& samples_chosen,
                  base::Problems& problems) {
  for (const system::Setting& given : request.parameters) {
    const auto choice =
        std::find_if(entry.choices.begin(), entry.choices.end(), [&](const Choice& c) { return c.name == given.name; });
    if (choice == entry.choices.end()) {
      std::vector<std::string> known;
      for (const Choice& c : entry.choices) known.push_back(c.name);
      problems.add(given.where, "\"" + entry.name + "\" has no parameter \"" + given.name + "\"",
                   base::did_you_mean(given.name, known));
    } else if (std::find(choice->values.begin(), choice->values.end(), given.value.text) == choice->values.end()) {
      problems.add(given.value.where, "\"" + given.name + "\" cannot be \"" + given.value.text + "\"",
                   base::did_you_mean(given.value.text, choice->values));
    } else {
      samples_chosen = given.value.text;
    }
  }
}

}  // namespace

const std::vector<Entry>& catalog() {
  static const std::vector<Entry> table = {
      {Part::coupling, "zoh", "zero-order hold: the last value, constant until the next", {}, {}, Affinity::affine, 1},
      {Part::coupling,
       "foh",
       "first-order hold: the line through the last two samples",
       {samples},
       {first_order_need},
       Affinity::affine,
       2},
      {Part::coupling,
       "soh",
       "second-order hold: the parabola through the last three samples",
       {samples},
       {first_order_need},
       Affinity::affine,
       3},
      {Part::emitter, "last", "sends the output at the communication point", {}, {}, Affinity::affine, 0},
      {Part::emitter,
       "fine",
       "sends the outputs at the last micro steps",
       {},
       {"a source that is called every micro step"},
       Affinity::affine,
       0},
      {Part::receiver, "zoh", "holds the last value", {}, {}, Affinity::affine, 1},
      {Part::receiver,
       "foh",
       "follows the line through the last two samples",
       {},
       {first_order_need},
       Affinity::affine,
       2},
      {Part::receiver,
       "soh",
       "follows the parabola through the last three samples",
       {},
       {first_order_need},
       Affinity::affine,
       3},
  };
  return table;
}

std::vector<std::string> names(Part part) {
  std::vector<std::string> result;
  for (const Entry& entry : catalog()) {
    if (entry.part == part) result.push_back(entry.name);
  }
  return result;
}

system::Coupling complete(const system::CouplingRequest& request, base::Problems& problems) {
  std::string chosen = "macro";
  std::string name = "zoh";
  if (request.coupling) {
    if (const Entry* entry = look_up(Part::coupling, *request.coupling, "coupling method", problems)) {
      name = entry->name;
      read_choices(*entry, *request.coupling, chosen, problems);
    }
  }
  if (request.receiver) {
    if (const Entry* entry = look_up(Part::receiver, *request.receiver, "receiver", problems)) {
      name = entry->name;
      read_choices(*entry, *request.receiver, chosen, problems);
    }
  }
  if (request.samples) {
    if (std::find(samples.values.begin(), samples.values.end(), *request.samples) == samples.values.end()) {
      problems.add(request.samples_where, "\"samples\" cannot be \"" + *request.samples + "\"",
                   base::did_you_mean(*request.samples, samples.values));
    }
    chosen = *request.samples;
  }
  if (request.emitter) {
    if (const Entry* entry = look_up(Part::emitter, *request.emitter, "emitter", problems)) {
      read_choices(*entry, *request.emitter, chosen, problems);
      if (request.samples && (entry->name == "fine") != (chosen == "micro")) {
        problems.add(request.samples_where, "emitter \"" + entry->name + "\" does not send samples: " + chosen,
                     "leave one of the two out");
      }
      chosen = entry->name == "fine" ? "micro" : "macro";
    }
  }
  // One sample is one sample: a zero-order hold has nothing finer to hear.
  const bool fine = chosen == "micro" && name != "zoh";
  return {name, {fine ? "fine" : "last", {}}, {name, {}}, fine ? system::Samples::micro : system::Samples::macro};
}

std::string describe(const system::Coupling& coupling) {
  return coupling.samples == system::Samples::micro ? coupling.name + ",samples=micro" : coupling.name;
}

bool is_plain_hold(const system::Coupling& coupling) {
  return coupling.receiver.name == "zoh" && coupling.samples == system::Samples::macro;
}

std::unique_ptr<Receiver> make_receiver(const system::Coupling& coupling, SampleTiming timing) {
  return std::make_unique<Hold>(order_of(coupling), timing);
}

std::unique_ptr<Emitter> make_emitter(const system::Coupling& coupling) {
  return std::make_unique<FineSamples>(order_of(coupling) + 1);
}

}  // namespace seam::coupling

// A coupling as the user asked for it, made complete; and how it is said again.
#include <algorithm>

#include "seam/base/names.hpp"
#include "seam/coupling/parameters.hpp"

namespace seam::coupling {
namespace {

constexpr const char* samples_word = "samples";
const std::vector<std::string> sample_words = {"macro", "micro"};

system::Samples samples_of(const std::string& word) {
  return word == sample_words[1] ? system::Samples::micro : system::Samples::macro;
}
const std::string& word_of(system::Samples samples) { return sample_words[samples == system::Samples::micro ? 1 : 0]; }

/// The emitter that sends such samples to every hold.
std::string emitter_of(system::Samples samples) {
  const auto found = std::find_if(catalog().begin(), catalog().end(), [&](const Entry& entry) {
    return entry.part == Part::emitter && entry.coupling.empty() && entry.samples == samples;
  });
  return found->name;
}

/// A hold that reads a single sample has no use for finer ones.
system::Coupling complete_hold(const std::string& name, Parameters parameters, system::Samples samples) {
  system::Coupling result{name, {}, {name, std::move(parameters.numbers)}, samples};
  if (samples == system::Samples::micro && make_receiver(result, {})->shape().history == 1)
    result.samples = system::Samples::macro;
  result.emitter.name = emitter_of(result.samples);
  return result;
}

/// One part of a coupling that is given by its parts.
struct Named {
  const Entry* entry = nullptr;  ///< none: it was not given, or there is none of that name
  Parameters parameters;

  Named(Part part, const std::optional<system::MethodRequest>& asked, base::Problems& problems) {
    if (asked) entry = look_up(part, *asked, problems);
    if (entry) parameters = read_parameters(*entry, *asked, problems);
  }
  /// The coupling to which it belongs, if that is more than a hold.
  const Entry* coupling() const {
    const Entry* whole = entry ? find(Part::coupling, entry->coupling) : nullptr;
    return whole && whole->compose ? whole : nullptr;
  }
  system::Method method() const { return entry ? system::Method{entry->name, parameters.numbers} : system::Method{}; }
};

system::Samples requested_samples(const system::CouplingRequest& request, const Named& emitter,
                                  base::Problems& problems) {
  if (request.samples && std::find(sample_words.begin(), sample_words.end(), *request.samples) == sample_words.end())
    problems.add(request.samples_where, "\"samples\" cannot be \"" + *request.samples + "\"",
                 base::did_you_mean(*request.samples, sample_words));
  if (!emitter.entry) return request.samples ? samples_of(*request.samples) : system::Samples::macro;
  if (request.samples && samples_of(*request.samples) != emitter.entry->samples)
    problems.add(request.samples_where,
                 "emitter \"" + emitter.entry->name + "\" does not send samples: " + *request.samples,
                 "leave one of the two out");
  return emitter.entry->samples;
}

system::Coupling complete_parts(const system::CouplingRequest& request, base::Problems& problems) {
  Named receiver(Part::receiver, request.receiver, problems);
  const Named emitter(Part::emitter, request.emitter, problems);
  const Entry* whole = receiver.coupling() ? receiver.coupling() : emitter.coupling();
  if (whole) {
    const system::Coupling result{whole->name, emitter.method(), receiver.method(), system::Samples::macro};
    if (whole->check_parts) whole->check_parts(result, request.where, problems);
    return result;
  }
  const system::Samples samples = requested_samples(request, emitter, problems);
  return complete_hold(receiver.entry ? receiver.entry->name : catalog().front().name, std::move(receiver.parameters),
                       samples);
}

}  // namespace

system::Coupling complete(const system::CouplingRequest& request, base::Problems& problems) {
  if (!request.coupling) return complete_parts(request, problems);
  const Entry* entry = look_up(Part::coupling, *request.coupling, problems);
  if (!entry) return complete_hold(catalog().front().name, {}, system::Samples::macro);
  Parameters parameters = read_parameters(*entry, *request.coupling, problems);
  if (entry->compose) return entry->compose(parameters, problems);
  const system::Samples samples = samples_of(parameters.choice(samples_word));
  return complete_hold(entry->name, std::move(parameters), samples);
}

bool are_same(const system::Coupling& one, const system::Coupling& other) {
  return one.name == other.name && one.samples == other.samples && one.emitter == other.emitter &&
         one.receiver == other.receiver;
}

std::string describe(const system::Coupling& coupling) {
  const Entry* entry = find(Part::coupling, coupling.name);
  if (!entry) return coupling.name;
  if (entry->describe) return coupling.name + entry->describe(coupling);
  const std::string micro = coupling.samples == system::Samples::micro
                                ? "," + std::string(samples_word) + "=" + word_of(coupling.samples)
                                : "";
  return coupling.name + micro + changed_numbers(*entry, coupling.receiver.parameters);
}

}  // namespace seam::coupling

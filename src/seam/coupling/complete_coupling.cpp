// A coupling as the user asked for it, made complete; and how it is said again.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "seam/base/names.hpp"
#include "seam/coupling/catalog.hpp"

namespace seam::coupling {
namespace {

const std::vector<std::string> sample_words = {"macro", "micro"};

const Entry* look_up(Part part, const system::MethodRequest& request, const char* kind, base::Problems& problems) {
  const Entry* entry = find(part, request.name);
  if (!entry) {
    problems.add(request.where, std::string("there is no ") + kind + " \"" + request.name + "\"",
                 base::did_you_mean(request.name, names(part)));
  }
  return entry;
}

bool takes_roots(const Entry& entry) {
  return entry.name == filter_coupling || (entry.part == Part::emitter && !entry.numbers.empty());
}

/// What the user chose, by name.
using Chosen = std::map<std::string, std::string>;

/// A number as written; none, and a problem, if it is none or not in its range.
std::optional<double> read_number(const Number& number, const system::Setting& given, base::Problems& problems) {
  double value = given.value.number;
  bool read = given.value.kind == system::Value::Kind::number && given.value.unit.empty();
  if (given.value.kind == system::Value::Kind::text) {
    const std::string& text = given.value.text;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    read = result.ec == std::errc() && result.ptr == text.data() + text.size();
  }
  if (read && value > number.above && value <= number.most) return value;
  problems.add(given.value.where, fmt::format("\"{}\" cannot be \"{}\"", given.name, given.value.text),
               fmt::format("give a number above {} and up to {}", number.above, number.most));
  return std::nullopt;
}

/// Checks the parameters the user gave against the entry's; those that are numbers are left in `method`.
void read_parameters(const Entry& entry, const system::MethodRequest& request, Chosen& chosen, system::Method& method,
                     base::Problems& problems) {
  for (const system::Setting& given : request.parameters) {
    const auto named = [&](const auto& parameter) { return parameter.name == given.name; };
    const auto choice = std::find_if(entry.choices.begin(), entry.choices.end(), named);
    const auto number = std::find_if(entry.numbers.begin(), entry.numbers.end(), named);
    const bool root = takes_roots(entry) && is_root_name(given.name);
    if (root || number != entry.numbers.end()) {
      const Number any{given.name, "", -1e300, 1e300, ""};
      if (const auto value = read_number(root ? any : *number, given, problems))
        method.parameters.emplace_back(given.name, *value);
    } else if (choice == entry.choices.end()) {
      std::vector<std::string> known;
      for (const Choice& c : entry.choices) known.push_back(c.name);
      for (const Number& n : entry.numbers) known.push_back(n.name);
      problems.add(given.where, "\"" + entry.name + "\" has no parameter \"" + given.name + "\"",
                   base::did_you_mean(given.name, known));
    } else if (std::find(choice->values.begin(), choice->values.end(), given.value.text) == choice->values.end()) {
      problems.add(given.value.where, "\"" + given.name + "\" cannot be \"" + given.value.text + "\"",
                   base::did_you_mean(given.value.text, choice->values));
    } else {
      chosen[given.name] = given.value.text;
    }
  }
}

/// A compensator that is given must be one: proper, and every pole decays.
void check_roots(const Roots& roots, const base::Location& where, base::Problems& problems) {
  if (roots.zeros.size() > roots.poles.size())
    problems.add(where, "the compensator has more zeros than poles", "give at least as many poles");
  if (roots.poles.size() > most_filter_states)
    problems.add(where, fmt::format("the compensator has {} poles, and at most {} are possible", roots.poles.size(),
                                    most_filter_states));
  constexpr double slowest = 1e-9;  // of a macro step: beyond that a filter is an integrator
  if (std::any_of(roots.poles.begin(), roots.poles.end(), [&](const auto& pole) { return !(pole.real() < -slowest); }))
    problems.add(where, "the compensator is unstable: a pole does not decay",
                 "all poles must have a negative real part");
}

/// Roots are counted from 1, each by its real part, and mean nothing without a gain.
void check_every_root_counts(const system::Method& asked, const base::Location& where, base::Problems& problems) {
  system::Method counted;
  if (const auto roots = read_roots(asked)) write_roots(*roots, counted);
  for (const auto& [name, value] : asked.parameters) {
    const bool says_nothing = name.ends_with("_im") && value == 0.0;
    if (!is_root_name(name) || says_nothing || number(counted, name)) continue;
    problems.add(where, fmt::format("\"{}\" would not count", name),
                 "give the gain, and number zeros and poles from 1 on without a gap, each with its real part");
  }
}

/// What is written beside a compensator that is given, but only says how to find one.
void check_nothing_to_find(const Chosen& chosen, const system::Method& asked, const base::Location& where,
                           base::Problems& problems) {
  for (const char* name : {"order", "static_gain", "weight", "radius", "gain_limit"}) {
    if (chosen.count(name) || number(asked, name))
      problems.add(where, fmt::format("\"{}\" has no meaning here: the compensator is given", name),
                   "leave it out, or leave gain, zeros and poles out");
  }
}

/// The numbers behind a coupling of filters, as asked for.
system::Coupling filters(const Chosen& chosen, const system::Method& asked) {
  const auto choice = [&](const char* name, const char* otherwise) {
    const auto found = chosen.find(name);
    return found == chosen.end() ? std::string(otherwise) : found->second;
  };
  const double order = choice("order", "1")[0] - '0';
  const bool euler = choice("solver", "exact") == "euler";
  system::Coupling result{filter_coupling,
                          {euler ? "compensator-euler" : "compensator", {}},
                          {euler ? "smoother-euler" : "smoother", {}},
                          system::Samples::macro};
  result.receiver.parameters = {{"order", 2.0}, {"cutoff", number(asked, "smoother").value_or(0.5)}};
  auto& design = result.emitter.parameters;
  if (const auto limit = number(asked, "jump_limit")) design.emplace_back("jump_limit", *limit);
  if (const auto given = read_roots(asked)) {
    write_roots(*given, result.emitter);
    return result;
  }
  design.emplace_back("weight_order", order);
  design.emplace_back("weight_cutoff", number(asked, "weight")
                                           .value_or(order == 1.0   ? 0.01
                                                     : order == 2.0 ? 0.03
                                                                    : 0.06));
  design.emplace_back("radius", number(asked, "radius").value_or(0.95));
  if (const auto limit = number(asked, "gain_limit")) design.emplace_back("gain_limit", *limit);
  if (choice("static_gain", "free") == "one") design.emplace_back("static_gain", 1.0);
  return result;
}

/// By parts: a compensator and a smoother go together, followed in the same way.
system::Coupling filters_by_parts(const system::CouplingRequest& request, base::Problems& problems) {
  system::Coupling result{filter_coupling, {}, {}, system::Samples::macro};
  Chosen chosen;
  const auto read = [&](Part part, const std::optional<system::MethodRequest>& asked, system::Method& method) {
    const Entry* entry =
        asked ? look_up(part, *asked, part == Part::emitter ? "emitter" : "receiver", problems) : nullptr;
    if (!entry) return;
    method.name = entry->name;
    read_parameters(*entry, *asked, chosen, method, problems);
  };
  read(Part::emitter, request.emitter, result.emitter);
  read(Part::receiver, request.receiver, result.receiver);
  const std::string& e = result.emitter.name;
  const std::string& r = result.receiver.name;
  const bool fit = (e == "compensator" && r == "smoother") || (e == "compensator-euler" && r == "smoother-euler");
  if (!fit)
    problems.add(request.where, "a compensator and a smoother must be used together, and followed in the same way",
                 "write {emitter: compensator…, receiver: smoother…} or {emitter: compensator-euler…, receiver: "
                 "smoother-euler…}");
  else if (!read_roots(result.emitter) && !number(result.emitter, "weight_order"))
    problems.add(request.where, "the compensator has neither a gain with zeros and poles nor a weight to be found for",
                 "write coupling: hinf, or give gain, zero1, … and pole1, …");
  for (const auto& order : {number(result.emitter, "weight_order"), number(result.receiver, "order")}) {
    if (order && *order != std::round(*order))
      problems.add(request.where, fmt::format("the order of a filter cannot be {}", *order), "give a whole number");
  }
  check_every_root_counts(result.emitter, request.where, problems);
  if (const auto given = read_roots(result.emitter)) check_roots(*given, request.where, problems);
  return result;
}

bool names_a_filter(const std::optional<system::MethodRequest>& asked) {
  return asked && (asked->name.rfind("compensator", 0) == 0 || asked->name.rfind("smoother", 0) == 0);
}

system::Coupling complete_hold(const system::CouplingRequest& request, const std::string& whole, Chosen given,
                               base::Problems& problems) {
  std::string name = whole;
  system::Method none;
  if (request.receiver) {
    if (const Entry* entry = look_up(Part::receiver, *request.receiver, "receiver", problems)) {
      name = entry->name;
      read_parameters(*entry, *request.receiver, given, none, problems);
    }
  }
  std::string chosen = given.count("samples") ? given["samples"] : "macro";
  if (request.samples) {
    if (std::find(sample_words.begin(), sample_words.end(), *request.samples) == sample_words.end()) {
      problems.add(request.samples_where, "\"samples\" cannot be \"" + *request.samples + "\"",
                   base::did_you_mean(*request.samples, sample_words));
    }
    chosen = *request.samples;
  }
  if (request.emitter) {
    if (const Entry* entry = look_up(Part::emitter, *request.emitter, "emitter", problems)) {
      read_parameters(*entry, *request.emitter, given, none, problems);
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

}  // namespace

system::Coupling complete(const system::CouplingRequest& request, base::Problems& problems) {
  if (names_a_filter(request.emitter) || names_a_filter(request.receiver)) return filters_by_parts(request, problems);
  Chosen chosen;
  std::string name = "zoh";
  system::Method numbers;
  if (request.coupling) {
    if (const Entry* entry = look_up(Part::coupling, *request.coupling, "coupling method", problems)) {
      name = entry->name;
      read_parameters(*entry, *request.coupling, chosen, numbers, problems);
    }
  }
  if (name == filter_coupling) {
    check_every_root_counts(numbers, request.coupling->where, problems);
    if (const auto given = read_roots(numbers)) {
      check_roots(*given, request.coupling->where, problems);
      check_nothing_to_find(chosen, numbers, request.coupling->where, problems);
    }
    return filters(chosen, numbers);
  }
  return complete_hold(request, name, std::move(chosen), problems);
}

bool are_same(const system::Coupling& one, const system::Coupling& other) {
  return one.name == other.name && one.samples == other.samples && one.emitter == other.emitter &&
         one.receiver == other.receiver;
}

std::string describe(const system::Coupling& coupling) {
  if (!has_filters(coupling))
    return coupling.samples == system::Samples::micro ? coupling.name + ",samples=micro" : coupling.name;
  std::string text = coupling.name;
  const auto order = number(coupling.emitter, "weight_order");
  const system::Coupling plain = filters({{"order", fmt::format("{}", order.value_or(1.0))}}, {});
  if (order.value_or(1.0) != 1.0) text += fmt::format(",order={}", *order);
  if (filter_solver(coupling) == FilterSolver::euler) text += ",solver=euler";
  if (number(coupling.emitter, "static_gain").value_or(0.0) == 1.0) text += ",static_gain=one";
  const auto add = [&](const char* word, std::optional<double> value, std::optional<double> otherwise) {
    if (value && value != otherwise) text += fmt::format(",{}={}", word, *value);
  };
  add("smoother", number(coupling.receiver, "cutoff"), number(plain.receiver, "cutoff"));
  add("weight", number(coupling.emitter, "weight_cutoff"), number(plain.emitter, "weight_cutoff"));
  add("radius", number(coupling.emitter, "radius"), number(plain.emitter, "radius"));
  add("gain_limit", number(coupling.emitter, "gain_limit"), std::nullopt);
  add("jump_limit", number(coupling.emitter, "jump_limit"), std::nullopt);
  for (const auto& [name, value] : coupling.emitter.parameters) {
    if (!order && is_root_name(name)) add(name.c_str(), value, std::nullopt);
  }
  return text;
}

}  // namespace seam::coupling
